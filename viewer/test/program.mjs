// Pages that the program itself writes, used as a person would:  node test/program.mjs DRIFTLESS [--shots FOLDER]
// Planar and spatial mechanisms, closed loops, a chain of a hundred bodies, an overlay of two runs.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { executable } from "./browser.mjs";

const [program, ...more] = process.argv.slice(2);
if (!program) {
  console.error("usage: node test/program.mjs DRIFTLESS [--shots FOLDER]");
  process.exit(2);
}
if (!executable) {
  console.log("no Chromium here (apt-get install chromium, or CHROMIUM=/path): not tested");
  process.exit(77);
}
const folder = mkdtempSync(join(tmpdir(), "driftless-program-"));
const run = (...args) => execFileSync(program, args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });

/** A hundred bars hanging from the ground by ball joints, let go from level. */
function chain(count) {
  const length = 0.1;
  const bodies = Array.from({ length: count }, (_, i) => ({
    name: `link_${i + 1}`,
    mass: 0.1,
    inertia: [8.4e-5, 8.4e-5, 1e-5].map((v) => v),
    center_of_mass: [length / 2, 0, 0],
    points: { A: [0, 0, 0], B: [length, 0, 0] },
    position: [i * length, 0, 0],
  }));
  const joints = bodies.map((body, i) => ({
    name: `ball_${i + 1}`,
    type: "spherical",
    a: i ? `link_${i}.B` : "ground.O",
    b: `${body.name}.A`,
  }));
  return {
    driftless: 1,
    name: "chain-100",
    space: "spatial",
    gravity: [0, 0, -9.81],
    ground: { points: { O: [0, 0, 0] } },
    bodies,
    joints,
  };
}

const pages = [];
for (const name of ["andrews", "slider-crank", "spatial-slider-crank", "stewart-platform", "four-mass"]) {
  run("run", name, "--report", `${name}.html`, "--quiet");
  pages.push(`${name}.html`);
}
writeFileSync(join(folder, "chain-100.json"), JSON.stringify(chain(100)));
run(
  "run",
  "chain-100.json",
  "--coordinates",
  "relative",
  "--t-end",
  "0.5",
  "--output-step",
  "0.001",
  "--rtol",
  "1e-4",
  "--report",
  "chain-100.html",
  "--quiet",
);
pages.push("chain-100.html");
run("run", "slider-crank", "--out", "a.h5", "--quiet");
run("run", "slider-crank", "--rtol", "1e-2", "--out", "b.h5", "--quiet");
run("view", "a.h5", "b.h5", "--out", "overlay.html");
pages.push("overlay.html");

const test = fileURLToPath(new URL("run.mjs", import.meta.url));
const { status } = spawnSync(process.execPath, [test, ...more, ...pages.map((page) => join(folder, page))], {
  stdio: "inherit",
});
process.exit(status ?? 1);
