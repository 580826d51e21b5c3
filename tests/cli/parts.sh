#!/bin/bash
# shellcheck disable=SC2054 # the commas are in lists of columns
# Parts and recodings: count slices, search them together, release them one by one.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

drawn 'BEGIN { seed(11); print "name,zip,sex,ward,diagnosis"
    for (i = 0; i < 300; i++) printf "P%d,02%d%d%d,%s,%s,d%d\n", i, uniform() * 2, uniform() * 4,
        uniform() * 4, uniform() < 0.5 ? "f" : "m", uniform() < 0.5 ? "east" : "west", uniform() * 4 }' >all.csv
for i in 1 2 3; do
    { head -1 all.csv; tail -n +2 all.csv | sed -n "$((i * 100 - 99)),$((i * 100))p"; } >"$i.csv"
done
gzip -c 3.csv >3.csv.gz
roles=(--qi zip,sex --sensitive diagnosis --identifier name --insensitive ward)
search=(--hierarchy 'zip=mask(right,4)' -k 5 --l-diversity diagnosis=2)

for data in 1.csv 2.csv 3.csv.gz; do
    expect 0 out '^rows +100 read' count "$data" "${roles[@]}" -o "${data%%.*}.part"
done
truth "parts are private" test "$(stat -c %a 1.part)" = 600
for method in cell mingen; do
    expect 0 out '^rows +300 read' anonymize 1.part 2.part 3.part "${search[@]}" \
        --method $method --save-recoding found.rec
    for i in 1 2 3; do
        expect 0 out '^warning +this slice was counted' apply found.rec $i.csv -o release$i.csv \
            --keep-order
    done
    expect 0 out '' anonymize all.csv "${roles[@]}" "${search[@]}" --method $method --keep-order \
        -o release.csv --quiet
    { cat release1.csv; tail -n +2 -q release2.csv release3.csv; } >together.csv
    truth "$method: slices give the rows of the whole" cmp together.csv release.csv
done
expect 0 out '"counted": true' apply found.rec 3.csv.gz -o release3.csv.gz --json
truth "a compressed slice is applied" test "$(gzip -dc release3.csv.gz | wc -l)" -eq 101
truth "rows are shuffled" sh -c '! gzip -dc release3.csv.gz | cmp -s - release3.csv'

# Parts keep the order of the quasi-identifiers, by which ties are broken.
printf 'x,y\na,c\na,d\nb,c\nb,d\n' >tie.csv
tie=(--hierarchy x=suppress --hierarchy y=suppress -k 2 --method mingen)
for order in x,y y,x; do
    expect 0 out '' count tie.csv --qi $order -o tie.part --quiet
    expect 0 out '' anonymize tie.csv --qi $order "${tie[@]}" --dry-run --json
    python3 -c 'import json; print(json.load(open("out"))["node"])' >whole
    expect 0 out '' anonymize tie.part "${tie[@]}" --dry-run --json
    python3 -c 'import json; print(json.load(open("out"))["node"])' >counted
    truth "--qi $order: the node of the whole table" cmp whole counted
done

# The whole table is its own slice, or a release of its own.
expect 0 out '"counted": false' apply found.rec all.csv -o again.csv --keep-order --json
truth "applying to all rows gives the release" cmp again.csv release.csv
expect 1 err 'as a release of its own it breaks a model' apply found.rec \
    <(head -30 all.csv) -o few.csv
truth "a slice that is too small is not written" test ! -e few.csv
sed 's/,02/,99/' all.csv >other.csv
expect 0 out '300 rows have values, or combinations of them, that the recoding has not seen' \
    apply found.rec other.csv -o other.out
truth "values with a place are generalized" test "$(sed 's/^99/02/' other.out | cut -d, -f1,2 | sort)" = \
    "$(cut -d, -f1,2 release.csv | sort)"
expect 2 err 'there is no column "ward"' apply found.rec \
    <(cut -d, -f1-3,5 1.csv) -o x.csv

# A job file, with the data beside it on the command line.
cat >job.yaml <<'END'
data: all.csv
attributes:
  name: {role: identifier}
  zip: {role: quasi, hierarchy: "mask(right,4)"}
  sex: {role: quasi}
  ward: {role: insensitive}
  diagnosis: {role: sensitive}
