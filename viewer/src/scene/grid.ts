// The ground plane: a grid that fades out, with lines every round number of metres, and the shadows on it.

import {
  Color,
  DoubleSide,
  Group,
  Mesh,
  PlaneGeometry,
  Quaternion,
  ShaderMaterial,
  ShadowMaterial,
  Vector3,
} from "three";
import { roundStep } from "../round-step";

const VERTEX = /* glsl */ `
  varying vec2 place;
  uniform vec2 origin;
  void main() {
    place = position.xy + origin;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`;

// Lines as wide as a pixel whatever the distance: fwidth is how much `place` changes from pixel to pixel.
const FRAGMENT = /* glsl */ `
  varying vec2 place;
  uniform vec2 origin;
  uniform float step;
  uniform float reach;
  uniform vec3 color;
  uniform float strength;
  float lines(float pitch, float width) {
    vec2 scaled = place / pitch;
    vec2 change = fwidth(scaled);
    vec2 near = abs(fract(scaled - 0.5) - 0.5) / max(change, 1e-6);
    float dense = 1.0 - smoothstep(0.2, 0.6, max(change.x, change.y));
    return (1.0 - min(min(near.x, near.y) / width, 1.0)) * dense;
  }
  void main() {
    float fade = 1.0 - smoothstep(0.25, 1.0, length(place - origin) / reach);
    float alpha = max(0.35 * lines(step, 1.0), 0.8 * lines(5.0 * step, 1.1));
    vec2 toAxis = abs(place) / max(fwidth(place), vec2(1e-9));
    alpha = max(alpha, 1.0 - min(min(toAxis.x, toAxis.y) / 1.4, 1.0));
    gl_FragColor = vec4(color, alpha * fade * strength);
    #include <colorspace_fragment>
  }`;

export class Grid {
  readonly group = new Group();
  readonly step: number;
  private readonly material: ShaderMaterial;
  private readonly shadow: ShadowMaterial;
  private readonly shadowPlane: Mesh;

  /** A plane with the normal `up` at the height of `center`; x to the right. */
  constructor(center: Vector3, up: Vector3, size: number) {
    this.step = roundStep(size / 14);
    const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), up);
    const inPlane = center.clone().applyQuaternion(turn.clone().invert());
    const reach = 2.2 * size;
    this.material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthWrite: false,
      side: DoubleSide,
      uniforms: {
        step: { value: this.step },
        reach: { value: reach },
        origin: { value: [inPlane.x, inPlane.y] },
        color: { value: new Color() },
        strength: { value: 1 },
      },
    });
    const geometry = new PlaneGeometry(2 * reach, 2 * reach);
    const plane = new Mesh(geometry, this.material);
    plane.renderOrder = -1;
    this.shadow = new ShadowMaterial({ transparent: true, depthWrite: false });
    this.shadowPlane = new Mesh(geometry, this.shadow);
    this.shadowPlane.receiveShadow = true;
    this.shadowPlane.renderOrder = -2;
    for (const mesh of [plane, this.shadowPlane]) {
      mesh.position.copy(center);
      mesh.quaternion.copy(turn);
      this.group.add(mesh);
    }
  }

  apply(dark: boolean): void {
    (this.material.uniforms.color.value as Color).set(dark ? "#7f8ea3" : "#64748b");
    this.material.uniforms.strength.value = dark ? 0.42 : 0.5;
    this.shadow.opacity = dark ? 0.45 : 0.2;
  }

  set shadows(on: boolean) {
    this.shadowPlane.visible = on;
  }
}
