#!/usr/bin/env bash
# The tables and outputs of the README and of the pages about methods and treatments are what the
# program prints; the page about methods has a section for every method. The optimized program is asked.
set -eu
"$MAKE_PATIENTS" patients.csv
for page in README.md docs/methods.md docs/treatments.md; do
    "$SOURCE/scripts/readme" "$MINGLE_RELEASE" . "$SOURCE/$page" >made.md
    diff -u "$SOURCE/$page" made.md || {
        echo "run: scripts/readme build/mingle build/example $page > new && mv new $page"
        exit 1
    }
done
for method in $("$MINGLE_RELEASE" help methods | sed -n 's/^  \([a-z][a-z-]*\)\( .*\)*$/\1/p'); do
    grep -qx "## $method" "$SOURCE/docs/methods.md" || {
        echo "docs/methods.md has no section '## $method'"
        exit 1
    }
done
