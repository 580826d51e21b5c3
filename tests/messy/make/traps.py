"""Tables of which somebody could be found in a careless release, and tables that are odd."""
from people import FORENAMES, PATIENT, SURNAMES, beside, delimited, patients


def with_column(name, cell, n=100):
    """A table of patients with one more column in front."""
    def make(chance):
        return delimited([name] + PATIENT,
                         beside([[cell(chance, i) for i in range(n)]], patients(chance, n), 1))
    return make


def full_name(chance, _):
    """Forename, sometimes two of them, and surname."""
    second = " " + chance.pick(FORENAMES) if chance.chance(.4) else ""
    return chance.pick(FORENAMES) + second + " " + chance.pick(SURNAMES) + "-" + chance.pick(SURNAMES)


def split_names(chance):
    """Surname and forename in two columns whose names say nothing."""
    surnames = [chance.pick(SURNAMES) + chance.pick(["", "mann", "er", "sen", "ski"])
                for _ in range(120)]
    forenames = [chance.pick(FORENAMES) for _ in range(120)]
    return delimited(["v1", "v2"] + PATIENT, beside([surnames, forenames], patients(chance, 120), 2))


def uuid(chance, _):
    text = "".join(chance.pick("0123456789abcdef") for _ in range(32))
    return "-".join([text[:8], text[8:12], "4" + text[13:16], "a" + text[17:20], text[20:]])


def email(chance, i):
    return "%s.%s%d@example.org" % (chance.pick(FORENAMES).lower(), chance.pick(SURNAMES).lower(), i)


def phone(chance, _):
    return "+49 30 %d-%d" % (100000 + chance.below(900000), 10 + chance.below(90))


def iban(chance, _):
    account = "%018d" % int(chance.random() * 1e15)
    check = 98 - int(account + "131400") % 97  # DE00 behind the account, letters as numbers
    return "DE%02d%s" % (check, account)


def moment(chance, _):
    return 1577836800 + chance.below(31536000)


def decimal_year(chance, _):
    """As R keeps days: 2016.2581."""
    return "%.4f" % (2014 + chance.random() * 6)


def note(chance, _):
    return chance.words(9) + "."


def key(chance, i):
    return "P-%05d" % (10000 + (i * 7919) % 80021)


def number(_, i):
    return i + 1


def visits(chance):
    """40 patients with 2 to 4 visits each; a patient's sex and birth year stay."""
    rows = []
    for i in range(40):
        person = ["K%04d" % (3000 + i * 37), chance.sex(), 1930 + chance.below(70)]
        for _ in range(2 + chance.below(3)):
            rows.append(person + [chance.pick(["A", "B", "C"]), chance.diagnosis()])
    return delimited(["patient", "sex", "birth_year", "ward", "diagnosis"], rows)


def visits_by_key(names):
    """50 patients with 3 visits each in random order; the key is a number of 6 digits."""
    return lambda chance: delimited(names, key_rows(chance))


def key_rows(chance):
    rows = []
    for i in range(50):
        person = [100000 + (i * 7919) % 80021, chance.sex(), 1930 + chance.below(70)]
        for _ in range(3):
            rows.append(person + [chance.pick(["A", "B", "C"]), chance.diagnosis()])
    return chance.mixed(rows)


def households(chance):
    rows = []
    for i in range(60):
        home = [i + 1, chance.pick(["urban", "rural"]), chance.pick([1, 2, 3])]
        for member in range(1 + chance.below(4)):
            rows.append(home + [member + 1, chance.age(0, 90), chance.sex(), 500 * chance.below(9)])
    return delimited(["hid", "area", "roof", "relation", "age", "sex", "income"], rows)


def weights(chance):
    weight = ["%.3f" % (80 + 60 * chance.random()) for _ in range(150)]
    return delimited(PATIENT + ["sampling_weight"], beside([weight], patients(chance, 150)))


def constants(chance):
    return delimited(["country", "wave"] + PATIENT,
                     beside([["DE"] * 60, ["3"] * 60], patients(chance, 60), 2))


def all_constant(_):
    return delimited(["country", "wave", "unit"], [["DE", "3", "kg"]] * 40)


def amounts_alone(chance):
    """As the business tables of sdcMicro: nothing but near-unique amounts."""
    rows = [[chance.below(900000) - 20000, chance.below(400000), chance.below(90000),
             chance.below(5000000)] for _ in range(100)]
    return delimited(["ASSETS", "DEBT", "PROFIT", "SALES"], rows)


def decimal_amounts_alone(chance):
    """Amounts with decimal commas and nothing else."""
    rows = [[("%.2f" % (chance.random() * top)).replace(".", ",") for top in (9000, 400, 70)]
            for _ in range(100)]
    return delimited(["Umsatz", "Kosten", "Gewinn"], rows, ";")


def one_column(chance):
    return delimited(["age"], [[chance.age()] for _ in range(60)])


def one_column_of_names(chance):
    return delimited(["who"], [[full_name(chance, 0)] for _ in range(60)])


def two_columns(chance):
    return delimited(["age", "diagnosis"],
                     [[chance.age(), chance.diagnosis()] for _ in range(60)])


def rows(n):
    return lambda chance: delimited(PATIENT, patients(chance, n))


def six_rows_missing(chance):
    table = patients(chance, 6)
    table[1][0] = table[4][2] = table[5][3] = ""
    return delimited(PATIENT, table)


