"""Tables go to the library and releases come back by the Arrow C stream interface; pyarrow makes
and judges them. Called by tests/cli/pyarrow.sh with the path of the library.

Prints TAP lines."""
import collections
import datetime
import decimal
import gc

import pyarrow as pa

from library import Run, end, ok

ROWS = 3000


def make_table():
    rows = range(ROWS)
    day = datetime.date(1950, 1, 1)
    some = [r if r % 7 else None for r in rows]
    return pa.table({
        "age": pa.array([20 + r * 7 % 60 if r % 50 else None for r in rows], pa.int32()),
        "city": pa.array(["Bern", "Aarau", "Chur"][r % 3] for r in rows).dictionary_encode(),
        "sex": pa.array(["f" if r % 2 else "m" for r in rows]),
        "number": pa.array(some, pa.int64()),
        "tiny": pa.array([r % 200 for r in rows], pa.uint8()),
        "pay": pa.array([r / 3 if r % 5 else None for r in rows], pa.float64()),
        "flag": pa.array([r % 3 == 0 if r % 4 else None for r in rows], pa.bool_()),
        "note": pa.array([f"note {r % 11}" if r % 3 else None for r in rows]),
        "large": pa.array([f"large {r % 13}" for r in rows], pa.large_string()),
        "view": pa.array([f"a view that is long {r % 17}" if r % 2 else "short" for r in rows],
                         pa.string_view()),
        "code": pa.array([["x", "y", None, "z"][r % 4] for r in rows]).dictionary_encode(),
        "born": pa.array([day + datetime.timedelta(days=r) for r in rows], pa.date32()),
        "seen": pa.array([datetime.datetime(2020, 1, 1) + datetime.timedelta(seconds=r)
                          for r in rows], pa.timestamp("us", "UTC")),
        "price": pa.array([decimal.Decimal(r).scaleb(-2) for r in rows], pa.decimal128(12, 2)),
        "nothing": pa.nulls(ROWS),
    })


QUASI = ("age", "city", "sex")


def same_types(table, release):
    for field in table.schema:
        got = release.schema.field(field.name).type
        wanted = pa.dictionary(pa.int8(), pa.string()) if field.name in QUASI else field.type
        if field.name == "age":  # more than 127 labels on all levels
            wanted = got if got.index_type in (pa.int8(), pa.int16()) else wanted
        if got != wanted:
            print(f"# {field.name}: {got}, expected {wanted}")
            return False
    return True


def passed(table):
    """The rows of the columns that are passed through, as plain values."""
    names = [name for name in table.schema.names if name not in QUASI]
    return list(zip(*(table.column(name).to_pylist() for name in names)))


def counts(table):
    return collections.Counter(zip(*(table.column(name).to_pylist() for name in QUASI)))


def by_number(rows):
    return sorted(rows, key=repr)


table = make_table()
kept = Run(table, **{"keep-order": "true", "suppressed": "keep"})
release = kept.release().read_all()
release.validate(full=True)
ok(release.num_rows == ROWS, "all rows come back")
ok(same_types(table, release), "labels are encoded texts, other columns keep their types")
ok(passed(release) == passed(table), "columns that are passed through keep their values in order")
ok(min(counts(release).values()) >= 5, "every class has five rows")
ages = release.column("age").to_pylist()
ok(all((ages[r] is None) <= (r % 50 == 0) for r in range(ROWS)) and
   set(ages[::50]) <= {None, "*"}, "missing cells, and only these, are null unless suppressed")

again = kept.release().read_all()
ok(again.equals(release), "a second stream gives the same")
third = kept.release()
kept.free()
del table
gc.collect()
ok(third.read_all().equals(release), "a stream outlives its result")
del third, again

table = make_table()
for name, source in (("one batch", table), ("many batches", table),
                     ("a slice", pa.concat_tables([table, table]).slice(ROWS // 2, ROWS))):
    run = Run(source, seed="1", batch=100 if name == "many batches" else None)
    release = run.release().read_all()
    run.free()
    release.validate(full=True)
    ok(same_types(source, release), f"{name}: types")
    ok(by_number(passed(release)) == by_number(passed(source)), f"{name}: the same rows")
    ok(passed(release) != passed(source), f"{name}: in another order")
    ok(min(counts(release).values()) >= 5, f"{name}: classes")

# Treated columns are texts, whatever they were; missing cells are null.
treats = {"number": ("round(100)", lambda v: str((v + 50) // 100 * 100)),
          "tiny": ("top(90)", lambda v: str(min(v, 90))),
          "note": ("upper", lambda v: v.upper()),
          "view": ("mask(right,4)", lambda v: v[:-4] + "****"),
          "code": ("constant(c)", lambda v: "c"),
          "born": ("date(year)", lambda v: str(v.year))}
for batch in (None, 100):
    run = Run(table, batch=batch, **{"keep-order": "true", "suppressed": "keep"},
              **{f"attributes.{name}.treat": said for name, (said, _) in treats.items()})
    release = run.release().read_all()
    run.free()
    release.validate(full=True)
    for name, (said, made) in treats.items():
        wanted = [None if v is None else made(v) for v in table.column(name).to_pylist()]
        ok(release.schema.field(name).type == pa.string() and
           release.column(name).to_pylist() == wanted, f"{said} makes texts of {name}")
    ok(release.column("pay").equals(table.column("pay")), "the others stay what they were")

run = Run(table, suppress="100%", suppressed="drop", k="60")
release = run.release().read_all()
run.free()
release.validate(full=True)
rest = by_number(passed(table))
ok(0 < release.num_rows <= ROWS and min(counts(release).values()) >= 60, "dropped rows are gone")
for name in QUASI:
    chunk = release.column(name).chunk(0)
    used = set(release.column(name).to_pylist()) - {None}
    ok(set(chunk.dictionary.to_pylist()) == used, f"{name}: no label that no row has")

# Counted tables: sums of counts are numbers again.
records = list(zip(*(table.column(name).to_pylist() for name in ("city", "sex", "code"))))
groups = collections.Counter(records)
for number in (pa.int64(), pa.int32(), pa.uint16(), pa.string(), pa.decimal128(20, 0)):
    values = [str(n) if number == pa.string() else n for n in groups.values()]
    counted = pa.table({name: [row[i] for row in groups] for i, name in enumerate(("city", "sex", "code"))}
                       | {"n": pa.array(values, None if number == pa.string() else pa.int64()).cast(number)})
    run = Run(counted, qi="city,sex", sensitive="code", count="n", rest="drop")
    release = run.release().read_all()
    run.free()
    release.validate(full=True)
    ok(release.schema.field("n").type == pa.int64(), f"sums of {number} are whole numbers: {release.schema.field('n').type}")
    ok(sum(map(int, release.column("n").to_pylist())) == ROWS, f"{number}: all records are counted")
batches = [batch for batch in Run(table, seed="2").release()]
moved = [batch.column(3) for batch in batches]
del batches
gc.collect()
ok(sum(len(column) for column in moved) == ROWS, "columns outlive their batches")
end()
