// What the made-up runs share.

export const range = (n) => Array.from({ length: n }, (_, i) => i);

export function pose(binary, frames, at) {
  const rows = frames.map(at); // [x, y, z, w, i, j, k]
  const [x, y, z, w, i, j, k] = range(7).map((c) => binary.channel(rows.map((row) => row[c])));
  return { x, y, z, w, i, j, k };
}
export const turned = (x, y, angle, z = 0) => [x, y, z, Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)];
export const vector = (binary, frames, at) => {
  const rows = frames.map(at);
  return {
    x: binary.channel(rows.map((r) => r[0])),
    y: binary.channel(rows.map((r) => r[1])),
    z: binary.channel(rows.map((r) => r[2] ?? 0)),
  };
};
export const about = (problem, more = {}) => ({
  problem,
  source: `models/${problem}.json`,
  coordinates: "reference-point",
  formulation: "lagrange",
  integrator: "dopri5",
  stabilization: "pstab",
  command: `driftless run ${problem} --rtol 1e-8 --report ${problem}.html`,
  status: "ok",
  message: "",
  version: "driftless 0.1.0",
  options: { rtol: "1e-08", atol: "1e-09" },
  notices: [],
  t_start: 0,
  t_end: 4,
  ...more,
});
export const statistics = {
  steps: 812,
  accepted: 790,
  rejected: 22,
  evaluations: 5684,
  newton_iterations: 0,
  factorizations: 5684,
  stabilizations: 790,
  cpu_seconds: 0.0123,
};
export const drift = { position_max: 3.2e-14, velocity_max: 1.1e-13, position_row: "pin_A.x", velocity_row: "guide.y" };
