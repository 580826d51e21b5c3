"""Builders that know their values, on random values, against a computation that shares nothing with
the program: order, rare, icd10, icd9, isco, isced, iscedf, nace, atc, nuts,
iso3166, grid and columns.

builders.py MINGLE SEED ROUNDS
"""
import collections
import csv
import fractions
import io
import json
import math
import random
import subprocess
import sys

mingle, seed, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
draw = random.Random(seed)
TABLE = "builders.csv"


def write(rows):
    with open(TABLE, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)


def build(column, builder, code=0, more=()):
    """What the hierarchy file says of each value, as a dictionary; for another code the message."""
    done = subprocess.run([mingle, "hierarchy", "build", TABLE, "--hierarchy",
                           "%s=%s" % (column, builder), "--json", "--verbose",
                           *more],
                          capture_output=True, text=True)
    if done.returncode != code:
        sys.exit("%s: exit %d, %s" % (builder, done.returncode, done.stderr))
    if code:
        return done.stderr
    text = json.loads(done.stdout)["hierarchies"][0]["file"]
    return {row[0]: row[1:] for row in csv.reader(io.StringIO(text), delimiter=";")}


def agree(what, got, wanted):
    if got != wanted:
        different = {v: (got.get(v), wanted.get(v)) for v in {*got, *wanted}
                     if got.get(v) != wanted.get(v)}
        sys.exit("%s: got, wanted: %s" % (what, dict(list(different.items())[:5])))


# ---- order, rare -----------------------------------------------------------------------------------

def try_order():
    values = draw.sample(["v%d" % i for i in range(40)] + ["a b", "x,y", "<1", "ä"],
                         draw.randrange(2, 20))
    sizes = [draw.randrange(2, 4)]
    while draw.random() < 0.6:
        sizes.append(sizes[-1] * draw.randrange(2, 4))
    write([["v"]] + [[draw.choice(values)] for _ in range(30)])
    if draw.random() < 0.5:
        with open("order.txt", "w", encoding="utf-8") as file:
            file.writelines('"%s"\n' % v if "," in v else v + "\n" for v in values)
        said = "order.txt"
    else:
        said = " < ".join('"%s"' % v for v in values)
    wanted = {}
    for at, value in enumerate(values):
        groups = [values[at - at % s:at - at % s + s] for s in sizes]
        wanted[value] = [g[0] if len(g) == 1 else g[0] + ".." + g[-1] for g in groups] + ["*"]
    agree("order", build("v", "order(%s; %s)" % (said, ",".join(map(str, sizes)))), wanted)


def try_rare():
    rows = [draw.choice("abcdefgh" + "a" * 10 + "b" * 6) for _ in range(60)]
    write([["v"]] + [[v] for v in rows])
    counts, least = collections.Counter(rows), draw.randrange(1, 9)
    wanted = {v: [v if n >= least else "other", "*"] for v, n in counts.items()}
    agree("rare(%d)" % least, build("v", "rare(%d)" % least), wanted)


# ---- icd10, icd9, iso3166 --------------------------------------------------------------------------------

# By letters and numbers: the chapter of every category, and blocks of several kinds.
CHAPTERS = """A00 B99|C00 D48|D50 D89|E00 E90|F00 F99|G00 G99|H00 H59|H60 H95|I00 I99|J00 J99|K00 K93|
L00 L99|M00 M99|N00 N99|O00 O99|P00 P96|Q00 Q99|R00 R99|S00 T98|V01 Y98|Z00 Z99|U00 U99"""
BLOCKS = {"A09": "A00-A09", "A15": "A15-A19", "B99": "B99-B99", "C50": "C50-C50", "C80": "C76-C80",
          "D36": "D10-D36", "D89": "D80-D89", "E14": "E10-E14", "E68": "E65-E68", "F45": "F40-F48",
          "G47": "G40-G47", "H54": "H53-H54", "H75": "H65-H75", "I21": "I20-I25", "I64": "I60-I69",
          "J18": "J09-J18", "J45": "J40-J47", "K64": "K55-K64", "L40": "L40-L45", "M54": "M50-M54",
          "N18": "N17-N19", "O80": "O80-O84", "P07": "P05-P08", "Q90": "Q90-Q99", "R51": "R50-R69",
          "S72": "S70-S79", "T79": "T79-T79", "V43": "V40-V49", "W19": "W00-W19", "X59": "X58-X59",
          "X90": "X85-Y09", "Y05": "X85-Y09", "Z38": "Z30-Z39", "Z99": "Z80-Z99", "U07": "U00-U49",
          # categories that only ICD-10-CM has
          "E08": "E10-E14", "E09": "E10-E14", "G65": "G60-G64", "G89": "G90-G99", "I16": "I10-I15",
          "K68": "K65-K67", "N52": "N40-N51", "N53": "N40-N51", "N65": "N60-N64", "Y37": "Y35-Y36",
          "Y38": "Y35-Y36", "Z77": "Z80-Z99", "Z78": "Z80-Z99", "Z79": "Z80-Z99"}


