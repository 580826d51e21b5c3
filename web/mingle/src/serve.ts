// An engine behind messages: what runs in a worker. It answers one message after the other.

import { MingleError } from "./errors.js";
import type { Engine, ErrorFields, Files, Session } from "./types.js";

/** What is asked: a method of the engine, or of one of its sessions. */
export interface Ask {
    id: number;
    method: "capabilities" | "memory" | "catalogue" | "open" | "runText" | "job" | "close";
    session?: number;
    values: unknown[];
    files?: Files;
}

export interface Reply {
    id: number;
    progress?: { stage: string; done: number; total: number };
    value?: unknown;
    error?: ErrorFields;
}

export function fieldsOf(error: unknown): ErrorFields {
    if (error instanceof MingleError) return error.fields();
    return { status: 4, code: "internal", message: String((error as Error)?.message ?? error) };
}

/** flag: a shared number that is not 0 when what runs is to end. */
export function serve(engine: Engine, post: (reply: Reply) => void, flag?: Int32Array): (ask: Ask) => void {
    const sessions = new Map<number, Session>();
    const signal = { get aborted() { return flag !== undefined && Atomics.load(flag, 0) !== 0; } };

    async function answer(ask: Ask): Promise<unknown> {
        const session = ask.session === undefined ? undefined : sessions.get(ask.session);
        const options = {
            files: ask.files ?? {},
            signal: signal as AbortSignal,
            onProgress: (progress: Reply["progress"]) => post({ id: ask.id, progress: progress! }),
        };
        const [a, b, c] = ask.values as [any, any, any];
        switch (ask.method) {
        case "capabilities": return engine.capabilities();
        case "memory": return engine.memory?.();
        case "catalogue": return engine.catalogue(a);
        case "job": return engine.job(a, b);
        case "open":
            sessions.set(ask.id, await engine.open(a, b, c, options));
            return ask.id;
        case "runText": return (session ?? engine).runText(a, b, options);
        case "close":
            sessions.delete(ask.session!);
            return session?.close();
        }
    }

    let last: Promise<void> = Promise.resolve();
    return (ask) => {
        last = last.then(() => answer(ask)).then(
            (value) => post({ id: ask.id, value }),
            (error) => post({ id: ask.id, error: fieldsOf(error) }));
    };
}
