#!/usr/bin/env python3
"""Draws tables whose headers, languages, scripts and shapes no rule lists, and counts what an
advised job does with their columns.

draw.py [--seed N] [--tables N] [--show]: $MINGLE is the program. Words are made of syllables, so
that no list of names can know them. Prints TAP; at most 1 identifier in 100 may be released and at
most 1 harmless column in 10 be dropped."""
import argparse
import collections
import csv
import json
import os
import random
import subprocess
import sys
import tempfile

MOST_RELEASED, MOST_DROPPED = 0.01, 0.10
RUN_OF_PERSONS = 5  # tables of persons whose advised job is run

# ---- Words ---------------------------------------------------------------------------------

# Beginnings, middles and ends of syllables per script; True: there are capital letters.
SCRIPTS = {
    "latin": (["br", "k", "l", "m", "n", "p", "tr", "v", "st", "h", "gr", "d", "f", "s"],
              ["a", "e", "i", "o", "u", "ai", "ou"], ["", "n", "r", "s", "l", "k"], True),
    "accents": (["č", "ž", "š", "ł", "m", "ř", "n", "d", "ñ", "k", "b"],
                ["á", "é", "í", "ö", "ü", "å", "a", "o"], ["", "ń", "ś", "r", "l"], True),
    "cyrillic": (["б", "в", "г", "д", "к", "л", "м", "н", "р", "с", "т"],
                 ["а", "е", "и", "о", "у", "я"], ["", "н", "в", "р", "й"], True),
    "greek": (["β", "γ", "δ", "κ", "λ", "μ", "ν", "π", "ρ", "σ", "τ"],
              ["α", "ε", "ι", "ο", "ου", "η"], ["", "ς", "ν"], True),
    "armenian": (["բ", "գ", "դ", "կ", "լ", "մ", "ն", "ր", "ս"], ["ա", "ե", "ի", "ո"],
                 ["", "ն", "ր"], True),
    "arabic": (["ب", "ت", "ج", "د", "ر", "س", "ع", "ف", "ك", "ل", "م", "ن"],
               ["ا", "و", "ي", ""], [""], False),
    "hebrew": (["ב", "ג", "ד", "ל", "מ", "נ", "ר", "ש", "ת"], ["ו", "י", "א", ""], [""], False),
    "devanagari": (["क", "ग", "त", "द", "न", "प", "म", "र", "ल", "स"],
                   ["ा", "ि", "ी", "ु", "े", ""], [""], False),
    "thai": (["ก", "ค", "ต", "ท", "น", "ม", "ร", "ล", "ส"], ["า", "ี", "ุ", "ะ"], ["", "น", "ง"],
             False),
    "georgian": (["ბ", "გ", "დ", "კ", "ლ", "მ", "ნ", "რ"], ["ა", "ე", "ი", "ო"], ["", "ნ"], False),
    "tamil": (["க", "ச", "த", "ந", "ப", "ம", "ர", "ல"], ["ா", "ி", "ு", ""], [""], False),
}
HAN = [chr(0x4E00 + 37 * i) for i in range(300)]
HANGUL = [chr(0xAC00 + 61 * i) for i in range(170)]


class Words:
    """Words of one script, drawn anew for each table."""

    def __init__(self, rng, script):
        self.rng, self.script = rng, script
        self.cased = script in SCRIPTS and SCRIPTS[script][3]

    def syllable(self):
        begin, middle, end, _ = SCRIPTS[self.script]
        return self.rng.choice(begin) + self.rng.choice(middle) + self.rng.choice(end)

    def word(self, least=2, most=3):
        if self.script == "han":
            return "".join(self.rng.choices(HAN, k=self.rng.randint(least, most)))
        if self.script == "hangul":
            return "".join(self.rng.choices(HANGUL, k=self.rng.randint(least, most)))
        return "".join(self.syllable() for _ in range(self.rng.randint(least, most)))

    def pool(self, n, least=2, most=3):
        words = set()
        while len(words) < n:
            words.add(self.word(least, most))
        return sorted(words)

    def sentence(self, least, most):
        text = " ".join(self.word(1, 3) for _ in range(self.rng.randint(least, most)))
        return text.capitalize() if self.cased else text


