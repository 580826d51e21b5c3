"""Tables to measure with: rows of Adult drawn anew, with some noise, as `bench` of the library draws
them; without Adult, rows of as many columns that depend on each other."""

from __future__ import annotations

import os

import numpy as np
import pandas as pd

SHARED = os.path.join(os.path.dirname(__file__), "../../../shared/data")
NOISE = 0.15  # of the cells are drawn from their column, whatever the row is


def adult(folder: str = SHARED) -> pd.DataFrame | None:
    """30,162 persons, nine columns; None: they are not here."""
    path = os.path.join(folder, "adult/adult.csv")
    return pd.read_csv(path, sep=";", dtype="category") if os.path.exists(path) else None


def hierarchies(frame: pd.DataFrame, folder: str = SHARED) -> dict[str, str]:
    """The files of Adult's hierarchies."""
    return {c: os.path.join(folder, f"adult/adult_hierarchy_{c}.csv") for c in frame.columns}


def _made(rows: int) -> pd.DataFrame:
    """Persons of a few kinds: a column's value is one of those that its kind often has."""
    random = np.random.default_rng(1)
    sizes = {"sex": 2, "age": 72, "race": 5, "marital": 7, "education": 16, "country": 41,
             "work": 7, "occupation": 14, "salary": 2}  # fmt: skip
    kind = random.integers(0, 300, rows)
    made = {}
    for name, size in sizes.items():
        shares = 1 / np.arange(1, size + 1)
        usual = random.choice(size, 300, p=shares / shares.sum())
        drawn = random.choice(size, rows, p=shares / shares.sum())
        codes = np.where(random.random(rows) < 0.6, usual[kind], drawn)
        names = [f"{name} {i:02}" for i in range(size)]
        made[name] = pd.Categorical.from_codes(codes.astype(np.int8), names)
    return pd.DataFrame(made)


def drawn(rows: int, folder: str = SHARED) -> tuple[pd.DataFrame, str]:
    """A frame of nine categorical columns, and what it was made of."""
    persons = adult(folder)
    if persons is None:
        return _made(rows), "made up"
    random = np.random.default_rng(1)
    pick = random.integers(0, len(persons), rows)
    columns = {}
    for name in persons.columns:
        codes = persons[name].cat.codes.to_numpy()
        other = codes[random.integers(0, len(persons), rows)]
        mixed = np.where(random.random(rows) < NOISE, other, codes[pick])
        columns[name] = pd.Categorical.from_codes(mixed, persons[name].cat.categories)
    return pd.DataFrame(columns), "drawn from Adult"
