"""Made-up persons for the messy tables, and the writers of plain ones."""
import csv
import gzip
import io
import random

SURNAMES = """Abend Bauer Ceylan Dietz Ebert Fuchs Graf Huber Ilgen Jahn Kraft Lorenz Maier Noll
Otto Pohl Quast Roth Sauer Thiel Ulrich Vogt Weber Xander Yildiz Ziegler Brandt Kessler Lindner
Moser Neumann Oswald Pfeiffer Reuter Seidel Stein Voss Winter Zander Albers Busch Conrad Decker
Engel Frank Geiger Hahn Jansen Kuhn Lange""".split()
FORENAMES = """Anna Ben Clara David Elif Felix Greta Hugo Ida Jonas Klara Leon Mia Noah Olga Paul
Rosa Samuel Tilda Umut Vera Willi Yara Zoe Maria Karl Lena Peter Sofia Emil""".split()
DIAGNOSES = ["flu", "asthma", "ulcer", "diabetes", "migraine", "fracture"]
WORDS = """patient came with pain after the walk and was sent home again late evening nurse saw
swelling knee shoulder slept badly takes drops twice since spring better worse cough dry at night
asks for second opinion lives alone works shifts told about diet will call back""".split()


class Chance:
    """Random choices that are the same with every version of Python."""

    def __init__(self, seed):
        self.random = random.Random(seed).random

    def below(self, n):
        return int(self.random() * n)

    def pick(self, values):
        return values[self.below(len(values))]

    def chance(self, share):
        return self.random() < share

    def mixed(self, values):
        """The values in random order."""
        return [value for _, value in sorted((self.random(), value) for value in values)]

    def age(self, low=18, high=90):
        return low + self.below(high - low + 1)

    def sex(self):
        return self.pick(["f", "m"])

    def zip(self):
        return "%05d" % (10100 + 7 * self.below(12))

    def diagnosis(self):
        return self.pick(DIAGNOSES)

    def day(self, first, last):
        """(year, month, day) of a random day of these years."""
        return first + self.below(last - first + 1), 1 + self.below(12), 1 + self.below(28)

    def words(self, n):
        return " ".join(self.pick(WORDS) for _ in range(n))


def delimited(header, rows, delimiter=",", end="\n", encoding="utf-8", quote_all=False):
    """The bytes of a delimited table; header None: there is none."""
    out = io.StringIO()
    quoting = csv.QUOTE_ALL if quote_all else csv.QUOTE_MINIMAL
    writer = csv.writer(out, delimiter=delimiter, lineterminator=end, quoting=quoting)
    if header is not None:
        writer.writerow(header)
    writer.writerows(rows)
    return out.getvalue().encode(encoding)


def packed(data):
    """gzip without the moment of writing."""
    return gzip.compress(data, mtime=0)


def patients(chance, n):
    """Rows of age, sex, zip, diagnosis: what most tables have besides their trap."""
    return [[chance.age(), chance.sex(), chance.zip(), chance.diagnosis()] for _ in range(n)]


PATIENT = ["age", "sex", "zip", "diagnosis"]


def beside(columns, rows, n_front=0):
    """Adds columns (lists of cells) to rows, the first n_front of them in front."""
    return [
        [c[i] for c in columns[:n_front]] + row + [c[i] for c in columns[n_front:]]
        for i, row in enumerate(rows)
    ]
