"""The lines of Python in the README run as they stand."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_three_lines_beside_the_command_line(program, tmp_path):
    pytest.importorskip("pandas")
    page = (ROOT / "README.md").read_text()
    lines = re.search(r"From Python.*?:\n\n((?:    .*\n)+)", page)[1].replace("    ", "").splitlines()
    assert len(lines) == 3
    patients = Path(program).with_name("make-patients")
    if not patients.exists():
        pytest.skip("the example is not built")
    subprocess.run([patients, "patients.csv"], cwd=tmp_path, check=True, capture_output=True)
    lines[-1] = f"assert len({lines[-1]}) == 20000 and release.holds"
    code = "\n".join(lines)
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
