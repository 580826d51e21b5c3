#!/usr/bin/env python3
"""Runs advise, anonymize, check and attack on every messy table and judges what comes out.

judge.py [--folder DIR] [NAME...] in a scratch folder; DIR has the expectations (default: this
folder) and $MINGLE and $MINGLE_RELEASE are the programs. One TAP
line for each table, below it a line for everything that is not as expected."""
import json
import os
import pathlib
import re
import subprocess
import sys

import tables
from expectations import all_expectations

CHECKED = os.environ["MINGLE"]                       # with sanitizers
FAST = os.environ.get("MINGLE_RELEASE", CHECKED)     # for what only looks at a release
LARGE = 5000                                         # cells from which on only FAST is run
OUTPUTS = ["--keep-order", "-o", "release.csv", "--result", "result.json"]


def effort(method):
    """The cell level, which is what runs if no method is named, need not be at its best."""
    return [] if method and method != "cell" else ["--effort", "fast"]


class Run:
    """A command that has ended."""

    def __init__(self, program, *args):
        done = subprocess.run([program, *args], stdin=subprocess.DEVNULL, capture_output=True)
        self.code, self.line = done.returncode, "mingle " + " ".join(args)
        self.out, self.err = (b.decode("utf-8", "replace") for b in (done.stdout, done.stderr))

    def both(self):
        return self.out + self.err

    def json(self):
        try:
            return json.loads(self.out)
        except ValueError:
            return {}