def number_of(category):
    return (ord(category[0]) - 65) * 100 + int(category[1:])


def inside(category, label):
    return number_of(label[:3]) <= number_of(category) <= number_of(label[4:])


def chapter_of(category):
    for pair in CHAPTERS.replace("\n", "").split("|"):
        label = pair.replace(" ", "-")
        if inside(category, label):
            return label
    return None


def draw_code(category):
    behind = "".join(draw.choice("0123456789AX") for _ in range(draw.randrange(0, 5)))
    text = category + draw.choice(["", "."]) * bool(behind) + behind
    return text if draw.random() < 0.8 else text.lower()


def try_icd10():
    codes = {}
    while len(codes) < 60:
        category = draw.choice([draw.choice(list(BLOCKS)), "%s%02d" % (
            chr(65 + draw.randrange(26)), draw.randrange(100))])
        if chapter_of(category) is not None:
            codes[draw_code(category)] = category
    write([["v"]] + [[code] for code in codes])
    got = build("v", "icd10(category,block,chapter)")
    for code, category in codes.items():
        level, block, chapter, top = got[code]
        if level != category + ".-" or chapter != chapter_of(category) or top != "*":
            sys.exit("icd10: %s %s" % (code, got[code]))
        known = BLOCKS.get(category)
        if (block != known) if known else block != level and not (
                inside(category, block) and inside(block[:3], chapter) and
                inside(block[4:], chapter)):
            sys.exit("icd10: %s in block %s, wanted %s" % (code, block, known))
    wrong = draw.choice(["D90", "E91", "P97", "T99", "H96", "K9", "9E1", "E11.-"])
    write([["v"], ["E11"], [wrong]])
    if TABLE + ":3:" not in build("v", "icd10", code=2):
        sys.exit("icd10: the line of %s is not told" % wrong)


# ICD-9-CM by numbers: the ends of chapters, and categories with their blocks.
ICD9_ENDS = [139, 239, 279, 289, 319, 389, 459, 519, 579, 629, 679, 709, 739, 759, 779, 799, 999]
ICD9_BLOCKS = {"003": "001-009", "018": "010-018", "042": "042-042", "174": "170-176",
               "250": "249-259", "296": "295-299", "401": "401-405", "410": "410-414",
               "428": "420-429", "486": "480-488", "493": "490-496", "535": "530-539",
               "599": "590-599", "650": "650-659", "715": "710-719", "745": "740-759",
               "780": "780-789", "820": "820-829", "996": "996-999", "V30": "V30-V39",
               "V85": "V85-V85", "E003": "E001-E030", "E885": "E880-E888", "E979": "E979-E979",
               "320": "320-326", "327": "327-327", "633": "630-633", "634": "634-639",
               "V06": "V01-V06", "V07": "V07-V09", "E848": "E846-E848", "E849": "E849-E849",
               "E978": "E970-E978"}
# Causes but for those that no block has.
ICD9_CAUSES = list(range(31)) + sorted(set(range(800, 1000)) - {808, 809, 839, 859, 877, 889})


def chapter_of_icd9(category):
    if category[0] in "VE":
        return {"V": "V01-V91", "E": "E000-E999"}[category[0]]
    start = 1
    for end in ICD9_ENDS:
        if int(category) <= end:
            return "%03d-%03d" % (start, end)
        start = end + 1


def draw_icd9(category):
    behind = "".join(draw.choice("0123456789")
                     for _ in range(draw.randrange(0, 2 if category[0] == "E" else 3)))
    dot = draw.choice(["", "."]) if behind else ""
    front = category.lstrip("0") if category[0].isdigit() and draw.random() < 0.3 else category
    if front != category and behind and not dot:
        front = category
    text = front + dot + behind
    return text if draw.random() < 0.8 else text.lower()


