// Files of a job: those that the library keeps in memory itself, and those that are put into the
// module's file system and given another name for the library alone: of formats that need a file of
// their own (workbooks), and the release, which is as large as the table and needs no room of the
// module's memory so.

import type { Module } from "./module.js";
import type { Files, Job } from "./types.js";

export const MEMORY = "memory:";
export const FOLDER = "/memory/";
/** Of tables that are open: the release may have the name of one. */
export const TABLES = "/memory-tables/";

/** Names of files that the library takes for nothing else. */
export function isPlain(name: string): boolean {
    return !/[*?[\]{}#,;|\\/\0]/.test(name);
}

/** endings: of formats that need a file, ".xlsx". */
export function needsFile(name: string, endings: readonly string[]): boolean {
    const file = name.split("#", 1)[0]!.toLowerCase();
    return endings.some((ending) => file.endsWith(ending));
}

export class JobFiles {
    /** Names, without "memory:", that the job has anywhere. */
    readonly names = new Set<string>();
    private onDisk = new Set<string>();

    constructor(private module: Module, private endings: readonly string[]) {}

    private needsFile(name: string): boolean {
        return needsFile(name, this.endings);
    }

    private rename(text: string): string {
        if (!text.startsWith(MEMORY)) return text;
        const name = text.slice(MEMORY.length);
        if (!this.needsFile(name)) {
            this.names.add(name);
            return text;
        }
        this.onDisk.add(name.split("#", 1)[0]!);
        return FOLDER + name;
    }

    /** The job as the library gets it. Where threads write, files of the file system are slow. */
    told(job: Job): unknown {
        const { output } = job;
        const file = typeof output === "string" && output.startsWith(MEMORY) ? output.slice(MEMORY.length) : "";
        if (file === "" || !isPlain(file) || this.module.PThread !== undefined) return this.renamed(job);
        const rest = this.renamed({ ...job, output: null }) as Job;
        if (this.names.has(file)) return { ...rest, output }; // the library says what is wrong with that
        this.onDisk.add(file);
        return { ...rest, output: FOLDER + file };
    }

    private renamed(job: unknown): unknown {
        if (typeof job === "string") return this.rename(job);
        if (Array.isArray(job)) return job.map((item) => this.renamed(item));
        if (job === null || typeof job !== "object") return job;
        const entries = Object.entries(job as Job).map(([key, value]) => [key, this.renamed(value)]);
        return Object.fromEntries(entries);
    }

    /** Puts what was given where the library looks for it; the rest goes to `give`. */
    put(files: Files, give: (name: string, bytes: Uint8Array) => void): void {
        for (const [name, bytes] of Object.entries(files))
            if (this.needsFile(name)) this.module.FS.writeFile(FOLDER + name, bytes);
            else give(name, bytes);
    }

    /** What a run wrote to names of the job, but for what was given. */
    take(given: Files, get: (name: string) => Uint8Array | null): Files {
        const files: Files = {};
        for (const name of this.names) {
            const bytes = name in given ? null : get(name);
            if (bytes !== null) files[name] = bytes;
        }
        const there = this.module.FS.readdir(FOLDER);
        for (const name of this.onDisk)
            if (!(name in given) && there.includes(name)) {
                files[name] = this.taken(FOLDER + name);
            }
        return files;
    }

    /** The bytes of a file, which goes; not copied where that can be. */
    private taken(path: string): Uint8Array {
        const { FS } = this.module;
        const { contents, usedBytes } = FS.lookupPath(path).node;
        const bytes = contents instanceof Uint8Array ? contents.subarray(0, usedBytes) : FS.readFile(path);
        FS.unlink(path);
        return bytes;
    }

    /** Forgets given files that a session does not need. */
    drop(given: Files): void {
        for (const name of Object.keys(given))
            if (this.needsFile(name)) this.module.FS.unlink(FOLDER + name);
    }

    /** A text of the library with the names that the caller knows. */
    static named(text: string): string {
        return text.split(TABLES).join(MEMORY).split(FOLDER).join(MEMORY);
    }

    static prepare(module: Module): void {
        for (const folder of [FOLDER, TABLES]) module.FS.mkdir(folder.slice(0, -1));
    }
}
