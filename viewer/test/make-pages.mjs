// Test pages from made-up but plausible motions: node test/make-pages.mjs [FOLDER]
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Binary, writePage } from "./encode.mjs";

const out = process.argv[2] ?? fileURLToPath(new URL("pages", import.meta.url));
mkdirSync(out, { recursive: true });
const range = (n) => Array.from({ length: n }, (_, i) => i);

function pose(binary, frames, at) {
  const rows = frames.map(at); // [x, y, z, w, i, j, k]
  const [x, y, z, w, i, j, k] = range(7).map((c) => binary.channel(rows.map((row) => row[c])));
  return { x, y, z, w, i, j, k };
}
const turned = (x, y, angle, z = 0) => [x, y, z, Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)];
const vector = (binary, frames, at) => {
  const rows = frames.map(at);
  return { x: binary.channel(rows.map((r) => r[0])), y: binary.channel(rows.map((r) => r[1])), z: binary.channel(rows.map((r) => r[2] ?? 0)) };
};
const about = (problem, more = {}) => ({
  problem, source: `models/${problem}.json`, coordinates: "reference-point", formulation: "lagrange", integrator: "dopri5", stabilization: "pstab",
  command: `driftless run ${problem} --rtol 1e-8 --report ${problem}.html`, status: "ok", message: "", version: "driftless 0.1.0",
  options: { rtol: "1e-08", atol: "1e-09" }, notices: [], t_start: 0, t_end: 4, ...more,
});
const statistics = { steps: 812, accepted: 790, rejected: 22, evaluations: 5684, newton_iterations: 0, factorizations: 5684, stabilizations: 790, cpu_seconds: 0.0123 };
const drift = { position_max: 3.2e-14, velocity_max: 1.1e-13, position_row: "pin_A.x", velocity_row: "guide.y" };

