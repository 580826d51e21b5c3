/* Every refusal of tests/refusals on the page: the job is opened as a file, beside the files that it
 * names, and what is wrong with it is on show. */
import { pathToFileURL } from "node:url";
import { assert, browser, done, open, put, test } from "./support.mjs";
import { bytes, documentOf, rowsOf, says } from "../../../tests/refusals/document.mjs";

const b = await browser("--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync");
const { createEngine } = await import(pathToFileURL(`${process.env.PACKAGE}/dist/index.js`).href);
const { keys } = await (await createEngine()).catalogue("keys");

for (const row of rowsOf("page")) {
  await test(row.name, async () => {
    const job = documentOf(row, keys);
    delete job.output; /* the page has outputs of its own */
    const named = Object.keys(bytes).filter((name) => JSON.stringify(job).includes(`"${name}"`));
    const files = [{ name: "job.yaml", mimeType: "", buffer: Buffer.from(JSON.stringify(job)) },
      ...named.map((name) => ({ name, mimeType: "", buffer: Buffer.from(bytes[name]) }))];
    const { page, context } = await open(b);
    await put(page, ...files);
    const alert = page.locator("[role=alert]").first();
    await alert.waitFor();
    const message = await alert.innerText();
    assert.ok(says(row, message.replaceAll("\u2066", "").replaceAll("\u2069", "")), message);
    await context.close();
  });
}
await b.close();
done();
