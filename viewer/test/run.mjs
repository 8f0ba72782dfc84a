// Opens pages in Chromium and uses them as a person would:  node test/run.mjs [--shots FOLDER] [PAGE.html…]
// Without pages: those of make-pages.mjs, and what only they have. Exit status 77: no Chromium here, nothing tested.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { executable, launch, open } from "./browser.mjs";
import { checkPage } from "./any-page.mjs";
import {
  checkChain,
  checkCompare,
  checkCompareWithRuns,
  checkGallery,
  checkOverlay,
  checkSignals,
  checkSweep,
  checkViews,
  checkWithoutWebGl,
} from "./made-pages.mjs";

const args = process.argv.slice(2);
let shots = null;
if (args[0] === "--shots") [, shots] = args.splice(0, 2);
if (!executable) {
  console.log("no Chromium here (apt-get install chromium, or CHROMIUM=/path): not tested");
  process.exit(77);
}
const folder = mkdtempSync(join(tmpdir(), "driftless-pages-"));
if (shots) mkdirSync(shots, { recursive: true });

let failures = 0;
async function attempt(name, work) {
  const started = Date.now();
  try {
    const said = await work();
    console.log(`ok    ${name}  (${((Date.now() - started) / 1000).toFixed(1)} s)${said ? `  ${said}` : ""}`);
  } catch (error) {
    ++failures;
    console.log(
      `FAIL  ${name}\n      ${String(error.stack ?? error)
        .split("\n")
        .slice(0, 4)
        .join("\n      ")}`,
    );
  }
}

const browser = await launch();
try {
  let pages = args;
  if (pages.length === 0) {
    const make = fileURLToPath(new URL("make-pages.mjs", import.meta.url));
    execFileSync(process.execPath, [make, folder]);
    pages = ["slider-crank", "overlay", "chain", "gallery"].map((name) => join(folder, `${name}.html`));
  }
  for (const file of pages) {
    await attempt(basename(file), () => checkPage(browser, file, shots && join(shots, basename(file, ".html"))));
  }
  if (args.length === 0) {
    const page = (name) => join(folder, `${name}.html`);
    await attempt("signals, export", () => checkSignals(browser, page("slider-crank"), shots));
    await attempt("views, figures, film", () => checkViews(browser, page("slider-crank"), shots));
    await attempt("overlay of two runs", () => checkOverlay(browser, page("overlay"), shots));
    await attempt("100 bodies, 10 000 frames", () => checkChain(browser, page("chain")));
    await attempt("failed run, shapes", () => checkGallery(browser, page("gallery"), shots));
    await attempt("comparison", () => checkCompare(browser, page("compare"), shots));
    await attempt("sweep: maps", () => checkSweep(browser, page("sweep"), shots));
    await attempt("comparison with its runs", () => checkCompareWithRuns(browser, page("compare-runs"), shots));
    await attempt("without WebGL", () => checkWithoutWebGl(page("slider-crank"), shots));
    await attempt("empty page", async () => {
      const { page: empty, complaints } = await open(
        browser,
        fileURLToPath(new URL("../dist/page.html", import.meta.url)),
      );
      const text = await empty.textContent(".fatal");
      if (!/empty page/.test(text) || complaints.length > 0) throw new Error(`says ${text}; ${complaints}`);
    });
  }
} finally {
  await browser.close();
}
console.log(`${failures === 0 ? "all passed" : `${failures} failed`}; ${shots ? `pictures in ${shots}` : "--shots FOLDER takes pictures"}`);
process.exit(failures === 0 ? 0 : 1);
