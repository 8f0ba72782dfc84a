// Few materials, shared: matt, as painted or anodised parts.

import { Color, LineBasicMaterial, Material, MeshStandardMaterial } from "three";

export type Look = "solid" | "ghost";

/** Materials of one run; a ghost is transparent in the colour of its run. */
export class Materials {
  readonly body: MeshStandardMaterial;
  readonly selected: MeshStandardMaterial;
  readonly clear: MeshStandardMaterial; // of bodies one wants to look through
  readonly symbol: MeshStandardMaterial;
  readonly selectedSymbol: MeshStandardMaterial;
  readonly edge: LineBasicMaterial;
  readonly selectedEdge: LineBasicMaterial;
  private readonly tint: Color;

  constructor(tint: string) {
    this.tint = new Color(tint);
    const matt = { roughness: 0.62, metalness: 0.05 };
    this.body = new MeshStandardMaterial({ ...matt, vertexColors: true });
    this.selected = new MeshStandardMaterial({ ...matt, vertexColors: true });
    this.clear = new MeshStandardMaterial({ ...matt, vertexColors: true });
    this.symbol = new MeshStandardMaterial({ roughness: 0.45, metalness: 0.25, vertexColors: true });
    this.selectedSymbol = this.symbol.clone();
    this.edge = new LineBasicMaterial({ transparent: true });
    this.selectedEdge = new LineBasicMaterial();
    // Edges of a body are drawn on its faces: push the faces back a little.
    for (const material of [this.body, this.selected, this.symbol]) material.polygonOffset = true;
  }

  apply(look: Look, dark: boolean, accent: string): void {
    const ghost = look === "ghost";
    for (const material of [this.body, this.symbol] as MeshStandardMaterial[]) {
      material.vertexColors = !ghost;
      material.color.set(ghost ? this.tint : 0xffffff);
      this.fade(material, ghost ? 0.3 : 1);
    }
    this.clear.vertexColors = !ghost;
    this.clear.color.set(ghost ? this.tint : 0xffffff);
    this.fade(this.clear, ghost ? 0.12 : 0.22);
    // Where a ghost coincides with a solid run it stays behind it.
    for (const material of [this.body, this.selected, this.symbol]) {
      material.polygonOffsetFactor = ghost ? 4 : material === this.symbol ? 0 : 1;
      material.polygonOffsetUnits = ghost ? 8 : material === this.symbol ? 0 : 1;
    }
    this.edge.color.set(ghost ? this.tint : dark ? 0x05070a : 0x18212c);
    this.edge.opacity = ghost ? 0.5 : dark ? 0.75 : 0.55;
    this.selected.emissive.set(accent).multiplyScalar(dark ? 0.3 : 0.22);
    this.selectedSymbol.emissive.set(accent).multiplyScalar(0.7);
    this.selectedEdge.color.set(accent);
  }

  private fade(material: Material, opacity: number): void {
    const transparent = opacity < 1;
    material.opacity = opacity;
    material.depthWrite = !transparent;
    if (material.transparent !== transparent) material.transparent = transparent;
    material.needsUpdate = true;
  }
}
