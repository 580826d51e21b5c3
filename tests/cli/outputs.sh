#!/bin/bash
# shellcheck disable=SC2054 # the commas are in lists of columns
# Nothing of the user's is lost: no output is a file that the job reads, or another output, by
# whatever name; and no name speaks of a format that the output is not written in.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

mkdir files elsewhere
cd files || exit 1
ln -s ../files ../elsewhere/back
small_table
cp data.csv population.csv
cp data.csv external.csv
printf 'black;*\nwhite;*\n' >race.csv
printf 'winter: flu, cold\n' >groups.txt
printf 'flu;any;*\ncold;any;*\n' >disease.csv
printf 'privacy: [{k-anonymity: 2}]\n' >policy.yaml
job=(--qi race,zip --hierarchy 'zip=mask(right,2)' --hierarchy race=race.csv --identifier name
    --sensitive disease)
cat >job.yaml <<'END_OF_JOB'
data: data.csv
attributes:
  race: {role: quasi, hierarchy: race.csv}
  zip: {role: quasi, hierarchy: "mask(right,2)"}
  name: {role: identifier}
  disease: {role: sensitive, hierarchy: groups(groups.txt)}
privacy: [{k-anonymity: 2}]
population: population.csv
policy: policy.yaml
END_OF_JOB
"$MINGLE" anonymize data.csv "${job[@]}" -k 2 -o release.csv --result result.json \
    --save-recoding first.rec --quiet || exit 1
"$MINGLE" count data.csv --qi race,zip --sensitive disease --identifier name -o 1.part --quiet || exit 1
"$MINGLE" count population.csv --qi race,zip --sensitive disease --identifier name -o 2.part \
    --quiet || exit 1

sums() { sha256sum -- * | LC_ALL=C sort; }
sums >../before

# refused WORD WORD ARGUMENT...: exit 2, the message names both options, every file is as it was
# and there is no other one.
refused() {
    local one=$1 other=$2 got=0
    shift 2
    "$MINGLE" "$@" >../out 2>../err </dev/null || got=$?
    sums >../after
    if [ $got -ne 2 ]; then
        not_ok "mingle $*" "exit code $got: $(cat ../err)"
    elif ! grep -q -e "$one" ../err || ! grep -q -e "$other" ../err; then
        not_ok "mingle $*" "the message does not name $one and $other: $(cat ../err)"
    elif ! cmp -s ../before ../after; then
        not_ok "mingle $*" "files have changed: $(diff ../before ../after)"
    else
        ok "mingle $*"
    fi
}

# Every command that writes, every output of it, every input: INPUT OPTION, then the command.
pairs() { # pairs "OUTPUT..." "INPUT:OPTION ..." ARGUMENT...
    local outputs=$1 inputs=$2 output input release
    shift 2
    for output in $outputs; do
        release=(-o new)
        [ "$output" != --output ] && [[ " anonymize count apply " == *" $1 "* ]] || release=()
        for input in $inputs; do
            refused "^mingle: $output: " "${input#*:} '" "$@" "$output" "${input%%:*}" \
                "${release[@]}"
        done
    done
}
all="--result --report --save-job"
pairs "--output --save-recoding $all" \
    "data.csv:--data race.csv:--hierarchy population.csv:--population policy.yaml:--policy first.rec:--history" \
    anonymize data.csv "${job[@]}" -k 2 --population population.csv --policy policy.yaml \
    --history first.rec
pairs "--output --save-recoding $all" \
    "data.csv:data race.csv:attributes.race.hierarchy groups.txt:attributes.disease.hierarchy population.csv:population policy.yaml:policy job.yaml:file" \
    anonymize job.yaml
pairs "--output --save-recoding $all" "1.part:--data 2.part:--parts" \
    anonymize 1.part 2.part -k 2
pairs --output disease.csv:--sensitive-hierarchy anonymize data.csv "${job[@]}" -k 2 --extended-p \
    disease=2 --sensitive-hierarchy disease=disease.csv
pairs "$all" "data.csv:--data race.csv:--hierarchy" compare data.csv "${job[@]}" -k 2
pairs "$all" "data.csv:--data race.csv:--hierarchy" lattice data.csv "${job[@]}" -k 2
pairs "$all" "release.csv:--data result.json:--against" check release.csv --against result.json
pairs "$all" "data.csv:data job.yaml:file" check job.yaml
pairs "--rows $all" "data.csv:--data population.csv:--population" risk data.csv --qi race,zip \
    --population population.csv
