"""The notebook runs, and shows what is stored in it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PYTHON = Path(__file__).parents[1]
NOTEBOOK = Path(__file__).parents[2] / "examples" / "python" / "tutorial.ipynb"


def _shown(cell) -> str:
    """All that a cell shows; a kernel may hand out a line in pieces."""
    return "".join(
        output.get("text") or output.get("data", {}).get("text/plain") for output in cell.outputs
    )


def test_the_page_is_the_notebook():
    made = subprocess.run([sys.executable, PYTHON / "scripts" / "tutorial.py"], capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    page = PYTHON.parent / "docs" / "python-tutorial.md"
    assert made.stdout == page.read_text(), "run scripts/tutorial.py > ../docs/python-tutorial.md"


@pytest.mark.libraries
def test_the_tutorial():
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient")
    stored = nbformat.read(NOTEBOOK, as_version=4)
    run = nbformat.read(NOTEBOOK, as_version=4)
    client.NotebookClient(run, timeout=600).execute()
    for before, after in zip(stored.cells, run.cells):
        if before.cell_type == "code":
            assert _shown(after) == _shown(before), before.source
