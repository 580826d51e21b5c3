"""What the tests share. `MINGLE` names the program that answers are compared with."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def program() -> str:
    found = os.environ.get("MINGLE", str(ROOT / "build" / "mingle"))
    if not os.path.exists(found):
        pytest.skip(f"the program is not built: {found}")
    return found


@pytest.fixture(scope="session")
def run(program: str):
    """Runs the program; fails if it does."""

    def call(*arguments: str) -> str:
        done = subprocess.run([program, *arguments], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return call


@pytest.fixture
def frame():
    """Twelve hundred persons."""
    pd = pytest.importorskip("pandas")
    np = pytest.importorskip("numpy")
    random = np.random.default_rng(7)
    n = 1200
    return pd.DataFrame(
        {
            "age": random.integers(18, 90, n),
            "sex": pd.Categorical(random.choice(["m", "f"], n)),
            "zip": random.choice(["02138", "02139", "02140", "03100"], n),
            "disease": random.choice(["flu", "cold", "angina"], n),
        }
    )


def pytest_runtest_logreport(report) -> None:
    """Each test as a line of TAP, for the runner of all tests (TAP=1)."""
    if "TAP" not in os.environ or (report.when != "call" and report.outcome == "passed"):
        return
    word = "not ok" if report.outcome == "failed" else "ok"
    skipped = f" # SKIP {report.longrepr[2]}" if report.outcome == "skipped" else ""
    print(f"\n{word} - {report.nodeid.split('/')[-1]}{skipped}")
