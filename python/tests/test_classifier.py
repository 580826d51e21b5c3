"""The example that classifies releases of Adult runs, on a sample."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.libraries
ROOT = Path(__file__).parents[2]


def test_the_classifier():
    pytest.importorskip("sklearn")
    folder = ROOT.parent / "shared" / "data" / "adult"
    if not folder.exists():
        folder = ROOT / "tests" / "standin" / "data" / "adult"
    example = ROOT / "examples" / "python" / "classifier.py"
    made = subprocess.run(
        [sys.executable, example, folder, "--rows", "1500", "--k", "3", "20", "--folds", "2"],
        capture_output=True, text=True,
    )
    assert made.returncode == 0, made.stderr
    rows = [line for line in made.stdout.splitlines() if re.match(r"\| \d", line)]
    assert [row.split()[1] for row in rows] == ["3", "20"]
    for row in rows:
        found = [float(x) for x in re.findall(r"(\d\.\d+) \(", row)]
        losses = [float(x) for x in re.findall(r"loss (\d\.\d+)", row)]
        assert len(found) == 3 and all(0.5 < x <= 1 for x in found)
        assert losses[0] == min(losses)  # the cell level loses least
