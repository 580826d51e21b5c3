#!/bin/bash
# shellcheck disable=SC2054 # the commas are in lists of columns
# Excel workbooks: the same job gives the figures of the CSV file, cells come through unchanged and
# are what another program reads, sheets, limits, and what a release gives away about its making.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
pass=(--qi sex --rest insensitive -k 1 --keep-order --allow-leaks --quiet)

"$MAKE_PATIENTS" patients.csv 500
"$MINGLE" anonymize patients.csv "${pass[@]}" -o patients.xlsx 2>err
if grep -q 'built without the libraries\|needs the library' err; then
    ok "workbooks # SKIP $(cat err)"
    finish
fi
truth "a table becomes a workbook" test -s patients.xlsx

# ---- There and back ------------------------------------------------------------------------------
expect 0 out '' anonymize patients.xlsx "${pass[@]}" -o back.csv
truth "a workbook keeps every cell" diff patients.csv back.csv
expect 0 out '' anonymize patients.xlsx "${pass[@]}" -o again.xlsx
truth "equal releases are equal bytes" cmp patients.xlsx again.xlsx
expect 0 out '' anonymize patients.csv "${pass[@]}" --threads 2 -o threads.xlsx
truth "whatever the number of threads" cmp patients.xlsx threads.xlsx
expect 0 out '' anonymize patients.csv "${pass[@]}" -o - --dry-run
mkfifo pipe
cat pipe >piped.xlsx &
expect 0 out '' anonymize patients.csv "${pass[@]}" -o pipe
wait
truth "a pipe without an ending gets text" diff patients.csv piped.xlsx

job=(--qi birth,sex,race,zip,marital --sensitive diagnosis --identifier name,ssn --rest insensitive
    --hierarchy 'birth=dates(year,10y)' --hierarchy 'zip=mask(right)' --allow-leaks
    -k 3 --p-sensitive 2 --method mingen --suppress 10%)
for data in patients.csv patients.xlsx; do
    expect 0 out '"command": "anonymize"' anonymize $data "${job[@]}" --json -o "release-$data.xlsx"
    python3 -c '
import json, sys
r = json.load(open("out"))
print({k: r[k] for k in ["rows", "suppressed_rows", "classes", "node", "models", "utility", "risk"]})
' >"figures-$data"
    expect 0 out 'k-anonymity k=3 holds' check "release-$data.xlsx" -k 3 \
        --qi birth,sex,race,zip,marital
done
truth "the figures of the CSV file" diff figures-patients.csv figures-patients.xlsx
expect 0 out 'warning +column charge is written as text' anonymize patients.xlsx --qi charge \
    --rest drop --hierarchy 'charge=intervals(50000)' -k 20 --suppress 100% --suppressed drop \
    -o charge.xlsx

# ---- Sheets --------------------------------------------------------------------------------------
expect 0 out '' anonymize patients.csv "${pass[@]}" -o 'book.xlsx#My data'
expect 0 out '^rows +500' check 'book.xlsx#my data' --qi sex
expect 3 err "^mingle: book.xlsx: there is no sheet 'Other'.*: My data" check 'book.xlsx#Other' --qi sex
expect 0 out '' anonymize patients.csv "${pass[@]}" -o 'book.xlsx#My data'
expect 2 err "^mingle: book.xlsx: the workbook is there already and has another sheet, 'My data'" \
    anonymize patients.csv "${pass[@]}" -o 'book.xlsx#Release'
expect 2 err 'takes no sheet of this name' anonymize patients.csv "${pass[@]}" -o 'new.xlsx#a:b'
truth "sheets with forbidden names are not written" test ! -e new.xlsx -a ! -e 'new.xlsx#a:b'
cp patients.csv 'data#1.csv'
expect 0 out '^rows +500' check 'data#1.csv' --qi sex
expect 0 out '' anonymize 'data#1.csv' "${pass[@]}" -o 'copy#2.csv'
truth "a # in the name of a text file is a part of it" diff patients.csv 'copy#2.csv'
cat >job.yaml <<'END'
data: "book.xlsx#My data"
attributes: {sex: {role: quasi}}
rest: insensitive
privacy: [{k-anonymity: 1}]
END
mkdir -p elsewhere
(cd elsewhere && "$MINGLE" anonymize ../job.yaml --allow-leaks --result result.json --quiet -o "out.xlsx#S" 2>../err)
truth "a job file names a sheet of a workbook beside it" test -s elsewhere/out.xlsx
truth "the result has the hash of the workbook" python3 - <<END
import hashlib, json
audit = json.load(open("elsewhere/result.json"))["audit"]
assert audit["input"]["sha256"] == hashlib.sha256(open("book.xlsx", "rb").read()).hexdigest()
assert audit["release"]["sha256"] == hashlib.sha256(open("elsewhere/out.xlsx", "rb").read()).hexdigest()
END
expect 0 out 'hash|agree|same' check 'elsewhere/out.xlsx#S' --against elsewhere/result.json

# ---- What cannot be read or written ----------------------------------------------------------------
head -c 3000 patients.xlsx >cut.xlsx
expect 3 err '^mingle: cut.xlsx: the file is damaged' check cut.xlsx --qi sex
expect 3 err '^mingle: none.xlsx: cannot open' check none.xlsx --qi sex
cp patients.xlsx patients.csv2
expect 3 err 'an Excel workbook is read if its name ends in' check patients.csv2 --qi sex
expect 3 err 'an Excel workbook is read if its name ends in' check - --qi sex <patients.xlsx
printf '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 old' >old.xls
cp old.xls protected.xlsx
expect 3 err '^mingle: old.xls: this is an old or a protected spreadsheet' check old.xls --qi sex
printf '[{"sex":"f"},\n {"sex":"m"}]\n' >rows.json
expect 3 err 'rows.json: this is JSON; put one object on each line, and let the name of the file end in .jsonl' \
    check rows.json --qi sex
