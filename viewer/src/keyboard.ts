// Keys of the page. Help (panels/help.ts) lists them.

import { VIEW_NAMES } from "./address";
import type { Clock } from "./clock";
import type { Timeline } from "./panels/timeline";
import type { XRange } from "./plots/x-range";
import type { World } from "./scene/world";
import type { State } from "./state";
import type { Theme } from "./theme";

export interface KeyTargets {
  clock: Clock;
  state: State;
  theme: Theme;
  world: World | null;
  timeline: Timeline | null;
  range: XRange | null;
  chooseSignals: (() => void) | null;
  showTab: (tab: "plots" | "figures" | "summary") => void;
  help: HTMLDialogElement;
}

export function listenToKeys(targets: KeyTargets): void {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
    if (typing(event.target as HTMLElement)) return;
    if (handle(event, targets)) event.preventDefault();
  });
}

/** Keys belong to fields that take text, and to the arrows of lists and sliders. */
function typing(element: HTMLElement): boolean {
  if (element instanceof HTMLInputElement) return !["checkbox", "button", "range"].includes(element.type);
  return element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement;
}

function handle(event: KeyboardEvent, targets: KeyTargets): boolean {
  const { clock, state, theme, world, timeline, range } = targets;
  const element = event.target as HTMLElement;
  const inPlot = element.closest?.(".plot") !== null && element.closest?.(".plot") !== undefined;
  const arrow = event.key.startsWith("Arrow");
  if (arrow && event.altKey && world) return moveCamera(event, world);
  if (arrow && event.ctrlKey && range && inPlot) {
    range.pan(event.key === "ArrowLeft" ? -0.1 : 0.1);
    return true;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  // Space and Enter press the button that has the focus; arrows move a slider.
  const pressing = element instanceof HTMLButtonElement || element.tagName === "SUMMARY";
  if (
    element instanceof HTMLInputElement &&
    (arrow || event.key === " " || event.key === "Home" || event.key === "End")
  ) {
    if (element.type !== "range" || event.key !== " ") return false;
  }

  switch (event.key) {
    case " ":
      if (pressing || !timeline) return false;
      clock.toggle();
      return true;
    case "ArrowLeft":
      timeline?.step(event.shiftKey ? -10 : -1);
      return true;
    case "ArrowRight":
      timeline?.step(event.shiftKey ? 10 : 1);
      return true;
    case "Home":
      clock.seek(clock.start);
      return true;
    case "End":
      clock.seek(clock.end);
      return true;
    case ",":
      clock.changeSpeed(-1);
      return true;
    case ".":
      clock.changeSpeed(1);
      return true;
    case "+":
    case "=":
    case "-": {
      const factor = event.key === "-" ? 0.8 : 1.25;
      if (inPlot && range) range.zoom(factor, clock.time);
      else if (world) {
        world.rig.zoom(factor);
        world.invalidate();
      }
      return true;
    }
    case "[":
      state.selectNext(-1);
      return true;
    case "]":
      state.selectNext(1);
      return true;
    case "Escape":
      state.select(null);
      return true;
    case "/":
      targets.chooseSignals?.();
      return true;
    case "?":
      targets.help.showModal();
      return true;
    case "1":
    case "2":
    case "3":
    case "4":
      world?.show(VIEW_NAMES[Number(event.key) - 1]);
      return true;
  }
  return handleLetter(event.key.toLowerCase(), targets, theme);
}

function handleLetter(key: string, targets: KeyTargets, theme: Theme): boolean {
  const { state, world, clock, range } = targets;
  const switches: Record<string, Parameters<State["toggle"]>[0]> = {
    j: "joints",
    m: "springs",
    g: "grid",
    h: "shadows",
    x: "frames",
    n: "labels",
    o: "perspective",
    v: "velocities",
    r: "forces",
    t: "trails",
    k: "stress",
  };
  if (switches[key]) {
    if (world) state.toggle(switches[key]);
    return true;
  }
  switch (key) {
    case "c":
      state.setFollow(state.follow ? null : state.selected);
      return true;
    case "b": {
      const { selected } = state;
      if (selected?.kind !== "body") return false;
      const next = { solid: "clear", clear: "hidden", hidden: "solid" } as const;
      state.setLook([selected.name], next[state.look(selected.name)]);
      return true;
    }
    case "u":
      state.degrees = !state.degrees;
      return true;
    case "i":
      targets.showTab("figures");
      return true;
    case "f":
      world?.fit();
      return true;
    case "l":
      clock.loop = !clock.loop;
      return true;
    case "d":
      theme.toggle();
      return true;
    case "z":
      range?.reset();
      return true;
    case "p":
      targets.showTab("plots");
      return true;
    case "s":
      targets.showTab("summary");
      return true;
  }
  return false;
}

function moveCamera(event: KeyboardEvent, world: World): boolean {
  const right = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  const up = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
  if (event.shiftKey) world.rig.pan(right * 0.1, up * 0.1);
  else world.rig.orbit(right * 0.12, up * 0.12);
  world.invalidate();
  return true;
}
