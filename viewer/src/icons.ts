// Line icons, 20 × 20, drawn with the colour of the text.

import { svg } from "./dom";

const PATHS = {
  play: "M6 4.2v11.6L15.5 10z",
  pause: "M6.5 4v12M13.5 4v12",
  toStart: "M5 4v12M15.5 4.5 8 10l7.5 5.5z",
  toEnd: "M15 4v12M4.5 4.5 12 10l-7.5 5.5z",
  stepBack: "M12.5 5 7.5 10l5 5",
  stepForward: "m7.5 5 5 5-5 5",
  loop: "M4 9.5V8.2A2.7 2.7 0 0 1 6.7 5.5H15m0 0L12.6 3M15 5.5 12.6 8M16 10.5v1.3a2.7 2.7 0 0 1-2.7 2.7H5m0 0L7.4 17M5 14.5 7.4 12",
  fit: "M4 7.5V4h3.5M12.5 4H16v3.5M16 12.5V16h-3.5M7.5 16H4v-3.5M8 8h4v4H8z",
  eye: "M2.5 10S5.2 5 10 5s7.5 5 7.5 5-2.7 5-7.5 5-7.5-5-7.5-5zM10 12.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4z",
  theme: "M10 3v14a7 7 0 0 0 0-14zM10 3a7 7 0 1 0 0 14",
  help: "M7.6 7.6a2.4 2.4 0 1 1 3.5 2.2c-.8.4-1.1.9-1.1 1.7M10 14.4v.1M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15z",
  close: "m5 5 10 10M15 5 5 15",
  plus: "M10 4.5v11M4.5 10h11",
  edit: "M3.5 6h8M15 6h1.5M3.5 14H6M9.5 14h7M13 6a1.6 1.6 0 1 0 0 .01M7.7 14a1.6 1.6 0 1 0 0 .01",
  reset: "M4 10a6 6 0 1 0 2-4.5L4 7.2M4 3.6v3.6h3.6",
  image: "M3.5 4.5h13v11h-13zM3.5 13l4-4 3.5 3.5 2-2 3.5 3M12.8 8.2v.1",
  table: "M3.5 4.5h13v11h-13zM3.5 8.2h13M3.5 11.8h13M8 4.5v11",
  copy: "M7 7h9v9.5H7zM13 7V3.5H4V13h3",
  runs: "M10 3.5 17 7l-7 3.5L3 7zM3.5 10.5 10 13.8l6.5-3.3M3.5 13.7 10 17l6.5-3.3",
  warning: "M10 3.5 17.5 16h-15zM10 8.2v3.6M10 13.9v.1",
  camera: "M3.5 6.5h3L8 4.5h4l1.5 2h3v9h-13zM10 13.3a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z",
  film: "M3.5 5h9v10h-9zM12.5 8.6l4.5-2.4v7.6l-4.5-2.4z",
  phase: "M4 4v12h12M5.5 12.5c1.5-7 5-9 6.5-6s-3 6-1.5 7.5 4.5-1 5-3.5",
  search: "M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM13 13l4 4",
} as const;

export type IconName = keyof typeof PATHS;

export function icon(name: IconName): SVGSVGElement {
  const filled = name === "play";
  return svg(
    "svg",
    { viewBox: "0 0 20 20", class: "icon", "aria-hidden": "true" },
    svg("path", { d: PATHS[name], fill: filled ? "currentColor" : "none" }),
  );
}
