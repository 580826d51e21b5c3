"""Random jobs that pass columns through, with the options these can meet, through the program and the package: what is
refused is refused by both, and what is released keeps the rules for columns that pass through."""

from __future__ import annotations

import csv
import json
import os
import random
import subprocess
from collections import Counter, defaultdict

import mingle
import pytest

PROGRAM = os.environ.get("MINGLE")
if not PROGRAM:
    pytest.skip("MINGLE names no program", allow_module_level=True)

KINDS = {1: mingle.PrivacyError, 2: mingle.UsageError, 3: mingle.DataError, 4: mingle.SystemFailure}
COLUMNS = ["sex", "zip", "age", "town", "born", "code", "level", "person", "basket", "weight", "ill", "note"]
KNOWN = ["sex", "zip", "age", "town"]
ROWS = 300


def write_table(draw, path):
    rows = []
    for i in range(ROWS):
        person = draw.randrange(ROWS // 3)
        rows.append(
            [
                draw.choice("fm"),
                f"{100 + draw.randrange(12)}",
                20 + draw.randrange(30),
                draw.choice(["Ulm", "Bonn", "Kiel"]),
                f"{draw.randint(1940, 1999)}-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}",
                f"{draw.randrange(10**8, 10**9)}",
                draw.randint(1, 4),
                f"P{person:04}",
                " ".join(sorted(draw.sample("abcd", draw.randint(1, 3)))),
                draw.randint(1, 9),
                draw.choice(["flu", "Flu", "flu ", "cold", "angina", "ulcer", ""]),
                draw.choice(["x", "y", "z"]),
            ]
        )
    with open(path, "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(COLUMNS)
        out.writerows(rows)
    return rows


def flags(said):
    """Keyword arguments as options of the program."""
    made = []
    for name, value in said.items():
        option = "--" + name.replace("_", "-")
        if name == "k":
            made += ["-k", str(value)]
        elif name == "quasi":
            made += ["--qi", ",".join(value)]
        elif name == "quasi_identifiers":
            made += [text for one in value for text in ("--qi-set", ",".join(one))]
        elif name == "hierarchy":
            made += [text for column, builder in value.items() for text in ("--hierarchy", f"{column}={builder}")]
        elif isinstance(value, dict):
            made += [text for column, one in value.items() for text in (option, f"{column}={one}")]
        elif value is True:
            made.append(option)
        else:
            made += [option, ",".join(value) if isinstance(value, list) else str(value)]
    return made


def draw_job(draw):
    """Keyword arguments. Contradictions are drawn as well: both fronts must refuse them alike."""
    said = {"k": draw.choice([2, 3, 5]), "suppress": draw.choice(["0", "20%", "100%"]), "keep_order": True}
    said["method"] = draw.choice(["mingen", "mingen", "mingen", "cell", "datafly", "samarati", "mondrian", "local-suppression"])
    quasi = draw.sample(KNOWN, draw.randint(1, 3))
    if len(quasi) > 1 and draw.random() < 0.2:
        said["quasi_identifiers"] = [quasi[:-1], quasi[1:] if draw.random() < 0.5 else quasi[-1:]]
    else:
        said["quasi"] = quasi
    hierarchies = {"zip": "mask(right)", "age": "intervals(5,20)"}
    said["hierarchy"] = {name: hierarchies[name] for name in quasi if name in hierarchies}
    if draw.random() < 0.7:
        said["sensitive"] = ["ill"]
        if draw.random() < 0.3:
            said["l_diversity"] = {"ill": 2}
    free = [name for name in COLUMNS if name not in quasi and name not in said.get("sensitive", [])]
    entity = draw.random() < 0.3
    if entity:
        said["entity"] = "person"
        free.remove("person")
    if draw.random() < 0.3:
        said["treat"] = {"person": "pseudonym"}
        said["key"] = "secret"
        free = [name for name in free if name != "person"]
    if entity and draw.random() < 0.6:
        said["entity_view"] = "joined"
        said["suppressed"] = "drop"
        said["suppress"] = "100%"
    elif draw.random() < 0.5:
        said["suppressed"] = draw.choice(["keep", "drop", "exempt"])
    if draw.random() < 0.15:
        said["km"] = {"basket": "2,2"}
        free.remove("basket")
    if draw.random() < 0.15 and "level" in free:
        said["by"] = ["level"]
        free.remove("level")
    if draw.random() < 0.2:
        said["weights"] = {quasi[0]: 3}
    if draw.random() < 0.1:
        said["likelihood"] = {quasi[0]: "1/2"}
    if draw.random() < 0.2:
        said["spelling"] = "exact"
    if draw.random() < 0.2:
        said["missing_sensitive"] = "value"
    if draw.random() < 0.3:
        said["header"] = "yes"
    # By name some pass, others are dropped, and the rest follows.
    risky = [name for name in free if name in ("born", "code", "person")]
    tame = [name for name in free if name not in risky]
    named = draw.sample(tame, draw.randint(0, len(tame))) + draw.sample(risky, draw.choice([0, 0, 1]) if risky else 0)
    dropped = [name for name in free if name not in named and draw.random() < (0.9 if name in risky else 0.6)]
    if named:
        said["insensitive"] = named
    if dropped:
        said["identifier"] = dropped
    said["rest"] = draw.choice(["insensitive", "insensitive", "drop"])
    if draw.random() < 0.35:
        said["allow_leaks"] = draw.choice([True, draw.sample(free, min(len(free), draw.randint(1, 3)))])
    return said


def read_rows(path):
    if path.suffix == ".jsonl":
        with open(path) as file:
            rows = [json.loads(line) for line in file]
        return list(rows[0]) if rows else [], [["" if c is None else str(c) for c in row.values()] for row in rows]
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    return rows[0], rows[1:]


def run_program(said, output, folder):
    words = [PROGRAM, "anonymize", "t.csv", *flags(said), "-o", output, "--result", "r.json", "--quiet"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stderr


def run_package(said, output):
    """(status, message)"""
    said = dict(said)
    if "quasi_identifiers" in said:
        said["quasi"] = said.pop("quasi_identifiers")
    try:
        mingle.anonymize("t.csv", output=output, **said)
    except mingle.MingleError as error:
        status = [number for number, kind in KINDS.items() if isinstance(error, kind)]
        return status[0], str(error)
    return 0, ""


def accepted(said, column):
    allowed = said.get("allow_leaks", [])
    return allowed is True or column in allowed


def check_columns(said, result, header, context):
    """Nothing that tells a person from all others goes out unless it was accepted by name for that."""
    for name in ("born", "code"):
        assert name not in header or accepted(said, name), (name, context)
    quasi = said.get("quasi") or sum(said["quasi_identifiers"], [])
    if "town" in header and "town" not in quasi:
        assert "town" in said.get("insensitive", []) or accepted(said, "town"), context
    if "person" in header:
        treated = "person" in said.get("treat", {})
        linked = treated and (said.get("entity_view") == "joined" or accepted(said, "person"))
        warned = any("column \"person\"" in w["message"] for w in result["warnings"])
        named = not treated and (accepted(said, "person") or ("person" in said.get("insensitive", []) and warned))
        assert linked or named, context


def count_alone(rows, places, persons):
    """Rows that no row of another person equals."""
    having = defaultdict(set)
    for number, row in enumerate(rows):
        having[tuple(row[p] for p in places)].add(persons[number] if persons else number)
    return sum(len(having[tuple(row[p] for p in places)]) == 1 for row in rows)


def check_alone(said, result, header, rows, table, context):
    quasi = said.get("quasi") or sum(said["quasi_identifiers"], [])
    assert set(result["risk"]["known"]) == set(quasi) | set(said.get("by", [])), context
    besides = [n for n in header if n not in (*result["risk"]["known"], *said.get("sensitive", []), *said.get("km", {}))]
    besides = [name for name in besides if name not in said.get("treat", {})]
    if not besides:
        assert "alone" not in result, context
        return False
    told = result["alone"]
    assert set(told["besides"]) == set(besides) and set(told["known"]) == set(result["risk"]["known"]), context
    assert told["of"] == len(rows), context
    persons = [row[COLUMNS.index("person")] for row in table] if "entity" in said else None
    if persons and len(rows) < len(table):
        return False  # whose rows were left out the release does not tell
    assert told["rows"] == count_alone(rows, [header.index(n) for n in told["known"] + told["besides"]], persons), context
    return True


@pytest.mark.parametrize("seed", range(int(os.environ.get("PASSED_SEEDS", "2"))))
def test_random_jobs(seed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    draw = random.Random(seed)
    table = write_table(draw, "t.csv")
    (tmp_path / "secret").write_text("a secret of 16 bytes or more\n")
    (tmp_path / "secret").chmod(0o600)
    seen = Counter()
    for number in range(40):
        said = draw_job(draw)
        ending = draw.choice(["csv", "csv", "jsonl"])
        context = (seed, number, " ".join(flags(said)))
        status, message = run_program(said, f"program.{ending}", tmp_path)
        other, other_message = run_package(said, f"package.{ending}")
        assert status == other, (context, message, other_message)
        seen[status] += 1
        if status != 0:
            assert not (tmp_path / f"program.{ending}").exists() and not (tmp_path / f"package.{ending}").exists()
            assert status in (1, 2), (context, message)
            continue
        program, package = (tmp_path / f"{who}.{ending}" for who in ("program", "package"))
        assert program.read_bytes() == package.read_bytes(), context
        header, rows = read_rows(program)
        with open("r.json") as file:
            result = json.load(file)
        check_columns(said, result, header, context)
        seen["alone"] += check_alone(said, result, header, rows, table, context)
        program.unlink()
        package.unlink()
    assert seen[0] and seen[1] + seen[2] and seen["alone"], seen
