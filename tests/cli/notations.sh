#!/bin/bash
# Tables as Europe writes them: decimal commas, thousands, date-times, two-digit years, blanks and
# letter case, R's row names, slips among dates.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

# The same 120 persons as a German, a French, a Swiss and an American table, and a plain one:
# weight, income, visit, illness.
drawn 'function grouped(n, sign) { return int(n / 1000) sign sprintf("%03d", n % 1000) }
BEGIN {
    seed(1848)
    for (i = 0; i < 120; i++) {
        weight = 500 + int(480 * uniform()); income = 1000 + int(8000 * uniform()); cents = int(100 * uniform())
        d = 1 + int(28 * uniform()); m = 1 + int(12 * uniform()); h = int(24 * uniform()); n = int(60 * uniform())
        ill = substr("fluflucolhiv", 1 + 3 * int(4 * uniform()), 3)
        kg = int(weight / 10); g = weight % 10
        printf "%d.%d;%d.%02d;2023-%02d-%02dT%02d:%02d;%s\n", kg, g, income, cents, m, d, h, n, ill > "plain"
        printf "%d,%d;%s,%02d;%02d.%02d.2023 %02d:%02d;%s\n", kg, g, grouped(income, "."), cents, d, m, h, n, ill > "german"
        printf "%d,%d;%s,%02d;%02d/%02d/2023 %02d:%02d;%s\n", kg, g, grouped(income, "\xE2\x80\xAF"), cents, d, m, h, n, ill > "french"
        printf "%d.%d;%s.%02d;%d.%d.2023 %02d:%02d:00;%s\n", kg, g, grouped(income, "\x27"), cents, d, m, h, n, ill > "swiss"
        printf "%d.%d;\"%s.%02d\";%02d/%02d/2023 %d:%02d %s;%s\n", kg, g, grouped(income, ","), cents, m, d,
            h % 12 == 0 ? 12 : h % 12, n, h < 12 ? "AM" : "PM", ill > "american"
    }
}'
for table in plain german french swiss american; do
    { echo "weight;income;visit;ill"; cat $table; } >$table.csv
done
tables="german french swiss american"
base=(--qi weight,income,visit --sensitive ill -k 5 --keep-order --quiet)

# One spelling of numbers and ranges, for comparing: points, [lo,hi), no thousands.
plainly() { # TABLE FILE
    case $1 in german | french) ;; *) cat "$2"; return ;; esac
    sed 's/\([0-9]\),\([0-9]\)/\1.\2/g; s/\[\(-\{0,1\}[0-9.]*\)-\(-\{0,1\}[0-9.]*\)\([])]\)/[\1,\2\3/g' "$2"
}

levels=(--hierarchy 'weight=intervals(2.5,10,50)' --hierarchy 'income=cuts(2000,3500.5,6000)'
    --hierarchy 'visit=dates(hour,day,month,quarter,year)')
expect 0 out '' anonymize plain.csv "${base[@]}" "${levels[@]}" --method mingen --suppress 10% -o plain_levels.csv
expect 0 out '' anonymize plain.csv "${base[@]}" --method microaggregate -o plain_micro.csv
expect 0 out '' anonymize plain.csv "${base[@]}" --method mondrian -o plain_mondrian.csv
for table in $tables; do
    expect 0 out '' anonymize $table.csv "${base[@]}" "${levels[@]}" --method mingen --suppress 10% -o r.csv
    plainly $table r.csv >r_plain.csv
    truth "$table: intervals, cuts and dates are those of the plain table" cmp -s r_plain.csv plain_levels.csv
    expect 0 out '' anonymize $table.csv "${base[@]}" --method microaggregate -o micro.csv
    plainly $table micro.csv | cut -d';' -f1,2 >means
    sed 's/"//g' means >means_plain
    cut -d';' -f1,2 plain_micro.csv >means_expected
    truth "$table: means are those of the plain table" cmp -s means_plain means_expected
    expect 0 out '' anonymize $table.csv "${base[@]}" --method mondrian -o mondrian.csv
    plainly $table mondrian.csv | cut -d';' -f1,2 | sed 's/"//g' >ranges
    cut -d';' -f1,2 plain_mondrian.csv | sed 's/"//g' >ranges_expected
    truth "$table: ranges are those of the plain table" cmp -s ranges ranges_expected
    expect 0 out '' anonymize $table.csv "${base[@]}" --method k-member -o members.csv
    for release in mondrian members; do
        expect 0 out 'persons +120, 0 of them match a single row' attack $release.csv $table.csv --qi weight,income,visit
        truth "$table, $release: everybody is found" test "$(grep -c unmatched out)" = 0
        expect 0 out '0 suppressed' utility $table.csv $release.csv --qi weight,income,visit
    done
    expect 0 out 'persons +120, 0 of them match a single row' attack r.csv $table.csv --qi weight,income,visit
