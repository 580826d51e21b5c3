// Errors of the library, as exceptions with its fields.

import { memoryOf } from "./module.js";
import type { Module, Pointer } from "./module.js";
import type { ErrorFields } from "./types.js";

/** What went wrong, where, and what to do. */
export class MingleError extends Error implements ErrorFields {
    readonly status: number;
    readonly code: string;
    readonly key?: string;
    readonly column?: string;
    readonly file?: string;
    readonly line?: number;
    readonly position?: number;
    readonly refusal?: any;

    constructor(fields: ErrorFields) {
        super(fields.message);
        this.name = "MingleError";
        this.status = fields.status;
        this.code = fields.code;
        Object.assign(this, { ...fields, message: undefined }, { message: fields.message });
    }

    /** The fields alone, which can be posted to another thread. */
    fields(): ErrorFields {
        const { status, code, message } = this;
        const fields: ErrorFields = { status, code, message };
        for (const name of ["key", "column", "file", "line", "position", "refusal"] as const)
            if (this[name] !== undefined) fields[name] = this[name];
        return fields;
    }
}

// Where a mgl_error has its fields; web/engine/engine.c checks the places.
export const ERROR_SIZE = 9496;
const CODE = 4, LINE = 8, POSITION = 16, KEY = 24, COLUMN = 152, FILE = 280, MESSAGE = 1304;

export function readError(module: Module, at: Pointer): ErrorFields {
    const view = new DataView(memoryOf(module).buffer, at, ERROR_SIZE);
    const fields: ErrorFields = {
        status: view.getInt32(0, true),
        code: module.UTF8ToString(module._mgl_code_name(view.getInt32(CODE, true))),
        message: module.UTF8ToString(at + MESSAGE),
    };
    for (const [name, place] of [["key", KEY], ["column", COLUMN], ["file", FILE]] as const) {
        const text = module.UTF8ToString(at + place);
        if (text !== "") fields[name] = text;
    }
    for (const [name, place] of [["line", LINE], ["position", POSITION]] as const) {
        const number = Number(view.getBigUint64(place, true));
        if (number !== 0) fields[name] = number;
    }
    return fields;
}

/** The same error a page gets for what never reached the library. */
export function refuse(status: number, code: string, message: string): MingleError {
    return new MingleError({ status, code, message });
}
