"""population_uniques.py MINGLE: estimates of population uniques against their definitions.

Zayatz' formula is computed with fractions, without an error; the likelihood of Pitman's model and
the equations of the slide negative binomial are summed term by term, as they are written down.
"""
import json
import math
import random
import subprocess
import sys
from collections import Counter
from fractions import Fraction

mingle = sys.argv[1]
failures = 0


def compare(name, sizes, fraction, got, wanted, tolerance=1e-12):
    global failures
    if got is None or abs(got - wanted) > tolerance * abs(wanted):
        failures += 1
        print(f"{name} of {len(sizes)} classes, fraction {fraction}: {got!r}, should be {wanted!r}")


def found(sizes, fraction):
    """What the program says about a table with classes of these sizes."""
    with open("t.csv", "w") as table:
        table.write("a\n" + "".join(f"v{i}\n" * size for i, size in enumerate(sizes)))
    got = subprocess.run([mingle, "risk", "t.csv", "--qi", "a", "--sampling-fraction",
                          repr(fraction), "--json"], capture_output=True, text=True, check=True)
    return json.loads(got.stdout)["population_uniques"]


def zayatz(sizes, fraction):
    rows, ones = sum(sizes), sizes.count(1)
    persons = Fraction(rows / fraction)
    product, step, total = Fraction(1), 0, Fraction(0)
    for size, classes in sorted(Counter(sizes).items()):
        while step < size - 1 and product:
            step += 1
            product *= max(persons - rows + 1 - step, 0) / (persons - step)
            product = Fraction(math.floor(product * 2**600), 2**600)  # else it grows and grows
        total += classes * size * product
    return float(ones / total * ones / Fraction(fraction))


def root(f, low, high):
    """Where f, which falls, is 0, by halving."""
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    return (low + high) / 2


def pitman(sizes, fraction):
    rows, classes = sum(sizes), len(sizes)

    def theta(alpha):
        return math.exp(root(lambda log_theta: math.fsum(
            [1 / (math.exp(log_theta) + i * alpha) for i in range(1, classes)] +
            [-1 / (math.exp(log_theta) + i) for i in range(1, rows)]), -20.7, 35))

    def by_alpha(alpha):
        t = theta(alpha)
        return math.fsum([i / (t + i * alpha) for i in range(1, classes)] +
                         [-1 / (i - alpha) for size in sizes for i in range(1, size)])
    alpha = root(by_alpha, 1e-6, 1 - 1e-9)
    t, persons = theta(alpha), round(rows / fraction)
    return persons * math.exp(math.fsum(math.log1p((alpha - 1) / (t + i)) for i in range(1, persons)))


random.seed(19)
for fraction in (0.999, 0.9, 0.5, 1 / 3, 0.1, 0.01, 1e-4, 1e-6, 1e-9):
    for largest in (2, 9, 300):
        sizes = [1] + [min(largest, int(random.paretovariate(0.8))) for _ in range(200)]
        compare("zayatz", sizes, fraction, found(sizes, fraction)["zayatz"], zayatz(sizes, fraction))

for sizes, fraction in (([1] * 30 + [2] * 8 + [3] * 4 + [5, 5, 12, 40], 0.01),
                        ([1] * 60 + [2] * 9 + [4] * 3 + [9, 30, 100], 0.1),
                        ([1] * 20 + [2] * 3 + [5, 60], 0.005)):
    compare("pitman", sizes, fraction, found(sizes, fraction)["pitman"], pitman(sizes, fraction))

# One large class says nothing about uniques, and does not undo what the others say.
small = [1] * 40 + [2] * 30 + [3] * 20 + [4] * 10
without = found(small, 0.5)["snb"]
compare("snb", small, 0.5, found(small + [20000], 0.5)["snb"], without, 0.2)
sys.exit(failures > 0)
