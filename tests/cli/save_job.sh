#!/bin/bash
# shellcheck disable=SC2054 # the commas are in lists of columns
# --save-job, and the job of the audit trail: both are jobs that give the same release again.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

mkdir -p jobs/deep tables
drawn 'BEGIN { seed(5); print "name,zip,age,sex,height,born,\"a: b\",disease,weight"
    for (i = 0; i < 240; i++) printf "P%d,0%d,%d,%s,%.1f,19%02d-%02d-%02d,%s,d%d,%d\n", i % 160,
        2130 + int(uniform() * 8), 20 + int(uniform() * 40), uniform() < 0.5 ? "f" : "m", 150 + uniform() * 40,
        40 + int(uniform() * 40), 1 + int(uniform() * 12), 1 + int(uniform() * 28),
        uniform() < 0.1 ? "-99" : uniform() < 0.5 ? "x, \"y\"" : "no", int(uniform() * 4),
        1 + int(uniform() * 3) }' | sed 's/,x, "y",/,"x, ""y""",/' >tables/data.csv
printf 'f;*\nm;*\n' >tables/sex.csv
printf 'north: 02130, 02131, 02132, 02133\nsouth: 02134, 02135, 02136, 02137\n' >tables/areas.txt
printf 'd0;A;*\nd1;A;*\nd2;B;*\nd3;B;*\n' >tables/disease.csv
printf 'name: ours\nprivacy: [{k-anonymity: 3}, {l-diversity: {attribute: any, l: 2}}]\n' >ours.yaml
"$MINGLE" anonymize tables/data.csv --qi sex --rest drop -k 2 --save-recoding tables/first.rec \
    -o first.csv --quiet || exit 1

# same NAME ARGUMENT...: the release of the command line, of the job it saves in two places, and of
# the job of its audit trail are the same, byte for byte.
same() {
    local name=$1 place again broken
    shift
    local typed=("$@" --keep-order --quiet --seed 4711)
    expect 0 out '' "${typed[@]}" -o release.csv --result result.json --save-job jobs/deep/job.yaml
    cp release.csv wanted.csv
    # A release that was accepted although it breaks a model agrees with its result and fails.
    grep -q '"failing_rows"' result.json; broken=$((1 - $?))
    [ "$name" = "one distance" ] || expect $broken out 'agrees' check release.csv --against result.json
    python3 -c '
import json
json.dump(json.load(open("result.json"))["audit"]["job"], open("audit.yaml", "w"))' || return
    for place in jobs/deep/job.yaml audit.yaml; do
        again=0
        "$MINGLE" anonymize $place -o again.csv --quiet >out 2>err || again=$?
        if [ $again -ne 0 ]; then not_ok "$name: $place runs" "$(cat err $place)"; else
            truth "$name: $place gives the same release" cmp wanted.csv again.csv
        fi
        rm -f again.csv
        truth "$name: no seed in $place" test -z "$(grep -e seed -e 4711 $place)"
    done
    (cd jobs/deep && rm -f ../../release.csv && "$MINGLE" anonymize job.yaml --quiet)
    truth "$name: paths are right where the job is" cmp wanted.csv release.csv
}
roles=(--identifier name --sensitive disease --rest drop)
data=(anonymize tables/data.csv "${roles[@]}")
# The order of quasi-identifiers is that of --qi, not that of the first word about a column.
same "order" "${data[@]}" --hierarchy 'zip=mask(right)' --hierarchy 'age=intervals(5,10,20)' \
    --qi sex,age,zip --hierarchy sex=tables/sex.csv -k 4 --suppress 5% --method mingen
same "groups" "${data[@]}" --qi zip,sex --hierarchy 'zip=groups(tables/areas.txt)' -k 3 --suppress 3
same "models" "${data[@]}" --qi age,sex --hierarchy 'age=cuts(30,40,50)' -k 3 --l-diversity disease=2 \
    --recursive-cl disease=4,2 --t-closeness disease=0.7 --distance disease=ordered --max-risk 0.34
same "one distance" "${data[@]}" --qi age,sex --hierarchy 'age=cuts(30,40,50)' -k 3 \
    --t-closeness disease=0.7,hierarchical --sensitive-hierarchy disease=tables/disease.csv
same "sets" "${data[@]}" --qi-set age,sex --qi-set zip --hierarchy 'age=intervals(10,20)' -k 3 \
    --method mingen --suppress 10% --suppressed drop
same "fields" "${data[@]}" --qi age,zip,sex --hierarchy 'age=intervals(5,10,20)' --weights age=2,zip=0.5 \
    --level age=1..2 --level zip=..1 -k 2 --suppress 50% --hierarchy 'zip=mask(right,3)' --utility loss \
    --prefer absolute,suppression
same "odd names" anonymize tables/data.csv --qi '"a: b",sex' --insensitive weight --rest drop -k 3 \
    --missing '"",NA,"x, ""y"""'
same "policy" "${data[@]}" --qi age,sex --hierarchy 'age=intervals(10,20)' --policy ours.yaml
same "named policy" "${data[@]}" --qi age,sex --hierarchy 'age=intervals(10,20)' --policy strict
same "entity" anonymize tables/data.csv --qi age,sex --hierarchy 'age=intervals(10,20,40)' \
    --entity name --rest drop -k 2
