// Symbols of joints and springs, of size 1, with the joint's axis along z.

import {
  BoxGeometry,
  BufferGeometry,
  CatmullRomCurve3,
  ConeGeometry,
  CylinderGeometry,
  Curve,
  Matrix4,
  OctahedronGeometry,
  Path,
  Shape as Outline,
  SphereGeometry,
  TorusGeometry,
  TubeGeometry,
  Vector3,
} from "three";
import type { JointSymbol } from "../contract";
import { extrude, merge, paint } from "./geometry";

export const STEEL = "#5d6875";
export const LIGHT_STEEL = "#d9dee4";
export const GROUND = "#8d96a1";
const MOTOR = "#c0504d";
const SPRING = "#7d8a99";

/** How finely round things are cut up: coarser where there are many of them. */
let fineness = 1;
const cut = (segments: number): number => Math.max(6, Math.round(segments * fineness));

function rod(
  radius: number,
  length: number,
  color: string,
  axis: "x" | "y" | "z" = "z",
  segments = 28,
): BufferGeometry {
  const geometry = new CylinderGeometry(radius, radius, length, cut(segments));
  if (axis === "z") geometry.rotateX(Math.PI / 2);
  if (axis === "x") geometry.rotateZ(Math.PI / 2);
  return paint(geometry, color);
}

function ball(radius: number, color: string): BufferGeometry {
  return paint(new SphereGeometry(radius, cut(28), cut(18)), color);
}

function box(x: number, y: number, z: number, color: string, at: [number, number, number] = [0, 0, 0]): BufferGeometry {
  return paint(new BoxGeometry(x, y, z).translate(...at), color);
}

function all(...parts: BufferGeometry[]): BufferGeometry {
  return merge(parts) as BufferGeometry;
}

function pin(): BufferGeometry {
  return all(rod(0.62, 1, STEEL), rod(0.36, 1.12, LIGHT_STEEL));
}

function gear(): BufferGeometry {
  const teeth = 14;
  const outline = new Outline();
  for (let i = 0; i < teeth; ++i) {
    const from = (2 * Math.PI * i) / teeth;
    const step = (2 * Math.PI) / teeth;
    for (const [part, radius] of [
      [0, 1.15],
      [0.22, 1.5],
      [0.5, 1.5],
      [0.72, 1.15],
    ]) {
      const angle = from + part * step;
      const [x, y] = [radius * Math.cos(angle), radius * Math.sin(angle)];
      if (i === 0 && part === 0) outline.moveTo(x, y);
      else outline.lineTo(x, y);
    }
  }
  outline.closePath();
  outline.holes.push(new Path().absarc(0, 0, 0.5, 0, 2 * Math.PI, true));
  return paint(extrude(outline, 0.6, 0), STEEL);
}

/** An arrow turning about the axis: a motor prescribes this motion. */
function driver(): BufferGeometry {
  const arc = new TorusGeometry(1.5, 0.13, cut(10), cut(48), 1.6 * Math.PI).rotateZ(-0.3 * Math.PI);
  const end = 1.3 * Math.PI;
  const head = new ConeGeometry(0.42, 0.95, 20);
  head.translate(0, 0.3, 0).applyMatrix4(new Matrix4().makeRotationZ(end));
  head.translate(1.5 * Math.cos(end), 1.5 * Math.sin(end), 0);
  return all(paint(arc, MOTOR), paint(head, MOTOR));
}

function ringed(): BufferGeometry[] {
  return [-0.9, -0.45, 0, 0.45, 0.9].map((z) =>
    paint(new TorusGeometry(0.62, 0.12, cut(8), cut(28)).translate(0, 0, z), STEEL),
  );
}

export function jointGeometry(symbol: JointSymbol, planar: boolean, fine: boolean): BufferGeometry {
  fineness = fine ? 1 : 0.45;
  const geometry = shapeOf(symbol, planar);
  fineness = 1;
  return geometry;
}

function shapeOf(symbol: JointSymbol, planar: boolean): BufferGeometry {
  switch (symbol) {
    case "pin":
      return planar ? pin() : all(rod(0.62, 2.3, STEEL), rod(0.36, 2.6, LIGHT_STEEL), rod(0.95, 1.1, STEEL));
    case "slider":
      // Sleeve: long along the axis of motion.
      return planar ? box(1.5, 1.0, 2.6, "#ffffff") : box(1.9, 1.9, 2.8, "#ffffff");
    case "ball":
      return all(ball(0.85, LIGHT_STEEL), paint(new TorusGeometry(0.85, 0.2, cut(12), cut(36)), STEEL));
    case "fixed":
      return box(1.3, 1.3, 1.3, STEEL);
    case "cylinder":
      return all(rod(0.95, 2.2, STEEL), rod(0.5, 3.4, LIGHT_STEEL));
    case "screw":
      return all(rod(0.5, 3.2, LIGHT_STEEL), ...ringed());
    case "universal":
      return all(rod(0.32, 2.4, STEEL, "x"), rod(0.32, 2.4, STEEL, "y"), ball(0.6, LIGHT_STEEL));
    case "gear":
      return gear();
    case "rolling":
      return all(paint(new TorusGeometry(0.8, 0.18, cut(10), cut(32)), STEEL), ball(0.3, LIGHT_STEEL));
    case "distance":
      return ball(0.7, STEEL);
    case "driver":
      return driver();
    case "other":
      return paint(new OctahedronGeometry(0.9), STEEL);
  }
}

