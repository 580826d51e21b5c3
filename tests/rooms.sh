#!/bin/bash
# Every #include in src against docs/rooms.txt: another room's door only, and only
# where the table allows it; the program (cli) includes mingle.h and its own headers.
#   tests/rooms.sh [PROJECT]    with PROJECT: only checks that folder
set -eu

# Prints one line per violation.
violations() {
    cd "$1"
    # shellcheck disable=SC2046
    awk '
        function complain(what) { print FILENAME ":" FNR ": " what }
        function allowed(room, other) {
            return other == "base" || (room, other) in may || room == "(facade)"
        }
        FILENAME == "docs/rooms.txt" {
            if ($0 ~ /^#/ || $0 ~ /^[ \t]*$/) next
            sub(/:/, " ")
            known[$1] = 1
            for (i = 2; i <= NF; i++) may[$1, $i] = 1
            next
        }
        FNR == 1 {
            n = split(FILENAME, part, "/")
            room = n == 2 ? "(facade)" : part[2]
            if (n >= 3 && !(room in known)) complain("room " room " is not in docs/rooms.txt")
        }
        /^[ \t]*#[ \t]*include/ {
            if (!match($0, /["<][^">]*[">]/)) { complain("an include by macro"); next }
            quoted = substr($0, RSTART, 1) == "\""
            name = substr($0, RSTART + 1, RLENGTH - 2)
            m = split(name, step, "/")
            other = m > 1 ? step[1] : ""
            if (name == "mingle.h") next
            if (!quoted && !(other in known)) next            # a system header
            if (name ~ /\.c$/) complain("includes the source file " name)
            else if (name ~ /\.\./) complain("includes by a path with ..: " name)
            else if (m == 1 || other == room) {               # its own room
                path = "src/" (m > 1 ? name : (room == "(facade)" ? "" : room "/") name)
                if ((getline line < path) < 0) complain(name " is not in room " room)
                close(path)
            }
            else if (room == "cli") complain("the program may include only mingle.h, not " name)
            else if (!(other in known)) complain("there is no room for " name)
            else if (name != other "/" other ".h") complain(name " is not the door of " other)
            else if (!allowed(room, other)) complain("room " room " may not include room " other)
        }' docs/rooms.txt $(find src -name '*.[ch]' | sort)
    # A table with a circle would forbid nothing.
    awk -F'[: ]+' '!/^#/ { for (i = 2; i <= NF; i++) if ($i != "") print $1, $i }' docs/rooms.txt |
        tsort 2>&1 >/dev/null | sed 's/^/docs\/rooms.txt: a circle: /'
}

if [ $# -eq 1 ]; then
    found=$(violations "$1")
    [ -z "$found" ] || { echo "$found"; exit 1; }
    exit 0
fi

echo 1..2
if found=$(violations "$SOURCE") && [ -z "$found" ]; then
    echo "ok 1 - every include keeps to docs/rooms.txt"
else
    echo "not ok 1 - every include keeps to docs/rooms.txt"
    echo "$found"
fi

# ---- The check itself: each line below must be caught, and nothing else -------
mkdir -p docs src/base src/low src/high src/cli src/stray
printf '# comment\nbase:\nlow:\nhigh: low\ncli:\n' >docs/rooms.txt
touch src/low/low.h src/low/inner.h src/high/high.h src/base/base.h src/base/map.h src/cli/own.h
cat >src/high/good.c <<'END'
#include "high/high.h"
#include "low/low.h"
#include "base/base.h"
#include "mingle.h"
#include <stdio.h>
#include <sys/stat.h>
END
printf '#include "low/low.h"\n#include "high/high.h"\n' >src/facade.c
printf '#include "own.h"\n#include "mingle.h"\n' >src/cli/good.c
echo '#include "high/high.h"' >src/low/bad1.c
echo '  # include "low/inner.h"' >src/high/bad2.c
echo '#include "base/map.h"' >src/low/bad3.c
echo '#include "base/base.h"' >src/cli/bad4.c
echo '#include "../low/low.h"' >src/high/bad5.c
echo '#include "low/missing.h"' >src/low/bad6.c
echo '#include <low/low.h>' >src/base/bad7.c
echo '#include HEADER' >src/low/bad8.c
echo '#include "mingle.h"' >src/stray/bad9.c
echo '#include "low/low.c"' >src/high/bad10.c
echo '#include "low/inner.h"' >src/bad11.c
found=$(violations . | sed 's/:.*//; s/.*bad/bad/; s/\.c//' | sort -V | tr '\n' ' ')
wanted=$(printf 'bad%d ' 1 2 3 4 5 6 7 8 9 10 11)
printf 'low: high\n' >>docs/rooms.txt
if [ "$found" = "$wanted" ] && violations . | grep -q 'a circle'; then
    echo "ok 2 - violations are caught"
else
    echo "not ok 2 - violations are caught"
    echo "caught: $found"
    exit 1
fi
[ -z "$(violations "$SOURCE")" ]