same "dates" "${data[@]}" --qi born,sex --hierarchy 'born=dates(year,5y,10y)' -k 3 --method mondrian
same "microaggregate" "${data[@]}" --qi height,age --method microaggregate -k 4 --replace median
same "mu-argus" "${data[@]}" --qi age,sex,zip --hierarchy 'age=intervals(5,10,20)' --method mu-argus -k 2 \
    --identification age=1,sex=2,zip=3 --accept unsafe --combinations 2,3
same "local suppression" "${data[@]}" --qi age,sex,zip --method local-suppression -k 2 \
    --importance age=2,zip=1 --suppress 100%
same "history" "${data[@]}" --qi age,sex --hierarchy 'age=intervals(10,20)' -k 2 \
    --history tables/first.rec
same "population" "${data[@]}" --qi age,sex --hierarchy 'age=intervals(10,20)' --k-map 2 \
    --population tables/data.csv
sed -e '/^result/d' -e '/^output/d' -e 's|\.\./\.\./|../|' jobs/deep/job.yaml >jobs/base.yaml
same "a job file and options" anonymize jobs/base.yaml tables/data.csv -k 3

# Protected values are in the job that is saved, not in the audit trail, which is a job without.
protect=(--sensitive-hierarchy disease=tables/disease.csv --protect disease=A --extended-p disease=2)
expect 0 out '' "${data[@]}" --qi age,sex --hierarchy 'age=intervals(10,20)' "${protect[@]}" -k 3 \
    --keep-order -o release.csv --save-job jobs/p.yaml --result result.json --quiet
truth "the saved job protects" grep -q 'protect: \[A\]' jobs/p.yaml
truth "the audit trail does not tell what" bash -c '! grep -q \"protect\": result.json'
expect 0 out '' anonymize jobs/p.yaml -o again.csv --quiet
truth "the protected release again" cmp release.csv again.csv

# What is about one run stays out of it; a job is written for a dry run, too.
expect 0 out '' "${data[@]}" --qi sex -k 3 --dry-run --threads 2 --verbose --save-job dry.yaml --quiet
truth "a saved job has nothing that is about one run" bash -c '! grep -Eq "dry|threads|verbose|quiet|brief|save-job" dry.yaml'
expect 2 err 'no output' anonymize dry.yaml
expect 0 out '' anonymize dry.yaml -o release.csv --quiet
expect 0 out '^data: tables/data.csv$' "${data[@]}" --qi sex -k 3 -o release.csv --quiet --save-job -
rm -f none.yaml
expect 1 err '' "${data[@]}" --qi zip --hierarchy zip=suppress -k 999 -o no.csv --save-job none.yaml
truth "a run that fails saves no job" test ! -e none.yaml

# Other commands: the job file runs them to the same answer.
again() { # again COMMAND... : with and without the job file
    local name=$1
    expect 0 out '' "$@" --save-job jobs/other.yaml --json
    cp out one
    expect 0 out '' ${name} ${action-} jobs/other.yaml --json
    truth "$name: the same answer" diff <(grep -v -e seconds -e '"total"' -e '"read"' -e '"search"' one |
        sed 's|jobs/[./]*||') <(grep -v -e seconds -e '"total"' -e '"read"' -e '"search"' out |
        sed 's|jobs/[./]*||')
}
again check tables/data.csv --qi age,sex --sensitive disease
again risk tables/data.csv --qi age,sex --suda --threshold 0.5 --weight weight
again lattice tables/data.csv --qi sex,zip --hierarchy 'zip=mask(right,2)' --hierarchy sex=suppress -k 3
"$MINGLE" "${data[@]}" --qi age,sex --hierarchy 'age=intervals(10,20)' -k 3 -o release.csv --quiet
again utility tables/data.csv release.csv --qi age,sex --hierarchy 'age=intervals(10,20)' --hierarchy sex=suppress
again attack release.csv tables/data.csv --qi age,sex --identifier name
action=show again hierarchy show tables/data.csv --hierarchy 'zip=mask(right,2)'
expect 0 out '' count tables/data.csv --qi sex --rest drop -o 1.part --save-job jobs/count.yaml
mv 1.part first.part
expect 0 out '' count jobs/count.yaml
truth "count: the same part" cmp first.part 1.part
expect 0 out '' apply tables/first.rec tables/data.csv -o a.csv --keep-order --save-job jobs/apply.yaml
mv a.csv first.csv
expect 0 out '' apply jobs/apply.yaml
truth "apply: the same release" cmp first.csv a.csv
expect 0 out 'persons' attack release.csv --external tables/data.csv --qi age,sex --identifier name

# Passwords are in no job; users are where they are needed.
printf 'attributes: {sex: {role: quasi}}\nexternal: "postgresql://ann:secret@host/db?table=t"\n' >db.yaml
expect 0 out '' check db.yaml tables/data.csv -k 1 --save-job jobs/db.yaml --quiet
truth "a user, and no password" grep -q '^external: "postgresql://ann@host/db?table=t"$' jobs/db.yaml
finish
