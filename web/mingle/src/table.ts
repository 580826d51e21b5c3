// What can be opened as a table, turned into bytes with a name whose ending says the format.

import { refuse } from "./errors.js";

/** A table of a library for Arrow in JavaScript is given as the bytes of its IPC stream or file. */
export type Table = Uint8Array | ArrayBuffer | Blob | string;

export interface Named {
    name: string;
    table: Uint8Array | Blob;
}

const MAGIC: [string, string][] = [
    ["ARROW1", "table.arrow"], // a file of Arrow
    ["\xff\xff\xff\xff", "table.arrows"], // a stream of it
    ["PK\x03\x04", "table.xlsx"],
    ["\x1f\x8b", "table.csv.gz"],
    ["\x28\xb5\x2f\xfd", "table.csv.zst"],
    ["PAR1", "table.parquet"],
];

async function firstBytes(table: Uint8Array | Blob): Promise<string> {
    const bytes = table instanceof Uint8Array
        ? table.subarray(0, 8)
        : new Uint8Array(await table.slice(0, 8).arrayBuffer());
    return String.fromCharCode(...bytes);
}

/** The name is the caller's, the file's, or one for what the bytes begin with. */
export async function named(table: Table, name?: string): Promise<Named> {
    const bytes = typeof table === "string" ? new TextEncoder().encode(table)
        : table instanceof ArrayBuffer ? new Uint8Array(table) : table;
    if (!(bytes instanceof Uint8Array) && !(bytes instanceof Blob))
        throw refuse(2, "usage", "a table is a text, bytes, a Blob or a File");
    const own = (bytes as { name?: unknown }).name;
    if (name !== undefined) return { name, table: bytes };
    if (typeof own === "string" && own !== "") return { name: own, table: bytes };
    const start = await firstBytes(bytes);
    const known = MAGIC.find(([magic]) => start.startsWith(magic));
    return { name: known?.[1] ?? "table.csv", table: bytes };
}
