#!/bin/bash
# clang-tidy over all C that is built, with the checks of .clang-tidy.
set -u
. "$(dirname "$0")/support/by_hand.bash"
command -v clang-tidy >/dev/null || { echo "skipped: clang-tidy is not installed"; exit 77; }
commands=$BUILD-clang/compile_commands.json
[ -e "$commands" ] || { echo "not ok - $commands is not there"; exit 1; }
python3 - "$commands" <<'END' >list
import json, sys
print("\n".join(sorted({made["file"] for made in json.load(open(sys.argv[1]))})))
END
# What is told besides findings ("N warnings generated") goes to the other channel.
xargs -d '\n' -n 8 -P 2 clang-tidy --quiet -p "$BUILD-clang" --warnings-as-errors='*' \
    <list 2>/dev/null || exit 1
echo "ok - $(wc -l <list) sources"
