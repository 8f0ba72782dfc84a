// What every page with a scene must do.
import assert from "node:assert/strict";
import { checkAccessible } from "./accessible.mjs";
import { open, picture } from "./browser.mjs";

/** Left edge of the cursor line in the first plot, in pixels of the window. */
export const cursorX = (page) =>
  page
    .locator(".time-cursor")
    .first()
    .evaluate((line) => line.getBoundingClientRect().left);
export const ask = (page, what, ...args) =>
  page.evaluate(([name, values]) => window.driftless[name](...values), [what, args]);
const frames = (page, count = 3) =>
  page.evaluate(
    (n) =>
      new Promise((done) => {
        const next = () => (n-- > 0 ? requestAnimationFrame(next) : done());
        next();
      }),
    count,
  );

export async function checkPage(browser, file, shot) {
  const { page, context, complaints, opened } = await open(browser, file, { width: 1100, height: 680 });
  await picture(page, shot, "");

  // The canvas is not blank, and another time gives another picture.
  const first = await ask(page, "canvasPixels");
  assert.ok(first.drawn > 500, `only ${first.drawn} pixels drawn`);
  const end = await page.evaluate(() => {
    window.driftless.seek(1e9);
    return window.driftless.time();
  });
  assert.ok(end > 0);
  await ask(page, "seek", 0.43 * end);
  await frames(page);
  const second = await ask(page, "canvasPixels");
  assert.notEqual(second.sum, first.sum, "the picture does not depend on time");

  // The cursor in the plots follows.
  const hasPlots = (await page.locator(".plot .time-cursor").count()) > 0;
  const before = hasPlots ? await cursorX(page) : 0;
  await ask(page, "seek", 0.6 * end);
  if (hasPlots) assert.ok((await cursorX(page)) > before + 5, "the cursor in the plot stays");

  // Playing moves time and picture; it stops again.
  await ask(page, "seek", 0);
  await page.keyboard.press("."); // faster
  await page.keyboard.press("Space");
  await page.waitForFunction((t) => window.driftless.time() > t, 0.2 * end, { timeout: 20_000 }); // some begin at rest
  assert.equal(await ask(page, "playing"), true);
  if (hasPlots)
    await page.waitForFunction(
      (x) => document.querySelector(".time-cursor").getBoundingClientRect().left !== x,
      await cursorX(page),
      { timeout: 20_000 },
    );
  await page.keyboard.press("Space");
  assert.equal(await ask(page, "playing"), false);
  assert.notEqual((await ask(page, "canvasPixels")).sum, first.sum, "nothing moves when played");

  // Keys: end, start, step, help, selection.
  await page.keyboard.press("End");
  assert.equal(await ask(page, "time"), end);
  await page.keyboard.press("Home");
  const start = await ask(page, "time");
  await page.keyboard.press("ArrowRight");
  assert.ok((await ask(page, "time")) > start, "→ does not step");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await ask(page, "time"), start);
  await page.keyboard.press("?");
  assert.ok(await page.locator("dialog.help").isVisible());
  await page.keyboard.press("Escape");
  assert.ok(!(await page.locator("dialog.help").isVisible()));
  await page.keyboard.press("]");
  const name = await ask(page, "selected");
  assert.ok(name, "] selects nothing");
  assert.ok(await page.locator(".inspector").isVisible());
  await page.keyboard.press("Escape");
  assert.equal(await ask(page, "selected"), null);

  await pickSomething(page, end);
  await picture(page, shot, "-picked");
  await checkAccessible(page, "light");

  // Views and switches by key leave a picture.
  for (const key of ["2", "3", "4", "o", "v", "r", "x", "n"]) {
    await page.keyboard.press(key);
    await frames(page, 2);
  }
  await page.waitForTimeout(700);
  assert.ok((await ask(page, "canvasPixels")).drawn > 500, "views and switches lose the scene");
  await picture(page, shot, "-iso");

  await checkSizes(page, shot);
  await page.setViewportSize({ width: 1100, height: 680 });

  // Dark, by key.
  const light = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.keyboard.press("d");
  await frames(page);
  const dark = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.notEqual(dark, light);
  await picture(page, shot, "-dark");
  await checkAccessible(page, "dark");

  // Summary, by key.
  await page.keyboard.press("s");
  assert.ok(await page.locator(".summary").isVisible());
  await checkAccessible(page, "summary");
  await picture(page, shot, "-summary");
  assert.deepEqual(complaints, [], "the console complains");
  await context.close();
  return `opened in ${opened} ms`;
}

/** Clicks where parts are until one of them is hit: some are hidden behind others. */
async function pickSomething(page, end) {
  await ask(page, "seek", 0.3 * end);
  await frames(page);
  const box = await page.locator(".scene canvas").boundingBox();
  const names = await page.evaluate(() => {
    const all = [];
    for (let i = 0; i < 14; ++i) {
      document.dispatchEvent(new KeyboardEvent("keydown", { key: "]", bubbles: true }));
      all.push(window.driftless.selected());
    }
    window.driftless.select(null);
    return [...new Set(all)];
  });
  for (const name of names) {
    const place = await ask(page, "locate", name);
    if (!place || place[0] < 5 || place[1] < 60 || place[0] > box.width - 5 || place[1] > box.height - 5) continue;
    await page.mouse.click(box.x + place[0], box.y + place[1]);
    if (await ask(page, "selected")) return;
  }
  throw new Error(`nothing of ${names} can be picked`);
}

/** Nothing sticks out, down to half a laptop's screen and less. */
async function checkSizes(page, shot) {
  for (const [width, height] of [
    [960, 600],
    [640, 700],
  ]) {
    await page.setViewportSize({ width, height });
    await frames(page, 4);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= width, `${wide} pixels wide in a window of ${width}`);
    for (const part of [".timeline", ".scene-tools", ".top"]) {
      const box = await page.locator(part).first().boundingBox();
      assert.ok(
        box && box.x >= 0 && box.x + box.width <= width + 1 && box.y + box.height <= height + 1,
        `${part} sticks out at ${width} × ${height}`,
      );
    }
    await picture(page, shot, `-${width}`);
  }
}
