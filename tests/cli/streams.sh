#!/bin/bash
# shellcheck disable=SC2154 # support.bash sets small
# Full disks, closed streams, readers that go away, signals, terminals.
# sanitized: damage may be seen by sanitizers alone
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
small_table

code=0
"$MINGLE" --version >/dev/full 2>err || code=$?
: >out
check_result "--version on a full disk" 4 $code err '^mingle: cannot write to standard output: '
code=0
"$MINGLE" check data.csv --qi race,zip --json >/dev/full 2>err || code=$?
check_result "check on a full disk" 4 $code err '^mingle: cannot write to standard output: '
code=0
"$MINGLE" anonymize data.csv "${small[@]}" -k 2 -o - --quiet >/dev/full 2>err || code=$?
check_result "anonymize -o - on a full disk" 4 $code err '^mingle: '
code=0
"$MINGLE" check data.csv --qi race,zip >&- 2>err || code=$?
check_result "check with stdout closed" 4 $code err '^mingle: '
code=0
"$MINGLE" anonymize data.csv "${small[@]}" -k 2 -o closed.csv >&- 2>err || code=$?
truth "no file took the place of a closed stdout" test "$(head -1 data.csv)" = name,race,zip,disease
(
    "$MINGLE" help keys 2>err
    echo $? >code
) | :
truth "a reader that goes away is reported, not fatal" grep -Eq '^(0|4)$' code

# A signal cancels: 128 + its number, no output. A pipe that stays open keeps it reading.
mkfifo slow
(
    printf 'a,b\n'
    i=0
    while [ $i -lt 60 ]; do
        printf '%d,x\n' $((i % 3))
        i=$((i + 1))
        sleep 0.05
    done
) >slow 2>/dev/null &
writer=$!
"$MINGLE" anonymize slow --qi a --rest drop -k 1 -o signalled.csv >out 2>err &
program=$!
sleep 1
kill -TERM $program
code=0
wait $program || code=$?
kill $writer 2>/dev/null
if [ $code -eq 143 ]; then ok "SIGTERM ends with 143"; else not_ok "SIGTERM ends with 143" "exit $code: $(cat err)"; fi
truth "a signal leaves no output" test ! -e signalled.csv

# Colour on a terminal only, and never with NO_COLOR. (A system without /dev/pts has none.)
if script -qec true /dev/null </dev/null >/dev/null 2>&1; then
    terminal() { # the rest is the command
        TERM=xterm script -qec "$*" /dev/null </dev/null >terminal 2>&1
    }
    terminal "$MINGLE" check data.csv --qi race -k 4
    truth "colour on a terminal" grep -q $'\033\[32mholds' terminal
    NO_COLOR=1 terminal "$MINGLE" check data.csv --qi race -k 4
    truth "NO_COLOR means none" test -z "$(grep $'\033' terminal)"
    terminal "$MINGLE" check data.csv --qi race -k 4 '>out'
    truth "no colour in a file" test -z "$(grep $'\033' out)"
fi
finish
