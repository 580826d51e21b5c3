"""Calling the program: a folder per job, options from a job, and what is left when it is wrong."""
import json
import os
import shlex
import shutil
import subprocess

import hierarchies


class Wrong(Exception):
    """The program does not agree with the oracle."""


class Folder:
    """The files of one job, and every command that was run on them."""

    def __init__(self, program, path):
        self.program = program
        self.path = path
        self.commands = []
        if os.path.exists(path):  # of an earlier run
            shutil.rmtree(path)
        os.makedirs(path)

    def file(self, name):
        return os.path.join(self.path, name)

    def run(self, *arguments):
        """Exit code, standard output and standard error."""
        self.commands.append(shlex.join(["mingle", *arguments]))
        done = subprocess.run([self.program, *arguments], cwd=self.path, capture_output=True,
                              text=True, stdin=subprocess.DEVNULL)
        if done.returncode < 0 or "Sanitizer" in done.stderr:
            raise Wrong(f"it crashed ({done.returncode}): {done.stderr[-2000:]}")
        if "please report" in done.stderr:
            raise Wrong(done.stderr)
        return done.returncode, done.stdout, done.stderr

    def json(self, *arguments, codes=(0,)):
        """The result on standard output; any other exit code than those named is wrong."""
        code, out, err = self.run(*arguments, "--json")
        if code not in codes:
            raise Wrong(f"exit code {code}, expected {codes}: {err.strip()}")
        return json.loads(out)

    def read_json(self, name):
        with open(self.file(name), encoding="utf-8") as file:
            return json.load(file)

    def exists(self, name):
        return os.path.exists(self.file(name))

    def keep(self, why, again):
        """Leaves the commands and what was expected beside the files."""
        with open(self.file("commands"), "w", encoding="utf-8") as file:
            file.write("\n".join(self.commands) + "\n")
        with open(self.file("expected"), "w", encoding="utf-8") as file:
            file.write(f"{why}\n\nto repeat: {again}\n")

    def forget(self):
        shutil.rmtree(self.path)


def text(value):
    """A parameter as it is typed: fractions as decimals."""
    if hasattr(value, "denominator") and value.denominator != 1:
        return f"{float(value):.12g}"
    return str(value)


def write_job(folder, job):
    """Writes table, hierarchies and population."""
    job.table.write(folder.file("table.csv"))
    for name, tree in job.hierarchies.items():
        if tree.option is None:
            hierarchies.write(folder.file(f"{name}.tree"), tree.lines)
    for name, tree in job.trees.items():
        hierarchies.write(folder.file(f"{name}.sensitive"), tree.lines)
    if job.population is not None:
        job.population.write(folder.file("population.csv"))


def role_options(job):
    options = []
    for columns in job.sets or [job.qi]:
        options += ["--qi-set" if job.sets else "--qi", ",".join(columns)]
    for role in ("sensitive", "identifier", "insensitive"):
        if getattr(job, role):
            options += [f"--{role}", ",".join(getattr(job, role))]
    return options + ["--missing", ",".join(job.missing)] + value_options(job)


def value_options(job):
    """What counts as a value of a sensitive column."""
    options = ["--spelling", "exact"] if job.spelling == "exact" else []
    options += ["--missing-sensitive", "value"] if job.missing_sensitive == "value" else []
    return options + pairs("--kind", job.kinds)


def hierarchy_options(job):
    options = []
    for name, tree in job.hierarchies.items():
        if tree.option != "ranges":
            options += ["--hierarchy", f"{name}={tree.option or name + '.tree'}"]
    return options


def model_options(job):
    options = []
    for model in job.models:
        kind, name = model["model"], model.get("attribute")
        numbers = [text(value) for key, value in model.items()
                   if key not in ("model", "attribute", "distance")]
        if kind == "k-anonymity":
            options += ["-k", numbers[0]]
        else:
            option = "--extended-p" if kind == "extended-p-sensitive" else f"--{kind}"
            value = ",".join(numbers)
            options += [option, f"{name}={value}" if name else value]
        if model.get("distance", "equal") != "equal":
            options += ["--distance", f"{name}={model['distance']}"]
    for name in job.trees:
        options += ["--sensitive-hierarchy", f"{name}={name}.sensitive"]
        if job.protected.get(name):
            options += ["--protect", f"{name}={','.join(sorted(job.protected[name]))}"]
    if job.population is not None:
        options += ["--population", "population.csv"]
    if job.entity:
        options += ["--entity", job.entity]
    return options


def pairs(option, values):
    return [option, ",".join(f"{name}={value}" for name, value in values.items())] if values else []


def search_options(job):
    options = ["--suppressed", job.treatment]
    if job.limit_text is not None:
        options += ["--suppress", job.limit_text]
    levels = {name: f"{low}..{high}" for name, (low, high) in job.levels.items()}
    options += pairs("--level", levels)
    options += pairs("--weights", job.weights)
    options += pairs("--preference", job.preference)
    options += pairs("--likelihood", job.likelihood)
    measure = f"classification={job.label}" if job.measure == "classification" else job.measure
    options += ["--utility", measure]
    if job.prefer:
        options += ["--prefer", ",".join(job.prefer)]
    return options


def all_options(job):
    return role_options(job) + hierarchy_options(job) + model_options(job) + search_options(job)
