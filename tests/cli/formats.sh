#!/bin/bash
# shellcheck disable=SC2054 # the commas are in lists of columns
# The same job on every format gives the same classes and figures; labels and missing codes; files
# that are broken or not there, and endings that cannot be written.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
library=${MINGLE_DUCKDB:-$BUILD/libduckdb.so}
unset MINGLE_DUCKDB

"$MAKE_PATIENTS" patients.csv 500
sed -i '5s/,Widowed,\|,Married,\|,Single,\|,Divorced,/,,/' patients.csv
job=(--qi birth,sex,race,zip,marital --sensitive diagnosis --identifier name,ssn --rest insensitive
    --hierarchy 'birth=dates(year,10y)' --hierarchy 'zip=mask(right)' --allow-leaks
    -k 3 --p-sensitive 2 --method mingen --suppress 10%)

# figures FILE: what the result says of classes, models and utility.
figures() {
    python3 -c '
import json, sys
r = json.load(open(sys.argv[1]))
keys = ["rows", "released_rows", "suppressed_rows", "classes", "node", "models", "utility", "risk"]
print(json.dumps({k: r[k] for k in keys}, sort_keys=True, indent=1))' "$1"
}

# same_as_csv DATA OUTPUT OPTION...: the job on DATA gives the figures of the job on the CSV file, and
# so does reading OUTPUT again.
same_as_csv() {
    local data=$1 output=$2
    shift 2
    expect 0 out '"command": "anonymize"' anonymize "$data" "${job[@]}" "$@" --json -o "$output"
    figures out >got
    truth "$data: the figures of the CSV file" diff wanted got
    expect 0 out '"k": ' check "$output" --qi birth,sex,race,zip,marital --sensitive diagnosis --json
    python3 -c 'import json; print(json.load(open("out"))["classes"])' >classes
    truth "$output: the classes of the CSV file" diff wanted_classes classes
}

# convert OUTPUT: the table in another format, in its order.
convert() {
    expect 0 out '' anonymize patients.csv --qi sex --rest insensitive -k 1 --keep-order \
        --allow-leaks --quiet -o "$1"
}

expect 0 out '"command": "anonymize"' anonymize patients.csv "${job[@]}" --json -o release.csv
figures out >wanted
expect 0 out '"k": ' check release.csv --qi birth,sex,race,zip,marital --sensitive diagnosis --json
python3 -c 'import json; print(json.load(open("out"))["classes"])' >wanted_classes

# ---- Statistics files ----------------------------------------------------------------------------
if "$MINGLE" anonymize patients.csv --qi sex --rest drop -k 1 --quiet -o probe.sav 2>err; then
    for format in sav zsav dta xpt; do
        convert "patients.$format"
        expect 0 out '' anonymize "patients.$format" --qi sex --rest insensitive -k 1 \
            --keep-order --allow-leaks --quiet -o back.csv
        truth "$format keeps every cell" diff patients.csv back.csv
        same_as_csv "patients.$format" "release.$format"
    done
    same_as_csv patients.sav mixed.dta
    same_as_csv patients.csv mixed.sav
    expect 0 out 'warning +column charge is written as text' anonymize patients.sav \
        --qi charge --rest drop --hierarchy 'charge=intervals(50000)' -k 20 --suppress 100% \
        --suppressed drop -o charge.sav

    head -c 2000 patients.sav >cut.sav
    expect 3 err '^mingle: cut.sav: the file is damaged' check cut.sav --qi sex
    cp patients.csv text.dta
    expect 3 err '^mingle: text.dta: .*no Stata file' check text.dta --qi sex
    expect 3 err '^mingle: none.sav: cannot open' check none.sav --qi sex
    expect 2 err 'a release is not written as .sas7bdat' anonymize patients.csv "${job[@]}" \
        -o release.sas7bdat
    printf 'a b,c\n1,2\n1,3\n' >names.csv
    expect 3 err "column a b cannot be written to a Stata file" anonymize names.csv --qi 'a b' \
        --rest insensitive -k 2 -o names.dta
    truth "a refused .dta is not left behind" test ! -e names.dta
else
    ok "statistics files # SKIP $(cat err)"
fi

