"""What a classifier still learns from a release of Adult, beside the table as it is.

    python classifier.py FOLDER [--rows N] [--k 5 25 100] [--folds 3]

FOLDER has adult.csv and adult_hierarchy_COLUMN.csv, as ARX hands them out. For each k three
releases are made of all columns but salary-class, which passes through and is what is to be
predicted:

- mingle: the method `cell`, each row as little generalized as can be found;
- Mondrian: regions cut in the widest column, ages become ranges;
- like ARX: one level per column, the best node by the same measure, up to 5 % of rows suppressed.

Accuracy is that of logistic regression by cross-validation on the released rows. A released value
counts as what it stands for: a range of ages as its middle, a label as equal shares of the values
below it. The table that this prints is in docs/python.md.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import mingle
import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

LABEL = "salary-class"
METHODS = {
    "mingle": {"method": "cell"},
    "Mondrian": {"method": "mondrian"},
    "like ARX": {"method": "mingen", "suppress": "5%"},
}


def read(folder: Path, rows: int | None) -> tuple[pd.DataFrame, dict[str, pd.DataFrame]]:
    """The table, and for each other column its hierarchy."""
    table = pd.read_csv(folder / "adult.csv", sep=";", dtype=str)
    if rows is not None and rows < len(table):
        table = table.sample(rows, random_state=1).reset_index(drop=True)
    trees = {
        column: pd.read_csv(
            folder / f"adult_hierarchy_{column}.csv", sep=";", dtype=str, header=None
        )
        for column in table.columns.drop(LABEL)
    }
    return table, trees


def ages(column: pd.Series) -> np.ndarray:
    """The middle of each range; of an age that is suppressed the mean of all others."""
    found = {v: np.mean([int(n) for n in re.findall(r"\d+", v)] or [np.nan]) for v in column.unique()}
    middle = column.map(found).astype(float)
    middle = middle.fillna(0.0 if middle.isna().all() else middle.mean())
    return np.column_stack([middle, middle**2])


def shares(column: pd.Series, tree: pd.DataFrame) -> np.ndarray:
    """For each ground value the share that it has of what the released label stands for."""
    ground = list(tree[0])
    below = {value: {value} for value in ground}
    for row in tree.itertuples(index=False):
        for label in row[1:]:
            below.setdefault(label, set()).add(row[0])
    everything = set(ground)
    vectors = {}
    for label in column.unique():
        stands_for = below.get(label, everything)
        vectors[label] = np.array([(value in stands_for) / len(stands_for) for value in ground])
    return np.stack(column.map(vectors).to_list())


def accuracy(table: pd.DataFrame, trees: dict[str, pd.DataFrame], folds: int) -> float:
    """How many rows a model tells the label of that was fitted on others."""
    table = table.astype(str)
    features = [ages(table["age"])]
    features += [shares(table[c], tree) for c, tree in trees.items() if c != "age"]
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=200, tol=1e-3))
    parts = StratifiedKFold(folds, shuffle=True, random_state=1)
    return float(cross_val_score(model, np.hstack(features), table[LABEL], cv=parts).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description="accuracy of a classifier on releases of Adult")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int)
    parser.add_argument("--k", type=int, nargs="+", default=[5, 25, 100])
    parser.add_argument("--folds", type=int, default=3)
    said = parser.parse_args()
    table, trees = read(said.folder, said.rows)
    quasi = list(trees)
    most = table[LABEL].value_counts(normalize=True).iloc[0]
    raw = accuracy(table, trees, said.folds)
    print(f"{len(table)} rows; the more common class alone: {most:.3f}; as it is: {raw:.3f}\n")
    print("| k |" + "".join(f" {name} |" for name in METHODS))
    print("|---|" + "---|" * len(METHODS))
    with mingle.Session(table) as session:
        for k in said.k:
            cells = []
            for chosen in METHODS.values():
                given = {c: tree for c, tree in trees.items()}
                if chosen["method"] == "mondrian":
                    del given["age"]  # it makes ranges of its own
                release = session.anonymize(
                    quasi=quasi, insensitive=[LABEL], k=k, hierarchy=given, utility="loss",
                    suppressed="keep", keep_order=True, **chosen,
                )
                loss = release["utility"]["loss"]
                found = accuracy(release.to_pandas(), trees, said.folds)
                cells.append(f"{found:.3f} (loss {loss:.3f})")
            print(f"| {k} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
