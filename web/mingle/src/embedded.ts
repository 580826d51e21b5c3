// For pages and workers that have the module inside them: nothing here looks for a file.

import { createEngineOf } from "./engine.js";
import type { Given } from "./engine.js";
import factory from "./mingle.mjs";
import type { Engine } from "./types.js";

export * from "./types.js";
export { MingleError } from "./errors.js";
export { LARGEST_TABLE } from "./engine.js";

/** An engine in this thread, of the bytes of mingle.wasm or of the module compiled from them. */
export function createEngine(given: Omit<Given, "factory">): Promise<Engine> {
    return createEngineOf({ factory, ...given });
}
