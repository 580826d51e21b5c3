"""What results tell of classes, models and risk, computed from judged classes."""
from fractions import Fraction

import models


def class_figures(classes):
    """In persons, where rows belong to persons."""
    sizes = [one.size for one in classes]
    if not sizes:
        return {"count": 0}
    return {"count": len(sizes), "min": min(sizes), "mean": Fraction(sum(sizes), len(sizes)),
            "max": max(sizes)}


def risk_figures(classes):
    sizes = [one.size for one in classes]
    rows = sum(sizes)
    return {"prosecutor_max": Fraction(1, min(sizes)), "prosecutor_mean": Fraction(len(sizes), rows),
            "uniques": sum(size == 1 for size in sizes),
            "expected_reidentifications": len(sizes)}


def model_figures(model, classes, around):
    """holds, violating_rows, violating_classes of one model."""
    if model["model"] in models.TABLE_LEVEL:
        return {"holds": models.table_holds(model, classes)}
    violating = [one for one in classes if not models.holds(model, one, around)]
    return {"holds": not violating, "violating_classes": len(violating),
            "violating_rows": sum(len(one.rows) for one in violating)}


def measured(model, classes, around):
    """The strongest parameter that the model holds with, None where there is none."""
    kind, name = model["model"], model.get("attribute")
    if kind in models.TABLE_LEVEL:
        return models.table_figure(model, classes)
    counts = [one.counts.get(name) for one in classes]
    whole = around.whole.get(name)
    if kind == "k-anonymity":
        return min(one.size for one in classes)
    if kind == "max-risk":
        return Fraction(1, min(one.size for one in classes))
    if kind == "l-diversity":
        return min(len(c) for c in counts)
    if kind == "p-sensitive":
        return min(models.p_of(one, around) for one in classes)
    if kind == "extended-p-sensitive":
        return min(models.with_k(models.subtrees(one.counts[name], around.trees[name],
                                                 around.protected[name]), one, around)
                   for one in classes)
    if kind == "entropy-l":
        return min(models.entropy_l(c) for c in counts)
    if kind == "recursive-cl":
        return largest(models.recursive_c(c, model["l"]) for c in counts)
    if kind == "alpha":
        return max(models.alpha(c) for c in counts)
    if kind == "t-closeness":
        return max(models.distance(c, name, model["distance"], around) for c in counts)
    if kind == "delta-disclosure":
        return largest(models.delta(c, whole) for c in counts)
    if kind == "beta":
        return max(models.beta(c, whole) for c in counts)
    if kind == "enhanced-beta":
        return largest(models.enhanced_beta(c, whole) for c in counts)
    if kind == "k-map":
        return min(around.matching(one.released) for one in classes)
    if kind == "delta-presence":
        return max(Fraction(one.size, around.matching(one.released)) for one in classes)
    raise ValueError(kind)


def largest(figures):
    """The largest, None if one is None."""
    figures = list(figures)
    return None if None in figures else max(figures)
