// Smallest, largest, mean and root mean square of signals over the times that the plots show.

import type { TableJson } from "../contract";
import { h } from "../dom";
import type { PlotStack } from "../plots/plot-stack";
import type { Signal } from "../run";
import type { State } from "../state";
import { shownUnit } from "../units";
import { number } from "../format";
import { sortableTable } from "./table";

const MOST_ROWS = 400;

export interface Figures {
  min: number;
  minTime: number;
  max: number;
  maxTime: number;
  mean: number;
  rms: number;
  last: number;
}

/** Mean and RMS over time, exact for straight lines between the samples. */
export function figuresOf(times: ArrayLike<number>, values: ArrayLike<number>, from: number, to: number): Figures {
  const out: Figures = { min: Infinity, minTime: NaN, max: -Infinity, maxTime: NaN, mean: NaN, rms: NaN, last: NaN };
  let [area, square, span] = [0, 0, 0];
  let previous = -1;
  for (let i = 0; i < times.length; ++i) {
    const [t, v] = [times[i], values[i]];
    if (t < from || t > to || !Number.isFinite(v)) continue;
    if (v < out.min) [out.min, out.minTime] = [v, t];
    if (v > out.max) [out.max, out.maxTime] = [v, t];
    out.last = v;
    if (previous >= 0) {
      const [u, dt] = [values[previous], t - times[previous]];
      area += ((u + v) / 2) * dt;
      square += ((u * u + u * v + v * v) / 3) * dt;
      span += dt;
    }
    previous = i;
  }
  if (previous >= 0) [out.mean, out.rms] = span > 0 ? [area / span, Math.sqrt(square / span)] : [out.last, Math.abs(out.last)];
  return out;
}

export class FiguresPanel {
  readonly element = h("div.figures");
  private stale = true;

  constructor(
    private readonly state: State,
    private readonly stack: PlotStack,
  ) {
    const late = (): void => {
      this.stale = true;
      if (this.element.offsetParent !== null) this.show();
    };
    stack.range.changed.on(late);
    stack.changed.on(late);
    state.runsChanged.on(late);
    state.unitsChanged.on(late);
  }

  show(): void {
    if (!this.stale) return;
    this.stale = false;
    const { range } = this.stack;
    const runs = this.state.runs.filter((run) => this.state.runViews[run.index].curves);
    const several = this.state.runs.length > 1;
    const plotted = new Set(this.stack.allNames());
    const rows: (string | number | null)[][] = [];
    let more = 0;
    for (const run of runs) {
      for (const signal of run.signals) {
        if (signal.json.group !== "outputs" && !plotted.has(signal.name)) continue;
        if (rows.length >= MOST_ROWS) ++more;
        else rows.push(this.row(signal, several));
      }
    }
    // What else says, the plots or the time line, is left out where the panel is narrow.
    const number_ = (name: string): TableJson["columns"][number] => ({ name, kind: "number", optional: name === "last" || name.startsWith("at") });
    const table = sortableTable({
      title: range.zoomed ? `t = ${number(range.min, 4)} … ${number(range.max, 4)} s` : "All times",
      columns: [
        { name: "signal", kind: "text" },
        ...(several ? [{ name: "run", kind: "text" as const }] : []),
        { name: "unit", kind: "text" },
        ...["min", "at s", "max", "at  s", "mean", "RMS", "last"].map(number_),
      ],
      rows,
    });
    this.element.replaceChildren(
      h("p.more", {}, "Outputs and what is plotted, over the times that the plots show. Mean and RMS are over time; a wider panel has the times of the extremes and the last value, too."),
      table,
      ...(more > 0 ? [h("p.more", {}, `${more} more are not listed`)] : []),
    );
  }

  private row(signal: Signal, several: boolean): (string | number | null)[] {
    const { range } = this.stack;
    const { unit, factor } = shownUnit(signal.json.unit, this.state.degrees);
    const f = figuresOf(signal.times, signal.values, range.min, range.max);
    const shown = [f.min * factor, f.minTime, f.max * factor, f.maxTime, f.mean * factor, f.rms * factor, f.last * factor];
    return [
      signal.name,
      ...(several ? [signal.run.name] : []),
      unit,
      ...shown.map((value) => (Number.isFinite(value) ? value : null)),
    ];
  }
}
