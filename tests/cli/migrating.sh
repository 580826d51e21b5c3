#!/bin/bash
# docs/migrating.md: every command of its tables runs, with an answer (0) or a "no" (1), never with a misuse
# or a failure.
# slow: some hundred and twenty commands on a table of 20,000 rows
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

for file in "$SOURCE"/examples/patients/*; do
    case $file in *.[ch] | *.md) ;; *) cp "$file" . ;; esac
done
"$BUILD/make-patients" patients.csv
printf '%s\n' sex,drugs 'F,E11;I10' 'M,I10' 'F,E11;I10' 'M,I10;E11' 'F,J45' 'M,J45' >items.csv
printf '%s\n' 'AGE 1 2 99' '  <RECODABLE>' 'SEX 3 1 9' '  <RECODABLE>' >survey.rda
printf '%s\n' 231 242 241 311 322 351 451 461 >survey.asc
(umask 077 && echo 'a secret of more than 16 bytes' >secret.key)
printf '%s\n' 'young: -29' 'middle: 30-39' 'old: 40-' >age.grc
python3 - "$SOURCE/docs/migrating.md" >commands <<'END'
import re, sys
for line in open(sys.argv[1], encoding="utf-8"):
    if line.startswith("| "):
        for command in re.findall(r"`mingle ([^`]*)`", line):
            if command not in ("apply", "studio"):  # which need what others wrote, or wait
                print(command)
END
truth "there are commands" test "$(wc -l <commands)" -ge 100
while read -r command; do
    eval "\"$MINGLE\" $command" >out 2>err </dev/null
    code=$?
    truth "mingle $command" test "$code" -le 1
    [ "$code" -le 1 ] || cat err
done <commands
finish
