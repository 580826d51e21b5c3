"""What an engine would merge, change or lose is refused, and nothing is left of a run that failed."""

from __future__ import annotations

import mingle
import pytest
from mingle.engines import counting, duckdb, searching, verifying

pa = pytest.importorskip("pyarrow")
ibis = pytest.importorskip("ibis")

SAID = {"quasi": ["zip", "age"], "sensitive": "ill", "k": 2, "suppress": "10%"}


def people(n=200):
    return pa.table(
        {
            "zip": [f"0{i % 7}" for i in range(n)],
            "age": [i % 11 for i in range(n)],
            "ill": [["flu", "cold"][i % 2] for i in range(n)],
        }
    )


COLLATED = {
    "duckdb": ["CREATE TABLE people (zip VARCHAR COLLATE NOCASE, ill VARCHAR)"],
    "sqlite": ["CREATE TABLE people (zip TEXT COLLATE NOCASE, ill TEXT)"],
    "postgresql": [
        "CREATE COLLATION ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
        "CREATE TABLE people (zip TEXT COLLATE ci, ill TEXT)",
    ],
}
PADDED = {
    "sqlite": ["CREATE TABLE people (zip TEXT COLLATE RTRIM, ill TEXT)"],
    "postgresql": ["CREATE TABLE people (zip CHAR(5), ill TEXT)"],
}


@pytest.mark.parametrize("statements", [COLLATED, PADDED], ids=["case", "blanks"])
def test_collations(place, statements):
    if place.name not in statements:
        pytest.skip(f"{place.name} has no such collation")
    place.run(*statements[place.name], "INSERT INTO people VALUES ('a', 'x'), ('A', 'x'), ('a', 'y')")
    with pytest.raises(mingle.DataError, match="collation") as refused:
        mingle.anonymize(
            place.backend.table("people"), quasi="zip", sensitive="ill", k=1, output="released"
        )
    assert refused.value.column == "zip"
    assert place.tables() == ["people"]


def test_cells_of_other_types(place):
    if place.name != "sqlite":
        pytest.skip("types are those of the columns")
    place.run("CREATE TABLE people (age INTEGER, ill TEXT)", "INSERT INTO people VALUES (1, 'x'), ('1x', 'y')")
    with pytest.raises(mingle.DataError, match="'age' has cells that are no integers"):
        mingle.anonymize(place.backend.table("people"), quasi="age", sensitive="ill", k=1, output="r")


def test_types_that_cannot_be_counted(place):
    table = place.put("people", people()).mutate(zip=ibis.array([1, 2]) if place.name not in ("sqlite", "mariadb") else ibis.literal(b"x"))
    with pytest.raises(mingle.DataError, match="cannot be counted"):
        mingle.anonymize(table, output="released", **SAID)


def test_a_name_that_is_taken(place):
    table = place.put("people", people())
    with pytest.raises(mingle.DataError, match="people is there already"):
        mingle.anonymize(table, output="people", **SAID)


@pytest.mark.parametrize(
    "said",
    [
        {"where": "age > 3"},
        {"entity": "zip"},
        {"sample": "10%"},
        {"result": "x.json"},
        {"sign": "key"},
        {"trim": True},
        {"overwrite": True},
        {"count": "age"},
    ],
    ids=lambda said: next(iter(said)),
)
def test_arguments_without_a_place(place, said):
    table = place.put("people", people(20))
    name = next(iter(said))
    with pytest.raises(mingle.UsageError, match=f"{name} cannot be used with a table of an engine"):
        mingle.anonymize(table, output="released", **SAID, **said)


def not_to_be_counted(*_):
    raise AssertionError("nothing is to be counted")


