"""What pyarrow writes is read, and what is released is read by pyarrow with the same types and
values: MINGLE."""
import datetime
import decimal
import subprocess
import sys

import pyarrow as pa
from pyarrow import feather, ipc

mingle = sys.argv[1]
number = failures = 0
ROWS = 60


def tell(good, name, why=""):
    global number, failures
    number += 1
    failures += not good
    print(("ok" if good else "not ok"), number, "-", name, flush=True)
    if not good:
        print("# " + str(why).replace("\n", "\n# ")[:2000], flush=True)


def some(values, every):
    return [None if i % every == 0 else value for i, value in enumerate(values)]


def make_table():
    rows = range(ROWS)
    moments = [datetime.datetime(2020, 1, 1 + i % 28, 1, 2, 3, i) for i in rows]
    columns = {
        "age": pa.array([20 + i % 4 for i in rows], pa.int32()),
        "sex": pa.array(["m" if i % 2 else "f" for i in rows]).dictionary_encode(),
        "int8": pa.array(some([i - 30 for i in rows], 5), pa.int8()),
        "uint64": pa.array([2**64 - 1 - i for i in rows], pa.uint64()),
        "int64": pa.array(some([2**60 + i for i in rows], 7), pa.int64()),
        "decimal": pa.array(some([decimal.Decimal(i) / 4 for i in rows], 9), pa.decimal128(20, 2)),
        "decimal256": pa.array([decimal.Decimal(i) for i in rows], pa.decimal256(60, 3)),
        "zoned": pa.array(some(moments, 6), pa.timestamp("us", "Europe/Berlin")),
        "nanoseconds": pa.array([10**18 + i for i in rows], pa.timestamp("ns")),
        "seconds": pa.array([10**9 + i for i in rows], pa.timestamp("s")),
        "day": pa.array([moment.date() for moment in moments]),
        "day64": pa.array([moment.date() for moment in moments], pa.date64()),
        "time": pa.array([moment.time() for moment in moments], pa.time64("us")),
        "time32": pa.array([datetime.time(i % 24) for i in rows], pa.time32("ms")),
        "bool": pa.array(some([i % 2 == 0 for i in rows], 7)),
        "float": pa.array([i / 3 for i in rows], pa.float32()),
        "double": pa.array(some([i / 7 for i in rows], 11)),
        "text": pa.array(some(["", "é😀", "a,b", 'q"', "\n"] * (ROWS // 5), 4)),
        "large": pa.array(some(["x" * (i % 20) for i in rows], 3), pa.large_string()),
        "null": pa.nulls(ROWS),
        "category": pa.array(some(["c%d" % (i % 9) for i in rows], 6)).dictionary_encode(),
        "days by number": pa.array([moment.date() for moment in moments]).dictionary_encode(),
    }
    return pa.table(columns)


def write_all(table):
    for compression in ("uncompressed", "lz4", "zstd"):
        feather.write_feather(table, compression + ".feather", compression=compression)
    with ipc.new_stream("batches.arrows", table.schema) as writer:
        writer.write_table(table, max_chunksize=7)
    with ipc.new_file("batches.arrow", table.schema) as writer:
        writer.write_table(table, max_chunksize=7)
    feather.write_feather(table.slice(3, 50), "slice.feather")
    return ["uncompressed.feather", "lz4.feather", "zstd.feather", "batches.arrows", "batches.arrow",
            "slice.feather"]


def read(path):
    table = ipc.open_stream(path).read_all() if path.endswith("s") else feather.read_table(path)
    table.validate(full=True)
    return table


def release(data, output, *options):
    done = subprocess.run(
        [mingle, "anonymize", data, "--qi", "age,sex", "--rest", "insensitive", "--allow-leaks",
         "-k", "3", "--quiet", "-o", output, *options], capture_output=True, text=True)
    return done.returncode, done.stderr


def cells_of(table, name):
    column = table[name]
    if pa.types.is_timestamp(column.type):
        column = column.cast(pa.int64())  # Python has no nanoseconds
    return column.to_pylist()


def rows_of(table, names):
    return sorted(map(repr, zip(*[cells_of(table, name) for name in names])))


def exchange():
    for data in write_all(make_table()):
        wanted = read(data)
        passed = [name for name in wanted.column_names if name not in ("age", "sex")]
        for output in ("out.feather", "out.arrow", "out.arrows"):
            for order in ([], ["--keep-order"]):
                code, err = release(data, output, *order)
                if code != 0:
                    tell(False, "%s to %s" % (data, output), err)
                    continue
                got = read(output)
                types = [name for name in passed
                         if wanted.schema.field(name).type != got.schema.field(name).type]
                tell(not types, "%s to %s: the types" % (data, output), types)
                same = rows_of(wanted, passed) == rows_of(got, passed)
                if order:
                    same = same and all(cells_of(wanted, n) == cells_of(got, n) for n in passed)
                tell(same, "%s to %s: the values %s" % (data, output, " ".join(order)))
                tell(pa.types.is_dictionary(got.schema.field("age").type),
                     "generalized columns have dictionaries")


def dictionaries():
    kind = pa.dictionary(pa.int8(), pa.string())
    schema = pa.schema([("age", pa.int8()), ("sex", pa.string()), ("c", kind)])

    def batch(entries):
        cells = pa.DictionaryArray.from_arrays(pa.array([len(entries) - 1, None, 0], pa.int8()),
                                               pa.array(entries))
        return pa.record_batch([pa.array([1] * 3, pa.int8()), pa.array(["m"] * 3), cells],
                               schema=schema)
    for name, deltas, lists in (
            ("replaced.arrows", False, [["a", "b"], ["c"], ["d", "e", "f"]]),
            ("deltas.arrows", True, [["a", "b"], ["a", "b", "c"], ["a", "b", "c", "d"]]),
            ("deltas.arrow", True, [["a", "b"], ["a", "b", "c"], ["a", "b", "c", "d"]])):
        make = ipc.new_stream if name.endswith("s") else ipc.new_file
        with make(name, schema, options=ipc.IpcWriteOptions(emit_dictionary_deltas=deltas)) as writer:
            for entries in lists:
                writer.write_batch(batch(entries))
        wanted = read(name)["c"].to_pylist()
        for output in ("d.arrows", "d.arrow"):
            code, err = release(name, output, "--keep-order")
            got = read(output) if code == 0 else None
            tell(code == 0 and got["c"].to_pylist() == wanted and got.schema.field("c").type == kind,
                 "dictionaries: %s to %s" % (name, output), err)


def refused():
    views = pa.table({"v": pa.array(["a" * 20], pa.string_view())})
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([2, 3], pa.int32()), pa.array(["a", "b"]))
    for name, table, words in (
            ("list", pa.table({"l": [[1], [2]]}), "column l: the type list is not taken"),
            ("struct", pa.table({"s": [{"a": 1}]}), "column s: the type struct is not taken"),
            ("binary", pa.table({"b": [b"x"]}), "column b: the type binary is not taken"),
            ("runs", pa.table({"r": runs}), "column r: the type run-end encoded is not taken"),
            ("views", views, "column v has the type text view")):
        with ipc.new_file(name + ".arrow", table.schema) as writer:
            writer.write_table(table)
        code, err = release(name + ".arrow", "no.arrow")
        tell(code == 3 and words in err, "refused: " + name, err)


exchange()
dictionaries()
refused()
print("1..%d" % number)
sys.exit(failures > 0)
