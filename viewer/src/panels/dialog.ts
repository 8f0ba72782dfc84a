// Dialogs of the browser: they keep the focus, close with Escape and give the focus back.

import { h } from "../dom";
import { icon } from "../icons";

export function makeDialog(title: string, className: string, ...content: HTMLElement[]): HTMLDialogElement {
  const close = h("button.tool", { type: "button", "aria-label": "Close", title: "Close (Esc)" }, icon("close"));
  const dialog = h(
    "dialog",
    { class: className, "aria-label": title },
    h("header", {}, h("h2", {}, title), close),
    ...content,
  );
  close.addEventListener("click", () => dialog.close());
  // A click beside the dialog closes it too.
  dialog.addEventListener("mousedown", (event) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    const beside = event.clientX < left || event.clientX > right || event.clientY < top || event.clientY > bottom;
    if (beside && event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  return dialog;
}
