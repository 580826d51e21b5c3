// The engine in the thread of its caller: everything a page or a program asks is one call of the
// module. In a page it belongs into a worker.

import { refuse } from "./errors.js";
import { JobFiles } from "./files.js";
import { withHeap } from "./heap.js";
import { memoryOf } from "./module.js";
import type { MakeWorker, Module, ModuleFactory, Pointer, Start } from "./module.js";
import { openSession, run, withJob } from "./run.js";
import { takeTable } from "./table_bytes.js";
import type { TableBytes } from "./table_bytes.js";
import type {
    Answer, Capabilities, Engine, Job, JobForms, Memory, Options, Session, TextAnswer,
} from "./types.js";

/** Memory ends at 4 GB, and no table was met that needs less than this share of its bytes. */
export const LARGEST_TABLE = 3 * 2 ** 30;

interface Format {
    endings: string[];
    built: boolean;
    read: boolean;
    memory: boolean;
    scheme: string | null;
}

export interface Given {
    /** What emscripten made of web/engine. */
    factory: ModuleFactory;
    /** The bytes of the module, or the module compiled already: one for several engines. */
    wasm: Uint8Array | ArrayBuffer | WebAssembly.Module;
    crypto?: { getRandomValues(bytes: Uint8Array): unknown };
    /** Of a module with threads. */
    threads?: { count: number; Worker: MakeWorker };
}

/** Starts a module; the engine belongs to the thread that called. */
export async function createEngineOf(given: Given): Promise<Engine> {
    const silent = () => undefined;
    const start: Start = { print: silent, printErr: silent };
    const { wasm } = given;
    if (wasm instanceof WebAssembly.Module)
        start.instantiateWasm = (imports, done) => {
            WebAssembly.instantiate(wasm, imports).then((instance) => done(instance, wasm));
            return {};
        };
    else start.wasmBinary = wasm;
    if (given.crypto !== undefined) start.crypto = given.crypto;
    if (given.threads !== undefined)
        Object.assign(start, { threads: given.threads.count, Worker: given.threads.Worker });
    const module = await given.factory(start);
    JobFiles.prepare(module);
    return new ModuleEngine(module, given.threads?.count ?? 1);
}

function parsed<Result>(answer: TextAnswer): Answer<Result> {
    return { result: JSON.parse(answer.text), files: answer.files };
}

class ModuleEngine implements Engine {
    private readonly formats: Format[];
    private readonly needFiles: string[];

    constructor(private readonly module: Module, private readonly threads: number) {
        const formats = Object.values<Format>(this.askCatalogue("formats").formats);
        this.formats = formats.filter((format) => format.built);
        this.needFiles = this.formats.filter((f) => !f.memory && f.scheme === null).flatMap((f) => f.endings);
    }

    private askCatalogue(what: string | undefined): any {
        return withHeap(this.module, (heap) => {
            const { module } = this;
            const name = what === undefined ? 0 : heap.text(what);
            heap.check(module._mgl_catalogue(name, heap.error, heap.out));
            const result = heap.pointer();
            try {
                heap.check(module._mgl_result_json(result, heap.error, heap.out));
                return JSON.parse(heap.made());
            } finally {
                module._mgl_result_free(result);
            }
        });
    }

    async capabilities(): Promise<Capabilities> {
        const readable = this.formats.filter((f) => f.read && f.scheme === null);
        return {
            engine: "wasm",
            version: this.module.UTF8ToString(this.module._mgl_version()),
            formats: readable.flatMap((f) => f.endings).map((ending) => ending.slice(1)),
            largestTable: LARGEST_TABLE,
            threads: this.threads,
            databases: this.formats.some((f) => f.scheme !== null && f.read && !f.memory),
            folder: false,
        };
    }

    async memory(): Promise<Memory> {
        return { used: this.module._engine_memory_used(), held: memoryOf(this.module).length };
    }

    async catalogue(what?: string): Promise<any> {
        return this.askCatalogue(what);
    }

    async open(name: string, table: Uint8Array | Blob | null, job: Job, options: Options = {}): Promise<Session> {
        if (table === null)
            throw refuse(2, "missing-key", "no table was given; this engine has none of its own");
        const size = table instanceof Uint8Array ? table.length : table.size;
        if (size > LARGEST_TABLE)
            throw refuse(2, "limit", `the table has ${size} bytes, and at most ${LARGEST_TABLE} fit into this ` +
                `engine; install the program and run: mingle anonymize ${name}`);
        const { module, needFiles } = this;
        const given = await takeTable(module, needFiles, name, table, this.threads === 1);
        try {
            return new ModuleSession(module, needFiles, openSession(module, needFiles, given, job, options), given);
        } catch (error) {
            given.drop();
            throw error;
        }
    }

    async runText(command: string, job: Job, options: Options = {}): Promise<TextAnswer> {
        return run({ module: this.module, endings: this.needFiles, session: 0, command }, job, options);
    }

    async run<Result>(command: string, job: Job, options: Options = {}): Promise<Answer<Result>> {
        return parsed(await this.runText(command, job, options));
    }

    async job(text: string, set: { [key: string]: string | null } = {}): Promise<JobForms> {
        const { module } = this;
        return withJob(module, text, (heap, job) => {
            // All are discarded first, so that values that contradict each other are refused.
            for (const key of Object.keys(set)) heap.check(module._mgl_job_unset(job, heap.text(key), heap.error));
            for (const [key, value] of Object.entries(set))
                if (value !== null)
                    heap.check(module._mgl_job_add(job, heap.text(key), heap.text(value), heap.error));
            heap.check(module._mgl_job_json(job, heap.error, heap.out));
            const json = heap.made();
            heap.check(module._mgl_job_yaml(job, heap.error, heap.out));
            const yaml = heap.made();
            heap.check(module._mgl_cli_command_line(job, heap.text("anonymize"), heap.error, heap.out));
            return { job: JSON.parse(json), yaml, command: heap.made() };
        });
    }

    close(): void {
        // The memory goes with the last reference to the module.
        this.module.PThread?.terminateAllThreads();
    }
}

class ModuleSession implements Session {
    constructor(private readonly module: Module, private readonly endings: readonly string[],
        private session: Pointer, private readonly given: TableBytes) {}

    async runText(command: string, job: Job, options: Options = {}): Promise<TextAnswer> {
        const { module, endings, session } = this;
        if (session === 0) throw refuse(2, "usage", "the session is closed");
        return run({ module, endings, session, command }, job, options);
    }

    async run<Result>(command: string, job: Job, options: Options = {}): Promise<Answer<Result>> {
        return parsed(await this.runText(command, job, options));
    }

    async close(): Promise<void> {
        if (this.session === 0) return;
        this.module._mgl_session_close(this.session);
        this.session = 0;
        this.given.drop();
    }
}