done
truth "German ranges have decimal commas" grep -Eq '^\[[0-9]+-[0-9]+\);' <(
    "$MINGLE" anonymize german.csv "${base[@]}" "${levels[@]}" --method mingen --suppress 10% -o - 2>/dev/null)

# A release is verified and can be checked, applied and counted as it was read.
expect 0 out '' anonymize german.csv "${base[@]}" "${levels[@]}" --decimal , --t-closeness ill=0.9 \
    --result result.json --save-recoding german.rec -o again.csv
expect 0 out '' check again.csv --against result.json
expect 0 out '"counted": true' apply german.rec german.csv -o applied.csv --json --keep-order
truth "apply gives the release again" cmp -s again.csv applied.csv
expect 0 out '' count german.csv --qi weight,income,visit --sensitive ill --decimal , --trim -o de.part
expect 0 out '' count plain.csv --qi weight,income,visit --sensitive ill -o plain.part
expect 3 err 'read in another way' anonymize de.part plain.part "${levels[@]}" -k 5 --save-recoding x.rec

# ---- Signs that are not clear ----------------------------------------------------------------------
{ echo "x,y"; for i in $(seq 1 40); do echo "$((i % 9 + 1)).$((100 + i)),a"; done; } >points.csv
expect 0 out 'column x: its points could set thousands apart' anonymize points.csv --qi x --rest insensitive \
    --method mondrian -k 5 --allow-leaks -o r.csv
truth "points are decimal ones" grep -q '^"\[' r.csv
expect 0 out '' anonymize points.csv --qi x --rest insensitive --method mondrian -k 5 --allow-leaks --decimal , \
    -o r.csv --quiet
truth "with --decimal , they are thousands" grep -Eq '^[0-9]{4}-[0-9]{4},' r.csv
{ echo "x;y"; for i in $(seq 1 40); do echo "$((i % 9 + 1)),$((100 + i));a"; done; } >commas.csv
expect 0 out 'column x: its commas could be decimal ones' anonymize commas.csv --qi x --rest insensitive \
    --hierarchy x=suppress --suppress 100% -k 5 --allow-leaks -o r.csv
expect 0 out '' anonymize commas.csv --qi x --rest insensitive --method mondrian -k 5 --allow-leaks --decimal . \
    -o r.csv --quiet
truth "with --decimal . they are thousands" grep -Eq '^[0-9]{4}-[0-9]{4};' r.csv
expect 2 err "'x' is no decimal sign; give" anonymize commas.csv --qi x --decimal x -o r.csv
expect 2 err "is no two-digit year" anonymize commas.csv --qi x --century 1930 -o r.csv

# ---- Years of two digits ---------------------------------------------------------------------------
{ echo "birth;ill"; for i in $(seq 10 49); do echo "13.0$((i % 9 + 1)).$i;flu"; done; } >short.csv
expect 2 err '^mingle: short.csv:[0-9]+: .*has two digits.*--century' anonymize short.csv --qi birth --sensitive ill \
    --hierarchy 'birth=dates(year,10y)' -k 5 -o r.csv
