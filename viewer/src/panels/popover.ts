// A button with a panel that opens below it; Escape or a click elsewhere closes it.

import { h } from "../dom";

export function popover(button: HTMLButtonElement, panel: HTMLElement): HTMLElement {
  panel.hidden = true;
  panel.classList.add("popover");
  button.setAttribute("aria-haspopup", "true");
  const set = (open: boolean): void => {
    panel.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
  };
  set(false);
  button.addEventListener("click", () => set(panel.hidden));
  const holder = h("div.popover-holder", {}, button, panel);
  holder.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !panel.hidden) {
      event.stopPropagation();
      set(false);
      button.focus();
    }
  });
  document.addEventListener("pointerdown", (event) => {
    if (!panel.hidden && !holder.contains(event.target as Node)) set(false);
  });
  return holder;
}
