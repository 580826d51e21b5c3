#!/bin/bash
# shellcheck disable=SC2054 # the commas are in lists of columns
# --save-proof and check --proof: certificates of bounds.
# slow: hundreds of forged certificates
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

drawn 'BEGIN { seed(5); print "name,zip,age,sex,disease"
    for (i = 0; i < 60; i++) printf "P%d,0%d,%d,%s,d%d\n", i, 2136 + int(uniform() * 8),
        20 + int(uniform() * 8), uniform() < 0.5 ? "f" : "m", int(uniform() * 4) }' >data.csv
roles=(--qi zip,age,sex --sensitive disease --identifier name --hierarchy 'zip=mask(right)'
    --hierarchy 'age=intervals(2,4,8)' --rest drop)

# The other reader agrees.
agree() { # agree NAME
    local proved
    if ! proved=$(python3 "$SOURCE/tests/cli/proofs_reader.py" proof.json); then
        not_ok "$1: another reader finds that it holds" "$proved"
        return
    fi
    truth "$1: another reader finds the same" python3 -c '
import json, sys
told, found = json.load(open("result.json"))["bound"], json.load(open("checked.json"))["proof"]
near = lambda a, b: abs(a - b) <= 1e-8 * max(1, abs(b))
assert found["claimed"] == told["best_possible"] and found["too_cheap"] == found["too_dear"] == 0
assert near(found["proved"], float(sys.argv[1])), (found, sys.argv[1])
assert near(told["proof"]["proves"], float(sys.argv[1])), (told, sys.argv[1])' "$proved"
}
trial() { # trial NAME OPTION...
    local name=$1
    shift
    expect 0 out '' anonymize data.csv "${roles[@]}" "$@" -o release.csv --result result.json \
        --save-proof proof.json --quiet
    expect 0 out '^proof +holds: proof.json' check --proof proof.json --against result.json \
        --result checked.json
    agree "$name"
    expect 0 out '^proof +holds' check data.csv --proof proof.json --against result.json
}
for measure in precision loss ncp nonuniform-entropy; do
    trial "$measure" -k 3 --effort fast --utility $measure --weights zip=2,age=0.3
done
for treatment in keep drop exempt; do
    trial "$treatment" -k 4 --effort fast --suppress 10% --suppressed $treatment
done
trial "level bounds" -k 3 --effort fast --level zip=1..3 --level age=1 --suppress 3 --suppressed drop
trial "distinct values" -k 3 --l-diversity disease=3 --effort fast
trial "p-sensitive" --p-sensitive 2 -k 2 --effort fast
trial "risk" --max-risk 0.3 --effort fast
trial "a model that a bound does not use" -k 2 --t-closeness disease=0.4 --effort fast
printf 'd0;a;*\nd1;a;*\nd2;b;*\nd3;c;*\n' >tree.csv
trial "protected groups" -k 2 --extended-p disease=2 --protect disease=a --effort fast \
    --sensitive-hierarchy disease=tree.csv
truth "groups are not compared without the protected values" grep -q 'groups of disease' out
expect 0 out '^proof +holds' check data.csv --proof proof.json --against result.json --protect disease=a
truth "with them they are" bash -c '! grep -q "not compared" out'

# The best release, and proof that it is: with steps, which the other reader follows only on tiny
# tables (below).
for treatment in keep drop exempt; do
    expect 0 out '' anonymize data.csv "${roles[@]}" -k 2 --suppress 3 --suppressed $treatment \
        -o release.csv --result result.json --save-proof proof.json --quiet
    truth "$treatment: it is exact, and prices of rows alone do not prove that" python3 -c '
import json
assert json.load(open("result.json"))["bound"]["exact"] and "exact" in json.load(open("proof.json"))'
    expect 0 out 'steps with .* classes' check data.csv --proof proof.json --against result.json
    expect 0 out '^result +agrees' check release.csv --against result.json
done
# Classes for which a model holds that proofs do not use cannot be named: less is proved then.
head -n 13 data.csv >few.csv
expect 0 out 'proved to be the best' anonymize few.csv "${roles[@]}" -k 2 --t-closeness disease=0.5 \
    -o release.csv --result result.json --save-proof proof.json
expect 1 out '^proof +holds, but proves less than the result claims' check --proof proof.json \
    --against result.json --result checked.json
agree "few tuples, of which less is known"

# A table of few tuples that a search divided in all ways: the check does so, too.
tr ' ' '\n' >alike.csv <<'END'
a,b,c 115,111,130 130,114,110 108,131,105 118,134,109 122,112,131 124,102,126
126,117,130 131,133,100 104,119,111 115,113,125 124,115,127 103,115,126
113,101,135 109,112,109 126,100,136 123,105,111
END
expect 0 out '' anonymize alike.csv --qi a,b,c -k 6 --utility loss --hierarchy a=suppress \
    --hierarchy 'b=intervals(2,4,8,16)' --hierarchy 'c=intervals(2,4,8,16)' --suppressed drop --suppress 3 \
    -o release.csv --result result.json --save-proof proof.json --quiet
