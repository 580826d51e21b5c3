// Every refusal of tests/refusals through the package for npm: in memory, as pages use it. PACKAGE: the
// folder that make wasm has made. Prints TAP lines.
import { pathToFileURL } from "node:url";
import { bytes, documentOf, rowsOf, says } from "../refusals/document.mjs";

const { createEngine } = await import(pathToFileURL(`${process.env.PACKAGE}/dist/index.js`).href);
const engine = await createEngine();
const { keys } = await engine.catalogue("keys");
const rows = rowsOf("npm");
let failed = 0;

/** Files are in memory, what is read and what is written; one that is nowhere stays so. */
function inMemory(value, key) {
    if (typeof value === "string")
        return value in bytes || (keys[key]?.file === "written" && value !== "") ? `memory:${value}` : value;
    if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inMemory(one, name)]));
}

for (const [i, row] of rows.entries()) {
    const job = inMemory(documentOf(row, keys), "");
    let told = "nothing was refused";
    try {
        await engine.run(row.command ?? "anonymize", job, { files: bytes });
    } catch (error) {
        const fine = error.status === row.status && error.code === row.code && says(row, error.message);
        told = fine ? "" : `${error.status} ${error.code} for ${row.status} ${row.code}: ${error.message}`;
    }
    failed += told !== "";
    console.log(`${told === "" ? "ok" : "not ok"} ${i + 1} - ${row.name}`);
    if (told !== "") console.log(`# ${JSON.stringify(job)}\n# ${told}`);
}
console.log(`1..${rows.length}`);
process.exitCode = failed > 0 ? 1 : 0;
