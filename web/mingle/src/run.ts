// One run of the library: a job with its files and listeners, a command, an answer. The engine and its
// sessions call it.

import { MingleError, refuse } from "./errors.js";
import { JobFiles } from "./files.js";
import { Heap, withHeap } from "./heap.js";
import type { Module, Pointer } from "./module.js";
import type { TableBytes } from "./table_bytes.js";
import type { Files, Job, Options, TextAnswer } from "./types.js";

/** Tells the listeners of one run what the library tells, and takes them away afterwards. */
function listening<T>(module: Module, options: Options, work: () => T): T {
    let refusal: string | undefined;
    module.onProgress = (stage, done, total) => {
        options.onProgress?.({ stage, done, total });
        return options.signal?.aborted ?? false;
    };
    module.onRefusal = (json) => {
        refusal = json;
    };
    try {
        return work();
    } catch (error) {
        throw named(error, refusal);
    } finally {
        module.onProgress = module.onRefusal = undefined;
    }
}

const MEMORY_ENDS = "WebAssembly has 4 GB at most; install the program, which has no such limit: mingle anonymize";

/** What a run threw, with the caller's names and what was refused. */
function named(error: unknown, refusal: string | undefined): unknown {
    if (error instanceof RangeError) // an array that there is no room for
        return refuse(4, "memory", `memory is out; ${MEMORY_ENDS}`);
    if (!(error instanceof MingleError))
        return refuse(4, "internal",
            `the module has stopped: ${(error as Error)?.message ?? error}; open the table in a new engine`);
    const fields = error.fields();
    fields.message = JobFiles.named(fields.message);
    if (fields.code === "memory") fields.message += `; ${MEMORY_ENDS}`;
    if (fields.file !== undefined) fields.file = JobFiles.named(fields.file);
    if (refusal !== undefined) fields.refusal = JSON.parse(JobFiles.named(refusal));
    return new MingleError(fields);
}

function makeJob(heap: Heap, text: string): Pointer {
    const { module } = heap;
    const size = module.lengthBytesUTF8(text);
    heap.check(module._engine_job(heap.text(text), size, heap.error, heap.out));
    return heap.pointer();
}

/** A job of the library for the length of some work. */
export function withJob<T>(module: Module, text: string, work: (heap: Heap, job: Pointer) => T): T {
    return withHeap(module, (heap) => {
        const job = makeJob(heap, text);
        try {
            return work(heap, job);
        } finally {
            module._mgl_job_free(job);
        }
    });
}

function writtenTo(heap: Heap, result: Pointer, name: string): Uint8Array | null {
    const { module } = heap, size = heap.out + 4;
    if (module._mgl_result_bytes(result, heap.text(name), heap.error, heap.out, size) !== 0) return null;
    return heap.bytes(heap.pointer(), heap.pointer(size));
}

export interface Work {
    module: Module;
    /** Endings of formats that need a file of their own. */
    endings: readonly string[];
    /** 0: none. */
    session: Pointer;
    command: string;
}

export function run(work: Work, job: Job, options: Options = {}): TextAnswer {
    const { module, session, command } = work;
    const given = options.files ?? {};
    const files = new JobFiles(module, work.endings);
    return listening(module, options, () =>
        withJob(module, JSON.stringify(files.told(job)), (heap, pointer) => {
            files.put(given, (name, bytes) => giveBytes(heap, pointer, name, bytes));
            try {
                const name = heap.text(command);
                heap.check(session === 0
                    ? module._mgl_job_run(pointer, name, heap.error, heap.out)
                    : module._mgl_session_run(session, name, pointer, heap.error, heap.out));
                return answer(heap, heap.pointer(), files, given);
            } finally {
                files.drop(given);
            }
        }));
}

function answer(heap: Heap, result: Pointer, files: JobFiles, given: Files): TextAnswer {
    const { module } = heap;
    try {
        heap.check(module._mgl_result_json(result, heap.error, heap.out));
        const text = JobFiles.named(heap.made());
        return { text, files: files.take(given, (name) => writtenTo(heap, result, name)) };
    } finally {
        module._mgl_result_free(result);
    }
}

function giveBytes(heap: Heap, job: Pointer, name: string, bytes: Uint8Array): void {
    const { module } = heap;
    heap.check(module._engine_give(job, heap.text(name), heap.give(bytes), bytes.length, heap.error));
}

/** Opens a table; other files that the job names stay until the session is closed. */
export function openSession(module: Module, endings: readonly string[], table: TableBytes, job: Job, options: Options): Pointer {
    const files = new JobFiles(module, endings);
    return listening(module, options, () =>
        withJob(module, JSON.stringify(files.told({ ...job, data: table.place })), (heap, pointer) => {
            table.give(heap, pointer);
            files.put(options.files ?? {}, (name, bytes) => giveBytes(heap, pointer, name, bytes));
            heap.check(module._mgl_session_open(pointer, 0, heap.error, heap.out));
            return heap.pointer();
        }));
}
