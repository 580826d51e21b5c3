"""Runs jobs on tables of pyarrow, which go to the library by the Arrow C stream interface. The path
of the library is the first argument of the script that imports this."""
import ctypes
import sys

import pyarrow as pa

library = ctypes.CDLL(sys.argv[1])


class Error(ctypes.Structure):
    """Large enough for mgl_error, whose message is last."""
    _fields_ = [("bytes", ctypes.c_char * 16384)]


class Stream(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p)
                for name in ("get_schema", "get_next", "get_last_error", "release", "private_data")]


def call(name, *arguments):
    error = Error()
    status = getattr(library, name)(*arguments[:-1], ctypes.byref(error), *arguments[-1])
    if status != 0:
        text = bytes(error).replace(b"\0", b" ").decode("utf-8", "replace")
        raise RuntimeError(f"{name}: status {status}: {' '.join(text.split())}")


def text(value):
    return ctypes.c_char_p(value.encode())


class Run:
    """One run of a job on a table; the result is freed with it."""

    def __init__(self, table, **keys):
        job = ctypes.c_void_p()
        call("mgl_job_new", (ctypes.byref(job),))
        stream = Stream()
        table.to_reader(max_chunksize=keys.pop("batch", None))._export_to_c(
            ctypes.addressof(stream))
        call("mgl_job_give_stream", job, text("table"), ctypes.byref(stream), ())
        usual = {"data": "memory:table", "output": "memory:release", "k": "5", "suppress": "5%",
                 "method": "mingen", "threads": "2", "rest": "insensitive", "qi": "age,city,sex",
                 "allow-leaks": "true"}
        usual.update(keys)
        for key, value in usual.items():
            call("mgl_job_set", job, text(key), text(value), ())
        self.result = ctypes.c_void_p()
        call("mgl_job_run", job, text("anonymize"), (ctypes.byref(self.result),))
        library.mgl_job_free(job)

    def release(self):
        stream = Stream()
        call("mgl_result_stream", self.result, text("release"), (ctypes.byref(stream),))
        return pa.RecordBatchReader._import_from_c(ctypes.addressof(stream))

    def bytes(self, name):
        data, size = ctypes.c_void_p(), ctypes.c_size_t()
        call("mgl_result_bytes", self.result, text(name),
             (ctypes.byref(data), ctypes.byref(size)))
        return ctypes.string_at(data, size.value)

    def free(self):
        library.mgl_result_free(self.result)


checks = 0


def ok(holds, what):
    """A TAP line."""
    global checks
    checks += 1
    print(f"{'ok' if holds else 'not ok'} {checks} - {what}")


def end():
    print(f"1..{checks}")
