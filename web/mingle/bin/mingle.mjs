#!/usr/bin/env node
// The program: reads and writes the files of the machine, and ends with the program's exit code.

import { webcrypto } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { isatty } from "node:tty";

const run = createRequire(import.meta.url)("../dist/program.cjs");

// Windows takes both slashes, the program this one.
const spelt = (argument) =>
    process.platform === "win32" && /^([A-Za-z]:|\.{1,2})\\/.test(argument) ? argument.replace(/\\/g, "/") : argument;

const program = {
    wasmBinary: readFileSync(new URL("../dist/program.wasm", import.meta.url)),
    crypto: webcrypto,
    thisProgram: "mingle",
    arguments: process.argv.slice(2).map(spelt),
    // Before main: else all three would be taken for terminals, and nothing of the environment be known.
    onRuntimeInitialized: () => {
        [0, 1, 2].forEach((fd) => (program.FS.streams[fd].tty = isatty(fd)));
        Object.assign(program.ENV, process.env);
    },
    quit: (status, unwind) => {
        process.exitCode = status;
        throw unwind;
    },
};

try {
    await run(program);
} catch (error) {
    process.stderr.write(`mingle: ${error?.message ?? error}\n`);
    process.exitCode = 4;
}
