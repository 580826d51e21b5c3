#!/bin/bash
# shellcheck disable=SC2154 # support.bash sets small
# Privacy models on the command line: options, job files, policies, and what check prints.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
small_table
base=(check data.csv --qi race --sensitive disease)

# Tested.
expect 0 out '^privacy +l-diversity disease l=2 holds \(measured 2\)' "${base[@]}" \
    --l-diversity disease=2
expect 1 out 'l-diversity disease l=3 does not hold: 8 rows in 2 classes \(measured 2\)' \
    "${base[@]}" --l-diversity disease=3
expect 0 out 't-closeness disease t=0.2 equal holds' "${base[@]}" --t-closeness disease=0.2
expect 0 out 't-closeness disease t=0.2 ordered holds' "${base[@]}" --t-closeness disease=0.2 \
    --distance disease=ordered
expect 0 out '"distance": "ordered"' "${base[@]}" --t-closeness disease=0.2,ordered --json
expect 0 out '^privacy +p-sensitive p=2 holds' "${base[@]}" --p-sensitive 2
expect 1 out 'mean-risk x=0.2 does not hold' "${base[@]}" --mean-risk 0.2
expect 1 out 'max-risk x=0.2 does not hold: 8 rows in 2 classes' "${base[@]}" --max-risk 0.2

# Models that every table holds promise nothing.
expect 0 out '^warning +k-anonymity with k 1 promises nothing' "${base[@]}" -k 1
expect 0 out '^warning +l-diversity of disease with l 1 promises nothing' "${base[@]}" --l-diversity disease=1
for model in --p-sensitive=1 --max-risk=1 --mean-risk=1 --risk-share=1,0.5 --sample-uniqueness=1 \
    --t-closeness=disease=1 --alpha=disease=1 --entropy-l=disease=1; do
    expect 0 out '"code": "empty-promise"' "${base[@]}" "$model" --json
done
for model in -k2 --p-sensitive=2 --max-risk=0.5 --t-closeness=disease=0.9; do
    "$MINGLE" "${base[@]}" "$model" --json >out 2>err
    truth "$model promises something" test "$(grep -c empty-promise out)" -eq 0
done
expect 0 out 'promises nothing.*\(-k\)' anonymize data.csv --qi race --sensitive disease --rest drop -k 1 -o one.csv
expect 0 out 'empty-promise' gate data.csv --qi race --sensitive disease --insensitive zip,name -k 1 --json --allow-leaks

# Measured: a grid for every sensitive column, all on one page.
expect 0 out '^            p +2  entropy_l +1\.' "${base[@]}"
expect 0 out '^sensitive +zip' check data.csv --qi race --sensitive disease,zip
truth "the grid fits a terminal" test "$(awk 'length > 80' out | wc -l)" -eq 0
expect 0 out 'delta +-( |$)' check data.csv --qi race,zip --sensitive disease

# Wrong use.
expect 2 err "^mingle: --l-diversity: column 'zip' is not sensitive" "${base[@]}" \
    --l-diversity zip=2
expect 2 err '^mingle: --distance: column .disease. has no t-closeness' "${base[@]}" \
    --distance disease=equal
expect 2 err 'give equal, ordered or hierarchical' "${base[@]}" --distance disease=far
expect 2 err "given twice for 'disease'" "${base[@]}" --beta disease=1 --beta disease=2
expect 2 err 'give --population FILE' "${base[@]}" --k-map 2
expect 2 err "column 'race' is quasi and cannot tell persons apart" "${base[@]}" --entity race
expect 2 err 'option --entity does not belong to utility' utility data.csv data.csv --entity name
expect 2 err 'has no hierarchy to protect values in' "${base[@]}" --protect disease=flu
expect 2 err 'only sensitive columns have a hierarchy' "${base[@]}" --sensitive-hierarchy race=x
expect 3 err '^mingle: nothere.csv' "${base[@]}" --sensitive-hierarchy disease=nothere.csv
expect 2 err 'from 1 to 4294967295$' "${base[@]}" -k 0

