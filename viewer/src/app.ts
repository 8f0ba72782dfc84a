// Puts the page together: header, scene, plots, summary, comparison, timeline.

import type { Address } from "./address";
import { makeApi } from "./api";
import { Clock, pleasantSpeed } from "./clock";
import type { PageJson } from "./contract";
import type { Archive } from "./data";
import { h } from "./dom";
import { icon } from "./icons";
import { listenToKeys } from "./keyboard";
import { comparison } from "./panels/compare";
import { helpDialog } from "./panels/help";
import { FiguresPanel } from "./panels/figures";
import { Inspector } from "./panels/inspector";
import { PhaseChooser } from "./panels/phase-chooser";
import { runList } from "./panels/runs";
import { sceneTools } from "./panels/scene-tools";
import { SignalChooser } from "./panels/signals";
import { splitter } from "./panels/splitter";
import { summary, troubleBanner } from "./panels/summary";
import { Tabs } from "./panels/tabs";
import { Timeline } from "./panels/timeline";
import { PlotStack } from "./plots/plot-stack";
import { Run } from "./run";
import { defaultTrail } from "./scene/default-trail";
import { scenePane } from "./scene/pane";
import { State } from "./state";
import { Theme } from "./theme";
import { hasAngles } from "./units";

export interface PageSizes {
  page: number; // bytes of the file
}

export function buildApp(
  root: HTMLElement,
  page: PageJson,
  archive: Archive,
  address: Address,
  sizes: PageSizes,
): void {
  const theme = new Theme(address.theme);
  const runs = page.runs.map((json, index) => new Run(json, archive, index));
  const [start, end] = timeSpan(runs);
  const clock = new Clock(start, end);
  clock.speed = pleasantSpeed(end - start);
  const state = new State(runs);
  for (const key of address.show)
    if (key in state.scene && typeof state.scene[key as "joints"] === "boolean") state.scene[key as "joints"] = true;
  state.trailPoints = defaultTrail(state);

  const hasScene = runs.some((run) => run.scene);
  const hasCurves = runs.some((run) => run.signals.length > 0);
  const hasComparison = (page.plots ?? []).length + (page.tables ?? []).length > 0;
  const pane = hasScene ? scenePane(state, clock, theme) : null;
  const world = pane?.world ?? null;
  if (world && address.view) world.rig.show(address.view, false);

  const help = helpDialog();
  const stack = hasCurves ? new PlotStack(state, clock, theme) : null;
  const chooser = stack ? new SignalChooser(state, stack) : null;
  const timeline = end > start ? new Timeline(clock, runs) : null;
  const tabs = new Tabs();
  const pairs = stack ? new PhaseChooser(state, stack) : null;
  const figures = stack ? new FiguresPanel(state, stack) : null;
  if (stack && chooser && pairs) tabs.add("plots", "Plots", plotsPanel(state, stack, chooser, pairs));
  if (figures) tabs.add("figures", "Figures", figures.element);
  if (runs.length > 0) tabs.add("summary", "Summary", summary(page, runs, sizes.page));
  if (pane && stack) pane.element.append(new Inspector(state, clock, stack).element);
  if (pane && world) pane.element.append(sceneTools(world, state, clock, page.title));

  tabs.onChange = (name) => {
    if (name === "figures") figures?.show();
  };
  state.degrees = address.degrees;
  let wanted = -1;
  for (const [x, y] of address.phases) if (stack?.knows(x) && stack.knows(y)) wanted = stack.addPhase(x, y);

  const motion = h("main", { class: pane ? "motion" : "motion no-scene" });
  if (pane) motion.append(pane.element, splitter(motion));
  motion.append(tabs.element);
  const views = new Tabs();
  if (runs.length > 0) views.add("motion", "Motion", motion);
  if (hasComparison) views.add("comparison", "Comparison", comparison(page, archive, theme));

  const header = h(
    "header.top",
    {},
    h("h1", {}, page.title),
    h("p.subtitle", {}, subtitle(runs)),
    views.count > 1 ? views.bar : null,
    h("div.spacer"),
    runList(state, theme),
    toolButton("theme", "Light or dark (D)", () => theme.toggle()),
    toolButton("help", "Keys and mouse (?)", () => help.showModal()),
  );
  root.replaceChildren(
    header,
    ...[troubleBanner(runs)].filter((b) => b !== null),
    views.panels,
    ...(timeline ? [timeline.element] : []),
  );
  root.classList.toggle("plain", address.plain && world !== null);
  document.title = page.title;

  const chosen = page.kind === "compare" && hasComparison ? "comparison" : "motion";
  views.onChange = (name) => {
    if (timeline) timeline.element.hidden = name === "comparison";
  };
  views.show(address.tab === "comparison" || address.tab === "motion" ? address.tab : chosen);
  if (address.tab && ["plots", "summary", "figures"].includes(address.tab)) tabs.show(address.tab);

  listenToKeys({
    clock,
    state,
    theme,
    world,
    timeline,
    help,
    range: stack?.range ?? null,
    chooseSignals: chooser ? () => chooser.open() : null,
    showTab: (tab) => tabs.show(tab),
  });
  window.driftless = makeApi(clock, state, world, stack);

  if (address.time !== null) clock.seek(address.time);
  else clock.seek(start);
  if (address.select) state.select(state.find(address.select));
  if (address.follow) state.setFollow(state.find(address.follow));
  if (address.hide.length > 0) state.setLook(address.hide, "hidden");
  if (address.clear.length > 0) state.setLook(address.clear, "clear");
  // Plays when opened, unless the address wants a certain picture or the reader does not want things to move.
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches || address.time !== null || address.plain;
  if (address.play ?? (!still && world !== null && chosen === "motion")) clock.play();
  if (wanted >= 0) requestAnimationFrame(() => stack?.reveal(wanted));
  const ready = (): void => void (document.documentElement.dataset.ready = "1");
  // Two frames: sizes are known after the first, the picture is complete after the second.
  const afterFrames = (): void => void requestAnimationFrame(() => requestAnimationFrame(ready));
  if (world && chosen !== "comparison") world.onFirstFrame = afterFrames;
  else afterFrames();
}