# ---- mu-Argus ------------------------------------------------------------------------------------
# Fixed columns: age, sex, town, income; town and age have codes for missing.
cat >town.rda <<'END'
age 1 2 99
  <RECODABLE>
  <IDLEVEL> 1
  <SUPPRESSWEIGHT> 7
sex 3 1
  <CODELIST> "Sex.cdl"
town 4 2 "9" "99"
  <CODELIST> "town.CDL"
income 7 5
  <NUMERIC>
END
printf '1,male\r\n2, "female"\r\n \r\n' >sex.cdl
printf '1,North\n2,North\n 3,South\n4,South, far\n' >town.cdl
printf '23 1 1   100\n23 1 2    90\n451 3   100\n99 2 9  9999\n 72 3  1.50\n 82 4    -5\n' |
    sed 's/^\(..\) \?\(.\) /\1\2 /' >town.asc
cat >town.csv <<'END'
age,sex,town,income
23,1,1,100
23,1,2,90
45,1,3,100
,2,,9999
7,2,3,1.50
8,2,4,-5
END
town=(--qi age,sex,town --rest insensitive --allow-leaks)
for data in town.rda town.asc; do
    expect 0 out '' anonymize "$data" "${town[@]}" -k 1 --keep-order --quiet -o back.csv
    truth "$data: the cells" diff town.csv back.csv
done
expect 0 out '' anonymize town.rda "${town[@]}" -k 1 --keep-order --quiet -o - \
    --hierarchy town=labels --level town=1..1 --method mingen
truth "labels are a level" diff out - <<'END'
age,sex,town,income
23,1,North,100
23,1,North,90
45,1,South,100
,2,,9999
7,2,South,1.50
8,2,"South, far",-5
END
printf '1: -9\n2: 10-39,44\n\n<MISSING> 8 9\n' >age.grc
printf '1: 1,2\n' >sex.grc
expect 0 out '' anonymize town.rda "${town[@]}" -k 1 --keep-order --quiet -o - --method mingen \
    --hierarchy age=age.grc --level age=1..1
truth "recodings leave other codes" test "$(cut -d, -f1 out | tr '\n' ' ')" = 'age 2 2 45  1 1 '
expect 0 out '1: 1,2 +\(2 values\)' hierarchy show town.rda --hierarchy sex=sex.grc
truth "a new code that is an old one, too, is spelt out" grep -q '1: 1,2' out
expect 2 err 'the data has no labels for the values of this column' anonymize town.rda "${town[@]}" \
    -k 1 -o - --hierarchy age=labels
printf '1: -9\n2: 5-\n' >bad.grc
expect 3 err "^mingle: bad.grc:2: the code '7' is recoded on line 1 already" hierarchy show town.rda \
    --hierarchy age=bad.grc
printf 'one\n' >bad.grc
expect 3 err '^mingle: bad.grc:1: this is no recoding' hierarchy show town.rda --hierarchy age=bad.grc

# A release is two files again.
convert patients.asc
for data in patients.asc patients.rda; do
    expect 0 out '' anonymize "$data" --qi sex --rest insensitive -k 1 --keep-order --allow-leaks \
        --quiet -o back.csv
    truth "$data keeps every cell" diff patients.csv back.csv
done
same_as_csv patients.asc release.saf
truth "what its columns are is beside" test -s release.rds
expect 0 out '' anonymize town.rda "${town[@]}" -k 1 --quiet --keep-order -o same.asc
truth "missing cells have the code of their column" diff <(tr -d '\r ' <same.asc) <(tr -d ' ' <town.asc)
expect 0 out '' anonymize town.rda "${town[@]}" -k 2 --suppress 100% --quiet --keep-order \
    --method local-suppression -o safe.asc
expect 0 out 'k-anonymity k=2 holds' check safe.rda --qi age,sex,town -k 2
printf 'a,b\n1," x"\n1,"y"\n' >spaces.csv
expect 3 err 'column b has cells with line breaks or outer spaces' anonymize spaces.csv \
    --qi a --rest insensitive -k 2 -o spaces.asc
truth "a refused .asc is not left behind" test ! -e spaces.asc -a ! -e spaces.rda
expect 2 err 'a release is not written as .rda' anonymize patients.csv "${job[@]}" -o x.rda
cp town.asc over.asc
sed 's/^sex 3 1/sex 2 2/' town.rda >over.rda
expect 3 err '^mingle: over.rda:5: column sex \(from 2 on\) overlaps column age \(1 to 2, line 1\)' \
    check over.rda --qi age
