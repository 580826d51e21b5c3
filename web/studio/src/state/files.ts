/* Files that were dropped or chosen: a table, a job file, and files that a job names. */
import { engines } from "../engine/engines.ts";
import { asError } from "../engine/types.ts";
import type { Files, Job } from "../engine/types.ts";
import { createStore } from "./store.ts";
import type { Doc } from "./job.ts";
import { change, notify, openTable, studio } from "./studio.ts";
import { exampleTable } from "./example.ts";
import { T } from "../texts.en.ts";

interface Pending {
  doc: Doc | null;
  missing: string[];
}

/* A job whose table has not come yet. */
export const pendingJob = createStore<Pending>({ doc: null, missing: [] });

const JOB_ENDINGS = /\.(ya?ml|json)$/i;

function baseName(path: string): string {
  return path.replace(/^memory:/, "").split(/[\\/]/).pop() ?? path;
}

/* Names of files in a job that look like files of hierarchies, populations and the like. */
function namedFiles(job: Job): string[] {
  const found = new Set<string>();
  const look = (value: unknown): void => {
    if (typeof value === "string") {
      const inner = /^(?:groups|order)\((.*)\)$/s.exec(value)?.[1] ?? value;
      if (/^[^<>|;,()]+\.(csv|tsv|txt|json)$/i.test(inner)) found.add(inner);
    } else if (value !== null && typeof value === "object") Object.values(value).forEach(look);
  };
  const { data: _data, output: _output, ...rest } = job;
  look(rest);
  return [...found];
}

async function readJob(file: File): Promise<Job> {
  const { job } = await engines.words.ask({ type: "job", text: await file.text() });
  return job;
}

async function takeFiles(files: File[]): Promise<Files> {
  const taken: Files = {};
  for (const file of files) taken[file.name] = new Uint8Array(await file.arrayBuffer());
  return taken;
}

export async function openFiles(files: File[]): Promise<void> {
  if (files.length === 0) return;
  studio.set({ openError: null, notOpened: null });
  try {
    const jobFile = files.find((f) => /\.ya?ml$/i.test(f.name)) ??
      (pendingJob.get().doc ? undefined : files.find((f) => JOB_ENDINGS.test(f.name)));
    const others = files.filter((f) => f !== jobFile);
    if (jobFile) return await openJob(await readJob(jobFile), others);
    const pending = pendingJob.get().doc;
    if (pending) return await openJob(pending.job, others, pending.files);
    const { table, doc } = studio.get();
    if (table && others.length > 0) return change({ ...doc, files: { ...doc.files, ...(await takeFiles(others)) } });
    await openTable({ name: others[0].name, blob: others[0] });
  } catch (error) {
    studio.set({ openError: asError(error) });
    if (studio.get().table) notify(asError(error).message);
  }
}

/* Opens a job: on the table it names, which is among the files, or open already. */
export async function openJob(job: Job, files: File[], held: Files = {}): Promise<void> {
  const wanted = baseName(String(job.data ?? ""));
  const open = studio.get().table;
  const dataFile = files.find((f) => f.name === wanted) ??
    (files.length === 1 && !open && namedFiles(job).length === 0 ? files[0] : undefined);
  const doc: Doc = {
    job: renamed(job, dataFile?.name ?? wanted),
    files: { ...held, ...(await takeFiles(files.filter((f) => f !== dataFile))) },
  };
  const missing = namedFiles(doc.job).filter((name) => !(name in doc.files));
  if (dataFile && missing.length === 0) {
    pendingJob.set({ doc: null, missing: [] });
    return openTable({ name: dataFile.name, blob: dataFile }, doc);
  }
  if (!dataFile && open && open.name === wanted && missing.length === 0)
    return openTable(open, doc);
  if (dataFile) doc.files[dataFile.name] ??= new Uint8Array(await dataFile.arrayBuffer());
  pendingJob.set({ doc, missing });
  if (open) notify(T.start.jobNeedsTable(wanted));
}

/* Paths of a job file are relative to its folder; here all files lie in one. */
function renamed(job: Job, data: string): Job {
  const names = new Map(namedFiles(job).map((path) => [path, baseName(path)]));
  const walk = (value: unknown): unknown => {
    if (typeof value === "string") {
      if (names.has(value)) return names.get(value);
      const inner = /^(groups|order)\((.*)\)$/s.exec(value);
      return inner && names.has(inner[2]) ? `${inner[1]}(${names.get(inner[2])})` : value;
    }
    if (Array.isArray(value)) return value.map(walk);
    if (value !== null && typeof value === "object")
      return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, walk(v)]));
    return value;
  };
  return { ...(walk(job) as Job), data };
}

export async function openExample(): Promise<void> {
  await openTable({ name: "patients.csv", blob: new Blob([exampleTable()], { type: "text/csv" }) });
}
