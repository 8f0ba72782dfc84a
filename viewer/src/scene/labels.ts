// Names next to things: of what is selected or under the pointer, or of everything.

import { Camera, Vector3 } from "three";
import { h } from "../dom";
import type { Entity, State } from "../state";
import type { RunScene } from "./run-scene";

const MAX_LABELS = 80;

export class Labels {
  readonly element = h("div.scene-labels", { "aria-hidden": "true" });
  hovered: Entity | null = null;
  private readonly pool: HTMLSpanElement[] = [];
  private shown = 0;
  private readonly point = new Vector3();
  private readonly taken: number[] = []; // x, y, width of the names drawn so far

  constructor(private readonly state: State) {}

  update(runs: RunScene[], camera: Camera, width: number, height: number): void {
    const { state } = this;
    if (!state.scene.labels && !state.selected && !this.hovered && this.shown === 0) return;
    const wanted: Entity[] = [state.selected, this.hovered].filter((entity) => entity !== null);
    if (state.scene.labels)
      for (const entity of state.entities.slice(0, MAX_LABELS)) if (!wanted.includes(entity)) wanted.push(entity);
    this.taken.length = 0;
    const run = runs.find((candidate) => candidate.group.visible);
    let used = 0;
    for (const entity of run ? wanted : []) {
      if (!run?.labelPoint(entity, this.point)) continue;
      this.point.project(camera);
      if (Math.abs(this.point.z) > 1) continue;
      const x = ((this.point.x + 1) / 2) * width;
      const y = ((1 - this.point.y) / 2) * height;
      if (!this.claim(x, y, entity.name.length * 6.5 + 10)) continue;
      const label = this.label(used++);
      if (label.textContent !== entity.name) label.textContent = entity.name;
      const kind = entity === state.selected ? "selected" : entity === this.hovered ? "hovered" : entity.kind;
      if (label.dataset.kind !== kind) label.dataset.kind = kind;
      label.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -165%)`;
    }
    for (let i = used; i < this.pool.length; ++i) this.pool[i].hidden = true;
    this.shown = used;
  }

  /** A place for a name, if no more important one is there. */
  private claim(x: number, y: number, wide: number): boolean {
    for (let i = 0; i < this.taken.length; i += 3) {
      const apart =
        Math.abs(this.taken[i] - x) > (this.taken[i + 2] + wide) / 2 || Math.abs(this.taken[i + 1] - y) > 17;
      if (!apart) return false;
    }
    this.taken.push(x, y, wide);
    return true;
  }

  private label(index: number): HTMLSpanElement {
    if (index >= this.pool.length) {
      const label = h("span.scene-label");
      this.pool.push(label);
      this.element.append(label);
    }
    this.pool[index].hidden = false;
    return this.pool[index];
  }
}
