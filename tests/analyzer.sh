#!/bin/bash
# gcc -fanalyzer over all C that is built: leaks, double frees, uses after free, files left open.
set -u
. "$(dirname "$0")/support/by_hand.bash"
gcc -fanalyzer -E -x c /dev/null >/dev/null 2>&1 ||
    { echo "skipped: gcc has no -fanalyzer"; exit 77; }
[ -e "$VARIANT_BUILD/compile_commands.json" ] ||
    { echo "not ok - $VARIANT_BUILD/compile_commands.json is not there"; exit 1; }
(cd "$SOURCE" && cmake --preset release -DMGL_UNITY=OFF -B "$OLDPWD/released") >log || exit 1

# Left out, for every file:
#   null-*, possible-null-*, use-of-uninitialized-value: from one file the analyzer cannot see
#     that mgl_fail never returns MGL_OK, and reports every out-parameter behind it;
#   shift-count-overflow: gcc 12 takes the range of a value for the width of its type;
#   too-complex: it says only that the analyzer gave up on a function.
left_out=(null-dereference null-argument possible-null-dereference possible-null-argument
    use-of-uninitialized-value shift-count-overflow too-complex)

# Left out besides, for all but the sources:
#   malloc-leak: tests and the bench give up when memory is out, and gcc 12 loses sight of what is
#     put into arrays; the sanitizers look for leaks in tests.
#
# The sources are looked at as they are released, file by file, the tests as they are built.
python3 - "$SOURCE/src/" released "$VARIANT_BUILD" <<'END' >list
import json, re, sys
seen = set()
for folder in sys.argv[2:]:
    for made in json.load(open(folder + "/compile_commands.json")):
        if made["file"] not in seen:
            seen.add(made["file"])
            command = re.sub(r"^\S*ccache\s+", "", made["command"])
            command = re.sub(r" -f(no-)?sanitize\S*", "", command)
            leaks = "" if made["file"].startswith(sys.argv[1]) else " -Wno-analyzer-malloc-leak"
            command = re.sub(r" -o \S+", f" $flags{leaks} -o /dev/null", command)
            print(f"cd {made['directory']} && {command}")
END
[ -s list ] || { echo "not ok - no sources are built"; exit 1; }
# The optimizer's inlining only costs the analyzer time.
export flags="-O1 -U_FORTIFY_SOURCE -Wno-error -fanalyzer ${left_out[*]/#/-Wno-analyzer-}"
xargs -d '\n' -P 2 -I LINE bash -c LINE <list >told 2>&1 ||
    { cat told; echo "not ok - a source did not compile"; exit 1; }
if grep -q 'Wanalyzer' told; then
    grep 'Wanalyzer' told | sort -u
    exit 1
fi
echo "ok - $(wc -l <list) sources"
