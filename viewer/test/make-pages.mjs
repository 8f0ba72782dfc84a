// Test pages from made-up but plausible motions: node test/make-pages.mjs [FOLDER]
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Binary, writePage } from "./encode.mjs";
import { chain } from "./made/chain.mjs";
import { comparePage } from "./made/compare.mjs";
import { gallery } from "./made/gallery.mjs";
import { sliderCrank } from "./made/slider-crank.mjs";
import { sweepPage } from "./made/sweep.mjs";

const out = process.argv[2] ?? fileURLToPath(new URL("pages", import.meta.url));
mkdirSync(out, { recursive: true });

const page = (title, runs, note = "") => ({
  format: 1,
  kind: "results",
  program: "driftless 0.1.0",
  title,
  note,
  runs,
});
const made = {
  "slider-crank": (b) =>
    page("slider-crank", [sliderCrank(b, "slider-crank")], "Frames are interpolated linearly; largest error 3e-5 m."),
  overlay: (b) =>
    page("slider-crank: two runs", [
      sliderCrank(b, "dopri5", 3, 1e-12),
      sliderCrank(b, "radau5", 3.07, 1e-9, { integrator: "radau5" }),
    ]),
  chain: (b) => page("chain of 100", [chain(b, 100, 10_000)]),
  gallery: (b) => page("gallery", [gallery(b)]),
  compare: () => comparePage(),
  sweep: () => sweepPage(),
  "compare-runs": (b) => ({ ...comparePage(), runs: [sliderCrank(b, "dopri5"), sliderCrank(b, "radau5", 3.07)] }),
};
for (const [name, make] of Object.entries(made)) {
  const binary = new Binary();
  const size = writePage(`${out}/${name}.html`, make(binary), binary);
  console.log(`${out}/${name}.html  ${(size / 1e6).toFixed(2)} MB`);
}
