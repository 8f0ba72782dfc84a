// Bodies that deform, and point masses: nodes move from frame to frame, lines and faces follow.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  DynamicDrawUsage,
  Group,
  Mesh,
  MeshStandardMaterial,
  Object3D,
  SphereGeometry,
  Vector3,
} from "three";
import type { DeformingJson, Vec3 } from "../contract";
import { bodyColor, stressColor } from "../palette";
import type { Track } from "../data";
import type { Run, VectorTracks } from "../run";
import type { Entity } from "../state";
import { paint } from "./geometry";
import { Instances } from "./instances";
import type { Materials } from "./materials";
import type { Motion } from "./motion";
import { unitRod } from "./symbols";

const WHITE = new Color(1, 1, 1);

export class Deforming {
  readonly group = new Group();
  readonly pickable: Object3D[] = [];
  private readonly nodes: VectorTracks[];
  private readonly positions: Float32Array;
  private readonly segments: [number, number][] = [];
  private readonly rods: Instances | null = null;
  private readonly balls: Instances;
  private readonly faces: Mesh | null = null;
  private readonly radius: number;
  private readonly frame: number; // −1: deflections are not known
  private readonly rest: Vec3[];
  private readonly stress: Track[]; // of lines
  private readonly most: number;
  private readonly lineOf: number[] = []; // of segments
  private readonly base: Color;
  private readonly tintNow = new Color();
  private marked: Color | null = null; // of a selection
  private colored = false;
  /** What the user has chosen. */
  magnify = 1;
  byStress = false;
  private readonly a = new Vector3();
  private readonly b = new Vector3();
  private readonly scale = new Vector3();

  constructor(
    json: DeformingJson,
    run: Run,
    unit: number,
    index: number,
    private readonly entity: Entity,
    materials: Materials,
  ) {
    const color = bodyColor(index);
    this.base = new Color(color);
    this.rest = json.rest ?? [];
    this.frame = this.rest.length === json.nodes.length ? (json.frame ?? -1) : -1;
    this.stress = (json.stress ?? []).map((channel) => run.archive.track(channel));
    this.most = json.stress_max || 1;
    this.radius = json.radius || unit * 0.8;
    this.nodes = json.nodes.map((node) => run.vector(node));
    this.positions = new Float32Array(3 * this.nodes.length);
    (json.lines ?? []).forEach((line, number) => {
      for (let i = 0; i + 1 < line.length; ++i) {
        this.segments.push([line[i], line[i + 1]]);
        this.lineOf.push(number);
      }
    });
    this.balls = new Instances(paint(new SphereGeometry(1, 24, 16), color), materials.body, this.nodes.length);
    this.balls.means.push(...this.nodes.map(() => entity));
    this.pickable.push(this.balls);
    if (this.segments.length > 0) {
      this.rods = new Instances(unitRod(color), materials.body, this.segments.length);
      this.rods.means.push(...this.segments.map(() => entity));
      this.pickable.push(this.rods);
      this.group.add(this.rods);
    }
    if (json.faces && json.faces.length > 0) {
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new BufferAttribute(this.positions, 3).setUsage(DynamicDrawUsage));
      geometry.setIndex(json.faces.flat());
      const material = new MeshStandardMaterial({ color, side: DoubleSide, roughness: 0.65, flatShading: true });
      this.faces = new Mesh(geometry, material);
      this.faces.frustumCulled = false;
      this.faces.castShadow = true;
      this.faces.userData.entity = entity;
      this.pickable.push(this.faces);
      this.group.add(this.faces);
    }
    this.group.add(this.balls);
  }

  select(chosen: Entity | null, accent: Color): void {
    const own = chosen === this.entity;
    const tint = own ? accent.clone().multiplyScalar(1.6) : new Color(1, 1, 1);
    this.marked = own ? tint : null;
    for (let i = 0; i < this.nodes.length; ++i) this.balls.tint(i, tint);
    for (let i = 0; i < this.segments.length; ++i) this.rods?.tint(i, tint);
    const faces = this.faces?.material as MeshStandardMaterial | undefined;
    faces?.emissive.copy(own ? accent : new Color(0, 0, 0)).multiplyScalar(0.4);
  }

  update(motion: Motion): void {
    const { frame, fraction } = motion;
    const { positions, a, b, scale, radius } = this;
    // Nodes of a net are small joints between its lines; lone points are masses.
    const ball = this.segments.length > 0 || this.faces ? radius * 1.02 : radius;
    this.nodes.forEach((node, i) => {
      a.set(node.x.between(frame, fraction), node.y.between(frame, fraction), node.z.between(frame, fraction));
      if (this.frame >= 0 && this.magnify !== 1) {
        motion.point(this.frame, this.rest[i], b);
        a.sub(b).multiplyScalar(this.magnify).add(b);
      }
      a.toArray(positions, 3 * i);
      this.balls.aim(i, a, b.set(0, 0, 1), scale.setScalar(ball));
    });
    this.balls.finish();
    if (this.rods) {
      this.segments.forEach(([from, to], i) => {
        a.fromArray(positions, 3 * from);
        b.fromArray(positions, 3 * to).sub(a);
        this.rods?.aim(i, a, b, scale.set(radius, radius, b.length() || 1e-9));
      });
      this.rods.finish();
    }
    this.color(frame, fraction);
    if (this.faces) this.faces.geometry.getAttribute("position").needsUpdate = true;
  }

  /** By stress, unless it is selected. Tints multiply the colour of the body, which is taken out of them. */
  private color(frame: number, fraction: number): void {
    const wanted = this.byStress && this.stress.length > 0 && !this.marked;
    if (!wanted && !this.colored) return;
    this.colored = wanted;
    const { base, tintNow } = this;
    this.segments.forEach(([from, to], i) => {
      const track = this.stress[this.lineOf[i]];
      if (wanted && track) {
        const [red, green, blue] = stressColor(track.between(frame, fraction) / this.most);
        tintNow.setRGB(red, green, blue, "srgb");
        tintNow.setRGB(
          tintNow.r / Math.max(base.r, 0.02),
          tintNow.g / Math.max(base.g, 0.02),
          tintNow.b / Math.max(base.b, 0.02),
        );
      } else {
        tintNow.copy(this.marked ?? WHITE);
      }
      this.rods?.tint(i, tintNow);
      this.balls.tint(from, tintNow);
      this.balls.tint(to, tintNow);
    });
  }
}