def try_icd9():
    codes = {}
    while len(codes) < 60:
        category = draw.choice([draw.choice(list(ICD9_BLOCKS)), "%03d" % draw.randrange(1, 1000),
                                "V%02d" % draw.randrange(1, 92),
                                "E%03d" % draw.choice(ICD9_CAUSES)])
        codes[draw_icd9(category)] = category
    write([["v"]] + [[code] for code in codes])
    got = build("v", "icd9(category,block,chapter)")
    for code, category in codes.items():
        level, block, chapter, top = got[code]
        known = ICD9_BLOCKS.get(category)
        width = len(category)
        fits = (block == known if known else block == level or
                block[:width] <= category <= block[width + 1:] and len(block) == 2 * width + 1)
        if level != category + ".-" or chapter != chapter_of_icd9(category) or not fits or top != "*":
            sys.exit("icd9: %s %s" % (code, got[code]))
    wrong = draw.choice(["000", "V00", "V92", "E031", "E877", "E85", "250.123", "A00", "250.", "E850.00"])
    write([["v"], ["250"], [wrong]])
    if TABLE + ":3:" not in build("v", "icd9", code=2):
        sys.exit("icd9: the line of %s is not named" % wrong)


# ---- isco, isced, iscedf, nace, atc, nuts ----------------------------------------------------------------

# Each draws a code and says what it belongs to, from fine to coarse; groups by their codes alone.
def draw_isco():
    code = "%d%d%d%d" % tuple(draw.randrange(1, 10) for _ in range(4))
    return code, [code[:3], code[:2], code[0]]


def draw_isced():
    code = "%d%d%d" % (draw.randrange(0, 9), draw.randrange(1, 6), draw.randrange(1, 5))
    group = ["0-2", "3-4", "5-8"][(code[0] > "2") + (code[0] > "4")]
    return draw.choice(["", "ED", "ISCED "]) + code, [code[:2], code[0], group]


def draw_iscedf():
    code = "%02d%d%d" % (draw.randrange(0, 11), draw.randrange(1, 9), draw.randrange(1, 9))
    shown = code.lstrip("0") if code[0] == "0" != code[1] and int(code[1:3]) > 10 else code
    return draw.choice([code, shown]), [code[:3], code[:2]]


SECTIONS = {"A": (1, 3), "B": (5, 9), "C": (10, 33), "D": (35, 35), "E": (36, 39), "F": (41, 43),
            "G": (45, 47), "H": (49, 53), "I": (55, 56), "J": (58, 63), "K": (64, 66), "L": (68, 68),
            "M": (69, 75), "N": (77, 82), "O": (84, 84), "P": (85, 85), "Q": (86, 88), "R": (90, 93),
            "S": (94, 96), "T": (97, 98), "U": (99, 99)}


def draw_nace():
    section = draw.choice(sorted(SECTIONS))
    division = draw.randint(*SECTIONS[section])
    group, last = draw.randrange(1, 10), draw.randrange(1, 10)
    code = "%02d.%d%d" % (division, group, last)
    shown = draw.choice([code, section + code, section.lower() + " " + code, code.replace(".", ""),
                         code.lstrip("0")])
    return shown, [code[:4], code[:2], section]


def draw_atc():
    letters = "".join(draw.choice("ABCDX") for _ in range(2))
    code = "%s%02d%s%02d" % (draw.choice("ABCDGHJLMNPRSV"), draw.randrange(100), letters, draw.randrange(100))
    return draw.choice([code, code.lower()]), [code[:5], code[:4], code[:3], code[0]]


def draw_nuts():
    code = draw.choice(["DE", "FR", "IT", "EL", "UK", "SE"]) + "".join(
        draw.choice("123456789ABCZ") for _ in range(3))
    return draw.choice([code, code.lower()]), [code[:4], code[:3], code[:2]]


def try_codes():
    kinds = {"isco(minor,submajor,major)": draw_isco, "isced": draw_isced,
             "iscedf(narrow,broad)": draw_iscedf, "nace(group,division,section)": draw_nace,
             "atc": draw_atc, "nuts": draw_nuts}
    for builder, drawn in kinds.items():
        codes = dict(drawn() for _ in range(50))
        write([["v"]] + [[code] for code in codes])
        got = build("v", builder)
        for code, groups in codes.items():
            labels = [label.split(" ")[0] for label in got[code]]
            if labels != groups + ["*"]:
                sys.exit("%s: %s %s, wanted %s" % (builder, code, got[code], groups))
        wrong = {"isco": "X221", "isced": "55555", "iscedf": "1299", "nace": "C45.11", "atc": "N2BE01",
                 "nuts": "XX123"}[builder.split("(")[0]]
        write([["v"], [next(iter(codes))], [wrong]])
        if TABLE + ":3:" not in build("v", builder, code=2):
            sys.exit("%s: the line of %s is not named" % (builder, wrong))


