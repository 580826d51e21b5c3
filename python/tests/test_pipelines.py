"""Checks for tests and pipelines, with the packages they are for."""

from __future__ import annotations

import mingle
import pytest
from mingle.testing import assert_k_anonymous

SAFE = ["sex", "zip"]


def _wrong(frame):
    """Tables that do not pass, and a word of the reason."""
    named = frame[SAFE].assign(patient=[f"Ann Miller {i}" for i in range(len(frame))])
    return [(frame[["age", "sex", "zip"]], ["age", "sex", "zip"], "k-anonymity"), (named, SAFE, "patient")]


def test_assert_passes_and_fails(frame):
    assert_k_anonymous(frame[SAFE], quasi=SAFE, k=5)
    release = mingle.anonymize(frame, quasi=["age", "sex", "zip"], rest="drop", k=5)
    assert_k_anonymous(release, quasi=["age", "sex", "zip"], k=5)
    for table, quasi, word in _wrong(frame):
        with pytest.raises(AssertionError, match=word):
            assert_k_anonymous(table, quasi=quasi, k=5, rest="insensitive")


def test_assert_takes_what_gate_takes(frame):
    table = frame[["sex", "zip", "disease"]]
    assert_k_anonymous(table, quasi=SAFE, k=5, sensitive="disease", l_diversity=3)
    with pytest.raises(AssertionError, match="l-diversity"):
        assert_k_anonymous(table, quasi=SAFE, k=5, sensitive="disease", l_diversity=4)
    with pytest.raises(mingle.UsageError, match="zap"):
        assert_k_anonymous(table, quasi=["zap"], k=5)


@pytest.mark.pipelines
def test_pandera(frame):
    pa = pytest.importorskip("pandera.pandas")
    from mingle.pandera import k_anonymous

    schema = pa.DataFrameSchema({"sex": pa.Column()}, checks=k_anonymous(quasi=SAFE, k=5))
    assert len(schema.validate(frame[SAFE])) == len(frame)
    for table, quasi, _ in _wrong(frame):
        schema = pa.DataFrameSchema(checks=[k_anonymous(quasi=quasi, k=5, rest="insensitive")])
        with pytest.raises(pa.errors.SchemaError, match="mingle.gate"):
            schema.validate(table)
        with pytest.raises(pa.errors.SchemaErrors):
            schema.validate(table, lazy=True)


@pytest.mark.pipelines
def test_great_expectations(frame):
    gx = pytest.importorskip("great_expectations")
    from mingle.great_expectations import ExpectTableToBeKAnonymous

    source = gx.get_context(mode="ephemeral").data_sources.add_pandas("tables")
    batches = source.add_dataframe_asset("table").add_batch_definition_whole_dataframe("whole")

    def ask(table, quasi):
        batch = batches.get_batch(batch_parameters={"dataframe": table})
        return batch.validate(ExpectTableToBeKAnonymous(quasi=quasi, k=5, arguments={"rest": "insensitive"}))

    assert ask(frame[SAFE], SAFE).success
    for table, quasi, word in _wrong(frame):
        found = ask(table, quasi)
        assert not found.success and word in str(found.result["observed_value"])
