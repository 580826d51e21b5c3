"""Tables as programs and countries write them."""
from people import PATIENT, beside, delimited, packed, patients

GERMAN = ["Alter", "Geschlecht", "PLZ", "Diagnose"]


def amounts(chance, n, low, high):
    return [low + chance.random() * (high - low) for _ in range(n)]


def grouped(x, thousands, decimal):
    """1234.5 as 1.234,50 and its like."""
    return "{:,.2f}".format(x).replace(",", "\0").replace(".", decimal).replace("\0", thousands)


def r_row_names(chance):
    """R's write.csv: everything quoted, the first column has no name."""
    rows = beside([[i + 1 for i in range(60)]], patients(chance, 60), 1)
    lines = ['"","age","sex","zip","diagnosis"']
    lines += ['"%d",%d,"%s","%s","%s"' % tuple(row) for row in rows]
    return "\n".join(lines) + "\n"


def r_write_table(chance):
    """R's write.table: blanks between the fields, a header with one field less."""
    lines = ['"age" "sex" "zip" "diagnosis"']
    for i, row in enumerate(patients(chance, 60)):
        lines.append('"%d" %d "%s" "%s" "%s"' % (i + 1, *row))
    return "\n".join(lines) + "\n"


def semicolon_decimal_comma(chance):
    rows = beside([[("%.1f" % x).replace(".", ",") for x in amounts(chance, 80, 17, 39)]],
                  patients(chance, 80))
    return delimited(GERMAN + ["BMI"], rows, ";")


def thousands_german(chance):
    pay = [grouped(round(x / 50) * 50, ".", ",") for x in amounts(chance, 80, 800, 9000)]
    return delimited(GERMAN + ["Einkommen"], beside([pay], patients(chance, 80)), ";")


def thousands_french(chance):
    pay = [grouped(round(x / 50) * 50, "\u00a0", ",") for x in amounts(chance, 80, 800, 9000)]
    return delimited(["âge", "sexe", "code postal", "diagnostic", "salaire"],
                     beside([pay], patients(chance, 80)), ";")


def thousands_swiss(chance):
    pay = [grouped(round(x / 50) * 50, "'", ".") for x in amounts(chance, 80, 800, 9000)]
    return delimited(GERMAN + ["Lohn"], beside([pay], patients(chance, 80)), ";")


def town_rows(chance, n):
    towns = ["Köln", "Göttingen", "Lübeck", "Fürth"]
    return beside([[chance.pick(towns) for _ in range(n)]], patients(chance, n))


def latin1(chance):
    return delimited(["Größe"] + GERMAN[1:] + ["Ort"], town_rows(chance, 60), ";", encoding="latin-1")


def windows1252(chance):
    rows = beside([[chance.pick(["gut – ok", "„besser“", "5 €"]) for _ in range(60)]],
                  patients(chance, 60))
    return delimited(GERMAN + ["Urteil"], rows, ";", end="\r\n", encoding="cp1252")


def utf16(chance):
    return "\ufeff".encode("utf-16-le") + delimited(
        GERMAN + ["Ort"], town_rows(chance, 60), "\t", end="\r\n", encoding="utf-16-le")


def utf8_bom(chance):
    return b"\xef\xbb\xbf" + delimited(GERMAN + ["Ort"], town_rows(chance, 60), ";", end="\r\n")


def crlf(chance):
    return delimited(PATIENT, patients(chance, 60), end="\r\n")


def old_mac(chance):
    return delimited(PATIENT, patients(chance, 60), end="\r")


def quoted_newlines(chance):
    notes = ['%s\n"%s", %s' % (chance.words(4), chance.words(2), chance.words(5)) for _ in range(60)]
    return delimited(PATIENT + ["remark"], beside([notes], patients(chance, 60)))


def trailing_delimiter(chance):
    return delimited(PATIENT + [""], beside([[""] * 60], patients(chance, 60)))


def blanks_and_case(chance):
    rows = [[" %d" % age, chance.pick(["f", "F", "F ", " f"]) if sex == "f" else
             chance.pick(["m", "M", " M"]), zip_code + chance.pick(["", " "]),
             chance.pick([diagnosis, diagnosis.upper(), diagnosis.title() + " "])]
            for age, sex, zip_code, diagnosis in patients(chance, 80)]
    return delimited(PATIENT, rows)


def missing_codes(chance):
    """SAS's dot, a survey's -99, R's NA and a database's 00.00.0000."""
    rows = []
    for age, sex, zip_code, diagnosis in patients(chance, 120):
        visit = "%02d.%02d.%04d" % tuple(reversed(chance.day(2015, 2021)))
        rows.append([-99 if chance.chance(.06) else age, "." if chance.chance(.06) else sex,
                     "NA" if chance.chance(.06) else zip_code, diagnosis,
                     "00.00.0000" if chance.chance(.06) else visit])
    return delimited(PATIENT + ["visit"], rows)