def capital(word):
    return word[:1].upper() + word[1:]


# ---- Identifiers ---------------------------------------------------------------------------

def full_names(rng, w, n):
    """Names of n persons in one of the ways to write them."""
    if w.script in ("han", "hangul"):
        signs = HAN if w.script == "han" else HANGUL
        surnames, given = rng.sample(signs, 25), rng.sample(signs, 60)
        space = rng.choice(["", "", " "])
        return [rng.choice(surnames) + space + "".join(rng.choices(given, k=rng.choice([1, 2, 2])))
                for _ in range(n)]
    given, surnames = w.pool(rng.choice([15, 40, 120, 900])), w.pool(rng.choice([30, 90, 400, 900]))
    way = rng.choice(["plain", "plain", "comma", "upper", "lower", "initial", "middle", "particle",
                      "hyphen", "titled"])
    out = []
    for _ in range(n):
        g, s = rng.choice(given), rng.choice(surnames)
        if w.cased and way not in ("lower",):
            g, s = capital(g), capital(s)
        if way == "upper":
            g, s = g.upper(), s.upper()
        if way == "hyphen" and rng.random() < 0.3:
            s += "-" + (capital(rng.choice(surnames)) if w.cased else rng.choice(surnames))
        if way == "particle" and w.script == "latin" and rng.random() < 0.4:
            s = rng.choice(["van der ", "de la ", "von ", "bin ", "O'", "d'"]) + s
        if way == "comma":
            out.append("%s, %s" % (s, g))
        elif way == "initial" and w.cased:
            out.append(rng.choice(["%s. %s" % (g[0], s), "%s %s." % (s, g[0])]))
        elif way == "middle":
            m = rng.choice(given)
            out.append("%s %s %s" % (g, capital(m) if w.cased else m, s))
        elif way == "titled" and w.script == "latin":
            title = rng.choice(["Dr.", "Frau", "Mr", "", "", "Mme"])
            out.append(("%s %s %s" % (title, g, s)).strip())
        else:
            out.append("%s %s" % (g, s))
    return out


def single_names(rng, w, n):
    words = w.pool(max(40, int(n * 1.5)), 2, 4)
    style = rng.choice([capital, str.upper, str.lower]) if w.cased else str
    return [style(rng.choice(words)) for _ in range(n)]


def luhn(body):
    total = 0
    for i, c in enumerate(reversed(body)):
        d = int(c) * (2 if i % 2 == 0 else 1)
        total += d - 9 if d > 9 else d
    return body + str(-total % 10)


def number_keys(rng, w, n):
    way = rng.choice(["fixed", "fixed", "checked", "sequence", "prefix", "steps", "mixed", "float",
                      "regions", "mod97", "below"])
    digits = rng.randint(7, 12)
    if way == "below":  # the low half of numbers of a machine
        return [str(-rng.randrange(10 ** 8, 2 * 10 ** 9)) for _ in range(n)]
    if way == "fixed":
        return [str(rng.randrange(10 ** (digits - 1), 10 ** digits)) for _ in range(n)]
    if way == "float":
        return ["%d.0" % rng.randrange(10 ** (digits - 1), 10 ** digits) for _ in range(n)]
    if way == "checked":
        return [luhn(str(rng.randrange(10 ** (digits - 2), 10 ** (digits - 1)))) for _ in range(n)]
    if way == "mod97":
        return [b + "%02d" % (97 - int(b) % 97) for b in
                (str(rng.randrange(10 ** 7, 10 ** 8)) for _ in range(n))]
    if way == "mixed":
        return [str(rng.randrange(10 ** (d - 1), 10 ** d)) for d in
                (rng.randint(8, 11) for _ in range(n))]
    if way == "prefix":
        prefix = str(rng.randint(10, 99))
        return [prefix + "%06d" % rng.randrange(10 ** 6) for _ in range(n)]
    if way == "regions":
        regions = [str(rng.randint(10, 99)) for _ in range(5)]
        return [rng.choice(regions) + "%05d" % rng.randrange(10 ** 5) for _ in range(n)]
    start, out = rng.randrange(1, 10 ** 6), []
    for _ in range(n):
        out.append(str(start))
        start += 1 if way == "sequence" else rng.randint(1, 9)
    rng.shuffle(out)
    return out


