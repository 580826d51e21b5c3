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
    return {"prosecutor_max": Fraction(1, min(sizes)),
            "prosecutor_mean": Fraction(len(sizes), rows),
            "uniques": sum(size == 1 for size in sizes),
            "expected_reidentifications": len(sizes)}


def model_figures(model, classes, around):
    """holds, violating_rows, violating_classes of one model."""
    if model["model"] in models.TABLE_LEVEL:
        return {"holds": models.table_holds(model, classes)}
    violating = [one for one in classes if not models.holds(model, one, around)]
    return {"holds": not violating, "violating_classes": len(violating),
            "violating_rows": sum(len(one.rows) for one in violating)}


def largest(figures):
    """The largest, None if one is None."""
    figures = list(figures)
    return None if None in figures else max(figures)
