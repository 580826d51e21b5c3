// The package that make wasm has made (PACKAGE), and a table (PATIENTS).
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

export const mingle = await import(pathToFileURL(`${process.env.PACKAGE}/dist/index.js`).href);
export const embedded = await import(pathToFileURL(`${process.env.PACKAGE}/dist/embedded.js`).href);
export const wasm = readFileSync(`${process.env.PACKAGE}/dist/mingle.wasm`);
export const patients = new Uint8Array(readFileSync(process.env.PATIENTS));

/** A job that holds on the table. */
export const job = {
    qi: ["sex", "race", "zip"],
    identifier: ["name", "ssn"],
    rest: "insensitive",
    k: 3,
    suppress: "20%",
    method: "mingen",
    "allow-leaks": true,
    seed: 1,
};

/** The error that a promise is rejected with. */
export async function failure(promise) {
    try {
        await promise;
    } catch (error) {
        return error;
    }
    throw new Error("it did not fail");
}
