#!/bin/bash
# What a terminal is shown: colour only there, and not with NO_COLOR.
. "$SOURCE/tests/cli/support.bash"
small_table
check=("$MINGLE" check data.csv --qi "race,zip" -k 1)
escape=$'\033'

terminal() { python3 "$SOURCE/tests/cli/terminal.py" "$@" >out 2>err; }

terminal "" xterm "${check[@]}"
truth "a terminal has colour" grep -q "$escape\[32mholds$escape\[0m" out
terminal 1 xterm "${check[@]}"
truth "with NO_COLOR it has none" test -z "$(grep "$escape" out)"
truth "but the same words" grep -q 'k-anonymity k=1 holds' out
terminal "" dumb "${check[@]}"
truth "a dumb terminal has none" test -z "$(grep "$escape" out)"
"${check[@]}" >out
truth "a pipe has none" test -z "$(grep "$escape" out)"
sed 1q data.csv >two.csv
for _ in 1 2 3 4 5 6 7 8 9; do sed -n 2p data.csv; done >>two.csv
sed -n 3,4p data.csv >>two.csv
expect 0 out '^sizes +1 +.* 2$' check two.csv --qi race,zip
finish
