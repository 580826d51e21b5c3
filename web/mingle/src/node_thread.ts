// A thread of the module in Node: emscripten's script for workers of browsers, with what it knows of one.
const { parentPort } = await import("node:worker_threads" as string);

const scope = globalThis as { self?: unknown; onmessage?: ((event: { data: unknown }) => void) | null };
scope.self = globalThis;
Object.assign(globalThis, { postMessage: (message: unknown) => parentPort.postMessage(message) });
await import("./threads.worker.js" as string);
parentPort.on("message", (data: unknown) => scope.onmessage?.({ data }));
export {};
