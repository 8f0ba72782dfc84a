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

export function curveColor(index: number, dark: boolean): string {
  const colors = dark ? CURVES_DARK : CURVES_LIGHT;
  return colors[index % colors.length];
}

/** Dash patterns tell signals apart where colour already tells the runs apart. */
export const DASHES: number[][] = [[], [8, 4], [2, 3], [10, 3, 2, 3], [4, 2, 4, 6]];
