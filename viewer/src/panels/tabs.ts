// Tabs: one panel of several, arrows move between them.

import { h, uniqueId } from "../dom";

export class Tabs {
  readonly bar = h("div.tabs", { role: "tablist" });
  readonly panels = h("div.tab-panels");
  readonly element = h("section.side", {}, this.bar, this.panels);
  onChange: ((name: string) => void) | null = null;
  private readonly all = new Map<string, { tab: HTMLButtonElement; panel: HTMLElement }>();

  constructor() {
    this.bar.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
      const names = [...this.all.keys()];
      const now = names.findIndex((name) => this.all.get(name)?.tab === document.activeElement);
      const next = names[(now + (event.key === "ArrowRight" ? 1 : -1) + names.length) % names.length];
      event.preventDefault();
      event.stopPropagation();
      this.show(next);
      this.all.get(next)?.tab.focus();
    });
  }

  get count(): number {
    return this.all.size;
  }

  add(name: string, title: string, panel: HTMLElement): void {
    const id = uniqueId("panel");
    const tab = h(
      "button",
      { type: "button", role: "tab", "aria-controls": id, id: `${id}-tab`, onclick: () => this.show(name) },
      title,
    );
    const holder = h("div.tab-panel", { id, role: "tabpanel", "aria-labelledby": `${id}-tab` }, panel);
    this.all.set(name, { tab, panel: holder });
    this.bar.append(tab);
    this.panels.append(holder);
    if (this.all.size === 1) this.show(name);
    else this.show([...this.all.keys()][0]);
  }

  show(name: string): void {
    if (!this.all.has(name)) return;
    for (const [key, { tab, panel }] of this.all) {
      const chosen = key === name;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      panel.hidden = !chosen;
    }
    this.onChange?.(name);
  }
}
