"""mingle utility: every measure of a release, whoever made it."""
import findings
import measures
import randomized
import randomly
from comparing import expect, expect_figures
from program import Wrong, hierarchy_options, pairs, role_options, write_job
from suppression import Judge


def judge(rng, folder):
    job = randomly.job(rng)
    randomly.weights(rng, job)
    job.levels, job.models = {}, []
    k = rng.choice([None, 2, 3])
    if job.sensitive and rng.random() < 0.5:
        job.label = job.sensitive[0]
    released = randomized.released(rng, job)
    write_job(folder, job)
    randomized.write(job, released, folder.file("release.csv"), rng.shuffle)
    arguments = ["utility", "table.csv", "release.csv", *role_options(job),
                 *hierarchy_options(job), *pairs("--weights", job.weights),
                 "--suppressed", job.treatment]
    arguments += ["-k", str(k)] if k else []
    arguments += ["--utility", f"classification={job.label}"] if job.label else []
    if all(cells is None for cells in released):
        code, _, _ = folder.run(*arguments)
        if code == 0:
            raise Wrong("a release without rows was measured")
        return "refused"
    said = folder.json(*arguments)
    judge_figures(job, released, said, k)
    return "judged"


def judge_figures(job, released, said, k):
    expect("rows", said["rows"], job.rows)
    expect("released_rows", said["released_rows"], sum(cells is not None for cells in released))
    judge = Judge(job)
    expect("suppressed_rows", said["suppressed_rows"], judge.suppressed(released))
    expect_figures("classes", said["classes"],
                   findings.class_figures(judge.classes(judge.judged(released))))
    figures = measures.measured(job, released, None, k)
    if job.label and None in released:
        del figures["classification"]  # what the rows that were left out are is not in the file
    for name in ("height", "relative_height", "doubling_height"):
        del figures[name]  # a file does not say whether it is full-domain
    expect_figures("utility", said["utility"], figures)
