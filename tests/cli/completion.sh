#!/bin/bash
# Completion of command lines: bash is asked, the others are checked where they are installed.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

expect 0 out '^complete -F _mingle mingle$' completion bash
cp out mingle.bash
expect 2 err 'give bash, zsh or fish' completion csh
expect 2 err 'write mingle completion' completion
expect 0 out '^usage: mingle completion' completion --help
expect 0 out '^usage: mingle completion' help completion

# completes "WANTED" WORD...: the words that complete the last one, in any order.
completes() {
    local wanted=$1 got
    shift
    got=$(
        . ./mingle.bash
        compopt() { :; }
        COMP_WORDS=("$MINGLE" "${@:2}")
        COMP_CWORD=$(($# - 1))
        _mingle
        printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort | tr '\n' ' '
    )
    wanted=$(printf '%s\n' $wanted | LC_ALL=C sort | tr '\n' ' ')
    if [ "${got# }" = "${wanted# }" ]; then ok "completes $*"; else
        not_ok "completes $*" "got '$got', wanted '$wanted'"
    fi
}
touch patients.csv "a file.csv"
completes "anonymize apply attack" mingle a
completes "--help --version" mingle --
completes "fast balanced best" mingle anonymize data.csv --effort ""
completes "keep" mingle anonymize --suppressed k
completes "mingen microaggregate mondrian mu-argus" mingle anonymize --method m
completes "mingen" mingle anonymize --method = min
completes "patients.csv" mingle check pat
completes "patients.csv" mingle anonymize data.csv -o pat
completes "build check show suggest tree" mingle hierarchy ""
completes "bash fish zsh" mingle completion ""
completes "k-anonymity k-map k-member keys" mingle help k
completes "--quiet --qi --qi-set" mingle check data.csv --q
# Columns of the table that the command line names, and what stands behind them.
printf 'age,sex,"birth, year",zip\n1,m,2,3\n' >t.csv
printf 'data: t.csv\n' >job.yaml
completes "" mingle anonymize data.csv --qi ""
completes "sex" mingle anonymize t.csv --sensitive s
completes "age,sex,zip" mingle anonymize t.csv --qi age,sex,z
completes "sex" mingle check t.csv --qi = s
completes "zip=" mingle anonymize t.csv --hierarchy z
completes "mask\\(" mingle anonymize t.csv --hierarchy zip = ma
completes "round\\(" mingle anonymize t.csv --treat zip = ro
completes "sex=" mingle check t.csv --l-diversity s
completes "age" mingle check job.yaml --qi ag
completes "loss" mingle anonymize t.csv --utility lo
completes "strict standard" mingle check t.csv --policy st
awk 'BEGIN { print "age;sex"; for (i = 0; i < 200000; i++) print i ";m" }' >long.csv
completes "age" mingle check long.csv --qi a
completes "" mingle check missing.csv --qi a
# Completion waits for no stream, connects to no server, and prints nothing that controls a terminal.
mkfifo pipe
completes "" mingle check - --qi a
completes "" mingle check pipe --qi a
completes "" mingle check postgresql://localhost:1/db?table=t --qi a
printf 'age,s\033[31mex,zip\n1,m,2\n' >colours.csv
completes "age zip" mingle check colours.csv --qi ""
got=$(. ./mingle.bash; compopt() { :; }; COMP_WORDS=("$MINGLE" check a); COMP_CWORD=2; _mingle
    echo "${#COMPREPLY[@]}")
truth "a name with a space is one word" test "$got" -eq 1

# Every option of every command is offered.
for command in anonymize what-if preview look compare check gate risk attack count apply utility lattice report recoding codebook statement hierarchy; do
    "$MINGLE" help "$command" all | grep -Eo -e '^  -[^ ]*( --[a-z-]*)?' |
        tr -d ',' | tr ' ' '\n' | grep . | LC_ALL=C sort -u >wanted
    (. ./mingle.bash; compopt() { :; }; COMP_WORDS=("$MINGLE" "$command" x -); COMP_CWORD=3; _mingle
        printf '%s\n' "${COMPREPLY[@]}") | grep -vx -e --help | LC_ALL=C sort -u >found
    truth "all options of $command" cmp -s wanted found
done

for shell in zsh fish; do
    expect 0 out mingle completion $shell
    if command -v $shell >/dev/null; then
        cp out completion.$shell
        truth "$shell can read it" $shell -n completion.$shell
    else
        number=$((number + 1))
        echo "ok $number # SKIP $shell is not installed"
        echo "# skipped: $shell is not installed (scripts/setup all)"
    fi
done
if command -v fish >/dev/null; then
    ln -sf "$MINGLE" mingle # it completes the name
    got=$(HOME=$PWD fish --no-config -c 'source completion.fish; complete -C"./mingle anonymize --effort "' |
        cut -f1 | LC_ALL=C sort | tr '\n' ' ')
    truth "fish completes a value" test "$got" = "balanced best fast "
fi
finish
