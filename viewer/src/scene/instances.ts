// Many copies of one symbol in a single draw call.

import { BufferGeometry, Color, DynamicDrawUsage, InstancedMesh, Material, Matrix4, Quaternion, Vector3 } from "three";
import type { Entity } from "../state";

const Z = new Vector3(0, 0, 1);

export class Instances extends InstancedMesh {
  /** What the i-th copy stands for, for picking; empty if it stands for nothing. */
  readonly means: Entity[] = [];
  private readonly scratch = new Matrix4();
  private readonly turn = new Quaternion();
  private readonly direction = new Vector3();

  constructor(geometry: BufferGeometry, material: Material, count: number) {
    super(geometry, material, count);
    this.instanceMatrix.setUsage(DynamicDrawUsage);
    this.frustumCulled = false; // its copies are everywhere; a bound would have to follow them
    this.matrixAutoUpdate = false;
    this.castShadow = true;
  }

  put(index: number, position: Vector3, rotation: Quaternion, scale: Vector3): void {
    this.setMatrixAt(index, this.scratch.compose(position, rotation, scale));
  }

  /** The copy's z axis along a direction. */
  aim(index: number, position: Vector3, direction: Vector3, scale: Vector3): void {
    const length = this.direction.copy(direction).length();
    if (length > 0) this.turn.setFromUnitVectors(Z, this.direction.divideScalar(length));
    else this.turn.identity();
    this.put(index, position, this.turn, scale);
  }

  finish(): void {
    this.instanceMatrix.needsUpdate = true;
    this.boundingSphere = null; // computed again when something is picked
  }

  tint(index: number, color: Color): void {
    this.setColorAt(index, color);
    if (this.instanceColor) this.instanceColor.needsUpdate = true;
  }
}
