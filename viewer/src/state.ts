// What the user has chosen: what is selected, what the scene shows, which runs are visible.

import { Emitter } from "./emitter";
import type { Run } from "./run";

export type EntityKind = "body" | "joint" | "spring" | "deforming";
export interface Entity {
  kind: EntityKind;
  index: number;
  name: string;
  type: string; // the model's own word
}

/** How the scene of a run is drawn. */
export type RunScene = "solid" | "ghost" | "hidden";
export interface RunView {
  curves: boolean;
  scene: RunScene;
}

export interface SceneOptions {
  joints: boolean;
  springs: boolean;
  grid: boolean;
  shadows: boolean;
  frames: boolean;
  labels: boolean;
  velocities: boolean;
  velocityScale: number; // factor on the automatic scale
  forces: boolean;
  forceScale: number;
  trails: boolean;
  stress: boolean; // flexible bodies in colours of their stress
  deflection: number; // factor on deflections of flexible bodies
  perspective: boolean;
}

/** How a body is drawn; see-through ones show what is behind them. */
export type BodyLook = "solid" | "clear" | "hidden";

export interface TrailPoint {
  body: number;
  at: [number, number, number];
  name: string; // "crank.A", "crank (centre)"
}

export class State {
  readonly selectionChanged = new Emitter<Entity | null>();
  readonly sceneChanged = new Emitter<keyof SceneOptions | "trailPoints" | "looks" | "follow">();
  readonly unitsChanged = new Emitter();
  readonly runsChanged = new Emitter();
  readonly scene: SceneOptions;
  readonly runViews: RunView[];
  readonly entities: Entity[];
  trailPoints: TrailPoint[] = [];
  readonly looks = new Map<string, BodyLook>(); // by the name of the body; solid if it is not in it
  follow: Entity | null = null; // the camera goes with it
  private inDegrees = false;
  private current: Entity | null = null;

  constructor(readonly runs: Run[]) {
    const main = runs.find((run) => run.scene)?.scene;
    this.entities = listEntities(runs);
    // More ghosts than two are a crowd.
    const others: RunScene = runs.length <= 3 ? "ghost" : "hidden";
    this.runViews = runs.map((_, i) => ({ curves: true, scene: i === 0 ? "solid" : others }));
    this.scene = {
      joints: true,
      springs: true,
      grid: true,
      shadows: !main?.planar,
      frames: false,
      labels: false,
      velocities: false,
      velocityScale: 1,
      forces: false,
      forceScale: 1,
      trails: true,
      stress: false,
      deflection: 1,
      perspective: !main?.planar,
    };
  }

  get selected(): Entity | null {
    return this.current;
  }

  select(entity: Entity | null): void {
    if (entity === this.current) return;
    this.current = entity;
    this.selectionChanged.emit(entity);
  }

  find(name: string): Entity | null {
    return this.entities.find((entity) => entity.name === name) ?? null;
  }

  /** The next or previous thing of the model, for the keyboard. */
  selectNext(direction: 1 | -1): void {
    const { entities } = this;
    if (entities.length === 0) return;
    const from = this.current ? entities.indexOf(this.current) : direction > 0 ? -1 : 0;
    this.select(entities[(from + direction + entities.length) % entities.length]);
  }

  set<K extends keyof SceneOptions>(key: K, value: SceneOptions[K]): void {
    if (this.scene[key] === value) return;
    this.scene[key] = value;
    this.sceneChanged.emit(key);
  }

  toggle(key: { [K in keyof SceneOptions]: SceneOptions[K] extends boolean ? K : never }[keyof SceneOptions]): void {
    this.set(key, !this.scene[key]);
  }

  get degrees(): boolean {
    return this.inDegrees;
  }
  set degrees(on: boolean) {
    if (on === this.inDegrees) return;
    this.inDegrees = on;
    this.unitsChanged.emit();
  }

  look(body: string): BodyLook {
    return this.looks.get(body) ?? "solid";
  }

  setLook(bodies: string[], look: BodyLook): void {
    for (const body of bodies) this.looks.set(body, look);
    this.sceneChanged.emit("looks");
  }

  setFollow(entity: Entity | null): void {
    if (entity === this.follow) return;
    this.follow = entity;
    this.sceneChanged.emit("follow");
  }

  setTrailPoints(points: TrailPoint[]): void {
    this.trailPoints = points;
    this.sceneChanged.emit("trailPoints");
  }

  setRunView(index: number, change: Partial<RunView>): void {
    Object.assign(this.runViews[index], change);
    this.runsChanged.emit();
  }
}

/** Bodies, joints and springs of all runs; runs of one model share names, so each name is listed once. */
function listEntities(runs: Run[]): Entity[] {
  const found = new Map<string, Entity>();
  const add = (kind: EntityKind, index: number, name: string, type: string): void => {
    const key = `${kind}:${name}`;
    if (!found.has(key)) found.set(key, { kind, index, name, type });
  };
  for (const { scene } of runs) {
    scene?.bodies.forEach((body, i) => add("body", i, body.name, "body"));
    scene?.joints?.forEach((joint, i) => add("joint", i, joint.name, joint.type));
    scene?.springs?.forEach((spring, i) => add("spring", i, spring.name, spring.type));
    scene?.deforming?.forEach((item, i) => add("deforming", i, item.name, "deforming body"));
  }
  return [...found.values()];
}
