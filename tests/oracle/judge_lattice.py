"""mingle lattice: every node, whether it holds, what it suppresses and what it keeps."""
import findings
import fulldomain
import randomly
from comparing import expect, expect_figures
from program import all_options, write_job


def random_job(rng):
    job = randomly.job(rng, nodes=36)
    randomly.weights(rng, job)
    randomly.repeat_labels(rng, job, apart=False)
    randomly.models(rng, job)
    if job.sensitive and rng.random() < 0.2:
        job.label, job.measure = job.sensitive[0], "classification"
    return job


def judge(rng, folder):
    job = random_job(rng)
    write_job(folder, job)
    arguments = ["lattice", "table.csv", *all_options(job)]
    said = folder.json(*arguments, codes=(0, 1))
    lattice = fulldomain.Lattice(job)
    expect("nodes total", said["nodes"]["total"], len(lattice.nodes))
    expect("nodes holding", said["nodes"]["holding"], len(lattice.holding()))
    minimal = sorted(levels_of(job, node) for node in said["minimal_nodes"])
    expect("minimal nodes", minimal, sorted(lattice.minimal()))
    for line in said["lattice"]:
        judge_node(job, lattice, line)
    return "judged"


def levels_of(job, node):
    return tuple(node[name] for name in job.qi)


def judge_node(job, lattice, line):
    node = lattice.find(levels_of(job, line["node"]))
    what = f"node {node.levels}:"
    expect(f"{what} height", line["height"], sum(node.levels))
    expect(f"{what} holds", line["holds"], node.holds)
    expect(f"{what} suppressed_rows", line["suppressed_rows"], node.outcome.suppressed)
    judged = lattice.judge.classes(lattice.judge.judged(node.outcome.released))
    expect(f"{what} classes", line["classes"], findings.class_figures(judged)["count"])
    expect_figures(f"{what} utility", line["utility"], node.figures)
