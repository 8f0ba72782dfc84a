// Points and lines of any two quantities, linear or logarithmic: work-precision plots and the like, as SVG.

import type { PlotJson } from "../contract";
import type { Archive } from "../data";
import { h, svg } from "../dom";
import { csvCell, download } from "../download";
import { number } from "../format";
import { curveColor } from "../palette";
import type { Theme } from "../theme";
import { Axis } from "./axis";
import { axisLabel, frame, HEIGHT, savePicture, showTip, svgCard, WIDTH } from "./svg-card";

const BOX = { left: 74, right: WIDTH - 16, top: 14, bottom: HEIGHT - 48 };
const MARKERS = ["circle", "square", "triangle", "diamond", "cross"] as const;

interface Series {
  name: string;
  color: number;
  x: number[];
  y: number[];
  labels: string[];
  points: boolean;
  line: boolean;
}

export class XyPlot {
  readonly element: HTMLElement;
  private readonly series: Series[];
  private readonly picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "xy-plot", role: "img" });
  private readonly tip = h("div.xy-tip", { hidden: true });
  private readonly legend = h("ul.plot-legend");
  private readonly hidden = new Set<number>();

  constructor(
    private readonly plot: PlotJson,
    archive: Archive,
    private readonly theme: Theme,
  ) {
    const list = (data: PlotJson["series"][number]["x"]): number[] =>
      Array.isArray(data) ? data.map((value) => value ?? NaN) : Array.from(archive.values(data));
    this.series = plot.series.map((series, i) => ({
      name: series.name,
      color: series.color ?? i,
      x: list(series.x),
      y: list(series.y),
      labels: series.labels ?? [],
      points: series.points ?? plot.kind === "work-precision",
      line: series.line ?? true,
    }));
    this.picture.setAttribute(
      "aria-label",
      `${plot.title}: ${plot.y.label} over ${plot.x.label}, ${this.series.length} curves`,
    );
    this.element = svgCard(
      plot.title,
      this.picture,
      this.tip,
      this.legend,
      () => this.saveCsv(),
      () => this.savePng(),
    );
    theme.changed.on(() => this.draw());
    this.draw();
  }

  private axes(): { x: Axis; y: Axis } {
    const shown = this.series.filter((_, i) => !this.hidden.has(i));
    const all = shown.length > 0 ? shown : this.series;
    const x = new Axis(
      all.flatMap((s) => s.x),
      this.plot.x.log === true,
      BOX.left,
      BOX.right,
    );
    const y = new Axis(
      all.flatMap((s) => s.y),
      this.plot.y.log === true,
      BOX.bottom,
      BOX.top,
    );
    return { x, y };
  }

  private draw(): void {
    const { x, y } = this.axes();
    const parts = frame(x, y, { x: axisLabel(this.plot.x), y: axisLabel(this.plot.y) }, BOX, this.theme);
    this.series.forEach((series, i) => {
      if (!this.hidden.has(i)) parts.push(...this.drawSeries(series, x, y));
    });
    this.picture.replaceChildren(...parts);
    this.drawLegend();
  }

  private drawSeries(series: Series, x: Axis, y: Axis): SVGElement[] {
    const color = curveColor(series.color, this.theme.dark);
    const parts: SVGElement[] = [];
    let path = "";
    let pen = "M";
    for (let i = 0; i < series.x.length; ++i) {
      const [px, py] = [x.place(series.x[i]), y.place(series.y[i])];
      if (!Number.isFinite(px) || !Number.isFinite(py)) {
        pen = "M";
        continue;
      }
      path += `${pen}${px.toFixed(1)} ${py.toFixed(1)}`;
      pen = "L";
    }
    const dash = series.color >= 8 ? "7 4" : null;
    if (series.line)
      parts.push(
        svg("path", { d: path || "M0 0", fill: "none", stroke: color, "stroke-width": 1.8, "stroke-dasharray": dash }),
      );
    if (!series.points) return parts;
    for (let i = 0; i < series.x.length; ++i) {
      const [px, py] = [x.place(series.x[i]), y.place(series.y[i])];
      if (!Number.isFinite(px) || !Number.isFinite(py)) continue;
      const mark = svg("path", {
        d: marker(series.color, px, py),
        fill: color,
        stroke: this.theme.color("surface"),
        "stroke-width": 1.2,
        class: "xy-point",
      });
      mark.addEventListener("pointerenter", () => this.showPoint(series, i, px, py));
      mark.addEventListener("pointerleave", () => (this.tip.hidden = true));
      parts.push(mark);
    }
    return parts;
  }

  private showPoint(series: Series, i: number, px: number, py: number): void {
    const line = (axis: PlotJson["x"], value: number): HTMLElement =>
      h("div", {}, `${axis.label} ${number(value, 4)}${axis.unit ? ` ${axis.unit}` : ""}`);
    const label = series.labels[i] ? [h("div", {}, series.labels[i])] : [];
    const lines = [h("strong", {}, series.name), ...label, line(this.plot.x, series.x[i]), line(this.plot.y, series.y[i])];
    showTip(this.tip, lines, px, py);
  }

  private drawLegend(): void {
    if (this.legend.childElementCount === 0) {
      this.series.forEach((series, i) => {
        const toggle = h("button", { type: "button", "aria-pressed": "true", title: `${series.name}: show or hide` });
        toggle.addEventListener("click", () => {
          const shown = this.hidden.delete(i);
          if (!shown) this.hidden.add(i);
          toggle.setAttribute("aria-pressed", String(shown));
          this.draw();
        });
        this.legend.append(h("li", {}, toggle));
      });
    }
    this.series.forEach((series, i) => {
      const symbol = svg(
        "svg",
        { viewBox: "-8 -8 16 16", class: "marker", "aria-hidden": "true" },
        svg("path", { d: marker(series.color, 0, 0), fill: curveColor(series.color, this.theme.dark) }),
      );
      this.legend.children[i].firstElementChild?.replaceChildren(symbol, h("span.name", {}, series.name));
    });
  }

  private saveCsv(): void {
    const rows = [["series", axisLabel(this.plot.x), axisLabel(this.plot.y), "label"].map(csvCell).join(",")];
    for (const series of this.series) {
      series.x.forEach((value, i) =>
        rows.push([series.name, value, series.y[i], series.labels[i] ?? ""].map(csvCell).join(",")),
      );
    }
    download(`${this.plot.title}.csv`, new Blob([rows.join("\n") + "\n"], { type: "text/csv" }));
  }

  private savePng(): void {
    const rows = Math.ceil(this.series.length / 3);
    savePicture(this.plot.title, this.picture, this.theme, 26 * rows, (context, first) =>
      this.series.forEach((series, i) => {
        const [left, top] = [20 + (i % 3) * 200, first + 26 * Math.floor(i / 3)];
        context.fillStyle = curveColor(series.color, this.theme.dark);
        context.fill(new Path2D(marker(series.color, left, top)));
        context.fillStyle = this.theme.color("ink");
        context.fillText(series.name, left + 14, top + 4, 176);
      }),
    );
  }
}

/** Form and colour both tell the series apart. */
function marker(index: number, x: number, y: number): string {
  const r = 5;
  switch (MARKERS[index % MARKERS.length]) {
    case "circle":
      return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
    case "square":
      return `M${x - 4.4} ${y - 4.4}h8.8v8.8h-8.8z`;
    case "triangle":
      return `M${x} ${y - 5.6}l5.4 9.4h-10.8z`;
    case "diamond":
      return `M${x} ${y - 6.2}l5.4 6.2l-5.4 6.2l-5.4 -6.2z`;
    case "cross":
      return `M${x - 1.7} ${y - 5.4}h3.4v3.7h3.7v3.4h-3.7v3.7h-3.4v-3.7h-3.7v-3.4h3.7z`;
  }
}
