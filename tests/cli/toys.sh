#!/bin/bash
# shellcheck disable=SC2154 # support.bash sets small
# A model, measures, a method, a format and a feature that tests/toys adds, each in one file and one row: every
# command knows them.
# sanitized: the toys are built so
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
MINGLE=$VARIANT_BUILD/tests/toys/mingle
small_table
job=("${small[@]}")
# shellcheck disable=SC2317 # truth calls it
tells() { jq -e "$1" "$2" >/dev/null; }

# ---- Nothing of it is in the program that is installed ----------------------------------------
if "$MINGLE_RELEASE" help all | grep -i toy; then
    not_ok "the program has no toys" "it has"
else
    ok "the program has no toys"
fi

# ---- Help and completion -----------------------------------------------------------------------
for name in toy-balance:model toy-uneven:model toy-worst:measure toy-kept:measure toy-even:method toy:format; do
    expect 0 out "^${name%:*} \\(${name#*:}\\)" help "${name%:*}"
    "$MINGLE" help all >everything
    truth "help all has ${name%:*}" grep -q "^  \.\?${name%:*} " everything
done
expect 0 out '^ *--toy-balance COLUMN=TIMES ' help anonymize all
expect 0 out '^ *--toy-balance COLUMN=TIMES ' help check all
expect 0 out '^--toy-balance' completion words anonymize data.csv --toy-b
expect 0 out '^toy-even' completion words anonymize data.csv --method toy
expect 0 out '^toy-kept' completion words anonymize data.csv --utility toy
expect 2 err 'did you mean toy-even\?' anonymize data.csv "${job[@]}" -k 2 --method toy-eve -o x.csv
expect 2 err 'did you mean toy-kept\?' anonymize data.csv "${job[@]}" -k 2 --utility toy-kep -o x.csv

# ---- The model ---------------------------------------------------------------------------------
expect 0 out 'toy-balance disease times=3 holds' anonymize data.csv "${job[@]}" -k 2 \
    --toy-balance disease=3 --method toy-even --utility toy-kept -o release.csv \
    --result result.json --report page.html --save-job saved.yaml
cp out summary
expect 2 err 'toy-balance.*from 1 to 1000' anonymize data.csv "${job[@]}" -k 2 \
    --toy-balance disease=0.5 -o x.csv
expect 0 out 'toy-balance disease times=3 holds' check release.csv --qi race,zip --sensitive disease \
    --toy-balance disease=3
expect 1 out 'toy-balance disease times=1 .*(violated|does not hold|fails)' check release.csv --qi race,zip \
    --sensitive disease --toy-balance disease=1
truth "a result tells the model" tells '.models[] | select(.model == "toy-balance") |
    .parameters.times == 3 and .parameters.attribute == "disease" and .holds' result.json
truth "the audit trail tells the job" tells '.audit.job.privacy[1]["toy-balance"].times == "3"' result.json
truth "a page tells the model" grep -q '<strong>toy-balance, attribute' page.html
expect 0 out 'agrees with result.json' check release.csv --against result.json
sed 's/"toy_kept": 0\.[0-9]*/"toy_kept": 1.5/' result.json >wrong.json
expect 1 out 'toy_kept' check release.csv --against wrong.json

# ---- Measures ----------------------------------------------------------------------------------
truth "a summary has a measure that says so" grep -q 'toy kept' summary
truth "and no other" test "$(grep -c 'toy worst' summary)" -eq 0
truth "a result tells all measures" tells '.measure == "toy_kept" and
    (.utility | has("toy_worst") and has("toy_kept")) and
    (.utility.toy_kept + .utility.loss - 1 | fabs) < 1e-9' result.json
truth "a page has them" grep -q 'toy kept' page.html
expect 0 out 'toy worst' utility data.csv release.csv "${job[@]}"
expect 0 out '^method +kept +precision ' compare data.csv "${job[@]}" -k 2 --utility toy-kept \
    --methods mingen,toy-even --report compared.html
truth "more of it is better in a comparison" grep -q 'toy kept (more is better)' compared.html
expect 0 out '^method +precision .* kept ' compare data.csv "${job[@]}" -k 2 --methods mingen,toy-even
expect 0 out '^method +worst +precision ' compare data.csv "${job[@]}" -k 2 --utility toy-worst \
    --toy-balance disease=3
expect 2 err 'toy-worst does not add up over cells.*toy-kept' anonymize data.csv "${job[@]}" -k 2 \
    --utility toy-worst --method cell -o x.csv
expect 0 out 'proved to be the best' anonymize data.csv "${job[@]}" -k 2 --utility toy-kept --method cell -o x.csv
expect 2 err 'save-proof: what toy-kept costs' anonymize data.csv "${job[@]}" -k 2 --utility toy-kept \
    --save-proof proof.json -o x.csv
