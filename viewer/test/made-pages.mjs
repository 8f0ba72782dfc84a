// What the pages of make-pages.mjs have in particular.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { launch, open, picture } from "./browser.mjs";
import { checkAccessible } from "./accessible.mjs";
import { ask, cursorX } from "./any-page.mjs";

async function saved(page, button) {
  const [file] = await Promise.all([page.waitForEvent("download", { timeout: 120_000 }), button.click()]);
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
  await page.getByLabel("Joint and applied forces").check();
  await page.locator(".scale input").last().fill("0.5");
  await page.waitForTimeout(300);
  await picture(page, shots, "/show");
  assert.deepEqual(complaints, []);
  await context.close();
}

/** One signal over another, degrees, figures, how bodies are drawn, the camera that follows, the film. */
export async function checkViews(browser, file, shots) {
  const { page, context, complaints } = await open(browser, file, { hash: "#t=1", width: 1280, height: 800 });
  const cards = page.locator(".phase-card");
  await page.getByRole("button", { name: "x–y" }).click();
  await page.getByRole("button", { name: "slider.vx over slider.x" }).click();
  assert.equal(await cards.count(), 1);
  const dot = page.locator(".phase-card circle");
  const place = async () => [await dot.getAttribute("cx"), await dot.getAttribute("cy")].map(Number);
  const before = await place();
  await ask(page, "seek", 1.5);
  const after = await place();
  assert.ok(Math.hypot(after[0] - before[0], after[1] - before[1]) > 10, "the dot stays where it was");
  // A click on the path goes to that time.
  await page.locator(".phase-card").scrollIntoViewIfNeeded();
  const box = await page.locator(".phase-card svg.phase").boundingBox();
  await page.mouse.click(box.x + (before[0] / 620) * box.width, box.y + (before[1] / 420) * box.height);
  assert.ok(Math.abs((await ask(page, "time")) - 1) < 0.05, "a click on the path does not set the time");
  await picture(page, shots, "/phase");
  await cards.locator("[aria-label='Remove plot']").click();
  assert.equal(await cards.count(), 0);

  // Degrees: the curve of crank.omega, its unit, and the inspector.
  await ask(page, "seek", 0);
  const value = page.locator(".plot", { hasText: "crank.omega" }).locator(".plot-legend .value").first();
  const radians = Number((await value.textContent()).trim());
  await page.keyboard.press("u");
  const degrees = Number((await value.textContent()).trim());
  assert.ok(Math.abs(degrees / radians - 180 / Math.PI) < 0.01, `${radians} rad/s became ${degrees}`);
  await ask(page, "select", "crank");
  assert.match(await page.locator(".inspector").textContent(), /°/);

  // See-through, hidden and solid again give three pictures; what is hidden cannot be clicked.
  const sums = [];
  for (let i = 0; i < 3; ++i) {
    sums.push((await ask(page, "canvasPixels")).sum);
    await page.keyboard.press("b");
    await ask(page, "canvasPixels"); // draws
  }
  assert.equal(new Set(sums).size, 3, "how the body is drawn changes nothing");
  assert.equal((await ask(page, "canvasPixels")).sum, sums[0], "solid again");
  await page.locator(".inspector select").selectOption("hidden");
  const canvas = await page.locator(".scene canvas").boundingBox();
  const [x, y] = await ask(page, "locate", "crank");
  await ask(page, "select", null);
  await page.mouse.click(canvas.x + x, canvas.y + y);
  assert.notEqual(await ask(page, "selected"), "crank");
  await picture(page, shots, "/hidden");

  // The camera goes with the slider, and stays when it is told to.
  await ask(page, "select", "slider");
  await page.keyboard.press("c");
  await ask(page, "canvasPixels"); // draws
  const where = async () => ({ target: await ask(page, "target"), place: await ask(page, "locate", "slider") });
  const first = await where();
  await ask(page, "seek", 0.8);
  await ask(page, "canvasPixels"); // draws
  const second = await where();
  assert.ok(Math.abs(second.target[0] - first.target[0]) > 0.1, "the camera does not follow");
  assert.ok(Math.hypot(second.place[0] - first.place[0], second.place[1] - first.place[1]) < 1.5);
  await page.keyboard.press("c");
  await ask(page, "seek", 1.6);
  await ask(page, "canvasPixels"); // draws
  const stays = await ask(page, "target");
  assert.ok(Math.hypot(...stays.map((x, i) => x - second.target[i])) < 1e-9, "the camera follows still");

  // Figures: mean square of what is known exactly.
  await page.keyboard.press("i");
  const row = page.locator(".figures tbody tr", { hasText: "pin_A.fx" });
  const cells = (await row.locator("td").allTextContents()).map((text) => Number(text.replace("−", "-")));
  const rms = 20 * Math.sqrt(0.5 + Math.sin(24) / 48);
  assert.ok(Math.abs(cells[7] - rms) < 0.01 * rms, `RMS ${cells[7]}, expected ${rms}`);
  assert.ok(Math.abs(cells[4] - 20) < 0.01, `max ${cells[4]}`);
  const room = await page.locator(".figures .table-scroll").evaluate((e) => e.clientWidth - e.scrollWidth);
  assert.ok(room >= 0, `the table of figures is ${-room} pixels wider than its panel`);
  await picture(page, shots, "/figures");
  await checkAccessible(page, "figures");
  await page.keyboard.press("p");

  // A film.
  const film = await saved(page, page.locator(".scene-tools .film"));
  assert.match(film.name, /\.webm$/);
  assert.deepEqual([...film.bytes.subarray(0, 4)], [0x1a, 0x45, 0xdf, 0xa3], "no WebM");
  assert.ok(film.bytes.length > 5000, `a film of ${film.bytes.length} bytes`);
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
  await page.keyboard.press("k");
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
  await page.keyboard.press("k");
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
  // One method has one colour: in the legends of points and of curves and in the table.
  const legend = (title) => page.locator(".plot", { hasText: title }).locator(".plot-legend li", { hasText: "bdf" });
  const points = await legend("Work and precision").locator("path").getAttribute("fill");
  const curves = await legend("Drift over time")
    .locator(".swatch")
    .evaluate((line) => line.style.borderTopColor);
  const row = page.locator(".table-card tbody tr", { hasText: "bdf" }).first();
  const dot = await row.locator(".run-dot").evaluate((mark) => mark.style.background);
  const rgb = `rgb(${[1, 3, 5].map((i) => parseInt(points.slice(i, i + 2), 16)).join(", ")})`;
  assert.deepEqual([curves, dot], [rgb, rgb]);
  assert.match(await page.locator(".verdict").textContent(), /fastest/);
  await picture(page, shots, "/compare");
  await checkAccessible(page, "comparison");
  const png = await saved(page, page.locator(".xy-card [aria-label='Save as PNG']").first());
  assert.ok(png.bytes.length > 5000);
  await page.setViewportSize({ width: 640, height: 700 });
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 640);
  assert.deepEqual(complaints, []);
  await context.close();
}

