"""Every statement of every dialect that --print-sql knows is parsed in that dialect by sqlglot, with plain names and with
names that try to break out of their quotes. Parsed names must be those that were told.

print_sql_grammar.py MINGLE"""
import json
import logging
import subprocess
import sys

import sqlglot
from sqlglot import exp

CALLED = {"standard": None, "postgresql": "postgres", "sqlserver": "tsql", "mariadb": "mysql"}
HOSTILE = ["it's", "a]b", "b`t", "x -- y", "new\nline", "\u00fcn\u00ef", "back\\slash", "semi;colon"]
STATEMENTS = ["setting", "count", "map", "release", "verify", "publish", "clean", "undo"]


def run(mingle, dialect, job, *options):
    with open("grammar.yaml", "w", encoding="utf-8") as file:
        json.dump(job, file)
    done = subprocess.run([mingle, "anonymize", "grammar.yaml", "--print-sql", dialect, *options], capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def dialects(mingle):
    done = subprocess.run([mingle, "anonymize", "t", "--qi", "a", "-k", "2", "--print-sql", "none"], capture_output=True,
                          text=True, check=False)
    return done.stderr.split("give one of ")[1].strip().split(", ")


def parse(text, dialect):
    found = sqlglot.parse(text, read=CALLED.get(dialect, dialect), error_level=sqlglot.ErrorLevel.RAISE)
    return [one for one in found if one is not None and not isinstance(one, exp.Semicolon)]


def check(mingle, dialect, names):
    quasi, sensitive = names[:-1], names[-1]
    job = {"data": "\"sch\".\"ta'ble\"", "output": "out.released", "count": "n", "rest": "drop",
           "attributes": {**{name: {"role": "quasi"} for name in quasi}, sensitive: {"role": "sensitive"}},
           "privacy": [{"k-anonymity": 2}], "missing": ["", "NA", "it's", "\\", "a\nb"]}
    sql = json.loads(run(mingle, dialect, job, "--json"))["sql"]
    for key in STATEMENTS:
        if sql[key] is None:
            continue
        try:
            parsed = parse(sql[key], dialect)
        except sqlglot.errors.SqlglotError as error:
            raise AssertionError(f"{dialect}, {key}: {error}\n{sql[key]}") from error
        assert len(parsed) == 1, f"{dialect}, {key}: {len(parsed)} statements: {sql[key]}"
        # What sqlglot knows only by its first word is nothing that rows are made with.
        assert not isinstance(parsed[0], exp.Command) or key in ("setting", "publish"), f"{dialect}, {key}: no grammar"
        if key in ("count", "verify"):
            told = [one.alias for one in parsed[0].expressions]
            assert told == [*names, "n"], f"{dialect}, {key}: {told} where {names} was told"
        if key in ("count", "release"):
            texts = {one.this for one in parsed[0].find_all(exp.Literal, exp.National) if not one.is_int}
            assert {"NA", "it's", "\\", "a\nb"} <= texts, f"{dialect}, {key}: {texts}"
    # As a script: comments end where they should, and nothing of a name is a statement of its own.
    whole = parse(run(mingle, dialect, job), dialect)
    wanted = sum(sql[key] is not None for key in STATEMENTS) - 1  # undo is a comment
    assert len(whole) == wanted, f"{dialect}: {len(whole)} statements where {wanted} were printed"


def main():
    mingle, known = sys.argv[1], 0
    logging.getLogger("sqlglot").setLevel(logging.ERROR)
    for dialect in dialects(mingle):
        check(mingle, dialect, ["age", "zip", "disease"])
        check(mingle, dialect, HOSTILE)
        if dialect != "oracle":  # no name can have a quote there
            check(mingle, dialect, ['a"b', '"', "c"])
        known += 1
    print(f"ok: {known} dialects")
    return 0 if known >= 12 else 1


if __name__ == "__main__":
    sys.exit(main())