def test_wrong_columns_and_targets(place, monkeypatch):
    table = place.put("people", people(20))
    with pytest.raises(mingle.PrivacyError):
        mingle.anonymize(table, output="released", **{**SAID, "k": 21})
    monkeypatch.setattr(counting, "of_columns", not_to_be_counted)
    for name in ("quasi", "sensitive", "identifier", "insensitive", "allow_leaks"):
        said = {**SAID, "rest": "insensitive", name: ["nobody"]}
        with pytest.raises(mingle.UsageError, match='no column "nobody"; the columns are: zip, age, ill') as refused:
            mingle.anonymize(table, output="released", **said)
        assert (refused.value.code, refused.value.column) == ("unknown-column", "nobody")
    with pytest.raises(mingle.UsageError, match='no column "nobody"'):
        mingle.anonymize(table, output="released", hierarchy={"nobody": mingle.hierarchy.mask("right")}, **SAID)
    with pytest.raises(mingle.UsageError, match="names no table"):
        mingle.anonymize(table, output="a.b.c.d", **SAID)
    with pytest.raises(mingle.UsageError, match="no argument kk"):
        mingle.anonymize(table, output="released", kk=3, **SAID)
    for name, wrong in {"k": 0, "method": "best", "suppress": "200%", "l_diversity": {"ill": -1}}.items():
        with pytest.raises(mingle.UsageError, match="give|there are"):
            mingle.anonymize(table, output="released", **{**SAID, name: wrong})
    assert place.tables() == ["people"]


def test_what_cannot_be_written(place, monkeypatch):
    """A schema that is not there is told before anything is counted."""
    if place.name == "polars":
        pytest.skip("it has no schemas")
    table = place.put("people", people(20))
    monkeypatch.setattr(counting, "of_columns", not_to_be_counted)
    with pytest.raises(mingle.SystemFailure, match="nowhere"):
        mingle.anonymize(table, output="nowhere.released", **SAID)
    assert place.tables() == ["people"]


def test_a_right_that_is_missing(place, monkeypatch):
    if place.name != "postgresql":
        pytest.skip("there are no roles")
    table = place.put("people", people(20))
    place.run("CREATE ROLE reader", "GRANT SELECT ON people TO reader", "REVOKE CREATE ON SCHEMA public FROM public")
    try:
        place.run("SET ROLE reader")
        monkeypatch.setattr(counting, "of_columns", not_to_be_counted)
        with pytest.raises(mingle.SystemFailure, match="cannot write released .* may this connection make tables"):
            mingle.anonymize(table, output="released", **SAID)
    finally:
        place.run("RESET ROLE", "REVOKE SELECT ON people FROM reader", "DROP ROLE reader")
    assert place.tables() == ["people"]


def test_names_that_differ_in_case(place):
    if place.name not in ("duckdb", "sqlite", "spark"):
        pytest.skip("these are two names there")
    with pytest.raises(mingle.DataError, match="PEOPLE is there already"):
        mingle.anonymize(place.put("people", people(20)), output="PEOPLE", **SAID)


def test_columns_that_pass_through(place):
    n = 200
    table = people(n).append_column("note", pa.array([f"n{i % 3}" for i in range(n)]))
    source = place.put("people", table)
    with pytest.raises(mingle.UsageError, match="'note' has no role"):
        mingle.anonymize(source, output="released", **SAID)
    said = {**SAID, "rest": "insensitive"}
    release = mingle.anonymize(source, output="released", **said)
    here = mingle.anonymize(table, **said).to_arrow().to_pylist()
    assert sorted(map(repr, place.rows("released"))) == sorted(map(repr, here))
    assert release["engine"]["passed_through"] == ["note"]
    listed = source.mutate(note=ibis.array([1, 2]) if place.name not in ("sqlite", "mariadb") else ibis.literal(b"x"))
    with pytest.raises(mingle.PrivacyError, match="'note' would pass through, and the leak guard cannot"):
        mingle.anonymize(listed, output="other", **said)


def test_order_is_not_kept(place):
    n = 500
    table = people(n).append_column("id", pa.array(range(n)))
    said = {**SAID, "insensitive": "id", "allow_leaks": ["id"]}
    source = place.put("people", table)
    mingle.anonymize(source, output="released", **said)
    found = [row["id"] for row in place.rows("released")]
    assert len(found) > 400 and found != sorted(found)
    # no part of it is in order, either: runs of rising numbers are short
    rises = sum(a < b for a, b in zip(found, found[1:]))
    assert 0.35 < rises / len(found) < 0.65


