// Texts, bytes and outs in the memory of the module, for the length of one call of the library.

import { ERROR_SIZE, MingleError, readError, refuse } from "./errors.js";
import { memoryOf } from "./module.js";
import type { Module, Pointer } from "./module.js";

export class Heap {
    private owned: Pointer[] = [];
    /** A mgl_error, and a place for an out. */
    readonly error: Pointer;
    readonly out: Pointer;

    constructor(readonly module: Module) {
        this.error = this.allocate(ERROR_SIZE);
        this.out = this.allocate(8);
    }

    allocate(size: number): Pointer {
        const data = this.module._malloc(size) >>> 0; // above 2 GB it comes as a negative number
        if (data === 0) throw refuse(4, "memory", "memory is out");
        this.owned.push(data);
        return data;
    }

    /** Free as all else here. */
    text(text: string): Pointer {
        const size = this.module.lengthBytesUTF8(text) + 1;
        const data = this.allocate(size);
        this.module.stringToUTF8(text, data, size);
        return data;
    }

    /** A copy that the library frees. */
    give(bytes: Uint8Array): Pointer {
        const data = this.module._malloc(Math.max(bytes.length, 1)) >>> 0;
        if (data === 0) throw refuse(4, "memory", "memory is out");
        memoryOf(this.module).set(bytes, data);
        return data;
    }

    pointer(at: Pointer = this.out): Pointer {
        return new DataView(memoryOf(this.module).buffer).getUint32(at, true);
    }

    bytes(at: Pointer, size: number): Uint8Array {
        return memoryOf(this.module).slice(at, at + size);
    }

    /** Throws what a call left in the error. */
    check(status: number): void {
        if (status !== 0) throw new MingleError(readError(this.module, this.error));
    }

    /** A text that the library made, which is freed. */
    made(): string {
        const text = this.pointer();
        const copy = this.module.UTF8ToString(text);
        this.module._mgl_text_free(text);
        return copy;
    }

    free(): void {
        for (const data of this.owned) this.module._free(data);
        this.owned = [];
    }
}

/** Has all that was put on a heap freed afterwards. */
export function withHeap<T>(module: Module, work: (heap: Heap) => T): T {
    const heap = new Heap(module);
    try {
        return work(heap);
    } finally {
        heap.free();
    }
}
