#!/usr/bin/env node
// The program: reads and writes the files of the machine, and ends with the program's exit code.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { webcrypto } from "node:crypto";
import { isatty } from "node:tty";

const wasmBinary = readFileSync(new URL("../dist/program.wasm", import.meta.url));
const start = createRequire(import.meta.url)("../dist/program.cjs");

// Windows takes both slashes, the program this one.
const spelt = (argument) =>
    process.platform === "win32" && /^([A-Za-z]:|\.{1,2})\\/.test(argument) ? argument.replace(/\\/g, "/") : argument;

try {
    await start({
        wasmBinary,
        crypto: webcrypto,
        thisProgram: "mingle",
        // It would take all three for terminals.
        preRun: (module) => [0, 1, 2].forEach((fd) => (module.FS.streams[fd].tty = isatty(fd))),
        arguments: process.argv.slice(2).map(spelt),
        quit: (status, unwind) => {
            process.exitCode = status;
            throw unwind;
        },
    });
} catch (error) {
    process.stderr.write(`mingle: ${error?.message ?? error}\n`);
    process.exitCode = 4;
}
