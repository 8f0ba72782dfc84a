// Shapes of the model as triangles in the frame of their body.

import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  Color,
  CylinderGeometry,
  ExtrudeGeometry,
  Matrix4,
  Path,
  Quaternion,
  Shape as Outline,
  SphereGeometry,
  Vector2,
  Vector3,
} from "three";
import { mergeGeometries, toCreasedNormals } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { Quat, Shape, Vec3 } from "../contract";
import type { Archive } from "../data";

const Y = new Vector3(0, 1, 0);

export interface ShapeContext {
  archive: Archive;
  planar: boolean;
  layer: number; // z offset of derived shapes in planar scenes, m
  unit: number; // size of a joint symbol, m
  thinnest: number; // radius below which derived links would hardly be seen, m
  fine: boolean; // few bodies: round things in many facets
}

/** One geometry with colours for all shapes of a body; null if it has none. */
export function bodyGeometry(shapes: Shape[], color: string, context: ShapeContext): BufferGeometry | null {
  const parts = shapes.map((shape) => paint(shapeGeometry(shape, context), shape.color ?? color));
  return merge(parts);
}

export function merge(parts: BufferGeometry[]): BufferGeometry | null {
  if (parts.length === 0) return null;
  const plain = parts.map((part) => {
    const geometry = part.index ? part.toNonIndexed() : part;
    for (const name of Object.keys(geometry.attributes)) {
      if (name !== "position" && name !== "normal" && name !== "color") geometry.deleteAttribute(name);
    }
    return geometry;
  });
  return mergeGeometries(plain);
}

export function paint(geometry: BufferGeometry, color: string): BufferGeometry {
  const { r, g, b } = new Color(color);
  const count = geometry.getAttribute("position").count;
  const colors = new Float32Array(count * 3);
  for (let i = 0; i < count; ++i) colors.set([r, g, b], 3 * i);
  geometry.setAttribute("color", new BufferAttribute(colors, 3));
  return geometry;
}

function shapeGeometry(shape: Shape, context: ShapeContext): BufferGeometry {
  const flat = context.planar && shape.derived === true;
  const facets = context.fine ? 40 : 16;
  if (shape.derived && (shape.type === "line" || shape.type === "capsule") && shape.radius < context.thinnest) {
    shape = { ...shape, radius: context.thinnest };
  }
  switch (shape.type) {
    case "box":
      return place(new BoxGeometry(...shape.size), shape.position, shape.orientation, flat ? context.layer : 0);
    case "sphere":
      if (flat) return plate([shape.position ?? [0, 0, 0]], shape.radius, context);
      return place(new SphereGeometry(shape.radius, facets, facets >> 1), shape.position);
    case "cylinder":
      return along(shape.from, shape.to, (length) => new CylinderGeometry(shape.radius, shape.radius, length, facets));
    case "capsule":
      if (flat) return plate([shape.from, shape.to], shape.radius, context);
      return along(shape.from, shape.to, (length) => new CapsuleGeometry(shape.radius, length, facets >> 2, facets));
    case "line":
      if (flat) return plate(shape.points, shape.radius, context);
      return tube(shape.points, shape.radius, facets >> 1);
    case "polygon":
      return polygon(shape, context);
    case "mesh": {
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new BufferAttribute(context.archive.floats(shape.vertices), 3));
      geometry.setIndex(new BufferAttribute(context.archive.indices(shape.triangles), 1));
      const scale = shape.scale ?? 1;
      if (typeof scale === "number") geometry.scale(scale, scale, scale);
      else geometry.scale(...scale);
      const faces = shape.triangles.n / 3;
      let smooth: BufferGeometry;
      if (faces < 20_000) smooth = toCreasedNormals(geometry, 0.6);
      else (smooth = geometry.toNonIndexed()).computeVertexNormals();
      return place(smooth, shape.position, shape.orientation);
    }
  }
}

