// Where every body of a run is at the current time, computed once and read by everything that is drawn.

import { Matrix4, Quaternion, Vector3 } from "three";
import type { Anchor, Vec3 } from "../contract";
import type { Run } from "../run";

const ONE = new Vector3(1, 1, 1);
const GROUND = new Matrix4();

export class Motion {
  readonly matrices: Matrix4[];
  private readonly tracks;
  private readonly place = new Float64Array(2);
  private readonly position = new Vector3();
  private readonly rotation = new Quaternion();

  constructor(readonly run: Run) {
    const bodies = run.scene?.bodies ?? [];
    this.tracks = bodies.map((body) => run.poses[body.pose]);
    this.matrices = bodies.map(() => new Matrix4());
  }

  get frame(): number {
    return this.place[0];
  }
  get fraction(): number {
    return this.place[1];
  }

  moveTo(t: number): void {
    this.run.locate(t, this.place);
    for (let b = 0; b < this.matrices.length; ++b) this.compose(b, this.place[0], this.place[1], this.matrices[b]);
  }

  /** Pose between frames: linear, the quaternion normalised again. */
  compose(body: number, frame: number, fraction: number, out: Matrix4): Matrix4 {
    const p = this.tracks[body];
    if (!p) return out.identity();
    this.position.set(p.x.between(frame, fraction), p.y.between(frame, fraction), p.z.between(frame, fraction));
    this.rotation
      .set(
        p.i.between(frame, fraction),
        p.j.between(frame, fraction),
        p.k.between(frame, fraction),
        p.w.between(frame, fraction),
      )
      .normalize();
    return out.compose(this.position, this.rotation, ONE);
  }

  /** Pose of a body now; of the ground for −1. */
  matrix(body: number): Matrix4 {
    return body >= 0 ? (this.matrices[body] ?? GROUND) : GROUND;
  }

  point(body: number, at: Vec3, out: Vector3): Vector3 {
    return out.set(at[0], at[1], at[2]).applyMatrix4(this.matrix(body));
  }

  anchor(anchor: Anchor, out: Vector3): Vector3 {
    return this.point(anchor.body, anchor.at, out);
  }
}
