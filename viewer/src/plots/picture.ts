// A plot as a picture for documents: title, plot, legend on the background of the page.

import type { Theme } from "../theme";
import type { Curve } from "./curves";

export function pictureOf(
  plot: HTMLCanvasElement,
  title: string,
  curves: Curve[],
  note: string,
  theme: Theme,
): HTMLCanvasElement {
  const scale = window.devicePixelRatio || 1;
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d") as CanvasRenderingContext2D;
  const font = 'ui-sans-serif, system-ui, "Segoe UI", Roboto, sans-serif';
  const margin = 12;
  const width = plot.width / scale + 2 * margin;

  // Legend entries in as many rows as they need.
  context.font = `12px ${font}`;
  const rows: Curve[][] = [[]];
  let used = 0;
  for (const curve of curves) {
    const wide = context.measureText(curve.label).width + 46;
    if (used + wide > width - 2 * margin && rows[rows.length - 1].length > 0) {
      rows.push([]);
      used = 0;
    }
    rows[rows.length - 1].push(curve);
    used += wide;
  }
  const top = 34;
  const height = top + plot.height / scale + rows.length * 20 + margin;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  context.scale(scale, scale);
  context.fillStyle = theme.color("surface");
  context.fillRect(0, 0, width, height);
  context.textBaseline = "middle";
  context.fillStyle = theme.color("ink");
  context.font = `600 14px ${font}`;
  context.fillText(title, margin, 19);
  context.font = `12px ${font}`;
  context.fillStyle = theme.color("muted");
  context.textAlign = "right";
  context.fillText(note, width - margin, 19);
  context.textAlign = "left";
  context.drawImage(plot, margin, top, plot.width / scale, plot.height / scale);
  rows.forEach((row, r) => {
    let x = margin + 8;
    const y = top + plot.height / scale + 10 + 20 * r;
    for (const curve of row) {
      context.strokeStyle = curve.color;
      context.lineWidth = 2;
      context.setLineDash(curve.dash);
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(x + 20, y);
      context.stroke();
      context.fillStyle = theme.color("ink");
      context.fillText(curve.label, x + 26, y);
      x += context.measureText(curve.label).width + 46;
    }
  });
  return canvas;
}
