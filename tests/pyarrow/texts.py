"""Every type that pyarrow can make reads as docs/arrow.md says: tables go to the library by the Arrow
C stream interface and come back as delimited text, whose cells are compared with texts that are
made here from the raw numbers. Called by tests/cli/pyarrow.sh with the path of the library.

Prints TAP lines."""
import csv
import datetime
import io
import random
import struct

import pyarrow as pa

from library import Run, end, ok

ROWS = 120
chance = random.Random(5)
UNITS = {"s": 1, "ms": 10 ** 3, "us": 10 ** 6, "ns": 10 ** 9}
DAY = 86400


# ---- Texts by the rules of docs/arrow.md ---------------------------------------------------------

def float_text(bits, code, size):
    value, = struct.unpack("<" + code, bits.to_bytes(size, "little"))
    if value != value:
        return "nan"
    if value in (float("inf"), float("-inf")):
        return "inf" if value > 0 else "-inf"
    if abs(value) < 2 ** 53 and value == int(value):
        return str(int(value))

    def reads_back(number):
        try:
            return struct.pack("<" + code, number) == struct.pack("<" + code, value)
        except OverflowError:
            return False
    for digits in range(1, 18):
        text = f"{abs(value):.{digits - 1}e}"
        if reads_back(float(text) if value > 0 else -float(text)):
            break
    mantissa, power = text.split("e")
    power, digits = int(power), mantissa.replace(".", "").rstrip("0")
    sign = "-" if value < 0 else ""
    if power < -6 or power >= 21:
        return sign + digits[0] + ("." + digits[1:] if len(digits) > 1 else "") + f"e{power}"
    if power < 0:
        return sign + "0." + "0" * (-power - 1) + digits
    digits = digits.ljust(power + 1, "0")
    return sign + digits[:power + 1] + ("." + digits[power + 1:] if digits[power + 1:] else "")


def decimal_text(number, scale):
    sign, digits = "-" if number < 0 else "", str(abs(number))
    if scale <= 0:
        return sign + digits + ("0" * -scale if number else "")
    digits = digits.rjust(scale + 1, "0")
    return f"{sign}{digits[:-scale]}.{digits[-scale:]}"


def day_text(days):
    return str(datetime.date(1970, 1, 1) + datetime.timedelta(days=days))


def time_text(number, unit):
    seconds, rest = divmod(number, UNITS[unit])
    nanos = f"{rest * (10 ** 9 // UNITS[unit]):09}"
    while nanos.endswith("000"):
        nanos = nanos[:-3]
    whole = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return whole + ("." + nanos if nanos else "")


def moment_text(number, unit, zone):
    days, rest = divmod(number, DAY * UNITS[unit])
    return day_text(days) + "T" + time_text(rest, unit) + ("Z" if zone else "")


# ---- Arrays of raw numbers -----------------------------------------------------------------------

