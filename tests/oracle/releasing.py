"""Judging one written release, whatever method made it: the file against table and result."""
import findings
import measures
import models
import tables
from comparing import expect, expect_figures
from job import excludes_top
from program import Wrong
from suppression import Judge


def read_back(folder, job, keep_order, name="release.csv", node=None):
    """What each row of the table was released as (None: left out); the rest must be unchanged.
    Rows are told apart by the column rid, which passes through."""
    release = tables.read(folder.file(name))
    gone = set(job.identifier) | ({job.entity} if job.entity else set())
    expect("columns of the release", release.names,
           [column for column in job.table.names if column not in gone])
    rows = {rid: row for row, rid in enumerate(job.table.column("rid"))}
    seen = [rows[rid] for rid in release.column("rid")]
    if len(set(seen)) != len(seen):
        raise Wrong("a row was released twice")
    if keep_order and seen != sorted(seen):
        raise Wrong("--keep-order does not keep the order")
    for column in release.names:
        if column not in job.qi:
            original = job.table.column(column)
            for row, cell in zip(seen, release.column(column)):
                expect(f"column {column} of row {row + 1}", cell, original[row])
    released = [None] * job.rows
    for row, cells in zip(seen, release.columns(job.qi)):
        if node is not None:
            cells = tuple(job.hierarchies[name].read(cell, level)
                          for name, cell, level in zip(job.qi, cells, node))
        released[row] = cells
    if job.treatment != "drop" and None in released:
        raise Wrong("rows are missing, though suppressed rows are not dropped")
    return released


def judge_cells(job, released):
    """Released cells are values above the original ones, and equal tuples are released alike."""
    alike = {}
    for ground, cells in zip(job.tuples(), released):
        if alike.setdefault(ground, cells) != cells:
            raise Wrong(f"equal tuples {ground} are released as {alike[ground]} and {cells}")
        if cells is None:
            continue
        for name, original, label in zip(job.qi, ground, cells):
            tree = job.hierarchies[name]
            if not tree.covers(label, original):
                raise Wrong(f"{name}: {original} was released as {label}")
            least, highest = job.bounds(name)
            if cells != job.tops() and not tree.within(original, label, least, highest):
                raise Wrong(f"{name}: {label} is not within the levels {least} to {highest}")


def judge_promise(job, released, limited=True):
    """Every model holds on what was written, and no more is suppressed than allowed."""
    judge = Judge(job)
    if not judge.release_holds(released):
        failing = [model for model in job.models
                   if not findings.model_figures(model, judge.classes(judge.judged(released)),
                                                 judge.around)["holds"]]
        raise Wrong(f"the release breaks {failing}")
    count = judge.suppressed(released)
    if excludes_top(job):
        count = max(count, len(judge.rows_at_top(released)))
    if limited and count > job.limit:
        raise Wrong(f"{count} rows are suppressed, the limit is {job.limit}")


def judge_result(job, released, result, node=None, heights=True):
    """All figures of the result, computed anew from the files."""
    judge = Judge(job)
    classes = judge.classes(judge.judged(released))
    expect("rows", result["rows"], job.rows)
    expect("released_rows", result["released_rows"], sum(cells is not None for cells in released))
    expect("suppressed_rows", result["suppressed_rows"], judge.suppressed(released))
    expect_figures("classes", result["classes"], findings.class_figures(classes))
    expect_figures("risk", result["risk"], findings.risk_figures(classes))
    judge_models(job, classes, judge.around, result["models"])
    figures = measures.measured(job, released, node, job.smallest_k())
    if not heights:  # all rows may be at one node by chance
        figures = {name: figure for name, figure in figures.items() if "height" not in name}
    expect_figures("utility", result["utility"], figures)
    return figures


def judge_models(job, classes, around, said):
    for model in job.models:
        claims = [claim for claim in said if claims_about(claim, model)]
        if len(claims) != 1:
            raise Wrong(f"{len(claims)} of the result's models are {model}")
        expect_figures(f"{model}", claims[0], findings.model_figures(model, classes, around))
        expect(f"{model} measured", claims[0]["measured"],
               models.measured(model, classes, around))


def claims_about(claim, model):
    return claim["model"] == model["model"] and \
        claim["parameters"].get("attribute") == model.get("attribute")
