/** 1, 2 or 5 times a power of ten, not less than x. */
export function roundStep(x: number): number {
  if (!(x > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(x));
  for (const factor of [1, 2, 5]) if (x <= factor * power * 1.0001) return factor * power;
  return 10 * power;
}
