#!/bin/bash
# shellcheck disable=SC2154 # support.bash sets small
# Wrong use: exit 2, a message with what to do, the nearest name, nothing on stdout.
# sanitized: the plain path through the program
. "$SOURCE/tests/cli/support.bash"
small_table

expect 2 err '^usage: mingle COMMAND'
expect 2 err "^mingle: unknown command 'anonymise'; did you mean anonymize\?" anonymise
expect 2 err "^mingle: unknown command 'frobnicate'; see mingle help" frobnicate
expect 2 err 'the command comes first' --qi a
expect 2 err '^mingle: no data' anonymize
expect 2 err '^mingle: no data' anonymize -k 2
expect 2 err 'data.csv: several files can be read together only if all are parts' check data.csv b.csv --qi race
expect 2 err 'second file' utility data.csv
expect 2 err 'no action' hierarchy
expect 2 err 'unknown action sho;' hierarchy sho data.csv
expect 2 err 'no data after show' hierarchy show
expect 2 err "unexpected argument 'c'" utility a b c

# Values with a blank in them.
expect 2 err "^mingle: --suppress: the blank between '2' and '%' ends the value; write --suppress 2%, or" \
    anonymize data.csv "${small[@]}" -k 2 --suppress 2 % -o x.csv
expect 2 err 'write --suppress 2%, or' anonymize --suppress 2 % data.csv "${small[@]}" -k 2 -o x.csv
expect 2 err 'write --qi race,zip, or put it in quotes' check data.csv --qi race, zip -k 2
expect 2 err 'write --hierarchy zip=suppress, or' check data.csv --qi zip --hierarchy zip= suppress
expect 2 err "unexpected argument '2', which is no file; if it belongs to an option" check data.csv 2 --qi race
expect 2 err 'is empty' check --qi race, data.csv

# Long options are never abbreviated.
expect 2 err '^mingle: unknown option --supp; did you mean --suppress' anonymize data.csv --supp 3
expect 2 err 'unknown option --hier; did you mean --hierarchy\?' anonymize data.csv --hier a=b
expect 2 err 'unknown option --sensitiv; did you mean --sensitive\?' check data.csv --sensitiv a
expect 2 err 'unknown option --k;' check data.csv --k 2
expect 2 err 'unknown option -x;' check data.csv -x
expect 2 err 'unknown option --xyzzy; see mingle check --help' check data.csv --xyzzy
expect 2 err 'option --method does not belong to check' check data.csv --method mingen
expect 2 err 'option --output does not belong to lattice' lattice data.csv --output x
expect 2 err 'option --qi needs a value' check data.csv --qi
expect 2 err 'option -k needs a value' check data.csv --qi race -k
expect 2 err 'option --json takes no value' check data.csv --json=yes

# Values.
expect 2 err "^mingle: -k: '0' is no k" check data.csv --qi race -k 0
expect 2 err "^mingle: -k: 'x' is no k" check data.csv --qi race -kx
expect 2 err "^mingle: --suppress: '2,5%' is no number" anonymize data.csv --suppress=2,5%
expect 2 err "^mingle: --method: 'mingem' is no method; did you mean mingen" \
    anonymize data.csv --method mingem
expect 2 err 'given twice' check data.csv --qi race -k 2 -k 3
expect 2 err 'has two roles' check data.csv --qi race --sensitive race
expect 2 err 'no quasi-identifier' check data.csv
expect 2 err 'no model; give -k N' anonymize data.csv "${small[@]}" -o out.csv
expect 2 err 'no output; give -o' anonymize data.csv "${small[@]}" -k 2
expect 2 err 'both write to standard output' anonymize data.csv "${small[@]}" -k 2 -o - --json

# A table that cannot be opened is told before keys that are missing.
: >empty.csv
printf 'race\n\377\n' >latin.csv
printf 'data: nowhere.csv\nk: 2\nattributes:\n  race: {role: quasi}\n' >lacking.yaml
expect 3 err 'nowhere.csv: cannot open the file' anonymize nowhere.csv "${small[@]}" -k 2
expect 3 err 'nowhere.csv: cannot open the file' anonymize nowhere.csv -k 2 -o out.csv
expect 3 err 'nowhere.csv: cannot open the file' anonymize lacking.yaml
expect 3 err 'nowhere.csv: cannot open the file' count nowhere.csv --qi race
expect 3 err 'empty.csv: the file is empty' anonymize empty.csv "${small[@]}" -k 2
expect 3 err 'latin.csv:2: byte 0xff' anonymize latin.csv --qi race -k 2
for command in check risk gate compare lattice; do
    expect 3 err 'nowhere.csv: cannot open the file' "$command" nowhere.csv
done
expect 2 err 'no output; give -o' anonymize - "${small[@]}" -k 2 <data.csv
expect 2 err 'no quasi-identifier' anonymize elsewhere --print-sql duckdb -k 2

# Columns and roles against the data.
expect 2 err 'nothere' check data.csv --qi race,nothere
expect 2 err 'name' anonymize data.csv --qi race,zip --sensitive disease -k 2 -o out.csv
expect 2 err 'zap' anonymize data.csv --qi race,zip --rest drop --hierarchy 'race=zap(2)' -k 2 \
    -o out.csv
truth "no output file appeared" test ! -e out.csv
finish
