#!/bin/bash
# The types of the Python package, by two checkers.
set -u
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/python/environment.bash"
mkdir -p "$BUILD/python"
make_site || exit 1
environment types mypy 'pyright[nodejs]' || exit
cp "$SOURCE/python/pyproject.toml" .
cp -r "$BUILD/python/site/mingle" .
unset PYTHONPATH
status=0
"$BUILD/python/types/bin/mypy" || status=1
"$BUILD/python/types/bin/pyright" mingle || status=1
# What a caller sees: each line with an ignore is wrong, and an ignore that is not needed fails.
cat >calls.py <<'END'
import mingle

table = "patients.csv"
release = mingle.anonymize(table, quasi=["age"], sensitive="disease", k=5, l_diversity=2, suppress=0.02, method="mingen")
rows: int = len(release)
smallest: int | None = release.k
first: str = next(iter(mingle.check(table, quasi="age", keep_order=None)))
with mingle.Session(table) as session:
    again: mingle.Release = session.anonymize(quasi=["age"], k=5, hierarchy={"age": mingle.hierarchy.intervals(5)})
mingle.anonymize(table, quasi=["age"], method="nonsense")  # type: ignore[arg-type]
mingle.anonymize(table, quasi=["age"], k="five")  # type: ignore[arg-type]
mingle.anonymize(table, quasi=["age"], rest="leave")  # type: ignore[arg-type]
mingle.anonymize(table, ["age"])  # type: ignore[call-arg]
mingle.anonymize(table, quassi=["age"])  # type: ignore[call-arg]
mingle.anonymize(table, quasi=["age"], effort="much")  # type: ignore[arg-type]
mingle.look(table, k=5)  # type: ignore[call-arg]
session.check(quasi=5)  # type: ignore[arg-type]
END
"$BUILD/python/types/bin/mypy" calls.py || status=1
exit $status
