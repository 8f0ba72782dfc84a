// Reads what the program put into the page: the JSON object and the compressed arrays it refers to.

import type { ArrayRef, Channel, PageJson } from "./contract";

export const NOT_A_NUMBER = 65535;
const STEPS = 65534;

/** All arrays of the page. Decoding is lazy: most signals of a large result are never looked at. */
export class Archive {
  constructor(private readonly bytes: Uint8Array<ArrayBuffer>) {}

  /** Codes of a 16 bit array: undoes the planes of low and high bytes and the differences. */
  codes(ref: ArrayRef): Uint16Array {
    this.check(ref, 2);
    const { bytes } = this;
    const out = new Uint16Array(ref.n);
    let last = 0;
    for (let i = 0, low = ref.at, high = ref.at + ref.n; i < ref.n; ++i, ++low, ++high) {
      last = (last + bytes[low] + (bytes[high] << 8)) & 0xffff;
      out[i] = last;
    }
    return out;
  }

  /** Values of any array, as doubles; NaN where the result has none. */
  values(ref: ArrayRef): Float64Array {
    switch (ref.type) {
      case "u16":
      case "log16": {
        const codes = this.codes(ref);
        const min = ref.min ?? 0;
        const step = ((ref.max ?? 0) - min) / STEPS;
        const out = new Float64Array(ref.n);
        const log = ref.type === "log16";
        for (let i = 0; i < ref.n; ++i) {
          if (codes[i] === NOT_A_NUMBER) out[i] = NaN;
          else out[i] = log ? 10 ** (min + codes[i] * step) : min + codes[i] * step;
        }
        return out;
      }
      case "f64":
        return new Float64Array(this.slice(ref, 8));
      case "f32":
        return Float64Array.from(new Float32Array(this.slice(ref, 4)));
      case "u32":
        return Float64Array.from(new Uint32Array(this.slice(ref, 4)));
      default:
        throw new Error(`array of unknown type ${String((ref as ArrayRef).type)}`);
    }
  }

  floats(ref: ArrayRef): Float32Array {
    return ref.type === "f32" ? new Float32Array(this.slice(ref, 4)) : Float32Array.from(this.values(ref));
  }

  indices(ref: ArrayRef): Uint32Array {
    return ref.type === "u32" ? new Uint32Array(this.slice(ref, 4)) : Uint32Array.from(this.values(ref));
  }

  track(channel: Channel | undefined, otherwise = 0): Track {
    if (channel === undefined || channel === null) return Track.constant(otherwise);
    if (typeof channel === "number") return Track.constant(channel);
    if (channel.type !== "u16") return new Track(this.values(channel), 0, 1);
    const min = channel.min ?? 0;
    return new Track(this.codes(channel), min, ((channel.max ?? 0) - min) / STEPS);
  }

  // A copy, because offsets need not be multiples of the size of a number.
  private slice(ref: ArrayRef, size: number): ArrayBuffer {
    this.check(ref, size);
    return this.bytes.buffer.slice(this.bytes.byteOffset + ref.at, this.bytes.byteOffset + ref.at + ref.n * size);
  }

  private check(ref: ArrayRef, size: number): void {
    if (ref.at < 0 || ref.at + ref.n * size > this.bytes.length) {
      throw new Error(`array at ${ref.at} with ${ref.n} values lies beyond the ${this.bytes.length} bytes of the page`);
    }
  }
}

/** A channel on frames, kept as 16 bit codes: 10 000 frames of 100 bodies stay at 14 MB. */
export class Track {
  constructor(
    private readonly codes: Uint16Array | Float64Array,
    private readonly min: number,
    private readonly step: number,
  ) {}

  static constant(value: number): Track {
    return new Track(Float64Array.of(value), 0, 1);
  }

  get isConstant(): boolean {
    return this.codes.length === 1;
  }

  at(frame: number): number {
    const { codes } = this;
    return this.min + codes[frame < codes.length ? frame : codes.length - 1] * this.step;
  }

  /** Linear between frame and frame + 1. */
  between(frame: number, fraction: number): number {
    const { codes } = this;
    const end = codes.length - 1;
    const first = codes[frame < end ? frame : end];
    const second = codes[frame + 1 < end ? frame + 1 : end];
    return this.min + (first + (second - first) * fraction) * this.step;
  }
}

export function readPage(): PageJson {
  const text = document.getElementById("driftless-data")?.textContent ?? "{}";
  const page = JSON.parse(text) as Partial<PageJson>;
  if (page.format === undefined) throw new Error("This is the empty page: driftless has not put results into it.");
  if (page.format !== 1) {
    throw new Error(`This page has data of format ${page.format}; the viewer in it reads format 1.`);
  }
  return { kind: "results", program: "driftless", title: "driftless", runs: [], ...page } as PageJson;
}

export async function readArchive(): Promise<Archive> {
  const element = document.getElementById("driftless-binary");
  const text = (element?.textContent ?? "").trim();
  if (element) element.textContent = ""; // megabytes that nobody needs twice
  if (!text) return new Archive(new Uint8Array(0));
  const packed = fromBase64(text);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Archive(new Uint8Array(await new Response(stream).arrayBuffer()));
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const native = (Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }).fromBase64;
  if (native) return native.call(Uint8Array, text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
