/* Whatever a job says has a form: a job with keys that no screen has a place of its own for opens as
 * it was, each key can be changed in the page, and the program takes what the page saves. */
import { answered, assert, assertQuiet, browser, done, go, native, open, put, saved, scratch, test, write } from "./support.mjs";

const b = await browser();
const person = (i) => `${20 + ((i * 7) % 50)},${i % 2 ? "m" : "f"},${1000 + ((i * 11) % 9)},${["north", "south"][((i * 11) % 9) % 2]},${["a", "b", "c"][(i * i) % 3]}`;
const HEAD = "age,sex,zip,region,ill\n";
const TABLE = HEAD + Array.from({ length: 300 }, (_, i) => person(i)).join("\n") + "\n";
const POPULATION = HEAD + Array.from({ length: 1200 }, (_, i) => person(i)).join("\n") + "\n";
const JOB = `data: t.csv
attributes:
  age: {role: quasi, hierarchy: "intervals(5,10,20)", likelihood: 0.5}
  sex: {role: quasi}
  zip: {role: quasi, hierarchy: "mask(right)", level: "1..3"}
  region: {role: insensitive}
  ill: {role: sensitive}
privacy: [{k-anonymity: 3}, {k-map: 6}]
population: everybody.csv
linked: [zip, region]
method: mingen
time-limit: 30
`;

async function yaml(page) {
  await page.getByRole("button", { name: "Job", exact: true }).click();
  const text = await page.locator("[data-test=yaml]").innerText();
  await page.getByRole("button", { name: "Close", exact: true }).click();
  return text;
}

async function unfold(page) {
  for (const fold of await page.locator("details.more").all()) await fold.evaluate((d) => { d.open = true; });
}

await test("a job with a population, linked columns and a time limit opens as it was and can be changed", async () => {
  const { page, context, seen } = await open(b);
  await put(page, write("job.yaml", JOB), write("t.csv", TABLE), write("everybody.csv", POPULATION));
  await page.locator("nav").waitFor();
  await answered(page);
  const before = await yaml(page);
  for (const part of ["population: everybody.csv", "linked", "time-limit: 30", "likelihood: 0.5", "level: 1..3", "k-map: 6"]) assert.ok(before.includes(part), `${part} is missing in ${before}`);
  for (const screen of ["Table", "Columns", "Promise", "Release"]) {
    await go(page, screen);
    await unfold(page);
  }
  assert.equal(await yaml(page), before, "looking at forms changes nothing");
  await go(page, "Promise");
  await unfold(page);
  assert.equal(await page.getByLabel("population", { exact: true }).inputValue(), "everybody.csv");
  assert.equal(await page.getByLabel("time-limit", { exact: true }).inputValue(), "30");
  await page.getByLabel("time-limit", { exact: true }).fill("40");
  await page.getByLabel("time-limit", { exact: true }).press("Enter");
  await page.locator("input[type=file][data-key=population]").setInputFiles(write("others.csv", POPULATION));
  await go(page, "Columns");
  await unfold(page);
  const linked = page.locator("fieldset", { hasText: "linked:" });
  assert.ok(await linked.getByLabel("region").isChecked());
  await page.locator("[data-column=age]").getByLabel("likelihood", { exact: true }).fill("0.25");
  await page.locator("[data-column=age]").getByLabel("likelihood", { exact: true }).press("Enter");
  await answered(page);
  const after = await yaml(page);
  for (const part of ["population: others.csv", "time-limit: 40", "likelihood: 0.25", "level: 1..3", "linked"]) assert.ok(after.includes(part), `${part} is missing in ${after}`);
  await go(page, "Release");
  await page.getByLabel("Keep the order of rows").check();
  await page.locator("main").getByRole("button", { name: "Make the release" }).click();
  await page.getByText("Verified:").waitFor();
  const release = await saved(page, () => page.locator("[data-file=release]").click());
  const job = await saved(page, () => page.locator("[data-file=job]").click());
  const folder = `${scratch}/forms`;
  const { readFileSync } = await import("node:fs");
  native(folder, { "t.csv": TABLE, "others.csv": POPULATION, "job.yaml": job.data }, ["anonymize", "job.yaml", "--quiet"]);
  assert.ok(readFileSync(`${folder}/${release.name}`).equals(release.data), "the program's release differs");
  await assertQuiet({ page, seen });
  await context.close();
});

await test("a secret for pseudonyms is taken as a file", async () => {
  const { page, context, seen } = await open(b);
  await put(page, { name: "t.csv", mimeType: "", buffer: Buffer.from("id,age,sex,ill\n" + Array.from({ length: 200 }, (_, i) => `P${1000 + i},${20 + (i % 30)},${i % 2 ? "m" : "f"},${"abc"[i % 3]}`).join("\n") + "\n") });
  await page.locator("nav").waitFor();
  await answered(page);
  await go(page, "Columns");
  await page.locator("[data-column=id] input[value=insensitive]").check();
  await page.locator("[data-column=id]").getByLabel("Treatment").fill("pseudonym");
  await page.locator("[data-column=id]").getByLabel("Treatment").press("Enter");
  await unfold(page);
  await page.locator("input[type=file][data-key=key]").setInputFiles({ name: "secret.txt", mimeType: "", buffer: Buffer.from("0123456789abcdef0123456789abcdef\n") });
  await answered(page);
  await page.locator("aside .verdict.good").waitFor();
  assert.match(await yaml(page), /key: secret\.txt/);
  await assertQuiet({ page, seen });
  await context.close();
});

await b.close();
done();
