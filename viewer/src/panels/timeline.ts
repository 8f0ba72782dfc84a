// The bar at the bottom: play, step, scrub, speed, loop, time; events as marks, modes of what switches as bands.

import { type Clock, SPEEDS } from "../clock";
import { h } from "../dom";
import { number, timeDecimals } from "../format";
import { icon, type IconName } from "../icons";
import type { Run } from "../run";

export class Timeline {
  readonly element: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly time = h("output.time", { "aria-label": "Time" });
  private readonly playButton = tool("play", "Play (space)", () => this.clock.toggle());
  private readonly loopButton = tool("loop", "Loop (L)", () => (this.clock.loop = !this.clock.loop));
  private readonly speed = h("select", { "aria-label": "Speed", title: "Speed (, slower  . faster)" });
  private readonly decimals: number;
  private readonly frames: Float64Array;

  constructor(
    private readonly clock: Clock,
    runs: Run[],
  ) {
    this.decimals = timeDecimals(clock.end - clock.start);
    this.frames = runs.reduce<Float64Array>(
      (most, run) => (run.frames.length > most.length ? run.frames : most),
      new Float64Array(0),
    );
    this.slider = h("input", { type: "range", min: 0, max: 10000, step: "any", "aria-label": "Time" });
    this.slider.addEventListener("input", () => {
      this.clock.pause();
      this.clock.seek(clock.start + (Number(this.slider.value) / 10000) * (clock.end - clock.start));
    });
    const end = h("span.end", {}, `/ ${number(clock.end, 6)} s`);
    this.element = h(
      "footer.timeline",
      { role: "toolbar", "aria-label": "Time" },
      h(
        "div.buttons",
        {},
        tool("toStart", "To the start (Home)", () => clock.seek(clock.start)),
        tool("stepBack", "Step back (←)", () => this.step(-1)),
        this.playButton,
        tool("stepForward", "Step forward (→)", () => this.step(1)),
        tool("toEnd", "To the end (End)", () => clock.seek(clock.end)),
        this.loopButton,
      ),
      h("div.track", {}, this.slider, this.marks(runs), this.bands(runs)),
      h("div.now", {}, this.time, end),
      this.speed,
    );
    clock.changed.on(() => this.showTime());
    clock.state.on(() => this.showState());
    this.speed.addEventListener("change", () => (clock.speed = Number(this.speed.value)));
    this.speed.append(...SPEEDS.map((s) => h("option", { value: s }, `${s}×`)));
    this.showTime();
    this.showState();
  }

  /** To the next or previous frame, or several. */
  step(count: number): void {
    const { clock, frames } = this;
    clock.pause();
    if (frames.length < 2) return;
    const tiny = (clock.end - clock.start) * 1e-12;
    let at = 0;
    // Frames need not be evenly spaced: look for the neighbour of the time itself.
    if (count > 0) {
      while (at < frames.length - 1 && frames[at] <= clock.time + tiny) ++at;
      at += count - 1;
    } else {
      at = frames.length - 1;
      while (at > 0 && frames[at] >= clock.time - tiny) --at;
      at += count + 1;
    }
    clock.seek(frames[Math.min(Math.max(at, 0), frames.length - 1)]);
  }

  private marks(runs: Run[]): HTMLElement {
    const { start, end } = this.clock;
    const marks = runs.flatMap((run) =>
      (run.json.events ?? []).slice(0, 300).map((event) => {
        const place = end > start ? ((event.t - start) / (end - start)) * 100 : 0;
        const label = `${event.name}, t = ${number(event.t, 6)} s`;
        return h("button.mark", {
          type: "button",
          title: label,
          "aria-label": `Go to event ${label}`,
          style: `left:${place}%`,
          onclick: () => this.clock.seek(event.t),
        });
      }),
    );
    return h("div.marks", {}, ...marks);
  }

  /** One thin band a switch: light where it is off, open or slips the one way, strong where it is on. */
  private bands(runs: Run[]): HTMLElement {
    const { start, end } = this.clock;
    const place = (t: number) => (end > start ? ((t - start) / (end - start)) * 100 : 0);
    const rows = runs
      .flatMap((run) => run.json.modes ?? [])
      .slice(0, 6)
      .map((band) =>
        h(
          "div.band",
          { title: band.name, "aria-label": `Modes of ${band.name}` },
          ...band.spans.map(([from, to, value, text]) =>
            h("span", {
              title: `${band.name}: ${text}, ${number(from, 6)} to ${number(to, 6)} s`,
              "data-mode": String(((value % 3) + 3) % 3),
              style: `left:${place(from)}%;width:${Math.max(place(to) - place(from), 0)}%`,
            }),
          ),
        ),
      );
    return h("div.bands", {}, ...rows);
  }

  private showTime(): void {
    const { time, start, end } = this.clock;
    const text = time.toFixed(this.decimals);
    if (this.time.textContent !== text) this.time.textContent = text;
    const part = end > start ? (time - start) / (end - start) : 0;
    this.slider.value = String(part * 10000);
    this.slider.style.setProperty("--part", `${part * 100}%`);
    // Spoken only when someone stands on the slider; changing it while playing would talk without end.
    if (!this.clock.playing) this.slider.setAttribute("aria-valuetext", `${text} s`);
  }

  private showState(): void {
    const { playing, loop, speed } = this.clock;
    this.playButton.replaceChildren(icon(playing ? "pause" : "play"));
    const label = playing ? "Pause (space)" : "Play (space)";
    this.playButton.title = label;
    this.playButton.setAttribute("aria-label", label);
    this.playButton.classList.add("primary");
    this.loopButton.setAttribute("aria-pressed", String(loop));
    this.speed.value = String(speed);
  }
}

function tool(name: IconName, label: string, action: () => void): HTMLButtonElement {
  return h("button.tool", { type: "button", title: label, "aria-label": label, onclick: action }, icon(name));
}
