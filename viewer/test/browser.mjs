// Debian's Chromium with software WebGL, driven by playwright-core.
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const CANDIDATES = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export const executable = CANDIDATES.find((path) => path && existsSync(path));

export function launch(more = []) {
  return chromium.launch({
    executablePath: executable,
    args: [
      "--no-sandbox",
      "--disable-dev-shm-usage",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
      ...more,
    ],
  });
}

/** Opens a page from disk and waits until it is drawn; complaints collects all that the console says. */
export async function open(browser, file, { hash = "#play=0", width = 1280, height = 760, dark = false } = {}) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? "dark" : "light",
    acceptDownloads: true,
  });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => {
    // Software WebGL reports that reading pixels stalls: about the test machine, not the page.
    if (["error", "warning"].includes(message.type()) && !/GL Driver Message|GPU stall/.test(message.text()))
      complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  const started = Date.now();
  await page.goto(pathToFileURL(file).href + hash);
  await page.waitForFunction(() => document.documentElement.dataset.ready, null, { timeout: 60_000 });
  return { page, context, complaints, opened: Date.now() - started };
}

/** A picture for people, where they asked for them: with software WebGL it takes as long as all checks of a page. */
export async function picture(page, shot, what) {
  if (shot) await page.screenshot({ path: `${shot}${what}.png` });
}