/** Planar slider-crank with a spring on the slider; `rate` and `error` make runs differ. */
function sliderCrank(binary, name, rate = 3, error = 1e-12, more = {}) {
  const [r, l] = [1, 2];
  const n = 401;
  const frames = range(n).map((i) => (4 * i) / (n - 1));
  const phi = (t) => 0.4 + rate * t + 0.3 * Math.sin(2 * t);
  const state = (t) => {
    const a = phi(t);
    const A = [r * Math.cos(a), r * Math.sin(a)];
    const x = A[0] + Math.sqrt(l * l - A[1] * A[1]);
    return { a, A, x, rod: Math.atan2(-A[1], x - A[0]) };
  };
  const d = (f, t) => (f(t + 1e-5) - f(t - 1e-5)) / 2e-5;
  const signal = (signalName, unit, group, owner, of, extra = {}) => ({
    name: signalName, unit, group, owner, log: false, time: "records", data: binary.u16(frames.map(of), { log: extra.log === true }), default: false, ...extra,
  });
  const kinetic = (t) => 2 + Math.sin(3 * t) + 0.2 * Math.cos(11 * t);
  const scene = {
    planar: true, gravity: [0, -9.81, 0], length: 2, bounds: [[-1, -1, 0], [3.1, 1, 0]],
    bodies: [
      { name: "crank", pose: 0, center: [0.5, 0, 0], points: [{ name: "O", at: [0, 0, 0] }, { name: "A", at: [1, 0, 0] }], shapes: [{ type: "line", points: [[0, 0, 0], [1, 0, 0]], radius: 0.06, derived: true }] },
      { name: "rod", pose: 1, center: [1, 0, 0], points: [{ name: "A", at: [0, 0, 0] }, { name: "B", at: [2, 0, 0] }], shapes: [{ type: "line", points: [[0, 0, 0], [2, 0, 0]], radius: 0.06, derived: true }] },
      { name: "slider", pose: 2, center: [0, 0, 0], points: [{ name: "B", at: [0, 0, 0] }], shapes: [{ type: "box", size: [0.34, 0.2, 0.1], position: [0, 0, 0], orientation: [1, 0, 0, 0], derived: true }] },
    ],
    ground: { points: [{ name: "O", at: [0, 0, 0] }, { name: "W", at: [4, 0, 0] }], shapes: [] },
    joints: [
      { name: "pin_O", type: "revolute", symbol: "pin", a: { body: -1, at: [0, 0, 0] }, b: { body: 0, at: [0, 0, 0] }, axis: [0, 0, 1] },
      { name: "pin_A", type: "revolute", symbol: "pin", a: { body: 0, at: [1, 0, 0] }, b: { body: 1, at: [0, 0, 0] }, axis: [0, 0, 1] },
      { name: "pin_B", type: "revolute", symbol: "pin", a: { body: 1, at: [2, 0, 0] }, b: { body: 2, at: [0, 0, 0] }, axis: [0, 0, 1] },
      { name: "guide", type: "translational", symbol: "slider", a: { body: -1, at: [0, 0, 0] }, b: { body: 2, at: [0, 0, 0] }, axis: [1, 0, 0] },
      { name: "motor", type: "driver", symbol: "driver", a: { body: -1, at: [0, 0, 0] }, b: { body: 0, at: [0, 0, 0] }, axis: [0, 0, 1] },
    ],
    springs: [
      { name: "buffer", type: "spring", symbol: "coil", a: { body: 2, at: [0.17, 0, 0] }, b: { body: -1, at: [4, 0, 0] }, axis: null },
      { name: "return", type: "rotational_spring", symbol: "torsion", a: { body: -1, at: [0, 0, 0] }, b: { body: 0, at: [0, 0, 0] }, axis: [0, 0, 1] },
    ],
    deforming: [],
  };
  scene.bounds = [[-1, -1, 0], [4, 1, 0]];
  return {
    name, about: about("slider-crank", { notices: ["initial positions were moved by at most 0.031 m to close the joints"], ...more }), statistics, drift,
    energy: { initial: 12.3, final: 12.3, work: 0, max_relative_error: 2.2e-9 },
    frames: binary.f64(frames), frame_note: "every 2nd of 801 records", position_error: 3.1e-5, angle_error: 2.4e-5,
    poses: [
      pose(binary, frames, (t) => turned(0, 0, state(t).a)),
      pose(binary, frames, (t) => turned(...state(t).A, state(t).rod)),
      pose(binary, frames, (t) => turned(state(t).x, 0, 0)),
    ],
    times: { records: binary.f64(frames), steps: binary.f64(range(600).map((i) => 4 * (i / 599) ** 1.1)) },
    signals: [
      signal("slider_x", "m", "outputs", "slider", (t) => state(t).x, { default: true }),
      signal("crank.theta", "rad", "positions", "crank", (t) => state(t).a),
      signal("crank.omega", "rad/s", "velocities", "crank", (t) => d(phi, t), { default: true, plot: "rates" }),
      signal("rod.omega", "rad/s", "velocities", "rod", (t) => d((s) => state(s).rod, t), { default: true, plot: "rates" }),
      signal("rod.theta", "rad", "positions", "rod", (t) => state(t).rod),
      signal("slider.x", "m", "positions", "slider", (t) => state(t).x),
      signal("slider.vx", "m/s", "velocities", "slider", (t) => d((s) => state(s).x, t)),
      signal("pin_A.fx", "N", "reactions", "pin_A", (t) => 20 * Math.cos(3 * t), { default: true, plot: "reactions" }),
      signal("pin_A.fy", "N", "reactions", "pin_A", (t) => 14 * Math.sin(3 * t) + 9.81, { default: true, plot: "reactions" }),
      signal("kinetic", "J", "energies", null, kinetic, { default: true, plot: "energy" }),
      signal("potential", "J", "energies", null, (t) => 12.3 - kinetic(t), { default: true, plot: "energy" }),
      signal("total", "J", "energies", null, () => 12.3, { default: true, plot: "energy" }),
      signal("position error", "", "errors", null, (t) => error * (1 + Math.sin(40 * t) ** 2) * 10 ** (t / 2), { log: true, default: true, plot: "constraint errors" }),
      signal("velocity error", "", "errors", null, (t) => 8 * error * (1 + Math.sin(31 * t) ** 2), { log: true, default: true, plot: "constraint errors" }),
      { name: "step size", unit: "s", group: "steps", owner: null, log: true, time: "steps", data: binary.u16(range(600).map((i) => 0.004 + 0.003 * Math.sin(i / 20)), { log: true }), default: true },
    ],
    arrows: {
      velocity: [
        { body: 0, ...vector(binary, frames, (t) => [d((s) => 0.5 * Math.cos(phi(s)), t), d((s) => 0.5 * Math.sin(phi(s)), t)]) },
        { body: 2, ...vector(binary, frames, (t) => [d((s) => state(s).x, t), 0]) },
      ],
      force: [
        { joint: 0, ...vector(binary, frames, (t) => [-20 * Math.cos(3 * t), 15]) },
        { joint: 1, ...vector(binary, frames, (t) => [20 * Math.cos(3 * t), 14 * Math.sin(3 * t) + 9.81]) },
      ],
    },
    events: [{ t: 1.25, name: "slider stops" }, { t: 2.9, name: "crank_down" }],
    scene,
  };
}

