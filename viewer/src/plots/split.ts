// Curves of one unit that differ much in size do not share axes: the small ones would be a line along zero.

const RATIO = 25; // of the largest in a plot to the smallest

/** Groups of names, each in its old order; the largest first. What is zero all the time stays with the first. */
export function splitBySize(names: string[], size: (name: string) => number): string[][] {
  const sizes = new Map(names.map((name) => [name, size(name)]));
  const of = (name: string): number => sizes.get(name) ?? 0;
  const groups: string[][] = [];
  let largest = 0;
  for (const name of [...names].filter((n) => of(n) > 0).sort((a, b) => of(b) - of(a))) {
    if (groups.length === 0 || of(name) * RATIO < largest) {
      groups.push([]);
      largest = of(name);
    }
    groups[groups.length - 1].push(name);
  }
  const still = names.filter((name) => !(of(name) > 0));
  if (groups.length === 0) return names.length > 0 ? [names] : [];
  groups[0].push(...still);
  for (const group of groups) group.sort((a, b) => names.indexOf(a) - names.indexOf(b));
  return groups;
}

/** The largest size but for the outermost hundredth: a spike does not tell how large a curve is. */
export function usualSize(values: ArrayLike<number>): number {
  const sizes: number[] = [];
  const step = Math.max(1, Math.floor(values.length / 1000));
  for (let i = 0; i < values.length; i += step) if (Number.isFinite(values[i])) sizes.push(Math.abs(values[i]));
  sizes.sort((a, b) => a - b);
  return sizes[Math.floor(0.99 * (sizes.length - 1))] ?? 0;
}