@pytest.mark.parametrize("change", ["more", "fewer", "other"])
def test_a_table_that_changes(place, change, monkeypatch):
    source = place.put("people", people())
    searched = searching.search

    def search_and_change(*arguments):
        found = searched(*arguments)
        if place.name == "datafusion":
            where, rest = "WHERE age = 3 AND zip = '03'", "WHERE NOT (age = 3 AND zip = '03')"
            others = {
                "more": f"SELECT * FROM people UNION ALL SELECT * FROM people {where}",
                "fewer": f"SELECT * FROM people {rest}",
                "other": f"SELECT * FROM people {rest} UNION ALL SELECT zip, age, 'new' FROM people {where}",
            }
            place.run(f"CREATE TABLE changed AS {others[change]}", "DROP TABLE people")
            place.run("CREATE TABLE people AS SELECT * FROM changed", "DROP TABLE changed")
        elif place.name == "clickhouse":
            where = "WHERE age = 3 AND zip = '03' SETTINGS mutations_sync = 1"
            place.run(
                {
                    "more": "INSERT INTO people SELECT * FROM people WHERE age = 3 AND zip = '03'",
                    "fewer": f"ALTER TABLE people DELETE {where}",
                    "other": f"ALTER TABLE people UPDATE ill = 'new' {where}",
                }[change]
            )
        elif place.name == "polars":
            table = people(200).to_pylist()
            changed = {"more": table + table[:1], "fewer": table[1:], "other": [{**table[0], "ill": "new"}] + table[1:]}
            place.backend.create_table("people", obj=pa.Table.from_pylist(changed[change]), overwrite=True)
        else:
            place.run(
                {
                    "more": "INSERT INTO people SELECT * FROM people WHERE age = 3 AND zip = '03'",
                    "fewer": "DELETE FROM people WHERE age = 3 AND zip = '03'",
                    "other": "UPDATE people SET ill = 'new' WHERE age = 3 AND zip = '03'",
                }[change]
            )
        return found

    monkeypatch.setattr(searching, "search", search_and_change)
    with pytest.raises(mingle.DataError, match="changed meanwhile") as refused:
        mingle.anonymize(source, output="released", **SAID)
    assert refused.value.code == "changed"
    assert place.tables() == ["people"]


def test_a_table_that_is_another_each_time(place):
    if place.name == "polars":
        pytest.skip("Ibis has no random numbers there")
    source = place.put("people", people(400))
    with pytest.raises(mingle.DataError, match="changed meanwhile"):
        mingle.anonymize(source.filter(ibis.random() < 0.5), output="released", **SAID)
    assert place.tables() == ["people"]


@pytest.mark.parametrize("step", ["count", "judge", "interrupt"])
def test_a_run_that_fails(place, step, monkeypatch):
    source = place.put("people", people())
    counted = counting.of_columns

    def fail(*arguments, **_):
        if step == "judge" or arguments[-1] == "the release":
            raise KeyboardInterrupt if step == "interrupt" else RuntimeError("lost")
        return counted(*arguments)

    monkeypatch.setattr(*((verifying.commands, "check") if step == "judge" else (counting, "of_columns")), fail)
    with pytest.raises((RuntimeError, KeyboardInterrupt)):
        mingle.anonymize(source, output="released", **SAID)
    assert place.tables() == ["people"]


def test_ctrl_c_within_a_statement(place, monkeypatch):
    """DuckDB makes an error of its own of it."""
    if place.name != "duckdb":
        pytest.skip("the interruption comes as it is")

    def interrupted(*_):
        raise RuntimeError("Query interrupted")

    source = place.put("people", people())
    for step in ("_fetch", "execute"):
        with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
            patched.setattr(duckdb.DuckDB, step, interrupted)
            mingle.anonymize(source, output="released", **SAID)
        assert place.tables() == ["people"]


