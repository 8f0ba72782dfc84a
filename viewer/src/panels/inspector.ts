// What is selected: its numbers at the current time, for every run.

import type { Clock } from "../clock";
import type { VectorJson } from "../contract";
import { h } from "../dom";
import { steady } from "../format";
import { icon } from "../icons";
import { curveColor } from "../palette";
import type { PlotStack } from "../plots/plot-stack";
import type { Run } from "../run";
import type { Entity, State } from "../state";
import { shownUnit } from "../units";
import { lookSelect } from "./looks";

const MAX_SIGNALS = 40;
const KINDS = { body: "body", joint: "joint", spring: "force", deforming: "deforming body" };

interface Line {
  cell: HTMLElement;
  value: () => number;
}

export class Inspector {
  readonly element = h("aside.inspector", { "aria-label": "Selected part", hidden: true });
  private lines: Line[] = [];
  private lastUpdate = 0;

  constructor(
    private readonly state: State,
    private readonly clock: Clock,
    private readonly stack: PlotStack,
  ) {
    state.selectionChanged.on((entity) => this.show(entity));
    state.runsChanged.on(() => this.show(state.selected));
    state.unitsChanged.on(() => this.show(state.selected));
    state.sceneChanged.on((what) => {
      if (what === "looks" || what === "follow") this.show(state.selected);
    });
    clock.changed.on(() => {
      const now = performance.now();
      if (this.lines.length > 0 && (!clock.playing || now - this.lastUpdate > 100)) this.update();
    });
  }

  private show(entity: Entity | null): void {
    this.lines = [];
    this.element.hidden = entity === null;
    if (!entity) return;
    const runs = this.state.runs.filter((run) => this.state.runViews[run.index].curves);
    const names = [
      ...new Set(runs.flatMap((run) => run.signals.filter((s) => s.json.owner === entity.name).map((s) => s.name))),
    ];
    const close = h(
      "button.tool",
      { type: "button", "aria-label": "Clear the selection", title: "Clear (Esc)" },
      icon("close"),
    );
    close.addEventListener("click", () => this.state.select(null));
    const table = h("table");
    if (runs.length > 1) {
      const heads = runs.map((run) =>
        h(
          "th",
          { scope: "col", title: run.name },
          h("span.run-dot", { style: `background:${curveColor(run.color, false)}` }),
        ),
      );
      table.append(h("thead", {}, h("tr", {}, h("td"), ...heads, h("td"))));
    }
    const body = h("tbody");
    for (const row of this.motionRows(entity)) this.addRow(body, row.name, row.unit, runs, row.of);
    const shown = names.slice(0, MAX_SIGNALS);
    for (const name of shown) {
      const stored = runs.map((run) => run.signal(name)?.json.unit).find((u) => u !== undefined) ?? "";
      const { unit, factor } = shownUnit(stored, this.state.degrees);
      const short = name.replace(`${entity.name}.`, "");
      this.addRow(body, short, unit, runs, (run) => (run.signal(name)?.at(this.clock.time) ?? NaN) * factor);
    }
    table.append(body);
    const plotButton =
      names.length > 0
        ? h(
            "button.text",
            { type: "button", onclick: () => this.plot(entity, names) },
            icon("plus"),
            "Plot its signals",
          )
        : null;
    const type = entity.type === KINDS[entity.kind] ? entity.type : `${KINDS[entity.kind]}, ${entity.type}`;
    this.element.replaceChildren(
      h("header", {}, h("h2", {}, entity.name), h("span.type", {}, type), close),
      h(
        "div.inspector-scroll",
        { tabindex: "0", role: "region", "aria-label": "Numbers" },
        this.lines.length > 0 ? table : h("p.more", {}, "No signals belong to it."),
        names.length > MAX_SIGNALS ? h("p.more", {}, `${names.length - MAX_SIGNALS} more signals: press /`) : null,
      ),
      ...(plotButton ? [plotButton] : []),
      this.viewRow(entity),
    );
    this.update();
  }

  /** How it is drawn, and whether the camera goes along. */
  private viewRow(entity: Entity): HTMLElement {
    const { state } = this;
    const follow = h("input", { type: "checkbox" });
    follow.checked = state.follow === entity;
    follow.addEventListener("change", () => state.setFollow(follow.checked ? entity : null));
    const row = h("div.view-row", {}, h("label", {}, follow, "follow", h("kbd", {}, "C")));
    if (entity.kind === "body") row.append(lookSelect(state, [entity.name], `How ${entity.name} is drawn`, false));
    return row;
  }

  private addRow(body: HTMLElement, name: string, unit: string, runs: Run[], of: (run: Run) => number): void {
    const cells = runs.map((run) => {
      const cell = h("td.number");
      this.lines.push({ cell, value: () => of(run) });
      return cell;
    });
    body.append(h("tr", {}, h("th", { scope: "row" }, name), ...cells, h("td.unit", {}, unit)));
  }

  /** Speed of a body and size of a joint's force come from the arrows: they have no signal of their own. */
  private motionRows(entity: Entity): { name: string; unit: string; of: (run: Run) => number }[] {
    const magnitude = (run: Run, list: VectorJson | undefined): number => {
      if (!list) return NaN;
      const tracks = run.vector(list);
      const place = new Float64Array(2);
      run.locate(this.clock.time, place);
      return Math.hypot(...(["x", "y", "z"] as const).map((axis) => tracks[axis].between(place[0], place[1])));
    };
    if (entity.kind === "body") {
      const of = (run: Run): number => {
        const index = run.scene?.bodies.findIndex((body) => body.name === entity.name) ?? -1;
        return magnitude(
          run,
          run.json.arrows?.velocity?.find((arrow) => arrow.body === index),
        );
      };
      return this.known("speed", "m/s", of);
    }
    if (entity.kind === "joint") {
      const of = (run: Run): number => {
        const index = run.scene?.joints?.findIndex((joint) => joint.name === entity.name) ?? -1;
        return magnitude(
          run,
          run.json.arrows?.force?.find((arrow) => arrow.joint === index),
        );
      };
      return this.known("|force|", "N", of);
    }
    return [];
  }

  private known(
    name: string,
    unit: string,
    of: (run: Run) => number,
  ): { name: string; unit: string; of: (run: Run) => number }[] {
    return this.state.runs.some((run) => !Number.isNaN(of(run))) ? [{ name, unit, of }] : [];
  }

  private update(): void {
    this.lastUpdate = performance.now();
    for (const { cell, value } of this.lines) {
      const text = steady(value());
      if (cell.textContent !== text) cell.textContent = text;
    }
  }

  /** One plot per unit, so that curves share an axis that means something. */
  private plot(entity: Entity, names: string[]): void {
    const byUnit = new Map<string, string[]>();
    for (const name of names) {
      const json = this.state.runs.map((run) => run.signal(name)?.json).find(Boolean);
      const key = `${json?.group} ${json?.unit}`;
      byUnit.set(key, [...(byUnit.get(key) ?? []), name]);
    }
    let first = -1;
    for (const [key, members] of byUnit) {
      const group = key.split(" ")[0];
      const index = this.stack.add(`${entity.name}: ${group}`, members.slice(0, 8));
      if (first < 0) first = index;
    }
    this.stack.reveal(first);
  }
}
