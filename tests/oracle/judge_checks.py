"""mingle check: the strongest parameters that a file holds, and models tested on it."""
import findings
import models
import randomized
import randomly
import releasing
import richly
from comparing import expect, expect_figures
from program import hierarchy_options, model_options, role_options, write_job
from suppression import Judge
from tables import Table


def judge(rng, folder):
    job = randomly.job(rng)
    while randomly.has_token_labels(job):  # a table may have them for missing cells
        job = randomly.job(rng)
    randomly.models(rng, job)
    if rng.random() < 0.4:
        richly.enrich(rng, job)
    released = randomized.released(rng, job)
    kept = [row for row, cells in enumerate(released) if cells is not None]
    if not kept:
        return "empty"
    write_job(folder, job)
    job.identifier = []
    randomized.write(job, released, folder.file("release.csv"), with_persons=True)
    arguments = ["check", "release.csv", *role_options(job), *model_options(job),
                 *hierarchy_options(job), "--suppressed", job.treatment]
    shrink(job, kept)
    released = [released[row] for row in kept]
    judge = Judge(job)
    if models.refused(job.models, judge.around, job.smallest_k()):
        return "refused"
    classes = judge.classes(judge.judged(released))
    holds = models.all_hold(job.models, classes, judge.around)
    said = folder.json(*arguments, codes=(0 if holds else 1,))
    judge_said(job, judge, released, classes, said)
    return "holds" if holds else "does not hold"


def shrink(job, kept):
    """Leaves rows of the table out. Values are called by their least spelling, and hierarchies call
    them as the rows that are left do."""
    before = job.sensitive_values()
    job.table = Table(job.table.names, [job.table.rows[row] for row in kept])
    for name, after in job.sensitive_values().items():
        if name in job.trees:
            called = {before[name][row]: value for row, value in zip(kept, after)}
            paths = job.trees[name].paths
            job.trees[name].paths = {called.get(leaf, leaf): (called.get(leaf, leaf), *path[1:])
                                     for leaf, path in paths.items()}


def judge_said(job, judge, released, classes, said):
    expect("rows", said["rows"], job.rows)
    expect("suppressed_rows", said["suppressed_rows"], judge.suppressed(released))
    expect_figures("classes", said["classes"], findings.class_figures(classes))
    expect("k", said["k"], min(one.size for one in classes))
    expect_figures("risk", said["risk"], findings.risk_figures(classes))
    releasing.judge_models(job, classes, judge.around, said["models"])
    for name in job.sensitive:
        judge_attribute(name, classes, judge.around, said["attributes"][name])
    for name, tree in job.trees.items():
        expect(f"{name} t_hierarchical", said["attributes"][name]["t_hierarchical"],
               max(models.distance(one.counts[name], name, "hierarchical", judge.around)
                   for one in classes))
        if job.protected[name]:
            expect(f"{name} extended_p", said["attributes"][name]["extended_p"],
                   min(models.subtrees(models.looked_at(one.counts[name], "extended-p-sensitive",
                                                        judge.around),
                                       tree, job.protected[name])
                       for one in classes))


def judge_attribute(name, classes, around, said):
    """Per sensitive attribute the strongest parameter each model holds with."""
    counts = [one.counts[name] for one in classes]
    known = [models.looked_at(c, "l-diversity", around) for c in counts]
    whole = around.whole[name]
    expect(f"{name} p", said["p"], min(map(len, known)))
    expect(f"{name} distinct_l", said["distinct_l"], min(map(len, known)))
    expect(f"{name} entropy_l", said["entropy_l"], min(map(models.entropy_l, known)))
    expect(f"{name} alpha", said["alpha"], max(map(models.alpha, known)))
    for kind in ("equal", "ordered"):
        expect(f"{name} t_{kind}", said[f"t_{kind}"],
               max(models.distance(c, name, kind, around) for c in counts))
    expect(f"{name} beta", said["beta"], max(models.beta(c, whole) for c in counts))
    expect(f"{name} enhanced_beta", said["enhanced_beta"],
           findings.largest(models.enhanced_beta(c, whole) for c in counts))
    expect(f"{name} delta", said["delta"],
           findings.largest(models.delta(c, whole) for c in counts))
    for l, infimum in said["recursive_c"].items():
        expect(f"{name} recursive_c for {l}", infimum,
               findings.largest(models.recursive_c(c, int(l)) for c in known))
