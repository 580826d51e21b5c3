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

test("memory that ends is told, and the engine goes on", async () => {
    const engine = await createEngine();
    const session = await engine.open("large.csv", new Blob([large()]), {});
    await session.run("look", {});
    const { grow } = WebAssembly.Memory.prototype;
    const ids = Array.from({ length: 600_000 }, (_, i) => `${(i * 7919) % 1e6},${i}`).join("\n");
    WebAssembly.Memory.prototype.grow = () => { throw new RangeError("no more"); };
    try {
        const error = await failure(engine.run("check", { data: "memory:t.csv", qi: ["a", "b"] },
            { files: { "t.csv": new TextEncoder().encode(`a,b\n${ids}\n`) } }));
        assert.strictEqual(error.code, "memory");
        assert.match(error.message, /4 GB.*mingle anonymize/);
    } finally {
        WebAssembly.Memory.prototype.grow = grow;
    }
    const { files } = await session.run("anonymize", { ...job, output: "memory:r.csv" });
    assert.ok(files["r.csv"].length > 0);
    await session.close();
    engine.close();
});

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