expect 3 err '^mingle: protected.xlsx: this workbook is protected' check protected.xlsx --qi sex
expect 2 err 'a release is not written as .xlsm' anonymize patients.csv "${pass[@]}" -o a.xlsm
awk 'BEGIN { print "sex,n"; for (i = 0; i < 1048576; i++) print "F," i % 7 }' >long.csv
MINGLE=$MINGLE_RELEASE expect 3 err '^mingle: long.xlsx: the release has 1048576 rows, and xlsx' \
    anonymize long.csv "${pass[@]}" -o long.xlsx
truth "a release too long for a sheet is not left behind" test ! -e long.xlsx
expect 2 err 'book.xlsx' anonymize 'book.xlsx#My data' "${pass[@]}" -o 'book.xlsx#My data'
printf 'a,b\n1,2\n,\n1,3\n' >empty.csv
expect 0 out '' anonymize empty.csv --qi a --rest insensitive -k 1 --keep-order --allow-leaks \
    --quiet -o empty.xlsx
expect 0 out '^rows +3' check empty.xlsx --qi a
expect 3 err 'row 2 of the release has no values at all' anonymize empty.csv --qi a \
    --rest insensitive -k 1 --keep-order --allow-leaks --missing '' -o empty2.xlsx
printf '1,x\n1,y\n' >bare.csv
expect 0 out '' anonymize bare.csv --no-header --qi column1 --rest insensitive -k 2 --allow-leaks \
    --quiet -o bare.xlsx
expect 0 out '^rows +2' check bare.xlsx --qi column1

# ---- What a recipient learns about the making ------------------------------------------------------
python3 - patients.xlsx >made <<'END'
import re, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
print(sorted({info.date_time[:3] for info in archive.infolist()}))
core = archive.read("docProps/core.xml").decode()
print("<dc:creator></dc:creator>" in core, re.findall(r">([^<\s]+)<", core))
print([n for n in archive.namelist() if "sheet" in n])
END
truth "no author, no time, no other sheet" diff made - <<'END'
[(1980, 1, 1)]
True ['1980-01-01T00:00:00Z', '1980-01-01T00:00:00Z']
['xl/worksheets/sheet1.xml']
END

# ---- Another program ---------------------------------------------------------------------------
python=
for candidate in python3 /usr/bin/python3; do
    [ -n "$python" ] || ! "$candidate" -c 'import openpyxl' 2>err || python=$candidate
done
if [ -z "$python" ]; then
    ok "another program reads the same cells # SKIP openpyxl is not installed"
    finish
fi
"$python" - <<'END'
import datetime as d, openpyxl
book = openpyxl.Workbook()
sheet = book.active
sheet.title = "Persons"
sheet.append(["zip", "code", "day", "moment", "time", "flag", "amount", "mixed", "note", "sex"])
for i in range(12):
    sheet.append([
        "0%d138" % i if i % 2 else "12345", i * 7 if i % 3 else None, d.date(1900 + 9 * i, 1 + i, 28),
        d.datetime(2024, 1, 1 + i, 13, 45, 7), d.time(i, 30), i % 2 == 0, i / 8 - 0.5,
        i if i % 2 else "A%d" % i, "=x" if i == 3 else "@sum \u00e9 <&> \n two" if i == 5 else " n ",
        "FM"[i % 2]])
sheet["I5"].data_type = "s" # the text =x, no formula
sheet["G2"].number_format = "0 %"
book.create_sheet("Empty")
hidden = book.create_sheet("Lists")
hidden["A1"] = "a list"
hidden.sheet_state = "hidden"
book.save("persons.xlsx")
END
expect 0 out '' anonymize persons.xlsx "${pass[@]}" -o 'persons-out.xlsx#Persons'
"$python" - >compared <<'END'
import openpyxl
def cells(name):
    return [list(row) for row in openpyxl.load_workbook(name)["Persons"].iter_rows(values_only=True)]
before, after = cells("persons.xlsx"), cells("persons-out.xlsx")
print(len(before) == len(after))
for old, new in zip(before, after):
    for a, b in zip(old, new):
        if (type(a), a) != (type(b), b):
            print("%r became %r" % (a, b))
formulas = [c.data_type for r in openpyxl.load_workbook("persons-out.xlsx").active for c in r]
print("f" in formulas)
END
truth "another program reads the same cells, none of them a formula" diff compared - <<'END'
True
False
END

# A blank cell is one that is missing: text that is empty and does not mean missing has no cell.
printf 'age,ill\n1,flu\n1,\n1,NA\n' >empty.csv
empty=(--qi age --sensitive ill -k 3)
for token in NA - 'NA,-'; do
    expect 3 err 'column ill has empty cells that do not mean missing.*add the empty text to --missing' \
        anonymize empty.csv "${empty[@]}" --missing "$token" -o blank.xlsx
done
truth 'nothing is left of it' test ! -e blank.xlsx
expect 0 out '' anonymize empty.csv "${empty[@]}" --missing NA, -o blank.xlsx
expect 0 out '' anonymize persons.xlsx "${pass[@]}" -o persons.csv
truth "cells of a workbook are released as text" diff <(sed -n 3p persons.csv) <(
    echo '01138,7,1909-02-28,2024-01-02T13:45:07,01:30:00,FALSE,-0.375,1, n ,M')
finish
