// The package: tables, engines in this thread or in a worker, and what they speak.

import { createEngine as createEmbedded } from "./embedded.js";
import type { Given } from "./engine.js";
import { loadModule } from "./load.js";
import type { Engine } from "./types.js";

export * from "./types.js";
export * from "./results.js";
export { MingleError } from "./errors.js";
export { LARGEST_TABLE } from "./engine.js";
export { open, OpenTable, Release } from "./open.js";
export type { OpenOptions } from "./open.js";
export type { Table } from "./table.js";
export { createWorkerEngine } from "./worker_engine.js";

/** An engine in this thread. Without `given` it finds the module beside this file; else it is made of
 * the bytes of mingle.wasm, or of the module compiled from them. */
export async function createEngine(given?: Omit<Given, "factory">): Promise<Engine> {
    return createEmbedded(given ?? (await loadModule()));
}
