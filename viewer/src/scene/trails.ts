// Paths of chosen points: the whole path faintly, the part behind the point strongly.

import { Group, Matrix4, Vector3 } from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { bodyColor } from "../palette";
import type { TrailPoint } from "../state";
import type { Motion } from "./motion";

const MAX_POINTS = 5000;
const SMOOTH = 720; // segments at least: between frames that are far apart the path is that of the turning body, no chord

interface Trail {
  past: Line2;
  geometry: LineGeometry;
  samples: number;
}

export class Trails {
  readonly group = new Group();
  private trails: Trail[] = [];
  private readonly order: number;

  constructor(
    private readonly motion: Motion,
    private readonly lift: number,
    private readonly tint: string | null,
  ) {
    // The first run's trails lie on top of the others'.
    this.order = 2 + 1 / (1 + motion.run.index);
  }

  set(points: TrailPoint[]): void {
    for (const child of [...this.group.children]) {
      this.group.remove(child);
      const line = child as Line2;
      line.geometry.dispose();
      line.material.dispose();
    }
    this.trails = points.map((point) => this.add(point));
    this.update();
  }

  update(): void {
    const last = this.motion.run.frames.length - 1;
    const progress = last > 0 ? (this.motion.frame + this.motion.fraction) / last : 0;
    for (const { past, geometry, samples } of this.trails) {
      const segments = Math.round(progress * (samples - 1));
      past.visible = segments > 0;
      geometry.instanceCount = segments;
    }
  }

  private add(point: TrailPoint): Trail {
    const frames = this.motion.run.frames.length;
    const between = frames > 1 ? Math.ceil(SMOOTH / (frames - 1)) : 1;
    const samples = Math.min((frames - 1) * between + 1, MAX_POINTS);
    const positions = new Float32Array(samples * 3);
    const matrix = new Matrix4();
    const at = new Vector3();
    for (let i = 0; i < samples; ++i) {
      const frame = samples > 1 ? (i * (frames - 1)) / (samples - 1) : 0;
      const whole = Math.floor(frame);
      this.motion.compose(point.body, whole, frame - whole, matrix);
      at.set(...point.at).applyMatrix4(matrix);
      positions.set([at.x, at.y, at.z + this.lift], 3 * i);
    }
    const color = this.tint ?? bodyColor(point.body);
    const whole = this.line(positions, color, 1.2, 0.28);
    const past = this.line(positions, color, 2.4, 0.95);
    this.group.add(whole, past);
    return { past, geometry: past.geometry as LineGeometry, samples };
  }

  private line(positions: Float32Array, color: string, width: number, opacity: number): Line2 {
    const geometry = new LineGeometry();
    geometry.setPositions(positions);
    const material = new LineMaterial({ color, linewidth: width, transparent: true, opacity, depthWrite: false });
    const line = new Line2(geometry, material);
    line.frustumCulled = false;
    line.renderOrder = this.order;
    return line;
  }
}