# Policies.
printf 'privacy:\n- k-anonymity: 4\n- l-diversity: {attribute: any, l: 2}\n' >policy.yaml
expect 0 out 'l-diversity disease l=2 holds' "${base[@]}" --policy policy.yaml
expect 0 out 'k-anonymity k=3 holds' "${base[@]}" --policy minimal
expect 1 out 'k-anonymity k=10 does not hold' "${base[@]}" --policy strict
truth "strict looks at sensitive columns" grep -q 'p-sensitive p=2 holds' out
expect 1 out 'k-anonymity k=2 holds' "${base[@]}" -k 2 --policy standard
truth "an option does not weaken a policy" grep -q 'k-anonymity k=5 does not hold' out
expect 2 err "'strikt' is no policy and no file; did you mean strict" "${base[@]}" --policy strikt
expect 3 err '^mingle: nothere.yaml: cannot open the policy' "${base[@]}" --policy nothere.yaml
echo 'suppress: 3' >>policy.yaml
expect 2 err "^mingle: policy.yaml:4:1: unknown key 'suppress'" "${base[@]}" --policy policy.yaml
expect 0 out '^  strict ' help policies
expect 0 out 'one of equal \(the default\), ordered' help t-closeness

# A whole job.
printf 'flu;infection;*\ncold;infection;*\n' >illness.csv
cat >job.yaml <<'END'
data: data.csv
attributes:
  name:    {role: identifier}
  race:    {role: quasi}
  zip:     {role: quasi, hierarchy: "mask(right,2)"}
  disease: {role: sensitive, hierarchy: illness.csv}
privacy: [{k-anonymity: 2}, {t-closeness: {attribute: disease, t: 0.5, distance: hierarchical}}]
policy: minimal
output: release.csv
END
expect 0 out 't-closeness disease t=0.5 hierarchical holds' anonymize job.yaml
truth "sensitive values stay as they are" test "$(grep -Ec 'flu|cold' release.csv)" -eq 8
expect 0 out 't-closeness disease t=0.5 equal holds' anonymize job.yaml --distance disease=equal
expect 1 err '^mingle: ' anonymize job.yaml --extended-p disease=2 --protect disease=infection
truth "the refusal names condition 2" grep -q 'condition' err
expect 0 out 'extended-p-sensitive disease p=2 holds' anonymize job.yaml --extended-p disease=2 \
    --protect disease=flu

# Classes that hold each by itself may read alike, and break the model together: no release.
{
    echo tree,name
    printf '%s\n' holly cedar maple pine elm elm cedar holly cedar maple elm maple cedar cedar | cat -n | awk '{ print $2 ",n" $1 }'
} >trees.csv
{
    echo tree
    printf '%s\n' pine cedar cedar cedar holly holly elm maple cedar maple pine maple cedar elm maple cedar maple elm cedar maple
} >wood.csv
expect 1 err '^mingle: no node of the lattice holds' anonymize trees.csv --qi tree --identifier name \
    --hierarchy tree=suppress -k 2 --delta-presence 0.2,0.5 --population wood.csv -o none.csv

# ---- An anonymity level stands for a k -------------------------------------------------------
for pair in 0:1 0.5:2 0.50:2 0.51:3 0.6666:3 0.66667:4 0.75:4; do
    expect 0 out '' check data.csv --qi race --anonymity-level "${pair%:*}" --json
    truth "anonymity level ${pair%:*} is k = ${pair#*:}" python3 -c '
import json, sys
models = json.load(open("out"))["models"]
assert [m["parameters"]["k"] for m in models if m["model"] == "k-anonymity"] == [int(sys.argv[1])]' "${pair#*:}"
done
expect 1 out 'k=5 does not hold' check data.csv --qi race --anonymity-level 0.8
for level in 1 1.0 -0.5 .5 0,5 half 0.1234567890 ""; do
    expect 2 err 'anonymity-level' check data.csv --qi race --anonymity-level "$level"
done
expect 0 out '' anonymize data.csv "${small[@]}" --anonymity-level 0.6 -k 2 --method datafly -o levelled.csv \
    --result levelled.json
truth "a level and -k both hold" python3 -c '
import json
ks = [m["parameters"]["k"] for m in json.load(open("levelled.json"))["models"]]
assert sorted(ks) == [2, 3], ks'
expect 0 out '' check levelled.csv --against levelled.json
finish
