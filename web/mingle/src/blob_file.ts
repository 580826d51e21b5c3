// A Blob as a file of the module's file system, read where the library asks for it, so that the bytes
// of a table are not in memory. Only workers of pages can read so, without waiting for an event.

import type { Module, StreamOperations } from "./module.js";

declare const FileReaderSync: undefined | (new () => { readAsArrayBuffer(blob: Blob): ArrayBuffer });

/** Small reads are answered from the piece that was read last. */
const PIECE = 2 ** 20;
/** EIO of emscripten. */
const CANNOT_READ = 29;

export function canReadBlobs(): boolean {
    return typeof FileReaderSync !== "undefined";
}

class Pieces {
    private readonly reader = new FileReaderSync!();
    private from = 0;
    private piece: Uint8Array = new Uint8Array(0);

    constructor(private readonly blob: Blob) {}

    private get(from: number, size: number): Uint8Array {
        return new Uint8Array(this.reader.readAsArrayBuffer(this.blob.slice(from, from + size)));
    }

    read(from: number, size: number): Uint8Array {
        if (size >= PIECE) return this.get(from, size);
        if (from < this.from || from + size > this.from + this.piece.length) {
            this.piece = this.get(from, PIECE);
            this.from = from;
        }
        return this.piece.subarray(from - this.from, from - this.from + size);
    }
}

/** The file goes with FS.unlink. */
export function putBlob(module: Module, path: string, blob: Blob): void {
    const { FS } = module;
    const pieces = new Pieces(blob);
    FS.writeFile(path, new Uint8Array(0));
    const { node } = FS.lookupPath(path);
    node.usedBytes = blob.size;
    const read: StreamOperations["read"] = (_stream, to, offset, length, position) => {
        const size = Math.max(0, Math.min(length, blob.size - position));
        if (size === 0) return 0;
        try {
            to.set(pieces.read(position, size), offset);
        } catch {
            throw new FS.ErrnoError(CANNOT_READ); // the file has gone or was changed
        }
        return size;
    };
    node.stream_ops = { ...node.stream_ops, read };
}
