// Summary: what was computed, how, what it cost, how well the constraints and the energy were kept, how to repeat it.

import type { PageJson } from "../contract";
import { h } from "../dom";
import { bytes, integer, number } from "../format";
import { icon } from "../icons";
import { curveColor } from "../palette";
import type { Run } from "../run";

type Row = [string, (run: Run) => string | HTMLElement | null];

const METHOD: Row[] = [
  ["problem", (run) => run.json.about.problem ?? null],
  ["source", (run) => run.json.about.source ?? null],
  ["coordinates", (run) => run.json.about.coordinates ?? null],
  ["formulation", (run) => run.json.about.formulation ?? null],
  ["integrator", (run) => run.json.about.integrator ?? null],
  ["stabilization", (run) => run.json.about.stabilization ?? null],
  [
    "time",
    (run) => {
      const { t_start, t_end } = run.json.about;
      return t_end === undefined ? null : `${number(t_start ?? 0, 6)} s to ${number(t_end, 6)} s`;
    },
  ],
];

const STATISTICS: [string, string][] = [
  ["steps", "steps"],
  ["accepted", "accepted"],
  ["rejected", "rejected"],
  ["error_test_failures", "… error too large"],
  ["convergence_failures", "… not converged"],
  ["evaluations", "evaluations"],
  ["newton_iterations", "Newton iterations"],
  ["factorizations", "factorizations"],
  ["stabilizations", "stabilizations"],
];

const DRIFT: Row[] = [
  ["position |g|", (run) => withRow(run.json.drift?.position_max, run.json.drift?.position_row)],
  ["velocity |J v − ν|", (run) => withRow(run.json.drift?.velocity_max, run.json.drift?.velocity_row)],
];

const ENERGY: Row[] = [
  ["at the start", (run) => energy(run.json.energy?.initial)],
  ["at the end", (run) => energy(run.json.energy?.final)],
  ["work done on it", (run) => energy(run.json.energy?.work)],
  [
    "relative error",
    (run) =>
      run.json.energy?.max_relative_error == null ? null : `≤ ${number(run.json.energy.max_relative_error, 3)}`,
  ],
];

export function summary(page: PageJson, runs: Run[], pageSize: number): HTMLElement {
  const table = h("table.summary-table");
  if (runs.length > 1) table.append(runHeadings(runs));
  section(table, "Method", METHOD, runs);
  section(table, "Options", optionRows(runs), runs);
  section(table, "Statistics", statisticRows(), runs);
  section(table, "Constraints, largest error", DRIFT, runs);
  section(table, "Energy", ENERGY, runs);
  section(table, "Shown here", shownRows(), runs);
  return h(
    "div.summary",
    {},
    ...runs.filter((run) => run.failed || run.json.about.message).map((run) => failure(run, runs.length > 1)),
    remarks("warnings", "Warnings: doubts about accuracy", runs),
    remarks("notices", "Notices", runs),
    h("div.table-scroll", {}, table),
    commands(runs),
    h(
      "footer",
      {},
      h("p", {}, `${page.program} · this page ${bytes(pageSize)}`),
      page.note ? h("p", {}, page.note) : null,
    ),
  );
}

/** A banner for runs that did not end well, or whose accuracy is in doubt; null if all is well. */
export function troubleBanner(runs: Run[]): HTMLElement | null {
  const named = runs.length > 1;
  const lines = runs.flatMap((run) => [
    ...(run.failed ? [failure(run, named)] : []),
    ...(run.json.about.warnings ?? []).map((text) => trouble(`${named ? `${run.name}: ` : ""}warning`, text)),
  ]);
  return lines.length === 0 ? null : h("div.banner", { role: "alert" }, ...lines);
}

function trouble(title: string, text: string | undefined): HTMLElement {
  return h("p.failure", {}, icon("warning"), h("strong", {}, title), text ? ` ${text}` : null);
}

function failure(run: Run, named: boolean): HTMLElement {
  const { status, message } = run.json.about;
  const name = named ? `${run.name}: ` : "";
  if (run.failed) return trouble(`${name}${status ?? "failed"}`, message);
  return h("p.message", {}, icon("warning"), h("strong", {}, `${name}message`), message ? ` ${message}` : null);
}

