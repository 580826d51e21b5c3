"""Utility measures (docs/definitions.md#measures), from what each row was and is released as."""
import math
from collections import Counter
from fractions import Fraction


def measured(job, released, node=None, k=None):
    """All measures. A row that is left out counts as one at the top."""
    tops = job.tops()
    originals = job.tuples()
    cells = [tops if row is None else row for row in released]
    count = len(cells)
    figures = {}
    losses = {name: mean_loss(job, place, cells) for place, name in enumerate(job.qi)}
    weights = {name: Fraction(str(job.weights.get(name, 1))) for name in job.qi}
    total = sum(weights.values())
    figures["precision"] = precision(job, cells, weights)
    figures["loss"] = sum(losses.values()) / len(losses)
    figures["ncp"] = sum(weights[name] * losses[name] for name in job.qi) / total
    product = math.prod(float(loss) + 1 for loss in losses.values())
    figures["geometric_loss"] = product ** (1 / len(losses)) - 1
    sizes = Counter(cells)
    at_top = sizes[tops]
    figures["discernibility"] = count * at_top + sum(
        size * size for row, size in sizes.items() if row != tops)
    figures["average_class_size"] = Fraction(count, len(sizes))
    figures["c_avg"] = None if k is None else Fraction(count, len(sizes) * k)
    figures["ambiguity"] = mean_ambiguity(job, cells)
    figures["entropy_distortion"] = entropy_distortion(originals, cells)
    figures["nonuniform_entropy"] = nonuniform_entropy(job, originals, cells)
    figures["classification"] = classification(job, cells, tops) if job.label else None
    figures.update(heights(job, node))
    return figures


def precision(job, cells, weights):
    if any(job.hierarchies[name].level(label) is None
           for row in cells for name, label in zip(job.qi, row)):
        return None  # ranges have no level
    lost = sum(weights[name] * mean_step(job, place, cells) for place, name in enumerate(job.qi))
    return 1 - lost / sum(weights.values())


def mean_step(job, place, cells):
    tree = job.hierarchies[job.qi[place]]
    levels = {label: tree.level(label) for label in {row[place] for row in cells}}
    return Fraction(sum(levels[row[place]] for row in cells), tree.height * len(cells))


def mean_loss(job, place, cells):
    tree = job.hierarchies[job.qi[place]]
    sizes = Counter(row[place] for row in cells)
    return sum(size * tree.loss(label) for label, size in sizes.items()) / len(cells)


def mean_ambiguity(job, cells):
    total = 0
    for row, size in Counter(cells).items():
        total += size * math.prod(len(job.hierarchies[name].leaves(label))
                                  for name, label in zip(job.qi, row))
    return Fraction(total, len(cells))


def entropy(rows):
    return -sum(size / len(rows) * math.log2(size / len(rows)) for size in Counter(rows).values())


def entropy_distortion(originals, cells):
    if len(cells) == 1:
        return 0.0
    return (entropy(originals) - entropy(cells)) / math.log2(len(cells))


def nonuniform_entropy(job, originals, cells):
    total = 0.0
    for place, name in enumerate(job.qi):
        tree = job.hierarchies[name]
        column = Counter(row[place] for row in originals)
        pairs = Counter((row[place], cell[place]) for row, cell in zip(originals, cells))
        for (ground, label), size in pairs.items():
            under = len(cells) if label == tree.top else sum(
                column[leaf] for leaf in tree.leaves(label))
            total += size * math.log2(under / column[ground])
    return total


def classification(job, cells, tops):
    labels = [job.ground(cell) for cell in job.table.column(job.label)]
    groups = {}
    for row, label in zip(cells, labels):
        groups.setdefault(row, Counter())[label] += 1
    wrong = sum(sum(counts.values()) - (0 if row == tops else max(counts.values()))
                for row, counts in groups.items())
    return Fraction(wrong, len(cells))


def heights(job, node):
    if node is None:
        return {"height": None, "relative_height": None, "doubling_height": None}
    tall = [job.hierarchies[name].height for name in job.qi]
    return {"height": sum(node),
            "relative_height": sum(Fraction(level, height) for level, height in zip(node, tall)),
            "doubling_height": sum(2 ** level - 1 for level in node)}


# What --utility calls a measure, and how it stands in results.
KEYS = {"precision": "precision", "loss": "loss", "geometric-loss": "geometric_loss",
        "ncp": "ncp", "discernibility": "discernibility", "class-size": "average_class_size",
        "ambiguity": "ambiguity", "entropy": "entropy_distortion",
        "nonuniform-entropy": "nonuniform_entropy", "height": "height",
        "classification": "classification"}


def cost(measure, figures):
    """Lower is better."""
    value = figures[KEYS[measure]]
    return -value if measure == "precision" else value
