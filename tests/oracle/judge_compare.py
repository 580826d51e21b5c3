"""mingle compare: each method says what anonymize says of it."""
import json

import judge_releases
from comparing import expect
from program import Wrong, all_options, write_job

METHODS = ["mingen", "samarati", "incognito", "datafly", "top-down", "cell", "mondrian",
           "k-member", "local-suppression"]
ADDITIVE = ["precision", "loss", "ncp", "nonuniform-entropy"]
TOLD = ["rows", "released_rows", "suppressed_rows", "classes", "node", "models", "risk", "bound"]


def judge(rng, folder):
    job = judge_releases.random_job(rng)
    if not any(model["model"] == "k-anonymity" for model in job.models):
        job.models.append({"model": "k-anonymity", "k": 2})
    job.measure, job.preference = rng.choice(ADDITIVE), {}
    methods = rng.sample(METHODS, 3)
    if job.population is not None:
        methods = [method for method in methods if method not in ("mondrian", "k-member")]
    write_job(folder, job)
    code, out, err = folder.run("compare", "table.csv", *all_options(job), "--methods",
                                ",".join(methods), "--json") if methods else (1, "", "")
    if code not in (0, 1):
        raise Wrong(f"exit code {code}: {err.strip()}")
    codes = [alone(folder, job, method) for method in methods]
    if code == 1:
        if 0 in codes:
            raise Wrong(f"nothing to compare, but there is a release: {err.strip()}")
        return "without a release"
    judge_list(folder, methods, codes, out)
    return "compared"


def alone(folder, job, method):
    code, _, _ = folder.run("anonymize", "table.csv", *all_options(job), "--method", method,
                            "--allow-leaks", "-o", f"{method}.csv", "--result", f"{method}.json",
                            "--quiet")
    return code


def judge_list(folder, methods, codes, out):
    said = json.loads(out)
    lines = {line["method"]: line for line in (said if isinstance(said, list) else said["methods"])}
    for method, code in zip(methods, codes):
        line = lines[method]
        if code != 0:
            if "utility" in line and line["utility"]:
                raise Wrong(f"{method} is compared, but it has no release")
            continue
        result = folder.read_json(f"{method}.json")
        for name in TOLD:
            if name in line:
                expect(f"{method} {name}", line[name], result[name])
        for name, figure in line["utility"].items():
            expect(f"{method} utility {name}", figure, result["utility"][name])
