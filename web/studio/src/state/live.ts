/* Keeps the answer up to date: whenever the job changes, the question that runs is cancelled and the
 * new one is asked. A search that takes long is preceded by one that answers at once and keeps the
 * same promise; what is found later takes its place. A job whose runs spend epsilon is not asked before
 * its release is made. */
import { asError, isCancelled } from "../engine/types.ts";
import type { Job, MingleError } from "../engine/types.ts";
import { engines } from "../engine/engines.ts";
import { noAnswer, studio } from "./studio.ts";
import type { Stage } from "./studio.ts";
import { filesKey, jobForRun, spendsEpsilon } from "./job.ts";
import { releaseOutputs } from "./job-text.ts";
import type { Doc } from "./job.ts";
import { quickMethod, standardMethod, withMethod } from "./catalogue.ts";

/* A change is answered at once where the one before has been answered; of those that follow each
 * other faster than answers, as a slider makes them, the last one is. */
const BURST_MS = 120;
/* Up to this size of the table the answer is a release already, which only waits to be downloaded. */
const MOST_RELEASED_LIVE = 50e6;

let timer: ReturnType<typeof setTimeout> | undefined;
let changedAt = -Infinity;
let current: AbortController | null = null;
let askedDoc: Doc | null = null;
let askedKey = "";

export function keepAnswering(): void {
  studio.subscribe(() => {
    const { doc, table, opening, catalogue } = studio.get();
    if (!table || opening || !catalogue) {
      if (askedDoc) stop();
      return;
    }
    if (doc === askedDoc) return;
    if (spendsEpsilon(doc)) {
      stop();
      askedDoc = doc;
      askedKey = "";
      return studio.set({ answer: { ...noAnswer, doc }, leaks: [] });
    }
    const same = askedDoc !== null && searchKey(doc) === askedKey;
    askedDoc = doc;
    /* What is told about a release changes its files, and not what is searched for. */
    if (same) return studio.set((s) => ({ answer: { ...s.answer, doc: s.answer.busy ? s.answer.doc : doc, files: null } }));
    askedKey = searchKey(doc);
    clearTimeout(timer);
    current?.abort();
    const alone = !studio.get().answer.busy || performance.now() - changedAt > BURST_MS;
    studio.set((s) => ({ answer: { ...s.answer, busy: true } }));
    changedAt = performance.now();
    timer = setTimeout(() => void answer(doc), alone ? 0 : BURST_MS);
  });
}

function searchKey(doc: Doc): string {
  const job = { ...doc.job };
  for (const key of ["title", "purpose", "recipient", "author", "date", "keep-order"]) delete job[key];
  return JSON.stringify([job, filesKey(doc)]);
}

function stop(): void {
  clearTimeout(timer);
  current?.abort();
  current = null;
  askedDoc = null;
  guardedAs = "";
}

/* Cancelled by the person: the last answer stays, and the job can be asked again. */
export function cancelAnswer(): void {
  current?.abort();
  studio.set((s) => ({ answer: { ...s.answer, busy: false } }));
}

export function askAgain(): void {
  askedDoc = null;
  studio.set({});
}

/* A search that is quick is answered without a release, which is made when the answer is on show. */
function steps(doc: Doc): { stage: Stage; job: Job }[] {
  const catalogue = studio.get().catalogue!;
  const method = (doc.job.method as string) ?? standardMethod(catalogue);
  const full = jobForRun(doc, { "dry-run": true });
  const small = (studio.get().table?.blob.size ?? 0) <= MOST_RELEASED_LIVE;
  const list: { stage: Stage; job: Job }[] = [];
  const quick = quickMethod(catalogue);
  const slow = catalogue.methods[method]?.keys.includes("effort") ?? false;
  if (slow && quick) list.push({ stage: "first", job: withMethod(catalogue, full, quick) });
  if (slow && full.effort !== "fast") list.push({ stage: "fast", job: { ...full, effort: "fast" } });
  const release = jobForRun(doc, releaseOutputs(doc));
  list.push({ stage: "full", job: slow && small ? release : full });
  if (!slow && small) list.push({ stage: "release", job: release });
  return list;
}

async function answer(doc: Doc): Promise<void> {
  const controller = new AbortController();
  current = controller;
  const began = performance.now();
  const list = steps(doc);
  for (const { stage, job } of list) {
    try {
      const { result, files } = await engines.answer.run("anonymize", job, { signal: controller.signal, files: doc.files });
      if (controller.signal.aborted) return;
      const milliseconds = performance.now() - began;
      const now = askedDoc ?? doc; /* it may have got another title meanwhile */
      const made = job.output && now === doc ? files : null;
      if (stage === "release") show({ files: made });
      else show({ doc: stage === "full" ? now : doc, result, error: null, stage, busy: stage !== "full", milliseconds, files: made });
      if (stage === list[list.length - 1].stage) studio.set({ leaks: [] });
    } catch (error) {
      if (isCancelled(error) || controller.signal.aborted) return;
      /* The quick method may refuse what the method of the job can do. */
      if (stage === "first" || stage === "fast") continue;
      await showRefused(doc, asError(error), controller.signal);
      return;
    }
  }
  if (studio.get().answer.files === null && studio.get().answer.result) await lookForLeaks(doc, controller.signal);
}

/* A release that the leak guard refuses is an answer all the same: the columns to blame are told. */
async function showRefused(doc: Doc, error: MingleError, signal: AbortSignal): Promise<void> {
  const leak = error.code === "leak" && error.refusal;
  show({ doc, result: leak ? error.refusal : null, error: leak ? null : error, stage: "full", busy: false, files: null });
  if (!leak) return;
  studio.set({ leaks: [{ code: error.code, column: error.column ?? "", message: error.message }] });
  await lookForLeaks(doc, signal);
}

let guardedAs = "";

/* The leak guard looks at releases that are written. So one with a level per column is made after the
 * answer, and stays in the worker. */
async function lookForLeaks(doc: Doc, signal: AbortSignal): Promise<void> {
  const catalogue = studio.get().catalogue!;
  const quick = quickMethod(catalogue);
  const { attributes, privacy, suppress, rest, entity } = doc.job;
  const key = JSON.stringify([studio.get().table?.name, attributes, privacy, suppress, rest, entity]);
  if (!quick || (key === guardedAs && studio.get().leaks.length > 0)) return;
  const job = withMethod(catalogue, jobForRun(doc, { output: "memory:leaks.csv", "allow-leaks": true, brief: true }), quick);
  try {
    const { result } = await engines.beside().run("anonymize", job, { signal, files: doc.files, shape: "leaks" });
    guardedAs = key;
    if (result.length > 0) studio.set({ leaks: result });
  } catch {
    /* What the guard said of the release itself stays. */
  }
}

function show(change: Partial<ReturnType<typeof studio.get>["answer"]>): void {
  studio.set((s) => ({ answer: { ...s.answer, ...change } }));
}
