/* What must not happen: markup that runs, files that break the page, requests, navigation, a page
 * that hangs on a cancelled run, tables that stay in memory. */
import { answered, assert, assertQuiet, browser, done, go, open, put, test, page_file } from "./support.mjs";
import { pathToFileURL } from "node:url";

const b = await browser();
const text = (s) => Buffer.from(s, "utf8");

await test("names and values with markup, formulas and right-to-left text are text", async () => {
  const names = ["<img src=x onerror=window.hacked=1>", "=cmd|' /C calc'!A0", "שלום \u202eevil", "</script><script>window.hacked=1</script>"];
  const quoted = (v) => `"${v.replace(/"/g, '""')}"`;
  const rows = Array.from({ length: 120 }, (_, i) => [`<b>${i % 4}</b>`, `=1+${i % 3}`, ["א", "ב", "\u202ec"][i % 3], `"><svg onload=window.hacked=1>${i % 2}`].map(quoted).join(","));
  const { page, context, seen } = await open(b);
  await put(page, { name: "<b>t\u202e.csv", mimeType: "text/csv", buffer: text([names.map(quoted).join(","), ...rows].join("\n") + "\n") });
  await page.locator("nav").waitFor();
  await page.locator("aside .card[aria-busy=false]").waitFor();
  for (const screen of ["Columns", "Hierarchies", "Promise", "Explore", "What if", "Release", "Table"]) await go(page, screen);
  assert.ok((await page.locator("main").innerText()).includes(names[0]));
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator("main img, main b").count(), 0);
  await assertQuiet({ page, seen });
  await context.close();
});

await test("wrong files get a sentence and nothing opens", async () => {
  const { page, context, seen } = await open(b);
  const wrong = {
    "empty.csv": text(""), "binary.csv": Buffer.from(Array.from({ length: 4000 }, (_, i) => (i * 7919) % 256)),
    "picture.png": Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), "broken.xlsx": text("PK\u0003\u0004 no workbook"),
    "ragged.csv": text("a,b,c\n1,2,3\n4,5\n"), "job.yaml": text("data: [unclosed"), "twice.csv": text("a,a\n1,2\n"),
  };
  for (const [name, buffer] of Object.entries(wrong)) {
    await put(page, { name, mimeType: "", buffer });
    await page.locator("main [role=alert]").waitFor();
    assert.ok((await page.locator("main [role=alert]").innerText()).length > 10, name);
    assert.equal(await page.locator("nav").count(), 0, name);
  }
  await put(page, { name: "good.csv", mimeType: "", buffer: text("age,sex\n" + "30,m\n40,f\n".repeat(20)) });
  await page.locator("nav").waitFor();
  await assertQuiet({ page, seen });
  await context.close();
});

await test("a table that does not fit into memory ends with the command that does it", async () => {
  const small = await browser("--js-flags=--wasm-max-mem-pages=700"); /* 46 MB instead of 4 GB */
  const { page, context, seen } = await open(small);
  const alert = page.locator("main [role=alert]");
  const rows = Array.from({ length: 600_000 }, (_, i) => `P${1e7 + ((i * 7919) % 1e7)},${i % 90},${["m", "f"][i % 2]},${10000 + (i % 3000)}`);
  await put(page, { name: "large.csv", mimeType: "text/csv", buffer: text("person,age,sex,zip\n" + rows.join("\n") + "\n") });
  await alert.getByText("mingle studio large.csv").waitFor();
  assert.equal(await page.getByText("Say how to read").count(), 0);
  await put(page, { name: "small.csv", mimeType: "text/csv", buffer: text("age,sex\n" + "30,m\n40,f\n".repeat(20)) });
  await page.locator("nav").waitFor();
  await answered(page);
  await assertQuiet({ page, seen });
  await context.close();
  await small.close();
});

await test("the page cannot be led away, and asks nobody", async () => {
  const { page, context, seen } = await open(b);
  const tries = await page.evaluate(async () => {
    const failed = async (f) => { try { await f(); return false; } catch { return true; } };
    const list = {
      fetch: await failed(() => fetch("https://example.org/")),
      xhr: await failed(() => new Promise((ok, no) => { const x = new XMLHttpRequest(); x.onload = ok; x.onerror = no; x.open("GET", "https://example.org/"); x.send(); })),
      socket: await failed(() => new Promise((ok, no) => { const s = new WebSocket("wss://example.org/"); s.onopen = ok; s.onerror = no; })),
      image: await failed(() => new Promise((ok, no) => { const i = new Image(); i.onload = ok; i.onerror = no; i.src = "https://example.org/x.png"; })),
      beacon: !navigator.sendBeacon("https://example.org/", "x") || "queued",
      script: await failed(() => { const s = document.createElement("script"); s.textContent = "1"; document.body.append(s); }),
      html: await failed(() => { document.body.insertAdjacentHTML("beforeend", "<b>x</b>"); }),
      evaluate: await failed(() => window.eval("1")),
    };
    const form = document.createElement("form");
    form.action = "https://example.org/";
    document.body.append(form);
    form.submit();
    return list;
  });
  for (const [what, stopped] of Object.entries(tries)) assert.ok(stopped, what);
  await page.waitForTimeout(300);
  assert.equal(page.url(), pathToFileURL(page_file).href);
  assert.deepEqual(seen.requests.filter((u) => /example/.test(u) && !/example.org\/(x\.png)?$/.test(u)), []);
  assert.equal(await page.locator("a[href], iframe, form:not([action]), object, embed").count(), 0);
  await context.close();
});

await test("a file dropped beside the place for it does not replace the page", async () => {
  const { page, context } = await open(b);
  const prevented = await page.evaluate(() => {
    const e = new DragEvent("drop", { bubbles: true, cancelable: true });
    return !document.querySelector("header").dispatchEvent(e);
  });
  assert.ok(prevented);
  await context.close();
});

await test("a run is cancelled and the page goes on", async () => {
  const { page, context, seen } = await open(b);
  const rows = Array.from({ length: 6000 }, (_, i) => [(i * 31) % 97, (i * 17) % 89, (i * 7) % 83, (i * 13) % 79, ["a", "b", "c"][i % 3]].join(","));
  await put(page, { name: "wide.csv", mimeType: "", buffer: text("age,weight,zip,income,disease\n" + rows.join("\n") + "\n") });
  await page.locator("nav").waitFor();
  await go(page, "Promise");
  await page.getByLabel("Effort").selectOption("best");
  const stop = page.locator("aside").getByRole("button", { name: "Stop" });
  await stop.click();
  await page.locator("aside .card[aria-busy=false]").waitFor();
  await page.getByLabel("Effort").selectOption("fast");
  await answered(page);
  await assertQuiet({ page, seen });
  await context.close();
});

await test("a closed table leaves no worker that holds it", async () => {
  const { page, context } = await open(b);
  const before = page.workers().length;
  await page.getByRole("button", { name: "Try it with an example" }).click();
  await page.locator("nav").waitFor();
  await answered(page);
  await page.getByRole("button", { name: "Close table" }).click();
  await page.getByText("Drop a table here").waitFor();
  await page.waitForFunction(() => true);
  assert.ok(page.workers().length <= before, `${page.workers().length} workers, ${before} before`);
  await context.close();
});

await b.close();
done();
