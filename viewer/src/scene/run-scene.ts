// All that is drawn of one run.

import { Box3, Color, Group, Object3D, Vector3 } from "three";
import type { SceneJson } from "../contract";
import type { Run } from "../run";
import type { BodyLook, Entity, State } from "../state";
import { Arrows, forceArrows, velocityArrows } from "./arrows";
import { Bodies } from "./bodies";
import { Deforming } from "./deforming";
import { motionBounds } from "./extent";
import { Frames } from "./frames";
import type { Instances } from "./instances";
import { Joints } from "./joints";
import { planarLayers, symbolUnit } from "./layers";
import { Materials } from "./materials";
import { Motion } from "./motion";
import { Springs } from "./springs";
import { Trails } from "./trails";

export class RunScene {
  readonly group = new Group();
  readonly motion: Motion;
  private readonly materials: Materials;
  private readonly bodies: Bodies;
  private readonly joints: Joints;
  private readonly springs: Springs;
  private readonly deforming: Deforming[];
  private readonly frames: Frames;
  private readonly trails: Trails;
  readonly velocities: Arrows;
  readonly forces: Arrows[];
  readonly bounds: Box3; // of the whole motion
  readonly front: number; // z in front of all of a planar scene

  constructor(
    readonly run: Run,
    readonly scene: SceneJson,
    private readonly state: State,
    up: Vector3,
    tint: string,
  ) {
    const unit = symbolUnit(scene);
    const layers = planarLayers(scene, unit);
    const entities = state.entities;
    this.motion = new Motion(run);
    this.materials = new Materials(tint);
    this.bodies = new Bodies(run, scene, layers, unit, this.materials);
    this.bounds = motionBounds(scene, this.motion, this.bodies);
    this.front = scene.planar ? this.bounds.max.z + 0.2 * unit : 0;
    const size = this.bounds.getSize(new Vector3()).length() || scene.length || 1;
    this.joints = new Joints(scene, entities, this.motion, layers, this.bodies, unit, up, this.materials);
    this.springs = new Springs(scene, entities, this.motion, unit, this.materials);
    this.deforming = (scene.deforming ?? []).map((json, i) => {
      const entity = entities.find((e) => e.kind === "deforming" && e.name === json.name) as Entity;
      return new Deforming(json, run, unit, scene.bodies.length + i, entity, this.materials);
    });
    const width = 0.8 * unit;
    this.velocities = velocityArrows(run, scene, size, width, this.front);
    this.forces = forceArrows(run, scene, size, width, this.front);
    this.frames = new Frames(scene, unit, this.front);
    this.trails = new Trails(this.motion, this.front, state.runs.length > 1 ? tint : null);
    this.group.add(this.bodies.group, this.joints.group, this.springs.group, this.velocities.group);
    this.group.add(...this.forces.map((arrows) => arrows.group), this.frames.group, this.trails.group, ...this.deforming.map((item) => item.group));
    this.trails.set(state.trailPoints);
  }

  update(t: number): void {
    const { motion, state } = this;
    motion.moveTo(t);
    this.bodies.update(motion);
    if (state.scene.joints) this.joints.update(motion);
    if (state.scene.springs) this.springs.update(motion);
    for (const item of this.deforming) item.update(motion);
    if (state.scene.velocities) this.velocities.update(motion);
    if (state.scene.forces) for (const arrows of this.forces) arrows.update(motion);
    if (state.scene.frames) this.frames.update(motion);
    if (state.scene.trails) this.trails.update();
  }

  /** Takes over what the user has chosen. */
  applyOptions(dark: boolean, accent: string): void {
    const { scene, runViews } = this.state;
    const look = runViews[this.run.index].scene;
    this.group.visible = look !== "hidden";
    this.materials.apply(look === "ghost" ? "ghost" : "solid", dark, accent);
    this.joints.group.visible = scene.joints;
    this.springs.group.visible = scene.springs;
    this.velocities.group.visible = scene.velocities;
    this.velocities.factor = scene.velocityScale;
    for (const arrows of this.forces) {
      arrows.group.visible = scene.forces;
      arrows.factor = scene.forceScale;
    }
    for (const item of this.deforming) {
      item.magnify = scene.deflection;
      item.byStress = scene.stress;
    }
    this.frames.group.visible = scene.frames;
    this.trails.group.visible = scene.trails;
    this.bodies.shadows = scene.shadows && look === "solid";
    this.applySelection(accent);
  }

  applyTrails(): void {
    this.trails.set(this.state.trailPoints);
  }

  applySelection(accent: string): void {
    const chosen = this.state.selected;
    const color = new Color(accent);
    const body = chosen?.kind === "body" ? this.scene.bodies.findIndex((b) => b.name === chosen.name) : -1;
    const ghost = this.state.runViews[this.run.index].scene === "ghost";
    const look = (index: number): BodyLook =>
      index < 0 ? "solid" : this.state.look(this.scene.bodies[index].name);
    this.bodies.select(body >= 0 ? body : null, ghost, look);
    this.joints.select(chosen, color);
    this.springs.select(chosen);
    for (const item of this.deforming) item.select(chosen, color);
  }

  get pickable(): Object3D[] {
    const { scene } = this.state;
    return [
      ...this.bodies.meshes.filter((mesh) => mesh.visible),
      ...(scene.joints ? this.joints.pickable : []),
      ...(scene.springs ? this.springs.pickable : []),
      ...this.deforming.flatMap((item) => item.pickable),
    ];
  }

  /** What a ray has hit. */
  meaning(object: Object3D, instance: number | undefined): Entity | null {
    if (object.userData.entity) return object.userData.entity as Entity;
    if (typeof object.userData.body === "number") {
      const name = this.scene.bodies[object.userData.body]?.name;
      return this.state.entities.find((e) => e.kind === "body" && e.name === name) ?? null;
    }
    return (object as Instances).means?.[instance ?? -1] ?? null;
  }

  /** Where to put the name of something; false if this run does not have it. */
  labelPoint(entity: Entity, out: Vector3): boolean {
    const { scene, motion } = this;
    if (entity.kind === "body") {
      const index = scene.bodies.findIndex((b) => b.name === entity.name);
      if (index < 0) return false;
      motion.point(index, middle(scene.bodies[index]), out);
    } else if (entity.kind === "joint") {
      const joint = scene.joints?.find((j) => j.name === entity.name);
      if (!joint) return false;
      motion.anchor(joint.symbol === "slider" ? joint.b : joint.a, out);
    } else if (entity.kind === "spring") {
      const spring = scene.springs?.find((s) => s.name === entity.name);
      if (!spring) return false;
      const other = motion.anchor(spring.b, new Vector3());
      motion.anchor(spring.a, out).lerp(other, 0.5);
    } else {
      const index = (scene.deforming ?? []).findIndex((d) => d.name === entity.name);
      const nodes = scene.deforming?.[index]?.nodes;
      if (!nodes || nodes.length === 0) return false;
      const node = this.run.vector(nodes[nodes.length >> 1]);
      const { frame, fraction } = motion;
      out.set(node.x.between(frame, fraction), node.y.between(frame, fraction), node.z.between(frame, fraction));
    }
    out.z += this.front;
    return true;
  }
}

/** The middle of what is seen of a body: its points if it has several, else its centre of mass. */
function middle(body: SceneJson["bodies"][number]): [number, number, number] {
  const points = body.points ?? [];
  if (points.length < 2) return body.center ?? [0, 0, 0];
  const sum: [number, number, number] = [0, 0, 0];
  for (const { at } of points) for (let i = 0; i < 3; ++i) sum[i] += at[i] / points.length;
  return sum;
}
