/* Undo and redo, what is kept in the browser, and keyboard and screen reader on every screen. */
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { answered, assert, assertQuiet, browser, done, go, open, openIn, test } from "./support.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const b = await browser();

async function example(options) {
  const opened = await open(b, options);
  await opened.page.getByRole("button", { name: "Try it with an example" }).click();
  await opened.page.locator("nav").waitFor();
  await answered(opened.page);
  return opened;
}

async function yaml(page) {
  const job = page.getByRole("button", { name: "Job", exact: true });
  await job.click();
  const text = await page.locator("[data-test=yaml]").innerText();
  await page.getByRole("button", { name: "Close", exact: true }).click();
  return text;
}

await test("undo and redo go through everything", async () => {
  const { page, context, seen } = await example();
  const first = await yaml(page);
  await go(page, "Promise");
  await page.locator("[data-model=k-anonymity] input[type=number]").fill("7");
  await page.locator("[data-model=k-anonymity] input[type=number]").press("Enter");
  await go(page, "Columns");
  await page.locator("[data-column=marital_status] input[value=insensitive]").check();
  const last = await yaml(page);
  assert.match(last, /k-anonymity: 7/);
  assert.match(last, /marital_status: *\{?role: insensitive|marital_status:\s+role: insensitive/);
  await page.keyboard.press("Control+z");
  await page.getByRole("button", { name: "Undo" }).click();
  assert.equal(await yaml(page), first);
  await page.getByRole("button", { name: "Redo" }).click();
  await page.keyboard.press("Control+y");
  assert.equal(await yaml(page), last);
  await answered(page);
  await assertQuiet({ page, seen });
  await context.close();
});

await test("nothing is kept unless asked for, then a reload goes on", async () => {
  const { page, context } = await example();
  assert.deepEqual(await page.evaluate(() => indexedDB.databases()), []);
  assert.equal(await page.evaluate(() => localStorage.length + sessionStorage.length), 0);
  await page.getByRole("button", { name: "Keep in this browser" }).click();
  await page.getByRole("button", { name: "Kept in this browser" }).waitFor();
  await go(page, "Promise");
  await page.locator("[data-model=k-anonymity] input[type=number]").fill("9");
  await page.locator("[data-model=k-anonymity] input[type=number]").press("Enter");
  const before = await yaml(page);
  await page.waitForTimeout(1500);
  await page.reload();
  await page.getByRole("button", { name: "Go on with patients.csv" }).click();
  await page.getByRole("heading", { level: 1, name: "Promise" }).waitFor();
  await answered(page);
  assert.equal(await yaml(page), before);
  await page.getByRole("button", { name: "Kept in this browser" }).click();
  await page.getByRole("button", { name: "Keep in this browser" }).waitFor();
  await page.reload();
  await page.getByText("Readable:").waitFor();
  assert.equal(await page.getByText("Go on with").count(), 0);
  await context.close();
});

async function assertAccessible(page, where) {
  for (const fold of await page.locator("main details").all()) await fold.evaluate((d) => { d.open = true; });
  const found = await page.evaluate(async () => (await window.axe.run(document, { resultTypes: ["violations"] })).violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join(" | ")}`));
  assert.deepEqual(found, [], where);
}

for (const colorScheme of ["light", "dark"])
  await test(`axe finds nothing on any screen, ${colorScheme}`, async () => {
    const context = await b.newContext({ colorScheme, viewport: { width: 1100, height: 900 }, bypassCSP: true });
    await context.addInitScript(axe);
    const { page } = await openIn(context);
    await assertAccessible(page, "start");
    await page.getByRole("button", { name: "Try it with an example" }).click();
    await page.locator("nav").waitFor();
    await answered(page);
    for (const screen of ["Table", "Columns", "Hierarchies", "Promise", "Explore", "What if", "Release"]) {
      await go(page, screen);
      await page.waitForTimeout(400);
      await assertAccessible(page, screen);
    }
    await go(page, "Explore");
    for (const tab of await page.getByRole("tab").allInnerTexts()) {
      await page.getByRole("tab", { name: tab }).click();
      await page.waitForTimeout(400);
      await assertAccessible(page, tab);
    }
    await page.getByRole("button", { name: "Job", exact: true }).click();
    await page.locator("[data-test=yaml]").waitFor();
    await assertAccessible(page, "job");
    await context.close();
  });

await test("no screen is wider than the window, from 400 to 2,000 pixels", async () => {
  for (const width of [400, 700, 1000, 2000]) {
    const { page, context } = await example({ viewport: { width, height: 900 } });
    for (const screen of ["Table", "Columns", "Hierarchies", "Promise", "Explore", "What if", "Release"]) {
      await go(page, screen);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(over <= 0, `${screen} at ${width}: ${over} pixels too wide`);
    }
    await context.close();
  }
});

await test("the road by keyboard alone", async () => {
  const { page, context } = await open(b);
  const press = async (name) => {
    const target = page.getByRole("button", { name, exact: true }).first();
    await target.focus();
    await page.keyboard.press("Enter");
  };
  await press("Try it with an example");
  await page.locator("nav").waitFor();
  await answered(page);
  await press("Columns");
  await page.locator("[data-column=marital_status] input[value=quasi]").focus();
  await page.keyboard.press("ArrowRight");
  assert.ok(await page.locator("[data-column=marital_status] input[value=sensitive]").isChecked());
  await answered(page);
  await context.close();
});

await b.close();
done();
