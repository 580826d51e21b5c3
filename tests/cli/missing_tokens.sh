#!/bin/bash
# Codes for missing cells that are also labels of a hierarchy, or values of columns that are released
# unchanged: a release is read as it was written.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

printf 'q,s\na,1\nb,2\nc,1\nd,2\n,NA\nunknown,\nNA,1\n' >data.csv
printf 'a;low;*\nb;low;*\nc;unknown;*\nd;unknown;*\n' >q.csv
figures() { # figures FILE.json: the measures that a release has by itself
    python3 -c '
import json, sys
d = json.load(open(sys.argv[1]))
keys = ["precision", "loss", "ncp", "discernibility", "average_class_size", "ambiguity",
        "entropy_distortion", "nonuniform_entropy", "height", "classification"]
print(d["released_rows"], d["classes"]["count"], [(k, d["utility"][k]) for k in keys])' "$1"
}

for missing in ',NA,unknown' 'NA,unknown,' 'NA,,unknown,*'; do
    job=(--qi q --hierarchy q=q.csv --sensitive s --missing "$missing" --utility classification=s)
    expect 0 out '' anonymize data.csv "${job[@]}" -k 2 --l-diversity s=2 --missing-sensitive value --method mingen -o release.csv \
        --result result.json --quiet
    truth "$missing: the label is released" test "$(grep -c '^unknown,' release.csv)" = 2
    figures result.json >wanted
    expect 0 out '"utility"' utility data.csv release.csv "${job[@]}" --json
    figures out >found
    truth "$missing: utility measures what anonymize did" diff wanted found
    expect 0 out '' check release.csv --against result.json
done

# With no missing cell, too, and where another program wrote another token for missing cells.
head -5 data.csv >without.csv
job=(--qi q --hierarchy q=q.csv --sensitive s --missing NA,unknown,none)
expect 0 out '' anonymize without.csv "${job[@]}" -k 2 --method mingen -o release.csv --quiet
expect 0 out '"precision": 0.5' utility without.csv release.csv "${job[@]}" --json
printf 'q,s\nlow,1\nlow,2\nunknown,1\nunknown,2\nNA,NA\nnone,\nNA,1\n' >other.csv
expect 0 out '"precision": 0.714' utility data.csv other.csv "${job[@]/%none/none,}" --json

# Tables that are taken as they are may be releases: a label of a hierarchy that is given is none of
# the missing cells there. NA is one by default.
printf 'q,s\nlow,1\nlow,2\nunknown,1\n,2\n' >alone.csv
sed 's/unknown/NA/' alone.csv >alone_na.csv
sed 's/unknown/NA/' q.csv >na.csv
printf 'low: a, b\nunknown: c, d\n' >groups.txt
for given in q.csv 'groups(groups.txt)'; do
    job=(--qi q --hierarchy "q=$given" --missing ',NA,unknown')
    expect 1 out 'measured 1' check alone.csv "${job[@]}" -k 2
    expect 1 out 'FAIL  k-anonymity' gate alone.csv "${job[@]}" --sensitive s -k 2
    expect 0 out '3 of 1 to 2 rows' risk alone.csv "${job[@]}"
done
expect 1 out 'measured 1' check alone_na.csv --qi q --hierarchy q=na.csv -k 2
expect 0 out 'measured 2' check alone_na.csv --qi q -k 2
sed 's/unknown/*/' alone.csv >star.csv
expect 1 out 'measured 1' check star.csv --qi q --hierarchy q=q.csv --missing ',*' -k 2
printf 'name,q\nA,a\nB,c\nC,d\nD,unknown\n' >persons.csv
expect 0 out '4, 3 of them match a single row' attack alone.csv persons.csv --identifier name \
    --qi q --hierarchy q=q.csv --missing ',NA,unknown'

# Missing cells that are no label are one value, however they are written.
expect 0 out 'measured 2' check alone.csv --qi q --hierarchy q=na.csv --missing ',unknown' -k 2
finish
