"""Treatments of columns, recomputed from the table: treatments.py MINGLE SEED JOBS.

Random tables are released in their order, and every treated cell is compared with what plain Python
makes of the table. The definitions are those of docs/treatments.md; nothing of src is used."""
import csv
import hashlib
import hmac
import json
import os
import random
import subprocess
import sys
from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

MISSING = ("", "NA")
KEY = b"a key of more than sixteen bytes"


# ---- What becomes of a value ----------------------------------------------------------------------

def plain(number):
    text = format(number.normalize(), "f")
    return "0" if text in ("-0", "") else text


def rounded(value, unit):
    times = (abs(Decimal(value)) / Decimal(unit)).quantize(Decimal(1), ROUND_HALF_UP)
    return plain(times * Decimal(unit) * (-1 if Decimal(value) < 0 else 1))


def limited(value, bound, side):
    beyond = Decimal(value) >= Decimal(bound) if side > 0 else Decimal(value) <= Decimal(bound)
    return plain(Decimal(bound)) if beyond else value


def masked(value, side, n):
    hidden = min(n, len(value))
    kept = value[:len(value) - hidden] if side == "right" else value[hidden:]
    return kept + "*" * hidden if side == "right" else "*" * hidden + kept


def period(value, unit):
    day = date.fromisoformat(value)
    if unit == "week":
        year, week, _ = day.isocalendar()
        return f"{year:04}-W{week:02}"
    if unit == "quarter":
        return f"{day.year:04}-Q{(day.month + 2) // 3}"
    if unit[0].isdigit():
        n = int(unit[:-1])
        first = day.year // n * n
        return f"{first:04}-{first + n - 1:04}"
    return {"day": value, "month": value[:7], "year": value[:4]}[unit]


