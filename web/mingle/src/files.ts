// Files of a job: those that the library keeps in memory itself, and those of formats that need a
// file of their own (workbooks), which are put into the module's file system and given another name
// for the library alone.

import type { Module } from "./module.js";
import type { Files, Job } from "./types.js";

export const MEMORY = "memory:";
export const FOLDER = "/memory/";

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

    /** The job as the library gets it. */
    told(job: unknown): unknown {
        if (typeof job === "string") return this.rename(job);
        if (Array.isArray(job)) return job.map((item) => this.told(item));
        if (job === null || typeof job !== "object") return job;
        const entries = Object.entries(job as Job).map(([key, value]) => [key, this.told(value)]);
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
                files[name] = this.module.FS.readFile(FOLDER + name);
                this.module.FS.unlink(FOLDER + name);
            }
        return files;
    }

    /** Forgets given files that a session does not need. */
    drop(given: Files): void {
        for (const name of Object.keys(given))
            if (this.needsFile(name)) this.module.FS.unlink(FOLDER + name);
    }

    /** A text of the library with the names that the caller knows. */
    static named(text: string): string {
        return text.split(FOLDER).join(MEMORY);
    }

    static prepare(module: Module): void {
        module.FS.mkdir(FOLDER.slice(0, -1));
    }
}
