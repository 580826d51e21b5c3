// The protocol between a page and an engine, be it this package or the program that serves the page:
// jobs are objects with the keys of job files, results the JSON documents of the program, files have
// names.

/** What an engine can do; whoever uses one branches on this alone. */
export interface Capabilities {
    engine: "wasm" | "native";
    version: string;
    /** Endings of tables that can be read: csv, tsv, xlsx, ... */
    formats: string[];
    /** Bytes of the largest table that is taken. */
    largestTable: number;
    threads: number;
    databases: boolean;
    /** Outputs can be written into a folder. */
    folder: boolean;
    /** The table or job that the command line named. */
    given?: string;
}

/** A job: the keys of docs/job.md. */
export type Job = { [key: string]: unknown };

/** Bytes by name; a job calls them memory:NAME. */
export type Files = { [name: string]: Uint8Array };

/** The fields of an error of the library, as they pass between threads and over the wire. */
export interface ErrorFields {
    /** 1: the promise does not hold; 2: usage; 3: data; 4: the system; 5: cancelled. */
    status: number;
    /** A word that stays the same: "unknown-key". */
    code: string;
    message: string;
    key?: string;
    column?: string;
    file?: string;
    line?: number;
    position?: number;
    /** What the release would have been that is refused: a result with "refused" and "nearest". */
    refusal?: any;
}

export interface Progress {
    /** What the call does: "wait", "read", "search", "write", "verify", "guard", "check", "measure",
     * "curve", "compare", "what-if", "attack". */
    stage: string;
    /** Of the whole call; never goes back, and is the total in the end. */
    done: number;
    /** The same all through a call, never 0. */
    total: number;
}

export interface Options {
    /** Ends the run as cancelled. An engine in the same thread asks it between steps of the run. */
    signal?: AbortSignal;
    onProgress?(progress: Progress): void;
    /** What the job names as memory:NAME. */
    files?: Files;
}

/** What a run found, and what it wrote to memory:NAME. */
export interface Answer<Result = any> {
    result: Result;
    files: Files;
}

/** The same with the result as the text that the program prints. */
export interface TextAnswer {
    text: string;
    files: Files;
}

/** A table that was opened once and is asked many questions. */
export interface Session {
    run<Result = any>(command: string, job: Job, options?: Options): Promise<Answer<Result>>;
    runText(command: string, job: Job, options?: Options): Promise<TextAnswer>;
    close(): Promise<void>;
}

/** A job in the forms it can be written in. */
export interface JobForms {
    job: Job;
    yaml: string;
    command: string;
}

/** Bytes of an engine's memory. What is free is kept for the next table. */
export interface Memory {
    used: number;
    held: number;
}

export interface Engine {
    capabilities(): Promise<Capabilities>;
    /** Of an engine in WebAssembly. */
    memory?(): Promise<Memory>;
    /** All that the library offers, or a section of it: "keys", "methods", "keys.suppress". */
    catalogue(what?: string): Promise<any>;
    /** null: the table that the command line named. */
    open(name: string, table: Uint8Array | Blob | null, job: Job, options?: Options): Promise<Session>;
    /** A command without a session: codebook, report, recoding, and all others. */
    run<Result = any>(command: string, job: Job, options?: Options): Promise<Answer<Result>>;
    runText(command: string, job: Job, options?: Options): Promise<TextAnswer>;
    /** Reads a job, YAML or JSON, and sets keys anew; null discards one. What contradicts among them is refused. */
    job(text: string, set?: { [key: string]: string | null }): Promise<JobForms>;
    close(): void;
}
