# page.py PAGE FOLDER: runs the commands of a page ("    $ ...") in FOLDER; prints the page with what
# they print. What differs from run to run is left out: lines that tell seconds or nodes, and the
# last column of a comparison. scripts/page calls it.
import re, subprocess, sys

page, folder = sys.argv[1:]
lines = open(page, encoding="utf-8").read().split("\n")
sys.stdout.reconfigure(encoding="utf-8")

def more(pad):
    """The next line is output, or an empty line with output after it."""
    line = next(line for line in lines + ["-"] if line)
    return lines != [""] and re.match(pad + r"(?!\$ )", line)

def lasting(output):
    """The lines of an output that are the same in every run."""
    compared = False
    for line in output:
        if re.match(r"seconds|method .* nodes checked", line):
            continue
        if re.match("method .* seconds$|no release|warning", line):
            compared = line[0] == "m"
        yield re.sub(" +[^ ]+$", "", line) if compared else line

while lines:
    line = lines.pop(0)
    print(line, end="\n" if lines else "")
    found = re.match(r"( {4,})\$ ", line)
    if not found:
        continue
    pad = found[1]
    command = [line[len(pad) + 2 :]]
    while command[-1].endswith("\\") or "<<END" in command[0] and command[-1] != "END":
        line = lines.pop(0)
        print(line)
        command.append(line[len(pad) :])
    while more(pad):
        lines.pop(0)
    run = subprocess.run(["bash", "-c", "\n".join(command)], cwd=folder, encoding="utf-8",
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT)
    for line in lasting(run.stdout.rstrip("\n").split("\n") if run.stdout.strip() else []):
        print((pad + line).rstrip())
