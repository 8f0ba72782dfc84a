// Numbers as people read them.

const MINUS = "\u2212";

/** `digits` significant digits; powers of ten outside 1e-3 … 1e6. */
export function number(value: number | null | undefined, digits = 5): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : `${MINUS}∞`;
  if (value === 0) return "0";
  const size = Math.abs(value);
  let text: string;
  if (size < 1e-3 || size >= 1e6) {
    const [mantissa, exponent] = size.toExponential(digits - 1).split("e");
    text = `${trim(mantissa)}e${exponent.replace("+", "").replace("-", MINUS)}`;
  } else {
    text = trim(size.toPrecision(digits));
    if (text.includes("e")) text = String(Number(text));
  }
  return value < 0 ? MINUS + text : text;
}

/** Of constant width, for numbers that change while one looks at them. */
export function steady(value: number, digits = 5): string {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  const sign = value < 0 ? MINUS : "\u2007"; // a space as wide as a digit
  if (size !== 0 && (size < 1e-3 || size >= 1e5)) {
    const [mantissa, exponent] = size.toExponential(digits - 2).split("e");
    return `${sign}${mantissa}e${exponent.replace("+", "").replace("-", MINUS)}`;
  }
  const whole = size < 1 ? 1 : Math.floor(Math.log10(size)) + 1;
  return sign + size.toFixed(Math.max(digits - whole, 0));
}

export function integer(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

export function bytes(count: number): string {
  if (count < 1000) return `${count} B`;
  if (count < 1e6) return `${(count / 1e3).toPrecision(3)} kB`;
  return `${(count / 1e6).toPrecision(3)} MB`;
}

/** Decimals that tell neighbouring frames apart. */
export function timeDecimals(duration: number): number {
  if (!(duration > 0)) return 3;
  return Math.min(Math.max(3 - Math.floor(Math.log10(duration)), 2), 9);
}

function trim(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}
