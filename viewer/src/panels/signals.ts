// The dialog to choose the signals of a plot: search by name, groups, tick to add.

import { h } from "../dom";
import type { PlotStack } from "../plots/plot-stack";
import { groupTitle, titleOf } from "../plots/plot-stack";
import type { State } from "../state";
import { makeDialog } from "./dialog";

const ORDER = [
  "outputs",
  "positions",
  "velocities",
  "accelerations",
  "reactions",
  "multipliers",
  "energies",
  "errors",
  "steps",
];
const MAX_SHOWN = 120; // per group; a search finds the others

interface Entry {
  name: string;
  unit: string;
  group: string;
  log: boolean;
}

export class SignalChooser {
  private readonly dialog: HTMLDialogElement;
  private readonly search = h("input", {
    type: "search",
    placeholder: "Search signals, e.g. crank or .x",
    "aria-label": "Search signals",
  });
  private readonly list = h("div.signal-list");
  private readonly which = h("select", { "aria-label": "Plot" });
  private readonly count = h("span.count", { role: "status" });
  private readonly entries: Entry[];
  private target = -1; // −1: a new plot

  constructor(
    state: State,
    private readonly stack: PlotStack,
  ) {
    const known = new Map<string, Entry>();
    for (const run of state.runs) {
      for (const { json } of run.signals) {
        if (!known.has(json.name))
          known.set(json.name, { name: json.name, unit: json.unit, group: json.group, log: json.log === true });
      }
    }
    this.entries = [...known.values()];
    this.dialog = makeDialog(
      "Signals",
      "signals",
      h("div.signal-head", {}, this.search, h("label", {}, "in ", this.which), this.count),
      this.list,
    );
    this.search.addEventListener("input", () => this.fill());
    this.which.addEventListener("change", () => {
      this.target = Number(this.which.value);
      this.fill();
    });
    stack.onChoose = (index) => this.open(index);
  }

  open(target = -1): void {
    this.target = target;
    this.search.value = "";
    this.fillTargets();
    this.fill();
    this.dialog.showModal();
    this.search.focus();
  }

  private fillTargets(): void {
    const options = [h("option", { value: -1 }, "a new plot")];
    for (let i = 0; i < this.stack.count; ++i)
      if (this.stack.isOverTime(i)) options.push(h("option", { value: i }, this.stack.title(i)));
    this.which.replaceChildren(...options);
    this.which.value = String(this.target);
  }

  private fill(): void {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const matches = this.entries.filter((entry) => {
      const text = `${entry.name} ${entry.group}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    this.count.textContent = `${matches.length} of ${this.entries.length}`;
    const groups = new Map<string, Entry[]>();
    for (const entry of matches) groups.set(entry.group, [...(groups.get(entry.group) ?? []), entry]);
    const names = [...groups.keys()].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
    const open = words.length > 0 || this.entries.length <= 40;
    this.list.replaceChildren(...names.map((name) => this.group(name, groups.get(name) as Entry[], open)));
    if (matches.length === 0) this.list.append(h("p.empty", {}, "No signal has all of these words in its name."));
  }

  /** Contents are made when the group is opened: there may be thousands. */
  private group(name: string, entries: Entry[], open: boolean): HTMLElement {
    const chosen = new Set(this.stack.names(this.target));
    const some = entries.some((entry) => chosen.has(entry.name));
    const details = h(
      "details",
      { open: open || some },
      h("summary", {}, groupTitle(name), h("span.count", {}, String(entries.length))),
    );
    let filled = false;
    const fillGroup = (): void => {
      if (filled || !details.open) return;
      filled = true;
      for (const entry of entries.slice(0, MAX_SHOWN)) details.append(this.choice(entry, chosen.has(entry.name)));
      if (entries.length > MAX_SHOWN)
        details.append(h("p.more", {}, `… and ${entries.length - MAX_SHOWN} more: search for them`));
    };
    details.addEventListener("toggle", fillGroup);
    fillGroup();
    return details;
  }

  private choice(entry: Entry, checked: boolean): HTMLElement {
    const box = h("input", { type: "checkbox", checked });
    box.addEventListener("change", () => this.change(entry, box.checked));
    return h("label.choice", {}, box, h("span.name", {}, entry.name), h("span.unit", {}, entry.unit));
  }

  private change(entry: Entry, add: boolean): void {
    if (this.target < 0) {
      if (!add) return;
      this.target = this.stack.add(titleOf([entry.name], entry.group), [entry.name], entry.log);
      this.stack.reveal(this.target);
    } else {
      const others = this.stack.names(this.target).filter((name) => name !== entry.name);
      this.stack.setNames(this.target, add ? [...others, entry.name] : others);
    }
    this.fillTargets();
  }
}
