// Mouse and wheel in a plot: click moves the time, drag zooms, drag of the cursor line scrubs, Shift + drag pans.

import type uPlot from "uplot";
import type { Clock } from "../clock";
import type { XRange } from "./x-range";

export interface PointerOptions {
  range: XRange;
  clock: Clock | null;
  grip: HTMLElement;
  onHover: (t: number | null) => void;
  onReset: () => void;
}

export function watchPointer(u: uPlot, { range, clock, grip, onHover, onReset }: PointerOptions): void {
  const over = u.over;
  const timeAt = (event: MouseEvent): number => u.posToVal(event.clientX - over.getBoundingClientRect().left, "x");
  let down: { x: number; y: number } | null = null;

  // The cursor line is dragged like the timeline.
  grip.onpointerdown = (event) => {
    if (!clock || event.button !== 0) return;
    event.stopPropagation();
    event.preventDefault();
    clock.pause();
    grip.setPointerCapture(event.pointerId);
    grip.onpointermove = (move) => clock.seek(timeAt(move));
    grip.onpointerup = grip.onpointercancel = () => (grip.onpointermove = null);
  };
  grip.onmousedown = (event) => event.stopPropagation(); // or uPlot begins to zoom

  over.addEventListener(
    "mousedown",
    (event) => {
      down = { x: event.clientX, y: event.clientY };
      if (event.shiftKey || event.button === 1) {
        event.stopImmediatePropagation();
        event.preventDefault();
        pan(event);
      }
    },
    true,
  );
  over.addEventListener("mouseup", (event) => {
    const still = down && Math.hypot(event.clientX - down.x, event.clientY - down.y) < 4;
    if (still && clock && event.button === 0 && !event.shiftKey) clock.seek(timeAt(event));
    down = null;
  });
  (u.hooks.setSelect ??= []).push(zoomToSelection);
  over.addEventListener("mousemove", (event) => onHover(event.buttons === 0 ? timeAt(event) : null));
  over.addEventListener("mouseleave", () => onHover(null));
  over.addEventListener("dblclick", () => onReset());
  over.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return; // the list of plots scrolls
      event.preventDefault();
      const turned = event.deltaY || event.deltaX;
      if (event.shiftKey) range.pan(Math.sign(turned) * 0.1);
      else range.zoom(turned < 0 ? 1.25 : 0.8, timeAt(event));
    },
    { passive: false },
  );

  function zoomToSelection(): void {
    const { left, top, width, height } = u.select;
    if (width > 4) {
      const [min, max] = [u.posToVal(left, "x"), u.posToVal(left + width, "x")];
      const high = height > 4 && height < over.clientHeight - 2;
      const ends = high
        ? (["left", "right"] as const).map((s) => [u.posToVal(top + height, s), u.posToVal(top, s)])
        : [];
      range.set(min, max);
      ends.forEach(([from, to], i) => {
        if (Number.isFinite(from) && Number.isFinite(to))
          u.setScale(i === 0 ? "left" : "right", { min: from, max: to });
      });
    }
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  }

  function pan(start: MouseEvent): void {
    const width = over.clientWidth || 1;
    let last = start.clientX;
    const move = (event: MouseEvent): void => {
      range.pan((last - event.clientX) / width);
      last = event.clientX;
    };
    const stop = (): void => {
      window.removeEventListener("mousemove", move);
      window.removeEventListener("mouseup", stop);
    };
    window.addEventListener("mousemove", move);
    window.addEventListener("mouseup", stop);
  }
}
