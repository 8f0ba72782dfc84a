// Links of a planar mechanism lie in layers, as in a real one: bodies that meet in a joint do not cut one another.

import type { SceneJson } from "../contract";

export interface Layers {
  of: number[]; // per body
  pitch: number; // from layer to layer, m
}

export function planarLayers(scene: SceneJson, unit: number): Layers {
  const of = new Array<number>(scene.bodies.length).fill(-1);
  const neighbours = scene.bodies.map(() => new Set<number>());
  for (const { a, b } of [...(scene.joints ?? []), ...(scene.springs ?? [])]) {
    if (a.body >= 0 && b.body >= 0 && a.body !== b.body) {
      neighbours[a.body]?.add(b.body);
      neighbours[b.body]?.add(a.body);
    }
  }
  // Bodies may also cross others that they are not joined to; few layers look better than none of that.
  for (let body = 0; body < of.length; ++body) {
    const taken = new Set([...neighbours[body]].map((other) => of[other]));
    let layer = 0;
    while (taken.has(layer)) ++layer;
    of[body] = layer;
  }
  return { of, pitch: scene.planar ? unit * 0.75 : 0 };
}

/** The size of joint symbols: that of the links, else a small part of the mechanism. */
export function symbolUnit(scene: SceneJson): number {
  const radii: number[] = [];
  for (const body of scene.bodies) {
    for (const shape of body.shapes ?? []) {
      if (shape.derived && (shape.type === "line" || shape.type === "capsule")) radii.push(shape.radius);
    }
  }
  const usual = 0.011 * diagonal(scene);
  if (radii.length === 0) return usual;
  radii.sort((a, b) => a - b);
  const median = radii[radii.length >> 1];
  return Math.min(Math.max(median, 0.22 * usual), 2.2 * usual);
}

/** Of the box around the whole motion, m. */
export function diagonal(scene: SceneJson): number {
  const [low, high] = scene.bounds;
  return Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) || scene.length || 1;
}
