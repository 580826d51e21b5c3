#!/bin/bash
# --help of every command, help about everything, --version.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

expect 0 out "^mingle [0-9]+\.[0-9]+\.[0-9]+$" --version
truth "--version prints one line" test "$(wc -l <out)" -eq 1
for command in anonymize what-if preview look compare check gate risk attack count apply utility lattice hierarchy report recoding codebook statement studio completion help; do
    expect 0 out "^usage: mingle $command " "$command" --help
    truth "--help of $command has an example" grep -q "^  mingle $command " out
    truth "--help of $command writes nothing to stderr" test ! -s err
    truth "--help of $command fits a terminal" test "$(awk 'length > 100' out | wc -l)" -eq 0
    truth "--help of $command has at most 40 lines" test "$(wc -l <out)" -le 40
    cp out long
    expect 0 out "^usage: mingle $command " help "$command"
    truth "help $command is its --help" cmp -s out long
done
# What the short list has is in the long one, which has all.
for command in anonymize check risk apply; do
    "$MINGLE" $command --help | grep -oE '^  -[^ ]*' >short
    expect 0 out '^Reading:' $command --help all
    grep -oE '^  -[^ ]*' out >all
    truth "the options of $command are among all of them" test -z "$(grep -vxF -f all short)"
    truth "and there are more" test "$(wc -l <short)" -lt "$(wc -l <all)"
    expect 0 out "^$(($(wc -l <all) - $(wc -l <short))) more options: mingle $command --help all" $command --help
    "$MINGLE" $command --help all >long
    expect 0 out . help $command all
    truth "help $command all is its --help all" cmp -s out long
done
expect 2 err 'unexpected argument' help datafly all
# --help wins over whatever else is missing.
expect 0 out '^usage: mingle check' check --qi a --help
# One screen, and topics for the rest.
expect 0 out '^Topics' --help
expect 0 out '^Topics' help
truth "help fits a screen of 24 lines, the prompt among them" test "$(wc -l <out)" -lt 24
truth "help fits 80 columns" test "$(awk 'length > 80' out | wc -l)" -eq 0
for command in anonymize what-if preview look compare check gate risk attack count apply utility lattice hierarchy report recoding codebook statement studio completion help; do
    truth "help names $command" grep -q "^  $command  *[a-z]" out
done
for topic in commands options builders treatments formats methods models measures policies; do
    truth "help names the topic $topic" grep -Eq "(^| ) $topic +[a-z]" out
done
expect 0 out '^  mingle anonymize  DATA' help commands
expect 0 out '^  --suppress N' help options
expect 0 out '^  strict' help policies
expect 0 out '^  mingle anonymize  DATA' help all
cp out all
for heading in Commands Methods Models Measures 'Builders of hierarchies' 'Treatments of columns' Policies Formats; do
    truth "help all lists $heading" grep -q "^$heading" all
done
for topic in methods models measures builders treatments policies formats conflicts; do
    expect 0 out . help $topic
    truth "all of $topic is in help all" test -z "$(grep -vxF -f all out)"
done
expect 0 out '^  --least-count, --by' help conflicts
"$MINGLE" help conflicts --markdown >conflicts
truth "the page of conflicts has the table" cmp conflicts <(grep '^|' "$SOURCE/docs/conflicts.md")
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
# Values are written as models and tables say.
expect 0 out '^  -o, --output FILE' anonymize --help
expect 0 out '^  --methods NAME,\.\.\.' compare --help all
expect 0 out '^  -k K' check --help all
for usage in '--l-diversity COLUMN=L' '--recursive-cl COLUMN=C,L' '--delta-presence LO,HI' \
    '--t-closeness COLUMN=T ' '--distance COLUMN=WORD' '--protect COLUMN=VALUE,...' '--entity COLUMN'; do
    truth "--help of check has $usage" grep -qF -e "  $usage" out
done
expect 0 out '-k K' help k-anonymity
expect 0 out '\(model\)' help k
expect 0 out 'the sensitive column it protects' help recursive-cl
expect 0 out 'one of equal \(the' help t-closeness
expect 0 out 'option --distance COLUMN=WORD' help t-closeness
expect 0 out '--population FILE' help delta-presence
truth "which needs a population and nothing else" test "$(grep -c -- '--weight\|--sampling' out)" -eq 0
expect 0 out 'needs       --population FILE' help k-map
truth "or weights" grep -q 'or          --weight COLUMN' out
truth "or a fraction" grep -q 'or          --sampling-fraction X' out
expect 0 out 'needs       --household COLUMN' help household-risk
expect 0 out 'needs       --sampling-fraction X' help population-uniqueness
expect 0 out 'option      -k K' help k-anonymity
truth "k-anonymity needs nothing" test "$(grep -c '  needs ' out)" -eq 0
expect 0 out '\(builder\)' help suppress
truth "a name of two things tells of both" grep -q '(option' out
expect 0 out 'k-anonymity 5, max-risk 0.2' help policies
expect 0 out 'p-sensitive 2 \(if columns are' help policies
expect 0 out '^\| `strict` \|' help policies --markdown
expect 0 out '\(policy\)' help strict
expect 0 out '--policy FILE\|NAME' help policy
# Policies that the help of --policy gives as examples are there.
"$MINGLE" anonymize --help >out
named=$(sed -n 's/^ *--policy .*a named set of models: //p' out | tr -d ' .' | tr ',' ' ')
truth "the help of --policy names some" test -n "$named"
for name in $named; do expect 0 out '\(policy\)' help "$name"; done
expect 0 out '\| `--suppress N\\\|X%` \|' help keys --markdown
expect 0 out '\(measure\)' help relative_height
expect 0 out 'option and key of the job file' help quiet
# What a text of the library names is spelt as it is typed, and no mark of it is left.
for topic in all options methods models measures builders treatments policies formats; do
    "$MINGLE" help $topic >out
    truth "help $topic has no backquotes" test "$(grep -c '`' out)" -eq 0
done
expect 0 out 'for --history and mingle$' help save-recoding
expect 2 err "no help about 'arrow'" help arrow
expect 0 out '^  \.parquet' help formats
truth "formats that no command line can name are not listed" test "$(grep -c 'memory:' out)" -eq 0
expect 2 err "no help about 'polices'; did you mean policies\?" help polices
expect 2 err "no help about 'k-anonymity.parameters.k'" help k-anonymity.parameters.k
expect 2 err "no help about 'dataflie'; did you mean datafly\?" help dataflie
expect 2 err 'unexpected argument' help methods models
finish
