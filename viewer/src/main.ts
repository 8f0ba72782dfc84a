// Start: reads the data in the page and builds it; a failure is told to the reader, not only to the console.

import "uplot/dist/uPlot.min.css";
import "./style.css";
import { readAddress } from "./address";
import { buildApp } from "./app";
import { readArchive, readPage } from "./data";
import { h } from "./dom";

async function start(): Promise<void> {
  const root = document.getElementById("app") as HTMLElement;
  try {
    const size = pageSize();
    const page = readPage();
    const archive = await readArchive();
    buildApp(root, page, archive, readAddress(location.hash), { page: size });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    root.replaceChildren(
      h("div.fatal", { role: "alert" }, h("h1", {}, "This page cannot be shown"), h("p", {}, message)),
    );
    document.documentElement.dataset.ready = "failed";
  }
}

/** Characters of the document: the file is plain ASCII but for a few, so that they count its bytes closely. */
function pageSize(): number {
  return [...document.querySelectorAll("script, style")].reduce(
    (sum, element) => sum + (element.textContent?.length ?? 0),
    2000,
  );
}

void start();
