/* The state of the page and everything a person can do to it. Screens read the state and call
 * these functions; they never talk to an engine about the job by themselves. */
import type { Capabilities, Files, Job, MingleError } from "../engine/types.ts";
import { asError, isCancelled } from "../engine/types.ts";
import type { OpenTable } from "../engine/lane.ts";
import { engines } from "../engine/engines.ts";
import { createStore, useSelected } from "./store.ts";
import type { Doc } from "./job.ts";
import { readingKeys, withKey } from "./job.ts";
import type { Catalogue } from "./catalogue.ts";
import { T } from "../texts.en.ts";

export const SCREENS = ["table", "columns", "hierarchies", "promise", "explore", "whatif", "release"] as const;
export type Screen = (typeof SCREENS)[number];

/* How good the answer on show is: the quick one, the fast one, or what the job asks for, of which the
 * release may be made a moment later. */
export type Stage = "first" | "fast" | "full" | "release";

export interface LiveAnswer {
  doc: Doc | null;
  result: any;
  error: MingleError | null;
  stage: Stage;
  busy: boolean;
  milliseconds: number;
  /* The release and what belongs to it, if the answer is one already. */
  files: Files | null;
}

/* What the leak guard objects to. */
export interface Leak {
  code: string;
  column: string;
  message: string;
}

export interface TableFile {
  name: string;
  blob: Blob;
}

export interface State {
  table: TableFile | null;
  opening: boolean;
  openError: MingleError | null;
  /* A file that could not be read as it was taken; another way of reading may do. */
  notOpened: TableFile | null;
  look: any;
  advice: any;
  doc: Doc;
  past: Doc[];
  future: Doc[];
  screen: Screen;
  hierarchyColumn: string | null;
  answer: LiveAnswer;
  catalogue: Catalogue | null;
  capabilities: Capabilities | null;
  drawer: boolean;
  kept: boolean;
  notice: string;
  releaseWanted: boolean;
  leaks: Leak[];
}

export const noAnswer: LiveAnswer = {
  doc: null, result: null, error: null, stage: "first", busy: false, milliseconds: 0, files: null,
};

const empty: State = {
  table: null, opening: false, openError: null, notOpened: null, look: null, advice: null,
  doc: { job: {}, files: {} }, past: [], future: [],
  screen: "table", hierarchyColumn: null, answer: noAnswer,
  catalogue: null, capabilities: null, drawer: false, kept: false, notice: "", releaseWanted: false, leaks: [],
};

export const studio = createStore<State>(empty);
export function useStudio<R>(select: (s: State) => R): R {
  return useSelected(studio, select);
}

/* ---- The job, with undo and redo -------------------------------------------------------------- */

const MOST_STEPS = 200;

export function change(doc: Doc): void {
  studio.set((s) => ({ doc, past: [...s.past.slice(-MOST_STEPS), s.doc], future: [] }));
}

export function changeJob(job: Job): void {
  const { doc } = studio.get();
  if (JSON.stringify(job) !== JSON.stringify(doc.job)) change({ ...doc, job });
}

export function undo(): void {
  studio.set((s) => {
    if (s.past.length === 0) return {};
    const doc = s.past[s.past.length - 1];
    return { doc, past: s.past.slice(0, -1), future: [s.doc, ...s.future] };
  });
  reopenIfReadOtherwise();
}

export function redo(): void {
  studio.set((s) => {
    if (s.future.length === 0) return {};
    return { doc: s.future[0], past: [...s.past, s.doc], future: s.future.slice(1) };
  });
  reopenIfReadOtherwise();
}

/* ---- The table -------------------------------------------------------------------------------- */

let openedAs = "";

function tableToOpen(table: TableFile, job: Job): OpenTable {
  return { name: table.name, table: table.blob, job: readingKeys(job) };
}

export async function start(): Promise<void> {
  try {
    const [capabilities, catalogue] = await Promise.all([
      engines.answer.ask({ type: "capabilities" }),
      engines.answer.ask({ type: "catalogue", what: null }),
    ]);
    studio.set({ capabilities, catalogue });
    if (capabilities.given) await openGiven(capabilities);
  } catch (error) {
    studio.set({ openError: asError(error) });
  }
}

/* What the command line of the program named: its bytes stay where they are. */
async function openGiven({ given, givenJob }: Capabilities): Promise<void> {
  const name = String(givenJob?.data ?? given).split(/[\\/]/).pop()!;
  const doc = Object.keys((givenJob?.attributes as object) ?? {}).length > 0 ? { job: { ...givenJob, data: name }, files: {} } : undefined;
  await openTable({ name, blob: new Blob([]) }, doc);
}

