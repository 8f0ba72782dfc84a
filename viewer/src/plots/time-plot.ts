// One plot over time: curves, legend with the values at the cursor, zoom, export. The cursor moves without redrawing.

import uPlot from "uplot";
import type { Clock } from "../clock";
import { h } from "../dom";
import { csvCell, download, downloadCanvas } from "../download";
import { number, steady, timeDecimals } from "../format";
import { icon, type IconName } from "../icons";
import type { Theme } from "../theme";
import { align, type Curve, curveAt } from "./curves";
import { watchPointer } from "./pointer";
import { pictureOf } from "./picture";
import type { XRange } from "./x-range";

const HEIGHT = 176;

export interface TimePlotOptions {
  title: string;
  log: boolean;
  curves: (dark: boolean) => Curve[];
  range: XRange;
  clock: Clock | null; // null: a plot without a cursor
  theme: Theme;
  events?: { t: number; name: string }[];
  yLabel?: string;
  xLabel?: string;
  height?: number;
  onEdit?: () => void;
  onRemove?: () => void;
}

export class TimePlot {
  readonly element: HTMLElement;
  title: string;
  log: boolean;
  private readonly holder = h("div.plot-canvas");
  private readonly legend = h("ul.plot-legend");
  private readonly heading = h("h3");
  private readonly line = h("div.time-cursor", { "aria-hidden": "true" }, h("div.time-grip"));
  private readonly logButton: HTMLButtonElement;
  private readonly values: HTMLElement[] = [];
  private readonly hidden = new Set<string>();
  private curves: Curve[] = [];
  private plot: uPlot | null = null;
  private highlighted: string | null = null;
  private hoverTime: number | null = null;
  private floor = 0; // of log scales
  private lastLegend = 0;
  private readonly observer: ResizeObserver;

  constructor(private readonly options: TimePlotOptions) {
    this.title = options.title;
    this.log = options.log;
    this.logButton = button("log", "Logarithmic scale", () => this.setLog(!this.log));
    this.element = h(
      "article.plot",
      { tabindex: "0", role: "group" },
      h(
        "header",
        {},
        this.heading,
        h(
          "div.plot-tools",
          { role: "toolbar", "aria-label": "Plot" },
          options.onEdit ? button("edit", "Choose signals", options.onEdit) : null,
          this.logButton,
          button("reset", "Show all (Z)", () => this.reset()),
          button("table", "Save as CSV", () => this.saveCsv()),
          button("image", "Save as PNG", () => this.savePng()),
          options.onRemove ? button("close", "Remove plot", options.onRemove) : null,
        ),
      ),
      this.holder,
      this.legend,
    );
    options.clock?.changed.on(() => this.moveCursor());
    options.range.changed.on(() => this.plot?.setScale("x", { min: options.range.min, max: options.range.max }));
    this.observer = new ResizeObserver(() => this.fitWidth());
    this.observer.observe(this.holder);
    this.rebuild();
  }

  /** Takes the curves again, after a change of signals, runs or theme. */
  rebuild(): void {
    const { theme, range } = this.options;
    this.curves = this.options.curves(theme.dark);
    this.heading.textContent = this.title;
    this.element.setAttribute("aria-label", `Plot ${this.title}`);
    this.logButton.setAttribute("aria-pressed", String(this.log));
    this.floor = this.log ? logFloor(this.curves) : 0;
    this.plot?.destroy();
    this.plot = new uPlot(this.settings(), align(this.curves, this.log), this.holder);
    if (this.options.clock) this.plot.over.append(this.line);
    this.plot.setScale("x", { min: range.min, max: range.max });
    this.buildLegend();
    this.highlight(this.highlighted);
    this.moveCursor(true);
  }

  destroy(): void {
    this.observer.disconnect();
    this.plot?.destroy();
    this.plot = null;
    this.element.remove();
  }

  setLog(log: boolean): void {
    this.log = log;
    this.rebuild();
  }

  reset(): void {
    this.options.range.reset();
    this.plot?.setData(this.plot.data, false);
    this.plot?.setScale("x", { min: this.options.range.min, max: this.options.range.max });
  }

  /** Makes the curves of a body or joint stand out. */
  highlight(owner: string | null): void {
    this.highlighted = owner;
    const any = owner !== null && this.curves.some((curve) => curve.owner === owner);
    this.element.classList.toggle("highlighted", any);
    if (!this.plot) return;
    this.curves.forEach((curve, i) => {
      const series = this.plot?.series[i + 1];
      const own = curve.owner === owner;
      if (series) [series.width, series.alpha] = any ? [own ? 2.6 : 1.2, own ? 1 : 0.3] : [1.6, 1];
      this.legend.children[i]?.classList.toggle("dimmed", any && !own);
    });
    this.plot.redraw(false);
  }