def empty_column(chance):
    return delimited(PATIENT + ["later"], beside([[""] * 60], patients(chance, 60)))


def sensitive_constant(chance):
    return delimited(PATIENT, [row[:3] + ["flu"] for row in patients(chance, 80)])


def sensitive_rare(chance):
    """Two values, one of them in 3 of 150 rows."""
    table = patients(chance, 150)
    for i, row in enumerate(table):
        row[3] = "positive" if i in (20, 77, 140) else "negative"
    return delimited(["age", "sex", "zip", "hiv"], table)


def nominal_codes(chance):
    """Numbers that are names: nobody may make a range of them."""
    table = [[chance.pick([1, 2, 3, 4, 5]), chance.pick([1, 2, 9]), chance.pick([1, 2]),
              chance.age(), chance.diagnosis()] for _ in range(120)]
    return delimited(["ethnicity", "marital_status", "sex", "age", "diagnosis"], table)


def icd_codes(chance):
    codes = ["F32.1", "F32.0", "I10", "I21.0", "E11.9", "E11.2", "J45.0", "C50.9", "K25.4"]
    return delimited(["age", "sex", "zip", "icd"],
                     [row[:3] + [chance.pick(codes)] for row in patients(chance, 120)])


def zip_leading_zeros(chance):
    table = [[chance.age(), chance.sex(), "%05d" % (1000 + chance.below(60) * 31),
              chance.diagnosis()] for _ in range(150)]
    return delimited(PATIENT, table)


def ages_to_101(chance):
    table = [[chance.pick([chance.age(0, 101), chance.age(80, 101)])] + row[1:]
             for row in patients(chance, 150)]
    table[3][0], table[99][0] = 101, 0
    return delimited(PATIENT, table)


def birth_years(chance):
    table = [[1918 + chance.below(85)] + row[1:] for row in patients(chance, 150)]
    return delimited(["birth year", "sex", "zip", "diagnosis"], table)


def wide(chance):
    """60 questions: together they single everybody out."""
    table = [[chance.pick(["yes", "no", "no", "?"]) for _ in range(58)] for _ in range(100)]
    return delimited(["age", "sex"] + ["q%02d" % (i + 1) for i in range(58)],
                     [[chance.age(), chance.sex()] + row for row in table])


def duplicate_rows(chance):
    """30 different rows, each of them four times."""
    return delimited(PATIENT, patients(chance, 30) * 4)


def long_cells(chance):
    return delimited(PATIENT + ["story"], beside([[chance.words(700) for _ in range(20)]],
                                                 patients(chance, 20)))


def near_unique_savings(chance):
    """As savings of sdcMicro's testdata: amounts that hardly ever repeat."""
    savings = ["%.1f" % (chance.random() * 9e6) for _ in range(300)]
    table = [row[:3] for row in patients(chance, 300)]
    return delimited(["age", "sex", "zip", "savings"], beside([savings], table))


def names_and_keys(chance):
    """Several identifiers at once, none of them called so."""
    n = 100
    columns = [[full_name(chance, i) for i in range(n)], [key(chance, i) for i in range(n)],
               [email(chance, i) for i in range(n)], [uuid(chance, i) for i in range(n)]]
    return delimited(["a", "b", "c", "d"] + PATIENT, beside(columns, patients(chance, n), 4))


TABLES = {
    "full_names.csv": with_column("label", full_name),
    "split_names.csv": split_names,
    "uuid.csv": with_column("ref", uuid),
    "email.csv": with_column("contact", email),
    "phone.csv": with_column("call", phone),
    "iban.csv": with_column("account", iban),
    "unix_times.csv": with_column("stamp", moment),
    "decimal_years.csv": with_column("when", decimal_year),
    "notes.csv": with_column("remark", note),
    "row_key.csv": with_column("case", key),
    "row_number.csv": with_column("nr", number),
    "visits.csv": visits,
    "visits_by_traits.csv": visits_by_key(["v1", "sex", "birth_year", "ward", "diagnosis"]),
    "visits_unnamed.csv": visits_by_key(["v1", "v2", "v3", "v4", "v5"]),
    "households.csv": households,
    "weights.csv": weights,
    "constants.csv": constants,
    "all_constant.csv": all_constant,
    "amounts_alone.csv": amounts_alone,
    "decimal_amounts_alone.csv": decimal_amounts_alone,
    "one_column.csv": one_column,
    "one_column_of_names.csv": one_column_of_names,
    "two_columns.csv": two_columns,
    "no_rows.csv": rows(0),
    "four_rows.csv": rows(4),
    "five_rows.csv": rows(5),
    "six_rows_missing.csv": six_rows_missing,
    "empty_column.csv": empty_column,
    "sensitive_constant.csv": sensitive_constant,
    "sensitive_rare.csv": sensitive_rare,
    "nominal_codes.csv": nominal_codes,
    "icd_codes.csv": icd_codes,
    "zip_leading_zeros.csv": zip_leading_zeros,
    "ages_to_101.csv": ages_to_101,
    "birth_years.csv": birth_years,
    "wide.csv": wide,
    "duplicate_rows.csv": duplicate_rows,
    "long_cells.csv": long_cells,
    "near_unique_savings.csv": near_unique_savings,
    "names_and_keys.csv": names_and_keys,
}
