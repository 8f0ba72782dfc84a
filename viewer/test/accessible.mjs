// Every control has a name, every text a contrast of at least 4.5 : 1 (WCAG 2 AA).
import assert from "node:assert/strict";

export async function checkAccessible(page, where) {
  const { nameless, pale } = await page.evaluate(look);
  assert.deepEqual(nameless, [], `controls without a name (${where})`);
  assert.deepEqual(pale, [], `texts with too little contrast (${where})`);
}

// Runs in the page.
function look() {
  const visible = (element) => element.getClientRects().length > 0;
  const nameless = [];
  for (const element of document.querySelectorAll("button, input, select, [tabindex]")) {
    const label = element.labels?.[0]?.textContent ?? "";
    const name = element.getAttribute("aria-label") || element.textContent || element.title || label;
    if (visible(element) && !name.trim()) nameless.push(element.outerHTML.slice(0, 120));
  }

  const pixel = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const rgba = (color) => {
    if (!known.has(color)) known.set(color, read(color));
    return known.get(color);
  };
  const read = (color) => {
    pixel.clearRect(0, 0, 1, 1);
    pixel.fillStyle = color;
    pixel.fillRect(0, 0, 1, 1);
    return [...pixel.getImageData(0, 0, 1, 1).data];
  };
  const over = (top, below, alpha) => below.map((value, i) => top[i] * alpha + value * (1 - alpha));
  const ancestors = (element) => {
    const all = [];
    for (let e = element; e; e = e.parentElement) all.push(getComputedStyle(e));
    return all;
  };
  const background = (styles) =>
    styles
      .map((style) => rgba(style.backgroundColor))
      .reverse()
      .reduce((below, color) => over(color, below, color[3] / 255), [255, 255, 255, 255]);
  const luminance = (color) => {
    const [r, g, b] = color
      .slice(0, 3)
      .map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };

  const pale = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim();
    const element = walker.currentNode.parentElement;
    // Names in the scene lie on a picture; options are drawn by the system.
    if (!text || !visible(element) || element.closest("script, style, option, .scene-labels")) continue;
    const styles = ancestors(element);
    const below = background(styles);
    const opacity = styles.reduce((product, style) => product * Number(style.opacity), 1);
    const [a, b] = [luminance(over(rgba(styles[0].color), below, opacity)), luminance(below)];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) pale.add(`${element.className} "${text.slice(0, 20)}" ${contrast.toFixed(2)}`);
  }
  return { nameless, pale: [...pale] };
}
