/* Jobs whose release is not true of single rows, or whose runs spend epsilon: the page says so, and makes
 * a differentially private release once. */
import { assert, assertQuiet, answered, browser, done, go, native, open, put, saved, test } from "./support.mjs";

const b = await browser();

function people() {
  let state = 1;
  const next = (n) => ((state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff) >>> 8) % n;
  const lines = ["age,sex,income,spend"];
  for (let i = 0; i < 2000; i++) {
    const income = 500 + next(9000);
    lines.push([20 + next(60), next(2) ? "f" : "m", income, Math.round(income * 0.6) + next(2000)].join(","));
  }
  return lines.join("\n") + "\n";
}

const table = people();
const csv = { name: "people.csv", mimeType: "text/csv", buffer: Buffer.from(table) };
const job = (text) => ({ name: "job.yaml", mimeType: "text/yaml", buffer: Buffer.from(text) });
const PRIVATE = `data: people.csv
attributes:
  age: {role: quasi, hierarchy: "intervals(20)", level: 1}
  sex: {role: quasi, hierarchy: suppress, level: 0}
rest: drop
dp: 2,1e-4
`;

await test("columns that are perturbed are called not true, beside the answer and the release", async () => {
  const { page, context, seen } = await open(b);
  await put(page, csv, job(`data: people.csv
attributes:
  age: {role: quasi, hierarchy: "intervals(10)"}
  sex: {role: quasi}
  income: {role: insensitive, treat: "noise(50 %, correlated with spend)"}
  spend: {role: insensitive, treat: "noise(50 %, correlated with income)"}
allow-leaks: [income, spend]
privacy: [{k-anonymity: 3}]
`));
  await answered(page);
  const beside = await page.locator("aside [data-test=untrue]").innerText();
  assert.match(beside, /income: by noise, [\d,]+ of 2,000 values changed/);
  assert.match(beside, /spend: by noise/);
  assert.match(beside, /[\d.,]+ of 2,000 rows are found by someone who knows the true values/);
  await go(page, "Release");
  await page.locator("main").getByRole("button", { name: "Make the release" }).click();
  await page.getByText("Verified:").waitFor();
  await page.locator("main [data-test=untrue]").waitFor();
  const result = JSON.parse((await saved(page, () => page.locator("[data-file=result]").click())).data);
  assert.ok(result.perturbation.columns.every((c) => c.truthful === false && Math.abs(c.correlations[0].standard_errors) < 8.9));
  await assertQuiet({ page, seen });
  await context.close();
});

await test("a differentially private job is run once, when its release is made", async () => {
  const { page, context, seen } = await open(b);
  await put(page, csv, job(PRIVATE));
  await page.locator("aside").getByText("each run spends epsilon").waitFor();
  for (const screen of ["Explore", "What if"]) {
    await go(page, screen);
    await page.locator("main").getByText("each run spends epsilon").waitFor();
  }
  assert.equal(await page.locator("aside .figures").count(), 0);
  await go(page, "Release");
  await page.locator("main").getByText("spends its epsilon anew").waitFor();
  const made = async () => {
    await page.locator("main").getByRole("button", { name: "Make the release" }).click();
    await page.getByText("Verified:").waitFor();
    const files = {};
    for (const kind of ["release", "result"]) files[kind] = (await saved(page, () => page.locator(`[data-file=${kind}]`).click())).data.toString();
    return files;
  };
  const first = await made();
  await page.locator("aside").getByText("Differentially private: epsilon 2, delta 0.0001").waitFor();
  await go(page, "Columns");
  await go(page, "Release");
  assert.deepEqual(await made(), first, "the release was drawn a second time");
  const result = JSON.parse(first.result);
  assert.equal(result.differential_privacy.epsilon, 2);
  assert.ok(!("figures" in result) && !("bound" in result), "figures of the input");
  native("private.folder", { "people.csv": table, "r.csv": first.release, "result.json": first.result }, ["check", "r.csv", "--against", "result.json", "--quiet"]);
  await assertQuiet({ page, seen });
  await context.close();
});

await test("a private job with what depends on the rows is refused in clear words", async () => {
  const { page, context } = await open(b);
  await put(page, csv, job(PRIVATE.replace("rest: drop", "rest: insensitive")));
  await page.locator("aside").getByText("each run spends epsilon").waitFor();
  await go(page, "Release");
  await page.locator("main").getByRole("button", { name: "Make the release" }).click();
  await page.locator("main").getByText("passes columns through that nobody counts").waitFor();
  assert.equal(await page.locator("[data-file]").count(), 0);
  await context.close();
});

await b.close();
done();