function remarks(kind: "warnings" | "notices", title: string, runs: Run[]): HTMLElement | null {
  const all = runs.flatMap((run) =>
    (run.json.about[kind] ?? []).map((text) => (runs.length > 1 ? `${run.name}: ${text}` : text)),
  );
  if (all.length === 0) return null;
  return h(`section.notices.${kind}` as "section", {}, h("h3", {}, title), h("ul", {}, ...all.map((text) => h("li", {}, text))));
}

function runHeadings(runs: Run[]): HTMLElement {
  const cells = runs.map((run) =>
    h(
      "th",
      { scope: "col" },
      h("span.run-dot", { "data-run": run.index, style: `background:${curveColor(run.color, false)}` }),
      run.name,
    ),
  );
  return h("thead", {}, h("tr", {}, h("td"), ...cells));
}

function section(table: HTMLElement, title: string, rows: Row[], runs: Run[]): void {
  const lines = rows
    .map(([name, of]) => ({ name, cells: runs.map(of) }))
    .filter(({ cells }) => cells.some((cell) => cell !== null && cell !== ""));
  if (lines.length === 0) return;
  table.append(
    h(
      "tbody",
      {},
      h("tr.section", {}, h("th", { colspan: runs.length + 1, scope: "rowgroup" }, title)),
      ...lines.map(({ name, cells }) =>
        h("tr", {}, h("th", { scope: "row" }, name), ...cells.map((cell) => h("td", {}, cell ?? "–"))),
      ),
    ),
  );
}

function optionRows(runs: Run[]): Row[] {
  const names = new Set(runs.flatMap((run) => Object.keys(run.json.about.options ?? {})));
  return [...names].map((name) => [name, (run) => run.json.about.options?.[name] ?? null]);
}

function statisticRows(): Row[] {
  const rows: Row[] = STATISTICS.map(([key, name]) => [
    name,
    (run) => {
      const value = run.json.statistics?.[key];
      return value === undefined || value === null ? null : integer(value);
    },
  ]);
  rows.push([
    "CPU time",
    (run) => {
      const seconds = run.json.statistics?.cpu_seconds;
      return seconds === undefined || seconds === null ? null : `${number(seconds, 3)} s`;
    },
  ]);
  return rows;
}

function shownRows(): Row[] {
  return [
    ["frames", (run) => (run.frames.length > 0 ? integer(run.frames.length) : null)],
    [
      "display error",
      (run) => {
        const parts = [];
        if (run.json.position_error) parts.push(`${number(run.json.position_error, 2)} m`);
        if (run.json.angle_error) parts.push(`${number(run.json.angle_error, 2)} rad`);
        return parts.length > 0 ? `≤ ${parts.join(", ")}` : null;
      },
    ],
    ["note", (run) => run.json.frame_note ?? null],
    ["program", (run) => run.json.about.version ?? null],
  ];
}

function commands(runs: Run[]): HTMLElement | null {
  const known = runs.filter((run) => run.json.about.command);
  if (known.length === 0) return null;
  return h(
    "section",
    {},
    h("h3", {}, "To repeat it"),
    ...known.map((run) => commandBox(run.json.about.command as string)),
  );
}

function commandBox(command: string): HTMLElement {
  const button = h(
    "button.tool",
    { type: "button", title: "Copy the command", "aria-label": "Copy the command" },
    icon("copy"),
  );
  const said = h("span.said", { role: "status" });
  button.addEventListener("click", async () => {
    said.textContent = (await copy(command)) ? "copied" : "select it and copy";
    setTimeout(() => (said.textContent = ""), 2000);
  });
  return h("div.command", {}, h("code", { tabindex: "0" }, command), said, button);
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Pages from disk may not use the clipboard of newer kind.
    const area = h("textarea", { style: "position:fixed;opacity:0" });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

function withRow(value: number | null | undefined, row: string | null | undefined): string | null {
  if (value === null || value === undefined) return null;
  return row ? `${number(value, 3)} (${row})` : number(value, 3);
}

function energy(value: number | null | undefined): string | null {
  return value === null || value === undefined ? null : `${number(value, 6)} J`;
}