pairs "--output --result" data.csv:--data risk data.csv --advise
pairs "--rows $all" "release.csv:--data external.csv:--external" attack release.csv external.csv \
    --qi race,zip --identifier name
pairs "$all" "data.csv:--data release.csv:--release race.csv:--hierarchy" utility data.csv \
    release.csv --qi race,zip --hierarchy race=race.csv
pairs "--output --result --save-job" data.csv:--data count data.csv --qi race,zip --rest drop
pairs "--output --result --save-job" "first.rec:--recoding data.csv:--data" apply first.rec data.csv
pairs "--output --result --save-job" "race.csv:--hierarchy data.csv:--data" hierarchy build data.csv \
    --hierarchy race=race.csv
pairs --output groups.txt:--hierarchy hierarchy build data.csv \
    --hierarchy 'disease=groups(groups.txt)'
pairs --output result.json:--data report result.json

# Every spelling, link and hard link; an output that is not there yet has a name, too.
ln -s data.csv ../elsewhere/link.csv
ln data.csv ../elsewhere/hard.csv
ln -s ../files/data.csv ../elsewhere/far.csv
ln -s far.csv ../elsewhere/chain.csv
ln -sf "$PWD/data.csv" ../elsewhere/link.csv
for name in ./data.csv ../files/data.csv .//data.csv "$PWD/data.csv" ../elsewhere/link.csv \
    ../elsewhere/hard.csv ../elsewhere/chain.csv ../elsewhere/back/data.csv; do
    refused --output --data anonymize data.csv "${job[@]}" -k 2 -o "$name"
    refused --output --data anonymize "$name" "${job[@]}" -k 2 -o data.csv
    refused --result --data check "$name" --qi race -k 2 --result data.csv
done
ln -s ../files/new.json ../elsewhere/dangling.json
for name in new.json ./new.json ../elsewhere/dangling.json ../elsewhere/back/new.json; do
    refused --result --save-recoding anonymize data.csv "${job[@]}" -k 2 -o new.csv \
        --save-recoding "$name" --result new.json
done
for pair in "--output --result" "--output --report" "--result --report" "--save-recoding --output" \
    "--save-job --result"; do
    set -- $pair
    [[ " $pair " == *" --output "* ]] || set -- "$@" -o new
    refused "$1" "$2" anonymize data.csv "${job[@]}" -k 2 "$1" same "$2" ./same "${@:3}"
done
got=0
"$MINGLE" anonymize - "${job[@]}" -k 2 -o data.csv <data.csv >../out 2>../err || got=$?
sums >../after
truth "an output that is standard input is refused" test $got -eq 2
truth "the file behind standard input stays as it was" cmp -s ../before ../after
got=0
"$MINGLE" anonymize data.csv "${job[@]}" -k 2 -o /dev/stdout >>data.csv 2>../err || got=$?
truth "/dev/stdout that is the input is refused" test $got -eq 2
got=0
"$MINGLE" anonymize data.csv "${job[@]}" -k 2 -o - >>data.csv 2>../err || got=$?
truth "an output - that is the input is refused" test $got -eq 2
sums >../after
truth "the input behind standard output stays as it was" cmp -s ../before ../after
# What a dry run would not be allowed to write is told then.
refused --output --data anonymize data.csv "${job[@]}" -k 2 -o data.csv --dry-run
# Two files are written, and both are looked at; so are the files beside an input.
printf 'race 1 5\nzip 7 5\n' >../a.rda
cp ../a.rda new.rda
sums >../before
refused --output --hierarchy anonymize data.csv "${job[@]}" -k 2 --hierarchy name=new.rda -o new.asc
rm new.rda
printf 'a 1 1\n  <CODELIST> "codes.cdl"\n' >in.rda
printf '1\n2\n1\n2\n' >in.asc
printf '1,one\n2,two\n' >codes.cdl
sums >../before
for file in in.rda in.asc codes.cdl; do
    refused --result --data check in.asc --qi a -k 1 --result $file
    refused --result --data check in.rda --qi a -k 1 --result $file
done

# What a job file names for other commands is no output of this one.
printf 'data: data.csv\nattributes: {race: {role: quasi}}\noutput: data.csv\n' >other.yaml
for command in check risk "hierarchy suggest" lattice; do
    model=()
    [ "$command" = lattice ] && model=(-k 1)
    # shellcheck disable=SC2086 # hierarchy suggest are two words
    "$MINGLE" $command other.yaml --quiet "${model[@]}" >../out 2>../err
    truth "$command writes no release" test $? -eq 0
