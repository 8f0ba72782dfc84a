// Springs and other forces: coils that stretch, spirals, bushings, tyres, lines of action.

import { BufferGeometry, Group, Matrix4, Mesh, Quaternion, Vector3 } from "three";
import type { SceneJson, SpringJson } from "../contract";
import type { Entity } from "../state";
import type { Materials } from "./materials";
import type { Motion } from "./motion";
import { bushing, coil, spiral, tyre, unitRod } from "./symbols";

const Z = new Vector3(0, 0, 1);

interface Item {
  spring: SpringJson;
  mesh: Mesh;
  entity: Entity;
  rest: number; // length of the geometry, m; 0 if it is not stretched
  base: Quaternion;
}

export class Springs {
  readonly group = new Group();
  readonly pickable: Mesh[] = []; // userData.entity
  private readonly items: Item[] = [];
  private readonly a = new Vector3();
  private readonly b = new Vector3();
  private readonly turn = new Quaternion();
  private readonly scale = new Vector3();

  constructor(
    scene: SceneJson,
    entities: Entity[],
    motion: Motion,
    private readonly unit: number,
    private readonly materials: Materials,
  ) {
    for (const spring of scene.springs ?? []) {
      const entity = entities.find((e) => e.kind === "spring" && e.name === spring.name) as Entity;
      const { geometry, rest } = this.shape(spring, motion);
      const mesh = new Mesh(geometry, materials.symbol);
      mesh.matrixAutoUpdate = false;
      mesh.castShadow = true;
      mesh.userData.entity = entity;
      const base = new Quaternion();
      const axis = new Vector3(...(spring.axis ?? [0, 0, 1]));
      if (axis.lengthSq() > 0) base.setFromUnitVectors(Z, axis.normalize());
      this.items.push({ spring, mesh, entity, rest, base });
      this.pickable.push(mesh);
      this.group.add(mesh);
    }
  }

  update(motion: Motion): void {
    for (const { spring, mesh, rest, base } of this.items) {
      motion.anchor(spring.a, this.a);
      if (rest > 0) {
        motion.anchor(spring.b, this.b).sub(this.a);
        const length = this.b.length();
        if (length > 0) this.turn.setFromUnitVectors(Z, this.b.divideScalar(length));
        this.scale.set(1, 1, Math.max(length / rest, 1e-6));
      } else {
        this.turn.setFromRotationMatrix(motion.matrix(spring.a.body)).multiply(base);
        this.scale.setScalar(this.unit);
      }
      mesh.matrix.compose(this.a, this.turn, this.scale);
      mesh.matrixWorldNeedsUpdate = true;
    }
  }

  select(entity: Entity | null): void {
    for (const { mesh, entity: own } of this.items) {
      mesh.material = own === entity ? this.materials.selectedSymbol : this.materials.symbol;
    }
  }

  private shape(spring: SpringJson, motion: Motion): { geometry: BufferGeometry; rest: number } {
    switch (spring.symbol) {
      case "none":
        return { geometry: new BufferGeometry(), rest: 0 };
      case "torsion":
        return { geometry: spiral(), rest: 0 };
      case "bushing":
        return { geometry: bushing(), rest: 0 };
      case "tyre":
        return { geometry: tyre(), rest: 0 };
      case "force": {
        const length = meanLength(spring, motion);
        if (length === 0) return { geometry: bushing(), rest: 0 };
        return { geometry: unitRod("#b58a3c").scale(0.22 * this.unit, 0.22 * this.unit, length), rest: length };
      }
      case "coil": {
        const length = meanLength(spring, motion) || this.unit;
        return { geometry: coil(Math.min(1.5 * this.unit, 0.25 * length), length), rest: length };
      }
    }
  }
}

function meanLength(spring: SpringJson, motion: Motion): number {
  const frames = motion.run.frames.length;
  const matrix = new Matrix4();
  const [a, b] = [new Vector3(), new Vector3()];
  let sum = 0;
  const samples = 25;
  for (let i = 0; i < samples; ++i) {
    const frame = Math.floor((i * (frames - 1)) / (samples - 1));
    const locate = (anchor: SpringJson["a"], out: Vector3): Vector3 => {
      if (anchor.body >= 0) motion.compose(anchor.body, frame, 0, matrix);
      else matrix.identity();
      return out.set(...anchor.at).applyMatrix4(matrix);
    };
    sum += locate(spring.a, a).distanceTo(locate(spring.b, b));
  }
  return sum / samples;
}
