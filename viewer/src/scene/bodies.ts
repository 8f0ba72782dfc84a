// Bodies: one mesh each, with fine edges, so that shapes read clearly from any side.

import { BufferGeometry, EdgesGeometry, Group, LineSegments, Mesh, Vector3 } from "three";
import type { SceneJson } from "../contract";
import { bodyColor } from "../palette";
import type { Run } from "../run";
import type { BodyLook } from "../state";
import { farthestPoints } from "./extent";
import { bodyGeometry } from "./geometry";
import { diagonal, type Layers } from "./layers";
import type { Materials } from "./materials";
import type { Motion } from "./motion";

export const MANY_BODIES = 40;
const MAX_TRIANGLES_WITH_EDGES = 6000;

export class Bodies {
  readonly group = new Group();
  readonly meshes: Mesh[] = []; // userData.body is the index
  private readonly edges: (LineSegments | null)[] = [];
  private casting = true;
  readonly owners: number[] = []; // body of each mesh, −1 for the ground
  readonly farthest: Vector3[][] = []; // of each mesh, in the frame of its body

  constructor(
    run: Run,
    scene: SceneJson,
    layers: Layers,
    unit: number,
    private readonly materials: Materials,
  ) {
    // Chains repeat one shape many times: equal shapes share their triangles.
    const known = new Map<string, { faces: BufferGeometry | null; edges: EdgesGeometry | null; far: Vector3[] }>();
    const fine = scene.bodies.length <= MANY_BODIES;
    const thinnest = 0.0035 * diagonal(scene);
    const ground = scene.ground?.shapes ?? [];
    const all = [...scene.bodies.map((body) => body.shapes ?? []), ground];
    all.forEach((shapes, index) => {
      const isGround = index === scene.bodies.length;
      const color = isGround ? "#8d96a1" : bodyColor(scene.bodies.length > 24 ? index % 2 : index);
      const layer = isGround ? -layers.pitch : layers.of[index] * layers.pitch;
      const key = `${color} ${layer} ${JSON.stringify(shapes)}`;
      let made = known.get(key);
      if (!made) {
        const faces = bodyGeometry(shapes, color, {
          archive: run.archive,
          planar: scene.planar,
          layer,
          unit,
          fine,
          thinnest,
        });
        const light = faces && faces.getAttribute("position").count / 3 <= MAX_TRIANGLES_WITH_EDGES;
        const far = faces ? farthestPoints(faces) : [];
        known.set(key, (made = { faces, far, edges: light ? new EdgesGeometry(faces, 32) : null }));
      }
      if (made.faces) {
        this.add(made.faces, made.edges, isGround ? -1 : index);
        this.farthest.push(made.far);
      }
    });
  }

  private add(faces: BufferGeometry, edges: EdgesGeometry | null, body: number): void {
    const mesh = new Mesh(faces, this.materials.body);
    mesh.matrixAutoUpdate = false;
    mesh.castShadow = true;
    mesh.receiveShadow = true;
    mesh.userData.body = body;
    const lines = edges ? new LineSegments(edges, this.materials.edge) : null;
    if (lines) {
      lines.matrixAutoUpdate = false;
      mesh.add(lines);
    }
    this.meshes.push(mesh);
    this.edges.push(lines);
    this.owners.push(body);
    this.group.add(mesh);
  }

  update(motion: Motion): void {
    for (let i = 0; i < this.meshes.length; ++i) {
      this.meshes[i].matrix.copy(motion.matrix(this.owners[i]));
      this.meshes[i].matrixWorldNeedsUpdate = true;
    }
  }

  /** Edges in the accent, faces too unless they are those of a ghost. */
  select(body: number | null, ghost: boolean, look: (body: number) => BodyLook): void {
    this.meshes.forEach((mesh, i) => {
      const chosen = body !== null && this.owners[i] === body;
      const how = look(this.owners[i]);
      const { clear, selected, body: plain } = this.materials;
      mesh.visible = how !== "hidden";
      mesh.castShadow = this.casting && how === "solid";
      mesh.material = how === "clear" ? clear : chosen && !ghost ? selected : plain;
      const lines = this.edges[i];
      if (lines) lines.material = chosen ? this.materials.selectedEdge : this.materials.edge;
    });
  }

  /** From the lowest to the highest z of a body of a planar scene, which never changes; null if it has no shape. */
  depth(body: number): [number, number] | null {
    const index = this.owners.indexOf(body);
    if (index < 0) return null;
    const heights = this.farthest[index].map((point) => point.z);
    return [Math.min(...heights), Math.max(...heights)];
  }

  /** Before `select`, which knows who is looked through. */
  set shadows(on: boolean) {
    this.casting = on;
  }
}
