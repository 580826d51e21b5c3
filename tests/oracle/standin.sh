#!/bin/bash
# The stand-ins are what tests/standin/make.py makes; golden values, which take minutes, with
# MGL_TEST_LONG=1.
. "$(dirname "$0")/../support/by_hand.bash"
standin=$SOURCE/tests/standin
kinds=(data)
options=(--data)
[ -z "${MGL_TEST_LONG:-}" ] || kinds=(data golden) options=()
python3 "$standin/make.py" "${options[@]}" made || exit 1
for kind in "${kinds[@]}"; do
    diff -r "$standin/$kind" "made/$kind" || exit 1
done
