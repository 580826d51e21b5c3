"""Runs every refusal of the table through the program: program.py MINGLE TABLE. The status is the exit
code, and nothing is written; prints TAP lines."""

import json
import os
import subprocess
import sys
import tempfile

MINGLE, TABLE = os.path.abspath(sys.argv[1]), sys.argv[2]


def arguments(row):
    pairs = [key.split(": ", 1) for key in row["keys"]]
    named = {key for key, _ in pairs}
    words = [dict(pairs).get("data", "people.csv")]
    words += [value for key, value in pairs if key == "external"]  # the second file of a command
    for key, value in pairs:
        if key in ("data", "external"):
            continue
        option = "-k" if key == "k" else f"--{key}"
        words += [option] if value == "true" else [option, value]
    if row.get("output", True) and "output" not in named:
        words += ["-o", "release.csv"]
    return [row.get("command", "anonymize"), *words]


def says(row, message):
    words = row["says"]
    return any(one in message for one in ([words] if isinstance(words, str) else words))


def main():
    with open(TABLE, encoding="utf-8") as file:
        table = json.load(file)
    rows = [row for row in table["refusals"] if "program" in row.get("fronts", ["program"])]
    failed = 0
    for number, row in enumerate(rows, 1):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in table["files"].items():
                with open(os.path.join(folder, name), "w", encoding="utf-8", newline="") as file:
                    file.write(text)
                os.chmod(os.path.join(folder, name), 0o600)  # as keys must be
            ran = subprocess.run([MINGLE, *arguments(row)], cwd=folder, capture_output=True, text=True, check=False)
            left = {name: open(os.path.join(folder, name), encoding="utf-8", newline="").read()
                    for name in os.listdir(folder)}
        fine = ran.returncode == row["status"] and says(row, ran.stderr) and left == table["files"]
        failed += not fine
        print(f"{'ok' if fine else 'not ok'} {number} - {row['name']}")
        if not fine:
            print(f"# {arguments(row)}: {ran.returncode} for {row['status']}; {ran.stderr.strip()}; "
                  f"{sorted(set(left) ^ set(table['files']))}")
    print(f"1..{len(rows)}")
    sys.exit(1 if failed else 0)


main()