/** Maps of a sweep: cells on a grid, dots at random points; a run that failed is crossed out; what a cell means is said. */
export async function checkSweep(browser, file, shots) {
  const { page, context, complaints } = await open(browser, file, { width: 1280, height: 1000 });
  const [grid, random, marks] = [0, 1, 2].map((i) => page.locator(".xy-card").nth(i));
  assert.equal(await grid.locator("rect.map-point").count(), 40);
  assert.equal(await grid.locator("rect.map-point[fill='none']").count(), 1);
  assert.equal(await random.locator("circle.map-point").count(), 30);
  assert.equal(await marks.locator(".xy-point").count(), 30);
  assert.equal(await marks.locator("svg.xy-plot path[fill='none']").count(), 0, "points at random are joined by a line");
  // The softest spring with the weakest damper goes highest: its cell is the brightest.
  const fill = (i) => grid.locator("rect.map-point").nth(i).getAttribute("fill");
  assert.equal(await fill(0), "rgb(253 231 37)");
  assert.equal(await fill(39), "rgb(68 1 84)");
  await grid.locator("rect.map-point").nth(9).hover();
  const said = await grid.locator(".xy-tip").textContent();
  assert.match(said, /run 9: ok.*k 750 N\/m.*c 30 N s\/m.*max\(height\) 0\.18/);
  await picture(page, shots, "/sweep");
  await checkAccessible(page, "sweep");
  const csv = await saved(page, grid.locator("[aria-label='Save as CSV']"));
  assert.match(csv.bytes.toString(), /^"?k, N\/m"?,"?c, N s\/m"?,max\(height\)\n500,10,/);
  const png = await saved(page, grid.locator("[aria-label='Save as PNG']"));
  assert.ok(png.bytes.length > 5000);
  await page.emulateMedia({ colorScheme: "dark" });
  await picture(page, shots, "/sweep-dark");
  await page.setViewportSize({ width: 480, height: 700 });
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 480);
  await picture(page, shots, "/sweep-narrow");
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
