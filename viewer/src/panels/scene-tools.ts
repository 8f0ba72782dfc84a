// Buttons over the scene: standard views, fit, and what to show.

import { VIEW_NAMES } from "../address";
import { h, uniqueId } from "../dom";
import { icon } from "../icons";
import { stressColor } from "../palette";
import type { Run } from "../run";
import type { State, TrailPoint } from "../state";
import type { World } from "../scene/world";
import type { Clock } from "../clock";
import { download, downloadCanvas } from "../download";
import { Film } from "../film";
import { bodyLooks } from "./looks";
import { popover } from "./popover";

const SWITCHES = [
  ["joints", "Joints", "J"],
  ["springs", "Springs and forces", "M"],
  ["grid", "Grid and ground", "G"],
  ["shadows", "Shadows", "H"],
  ["frames", "Frames, centres of mass", "X"],
  ["labels", "Names", "N"],
  ["perspective", "Perspective", "O"],
] as const;

export function sceneTools(world: World, state: State, clock: Clock, title: string): HTMLElement {
  const views = VIEW_NAMES.map((view, i) =>
    h("button.text", { type: "button", title: `${view} view (${i + 1})`, onclick: () => world.show(view) }, view),
  );
  const fit = h(
    "button.tool",
    { type: "button", title: "Fit (F)", "aria-label": "Fit", onclick: () => world.fit() },
    icon("fit"),
  );
  const save = h(
    "button.tool",
    {
      type: "button",
      title: "Save the picture as PNG",
      "aria-label": "Save the picture as PNG",
      onclick: () => downloadCanvas(`${title}.png`, world.snapshot()),
    },
    icon("camera"),
  );
  const show = h("button.text", { type: "button", title: "What to show" }, icon("eye"), "Show");
  return h(
    "div.scene-tools",
    { role: "toolbar", "aria-label": "Scene" },
    h("div.views", {}, ...views),
    fit,
    save,
    Film.possible && clock.end > clock.start ? filmButton(new Film(world, clock), title) : null,
    popover(show, showPanel(state)),
  );
}

function showPanel(state: State): HTMLElement {
  const panel = h("div.show-panel", { role: "group", "aria-label": "What to show" });
  for (const [key, text, letter] of SWITCHES) panel.append(switchRow(state, key, text, letter));
  const runs = state.runs;
  if (runs.some((run) => (run.json.arrows?.velocity ?? []).length > 0)) {
    panel.append(
      switchRow(state, "velocities", "Velocities", "V"),
      scaleRow(state, "velocityScale", "Velocity arrows"),
    );
  }
  const forces = (run: Run): number => (run.json.arrows?.force ?? []).length + (run.json.arrows?.applied ?? []).length;
  if (runs.some((run) => forces(run) > 0)) {
    panel.append(switchRow(state, "forces", "Joint and applied forces", "R"), scaleRow(state, "forceScale", "Force arrows"));
  }
  const flexible = runs.flatMap((run) => run.scene?.deforming ?? []);
  if (flexible.some((item) => (item.rest ?? []).length > 0)) panel.append(deflectionRow(state));
  const most = Math.max(0, ...flexible.map((item) => item.stress_max ?? 0));
  if (most > 0) panel.append(switchRow(state, "stress", `Stress, 0 to ${most.toPrecision(3)} Pa`, "K"), stressBar());
  const points = allPoints(runs);
  if (points.length > 0) panel.append(switchRow(state, "trails", "Trails", "T"), trailChooser(state, points));
  const bodies = bodyLooks(state);
  if (bodies) panel.append(bodies);
  return panel;
}

function filmButton(film: Film, title: string): HTMLElement {
  const button = h("button.tool.film", { type: "button" }, icon("film"));
  const tell = (): void => {
    const text = film.running ? "Stop recording" : "Record the motion as a film (WebM)";
    button.title = text;
    button.setAttribute("aria-label", text);
    button.setAttribute("aria-pressed", String(film.running));
  };
  film.onChange = tell;
  tell();
  button.addEventListener("click", async () => {
    if (film.running) film.stop();
    else download(`${title}.webm`, await film.record());
  });
  return button;
}

