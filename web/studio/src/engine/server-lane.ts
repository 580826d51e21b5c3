/* A lane whose questions are answered by the program that served the page. Its answers come by
 * polling: a question is posted, and asked after until it is answered. */
import { asError, CANCELLED } from "./types.ts";
import type { Answer, Files, Job, MingleError, RunOptions, Shape } from "./types.ts";
import type { OpenTable, Questions } from "./lane.ts";
import type { RequestBody, ShapeReply, ShapeRequest } from "./messages.ts";
import { startWorker } from "./spawn.ts";
import { eachPiece, pause, PIECE } from "../parts/pieces.ts";

const cancelled: MingleError = { status: 5, code: CANCELLED, message: "cancelled" };

async function call(method: string, path: string, body?: BodyInit, signal?: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(`/api/${path}`, { method, body, signal, headers: typeof body === "string" ? { "Content-Type": "application/json" } : {} });
  } catch (error) {
    throw signal?.aborted ? cancelled : { status: 4, code: "system", message: String((error as Error).message) };
  }
  if (response.ok) return response;
  const told = await response.json().catch(() => null);
  throw asError(told?.error ?? told ?? { status: 4, code: "system", message: response.statusText });
}

async function json(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<any> {
  return (await call(method, path, body === undefined ? undefined : JSON.stringify(body), signal)).json();
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}

/* The body of a request with files, which can be large: never one text. */
async function bodyOf(command: string, job: Job, files: Files): Promise<Blob> {
  const parts: string[] = [`{"command":${JSON.stringify(command)},"job":${JSON.stringify(job)},"files":{`];
  let between = "";
  for (const [name, bytes] of Object.entries(files)) {
    parts.push(`${between}${JSON.stringify(name)}:"`);
    await eachPiece(bytes, (piece) => parts.push(base64(piece)));
    parts.push('"');
    between = ",";
  }
  parts.push("}}");
  const blobs: Blob[] = [];
  for (const part of parts) {
    blobs.push(new Blob([part]));
    if (part.length > PIECE) await pause();
  }
  return new Blob(blobs, { type: "application/json" });
}

/* A table is sent once, however many lanes ask about it. */
const sent = new WeakMap<Blob, Promise<string>>();

function send(table: OpenTable): Promise<string> {
  let id = sent.get(table.table);
  if (!id) {
    id = call("POST", `tables?name=${encodeURIComponent(table.name)}`, table.table).then(async (r) => (await r.json()).table);
    sent.set(table.table, id);
  }
  return id;
}

/* The program drops a table with the last session on it; one that is opened anew is sent again then. */
async function openSession(table: OpenTable | null): Promise<string> {
  const open = async (id: string | null): Promise<string> => (await json("POST", "sessions", { table: id, job: table?.job ?? {} })).session;
  if (!table || table.table.size === 0) return open(null);
  try {
    return await open(await send(table));
  } catch (error) {
    if (asError(error).code !== "not-found") throw error;
    sent.delete(table.table);
    return open(await send(table));
  }
}

let shaper: Worker | null = null;
const shaping = new Map<number, { resolve(told: any): void; reject(error: MingleError): void }>();
let shapes = 0;

/* One worker for all lanes: it has nothing of theirs. */
function startShaper(): Worker {
  const worker = startWorker();
  worker.onmessage = ({ data }: MessageEvent<ShapeReply>) => {
    shaping.get(data.id)?.resolve(data.told);
    shaping.delete(data.id);
  };
  worker.onerror = (e) => {
    for (const waiting of shaping.values()) waiting.reject({ status: 4, code: "internal", message: e.message });
    shaping.clear();
    shaper = null;
  };
  return worker;
}

/* What the program told of a run, its large result made small by the worker. */
function shaped(body: ArrayBuffer, shape: Shape): Promise<any> {
  shaper ??= startShaper();
  const request: ShapeRequest = { id: ++shapes, body, shape };
  return new Promise((resolve, reject) => {
    shaping.set(request.id, { resolve, reject });
    shaper!.postMessage(request, [body]);
  });
}

export class ServerLane implements Questions {
  private table: OpenTable | null = null;
  private session: Promise<string> | null = null;
  private closing = new AbortController();

  setTable(table: OpenTable | null): void {
    this.closing.abort();
    this.closing = new AbortController();
    const old = this.session;
    void old?.then((id) => call("DELETE", `sessions/${id}`)).catch(() => undefined);
    this.session = null;
    this.table = table;
  }

  private opened(): Promise<string> {
    const table = this.table;
    this.session ??= openSession(table);
    return this.session;
  }

  async open(): Promise<void> {
    await this.opened();
  }

  async run(command: string, job: Job, options: RunOptions = {}): Promise<Answer> {
    const session = await this.opened();
    const files = options.files ?? {};
    const body = Object.keys(files).length > 0 ? await bodyOf(command, job, files) : JSON.stringify({ command, job, files });
    const { run } = await (await call("POST", `sessions/${session}/run`, body)).json();
    const stop = () => void call("DELETE", `runs/${run}`).catch(() => undefined);
    options.signal?.addEventListener("abort", stop, { once: true });
    this.closing.signal.addEventListener("abort", stop, { once: true });
    try {
      return await this.waitFor(run, options);
    } finally {
      options.signal?.removeEventListener("abort", stop);
      this.closing.signal.removeEventListener("abort", stop);
    }
  }

  private async waitFor(run: string, options: RunOptions): Promise<Answer> {
    for (;;) {
      if (options.signal?.aborted) throw cancelled;
      const response = await call("GET", `runs/${run}`, undefined, options.signal);
      const told = options.shape ? await shaped(await response.arrayBuffer(), options.shape) : await response.json();
      if (told.error) throw asError(told.error);
      if (told.result === undefined) {
        if (told.progress) options.onProgress?.(told.progress);
        continue;
      }
      const files: Files = {};
      for (const name of Object.keys(told.files ?? {}))
        files[name] = new Uint8Array(await (await call("GET", `runs/${run}/files/${encodeURIComponent(name)}`)).arrayBuffer());
      return { result: told.result, files };
    }
  }

  async ask(body: RequestBody): Promise<any> {
    switch (body.type) {
      case "job": return (await call("POST", "job", new Blob([body.text], { type: "text/plain" }))).json();
      case "catalogue": return json("GET", "catalogue");
      case "capabilities": return json("GET", "capabilities");
      default: throw { status: 2, code: "usage", message: body.type };
    }
  }
}
