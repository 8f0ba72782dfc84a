// Body frames: x red, y green, z blue, from the origin of the frame; a dot in the centre of mass.

import { Color, Group, MeshStandardMaterial, Vector3 } from "three";
import type { SceneJson } from "../contract";
import { Instances } from "./instances";
import type { Motion } from "./motion";
import { unitRod } from "./symbols";
import { paint } from "./geometry";
import { SphereGeometry } from "three";

const COLORS = [new Color("#d1495b"), new Color("#2e9e5b"), new Color("#3b76c4")];

export class Frames {
  readonly group = new Group();
  private readonly axes: Instances;
  private readonly centers: Instances;
  private readonly origin = new Vector3();
  private readonly axis = new Vector3();
  private readonly scale = new Vector3();
  private readonly dot = new Vector3();

  constructor(
    private readonly scene: SceneJson,
    private readonly unit: number,
    private readonly lift: number,
  ) {
    const count = scene.bodies.length;
    const material = new MeshStandardMaterial({ roughness: 0.6, vertexColors: true });
    this.axes = new Instances(unitRod("#ffffff"), material, 3 * count);
    for (let i = 0; i < 3 * count; ++i) this.axes.tint(i, COLORS[i % 3]);
    this.centers = new Instances(paint(new SphereGeometry(1, 20, 14), "#20262e"), material, count);
    this.group.add(this.axes, this.centers);
    this.group.visible = false;
  }

  update(motion: Motion): void {
    const { unit, scale, dot } = this;
    scale.set(0.16 * unit, 0.16 * unit, 5 * unit);
    dot.setScalar(0.4 * unit);
    this.scene.bodies.forEach((body, b) => {
      const matrix = motion.matrix(b);
      this.origin.setFromMatrixPosition(matrix);
      this.origin.z += this.lift;
      for (let i = 0; i < 3; ++i)
        this.axes.aim(3 * b + i, this.origin, this.axis.setFromMatrixColumn(matrix, i), scale);
      motion.point(b, body.center ?? [0, 0, 0], this.origin);
      this.origin.z += this.lift;
      this.centers.aim(b, this.origin, this.axis, dot);
    });
    this.axes.finish();
    this.centers.finish();
  }
}
