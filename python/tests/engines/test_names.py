"""Names that could be taken for ours, that an engine would cut, or that name something else."""

from __future__ import annotations

import mingle
import pytest
from mingle.engines import Folder

pa = pytest.importorskip("pyarrow")
pytest.importorskip("ibis")

#: What columns are called within the statements of a release.
OURS = ["c0", "r0", "n", "f0", "p0", "count", "m0", "t0", "row", "c", "v0", "mingle_number", "mingle_c0", "trial"]


def people(names):
    """The first three columns have something missing."""
    n = 300
    cells = [[str(i * (j + 3) % 7) if (i + j) % 5 else None for i in range(n)] for j in range(3)]
    cells += [[str((i * i + j) % 3) for i in range(n)] for j in range(len(names) - 3)]
    return pa.table(dict(zip(names, cells)))


@pytest.mark.parametrize("first", [0, 5, 11])
def test_columns_that_are_called_as_ours(place, first):
    names = OURS[first:] + OURS[:first]
    said = {"quasi": names[:3], "sensitive": names[3], "rest": "insensitive", "k": 3, "suppress": "100%"}
    said |= {"allow_leaks": True, "method": "mingen"}
    table = people(names)
    source = place.put("people", table)
    mingle.anonymize(source, output="released", **said)
    here = mingle.anonymize(table, **said).to_arrow().to_pylist()
    assert sorted(map(repr, place.rows("released"))) == sorted(map(repr, here))
    for coarser in ({"base_level": 1}, {"least_count": 3}):
        with pytest.raises(mingle.UsageError, match="'mingle_.*' begins with mingle_"):
            mingle.anonymize(source, output="other", **said, **coarser)


def test_names_that_would_be_cut(place):
    table = place.put("people", people(["zip", "age", "sex", "ill"]))
    said = {"quasi": ["zip", "age"], "sensitive": "ill", "rest": "drop", "k": 2, "suppress": "100%"}
    name = "x" * 70
    if place.name in ("postgresql", "mariadb"):
        with pytest.raises(mingle.UsageError, match="is longer than the 6[34] bytes"):
            mingle.anonymize(table, output=name, **said)
        assert place.tables() == ["people"]
    else:
        mingle.anonymize(table, output=name, **said)
        assert place.tables() == ["people", name]


def test_files_are_written_by_the_library(place, tmp_path):
    """A name that ends as a file does is a file, however it is given."""
    table = people(["zip", "age", "sex", "ill"])
    said = {"quasi": ["zip", "age"], "sensitive": "ill", "rest": "drop", "k": 2, "suppress": "100%"}
    source = place.put("people", table)
    for output in (tmp_path / "released.csv", str(tmp_path / "again.csv")):
        if place.name == "spark":
            with pytest.raises(mingle.UsageError, match="writes tables and folders"):
                mingle.anonymize(source, output=output, **said)
        else:
            mingle.anonymize(source, output=output, **said)
    assert len(list(tmp_path.glob("*.csv"))) == (0 if place.name == "spark" else 2)
    assert all(path.is_file() for path in tmp_path.glob("*.csv"))
    if place.name in ("duckdb", "spark"):
        mingle.anonymize(source, output=Folder(tmp_path / "folder.parquet"), **said)
        assert (tmp_path / "folder.parquet").is_dir()
