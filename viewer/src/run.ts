// One run as the page uses it: names resolved, arrays decoded when first asked for.

import type { ArrayRef, RunJson, SceneJson, SignalJson, VectorJson } from "./contract";
import type { Archive, Track } from "./data";
import { indexAt, valueAt } from "./search";
import { scaled } from "./units";

export interface PoseTracks {
  x: Track;
  y: Track;
  z: Track;
  w: Track;
  i: Track;
  j: Track;
  k: Track;
}
export interface VectorTracks {
  x: Track;
  y: Track;
  z: Track;
}

export class Signal {
  private samples: Float64Array | null = null;
  private other: Float64Array | null = null;
  private otherFactor = 1;

  constructor(
    readonly json: SignalJson,
    readonly run: Run,
  ) {}

  get name(): string {
    return this.json.name;
  }
  get label(): string {
    return this.json.unit ? `${this.json.name} [${this.json.unit}]` : this.json.name;
  }
  get times(): Float64Array {
    return this.run.times(this.json.time);
  }
  get values(): Float64Array {
    return (this.samples ??= this.run.archive.values(this.json.data));
  }
  at(t: number): number {
    return valueAt(this.times, this.values, t);
  }
  /** In degrees, say; kept, because plots are rebuilt often. */
  scaledBy(factor: number): Float64Array {
    if (factor === 1) return this.values;
    if (!this.other || this.otherFactor !== factor) this.other = scaled(this.values, factor);
    this.otherFactor = factor;
    return this.other;
  }
}

export class Run {
  readonly name: string;
  readonly color: number; // place among the colours
  readonly frames: Float64Array;
  readonly poses: PoseTracks[];
  readonly signals: Signal[];
  readonly scene: SceneJson | null;
  private readonly timeArrays = new Map<string, Float64Array>();
  private readonly byName = new Map<string, Signal>();
  private readonly vectors = new WeakMap<VectorJson, VectorTracks>();
  private hint = 0;

  constructor(
    readonly json: RunJson,
    readonly archive: Archive,
    readonly index: number,
  ) {
    this.name = json.name;
    this.color = json.color ?? index;
    this.frames = json.frames ? archive.values(json.frames) : new Float64Array(0);
    this.poses = (json.poses ?? []).map((pose) => ({
      x: archive.track(pose.x),
      y: archive.track(pose.y),
      z: archive.track(pose.z),
      w: archive.track(pose.w, 1),
      i: archive.track(pose.i),
      j: archive.track(pose.j),
      k: archive.track(pose.k),
    }));
    this.signals = (json.signals ?? []).map((signal) => new Signal(signal, this));
    for (const signal of this.signals) this.byName.set(signal.name, signal);
    this.scene = json.scene && this.frames.length > 0 && somethingIn(json.scene) ? json.scene : null;
  }

  get failed(): boolean {
    const status = this.json.about.status ?? "ok";
    return !["ok", "stopped", "success", ""].includes(status);
  }

  get start(): number {
    return this.frames.length > 0 ? this.frames[0] : (this.json.about.t_start ?? 0);
  }

  get end(): number {
    return this.frames.length > 0 ? this.frames[this.frames.length - 1] : (this.json.about.t_end ?? 0);
  }

  /** Frame at or before t and the fraction of the way to the next one, in the two slots of `out`. */
  locate(t: number, out: Float64Array): void {
    const { frames } = this;
    const i = (this.hint = indexAt(frames, t, this.hint));
    const span = i + 1 < frames.length ? frames[i + 1] - frames[i] : 0;
    out[0] = i;
    out[1] = span > 0 ? Math.min(Math.max((t - frames[i]) / span, 0), 1) : 0;
  }

  signal(name: string): Signal | undefined {
    return this.byName.get(name);
  }

  times(which: "records" | "steps" | ArrayRef): Float64Array {
    const ref = typeof which === "string" ? this.json.times?.[which] : which;
    if (!ref) return this.frames;
    const key = `${ref.type}${ref.at}`;
    let times = this.timeArrays.get(key);
    if (!times) this.timeArrays.set(key, (times = this.archive.values(ref)));
    return times;
  }

  /** Decoded once: arrows, trails and the inspector ask again and again. */
  vector(json: VectorJson): VectorTracks {
    let tracks = this.vectors.get(json);
    if (!tracks) {
      const { archive } = this;
      tracks = { x: archive.track(json.x), y: archive.track(json.y), z: archive.track(json.z) };
      this.vectors.set(json, tracks);
    }
    return tracks;
  }
}

/** Equations without a mechanism have no scene worth a window. */
function somethingIn({ bodies, deforming, ground }: SceneJson): boolean {
  return bodies.length > 0 || (deforming ?? []).length > 0 || (ground?.shapes ?? []).length > 0;
}
