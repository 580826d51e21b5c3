// Engines with threads, where memory can be shared: in Node, and in pages that are isolated.

import { createEngineOf } from "./engine.js";
import type { Given } from "./engine.js";
import type { MakeWorker } from "./module.js";
import type { Engine } from "./types.js";

/** More take more memory than they save time. */
const MOST_THREADS = 8;

interface Place {
    crossOriginIsolated?: boolean;
    navigator?: { hardwareConcurrency?: number };
    process?: { versions?: { node?: string } };
}

const place = globalThis as unknown as Place;
const inNode = () => typeof place.process?.versions?.node === "string";

/** Threads that an engine makes use of here: 1 where memory cannot be shared. */
export async function usefulThreads(): Promise<number> {
    if (typeof SharedArrayBuffer === "undefined" || (!inNode() && place.crossOriginIsolated !== true)) return 1;
    let count = place.navigator?.hardwareConcurrency ?? 1;
    if (inNode()) {
        const os = await import(/* @vite-ignore */ /* webpackIgnore: true */ "node:os" as string);
        count = os.cpus().length;
    }
    return Math.max(1, Math.min(count, MOST_THREADS));
}

function makeBrowserWorker(): MakeWorker {
    return class {
        constructor() {
            return new Worker(new URL("./threads.worker.js", import.meta.url));
        }
    } as unknown as MakeWorker;
}

/** A worker of Node that looks like one of a browser. It does not keep a program from ending. */
async function makeNodeWorker(): Promise<MakeWorker> {
    const { Worker } = await import(/* @vite-ignore */ /* webpackIgnore: true */ "node:worker_threads" as string);
    return class {
        onmessage: ((event: any) => void) | null = null;
        onerror: ((event: any) => void) | null = null;
        private readonly worker = new Worker(new URL("./node_thread.js", import.meta.url));

        constructor() {
            this.worker.on("message", (data: unknown) => {
                this.worker.unref(); // its first word: it is loaded
                this.onmessage?.({ data });
            });
            this.worker.on("error", (error: Error) => this.onerror?.(error));
        }

        postMessage(message: unknown): void {
            this.worker.postMessage(message);
        }

        terminate(): void {
            this.worker.terminate();
        }
    };
}

/** An engine of threads.wasm, in the thread that calls. */
export async function createEngineWithThreads(given: Omit<Given, "factory" | "threads">, count: number): Promise<Engine> {
    const { default: factory } = await import("./threads.mjs");
    const Worker = inNode() ? await makeNodeWorker() : makeBrowserWorker();
    return createEngineOf({ factory, ...given, threads: { count, Worker } });
}
