#!/bin/bash
# --help of every command, help about everything, --version.
. "$SOURCE/tests/cli/support.bash"

expect 0 out "^mingle [0-9]+\.[0-9]+\.[0-9]+$" --version
truth "--version prints one line" test "$(wc -l <out)" -eq 1
for command in anonymize compare check risk attack count apply utility lattice hierarchy report completion help; do
    expect 0 out "^usage: mingle $command " "$command" --help
    truth "--help of $command has an example" grep -q "^  mingle $command " out
    truth "--help of $command writes nothing to stderr" test ! -s err
    truth "--help of $command fits a terminal" test "$(awk 'length > 100' out | wc -l)" -eq 0
    cp out long
    expect 0 out "^usage: mingle $command " help "$command"
    truth "help $command is its --help" cmp -s out long
done
# --help wins over whatever else is missing.
expect 0 out '^usage: mingle check' check --qi a --help
expect 0 out 'Methods' help
expect 0 out 'Methods' --help
expect 0 out '^  mingen' help methods
expect 0 out '^\| `mingen` \|' help --markdown methods
expect 0 out '^\| `mingen` \|' help methods --markdown
expect 0 out 'k-anonymity' help models
expect 0 out '^  precision' help measures
expect 0 out '^  mask\(' help builders
expect 0 out '^  \.sav' help formats
expect 0 out '^\| `\.parquet` \| .*read, written' help formats --markdown
expect 0 out '\(format\)' help sas7bdat
expect 0 out '^  --suppress' help keys
expect 0 out '\(method\)' help datafly
expect 0 out '\(model\)' help k-anonymity
expect 0 out '\(measure\)' help loss
expect 0 out '\(builder\)' help mask
expect 0 out '\(option' help threads
expect 2 err "no help about 'dataflie'; did you mean datafly\?" help dataflie
expect 2 err 'unexpected argument' help methods models
finish