/** A hanging chain in space, large: what the page must open and play without effort. */
function chain(binary, bodies, n) {
  const frames = range(n).map((i) => (10 * i) / (n - 1));
  const link = 0.1;
  // Direction of link b at time t, cheap and smooth.
  const direction = (b, t) => {
    const swing = 0.9 * Math.cos(1.3 * t - 0.04 * b) * Math.exp(-0.03 * t) + 0.1 * Math.sin(5 * t + 0.3 * b);
    const side = 0.4 * Math.sin(0.9 * t + 0.05 * b);
    return [Math.sin(swing), Math.cos(swing) * Math.sin(side), -Math.cos(swing) * Math.cos(side)];
  };
  const rows = range(bodies).map(() => range(7).map(() => new Float64Array(n)));
  frames.forEach((t, f) => {
    const end = [0, 0, 0];
    for (let b = 0; b < bodies; ++b) {
      const [x, y, z] = direction(b, t);
      // Quaternion from −z to the direction.
      const q = [1 - z, y, -x, 0];
      const size = Math.hypot(...q);
      [end[0], end[1], end[2], ...q.map((v) => v / size)].forEach((v, c) => (rows[b][c][f] = v));
      end[0] += link * x; end[1] += link * y; end[2] += link * z;
    }
  });
  const names = ["x", "y", "z", "w", "i", "j", "k"];
  const poses = rows.map((columns) => Object.fromEntries(columns.map((column, c) => [names[c], binary.channel(column)])));
  const signals = range(bodies).flatMap((b) => ["x", "y", "z"].map((axis, c) => ({
    name: `link_${b + 1}.${axis}`, unit: "m", group: "positions", owner: `link_${b + 1}`, log: false, time: "records", data: poses[b][axis].n ? poses[b][axis] : binary.u16(rows[b][c]),
    default: b === bodies - 1, plot: b === bodies - 1 ? "last link" : undefined,
  })));
  const bodiesJson = range(bodies).map((b) => ({
    name: `link_${b + 1}`, pose: b, center: [0, 0, -link / 2], points: [{ name: "A", at: [0, 0, 0] }, { name: "B", at: [0, 0, -link] }],
    shapes: [{ type: "capsule", from: [0, 0, 0], to: [0, 0, -link], radius: 0.035, derived: true }],
  }));
  const joints = range(bodies).map((b) => ({
    name: `ball_${b + 1}`, type: "spherical", symbol: "ball", a: { body: b - 1, at: b ? [0, 0, -link] : [0, 0, 0] }, b: { body: b, at: [0, 0, 0] }, axis: null,
  }));
  const reach = bodies * link;
  return {
    name: "chain", about: about("hanging-chain", { t_end: 10 }), statistics, drift, energy: null, frames: binary.f64(frames), frame_note: "all records", position_error: 1.5e-4, angle_error: 3e-5,
    poses, times: { records: binary.f64(frames) }, signals,
    arrows: { velocity: range(bodies).map((b) => ({ body: b, x: 1, y: 0, z: 0 })), force: [] }, events: [],
    scene: { planar: false, gravity: [0, 0, -9.81], length: reach, bounds: [[-reach * 0.85, -reach * 0.4, -reach], [reach * 0.85, reach * 0.4, 0]], bodies: bodiesJson, ground: { points: [], shapes: [] }, joints, springs: [], deforming: [] },
  };
}

