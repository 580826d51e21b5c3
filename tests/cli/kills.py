"""kills.py PROGRAM FAULTY COUNT: ends runs of mingle in the middle, with a release, a result and
a recoding of an earlier run in place, and looks at what is there then. Prints TAP.

PROGRAM is ended by SIGINT, SIGTERM and SIGKILL at COUNT random moments, FAULTY, which was built
with MGL_FAULTS, by SIGKILL at each of its system calls in turn."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import time

NAMES = ["release.csv", "result.json", "recoding"]
OLD = {name: f"the old {name}\n".encode() for name in NAMES}
STAGED = re.compile(r"\.(release\.csv|result\.json|recoding)\.mingle-[0-9a-f]{8}")
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGKILL]
number = 0
failures = 0


def tell(name, problems):
    global number, failures
    number += 1
    failures += bool(problems)
    print(f"{'not ' if problems else ''}ok {number} - {name}")
    for problem in problems[:20]:
        print(f"# {problem}")


def read(name):
    with open(os.path.join("out", name), "rb") as file:
        return file.read()


def arguments(program):
    # The order of rows and a seed: the same release each time, to compare with.
    return [program, "anonymize", "data.csv", "--qi", "age,zip", "--hierarchy", "zip=mask(right)",
            "--identifier", "id", "--insensitive", "disease", "-k", "4", "--suppress", "10%", "--method", "mingen",
            "--keep-order", "--threads", "2", "-o", "out/release.csv", "--quiet",
            "--result", "out/result.json", "--save-recoding", "out/recoding"]


def put_old():
    for name in os.listdir("out"):
        os.unlink(os.path.join("out", name))
    for name in NAMES:
        with open(os.path.join("out", name), "wb") as file:
            file.write(OLD[name])


def whole(name, content, good):
    if name != "result.json":  # it tells times
        return content == good[name]
    try:
        return isinstance(json.loads(content), dict)
    except ValueError:
        return False


def look(what, good, done, killed):
    """What is wrong after a run."""
    problems = []
    new = {}
    for name in NAMES:
        content = read(name)
        new[name] = whole(name, content, good)
        if not new[name] and content != OLD[name]:
            problems.append(f"{what}: {name} is neither the old nor the new one")
        if done and not new[name]:
            problems.append(f"{what}: exit 0, but {name} is not the new one")
    # A result or a recoding without its release would promise what is not there.
    if (new["result.json"] or new["recoding"]) and not new["release.csv"]:
        problems.append(f"{what}: a result without its release")
    for name in os.listdir("out"):
        if name in NAMES:
            continue
        if not killed:
            problems.append(f"{what}: {name} was left")
        elif not STAGED.fullmatch(name):
            problems.append(f"{what}: {name} was left and is not named like a staged file")
        elif os.stat(os.path.join("out", name)).st_mode & 0o077:
            problems.append(f"{what}: {name} can be read by others")
    return problems


def start(program, **environment):
    return subprocess.Popen(arguments(program), stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                            env={**os.environ, **environment},
                            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))


def random_moments(program, count, good, seconds):
    seed = int(os.environ.get("MGL_SEED", random.randrange(2**32)))
    moments = random.Random(seed)
    problems = []
    ends = {}
    for i in range(count):
        sent = SIGNALS[i % len(SIGNALS)]
        put_old()
        process = start(program)
        time.sleep(moments.uniform(0, seconds))
        process.send_signal(sent)
        process.communicate()
        code = process.returncode
        what = f"{sent.name} {i}"
        # Before the handler is there a signal ends a program by itself.
        if code not in (0, -sent, 128 + sent):
            problems.append(f"{what}: exit {code}")
        problems += look(what, good, code == 0, code == -signal.SIGKILL)
        ends[code] = ends.get(code, 0) + 1
    told = ", ".join(f"{n} times exit {code}" for code, n in sorted(ends.items()))
    print(f"# {count} signals at random moments of {seconds:.3f} s: {told} (MGL_SEED={seed})")
    tell("signals at random moments leave the old release or the new one", problems)
    cut_short = sum(n for code, n in ends.items() if code != 0)
    tell("some signals came in time", [] if cut_short > 0 else [told])


def each_call(program, good):
    problems = []
    call = 0
    while True:
        call += 1
        put_old()
        process = start(program, MINGLE_FAULT=f"kill:{call}")
        message = process.communicate()[1].decode()
        code = process.returncode
        if code not in (0, -signal.SIGKILL):
            problems.append(f"call {call}: exit {code}: {message}")
        problems += look(f"call {call}", good, code == 0, code != 0)
        if code != -signal.SIGKILL:
            break
    print(f"# {call - 1} system calls")
    tell("killed at each system call: the old release or the new one", problems)
    tell("there were system calls to be killed at", [] if call > 10 else [f"{call}"])


def duration(program):
    put_old()
    process = start(program)
    begun = time.monotonic()
    message = process.communicate()[1].decode()
    if process.returncode != 0:
        sys.exit(f"not ok - an undisturbed run: exit {process.returncode}: {message}")
    return time.monotonic() - begun


def main():
    program, faulty, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with open("data.csv", "w") as data:
        data.write("id,age,zip,disease\n")
        for row in range(20000):
            data.write(f"{row},{20 + row * 7 % 61},{2100 + row * 31 % 97:05},d{row % 7}\n")
    os.mkdir("out")
    seconds = min(duration(program) for _ in range(3))
    good = {name: read(name) for name in NAMES}
    random_moments(program, count, good, seconds)
    each_call(faulty, good)
    print(f"1..{number}")
    sys.exit(failures > 0)


main()
