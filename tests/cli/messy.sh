#!/bin/bash
# shellcheck disable=SC2016 # it stands so in the files
# Messy tables: what is advised, released, checked and attacked is judged by tests/messy. Those of
# ../shared, which are large, are cli/messy_shared.sh's.
. "$(dirname "$0")/../support/by_hand.bash"
export PYTHONDONTWRITEBYTECODE=1
if [ $# -eq 0 ]; then
    for file in $(grep -L '^table $SHARED/' "$SOURCE"/tests/messy/*.expect); do
        set -- "$@" "$(basename "$file" .expect)"
    done
fi
exec python3 "$SOURCE/tests/messy/judge.py" "$@"