done
sums >../before
refused 'other.yaml:3:9: output' data anonymize other.yaml -k 2 --rest drop
rm other.yaml
sums >../before

# Devices, pipes and standard output are as they were.
told=(anonymize data.csv "${job[@]}" -k 2 --seed 1)
run=("${told[@]}" --quiet)
truth "a device takes any number of outputs" "$MINGLE" "${run[@]}" -o /dev/null --result /dev/null \
    --report /dev/null
"$MINGLE" "${run[@]}" -o - >../dash
"$MINGLE" "${run[@]}" -o /dev/stdout | cat >../pipe
truth "a pipe that is called /dev/stdout" cmp -s ../dash ../pipe
for name in /dev/stdout /dev/fd/1 /proc/self/fd/1; do
    echo before >../file
    "$MINGLE" "${told[@]}" -o $name >>../file 2>../err
    truth "$name in a file: the release follows what was there" cmp -s <(echo before && cat ../dash) ../file
    truth "$name: the summary is on standard error" grep -q '^privacy ' ../err
    got=0
    "$MINGLE" "${run[@]}" -o $name --json >../out 2>../err || got=$?
    truth "$name and --json are refused" grep -q '^mingle: -o - and --json both write' ../err
    truth "$name and --json write nothing" test $got -eq 2 -a ! -s ../out
    got=0
    "$MINGLE" "${run[@]}" -o $name --result /dev/stdout >../out 2>../err || got=$?
    truth "$name and another output there are refused" test $got -eq 2 -a ! -s ../out
done
"$MINGLE" "${told[@]}" -o /dev/fd/7 7>../seven >../out
truth "/dev/fd/7 is the descriptor" cmp -s ../dash ../seven
got=0
"$MINGLE" "${run[@]}" -o /dev/fd/7 7<data.csv >../out 2>../err || got=$?
truth "a descriptor that is not open for writing" grep -q "nothing is open for writing at" ../err
truth "ends with 2" test $got -eq 2
got=0
"$MINGLE" "${run[@]}" --p-sensitive 9 -o /dev/stdout >../out 2>../err || got=$?
truth "what cannot be released sends nothing" test $got -eq 1 -a ! -s ../out
{ "$MINGLE" "${run[@]}" -o /dev/stdout 2>../err; echo $? >../got; } | true
truth "a reader that went away" grep -Eq '^(0|4)$' ../got
"$MINGLE" "${told[@]}" -o ../file.csv --result - >../out 2>../err
truth "a result alone is on standard output" python3 -c 'import json; json.load(open("../out"))'
"$MINGLE" "${run[@]}" --save-recoding ../kept.rec -o ../file.csv >../out
"$MINGLE" apply ../kept.rec data.csv -o /dev/stdout >../out 2>../err
rm ../kept.rec
truth "apply sends its release alone" test "$(sort ../out | md5sum)" = "$(sort ../file.csv | md5sum)"
mkfifo ../fifo.json
cat ../fifo.json >../read &
"$MINGLE" "${run[@]}" -o ../fifo.json
wait $!
truth "a pipe may have any name" cmp -s ../dash ../read
sums >../after
truth "refused outputs create no file" cmp -s ../before ../after
cd ..

# ---- Endings -----------------------------------------------------------------------------------
run=(anonymize files/data.csv --qi race,zip --identifier name --sensitive disease -k 2 --quiet)
for ending in json pdf docx html sas7bdat rda rds yaml xls ods db sqlite bz2 csv.bz2 json.gz sav.gz \
    R HTML; do
    expect 2 err "not written as .${ending#csv.}; end its name in .csv .tsv .* .sav" "${run[@]}" -o x.$ending
    truth "nothing is written to x.$ending" test ! -e x.$ending
done
for name in x x.dat x.out x.release x.v1.2 .json x.csv x.TSV x.csv.gz x.gz; do
    expect 0 out '' "${run[@]}" -o "$name"
    truth "$name is written" test -s "$name"
done
truth "a name without an ending is text" grep -q '^race,zip,disease' x
for ending in csv html pdf yaml; do
    expect 2 err "--result: .*a result is not written as .$ending; end its name in .json" \
        "${run[@]}" -o x --result r.$ending
done
for ending in csv json pdf txt; do
    expect 2 err "--report: .*a report is not written as .$ending; end its name in .html" \
        "${run[@]}" -o x --report r.$ending
