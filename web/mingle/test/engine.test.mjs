// Engines: the protocol, errors, progress, cancelling, what the module lacks.
import assert from "node:assert";
import test from "node:test";
import { embedded, failure, job, mingle, patients, wasm } from "./support.mjs";

const { createEngine, createWorkerEngine } = mingle;

test("an engine is made of bytes, of a module, or of the file beside it", async () => {
    const engines = [
        await embedded.createEngine({ wasm }),
        await embedded.createEngine({ wasm: await WebAssembly.compile(wasm) }),
        await createEngine(),
    ];
    for (const engine of engines) {
        const can = await engine.capabilities();
        assert.strictEqual(can.engine, "wasm");
        assert.ok(can.formats.includes("csv") && can.formats.includes("xlsx"));
        assert.ok(!can.formats.includes("parquet") && !can.databases);
        assert.strictEqual(can.threads, 1);
    }
});

test("the catalogue is that of the library", async () => {
    const engine = await createEngine();
    const { methods } = await engine.catalogue("methods");
    assert.ok("mingen" in methods && "cell" in methods);
    assert.strictEqual((await failure(engine.catalogue("nothing"))).status, 2);
});

test("a job is read, changed and written", async () => {
    const engine = await createEngine();
    const forms = await engine.job("qi: [a, b]\nk: 3\n", { k: "5", "attributes.b.role": "sensitive" });
    assert.strictEqual(forms.job.attributes.b.role, "sensitive");
    assert.match(forms.yaml, /k-anonymity: 5/);
    assert.match(forms.command, /^mingle anonymize .*-k 5/);
    assert.strictEqual((await engine.job(forms.yaml)).yaml, forms.yaml);
    const error = await failure(engine.job("qi: [a\n"));
    assert.strictEqual(error.code, "job-file");
    assert.ok(error.line >= 1);
});

test("what cannot hold is refused, with the document of what was refused", async () => {
    const engine = await createEngine();
    const session = await engine.open("patients.csv", patients, {});
    const error = await failure(session.run("anonymize", { ...job, k: 100000, output: "memory:r.csv" }));
    assert.strictEqual(error.status, 1);
    assert.strictEqual(error.key, "privacy.k-anonymity");
    assert.ok(error.refusal.nearest !== undefined);
    assert.deepStrictEqual(structuredClone(error.fields()).code, error.code);
    // The session goes on.
    assert.ok((await session.run("anonymize", { ...job, output: "memory:r.csv" })).files["r.csv"].length > 0);
    await session.close();
    assert.strictEqual((await failure(session.run("check", job))).code, "usage");
});

test("what is no part of the module says so", async () => {
    const engine = await createEngine();
    const session = await engine.open("patients.csv", patients, {});
    for (const output of ["sqlite:x.db?table=t", "/r.parquet", "postgresql://h/d?table=t"]) {
        const error = await failure(session.run("anonymize", { ...job, output }));
        assert.ok(["unsupported", "library"].includes(error.code), `${output}: ${error.code} ${error.message}`);
    }
    const sign = await failure(session.run("anonymize", { ...job, output: "memory:r.csv",
        result: "memory:r.json", sign: "memory:key.pem" }, { files: { "key.pem": new Uint8Array(8) } }));
    assert.strictEqual(sign.code, "unsupported");
});

test("a release may have the name of its table", async () => {
    const engine = await createEngine();
    const session = await engine.open("same.csv", patients, {});
    const other = await engine.open("other.csv", patients, {});
    const run = (of) => of.run("anonymize", { ...job, output: "memory:same.csv" });
    const first = await run(session);
    assert.deepStrictEqual((await run(session)).files, first.files);
    assert.deepStrictEqual((await run(other)).files, first.files);
    assert.strictEqual(first.result.output, "memory:same.csv");
    engine.close();
});

test("a large table is refused before it is read", async () => {
    const engine = await createEngine();
    class Large extends Blob {
        get size() { return 2 ** 32; }
        arrayBuffer() { throw new Error("it was read"); }
    }
    const error = await failure(engine.open("large.csv", new Large(), {}));
    assert.strictEqual(error.code, "limit");
    assert.match(error.message, /mingle anonymize large.csv/);
});

test("progress is told, and a listener can cancel", async () => {
    const engine = await createEngine();
    const session = await engine.open("patients.csv", patients, {});
    const heard = [];
    await session.run("anonymize", { ...job, output: "memory:r.csv" }, { onProgress: (p) => heard.push(p) });
    const stages = new Set(heard.map((p) => p.stage)), total = heard[0].total;
    for (const stage of ["search", "write", "verify", "guard"]) assert.ok(stages.has(stage), stage);
    assert.ok(total > 0 && heard.every((p) => p.total === total));
    assert.ok(heard.every((p, i) => i === 0 || p.done >= heard[i - 1].done));
    assert.strictEqual(heard.at(-1).done, total);
    const control = new AbortController();
    const error = await failure(session.run("anonymize", { ...job, output: "memory:r.csv" },
        { signal: control.signal, onProgress: () => control.abort() }));
    assert.strictEqual(error.code, "cancelled");
    assert.strictEqual(error.status, 5);
});

test("an engine in a worker answers, one question after the other, and cancels", async () => {
    const engine = await createWorkerEngine();
    const session = await engine.open("patients.csv", patients, {});
    const [a, b] = await Promise.all([3, 4].map((k) =>
        session.run("anonymize", { ...job, k, output: "memory:r.csv" })));
    assert.ok(a.result.classes.min >= 3 && b.result.classes.min >= 4);
    const control = new AbortController();
    const long = session.run("anonymize", { ...job, output: "memory:r.csv" },
        { signal: control.signal, onProgress: () => control.abort() });
    const error = await failure(long.then(() => Promise.reject({ code: "cancelled" }))); // it may be done before
    assert.strictEqual(error.code, "cancelled");
    assert.ok((await session.run("check", { qi: job.qi, rest: "insensitive" })).result.k >= 1);
    await session.close();
    engine.close();
});
