// Camera: orbit, pan, zoom, standard views; perspective or parallel projection with the same picture size.

import { Box3, Object3D, OrthographicCamera, PerspectiveCamera, Vector3 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { ViewName } from "../address";

const FIELD = 28; // degrees: long lens, little distortion
const TAN = Math.tan((FIELD * Math.PI) / 360);
const TURN_TIME = 320; // ms

interface Pose {
  target: Vector3;
  direction: Vector3; // from the target to the camera
  height: number; // half height of the picture at the target, m
}

export class CameraRig {
  readonly controls: OrbitControls;
  private readonly perspective = new PerspectiveCamera(FIELD, 1, 0.1, 100);
  private readonly orthographic = new OrthographicCamera(-1, 1, 1, -1, 0.1, 100);
  private active: PerspectiveCamera | OrthographicCamera;
  private aspect = 1;
  private turning: { from: Pose; to: Pose; start: number } | null = null;
  private readonly radius: number;
  private fittedView: ViewName | null = null;

  constructor(
    private readonly up: Vector3,
    private readonly bounds: Box3,
    element: HTMLElement,
    perspective: boolean,
  ) {
    this.radius = Math.max(bounds.getSize(new Vector3()).length() / 2, 1e-9);
    this.active = perspective ? this.perspective : this.orthographic;
    for (const camera of [this.perspective, this.orthographic]) camera.up.copy(up);
    this.controls = new OrbitControls(this.active as unknown as PerspectiveCamera, element);
    this.controls.enableDamping = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.controls.dampingFactor = 0.16;
    this.controls.zoomSpeed = 0.9;
    this.controls.minDistance = this.radius * 0.02;
    this.controls.maxDistance = this.radius * 60;
    this.controls.minZoom = 0.02;
    this.controls.maxZoom = 200;
    this.controls.addEventListener("start", () => {
      this.turning = null;
      this.fittedView = null;
    });
  }

  get camera(): PerspectiveCamera | OrthographicCamera {
    return this.active;
  }

  get isPerspective(): boolean {
    return this.active === this.perspective;
  }

  /** Metres per pixel at the target. */
  pixel(heightInPixels: number): number {
    return (2 * this.pose().height) / Math.max(heightInPixels, 1);
  }

  resize(width: number, height: number): void {
    this.aspect = width / Math.max(height, 1);
    const pose = this.pose();
    this.perspective.aspect = this.aspect;
    this.put(pose);
    // As long as nobody has moved the camera, the mechanism stays in view whatever the window does.
    if (this.fittedView && !this.turning) this.show(this.fittedView, false);
  }

  setPerspective(on: boolean): void {
    const pose = this.pose();
    this.active = on ? this.perspective : this.orthographic;
    this.controls.object = this.active as unknown as PerspectiveCamera;
    this.put(pose);
  }

  show(view: ViewName, animated = true): void {
    this.go(this.fitted(viewDirection(view, this.up)), animated);
    this.fittedView = view;
  }

  fit(animated = true): void {
    const view = this.fittedView;
    this.go(this.fitted(this.pose().direction), animated);
    this.fittedView = view;
  }

  orbit(azimuth: number, elevation: number): void {
    this.fittedView = null;
    const pose = this.pose();
    const side = new Vector3().crossVectors(this.up, pose.direction);
    if (side.lengthSq() < 1e-12) side.set(1, 0, 0);
    const angle = pose.direction.angleTo(this.up);
    const limited = Math.min(Math.max(angle - elevation, 0.01), Math.PI - 0.01) - angle;
    pose.direction.applyAxisAngle(side.normalize(), limited).applyAxisAngle(this.up, azimuth);
    this.put(pose);
  }

  pan(right: number, upward: number): void {
    this.fittedView = null;
    const pose = this.pose();
    const x = new Vector3().setFromMatrixColumn(this.active.matrix, 0);
    const y = new Vector3().setFromMatrixColumn(this.active.matrix, 1);
    pose.target.addScaledVector(x, right * pose.height).addScaledVector(y, upward * pose.height);
    this.put(pose);
  }

  /** Goes along with something that moves. */
  shift(by: Vector3): void {
    this.fittedView = null;
    this.controls.target.add(by);
    this.active.position.add(by);
    for (const pose of this.turning ? [this.turning.from, this.turning.to] : []) pose.target.add(by);
  }

  zoom(factor: number): void {
    this.fittedView = null;
    const pose = this.pose();
    pose.height /= factor;
    this.put(pose);
  }

  /** Moves on; true while the picture changes. */
  advance(now: number): boolean {
    if (this.turning) {
      const { from, to, start } = this.turning;
      const part = Math.min((now - start) / TURN_TIME, 1);
      const ease = part * part * (3 - 2 * part);
      const direction = slerp(from.direction, to.direction, ease);
      const target = from.target.clone().lerp(to.target, ease);
      this.put({ target, direction, height: from.height * (to.height / from.height) ** ease });
      if (part >= 1) this.turning = null;
      return true;
    }
    const moved = this.controls.update();
    this.clip();
    return moved;
  }

  private go(to: Pose, animated: boolean): void {
    if (animated && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.turning = { from: this.pose(), to, start: performance.now() };
      this.controls.dispatchEvent({ type: "change" });
    } else {
      this.turning = null;
      this.put(to);
    }
  }

  private pose(): Pose {
    const target = this.controls.target.clone();
    const offset = this.active.position.clone().sub(target);
    const distance = offset.length() || 1;
    const height = this.isPerspective ? distance * TAN : this.orthographic.top / this.orthographic.zoom;
    return { target, direction: offset.divideScalar(distance), height };
  }

  private put({ target, direction, height }: Pose): void {
    this.controls.target.copy(target);
    const distance = this.isPerspective ? height / TAN : 4 * this.radius;
    this.active.position.copy(target).addScaledVector(direction, distance);
    this.orthographic.top = height;
    this.orthographic.bottom = -height;
    this.orthographic.left = -height * this.aspect;
    this.orthographic.right = height * this.aspect;
    this.orthographic.zoom = 1;
    this.clip();
    this.controls.update();
  }

  private clip(): void {
    const distance = this.active.position.distanceTo(this.controls.target);
    this.perspective.near = Math.max(distance - 6 * this.radius, distance * 0.02);
    this.perspective.far = distance + 12 * this.radius;
    this.orthographic.near = -8 * this.radius;
    this.orthographic.far = 16 * this.radius;
    this.active.updateProjectionMatrix();
  }

  /** Smallest picture from a direction that has all corners of the bounds in it, with a margin. */
  private fitted(direction: Vector3): Pose {
    const target = this.bounds.getCenter(new Vector3());
    const eye = new Object3D();
    eye.up.copy(this.up);
    if (direction.clone().cross(this.up).length() < 1e-4) eye.up.copy(viewDirection("front", this.up)).negate();
    eye.position.copy(direction);
    const [x, y, z] = [new Vector3(), new Vector3(), new Vector3()];
    // Object3D.lookAt turns z towards what it looks at; here z is wanted towards the camera.
    eye.position.set(0, 0, 0);
    eye.lookAt(direction);
    eye.updateMatrix();
    eye.matrix.extractBasis(x, y, z);
    let height = 0;
    const corner = new Vector3();
    for (let i = 0; i < 8; ++i) {
      const { min, max } = this.bounds;
      corner.set(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z).sub(target);
      const nearer = this.isPerspective ? Math.max(corner.dot(z), 0) * TAN : 0;
      height = Math.max(height, Math.abs(corner.dot(y)) + nearer, Math.abs(corner.dot(x)) / this.aspect + nearer);
    }
    return { target, direction: direction.clone(), height: Math.max(height * 1.16, this.radius * 0.05) };
  }
}

export function viewDirection(view: ViewName, up: Vector3): Vector3 {
  const zUp = Math.abs(up.z) > 0.5;
  const direction = {
    front: zUp ? [0, -1, 0] : [0, 0, 1],
    top: zUp ? [0, 0, 1] : [0, 1, 0],
    side: [1, 0, 0],
    iso: zUp ? [0.62, -1, 0.55] : [0.7, 0.55, 1],
  }[view];
  return new Vector3(...(direction as [number, number, number])).normalize();
}

function slerp(from: Vector3, to: Vector3, part: number): Vector3 {
  const angle = from.angleTo(to);
  const axis = new Vector3().crossVectors(from, to);
  if (axis.lengthSq() < 1e-12) return part < 0.5 ? from.clone() : to.clone();
  return from.clone().applyAxisAngle(axis.normalize(), angle * part);
}
