// Tables for programs: open one, ask for releases, read them as streams.

import { createEngine } from "./embedded.js";
import { loadModule } from "./load.js";
import type { CheckResult, ReleaseResult } from "./results.js";
import { named } from "./table.js";
import type { Table } from "./table.js";
import type { Answer, Engine, Files, Job, Options, Session } from "./types.js";

export interface OpenOptions extends Options {
    /** What the table is called; its ending says the format. */
    name?: string;
    /** How the table is read: delimiter, encoding, missing, ... */
    job?: Job;
    /** Else one of its own, in this thread. */
    engine?: Engine;
}

/** A release with its result; the bytes also as a stream. */
export class Release {
    constructor(readonly result: ReleaseResult, readonly bytes: Uint8Array, readonly files: Files) {}

    text(): string {
        return new TextDecoder().decode(this.bytes);
    }

    /** In pieces, for responses, files and pipes. */
    stream(pieceSize = 65536): ReadableStream<Uint8Array> {
        const { bytes } = this;
        let at = 0;
        return new ReadableStream<Uint8Array>({
            pull(controller) {
                if (at >= bytes.length) return controller.close();
                controller.enqueue(bytes.subarray(at, at + pieceSize));
                at += pieceSize;
            },
        });
    }
}

/** A table that was opened once and is asked many questions. */
export class OpenTable {
    constructor(readonly session: Session, private readonly ended: () => void) {}

    /** Any command of the program, with the keys of a job file. */
    run<Result = any>(command: string, job: Job, options?: Options): Promise<Answer<Result>> {
        return this.session.run<Result>(command, job, options);
    }

    /** A release as CSV, or as the ending of `as` says: "release.xlsx", "release.csv.gz". */
    async anonymize(job: Job, options: Options & { as?: string } = {}): Promise<Release> {
        const name = options.as ?? "release.csv";
        const { result, files } =
            await this.run<ReleaseResult>("anonymize", { ...job, output: `memory:${name}` }, options);
        const { [name]: bytes, ...others } = files;
        return new Release(result, bytes!, others);
    }

    async check(job: Job, options?: Options): Promise<CheckResult> {
        return (await this.run<CheckResult>("check", job, options)).result;
    }

    async close(): Promise<void> {
        await this.session.close();
        this.ended();
    }
}

/** Opens a table: CSV or another format as text, bytes, Blob or File; Arrow as the bytes of its IPC. */
export async function open(table: Table, options: OpenOptions = {}): Promise<OpenTable> {
    const { name, table: bytes } = await named(table, options.name);
    const engine = options.engine ?? (await createEngine(await loadModule()));
    const ended = options.engine === undefined ? () => engine.close() : () => undefined;
    try {
        return new OpenTable(await engine.open(name, bytes, options.job ?? {}, options), ended);
    } catch (error) {
        ended();
        throw error;
    }
}
