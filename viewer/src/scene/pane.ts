// The part of the page with the scene in it: canvas, names, pointer; a message where there is no WebGL.

import type { Clock } from "../clock";
import { h } from "../dom";
import { number } from "../format";
import type { State } from "../state";
import type { Theme } from "../theme";
import { World } from "./world";

export interface ScenePane {
  element: HTMLElement;
  world: World | null;
}

export function scenePane(state: State, clock: Clock, theme: Theme): ScenePane {
  const canvas = h("canvas", {
    tabindex: "0",
    role: "application",
    "aria-label": "Animated view of the mechanism. Press ? for the keys.",
  });
  const element = h("section.scene", { "aria-label": "Scene" });
  // Asked for here and not by three, which would report a failure as an error on the console.
  const context = canvas.getContext("webgl2", {
    alpha: true,
    antialias: true,
    preserveDrawingBuffer: false,
    powerPreference: "high-performance",
  });
  if (!context) {
    element.append(
      h(
        "div.no-webgl",
        { role: "status" },
        h("strong", {}, "No 3D view here"),
        h(
          "p",
          {},
          "This browser does not offer WebGL 2. Plots, numbers and the summary work all the same; try another browser, or allow graphics acceleration in its settings.",
        ),
      ),
    );
    return { element, world: null };
  }
  const world = new World(canvas, context, state, clock, theme);
  const scale = h("div.grid-note", { "aria-hidden": "true" }, `grid ${number(world.grid.step, 3)} m`);
  element.append(canvas, world.labels.element, scale);
  state.sceneChanged.on(() => (scale.hidden = !state.scene.grid));
  new ResizeObserver(() => world.resize(element.clientWidth, element.clientHeight)).observe(element);
  watchPointer(canvas, world, state);
  return { element, world };
}

function watchPointer(canvas: HTMLCanvasElement, world: World, state: State): void {
  let down: { x: number; y: number } | null = null;
  let asked = false;
  const place = (event: PointerEvent): [number, number] => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  canvas.addEventListener("pointerdown", (event) => {
    down = { x: event.clientX, y: event.clientY };
  });
  canvas.addEventListener("pointerup", (event) => {
    const still = down && Math.hypot(event.clientX - down.x, event.clientY - down.y) < 4;
    down = null;
    if (still && event.button === 0) state.select(world.pick(...place(event)));
  });
  canvas.addEventListener("pointermove", (event) => {
    if (asked || event.buttons !== 0 || event.pointerType === "touch") return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      hover(world.pick(...place(event)));
    });
  });
  canvas.addEventListener("pointerleave", () => hover(null));

  function hover(entity: ReturnType<World["pick"]>): void {
    canvas.style.cursor = entity ? "pointer" : "";
    if (world.labels.hovered === entity) return;
    world.labels.hovered = entity;
    world.invalidate();
  }
}