  private fitWidth(): void {
    const width = this.holder.clientWidth;
    if (this.plot && width > 40 && Math.abs(width - this.plot.width) > 1) {
      this.plot.setSize({ width, height: this.options.height ?? HEIGHT });
      this.moveCursor(true);
    }
  }

  private moveCursor(always = false): void {
    const { clock } = this.options;
    if (!clock || !this.plot) return;
    const { min, max } = this.plot.scales.x;
    const inside = min !== undefined && max !== undefined && clock.time >= min && clock.time <= max;
    this.line.style.visibility = inside ? "visible" : "hidden";
    if (inside) this.line.style.transform = `translateX(${this.plot.valToPos(clock.time, "x").toFixed(1)}px)`;
    // Text is dear: a few times a second is as much as one can read.
    const now = performance.now();
    if (always || !clock.playing || now - this.lastLegend > 100) {
      this.lastLegend = now;
      this.showValues();
    }
  }

  private showValues(): void {
    const t = this.hoverTime ?? this.options.clock?.time ?? NaN;
    this.curves.forEach((curve, i) => {
      const text = Number.isNaN(t) ? "" : steady(curveAt(curve, t));
      if (this.values[i] && this.values[i].textContent !== text) this.values[i].textContent = text;
    });
    this.legend.classList.toggle("hovering", this.hoverTime !== null);
  }

  private buildLegend(): void {
    this.values.length = 0;
    this.legend.replaceChildren(
      ...this.curves.map((curve, i) => {
        const value = h("span.value", { hidden: this.options.clock === null });
        this.values.push(value);
        const shown = !this.hidden.has(curve.label);
        if (!shown) this.plot?.setSeries(i + 1, { show: false });
        const toggle = h(
          "button",
          { type: "button", "aria-pressed": String(shown), title: `${curve.label}: show or hide` },
          swatch(curve),
          h("span.name", {}, curve.label),
          value,
        );
        toggle.addEventListener("click", () => {
          const show = this.hidden.delete(curve.label);
          if (!show) this.hidden.add(curve.label);
          toggle.setAttribute("aria-pressed", String(show));
          this.plot?.setSeries(i + 1, { show });
        });
        return h("li", {}, toggle);
      }),
    );
  }

  private settings(): uPlot.Options {
    const { theme, range, clock } = this.options;
    const ink = theme.color("muted");
    const grid = { stroke: theme.color("plot-grid"), width: 1 };
    const font = '11px ui-sans-serif, system-ui, "Segoe UI", Roboto, sans-serif';
    const units = [...new Set(this.curves.map((curve) => curve.unit))];
    const scaleOf = (unit: string): string => (units.indexOf(unit) > 0 ? "right" : "left");
    const axis = (scale: string, side: 1 | 3, own: string[]): uPlot.Axis => ({
      scale,
      side,
      stroke: ink,
      font,
      labelFont: font,
      label: this.options.yLabel && side === 3 ? this.options.yLabel : own.filter(Boolean).join(", "),
      labelSize: 16,
      size: 58,
      gap: 4,
      grid: side === 3 ? grid : { show: false },
      ticks: { ...grid, size: 4 },
      values: (_, splits) => splits.map((v) => (v === null ? "" : number(v, 4))),
      ...(this.log
        ? {
            filter: (_u: uPlot, splits: number[]) => splits,
            splits: (_u: uPlot, _axis: number, min: number, max: number) => decades(min, max),
          }
        : {}),
    });
    const left = units.slice(0, 1);
    const right = units.slice(1);
    const yScale: uPlot.Scale = this.log
      ? {
          distr: 3,
          range: (_, min, max) =>
            min > 0 && max > 0 ? uPlot.rangeLog(Math.min(Math.max(min, this.floor), max), max, 10, true) : [1e-16, 1],
        }
      : {
          range: (_, min, max) => {
            // A constant drawn through the middle, not as noise blown up to full height.
            const size = Math.max(Math.abs(min), Math.abs(max));
            if (!(max - min > 1e-9 * size)) return [min - (size || 1) * 0.1, max + (size || 1) * 0.1];
            return uPlot.rangeNum(min, max, 0.08, true);
          },
        };
    return {
      width: Math.max(this.holder.clientWidth, 200),
      height: this.options.height ?? HEIGHT,
      padding: [8, right.length > 0 ? 0 : 12, 0, 0],
      pxAlign: false,
      legend: { show: false },
      scales: {
        x: { time: false, auto: false, min: range.min, max: range.max },
        left: { ...yScale },
        right: { ...yScale },
      },
      axes: [
        {
          stroke: ink,
          font,
          labelFont: font,
          label: this.options.xLabel ?? "t, s",
          labelSize: 14,
          size: 26,
          gap: 3,
          grid,
          ticks: { ...grid, size: 4 },
          values: (_, splits) => splits.map((v) => number(v, 6)),
        },
        axis("left", 3, left),
        ...(right.length > 0 ? [axis("right", 1, right)] : []),
      ],
      series: [
        {},
        ...this.curves.map((curve) => ({
          label: curve.label,
          scale: scaleOf(curve.unit),
          stroke: curve.color,
          dash: curve.dash,
          width: 1.6,
          pxAlign: 0,
          points: { show: curve.times.length < 3 },
        })),
      ],
      cursor: {
        y: false,
        points: { size: 6 },
        drag: { x: true, y: true, uni: 30, setScale: false, dist: 5 },
        bind: { dblclick: () => null },
      },
      hooks: {
        ready: [
          (u) =>
            watchPointer(u, {
              range,
              clock,
              grip: this.line,
              onHover: (t) => this.hover(t),
              onReset: () => this.reset(),
            }),
        ],
        // After every change of scale or size the cursor belongs elsewhere.
        draw: [(u) => this.drawEvents(u), (u) => this.plot === u && this.moveCursor(true)],
      },
    };
  }

