// One signal over another: paths of points, phase portraits. A dot is where the motion is now; a click goes to the nearest time.

import type { Clock } from "../clock";
import { h, svg } from "../dom";
import { csvCell, download } from "../download";
import { icon, type IconName } from "../icons";
import { valueAt } from "../search";
import type { Theme } from "../theme";
import { Axis } from "./axis";

const WIDTH = 620;
const HEIGHT = 420;
const MARGIN = { left: 74, right: 16, top: 12, bottom: 46 };
const FONT = "ui-sans-serif, system-ui, sans-serif";

export interface Path {
  label: string;
  color: string;
  times: ArrayLike<number>;
  x: ArrayLike<number>;
  y: ArrayLike<number>;
}

export interface PhasePlotOptions {
  title: string;
  paths: (dark: boolean) => Path[];
  labels: () => { x: string; y: string; equal: boolean }; // equal: one scale for both axes
  clock: Clock;
  theme: Theme;
  onEdit: () => void;
  onRemove: () => void;
}

export class PhasePlot {
  readonly element: HTMLElement;
  readonly log = false;
  private readonly picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "xy-plot phase", role: "img" });
  private readonly legend = h("ul.plot-legend");
  private readonly heading = h("h3");
  private readonly dots: SVGCircleElement[] = [];
  private paths: Path[] = [];
  private axes: { x: Axis; y: Axis } | null = null;

  constructor(private readonly options: PhasePlotOptions) {
    const button = (name: IconName, label: string, action: () => void): HTMLElement =>
      h("button.tool", { type: "button", title: label, "aria-label": label, onclick: action }, icon(name));
    this.element = h(
      "article.plot.phase-card",
      { tabindex: "0", role: "group" },
      h(
        "header",
        {},
        this.heading,
        h(
          "div.plot-tools",
          { role: "toolbar", "aria-label": "Plot" },
          button("edit", "Choose both axes", options.onEdit),
          button("table", "Save as CSV", () => this.saveCsv()),
          button("close", "Remove plot", options.onRemove),
        ),
      ),
      this.picture,
      this.legend,
    );
    this.picture.addEventListener("click", (event) => this.goTo(event));
    options.clock.changed.on(() => this.moveDots());
    this.rebuild();
  }

  get title(): string {
    return this.options.title;
  }

  rebuild(): void {
    const { theme } = this.options;
    this.paths = this.options.paths(theme.dark);
    this.heading.textContent = this.title;
    this.element.setAttribute("aria-label", `Plot ${this.title}`);
    const { x, y, equal } = this.options.labels();
    this.picture.setAttribute("aria-label", `${this.title}: ${y} over ${x}`);
    this.axes = this.makeAxes(equal);
    this.draw(x, y);
    this.legend.replaceChildren(
      ...(this.paths.length > 1 ? this.paths : []).map((path) =>
        h("li", {}, h("span.swatch", { style: `border-top-color:${path.color}` }), h("span.name", {}, path.label)),
      ),
    );
    this.moveDots();
  }

  highlight(): void {} // its signals may belong to two things

  destroy(): void {
    this.element.remove();
  }

  private makeAxes(equal: boolean): { x: Axis; y: Axis } {
    const [xs, ys] = [range(this.paths.map((path) => path.x)), range(this.paths.map((path) => path.y))];
    if (equal) {
      // A circle is to look like one: the axis with room to spare shows more.
      const perX = (xs[1] - xs[0]) / (WIDTH - MARGIN.left - MARGIN.right);
      const perY = (ys[1] - ys[0]) / (HEIGHT - MARGIN.top - MARGIN.bottom);
      if (perX > perY) widen(ys, perX * (HEIGHT - MARGIN.top - MARGIN.bottom));
      else widen(xs, perY * (WIDTH - MARGIN.left - MARGIN.right));
    }
    return {
      x: new Axis(xs, false, MARGIN.left, WIDTH - MARGIN.right),
      y: new Axis(ys, false, HEIGHT - MARGIN.bottom, MARGIN.top),
    };
  }

  private draw(xLabel: string, yLabel: string): void {
    const { x, y } = this.axes as { x: Axis; y: Axis };
    const { theme } = this.options;
    const [ink, grid] = [theme.color("muted"), theme.color("plot-grid")];
    const parts: SVGElement[] = [svg("rect", { width: WIDTH, height: HEIGHT, fill: "transparent" })];
    const text = (content: string, at: Record<string, string | number>): SVGElement =>
      svg("text", { fill: ink, "font-size": 13, "font-family": FONT, ...at }, content);
    const bottom = HEIGHT - MARGIN.bottom;
    for (const tick of x.ticks()) {
      const p = x.place(tick);
      parts.push(svg("line", { x1: p, x2: p, y1: MARGIN.top, y2: bottom, stroke: grid }));
      parts.push(text(x.text(tick), { x: p, y: bottom + 18, "text-anchor": "middle" }));
    }
    for (const tick of y.ticks()) {
      const p = y.place(tick);
      parts.push(svg("line", { x1: MARGIN.left, x2: WIDTH - MARGIN.right, y1: p, y2: p, stroke: grid }));
      parts.push(text(y.text(tick), { x: MARGIN.left - 8, y: p + 4, "text-anchor": "end" }));
    }
    const middle = (MARGIN.top + bottom) / 2;
    parts.push(text(xLabel, { x: (MARGIN.left + WIDTH) / 2, y: HEIGHT - 8, "text-anchor": "middle" }));
    parts.push(text(yLabel, { transform: `translate(16 ${middle}) rotate(-90)`, "text-anchor": "middle" }));
    for (const path of this.paths) parts.push(this.line(path, x, y));
    this.dots.length = 0;
    for (const { color } of this.paths) {
      const dot = svg("circle", { r: 5.5, fill: color, stroke: theme.color("surface"), "stroke-width": 1.5 });
      this.dots.push(dot);
      parts.push(dot);
    }
    this.picture.replaceChildren(...parts);
  }

  private line(path: Path, x: Axis, y: Axis): SVGElement {
    let d = "";
    let pen = "M";
    for (let i = 0; i < path.x.length; ++i) {
      const [px, py] = [x.place(path.x[i]), y.place(path.y[i])];
      if (!Number.isFinite(px) || !Number.isFinite(py)) {
        pen = "M";
        continue;
      }
      d += `${pen}${px.toFixed(1)} ${py.toFixed(1)}`;
      pen = "L";
    }
    return svg("path", { d: d || "M0 0", fill: "none", stroke: path.color, "stroke-width": 1.7, class: "phase-path" });
  }

  private moveDots(): void {
    const { axes } = this;
    if (!axes || !this.element.isConnected) return;
    const t = this.options.clock.time;
    this.paths.forEach((path, i) => {
      const px = axes.x.place(valueAt(path.times, path.x, t));
      const py = axes.y.place(valueAt(path.times, path.y, t));
      const seen = Number.isFinite(px) && Number.isFinite(py);
      this.dots[i].style.display = seen ? "" : "none";
      if (!seen) return;
      this.dots[i].setAttribute("cx", px.toFixed(1));
      this.dots[i].setAttribute("cy", py.toFixed(1));
    });
  }

  private goTo(event: MouseEvent): void {
    const { axes } = this;
    if (!axes) return;
    const box = this.picture.getBoundingClientRect();
    const [px, py] = [
      ((event.clientX - box.left) / box.width) * WIDTH,
      ((event.clientY - box.top) / box.height) * HEIGHT,
    ];
    let best = { distance: 30, t: NaN };
    for (const path of this.paths)
      for (let i = 0; i < path.x.length; ++i) {
        const distance = Math.hypot(axes.x.place(path.x[i]) - px, axes.y.place(path.y[i]) - py);
        if (distance < best.distance) best = { distance, t: path.times[i] };
      }
    if (!Number.isNaN(best.t)) this.options.clock.seek(best.t);
  }

  private saveCsv(): void {
    const { x, y } = this.options.labels();
    const rows = [["run", "t [s]", x, y].map(csvCell).join(",")];
    for (const path of this.paths)
      for (let i = 0; i < path.x.length; ++i)
        rows.push([path.label, path.times[i], path.x[i], path.y[i]].map(csvCell).join(","));
    download(`${this.title}.csv`, new Blob([rows.join("\n") + "\n"], { type: "text/csv" }));
  }
}

function range(lists: ArrayLike<number>[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const list of lists)
    for (let i = 0; i < list.length; ++i) {
      if (!Number.isFinite(list[i])) continue;
      low = Math.min(low, list[i]);
      high = Math.max(high, list[i]);
    }
  return high >= low ? [low, high] : [0, 1];
}

function widen(ends: [number, number], span: number): void {
  const middle = (ends[0] + ends[1]) / 2;
  [ends[0], ends[1]] = [middle - span / 2, middle + span / 2];
}
