// What the keys do. The keyboard itself is in keyboard.ts; both are short enough to be kept alike by eye.

import { h } from "../dom";
import { makeDialog } from "./dialog";

const KEYS: [string, [string, string][]][] = [
  [
    "Time",
    [
      ["Space", "play, pause"],
      ["← →", "one frame back, forward; with Shift ten"],
      ["Home End", "start, end"],
      [", .", "slower, faster"],
      ["L", "loop"],
    ],
  ],
  [
    "Scene",
    [
      ["1 2 3 4", "front, top, side, isometric"],
      ["F", "fit"],
      ["+ −", "zoom"],
      ["Alt + arrows", "orbit; with Shift pan"],
      ["O", "perspective, parallel"],
      ["[ ]", "select the previous, next part"],
      ["Esc", "clear the selection"],
    ],
  ],
  [
    "Show",
    [
      ["V R", "velocities, forces"],
      ["T X N", "trails, frames, names"],
      ["J M G H", "joints, springs, grid, shadows"],
      ["B", "the selected body: solid, see-through, hidden"],
      ["C", "the camera follows the selected part, or stays"],
      ["K", "stress of flexible bodies"],
      ["D", "dark, light"],
    ],
  ],
  [
    "Plots",
    [
      ["/", "choose signals"],
      ["Z", "show all of the time axis"],
      ["P I S", "plots, figures, summary"],
      ["U", "angles in degrees, radians"],
      ["+ − in a plot", "zoom about the cursor"],
      ["Ctrl + ← → in a plot", "pan"],
    ],
  ],
];

const MOUSE: [string, string][] = [
  ["scene", "drag to orbit, right or Ctrl + drag to pan, wheel to zoom, click to select"],
  ["plot", "click to go to a time, drag to zoom, double click to show all, Shift + drag to pan, Ctrl + wheel to zoom"],
  ["cursor line", "drag to scrub"],
];

export function helpDialog(): HTMLDialogElement {
  const columns = KEYS.map(([title, rows]) =>
    h(
      "section",
      {},
      h("h3", {}, title),
      h("dl", {}, ...rows.flatMap(([keys, text]) => [h("dt", {}, ...keyCaps(keys)), h("dd", {}, text)])),
    ),
  );
  const mouse = h(
    "section.mouse",
    {},
    h("h3", {}, "Mouse"),
    h("dl", {}, ...MOUSE.flatMap(([where, text]) => [h("dt", {}, where), h("dd", {}, text)])),
  );
  return makeDialog("Keys and mouse", "help", h("div.help-columns", {}, ...columns, mouse));
}

/** Single keys as key caps, words as they are. */
function keyCaps(text: string): (HTMLElement | string)[] {
  const plain = new Set(["+", "in", "a", "plot", "arrows"]);
  const words = text.split(" ");
  return words.flatMap((word, i) => {
    const joining = plain.has(word) && !(word === "+" && i === 0);
    return [joining ? h("span", {}, word) : h("kbd", {}, word), " "];
  });
}
