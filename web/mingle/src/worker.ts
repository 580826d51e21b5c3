// What a worker of this package runs: an engine that is asked by messages.

import { createEngine } from "./embedded.js";
import { fieldsOf, serve } from "./serve.js";
import type { Ask } from "./serve.js";
import { createEngineWithThreads } from "./threads.js";

interface Scope {
    onmessage: ((event: { data: any }) => void) | null;
    postMessage(message: unknown): void;
}

/** scope: that of the worker, or a port of worker_threads with the same two names. */
export function start(scope: Scope, crypto?: { getRandomValues(bytes: Uint8Array): unknown }): void {
    scope.onmessage = async ({ data }) => {
        const waiting: Ask[] = [];
        scope.onmessage = ({ data: ask }) => waiting.push(ask);
        try {
            const given = crypto === undefined ? { wasm: data.wasm } : { wasm: data.wasm, crypto };
            const engine = await (data.threads > 1
                ? createEngineWithThreads(given, data.threads) : createEngine(given));
            const flag = data.flag === undefined ? undefined : new Int32Array(data.flag);
            const take = serve(engine, (reply) => scope.postMessage(reply), flag);
            scope.onmessage = ({ data: ask }) => take(ask);
            waiting.forEach(take);
        } catch (error) {
            scope.postMessage({ id: 0, error: fieldsOf(error) });
        }
    };
}
