// Joints as symbols where they are, and what carries them: brackets and rails on the ground.

import { BoxGeometry, BufferGeometry, Color, Group, Matrix4, Mesh, Quaternion, Vector3 } from "three";
import type { JointJson, JointSymbol, SceneJson } from "../contract";
import { bodyColor } from "../palette";
import type { Entity } from "../state";
import { type Bodies, MANY_BODIES } from "./bodies";
import { merge, paint } from "./geometry";
import { Instances } from "./instances";
import type { Layers } from "./layers";
import type { Materials } from "./materials";
import type { Motion } from "./motion";
import { bracket, GROUND, hatch, jointGeometry, LIGHT_STEEL, STEEL, unitRod } from "./symbols";

const Z = new Vector3(0, 0, 1);
const WHITE = new Color(1, 1, 1);
const NO_GROUND_BRACKET: JointSymbol[] = ["slider", "cylinder", "rolling", "distance", "driver", "gear", "other"];

interface Placed {
  joint: JointJson;
  entity: Entity;
  mesh: Instances;
  index: number;
  base: Quaternion; // from the symbol's z to the joint's axis, in the frame of body a
  scale: Vector3;
  lift: number; // z offset among planar layers
  color: Color;
}

export class Joints {
  readonly group = new Group();
  readonly pickable: Instances[] = [];
  private readonly placed: Placed[] = [];
  private readonly rods: { mesh: Instances; joints: JointJson[]; scale: Vector3 } | null = null;
  private readonly rails: { mesh: Mesh; body: number }[] = [];
  private readonly a = new Vector3();
  private readonly b = new Vector3();
  private readonly turn = new Quaternion();
  private readonly scale = new Vector3();

  constructor(
    scene: SceneJson,
    entities: Entity[],
    motion: Motion,
    private readonly layers: Layers,
    private readonly bodies: Bodies,
    private readonly unit: number,
    private readonly up: Vector3,
    private readonly materials: Materials,
  ) {
    const joints = scene.joints ?? [];
    const kinds = new Map<JointSymbol, JointJson[]>();
    for (const joint of joints) kinds.set(joint.symbol, [...(kinds.get(joint.symbol) ?? []), joint]);
    for (const [symbol, members] of kinds) {
      const mesh = new Instances(
        jointGeometry(symbol, scene.planar, members.length <= MANY_BODIES),
        materials.symbol,
        members.length,
      );
      members.forEach((joint, index) => {
        const entity = entities.find((e) => e.kind === "joint" && e.name === joint.name) as Entity;
        mesh.means.push(entity);
        this.placed.push(this.prepare(scene, joint, entity, mesh, index));
        mesh.tint(index, this.placed[this.placed.length - 1].color);
      });
      this.pickable.push(mesh);
      this.group.add(mesh);
    }
    const distances = kinds.get("distance") ?? [];
    if (distances.length > 0) {
      const mesh = new Instances(unitRod(LIGHT_STEEL), materials.symbol, distances.length);
      mesh.means.push(...distances.map((j) => entities.find((e) => e.kind === "joint" && e.name === j.name) as Entity));
      this.rods = { mesh, joints: distances, scale: new Vector3() };
      this.pickable.push(mesh);
      this.group.add(mesh);
    }
    this.addBrackets(scene);
    for (const joint of kinds.get("slider") ?? []) this.addRail(scene, joint, motion);
  }

  update(motion: Motion): void {
    for (const item of this.placed) {
      const { joint, mesh, index, base, scale, lift } = item;
      const symbol = joint.symbol;
      motion.anchor(symbol === "slider" || symbol === "rolling" ? joint.b : joint.a, this.a);
      this.a.z += lift;
      this.turn.setFromRotationMatrix(motion.matrix(joint.a.body)).multiply(base);
      mesh.put(index, this.a, this.turn, scale);
    }
    if (this.rods) {
      const { mesh, joints, scale } = this.rods;
      joints.forEach((joint, i) => {
        motion.anchor(joint.a, this.a);
        motion.anchor(joint.b, this.b).sub(this.a);
        mesh.aim(i, this.a, this.b, scale.set(this.unit * 0.32, this.unit * 0.32, this.b.length() || 1e-9));
      });
      mesh.finish();
    }
    for (const mesh of this.pickable) mesh.finish();
    for (const { mesh, body } of this.rails) {
      mesh.matrix.copy(motion.matrix(body));
      mesh.matrixWorldNeedsUpdate = true;
    }
  }

  select(entity: Entity | null, accent: Color): void {
    for (const item of this.placed) {
      const chosen = item.entity === entity;
      item.mesh.tint(item.index, chosen ? this.brighter(accent) : item.color);
      item.scale.copy(this.scaleOf(item)).multiplyScalar(chosen ? 1.35 : 1);
    }
  }

  private brighter(accent: Color): Color {
    return accent.clone().multiplyScalar(2.2);
  }

  private scaleOf({ joint }: Placed): Vector3 {
    const u = this.unit;
    if (this.layers.pitch > 0 && joint.symbol === "pin") {
      const [low, high] = this.span(joint);
      return this.scale.set(u, u, high - low + 0.2 * u);
    }
    return this.scale.set(u, u, u);
  }

