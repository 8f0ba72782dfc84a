// Angles in degrees where the reader prefers them: radians at the head of a unit, or behind its stroke.

export interface ShownUnit {
  unit: string;
  factor: number; // from the number in the file to the one shown
}

const DEGREES = 180 / Math.PI;

export function shownUnit(unit: string, degrees: boolean): ShownUnit {
  if (!degrees) return { unit, factor: 1 };
  if (/^rad\b/.test(unit)) return { unit: unit.replace(/^rad\b/, "°"), factor: DEGREES };
  if (/\/rad\b/.test(unit)) return { unit: unit.replace(/\/rad\b/, "/°"), factor: 1 / DEGREES };
  return { unit, factor: 1 };
}

export function hasAngles(units: Iterable<string>): boolean {
  for (const unit of units) if (shownUnit(unit, true).factor !== 1) return true;
  return false;
}

export function scaled(values: Float64Array, factor: number): Float64Array {
  return factor === 1 ? values : values.map((value) => value * factor);
}
