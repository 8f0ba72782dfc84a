// How much room a run takes: bounds of what is drawn over the whole motion.

import { Box3, BufferGeometry, Matrix4, Vector3 } from "three";
import type { SceneJson } from "../contract";
import type { Bodies } from "./bodies";
import type { Motion } from "./motion";

const SAMPLES = 120; // frames looked at

/** Farthest points of a geometry in 26 directions: enough for the box around it however it turns. */
export function farthestPoints(geometry: BufferGeometry): Vector3[] {
  const position = geometry.getAttribute("position");
  const found = new Set<number>();
  for (let d = 0; d < 27; ++d) {
    const [x, y, z] = [(d % 3) - 1, (Math.floor(d / 3) % 3) - 1, Math.floor(d / 9) - 1];
    let [best, most] = [-1, -Infinity];
    for (let i = 0; i < position.count; ++i) {
      const along = x * position.getX(i) + y * position.getY(i) + z * position.getZ(i);
      if (along > most) [best, most] = [i, along];
    }
    if (best >= 0) found.add(best);
  }
  return [...found].map((i) => new Vector3().fromBufferAttribute(position, i));
}

export function motionBounds(scene: SceneJson, motion: Motion, bodies: Bodies): Box3 {
  const box = new Box3();
  const at = new Vector3();
  const matrix = new Matrix4();
  const frames = motion.run.frames.length;
  const samples = Math.min(frames, SAMPLES);
  const frameOf = (i: number): number => (samples > 1 ? Math.round((i * (frames - 1)) / (samples - 1)) : 0);
  bodies.farthest.forEach((points, index) => {
    const body = bodies.owners[index];
    for (let i = 0; i < (body < 0 ? 1 : samples); ++i) {
      if (body < 0) matrix.identity();
      else motion.compose(body, frameOf(i), 0, matrix);
      for (const point of points) {
        at.copy(point).applyMatrix4(matrix);
        if (Number.isFinite(at.x + at.y + at.z)) box.expandByPoint(at);
      }
    }
  });
  for (const item of scene.deforming ?? []) {
    for (const node of item.nodes) {
      const tracks = motion.run.vector(node);
      for (let i = 0; i < samples; ++i) {
        const frame = frameOf(i);
        box.expandByPoint(at.set(tracks.x.at(frame), tracks.y.at(frame), tracks.z.at(frame)));
      }
    }
  }
  for (const { a, b } of [...(scene.joints ?? []), ...(scene.springs ?? [])]) {
    for (const anchor of [a, b]) if (anchor.body < 0) box.expandByPoint(at.set(...anchor.at));
  }
  if (box.isEmpty()) box.set(new Vector3(...scene.bounds[0]), new Vector3(...scene.bounds[1]));
  return box;
}
