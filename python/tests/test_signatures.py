"""Signatures: what people use most is named and typed, all else stays reachable and is checked."""

from __future__ import annotations

import inspect

import mingle
import pytest
from mingle import arguments, keys

COMMANDS = [name for name in mingle.commands.__all__]
#: What a command is called by in the catalogue, where it is not its own name.
KEYS_OF = {"what_if": "what-if", "advise": "risk", "suggest": "hierarchy"}


def _named(name: str) -> set[str]:
    found = inspect.signature(getattr(mingle, name)).parameters.values()
    return {one.name for one in found if one.kind is inspect.Parameter.KEYWORD_ONLY}


@pytest.mark.parametrize("name", COMMANDS)
def test_what_a_command_names_is_what_it_takes(name):
    command = KEYS_OF.get(name, name)
    typed = set(arguments.Named.__annotations__)
    known = keys.catalogue("keys")
    taken = {
        keys.name_of(key) for key, entry in known.items() if command in entry["commands"] and key != "data"
    }
    named = _named(name)
    always = {"models", "progress"} & named
    assert named == (typed & taken) | always
    assert "models" not in named or "k" in named


def test_every_key_has_a_type_once():
    named, further = arguments.Named.__annotations__, arguments.Further.__annotations__
    assert not set(named) & set(further)
    known = {keys.name_of(key) for key in keys.catalogue("keys") if key != "data"}
    assert known == (set(named) | set(further)) - {"models", "progress", "base_level"}


def test_sessions_have_the_signatures_of_the_functions():
    for name in COMMANDS:
        if hasattr(mingle.Session, name):
            assert getattr(mingle.Session, name) is getattr(mingle, name)


def test_a_positional_argument_is_refused(frame):
    with pytest.raises(TypeError):
        mingle.anonymize(frame, ["age"])


# ---- Values as Python has them -------------------------------------------------------------------


@pytest.mark.parametrize("given, rows", [(0.02, 24), ("2%", 24), (24, 24), (0.0, 0), (0, 0), (1.0, 1200)])
def test_suppress_is_a_share_or_a_number(frame, given, rows):
    made = mingle.anonymize(frame, quasi=["age", "zip"], rest="drop", k=5, suppress=given, method="mingen")
    text = str(made["audit"]["job"]["suppress"])
    number = float(text[:-1]) * 12 if text.endswith("%") else float(text)
    assert number == pytest.approx(rows)


def test_numbers_of_numpy_are_numbers(frame):
    np = pytest.importorskip("numpy")
    said = {"quasi": ["age", "zip"], "rest": "drop", "dry_run": True}
    mingle.anonymize(frame, k=np.int64(5), suppress=np.float64(0.02), **said)
    mingle.anonymize(frame, k=np.int8(5), suppress=np.int32(20), keep_order=np.bool_(True), **said)


@pytest.mark.parametrize("given", [1.5, -0.1, -1, True, float("nan")])
def test_what_is_no_share_is_refused(frame, given):
    with pytest.raises(mingle.UsageError, match="share of the rows") as caught:
        mingle.anonymize(frame, quasi=["age"], rest="drop", k=5, suppress=given)
    assert (caught.value.code, caught.value.key) == ("bad-value", "suppress")


@pytest.mark.parametrize(
    "name, value",
    [("l_diversity", 2), ("t_closeness", 0.5), ("entropy_l", 1.5), ("recursive_cl", (4, 2)), ("alpha", 0.9)],
)
def test_a_parameter_alone_is_for_the_sensitive_column(frame, name, value):
    said = {"quasi": ["sex", "zip"], "rest": "drop", "k": 5, "dry_run": True}
    alone = mingle.anonymize(frame, sensitive="disease", **{name: value}, **said)
    named = mingle.anonymize(frame, sensitive=["disease"], **{name: {"disease": value}}, **said)
    assert alone.models == named.models and len(alone.models) == 2
    for sensitive in (None, ["disease", "age"]):
        with pytest.raises(mingle.UsageError, match=name) as caught:
            mingle.anonymize(frame, sensitive=sensitive, **{name: value}, **said)
        assert caught.value.code == "bad-value"


# ---- Names of the version before ------------------------------------------------------------------


def test_old_names_still_serve(frame):
    with pytest.warns(DeprecationWarning, match="mingle.hierarchy.intervals"):
        old = mingle.intervals(5, 20)
    assert old == mingle.hierarchy.intervals(5, 20)
    with pytest.warns(DeprecationWarning, match="hierarchy"):
        mingle.anonymize(frame, quasi="age", rest="drop", k=5, hierarchies={"age": old}, dry_run=True)
    with pytest.raises(mingle.UsageError) as caught, pytest.warns(DeprecationWarning):
        mingle.anonymize(frame, quasi="age", k=5, hierarchies={"age": old}, hierarchy={"age": old})
    assert caught.value.code == "repeated"


# ---- Errors ----------------------------------------------------------------------------------------

WRONG = {
    "a negative k": {"k": -1},
    "a truth value": {"k": True},
    "a dict for k": {"k": {"age": 5}},
    "a model of a negative k": {"models": [mingle.KAnonymity(-1)]},
    "the class of a model": {"models": [mingle.KAnonymity]},
    "a model as a text": {"models": "k-anonymity"},
    "half a character": {"quasi": "a\ud800"},
    "half a character in a condition": {"where": "sex = '\ud800'"},
    "a NUL": {"quasi": "a\0"},
    "bytes": {"quasi": [b"age"]},
    "a hierarchy that is none": {"hierarchy": {"age": 5}},
    "a hierarchy for no column": {"hierarchy": "intervals(5)"},
    "weights without columns": {"weights": 3},
    "a recoding that is none": {"recoding": 5},
    "a number as output": {"output": 5},
    "a number as progress": {"progress": 5},
    "an unknown argument": {"nonsense": 1},
    "an unknown method": {"method": "nonsense"},
}


@pytest.mark.parametrize("what", WRONG)
def test_wrong_calls_are_errors_of_mingle_with_a_cause(frame, what):
    said = {"quasi": ["age"], "rest": "drop", "k": 5, **WRONG[what]}
    if "models" in said:
        del said["k"]
    call = mingle.apply if "recoding" in said else mingle.anonymize
    if "recoding" in said:
        said = WRONG[what]
    with pytest.raises(mingle.MingleError) as caught:
        call(frame, **said)
    assert caught.value.code and isinstance(caught.value, ValueError)
    text = str(caught.value)
    for foreign in ('k="N"', "help models", "age=...", "memory:", "--", "privacy."):
        assert foreign not in text


def test_what_is_said_of_a_session(frame):
    with pytest.raises(mingle.UsageError, match="how the table is read") as caught:
        mingle.Session(frame, k=5)
    assert caught.value.code == "session-key"
    session = mingle.Session(frame)
    session.close()
    session.close()
    with pytest.raises(mingle.UsageError, match="closed") as caught:
        session.check(quasi="age")
    assert caught.value.code == "usage"


def test_every_kind_of_error_has_a_code():
    for name in ("MingleError", "PrivacyError", "UsageError", "DataError", "SystemFailure", "Cancelled"):
        assert getattr(mingle, name)("words").code
