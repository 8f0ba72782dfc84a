// The dialog to choose both axes of a plot of one signal over another; pairs that people want are a click away.

import { h, uniqueId } from "../dom";
import type { PlotStack } from "../plots/plot-stack";
import type { State } from "../state";
import { makeDialog } from "./dialog";

const MOST_PAIRS = 40;

export interface Pair {
  x: string;
  y: string;
}

export class PhaseChooser {
  private readonly dialog: HTMLDialogElement;
  private readonly x: HTMLInputElement;
  private readonly y: HTMLInputElement;
  private readonly said = h("p.more", { role: "status" });
  private target = -1;

  constructor(
    state: State,
    private readonly stack: PlotStack,
  ) {
    const names = [...new Set(state.runs.flatMap((run) => run.signals.map((signal) => signal.name)))];
    const id = uniqueId("signals");
    const field = (label: string): HTMLInputElement => h("input", { list: id, "aria-label": label, placeholder: "signal" });
    this.x = field("Along");
    this.y = field("Upwards");
    const add = h("button.text", { type: "submit" }, "Plot");
    const form = h(
      "form.phase-form",
      {},
      h("label", {}, h("span", {}, "upwards"), this.y),
      h("label", {}, h("span", {}, "over"), this.x),
      add,
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.plot(this.x.value.trim(), this.y.value.trim(), names);
    });
    const pairs = likelyPairs(names).slice(0, MOST_PAIRS);
    const list = h(
      "div.pair-list",
      {},
      ...pairs.map(({ x, y }) =>
        h("button.text", { type: "button", onclick: () => this.plot(x, y, names) }, `${y} over ${x}`),
      ),
    );
    this.dialog = makeDialog(
      "One signal over another",
      "phase-chooser",
      h("datalist", { id }, ...names.slice(0, 3000).map((name) => h("option", { value: name }))),
      form,
      this.said,
      list,
    );
    stack.onChoosePair = (index, x, y) => this.open(index, x, y);
  }

  open(target = -1, x = "", y = ""): void {
    this.target = target;
    [this.x.value, this.y.value, this.said.textContent] = [x, y, ""];
    this.dialog.showModal();
    this.y.focus();
  }

  private plot(x: string, y: string, names: string[]): void {
    const unknown = [y, x].find((name) => !names.includes(name));
    if (unknown !== undefined) {
      this.said.textContent = unknown ? `There is no signal ${unknown}.` : "Choose two signals.";
      return;
    }
    if (this.target >= 0) this.stack.remove(this.target);
    this.stack.reveal(this.stack.addPhase(x, y));
    this.dialog.close();
  }
}

/** y over x of points, and rates over what they are the rates of. */
export function likelyPairs(names: string[]): Pair[] {
  const known = new Set(names);
  const pairs: Pair[] = [];
  const add = (x: string, y: string): void => {
    if (known.has(x) && known.has(y) && !pairs.some((pair) => pair.x === x && pair.y === y)) pairs.push({ x, y });
  };
  for (const name of names) {
    const coordinate = /^(.*[._ ])x$/.exec(name);
    if (coordinate) for (const other of ["y", "z"]) add(name, coordinate[1] + other);
    for (const rate of [`${name}.rate`, `${name}_rate`, `${name} rate`, `${name}_dot`, `${name}'`]) add(name, rate);
    const body = /^(.*)\.(x|y|z|theta)$/.exec(name);
    if (body) add(name, body[2] === "theta" ? `${body[1]}.omega` : `${body[1]}.v${body[2]}`);
    const joint = /^(.*)\.(angle|displacement|length)$/.exec(name);
    if (joint) for (const rate of ["rate", "speed", "velocity", `${joint[2]}_rate`]) add(name, `${joint[1]}.${rate}`);
  }
  return pairs;
}