expect 0 out '' anonymize short.csv --qi birth --sensitive ill --hierarchy 'birth=dates(year,10y)' -k 5 --century 29 \
    -o r.csv --quiet
truth "up to 29 they are of this century" test "$(tail -n +2 r.csv | cut -c1-4 | sort | uniq -c | tr -s ' \n' ' ')" = " 10 1930 10 1940 10 2010 10 2020 "

# ---- A slip among dates and numbers ------------------------------------------------------------------
{ echo "birth,age,ill"; for i in $(seq 1 60); do echo "19$((30 + i))-0$((i % 9 + 1))-1$((i % 9)),$((20 + i)),flu"; done; } >slip.csv
sed -i '38s/.*/1968-02-31,n. n.,flu/' slip.csv
expect 2 err "^mingle: slip.csv:38: column 'birth', dates\(year\): '9999-99-99' is a day that does not exist.*--missing" \
    anonymize slip.csv --qi birth --rest drop --hierarchy 'birth=dates(year)' -k 5 -o r.csv
expect 2 err "'1968-02-31' is a day" anonymize slip.csv --qi birth --rest drop --hierarchy 'birth=dates(year)' -k 5 -o r.csv --verbose
expect 2 err "^mingle: slip.csv:38: column 'age', intervals\(5\): the value 'a. a.' is no number" \
    anonymize slip.csv --qi age --rest drop --hierarchy 'age=intervals(5)' -k 5 -o r.csv
expect 0 out 'slip.csv:38: column birth holds a value that is no date' anonymize slip.csv --qi birth,age --rest drop \
    --method mondrian -k 5 -o r.csv
truth "a value that is no number is warned of with its line" grep -q 'slip.csv:38: column age holds a value that is no number' out
expect 0 out '' anonymize slip.csv --qi birth,age --rest drop --method mondrian -k 5 --missing ',NA,1968-02-31,n. n.' -o r.csv
truth "values declared as missing are not warned of" test "$(grep -c 'holds a value' out)" = 0
truth "columns with declared missing values become ranges" grep -Eq '^"\[19[0-9-]+,19[0-9-]+\]",[0-9]+-[0-9]+' r.csv
{ echo "day,ill"; for i in $(seq 1 40); do echo "0$((i % 9 + 1))/1$((i % 3))/2020,flu"; done; } >order.csv
expect 0 out 'column day holds dates whose day and month can be read both ways' anonymize order.csv --qi day --rest drop \
    --method mondrian -k 5 --suppress 100% -o r.csv

# ---- Blanks and letter case ----------------------------------------------------------------------------
{ echo "sex,town,ill"; for i in $(seq 1 10); do printf 'F,Paris,flu\n f,PARIS,Flu \nf ,paris,FLU\nF,Paris,cold\nF,Paris,flu\n'; done; } >case.csv
spelled=(case.csv --qi sex,town --sensitive ill --hierarchy sex=suppress --hierarchy town=suppress --keep-order)
expect 1 err '' anonymize "${spelled[@]}" -k 20 --l-diversity ill=2 --trim --fold-case --level town=0..0 --level sex=0..0 \
    --p-sensitive 3 -o r.csv
expect 0 out 'l=2 holds \(measured 2\)' anonymize "${spelled[@]}" -k 20 --l-diversity ill=2 --trim --fold-case -o r.csv
truth "the most frequent spelling is released" test "$(sort -u r.csv | tr '\n' ' ')" = "F,Paris,cold F,Paris,flu sex,town,ill "
expect 0 out '' check r.csv --qi sex,town --sensitive ill -k 40 --l-diversity ill=2
expect 0 out '' anonymize "${spelled[@]}" -k 5 --trim -o r.csv --quiet
truth "--trim alone cuts blanks" test "$(grep -c ' ' r.csv)" = 0
truth "--trim alone leaves the case" test "$(cut -d, -f3 r.csv | sort -u | tr '\n' ' ')" = "FLU Flu cold flu ill "
expect 0 out '' anonymize case.csv --qi sex --insensitive town --rest drop --hierarchy sex=suppress -k 5 --trim \
    --fold-case --allow-leaks --keep-order -o r.csv --quiet
