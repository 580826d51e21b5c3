#!/bin/bash
# shellcheck disable=SC2016 # it stands so in the files
# Messy tables of ../shared: what is advised, released, checked and attacked is judged by tests/messy.
# slow: published tables of many rows
. "$(dirname "$0")/../support/by_hand.bash"
for file in $(grep -l '^table $SHARED/' "$SOURCE"/tests/messy/*.expect); do
    set -- "$@" "$(basename "$file" .expect)"
done
exec "$SOURCE/tests/cli/messy.sh" "$@"