def codes(rng, w, n):
    letters = "ABCDEFGHJKLMNPRSTUVWXYZ"
    way = rng.choice(["dash", "hex", "letters", "year", "short"])
    one = {
        "dash": lambda: "%s%s-%05d" % (rng.choice(letters), rng.choice(letters),
                                       rng.randrange(10 ** 5)),
        "hex": lambda: "%012x" % rng.randrange(16 ** 12),
        "letters": lambda: "".join(rng.choices(letters + "23456789", k=8)),
        "year": lambda: "%d/%04d" % (rng.randint(2015, 2024), rng.randrange(10 ** 4)),
        "short": lambda: "%s%04d" % (rng.choice(letters), rng.randrange(10 ** 4)),
    }[way]
    values = set()
    while len(values) < n:
        values.add(one())
    return rng.sample(sorted(values), n)


def contacts(rng, w, n):
    plain = Words(rng, "latin")
    words = plain.pool(200)
    way = rng.choice(["mail", "phone", "url", "ip", "street", "street2"])

    def one():
        if way == "mail":
            return "%s.%s@%s.example" % (rng.choice(words), rng.choice(words), rng.choice(words))
        if way == "phone":
            return "+%d %d %d" % (rng.randint(30, 99), rng.randint(100, 999),
                                  rng.randint(10 ** 5, 10 ** 7))
        if way == "url":
            return "https://%s.example/%s" % (rng.choice(words), rng.choice(words))
        if way == "ip":
            return ".".join(str(rng.randint(1, 254)) for _ in range(4))
        if way == "street":
            return "%s %s %d" % (capital(rng.choice(words)), capital(rng.choice(words[:5])),
                                 rng.randint(1, 180))
        return "%d %s %s" % (rng.randint(1, 180), capital(rng.choice(words)),
                             capital(rng.choice(words[:5])))
    return [one() for _ in range(n)]


def free_texts(rng, w, n):
    if w.script in ("han", "hangul"):
        return [w.word(12, 30) for _ in range(n)]
    return [w.sentence(6, 14) for _ in range(n)]


def mentions(rng, w, n):
    """Short notes of which some name a person, by a title or a given name."""
    plain = Words(rng, "latin")
    notes = [plain.sentence(2, 4) for _ in range(30)]
    names = [capital(x) for x in plain.pool(60)]
    titles = rng.choice([["Frau", "Mr.", "Dr.", "Herrn", "Mrs"], [capital(x) for x in plain.pool(50)]])
    return [rng.choice(notes) if rng.random() < 0.75 else "%s %s %s" % (
        rng.choice(notes), rng.choice(titles), rng.choice(names)) for _ in range(n)]


def partly(rng, w, n):
    """Names or keys that most rows lack, which a word for missing says."""
    values = rng.choice([full_names, number_keys, codes])(rng, w, n)
    lacking = rng.choice(["n/a", "-", "unknown", "NULL"])
    return [one if rng.random() < 0.35 else lacking for one in values]


# ---- Harmless columns ----------------------------------------------------------------------

def categories(rng, w, n):
    words = w.pool(60)
    style = (capital if rng.random() < 0.7 else str) if w.cased else str
    values = []
    for _ in range(rng.choice([3, 6, 12, 25, 45])):
        k = rng.choice([1, 1, 2, 2, 3])
        blank = "" if w.script == "han" else " "
        values.append(blank.join(style(x) for x in rng.sample(words, k)))
    if rng.random() < 0.5:
        return rng.choices(values, [1 / (i + 1) for i in range(len(values))], k=n)
    return rng.choices(values, k=n)


def titles_of_work(rng, w, n):
    """Two capitalized words, of which the second comes again: Senior Engineer."""
    first, second = w.pool(8), w.pool(10)
    style = capital if w.cased else str
    blank = "" if w.script == "han" else " "
    values = sorted({style(rng.choice(first)) + blank + style(rng.choice(second))
                     for _ in range(40)})
    return rng.choices(values, k=n)


