/* The page as the program serves it: the same road, on the native engine. */
import { readFileSync } from "node:fs";
import { answered, assert, browser, done, go, have, native, put, saved, scratch, serve, shared, test, write, PATIENCE } from "./support.mjs";

const TABLE = "age,sex,zip,ill\n" + Array.from({ length: 300 }, (_, i) => `${20 + ((i * 7) % 50)},${i % 2 ? "m" : "f"},${1000 + ((i * 11) % 9)},${["a", "b", "c"][(i * i) % 3]}`).join("\n") + "\n";

const b = await browser();

async function openServed(address) {
  const context = await b.newContext({ viewport: { width: 1300, height: 900 }, acceptDownloads: true });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const asked = [];
  const errors = [];
  page.on("request", (r) => asked.push(new URL(r.url()).origin));
  page.on("pageerror", (e) => errors.push(String(e)));
  await page.goto(address);
  return { page, context, asked, errors };
}

async function releaseEqualsProgram({ page, asked, errors }, address, name, table = TABLE) {
  await page.locator("nav").waitFor();
  await answered(page);
  for (const screen of ["Columns", "Hierarchies", "Promise", "Explore", "What if", "Release"]) await go(page, screen);
  await page.getByLabel("Keep the order of rows").check();
  await page.locator("main").getByRole("button", { name: "Make the release" }).click();
  await page.getByText("Verified:").waitFor();
  const release = await saved(page, () => page.locator("[data-file=release]").click());
  const job = await saved(page, () => page.locator("[data-file=job]").click());
  const folder = `${scratch}/${name}.served`;
  native(folder, { [name]: table, "job.yaml": job.data }, ["anonymize", "job.yaml", "--quiet"]);
  assert.ok(readFileSync(`${folder}/${release.name}`).equals(release.data), "the program's release differs");
  const origin = new URL(address).origin;
  assert.deepEqual(asked.filter((o) => o !== origin && o !== "null"), []);
  assert.deepEqual(errors, []);
}

await test("the road on a table that the command line named", async () => {
  write("named.csv", TABLE);
  const server = await serve(["named.csv"]);
  const opened = await openServed(server.address);
  await releaseEqualsProgram(opened, server.address, "named.csv");
  await opened.context.close();
  await server.stop();
});

await test("the road on a table that is sent", async () => {
  const server = await serve([]);
  const opened = await openServed(server.address);
  await opened.page.getByText("Readable:").waitFor();
  await put(opened.page, { name: "sent.csv", mimeType: "text/csv", buffer: Buffer.from(TABLE) });
  await releaseEqualsProgram(opened, server.address, "sent.csv");
  await opened.context.close();
  await server.stop();
});

await test("the road on a table with semicolons in another encoding", async () => {
  const table = Buffer.from("Alter;Geschlecht;Größe;Krankheit\r\n" + Array.from({ length: 300 }, (_, i) => `${20 + ((i * 7) % 50)};${i % 2 ? "männlich" : "weiblich"};1,${60 + ((i * 11) % 30)};${["Grippe", "Röteln", "Überdruck"][(i * i) % 3]}`).join("\r\n") + "\r\n", "latin1");
  const server = await serve([]);
  const opened = await openServed(server.address);
  await opened.page.getByText("Readable:").waitFor();
  await put(opened.page, { name: "kranke.csv", mimeType: "text/csv", buffer: table });
  await opened.page.getByText("Found: windows-1252; byte 0x").waitFor();
  await releaseEqualsProgram(opened, server.address, "kranke.csv", table);
  await opened.context.close();
  await server.stop();
});

if (have(`${shared}/data/adult/adult.csv`))
  await test("the road on Adult", async () => {
    const table = readFileSync(`${shared}/data/adult/adult.csv`);
    write("adult.csv", table);
    const server = await serve(["adult.csv"]);
    const opened = await openServed(server.address);
    await releaseEqualsProgram(opened, server.address, "adult.csv", table);
    await opened.context.close();
    await server.stop();
  });
else console.log("# skipped: the road on Adult, which is not here");

await b.close();
done();
