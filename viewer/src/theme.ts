// Light and dark: follows the system until the user says otherwise.

import { Emitter } from "./emitter";

export class Theme {
  readonly changed = new Emitter<boolean>();
  private readonly system = window.matchMedia("(prefers-color-scheme: dark)");
  private chosen: "light" | "dark" | null;

  constructor(chosen: "light" | "dark" | null) {
    this.chosen = chosen;
    this.apply();
    this.system.addEventListener("change", () => this.apply());
  }

  get dark(): boolean {
    return this.chosen ? this.chosen === "dark" : this.system.matches;
  }

  toggle(): void {
    this.chosen = this.dark ? "light" : "dark";
    this.apply();
  }

  /** A colour of the style sheet. */
  color(name: string): string {
    return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  }

  private apply(): void {
    document.documentElement.dataset.theme = this.dark ? "dark" : "light";
    this.changed.emit(this.dark);
  }
}
