"""Datafly step by step (docs/definitions.md#datafly; figure 8 of the paper)."""
from fractions import Fraction

from fulldomain import recoded
from suppression import Judge


def run(job, limited):
    """The node Datafly stops at and what it comes to. `limited`: --suppress was given."""
    judge = Judge(job)
    levels = [job.bounds(name)[0] for name in job.qi]
    while True:
        released = recoded(job, levels)
        if limited:
            outcome = judge.treated(released)
            done = outcome.suppressed <= job.limit and outcome.holds
        else:
            outcome = judge.treated(released, job.rows)
            violating = sum(len(one.rows) for one in judge.classes(released)
                            if not judge.class_holds(one))
            done = violating <= job.smallest_k()
        if done:
            return levels, outcome
        place = next_column(job, levels, released)
        if place is None:
            return levels, outcome
        levels[place] += 1


def next_column(job, levels, released):
    """The column with the most distinct values times its preference; None if all are at the top."""
    best, best_weight = None, None
    for place, name in enumerate(job.qi):
        if levels[place] >= job.bounds(name)[1]:
            continue
        values = len({row[place] for row in released})
        weight = values * Fraction(str(job.preference.get(name, 1)))
        if best is None or weight > best_weight:
            best, best_weight = place, weight
    return best
