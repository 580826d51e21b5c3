/* A table of 100 MB: the page answers to the person while it is read and searched. Long tasks of the
 * page's own thread are told, not judged: a slow machine makes them longer. */
import { closeSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { assert, assertQuiet, browser, done, go, open, PATIENCE, put, saved, scratch, test } from "./support.mjs";
import { longestTasks } from "./tasks.mjs";

const BYTES = Number(process.env.STUDIO_BYTES ?? 100_000_000);
const MADE_LIVE = 50e6; /* up to here the release is there with the answer */

function largeTable(path) {
  const file = openSync(path, "w");
  writeSync(file, "person,birth_year,sex,zip,income,diagnosis\n");
  let size = 0;
  for (let i = 0; size < BYTES; ) {
    const lines = [];
    for (let j = 0; j < 20000; j++, i++)
      lines.push(`P${1000000 + i},${1940 + ((i * 7919) % 65)},${i % 2 ? "m" : "f"},${10000 + ((i * 104729) % 300) * 10},${1000 + ((i * 31) % 50) * 100},${["a", "b", "c", "d"][(i * 13) % 4]}`);
    size += writeSync(file, lines.join("\n") + "\n");
  }
  closeSync(file);
  return path;
}

const b = await browser();
const cdp = await b.newBrowserCDPSession();

/* Bytes that the processes of pages have in memory, workers and their modules among them. */
async function held() {
  const { processInfo } = await cdp.send("SystemInfo.getProcessInfo");
  return processInfo.filter((p) => p.type === "renderer").reduce((sum, p) => sum + 4096 * Number(readFileSync(`/proc/${p.id}/statm`, "utf8").split(" ")[1]), 0);
}

/* What is let go is gone when the browser gets round to it. */
async function waitUntilHeld(most) {
  for (let waited = 0; waited < PATIENCE && (await held()) > most; waited += 500) await new Promise((resolve) => setTimeout(resolve, 500));
  return held();
}

/* The road from the file to its downloads, with looks elsewhere while it is read. */
async function walk(page, path) {
  await put(page, path);
  await page.locator("nav").waitFor();
  await page.locator("main .work").first().waitFor();
  /* The table is still being read, and the page goes where the person wants it. */
  for (const screen of ["Release", "Promise", "Table"]) await go(page, screen);
  await page.locator("aside .verdict.good").waitFor();
  await page.getByRole("button", { name: "Job", exact: true }).click();
  await page.locator("[data-test=yaml]").waitFor();
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await go(page, "Release");
  await page.evaluate(() => {
    window.shares = [];
    const look = () => {
      const bar = document.querySelector("main .work[aria-valuenow]");
      if (bar) window.shares.push([Number(bar.getAttribute("aria-valuenow")), bar.getAttribute("aria-valuetext")]);
    };
    new MutationObserver(look).observe(document.querySelector("main"), { subtree: true, childList: true, attributes: true });
  });
  await page.locator("main").getByRole("button", { name: "Make the release" }).click();
  await page.getByText("Verified:").waitFor();
  const shares = await page.evaluate(() => window.shares);
  assert.ok(shares.every(([share, text], i) => text.endsWith(`, ${share} %`) && (i === 0 || share >= shares[i - 1][0])), `the bar goes back: ${JSON.stringify(shares)}`);
  if (BYTES > MADE_LIVE) assert.ok(new Set(shares.map(([, text]) => text.split(",")[0])).size > 1, `the bar names its stages: ${JSON.stringify(shares)}`);
  const release = await saved(page, () => page.locator("[data-file=release]").click());
  assert.ok(release.data.length > statSync(path).size / 4);
}

await test("a large table is read, searched and released while the page stays usable", async () => {
  const path = largeTable(`${scratch}/large.csv`);
  const { page, context, seen } = await open(b);
  const before = await held();
  const { text } = await longestTasks(b, page, () => walk(page, path));
  console.log(`# longest tasks of the page's own thread: ${text}`);
  const during = await held();
  await page.getByRole("button", { name: "Close table" }).click();
  await page.getByText("Drop a table here").waitFor();
  const after = await waitUntilHeld(before + BYTES / 2);
  console.log(`# memory of the page: ${[before, during, after].map((n) => Math.round(n / 1e6)).join(", ")} MB before, with the table, after closing it`);
  assert.ok(after < before + BYTES, "the table is still in memory");
  await assertQuiet({ page, seen });
  await context.close();
});
await b.close();
done();
