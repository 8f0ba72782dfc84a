import { range } from "./common.mjs";

/** Two parameters on a grid, with a run that failed; two at random. */
export function sweepPage() {
  const [ks, cs] = [range(8).map((i) => 500 + 250 * i), range(5).map((i) => 10 + 20 * i)];
  const height = (k, c) => (k === 1000 && c === 50 ? null : 0.3 * Math.exp(-c / 40) + 30 / k);
  const grid = cs.flatMap((c) => ks.map((k) => [k, c]));
  const random = range(30).map((i) => [500 + ((i * 7919) % 1750), 10 + ((i * 104729) % 83)]);
  const axis = (label, unit) => ({ label, unit, log: false });
  const map = (title, points) => ({
    title,
    kind: "map",
    x: axis("k", "N/m"),
    y: axis("c", "N s/m"),
    z: axis("max(height)", ""),
    series: [
      {
        name: "max(height)",
        x: points.map(([k]) => k),
        y: points.map(([, c]) => c),
        z: points.map(([k, c]) => height(k, c)),
        labels: points.map((_, i) => `run ${i}: ok`),
      },
    ],
  });
  return {
    format: 1,
    kind: "compare",
    program: "driftless 0.1.0",
    title: "sweep of a corner",
    note: "70 runs, 1 of them failed.",
    runs: [],
    plots: [
      map("max(height) over k and c", grid),
      map("the same at random points", random),
      {
        title: "max(height) over k",
        kind: "work-precision",
        x: axis("k", "N/m"),
        y: axis("max(height)", ""),
        series: [
          {
            name: "30 runs",
            points: true,
            line: false,
            x: random.map(([k]) => k),
            y: random.map(([k, c]) => height(k, c)),
            labels: random.map(([, c]) => `c = ${c}`),
          },
        ],
      },
    ],
    tables: [],
  };
}
