// Colours that people with colour-blindness tell apart (after Okabe and Ito, tuned for both themes).

/** Bodies: matt, so that light and shade do the modelling. */
const BODIES = [
  "#4c7fb8",
  "#e0913a",
  "#3f9c7d",
  "#c05a45",
  "#8a6fb3",
  "#6aaed6",
  "#c9a227",
  "#b8688f",
  "#6f8f4e",
  "#7c8794",
];

const CURVES_LIGHT = ["#1f6fb4", "#c8560a", "#0b7f5c", "#a8347a", "#7a5c00", "#5b4bb5", "#0e7c93", "#b3261e"];
const CURVES_DARK = ["#6cb2f0", "#f39a4f", "#3fc79a", "#ee86c0", "#e0c04a", "#a99bf5", "#4fc5dd", "#ff8a7d"];

export function bodyColor(index: number): string {
  return BODIES[index % BODIES.length];
}

/** From nothing (blue) to the most (red); brightness grows in between, so it reads without hues, too. */
const STRESS: Rgb[] = [
  [0.16, 0.27, 0.6],
  [0.13, 0.56, 0.63],
  [0.45, 0.74, 0.35],
  [0.96, 0.8, 0.25],
  [0.83, 0.22, 0.15],
];

type Rgb = [number, number, number];

function between(colors: Rgb[], part: number): Rgb {
  const x = Math.min(Math.max(part, 0), 1) * (colors.length - 1);
  const i = Math.min(Math.floor(x), colors.length - 2);
  const mix = (k: 0 | 1 | 2): number => colors[i][k] + (colors[i + 1][k] - colors[i][k]) * (x - i);
  return [mix(0), mix(1), mix(2)];
}

export function stressColor(part: number): Rgb {
  return between(STRESS, part);
}

/** Of maps, from 0 (dark) to 1 (bright): equal steps look equal (viridis of matplotlib, at ninths). */
const MAP: Rgb[] = [
  [68, 1, 84],
  [72, 40, 120],
  [62, 74, 137],
  [49, 104, 142],
  [38, 130, 142],
  [31, 158, 137],
  [53, 183, 121],
  [110, 206, 88],
  [181, 222, 43],
  [253, 231, 37],
];

export function mapColor(part: number): string {
  return `rgb(${between(MAP, part).map(Math.round).join(" ")})`;
}

export function curveColor(index: number, dark: boolean): string {
  const colors = dark ? CURVES_DARK : CURVES_LIGHT;
  return colors[index % colors.length];
}

/** Dash patterns tell signals apart where colour already tells the runs apart. */
export const DASHES: number[][] = [[], [8, 4], [2, 3], [10, 3, 2, 3], [4, 2, 4, 6]];
