// The worker of a browser.
import { start } from "./worker.js";
start(globalThis as unknown as Parameters<typeof start>[0]);
