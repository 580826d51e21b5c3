"""Runs statements in a database file of DuckDB, by the library alone: DATABASE STATEMENT...

The statement "wait" says ready and keeps the database open until its input ends."""
import ctypes
import os
import sys


class Result(ctypes.Structure):
    _fields_ = [("counts", ctypes.c_uint64 * 3), ("pointers", ctypes.c_void_p * 3)]


def main():
    library = ctypes.CDLL(os.environ["MINGLE_DUCKDB"])
    library.duckdb_result_error.restype = ctypes.c_char_p
    database, connection = ctypes.c_void_p(), ctypes.c_void_p()
    if library.duckdb_open(sys.argv[1].encode(), ctypes.byref(database)) != 0:
        sys.exit("not opened: " + sys.argv[1])
    library.duckdb_connect(database, ctypes.byref(connection))
    for statement in sys.argv[2:]:
        result = Result()
        if statement == "wait":
            print("ready", flush=True)
            sys.stdin.read()
        elif library.duckdb_query(connection, statement.encode(), ctypes.byref(result)) != 0:
            sys.exit(library.duckdb_result_error(ctypes.byref(result)).decode())
    library.duckdb_disconnect(ctypes.byref(connection))
    library.duckdb_close(ctypes.byref(database))


main()
