/* How long a person waits, and how long the page's own thread is busy at a time, on Adult (or the
 * table that is named): medians of each step, from the file and as the program serves it. Call:
 *     STUDIO_PAGE=studio.html MINGLE_RELEASE=mingle node tests/bench.mjs [TABLE.csv [TIMES]] */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { answered, browser, go, mingle, page_file, PATIENCE, serve } from "./support.mjs";
import { longestTasks } from "./tasks.mjs";

const table = resolve(process.argv[2] ?? "adult.csv");
const TIMES = Number(process.argv[3] ?? 9);

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

/* From a change of a field until the answer to it is on show. The page itself looks: a question from
 * here would take as long as what is measured. */
async function answerTo(page, selector, value, event) {
  return page.evaluate(async ([selector, value, event]) => {
    const field = document.querySelector(selector);
    const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value").set;
    const began = performance.now();
    setter.call(field, value);
    field.dispatchEvent(new Event("input", { bubbles: true }));
    if (event === "change") {
      await new Promise((r) => setTimeout(r, 20)); /* the draft is on show */
      field.dispatchEvent(new Event("change", { bubbles: true }));
    }
    const panel = () => document.querySelector("aside .card");
    while (panel().getAttribute("aria-busy") !== "true" && performance.now() - began < 1000) await new Promise((r) => setTimeout(r, 1));
    while (panel().getAttribute("aria-busy") === "true") await new Promise((r) => setTimeout(r, 1));
    return performance.now() - began;
  }, [selector, String(value), event]);
}

async function watched(b, page, where, step, body) {
  const { result, text } = await longestTasks(b, page, body);
  console.log(`${where}\t${step}\tlongest tasks: ${text}`);
  return result;
}

async function times(n, body) {
  const list = [];
  for (let i = 0; i < n; i++) list.push(await body(i));
  return list;
}

function tell(where, step, list) {
  console.log(`${where}\t${step}\tmedian ${Math.round(median(list))} ms\t(${list.map((t) => Math.round(t)).join(" ")})`);
}

/* Answers with one level per column. */
async function measureSteps(b, page, where) {
  const measured = async (step, n, body) => tell(where, step, await watched(b, page, where, step, () => times(n, body)));
  await go(page, "Promise");
  await page.getByLabel("Method").selectOption("mingen");
  await answered(page);
  const k = "[data-model=k-anonymity] input[type=range]";
  await measured("another k", TIMES, (i) => answerTo(page, k, 3 + (i % 2 ? 4 : 0) + i, "input"));
  const suppress = "main .card:nth-of-type(2) input[type=range]";
  await measured("suppression", TIMES, (i) => answerTo(page, suppress, i % 2 ? 1 : 2 + i / 2, "input"));
  await go(page, "Columns");
  await measured("a weight", TIMES, (i) => answerTo(page, "main input.short", 2 + i, "change"));
  await measured("what if, first step", Math.min(5, TIMES), (i) => firstStep(page, i));
}

async function firstStep(page, i) {
  await go(page, "Columns");
  await answerTo(page, "main input.short", 20 + i, "change");
  await go(page, "What if");
  const began = Date.now();
  await page.locator(".steps .card").first().waitFor();
  return Date.now() - began;
}

async function walkScreens(b, page, where) {
  for (const screen of ["Table", "Columns", "Hierarchies", "Promise", "What if", "Release", "Explore"])
    await watched(b, page, where, screen, async () => {
      await go(page, screen);
      await page.waitForTimeout(1200);
    });
  for (const tab of await page.getByRole("tab").allInnerTexts())
    await watched(b, page, where, `Explore, ${tab}`, async () => {
      await page.getByRole("tab", { name: tab }).click();
      await page.waitForTimeout(2500);
    });
}

async function measure(b, where, address, sent) {
  const context = await b.newContext({ viewport: { width: 1300, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  await page.goto(address);
  if (sent) {
    await page.getByText("Readable:").waitFor();
    const took = await watched(b, page, where, "opening", async () => {
      const began = Date.now();
      await page.locator("main input[type=file]").first().setInputFiles(table);
      await page.locator("aside .verdict.good").waitFor();
      return Date.now() - began;
    });
    tell(where, "first answer", [took]);
  }
  await answered(page);
  await measureSteps(b, page, where);
  await walkScreens(b, page, where);
  await context.close();
}

const b = await browser();
await measure(b, "file", pathToFileURL(page_file).href, true);
if (mingle) {
  const server = await serve([table]);
  await measure(b, "served", server.address, false);
  await server.stop();
}
await b.close();
