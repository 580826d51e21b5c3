#!/bin/bash
# Every #include in src against docs/modules.txt, the table of modules: another module's public header
# only, and only where the table allows it; the program (cli) includes the headers of include and
# its own. The rules are in docs/conventions.md, "Modules and public headers". No two .c files share
# a base name.
#   tests/modules.sh [PROJECT]    with PROJECT: only checks that folder
set -eu
awk_rules=$(realpath "$(dirname "$0")")/modules.awk
. "$(dirname "$0")/support/by_hand.bash"

# Prints one line per violation.
violations() {
    cd "$1"
    # shellcheck disable=SC2046
    awk -f "$awk_rules" docs/modules.txt $(find src -name '*.[ch]' | sort)
    # A table with a circle would forbid nothing.
    awk -F'[: ]+' '!/^#/ { for (i = 2; i <= NF; i++) if ($i != "") print $1, $i }' docs/modules.txt |
        tsort 2>&1 >/dev/null | sed 's/^/docs\/modules.txt: a circle: /'
    # Modules do not go back up: only the program calls what the facade offers.
    if [ -f src/mingle.c ]; then
        offered=$(sed -n 's/^[a-z].*\b\(mgl_[a-z_]*\)(.*/\1/p' src/mingle.c | sort -u | paste -sd'|')
        grep -rnE "\\b($offered)\\(" src --include='*.c' --exclude=mingle.c --exclude-dir=cli |
            sed 's/:.*//; s/$/: calls the facade/'
    fi
    # A command is a file of the program and one of the library, of the same name.
    find src -name '*.c' ! -path 'src/cli/*' | sed 's/.*\///' | sort | uniq -d |
        sed 's/^/two files of src are called /'
    find src/cli -name '*.c' 2>/dev/null | sed 's/.*\///' | sort | while read -r name; do
        find src -name "$name" ! -path 'src/cli/*' ! -path 'src/command/*' |
            sed 's/$/ is called like a file of src\/cli/'
    done
}

if [ $# -eq 1 ]; then
    found=$(violations "$1")
    [ -z "$found" ] || { echo "$found"; exit 1; }
    exit 0
fi

echo 1..4
failed=0
# outcome NUMBER NAME FOUND WANTED
outcome() {
    if [ "$3" = "$4" ]; then
        echo "ok $1 - $2"
    else
        echo "not ok $1 - $2"
        echo "$3"
        failed=1
    fi
}

outcome 1 "every include keeps to docs/modules.txt" "$(violations "$SOURCE")" ""

# ---- The check itself: each line below must be caught, and nothing else -------
mkdir -p docs src/base src/low src/high/inner src/high/inner/deep src/high/other src/cli/shelf \
    src/command src/stray
cat >docs/modules.txt <<'END'
# comment
base:
low:
high: low high/inner
high/inner:
high/inner/deep:
high/other: high/inner
command: high
cli:
cli/shelf: cli
END
touch src/low/low.h src/low/private.h src/base/base.h src/base/map.h src/cli/own.h src/cli/cli.h \
    src/cli/shelf/shelf.h src/command/command.h src/high/other/other.h src/high/inner/inner.h src/high/inner/private.h \
    src/high/inner/deep/deep.h
echo '#include "high/inner/inner.h"' >src/high/high.h          # its row names it
cat >src/high/good.c <<'END'
#include "high/high.h"
#include "low/low.h"
#include "base/base.h"
#include "mingle.h"
#include "mingle/error.h"
#include "high/inner/inner.h"
#include "high/other/other.h"
#include <stdio.h>
#include <sys/stat.h>
END
printf '#include "low/low.h"\n#include "high/high.h"\n' >src/facade.c
printf '#include "own.h"\n#include "mingle.h"\n' >src/cli/own.c
printf '#include "mingle.h"\n#include "cli/shelf/shelf.h"\n' >src/cli/run.c
printf '#include "cli/cli.h"\n#include "cli/shelf/shelf.h"\n' >src/cli/shelf/fine3.c
echo '#include "high/high.h"' >src/command/run.c               # a command's pair
# A submodule enters what its row names and what its parent's row does; a parent its submodules.
printf '#include "high/inner/inner.h"\n#include "low/low.h"\n' >src/high/other/fine.c
printf '#include "high/inner/deep/deep.h"\n#include "high/inner/private.h"\n' >src/high/inner/fine2.c

echo '#include "high/high.h"' >src/low/bad1.c                  # not in its row
echo '  # include "low/private.h"' >src/high/bad2.c            # no public header
echo '#include "base/map.h"' >src/low/bad3.c
echo '#include "base/base.h"' >src/cli/bad4.c
echo '#include "../low/low.h"' >src/high/bad5.c
echo '#include "low/missing.h"' >src/low/bad6.c
echo '#include <low/low.h>' >src/base/bad7.c
echo '#include HEADER' >src/low/bad8.c
echo '#include "mingle.h"' >src/stray/bad9.c                   # a folder without a row
echo '#include "low/low.c"' >src/high/bad10.c
echo '#include "low/private.h"' >src/bad11.c
echo '#include "high/inner/inner.h"' >src/command/bad12.c      # from outside the parent
echo '#include "high/inner/inner.h"' >src/bad13.c              # the facade, likewise
echo '#include "high/inner/deep/deep.h"' >src/high/bad14.c     # in a submodule of a submodule
echo '#include "high/other/other.h"' >src/high/inner/bad15.c   # against the one way
echo '#include "high/high.h"' >src/high/inner/bad16.c          # the parent, not in its row
echo '#include "high/inner/private.h"' >src/high/bad17.c       # no public header, though of a submodule
echo '#include "high/other/other.h"' >src/high/bad18.h         # a header: its row must name it
caught() { sed 's/:.*//; s/.*bad/bad/; s/\..*//' | sort -V | tr '\n' ' '; }
echo 'mgl_status mgl_job_run(mgl_job *job)' >src/mingle.c
printf '    status = mgl_job_run(job);\n' >src/high/bad19.c            # back up to the facade
echo '#include "base/base.h"' >src/cli/shelf/bad20.c               # the program, in a submodule
outcome 2 "includes against the table are caught" "$(violations . | caught)" \
    "$(printf 'bad%d ' $(seq 20))"
find src -name 'bad*' -delete
rmdir src/stray

# with ROW...: what is found when these rows are added to the table.
with() {
    cp docs/modules.txt docs/kept
    printf '%s\n' "$@" >>docs/modules.txt
    violations . | sed 's/^[^ ]* //'
    mv docs/kept docs/modules.txt
}
mkdir -p src/third
touch src/third/third.h
found=$(
    with 'third: low high'                                     # nothing is wrong with that
    with 'third: nowhere'
    with 'third: high/inner'
    with 'low/none/deep:' | head -1
    with 'third/none:' 'third:'
    with 'third:' 'high/inner: third'
    with 'third: command' 'low: third' | grep -m1 circle
    with 'third: ' 'high/inner: high' | grep -m1 circle
    with 'third: ' 'high/inner: high/other' | grep -m1 circle
)
outcome 3 "rows that break the rules are caught" "$found" "there is no module nowhere
module high/inner is entered from inside high alone, not from third
there is no module around low/none/deep
module third/none has no public header
module high/inner may enter third if module high may
a circle: tsort: -: input contains a loop:
a circle: tsort: -: input contains a loop:
a circle: tsort: -: input contains a loop:"

echo 'third:' >>docs/modules.txt
touch src/third/fine.c src/low/own.c
outcome 4 "base names that occur twice are caught" "$(violations .)" "two files of src are called fine.c
src/low/own.c is called like a file of src/cli"
exit $failed
