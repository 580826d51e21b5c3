// Tables for programs: what can be opened, releases, streams.
import assert from "node:assert";
import test from "node:test";
import { failure, job, mingle, patients } from "./support.mjs";

const { MingleError, createEngine, open } = mingle;
const engine = await createEngine();

test("text, bytes, buffers and blobs give the same release", async () => {
    const buffer = patients.slice().buffer;
    const texts = [];
    for (const table of [new TextDecoder().decode(patients), patients, buffer, new Blob([patients])]) {
        const opened = await open(table, { engine });
        const release = await opened.anonymize(job);
        assert.ok(release.result.models.every((model) => model.holds));
        texts.push(release.text());
        await opened.close();
    }
    assert.strictEqual(new Set(texts).size, 1);
    assert.match(texts[0], /^birth,sex|^sex|^[a-z]+,/);
});

test("a release comes as a stream of the same bytes", async () => {
    const opened = await open(patients, { engine });
    const release = await opened.anonymize(job);
    const pieces = [];
    for await (const piece of release.stream(1000)) pieces.push(piece);
    assert.ok(pieces.length > 1);
    assert.deepStrictEqual(Buffer.concat(pieces), Buffer.from(release.bytes));
    await opened.close();
});

const { formats } = await engine.capabilities();
const written = ["xlsx", "arrow", "arrows", "csv.gz", "csv.zst", "jsonl", "sav", "zsav", "dta", "xpt"];
const told = ["jsonl", "sav", "zsav", "dta", "xpt"]; // of others the first bytes say what they are

for (const name of written.filter((ending) => formats.includes(ending)).map((ending) => `release.${ending}`))
    test(`${name} is written and read again`, async () => {
        const opened = await open(patients, { engine });
        const release = await opened.anonymize(job, { as: name });
        await opened.close();
        const named = told.some((ending) => name === `release.${ending}`);
        const again = await open(release.bytes, named ? { engine, name } : { engine });
        const { result } = await again.run("check", { qi: job.qi, rest: "insensitive" });
        assert.ok(result.k >= 3, `k is ${result.k}`);
        await again.close();
    });

test("files are given and written by name", async () => {
    const hierarchy = "F,person\nM,person\n";
    const opened = await open(patients, { engine });
    const { files } = await opened.run("anonymize", {
        ...job, hierarchy: { sex: "memory:sex.csv" }, output: "memory:r.csv", result: "memory:r.json",
        report: "memory:r.html",
    }, { files: { "sex.csv": new TextEncoder().encode(hierarchy) } });
    assert.deepStrictEqual(Object.keys(files).sort(), ["r.csv", "r.html", "r.json"]);
    assert.match(new TextDecoder().decode(files["r.html"]), /<html/);
    await opened.close();
});

test("what is no table is an error with the fields of the library", async () => {
    const error = await failure(open("", { engine }));
    assert.ok(error instanceof MingleError && error instanceof Error);
    assert.strictEqual(error.status, 3);
    assert.strictEqual(error.code, "empty-table");
    const other = await failure(open(17, { engine }));
    assert.strictEqual(other.code, "usage");
});
