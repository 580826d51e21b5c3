/* The worker: an engine with at most one table open. Questions are answered one after the other;
 * large results are parsed and made small here. */
import { createEngineOf } from "../../../mingle/src/engine.ts";
import { MingleError } from "../../../mingle/src/errors.ts";
import factory from "../../../mingle/src/mingle.mjs";
import type { Engine, Session } from "../../../mingle/src/types.ts";
import type { Reply, Request, RequestBody } from "./messages.ts";
import { reshape } from "./shapes.ts";

interface WorkerScope {
  postMessage(message: Reply, transfer?: Transferable[]): void;
  onmessage: ((e: MessageEvent) => void) | null;
}
const scope = globalThis as unknown as WorkerScope;

/* Commands that are about files alone. */
const WITHOUT_TABLE = ["codebook", "report", "recoding", "statement"];

let engine: Promise<Engine> | null = null;
let session: Session | null = null;
let openFailed: unknown = null;
let last: Promise<void> = Promise.resolve();

async function openTable(body: RequestBody & { type: "open" }): Promise<void> {
  openFailed = null;
  try {
    session = await (await engine!).open(body.name, body.table, body.job);
  } catch (error) {
    openFailed = error;
  }
}

async function run(body: RequestBody & { type: "run" }, id: number): Promise<any> {
  const options = { files: body.files, onProgress: (progress: { stage: string; done: number; total: number }) => scope.postMessage({ id, type: "progress", progress }) };
  const alone = WITHOUT_TABLE.includes(body.command);
  if (!alone && openFailed) throw openFailed;
  const asked = alone || !session ? await engine! : session;
  const { text, files } = await asked.runText(body.command, body.job, options);
  return { result: reshape(body.shape, JSON.parse(text)), files: body.shape ? {} : files };
}

async function answer(body: RequestBody, id: number): Promise<any> {
  const e = await engine!;
  switch (body.type) {
    case "open": return openTable(body);
    case "ready":
      if (openFailed) throw openFailed;
      return null;
    case "run": return run(body, id);
    case "job": return e.job(body.text);
    case "catalogue": return e.catalogue(body.what ?? undefined);
    case "capabilities": return e.capabilities();
  }
}

async function handle({ id, body }: Request): Promise<void> {
  try {
    const value = await answer(body, id);
    const files: Uint8Array[] = Object.values(value?.files ?? {});
    scope.postMessage({ id, type: "done", value }, files.map((f) => f.buffer as ArrayBuffer));
  } catch (error) {
    const fields = error instanceof MingleError ? error.fields() : { status: 4, code: "internal", message: String((error as Error)?.message ?? error) };
    scope.postMessage({ id, type: "failed", error: fields });
  }
}

scope.onmessage = (e: MessageEvent) => {
  if (e.data.module) engine = createEngineOf({ factory, wasm: e.data.module as WebAssembly.Module });
  else last = last.then(() => handle(e.data as Request));
};
