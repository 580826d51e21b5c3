/* Pictures of every screen, with the table of the example, for docs/studio.md and for whoever looks
 * whether the page is good to look at. Call:
 *     node tests/pictures.mjs FOLDER [--all]
 * --all takes them in light and dark, narrow and wide. */
import { mkdirSync } from "node:fs";
import { answered, browser, go, open } from "./support.mjs";

const [folder, all] = process.argv.slice(2);
const WAYS = all
  ? [["light", 1400], ["dark", 1400], ["light", 400], ["dark", 400]]
  : [["light", 1400]];
mkdirSync(folder, { recursive: true });

/* A picture is of what stays: nothing is being worked out any more. */
async function settled(page) {
  await answered(page);
  while ((await page.locator("main .work").count()) > 0) await page.waitForTimeout(100);
}

async function take(page, ending, name) {
  await settled(page);
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.screenshot({ path: `${folder}/${name}${ending}.png`, fullPage: Boolean(all) });
}

async function explore(page, shot) {
  await go(page, "Explore");
  for (const tab of await page.getByRole("tab").allInnerTexts()) {
    await page.getByRole("tab", { name: tab }).click();
    if (tab === "Risk and detail") await page.locator("svg.plot .point").first().waitFor();
    await shot(`explore-${tab.toLowerCase().replace(/ /g, "-")}`);
  }
}

async function walk(b, colorScheme, width) {
  const { page, context } = await open(b, { colorScheme, viewport: { width, height: 900 } });
  const ending = all ? `-${colorScheme}-${width}` : "";
  const shot = (name) => take(page, ending, name);
  await page.screenshot({ path: `${folder}/start${ending}.png` });
  await page.getByRole("button", { name: "Try it with an example" }).click();
  await page.locator("nav").waitFor();
  for (const screen of ["Table", "Columns", "Hierarchies", "Promise", "What if"]) {
    await go(page, screen);
    await page.waitForTimeout(300);
    await shot(screen.toLowerCase().replace(" ", "-"));
  }
  await explore(page, shot);
  await page.getByRole("button", { name: "Job", exact: true }).click();
  await page.locator("[data-test=yaml]").waitFor();
  await page.screenshot({ path: `${folder}/job${ending}.png` });
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await page.locator("aside").getByRole("button", { name: "Make the release" }).click();
  await page.getByText("Verified:").waitFor();
  await shot("release");
  await context.close();
}

const b = await browser();
for (const [colorScheme, width] of WAYS) await walk(b, colorScheme, width);
await b.close();
