/* A lane is a worker with the table opened in it. Questions wait in a queue. WebAssembly cannot be
 * interrupted from outside, so cancelling a question that runs ends the worker, and a new one opens
 * the table again. Where that takes long, a question that nobody waits for any more gets as long to
 * end by itself. */
import { asError, CANCELLED } from "./types.ts";
import type { Answer, Job, MingleError, RunOptions } from "./types.ts";
import type { Reply, Request, RequestBody } from "./messages.ts";
import { T } from "../texts.en.ts";

interface Waiting {
  body: RequestBody;
  options: RunOptions;
  resolve(value: any): void;
  reject(error: MingleError): void;
}

export interface OpenTable {
  name: string;
  table: Blob;
  job: Job;
}

/* What screens ask, whoever answers. */
export interface Questions {
  setTable(table: OpenTable | null): void;
  run(command: string, job: Job, options?: RunOptions): Promise<Answer>;
  open(options?: RunOptions): Promise<void>;
  ask(body: RequestBody, options?: RunOptions): Promise<any>;
}

const cancelled: MingleError = { status: 5, code: CANCELLED, message: "cancelled" };

/* The number of the message that opens the table; questions count from 1. */
const OPENING = 0;
/* Bytes of a table that are surely read in a millisecond. */
const READ_IN_MS = 5000;

export class Lane implements Questions {
  private worker: Worker | null = null;
  private opened = false;
  private table: OpenTable | null = null;
  private queue: Waiting[] = [];
  private running: Waiting | null = null;
  private lastId = 0;
  private abandoned: ReturnType<typeof setTimeout> | null = null;
  private openBegan = 0;
  private openTook = 0;
  private wasAsked = false;

  constructor(private readonly makeWorker: () => Worker) {}

  /* Forgets the table that was open, and whatever was asked about it. */
  setTable(table: OpenTable | null): void {
    const old = [...this.queue, ...(this.running ? [this.running] : [])];
    this.queue = [];
    /* A worker that has not seen a table yet is as good as a new one. */
    if (this.opened || this.running) this.endWorker();
    this.table = table;
    for (const w of old) w.reject(cancelled);
  }

  run(command: string, job: Job, options: RunOptions = {}): Promise<Answer> {
    return this.ask(
      { type: "run", command, job, files: options.files ?? {}, shape: options.shape ?? null },
      options,
    );
  }

  open(options: RunOptions = {}): Promise<void> {
    return this.ask({ type: "ready" }, options);
  }

  /* What needs no table: texts of jobs, the catalogue, capabilities. */
  ask(body: RequestBody, options: RunOptions = {}): Promise<any> {
    return new Promise((resolve, reject) => {
      if (options.signal?.aborted) return reject(cancelled);
      const waiting: Waiting = { body, options, resolve, reject };
      options.signal?.addEventListener("abort", () => this.cancel(waiting), { once: true });
      this.queue.push(waiting);
      this.next();
    });
  }

  private cancel(waiting: Waiting): void {
    const at = this.queue.indexOf(waiting);
    if (at >= 0) this.queue.splice(at, 1);
    else if (this.running === waiting) this.abandon();
    else return;
    waiting.reject(cancelled);
  }

  private abandon(): void {
    this.abandoned ??= setTimeout(() => {
      this.endWorker();
      this.next();
    }, Math.min(this.openTook, 300 + (this.table?.table.size ?? 0) / READ_IN_MS));
  }

  private endWorker(): void {
    if (this.abandoned !== null) clearTimeout(this.abandoned);
    this.abandoned = null;
    this.worker?.terminate();
    this.worker = null;
    this.opened = false;
    this.running = null;
  }

  private next(): void {
    if (this.running || this.queue.length === 0) return;
    this.running = this.queue.shift()!;
    if (!this.worker) {
      this.worker = this.makeWorker();
      this.worker.onmessage = (e: MessageEvent<Reply>) => this.hear(e.data);
      this.worker.onerror = (e) => {
        e.preventDefault();
        this.fail(e.message || "the worker stopped");
      };
    }
    const needsTable = this.running.body.type === "run" || this.running.body.type === "ready";
    if (needsTable && !this.opened && this.table) {
      this.opened = true;
      this.wasAsked = false;
      this.openBegan = performance.now();
      this.post({ type: "open", ...this.table }, OPENING);
    }
    this.post(this.running.body, ++this.lastId);
  }

  private post(body: RequestBody, id: number): void {
    const message: Request = { id, body };
    this.worker!.postMessage(message);
  }

  private fail(message: string): void {
    const waiting = this.running;
    this.endWorker();
    waiting?.reject({ status: 4, code: "internal", message });
    this.next();
  }

  /* The table is read when the first question is asked about it. */
  private hearTime(waiting: Waiting): void {
    if (!this.opened || this.wasAsked || waiting.body.type !== "run") return;
    this.wasAsked = true;
    this.openTook = performance.now() - this.openBegan;
  }

  /* Where memory has ended, the page knows better than the library what to do. */
  private withAdvice(error: MingleError): MingleError {
    return error.code === "memory" && this.table ? { ...error, message: T.table.memoryEnded(this.table.name) } : error;
  }

  private hear(reply: Reply): void {
    const waiting = this.running;
    if (!waiting || reply.id !== this.lastId) return;
    if (reply.type !== "progress") this.hearTime(waiting);
    if (this.abandoned !== null && reply.type !== "progress") {
      clearTimeout(this.abandoned);
      this.abandoned = null;
    }
    if (reply.type === "progress") return waiting.options.onProgress?.(reply.progress);
    this.running = null;
    if (reply.type === "done") waiting.resolve(reply.value);
    else {
      /* Out of memory leaves the heap as large as it got: begin with a new one. */
      if (reply.error.code === "memory" || reply.error.code === "internal") this.endWorker();
      waiting.reject(this.withAdvice(asError(reply.error)));
    }
    this.next();
  }
}
