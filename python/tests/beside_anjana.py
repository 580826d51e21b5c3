"""The same releases by anjana and by mingle, and what each loses by the same measure.

    PYTHONPATH=build/python/site python python/tests/beside_anjana.py FOLDER

prints the table of docs/python.md; FOLDER has `adult` and `pycanon` (../shared/data)."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from dataclasses import dataclass
from typing import Any

import mingle
import numpy as np
import pandas as pd


@dataclass
class Example:
    """A table with hierarchies as anjana takes them: for each column its values by level."""

    name: str
    frame: pd.DataFrame
    identifiers: list[str]
    sensitive: str
    k: int
    percent: int
    levels: dict[str, dict[int, Any]]

    @property
    def quasi(self) -> list[str]:
        return list(self.levels)

    def rows(self) -> dict[str, pd.DataFrame]:
        """The hierarchies as mingle takes them: a row for each value, up to the top."""
        made = {}
        for column, levels in self.levels.items():
            table = pd.DataFrame({level: pd.Series(v).astype(str) for level, v in levels.items()})
            table = table.drop_duplicates().reset_index(drop=True)
            made[column] = table if (table.iloc[:, -1] == "*").all() else table.assign(top="*")
        return made


def hospital(folder: str) -> Example:
    """Of both packages' documentation: 13 persons, ages in steps of 5 and 10 years."""
    frame = pd.read_csv(os.path.join(folder, "pycanon/hospital_extended.csv"))
    ages = frame["age"]
    steps = {i: [f"[{a // w * w}, {a // w * w + w})" for a in ages] for i, w in ((1, 5), (2, 10))}
    stars = {c: {0: frame[c].values, 1: np.array(["*"] * len(frame))} for c in ("gender", "city")}
    levels = {"age": {0: ages.values, **steps}, **stars}
    return Example("hospital", frame, ["name"], "disease", 2, 0, levels)


def adult(folder: str) -> Example:
    """anjana's example: six columns, k = 10, up to half of the rows suppressed."""
    frame = pd.read_csv(os.path.join(folder, "adult/adult.csv"), sep=";", dtype=str)
    levels = {}
    for column in ("age", "education", "marital-status", "occupation", "sex", "native-country"):
        path = os.path.join(folder, f"adult/adult_hierarchy_{column}.csv")
        levels[column] = dict(pd.read_csv(path, sep=";", header=None, dtype=str))
    return Example("Adult", frame, ["race"], "salary-class", 10, 50, levels)


#: What a model is called there and here, and its parameters there and here.
MODELS: dict[str, tuple[str, tuple[Any, ...], dict[str, Any]]] = {
    "k": ("k_anonymity", (), {}),
    "l = 2": ("l_diversity", (2,), {"l_diversity": "2"}),
    "entropy l = 2": ("entropy_l_diversity", (2,), {"entropy_l": "2"}),
    "recursive (2, 2)": ("recursive_c_l_diversity", (2, 2), {"recursive_cl": "2,2"}),
    "alpha = 0.8": ("alpha_k_anonymity", (0.8,), {"alpha": "0.8"}),
    "t = 0.5": ("t_closeness", (0.5,), {"t_closeness": "0.5"}),
    "beta = 1.5": ("basic_beta_likeness", (1.5,), {"beta": "1.5"}),
    "enhanced beta = 1.5": ("enhanced_beta_likeness", (1.5,), {"enhanced_beta": "1.5"}),
    "delta = 2": ("delta_disclosure", (2,), {"delta_disclosure": "2"}),
}


@dataclass
class Found:
    """A release; rows 0: there is none."""

    rows: int
    loss: float  # mean share of a column's values that a cell could be, 1: nothing is left
    holds: bool  # what was asked for, as the definitions say


def _loss(example: Example, release: pd.DataFrame) -> float:
    measured = mingle.utility(
        example.frame.astype(str),
        release=release[example.quasi].astype(str),
        quasi=example.quasi,
        hierarchy=example.rows(),
    )
    return float(measured["utility"]["loss"])


def _models(example: Example, model: str) -> dict[str, Any]:
    return {key: {example.sensitive: value} for key, value in MODELS[model][2].items()}


def theirs(example: Example, model: str) -> Found:
    import anjana.anonymity

    name, parameters, said = MODELS[model]
    front: list[Any] = [example.frame.copy(), example.identifiers, example.quasi]
    front += [example.sensitive, example.k] if model != "k" else [example.k]
    with contextlib.redirect_stdout(io.StringIO()):
        made = getattr(anjana.anonymity, name)(*front, *parameters, example.percent, example.levels)
    if len(made) == 0:
        return Found(0, 1.0, False)
    texts = made[[*example.quasi, example.sensitive]].astype(str)
    judged = mingle.check(
        texts, quasi=example.quasi, sensitive=example.sensitive, k=example.k,
        **_models(example, model),
    )  # fmt: skip
    return Found(len(made), _loss(example, made), judged.holds)


def ours(example: Example, model: str) -> Found:
    """The best release with a level for each column, as anjana's have, and as many rows left out."""
    try:
        release = mingle.anonymize(
            example.frame,
            quasi=example.quasi,
            identifier=example.identifiers,
            sensitive=example.sensitive,
            rest="drop",
            k=example.k,
            suppress=f"{example.percent}%",
            suppressed="drop",
            method="mingen",
            utility="loss",
            hierarchy=example.rows(),
            **_models(example, model),
        )
    except mingle.PrivacyError:
        return Found(0, 1.0, False)
    made = release.to_pandas()
    return Found(len(made), _loss(example, made), release.holds)


def main() -> None:
    print("| table | model | anjana: rows | loss | mingle: rows | loss |\n|---|---|---|---|---|---|")
    for example in (hospital(sys.argv[1]), adult(sys.argv[1])):
        for model in MODELS:
            cells = []
            for found in (theirs(example, model), ours(example, model)):
                broken = "" if found.holds else " (does not hold)"
                cells += [f"{found.rows:,}", f"{found.loss:.4f}{broken}"] if found.rows else ["none", ""]
            print(f"| {example.name} | {model} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
