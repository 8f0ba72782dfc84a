// The column of plots over time: the default set, what the user adds, common zoom and highlighting.

import type { Clock } from "../clock";
import { h } from "../dom";
import { curveColor, DASHES } from "../palette";
import type { Signal } from "../run";
import type { State } from "../state";
import type { Theme } from "../theme";
import type { Curve } from "./curves";
import { Emitter } from "../emitter";
import { shownUnit } from "../units";
import { type Path, PhasePlot } from "./phase-plot";
import { splitBySize, usualSize } from "./split";
import { TimePlot } from "./time-plot";
import { XRange } from "./x-range";

const MAX_DEFAULT_PLOTS = 10;
const TITLES: Record<string, string> = {
  positions: "Positions",
  velocities: "Velocities",
  accelerations: "Accelerations",
  multipliers: "Multipliers",
  reactions: "Reactions",
  energies: "Energy",
  errors: "Constraint errors",
  steps: "Steps",
  outputs: "Outputs",
};

export function groupTitle(group: string): string {
  return TITLES[group] ?? group.charAt(0).toUpperCase() + group.slice(1);
}

interface Entry {
  plot: TimePlot | PhasePlot;
  names: string[];
}

export class PlotStack {
  readonly element = h("div.plot-stack");
  readonly range: XRange;
  onChoose: ((entry: number) => void) | null = null; // asks for the dialog with all signals
  onChoosePair: ((entry: number, x: string, y: string) => void) | null = null;
  readonly changed = new Emitter(); // plots or their signals
  private readonly entries: Entry[] = [];
  private readonly empty = h("p.empty", {}, "No plots. Press / to choose signals.");

  constructor(
    private readonly state: State,
    private readonly clock: Clock,
    private readonly theme: Theme,
  ) {
    this.range = new XRange(clock.start, clock.end > clock.start ? clock.end : clock.start + 1);
    this.element.append(this.empty);
    for (const { title, names, log } of defaultPlots(state)) this.add(title, names, log);
    state.selectionChanged.on((entity) => {
      for (const { plot } of this.entries) plot.highlight(entity?.name ?? null);
    });
    state.runsChanged.on(() => this.rebuild());
    state.unitsChanged.on(() => this.rebuild());
    theme.changed.on(() => this.rebuild());
  }

  get count(): number {
    return this.entries.length;
  }
  names(index: number): string[] {
    return this.entries[index]?.names ?? [];
  }
  allNames(): string[] {
    return this.entries.flatMap(({ names }) => names);
  }
  /** Over time; others have two signals, no more and no fewer. */
  isOverTime(index: number): boolean {
    return this.entries[index]?.plot instanceof TimePlot;
  }
  title(index: number): string {
    return this.entries[index]?.plot.title ?? "";
  }

  add(title: string, names: string[], log = false): number {
    const entry = { names } as Entry;
    entry.plot = new TimePlot({
      title,
      log,
      curves: (dark) => this.curves(entry.names, dark),
      range: this.range,
      clock: this.clock,
      theme: this.theme,
      events: this.state.runs.flatMap((run) => run.json.events ?? []),
      onEdit: () => this.onChoose?.(this.entries.indexOf(entry)),
      onRemove: () => this.remove(this.entries.indexOf(entry)),
    });
    this.entries.push(entry);
    this.element.append(entry.plot.element);
    this.empty.hidden = true;
    this.changed.emit();
    return this.entries.length - 1;
  }

  /** One signal over another: the path of a point, a phase portrait. */
  addPhase(x: string, y: string): number {
    const entry = { names: [x, y] } as Entry;
    const unitOf = (name: string): string => shownUnit(this.find(name)?.json.unit ?? "", this.state.degrees).unit;
    const label = (name: string): string => (unitOf(name) ? `${name}, ${unitOf(name)}` : name);
    entry.plot = new PhasePlot({
      title: `${y} over ${x}`,
      paths: (dark) => this.paths(x, y, dark),
      labels: () => ({ x: label(x), y: label(y), equal: unitOf(x) === unitOf(y) && unitOf(x) !== "" }),
      clock: this.clock,
      theme: this.theme,
      onEdit: () => this.onChoosePair?.(this.entries.indexOf(entry), x, y),
      onRemove: () => this.remove(this.entries.indexOf(entry)),
    });
    this.entries.push(entry);
    this.element.append(entry.plot.element);
    entry.plot.rebuild(); // the dots know their places now
    this.empty.hidden = true;
    this.changed.emit();
    return this.entries.length - 1;
  }

  remove(index: number): void {
    const [entry] = this.entries.splice(index, 1);
    entry?.plot.destroy();
    this.changed.emit();
    this.empty.hidden = this.entries.length > 0;
    (this.entries[Math.min(index, this.entries.length - 1)]?.plot.element ?? this.element).focus();
  }