class Judge:
    """What is wrong about one table."""

    def __init__(self, expectation, location):
        self.expectation, self.location = expectation, location
        self.wrong, self.raw = [], None
        self.program = CHECKED

    def must(self, truth, message):
        if not truth:
            self.wrong.append(message)
        return truth

    def run(self, *args, program=None):
        run = Run(program or self.program, *args)
        crashed = run.code < 0 or run.code > 4 or "Sanitizer" in run.err or "runtime error" in run.err
        self.must(not crashed, "%s: crashed (exit %d): %s" % (run.line, run.code, run.err[:1500]))
        self.must(run.code in (0, 1) or re.search(r"^mingle: ", run.err, re.M),
                  "%s: exit %d without a message" % (run.line, run.code))
        return run

    def ends(self, run, codes):
        return self.must(run.code in codes, "%s: exit %d, expected %s: %s" % (
            run.line, run.code, "|".join(map(str, sorted(codes))), run.err.strip()[:600]))

    # ---- advice

    def chain(self):
        how = self.expectation.read
        if how.get("raw") != "none" and 0 in self.expectation.exits["advise"]:
            self.raw = tables.read(self.location, how)
            if len(self.raw.rows) * len(self.raw.header) > LARGE:
                self.program = FAST
        self.advise()
        for i, hand in enumerate(self.expectation.hands):
            self.hand(i + 1, hand)

    def advise(self):
        options = [self.location, "--advise", *self.expectation.args]
        told = self.run("risk", *options, "-o", "job.yaml", "--result", "advice.json")
        for (pattern,) in self.expectation.of("says"):
            self.must(re.search(pattern, told.both(), re.M),
                      "%s: does not say %s: %s" % (told.line, pattern, told.both()[:1500]))
        if not self.ends(told, self.expectation.exits["advise"]) or told.code != 0:
            return
        advice = {a["column"]: a for a in
                  json.loads(pathlib.Path("advice.json").read_text()).get("advice", [])}
        self.roles(advice)
        self.builders(advice)
        self.job(told)
        release = self.anonymize(advice)
        if release is not None:
            self.agreement()

    def roles(self, advice):
        def role(column):
            if not self.must(column in advice, "advice has no column %r" % column):
                return None
            return advice[column]["role"]
        for key, allowed in (("role", True), ("never", False)):
            for (text,) in self.expectation.of(key):
                column, _, roles = text.rpartition("=")
                self.must((role(column) in roles.split("|")) == allowed,
                          "%s is advised as %s (%s); %s %s" % (
                              column, role(column), advice.get(column, {}).get("reason"), key, roles))
        for (text,) in self.expectation.of("reason"):
            column, _, pattern = text.partition("=")
            self.must(re.search(pattern, advice.get(column, {}).get("reason", "")),
                      "the reason given for %s is %r, not like %s" % (
                          column, advice.get(column, {}).get("reason"), pattern))

    def builders(self, advice):
        for key, wanted in (("builder", True), ("nobuilder", False)):
            for (text,) in self.expectation.of(key):
                column, _, pattern = text.partition("=")
                builder = advice.get(column, {}).get("hierarchy")
                if builder is not None:
                    self.must(bool(re.search(pattern, builder)) == wanted,
                              "the hierarchy of %s is %s; %s %s" % (column, builder, key, pattern))
        told = self.run("hierarchy", "suggest", "job.yaml", "--json", program=FAST).json()
        suggested = {s.get("column"): s.get("builder", s.get("hierarchy"))
                     for s in told.get("hierarchies", [])}
        for column, one in advice.items():
            if one["role"] == "quasi" and one.get("hierarchy") and suggested.get(column):
                self.must(one["hierarchy"] == suggested[column],
                          "%s: advice says %s, hierarchy suggest %s" % (
                              column, one["hierarchy"], suggested[column]))

    def job(self, told):
        text = pathlib.Path("job.yaml").read_text()
        for key, wanted in (("job", True), ("nojob", False)):
            for (pattern,) in self.expectation.of(key):
                found = any(re.search(pattern, line.split(" # ")[0]) for line in text.splitlines()
                            if not line.startswith("#"))
                self.must(found == wanted, "the job has %s line like %s: %s" % (
                    "no" if wanted else "a", pattern, text))
        for column, persons in self.expectation.of("entity"):
            self.must(re.search(r'^entity: *"?%s"?\s*(#|$)' % re.escape(column), text, re.M),
                      "the job does not say entity: %s: %s" % (column, text))
            self.must(re.search(r"\b%s persons|persons +%s\b" % (persons, persons), told.both()),
                      "advice does not say %s persons: %s" % (persons, told.both()[:1500]))

    # ---- the release

    def anonymize(self, advice):
        allowed = self.expectation.exits["anonymize"]
        method = re.search(r"^method: *(\S+)", pathlib.Path("job.yaml").read_text(), re.M)
        run = self.run("anonymize", "job.yaml", *effort(method and method.group(1)), *OUTPUTS)
        for (pattern,) in self.expectation.of("warns"):
            self.must(re.search(pattern, run.both()), "%s: does not say %s: %s" % (
                run.line, pattern, run.both()[:1500]))
        if not self.ends(run, allowed) or run.code != 0:
            self.must(not os.path.exists("release.csv"), "%s: failed and left a release" % run.line)
            return None
        result = json.loads(pathlib.Path("result.json").read_text())
        columns = result["audit"]["columns"]
        for column in columns:
            told = advice.get(column["column"], {}).get("role")
            self.must(told in (column["role"], None) or column["role"] == "entity",
                      "%(column)s is %(role)s in the result" % column + ", advised as %s" % told)
        self.must(any(m["model"] == "k-anonymity" and m["parameters"]["k"] == 5
                      for m in result["models"]), "the advised job does not ask for k = 5")
        roles = {c["column"]: c["role"] for c in columns if c["released"]}
        entity = result["audit"]["job"].get("entity")
        release = self.judged("the advised release", roles, entity, result["method"])
        for (text,) in self.expectation.of("cells"):
            self.cells(release, text)
        return release

    def judged(self, what, roles, entity, method):
        """Reads release.csv; everything that a release must hold, whoever chose the roles."""
        how = {**self.expectation.read, "encoding": "utf-8-sig"}
        if how.get("header") == "short":
            how["header"] = "yes"
        release = tables.read("release.csv", how)
        quasi = [name for name in release.header if roles.get(name) == "quasi"]
        n_rows = int(how.get("rows", len(self.raw.rows) if self.raw else 0))
        for (rows,) in self.expectation.of("rows"):
            n_rows = int(rows)
        if not self.must(len(release.rows) == n_rows, "%s has %d rows, expected %d" % (
                what, len(release.rows), n_rows)) or not n_rows:
            return release
        if quasi:
            persons = self.raw.column(entity) if entity and self.raw else range(n_rows)
            fewest, where = tables.smallest_class(release, quasi, persons)
            self.must(fewest >= 5, "%s: a tuple is that of %d only: %s" % (
                what, fewest, dict(zip(quasi, where))))
        for name in release.header:
            if what == "the advised release" and roles.get(name) == "sensitive":
                self.must(tables.share_alone(release.column(name)) <= .2 or n_rows < 20,
                          "%s: more than a fifth are alone with %s" % (what, name))
            if roles.get(name) == "insensitive" and n_rows >= 20:
                self.must(tables.share_alone(release.column(name)) <= .5,
                          "%s: insensitive %s singles most rows out" % (what, name))
        treated = {t["column"] for t in json.loads(
            pathlib.Path("result.json").read_text()).get("treatments", [])}
        for name in treated:
            fewest, where = tables.smallest_class(
                release, [name], self.raw.column(entity) if entity and self.raw else range(n_rows))
            self.must(fewest >= 5, "%s: %s of treated %s is that of %d only" % (
                what, where, name, fewest))
        if self.raw:
            self.unchanged(what, release, roles, method, treated)
            self.secrets(what, release)
        return release

    def unchanged(self, what, release, roles, method, treated):
        loose = self.expectation.read.get("cells") == "loose"
        missing = {"", "NA", *self.expectation.read.get("missing", "").split("|")}
        look = tables.plain if loose else lambda cell: cell
        for name in release.header:
            if name not in self.raw.header or self.raw.header.count(name) > 1:
                self.must(name, "%s: a column without a name" % what)
                continue
            for line, (cell, value) in enumerate(
                    zip(release.column(name), self.raw.column(name)), 2):
                if value in missing or method == "microaggregate":
                    continue
                if name in treated:
                    fits = True
                elif roles.get(name) == "quasi":
                    fits = tables.covers(look(cell), look(value)) is not False or loose
                else:
                    fits = look(cell) == look(value)
                if not self.must(fits, "%s: row %d of %s (%s) is released as %s" % (
                        what, line, name, value, cell)):
                    break

    def secrets(self, what, release):
        for (column,) in self.expectation.of("secret"):
            holder = tables.holds_secret(release, self.raw.column(column))
            self.must(holder is None, "%s: %r gives %r away" % (what, holder, column))

    def cells(self, release, text):
        column, _, pattern = text.partition("=")
        if column in release.header:
            odd = [c for c in release.column(column) if c and not re.fullmatch(pattern, c)]
            self.must(not odd, "released %s: %r is not like %s" % (column, odd[:3], pattern))

    # ---- check and attack

    def agreement(self):
        self.ends(self.run("check", "release.csv", "--against", "result.json", program=FAST), {0})
        result = json.loads(pathlib.Path("result.json").read_text())
        audit = result["audit"]
        quasi = [c["column"] for c in audit["columns"] if c["role"] == "quasi" and c["released"]]
        if not quasi:
            return
        delimiter = self.expectation.read.get("delimiter", ",")
        job = {"data": "release.csv", "delimiter": delimiter, "rest": "drop",
               "attributes": {name: {"role": "quasi"} for name in quasi}}
        for key in ("missing", "decimal", "century", "no-header", "trim", "fold-case"):
            if key in audit["job"]:
                job[key] = audit["job"][key]
        if "missing" in job:  # where a star is missing in the table, it is none in the release
            job["missing"] = [code for code in job["missing"] if code != "*"]
        self.write("check.yaml", {**job, "privacy": [{"k-anonymity": 5}]})
        self.ends(self.run("check", "check.yaml", program=FAST), {0})
        for name in quasi:
            resolved = result["hierarchies"].get(name, {}).get("resolved")
            if resolved:
                job["attributes"][name]["hierarchy"] = resolved
        self.attack(job)

    def attack(self, job):
        if self.raw is None:
            return
        external = self.location
        if "encoding" in self.expectation.read or self.expectation.read.get("header") == "short":
            self.write_plain("external.csv")
            external = "external.csv"
        self.write("attack.yaml", job)
        attack = self.run("attack", "attack.yaml", external, "--json", program=FAST)
        if self.ends(attack, {0}):
            self.attacked(attack)

    def attacked(self, attack):
        found = attack.json()
        persons, none = len(self.raw.rows), found.get("matched", {}).get("0", 0)
        self.must(found.get("unique_matches") == 0, "%s: unique_matches %s" % (
            attack.line, found.get("unique_matches")))
        self.must(found.get("persons") == persons, "%s: persons %s of %d" % (
            attack.line, found.get("persons"), persons))
        if "nearest" in found:  # averages, which match nobody exactly
            self.must(found["nearest"]["unique_matches"] == 0, "%s: nearest unique_matches %s" % (
                attack.line, found["nearest"]["unique_matches"]))
        else:
            self.must(none == 0, "%s: %s persons match no row of their own release" % (
                attack.line, none))

    @staticmethod
    def write(path, job):
        """JSON is YAML."""
        pathlib.Path(path).write_text(json.dumps(job))

    def write_plain(self, path):
        import csv
        delimiter = self.expectation.read.get("delimiter", ",")
        with open(path, "w", newline="", encoding="utf-8") as out:
            writer = csv.writer(out, delimiter=tables.DELIMITERS.get(delimiter, delimiter))
            writer.writerow(self.raw.header)
            writer.writerows(self.raw.rows)

    # ---- jobs by hand

    def hand(self, number, hand):
        for path in ("release.csv", "result.json"):
            pathlib.Path(path).unlink(missing_ok=True)
        what = "job %d by hand" % number
        options = ["anonymize", self.location, *self.expectation.args, *hand.options, *OUTPUTS,
                   *effort("--method" in hand.options)]
        run = self.run(*options)
        lines = re.findall(r'^ +column "(.*?)"[ :]', run.err, re.M)
        if self.ends(run, hand.exit()) and run.code == 1:
            self.must(not os.path.exists("release.csv"), "%s left a release" % what)
        if hand.code is None:
            self.must(sorted(lines) == sorted(hand.objections),
                      "%s: objections to %s, expected %s: %s" % (
                          what, lines, sorted(hand.objections), run.err[:1500]))
        for key, rest in hand.lines:
            if key == "warns":
                self.must(re.search(rest[0], run.both()), "%s does not say %s: %s" % (
                    what, rest[0], run.both()[:1500]))
        if run.code == 1 and hand.objections:
            self.codes(what, options, hand)
        elif run.code == 0:
            self.by_hand(what, hand)

    def codes(self, what, options, hand):
        run = self.run(*options, "--allow-leaks", program=FAST)
        if not self.ends(run, {0}):
            return
        leaks = json.loads(pathlib.Path("result.json").read_text()).get("leaks", [])
        for leak in leaks:
            wanted = hand.objections.get(leak["column"], [])
            self.must(wanted == ["any"] or leak["code"] in wanted, "%s: %s is %s, expected %s" % (
                what, leak["column"], leak["code"], wanted))

    def by_hand(self, what, hand):
        result = json.loads(pathlib.Path("result.json").read_text())
        columns = result["audit"]["columns"]
        roles = {c["column"]: c["role"] for c in columns if c["released"]}
        release = self.judged(what, {c: "quasi" if r == "quasi" else "other" for c, r in roles.items()},
                              result["audit"]["job"].get("entity"), result["method"])
        for key, rest in hand.lines:
            if key == "varied":
                n = len(set(release.column(rest[0])))
                self.must(n >= int(rest[1]), "%s: %s is released with %d values, expected %s" % (
                    what, rest[0], n, rest[1]))
            elif key == "cells":
                self.cells(release, rest[0])


def main():
    folder, names = pathlib.Path(__file__).resolve().parent, sys.argv[1:]
    if names[:1] == ["--folder"]:
        folder, names = pathlib.Path(names[1]), names[2:]
    start, failed = pathlib.Path.cwd(), 0
    expectations = all_expectations(folder, names)
    print("1..%d" % len(expectations))
    for number, expectation in enumerate(expectations, 1):
        location = expectation.location()
        if location is None:
            print("ok %d - %s # SKIP no ../shared" % (number, expectation.name))
            continue
        scratch = start / expectation.name
        scratch.mkdir(exist_ok=True)
        os.chdir(scratch)
        judge = Judge(expectation, location)
        judge.chain()
        failed += bool(judge.wrong)
        print("%sok %d - %s" % ("not " if judge.wrong else "", number, expectation.name))
        for message in judge.wrong:
            print("#   " + message.strip().replace("\n", "\n#     "))
        sys.stdout.flush()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
