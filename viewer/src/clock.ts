// The one time of the page: scene, plots, timeline and inspector follow it.

import { Emitter } from "./emitter";

export const SPEEDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

export class Clock {
  readonly changed = new Emitter<number>();
  readonly state = new Emitter(); // play, pause, speed, loop
  private now: number;
  private running = false;
  private rate = 1;
  private looping = true;
  private lastTick = 0;

  constructor(
    readonly start: number,
    readonly end: number,
  ) {
    this.now = start;
  }

  get time(): number {
    return this.now;
  }
  get playing(): boolean {
    return this.running;
  }
  get speed(): number {
    return this.rate;
  }
  get loop(): boolean {
    return this.looping;
  }
  set loop(value: boolean) {
    this.looping = value;
    this.state.emit();
  }
  set speed(value: number) {
    this.rate = value;
    this.state.emit();
  }

  seek(t: number): void {
    const next = Math.min(Math.max(t, this.start), this.end);
    if (!Number.isFinite(next)) return;
    this.now = next;
    this.changed.emit(next);
  }

  play(): void {
    if (this.running || this.end <= this.start) return;
    if (this.now >= this.end) this.seek(this.start);
    this.running = true;
    this.lastTick = performance.now();
    this.state.emit();
    requestAnimationFrame(this.tick);
  }

  pause(): void {
    if (!this.running) return;
    this.running = false;
    this.state.emit();
  }

  toggle(): void {
    if (this.running) this.pause();
    else this.play();
  }

  /** Next slower or faster of the usual speeds. */
  changeSpeed(direction: 1 | -1): void {
    const next =
      direction > 0 ? SPEEDS.find((s) => s > this.rate * 1.0001) : SPEEDS.filter((s) => s < this.rate * 0.9999).pop();
    if (next !== undefined) this.speed = next;
  }

  private readonly tick = (stamp: number): void => {
    if (!this.running) return;
    // A tab that slept must not jump: no more than a fifth of a second at once.
    const passed = Math.min(Math.max(stamp - this.lastTick, 0), 200) / 1000;
    this.lastTick = stamp;
    let next = this.now + passed * this.rate;
    if (next >= this.end) {
      if (this.looping) {
        next = this.start + ((next - this.start) % (this.end - this.start));
      } else {
        next = this.end;
        this.running = false;
        this.state.emit();
      }
    }
    this.seek(next);
    if (this.running) requestAnimationFrame(this.tick);
  };
}

/** A speed that shows the whole motion in a pleasant while: about 8 s, from the usual ones. */
export function pleasantSpeed(duration: number): number {
  if (!(duration > 0)) return 1;
  if (duration >= 2 && duration <= 30) return 1; // real time, whenever it makes sense
  const wanted = duration / 8;
  return SPEEDS.reduce((best, s) => (Math.abs(Math.log(s / wanted)) < Math.abs(Math.log(best / wanted)) ? s : best));
}
