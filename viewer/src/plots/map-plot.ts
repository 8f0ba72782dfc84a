// A quantity over a plane as colours: cells where the points make a grid, dots where they lie anywhere.

import type { PlotJson } from "../contract";
import type { Archive } from "../data";
import { h, svg } from "../dom";
import { csvCell, download } from "../download";
import { number } from "../format";
import { mapColor } from "../palette";
import type { Theme } from "../theme";
import { Axis } from "./axis";
import { axisLabel, frame, HEIGHT, savePicture, showTip, svgCard, svgText, WIDTH } from "./svg-card";

const BOX = { left: 74, right: WIDTH - 104, top: 14, bottom: HEIGHT - 48 };
const BAR = { left: WIDTH - 88, width: 14, steps: 48 };

export class MapPlot {
  readonly element: HTMLElement;
  private readonly picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "xy-plot", role: "img" });
  private readonly tip = h("div.xy-tip", { hidden: true });
  private readonly x: number[];
  private readonly y: number[];
  private readonly z: number[];
  private readonly labels: string[];
  private readonly range: [number, number];

  constructor(
    private readonly plot: PlotJson,
    archive: Archive,
    private readonly theme: Theme,
  ) {
    const [series] = plot.series;
    const list = (data: (typeof series)["x"]): number[] =>
      Array.isArray(data) ? data.map((value) => value ?? NaN) : Array.from(archive.values(data));
    [this.x, this.y, this.z] = [list(series.x), list(series.y), list(series.z ?? [])];
    this.labels = series.labels ?? [];
    const known = this.z.filter(Number.isFinite);
    this.range = known.length > 0 ? [known.reduce((a, b) => Math.min(a, b)), known.reduce((a, b) => Math.max(a, b))] : [0, 0];
    this.picture.setAttribute(
      "aria-label",
      `${plot.title}: from ${number(this.range[0], 4)} to ${number(this.range[1], 4)} at ${this.z.length} points`,
    );
    this.element = svgCard(
      plot.title,
      this.picture,
      this.tip,
      null,
      () => this.saveCsv(),
      () => savePicture(plot.title, this.picture, theme),
    );
    theme.changed.on(() => this.draw());
    this.draw();
  }

  private draw(): void {
    const [columns, rows] = [distinct(this.x), distinct(this.y)];
    const isGrid = this.z.length === columns.length * rows.length;
    const [acrossEdges, upEdges] = [edges(columns), edges(rows)];
    // Axes leave a margin of their own; cells reach beyond their points and need none.
    const x = new Axis(isGrid ? acrossEdges : columns, false, BOX.left, BOX.right, isGrid ? 0 : 0.05);
    const y = new Axis(isGrid ? upEdges : rows, false, BOX.bottom, BOX.top, isGrid ? 0 : 0.05);
    const parts = frame(x, y, { x: axisLabel(this.plot.x), y: axisLabel(this.plot.y) }, BOX, this.theme);
    this.z.forEach((value, i) => {
      const [px, py] = [x.place(this.x[i]), y.place(this.y[i])];
      const fill = Number.isFinite(value) ? this.color(value) : "none";
      const c = columns.indexOf(this.x[i]);
      const r = rows.indexOf(this.y[i]);
      const [left, right] = [x.place(acrossEdges[c]), x.place(acrossEdges[c + 1])];
      const [bottom, top] = [y.place(upEdges[r]), y.place(upEdges[r + 1])];
      const mark = isGrid
        ? svg("rect", { x: left, y: top, width: right - left, height: bottom - top, fill, "shape-rendering": "crispEdges" })
        : svg("circle", { cx: px, cy: py, r: 5, fill, stroke: this.theme.color("muted"), "stroke-width": 0.8 });
      mark.setAttribute("class", "map-point");
      mark.setAttribute("pointer-events", "all");
      mark.addEventListener("pointerenter", () => this.show(i, px, py));
      mark.addEventListener("pointerleave", () => (this.tip.hidden = true));
      parts.push(mark);
      if (!Number.isFinite(value)) parts.push(cross(px, py, this.theme.color("muted")));
    });
    parts.push(...this.drawBar());
    this.picture.replaceChildren(...parts);
  }

  private color(value: number): string {
    const [low, high] = this.range;
    return mapColor(high > low ? (value - low) / (high - low) : 0.5);
  }

  private drawBar(): SVGElement[] {
    const [low, high] = this.range;
    const scale = new Axis(high > low ? [low, high] : [low - 0.5, low + 0.5], false, BOX.bottom, BOX.top, 0);
    const step = (BOX.bottom - BOX.top) / BAR.steps;
    const parts: SVGElement[] = [];
    for (let k = 0; k < BAR.steps; ++k)
      parts.push(
        svg("rect", {
          x: BAR.left,
          y: BOX.bottom - (k + 1) * step,
          width: BAR.width,
          height: step,
          fill: mapColor(high > low ? (k + 0.5) / BAR.steps : 0.5),
          "shape-rendering": "crispEdges",
        }),
      );
    const left = BAR.left + BAR.width + 5;
    for (const tick of high > low ? scale.ticks() : [low])
      parts.push(svgText(scale.text(tick), { x: left, y: scale.place(tick) + 4, "font-size": 12 }, this.theme));
    return parts;
  }

  private show(i: number, px: number, py: number): void {
    const line = (axis: PlotJson["x"], value: number): HTMLElement =>
      h("div", {}, `${axis.label} ${number(value, 4)}${axis.unit ? ` ${axis.unit}` : ""}`);
    const label = this.labels[i] ? [h("strong", {}, this.labels[i])] : [];
    const z = this.plot.z ? [line(this.plot.z, this.z[i])] : [];
    showTip(this.tip, [...label, line(this.plot.x, this.x[i]), line(this.plot.y, this.y[i]), ...z], px, py);
  }

  private saveCsv(): void {
    const { x, y, z, title } = this.plot;
    const rows = [[x, y, z ?? { label: "value" }].map((axis) => csvCell(axisLabel(axis))).join(",")];
    this.z.forEach((value, i) => rows.push([this.x[i], this.y[i], value].map(csvCell).join(",")));
    download(`${title}.csv`, new Blob([rows.join("\n") + "\n"], { type: "text/csv" }));
  }
}

function distinct(values: number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}

/** Of cells about sorted places: half-way between neighbours, as far outside. */
function edges(places: number[]): number[] {
  if (places.length < 2) return places.flatMap((place) => [place - 0.5, place + 0.5]);
  const last = places.length - 1;
  const between = places.slice(1).map((place, i) => (place + places[i]) / 2);
  return [(3 * places[0] - places[1]) / 2, ...between, (3 * places[last] - places[last - 1]) / 2];
}

function cross(x: number, y: number, color: string): SVGElement {
  const d = `M${x - 4} ${y - 4}l8 8m0 -8l-8 8`;
  return svg("path", { d, stroke: color, "stroke-width": 1.4, "pointer-events": "none" });
}
