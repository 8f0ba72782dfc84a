// Which trail to show before anybody has chosen one: the point that goes round the largest loop.

import { Matrix4, Vector3 } from "three";
import { allPoints } from "../panels/scene-tools";
import type { State, TrailPoint } from "../state";
import { Motion } from "./motion";

const SAMPLES = 48;
const MAX_BODIES = 40; // a cloud of bodies has no such point

export function defaultTrail(state: State): TrailPoint[] {
  const run = state.runs.find((candidate) => candidate.scene);
  if (!run || run.poses.length > MAX_BODIES) return [];
  const motion = new Motion(run);
  const matrix = new Matrix4();
  const at = new Vector3();
  let best: { point: TrailPoint; size: number } | null = null;
  for (const point of allPoints(state.runs)) {
    const [min, max] = [new Vector3(Infinity, Infinity, Infinity), new Vector3(-Infinity, -Infinity, -Infinity)];
    for (let i = 0; i < SAMPLES; ++i) {
      const frame = Math.floor((i * (run.frames.length - 1)) / (SAMPLES - 1));
      at.set(...point.at).applyMatrix4(motion.compose(point.body, frame, 0, matrix));
      min.min(at);
      max.max(at);
    }
    const sides = max
      .sub(min)
      .toArray()
      .sort((a, b) => b - a);
    const size = sides[0] * sides[1]; // a loop encloses something, a line does not
    if (size > 0 && (!best || size > best.size * 1.001)) best = { point, size };
  }
  return best ? [best.point] : [];
}