/** Every kind of shape, symbol and a deforming net, side by side. */
function gallery(binary) {
  const frames = range(121).map((i) => i / 30);
  const shapes = [
    { type: "box", size: [0.6, 0.4, 0.3] },
    { type: "cylinder", from: [0, 0, -0.3], to: [0, 0, 0.3], radius: 0.2 },
    { type: "capsule", from: [-0.3, 0, 0], to: [0.3, 0, 0], radius: 0.12 },
    { type: "sphere", position: [0, 0, 0], radius: 0.28, color: "#c9a227" },
    { type: "line", points: [[-0.3, 0, 0], [0, 0, 0.3], [0.3, 0, 0]], radius: 0.05 },
    { type: "polygon", points: [[-0.3, -0.2], [0.3, -0.2], [0.3, 0.2], [0, 0.05], [-0.3, 0.2]], thickness: 0.1 },
    { type: "mesh", vertices: binary.f32([0, 0, 0.4, 0.3, 0, -0.2, -0.15, 0.26, -0.2, -0.15, -0.26, -0.2]), triangles: binary.u32([0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2]), position: [0, 0, 0], scale: 1 },
  ];
  const symbols = ["pin", "slider", "ball", "fixed", "cylinder", "universal", "screw", "gear", "rolling", "distance", "driver", "other"];
  const place = (i) => [(i % 4) * 1.1, Math.floor(i / 4) * 1.1, 0];
  const bodies = shapes.map((shape, i) => ({ name: shape.type, pose: i, center: [0, 0, 0], points: [{ name: "P", at: [0.3, 0, 0] }], shapes: [shape] }));
  const poses = shapes.map((_, i) => pose(binary, frames, (t) => [...place(i), Math.cos(t / 2), 0.3 * Math.sin(t / 2), 0, Math.sqrt(0.91) * Math.sin(t / 2)]));
  const joints = symbols.map((symbol, i) => ({
    name: `joint_${symbol}`, type: symbol, symbol, a: { body: -1, at: [(i % 6) * 0.7, -1 - Math.floor(i / 6) * 0.7, 0] }, b: { body: -1, at: [(i % 6) * 0.7 + (symbol === "distance" ? 0.4 : 0), -1 - Math.floor(i / 6) * 0.7, 0] }, axis: [0, 0, 1],
  }));
  const springs = ["coil", "torsion", "bushing", "tyre", "force"].map((symbol, i) => ({
    name: `spring_${symbol}`, type: symbol, symbol, a: { body: i % 7, at: [0, 0, 0.3] }, b: { body: -1, at: [...place(i).slice(0, 2), 1.3] }, axis: [0, 0, 1],
  }));
  const side = 6;
  const nodes = range(side * side).map((i) => vector(binary, frames, (t) => [3.6 + (i % side) * 0.16, 1.1 + Math.floor(i / side) * 0.16, 0.15 * Math.sin(4 * t + i % side + 0.5 * Math.floor(i / side))]));
  const faces = [];
  for (let r = 0; r < side - 1; ++r) for (let c = 0; c < side - 1; ++c) { const k = r * side + c; faces.push([k, k + 1, k + side], [k + 1, k + side + 1, k + side]); }
  const rope = range(8).map((i) => vector(binary, frames, (t) => [3.5 + 0.12 * i, -1, 0.2 * Math.sin(3 * t + i)]));
  return {
    name: "gallery", about: about("gallery", { status: "not converged", message: "step at t = 3.9 s: Newton's iteration did not converge; try a smaller --max-step", t_end: 4 }), statistics, drift: null, energy: null,
    frames: binary.f64(frames), frame_note: "", position_error: 1e-6, angle_error: 1e-5, poses, times: { records: binary.f64(frames) },
    signals: [{ name: "wave", unit: "m", group: "outputs", owner: "net", log: false, time: "records", data: binary.u16(frames.map((t) => (t > 2 && t < 2.4 ? NaN : Math.sin(4 * t)))), default: true }],
    arrows: { velocity: [], force: [] }, events: [],
    scene: {
      planar: false, gravity: [0, 0, -9.81], length: 1, bounds: [[-0.4, -1.8, -0.4], [4.4, 2, 1.3]], bodies, ground: { points: [], shapes: [{ type: "box", size: [0.5, 0.5, 0.1], position: [-0.8, 0, -0.3] }] }, joints, springs,
      deforming: [{ name: "net", nodes, lines: [], faces, radius: 0.012 }, { name: "rope", nodes: rope, lines: [range(8)], faces: [], radius: 0.025 }],
    },
  };
}

