// The module that emscripten makes of web/engine, as far as it is used here.

export type Pointer = number;

/** Of a file in the module's file system, as far as it is used here. */
export interface StreamOperations {
    read(stream: unknown, to: Int8Array, offset: number, length: number, position: number): number;
}

export interface Module {
    HEAPU8: Uint8Array;
    /** Of a module with threads only. */
    wasmMemory?: WebAssembly.Memory;
    PThread?: { terminateAllThreads(): void };
    UTF8ToString(text: Pointer): string;
    stringToUTF8(text: string, to: Pointer, size: number): void;
    lengthBytesUTF8(text: string): number;
    FS: {
        mkdir(path: string): void;
        writeFile(path: string, data: Uint8Array): void;
        readFile(path: string): Uint8Array;
        unlink(path: string): void;
        readdir(path: string): string[];
        lookupPath(path: string): { node: { usedBytes: number; contents: unknown; stream_ops: StreamOperations } };
        ErrnoError: new (number: number) => Error;
    };
    onProgress?: ((stage: string, done: number, total: number) => boolean) | undefined;
    onRefusal?: ((json: string) => void) | undefined;

    _malloc(size: number): Pointer;
    _free(data: Pointer): void;
    _engine_job(text: Pointer, size: number, err: Pointer, out: Pointer): number;
    _engine_give(job: Pointer, name: Pointer, data: Pointer, size: number, err: Pointer): number;
    _engine_memory_used(): number;
    _mgl_version(): Pointer;
    _mgl_code_name(code: number): Pointer;
    _mgl_catalogue(what: Pointer, err: Pointer, out: Pointer): number;
    _mgl_job_free(job: Pointer): void;
    _mgl_job_run(job: Pointer, command: Pointer, err: Pointer, out: Pointer): number;
    _mgl_job_add(job: Pointer, key: Pointer, value: Pointer, err: Pointer): number;
    _mgl_job_unset(job: Pointer, key: Pointer, err: Pointer): number;
    _mgl_job_json(job: Pointer, err: Pointer, out: Pointer): number;
    _mgl_job_yaml(job: Pointer, err: Pointer, out: Pointer): number;
    _mgl_cli_command_line(job: Pointer, command: Pointer, err: Pointer, out: Pointer): number;
    _mgl_session_open(job: Pointer, options: Pointer, err: Pointer, out: Pointer): number;
    _mgl_session_run(session: Pointer, command: Pointer, job: Pointer, err: Pointer, out: Pointer): number;
    _mgl_session_close(session: Pointer): void;
    _mgl_result_free(result: Pointer): void;
    _mgl_result_json(result: Pointer, err: Pointer, out: Pointer): number;
    _mgl_result_bytes(result: Pointer, name: Pointer, err: Pointer, data: Pointer, size: Pointer): number;
    _mgl_text_free(text: Pointer): void;
}

/** A worker as browsers have it, or what looks like one. */
export type MakeWorker = new () => {
    onmessage: ((event: any) => void) | null;
    postMessage(message: unknown): void;
    terminate(): void;
};

/** What the module is started with: its bytes, or a function that makes an instance of it. */
export interface Start {
    wasmBinary?: Uint8Array | ArrayBuffer;
    instantiateWasm?(imports: WebAssembly.Imports,
        done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void): object;
    crypto?: { getRandomValues(bytes: Uint8Array): unknown };
    /** Of a module with threads: how many, and what makes a worker for each but the first. */
    threads?: number;
    Worker?: MakeWorker;
    print(line: string): void;
    printErr(line: string): void;
}

export type ModuleFactory = (start: Start) => Promise<Module>;

/** The memory as it is now: another thread may have made it grow. */
export function memoryOf(module: Module): Uint8Array {
    const { HEAPU8, wasmMemory } = module;
    return wasmMemory === undefined || wasmMemory.buffer === HEAPU8.buffer
        ? HEAPU8 : new Uint8Array(wasmMemory.buffer);
}