def places(rng, w, n):
    """Many towns, of one word or two, of which few are large."""
    style = capital if w.cased else str
    blank = "" if w.script == "han" else " "
    towns = [style(x) if rng.random() < 0.7 else style(x) + blank + style(w.word(1, 2))
             for x in w.pool(rng.choice([20, 60, 90]))]
    return rng.choices(towns, [1 / (i + 1) for i in range(len(towns))], k=n)


def diagnoses(rng, w, n):
    words = w.pool(80)
    blank = "" if w.script == "han" else " "
    values = []
    for _ in range(rng.choice([20, 50, 80])):
        text = blank.join(rng.sample(words, rng.choice([1, 2, 2, 3, 4])))
        values.append(text.capitalize() if w.cased else text)
    return rng.choices(values, [1 / (i + 2) for i in range(len(values))], k=n)


def amounts(rng, w, n):
    way = rng.choice(["wage", "wage", "bell", "decimals", "comma", "negative", "round"])
    if way == "wage":
        scale = rng.choice([7, 8.5, 10])
        return [str(int(rng.lognormvariate(scale, 0.6)) + 1) for _ in range(n)]
    if way == "bell":
        mean = rng.choice([3000, 50000, 110000])
        return [str(max(1, int(rng.gauss(mean, mean / 4)))) for _ in range(n)]
    if way == "decimals":
        return ["%.2f" % rng.lognormvariate(5, 1) for _ in range(n)]
    if way == "comma":
        return [("%.1f" % rng.gauss(80, 20)).replace(".", ",") for _ in range(n)]
    if way == "negative":
        return [str(int(rng.gauss(0, 4000))) for _ in range(n)]
    return [str(100 * int(rng.lognormvariate(6, 0.7))) for _ in range(n)]


def days(rng, w, n):
    form = rng.choice(["{y}-{m:02}-{d:02}", "{y}{m:02}{d:02}", "{m}/{d}/{y}", "{d:02} {name} {y}",
                       "{d:02}{name}{y}"])
    months = w.pool(12)
    out = []
    for _ in range(n):
        m = rng.randint(1, 12)
        out.append(form.format(y=rng.randint(1930, 2015), m=m, d=rng.randint(1, 28),
                               name=months[m - 1]))
    return out


def small_numbers(rng, w, n):
    most = rng.choice([5, 20, 99])
    return [str(rng.randint(0, most)) for _ in range(n)]


def short_codes(rng, w, n):
    values = ["%s%02d" % (rng.choice("ABCDEFGH"), rng.randrange(100)) for _ in range(40)]
    return rng.choices(values, k=n)


IDENTIFIERS = [full_names, full_names, full_names, single_names, number_keys, number_keys,
               number_keys, codes, contacts, free_texts, mentions, partly]
HARMLESS = [categories, categories, titles_of_work, places, diagnoses, amounts, amounts, days,
            small_numbers, short_codes]

# ---- Tables --------------------------------------------------------------------------------

# Headers that speak of something else: content decides before they do.
TOPICS = ["tax_number", "pension", "diagnosis_number", "vote", "party", "crime", "religion", "city",
          "illness", "offence_no", "job", "salary", "education", "caste", "birthplace", "union"]


def header(rng, w, used, topical):
    while True:
        name = rng.choice(TOPICS) if topical and rng.random() < 0.5 else w.word(2, 3)
        if name not in used:
            used.add(name)
            return name


def table(rng):
    """Rows with a header, and what each column is."""
    script = rng.choice(sorted(SCRIPTS) + ["han", "hangul", "latin", "latin"])
    w, n, used = Words(rng, script), rng.choice([80, 200, 500]), set()
    names, columns, truth = [], [], []
    for _ in range(rng.randint(3, 5)):
        make = rng.choice(IDENTIFIERS)
        names.append(header(rng, w, used, True))
        columns.append(make(rng, w, n))
        truth.append(("identifier", make.__name__, script))
    for _ in range(rng.randint(3, 5)):
        make = rng.choice(HARMLESS)
        names.append(header(rng, w, used, False))
        columns.append(make(rng, w, n))
        truth.append(("harmless", make.__name__, script))
    return names, list(zip(*columns)), truth