truth "there are no steps" python3 -c '
import json
proof = json.load(open("proof.json"))["exact"]
assert proof["method"] == "sets" and "steps" not in proof
assert json.load(open("result.json"))["bound"]["exact"]'
expect 0 out '^ +all ways to divide the tuples' check alike.csv --proof proof.json --against result.json

cp data.csv large.csv
many=("${roles[@]}")
# What tiny tables once failed on: no class holds but that of all rows at the top; and where levels do
# not allow the top, rows that are kept are not there unless some may be suppressed.
printf 'zip,age,sex,disease\n1,11,a,d\n2,12,b,d\n3,13,c,d\n4,14,d,d\n5,15,e,d\n' >data.csv
roles=(--qi zip,age,sex --sensitive disease)
trial "all rows are at the top" -k 3 --suppressed exempt --suppress 1
printf 'zip,age,sex,disease\n%s' "$(printf '%s\n' 22,107,y,a 22,107,y,a 22,114,x,b 22,114,x,b 20,100,y,b \
    20,100,y,b 20,114,y,c 20,114,y,c 21,100,y,c 21,100,y,c 21,114,x,a)" >data.csv
roles+=(--hierarchy 'zip=intervals(2,4)' --hierarchy 'age=intervals(10,30)')
trial "levels below the top, rows kept" -k 3 --utility ncp --suppressed keep --level age=0..1
mv large.csv data.csv
roles=("${many[@]}")

# The file is as secret as the table.
truth "nobody else can read it" test "$(stat -c %a proof.json)" = 600
expect 0 out '' anonymize data.csv "${roles[@]}" -k 3 --save-proof only.proof --quiet
truth "without a release the proof is all that is written" test -s only.proof
expect 0 out '' anonymize data.csv "${roles[@]}" -k 3 --save-proof none.proof --dry-run --quiet
truth "a dry run writes none" test ! -e none.proof

# Wrong use.
expect 2 err 'save-proof.*is for cell' anonymize data.csv "${roles[@]}" -k 3 --method mondrian -o x.csv \
    --save-proof x.proof
printf 'save-proof: x.proof\nmethod: mingen\n' >job.yaml
expect 2 err 'mingen does not prove its bound by prices' anonymize job.yaml data.csv "${roles[@]}" -k 3 \
    -o x.csv
expect 2 err 'save-proof.*persons' anonymize data.csv "${roles[@]}" --entity name -k 3 -o x.csv \
    --save-proof x.proof
expect 2 err 'save-proof.*population' anonymize data.csv "${roles[@]}" --k-map 3 --population data.csv \
    -o x.csv --save-proof x.proof
expect 2 err 'same file' anonymize data.csv "${roles[@]}" -k 3 -o x.csv --save-proof data.csv
expect 2 err 'is not written as .csv' anonymize data.csv "${roles[@]}" -k 3 -o x.csv --save-proof y.csv
expect 2 err 'name the result with --against' check --proof proof.json
expect 2 err 'no data' check --against result.json
expect 2 err 'does not belong to' anonymize data.csv --proof proof.json
expect 3 err 'nowhere.proof: cannot open' check --proof nowhere.proof --against result.json
expect 3 err 'this is no proof' check --proof result.json --against result.json
expect 3 err 'no result' check --proof proof.json --against data.csv
truth "refused proofs write nothing" test ! -e x.csv -a ! -e x.proof

expect 0 out '' anonymize data.csv "${roles[@]}" -k 3 --l-diversity disease=2 --effort fast -o release.csv \
    --result result.json --save-proof proof.json --quiet --weights zip=2
expect 2 err 'is the release' check release.csv --proof proof.json --against result.json
head -n 50 data.csv >other.csv
expect 1 out '^proof +does not belong' check other.csv --proof proof.json --against result.json
sed 's/,2[0-9],/,33,/' data.csv >other.csv
expect 1 out 'tuples of the table' check other.csv --proof proof.json --against result.json

# Messages show no values, unless asked to.
python3 -c '
import hashlib, json
proof, result = json.load(open("proof.json")), json.load(open("result.json"))
proof["tuples"][4][2] += 2 ** 49
text = json.dumps(proof).encode()
open("high.proof", "wb").write(text)
result["bound"]["proof"]["sha256"] = hashlib.sha256(text).hexdigest()
json.dump(result, open("high.json", "w"))'
expect 1 out '^proof +does not hold' check --proof high.proof --against high.json
truth "no value is shown" bash -c '! grep -qE "021|\*" out'
expect 1 out 'a box that costs less.*zip' check --proof high.proof --against high.json --verbose

each_of() { # each_of SCRIPT ARGUMENT...: its lines
    local name why
    while IFS=$'\t' read -r name why; do
        if [ -z "$why" ]; then ok "$name"; else not_ok "$name" "$why"; fi
    done < <(python3 "$SOURCE/tests/cli/$1" "$MINGLE" "${@:2}" || printf '%s\tthe script failed\n' "$1")
}
each_of proofs_tamper.py
each_of proofs_random.py 40
finish
