/* The workers of the page: one lane for the answer that is always on show, one for short questions
 * beside it, one for series of long ones, so that neither keeps the others waiting, and one that has
 * the release open, for the attack of an outsider. Each has a copy of the table once it is asked. */
import { Lane } from "./lane.ts";
import type { OpenTable, Questions } from "./lane.ts";
import { ServerLane } from "./server-lane.ts";
import { makeWorker } from "./spawn.ts";
import type { Job } from "./types.ts";
import type { Doc } from "../state/job.ts";
import { filesKey, jobForRun, spendsEpsilon } from "../state/job.ts";
import { T } from "../texts.en.ts";

/* The program that serves the page says so in it. */
const served = document.querySelector('meta[name="mingle-engine"][content="native"]') !== null;
const lane = (): Questions => (served ? new ServerLane() : new Lane(makeWorker));
const answer = lane();
const side = lane();
const long = lane();
const release = lane();
/* Texts of jobs need no table, and never wait for one. */
const words = lane();

/* Each worker has the columns of the table in memory: above these sizes one more is dearer than waiting. */
const MOST_FOR_THREE = 30e6;
const MOST_FOR_TWO = 150e6;
let table: OpenTable | null = null;

function setTable(opened: OpenTable | null): void {
  releasedJob = "";
  table = opened;
  for (const l of [answer, side, long]) l.setTable(opened);
  release.setTable(null);
}

/* For short questions beside the answer. */
function beside(): Questions {
  return !served && table && table.table.size > MOST_FOR_TWO ? answer : side;
}

/* For series of long ones. */
function background(): Questions {
  return table && table.table.size > MOST_FOR_THREE ? beside() : long;
}

export interface Advice {
  advice: any;
  job: Job;
}

/* How the table was read, its first rows and its columns. */
async function look(): Promise<any> {
  const { result } = await answer.run("look", { window: "1,8" });
  return result;
}

/* What the library proposes for the table. */
async function advise(): Promise<Advice> {
  const { result } = await answer.run("risk", { advise: true, "no-trial": true });
  const { job } = await words.ask({ type: "job", text: result.job });
  const { output: _output, ...rest } = job as Job;
  return { advice: result.advice, job: rest };
}

let releasedJob = "";

/* Makes the release of a job within the page and opens it in a lane of its own. */
async function openRelease(doc: Doc, signal: AbortSignal): Promise<void> {
  const key = JSON.stringify([doc.job, filesKey(doc)]);
  if (key === releasedJob) return;
  if (spendsEpsilon(doc)) throw new Error(T.answer.once);
  const job = jobForRun(doc, { output: "memory:release.csv", brief: true, "allow-leaks": true });
  const { files } = await beside().run("anonymize", job, { signal, files: doc.files });
  release.setTable({ name: "release.csv", table: new Blob([files["release.csv"] as BlobPart]), job: {} });
  releasedJob = key;
}

export const engines = { answer, beside, release, words, background, setTable, look, advise, openRelease };