function comparePage() {
  const methods = ["dopri5", "radau5", "bdf", "rk4", "generalized-alpha", "hht"];
  const tolerances = range(6).map((i) => 10 ** (-3 - i));
  const work = (m, tol) => 1e-3 * (m + 1) * tol ** (-1 / (5 - (m % 3)));
  const time = range(200).map((i) => i / 20);
  return {
    format: 1, kind: "compare", program: "driftless 0.1.0", title: "compare slider-crank", note: "Six methods at six tolerances; errors against a reference computed with rtol 1e-12.", runs: [],
    plots: [
      { title: "Work and precision", kind: "work-precision", x: { label: "error at the end", unit: "", log: true }, y: { label: "CPU time", unit: "s", log: true },
        series: methods.map((name, m) => ({ name, points: true, x: tolerances.map((tol) => 3 * tol * (1 + 0.3 * m)), y: tolerances.map((tol) => work(m, tol)), labels: tolerances.map((tol) => `rtol ${tol.toExponential(0)}`) })) },
      { title: "Drift over time", kind: "time", x: { label: "t", unit: "s", log: false }, y: { label: "|g|", unit: "m", log: true },
        series: methods.slice(0, 3).map((name, m) => ({ name, x: time, y: time.map((t) => (t === 0 ? 0 : 1e-12 * 100 ** m * t ** (m + 0.5) * (1 + 0.2 * Math.sin(9 * t)))), points: false })) },
    ],
    tables: [{ title: "All runs", columns: [{ name: "method", kind: "text" }, { name: "rtol", kind: "number" }, { name: "error", kind: "number" }, { name: "CPU time", unit: "s", kind: "number" }, { name: "steps", kind: "number" }],
      rows: methods.flatMap((name, m) => tolerances.map((tol) => [name, tol, 3 * tol * (1 + 0.3 * m), work(m, tol), Math.round(work(m, tol) * 1e5)])) }],
  };
}

const page = (title, runs, note = "") => ({ format: 1, kind: "results", program: "driftless 0.1.0", title, note, runs });
const made = {
  "slider-crank": (b) => page("slider-crank", [sliderCrank(b, "slider-crank")], "Frames are interpolated linearly; largest error 3e-5 m."),
  overlay: (b) => page("slider-crank: two runs", [sliderCrank(b, "dopri5", 3, 1e-12), sliderCrank(b, "radau5", 3.07, 1e-9, { integrator: "radau5" })]),
  chain: (b) => page("chain of 100", [chain(b, 100, 10_000)]),
  gallery: (b) => page("gallery", [gallery(b)]),
  compare: () => comparePage(),
  "compare-runs": (b) => ({ ...comparePage(), runs: [sliderCrank(b, "dopri5"), sliderCrank(b, "radau5", 3.07)] }),
};
for (const [name, make] of Object.entries(made)) {
  const binary = new Binary();
  const size = writePage(`${out}/${name}.html`, make(binary), binary);
  console.log(`${out}/${name}.html  ${(size / 1e6).toFixed(2)} MB`);
}
