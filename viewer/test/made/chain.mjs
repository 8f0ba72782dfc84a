import { about, drift, range, statistics } from "./common.mjs";

/** A hanging chain in space, large: what the page must open and play without effort. */
export function chain(binary, bodies, n) {
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
      end[0] += link * x;
      end[1] += link * y;
      end[2] += link * z;
    }
  });
  const names = ["x", "y", "z", "w", "i", "j", "k"];
  const poses = rows.map((columns) =>
    Object.fromEntries(columns.map((column, c) => [names[c], binary.channel(column)])),
  );
  const signals = range(bodies).flatMap((b) =>
    ["x", "y", "z"].map((axis, c) => ({
      name: `link_${b + 1}.${axis}`,
      unit: "m",
      group: "positions",
      owner: `link_${b + 1}`,
      log: false,
      time: "records",
      data: poses[b][axis].n ? poses[b][axis] : binary.u16(rows[b][c]),
      default: b === bodies - 1,
      plot: b === bodies - 1 ? "last link" : undefined,
    })),
  );
  const bodiesJson = range(bodies).map((b) => ({
    name: `link_${b + 1}`,
    pose: b,
    center: [0, 0, -link / 2],
    points: [
      { name: "A", at: [0, 0, 0] },
      { name: "B", at: [0, 0, -link] },
    ],
    shapes: [{ type: "capsule", from: [0, 0, 0], to: [0, 0, -link], radius: 0.035, derived: true }],
  }));
  const joints = range(bodies).map((b) => ({
    name: `ball_${b + 1}`,
    type: "spherical",
    symbol: "ball",
    a: { body: b - 1, at: b ? [0, 0, -link] : [0, 0, 0] },
    b: { body: b, at: [0, 0, 0] },
    axis: null,
  }));
  const reach = bodies * link;
  return {
    name: "chain",
    about: about("hanging-chain", { t_end: 10 }),
    statistics,
    drift,
    energy: null,
    frames: binary.f64(frames),
    frame_note: "all records",
    position_error: 1.5e-4,
    angle_error: 3e-5,
    poses,
    times: { records: binary.f64(frames) },
    signals,
    arrows: { velocity: range(bodies).map((b) => ({ body: b, x: 1, y: 0, z: 0 })), force: [] },
    events: [],
    scene: {
      planar: false,
      gravity: [0, 0, -9.81],
      length: reach,
      bounds: [
        [-reach * 0.85, -reach * 0.4, -reach],
        [reach * 0.85, reach * 0.4, 0],
      ],
      bodies: bodiesJson,
      ground: { points: [], shapes: [] },
      joints,
      springs: [],
      deforming: [],
    },
  };
}
