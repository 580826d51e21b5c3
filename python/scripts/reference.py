"""Writes docs/python-reference.md from the docstrings of the package and the library's catalogue.

    python scripts/reference.py > ../docs/python-reference.md

A test compares the page with what this prints. scikit-learn must be there.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from typing import Any

import mingle
import mingle.plot
import mingle.sklearn
import mingle.testing
from mingle import arguments, keys

HEAD = """# Reference of the Python package
What every public name is, from its docstrings: `python/scripts/reference.py` writes this page, and a test compares it. Examples are run by a test as well, on a frame of 1,200 persons with the columns age, sex, zip and disease. [python.md](python.md) says how the parts go together.
"""
ERRORS = ("MingleError", "PrivacyError", "UsageError", "DataError", "SystemFailure", "Cancelled")
SECTIONS = {
    "Commands": (mingle, mingle.commands.__all__),
    "Answers": (mingle, ["Answer", "Comparison", "Release"]),
    "Sessions and jobs": (mingle, ["Session", "Job", "features"]),
    "Models": (mingle, mingle.models.__all__),
    "Hierarchies: mingle.hierarchy": (mingle.hierarchy, mingle.hierarchy.__all__),
    "Errors": (mingle, ERRORS),
    "Checks for tests: mingle.testing": (mingle.testing, ["assert_k_anonymous"]),
}


def signature(name: str, thing: Any) -> str:
    try:
        found = str(inspect.signature(thing))
    except ValueError:
        found = "(...)"
    found = re.sub(r"\*\*(\w+): 'Unpack\[\w+\]'", r"**\1", found)
    found = re.sub(r"'([A-Za-z_.\[\], |]+)'", r"\1", found)
    found = re.sub(r'"(Literal\[)([a-z]+), ([a-z]+)(\][ |None]*)"', r'\1"\2", "\3"\4', found)
    found = re.sub(r"\bself, |\bself\b", "", found).replace("mingle.", "")
    found = f"{name}{found}".replace(" -> None", "")
    return found if len(found) < 100 else _broken(found)


def _broken(text: str) -> str:
    """A long signature, in lines of arguments."""
    head, rest = text.split("(", 1)
    inner, answer = rest.rsplit(")", 1)
    return textwrap.fill(
        f"{head}({inner}){answer}",
        100,
        subsequent_indent=" " * (len(head) + 5),
        break_long_words=False,
    )


def told(text: str | None) -> str:
    """A docstring as Markdown: code between single backquotes, arguments in a list, examples
    indented by four."""
    lines: list[str] = []
    within = ""  # what lines are indented by, until an empty one
    for line in inspect.cleandoc(text or "").replace("``", "`").splitlines():
        argument = re.match(r"([a-z_]+(?:, [a-z_]+)*): (.*)", line)
        if line == "":
            within = ""
        elif line.startswith(">>>"):
            within = "    "
        elif argument and within != "    ":
            names = ", ".join(f"`{name}`" for name in argument[1].split(", "))
            line, within = f"- {names}: {argument[2]}", "- "
        lines.append((within.replace("-", " ") if not line.startswith("- ") else "") + line)
    return "\n".join(lines)


def members(kind: type) -> list[tuple[str, Any]]:
    """The public methods and properties that a class defines itself."""
    own = [(name, value) for name, value in vars(kind).items() if not name.startswith("_")]
    wrapped = [(n, v.__func__ if isinstance(v, (classmethod, staticmethod)) else v) for n, v in own]
    return [(n, v) for n, v in wrapped if callable(v) or isinstance(v, property)]


def entry(name: str, thing: Any) -> str:
    title = f"### {name}\n"
    shown = "" if isinstance(thing, type) and issubclass(thing, Exception) else signature(name, thing)
    parts = [title + (f"    {shown}\n" if shown else ""), told(thing.__doc__) + "\n"]
    if not isinstance(thing, type) or issubclass(thing, (mingle.Model, Exception)):
        return "\n".join(parts)
    for member, value in members(thing):
        if value is getattr(mingle.commands, member, None):
            parts.append(f"- `{member}(...)`: as [{member}](#{member}), on the table of the session")
            continue
        shown = member if isinstance(value, property) else signature(member, value).replace("cls, ", "")
        text = told(value.__doc__).replace("\n", "\n  ").rstrip()
        parts.append(f"- `{shown}`: {text}")
    return "\n".join(parts) + "\n"


def argument_rows() -> list[str]:
    """One row for each keyword argument, with the commands that take it."""
    types = arguments.Arguments.__annotations__
    rows = [
        "| argument | type | means | taken by |\n|---|---|---|---|",
        "| `models` | a model, or a list | what is promised, as values | all that judge |",
        "| `progress` | bool, None, or a function | whether to show how far it is | all |",
    ]
    for key, known in keys.catalogue("keys").items():
        if key == "data":
            continue
        name = keys.name_of(key)
        kind = getattr(types[name], "__forward_arg__", str(types[name])).replace(" | None", "")
        means = known["help"].replace("|", "\\|").replace("<", "\\<")
        cells = (f"`{name}`", f"`{kind}`".replace("|", "\\|"), means, ", ".join(known["commands"]))
        rows.append("| " + " | ".join(cells) + " |")
    return rows


def main() -> None:
    print(HEAD)
    for section, (module, names) in SECTIONS.items():
        print(f"## {section}")
        for name in names:
            print(entry(name, getattr(module, name)))
    print("## Plots\n" + entry("Plots", mingle.plot.Plots))
    print("## scikit-learn\n" + told(mingle.sklearn.__doc__) + "\n")
    print(entry("Anonymizer", mingle.sklearn.Anonymizer))
    print("`EXPECTED_FAILED_CHECKS` names checks of `check_estimator` that it does not pass, and why:\n")
    for check, why in mingle.sklearn.EXPECTED_FAILED_CHECKS.items():
        print(f"- `{check}`: {why}")
    print("\n## Arguments\nKeys of [job files](job.md), with `_` for `-`. None is as if it were not given.\n")
    print("\n".join(argument_rows()))


if __name__ == "__main__":
    main()
