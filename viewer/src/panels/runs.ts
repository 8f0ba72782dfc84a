// Several runs: which curves are drawn, and whether the scene of a run is solid, a ghost or hidden.

import { h } from "../dom";
import { icon } from "../icons";
import { curveColor } from "../palette";
import type { RunScene, State } from "../state";
import type { Theme } from "../theme";
import { popover } from "./popover";

const INLINE = 2; // more runs than that are listed in a panel

export function runList(state: State, theme: Theme): HTMLElement | null {
  if (state.runs.length < 2) return null;
  const list = h("ul.runs", { "aria-label": "Runs" });
  state.runs.forEach((run, index) => {
    const dot = h("span.run-dot", { "aria-hidden": "true" });
    const curves = h("input", { type: "checkbox", "aria-label": `Curves of ${run.name}`, title: "Curves" });
    curves.checked = state.runViews[index].curves;
    curves.addEventListener("change", () => state.setRunView(index, { curves: curves.checked }));
    const scene = h(
      "select",
      { "aria-label": `Scene of ${run.name}`, title: "Scene" },
      ...["solid", "ghost", "hidden"].map((look) => h("option", { value: look }, look)),
    );
    scene.value = state.runViews[index].scene;
    scene.disabled = !run.scene;
    scene.addEventListener("change", () => state.setRunView(index, { scene: scene.value as RunScene }));
    const paint = (): void => void (dot.style.background = curveColor(run.color, theme.dark));
    theme.changed.on(paint);
    paint();
    list.append(h("li", { title: run.name }, h("label", {}, curves, dot, h("span.run-name", {}, run.name)), scene));
  });
  if (state.runs.length <= INLINE) return list;
  list.classList.add("many");
  const button = h("button.text", { type: "button" }, icon("runs"), `${state.runs.length} runs`);
  return popover(button, list);
}
