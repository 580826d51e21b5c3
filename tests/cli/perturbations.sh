#!/bin/bash
# Columns that are perturbed: what releases keep of them, what is refused, and what they go with.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

printf 'sixteen bytes and more\n' >key && chmod 600 key
drawn '
BEGIN {
    seed(1)
    print "id,age,sex,job,income,spend,visit"
    for (i = 1; i <= 2000; i++) {
        income = 500 + int(uniform() * 90000) / 10
        printf "%d,%d,%s,%s,%s,%.2f,20%02d-%02d-%02d\n", i, 20 + int(uniform() * 8), uniform() < 0.5 ? "f" : "m",
            uniform() < 0.3 ? "cook" : uniform() < 0.5 ? "nurse" : "clerk", income,
            income * (0.4 + 0.5 * uniform()), 10 + int(uniform() * 9), 1 + int(uniform() * 12), 13 + int(uniform() * 15)
    }
}' >in.csv
order=(anonymize in.csv --qi age,sex -k 3 --identifier id --rest insensitive --keep-order
    --allow-leaks --key key)
all=(--treat 'income=noise(20 %, correlated with spend)' --treat 'spend=noise(20 %, correlated with income)'
    --treat 'job=pram(keep 70 %, within sex)' --treat 'visit=swap(rank 5 %)')

# What was done is marked wherever it is shown, and verified.
expect 0 out '^perturbed +.*not truthful' "${order[@]}" "${all[@]}" -o out.csv --result result.json \
    --report report.html --save-promise promise.json --save-recoding r.rec --save-job job.yaml
truth "no warning says that they are released as they are" test -z "$(grep -E '(income|spend|job|visit)" would be released as it is' out)"
truth "what they look like is still said" grep -q 'column "job" would be released, though treated, and looks like' out
truth "swapped values are as often as before" cmp <(cut -d, -f7 in.csv | sort) <(cut -d, -f6 out.csv | sort)
truth "the summary says so" grep -q 'visit by swap: not truthful .* each as often as before' out
truth "rows that are found by distance are told" grep -Eq '^by distance +[0-9.,]+ of 2,000 rows' out
truth "the report says so" grep -q 'What is not truthful' report.html
truth "the covariance is judged and reported" grep -Eq '^correlation income and spend: 0\.[0-9]+ before, 0\.[0-9]+ after, covariance' out
truth "in standard errors" grep -Eq '(^|,| ) *covariance -?[0-7]\.[0-9]+ standard' out
truth "in the report, too" grep -Eq 'correlation with .*spend.*covariance -?[0-7]\.[0-9]+ standard errors off' report.html
truth "the promise says so" test "$(grep -c '"truthful": false' promise.json)" = 4
expect 0 out '' check out.csv --against result.json
expect 0 out 'visit: .*not truthful' statement out.csv --promise promise.json
expect 0 out '' codebook result.json --release out.csv -o codebook.csv
truth "the codebook says so" test "$(grep -c 'not truthful' codebook.csv)" -ge 4
truth "the key is written nowhere" test -z "$(grep -l 'sixteen bytes' out.csv result.json r.rec \
    report.html job.yaml promise.json out err)"
truth "means, variances and correlations are about what was promised" \
    python3 "$SOURCE/tests/cli/perturbations.py" in.csv out.csv result.json 0.2 0.7

# The cells of a release are not perturbed once more: no key is asked for.
expect 0 out '^pass  k-anonymity k=3' gate job.yaml out.csv --allow-leaks
expect 0 out 'k-anonymity k=3 holds' check out.csv --qi age,sex -k 3
cut -d, -f1-3,5- in.csv >without.csv # a column that is to be treated is not there
expect 2 err 'there is no column "job"' risk without.csv --qi age,sex --treat 'job=pram(keep 70 %)'

