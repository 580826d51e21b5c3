#!/bin/bash
# shellcheck disable=SC2154 # support.bash sets small
# Wrong use: exit 2, a message with what to do, the nearest name, nothing on stdout.
# sanitized: the plain path through the program
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
small_table

expect 2 err '^usage: mingle COMMAND'
expect 2 err "^mingle: unknown command 'anonymise'; did you mean anonymize\?" anonymise
expect 2 err "^mingle: unknown command 'frobnicate'; see mingle help" frobnicate
expect 2 err "unknown command 'stduio'; did you mean studio\?" stduio
expect 2 err "unknown command 'completon'; did you mean completion\?" completon bash
expect 2 err "unknown command 'verify'; did you mean check\?" verify data.csv
expect 2 err "unknown command 'version'; did you mean --version\?" version
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

# What other programs call an option; a name with more behind it; no far-fetched hints.
means() { expect 2 err "unknown option $1; did you mean $2\?" anonymize data.csv "$1" x; }
means --quasi-identifiers --qi
means --k-anonymity -k
means --force --overwrite
means --algorithm --method
means --separator --delimiter
means --filter --where
means --person --entity
means --ram --memory
means --memory-limit --memory
means --output-file --output
means --sensitive-columns --sensitive
means --suppression --suppress
means --heirarchy --hierarchy
expect 2 err 'unknown option --debug; see mingle anonymize --help' anonymize data.csv --debug
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

# A builder that is misspelt, without its arguments, reads as a file.
expect 3 err '^mingle: supress: .* check the path, or write the builder suppress$' \
    check data.csv --qi race --hierarchy race=supress
expect 3 err 'intervalls: .*, or write the builder intervals\(' \
    check data.csv --qi race --hierarchy race=intervalls
expect 3 err 'supress.csv: .* check the path$' check data.csv --qi race --hierarchy race=supress.csv
expect 2 err "no builder 'range'; the builders are" \
    anonymize data.csv --qi race --rest drop -k 2 -o x.csv --hierarchy 'race=range(10)'

# A column whose name is longer, in other letters.
printf 'zip code,age\n02138,3\n02139,4\n' >spaced.csv
expect 2 err 'no column "ZIP"; did you mean "zip code"\?' check spaced.csv --qi ZIP
expect 2 err 'no column "code"; did you mean "zip code"\?' check spaced.csv --qi code

# Keys of job files.
printf 'data: data.csv\nquasi: [race]\n' >quasi.yaml
expect 2 err "quasi.yaml:2:1: unknown key 'quasi'; did you mean 'qi'\?" check quasi.yaml
printf 'data: data.csv\nmodels: [{k-anonymity: 2}]\n' >models.yaml
expect 2 err "models.yaml:2:1: unknown key 'models'; did you mean 'privacy'\?" check models.yaml

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
