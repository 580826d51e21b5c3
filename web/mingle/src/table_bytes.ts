// Where the library finds the bytes of a table that is opened: in a file that reads a Blob, in a file of
// its own, or in the module's memory. Nowhere else is a copy kept.

import { canReadBlobs, putBlob } from "./blob_file.js";
import { refuse } from "./errors.js";
import { isPlain, MEMORY, needsFile, TABLES } from "./files.js";
import type { Heap } from "./heap.js";
import { memoryOf } from "./module.js";
import type { Module, Pointer } from "./module.js";

/** What is copied at a time. */
const PIECE = 2 ** 24;

export interface TableBytes {
    /** `data` of the job. */
    readonly place: string;
    /** Gives the job what it is to own. */
    give(heap: Heap, job: Pointer): void;
    /** After the session. */
    drop(): void;
}

class FileOfTable implements TableBytes {
    readonly place: string;

    constructor(private readonly module: Module, name: string) {
        this.place = TABLES + name;
    }

    give(): void {}

    drop(): void {
        this.module.FS.unlink(this.place);
    }
}

class MemoryOfTable implements TableBytes {
    readonly place: string;

    constructor(private readonly module: Module, private readonly name: string, private data: Pointer,
        private readonly size: number) {
        this.place = MEMORY + name;
    }

    give(heap: Heap, job: Pointer): void {
        const { data } = this;
        this.data = 0;
        heap.check(this.module._engine_give(job, heap.text(this.name), data, this.size, heap.error));
    }

    drop(): void {
        if (this.data !== 0) this.module._free(this.data);
        this.data = 0;
    }
}

async function copy(module: Module, table: Uint8Array | Blob, size: number): Promise<Pointer> {
    const data = module._malloc(Math.max(size, 1)) >>> 0;
    if (data === 0) throw refuse(4, "memory", "memory is out");
    if (table instanceof Uint8Array) memoryOf(module).set(table, data);
    else
        for (let from = 0; from < size; from += PIECE) {
            const piece = new Uint8Array(await table.slice(from, from + PIECE).arrayBuffer());
            memoryOf(module).set(piece, data + from);
        }
    return data;
}

/** endings: of formats that need a file. */
export async function takeTable(module: Module, endings: readonly string[], name: string,
    table: Uint8Array | Blob, single: boolean): Promise<TableBytes> {
    const file = needsFile(name, endings);
    if (!(table instanceof Uint8Array) && single && canReadBlobs() && (file || isPlain(name)))
        putBlob(module, TABLES + name, table);
    else if (file)
        module.FS.writeFile(TABLES + name, table instanceof Uint8Array ? table : new Uint8Array(await table.arrayBuffer()));
    else {
        const size = table instanceof Uint8Array ? table.length : table.size;
        return new MemoryOfTable(module, name, await copy(module, table, size), size);
    }
    return new FileOfTable(module, name);
}
