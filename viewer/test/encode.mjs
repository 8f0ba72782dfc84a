// Writes pages in the format of docs/report-format.md, so that the viewer can be tested without the program.
import { readFileSync, writeFileSync } from "node:fs";
import { deflateSync } from "node:zlib";

export class Binary {
  parts = [];
  length = 0;

  push(bytes) {
    const at = this.length;
    this.parts.push(bytes);
    this.length += bytes.length;
    return at;
  }

  /** Quantised; a number if constant and `mayBeNumber`. */
  u16(values, { log = false, mayBeNumber = false } = {}) {
    const n = values.length;
    let [min, max] = [Infinity, -Infinity];
    const scaled = Float64Array.from(values, (v) => (log ? (v > 0 ? Math.log10(v) : -Infinity) : v));
    for (const v of scaled) {
      if (!Number.isFinite(v)) continue;
      min = Math.min(min, v);
      max = Math.max(max, v);
    }
    if (!Number.isFinite(min)) [min, max] = [0, 0];
    if (mayBeNumber && min === max) return min;
    const bytes = new Uint8Array(2 * n);
    let last = 0;
    for (let i = 0; i < n; ++i) {
      const v = scaled[i];
      let code = Number.isNaN(v) ? 65535 : max > min ? Math.round(((Math.max(v, min) - min) / (max - min)) * 65534) : 0;
      const difference = (code - last) & 0xffff;
      last = code;
      bytes[i] = difference & 255;
      bytes[n + i] = difference >> 8;
    }
    return { at: this.push(bytes), n, type: log ? "log16" : "u16", min, max };
  }

  channel(values) {
    return this.u16(values, { mayBeNumber: true });
  }

  typed(array, type) {
    return { at: this.push(new Uint8Array(array.buffer, array.byteOffset, array.byteLength)), n: array.length, type };
  }
  f64(values) {
    return this.typed(Float64Array.from(values), "f64");
  }
  f32(values) {
    return this.typed(Float32Array.from(values), "f32");
  }
  u32(values) {
    return this.typed(Uint32Array.from(values), "u32");
  }

  base64() {
    return deflateSync(Buffer.concat(this.parts), { level: 6 }).toString("base64");
  }
}

export function writePage(file, page, binary) {
  const asset = new URL("../dist/page.html", import.meta.url);
  const put = (html, from, to) => {
    const parts = html.split(from);
    if (parts.length !== 2) throw new Error(`"${from}" occurs ${parts.length - 1} times in page.html, expected once`);
    return parts.join(to);
  };
  let html = readFileSync(asset, "utf8");
  const json = JSON.stringify(page).replaceAll("</", "<\\/");
  html = put(html, "<title>driftless</title>", `<title>${page.title}</title>`);
  html = put(
    html,
    '<script type="application/json" id="driftless-data">{}</script>',
    `<script type="application/json" id="driftless-data">${json}</script>`,
  );
  html = put(
    html,
    '<script type="text/plain" id="driftless-binary"></script>',
    `<script type="text/plain" id="driftless-binary">${binary.base64()}</script>`,
  );
  writeFileSync(file, html);
  return html.length;
}
