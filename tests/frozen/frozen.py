#!/usr/bin/env python3
"""frozen.py PROGRAM check|record [PATTERN]: what the program makes of the frozen jobs, as hashes.

A change that is meant to change no behaviour keeps every line of hashes.tsv, with one thread and
with four. Lines that do change are made anew by `record`, in the commit that says why; a PATTERN
(`mingen *`) checks or records some of them. PROGRAM may be words: an emulator and the program.

Exit codes, releases, recodings and results are frozen. Messages are not, nor what the clock, the
build or the machine say.
"""

import concurrent.futures
import fnmatch
import gzip
import hashlib
import json
import os
import pathlib
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import jobs  # noqa: E402
import tables  # noqa: E402

HERE = pathlib.Path(__file__).parent
HASHES = HERE / "hashes.tsv"
THREADS = ["1", "4"]
# Told by the clock, by the build or by the folder, not by the job.
UNSETTLED = {"seconds", "mingle", "threads", "date", "reference_year", "features", "compiler"}
# Sentences for persons, which may be worded anew: warnings are frozen by their codes.
WORDED = {"message", "not_compared"}
LEFT_OUT = UNSETTLED | WORDED
DATABASES = ["data.sqlite", "out.sqlite"]  # jobs may write into these inputs


def settled(pairs):
    return {k: v for k, v in pairs if k not in LEFT_OUT}


def of_json(content):
    """JSON without what changes from run to run; figures as far as machines agree."""
    value = json.loads(content, object_pairs_hook=settled, parse_float=lambda x: f"{float(x):.9g}")
    return json.dumps(value, sort_keys=True).encode()


def end_of_recoding(content):
    """Where its hierarchies begin, which follow from job and table (docs/files.md)."""
    at = 24

    def number(size):
        nonlocal at
        at += size
        return int.from_bytes(content[at - size:at], "little")

    def skip_texts(n, more=0):
        nonlocal at
        for _ in range(n):
            size = number(4)
            at += size + more

    skip_texts(3)
    at += 12
    skip_texts(number(8), 4)
    skip_texts(number(8))
    n_quasi = number(8)
    for _ in range(n_quasi):
        skip_texts(1)
        at += 8
        skip_texts(number(8), 4)
        skip_texts(number(8))
        at += 4
    n_tuples = number(8)
    at += n_tuples * (8 * n_quasi + 12)
    n_parts = number(8)
    return at + 24 * n_parts


def of_recoding(content):
    """Without checksum and version of the program, nor what follows from the rest."""
    end = end_of_recoding(content) if content[:8] == b"MGLRECOD" else -16
    return content[24:end].replace(VERSION.encode(), b"")


def of_workbook(path):
    with zipfile.ZipFile(path) as book:
        return b"".join(book.read(n) for n in sorted(book.namelist()) if n.startswith("xl/"))


def of_database(path):
    database = sqlite3.connect(path)
    rows = sorted(map(repr, database.execute("SELECT * FROM r")))
    database.close()
    return "\n".join(rows).encode()


def content_of(path):
    if path.suffix == ".gz":  # how small it gets is the compressor's matter
        return gzip.decompress(path.read_bytes())
    if path.suffix in {".rec", ".part"}:
        return of_recoding(path.read_bytes())
    if path.suffix == ".xlsx":
        return of_workbook(path)
    if path.suffix == ".sqlite":
        return of_database(path)
    if path.suffix == ".json":
        return of_json(path.read_bytes())
    return path.read_bytes()


def fill(folder, source):
    """The inputs, as links where jobs only read them."""
    for path in source.iterdir():
        if path.name in DATABASES:
            shutil.copy2(path, folder)
        else:
            os.link(path, folder / path.name)


def outputs(folder, source):
    for path in sorted(folder.iterdir()):
        if not (source / path.name).exists():
            yield path
    for path in [folder / name for name in DATABASES]:
        if path.stat().st_mtime_ns == (source / path.name).stat().st_mtime_ns:
            continue
        database = sqlite3.connect(path)
        found = database.execute("SELECT 1 FROM sqlite_master WHERE name = 'r'").fetchall()
        database.close()
        if found:
            yield path


def digest(content):
    return hashlib.sha256(content).hexdigest()


def said(run):
    """What a command printed: a result, or a text (of which seconds are no part)."""
    if run.stdout.startswith(b"{") or run.stdout.startswith(b"["):
        return of_json(run.stdout)
    lines = [l for l in run.stdout.splitlines() if b"second" not in l and b" ms" not in l]
    return b"\n".join(lines)


def run_job(program, source, steps, threads):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        fill(folder, source)
        found = []
        for step in steps:
            run = subprocess.run([*program, *step, "--threads", threads], cwd=folder,
                                 capture_output=True, env={**os.environ, "LC_ALL": "C.UTF-8"})
            found.append(f"exit:{run.returncode}")
            if "--json" in step or step[0] == "hierarchy":
                found.append(f"printed:{digest(said(run))}")
        for path in outputs(folder, source):
            found.append(f"{path.name}:{digest(content_of(path))}")
        return " ".join(found)


def run_all(program, pattern):
    chosen = [(n, s) for n, s in jobs.every() if fnmatch.fnmatch(n, pattern)]
    with tempfile.TemporaryDirectory() as name, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        source, here = pathlib.Path(name), os.getcwd()
        os.chdir(source)
        tables.make_all()
        os.chdir(here)
        futures = [(name, threads, pool.submit(run_job, program, source, steps, threads))
                   for name, steps in chosen for threads in THREADS]
        return [(name, threads, future.result()) for name, threads, future in futures]


def read_hashes():
    if not HASHES.exists():
        return {}
    return dict(line.split("\t") for line in HASHES.read_text().splitlines())


def complain(name, threads, was, found):
    """Names the parts of an answer that are not what they were."""
    was, found = set(was.split()), set(found.split())
    parts = sorted({part.rsplit(":", 1)[0] for part in was ^ found})
    print(f"not ok - {name}, threads {threads}: {', '.join(parts)}")


def record(answers):
    hashes = read_hashes()
    for name, threads, found in answers:
        if threads != THREADS[0] and hashes[name] != found:
            complain(name, threads, hashes[name], found)
            return 1
        hashes[name] = found
    order = [name for name, _ in jobs.every()]
    HASHES.write_text("".join(f"{name}\t{hashes[name]}\n" for name in order if name in hashes))
    return 0


def check(answers):
    hashes = read_hashes()
    changed = [answer for answer in answers if hashes.get(answer[0]) != answer[2]]
    for name, threads, found in changed:
        complain(name, threads, hashes.get(name, ""), found)
    print(f"{len(answers)} answers, {len(changed)} not as in hashes.tsv")
    return 1 if changed or not answers else 0


def main():
    global VERSION
    program, command = shlex.split(sys.argv[1]), sys.argv[2]
    program = [shutil.which(word) or word for word in program]
    program = [str(pathlib.Path(word).resolve()) for word in program]
    pattern = sys.argv[3] if len(sys.argv) > 3 else "*"
    VERSION = subprocess.run([*program, "--version"], capture_output=True,
                             text=True).stdout.split()[1]
    answers = run_all(program, pattern)
    return record(answers) if command == "record" else check(answers)


if __name__ == "__main__":
    sys.exit(main())
