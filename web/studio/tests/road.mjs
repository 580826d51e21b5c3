/* The whole road: a table is dropped, a job proposed, a release made and downloaded, and the program
 * makes the same of the downloaded job, byte for byte. */
import { readFileSync } from "node:fs";
import { answered, assert, assertQuiet, browser, done, go, have, native, open, page_file, put, saved, shared, test, write } from "./support.mjs";
import { statSync } from "node:fs";

const b = await browser();

/* Numbers that look thrown, and are the same every time. */
function thrown(seed) {
  let state = seed;
  return (n) => ((state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff) >>> 8) % n;
}

function german() {
  const next = thrown(1);
  const lines = ["Geschlecht;Alter;PLZ;Größe;Krankheit"];
  const ills = ["Grippe", "Masern", "Überdruck", "Röteln"];
  for (let i = 0; i < 400; i++)
    lines.push([next(2) ? "männlich" : "weiblich", 20 + next(60), 10000 + next(40) * 10, `1,${60 + next(35)}`, ills[next(4)]].join(";"));
  return Buffer.from(lines.join("\r\n") + "\r\n", "latin1");
}

async function road(name, bytes, encoding) {
  const { page, context, seen } = await open(b);
  await put(page, { name, mimeType: "text/csv", buffer: bytes });
  if (encoding) {
    /* What was found stands in the job and beside its reason, and can be corrected. */
    await page.getByText(`Found: ${encoding}; byte 0x`).waitFor();
    assert.equal(await page.getByLabel("Encoding").inputValue(), encoding);
    await page.getByLabel("Encoding").selectOption("ISO-8859-1");
    await page.locator("main .note.warn").waitFor();
    await page.getByLabel("Encoding").selectOption(encoding);
    await page.locator("main .note.warn").waitFor({ state: "detached" });
  }
  await page.locator("nav").waitFor();
  await answered(page);
  assert.equal(await page.locator("aside .verdict").innerText(), "The promise holds");
  for (const screen of ["Table", "Columns", "Hierarchies", "Promise", "What if"]) await go(page, screen);
  await go(page, "Release");
  await page.getByLabel("Keep the order of rows").check();
  await page.locator("main").getByRole("button", { name: "Make the release" }).click();
  await page.getByText("Verified:").waitFor();
  const files = {};
  for (const kind of ["release", "statement", "result", "report", "codebook", "job"])
    files[kind] = await saved(page, () => page.locator(`[data-file=${kind}]`).click());
  const folder = `${process.cwd()}/${name}.folder`;
  native(folder, { [name]: bytes, "job.yaml": files.job.data }, ["anonymize", "job.yaml", "--quiet"]);
  assert.ok(readFileSync(`${folder}/${files.release.name}`).equals(files.release.data), "the program's release differs");
  const result = JSON.parse(files.result.data);
  assert.ok(result.models.every((m) => m.holds));
  assert.match(files.report.data.toString("latin1"), /^<!doctype html>/i);
  assert.match(files.statement.data.toString("utf8"), /^<!doctype html>/i);
  assert.match(files.codebook.data.toString("utf8"), /column/);
  await assertQuiet({ page, seen });
  await context.close();
}

await test("the page has at most 2.5 MB", () => assert.ok(statSync(page_file).size <= 2_500_000));

await test("the road with a table with semicolons in another encoding", () => road("kranke.csv", german(), "windows-1252"));

await test("the road with the example of the page", async () => {
  const { page, context, seen } = await open(b);
  await page.getByRole("button", { name: "Try it with an example" }).click();
  await page.locator("nav").waitFor();
  await answered(page);
  await page.locator("aside").getByRole("button", { name: "Make the release" }).click();
  await page.getByText("Verified:").waitFor();
  /* What leads back to the input is in no archive for the recipient. */
  const entries = async (name) => {
    const { data } = await saved(page, () => page.getByRole("button", { name: `Download these as ${name}` }).click());
    const names = [];
    for (let at = data.indexOf("PK\x01\x02"); at >= 0; at = data.indexOf("PK\x01\x02", at + 4)) names.push(data.toString("utf8", at + 46, at + 46 + data.readUInt16LE(at + 28)));
    return names;
  };
  assert.deepEqual(await entries("release.zip"), ["patients.release.csv", "statement.html", "codebook.csv"]);
  assert.deepEqual(await entries("confidential.zip"), ["result.json", "report.html", "job.yaml"]);
  await assertQuiet({ page, seen });
  await context.close();
});