  private hover(t: number | null): void {
    if (t === this.hoverTime) return;
    this.hoverTime = t;
    this.showValues();
  }

  private drawEvents(u: uPlot): void {
    const { ctx, bbox } = u;
    ctx.save();
    ctx.strokeStyle = this.options.theme.color("event");
    ctx.lineWidth = 1;
    ctx.setLineDash([3, 3]);
    for (const { t } of this.options.events ?? []) {
      const x = Math.round(u.valToPos(t, "x", true)) + 0.5;
      if (x < bbox.left || x > bbox.left + bbox.width) continue;
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
    }
    ctx.restore();
  }

  private saveCsv(): void {
    const data = align(this.curves, false) as unknown as ArrayLike<number | null | undefined>[];
    const rows = [
      ["t [s]", ...this.curves.map((c) => (c.unit ? `${c.label} [${c.unit}]` : c.label))].map(csvCell).join(","),
    ];
    for (let i = 0; i < data[0].length; ++i) rows.push(data.map((column) => csvCell(column[i])).join(","));
    download(`${this.title}.csv`, new Blob([rows.join("\n") + "\n"], { type: "text/csv" }));
  }

  private savePng(): void {
    if (!this.plot) return;
    const { clock, theme } = this.options;
    const visible = this.curves.filter((curve) => !this.hidden.has(curve.label));
    const decimals = timeDecimals(this.options.range.end - this.options.range.start);
    const note = clock ? `t = ${clock.time.toFixed(decimals)} s` : "";
    downloadCanvas(`${this.title}.png`, pictureOf(this.plot.ctx.canvas, this.title, visible, note, theme));
  }
}

/** Where a log scale begins: an error that happens to vanish for an instant must not squeeze all the others. */
function logFloor(curves: Curve[]): number {
  const sizes: number[] = [];
  for (const { values } of curves) {
    const step = Math.max(1, Math.floor(values.length / 500));
    for (let i = 0; i < values.length; i += step) if (values[i] > 0) sizes.push(values[i]);
  }
  sizes.sort((a, b) => a - b);
  return (sizes[Math.floor(0.02 * sizes.length)] ?? 0) / 10;
}

/** Powers of ten, not more of them than there is room for. */
function decades(min: number, max: number): number[] {
  const [low, high] = [Math.ceil(Math.log10(min) - 1e-9), Math.floor(Math.log10(max) + 1e-9)];
  const step = Math.max(1, Math.ceil((high - low) / 6));
  const out: number[] = [];
  for (let p = low; p <= high; p += step) out.push(10 ** p);
  return out;
}

function button(name: IconName | "log", label: string, action: () => void): HTMLButtonElement {
  const content = name === "log" ? h("span.log-label", {}, "log") : icon(name);
  return h("button.tool", { type: "button", title: label, "aria-label": label, onclick: action }, content);
}

function swatch(curve: Curve): HTMLElement {
  const dashed = curve.dash.length > 0;
  const style = `border-top-color:${curve.color};border-top-style:${dashed ? (curve.dash[0] < 3 ? "dotted" : "dashed") : "solid"}`;
  return h("span.swatch", { style, "aria-hidden": "true" });
}
