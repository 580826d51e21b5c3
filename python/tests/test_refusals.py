"""Every refusal of tests/refusals through the package."""

import json
import os

import pytest

import mingle
from mingle import keys

TABLE = os.path.join(os.path.dirname(__file__), "..", "..", "tests", "refusals", "refusals.json")
if not os.path.exists(TABLE):
    pytest.skip("the table of refusals is not here", allow_module_level=True)
with open(TABLE, encoding="utf-8") as file:
    REFUSALS = json.load(file)

ROWS = [row for row in REFUSALS["refusals"] if "python" in row.get("fronts", ["python"])]
KINDS = {1: mingle.PrivacyError, 2: mingle.UsageError, 3: mingle.DataError, 4: mingle.SystemFailure}


def _arguments(row):
    """The keys as keyword arguments, and what the row has for Python in their place."""
    said = {}
    own = row.get("python", {})
    replaced = {"k", "l-diversity", "t-closeness"} if own else set()
    for key, value in (text.split(": ", 1) for text in row["keys"]):
        if key not in replaced:
            said[keys.name_of(key)] = True if value == "true" else value
    for name, value in own.items():
        said[name] = [getattr(mingle, model)(*parameters) for model, *parameters in value] if name == "models" else value
    if row.get("output", True):
        said.setdefault("output", "release.csv")
    return said


@pytest.mark.parametrize("row", ROWS, ids=[row["name"] for row in ROWS])
def test_refusal(row, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in REFUSALS["files"].items():
        (tmp_path / name).write_bytes(text.encode())
        (tmp_path / name).chmod(0o600)  # as keys must be
    said = _arguments(row)
    data = said.pop("data", "people.csv")
    with pytest.raises(KINDS[row["status"]]) as refused:
        getattr(mingle, row.get("command", "anonymize").replace("-", "_"))(data, **said)
    assert refused.value.code == row["code"]
    words = [row["says"]] if isinstance(row["says"], str) else row["says"]
    assert any(one in str(refused.value) for one in words)
    left = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert left == {name: text.encode() for name, text in REFUSALS["files"].items()}