done
expect 2 err "a job file is not written as .json; end its name in .yaml" "${run[@]}" -o x --save-job j.json
expect 2 err "a job file ends in .yaml" "${run[@]}" -o x --save-job j
expect 2 err "a recoding is not written as .csv" "${run[@]}" -o x --save-recoding r.csv
expect 2 err "a part is not written as .csv" count files/data.csv --qi race --rest drop -o p.csv
expect 2 err "a hierarchy is not written as .html" hierarchy build files/data.csv \
    --hierarchy race=suppress -o h.html
expect 2 err "a job file is not written as .csv" risk files/data.csv --advise -o j.csv
expect 2 err "a table of rows is not written as .json" risk files/data.csv --qi race --rows r.json
expect 2 err "a page is not written as .pdf" report files/result.json -o r.pdf
truth "outputs with wrong endings are not written" test -z "$(ls r.* j* p.* h.* 2>/dev/null)"

# ---- Databases ---------------------------------------------------------------------------------
# The result and the report of a release stay what they are when its job file is used to look at it.
mkdir job
cp files/race.csv files/groups.txt files/external.csv job
cut -d, -f2- files/data.csv >job/data.csv
cat >job/job.yaml <<'END_OF_JOB'
data: data.csv
attributes:
  race: {role: quasi, hierarchy: race.csv}
  zip: {role: quasi, hierarchy: "mask(right,2)"}
  disease: {role: sensitive, hierarchy: groups(groups.txt)}
