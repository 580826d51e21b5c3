"""Features of columns and rows are known by their descriptors, never by their names.

feature_names.py PROJECT            prints the modules that name features more often than they may
feature_names.py --count PROJECT    prints how often they do

A name is a word of the code, outside comments and strings, that begins or continues with one of
STEMS. The pipeline, the result sections, the commands and the verifier run features by the table
(src/feature/feature_rows.h) and name none; what is left of names is counted by module in LEFT and
may only become less: who removes some lowers the number.
"""
import pathlib
import re
import sys

# What features are called in code, and a file that is a feature's own although it stands elsewhere:
# the verifier's judges share nothing with src/feature.
STEMS = re.compile(r"(^|_)(treat(s|ed|s_.*)?$|treated_|linked|history|historic|household|strata|stratum|"
                   r"aggregat|weigh(s|ed|t)?$|weights$|items?$|items_|regroup|least_count|parents_)")
OWN = {"verify": ("treated_values", "linked_cells", "item_combinations", "aggregated_cells",
                  "stratum_cells")}
WORDS = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|"""
                   r"^[ \t]*#[ \t]*include[^\n]*|(?P<word>[A-Za-z_]\w*)", re.S | re.M)
LEFT = {"pipeline": 116, "findings": 50, "command": 293, "verify": 64}


def names_in(text):
    return [match.group() for match in WORDS.finditer(text)
            if match.lastgroup == "word" and STEMS.search(match.group())]


def count(root, module):
    own = OWN.get(module, ())
    return sum(len(names_in(path.read_text(encoding="utf-8")))
               for path in (root / "src" / module).rglob("*.[ch]") if path.stem not in own)


def main():
    root = pathlib.Path(sys.argv[-1])
    failed = False
    for module, left in LEFT.items():
        found = count(root, module)
        if sys.argv[1] == "--count":
            print(module, found)
        elif found > left:
            failed = True
            print("src/%s names features %d times, and may %d times: ask their descriptors "
                  "(src/pipeline/read/feature.h)" % (module, found, left))
    sys.exit(failed)


main()