/** Unit rod from z = 0 to 1, for distance joints and segments of deforming bodies. */
export function unitRod(color: string): BufferGeometry {
  return rod(1, 1, color, "z", 16).translate(0, 0, 0.5);
}

/** Bracket that carries a joint on the ground; origin in the joint, up along y. */
export function bracket(planar: boolean): BufferGeometry {
  if (!planar) {
    const foot = new CylinderGeometry(0.75, 1.7, 1.9, 32).translate(0, -1.35, 0);
    const plate = new CylinderGeometry(2.1, 2.1, 0.35, 40).translate(0, -2.45, 0);
    return all(paint(foot, GROUND), paint(plate, GROUND));
  }
  const outline = new Outline();
  const radius = 1.1;
  const slope = 0.42;
  outline.absarc(0, 0, radius, -slope, Math.PI + slope, false);
  outline.lineTo(-2, -2.6);
  outline.lineTo(2, -2.6);
  outline.closePath();
  const parts = [paint(extrude(outline, 0.5, 0), "#aab2bc"), box(5, 0.3, 0.6, GROUND, [0, -2.75, 0])];
  parts.push(...hatch(-2.5, 2.5, -2.9));
  return all(...parts);
}

/** Slanted strokes below a line: what is fixed to the world. */
export function hatch(from: number, to: number, y: number, step = 0.72, direction: 1 | -1 = -1): BufferGeometry[] {
  const strokes: BufferGeometry[] = [];
  const count = Math.max(Math.floor((to - from) / step), 1);
  for (let i = 0; i < count; ++i) {
    const stroke = new BoxGeometry(0.95, 0.1, 0.12).rotateZ((direction < 0 ? 1 : -1) * Math.PI * 0.25);
    stroke.translate(from + (i + 0.42) * ((to - from) / count), y + direction * 0.32, 0);
    strokes.push(paint(stroke, GROUND));
  }
  return strokes;
}

/** Helix along z of the given radius and length with straight ends; later stretched a little as the spring changes. */
export function coil(radius: number, length: number): BufferGeometry {
  const turns = Math.min(Math.max(Math.round(length / (radius * 0.9)), 5), 14);
  const lead = 0.1; // part of the length at either end without turns
  class Helix extends Curve<Vector3> {
    constructor() {
      super();
    }
    override getPoint(t: number, out = new Vector3()): Vector3 {
      const inside = Math.min(Math.max((t - lead) / (1 - 2 * lead), 0), 1);
      const grow = radius * Math.min(inside * turns * 2, (1 - inside) * turns * 2, 1);
      const angle = 2 * Math.PI * turns * inside;
      return out.set(grow * Math.cos(angle), grow * Math.sin(angle), t * length);
    }
  }
  return paint(new TubeGeometry(new Helix(), turns * 20, 0.15 * radius, 6, false), SPRING);
}

/** Flat spiral about z. */
export function spiral(): BufferGeometry {
  const points: Vector3[] = [];
  for (let i = 0; i <= 90; ++i) {
    const angle = (i / 90) * 2 * Math.PI * 3.2;
    const radius = 0.7 + (1.9 * i) / 90;
    points.push(new Vector3(radius * Math.cos(angle), radius * Math.sin(angle), 0));
  }
  return paint(new TubeGeometry(new CatmullRomCurve3(points), 200, 0.11, 6, false), SPRING);
}

export function bushing(): BufferGeometry {
  return all(paint(new TorusGeometry(0.95, 0.5, cut(16), cut(40)), "#4a4f57"), rod(0.42, 1.7, LIGHT_STEEL));
}

export function tyre(): BufferGeometry {
  return all(paint(new TorusGeometry(1.1, 0.32, cut(14), cut(40)), "#3c4148"));
}

/** Shaft from z = 0 to 1 (stretched) and head with its tip in the origin (not stretched). */
export function arrowShaft(): BufferGeometry {
  return paint(new CylinderGeometry(1, 1, 1, 12, 1, true).rotateX(Math.PI / 2).translate(0, 0, 0.5), "#ffffff");
}
export function arrowHead(): BufferGeometry {
  return paint(new ConeGeometry(1, 2.6, 20).rotateX(Math.PI / 2).translate(0, 0, -1.3), "#ffffff");
}
