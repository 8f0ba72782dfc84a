// The part of the time axis that all plots show together.

import { Emitter } from "../emitter";

export class XRange {
  readonly changed = new Emitter();
  min: number;
  max: number;

  constructor(
    readonly start: number,
    readonly end: number,
  ) {
    this.min = start;
    this.max = end;
  }

  get zoomed(): boolean {
    return this.min > this.start || this.max < this.end;
  }

  set(min: number, max: number): void {
    const smallest = (this.end - this.start) * 1e-6;
    if (!(max - min > smallest)) return;
    const span = Math.min(max - min, this.end - this.start);
    const from = Math.min(Math.max(min, this.start), this.end - span);
    if (from === this.min && from + span === this.max) return;
    this.min = from;
    this.max = from + span;
    this.changed.emit();
  }

  zoom(factor: number, about: number): void {
    const center = Math.min(Math.max(about, this.min), this.max);
    this.set(center - (center - this.min) / factor, center + (this.max - center) / factor);
  }

  /** By a part of what is visible. */
  pan(part: number): void {
    const shift = part * (this.max - this.min);
    this.set(this.min + shift, this.max + shift);
  }

  reset(): void {
    this.set(this.start, this.end);
  }
}