privacy: [{k-anonymity: 2}]
output: release.csv
result: result.json
report: report.html
END_OF_JOB
expect 0 out 'written' anonymize job/job.yaml
sha256sum job/* >sums
expect 0 out '^privacy' check job/job.yaml job/release.csv
expect 0 out '^privacy' check job/job.yaml job/release.csv --result job/checked.json
truth "what the command line names is written" test -s job/checked.json
expect 0 out '' risk job/job.yaml
expect 0 out '' utility job/job.yaml job/release.csv
expect 0 out '' lattice job/job.yaml
expect 0 out '' compare job/job.yaml --methods mingen,datafly
expect 0 out '' attack job/release.csv job/external.csv --qi race,zip --hierarchy race=job/race.csv \
    --hierarchy 'zip=mask(right,2)' --sensitive disease
truth "the files of the release are as they were" sha256sum --quiet -c sums
# A job that makes no release may write its result.
sed '/^output/d; s/result.json/judged.json/; s/report.html/judged.html/' job/job.yaml >job/judge.yaml
expect 1 out '^privacy' check job/judge.yaml
truth "a job without a release writes its result" test -s job/judged.json -a -s job/judged.html

if python3 -c 'import sqlite3' 2>/dev/null; then
    python3 -c '
import csv, sqlite3
rows = list(csv.reader(open("files/data.csv")))
db = sqlite3.connect("d.db")
db.execute("create table people (%s)" % ", ".join(c + " text" for c in rows[0]))
db.executemany("insert into people values (?, ?, ?, ?)", rows[1:])
db.commit()'
    sha256sum d.db >sum
    ln -s d.db d.link
    in=(anonymize 'sqlite:d.db?table=people' --qi race,zip --identifier name --sensitive disease -k 2
        --quiet)
    for name in 'sqlite:d.db?table=people' 'sqlite:./d.db?table=People' 'sqlite:d.link?table=people' \
        'sqlite:d.db?table=main.people'; do
        expect 2 err '^mingle: --output: .*same table as --data' "${in[@]}" -o "$name"
    done
    for name in d.db ./d.link; do
        expect 2 err '^mingle: --output: .*same file as --data' "${in[@]}" -o "$name"
        expect 2 err '^mingle: --result: .*same file as --data' "${in[@]}" -o x --result "$name"
        expect 2 err '^mingle: --result: .*same file as --output' "${run[@]}" \
            -o 'sqlite:d.db?table=other' --result "$name"
    done
    truth "the database is as it was" sha256sum --quiet -c sum
    expect 0 out '' "${in[@]}" -o 'sqlite:d.db?table=released'
    truth "another table of the same database is written" test \
        "$(python3 -c 'import sqlite3; print(sqlite3.connect("d.db").execute("select count(*) from released").fetchone()[0])')" = 8
else
    echo "skipped: python3 has no sqlite3"
fi

# ---- Files beside an output ----------------------------------------------------------------------
# R has files with the endings of metadata of mu-Argus.
mkdir unrelated_files
cd unrelated_files || exit 1
small_table
for pair in saf:rds asc:rda; do
    main=study.${pair%:*} second=study.${pair#*:}
    printf 'RDX3 of somebody' >"$second"
    cp "$second" before
    expect 2 err "$second.*--overwrite" anonymize data.csv "${job[@]:0:4}" --identifier name \
        --sensitive disease -k 2 -o "$main"
    truth "$second is what it was" cmp before "$second"
    truth "$main is not written" test ! -e "$main"
    expect 0 out '' anonymize data.csv --qi race,zip --identifier name --sensitive disease -k 2 \
        -o "$main" --overwrite
    expect 0 out '' anonymize data.csv --qi race,zip --identifier name --sensitive disease -k 2 \
        -o "$main"
    cp before "$second"
    expect 2 err "$second" anonymize data.csv --qi race,zip --identifier name \
        --sensitive disease -k 2 -o "$main"
    truth "$second beside an older release is what it was" cmp before "$second"
    expect 2 err 'the same file' anonymize data.csv --qi race,zip --identifier name \
        --sensitive disease -k 2 -o "$main" --result "$second"
done
if openssl genpkey -algorithm ed25519 -out private.pem 2>err && chmod 600 private.pem; then
    printf 'of somebody' >result.json.sig
    expect 2 err 'result.json.sig' anonymize data.csv --qi race,zip --identifier name \
        --sensitive disease -k 2 -o new.csv --result result.json --sign private.pem
    truth "a signature of something else stays" grep -q somebody result.json.sig
    expect 0 out '' anonymize data.csv --qi race,zip --identifier name \
        --sensitive disease -k 2 -o new.csv --result result.json --sign private.pem --overwrite
    expect 0 out '' anonymize data.csv --qi race,zip --identifier name \
        --sensitive disease -k 2 -o new.csv --result result.json --sign private.pem
    openssl pkey -in private.pem -pubout -out public.pem
    cp result.json.sig before.sig
    expect 2 err "use the same file '.*result.json.sig'" check new.csv --against result.json \
        --verify-key public.pem --result result.json.sig
    truth "a signature that is checked stays" cmp -s before.sig result.json.sig
    # A file of that name which no signature of ours can be.
    printf 'of another program, and longer than a signature of ours: %040d' 0 >result.json.sig
    expect 2 err 'result.json.sig.*does not belong to it' anonymize data.csv --qi race,zip \
        --identifier name --sensitive disease -k 2 -o new.csv --result result.json --sign private.pem
    truth "a signature of another program stays" grep -q 'another program' result.json.sig
fi

# What is there belongs to an older release only if it is of that kind.
printf 'A\n2\n263168\nof somebody, as saveRDS writes text' >text.rds
printf 'X\n\0\0of somebody' >plain.rda
cp text.rds before.rds
cp plain.rda before.rda
printf '1\n' >text.saf
printf '1\n' >plain.asc
for main in text.saf plain.asc; do
    expect 2 err 'does not belong to it' anonymize data.csv --qi race,zip --identifier name \
        --sensitive disease -k 2 -o $main
done
truth "R's files in text stay" cmp -s before.rds text.rds
truth "R's files that are not packed stay" cmp -s before.rda plain.rda
# What a link leads to has another name, and so has what lies beside it.
mkdir elsewhere
printf 'of somebody' >elsewhere/data.rda
ln -s elsewhere/data.asc link.asc
expect 2 err "'link.asc' is a link" anonymize data.csv --qi race,zip --identifier name \
    --sensitive disease -k 2 -o link.asc
truth "beside what a link leads to nothing is replaced" grep -q somebody elsewhere/data.rda
truth "and nothing is written" test ! -e elsewhere/data.asc -a ! -e link.rda

# The engine of a database writes and removes files beside it.
if python3 -c 'import sqlite3' 2>/dev/null; then
    databases=(sqlite:-journal sqlite:-wal sqlite:-shm)
    [ ! -e "${MINGLE_DUCKDB:-$BUILD/libduckdb.so}" ] || databases+=(duckdb:.wal)
    for pair in "${databases[@]}"; do
        file=new.db${pair#*:} location="${pair%%:*}:new.db?table=t"
        printf 'of somebody' >"$file"
        expect 2 err "$file.*does not belong to it" anonymize data.csv --qi race,zip \
            --identifier name --sensitive disease -k 2 -o "$location"
        truth "$file of somebody stays" grep -q somebody "$file"
        cp data.csv "$file"
        expect 2 err "use the same file '.*$file'" anonymize "$file" --qi race,zip \
            --identifier name --sensitive disease -k 2 -o "$location" --overwrite
        truth "$file, which is read, stays" cmp -s data.csv "$file"
        rm "$file"
        expect 2 err "use the same file '.*$file'" anonymize data.csv --qi race,zip \
            --identifier name --sensitive disease -k 2 -o "$location" --result "$file"
        ln -s elsewhere/new.db link.db
        expect 2 err "use the same file '.*elsewhere/$file'" anonymize data.csv --qi race,zip \
            --identifier name --sensitive disease -k 2 -o "${location/new.db/link.db}" \
            --save-job "elsewhere/$file"
        rm link.db
        truth "no database is made" test ! -e new.db -a ! -e elsewhere/new.db
    done
    cp ../d.db d.db
    expect 2 err "use the same file '.*d.db-wal'" anonymize 'sqlite:d.db?table=people' --qi race,zip \
        --identifier name --sensitive disease -k 2 -o new.csv --report d.db-wal
    expect 0 out '' anonymize 'sqlite:d.db?table=people' --qi race,zip --identifier name \
        --sensitive disease -k 2 -o 'sqlite:d.db?table=another'
    # A link to a database that is not there yet.
    ln -s elsewhere/made.db link.db
    expect 0 out '' anonymize data.csv --qi race,zip --identifier name --sensitive disease -k 2 \
        -o 'sqlite:link.db?table=t'
    truth "a link to a new database stays" test -L link.db -a -s elsewhere/made.db
    rm elsewhere/made.db
    expect 1 err '' anonymize data.csv --qi race,zip --identifier name --sensitive disease \
        --p-sensitive 9 -o 'sqlite:link.db?table=t'
    truth "also after a failure" test -L link.db -a ! -e elsewhere/made.db
    # What would end with the program.
    for location in 'sqlite:?table=t' 'sqlite::memory:?table=t' 'duckdb::memory:?table=t' 'duckdb:?table=t'; do
        expect 2 err 'a database in memory' anonymize data.csv --qi race,zip --identifier name \
            --sensitive disease -k 2 -o "$location"
    done
    expect 2 err 'temporary' anonymize data.csv --qi race,zip --identifier name \
        --sensitive disease -k 2 -o 'sqlite:d.db?table=TEMP.t'
fi

expect 2 err 'nothing can be taken out of the memory' anonymize data.csv --qi race,zip --identifier name \
    --sensitive disease -k 2 -o new.csv --save-map memory:map.csv

# ---- Keys are not repeated -----------------------------------------------------------------------
secret=correct/horse-battery_Staple+0123456789==
for given in "$secret" "env:$secret"; do
    expect 3 err 'may be the key itself' anonymize data.csv --qi race,zip --treat name=pseudonym \
        --entity name --entity-view rows --sensitive disease --key "$given" -k 2 -o keyed.csv
    truth "the key is not repeated" bash -c "! grep -qF '$secret' err"
    printf 'data: data.csv\nqi: [race, zip]\ntreat: {name: pseudonym}\nentity: name\nentity-view: rows\nsensitive: disease\nk: 2\nkey: "%s"\noutput: keyed.csv\n' "$given" >keyed.yaml
    expect 3 err 'may be the key itself' anonymize keyed.yaml
    truth "nor that of a job file" bash -c "! grep -qF '$secret' err"
done
expect 3 err 'not shown' anonymize data.csv --qi race,zip --identifier name --sensitive disease -k 2 \
    -o signed.csv --result signed.json --sign "-----BEGIN PRIVATE KEY-----$secret"
truth "nor that of a signature" bash -c "! grep -qF '$secret' err"
expect 3 err 'may be the key itself' anonymize data.csv --qi race,zip --treat name=pseudonym \
    --entity name --entity-view rows --sensitive disease --key "$secret" -k 2 -o "$secret"
truth "nor where it is an output, too" bash -c "! grep -qF '$secret' err"
# A key with blanks and without quotes ends as an argument.
for option in --key --sign; do
    expect 2 err 'may be part of the key' anonymize data.csv --qi race,zip --identifier name \
        --sensitive disease -k 2 -o keyed.csv --result keyed.json $option the "$secret"
    truth "nor the rest of a key behind $option" bash -c "! grep -qF '$secret' err"
done
finish
