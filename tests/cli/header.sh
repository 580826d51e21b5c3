#!/bin/bash
# shellcheck disable=SC2054 # the commas are in lists of columns
# A table without a header: the first line is judged by the lines below it, a doubtful one is asked
# about, and no message quotes it.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

# Persons of which none is in a message or in a header: 40 rows without a header.
people() {
    local i sex=(M F) towns=(02140 02141 02142 02143) ills=(Asthma Flu Ulcer)
    local given=(Bob Ann Carl Dora Emil) family=(Jones Lee Ray May Osgood Quist Tarn)
    for ((i = 0; i < 40; i++)); do
        printf '%s %s,%d-%02d-%02d,%s,%s,%s\n' "${given[i % 5]}" "${family[i % 7]}" \
            $((1940 + i)) $((i % 12 + 1)) $((i % 28 + 1)) "${sex[i % 2]}" "${towns[i % 4]}" \
            "${ills[i % 3]}"
    done
}
people >people.csv
{ echo 'name,birth,sex,zip,disease' && people; } >headed.csv

# --- a record is read as one, in every command and however the table is packed
expect 0 out 'without a header' look people.csv
expect 0 out 'looks like a record' look people.csv
expect 0 out '^rows +40$' look people.csv
expect 0 out 'looks like a record' risk --advise people.csv
truth 'no column is called after a person' bash -c '! grep -q "Jones" out'
gzip -k people.csv
expect 0 out 'without a header' look people.csv.gz
tr ',' '\t' <people.csv >people.tsv
expect 0 out 'without a header' look people.tsv
"$MINGLE" look - <people.csv >out 2>err
check_result 'standard input' 0 $? out 'without a header'
"$MINGLE" look people.csv --json >look.json
truth 'the warning has a code' grep -q '"code": *"no-header"' look.json

expect 0 out '' anonymize people.csv --qi column2,column3,column4 --sensitive column5 \
    --identifier column1 -k 4 -o released.csv --result result.json --save-job job.yaml
truth 'the result has the warning' grep -q '"no-header"' result.json
truth 'the job states it' grep -q '^header: *.*no' job.yaml
truth 'a release has all records' test "$(wc -l <released.csv)" = 40
truth 'and no header' bash -c '! head -1 released.csv | grep -q column'
expect 0 out 'agrees' check released.csv --against result.json
expect 0 out '' check released.csv --qi column1,column2,column3 -k 4 --header no
expect 0 out '' anonymize job.yaml --data people.csv -o again.csv
cp people.csv third.csv
expect 0 out '' attack released.csv --qi column1,column2,column3 --external third.csv

# --- what the job states or names settles it
expect 0 out '^rows +39$' look people.csv --header yes
expect 0 out '^rows +40$' look people.csv --header no
expect 0 out '^rows +40$' look people.csv --no-header
expect 0 out '^rows +41$' look headed.csv --header no
truth 'what is stated gets no warning' bash -c '! grep -q "looks like" out'
expect 2 err 'contradicts' look people.csv --header yes --no-header
expect 0 out '' look people.csv --header no --no-header
expect 2 err "header" look people.csv --header maybe
expect 0 out '^rows +40$' look headed.csv
truth 'a header gets no word' bash -c '! grep -q "looks like" out'
printf 'header: no\ndata: people.csv\n' >reading.yaml
expect 0 out '' look reading.yaml
printf 'header: yes\nno-header: true\ndata: people.csv\n' >both.yaml
expect 2 err 'contradicts' look both.yaml

# --- doubt is asked about, and the line is not quoted
printf 'Miller\nSmith\nJones\nRussell\nGarland\nTanner\nHarper\nBowles\n' >doubt.csv
for command in look risk; do
    expect 2 err '--header yes.*--header no' $command doubt.csv
    truth "$command does not quote it" bash -c '! grep -q Miller err'
done
expect 2 err '--header yes' anonymize doubt.csv --rest insensitive -o no.csv
truth 'no release is written' test ! -e no.csv
expect 0 out '^rows +8$' look doubt.csv --header no
expect 0 out '^rows +7$' look doubt.csv --header yes
expect 0 out '' risk doubt.csv --qi Miller
expect 0 out '' risk doubt.csv --qi column1
truth 'names of columns without a header settle it' grep -q 'looks like a record' out

printf 'Ann,Derby,Asthma\nBob,Leeds,Flu\nCarl,Bath,Gout\n' >few_words.csv
expect 2 err '--header yes' look few_words.csv
truth 'nor few records of words alone' bash -c '! grep -q Derby err'

# --- tables with a header stay as they are
headed() { # headed NAME COLUMNS LINE...
    local name=$1 columns=$2
    shift 2
    printf '%s\n' "$@" >"$name.csv"
    expect 0 out "^columns +$columns:" look "$name.csv"
    truth "$name: no word" bash -c '! grep -q "looks like" out'
}
headed one_row a 'a,b' '1,2'
headed two_rows sex 'sex,job' 'f,clerk' 'm,smith'
headed years country 'country,2001,2002,2003' 'FR,5,6,7' 'DE,1,9,2' 'IT,3,3,1'
headed numbered 0 '0,1,2' '5,M,x' '7,F,y' '5,F,x' '4,M,z'
headed variables V1 'V1,V2,V3' 'a,1,x' 'b,2,y' 'a,3,x'
headed words Colour 'Colour,Shape' 'red,round' 'blue,square' 'red,square' 'green,round'
headed value yes 'yes,age' 'no,30' 'yes,40' 'no,50' 'no,20' 'yes,30' 'no,10' 'no,61'
headed one_column name 'name' 'Ann Miller' 'Bob Ray' 'Carl May'
headed korean 성별 '성별,취미,고향' '남,등산,서울' '여,독서,부산' '여,등산,부산' '남,독서,서울' '여,등산,서울' \
    '남,등산,부산' '여,독서,서울' '남,독서,부산'
headed days id 'id,2020-01-01,2020-01-02' '1,5,6' '2,7,8' '3,9,1' '4,4,4'
headed trailing a 'a,b,' '1,2,' '3,4,'

# --- slices of a table are read alike
head -20 people.csv >one.csv
tail -20 people.csv >two.csv
head -1 people.csv >single.csv
for slice in one two single; do
    expect 0 out '' count $slice.csv --qi column2,column3 --sensitive column5 -o $slice.part
done
expect 0 out '^rows +41 ' risk one.part --parts two.part,single.part --qi column2,column3

# --- messages do not quote a header that looks like data, unless they may
expect 2 err 'no column "agee"' risk people.csv --header yes --qi agee
truth 'nor its record' bash -c '! grep -Eq "Jones|1940|02140|Asthma" err'
expect 2 err 'Bob Jones' risk people.csv --header yes --qi agee --verbose
printf 'Bob Jones,1940-06-27,Bob Jones\nAnn Lee,1941-01-02,Carl Ray\n' >twice.csv
expect 3 err 'both called' look twice.csv --header yes
truth 'nor a name that is there twice' bash -c '! grep -q Jones err'
expect 2 err 'name, birth, sex' risk headed.csv --qi agee

# --- cells are cut between characters
{ echo n,note; for i in 1 2 3; do echo "$i,aभरतनाट्यमनृत्यसमारोहउत्सव"; done; } >long.csv
expect 0 out 'first rows' look long.csv
truth 'long cells stay UTF-8' iconv -f UTF-8 -t UTF-8 out
finish
