/* What the tests of the page share: a browser, the page opened from its file, and eyes on everything
 * that it must not do. A test program prints TAP lines. */
import { chromium } from "playwright-core";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { execFileSync, spawn } from "node:child_process";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import assert from "node:assert/strict";

export { assert };
export const page_file = resolve(process.env.STUDIO_PAGE ?? "dist/studio.html");
export const mingle = process.env.MINGLE_RELEASE;
export const shared = process.env.SHARED;
export const scratch = process.cwd();

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
/* Long enough for a machine that does other things: nothing here is about time. */
export const PATIENCE = 240_000;

let number = 0;
let failed = 0;

export async function test(name, body) {
  number++;
  try {
    await body();
    console.log(`ok ${number} - ${name}`);
  } catch (error) {
    failed++;
    console.log(`not ok ${number} - ${name}`);
    console.log(String(error.stack ?? error).split("\n").slice(0, 14).map((l) => `# ${l}`).join("\n"));
  }
}

export function done() {
  console.log(`1..${number}`);
  process.exitCode = failed > 0 ? 1 : 0;
}

export async function browser(...more) {
  return chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-dev-shm-usage", ...more] });
}

/* Opens the page. `seen` collects requests, violations of the policy and errors. */
export async function open(b, options = {}) {
  const context = await b.newContext({ viewport: { width: 1300, height: 900 }, acceptDownloads: true, ...options });
  return openIn(context);
}

export async function openIn(context) {
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const seen = { requests: [], violations: [], errors: [], loaded: false };
  page.on("request", (r) => seen.requests.push(r.url()));
  page.on("pageerror", (e) => seen.errors.push(String(e)));
  page.on("console", (m) => {
    if (m.type() === "error") seen.errors.push(m.text());
  });
  await page.addInitScript(() => {
    window.violations = [];
    document.addEventListener("securitypolicyviolation", (e) => window.violations.push(`${e.violatedDirective} ${e.blockedURI} ${e.sample}`));
  });
  await page.goto(pathToFileURL(page_file).href);
  await page.getByText("Readable:").waitFor();
  return { page, context, seen };
}

export async function put(page, ...files) {
  await page.locator("main input[type=file]").first().setInputFiles(files);
}

/* Waits until the answer is the one that the job asks for. */
export async function answered(page) {
  await page.locator("aside .card[aria-busy=false]").waitFor();
  await page.locator("aside .verdict:not(.wait)").waitFor();
}

export async function go(page, screen) {
  await page.locator("nav").getByRole("button", { name: screen, exact: true }).click();
  await page.getByRole("heading", { level: 1, name: screen, exact: true }).waitFor();
}

export async function saved(page, click) {
  const [download] = await Promise.all([page.waitForEvent("download"), click()]);
  return { name: download.suggestedFilename(), data: readFileSync(await download.path()) };
}

/* Nothing was asked of a network, and the policy was not touched. */
export async function assertQuiet({ page, seen }) {
  const own = pathToFileURL(page_file).href;
  assert.deepEqual(seen.requests.filter((u) => u !== own && !u.startsWith("blob:")), []);
  assert.deepEqual(await page.evaluate(() => window.violations), []);
  assert.deepEqual(seen.errors, []);
}

/* Runs the program in a folder with these files. */
export function native(folder, files, args) {
  mkdirSync(folder, { recursive: true });
  for (const [name, data] of Object.entries(files)) writeFileSync(`${folder}/${name}`, data);
  return execFileSync(mingle, args, { cwd: folder, encoding: "utf8" });
}

export function write(name, data) {
  const path = resolve(scratch, name);
  writeFileSync(path, data);
  return path;
}

export function have(path) {
  return path && existsSync(path);
}

/* Starts the program as the server of the page; the first line that it prints has the address. */
export async function serve(args) {
  const child = spawn(mingle, ["studio", ...args], { cwd: scratch, env: { ...process.env, MINGLE_STUDIO: resolve(dirname(page_file), "served.html") } });
  const address = await new Promise((found, failed) => {
    let text = "";
    child.stdout.on("data", (d) => {
      text += d;
      const line = /http:\/\/\S+/.exec(text);
      if (line) found(line[0]);
    });
    child.on("exit", () => failed(new Error(`the server ended: ${text}`)));
  });
  return { address, stop: () => new Promise((ended) => { child.on("exit", ended); child.kill("SIGTERM"); }) };
}