def person_table(rng):
    """Persons with several rows each, who are known by a name or a code."""
    script = rng.choice(sorted(SCRIPTS) + ["han", "hangul"])
    w, persons, used = Words(rng, script), rng.choice([60, 150, 220]), set()
    make = rng.choice([full_names, full_names, codes, number_keys, single_names])
    ids = list(dict.fromkeys(make(rng, w, 3 * persons)))[:persons]
    towns = w.pool(6)
    traits = [(rng.choice("xy"), str(rng.randint(18, 90)), rng.choice(towns)) for _ in ids]
    wards = [capital(x) for x in w.pool(5)]
    rows = []
    for i, one in enumerate(ids):
        for _ in range(rng.randint(6, 14)):
            rows.append((one, *traits[i], rng.choice(wards), "%.1f" % rng.gauss(50, 9)))
    rng.shuffle(rows)
    names = [header(rng, w, used, False) for _ in rows[0]]
    if rng.random() < 0.5:
        names[0] = rng.choice(["user", "member", "cliente", "Teilnehmer", "pupil", "staff", "driver",
                               "login", "badge", "job", "city"])
    truth = [("identifier", "repeated " + make.__name__, script)] + [
        ("harmless", "of persons", script)] * 5
    return names, rows, truth


def logins(rng, w, n):
    """Short names that persons log in with."""
    plain = Words(rng, "latin")
    way = rng.choice(["word", "initial", "number"])
    if way == "word":
        return plain.pool(n, 2, 3)
    if way == "initial":
        return list(dict.fromkeys(rng.choice("abcdefghijklmnoprst") + x for x in plain.pool(n)))
    return ["%s%d" % (x[:4], rng.randint(1, 99)) for x in plain.pool(n)]


def small_ids(rng, w, n):
    """Numbers of persons, counted or short."""
    if rng.random() < 0.5:
        return [str(i + 1) for i in range(n)]
    digits = rng.choice([3, 4, 5])
    if n > 10 ** (digits - 1):
        digits = 5
    return [str(x) for x in rng.sample(range(10 ** (digits - 1), 10 ** digits), n)]


UNEVEN_SHAPE = "uneven "  # how such ids begin in the truth
PERSON_IDS = [full_names, full_names, single_names, codes, number_keys, logins, small_ids]


def ids_of(rng, w, make, n):
    ids = []
    while len(ids) < n:
        ids = list(dict.fromkeys(ids + make(rng, w, 2 * n)))
    return ids[:n]


def varying(rng, w, n_rows):
    """Columns that change from row to row: what was done, when, how much."""
    things = [capital(x) for x in w.pool(rng.choice([4, 8]))]
    columns = [lambda: "%.1f" % rng.gauss(50, 9), lambda: rng.choice(things),
               lambda: "20%02d-%02d-%02d" % (rng.randint(18, 23), rng.randint(1, 12),
                                            rng.randint(1, 28)),
               lambda: str(rng.randint(0, 40))]
    return [[one() for _ in range(n_rows)] for one in rng.sample(columns, rng.choice([2, 3]))]


def put_together(rng, w, per_id, rows_of_id, more, truth, names):
    """Rows of ids with what never varies within them, and columns that vary."""
    rows = [one for one, n in zip(per_id, rows_of_id) for _ in range(n)]
    columns = list(zip(*rows)) + more(len(rows))
    rows = list(zip(*columns))
    rng.shuffle(rows)
    used = set(names)
    names = names + [header(rng, w, used, False) for _ in columns[len(names):]]
    return names, rows, truth + [("harmless", "beside ids", w.script)] * (
        len(columns) - len(truth))


def script_of(rng):
    return rng.choice(sorted(SCRIPTS) + ["han", "hangul", "latin", "latin", "latin"])


