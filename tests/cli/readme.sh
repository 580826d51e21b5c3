#!/usr/bin/env bash
# Tables of methods, models, measures, builders and treatments in pages are what the program prints; the
# README names every method and model and shows rows as `preview` does, in at most 900 words; the page
# about methods has a section for every method. The optimized program is asked.
set -eu
. "$(dirname "$0")/../support/by_hand.bash"
"$MAKE_PATIENTS" patients.csv
for page in docs/methods.md docs/models.md docs/choosing.md docs/hierarchies.md docs/treatments.md; do
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

readme=$SOURCE/README.md
words=$(wc -w <"$readme")
[ "$words" -le 900 ] || { echo "README.md has $words words, 900 at most"; exit 1; }
for topic in methods models; do
    for name in $("$MINGLE_RELEASE" help $topic --markdown | sed -n 's/^| `\([a-z-]*\)`.*/\1/p'); do
        grep -q "\`$name\`" "$readme" || { echo "README.md does not name $name"; exit 1; }
    done
done
# Rows of "Before and after": before and after it, and the size of the class.
"$MINGLE_RELEASE" preview patients.csv --qi birth,sex,zip --hierarchy 'birth=dates(year,5y,10y)' \
    --hierarchy 'zip=mask(right)' --identifier name,ssn --sensitive diagnosis --rest drop -k 5 >preview.txt
sed -n 's/^| \([^|]*\) | \(.\) | \([^|]*\) | → | \([^|]*\) | \(.\) | \([^|]*\) | \([0-9]*\) |$/\1 | \2 | \3\n\4 | \5 | \6  (1 of \7)/p' \
    "$readme" >rows.txt
[ "$(wc -l <rows.txt)" -ge 6 ] || { echo "README.md shows no rows"; exit 1; }
while IFS= read -r row; do
    grep -qF -- "$row" preview.txt || { echo "README.md shows a row that preview does not: $row"; exit 1; }
done <rows.txt
# The lines of the program run as they stand, on fewer rows; the page that the last one serves has tests
# of its own.
head -n 1501 patients.csv >fewer.csv && mv fewer.csv patients.csv
sed -n 's/^    mingle \(.*\)/\1/p' "$readme" | grep -v '^studio' >lines.txt
[ "$(wc -l <lines.txt)" -ge 4 ] || { echo "README.md has no lines of the program"; exit 1; }
while read -r -a words; do
    "$MINGLE_RELEASE" "${words[@]}" >out.txt </dev/null || { echo "README.md: mingle ${words[*]} fails"; exit 1; }
done <lines.txt
