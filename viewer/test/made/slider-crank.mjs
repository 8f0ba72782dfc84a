import { about, drift, pose, range, statistics, turned, vector } from "./common.mjs";

/** Planar slider-crank with a spring on the slider; `rate` and `error` make runs differ. */
export function sliderCrank(binary, name, rate = 3, error = 1e-12, more = {}) {
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
    name: signalName,
    unit,
    group,
    owner,
    log: false,
    time: "records",
    data: binary.u16(frames.map(of), { log: extra.log === true }),
    default: false,
    ...extra,
  });
  const kinetic = (t) => 2 + Math.sin(3 * t) + 0.2 * Math.cos(11 * t);
  const scene = {
    planar: true,
    gravity: [0, -9.81, 0],
    length: 2,
    bounds: [
      [-1, -1, 0],
      [3.1, 1, 0],
    ],
    bodies: [
      {
        name: "crank",
        pose: 0,
        center: [0.5, 0, 0],
        points: [
          { name: "O", at: [0, 0, 0] },
          { name: "A", at: [1, 0, 0] },
        ],
        shapes: [
          {
            type: "line",
            points: [
              [0, 0, 0],
              [1, 0, 0],
            ],
            radius: 0.06,
            derived: true,
          },
        ],
      },
      {
        name: "rod",
        pose: 1,
        center: [1, 0, 0],
        points: [
          { name: "A", at: [0, 0, 0] },
          { name: "B", at: [2, 0, 0] },
        ],
        shapes: [
          {
            type: "line",
            points: [
              [0, 0, 0],
              [2, 0, 0],
            ],
            radius: 0.06,
            derived: true,
          },
        ],
      },
      {
        name: "slider",
        pose: 2,
        center: [0, 0, 0],
        points: [{ name: "B", at: [0, 0, 0] }],
        shapes: [
          { type: "box", size: [0.34, 0.2, 0.1], position: [0, 0, 0], orientation: [1, 0, 0, 0], derived: true },
        ],
      },
    ],
    ground: {
      points: [
        { name: "O", at: [0, 0, 0] },
        { name: "W", at: [4, 0, 0] },
      ],
      shapes: [],
    },
    joints: [
      {
        name: "pin_O",
        type: "revolute",
        symbol: "pin",
        a: { body: -1, at: [0, 0, 0] },
        b: { body: 0, at: [0, 0, 0] },
        axis: [0, 0, 1],
      },
      {
        name: "pin_A",
        type: "revolute",
        symbol: "pin",
        a: { body: 0, at: [1, 0, 0] },
        b: { body: 1, at: [0, 0, 0] },
        axis: [0, 0, 1],
      },
      {
        name: "pin_B",
        type: "revolute",
        symbol: "pin",
        a: { body: 1, at: [2, 0, 0] },
        b: { body: 2, at: [0, 0, 0] },
        axis: [0, 0, 1],
      },
      {
        name: "guide",
        type: "translational",
        symbol: "slider",
        a: { body: -1, at: [0, 0, 0] },
        b: { body: 2, at: [0, 0, 0] },
        axis: [1, 0, 0],
      },
      {
        name: "motor",
        type: "driver",
        symbol: "driver",
        a: { body: -1, at: [0, 0, 0] },
        b: { body: 0, at: [0, 0, 0] },
        axis: [0, 0, 1],
      },
    ],
    springs: [
      {
        name: "buffer",
        type: "spring",
        symbol: "coil",
        a: { body: 2, at: [0.17, 0, 0] },
        b: { body: -1, at: [4, 0, 0] },
        axis: null,
      },
      {
        name: "return",
        type: "rotational_spring",
        symbol: "torsion",
        a: { body: -1, at: [0, 0, 0] },
        b: { body: 0, at: [0, 0, 0] },
        axis: [0, 0, 1],
      },
    ],
    deforming: [],
  };
  scene.bounds = [
    [-1, -1, 0],
    [4, 1, 0],
  ];
  return {
    name,
    about: about("slider-crank", {
      notices: ["initial positions were moved by at most 0.031 m to close the joints"],
      ...more,
    }),
    statistics,
    drift,
    energy: { initial: 12.3, final: 12.3, work: 0, max_relative_error: 2.2e-9 },
    frames: binary.f64(frames),
    frame_note: "every 2nd of 801 records",
    position_error: 3.1e-5,
    angle_error: 2.4e-5,
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
      signal("rod.omega", "rad/s", "velocities", "rod", (t) => d((s) => state(s).rod, t), {
        default: true,
        plot: "rates",
      }),
      signal("rod.theta", "rad", "positions", "rod", (t) => state(t).rod),
      signal("slider.x", "m", "positions", "slider", (t) => state(t).x),
      signal("slider.vx", "m/s", "velocities", "slider", (t) => d((s) => state(s).x, t)),
      signal("pin_A.fx", "N", "reactions", "pin_A", (t) => 20 * Math.cos(3 * t), { default: true, plot: "reactions" }),
      signal("pin_A.fy", "N", "reactions", "pin_A", (t) => 14 * Math.sin(3 * t) + 9.81, {
        default: true,
        plot: "reactions",
      }),
      signal("kinetic", "J", "energies", null, kinetic, { default: true, plot: "energy" }),
      signal("potential", "J", "energies", null, (t) => 12.3 - kinetic(t), { default: true, plot: "energy" }),
      signal("total", "J", "energies", null, () => 12.3, { default: true, plot: "energy" }),
      signal("position error", "", "errors", null, (t) => error * (1 + Math.sin(40 * t) ** 2) * 10 ** (t / 2), {
        log: true,
        default: true,
        plot: "constraint errors",
      }),
      signal("velocity error", "", "errors", null, (t) => 8 * error * (1 + Math.sin(31 * t) ** 2), {
        log: true,
        default: true,
        plot: "constraint errors",
      }),
      {
        name: "step size",
        unit: "s",
        group: "steps",
        owner: null,
        log: true,
        time: "steps",
        data: binary.u16(
          range(600).map((i) => 0.004 + 0.003 * Math.sin(i / 20)),
          { log: true },
        ),
        default: true,
      },
    ],
    arrows: {
      velocity: [
        {
          body: 0,
          ...vector(binary, frames, (t) => [d((s) => 0.5 * Math.cos(phi(s)), t), d((s) => 0.5 * Math.sin(phi(s)), t)]),
        },
        { body: 2, ...vector(binary, frames, (t) => [d((s) => state(s).x, t), 0]) },
      ],
      force: [
        { joint: 0, ...vector(binary, frames, (t) => [-20 * Math.cos(3 * t), 15]) },
        { joint: 1, ...vector(binary, frames, (t) => [20 * Math.cos(3 * t), 14 * Math.sin(3 * t) + 9.81]) },
      ],
    },
    events: [
      { t: 1.25, name: "slider stops" },
      { t: 2.9, name: "crank_down" },
    ],
    scene,
  };
}