def few_persons(rng):
    """About ten persons of whom nothing but the sex is the same in all rows."""
    w, used = Words(rng, script_of(rng)), set()
    make, n = rng.choice(PERSON_IDS), rng.randint(8, 14)
    sexes = rng.choice([("f", "m"), ("1", "2"), tuple(w.pool(2))])
    ids = ids_of(rng, w, make, n)
    of_id = [sexes[i % 2] if i < 4 else rng.choice(sexes) for i in range(n)]
    names = [header(rng, w, used, False), rng.choice(["sex", "gender", header(rng, w, used, False)])]
    return put_together(rng, w, list(zip(ids, of_id)), [rng.randint(4, 16) for _ in ids],
                        lambda rows: varying(rng, w, rows),
                        [("identifier", "few " + make.__name__, w.script)], names)


EVEN, UNEVEN = ["alike", "alike", "one", "falling"], ["ranked", "one of many"]


def rows_of_persons(rng, way, n):
    """How many rows each has: alike, one or two, falling off, most of them those of a few."""
    if way == "alike":
        return [rng.randint(3, 14) for _ in range(n)]
    if way == "one":
        return [1 if rng.random() < 0.5 else rng.randint(2, 6) for _ in range(n)]
    if way == "falling":
        return [1 + int(rng.expovariate(0.25)) for _ in range(n)]
    if way == "ranked":
        return [max(1, int(n / (i + 1) ** 0.9)) for i in range(n)]
    return [rng.randint(2, 5) for _ in range(n - 1)] + [2 * n]


def long_persons(rng):
    """Persons with very many rows, as those of a diary or a device, and what they are."""
    w, used = Words(rng, script_of(rng)), set()
    make, n = rng.choice(PERSON_IDS), rng.randint(8, 40)
    sexes = rng.choice([("f", "m"), ("1", "2"), tuple(w.pool(2))])
    things = [lambda: rng.choice(sexes), lambda: str(rng.randint(18, 90)),
              lambda: str(rng.randint(1935, 2005)), lambda: str(round(rng.gauss(172, 9))),
              lambda: "%d-%02d-%02d" % (rng.randint(1935, 2005), rng.randint(1, 12),
                                        rng.randint(1, 28))]
    kinds = rng.sample(things, rng.choice([2, 3]))
    ids = ids_of(rng, w, make, n)
    of_id = [tuple(kind() for kind in kinds) for _ in ids]
    least = rng.choice([20, 40, 80])
    names = [header(rng, w, used, False) for _ in range(1 + len(kinds))]
    return put_together(rng, w, [(one, *fixed) for one, fixed in zip(ids, of_id)],
                        [rng.randint(least, 2 * least) for _ in ids],
                        lambda rows: varying(rng, w, rows),
                        [("identifier", "long " + make.__name__, w.script)], names)


def plain_persons(rng, n_kinds=(1, 2, 3), ways=(*EVEN, *UNEVEN)):
    """Persons of whom only impersonal things are the same: a plan, a branch, a tier."""
    w, used = Words(rng, script_of(rng)), set()
    make, n = rng.choice(PERSON_IDS), rng.choice([25, 60, 150])
    ids = ids_of(rng, w, make, n)
    kinds = [[capital(x) for x in w.pool(rng.choice([3, 5, 8]))] for _ in range(rng.choice(n_kinds))]
    of_id = [tuple(rng.choice(kind) for kind in kinds) for _ in ids]
    names = [header(rng, w, used, False) for _ in range(1 + len(kinds))]
    way = rng.choice(ways)
    shape = UNEVEN_SHAPE if way in UNEVEN and len(kinds) == 1 else "plain "
    return put_together(rng, w, [(one, *fixed) for one, fixed in zip(ids, of_id)],
                        rows_of_persons(rng, way, n), lambda rows: varying(rng, w, rows),
                        [("identifier", shape + make.__name__, w.script)], names)


def uneven_persons(rng):
    """Those of whom a few have most of the rows, and one category alone is the same: so are towns
    in their regions."""
    return plain_persons(rng, [1], UNEVEN)


