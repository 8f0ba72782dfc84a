// What the page's address asks for: page.html#t=0.01&play=0&plain=scene&theme=dark&view=iso

export type ViewName = "front" | "top" | "side" | "iso";
export const VIEW_NAMES: ViewName[] = ["front", "top", "side", "iso"];

export interface Address {
  time: number | null;
  play: boolean | null;
  plain: boolean; // the scene alone, without controls
  theme: "light" | "dark" | null;
  view: ViewName | null;
  select: string | null;
  show: string[];
  tab: string | null;
  degrees: boolean;
  phases: [x: string, y: string][]; // xy=X:Y, several with ";" between
  follow: string | null;
  hide: string[];
  clear: string[];
}

export function readAddress(hash: string): Address {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const time = Number.parseFloat(fields.get("t") ?? "");
  const theme = fields.get("theme");
  const view = fields.get("view") as ViewName | null;
  const plain = fields.get("plain");
  const list = (name: string): string[] => (fields.get(name) ?? "").split(",").filter(Boolean);
  return {
    time: Number.isFinite(time) ? time : null,
    play: fields.has("play") ? fields.get("play") !== "0" : null,
    plain: plain === "scene" || plain === "1",
    theme: theme === "light" || theme === "dark" ? theme : null,
    view: view && VIEW_NAMES.includes(view) ? view : null,
    select: fields.get("select"),
    show: list("show"),
    tab: fields.get("tab"),
    degrees: fields.get("degrees") === "1",
    phases: (fields.get("xy") ?? "")
      .split(";")
      .map((pair) => pair.split(":") as [string, string])
      .filter((pair) => pair.length === 2),
    follow: fields.get("follow"),
    hide: list("hide"),
    clear: list("clear"),
  };
}