cp town.rda alone.rda
expect 3 err '^mingle: alone.asc: cannot open' check alone.rda --qi age
cp town.rda short.rda
printf '23 1 1   100\n231\n' >short.asc
expect 3 err '^mingle: short.asc:2: the line ends before character 11' check short.rda --qi age
printf 'age x 2\n' >short.rda
expect 3 err '^mingle: short.rda:1: after the name of a column come where it begins' \
    check short.rda --qi age
printf '<SEPARATOR> ";"\nage 2 99\nsex 1\n' >free.rda
printf '23;1\n99;2\n 7;2\n' >free.asc
expect 0 out '^classes +3 of 1 to 1' check free.asc --qi age,sex
printf '23;1;5\n' >free.asc
expect 3 err '^mingle: free.asc:1: there are 3 cells in a line, and 2 columns' check free.rda --qi age

# judge_metadata FILE COLUMN LABEL COLUMNS: what the metadata says about identification holds unless
# the job says otherwise; the labels of a code list go into an SPSS file.
judge_metadata() {
    local demo=("$1" --qi "$4" --rest drop --method mu-argus -k 3 --accept unsafe --keep-order --quiet)
    local first second third fourth
    IFS=, read -r first second third fourth <<<"$4"
    "$MINGLE" anonymize "${demo[@]}" -o metadata.csv
    "$MINGLE" anonymize "${demo[@]}" -o options.csv \
        --identification "$first=1,$second=2,$third=3,$fourth=3"
    "$MINGLE" anonymize "${demo[@]}" -o others.csv \
        --identification "$first=3,$second=1,$third=2,$fourth=1"
    truth "identification levels come from the metadata" diff -q metadata.csv options.csv
    truth "and are not what others give" test "$(md5sum <metadata.csv)" != "$(md5sum <others.csv)"
    if [ -e probe.sav ]; then
        demo=("${1%.rda}.asc" --qi "SEX,$2" --rest drop -k 2 --quiet)
        expect 0 out '' anonymize "${demo[@]}" -o demo.sav
        expect 0 out "^$2" hierarchy show demo.sav --hierarchy "$2=labels"
        truth "labels of a code list are in the SPSS file" grep -q "$3" out
    fi
}
judge_metadata "$SOURCE/tests/standin/data/muargus/persons.rda" ORIGIN 'from the isles' \
    REGION,SEX,AGE,ORIGIN
if [ -n "${SHARED:-}" ] && [ -e "$SHARED/data/muargus/Demodata.rda" ]; then
    judge_metadata "$SHARED/data/muargus/Demodata.rda" ETNI Mediterrenean REGION,SEX,AGE,ETNI
else
    echo "skipped: Demodata of mu-Argus, ../shared is not there"
fi

# ---- Parquet and DuckDB ----------------------------------------------------------------------------
touch there.parquet
MINGLE_DUCKDB=$PWD/none.so expect 4 err \
    "needs the library .*none.so, which is not there; get it with mingle-fetch-duckdb" check there.parquet \
    --qi sex
if [ -e "$library" ]; then
    export MINGLE_DUCKDB=$library
    convert patients.parquet
    expect 0 out '' anonymize patients.parquet --qi sex --rest insensitive -k 1 --keep-order \
        --allow-leaks --quiet -o back.csv
    truth "parquet keeps every cell" diff patients.csv back.csv
    same_as_csv patients.parquet release.parquet
    same_as_csv patients.parquet "odd [1]*'.parquet"
    expect 0 out '"command": "anonymize"' anonymize patients.parquet "${job[@]}" --json --dry-run
    figures out >got
    truth "counts of the engine give the same figures" diff wanted got
    head -c 5000 patients.parquet >cut.parquet
    expect 3 err '^mingle: cut.parquet: DuckDB says: ' check cut.parquet --qi sex
    expect 3 err '^mingle: none.parquet: cannot open' check none.parquet --qi sex
    expect 2 err 'write duckdb:FILE\?table=NAME' check duckdb:x.duckdb --qi sex
else
    ok "parquet # SKIP make duckdb was not run"
fi
finish
