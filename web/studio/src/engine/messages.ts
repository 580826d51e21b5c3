/* Messages between the page and a worker. */
import type { Files, Job, MingleError, Progress, Shape } from "./types.ts";

export type RequestBody =
  | { type: "open"; name: string; table: Blob; job: Job }
  | { type: "ready" }
  | { type: "run"; command: string; job: Job; files: Files; shape: Shape }
  | { type: "job"; text: string }
  | { type: "catalogue"; what: string | null }
  | { type: "capabilities" };

export interface Request {
  id: number;
  body: RequestBody;
}

export type Reply =
  | { id: number; type: "progress"; progress: Progress }
  | { id: number; type: "done"; value: any }
  | { id: number; type: "failed"; error: MingleError };

/* Between the served page and its worker: what the program told of a run, and the same with its result
 * made small. */
export interface ShapeRequest {
  id: number;
  body: ArrayBuffer;
  shape: Shape;
}

export interface ShapeReply {
  id: number;
  told: any;
}