expect 0 out '' anonymize data.csv "${job[@]}" -k 2 --toy-balance disease=3 --save-proof proof.json \
    -o x.csv --result proved.json
expect 0 out '^proof +holds' check --proof proof.json --against proved.json
expect 0 out '' lattice data.csv "${job[@]}" -k 2 --utility toy-worst --toy-balance disease=3

# ---- The method and the job file ---------------------------------------------------------------
truth "a result tells the method" tells '.method == "toy-even"' result.json
truth "a saved job has all of it" grep -q 'toy-even' saved.yaml
expect 0 out 'toy-balance disease times=3 holds' anonymize saved.yaml -o again.csv --keep-order

# ---- Its options and findings ------------------------------------------------------------------
expect 0 out '^ *--toy-step N .*toy-even: how many levels' help anonymize all
expect 0 out '^  options +--toy-patience COLUMN=N' help toy-even
expect 0 out '^toy-step \(option and key of the job file\)' help toy-step
expect 0 out '^--toy-step' completion words anonymize data.csv --toy-
expect 2 err 'toy-step.*is no step; give a whole number from 1 to 9' anonymize data.csv "${job[@]}" \
    -k 2 --method toy-even --toy-step 10 -o x.csv
expect 2 err 'it is for toy-even, not for cell' anonymize data.csv "${job[@]}" -k 2 --toy-step 2 -o x.csv
expect 2 err 'did you mean --toy-step' anonymize data.csv "${job[@]}" -k 2 --toy-stepp 2 -o x.csv
expect 0 out '' anonymize data.csv "${job[@]}" -k 5 --method toy-even --toy-step 1 -o by_one.csv \
    --result by_one.json --report by_one.html --save-job by_one.yaml
expect 0 out '' anonymize data.csv "${job[@]}" -k 5 --method toy-even --toy-step 9 -o by_nine.csv \
    --result by_nine.json
truth "the option has an effect" tells '.toy_steps == 1' by_nine.json
truth "and its default another" tells '.toy_steps >= 1' by_one.json
truth "a saved job has the option" grep -q "^toy-step: *[\"']*1" by_one.yaml
truth "the audit trail has it" tells '.audit.job["toy-step"] == "1"' by_one.json
expect 0 out '' anonymize by_one.yaml --toy-patience race=9 -o patient.csv --result patient.json
truth "an option of columns has an effect" tells '.node.race == 0 or .toy_steps > 9' patient.json
expect 0 out 'agrees with by_one.json' check by_one.csv --against by_one.json
jq '.method = "mingen" | .audit.job.method = "mingen"' by_one.json >other.json
expect 1 out 'toy_steps' check by_one.csv --against other.json
expect 0 out '' report by_one.json -o page_again.html
expect 0 out 'toy-even' compare data.csv "${job[@]}" -k 2 --methods mingen,toy-even --toy-step 2

# ---- The format --------------------------------------------------------------------------------
tr ',' '|' <data.csv | sed 's/$/|/' >data.toy
expect 0 out 'holds' anonymize data.toy "${job[@]}" -k 2 -o release.toy --keep-order
expect 0 out 'holds' anonymize data.csv "${job[@]}" -k 2 -o plain.csv --keep-order
tr ',' '|' <plain.csv | sed 's/$/|/' >plain.toy
truth "a release in the format has the same rows" cmp plain.toy release.toy
expect 0 out 'holds' check release.toy --qi race,zip -k 2

# ---- The feature -------------------------------------------------------------------------------
expect 0 out '^ *--toy-tally COLUMN ' help anonymize all
expect 2 err 'there is no column' anonymize data.csv "${job[@]}" -k 2 --toy-tally nowhere -o x.csv
expect 2 err 'toy-tally.*is not released' anonymize data.csv "${job[@]}" -k 2 \
    --toy-tally name -o x.csv
expect 0 out '' anonymize data.csv "${job[@]}" -k 2 --toy-tally disease -o tallied.csv --result tallied.json
truth "a result tells the feature" tells '.toy_tally.column == "disease" and .toy_tally.values > 1' \
    tallied.json
truth "the audit trail has its key" tells '.audit.job["toy-tally"] == "disease"' tallied.json
expect 0 out 'agrees with tallied.json' check tallied.csv --against tallied.json
truth "a result of others does not" tells 'has("toy_tally") | not' by_one.json

# ---- Releases hold, whatever the method ---------------------------------------------------------
truth "every method keeps to a model of which it knows nothing" \
    python3 "$SOURCE/tests/cli/toys.py" "$MINGLE" 1 10
finish
