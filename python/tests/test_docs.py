"""Docstrings: every public name has one, their examples are true, the page of reference is theirs."""

from __future__ import annotations

import doctest
import inspect
import subprocess
import sys
from pathlib import Path

import mingle
import pytest

PYTHON = Path(__file__).parents[1]
PAGE = PYTHON.parent / "docs" / "python-reference.md"
MODULES = ["", ".commands", ".answers", ".release", ".session", ".job", ".models", ".hierarchy"]
MODULES += [".errors", ".features", ".sklearn", ".testing"]


def _public():
    for name in mingle.__all__:
        thing = getattr(mingle, name)
        yield name, thing
        if isinstance(thing, type):
            for member, value in vars(thing).items():
                if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                    yield f"{name}.{member}", value


def test_every_public_name_is_documented():
    lacking = [name for name, thing in _public() if not inspect.getdoc(thing)]
    assert lacking == []


def test_every_name_that_is_called_has_an_example():
    called = [n for n in mingle.__all__ if n not in ("hierarchy","UsageError", "DataError", "SystemFailure", "Cancelled")]
    assert [n for n in called if ">>>" not in (getattr(mingle, n).__doc__ or "")] == []


@pytest.mark.libraries
@pytest.mark.parametrize("module", MODULES)
def test_examples_are_true(module, frame, tmp_path, monkeypatch):
    if module == ".sklearn":
        pytest.importorskip("sklearn")
    monkeypatch.chdir(tmp_path)
    import importlib

    found = importlib.import_module("mingle" + module)
    globs = {"mingle": mingle, "frame": frame}
    finder = doctest.DocTestFinder(exclude_empty=True)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    tests = [t for t in finder.find(found, globs=globs) if t.examples]
    said: list[str] = []
    for test in tests:
        runner.run(test, out=said.append)
    assert tests and runner.failures == 0, "".join(said)


@pytest.mark.libraries
def test_the_page_is_what_the_docstrings_say():
    pytest.importorskip("sklearn")
    made = subprocess.run(
        [sys.executable, PYTHON / "scripts" / "reference.py"], capture_output=True, text=True
    )
    assert made.returncode == 0, made.stderr
    assert made.stdout == PAGE.read_text(), "run scripts/reference.py > ../docs/python-reference.md"