type Switch = Parameters<State["toggle"]>[0];

function switchRow(state: State, key: Switch, text: string, letter: string): HTMLElement {
  const box = h("input", { type: "checkbox" });
  box.checked = state.scene[key];
  box.addEventListener("change", () => state.set(key, box.checked));
  state.sceneChanged.on((what) => {
    if (what === key) box.checked = state.scene[key];
  });
  return h("label.switch", {}, box, h("span", {}, text), h("kbd", {}, letter));
}

function scaleRow(state: State, key: "velocityScale" | "forceScale", text: string): HTMLElement {
  const slider = h("input", {
    type: "range",
    min: -1.5,
    max: 1.5,
    step: 0.05,
    value: 0,
    "aria-label": `Scale of ${text.toLowerCase()}`,
  });
  slider.addEventListener("input", () => {
    slider.setAttribute("aria-valuetext", `${(10 ** Number(slider.value)).toPrecision(2)} times`);
    state.set(key, 10 ** Number(slider.value));
    state.set(key === "velocityScale" ? "velocities" : "forces", true);
  });
  return h("label.scale", {}, h("span", {}, "scale"), slider);
}

/** Deflections of flexible bodies, from as they are to a thousand times as large. */
function deflectionRow(state: State): HTMLElement {
  const slider = h("input", { type: "range", min: 0, max: 3, step: 0.05, value: 0, "aria-label": "Scale of deflections" });
  const shown = h("output", {}, "1");
  slider.addEventListener("input", () => {
    const factor = 10 ** Number(slider.value);
    shown.textContent = factor.toPrecision(2);
    slider.setAttribute("aria-valuetext", `${factor.toPrecision(2)} times`);
    state.set("deflection", factor);
  });
  return h("label.scale.deflection", {}, h("span", {}, "deflections ×"), shown, slider);
}

function stressBar(): HTMLElement {
  const stops = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const [r, g, b] = stressColor(part).map((x) => Math.round(255 * x));
    return `rgb(${r} ${g} ${b})`;
  });
  const bar = h("div.stress-bar", { "aria-hidden": "true" });
  bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
  return bar;
}

/** Points that can leave a trail: centres of mass and named points of all bodies. */
export function allPoints(runs: Run[]): TrailPoint[] {
  const scene = runs.find((run) => run.scene)?.scene;
  return (scene?.bodies ?? []).flatMap((body, index) => [
    { body: index, at: body.center ?? [0, 0, 0], name: body.name },
    ...(body.points ?? []).map((point) => ({ body: index, at: point.at, name: `${body.name}.${point.name}` })),
  ]);
}

function trailChooser(state: State, points: TrailPoint[]): HTMLElement {
  const id = uniqueId("points");
  const input = h("input", { list: id, placeholder: "add a point …", "aria-label": "Add a trail of a point" });
  const list = h("datalist", { id }, ...points.slice(0, 2000).map((point) => h("option", { value: point.name })));
  const chips = h("div.chips");
  const fill = (): void =>
    chips.replaceChildren(
      ...state.trailPoints.map((point) =>
        h(
          "button.chip",
          {
            type: "button",
            title: `Remove the trail of ${point.name}`,
            onclick: () => state.setTrailPoints(state.trailPoints.filter((other) => other !== point)),
          },
          point.name,
          icon("close"),
        ),
      ),
    );
  input.addEventListener("change", () => {
    const point = points.find((candidate) => candidate.name === input.value.trim());
    if (!point) return;
    input.value = "";
    if (!state.trailPoints.includes(point)) state.setTrailPoints([...state.trailPoints, point]);
    state.set("trails", true);
  });
  state.sceneChanged.on((what) => {
    if (what === "trailPoints") fill();
  });
  fill();
  return h("div.trail-chooser", {}, chips, input, list);
}
