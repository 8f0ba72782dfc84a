import { range } from "./common.mjs";

export function comparePage() {
  const methods = ["dopri5", "radau5", "bdf", "rk4", "generalized-alpha", "hht"];
  const tolerances = range(6).map((i) => 10 ** (-3 - i));
  const work = (m, tol) => 1e-3 * (m + 1) * tol ** (-1 / (5 - (m % 3)));
  const time = range(200).map((i) => i / 20);
  return {
    format: 1,
    kind: "compare",
    program: "driftless 0.1.0",
    title: "compare slider-crank",
    verdict: "dopri5 is the fastest to an error of 1e-06.",
    note: "Six methods at six tolerances; errors against a reference computed with rtol 1e-12.",
    runs: [],
    plots: [
      {
        title: "Work and precision",
        kind: "work-precision",
        x: { label: "error at the end", unit: "", log: true },
        y: { label: "CPU time", unit: "s", log: true },
        series: methods.map((name, m) => ({
          name,
          points: true,
          color: m,
          x: tolerances.map((tol) => 3 * tol * (1 + 0.3 * m)),
          y: tolerances.map((tol) => work(m, tol)),
          labels: tolerances.map((tol) => `rtol ${tol.toExponential(0)}`),
        })),
      },
      {
        title: "Drift over time",
        kind: "time",
        x: { label: "t", unit: "s", log: false },
        y: { label: "|g|", unit: "m", log: true },
        series: methods.slice(1, 4).map((name, m) => ({
          name,
          color: m + 1,
          x: time,
          y: time.map((t) => (t === 0 ? 0 : 1e-12 * 100 ** m * t ** (m + 0.5) * (1 + 0.2 * Math.sin(9 * t)))),
          points: false,
        })),
      },
    ],
    tables: [
      {
        title: "All runs",
        columns: [
          { name: "method", kind: "text" },
          { name: "rtol", kind: "number" },
          { name: "error", kind: "number" },
          { name: "CPU time", unit: "s", kind: "number" },
          { name: "steps", kind: "number" },
        ],
        colors: methods.flatMap((_, m) => tolerances.map(() => m)),
        rows: methods.flatMap((name, m) =>
          tolerances.map((tol) => [name, tol, 3 * tol * (1 + 0.3 * m), work(m, tol), Math.round(work(m, tol) * 1e5)]),
        ),
      },
    ],
  };
}