/** The method in a line, if all runs share it. */
function subtitle(runs: Run[]): string {
  const lines = runs.map(({ json: { about } }) =>
    [about.coordinates, about.formulation, about.integrator, about.stabilization]
      .filter((part) => part && part !== "none")
      .join(" · "),
  );
  return new Set(lines).size === 1 ? lines[0] : "";
}

function timeSpan(runs: Run[]): [number, number] {
  let [start, end] = [Infinity, -Infinity];
  for (const run of runs) {
    start = Math.min(start, run.start);
    end = Math.max(end, run.end);
    // A run without a scene still has curves, and maybe a time axis of its own.
    for (const key of ["records", "steps"] as const) {
      const times = run.json.times?.[key] ? run.times(key) : null;
      if (times && times.length > 0) {
        start = Math.min(start, times[0]);
        end = Math.max(end, times[times.length - 1]);
      }
    }
  }
  return end >= start ? [start, end] : [0, 0];
}

function plotsPanel(state: State, stack: PlotStack, chooser: SignalChooser, pairs: PhaseChooser): HTMLElement {
  const add = h(
    "button.text",
    { type: "button", onclick: () => chooser.open() },
    icon("plus"),
    "Add signals",
    h("kbd", {}, "/"),
  );
  const all = h(
    "button.text",
    { type: "button", title: "Show all of the time axis (Z)", onclick: () => stack.range.reset() },
    icon("reset"),
    "All times",
  );
  const update = (): void => void (all.hidden = !stack.range.zoomed);
  stack.range.changed.on(update);
  update();
  const phase = h(
    "button.text",
    { type: "button", title: "Plot one signal over another: paths of points, phase portraits", onclick: () => pairs.open() },
    icon("phase"),
    "x–y",
  );
  const box = h("input", { type: "checkbox" });
  box.addEventListener("change", () => (state.degrees = box.checked));
  const tick = (): void => void (box.checked = state.degrees);
  state.unitsChanged.on(tick);
  tick();
  const units = state.runs.flatMap((run) => run.signals.map((signal) => signal.json.unit));
  const degrees = h("label.degrees", { title: "Angles in degrees (U)" }, box, "degrees", h("kbd", {}, "U"));
  return h("div.plots", {}, h("div.plots-head", {}, add, phase, all, hasAngles(units) ? degrees : null), stack.element);
}

function toolButton(name: "theme" | "help", label: string, action: () => void): HTMLElement {
  return h("button.tool", { type: "button", title: label, "aria-label": label, onclick: action }, icon(name));
}
