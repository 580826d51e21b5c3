/* The main road in Firefox. */
import puppeteer from "puppeteer-core";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { assert, done, mingle, native, page_file, scratch, serve, test, PATIENCE } from "./support.mjs";

const FIREFOX = process.env.FIREFOX ?? "/usr/bin/firefox-esr";
const downloads = `${scratch}/downloads`;
mkdirSync(downloads, { recursive: true });
const browser = await puppeteer.launch({
  browser: "firefox", executablePath: FIREFOX, headless: true, timeout: PATIENCE,
  extraPrefsFirefox: {
    "browser.download.folderList": 2, "browser.download.dir": downloads, "browser.download.useDownloadDir": true,
    "browser.download.always_ask_before_handling_new_types": false, "browser.helperApps.neverAsk.saveToDisk": "text/csv,application/yaml,application/octet-stream",
  },
});

let served = true;
try {
  execFileSync(mingle, ["studio", "--help"], { stdio: "ignore" });
} catch {
  served = false;
}

async function waitForFile(name) {
  for (let waited = 0; waited < PATIENCE; waited += 200) {
    const there = readdirSync(downloads);
    if (there.includes(name) && !there.some((f) => f.endsWith(".part"))) return readFileSync(`${downloads}/${name}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${name} was not downloaded; there are ${readdirSync(downloads)}`);
}

async function road(address, folder) {
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  await page.goto(address);
  await page.waitForFunction(() => document.body.innerText.includes("Readable:"));
  const click = (text) => page.evaluate((t) => [...document.querySelectorAll("button")].find((b) => b.textContent === t).click(), text);
  await click("Try it with an example");
  await page.waitForSelector("aside .card[aria-busy=false] .verdict.good");
  await click("Release");
  await page.waitForSelector("main input[type=checkbox]");
  await page.evaluate(() => document.querySelector("main input[type=checkbox]").click());
  await page.waitForSelector("main button.primary:not(:disabled)");
  await page.evaluate(() => document.querySelector("main button.primary").click());
  await page.waitForSelector("[data-file=release]");
  await page.evaluate(() => document.querySelector("[data-file=release]").click());
  const release = await waitForFile("patients.release.csv");
  await page.evaluate(() => document.querySelector("[data-file=job]").click());
  const job = await waitForFile("job.yaml");
  assert.match(release.toString("utf8"), /^birth_year,sex,zip,marital_status,diagnosis\n/);
  assert.match(job.toString("utf8"), /k-anonymity: 5/);
  /* What was released keeps its promise, says the program. */
  native(`${scratch}/${folder}`, { "patients.release.csv": release }, ["check", "patients.release.csv", "--qi", "birth_year,sex,zip,marital_status", "--sensitive", "diagnosis", "-k", "5"]);
  for (const name of readdirSync(downloads)) rmSync(`${downloads}/${name}`);
  await page.close();
}

await test("the road in Firefox, from a file", () => road(pathToFileURL(page_file).href, "released"));

if (served)
  await test("the road in Firefox, served", async () => {
    const server = await serve([]);
    await road(server.address, "released-served");
    await server.stop();
  });
else console.log("# skipped: the road in Firefox, served: this program serves no page");

await browser.close();
done();