function place(geometry: BufferGeometry, position?: Vec3, orientation?: Quat, lift = 0): BufferGeometry {
  const at = new Vector3(...(position ?? [0, 0, 0]));
  at.z += lift;
  const [w, x, y, z] = orientation ?? [1, 0, 0, 0];
  return geometry.applyMatrix4(new Matrix4().compose(at, new Quaternion(x, y, z, w).normalize(), new Vector3(1, 1, 1)));
}

function along(from: Vec3, to: Vec3, make: (length: number) => BufferGeometry): BufferGeometry {
  const start = new Vector3(...from);
  const span = new Vector3(...to).sub(start);
  const length = span.length();
  const turn = new Quaternion().setFromUnitVectors(Y, length > 0 ? span.clone().normalize() : Y);
  const middle = start.addScaledVector(span, 0.5);
  return make(length).applyMatrix4(new Matrix4().compose(middle, turn, new Vector3(1, 1, 1)));
}

function tube(points: Vec3[], radius: number, facets: number): BufferGeometry {
  const parts: BufferGeometry[] = [];
  for (let i = 0; i + 1 < points.length; ++i) {
    parts.push(along(points[i], points[i + 1], (length) => new CapsuleGeometry(radius, length, facets >> 2, facets)));
  }
  if (points.length === 1) parts.push(place(new SphereGeometry(radius, 2 * facets, facets), points[0]));
  return merge(parts) ?? new BufferGeometry();
}

/** A flat link with round ends through the points, as planar mechanisms are drawn. */
function plate(points: Vec3[], radius: number, context: ShapeContext): BufferGeometry {
  const parts: BufferGeometry[] = [];
  const thickness = context.unit * 0.6;
  for (let i = 0; i < Math.max(points.length - 1, 1); ++i) {
    const a = points[i];
    const b = points[Math.min(i + 1, points.length - 1)];
    const angle = Math.atan2(b[1] - a[1], b[0] - a[0]);
    const outline = new Outline();
    outline.absarc(a[0], a[1], radius, angle + Math.PI / 2, angle + 1.5 * Math.PI, false);
    outline.absarc(b[0], b[1], radius, angle - Math.PI / 2, angle + Math.PI / 2, false);
    outline.closePath();
    parts.push(extrude(outline, thickness, a[2] + context.layer));
  }
  return merge(parts) ?? new BufferGeometry();
}

export function extrude(outline: Outline, thickness: number, z: number): BufferGeometry {
  const geometry = new ExtrudeGeometry(outline, { depth: thickness, bevelEnabled: false, curveSegments: 20 });
  return geometry.translate(0, 0, z - thickness / 2);
}

function polygon(shape: Extract<Shape, { type: "polygon" }>, context: ShapeContext): BufferGeometry {
  const points = shape.points.map(([x, y]) => new Vector2(x, y));
  const flat = context.planar && shape.z === undefined;
  const thickness = flat && shape.derived ? context.unit * 0.6 : shape.thickness;
  const outline = shape.derived && points.length > 2 ? rounded(points, context.unit * 1.15) : new Outline(points);
  return extrude(outline, thickness || context.unit * 0.6, (shape.z ?? 0) + (flat ? context.layer : 0));
}

/** The polygon grown by a radius, with round corners: its corners are where the joints are. Convex ones only. */
function rounded(points: Vector2[], radius: number): Outline {
  const area = points.reduce((sum, p, i) => sum + p.cross(points[(i + 1) % points.length]), 0);
  const ring = area > 0 ? points : [...points].reverse();
  const n = ring.length;
  for (let i = 0; i < n; ++i) {
    const before = ring[i].clone().sub(ring[(i + n - 1) % n]);
    const after = ring[(i + 1) % n].clone().sub(ring[i]);
    if (before.cross(after) < 0) return new Outline(points);
  }
  const outline: Path = new Outline();
  for (let i = 0; i < n; ++i) {
    const before = ring[i].clone().sub(ring[(i + n - 1) % n]);
    const after = ring[(i + 1) % n].clone().sub(ring[i]);
    outline.absarc(ring[i].x, ring[i].y, radius, before.angle() - Math.PI / 2, after.angle() - Math.PI / 2, false);
  }
  outline.closePath();
  return outline as Outline;
}
