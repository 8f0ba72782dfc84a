// What the pages of make-pages.mjs have in particular.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { launch, open, picture } from "./browser.mjs";
import { checkAccessible } from "./accessible.mjs";
import { ask, cursorX } from "./any-page.mjs";

async function saved(page, button) {
  const [file] = await Promise.all([page.waitForEvent("download"), button.click()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

export async function checkSignals(browser, file, shots) {
  const { page, context, complaints } = await open(browser, file, { hash: "#t=1", width: 1280, height: 800 });
  assert.ok(Math.abs((await ask(page, "time")) - 1) < 1e-12, "#t= is not obeyed");

  // A click in a plot goes to that time; the scene's time is the plot's time.
  const over = page.locator(".plot .u-over").first();
  const box = await over.boundingBox();
  await page.mouse.click(box.x + box.width * 0.75, box.y + box.height / 2);
  assert.ok(Math.abs((await ask(page, "time")) - 3) < 0.03, "a click in the plot does not set the time");
  assert.ok(Math.abs((await cursorX(page)) + 4.5 - (box.x + box.width * 0.75)) < 3);

  // Drag zooms all plots, Z shows all again.
  await page.mouse.move(box.x + box.width * 0.2, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, box.y + 42, { steps: 4 });
  await page.mouse.up();
  assert.ok(await page.getByText("All times").isVisible(), "drag does not zoom");
  await ask(page, "seek", 1.4);
  const zoomed = await cursorX(page);
  assert.ok(Math.abs(zoomed + 4.5 - (box.x + box.width * 0.5)) < 12, "the cursor does not follow the zoom");
  await picture(page, shots, "/zoomed");
  await page.locator(".plot").first().focus();
  await page.keyboard.press("z");
  assert.ok(!(await page.getByText("All times").isVisible()));
  await page.waitForTimeout(100);
  assert.ok((await cursorX(page)) < zoomed - 20, "the cursor stays where it was before the zoom ended");

  // The value in the legend is that of the signal.
  await ask(page, "seek", 0);
  const shown = Number((await page.locator(".plot-legend .value").first().textContent()).trim());
  const exact = Math.cos(0.4) + Math.sqrt(4 - Math.sin(0.4) ** 2);
  assert.ok(Math.abs(shown - exact) < 1e-3, `legend says ${shown}, expected ${exact}`);

  // Signals are found by name and plotted.
  const plots = await page.locator(".plot-stack .plot").count();
  await page.keyboard.press("/");
  await page.keyboard.type("theta rod");
  const choices = page.locator(".signal-list .choice");
  assert.equal(await choices.count(), 1);
  await choices.first().locator("input").check();
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".plot-stack .plot").count(), plots + 1);

  // Selecting a body makes its curves stand out.
  await ask(page, "select", "rod");
  assert.ok((await page.locator(".plot.highlighted").count()) >= 2);

  const csv = await saved(page, page.locator(".plot [aria-label='Save as CSV']").first());
  const lines = csv.bytes.toString().trim().split("\n");
  assert.equal(lines[0], "t [s],slider_x [m]");
  assert.equal(lines.length, 402);
  assert.ok(Math.abs(Number(lines[1].split(",")[1]) - exact) < 1e-4);
  const png = await saved(page, page.locator(".plot [aria-label='Save as PNG']").first());
  assert.ok(png.bytes.length > 3000 && png.bytes.subarray(1, 4).toString() === "PNG");
  const scene = await saved(page, page.locator(".scene-tools [aria-label='Save the picture as PNG']"));
  assert.ok(scene.bytes.length > 3000);

  // What to show, with the scale of arrows.
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.getByLabel("Reaction forces").check();
  await page.locator(".scale input").last().fill("0.5");
  await page.waitForTimeout(300);
  await picture(page, shots, "/show");
  assert.deepEqual(complaints, []);
  await context.close();
}

export async function checkOverlay(browser, file, shots) {
  const { page, context, complaints } = await open(browser, file, { hash: "#t=2.4" });
  const legend = page.locator(".plot").first().locator(".plot-legend li");
  assert.equal(await legend.count(), 2, "one curve per run");
  const both = (await ask(page, "canvasPixels")).sum;
  await page.getByLabel("Scene of radau5").selectOption("hidden");
  await page.waitForTimeout(200);
  assert.notEqual((await ask(page, "canvasPixels")).sum, both, "hiding a run's scene changes nothing");
  await page.getByLabel("Curves of radau5").uncheck();
  assert.equal(await legend.count(), 1);
  await page.getByLabel("Curves of radau5").check();
  await page.getByLabel("Scene of radau5").selectOption("ghost");
  await ask(page, "select", "slider");
  await page.waitForTimeout(200);
  assert.equal(
    await page
      .locator(".time-cursor")
      .first()
      .evaluate((line) => line.style.visibility),
    "visible",
    "no cursor after a change of runs",
  );
  await picture(page, shots, "/overlay-selected");
  await page.keyboard.press("s");
  assert.ok((await page.locator(".summary-table thead th").count()) === 2);
  assert.deepEqual(complaints, []);
  await context.close();
}

export async function checkChain(browser, file) {
  const { page, context, complaints, opened } = await open(browser, file, { hash: "", width: 900, height: 600 });
  assert.equal(await ask(page, "frameCount"), 10_000);
  assert.equal(await ask(page, "playing"), true, "a page plays when it is opened");
  // How long one picture takes to prepare, without the software renderer's share: what a machine with a GPU would need.
  const { count, busy } = await page.evaluate(
    () =>
      new Promise((done) => {
        let [n, sum] = [0, 0];
        const started = performance.now();
        const next = () => {
          const before = performance.now();
          window.driftless.seek(window.driftless.time());
          sum += performance.now() - before;
          if ((++n, performance.now() - started > 2000)) done({ count: n, busy: sum / n });
          else requestAnimationFrame(next);
        };
        requestAnimationFrame(next);
      }),
  );
  assert.deepEqual(complaints, []);
  await context.close();
  return `opened in ${opened} ms, ${(count / 2).toFixed(0)} pictures a second in software, seek ${busy.toFixed(2)} ms`;
}

export async function checkGallery(browser, file, shots) {
  const { page, context, complaints } = await open(browser, file, {
    hash: "#t=1&show=frames",
    width: 1200,
    height: 720,
    dark: true,
  });
  assert.match(await page.locator(".banner").textContent(), /not converged.*smaller --max-step/);
  assert.equal(
    await page.evaluate(() => document.documentElement.dataset.theme),
    "dark",
    "the system's theme is not followed",
  );
  await picture(page, shots, "/gallery-frames");
  // Flexible bodies: colours by stress, magnified deflections.
  const sum = () => page.evaluate(() => window.driftless.canvasPixels().sum);
  const settled = () => page.waitForTimeout(300);
  const plainly = await sum();
  await page.keyboard.press("c");
  await settled();
  const colored = await sum();
  assert.notEqual(colored, plainly, "stress has no colours");
  await page.locator(".scene-tools button", { hasText: "Show" }).click();
  assert.match(await page.locator(".show-panel").textContent(), /Stress, 0 to 9\.00e\+6 Pa/);
  await page.locator("label.deflection input").evaluate((slider) => {
    slider.value = "1";
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await settled();
  assert.equal(await page.locator("label.deflection output").textContent(), "10");
  assert.notEqual(await sum(), colored, "deflections are not magnified");
  await page.keyboard.press("Escape");
  await page.keyboard.press("c");
  await page.goto("about:blank");
  assert.deepEqual(complaints, []);
  await context.close();
  // Pictures for documents: the scene alone.
  const plain = await open(browser, file, { hash: "#t=1&plain=scene&view=front&theme=light", width: 700, height: 500 });
  assert.ok(!(await plain.page.locator(".timeline").isVisible()));
  assert.equal((await plain.page.locator(".scene canvas").boundingBox()).width, 700);
  await picture(plain.page, shots, "/plain");
  assert.deepEqual(plain.complaints, []);
  await plain.context.close();
}

export async function checkCompare(browser, file, shots) {
  const { page, context, complaints } = await open(browser, file, { width: 1280, height: 900 });
  assert.ok((await page.locator(".xy-point").count()) === 36);
  const column = page.locator(".table-card tbody td:nth-child(4)");
  const heading = page.getByRole("button", { name: /CPU time/ });
  await heading.click();
  const up = Number(await column.first().textContent());
  await heading.press("Enter");
  const down = Number(await column.first().textContent());
  assert.ok(up < down, "the table does not sort");
  await page.locator(".xy-point").nth(8).hover();
  assert.match(await page.locator(".xy-tip").textContent(), /rtol/);
  await picture(page, shots, "/compare");
  await checkAccessible(page, "comparison");
  const png = await saved(page, page.locator(".xy-card [aria-label='Save as PNG']").first());
  assert.ok(png.bytes.length > 5000);
  await page.setViewportSize({ width: 640, height: 700 });
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 640);
  assert.deepEqual(complaints, []);
  await context.close();
}

/** A comparison that brings its runs: scene and plots are made while hidden and must be right when they are shown. */
export async function checkCompareWithRuns(browser, file, shots) {
  const { page, context, complaints } = await open(browser, file, { width: 1100, height: 700 });
  assert.ok(await page.locator(".comparison").isVisible());
  assert.ok(!(await page.locator(".timeline").isVisible()));
  await page.getByRole("tab", { name: "Motion" }).click();
  await page.waitForTimeout(800);
  assert.ok(await page.locator(".timeline").isVisible());
  assert.ok((await page.locator(".plot-stack .u-over").first().boundingBox()).width > 250);
  assert.ok((await ask(page, "canvasPixels")).drawn > 500);
  await picture(page, shots, "/compare-motion");
  assert.deepEqual(complaints, []);
  await context.close();
}

export async function checkWithoutWebGl(file, shots) {
  const browser = await launch(["--disable-3d-apis"]);
  try {
    const { page, complaints } = await open(browser, file, { hash: "#t=1" });
    assert.ok(await page.locator(".no-webgl").isVisible());
    const before = await cursorX(page);
    await page.keyboard.press("End");
    assert.ok((await cursorX(page)) > before, "without a scene the plots do not follow");
    await picture(page, shots, "/no-webgl");
    assert.deepEqual(complaints, []);
  } finally {
    await browser.close();
  }
}