async function openLanes(table: TableFile, job: Job): Promise<void> {
  const open = tableToOpen(table, job);
  openedAs = JSON.stringify(open.job);
  engines.setTable(open);
  await engines.answer.open();
}

/* Opens a table; with a job the page goes on from there, without one the library proposes it. */
export async function openTable(file: TableFile, doc?: Doc, reading: Job = {}): Promise<void> {
  const { capabilities } = studio.get();
  if (capabilities && file.blob.size > capabilities.largestTable) {
    studio.set({ openError: { status: 3, code: "limit", message: T.table.tooLarge(file.name, file.blob.size, capabilities.largestTable) } });
    return;
  }
  closeTable();
  studio.set({ table: file, opening: true, screen: "table" });
  try {
    reading = await openAndLook(file, doc?.job ?? reading);
    if (doc) studio.set({ doc: { ...doc, job: withKey(doc.job, "encoding", reading.encoding) }, past: [], future: [] });
    else await suggest(reading);
    studio.set({ opening: false });
  } catch (error) {
    if (isCancelled(error)) return;
    engines.setTable(null);
    const told = asError(error);
    told.message = told.message.replace(/ hold data; choose one as in .*: /s, T.table.severalSheets);
    studio.set({ table: null, opening: false, openError: told, notOpened: doc || told.code === "memory" ? null : file });
  }
}

function isAboutEncoding(error: unknown): boolean {
  const { code, key } = asError(error);
  return code === "encoding" || key === "encoding";
}

/* Opens a table as the job says. One that is no UTF-8 and whose encoding nobody named is looked at with
 * what the library finds, which then stands in the job for the person to see. */
async function openAndLook(file: TableFile, job: Job): Promise<Job> {
  try {
    await openLanes(file, job);
    await lookAtTable();
    return job;
  } catch (error) {
    if (job.encoding !== undefined || !isAboutEncoding(error)) throw error;
    await openLanes(file, { ...job, encoding: "auto" });
    const { table } = await engines.look();
    const found = { ...job, encoding: table.encoding };
    await openLanes(file, found);
    studio.set({ doc: { job: found, files: {} } }); /* what is shown beside the look is what was found */
    await lookAtTable();
    return found;
  }
}

async function lookAtTable(): Promise<void> {
  const look = await engines.look();
  studio.set({ look });
}

async function suggest(reading: Job): Promise<void> {
  const { advice, job } = await engines.advise();
  const { table } = studio.get();
  const doc: Doc = { job: { ...reading, ...job, data: table!.name }, files: {} };
  studio.set({ advice, doc, past: [], future: [] });
}

/* Takes the library's proposal once more; undo brings the old job back. */
export async function suggestAgain(): Promise<void> {
  try {
    const { advice, job } = await engines.advise();
    const { table, doc } = studio.get();
    change({ ...doc, job: { ...readingKeys(doc.job), ...job, data: table!.name } });
    studio.set({ advice });
  } catch (error) {
    if (!isCancelled(error)) notify(asError(error).message);
  }
}

export function closeTable(): void {
  openedAs = "";
  engines.setTable(null);
  studio.set((s) => ({ ...empty, catalogue: s.catalogue, capabilities: s.capabilities }));
}

/* Keys of reading belong to the session: another delimiter means that the table is opened anew. */
export async function changeReading(key: string, value: unknown): Promise<void> {
  changeJob(withKey(studio.get().doc.job, key, value));
  await reopenIfReadOtherwise();
}

async function reopenIfReadOtherwise(): Promise<void> {
  const { table, doc } = studio.get();
  if (!table || JSON.stringify(readingKeys(doc.job)) === openedAs) return;
  studio.set({ opening: true, openError: null });
  try {
    await openLanes(table, doc.job);
    await lookAtTable();
    const { advice, job } = await engines.advise();
    const now = studio.get().doc;
    studio.set({ advice });
    /* Other columns: roles of the old ones mean nothing, so the proposal takes their place. */
    const same = JSON.stringify(Object.keys((job.attributes as object) ?? {})) ===
      JSON.stringify(Object.keys((now.job.attributes as object) ?? {}));
    if (!same) studio.set({ doc: { ...now, job: { ...readingKeys(now.job), ...job, data: table.name } } });
    studio.set({ opening: false });
  } catch (error) {
    if (!isCancelled(error)) studio.set({ opening: false, openError: asError(error) });
  }
}

export function notify(notice: string): void {
  studio.set({ notice });
}

export function goTo(screen: Screen): void {
  studio.set({ screen });
}
