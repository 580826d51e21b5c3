"""Tables in which a column tells another one, and tables in which none does."""
from people import SURNAMES, delimited

COUNTIES = [c + v for c in "BDFGHKLM" for v in ("alden", "oren")]


def person(chance):
    return [20 + chance.below(50), chance.sex(), chance.pick(COUNTIES), chance.diagnosis()]


QI = ["age", "sex", "county", "diagnosis"]


def telling(name, tell, n=600):
    """Persons and a column that is told by the row."""
    def make(chance):
        rows = [person(chance) for _ in range(n)]
        return delimited(QI + [name], [row + [tell(chance, *row)] for row in rows])
    return make


def age_in_days(chance, age, *_):
    return age * 365 + chance.below(365)


def prefixed_code(chance, _age, _sex, county, _diagnosis):
    """The first three letters are those of the county."""
    return county[:3].upper() + "%05d" % chance.below(100000)


def district(chance, _age, _sex, county, _diagnosis):
    return "%s %s" % (county, chance.pick(["east", "west"]))


def office(_chance, _age, _sex, county, _diagnosis):
    """One for one, by another name."""
    return "office %s" % SURNAMES[COUNTIES.index(county)]


def repeating_text(chance, _age, _sex, county, _diagnosis):
    return "%s in %s %s" % (chance.words(3), county, chance.words(3))


def noisy_copy(chance, age, *_):
    return 20 + chance.below(50) if chance.chance(.1) else age


def independent(chance):
    """Columns that tell nothing, of several kinds and distributions."""
    rows = []
    for _ in range(600):
        rows.append(person(chance) + [
            chance.pick("abc"), chance.pick("uvwxyz"), chance.below(10), chance.below(30),
            chance.below(100), "yes" if chance.chance(.3) else "no",
            int(10 * chance.random() ** 3), "%.1f" % (3 * chance.random()),
            "t%02d" % chance.below(40), chance.pick(["low", "low", "low", "high"])])
    return delimited(QI + ["n%d" % i for i in range(10)], rows)


def mostly_one_value(chance):
    """97 % of a column are one value."""
    rows = [person(chance) + [chance.pick(["x", "y"]) if chance.chance(.03) else "none"]
            for _ in range(600)]
    return delimited(QI + ["extra"], rows)


TABLES = {
    "leak_age_in_days.csv": telling("days", age_in_days),
    "leak_prefix.csv": telling("file", prefixed_code),
    "leak_district.csv": telling("part", district),
    "leak_bijection.csv": telling("desk", office),
    "leak_text.csv": telling("heard", repeating_text),
    "leak_noisy_copy.csv": telling("score", noisy_copy),
    "clean_noise.csv": independent,
    "clean_97_percent.csv": mostly_one_value,
}
