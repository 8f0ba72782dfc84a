// Where a time lies among sample times.

/** Largest i with times[i] ≤ t, at least 0; `hint` makes neighbouring look-ups fast. */
export function indexAt(times: ArrayLike<number>, t: number, hint = 0): number {
  const last = times.length - 1;
  if (last < 0) return 0;
  if (hint >= 0 && hint < last && times[hint] <= t && t < times[hint + 1]) return hint;
  let low = 0;
  let high = last;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Value at time t, linear between samples; NaN outside them. */
export function valueAt(times: ArrayLike<number>, values: ArrayLike<number>, t: number): number {
  const last = times.length - 1;
  if (last < 0 || t < times[0] || t > times[last]) return NaN;
  const i = indexAt(times, t);
  if (i >= last) return values[last];
  const span = times[i + 1] - times[i];
  const fraction = span > 0 ? (t - times[i]) / span : 0;
  if (fraction === 0) return values[i];
  return values[i] + (values[i + 1] - values[i]) * fraction;
}
