// A table that sorts by any column: click or Enter on a heading, again for the other direction.

import type { TableJson } from "../contract";
import { h } from "../dom";
import { csvCell, download } from "../download";
import { integer, number } from "../format";
import { icon } from "../icons";
import { curveColor } from "../palette";
import type { Theme } from "../theme";

type Cell = string | number | null;

/** `theme`: rows have the colours of what they are about. */
export function sortableTable(table: TableJson, theme: Theme | null = null): HTMLElement {
  const body = h("tbody");
  let column = -1;
  let direction = 1;

  const headings = table.columns.map((spec, i) => {
    const text = spec.unit ? `${spec.name}, ${spec.unit}` : spec.name;
    const button = h(
      "button",
      { type: "button", onclick: () => sortBy(i) },
      text,
      h("span.arrow", { "aria-hidden": "true" }),
    );
    return h("th", { scope: "col", class: classes(i) }, button);
  });

  function isNumber(i: number): boolean {
    return table.columns[i].kind === "number";
  }

  function classes(i: number): string | null {
    const words = [isNumber(i) ? "number" : "", table.columns[i].optional ? "optional" : ""].filter(Boolean);
    return words.length > 0 ? words.join(" ") : null;
  }

  function compare(a: Cell, b: Cell): number {
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1; // what is missing goes last
    if (typeof a === "number" && typeof b === "number") return direction * (a - b);
    return direction * String(a).localeCompare(String(b), "en", { numeric: true });
  }

  function sortBy(i: number): void {
    direction = column === i ? -direction : 1;
    column = i;
    headings.forEach((heading, k) => {
      if (k === column) heading.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
      else heading.removeAttribute("aria-sort");
    });
    fill();
  }

  function fill(): void {
    const order = table.rows.map((_, i) => i);
    if (column >= 0) order.sort((a, b) => compare(table.rows[a][column], table.rows[b][column]));
    body.replaceChildren(
      ...order.map((k) =>
        h(
          "tr",
          {},
          ...table.rows[k].map((cell, i) =>
            h("td", { class: classes(i) }, i === 0 ? dot(k) : null, ...breakable(text(cell))),
          ),
        ),
      ),
    );
  }

  function dot(row: number): HTMLElement | null {
    const color = table.colors?.[row];
    if (color === undefined || color < 0 || !theme) return null;
    return h("span.run-dot", { style: `background:${curveColor(color, theme.dark)}`, "aria-hidden": "true" });
  }
  theme?.changed.on(fill);

  fill();
  const save = h(
    "button.tool",
    {
      type: "button",
      title: "Save as CSV",
      "aria-label": "Save table as CSV",
      onclick: () => {
        const lines = [table.columns.map((c) => csvCell(c.unit ? `${c.name} [${c.unit}]` : c.name)).join(",")];
        for (const row of table.rows) lines.push(row.map(csvCell).join(","));
        download(`${table.title}.csv`, new Blob([lines.join("\n") + "\n"], { type: "text/csv" }));
      },
    },
    icon("table"),
  );
  return h(
    "article.plot.table-card",
    {},
    h("header", {}, h("h3", {}, table.title), h("div.plot-tools", {}, save)),
    h(
      "div.table-scroll",
      { tabindex: "0", role: "region", "aria-label": table.title },
      h("table", {}, h("thead", {}, h("tr", {}, ...headings)), body),
    ),
  );
}

/** Names may go on in the next line behind a dot or an underscore. */
function breakable(word: string): (string | HTMLElement)[] {
  return word.split(/(?<=[._])(?=[A-Za-z])/).flatMap((part, i) => (i > 0 ? [h("wbr"), part] : [part]));
}

function text(cell: Cell): string {
  if (cell === null || cell === undefined) return "–";
  if (typeof cell === "string") return cell;
  return Number.isInteger(cell) && Math.abs(cell) < 1e9 ? integer(cell) : number(cell, 4);
}
