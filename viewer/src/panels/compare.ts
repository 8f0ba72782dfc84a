// Ready-made plots and tables: comparison of methods, drift of several runs.

import type { PageJson, PlotJson } from "../contract";
import type { Archive } from "../data";
import { h } from "../dom";
import { curveColor, DASHES } from "../palette";
import type { Curve } from "../plots/curves";
import { MapPlot } from "../plots/map-plot";
import { TimePlot } from "../plots/time-plot";
import { XRange } from "../plots/x-range";
import { XyPlot } from "../plots/xy-plot";
import type { Theme } from "../theme";
import { sortableTable } from "./table";

export function comparison(page: PageJson, archive: Archive, theme: Theme): HTMLElement {
  const cards = (page.plots ?? []).map((plot) => {
    if (plot.kind === "time") return timeCard(plot, archive, theme);
    if (plot.kind === "map") return new MapPlot(plot, archive, theme).element;
    return new XyPlot(plot, archive, theme).element;
  });
  return h(
    "section.comparison",
    { "aria-label": "Comparison", tabindex: "-1" },
    page.verdict ? h("p.verdict", {}, page.verdict) : null,
    page.note ? h("p.note", {}, page.note) : null,
    h("div.cards", {}, ...cards, ...(page.tables ?? []).map((table) => sortableTable(table, theme))),
  );
}

/** Quantities over time, e.g. the drift of several runs. */
function timeCard(plot: PlotJson, archive: Archive, theme: Theme): HTMLElement {
  const list = (data: PlotJson["series"][number]["x"]): ArrayLike<number> =>
    Array.isArray(data) ? data.map((value) => value ?? NaN) : archive.values(data);
  const series = plot.series.map(({ name, x, y, color }, i) => ({ name, x: list(x), y: list(y), color: color ?? i }));
  let [start, end] = [Infinity, -Infinity];
  for (const { x } of series) {
    if (x.length === 0) continue;
    start = Math.min(start, x[0]);
    end = Math.max(end, x[x.length - 1]);
  }
  if (!(end > start)) [start, end] = [0, 1];
  const curves = (dark: boolean): Curve[] =>
    series.map(({ name, x, y, color }, i) => ({
      name,
      label: name,
      unit: plot.y.unit ?? "",
      times: x,
      values: y,
      color: curveColor(color, dark),
      dash: DASHES[Math.floor(color / 8) % DASHES.length],
      owner: null,
      run: i,
    }));
  const label = (axis: PlotJson["x"]): string => (axis.unit ? `${axis.label}, ${axis.unit}` : axis.label);
  const card = new TimePlot({
    title: plot.title,
    log: plot.y.log === true,
    curves,
    range: new XRange(start, end),
    clock: null,
    theme,
    height: 300,
    yLabel: label(plot.y),
    xLabel: label(plot.x),
  });
  theme.changed.on(() => card.rebuild());
  return card.element;
}
