// The bar between scene and plots: drag it, or move it with the arrow keys.

import { h } from "../dom";

export function splitter(container: HTMLElement): HTMLElement {
  let part = 0.56;
  const bar = h("div.splitter", {
    role: "separator",
    tabindex: "0",
    "aria-orientation": "vertical",
    "aria-label": "Width of the scene",
    "aria-valuemin": 20,
    "aria-valuemax": 80,
  });
  const set = (value: number): void => {
    part = Math.min(Math.max(value, 0.2), 0.8);
    container.style.setProperty("--scene-part", `${(part * 100).toFixed(1)}%`);
    bar.setAttribute("aria-valuenow", String(Math.round(part * 100)));
  };
  set(part);
  bar.addEventListener("pointerdown", (event) => {
    bar.setPointerCapture(event.pointerId);
    const box = container.getBoundingClientRect();
    const stacked = getComputedStyle(container).flexDirection === "column";
    bar.onpointermove = (move) =>
      set(stacked ? (move.clientY - box.top) / box.height : (move.clientX - box.left) / box.width);
    bar.onpointerup = bar.onpointercancel = () => (bar.onpointermove = null);
  });
  bar.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -0.02, ArrowUp: -0.02, ArrowRight: 0.02, ArrowDown: 0.02 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    set(part + step);
  });
  return bar;
}
