"""Features of columns and rows are known by their descriptors, never by their names.

feature_names.py PROJECT    prints where features are named outside src/feature

A name is a word of the code, outside comments and strings, that begins or continues with one of
STEMS. The pipeline, the result sections, the commands and the verifier run features by the table
(src/feature/feature_rows.h) and name none.
"""
import pathlib
import re
import sys

# What features are called in code, and a file that is a feature's own although it stands elsewhere:
# the verifier's judges share nothing with src/feature.
# A weight alone is that of a column in a measure, an item what threads take from a pool, and that
# a list is regrouped is a property of lists, which searches ask for.
STEMS = re.compile(r"(^|_)(treat(s|ed|s_.*)?$|treated_|linked|history|historic|household|strata|stratum|"
                   r"aggregat|weigh(s|ed)?$|weighed_|items$|items_|regroups?$|regroup_|least_count|"
                   r"parents_)")
OWN = ("feature_judges", "treated_values", "linked_cells", "item_combinations", "aggregated_cells",
       "stratum_cells", "household_risks")
# Names that stay, and why.
KEPT = {
    # `utility` measures a release by its cells alone, and what these can stand for is a property of
    # released columns and of the measures.
    "utility": ("mgl_aggregate", "aggregate", "mgl_aggregates_categories", "mgl_aggregate_words",
                "mgl_aggregation", "mgl_aggregation_report"),
}
WORDS = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|"""
                   r"^[ \t]*#[ \t]*include[^\n]*|(?P<word>[A-Za-z_]\w*)", re.S | re.M)
MODULES = ("pipeline", "findings", "command", "verify")


def names_in(path):
    text = path.read_text(encoding="utf-8")
    for match in WORDS.finditer(text):
        if (match.lastgroup == "word" and STEMS.search(match.group())
                and match.group() not in KEPT.get(path.stem, ())):
            yield text.count("\n", 0, match.start()) + 1, match.group()


def main():
    root = pathlib.Path(sys.argv[-1])
    failed = False
    for module in MODULES:
        for path in sorted((root / "src" / module).rglob("*.[ch]")):
            for line, name in names_in(path) if path.stem not in OWN else ():
                failed = True
                print("%s:%d: %s names a feature: ask descriptors (src/pipeline/read/feature.h)"
                      % (path.relative_to(root), line, name))
    sys.exit(failed)


main()
