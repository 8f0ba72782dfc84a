// The motion as a film, recorded by the browser while it plays once from start to end.

import type { Clock } from "./clock";
import type { World } from "./scene/world";

const KINDS = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];
const RATE = 30; // pictures a second

export class Film {
  onChange: (() => void) | null = null;
  private recorder: MediaRecorder | null = null;

  constructor(
    private readonly world: World,
    private readonly clock: Clock,
  ) {}

  static get possible(): boolean {
    return typeof MediaRecorder !== "undefined" && KINDS.some((kind) => MediaRecorder.isTypeSupported(kind));
  }

  get running(): boolean {
    return this.recorder !== null;
  }

  stop(): void {
    if (this.recorder && this.recorder.state !== "inactive") this.recorder.stop();
  }

  /** Plays the whole motion at the chosen speed; what has been seen when it is stopped is the film. */
  record(): Promise<Blob> {
    const { world, clock } = this;
    const canvas = world.snapshot();
    const context = canvas.getContext("2d") as CanvasRenderingContext2D;
    const kind = KINDS.find((candidate) => MediaRecorder.isTypeSupported(candidate));
    const recorder = new MediaRecorder(canvas.captureStream(RATE), { mimeType: kind, videoBitsPerSecond: 8e6 });
    const pieces: Blob[] = [];
    const loop = clock.loop;
    let over = false;
    const draw = (): void => {
      if (over) return;
      context.drawImage(world.snapshot(), 0, 0, canvas.width, canvas.height);
      if (clock.playing) requestAnimationFrame(draw);
      else setTimeout(() => this.stop(), 2000 / RATE); // the last picture stays for a moment
    };
    return new Promise((done) => {
      recorder.ondataavailable = ({ data }) => data.size > 0 && pieces.push(data);
      recorder.onstop = () => {
        over = true;
        clock.pause();
        clock.loop = loop;
        this.recorder = null;
        this.onChange?.();
        done(new Blob(pieces, { type: "video/webm" }));
      };
      clock.pause();
      clock.seek(clock.start);
      clock.loop = false;
      this.recorder = recorder;
      this.onChange?.();
      recorder.start();
      clock.play();
      draw();
    });
  }
}