# `risk` judges by distance what a job would release, and counts the quasi-identifiers as they are.
nearest_of() { python3 -c 'import json, sys
print((json.load(open(sys.argv[1], encoding="utf-8")).get("perturbation") or {}).get("nearest"))' "$1"; }
expect 0 out '^by distance +[0-9.,]+ of 2,000 rows' risk job.yaml --key key --result risk.json --report report.html
truth "the rows that the release gives away" test "$(nearest_of risk.json)" = "$(nearest_of result.json)"
truth "the report of risks says so" grep -q 'are found by someone who knows the true' report.html
expect 0 out 'warning +[0-9.]+ of 2000 rows are found' risk in.csv --qi age,sex --treat 'income=noise(0.01 %)'
expect 0 out 'warning +column "age" is perturbed, and all values are what they were' risk in.csv --qi sex \
    --treat 'age=noise(0.001 %)'
expect 0 out '' risk in.csv --qi age,sex --result plain.json
expect 0 out '' risk in.csv --qi age,sex --treat 'age=swap(rank 20 %)' --treat id=pseudonym --result risk.json
truth "the same classes, and the distance of a quasi-identifier" python3 -c 'import json, sys
plain, risk = (json.load(open(name, encoding="utf-8")) for name in sys.argv[1:])
assert plain["classes"] == risk["classes"] and plain["prosecutor"] == risk["prosecutor"]
assert "perturbation" not in plain and risk["perturbation"]["nearest"]["columns"] == 1
assert [one["column"] for one in risk["perturbation"]["columns"]] == ["age"]
assert not [one for one in risk["warnings"] if one["code"] == "perturbed-quasi"]' plain.json risk.json
expect 2 err 'changes single records' risk in.csv --qi age,sex --count id --treat 'job=pram(keep 5 %)'
expect 3 err "in.csv:2: column 'job', noise" risk in.csv --qi age,sex --treat 'job=noise(5 %)'

# With a key the same job gives the same values, for any number of threads; without one others.
for threads in 1 3; do
    expect 0 out '' "${order[@]}" "${all[@]}" --threads $threads -o again.csv
    truth "the same values, $threads threads" cmp out.csv again.csv
done
expect 0 out '' apply r.rec in.csv --key key --keep-order --allow-leaks -o again.csv
truth "the same values, applied" cmp out.csv again.csv
expect 0 out '' anonymize job.yaml -o again.csv --quiet --key key
truth "the same values, by the saved job" cmp <(sort out.csv) <(sort again.csv)
keyless=(anonymize in.csv --qi age,sex -k 3 --identifier id --rest insensitive --keep-order --allow-leaks)
expect 0 out '' "${keyless[@]}" --treat 'income=noise(20 %)' -o one.csv
expect 0 out '' "${keyless[@]}" --treat 'income=noise(20 %)' -o other.csv
truth "without a key, other values" test "$(cut -d, -f4 one.csv | md5sum)" != "$(cut -d, -f4 other.csv | md5sum)"

# Two releases with one key do not give values back: not with two sizes of noise, nor of a table that
# grew, of which the size of noise is another one.
given_back() { # given_back FACTOR FILE OTHER: rows of which both releases together tell the value
    paste -d, <(cut -d, -f5 in.csv) <(cut -d, -f4 "$2") <(cut -d, -f4 "$3") | head -n 1001 | awk -F, -v f="$1" '
        NR > 1 { d = (f * $2 - $3) / (f - 1) - $1; n += d < 5 && d > -5 }
        END { print n + 0 }'
}
size_of() { sed -n 's/.*"noise(10 %; \([0-9.]*\))".*/\1/p' "$1" | head -n 1; }
head -n 1001 in.csv >half.csv
for persons in --identifier --entity; do
    twice=(anonymize --qi age,sex -k 3 "$persons" id --rest insensitive --keep-order --allow-leaks --key key)
    expect 0 out '' "${twice[@]}" in.csv --treat 'income=noise(10 %)' -o one.csv --result one.json
    expect 0 out '' "${twice[@]}" in.csv --treat 'income=noise(20 %)' -o two.csv
    expect 0 out '' "${twice[@]}" half.csv --treat 'income=noise(10 %)' -o half-out.csv --result half.json
    cut -d, -f5 in.csv | paste -d, - <(cut -d, -f4 one.csv) >seen.txt
    truth "the noise is no small one ($persons)" test "$(awk -F, 'NR > 1 && ($1 - $2) ^ 2 < 25' seen.txt | wc -l)" -lt 100
    truth "two sizes of noise ($persons)" test "$(given_back 2 one.csv two.csv)" -lt 100
    truth "a table that grew ($persons)" test "$(given_back \
        "$(awk -v a="$(size_of half.json)" -v b="$(size_of one.json)" 'BEGIN { print a / b }')" one.csv half-out.csv)" -lt 100
done

# Models judge perturbed values; rows that are dropped take theirs with them.
expect 0 out 'l-diversity job l=2 holds' "${order[@]}" --sensitive job --l-diversity job=2 \
    --treat 'job=pram(keep 1 %)' -o out.csv
drawn '
BEGIN {
    seed(2)
    print "age,sex,x"
    for (i = 1; i <= 300; i++)
        print (i % 10 == 0 ? 100 + i : 30) "," (uniform() < 0.5 ? "f" : "m") "," i
}' >rare.csv
expect 0 out 'released, 30 suppressed' anonymize rare.csv --qi age,sex -k 5 --hierarchy age=suppress \
    --hierarchy sex=suppress --level age=0..0 --level sex=0..0 --method mingen --suppress 50% \
    --suppressed drop --insensitive x --allow-leaks --treat x=shuffle -o out.csv --result result.json
truth "each value is there once, or was dropped" test -z "$(tail -n +2 out.csv | cut -d, -f3 | sort | uniq -d)"
expect 0 out '' check out.csv --against result.json

# Quasi-identifiers only by name, and beside nothing else that passes through.
swapped=(anonymize in.csv --qi age,sex -k 3 --sensitive job --rest drop --treat 'age=swap(rank 5 %)' -o out.csv)
expect 2 err "'age' is a quasi-identifier: models would judge cells that are not true" "${swapped[@]}"
expect 0 out 'warning +column "age" is a quasi-identifier and perturbed' "${swapped[@]}" \
    --accept-perturbed age --result result.json
expect 0 out '' check out.csv --against result.json
expect 1 err 'column "visit" .*beside the quasi-identifier "age", which is perturbed' "${swapped[@]}" \
    --accept-perturbed age --insensitive visit
expect 2 err "'sex' is no quasi-identifier with a treatment" "${swapped[@]}" --accept-perturbed age,sex
expect 2 err "'age' is named twice" "${swapped[@]}" --accept-perturbed age,age
expect 2 err 'population finds persons by their true cells' "${swapped[@]}" --accept-perturbed age \
    --population in.csv --k-map 2
expect 2 err 'save-recoding says what becomes of true cells' "${swapped[@]}" --accept-perturbed age \
    --save-recoding r2.rec

# Persons: equal values of a person stay equal, and values of others are not taken.
persons=(anonymize in.csv --qi age -k 2 --entity sex --insensitive spend --sensitive job --rest drop
    --allow-leaks --key key --keep-order -o out.csv)
expect 2 err 'mean of several rows gives back what is true' "${persons[@]}" --treat 'spend=swap(rank 5 %)'
expect 2 err 'mean of several rows of a person' "${persons[@]}" --treat 'spend=noise(5 %, correlated with income)' \
    --treat 'income=noise(5 %, correlated with spend)'
expect 0 out '' "${persons[@]}" --treat 'job=pram(keep 30 %)'
truth "at most six different pairs of person and value" test "$(paste -d, <(cut -d, -f3,4 in.csv) \
    <(cut -d, -f2 out.csv) | tail -n +2 | sort -u | wc -l)" -le 6

# What is refused.
expect 2 err 'which do not say so as well' "${order[@]}" --treat 'income=noise(20 %, correlated with spend)' -o out.csv
expect 2 err 'which do not say so as well' "${order[@]}" --treat 'income=noise(20 %, correlated with spend)' \
    --treat 'spend=noise(10 %, correlated with income)' -o out.csv
expect 2 err 'is no treatment: it says how large' "${order[@]}" --treat 'income=noise(20)' -o out.csv
expect 2 err 'put it last' "${order[@]}" --treat 'income=swap(rank 5 %),round(10)' -o out.csv
expect 2 err 'put it first' "${order[@]}" --treat 'income=round(10),noise(5 %, correlated with spend)' -o out.csv
expect 2 err 'beside another treatment' "${order[@]}" --treat 'income=swap(rank 5 %),shuffle' -o out.csv
expect 2 err 'less than one rank' "${order[@]}" --treat 'income=swap(rank 0.01 %)' -o out.csv
expect 2 err 'there is no column "nowhere"' "${order[@]}" --treat 'job=pram(keep 5 %, within nowhere)' -o out.csv
expect 2 err "'job' has values that are neither numbers nor dates" "${order[@]}" \
    --treat 'income=shuffle(given job)' -o out.csv
expect 3 err "in.csv:2: column 'job', swap\(rank 5 %\): the value '.*' has no place in an order" \
    "${order[@]}" --treat 'job=swap(rank 5 %)' -o out.csv
expect 3 err "in.csv:2: column 'visit', noise\(5 %\): the value '.*' is no number" \
    "${order[@]}" --treat 'visit=noise(5 %)' -o out.csv
sed 's/[^,]*,/5,/6; 1s/5,/spend,/' in.csv >flat.csv
expect 2 err 'have no variance' anonymize flat.csv --qi age,sex -k 3 --identifier id --rest insensitive \
    --allow-leaks --treat 'spend=noise(5 %)' -o out.csv
expect 2 err 'changes single records' anonymize in.csv --qi age,sex --count id -k 2 --treat 'job=pram(keep 5 %)' \
    --rest drop -o out.csv
expect 0 out '' count in.csv --qi age,sex --sensitive job --identifier id --rest drop -o part.part
expect 2 err 'those of a table that is counted stand for several' anonymize part.part -k 2 \
    --l-diversity job=2 --treat 'job=pram(keep 80 %)' --dry-run
if [ -n "$(command -v sqlite3)" ]; then
    printf '.mode csv\n.import in.csv t\n' | sqlite3 t.db
    expect 2 err 'the database would write column' anonymize 'sqlite:t.db?table=t' --qi age,sex -k 3 --rest drop \
        --sensitive job --treat 'job=pram(keep 80 %)' -o 'sqlite:t.db?table=u'
fi

# A matrix, named from where its job is.
mkdir -p sub
printf ',cook,nurse,clerk\nnurse,0.1,0.8,0.1\ncook,0.7,0.2,0.1\nclerk,0,0.05,0.95\n' >sub/matrix.csv
cat >sub/job.yaml <<'END'
data: ../in.csv
attributes:
  age: {role: quasi}
  sex: {role: quasi}
  job: {role: sensitive, treat: "pram(matrix matrix.csv)"}
rest: drop
privacy: [{k-anonymity: 3}]
key: ../key
END
expect 0 out 'job by pram' anonymize sub/job.yaml -o out.csv
expect 3 err 'matrix.csv: cannot open' anonymize in.csv --qi age,sex -k 3 --rest drop --sensitive job \
    --treat 'job=pram(matrix matrix.csv)' -o out.csv
wrong() { # wrong PATTERN LINE...: a file with these lines is refused
    local pattern=$1
    shift
    printf '%s\n' "$@" >wrong.csv
    expect 3 err "$pattern" anonymize in.csv --qi age,sex -k 3 --rest drop --sensitive job \
        --treat 'job=pram(matrix wrong.csv)' -o out.csv
}
wrong 'wrong.csv:2: the line needs a chance for each value' ,cook,nurse,clerk cook,0.5,0.4,0.2
wrong 'wrong.csv:2: the line needs a chance' ,cook,nurse,clerk cook,0.5,0.5
wrong 'wrong.csv:2: a cell is no chance' ,cook,nurse,clerk cook,0.5,x,0.5
wrong 'wrong.csv:2: the line begins with a value' ,cook,nurse,clerk cock,0.5,0.3,0.2
wrong 'wrong.csv: a value of the first line has no line' ,cook,nurse cook,0.5,0.5
wrong 'wrong.csv:1: a value stands there twice' ,cook,cook cook,0.5,0.5
wrong 'wrong.csv: the file has no matrix' ''
wrong "column 'job', pram.*: the value '.*' is not in the matrix" ,cook,nurse cook,0.5,0.5 nurse,0.5,0.5

# Other formats and fronts of the same release.
for format in xlsx sav jsonl arrow csv.gz; do
    expect 0 out 'visit by swap: not truthful .* each as often as before' "${order[@]}" "${all[@]}" -o "out.$format"
done
expect 0 out 'visit by swap' "${order[@]}" "${all[@]}" --memory 8M --where 'age > 21' -o out.csv
expect 0 out 'visit by swap' "${order[@]}" "${all[@]}" --by sex -o out.csv
expect 0 out 'visit by swap' "${order[@]}" "${all[@]}" --dry-run
expect 0 out '' compare in.csv --qi age,sex -k 3 --sensitive job --rest drop --l-diversity job=2 \
    --treat 'job=pram(keep 80 %)' --methods cell,mondrian
finish