if (have(`${shared}/data/adult/adult.csv`))
  await test("the road with Adult", () => road("adult.csv", readFileSync(`${shared}/data/adult/adult.csv`)));
else console.log("# skipped: the road with Adult, which is not here");

await test("a workbook is released as a workbook", async () => {
  const table = "age,sex,zip,ill\n" + Array.from({ length: 200 }, (_, i) => `${20 + (i % 50)},${i % 2 ? "m" : "f"},${1000 + (i % 9)},${["a", "b", "c"][i % 3]}`).join("\n") + "\n";
  const folder = `${process.cwd()}/book.folder`;
  native(folder, { "people.csv": table }, ["anonymize", "people.csv", "--quiet", "--qi", "sex", "--rest", "insensitive", "-k", "1", "--allow-leaks", "--method", "mingen", "--keep-order", "-o", "people.xlsx"]);
  const { page, context, seen } = await open(b);
  await put(page, `${folder}/people.xlsx`);
  await page.locator("nav").waitFor();
  await answered(page);
  await go(page, "Release");
  await page.getByLabel("Keep the order of rows").check();
  await page.locator("main").getByRole("button", { name: "Make the release" }).click();
  await page.getByText("Verified:").waitFor();
  const [release, job] = [await saved(page, () => page.locator("[data-file=release]").click()), await saved(page, () => page.locator("[data-file=job]").click())];
  assert.equal(release.name, "people.release.xlsx");
  await page.locator("[data-file=codebook]").waitFor();
  const look = (files, name) => JSON.parse(native(folder, files, ["look", name, "--json", "--window", "1,200"])).window;
  native(folder, { "job.yaml": job.data }, ["anonymize", "job.yaml", "--quiet"]);
  assert.deepEqual(look({ "page.xlsx": release.data }, "page.xlsx"), look({}, "people.release.xlsx"));
  await assertQuiet({ page, seen });
  await context.close();
});

await test("a job file opens as it was", async () => {
  const table = "age,sex,zip,ill\n" + Array.from({ length: 200 }, (_, i) => `${20 + (i % 50)},${i % 2 ? "m" : "f"},${1000 + (i % 9)},${["a", "b", "c"][i % 3]}`).join("\n") + "\n";
  const groups = "north: 1000, 1001, 1002, 1003\nsouth: 1004, 1005, 1006, 1007, 1008\n";
  const job = 'data: t.csv\nattributes:\n  age: {role: quasi, hierarchy: "intervals(5,10)", weight: 2}\n  sex: {role: quasi}\n  zip: {role: quasi, hierarchy: groups(regions.txt)}\n  ill: {role: sensitive}\nprivacy: [{k-anonymity: 4}, {l-diversity: {attribute: ill, l: 2}}]\nmethod: mingen\nsuppress: 5%\n';
  const { page, context, seen } = await open(b);
  await put(page, write("job.yaml", job), write("t.csv", table), write("regions.txt", groups));
  await page.locator("nav").waitFor();
  await answered(page);
  await page.getByRole("button", { name: "Job", exact: true }).click();
  const yaml = await page.locator("[data-test=yaml]").innerText();
  for (const part of ["intervals(5,10)", "weight: 2", "groups(regions.txt)", "k-anonymity: 4", "l-diversity", "method: mingen", "suppress: 5%"])
    assert.ok(yaml.includes(part), `${part} is missing in ${yaml}`);
  const command = await page.locator("[data-test=command]").innerText();
  assert.match(command, /^mingle anonymize/);
  await assertQuiet({ page, seen });
  await context.close();
});

await b.close();
done();
