"""The notebook runs, and shows what is stored in it."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.libraries
NOTEBOOK = Path(__file__).parents[2] / "examples" / "python" / "tutorial.ipynb"


def _shown(cell) -> str:
    """All that a cell shows; a kernel may hand out a line in pieces."""
    return "".join(
        output.get("text") or output.get("data", {}).get("text/plain") for output in cell.outputs
    )


def test_the_tutorial():
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient")
    stored = nbformat.read(NOTEBOOK, as_version=4)
    run = nbformat.read(NOTEBOOK, as_version=4)
    client.NotebookClient(run, timeout=600).execute()
    for before, after in zip(stored.cells, run.cells):
        if before.cell_type == "code":
            assert _shown(after) == _shown(before), before.source