truth "insensitive columns stay as they are" test "$(cut -d, -f2 r.csv)" = "$(cut -d, -f2 case.csv)"
sed 's/Paris/pARIS/' case.csv >other.csv
expect 0 out 'persons +50, 0 of them match a single row' attack r.csv other.csv --qi sex --trim --fold-case
expect 0 out '' anonymize "${spelled[@]}" -k 5 --trim --fold-case --save-recoding case.rec -o first.csv --quiet
expect 0 out '' apply case.rec other.csv -o second.csv --keep-order
truth "a recoding knows its values in any spelling" cmp -s <(cut -d, -f1,2 first.csv) <(cut -d, -f1,2 second.csv)
printf 'town,ill\nSTRASSE,flu\nStraße,flu\nÉcole,cold\nécole,cold\n' >folded.csv
expect 0 out '' anonymize folded.csv --qi town --sensitive ill --hierarchy town=suppress -k 2 --fold-case -o r.csv --quiet
truth "letters beyond ASCII are folded" test "$(tail -n +2 r.csv | cut -d, -f1 | sort | uniq -c | tr -s ' \n' ' ')" = " 2 STRASSE 2 École "
if command -v sqlite3 >/dev/null; then
    printf '.mode csv\n.import case.csv t\n' | sqlite3 case.db
    expect 2 err '^mingle: --trim: the database would tell values apart' anonymize 'sqlite:case.db?table=t' --qi sex,town \
        --sensitive ill -k 5 --trim -o 'sqlite:case.db?table=r'
    expect 0 out '' anonymize 'sqlite:case.db?table=t' --qi sex,town --sensitive ill --hierarchy sex=suppress \
        --hierarchy town=suppress -k 5 --trim --fold-case -o r.csv --quiet
    truth "a table that is fetched is read alike" test "$(sort -u r.csv | tr '\n' ' ')" = "F,Paris,cold F,Paris,flu sex,town,ill "
fi

# ---- R's row names ------------------------------------------------------------------------------------------
{ echo '"","age","ill"'; for i in $(seq 1 40); do echo "\"$i\",$((20 + i % 4)),\"flu\""; done; } >r.csv
{ echo '"age" "ill"'; for i in $(seq 1 40); do echo "\"$i\" $((20 + i % 4)) \"flu\""; done; } >short.txt
for table in r.csv short.txt; do
    expect 0 out '^row.names ' risk $table --advise
    expect 1 err 'row.names' anonymize $table --qi age --sensitive ill --insensitive row.names -k 5 -o out.csv
    expect 0 out '' anonymize $table --qi age --sensitive ill --identifier row.names -k 5 -o out.csv --quiet
    truth "$table: the row names are gone" test "$(head -1 out.csv | tr -d '"' | tr ' ' ,)" = age,ill
done

# ---- Encodings ---------------------------------------------------------------------------------------------
for encoding in ISO-8859-1 WINDOWS-1252 UTF-16; do
    sed 's/flu/grippé/' german.csv | iconv -f UTF-8 -t $encoding >encoded.csv
    expect 0 out '' anonymize encoded.csv "${base[@]}" "${levels[@]}" --method mingen --suppress 10% --encoding $encoding -o r.csv
    plainly german r.csv | sed 's/grippé/flu/' >r_plain.csv
    truth "$encoding: the release is that of the plain table" cmp -s r_plain.csv plain_levels.csv
done
{ printf '\xEF\xBB\xBF'; cat german.csv; } >mark.csv
expect 0 out '' anonymize mark.csv "${base[@]}" "${levels[@]}" --method mingen --suppress 10% -o r.csv
finish
