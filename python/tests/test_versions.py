"""Which versions behind engines are named when an engine fails."""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path

import pytest
from mingle.engines import versions
from mingle.engines.adapter import asking
from mingle.errors import SystemFailure

INSTALLED = {"ibis-framework": "12.0.0", "sqlglot": "30.9.0", "duckdb": "1.5.2"}


def _installed(monkeypatch, **newer):
    found = {**INSTALLED, **{name.replace("_", "-"): version for name, version in newer.items()}}

    def version(name):
        if name not in found:
            raise metadata.PackageNotFoundError(name)
        return found[name]

    monkeypatch.setattr(metadata, "version", version)


def test_nothing_is_said_of_versions_that_work(monkeypatch):
    _installed(monkeypatch)
    assert versions.hint("duckdb") == "" == versions.hint("sqlite")


@pytest.mark.parametrize(
    "engine, newer, named",
    [
        ("duckdb", {"duckdb": "2.0.0"}, "duckdb 2.0.0 is installed and not supported yet"),
        ("duckdb", {"duckdb": "2.1", "sqlglot": "30.30.0"}, "sqlglot 30.30.0 and duckdb 2.1 are installed"),
        ("postgres", {"ibis_framework": "13.1"}, "ibis-framework 13.1 is"),
        ("sqlite", {"duckdb": "2.0.0"}, ""),
    ],
)
def test_what_is_too_new_is_named_where_an_engine_fails(monkeypatch, engine, newer, named):
    _installed(monkeypatch, **newer)
    with pytest.raises(SystemFailure) as caught, asking(engine, "count"):
        raise ValueError("a cell")
    assert named in str(caught.value) and "a cell" not in str(caught.value)
    assert ("mingle-privacy[engines]" in str(caught.value)) == bool(named)


def test_the_extra_installs_nothing_that_is_too_new():
    text = (Path(__file__).parents[1] / "pyproject.toml").read_text()
    extra = re.search(r"^engines = \[(.*)\]$", text, re.M)[1]
    for package, limit in versions._TOO_NEW.items():
        pin = re.search(rf'"{package}(?:\[[a-z,]+\])?(?:>=[0-9.]+,)?<([0-9.]+)"', extra)
        assert pin is None or tuple(map(int, pin[1].split("."))) == limit
    assert "ibis-framework" in extra and "sqlglot" in extra
