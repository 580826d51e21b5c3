"""Jobs to and from texts; models and hierarchies as values; the types of arguments."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import mingle
import pytest
from mingle import keys, models

QUASI = ["age", "sex", "zip"]
TEXT = """
attributes:
  age: {role: quasi, hierarchy: "intervals(5,10,20)"}
  zip: {role: quasi, hierarchy: "mask(right)"}
  disease: {role: sensitive}
privacy: [{k-anonymity: 4}, {l-diversity: {attribute: disease, l: 2}}]
rest: drop
"""


def test_a_job_runs_on_a_table(frame):
    job = mingle.Job.from_yaml(TEXT)
    release = job.run(frame)
    assert release.holds and len(release["models"]) == 2
    assert job.run(frame, k=9)["classes"]["min"] >= 9
    assert not job.run(frame, "check").holds


def test_to_and_from_texts():
    job = mingle.Job.from_yaml(TEXT)
    assert mingle.Job.from_yaml(job.to_yaml()) == job
    assert mingle.Job(job.to_dict()) == job


def test_a_job_file(frame, tmp_path):
    frame.to_csv(tmp_path / "table.csv", index=False)
    (tmp_path / "job.yaml").write_text(TEXT + "data: table.csv\n")
    assert mingle.Job.load(tmp_path / "job.yaml").run().holds


def test_a_broken_job_is_told_with_its_line():
    with pytest.raises(mingle.UsageError) as caught:
        mingle.Job.from_yaml("rest: drop\nmethd: cell\n")
    assert (caught.value.line, caught.value.position, caught.value.key) == (2, 1, "methd")


def test_models_as_values(frame):
    said = [mingle.KAnonymity(3), mingle.LDiversity("disease", 2), mingle.MaxRisk(0.3)]
    release = mingle.anonymize(frame, quasi=QUASI, sensitive="disease", models=said)
    assert [m["model"] for m in release["models"]] == [m.key for m in said]
    close = mingle.TCloseness("disease", 0.4, distance="equal")
    assert mingle.anonymize(frame, quasi=QUASI, sensitive="disease", models=close).holds


def test_every_model_is_there():
    values = {getattr(models, name) for name in models.__all__} - {models.Model}
    known = keys.catalogue("models")
    assert {value.key for value in values} == set(known)
    for value in values:
        wanted = list(known[value.key]["parameters"])
        fields = [f for f in value.__dataclass_fields__ if f != "attribute"]
        assert fields == wanted, value
        assert ("attribute" in value.__dataclass_fields__) == known[value.key]["attribute"]


def test_every_builder_is_there():
    assert set(mingle.hierarchy.__all__) == set(keys.catalogue("builders"))


@pytest.mark.parametrize(
    "hierarchy",
    [
        mingle.hierarchy.intervals(5, 20),
        mingle.hierarchy.intervals(10, origin=18),
        mingle.hierarchy.cuts(30, 60),
        mingle.hierarchy.top(80, 60),
        "intervals(5,20)",
        lambda age: [f"{int(age) // 10}x", f"{int(age) // 30}xx"],
        {str(age): [f"{age // 10}x"] for age in range(18, 90)},
        {age: f"{age // 10}x" for age in range(18, 90)},
    ],
    ids=str,
)
def test_hierarchies(frame, hierarchy):
    release = mingle.anonymize(
        frame, quasi=QUASI, rest="drop", k=5, method="mingen", hierarchy={"age": hierarchy}
    )
    assert release.holds


def test_a_frame_is_a_hierarchy(frame):
    pd = pytest.importorskip("pandas")
    ages = pd.DataFrame([[str(a), f"{a // 10}x", "*"] for a in range(18, 90)])
    said = mingle.anonymize(frame, quasi=QUASI, rest="drop", k=5, hierarchy={"age": ages})
    assert set(said.to_pandas()["age"].cat.categories) <= {*ages[0], *ages[1], "*"}


def test_arguments_are_those_of_the_catalogue():
    here = Path(__file__).parents[1]
    made = subprocess.run(
        [sys.executable, here / "scripts" / "arguments.py"], capture_output=True, text=True
    )
    assert made.stdout == (here / "mingle" / "arguments.py").read_text(), made.stderr