# M49 the other way round: the members of each sub-region.
REGIONS = """Africa/Northern Africa: DZ EG LY MA SD TN EH
Africa/Sub-Saharan Africa: IO BI KM DJ ER ET TF KE MG MW MU YT MZ RE RW SC SO SS UG TZ ZM ZW AO CM CF TD CG CD GQ GA ST BW SZ LS NA ZA BJ BF CV CI GM GH GN GW LR ML MR NE NG SH SN SL TG
Americas/Latin America and the Caribbean: AI AG AW BS BB BQ VG KY CU CW DM DO GD GP HT JM MQ MS PR BL KN LC MF VC SX TT TC VI BZ CR SV GT HN MX NI PA AR BO BV BR CL CO EC FK GF GY PY PE GS SR UY VE
Americas/Northern America: BM CA GL PM US
Asia/Central Asia: KZ KG TJ TM UZ
Asia/Eastern Asia: CN HK MO KP JP MN KR TW
Asia/South-eastern Asia: BN KH ID LA MY MM PH SG TH TL VN
Asia/Southern Asia: AF BD BT IN IR MV NP PK LK
Asia/Western Asia: AM AZ BH CY GE IQ IL JO KW LB OM QA SA PS SY TR AE YE
Europe/Eastern Europe: BY BG CZ HU PL MD RO RU SK UA
Europe/Northern Europe: AX DK EE FO FI GG IS IE IM JE LV LT NO SJ SE GB
Europe/Southern Europe: AL AD BA HR GI GR VA IT MT ME MK PT SM RS SI ES
Europe/Western Europe: AT BE FR DE LI LU MC NL CH
Oceania/Australia and New Zealand: AU CX CC HM NZ NF
Oceania/Melanesia: FJ NC PG SB VU
Oceania/Micronesia: GU KI MH FM NR MP PW UM
Oceania/Polynesia: AS CK PF NU PN WS TK TO TV WF
Antarctica/Antarctica: AQ"""


def try_iso3166():
    wanted = {}
    for line in REGIONS.split("\n"):
        place, codes = line.split(": ")
        region, subregion = place.split("/")
        wanted.update({code: [subregion, region, "*"] for code in codes.split()})
    assert len(wanted) == 249
    write([["v"]] + [[code] for code in wanted])
    # NA is Namibia here, not a missing cell.
    agree("iso3166", build("v", "iso3166", more=["--missing", "?"]), wanted)
    # The same countries in other words.
    same = [("NA", "NAM", "516", "Namibia"), ("GB", "GBR", "826", "United Kingdom"),
            ("CH", "CHE", "756", "switzerland"), ("KR", "KOR", "410", "Korea, Republic of"),
            ("CD", "COD", "180", "Congo (the Democratic Republic of the)"),
            ("RE", "REU", "638", "Reunion"), ("TR", "TUR", "792", "Türkiye")]
    write([["v"]] + [[word] for words in same for word in words[1:]])
    agree("names", build("v", "iso3166"),
          {word: wanted[words[0]] for words in same for word in words[1:]})


# ---- grid ------------------------------------------------------------------------------------------

def plain(number):
    text = "%.10f" % float(number)
    text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def draw_point():
    digits = draw.randrange(0, 6)
    low = draw.choice([(-90, 90, -180, 180), (52, 53, 13, 14), (-0.5, 0.5, -0.5, 0.5)])
    return ("%.*f" % (digits, draw.uniform(low[0], low[1])),
            "%.*f" % (digits, draw.uniform(low[2], low[3])))


def degrees_cell(text, size, most):
    number, size = fractions.Fraction(text), fractions.Fraction(size)
    if most == 180 and number == 180:
        number = fractions.Fraction(-180)
    low = number // size * size
    low -= size if low >= most else 0
    return "%s..%s" % (plain(max(low, -most)), plain(min(low + size, most)))


def try_degrees():
    sizes = draw.choice([["0.1", "1", "10"], ["0.25", "0.5", "5"], ["7"], ["0.001", "0.03", "60"]])
    points = [draw_point() for _ in range(60)] + [("90", "180"), ("-90", "-180"), ("0.3", "0.7")]
    between = draw.choice([",", " ", ", ", ";"])
    write([["v"]] + [[between.join(p)] for p in points])
    wanted = {between.join((lat, lon)): [
        degrees_cell(lat, s, 90) + " " + degrees_cell(lon, s, 180) for s in sizes] + ["*"]
        for lat, lon in points}
    agree("degrees", build("v", "grid(%s)" % ",".join(sizes)), wanted)


