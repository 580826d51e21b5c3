/* What a person does on single screens: trees edited by mouse and by keyboard, points and nodes that
 * are looked at and taken, an outsider, and a file that is too large. */
import { closeSync, ftruncateSync, openSync } from "node:fs";
import { answered, assert, assertQuiet, browser, done, go, open, put, scratch, test } from "./support.mjs";

const b = await browser();

async function example() {
  const opened = await open(b);
  await opened.page.getByRole("button", { name: "Try it with an example" }).click();
  await opened.page.locator("nav").waitFor();
  await answered(opened.page);
  return opened;
}

async function yaml(page) {
  await page.getByRole("button", { name: "Job", exact: true }).click();
  const text = await page.locator("[data-test=yaml]").innerText();
  await page.getByRole("button", { name: "Close", exact: true }).click();
  return text;
}

await test("a tree is edited by keyboard and by mouse, and undone", async () => {
  const { page, context, seen } = await example();
  await go(page, "Hierarchies");
  await page.getByLabel("Column", { exact: true }).selectOption("marital_status");
  await page.getByLabel("Edit this tree by hand").check();
  const before = await yaml(page);
  const tree = page.getByRole("region", { name: "Tree" });
  for (const value of ["divorced", "single", "widowed"]) await tree.getByLabel(`Mark: ${value}`, { exact: true }).check();
  await page.getByLabel("Name of the group").fill("alone");
  await page.getByRole("button", { name: "New group" }).click();
  await tree.getByLabel("Mark: alone", { exact: true }).waitFor();
  await answered(page);
  assert.match(await yaml(page), /marital_status\.tree\.json/);
  await tree.getByLabel("Mark: alone", { exact: true }).check();
  await page.getByLabel("Rename").fill("without a partner");
  await page.getByLabel("Rename").press("Enter");
  await tree.getByLabel("Mark: without a partner", { exact: true }).waitFor();
  /* A value is dragged from its group to the other one. */
  const row = (name) => tree.locator("li > div.row", { has: page.getByText(name, { exact: true }) });
  await row("single").first().dragTo(row("married").first());
  await tree.getByText("married, single", { exact: true }).waitFor();
  await answered(page);
  assert.equal(await page.locator("aside .verdict").innerText(), "The promise holds");
  for (let i = 0; i < 3; i++) await page.getByRole("button", { name: "Undo" }).click();
  assert.equal(await yaml(page), before);
  await assertQuiet({ page, seen });
  await context.close();
});

await test("widths of a builder are changed one by one", async () => {
  const { page, context } = await example();
  await go(page, "Hierarchies");
  await page.getByLabel("Column", { exact: true }).selectOption("birth_year");
  await page.getByLabel("intervals 1", { exact: true }).fill("2");
  await page.getByLabel("intervals 1", { exact: true }).press("Enter");
  assert.match(await yaml(page), /intervals\(2,10,20\)/);
  await answered(page);
  await context.close();
});

await test("a point of the plane shows its release and becomes the job", async () => {
  const { page, context, seen } = await example();
  await go(page, "Explore");
  await page.getByText("As a table").click();
  await page.getByRole("button", { name: "mingen", exact: true }).first().click();
  const card = page.locator("section.card", { has: page.getByRole("button", { name: "Use this" }) });
  await card.locator("td.ltop, td.l1, td.l2, td.l3").first().waitFor();
  await card.getByRole("button", { name: "Use this" }).click();
  await answered(page);
  assert.match(await yaml(page), /method: mingen/);
  await page.getByRole("tab", { name: "Lattice" }).click();
  await page.locator("svg.plot rect.own").waitFor();
  await page.locator("svg.plot circle.minimal").first().click();
  await page.getByRole("button", { name: "Use these levels", exact: true }).first().waitFor();
  await page.getByLabel("birth_year", { exact: true }).selectOption("4");
  assert.ok((await page.locator("svg.plot circle, svg.plot rect.own").count()) < 80);
  await assertQuiet({ page, seen });
  await context.close();
});

await test("an outsider who knows everything finds several rows, and one who knows less finds more", async () => {
  const { page, context, seen } = await example();
  await go(page, "Explore");
  await page.getByRole("tab", { name: "An outsider" }).click();
  const sentence = page.locator("main .verdict");
  const found = async () => Number(/finds ([\d,]+) row/.exec(await sentence.innerText())[1].replace(/,/g, ""));
  await sentence.waitFor();
  const all = await found();
  assert.ok(all >= 5, `${all} rows`);
  await page.getByRole("checkbox", { name: /zip/ }).uncheck();
  await page.locator("main .work").first().waitFor({ state: "detached" });
  await sentence.waitFor();
  assert.ok((await found()) >= all);
  await assertQuiet({ page, seen });
  await context.close();
});

await test("a file that is too large is refused before it is read, with the command that does it", async () => {
  const path = `${scratch}/huge.csv`;
  const file = openSync(path, "w");
  ftruncateSync(file, 2 ** 32); /* a hole: no bytes on the disk */
  closeSync(file);
  const { page, context, seen } = await open(b);
  await put(page, path);
  await page.getByText("mingle risk huge.csv --advise").waitFor();
  assert.equal(await page.locator("nav").count(), 0);
  await assertQuiet({ page, seen });
  await context.close();
});

await b.close();
done();
