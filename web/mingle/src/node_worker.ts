// The worker of Node, whose port speaks as a worker of a browser does.
import { start } from "./worker.js";

const { parentPort } = await import("node:worker_threads" as string);
const { webcrypto } = await import("node:crypto" as string);
const scope: Parameters<typeof start>[0] = {
    onmessage: null,
    postMessage: (message) => parentPort.postMessage(message),
};
start(scope, webcrypto);
parentPort.on("message", (data: unknown) => scope.onmessage?.({ data }));
