/* The longest tasks of the page's own thread while something is done: by the processor's clock, since a
 * machine that does other things makes them longer by any other, and by that of the wall. */
const CATEGORIES = ["disabled-by-default-devtools.timeline", "__metadata"];

export async function longestTasks(b, page, body) {
  await b.startTracing(page, { categories: CATEGORIES });
  const result = await body();
  await page.waitForTimeout(200);
  const { traceEvents } = JSON.parse((await b.stopTracing()).toString());
  const mains = new Set(traceEvents.filter((e) => e.name === "thread_name" && e.args?.name === "CrRendererMain").map((e) => `${e.pid}/${e.tid}`));
  const tasks = traceEvents.filter((e) => e.name === "RunTask" && mains.has(`${e.pid}/${e.tid}`) && e.tdur !== undefined).sort((a, b) => b.tdur - a.tdur).slice(0, 4);
  const ms = (list) => list.map((t) => Math.round(t / 1000)).join(" ");
  return { result, text: `${ms(tasks.map((t) => t.tdur))} ms of processor time (${ms(tasks.map((t) => t.dur))} by the clock)` };
}
