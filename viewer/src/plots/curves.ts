// Curves of a plot and the aligned columns that uPlot wants.

import uPlot from "uplot";
import { valueAt } from "../search";

export interface Curve {
  name: string; // of the signal
  label: string; // in the legend: the run's name too if there are several
  unit: string;
  times: ArrayLike<number>;
  values: ArrayLike<number>;
  color: string;
  dash: number[];
  owner: string | null;
  run: number;
}

type Column = (number | null | undefined)[];

/** Values that can be drawn: no NaN, and nothing at or below zero on a log scale. */
function drawable(values: ArrayLike<number>, log: boolean): ArrayLike<number> | Column {
  let clean = true;
  for (let i = 0; i < values.length && clean; ++i) clean = !Number.isNaN(values[i]) && (!log || values[i] > 0);
  if (clean) return values;
  const out: Column = new Array(values.length);
  for (let i = 0; i < values.length; ++i) {
    out[i] = Number.isNaN(values[i]) || (log && values[i] <= 0) ? null : values[i];
  }
  return out;
}

/** One column of times and one of values per curve; curves on different times are joined. */
export function align(curves: Curve[], log: boolean): uPlot.AlignedData {
  const grids = new Map<ArrayLike<number>, number[]>();
  curves.forEach((curve, i) => grids.set(curve.times, [...(grids.get(curve.times) ?? []), i]));
  const columns = curves.map((curve) => drawable(curve.values, log));
  if (grids.size === 0) return [[]];
  if (grids.size === 1) return [curves[0].times, ...columns] as unknown as uPlot.AlignedData;
  const tables: uPlot.AlignedData[] = [];
  const order: number[] = [];
  for (const [times, members] of grids) {
    tables.push([times, ...members.map((i) => columns[i])] as unknown as uPlot.AlignedData);
    order.push(...members);
  }
  const joined = uPlot.join(tables) as unknown as ArrayLike<number>[];
  const sorted: ArrayLike<number>[] = [joined[0]];
  order.forEach((curve, position) => (sorted[curve + 1] = joined[position + 1]));
  return sorted as unknown as uPlot.AlignedData;
}

export function curveAt(curve: Curve, t: number): number {
  return valueAt(curve.times, curve.values, t);
}
