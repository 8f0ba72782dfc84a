// How bodies are drawn: solid, see-through or not at all.

import { h } from "../dom";
import type { BodyLook, State } from "../state";

const LOOKS: [BodyLook, string][] = [
  ["solid", "solid"],
  ["clear", "see-through"],
  ["hidden", "hidden"],
];
const MOST = 60; // bodies with a line of their own

/** A choice for some bodies together; empty where they differ. */
export function lookSelect(state: State, bodies: string[], label: string, live = true): HTMLSelectElement {
  const select = h(
    "select",
    { "aria-label": label, title: label },
    ...LOOKS.map(([value, text]) => h("option", { value }, text)),
  );
  const tell = (): void => {
    const looks = new Set(bodies.map((body) => state.look(body)));
    select.value = looks.size === 1 ? [...looks][0] : "";
  };
  select.addEventListener("change", () => state.setLook(bodies, select.value as BodyLook));
  if (live)
    state.sceneChanged.on((what) => {
      if (what === "looks") tell();
    });
  tell();
  return select;
}

/** A list that opens: all bodies, then each. Null for models without bodies. */
export function bodyLooks(state: State): HTMLElement | null {
  const names = state.entities.filter(({ kind }) => kind === "body").map(({ name }) => name);
  if (names.length === 0) return null;
  const line = (text: string, bodies: string[]): HTMLElement =>
    h("div.look", {}, h("span", {}, text), lookSelect(state, bodies, `How ${text} is drawn`));
  return h(
    "details.looks",
    {},
    h("summary", {}, "Bodies"),
    line("all bodies", names),
    ...(names.length > 1 ? names.slice(0, MOST).map((name) => line(name, [name])) : []),
    names.length > MOST ? h("p.more", {}, "Select the others and press B.") : null,
  );
}
