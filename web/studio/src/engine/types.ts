/* What the page and its engines say to each other: jobs are objects of the keys of docs/job.md,
 * results are the documents of the program, files go by name. The page branches on capabilities
 * alone, never on which engine it is. */

export type Job = { [key: string]: unknown };

export interface Capabilities {
  engine: "wasm" | "native";
  version: string;
  formats: string[];
  largestTable: number;
  threads: number;
  databases: boolean;
  folder: boolean;
  given?: string;
  givenJob?: Job;
}

export interface MingleError {
  status: number;
  code: string;
  message: string;
  key?: string;
  column?: string;
  file?: string;
  line?: number;
  position?: number;
  refusal?: any;
}

export interface Progress {
  stage: string;
  done: number;
  total: number;
}

export interface Answer {
  result: any;
  files: { [name: string]: Uint8Array };
}

export interface JobTexts {
  job: Job;
  yaml: string;
  command: string;
}

/* Files that a job names and the page holds. */
export type Files = { [name: string]: Uint8Array };

/* Reshapes a large result within the worker, so that the page gets what it draws and no more. */
export type Shape = "lattice" | "points" | "leaks" | null;

export interface RunOptions {
  signal?: AbortSignal;
  onProgress?(p: Progress): void;
  files?: Files;
  shape?: Shape;
}

export const CANCELLED = "cancelled";

export function isCancelled(error: unknown): boolean {
  return (error as MingleError | null)?.code === CANCELLED;
}

export function asError(error: unknown): MingleError {
  const e = error as Partial<MingleError> & { message?: string };
  if (e && typeof e.code === "string") return e as MingleError;
  return { status: 4, code: "internal", message: String(e?.message ?? error) };
}
