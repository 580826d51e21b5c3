// Engines with threads, in Node: the same releases, cancelled runs, several tables.
import assert from "node:assert";
import { cpus } from "node:os";
import test from "node:test";
import { failure, job, mingle, patients } from "./support.mjs";

const { createWorkerEngine } = mingle;
const several = { skip: cpus().length > 1 ? false : "there is one processor" };

test("threads are those of the machine, or fewer", several, async () => {
    for (const [options, most] of [[{}, cpus().length], [{ threads: 2 }, 2], [{ threads: 1 }, 1]]) {
        const engine = await createWorkerEngine(options);
        const { threads } = await engine.capabilities();
        assert.ok(threads >= Math.min(most, 2) && threads <= most, `${threads} threads`);
        engine.close();
    }
});

test("releases are those of one thread", several, async () => {
    const releases = [];
    for (const threads of [1, 2]) {
        const engine = await createWorkerEngine({ threads });
        const session = await engine.open("patients.csv", patients, {});
        const made = [];
        for (const method of ["mingen", "incognito", "mondrian", "k-member", "cell"]) {
            const { files } = await session.run("anonymize",
                { ...job, method, effort: "fast", output: "memory:r.csv" });
            made.push(Buffer.from(files["r.csv"]).toString());
        }
        releases.push(made);
        await session.close();
        engine.close();
    }
    assert.deepStrictEqual(releases[1], releases[0]);
});

test("tables beside each other have threads of their own, and a run can be cancelled", several, async () => {
    const engine = await createWorkerEngine({ threads: 2 });
    const sessions = [];
    for (const name of ["a.csv", "b.csv", "c.csv"]) sessions.push(await engine.open(name, patients, {}));
    const control = new AbortController();
    const error = await failure(sessions[0].run("anonymize", { ...job, output: "memory:r.csv" },
        { signal: control.signal, onProgress: () => control.abort() })
        .then(() => Promise.reject({ code: "cancelled" }))); // it may be done before
    assert.strictEqual(error.code, "cancelled");
    for (const session of sessions) {
        const { result } = await session.run("anonymize", { ...job, output: "memory:r.csv" });
        assert.ok(result.classes.min >= 3);
        await session.close();
    }
    engine.close();
});
