#!/bin/bash
# shellcheck disable=SC2054 # the commas are in lists of columns
# shellcheck disable=SC2154 # support.bash sets small
# --level and --prefer mean the same to every method that generalizes by hierarchies.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
small_table

# Those that give each column one level, and the one that mixes them.
methods=()
for method in $("$MINGLE" help methods | grep -Eo '^  [a-z-]+' | tr -d ' '); do
    if [ "$method" = cell ] || "$MINGLE" help "$method" | grep -q '^  columns .*one level'; then
        methods+=("$method")
    fi
done
truth "there are such methods" test "${#methods[@]}" -ge 4

# levels_within LOW HIGH: the zip codes of out, which are no suppressed rows, have so many stars.
levels_within() {
    awk -F, -v low="$1" -v high="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        { zip = $column["zip"]; race = $column["race"] }
        zip == "*" && race == "*" { next }
        { level = zip == "*" ? 3 : gsub(/\*/, "", zip); seen++ }
        level < low || level > high { print "zip code at level " level; bad = 1 }
        END { exit bad || !seen }' out
}

release=(anonymize data.csv "${small[@]}" -o - --quiet --keep-order)
for method in "${methods[@]}"; do
    for bounds in 0..0 1..1 2..2 0..1 1..2 2..3; do
        expect 0 err '' "${release[@]}" -k 2 --method "$method" --level "zip=$bounds"
        truth "$method keeps to levels $bounds" levels_within "${bounds%..*}" "${bounds#*..}"
    done
    # A single number is the level itself; bounds of several columns.
    expect 0 err '' "${release[@]}" -k 2 --method "$method" --level zip=2,race=0..0
    truth "$method keeps to level 2" levels_within 2 2
    truth "$method leaves race alone" grep -q '^black,' out
    expect 2 err 'levels 0\.\.3' "${release[@]}" -k 2 --method "$method" --level zip=4
    expect 2 err '' "${release[@]}" -k 2 --method "$method" --level zip=2..1
done
# No level within the bounds is high enough.
for method in "${methods[@]}"; do
    [ "$method" = cell ] && continue # the top is a node there
    expect 1 err '^mingle: ' "${release[@]}" -k 4 --method "$method" --suppress 0 \
        --level zip=0..1,race=0..0
done

# Both nodes of height 1 hold; the first in order is zip 0, race 1, and the others are preferred
# by the steps they take of their hierarchies, or by the loss.
node_is() { # node_is ZIP RACE
    python3 -c '
import json, sys
node = json.load(open("out"))["node"]
sys.exit([node["zip"], node["race"]] != [int(x) for x in sys.argv[1:]])' "$@"
}
tied=(--qi 'zip,race' --hierarchy 'zip=mask(right,2)' --identifier name --sensitive disease)
for method in "${methods[@]}"; do
    case $method in cell | datafly) continue ;; esac # have no ties
    run=(anonymize data.csv "${tied[@]}" -k 2 --method "$method" --utility height --dry-run --json)
    expect 0 out '' "${run[@]}"
    truth "$method takes the first of equal nodes" node_is 0 1
    for criterion in relative loss absolute,relative suppression,loss; do
        expect 0 out '' "${run[@]}" --prefer "$criterion"
        truth "$method prefers by $criterion" node_is 1 0
    done
done
finish
