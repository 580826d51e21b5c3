#!/bin/bash
# clang-tidy over the sources, with the checks of .clang-tidy.
set -u
command -v clang-tidy >/dev/null || { echo "skipped: clang-tidy is not installed"; exit 77; }
find "$SOURCE/src" -name '*.c' -print0 |
    xargs -0 -n 8 clang-tidy --quiet -p "$BUILD-clang" --warnings-as-errors='*' 2>/dev/null