  setNames(index: number, names: string[]): void {
    const entry = this.entries[index];
    if (!entry || !(entry.plot instanceof TimePlot)) return;
    entry.names = names;
    const first = this.find(names[0] ?? "");
    entry.plot.title = titleOf(names, first?.json.group);
    entry.plot.log = names.length > 0 && names.every((name) => this.find(name)?.json.log === true);
    entry.plot.rebuild();
    this.changed.emit();
  }

  reveal(index: number): void {
    this.entries[index]?.plot.element.scrollIntoView({ block: "nearest", behavior: "smooth" });
  }

  knows(name: string): boolean {
    return this.find(name) !== undefined;
  }

  private rebuild(): void {
    for (const { plot } of this.entries) plot.rebuild();
  }

  private find(name: string): Signal | undefined {
    for (const run of this.state.runs) {
      const signal = run.signal(name);
      if (signal) return signal;
    }
    return undefined;
  }

  /** With several runs colour tells the runs apart and dashes the signals. */
  private curves(names: string[], dark: boolean): Curve[] {
    const several = this.state.runs.length > 1;
    const curves: Curve[] = [];
    names.forEach((name, n) => {
      for (const run of this.state.runs) {
        const signal = run.signal(name);
        if (!signal || !this.state.runViews[run.index].curves) continue;
        const { unit, factor } = shownUnit(signal.json.unit, this.state.degrees);
        curves.push({
          name,
          label: several ? `${name} · ${run.name}` : name,
          unit,
          times: signal.times,
          values: signal.scaledBy(factor),
          color: curveColor(several ? run.color : n, dark),
          dash: DASHES[(several ? n : Math.floor(n / 8)) % DASHES.length],
          owner: signal.json.owner,
          run: run.index,
        });
      }
    });
    return curves;
  }

  private paths(x: string, y: string, dark: boolean): Path[] {
    return this.state.runs.flatMap((run): Path[] => {
      const [along, up] = [run.signal(x), run.signal(y)];
      if (!along || !up || !this.state.runViews[run.index].curves) return [];
      const values = (signal: Signal): Float64Array =>
        signal.scaledBy(shownUnit(signal.json.unit, this.state.degrees).factor);
      const { times } = along;
      // Thinned out differently they have times of their own.
      const upwards =
        up.times === times
          ? values(up)
          : Float64Array.from(times, (t) => up.at(t) * shownUnit(up.json.unit, this.state.degrees).factor);
      return [{ label: run.name, color: curveColor(run.color, dark), times, x: values(along), y: upwards }];
    });
  }
}

export function titleOf(names: string[], group: string | undefined): string {
  if (names.length === 0) return "Empty plot";
  if (names.length === 1) return names[0];
  const owners = new Set(names.map((name) => name.replace(/\.[^.]*$/, "")));
  return owners.size === 1 ? [...owners][0] : groupTitle(group ?? "Signals");
}

/** Curves that were put together by their unit, or that are a part of them, are called by their names. */
function defaultTitle(plot: { title: string; byUnit: boolean }, names: string[], part: boolean): string {
  if (!plot.byUnit && !part) return plot.title;
  if (names.length <= 3) return names.join(", ");
  return `${plot.title.replace(/,.*$/, "")}: ${names[0]}, ${names[1]} …`;
}

/** Default signals; those with one plot name share axes. */
function defaultPlots(state: State): { title: string; names: string[]; log: boolean }[] {
  const plots = new Map<string, { title: string; names: string[]; log: boolean; byUnit: boolean }>();
  for (const run of state.runs) {
    for (const { json } of run.signals) {
      if (!json.default) continue;
      const key = json.plot ?? json.name;
      const title = json.plot ? json.plot.charAt(0).toUpperCase() + json.plot.slice(1) : json.name;
      const byUnit = json.unit !== "" && key.endsWith(`, ${json.unit}`);
      const plot = plots.get(key) ?? { title, names: [], log: json.log === true, byUnit };
      if (!plot.names.includes(json.name)) plot.names.push(json.name);
      plots.set(key, plot);
    }
  }
  const size = (name: string): number =>
    Math.max(0, ...state.runs.map((run) => usualSize(run.signal(name)?.values ?? [])));
  return [...plots.values()]
    .flatMap((plot) => {
      const parts = plot.log ? [plot.names] : splitBySize(plot.names, size);
      return parts.map((names) => ({ ...plot, names, title: defaultTitle(plot, names, parts.length > 1) }));
    })
    .slice(0, MAX_DEFAULT_PLOTS);
}
