/* A job as the page keeps it: an object of job keys, with the names of files as they stand in a job
 * file. What a run is given differs in two things: files that the page holds are in memory, and keys
 * of reading belong to the session. */
import type { Files, Job } from "../engine/types.ts";

export interface Attribute {
  role?: string;
  hierarchy?: string;
  kind?: string;
  treat?: string;
  weight?: number | string;
  level?: string;
  [field: string]: unknown;
}

/* A job with the files it names: what undo and redo go through. */
export interface Doc {
  job: Job;
  files: Files;
}

export type Model = { [name: string]: unknown };

export function attributes(job: Job): { [column: string]: Attribute } {
  return (job.attributes as { [column: string]: Attribute }) ?? {};
}

export function attribute(job: Job, column: string): Attribute {
  return attributes(job)[column] ?? {};
}

/* Fields that are undefined or empty are taken out; the order of columns stays. */
export function withAttribute(job: Job, column: string, change: Attribute): Job {
  const merged: Attribute = { ...attribute(job, column), ...change };
  for (const field of Object.keys(merged))
    if (merged[field] === undefined || merged[field] === "") delete merged[field];
  return { ...job, attributes: { ...attributes(job), [column]: merged } };
}

export function withKey(job: Job, key: string, value: unknown): Job {
  const changed = { ...job, [key]: value };
  if (value === undefined || value === "" || value === null) delete changed[key];
  return changed;
}

export function columnsOfRole(job: Job, role: string): string[] {
  return Object.entries(attributes(job)).filter(([, a]) => a.role === role).map(([name]) => name);
}

export function models(job: Job): Model[] {
  return Array.isArray(job.privacy) ? (job.privacy as Model[]) : [];
}

export function modelName(model: Model): string {
  return Object.keys(model)[0] ?? "";
}

/* The parameters of a model, also of the short form {k-anonymity: 5}. */
export function modelParameters(model: Model, names: string[]): { [name: string]: unknown } {
  const value = model[modelName(model)];
  if (value !== null && typeof value === "object" && !Array.isArray(value))
    return value as { [name: string]: unknown };
  return names.length > 0 ? { [names[0]]: value } : {};
}

export function makeModel(name: string, parameters: { [name: string]: unknown }): Model {
  const given = Object.entries(parameters).filter(([, v]) => v !== undefined && v !== "");
  if (given.length === 1 && given[0][0] !== "attribute") return { [name]: given[0][1] };
  return { [name]: Object.fromEntries(given) };
}

const SESSION_KEYS = [
  "data", "parts", "missing", "delimiter", "header", "no-header", "encoding", "decimal", "century", "trim",
  "fold-case", "unpack", "threads", "memory",
];
const OUTPUT_KEYS = ["output", "result", "report", "save-job", "save-recoding", "save-proof", "save-map", "save-promise", "statement", "junit"];

export function readingKeys(job: Job): Job {
  const kept: Job = {};
  for (const key of SESSION_KEYS) if (key in job && key !== "data") kept[key] = job[key];
  return kept;
}

function inMemory(value: unknown, files: Files): unknown {
  if (typeof value === "string") {
    if (value in files) return `memory:${value}`;
    const inner = /^(groups|order)\((.*)\)$/s.exec(value);
    if (inner && inner[2] in files) return `${inner[1]}(memory:${inner[2]})`;
    return value;
  }
  if (Array.isArray(value)) return value.map((v) => inMemory(v, files));
  if (value !== null && typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, inMemory(v, files)]));
  return value;
}

/* What a session is asked: without the keys that belong to it, and with no output but `extra`. */
export function jobForRun(doc: Doc, extra: Job): Job {
  const job: Job = {};
  for (const [key, value] of Object.entries(doc.job)) {
    if (SESSION_KEYS.includes(key) || OUTPUT_KEYS.includes(key)) continue;
    job[key] = inMemory(value, doc.files);
  }
  return { ...job, ...extra };
}

/* Is the job differentially private? Then each run of it spends epsilon, and only a release is worth one. */
export function spendsEpsilon(doc: Doc): boolean {
  return doc.job.dp !== undefined;
}

const fileIds = new WeakMap<Uint8Array, number>();
let lastFileId = 0;

/* Tells apart files with the same name and other contents. */
export function filesKey(doc: Doc): string {
  return Object.entries(doc.files).map(([name, data]) => {
    if (!fileIds.has(data)) fileIds.set(data, ++lastFileId);
    return `${name}:${fileIds.get(data)}`;
  }).join("|");
}

/* Names of the doc's files that its job uses. */
export function filesInUse(doc: Doc): string[] {
  const text = JSON.stringify(doc.job);
  return Object.keys(doc.files).filter((name) => text.includes(JSON.stringify(name).slice(1, -1)));
}

/* A name for a file that is not taken yet. */
export function freeName(files: Files, wanted: string): string {
  const clean = wanted.replace(/[^\p{L}\p{N}._-]+/gu, "-") || "file.csv";
  if (!(clean in files)) return clean;
  const dot = clean.lastIndexOf(".");
  const [stem, ending] = dot > 0 ? [clean.slice(0, dot), clean.slice(dot)] : [clean, ""];
  for (let i = 2; ; i++) if (!(`${stem}-${i}${ending}` in files)) return `${stem}-${i}${ending}`;
}
