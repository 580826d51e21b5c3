// What a closed table leaves in the memory of the module: nothing.
import assert from "node:assert";
import test from "node:test";
import { failure, job, mingle, patients } from "./support.mjs";

const { createEngine, createWorkerEngine } = mingle;

/** A table of a megabyte: the rows again and again. */
function large() {
    const text = new TextDecoder().decode(patients);
    const rows = text.slice(text.indexOf("\n") + 1);
    return new TextEncoder().encode(text + rows.repeat(Math.ceil(2 ** 20 / rows.length)));
}

async function use(engine, table) {
    const session = await engine.open("large.csv", table, {});
    await session.run("anonymize", { ...job, output: "memory:r.csv" });
    await session.run("check", { qi: job.qi, rest: "insensitive" });
    await failure(session.run("anonymize", { ...job, k: 10 ** 9, output: "memory:r.csv" }));
    const { used } = await engine.memory();
    await session.close();
    return used;
}

for (const [name, create] of [["this thread", createEngine], ["a worker", createWorkerEngine]])
    test(`a table that is closed leaves no byte behind, in an engine in ${name}`, async () => {
        const engine = await create();
        const table = large();
        await use(engine, table); // what is made once stays
        const before = await engine.memory();
        const during = await use(engine, table);
        const after = await engine.memory();
        assert.ok(during - before.used > table.length, `${during} bytes are in use for a table of ${table.length}`);
        assert.strictEqual(after.used, before.used);
        for (let i = 0; i < 3; i++) await use(engine, table);
        const { used, held } = await engine.memory();
        assert.strictEqual(used, before.used);
        assert.ok(held <= 2 * after.held, `${after.held} bytes are held, and ${held} later on`);
        engine.close();
    });
