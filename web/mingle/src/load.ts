// Where the module of the package comes from: a file beside this one, read by Node or fetched.

import type { Given } from "./engine.js";

interface Process {
    versions?: { node?: string };
}

const inNode = () =>
    typeof (globalThis as { process?: Process }).process?.versions?.node === "string";

// A name that bundlers for browsers do not follow.
const ofNode = (name: string): Promise<any> => import(/* @vite-ignore */ /* webpackIgnore: true */ `node:${name}`);

/** A module compiled, for any number of engines, and the crypto that this place has. */
export async function loadModule(withThreads = false): Promise<Omit<Given, "factory">> {
    const place = withThreads
        ? new URL("./threads.wasm", import.meta.url) : new URL("./mingle.wasm", import.meta.url);
    if (!inNode()) return { wasm: await WebAssembly.compileStreaming(fetch(place)) };
    const { readFile } = await ofNode("fs/promises");
    const { webcrypto } = await ofNode("crypto");
    return { wasm: await WebAssembly.compile(await readFile(place)), crypto: webcrypto };
}
