import { about, pose, range, statistics, vector } from "./common.mjs";

/** Every kind of shape, symbol and a deforming net, side by side. */
export function gallery(binary) {
  const frames = range(121).map((i) => i / 30);
  const shapes = [
    { type: "box", size: [0.6, 0.4, 0.3] },
    { type: "cylinder", from: [0, 0, -0.3], to: [0, 0, 0.3], radius: 0.2 },
    { type: "capsule", from: [-0.3, 0, 0], to: [0.3, 0, 0], radius: 0.12 },
    { type: "sphere", position: [0, 0, 0], radius: 0.28, color: "#c9a227" },
    {
      type: "line",
      points: [
        [-0.3, 0, 0],
        [0, 0, 0.3],
        [0.3, 0, 0],
      ],
      radius: 0.05,
    },
    {
      type: "polygon",
      points: [
        [-0.3, -0.2],
        [0.3, -0.2],
        [0.3, 0.2],
        [0, 0.05],
        [-0.3, 0.2],
      ],
      thickness: 0.1,
    },
    {
      type: "mesh",
      vertices: binary.f32([0, 0, 0.4, 0.3, 0, -0.2, -0.15, 0.26, -0.2, -0.15, -0.26, -0.2]),
      triangles: binary.u32([0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2]),
      position: [0, 0, 0],
      scale: 1,
    },
  ];
  const symbols = [
    "pin",
    "slider",
    "ball",
    "fixed",
    "cylinder",
    "universal",
    "screw",
    "gear",
    "rolling",
    "distance",
    "driver",
    "other",
  ];
  const place = (i) => [(i % 4) * 1.1, Math.floor(i / 4) * 1.1, 0];
  const bodies = shapes.map((shape, i) => ({
    name: shape.type,
    pose: i,
    center: [0, 0, 0],
    points: [{ name: "P", at: [0.3, 0, 0] }],
    shapes: [shape],
  }));
  const poses = shapes.map((_, i) =>
    pose(binary, frames, (t) => [
      ...place(i),
      Math.cos(t / 2),
      0.3 * Math.sin(t / 2),
      0,
      Math.sqrt(0.91) * Math.sin(t / 2),
    ]),
  );
  const joints = symbols.map((symbol, i) => ({
    name: `joint_${symbol}`,
    type: symbol,
    symbol,
    a: { body: -1, at: [(i % 6) * 0.7, -1 - Math.floor(i / 6) * 0.7, 0] },
    b: { body: -1, at: [(i % 6) * 0.7 + (symbol === "distance" ? 0.4 : 0), -1 - Math.floor(i / 6) * 0.7, 0] },
    axis: [0, 0, 1],
  }));
  const springs = ["coil", "torsion", "bushing", "tyre", "force"].map((symbol, i) => ({
    name: `spring_${symbol}`,
    type: symbol,
    symbol,
    a: { body: i % 7, at: [0, 0, 0.3] },
    b: { body: -1, at: [...place(i).slice(0, 2), 1.3] },
    axis: [0, 0, 1],
  }));
  const side = 6;
  const nodes = range(side * side).map((i) =>
    vector(binary, frames, (t) => [
      3.6 + (i % side) * 0.16,
      1.1 + Math.floor(i / side) * 0.16,
      0.15 * Math.sin(4 * t + (i % side) + 0.5 * Math.floor(i / side)),
    ]),
  );
  const faces = [];
  for (let r = 0; r < side - 1; ++r)
    for (let c = 0; c < side - 1; ++c) {
      const k = r * side + c;
      faces.push([k, k + 1, k + side], [k + 1, k + side + 1, k + side]);
    }
  const rope = range(8).map((i) => vector(binary, frames, (t) => [3.5 + 0.12 * i, -1, 0.2 * Math.sin(3 * t + i)]));
  return {
    name: "gallery",
    about: about("gallery", {
      status: "not converged",
      message: "step at t = 3.9 s: Newton's iteration did not converge; try a smaller --max-step",
      t_end: 4,
    }),
    statistics,
    drift: null,
    energy: null,
    frames: binary.f64(frames),
    frame_note: "",
    position_error: 1e-6,
    angle_error: 1e-5,
    poses,
    times: { records: binary.f64(frames) },
    signals: [
      {
        name: "wave",
        unit: "m",
        group: "outputs",
        owner: "net",
        log: false,
        time: "records",
        data: binary.u16(frames.map((t) => (t > 2 && t < 2.4 ? NaN : Math.sin(4 * t)))),
        default: true,
      },
    ],
    arrows: { velocity: [], force: [] },
    events: [],
    scene: {
      planar: false,
      gravity: [0, 0, -9.81],
      length: 1,
      bounds: [
        [-0.4, -1.8, -0.4],
        [4.4, 2, 1.3],
      ],
      bodies,
      ground: { points: [], shapes: [{ type: "box", size: [0.5, 0.5, 0.1], position: [-0.8, 0, -0.3] }] },
      joints,
      springs,
      deforming: [
        { name: "net", nodes, lines: [], faces, radius: 0.012 },
        {
          name: "rope",
          nodes: rope,
          lines: [range(5), [4, 5, 6, 7]],
          faces: [],
          radius: 0.025,
          frame: 0,
          rest: rope.map((_, i) => [i * 0.1, 0, 0]),
          elements: [0, 1],
          stress: [2e6, 9e6],
          stress_max: 9e6,
        },
      ],
    },
  };
}