def raw_array(kind, numbers, bits):
    """The numbers (None: null) in little-endian bytes, garbage under nulls."""
    size = bits // 8
    data = b"".join((n if n is not None else chance.getrandbits(bits - 1) % 7)
                    .to_bytes(size, "little", signed=n is not None and n < 0) for n in numbers)
    valid = bytearray((len(numbers) + 7) // 8)
    for i, number in enumerate(numbers):
        valid[i // 8] |= (number is not None) << i % 8
    return pa.Array.from_buffers(kind, len(numbers), [pa.py_buffer(bytes(valid)),
                                                      pa.py_buffer(data)])


def draw_numbers(low, high):
    edges = [low, high, 0 if low <= 0 <= high else low]
    numbers = edges + [chance.choice([chance.randint(low, high),
                                      max(low, min(high, chance.randint(-200, 200)))])
                       for _ in range(ROWS - len(edges))]
    return [number if chance.random() < 0.9 else None for number in numbers]


def column(kind, bits, low, high, text):
    numbers = draw_numbers(low, high)
    return raw_array(kind, numbers, bits), [None if n is None else text(n) for n in numbers]


def typed_columns():
    columns = {}
    for bits in (8, 16, 32, 64):
        columns[f"int{bits}"] = column(getattr(pa, f"int{bits}")(), bits, -2 ** (bits - 1),
                                       2 ** (bits - 1) - 1, str)
        columns[f"uint{bits}"] = column(getattr(pa, f"uint{bits}")(), bits, 0, 2 ** bits - 1, str)
    for name, bits, code in (("float16", 16, "e"), ("float32", 32, "f"), ("float64", 64, "d")):
        columns[name] = column(getattr(pa, name)(), bits, 0, 2 ** bits - 1,
                               lambda n, c=code, b=bits: float_text(n, c, b // 8))
    for bits, digits in ((32, 9), (64, 18), (128, 38), (256, 76)):
        for scale in (0, 2, digits, -3):
            make = getattr(pa, f"decimal{bits}", None)
            if make is None:
                continue
            columns[f"decimal{bits}_{scale}"] = column(
                make(digits, scale), bits, 1 - 10 ** digits, 10 ** digits - 1,
                lambda n, s=scale: decimal_text(n, s))
    first, last = -719162, 2932896  # 0001-01-01 to 9999-12-31
    columns["date32"] = column(pa.date32(), 32, first, last, day_text)
    days, texts = column(pa.date32(), 32, first, last, day_text)
    columns["date64"] = days.cast(pa.date64()), texts
    for unit, per_second in UNITS.items():
        bits = 32 if unit in ("s", "ms") else 64
        kind = pa.time32(unit) if bits == 32 else pa.time64(unit)
        columns[f"time_{unit}"] = column(kind, bits, 0, DAY * per_second - 1,
                                         lambda n, u=unit: time_text(n, u))
        low = max(first * DAY * per_second, 1 - 2 ** 63)
        high = min((last + 1) * DAY * per_second - 1, 2 ** 63 - 1)
        for zone in (None, "Europe/Berlin"):
            columns[f"moment_{unit}_{zone}"] = column(
                pa.timestamp(unit, zone), 64, low, high,
                lambda n, u=unit, z=zone: moment_text(n, u, z))
    return columns


WORDS = ["a", "bb", "a longer word than others", "Zürich", "x,y", 'say "hi"', "two\nlines", "ß" * 20]


def text_columns(words):
    drawn = [chance.choice(words + [None]) for _ in range(ROWS)]
    columns = {kind: (pa.array(drawn, getattr(pa, kind)()), drawn)
               for kind in ("string", "large_string", "string_view")}
    truths = [chance.choice([True, False, None]) for _ in range(ROWS)]
    columns["bool"] = pa.array(truths), [None if t is None else str(t).lower() for t in truths]
    columns["null"] = pa.nulls(ROWS), [None] * ROWS
    return columns


def encoded_columns(columns):
    """Each as entries of a dictionary, which may be null or occur twice, by indices of any type."""
    kinds = [getattr(pa, f"{sign}int{bits}")() for sign in ("", "u") for bits in (8, 16, 32, 64)]
    encoded = {}
    for i, (name, (entries, texts)) in enumerate(columns.items()):
        indices = [chance.choice([chance.randrange(ROWS), None]) for _ in range(ROWS)]
        array = pa.DictionaryArray.from_arrays(pa.array(indices, kinds[i % len(kinds)]), entries)
        encoded["of_" + name] = array, [None if i is None else texts[i] for i in indices]
    return encoded


# ---- Checks --------------------------------------------------------------------------------------

def differences(columns, null, batch=None, begin=0):
    """Sends the columns and compares what comes back, cell by cell."""
    table = pa.table({"same": pa.array(["s"] * ROWS),
                      **{name: array for name, (array, _) in columns.items()}}).slice(begin)
    run = Run(table, batch=batch, qi="same", k="2", output="memory:release.csv",
              **{"keep-order": "true"})
    rows = list(csv.reader(io.StringIO(run.bytes("release.csv").decode(), newline="")))
    run.free()
    found = [] if len(rows) == ROWS - begin + 1 else [f"{len(rows) - 1} rows"]
    for c, name in enumerate(columns):
        wanted = [null if text is None else text for text in columns[name][1][begin:]]
        got = [row[c + 1] for row in rows[1:]]
        found += [f"{name}, row {i + 1}: {g!r}, expected {w!r}"
                  for i, (g, w) in enumerate(zip(got, wanted)) if g != w][:3]
    for line in found:
        print("#", line)
    return found


typed, texts = typed_columns(), text_columns(WORDS)
ok(not differences(typed, ""), f"numbers, days and times of {len(typed)} types read as documented")
ok(not differences(texts, ""), "texts, bools and nulls read as documented")
ok(not differences({**typed, **texts}, "", batch=7), "in batches of 7 rows, too")
ok(not differences({**typed, **texts}, "", batch=50, begin=13), "and in slices of these")
ok(not differences(encoded_columns(typed), ""), "entries of dictionaries read as their types do")
ok(not differences(encoded_columns(texts), "", batch=11, begin=5), "texts in dictionaries, too")
ok(not differences(text_columns(WORDS + [""]), "NA"), "null is not the empty text where that occurs")
ok(not differences(text_columns(WORDS + ["", "NA"]), "null"), "nor NA where that occurs")
end()