privacy: [{k-anonymity: 5}, {l-diversity: {attribute: diagnosis, l: 2}}]
method: mingen
END
for i in 1 2 3; do
    expect 0 out '' count job.yaml $i.csv -o job$i.part --quiet
    truth "a job file counts the same part as options" cmp $i.part job$i.part
done
expect 0 out '' anonymize job.yaml 1.part 2.part 3.part --save-recoding job.rec --quiet
expect 0 out '' apply job.rec 2.csv -o job2.csv --keep-order --quiet
truth "a job file applies the same recoding as options" cmp job2.csv release2.csv

# A hierarchy may have lines for values that do not occur: first, between and after those that do.
printf '%s\n' a,x,'*' f,x,'*' g,y,'*' m,y,'*' z,y,'*' >sexes.csv
for method in cell mingen; do
    expect 0 out '' anonymize all.csv "${roles[@]}" "${search[@]}" --hierarchy sex=sexes.csv \
        --method $method --keep-order -o release.csv --save-recoding lines.rec --quiet
    expect 0 out '' apply lines.rec all.csv -o again.csv --keep-order --quiet
    truth "$method: the same rows by a hierarchy with more values" cmp again.csv release.csv
    expect 0 out '^history' anonymize all.csv "${roles[@]}" "${search[@]}" -o second.csv \
        --hierarchy sex=sexes.csv --history lines.rec
done

# The hierarchies of Adult have such lines, and so have those of the stand-in.
for folder in "$SOURCE/tests/standin" ${SHARED:+"$SHARED"}; do
    adult=$folder/data/adult
    expect 0 out '' anonymize "$adult/adult.csv" --qi native-country,age,sex --rest insensitive \
        --hierarchy "native-country=$adult/adult_hierarchy_native-country.csv" \
        --hierarchy "age=$adult/adult_hierarchy_age.csv" -k 5 --method mingen --keep-order \
        --allow-leaks -o adult.csv --save-recoding adult.rec --quiet
    expect 0 out '' apply adult.rec "$adult/adult.csv" -o adult2.csv --keep-order --allow-leaks \
        --quiet
    truth "Adult of ${folder##*/}: the same rows" cmp adult.csv adult2.csv
done
[ -n "${SHARED:-}" ] || echo "skipped: Adult, ../shared is not there"

# Other commands take parts as well.
expect 1 out '^rows +300 read' check 1.part 2.part 3.part -k 5
expect 0 out '^rows +300 read' risk 1.part 2.part 3.part
expect 0 out 'nodes' lattice 1.part 2.part 3.part "${search[@]}"

# What cannot be.
expect 2 err '1.part: a part holds counts, not rows' anonymize 1.part "${search[@]}" -o x.csv
expect 2 err 'all.csv: several files can be read together only if all are parts' anonymize all.csv \
    1.csv "${roles[@]}" "${search[@]}" -o x.csv
expect 3 err '1.csv: this is not a part' anonymize 1.part 1.csv "${search[@]}" --save-recoding x.rec
expect 0 out '' count 2.csv --qi zip --rest drop -o zip.part --quiet
expect 3 err 'zip.part: this part counts other columns' anonymize 1.part zip.part "${search[@]}" \
    --save-recoding x.rec
expect 2 err 'column "ward" was not counted' anonymize 1.part --qi ward \
    --rest drop -k 2 --save-recoding x.rec
expect 3 err 'found.rec: this is not a part' anonymize 1.part found.rec "${search[@]}" \
    --save-recoding x.rec
expect 3 err '1.part: this is not a recoding' apply 1.part 1.csv -o x.csv
head -c 500 1.part >cut.part
expect 3 err 'cut.part: the file is damaged or cut off' anonymize 2.part cut.part "${search[@]}" \
    --save-recoding x.rec
printf 'MGLPARTS\007\000' | cat - <(tail -c +11 1.part) >later.part
expect 3 err 'format version 7' anonymize later.part "${search[@]}" --save-recoding x.rec
expect 2 err 'no output' count 1.csv "${roles[@]}"
expect 2 err 'second file is missing' apply found.rec -o x.csv
expect 2 err "unexpected argument '2.csv'" count 1.csv 2.csv "${roles[@]}" -o x.part
truth "refused uses of parts write nothing" test ! -e x.csv -a ! -e x.rec -a ! -e x.part
finish
