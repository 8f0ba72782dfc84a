// What SVG plots share: a card with title and tools, the frame of two axes, the tip at the pointer, the picture to save.

import type { PlotAxisJson } from "../contract";
import { h, svg } from "../dom";
import { downloadCanvas } from "../download";
import { icon } from "../icons";
import type { Theme } from "../theme";
import type { Axis } from "./axis";

export const WIDTH = 620;
export const HEIGHT = 400;

export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export function axisLabel(axis: PlotAxisJson): string {
  return axis.unit ? `${axis.label}, ${axis.unit}` : axis.label;
}

export function svgCard(
  title: string,
  picture: SVGSVGElement,
  tip: HTMLElement,
  legend: HTMLElement | null,
  saveCsv: () => void,
  savePng: () => void,
): HTMLElement {
  const save = (name: "table" | "image", label: string, action: () => void): HTMLElement =>
    h("button.tool", { type: "button", title: label, "aria-label": label, onclick: action }, icon(name));
  return h(
    "article.plot.xy-card",
    {},
    h(
      "header",
      {},
      h("h3", {}, title),
      h("div.plot-tools", {}, save("table", "Save as CSV", saveCsv), save("image", "Save as PNG", savePng)),
    ),
    h("div.xy-holder", {}, picture, tip),
    legend,
  );
}

export function svgText(content: string, at: Record<string, string | number>, theme: Theme): SVGElement {
  return svg(
    "text",
    { fill: theme.color("muted"), "font-size": 13, "font-family": "ui-sans-serif, system-ui, sans-serif", ...at },
    content,
  );
}

/** Grid, ticks and labels of both axes around `box`. */
export function frame(x: Axis, y: Axis, labels: { x: string; y: string }, box: Box, theme: Theme): SVGElement[] {
  const grid = theme.color("plot-grid");
  const parts: SVGElement[] = [];
  for (const tick of x.ticks()) {
    const p = x.place(tick);
    parts.push(svg("line", { x1: p, x2: p, y1: box.top, y2: box.bottom, stroke: grid }));
    parts.push(svgText(x.text(tick), { x: p, y: box.bottom + 18, "text-anchor": "middle" }, theme));
  }
  for (const tick of y.ticks()) {
    const p = y.place(tick);
    parts.push(svg("line", { x1: box.left, x2: box.right, y1: p, y2: p, stroke: grid }));
    parts.push(svgText(y.text(tick), { x: box.left - 8, y: p + 4, "text-anchor": "end" }, theme));
  }
  const [center, middle] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  parts.push(svgText(labels.x, { x: center, y: HEIGHT - 8, "text-anchor": "middle" }, theme));
  parts.push(
    svgText(labels.y, { transform: `translate(16 ${middle}) rotate(-90)`, "text-anchor": "middle" }, theme),
  );
  return parts;
}

export function showTip(tip: HTMLElement, lines: HTMLElement[], px: number, py: number): void {
  tip.replaceChildren(...lines);
  tip.hidden = false;
  tip.style.left = `${(px / WIDTH) * 100}%`;
  tip.style.top = `${(py / HEIGHT) * 100}%`;
  tip.dataset.side = px > WIDTH / 2 ? "left" : "right";
}

/** Title and plot, and below it what `legend` draws from `top` on. */
export function savePicture(
  title: string,
  picture: SVGSVGElement,
  theme: Theme,
  legendHeight = 0,
  legend: (context: CanvasRenderingContext2D, top: number) => void = () => {},
): void {
  const copy = picture.cloneNode(true) as SVGSVGElement;
  copy.setAttribute("width", String(2 * WIDTH));
  copy.setAttribute("height", String(2 * HEIGHT));
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [2 * WIDTH, 2 * (HEIGHT + legendHeight + 30)];
    const context = canvas.getContext("2d") as CanvasRenderingContext2D;
    context.scale(2, 2);
    context.fillStyle = theme.color("surface");
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = theme.color("ink");
    context.font = "600 15px system-ui, sans-serif";
    context.fillText(title, 16, 22);
    context.drawImage(image, 0, 30, WIDTH, HEIGHT);
    context.font = "13px system-ui, sans-serif";
    legend(context, HEIGHT + 46);
    downloadCanvas(`${title}.png`, canvas);
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
}
