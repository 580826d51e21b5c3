"""Writes docs/python-tutorial.md from the notebook of the tutorial, with what is stored in it.

    python scripts/tutorial.py > ../docs/python-tutorial.md

A test compares the page with what this prints, and another one runs the notebook.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

NOTEBOOK = Path(__file__).parents[2] / "examples" / "python" / "tutorial.ipynb"
HEAD = """<!-- made by python/scripts/tutorial.py from examples/python/tutorial.ipynb -->
"""


def shown(cell: dict) -> str:
    """What a cell shows, as text."""
    return "".join(
        "".join(output.get("text") or output.get("data", {}).get("text/plain") or "")
        for output in cell.get("outputs", [])
    )


def indented(text: str, mark: str = "") -> str:
    lines = text.rstrip("\n").splitlines()
    return "\n".join(f"    {mark}{line}".rstrip() for line in lines)


def page(cells: list[dict]) -> str:
    parts = [HEAD.rstrip()]
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source.strip())
            continue
        parts.append(indented(source))
        if shown(cell):
            parts.append("which shows\n\n" + indented(shown(cell)))
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    sys.stdout.write(page(json.loads(NOTEBOOK.read_text())["cells"]))
