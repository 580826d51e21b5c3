"""Labels of generalized numbers and days in the order of what they cover, as intervals, as periods."""

from __future__ import annotations

import datetime
import pickle
import random

import mingle
import pytest
from mingle import hierarchy, spans

pd = pytest.importorskip("pandas")


@pytest.mark.parametrize(
    "label, low, high, closed",
    [
        ("41", 41, 41, "both"), ("-7", -7, -7, "both"), ("3.5", 3.5, 3.5, "both"),
        ("20-24", 20, 24, "both"), ("-10--6", -10, -6, "both"), ("-5-4", -5, 4, "both"),
        ("[-10,-5)", -10, -5, "left"), ("[1200.50,1250]", 1200.5, 1250, "both"), ("[0,0.5)", 0, 0.5, "left"),
        ("<18", float("-inf"), 18, "neither"), ("<=0", float("-inf"), 0, "right"),
        (">=66", 66, float("inf"), "left"), (">90", 90, float("inf"), "neither"),
    ],
)
def test_labels_of_numbers(label, low, high, closed):
    assert spans.number(label) == (low, high, closed)


@pytest.mark.parametrize("label", ["", "*", "a", "0213*", "1-", "(1,2]", "1,5", "2020-01-01", "--1"])
def test_what_is_no_label_of_a_number(label):
    assert spans.number(label) is None


@pytest.mark.parametrize(
    "label, first, last",
    [
        ("2015", "2015-01-01", "2015-12-31"), ("2015-02", "2015-02-01", "2015-02-28"),
        ("2015-Q2", "2015-04-01", "2015-06-30"), ("2010-2019", "2010-01-01", "2019-12-31"),
        ("2015-02-03", "2015-02-03", "2015-02-03"), ("2020-W53", "2020-12-28", "2021-01-03"),
        ("2015-02-03T10", "2015-02-03", "2015-02-03"),
    ],
)
def test_labels_of_days(label, first, last):
    span = spans.day(label)
    assert (str(span.low)[:10], str(span.high)[:10]) == (first, last)


@pytest.mark.parametrize("label", ["*", "15", "2015-13", "2015-W60", "abc", "2015-02-30"])
def test_what_is_no_label_of_a_day(label):
    assert spans.day(label) is None


def _frame(seed: int, n: int = 400):
    drawn = random.Random(seed)
    first = datetime.date(2001, 1, 1)
    return pd.DataFrame(
        {
            "number": [drawn.choice([drawn.randint(-40, 140), drawn.randint(0, 9)]) for _ in range(n)],
            "height": [round(drawn.gauss(1.7, 0.2), 2) for _ in range(n)],
            "seen": pd.to_datetime([first + datetime.timedelta(drawn.randint(0, 4000)) for _ in range(n)]),
            "code": [drawn.choice("abcde") + str(drawn.randint(0, 9)) for _ in range(n)],
        }
    )


HIERARCHIES = {
    "number": [hierarchy.intervals(5, 10, 40), hierarchy.cuts(0, 50), hierarchy.top(60), hierarchy.suppress()],
    "height": [hierarchy.intervals(0.1, 0.5), hierarchy.bottom(1.5)],
    "seen": [hierarchy.dates("month", "quarter", "year"), hierarchy.dates("week"), hierarchy.dates("year", "10y")],
}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("method", ["cell", "mingen", "mondrian", "k-member"])
def test_categories_are_in_the_order_of_values(seed, method):
    frame, drawn = _frame(seed), random.Random(seed + 100)
    used = {name: drawn.choice(choices) for name, choices in HIERARCHIES.items()}
    ranges = method in ("mondrian", "k-member")
    column = drawn.choice(["number", "height"] if ranges else list(used))
    given = None if ranges else {column: used[column]}
    release = mingle.anonymize(
        frame, quasi=[column, "code"], rest="drop", k=5, method=method, keep_order=True, hierarchy=given
    )
    made = release.to_pandas()
    assert made[column].cat.ordered and not made["code"].cat.ordered
    labels = list(made[column].cat.categories)
    assert labels.count("*") == 0 or labels[-1] == "*"
    # A label before another never has only greater values than it.
    values = frame.groupby(made[column].astype(str), observed=True)[column].agg(["min", "max"])
    for before, after in zip(labels, labels[1:]):
        if after != "*":
            assert values.loc[before, "min"] <= values.loc[after, "max"]
    # Intervals and periods hold the value that each row had.
    for covers, value in zip(release.to_pandas(spans=True)[column], frame[column]):
        if isinstance(covers, pd.Interval):
            assert value in covers
        elif isinstance(covers, pd.Period):
            assert covers.start_time <= value <= covers.end_time
        else:
            assert pd.isna(covers)
    again = pickle.loads(pickle.dumps(release)).to_pandas()
    assert list(again[column].cat.categories) == labels and again[column].cat.ordered


def test_periods_where_every_label_is_one(frame):
    table = _frame(3)
    made = mingle.anonymize(
        table, quasi="seen", rest="drop", k=2, method="mingen", hierarchy={"seen": hierarchy.dates("year")},
        level={"seen": "1"},
    )
    kind = str(made.to_pandas(spans=True)["seen"].dtype)
    assert kind.startswith(("period[Y", "period[A"))  # the second before pandas 2.2


def test_a_label_of_ones_own_is_left_alone():
    table = _frame(4)
    own = {str(value): "many" for value in set(table["number"])}
    made = mingle.anonymize(table, quasi="number", rest="drop", k=5, hierarchy={"number": own}, method="mingen")
    assert set(made.to_pandas()["number"]) == {"many"} and not made.to_pandas()["number"].cat.ordered
