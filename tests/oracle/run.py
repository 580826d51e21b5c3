#!/usr/bin/env python3
"""Random jobs, each answer of the program judged by the definitions.

usage: run.py JUDGE|all [--program build/mingle] [--jobs N] [--seed N] [--processes N]
              [--folder DIR] [--most-failures N]

A job is made from its seed alone; the seeds are SEED, SEED + 1, ... A job that is judged wrong
leaves DIR/JUDGE-SEED with its files, its commands and what was expected; the line that is
printed repeats it. The exit code is 1 if there was one."""
import sys

sys.dont_write_bytecode = True  # the tree stays as it is

import argparse
import collections
import importlib
import multiprocessing
import os
import random
import tempfile
import traceback

from program import Folder, Wrong

HERE = os.path.dirname(os.path.abspath(__file__))


def judges():
    return sorted(name[len("judge_"):-len(".py")] for name in os.listdir(HERE)
                  if name.startswith("judge_") and name.endswith(".py"))


def tested():
    """The judges that `make test` runs; others wait for the program to be mended."""
    return [name for name in judges() if os.path.exists(os.path.join(HERE, f"{name}.sh"))]


def one(task):
    """(seed, what came of the job, why it is wrong or None)"""
    judge, seed, options = task
    path = os.path.join(options.folder, f"{judge}-{seed}")
    folder = Folder(options.program, path)
    again = f"python3 {sys.argv[0]} {judge} --seed {seed} --jobs 1 --program {options.program}"
    try:
        outcome = importlib.import_module(f"judge_{judge}").judge(
            random.Random(f"{judge} {seed}"), folder)
    except Wrong as wrong:
        folder.keep(str(wrong), again)
        return seed, "wrong", f"{wrong}\n  files: {path}\n  to repeat: {again}"
    except Exception:
        folder.keep(traceback.format_exc(), again)
        return seed, "wrong", f"{traceback.format_exc()}\n  files: {path}\n  to repeat: {again}"
    if not options.keep:
        folder.forget()
    return seed, outcome, None


def parsed():
    parser = argparse.ArgumentParser()
    parser.add_argument("judge", choices=[*judges(), "all"])
    parser.add_argument("--program", default="build/mingle")
    parser.add_argument("--jobs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--folder")
    parser.add_argument("--keep", action="store_true", help="keep the folders of all jobs")
    parser.add_argument("--most-failures", type=int, default=5)
    options = parser.parse_args()
    options.program = os.path.abspath(options.program)
    options.folder = os.path.abspath(options.folder or tempfile.mkdtemp(prefix="oracle-"))
    return options


def results(tasks, processes):
    if processes == 1:
        yield from map(one, tasks)
        return
    with multiprocessing.Pool(processes) as pool:
        yield from pool.imap_unordered(one, tasks, chunksize=4)


def run(number, judge, options):
    """Runs the jobs of one judge and prints a TAP line; whether all were right."""
    tasks = [(judge, options.seed + number, options) for number in range(options.jobs)]
    outcomes = collections.Counter()
    for seed, outcome, why in results(tasks, options.processes):
        outcomes[outcome] += 1
        if why:
            print(f"# {judge}, seed {seed}: {why}".replace("\n", "\n# "), flush=True)
            if outcomes["wrong"] >= options.most_failures:
                break
    told = ", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items()))
    verdict = "not ok" if outcomes["wrong"] else "ok"
    print(f"{verdict} {number} - {judge}, seeds {options.seed} to "
          f"{options.seed + options.jobs - 1}: {told}", flush=True)
    return not outcomes["wrong"]


def main():
    options = parsed()
    chosen = tested() if options.judge == "all" else [options.judge]
    right = [run(number, judge, options) for number, judge in enumerate(chosen, 1)]
    print(f"1..{len(chosen)}")
    sys.exit(0 if all(right) else 1)


if __name__ == "__main__":
    main()
