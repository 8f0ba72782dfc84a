// The scene: renderer, light, camera, and the runs in it. Draws only when something has changed.

import {
  AmbientLight,
  Box3,
  DirectionalLight,
  HemisphereLight,
  PCFShadowMap,
  Raycaster,
  Scene,
  SRGBColorSpace,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import type { ViewName } from "../address";
import type { Clock } from "../clock";
import type { SceneJson } from "../contract";
import { curveColor } from "../palette";
import type { Run } from "../run";
import type { Entity, State } from "../state";
import type { Theme } from "../theme";
import { CameraRig } from "./camera";
import { Grid } from "./grid";
import { Labels } from "./labels";
import { RunScene } from "./run-scene";

export class World {
  readonly rig: CameraRig;
  readonly labels: Labels;
  readonly grid: Grid;
  readonly runs: RunScene[];
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly key = new DirectionalLight(0xffffff, 2.1);
  private readonly up: Vector3;
  private followed: Entity | null = null;
  private readonly here = new Vector3();
  private readonly there = new Vector3();
  private asked = false;
  private moved = true;
  private slow = 0;
  private lastFrame = 0;
  private width = 1;
  private height = 1;
  onFirstFrame: (() => void) | null = null;

  constructor(
    readonly canvas: HTMLCanvasElement,
    context: WebGL2RenderingContext,
    private readonly state: State,
    private readonly clock: Clock,
    private readonly theme: Theme,
  ) {
    const runs = state.runs.filter((run) => run.scene) as (Run & { scene: SceneJson })[];
    this.renderer = new WebGLRenderer({ canvas, context, alpha: true, antialias: true });
    this.renderer.outputColorSpace = SRGBColorSpace;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.setClearAlpha(0);
    const planar = runs[0].scene.planar;
    this.up = upDirection(runs[0].scene);
    this.runs = runs.map((run) => new RunScene(run, run.scene, state, this.up, curveColor(run.color, false)));
    const bounds = new Box3();
    for (const run of this.runs) {
      this.scene.add(run.group);
      bounds.union(run.bounds);
    }
    // Room for symbols and their brackets; something even if nothing has a size.
    bounds.expandByScalar(0.015 * bounds.getSize(new Vector3()).length() || runs[0].scene.length || 1);
    const size = bounds.getSize(new Vector3()).length();
    this.grid = this.addGrid(bounds, size, planar);
    this.addLight(bounds, size, planar);
    this.rig = new CameraRig(this.up, bounds, canvas, state.scene.perspective);
    this.rig.show(planar ? "front" : "iso", false);
    this.rig.controls.addEventListener("change", () => this.invalidate());
    this.labels = new Labels(state);
    this.watch();
  }

  show(view: ViewName): void {
    this.rig.show(view);
    this.invalidate();
  }

  fit(): void {
    this.rig.fit();
    this.invalidate();
  }

  resize(width: number, height: number): void {
    if (width < 1 || height < 1) return;
    [this.width, this.height] = [width, height];
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2) * (this.slow > 1 ? 0.7 : 1));
    this.renderer.setSize(width, height, false);
    this.rig.resize(width, height);
    this.invalidate();
  }

  invalidate(): void {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(this.frame);
  }

  /** What is at a place of the canvas, in pixels from its corner. */
  pick(x: number, y: number): Entity | null {
    const ray = new Raycaster();
    const point = new Vector2((x / this.width) * 2 - 1, 1 - (y / this.height) * 2);
    ray.setFromCamera(point, this.rig.camera);
    let best: { distance: number; entity: Entity } | null = null;
    for (const run of this.runs) {
      if (!run.group.visible) continue;
      for (const hit of ray.intersectObjects(run.pickable, false)) {
        const entity = run.meaning(hit.object, hit.instanceId);
        if (entity && (!best || hit.distance < best.distance)) best = { distance: hit.distance, entity };
      }
    }
    return best?.entity ?? null;
  }

  /** Where something is on the canvas, in pixels; for tests and tooltips. */
  project(entity: Entity): [number, number] | null {
    const point = new Vector3();
    for (const run of this.runs) {
      if (!run.group.visible || !run.labelPoint(entity, point)) continue;
      point.project(this.rig.camera);
      return [((point.x + 1) / 2) * this.width, ((1 - point.y) / 2) * this.height];
    }
    return null;
  }

  /** The picture as it is, for exports and tests. */
  snapshot(): HTMLCanvasElement {
    this.draw();
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [this.canvas.width, this.canvas.height];
    const context = copy.getContext("2d") as CanvasRenderingContext2D;
    context.fillStyle = this.theme.color("scene-bottom");
    context.fillRect(0, 0, copy.width, copy.height);
    context.drawImage(this.canvas, 0, 0);
    return copy;
  }

  private watch(): void {
    this.clock.changed.on(() => {
      this.moved = true;
      this.invalidate();
    });
    this.state.selectionChanged.on(() => {
      for (const run of this.runs) run.applySelection(this.theme.color("accent"));
      this.moved = true;
      this.invalidate();
    });
    this.state.sceneChanged.on((what) => {
      if (what === "trailPoints") for (const run of this.runs) run.applyTrails();
      if (what === "perspective") this.rig.setPerspective(this.state.scene.perspective);
      this.apply();
    });
    this.state.runsChanged.on(() => this.apply());
    this.theme.changed.on(() => this.apply());
    this.apply();
  }

  private apply(): void {
    const { scene } = this.state;
    const accent = this.theme.color("accent");
    for (const run of this.runs) run.applyOptions(this.theme.dark, accent);
    this.grid.group.visible = scene.grid;
    this.grid.apply(this.theme.dark);
    this.grid.shadows = scene.shadows;
    this.key.castShadow = scene.shadows;
    this.renderer.shadowMap.enabled = scene.shadows;
    this.moved = true;
    this.invalidate();
  }

  private readonly frame = (now: number): void => {
    this.asked = false;
    if (this.rig.advance(now)) this.invalidate();
    this.draw();
    this.watchSpeed(now);
    if (this.onFirstFrame) {
      this.onFirstFrame();
      this.onFirstFrame = null;
    }
  };

  private draw(): void {
    if (this.moved) {
      for (const run of this.runs) if (run.group.visible) run.update(this.clock.time);
      this.moved = false;
      this.followOn();
    }
    this.renderer.render(this.scene, this.rig.camera);
    this.labels.update(this.runs, this.rig.camera, this.width, this.height);
  }

  /** The camera keeps its distance from what it follows. */
  private followOn(): void {
    const { follow } = this.state;
    const run = this.runs.find((candidate) => candidate.group.visible);
    if (!follow || !run?.labelPoint(follow, this.here)) {
      this.followed = null;
      return;
    }
    if (this.followed === follow) this.rig.shift(this.there.subVectors(this.here, this.there));
    this.followed = follow;
    this.there.copy(this.here);
  }

  /** On a slow machine motion matters more than pixels: fewer of them when playing stays below 25 pictures a second. */
  private watchSpeed(now: number): void {
    const interval = now - this.lastFrame;
    this.lastFrame = now;
    if (!this.clock.playing || interval > 1000 || this.slow > 1) return;
    this.slow = interval > 40 ? this.slow + 0.02 : Math.max(0, this.slow - 0.05);
    if (this.slow > 1) this.resize(this.width, this.height);
  }

  private addGrid(bounds: Box3, size: number, planar: boolean): Grid {
    const center = bounds.getCenter(new Vector3());
    let grid: Grid;
    if (planar) {
      center.z = bounds.min.z - 0.03 * size;
      grid = new Grid(center, new Vector3(0, 0, 1), size);
    } else {
      const floor = lowest(bounds, this.up) - 0.035 * size;
      center.addScaledVector(this.up, floor - center.dot(this.up));
      grid = new Grid(center, this.up, size);
    }
    this.scene.add(grid.group);
    return grid;
  }

  private addLight(bounds: Box3, size: number, planar: boolean): void {
    const sky = new HemisphereLight(0xffffff, 0xb9c0cb, 1.15);
    sky.position.copy(this.up);
    const fill = new DirectionalLight(0xdfe9ff, 0.55);
    const center = bounds.getCenter(new Vector3());
    const zUp = Math.abs(this.up.z) > 0.5;
    const towards = new Vector3(
      ...((zUp ? [0.35, -0.75, 0] : planar ? [-0.45, 0, 1.7] : [-0.35, 0, 0.75]) as [number, number, number]),
    );
    this.key.position.copy(center).addScaledVector(towards.clone().addScaledVector(this.up, 1.1), size * 1.4);
    this.key.target.position.copy(center);
    fill.position.copy(center).addScaledVector(towards.clone().negate().addScaledVector(this.up, 0.4), size);
    fill.target.position.copy(center);
    const { shadow } = this.key;
    shadow.mapSize.set(2048, 2048);
    shadow.radius = 4;
    shadow.normalBias = size * 0.001;
    shadow.bias = -0.0004;
    const reach = 0.75 * size;
    Object.assign(shadow.camera, {
      left: -reach,
      right: reach,
      top: reach,
      bottom: -reach,
      near: 0.1 * size,
      far: 4 * size,
    });
    this.scene.add(sky, new AmbientLight(0xffffff, 0.35), this.key, this.key.target, fill, fill.target);
  }
}

/** Against gravity; y in the plane and z in space if there is none. */
function upDirection(scene: SceneJson): Vector3 {
  if (scene.planar) return new Vector3(0, 1, 0);
  const [x, y, z] = (scene.gravity ?? [0, 0, 0]).map(Math.abs);
  return y > z && y >= x ? new Vector3(0, 1, 0) : new Vector3(0, 0, 1);
}

function lowest(bounds: Box3, up: Vector3): number {
  return Math.abs(up.z) > 0.5 ? bounds.min.z : bounds.min.y;
}
