// One axis of an SVG plot: where a value goes, and at which values lines are drawn.

import { number } from "../format";
import { roundStep } from "../round-step";

export class Axis {
  private readonly low: number;
  private readonly high: number;

  constructor(
    values: number[],
    readonly log: boolean,
    private readonly from: number,
    private readonly to: number,
    beyond = 0.05, // of the range, at both ends
  ) {
    const usable = values
      .filter((value) => Number.isFinite(value) && (!log || value > 0))
      .map((value) => (log ? Math.log10(value) : value));
    let low = usable.length > 0 ? Math.min(...usable) : 0;
    let high = usable.length > 0 ? Math.max(...usable) : 1;
    if (high - low < 1e-12 * Math.max(Math.abs(high), 1)) [low, high] = [low - 0.5, high + 0.5];
    const margin = beyond * (high - low);
    [this.low, this.high] = [low - margin, high + margin];
  }

  place(value: number): number {
    if (this.log && !(value > 0)) return NaN;
    const v = this.log ? Math.log10(value) : value;
    return this.from + ((v - this.low) / (this.high - this.low)) * (this.to - this.from);
  }

  ticks(): number[] {
    const { low, high } = this;
    const out: number[] = [];
    if (this.log && high - low >= 1.2) {
      const step = Math.max(1, Math.ceil((high - low) / 9));
      for (let p = Math.ceil(low); p <= high; p += step) out.push(10 ** p);
      return out;
    }
    const [a, b] = this.log ? [10 ** low, 10 ** high] : [low, high];
    const step = roundStep((b - a) / 6);
    for (let v = Math.ceil(a / step) * step; v <= b; v += step) out.push(Math.abs(v) < step * 1e-9 ? 0 : v);
    return out;
  }

  text(tick: number): string {
    if (!this.log) return number(tick, 6);
    const power = Math.log10(tick);
    return Math.abs(power - Math.round(power)) < 1e-9 && (power < -2 || power > 3)
      ? `1e${Math.round(power)}`.replace("-", "\u2212")
      : number(tick, 3);
  }
}
