/* Starts workers. Their program and the module stand in the page itself, since a page that was
 * opened from a file may load nothing. The module is compiled once, for all workers. */
import { base64ToBytes, gunzip } from "./embedded.ts";
import type { Request } from "./messages.ts";

interface TrustedPolicy { createScriptURL(url: string): unknown }
interface TrustedFactory { createPolicy(name: string, rules: { createScriptURL(url: string): string }): TrustedPolicy }

const factory = (globalThis as { trustedTypes?: TrustedFactory }).trustedTypes;
let workerUrl: string | null = null;
/* The only address that may become a program: the one made here. */
const policy = factory?.createPolicy("mingle-worker", {
  createScriptURL(url) {
    if (url !== workerUrl) throw new TypeError("not the program of the worker");
    return url;
  },
});

/* What is embedded is needed once; the page does not keep its text. */
function takeText(id: string): string {
  const element = document.getElementById(id);
  const text = element?.textContent?.trim() ?? "";
  element?.remove();
  return text;
}

let compiled: Promise<WebAssembly.Module> | null = null;

export function compiledModule(): Promise<WebAssembly.Module> {
  compiled ??= gunzip(base64ToBytes(takeText("module"))).then((bytes) => WebAssembly.compile(bytes));
  return compiled;
}

/* A worker without the module, which the page that the program serves has. */
export function startWorker(): Worker {
  workerUrl ??= URL.createObjectURL(new Blob([JSON.parse(takeText("worker"))], { type: "text/javascript" }));
  return new Worker((policy ? policy.createScriptURL(workerUrl) : workerUrl) as string, { name: "mingle" });
}

/* A worker as a lane sees it: messages wait until the module is there. */
export function makeWorker(): Worker {
  const worker = startWorker();
  const post = worker.postMessage.bind(worker);
  const ready = compiledModule().then((module) => post({ module }));
  worker.postMessage = (message: Request) => {
    ready.then(() => post(message), (error) => worker.dispatchEvent(new ErrorEvent("error", { message: String(error) })));
  };
  return worker;
}
