// An engine in a worker: the thread that asks is never blocked, and a run can be cancelled. Where
// memory can be shared, a flag ends the run and all sessions stay; elsewhere the worker is ended, and
// the next question finds a new one in which open tables are opened again.

import { MingleError, refuse } from "./errors.js";
import { loadModule } from "./load.js";
import type { Ask, Reply } from "./serve.js";
import { usefulThreads } from "./threads.js";
import type {
    Answer, Capabilities, Engine, Files, Job, JobForms, Memory, Options, Session, TextAnswer,
} from "./types.js";

interface Thread {
    post(message: unknown): void;
    /** Nothing is asked: a program may end. */
    rest(): void;
    end(): void;
}

/** Starts a worker and has what it posts told. */
export type StartThread = (told: (reply: Reply) => void) => Promise<Thread>;

/** What is asked at the moment; the next question waits for it. */
interface Running {
    id: number;
    resolve(value: any): void;
    reject(error: unknown): void;
    onProgress: Options["onProgress"] | undefined;
}

interface Opened {
    /** In the worker that there is now; undefined: to be opened again. */
    id: number | undefined;
    values: unknown[];
    files: Files | undefined;
}

const cancelled = () => refuse(5, "cancelled", "the run was cancelled");

export class WorkerEngine implements Engine {
    private thread: Promise<Thread> | undefined;
    private running: Running | undefined;
    private turn: Promise<unknown> = Promise.resolve();
    private readonly opened = new Set<Opened>();
    private last = 0;
    private readonly flag =
        typeof SharedArrayBuffer === "undefined" ? undefined : new Int32Array(new SharedArrayBuffer(4));

    constructor(private readonly startThread: StartThread, private readonly wasm: unknown,
        private readonly threads: number) {}

    private async begin(): Promise<Thread> {
        const thread = await this.startThread((reply) => this.told(reply));
        thread.post({ wasm: this.wasm, threads: this.threads, flag: this.flag?.buffer });
        return thread;
    }

    private told(reply: Reply): void {
        const { running } = this;
        if (running === undefined || (reply.id !== running.id && reply.id !== 0)) return;
        if (reply.progress !== undefined) running.onProgress?.(reply.progress);
        else if (reply.error !== undefined) running.reject(new MingleError(reply.error));
        else running.resolve(reply.value);
    }

    private cancel(): void {
        if (this.flag !== undefined) Atomics.store(this.flag, 0, 1);
        else this.stop();
    }

    private stop(): void {
        this.thread?.then((thread) => thread.end());
        this.thread = undefined;
        for (const opened of this.opened) opened.id = undefined;
        this.running?.reject(cancelled());
    }

    /** In its turn: one question after the other. */
    ask(ask: Omit<Ask, "id">, options: Options = {}): Promise<any> {
        const answer = this.turn.then(() => this.askNow(ask, options));
        this.turn = answer.catch(() => undefined);
        return answer;
    }

    private async askNow(ask: Omit<Ask, "id">, options: Options): Promise<any> {
        const { signal } = options;
        if (signal?.aborted) throw cancelled();
        const thread = await (this.thread ??= this.begin());
        const id = ++this.last;
        const stop = () => this.cancel();
        if (this.flag !== undefined) Atomics.store(this.flag, 0, 0);
        signal?.addEventListener("abort", stop);
        try {
            return await new Promise((resolve, reject) => {
                this.running = { id, resolve, reject, onProgress: options.onProgress };
                thread.post({ ...ask, id });
            });
        } finally {
            signal?.removeEventListener("abort", stop);
            this.running = undefined;
            thread.rest();
        }
    }

    capabilities(): Promise<Capabilities> {
        return this.ask({ method: "capabilities", values: [] });
    }

    memory(): Promise<Memory> {
        return this.ask({ method: "memory", values: [] });
    }

    catalogue(what?: string): Promise<any> {
        return this.ask({ method: "catalogue", values: [what] });
    }

    job(text: string, set?: { [key: string]: string | null }): Promise<JobForms> {
        return this.ask({ method: "job", values: [text, set] });
    }

    async runText(command: string, job: Job, options: Options = {}): Promise<TextAnswer> {
        return this.ask({ method: "runText", values: [command, job], ...filesOf(options) }, options);
    }

    async run<Result>(command: string, job: Job, options?: Options): Promise<Answer<Result>> {
        return parsed(await this.runText(command, job, options));
    }

    async open(name: string, table: Uint8Array | Blob | null, job: Job, options: Options = {}): Promise<Session> {
        const opened: Opened = { id: undefined, values: [name, table, job], files: options.files };
        await this.reopen(opened, options);
        this.opened.add(opened);
        return new WorkerSession(this, opened);
    }

    /** The session in the worker that there is now. */
    async sessionOf(opened: Opened, options: Options): Promise<number> {
        if (!this.opened.has(opened)) throw refuse(2, "usage", "the session is closed");
        if (opened.id === undefined) await this.reopen(opened, options);
        return opened.id!;
    }

    private async reopen(opened: Opened, options: Options): Promise<void> {
        opened.id = await this.ask({ method: "open", values: opened.values, ...filesOf(opened) }, options);
    }

    async closeSession(opened: Opened): Promise<void> {
        if (this.opened.delete(opened) && opened.id !== undefined)
            await this.ask({ method: "close", session: opened.id, values: [] });
    }

    close(): void {
        this.stop();
        this.opened.clear();
    }
}

class WorkerSession implements Session {
    constructor(private readonly engine: WorkerEngine, private readonly opened: Opened) {}

    async runText(command: string, job: Job, options: Options = {}): Promise<TextAnswer> {
        const session = await this.engine.sessionOf(this.opened, options);
        return this.engine.ask({ method: "runText", session, values: [command, job], ...filesOf(options) }, options);
    }

    async run<Result>(command: string, job: Job, options?: Options): Promise<Answer<Result>> {
        return parsed(await this.runText(command, job, options));
    }

    close(): Promise<void> {
        return this.engine.closeSession(this.opened);
    }
}

const filesOf = (from: { files?: Files | undefined }) => (from.files === undefined ? {} : { files: from.files });

function parsed<Result>(answer: TextAnswer): Answer<Result> {
    return { result: JSON.parse(answer.text), files: answer.files };
}

const inBrowser: StartThread = async (told) => {
    const worker = new Worker(new URL("./browser_worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => told(data);
    worker.onerror = ({ message }) => told({ id: 0, error: { status: 4, code: "internal", message } });
    return {
        post: (message) => worker.postMessage(message),
        rest: () => undefined,
        end: () => worker.terminate(),
    };
};

const inNode: StartThread = async (told) => {
    const name = "node:worker_threads"; // no module of a browser
    const { Worker } = await import(/* @vite-ignore */ /* webpackIgnore: true */ name);
    const worker = new Worker(new URL("./node_worker.js", import.meta.url));
    worker.on("message", told);
    worker.on("error", (error: Error) =>
        told({ id: 0, error: { status: 4, code: "internal", message: error.message } }));
    return {
        post: (message) => {
            worker.ref();
            worker.postMessage(message);
        },
        rest: () => worker.unref(),
        end: () => worker.terminate(),
    };
};

/** An engine in a worker of its own, in browsers and in Node; with as many threads as are useful where
 * memory can be shared. */
export async function createWorkerEngine({ threads }: { threads?: number } = {}): Promise<Engine> {
    const count = Math.min(threads ?? Infinity, await usefulThreads());
    const { wasm } = await loadModule(count > 1);
    return new WorkerEngine(typeof Worker === "undefined" ? inNode : inBrowser, wasm, count);
}