  /** What a pin of a planar scene has to go through, in z; the ground's brackets are behind the body they carry. */
  private span({ a, b }: JointJson): [number, number] {
    const unknown: [number, number] = [-0.3 * this.unit, 0.3 * this.unit];
    const own = [a.body, b.body].filter((body) => body >= 0).map((body) => this.bodies.depth(body) ?? unknown);
    const low = Math.min(...own.map((ends) => ends[0]));
    const high = Math.max(...own.map((ends) => ends[1]));
    if (own.length === 0) return unknown;
    return [a.body < 0 || b.body < 0 ? low - 0.6 * this.unit : low, high];
  }

  private prepare(scene: SceneJson, joint: JointJson, entity: Entity, mesh: Instances, index: number): Placed {
    const axis = new Vector3(...(joint.axis ?? [0, 0, 1]));
    const base = new Quaternion();
    if (axis.lengthSq() > 0) base.setFromUnitVectors(Z, axis.normalize());
    const color = WHITE.clone();
    if (joint.symbol === "slider") color.set(bodyColor(joint.b.body >= 0 ? joint.b.body : joint.a.body));
    const [low, high] = this.span(joint);
    const lift = scene.planar ? (low + high) / 2 : 0;
    const item: Placed = { joint, entity, mesh, index, base, scale: new Vector3(), lift, color };
    item.scale.copy(this.scaleOf(item));
    return item;
  }

  private addBrackets(scene: SceneJson): void {
    const carried = (scene.joints ?? []).filter((joint) => !NO_GROUND_BRACKET.includes(joint.symbol));
    const places = new Map<string, Vector3>(); // one bracket where several joints share a point
    for (const joint of carried) {
      for (const anchor of [joint.a, joint.b]) {
        if (anchor.body >= 0) continue;
        const place = new Vector3(...anchor.at);
        if (scene.planar) place.z += this.span(joint)[0] + 0.25 * this.unit;
        places.set(anchor.at.map((x) => x.toPrecision(6)).join(), place);
      }
    }
    if (places.size === 0) return;
    const mesh = new Instances(bracket(scene.planar), this.materials.symbol, places.size);
    const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), this.up);
    const scale = new Vector3(this.unit, this.unit, this.unit);
    let index = 0;
    for (const place of places.values()) {
      mesh.put(index++, place, turn, scale);
    }
    mesh.receiveShadow = true;
    mesh.finish();
    this.group.add(mesh);
  }

  /** The rail reaches as far as the slider goes. */
  private addRail(scene: SceneJson, joint: JointJson, motion: Motion): void {
    const axis = new Vector3(...(joint.axis ?? [1, 0, 0])).normalize();
    const origin = new Vector3(...joint.a.at);
    const [low, high] = travel(joint, motion, axis, origin);
    const u = this.unit;
    const reach: [number, number] = [low - 3 * u, high + 3 * u];
    const length = reach[1] - reach[0];
    const middle = (reach[0] + reach[1]) / 2;
    const onGround = joint.a.body < 0;
    const parts: BufferGeometry[] = [];
    if (scene.planar && onGround) {
      // Two lines with hatching outside, in units of the symbol, x along the axis.
      const from = reach[0] / u;
      const to = reach[1] / u;
      for (const side of [1, -1] as const) {
        parts.push(paint(new BoxGeometry(length / u, 0.22, 0.5).translate(middle / u, side * 1.35, 0), GROUND));
        if (side < 0) parts.push(...hatch(from, to, side * 1.45, 0.8, -1));
      }
    } else {
      const thick = scene.planar ? 0.35 : 0.7;
      parts.push(
        paint(new BoxGeometry(length / u, thick, thick).translate(middle / u, 0, 0), onGround ? GROUND : STEEL),
      );
    }
    const geometry = merge(parts) as BufferGeometry;
    const turn = new Quaternion().setFromUnitVectors(new Vector3(1, 0, 0), axis);
    if (scene.planar)
      origin.z += onGround ? this.span(joint)[0] + 0.25 * u : (this.layers.of[joint.a.body] ?? 0) * this.layers.pitch;
    geometry.applyMatrix4(new Matrix4().compose(origin, turn, new Vector3(u, u, u)));
    const mesh = new Mesh(geometry, this.materials.symbol);
    mesh.matrixAutoUpdate = false;
    mesh.receiveShadow = true;
    this.rails.push({ mesh, body: joint.a.body });
    this.group.add(mesh);
  }
}

/** How far the second body's point goes along the axis, looked at on some frames. */
function travel(joint: JointJson, motion: Motion, axis: Vector3, origin: Vector3): [number, number] {
  const frames = motion.run.frames.length;
  const [ma, mb] = [new Matrix4(), new Matrix4()];
  const point = new Vector3();
  let [low, high] = [0, 0];
  for (let i = 0; i < 200; ++i) {
    const frame = Math.floor((i * (frames - 1)) / 199);
    if (joint.a.body >= 0) motion.compose(joint.a.body, frame, 0, ma);
    if (joint.b.body >= 0) motion.compose(joint.b.body, frame, 0, mb);
    point
      .set(...joint.b.at)
      .applyMatrix4(mb)
      .applyMatrix4(ma.clone().invert())
      .sub(origin);
    const along = point.dot(axis);
    low = Math.min(low, along);
    high = Math.max(high, along);
  }
  return [low, high];
}