KM = math.pi * 6371.0088 / 180


def bounds(label):
    latitudes, longitudes = label.split(" ")
    return [float(x) for part in (latitudes, longitudes) for x in part.split("..")]


def judge_cell(point, label, size):
    """Is the place in the cell, and is the cell as large as it says?"""
    lat, lon = float(point[0]), float(point[1])
    lon = -180.0 if lon == 180 else lon
    south, north, west, east = bounds(label)
    slack = size / KM / 900
    if not (south - slack <= lat <= north + slack and west - slack <= lon <= east + slack):
        return "does not hold it"
    at_pole = north == 90 or south == -90
    if not at_pole and abs((north - south) * KM - size) > 2 * slack * KM:
        return "is not as high"
    edge = max(abs(south), abs(north))
    width = (east - west) * KM * math.cos(math.radians(edge))
    if east - west < 360 and not size - 2 * slack * KM <= width:
        return "is narrower"
    if edge < 80 and width > 1.3 * size:
        return "is much wider"
    return None


def try_kilometres():
    sizes = draw.choice([[1, 10, 100], [5, 50], [2, 4, 8, 16], [300]])
    points = [draw_point() for _ in range(80)] + [("90", "0"), ("-90", "180"), ("89.999", "-12")]
    write([["v"]] + [["%s,%s" % p] for p in points])
    got = build("v", "grid(%s)" % ",".join("%gkm" % s for s in sizes))
    cells = [set() for _ in sizes]
    for point in points:
        for level, size in enumerate(sizes):
            label = got["%s,%s" % point][level]
            cells[level].add(tuple(bounds(label)))
            fault = judge_cell(point, label, size)
            if fault is not None:
                sys.exit("%s: the cell %s of %g km %s" % (point, label, size, fault))
    for level, size in enumerate(sizes):  # cells of a level are apart
        slack = size / KM / 450
        for a in cells[level]:
            for b in cells[level]:
                if a != b and all(min(a[i + 1], b[i + 1]) - max(a[i], b[i]) > slack for i in (0, 2)):
                    sys.exit("the cells %s and %s overlap" % (a, b))


# ---- columns ---------------------------------------------------------------------------------------

def parents_of(rows):
    """{zip: [labels]}, or None if some value has two parents: looking at all pairs of rows."""
    known = {z: [{r[i] for r in rows if r[0] == z and r[i]} for i in (1, 2)] for z, _, _ in rows}
    if any(len(s) > 1 for z in known for s in known[z]):
        return None
    county = {z: next(iter(known[z][0]), None) for z in known}
    state = {z: next(iter(known[z][1]), None) for z in known}
    for name in set(county.values()) - {None}:
        states = {state[z] for z in known if county[z] == name} - {None}
        if len(states) > 1:
            return None
        for z in known:
            if county[z] == name and states:
                state[z] = next(iter(states))
    wanted = {}
    for z in known:
        below = county[z] or z
        above = state[z]
        if above is not None and any(above in (r[0], r[1]) for r in rows):
            above = "state=" + above
        if county[z] is not None and any(county[z] == r[0] for r in rows):
            below = "county=" + county[z]
        wanted[z] = [below, above or below, "*"]
    return wanted


def try_columns():
    tree = {"z%d" % i: ("c%d" % (i // 3), "s%d" % (i // 6)) for i in range(12)}
    if draw.random() < 0.5:
        tree = {z: (c, s.replace("s0", "c0")) for z, (c, s) in tree.items()}
    rows = []
    for _ in range(40):
        z = draw.choice(list(tree))
        c, s = tree[z]
        if draw.random() < 0.01:
            c = "c%d" % draw.randrange(4)
        rows.append((z, c if draw.random() < 0.5 else "", s if draw.random() < 0.5 else ""))
    write([["zip", "county", "state"]] + rows)
    wanted = parents_of(rows)
    if wanted is not None:
        agree("columns", build("zip", "columns(county,state)"), wanted)
        return
    message = build("zip", "columns(county,state)", code=3)
    if "lies in" not in message or message.count("(line ") != 2:
        sys.exit("columns: " + message)


for _ in range(rounds):
    for attempt in (try_order, try_rare, try_icd10, try_icd9, try_codes, try_degrees, try_kilometres, try_columns):
        attempt()
try_iso3166()
