// Velocities, reaction forces and applied forces as arrows; lengths follow common scales that the user can change.

import { BufferGeometry, Group, MeshStandardMaterial, Vector3 } from "three";
import type { SceneJson } from "../contract";
import type { Run, VectorTracks } from "../run";
import { Instances } from "./instances";
import type { Motion } from "./motion";
import { arrowHead, arrowShaft } from "./symbols";

export const VELOCITY_COLOR = "#1f9e77";
export const FORCE_COLOR = "#d1495b";
export const APPLIED_COLOR = "#d98a1f";
const LONGEST = 0.3; // of the mechanism's size, for the largest arrow of the run

export interface Arrow {
  tracks: VectorTracks;
  body: number;
  at: [number, number, number];
}

export class Arrows {
  readonly group = new Group();
  factor = 1;
  private readonly shafts: Instances;
  private readonly heads: Instances;
  private readonly base = new Vector3();
  private readonly vector = new Vector3();
  private readonly tip = new Vector3();
  private readonly scale = new Vector3();

  constructor(
    private readonly arrows: Arrow[],
    private readonly perUnit: number, // metres per unit of the quantity
    private readonly width: number,
    color: string,
    private readonly lift: number,
  ) {
    const material = new MeshStandardMaterial({ color, roughness: 0.6, emissive: color, emissiveIntensity: 0.25 });
    this.shafts = make(arrowShaft(), material, arrows.length);
    this.heads = make(arrowHead(), material, arrows.length);
    // On top of everything: an arrow within a body would tell nothing.
    material.depthTest = material.depthWrite = false;
    material.transparent = true;
    [this.shafts.renderOrder, this.heads.renderOrder] = [20, 21];
    this.group.add(this.shafts, this.heads);
    this.group.visible = false;
  }

  get empty(): boolean {
    return this.arrows.length === 0;
  }

  update(motion: Motion): void {
    const { frame, fraction } = motion;
    const { base, vector, tip, scale, width } = this;
    for (let i = 0; i < this.arrows.length; ++i) {
      const { tracks, body, at } = this.arrows[i];
      vector.set(
        tracks.x.between(frame, fraction),
        tracks.y.between(frame, fraction),
        tracks.z.between(frame, fraction),
      );
      vector.multiplyScalar(this.perUnit * this.factor);
      motion.point(body, at, base);
      base.z += this.lift;
      const length = vector.length();
      const head = Math.min(2.6 * width, length * 0.6);
      tip.copy(base).add(vector);
      this.heads.aim(i, tip, vector, scale.setScalar(length > 0 ? head / 2.6 : 1e-9));
      const thin = Math.min(width * 0.36, length * 0.1);
      this.shafts.aim(i, base, vector, scale.set(thin + 1e-12, thin + 1e-12, Math.max(length - head * 0.95, 1e-9)));
    }
    this.shafts.finish();
    this.heads.finish();
  }
}

function make(geometry: BufferGeometry, material: MeshStandardMaterial, count: number): Instances {
  const mesh = new Instances(geometry, material, count);
  mesh.castShadow = false;
  return mesh;
}

function scale(arrows: Arrow[], run: Run, size: number): number {
  return (LONGEST * size) / (largest(arrows, run.frames.length) || 1);
}

/** The 98th percentile of sampled lengths: one spike must not shrink all arrows to nothing. */
function largest(arrows: Arrow[], frames: number): number {
  const sizes: number[] = [];
  const samples = Math.min(frames, 120);
  for (const { tracks } of arrows) {
    for (let i = 0; i < samples; ++i) {
      const frame = samples > 1 ? Math.floor((i * (frames - 1)) / (samples - 1)) : 0;
      const size = Math.hypot(tracks.x.at(frame), tracks.y.at(frame), tracks.z.at(frame));
      if (Number.isFinite(size)) sizes.push(size);
    }
  }
  sizes.sort((a, b) => a - b);
  return sizes[Math.floor(0.98 * (sizes.length - 1))] ?? 0;
}

export function velocityArrows(run: Run, scene: SceneJson, size: number, width: number, lift: number): Arrows {
  const arrows = (run.json.arrows?.velocity ?? []).map((item) => ({
    tracks: run.vector(item),
    body: item.body,
    at: scene.bodies[item.body]?.center ?? ([0, 0, 0] as [number, number, number]),
  }));
  return new Arrows(arrows, scale(arrows, run, size), width, VELOCITY_COLOR, lift);
}

/** Of joints and contacts, and of springs, tyres and loads: two colours, one scale. */
export function forceArrows(run: Run, scene: SceneJson, size: number, width: number, lift: number): Arrows[] {
  const { joints = [], springs = [] } = scene;
  const reactions = (run.json.arrows?.force ?? []).flatMap((item) => {
    const joint = joints[item.joint];
    return joint ? [{ tracks: run.vector(item), body: joint.b.body, at: joint.b.at }] : [];
  });
  const applied = (run.json.arrows?.applied ?? []).flatMap((item) => {
    const end = springs[item.spring]?.[item.end];
    return end ? [{ tracks: run.vector(item), body: end.body, at: end.at }] : [];
  });
  const perUnit = scale([...reactions, ...applied], run, size);
  return [
    new Arrows(reactions, perUnit, width, FORCE_COLOR, lift),
    new Arrows(applied, perUnit, width, APPLIED_COLOR, lift),
  ];
}