def group_names(rng, w, n):
    """Wards, branches, goods, courses: words, words with a number, two words, short codes."""
    style = capital if w.cased else str
    blank = "" if w.script == "han" else " "
    way = rng.choice(["word", "numbered", "two", "code", "number"])
    if way == "word":
        return [style(x) for x in w.pool(n)]
    if way == "numbered":
        return ["%s%s%d" % (style(w.word(1, 2)), blank, i + 1) for i in range(n)]
    if way == "two":
        first, second = w.pool(max(4, n // 3)), w.pool(max(4, n // 4))
        return [style(rng.choice(first)) + blank + style(rng.choice(second)) for _ in range(n)]
    if way == "code":
        return ["%s%02d" % (rng.choice("ABCDEF"), i + 1) for i in range(n)]
    return [str(i + 1) for i in range(n)]


def groups(rng):
    """Rows of persons in wards, branches and courses, which have a building, a region, a price."""
    w, used = Words(rng, script_of(rng)), set()
    n = rng.choice([8, 15, 30, 60])
    ids = ids_of(rng, w, group_names, n)
    kinds = [[capital(x) for x in w.pool(rng.choice([2, 3, 5]))] for _ in range(rng.choice([0, 1, 1, 2]))]
    of_id = [tuple(rng.choice(kind) for kind in kinds) for _ in ids]
    if rng.random() < 0.3:
        of_id = [(*fixed, "%d.50" % rng.randint(1, 400)) for fixed in of_id]
    names = [header(rng, w, used, False) for _ in range(1 + len(of_id[0]))]
    if rng.random() < 0.5:  # few of them are large
        sizes = [max(1, int(12 * n / (i + 1))) for i in range(n)]
    else:
        least, most = rng.choice([(5, 60), (5, 60), (20, 40), (3, 25)])
        sizes = [rng.randint(least, most) for _ in ids]

    def more(rows):
        return varying(rng, w, rows) + [[rng.choice("fm") for _ in range(rows)],
                                        [str(rng.randint(18, 90)) for _ in range(rows)]]
    return put_together(rng, w, [(one, *fixed) for one, fixed in zip(ids, of_id)], sizes, more,
                        [("harmless", "groups", w.script)], names)


def chains(rng):
    """A person in each row, with a town and its region, a job and its branch, and the like."""
    w, used = Words(rng, script_of(rng)), set()
    n, rows = rng.choice([10, 20, 40, 80]), rng.choice([150, 400, 900])
    ids = ids_of(rng, w, group_names, n)
    above = [capital(x) for x in w.pool(rng.choice([3, 6]))]
    of_id = {one: rng.choice(above) for one in ids}
    skew = rng.choice([0, 0.5, 1, 1])
    cells = rng.choices(ids, [1 / (i + 1) ** skew for i in range(n)], k=rows)
    columns = [cells, [of_id[one] for one in cells], [rng.choice("fm") for _ in cells],
               [str(rng.randint(18, 90)) for _ in cells],
               ["%d-%02d-%02d" % (rng.randint(1935, 2005), rng.randint(1, 12), rng.randint(1, 28))
                for _ in cells], categories(rng, w, rows)]
    keep = [0, 1, *rng.sample([2, 3, 4, 5], 3)]
    names = [header(rng, w, used, False) for _ in keep]
    if 2 in keep and rng.random() < 0.5:
        names[keep.index(2)] = "sex"
    truth = [("harmless", "groups", w.script)] + [("harmless", "beside groups", w.script)] * 4
    return names, list(zip(*[columns[c] for c in keep])), truth


# Kinds of tables in turn.
KINDS = [table, groups, table, person_table, few_persons, chains, plain_persons, uneven_persons,
         long_persons]


# ---- Judging -------------------------------------------------------------------------------

def run(*line):
    done = subprocess.run([os.environ["MINGLE"], *line], capture_output=True)
    if done.returncode != 0:
        raise SystemExit("%s: %s" % (" ".join(line), done.stderr.decode()))
    return done.stdout


def advise(names, rows, folder):
    path = os.path.join(folder, "table.csv")
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([names, *rows])
    return json.loads(run("risk", path, "--advise", "--no-trial", "--json"))


def released(rows, truth, folder):
    """Cells of identifiers that the release of the advised job has, of a table that advise wrote;
    whether its job names an entity."""
    job, release = os.path.join(folder, "job.yaml"), os.path.join(folder, "release.csv")
    run("risk", os.path.join(folder, "table.csv"), "--advise", "-o", job)
    run("anonymize", job, "-o", release, "--quiet")
    with open(job, encoding="utf-8") as file:
        entity = "\nentity:" in file.read()
    with open(release, encoding="utf-8", newline="") as file:
        cells = {cell for row in list(csv.reader(file))[1:] for cell in row}
    ids = {row[c] for row in rows for c, what in enumerate(truth) if what[0] == "identifier"}
    harmless = {row[c] for row in rows for c, what in enumerate(truth) if what[0] == "harmless"}
    return sorted((ids - harmless) & cells), entity


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", type=int, default=270)
    parser.add_argument("--kind", help="one kind of tables alone, as few_persons")
    parser.add_argument("--show", action="store_true", help="print what is judged wrongly")
    args = parser.parse_args()
    wrong = collections.Counter()
    counts = collections.Counter()
    for t in range(args.tables):
        rng = random.Random("%d %d" % (args.seed, t))
        kind = globals()[args.kind] if args.kind else KINDS[t % len(KINDS)]
        of_persons = kind in (person_table, few_persons, plain_persons, uneven_persons,
                              long_persons)
        names, rows, truth = kind(rng)
        with tempfile.TemporaryDirectory() as folder:
            document = advise(names, rows, folder)
            if of_persons and counts["run " + kind.__name__] < RUN_OF_PERSONS:
                found, entity = released(rows, truth, folder)
                counts["run " + kind.__name__] += 1
                counts["run"] += 1
                counts["entity"] += entity
                wrong["run"] += bool(found)
                if found:
                    print("# table %d: its release has %s" % (t, found[:3]))
        for c, (what, make, script) in enumerate(truth):
            advice = document["advice"][c]
            dropped = advice["role"] == "identifier"
            counts[what] += 1
            bad = dropped != (what == "identifier")
            wrong[what] += bad
            counts[kind.__name__, what] += 1
            wrong[kind.__name__, what] += bad
            if make.startswith(UNEVEN_SHAPE):
                counts["uneven"] += 1
                wrong["uneven"] += bad
            if make == "groups":
                counts["group columns"] += 1
                wrong["group columns"] += bad
            if bad and args.show:
                print("# table %d: %s %s (%s) under %r is %s: %s; %s" % (
                    t, what, make, script, names[c], advice["role"], advice["reason"],
                    [row[c] for row in rows[:4]]))
    for kind in sorted({key[0] for key in counts if isinstance(key, tuple)}):
        print("# %s: %d of %d identifiers released, %d of %d harmless columns dropped" % (
            kind, wrong[kind, "identifier"], counts[kind, "identifier"], wrong[kind, "harmless"],
            counts[kind, "harmless"]))
    if counts["group columns"]:
        print("# %d of %d columns of groups dropped" % (wrong["group columns"],
                                                        counts["group columns"]))
    if counts["uneven"]:
        print("# %d of %d ids released whose rows are uneven and of which one category is the same" % (
            wrong["uneven"], counts["uneven"]))
    share = wrong["identifier"] / counts["identifier"]
    dropped = wrong["harmless"] / counts["harmless"]
    print("# %d of %d identifiers released, %d of %d harmless columns dropped" % (
        wrong["identifier"], counts["identifier"], wrong["harmless"], counts["harmless"]))
    print("%s 1 - at most 1 identifier in 100 is released" % (
        "ok" if share <= MOST_RELEASED else "not ok"))
    print("%s 2 - at most 1 harmless column in 10 is dropped" % (
        "ok" if dropped <= MOST_DROPPED else "not ok"))
    print("%s 3 - no release of persons with several rows has a name or key of theirs" % (
        "ok" if wrong["run"] == 0 else "not ok"))
    print("%s 4 - k counts these persons (%d of %d jobs)" % (
        "ok" if counts["entity"] == counts["run"] else "not ok", counts["entity"], counts["run"]))
    print("1..4")
    return 0


if __name__ == "__main__":
    sys.exit(main())