def quantile_cuts(values, n):
    ordered = sorted(Decimal(v) for v in values)
    cuts = []
    for i in range(1, n):
        cut = ordered[len(ordered) * i // n]
        if cut > (cuts[-1] if cuts else ordered[0]):
            cuts.append(cut)
    return cuts


def group(value, cuts):
    place = sum(Decimal(value) >= cut for cut in cuts)
    if not cuts:
        return "*"
    if place == 0:
        return "<" + plain(cuts[0])
    if place == len(cuts):
        return ">=" + plain(cuts[-1])
    return f"[{plain(cuts[place - 1])},{plain(cuts[place])})"


ALPHABETS = {"base32": "abcdefghijklmnopqrstuvwxyz234567", "hex": "0123456789abcdef",
             "digits": "0123456789"}


def keyed(purpose, value):
    return hmac.new(KEY, purpose + value.encode(), hashlib.sha256).digest()


def pseudonym(value, form, length):
    alphabet, number, out = ALPHABETS[form], int.from_bytes(keyed(b"pseudonym:", value), "big"), ""
    for _ in range(length):
        number, digit = divmod(number, len(alphabet))
        out = alphabet[digit] + out
    return out


# ---- Jobs -----------------------------------------------------------------------------------------

def cases(rng, rows):
    """One treatment for each of some columns: (column, what the job says, function of a value)."""
    unit, top, bottom = rng.choice(["10", "0.5", "7", "2.25"]), rng.randint(20, 60), rng.randint(-9, 9)
    side, n = rng.choice(["right", "left"]), rng.randint(1, 5)
    span = rng.choice(["day", "week", "month", "quarter", "year", "5y", "10y"])
    parts = rng.randint(2, 6)
    cuts = quantile_cuts([r["amount"] for r in rows if r["amount"] not in MISSING], parts)
    form, length = rng.choice([("base32", 26), ("hex", 32), ("digits", 20), ("hex", 16)])
    said = "pseudonym" if (form, length) == ("base32", 26) else f"pseudonym({form},{length})"
    numbers = [
        (f"round({unit})", lambda v: rounded(v, unit)),
        (f"top({top})", lambda v: limited(v, top, 1)),
        (f"bottom({bottom})", lambda v: limited(v, bottom, -1)),
        (f"bottom({bottom}),top({top})", lambda v: limited(limited(v, bottom, -1), top, 1)),
        (f"quantiles({parts})", lambda v: group(v, cuts)),
    ]
    texts = [
        (f"mask({side},{n})", lambda v: masked(v, side, n)),
        ("mask", lambda v: "*" * len(v)),
        ("lower", str.lower), ("upper", str.upper), ("trim", str.strip),
        ("trim,lower", lambda v: v.strip().lower()),
        ("constant(withheld)", lambda v: "withheld"),
        (said, lambda v: pseudonym(v, form, length)),
        ("trim,lower," + said, lambda v: pseudonym(v.strip().lower(), form, length)),
    ]
    dates = [(f"date({span})", lambda v: period(v, span))]
    return [("amount", *rng.choice(numbers)), ("name", *rng.choice(texts)),
            ("day", *rng.choice(dates))]


def make_rows(rng):
    names = ["Ann", "ann", " Bob", "Bob ", "Zoë", "ÉVA", "x", "Müller, A.", "o'Hara", "李 雷"]
    rows = []
    for _ in range(rng.randint(8, 40)):
        amount = str(rng.randint(-30, 120)) if rng.random() < 0.6 else str(rng.randint(-300, 999) / 10)
        day = date(1960, 1, 1) + timedelta(days=rng.randint(0, 20000))
        row = {"age": str(rng.choice([20, 30, 40])), "sex": rng.choice("fm"), "amount": amount,
               "name": rng.choice(names), "day": day.isoformat()}
        for column in ("amount", "name", "day"):
            if rng.random() < 0.1:
                row[column] = rng.choice(MISSING)
        rows.append(row)
    if all(r["amount"] in MISSING for r in rows):
        rows[0]["amount"] = "5"
    return rows


def write(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def run(mingle, *arguments, code=0):
    done = subprocess.run([mingle, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == code, (arguments, done.returncode, done.stderr)
    return done


def job(mingle, rng, number):
    rows = make_rows(rng)
    chosen = cases(rng, rows)
    role = rng.choice([[], ["--sensitive", "name", "--p-sensitive", "1"], ["--insensitive", "amount"]])
    order = ["anonymize", "in.csv", "--qi", "age,sex", *role, "--rest", "insensitive", "-k", "2",
             "--method", rng.choice(["mingen", "cell", "datafly"]), "--suppress", "100%",
             "--keep-order", "--allow-leaks", "--key", "key"]
    for column, said, _ in chosen:
        order += ["--treat", f"{column}={said}"]
    write("in.csv", rows)
    run(mingle, *order, "-o", "out.csv", "--result", "result.json", "--save-recoding", "r.rec")
    released = read("out.csv")
    assert len(released) == len(rows)
    for column, said, made in chosen:
        expected = ["" if r[column] in MISSING or made(r[column]) in MISSING else made(r[column])
                    for r in rows]
        found = [r[column] for r in released]
        assert found == expected, (number, column, said, list(zip(rows, expected, found)))
        told = [t for t in json.load(open("result.json", encoding="utf-8"))["treatments"]
                if t["column"] == column]
        assert told[0]["values_after"] == len(set(expected) - {""}), (number, told)
    run(mingle, "check", "out.csv", "--against", "result.json")
    run(mingle, "apply", "r.rec", "in.csv", "-o", "again.csv", "--keep-order", "--allow-leaks",
        "--key", "key")
    assert read("again.csv") == released, (number, chosen)
    for name in ("result.json", "r.rec", "out.csv"):
        assert KEY not in open(name, "rb").read(), (number, name)
    return chosen, released


# ---- Dates of persons -----------------------------------------------------------------------------

def offset(person, days):
    place = int.from_bytes(keyed(b"shift:", person)[:8], "big") % (2 * days)
    return place - days if place < days else place - days + 1


def shifts(mingle, rng, number):
    """Dates of a person move together, in all columns; a date that is left gives the number back."""
    days, form = rng.choice([1, 7, 30, 365]), rng.choice(["%Y-%m-%d", "%d.%m.%Y"])
    rows = []
    for person in range(rng.randint(4, 12)):
        for _ in range(rng.randint(1, 4)):
            first = date(1990, 1, 1) + timedelta(days=rng.randint(0, 9000))
            last = first + timedelta(days=rng.randint(0, 3))
            rows.append({"id": f"p{person}", "sex": "fm"[person % 2], "in": first.strftime(form),
                         "out": last.strftime(form) if rng.random() < 0.9 else ""})
    rows[0]["in"], rows[0]["out"] = (date(2001, 5, 23).strftime(form),) * 2  # tells the order
    write("in.csv", rows)
    order = ["anonymize", "in.csv", "--qi", "sex", "-k", "2", "--entity", "id", "--keep-order",
             "--method", "mingen", "--suppress", "100%", "--key", "key", "--rest", "insensitive",
             "--treat", f"in=shift({days})", "-o", "out.csv", "--result", "result.json"]
    done = run(mingle, *order, code=1)
    assert "gives back how far" in done.stderr, (number, done.stderr)
    run(mingle, *order, "--treat", f"out=shift({days})", "--allow-leaks", "in,out")
    for before, after in zip(rows, read("out.csv")):
        move = timedelta(days=offset(before["id"], days))
        for column in ("in", "out"):
            expected = before[column] and (datetime.strptime(before[column], form) + move)
            expected = expected and expected.strftime("%Y-%m-%d")
            assert after[column] == expected, (number, before, after, move)
    run(mingle, "check", "out.csv", "--against", "result.json")
    run(mingle, *order, "--treat", "out=date(year)", "--allow-leaks", "in,out")
    leaks = json.load(open("result.json", encoding="utf-8"))["leaks"]
    assert all(leak["code"] != "gives-shift-back" for leak in leaks), (number, leaks)
    run(mingle, *order, "--treat", f"out=shift({days + 1})", code=2)


# ---- Releases that were changed ------------------------------------------------------------------

WRONG = {"round": "3.1416", "top": "9999", "bottom": "-9999", "quantiles": "17", "mask": "Ann#",
         "lower": "ANN", "upper": "ann", "trim": " a", "constant": "other", "pseudonym": "Ann",
         "date": "1999-1-1"}


def tamper(mingle, chosen, released, number):
    """A value that its treatment does not allow is found, also where all hashes were made to fit."""
    for column, said, _ in chosen:
        rows = [dict(r) for r in released]
        name = "pseudonym" if "pseudonym" in said else said.split("(")[0].split(",")[-1]
        rows[0][column] = WRONG[name]
        write("changed.csv", rows)
        data = open("changed.csv", "rb").read()
        result = json.load(open("result.json", encoding="utf-8"))
        result["audit"]["release"].update(sha256=hashlib.sha256(data).hexdigest(), bytes=len(data))
        json.dump(result, open("changed.json", "w", encoding="utf-8"))
        done = run(mingle, "check", "changed.csv", "--against", "changed.json", code=1)
        assert f"treatments.{column}" in done.stderr + done.stdout, (number, column, said)


def main():
    mingle, seed, jobs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    with open("key", "wb") as file:
        file.write(KEY + b"\n")
    os.chmod("key", 0o600)
    assert Fraction(1, 2) == Fraction(rounded("0.3", "0.5"))
    for number in range(jobs):
        rng = random.Random(seed * 100003 + number)
        chosen, released = job(mingle, rng, number)
        if number % 5 == 0:
            tamper(mingle, chosen, released, number)
            shifts(mingle, rng, number)


main()