def moments(chance, n):
    return [chance.day(2019, 2021) + (chance.below(24), chance.below(60), chance.below(60))
            for _ in range(n)]


def datetime_iso(chance):
    seen = ["%04d-%02d-%02d %02d:%02d:%02d" % m for m in moments(chance, 120)]
    return delimited(PATIENT + ["admitted"], beside([seen], patients(chance, 120)))


def datetime_german(chance):
    seen = ["%02d.%02d.%04d %02d:%02d" % (m[2], m[1], m[0], m[3], m[4])
            for m in moments(chance, 120)]
    return delimited(GERMAN + ["Aufnahme"], beside([seen], patients(chance, 120)), ";")


def datetime_zone(chance):
    seen = ["%04d-%02d-%02dT%02d:%02d:%02d" % m + chance.pick(["Z", "+02:00", "+01:00"])
            for m in moments(chance, 120)]
    return delimited(PATIENT + ["admitted"], beside([seen], patients(chance, 120)))


def two_digit_years(chance):
    born = ["%02d.%02d.%02d" % (d, m, y % 100)
            for y, m, d in (chance.day(1931, 2009) for _ in range(120))]
    rows = [row[1:] for row in patients(chance, 120)]
    return delimited(["geburt", "sex", "zip", "diagnosis"], beside([born], rows, 1), ";")


def ambiguous_dates(chance):
    """No day is above 12: day or month first?"""
    born = ["%02d/%02d/%04d" % (1 + d % 12, m, y)
            for y, m, d in (chance.day(1931, 2001) for _ in range(100))]
    rows = [row[1:] for row in patients(chance, 100)]
    return delimited(["birth", "sex", "zip", "diagnosis"], beside([born], rows, 1))


def one_bad_date(chance):
    """Line 152 has a day that does not exist."""
    born = ["%04d-%02d-%02d" % chance.day(1931, 2001) for _ in range(300)]
    born[150] = "1961-02-31"
    rows = [row[1:] for row in patients(chance, 300)]
    return delimited(["birth", "sex", "zip", "diagnosis"], beside([born], rows, 1))


def tabs(chance):
    return delimited(PATIENT, patients(chance, 60), "\t")


def pipes(chance):
    return delimited(PATIENT, patients(chance, 60), "|", quote_all=True)


def compressed(chance):
    return packed(delimited(PATIENT, patients(chance, 60)))


def no_header(chance):
    return delimited(None, patients(chance, 60))


def odd_names(chance):
    """Names of columns that a command line or a job file may trip over."""
    names = ["Größe (cm)", 'he said "sex"', "zip, or not", "日本語", " blank ", "--qi", "it's: #1"]
    rows = beside([[chance.pick("abc") for _ in range(60)] for _ in range(3)], patients(chance, 60))
    return delimited(names, rows)


def names_of_options(chance):
    """Names that mean something to the job file, or to YAML."""
    names = ["role", "k", "data", "null", "yes", "attributes", "1", "~"]
    rows = beside([[chance.pick("abc") for _ in range(60)] for _ in range(4)], patients(chance, 60))
    return delimited(names, rows)


def names_twice(chance):
    return delimited(["age", "sex", "zip", "sex"], patients(chance, 30))


def ragged(chance):
    """Line 11 has a field too many."""
    rows = patients(chance, 30)
    rows[9].append("left over")
    return delimited(PATIENT, rows)


TABLES = {
    "r_row_names.csv": r_row_names,
    "r_write_table.txt": r_write_table,
    "semicolon_decimal_comma.csv": semicolon_decimal_comma,
    "thousands_german.csv": thousands_german,
    "thousands_french.csv": thousands_french,
    "thousands_swiss.csv": thousands_swiss,
    "latin1.csv": latin1,
    "windows1252.csv": windows1252,
    "utf16.csv": utf16,
    "utf8_bom.csv": utf8_bom,
    "crlf.csv": crlf,
    "old_mac.csv": old_mac,
    "quoted_newlines.csv": quoted_newlines,
    "trailing_delimiter.csv": trailing_delimiter,
    "blanks_and_case.csv": blanks_and_case,
    "missing_codes.csv": missing_codes,
    "datetime_iso.csv": datetime_iso,
    "datetime_german.csv": datetime_german,
    "datetime_zone.csv": datetime_zone,
    "two_digit_years.csv": two_digit_years,
    "ambiguous_dates.csv": ambiguous_dates,
    "one_bad_date.csv": one_bad_date,
    "tabs.tsv": tabs,
    "pipes.csv": pipes,
    "compressed.csv.gz": compressed,
    "no_header.csv": no_header,
    "odd_names.csv": odd_names,
    "names_of_options.csv": names_of_options,
    "names_twice.csv": names_twice,
    "ragged.csv": ragged,
}