def test_words_of_the_engine_are_no_part_of_the_message(place):
    if place.name in ("polars", "clickhouse"):
        pytest.skip("no statement that fails late")
    table = people(30).append_column("secret", pa.array(["0x99geheim"] * 30))
    source = place.put("people", table)
    broken = source.mutate(age=source.secret.cast("int64") if place.name != "sqlite" else source.secret.cast("array<int64>"))
    with pytest.raises(mingle.MingleError) as failed:
        mingle.anonymize(broken, output="released", rest="drop", **SAID)
    assert "geheim" not in str(failed.value)
    assert place.tables() == ["people"]


def test_null_and_empty_are_two(place):
    table = pa.table({"zip": ["", None] * 10, "age": [1] * 20, "ill": ["x"] * 20})
    release = mingle.anonymize(place.put("people", table), output="released", **SAID)
    assert release["left_database"]["combinations"] == 2
    assert sorted(str(row["zip"]) for row in place.rows("released")) == [""] * 10 + ["None"] * 10
    as_one = mingle.anonymize(place.backend.table("people"), output="as_one", missing=["", "NA"], **SAID)
    assert as_one["classes"]["count"] == 1
    assert {row["zip"] for row in place.rows("as_one")} == {None}


def test_dry_run(place):
    source = place.put("people", people())
    answer = mingle.anonymize(source, output="released", dry_run=True, **SAID)
    assert answer["left_database"]["standing_for"] == 200
    assert place.tables() == ["people"]


@pytest.mark.parametrize("when", ["search", "verify"])
def test_a_lost_connection(place, when, monkeypatch):
    if place.name not in ("postgresql", "mariadb"):
        pytest.skip("there is no connection to be lost")
    source = place.put("people", people())
    room, name = (searching, "search") if when == "search" else (verifying, "verify")
    do = getattr(room, name)

    def end_the_session(*arguments):
        found = do(*arguments)
        place.end_session()
        return found

    monkeypatch.setattr(room, name, end_the_session)
    with pytest.raises(mingle.SystemFailure) as failed:
        mingle.anonymize(source, output="released", **SAID)
    left = place.names_seen_by_others()
    assert "released" not in left
    staged = [name for name in left if name.startswith("mingle_release")]
    assert len(staged) == (0 if when == "search" else 1)
    assert all(name in " ".join(failed.value.__notes__) for name in staged)


def test_the_answer(place, tmp_path):
    """The result can be saved, shown, and held against the release and against counts of it."""
    table = people().append_column("note", pa.array([f"n{i % 3}" for i in range(200)]))
    table = table.append_column("person", pa.array([f"p{i}" for i in range(200)]))
    said = {**SAID, "insensitive": "note", "identifier": "person"}
    release = mingle.anonymize(place.put("people", table), output="released", **said)
    release.save(tmp_path / "result.json")
    assert "<html" in release.report()
    assert [line.split(None, 1)[1] for line in str(release).splitlines() if line.startswith("written")] == ["released"]
    assert "left the database" in " ".join(str(release).split())
    assert release["unchanged"][-1] == {"column": "note", "role": "insensitive"}
    assert [column["column"] for column in release["guard"]["columns"]] == ["ill", "note"]
    rows = pa.Table.from_pylist(place.rows("released"))
    assert mingle.check(rows, against=release)["against"]["agrees"]
    assert mingle.gate(rows, against=tmp_path / "result.json", k=2).holds
    assert not mingle.check(rows.slice(1), against=release)["against"]["agrees"]
    counts = rows.group_by(["zip", "age", "ill"]).aggregate([([], "count_all")])
    counts = counts.rename_columns(["zip", "age", "ill", release.counted["counts"]["column"]])
    assert mingle.check(counts, against=release.counted)["against"]["agrees"]
    more = counts.slice(0, counts.num_rows - 1)
    assert not mingle.check(more, against=release.counted)["against"]["agrees"]
    with pytest.raises(mingle.UsageError, match="released; read it from there"):
        release.to_arrow()
