// window.driftless: what tests and scripts can ask and do.

import type { Clock } from "./clock";
import type { PlotStack } from "./plots/plot-stack";
import type { World } from "./scene/world";
import type { State } from "./state";

export interface Api {
  time(): number;
  seek(t: number): void;
  play(): void;
  pause(): void;
  playing(): boolean;
  select(name: string | null): boolean;
  selected(): string | null;
  signals(): string[];
  frameCount(): number;
  /** Where a part is on the canvas, in pixels; null without a scene. */
  locate(name: string): [number, number] | null;
  /** Names of the signals of each plot. */
  plots(): string[][];
  /** Where the camera looks, m; null without a scene. */
  target(): [number, number, number] | null;
  /** Number of pixels of the scene that are not background, and a sum that changes when the picture does. */
  canvasPixels(): { drawn: number; sum: number } | null;
}

declare global {
  interface Window {
    driftless?: Api;
  }
}

export function makeApi(clock: Clock, state: State, world: World | null, stack: PlotStack | null): Api {
  return {
    time: () => clock.time,
    seek: (t) => clock.seek(t),
    play: () => clock.play(),
    pause: () => clock.pause(),
    playing: () => clock.playing,
    select: (name) => {
      const entity = name === null ? null : state.find(name);
      state.select(entity);
      return entity !== null;
    },
    selected: () => state.selected?.name ?? null,
    signals: () => [...new Set(state.runs.flatMap((run) => run.signals.map((signal) => signal.name)))],
    frameCount: () => Math.max(0, ...state.runs.map((run) => run.frames.length)),
    locate: (name) => {
      const entity = state.find(name);
      return entity && world ? world.project(entity) : null;
    },
    plots: () => Array.from({ length: stack?.count ?? 0 }, (_, i) => stack?.names(i) ?? []),
    target: () => world?.rig.controls.target.toArray() ?? null,
    canvasPixels: () => (world ? countPixels(world.snapshot()) : null),
  };
}

function countPixels(canvas: HTMLCanvasElement): { drawn: number; sum: number } {
  const context = canvas.getContext("2d") as CanvasRenderingContext2D;
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  let [drawn, sum] = [0, 0];
  for (let i = 0; i < data.length; i += 4) {
    const different =
      Math.abs(data[i] - data[0]) + Math.abs(data[i + 1] - data[1]) + Math.abs(data[i + 2] - data[2]) > 24;
    if (!different) continue;
    ++drawn;
    sum = (sum + (i % 9973) * (data[i] + 3 * data[i + 1] + 7 * data[i + 2])) % 1e9;
  }
  return { drawn, sum };
}
