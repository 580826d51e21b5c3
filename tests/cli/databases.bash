# shellcheck shell=bash disable=SC2034 # what it sets is for those who source it
# Helpers of the tests with databases; source it after support.bash.

# The table that all engines get: a small one with missing cells, and texts that want quoting.
make_people() {
    drawn 'BEGIN { seed(7); print "id,zip,age,sex,born,job,disease"
        jobs[0] = "nurse"; jobs[1] = "\"cook, chef\""; jobs[2] = "\"the \"\"boss\"\"\""
        jobs[3] = "na\xc3\xafve\\"; jobs[4] = ""
        for (i = 0; i < 300; i++)
            printf "P%d,0%d,%d,%s,19%d-02-01,%s,d%d\n", i, 2130 + int(uniform() * 8),
                20 + int(uniform() * 40), uniform() < 0.5 ? "f" : uniform() < 0.1 ? "" : "m",
                50 + int(uniform() * 50),
                jobs[int(uniform() * 5)], int(uniform() * 4) }' >people.csv
}
columns='id text, zip text, age integer, sex text, born date, job text, disease text'
people=(--qi zip,age,sex --sensitive disease --identifier id --insensitive born,job
    --hierarchy 'zip=mask(right)' --hierarchy 'age=intervals(5,10,20)' -k 4 --l-diversity disease=2
    --suppress 10% --quiet)

# agree NAME A.json B.json: the same classes and figures.
agree() {
    truth "$1" python3 - "$2" "$3" <<'END'
import json, sys
a, b = (json.load(open(name)) for name in sys.argv[1:])
keys = ["rows", "released_rows", "suppressed_rows", "classes", "utility", "models", "risk", "node",
        "levels", "heights", "suppressed_cells", "bound"]
for key in keys:
    if a[key] != b[key]:
        sys.exit("%s differs: %s, %s" % (key, a[key], b[key]))
END
}

# The rows of a CSV file without its header and line ends, sorted; empty cells are plain.
rows_of() {
    python3 -c '
import csv, sys
print("\n".join(sorted(repr(row) for row in list(csv.reader(open(sys.argv[1], newline="")))[1:])))' "$1"
}

# lite FILE STATEMENT...: SQLite, without its program; rows are printed as CSV.
lite() {
    python3 - "$@" <<'END'
import csv, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
for statement in sys.argv[2:]:
    cursor = db.execute(statement)
    if cursor.description:
        out = csv.writer(sys.stdout, lineterminator="\n")
        out.writerow(c[0] for c in cursor.description)
        out.writerows(cursor)
db.commit()
END
}

# lite_import FILE TABLE CSV: a table with the columns above; empty cells are NULL.
lite_import() {
    python3 - "$1" "$2" "$3" "$columns" <<'END'
import csv, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
rows = list(csv.reader(open(sys.argv[3], newline="", encoding="utf-8")))
quoted = '"' + sys.argv[2].replace('"', '""') + '"'
db.execute("CREATE TABLE %s (%s)" % (quoted, sys.argv[4]))
db.executemany("INSERT INTO %s VALUES (%s)" % (quoted, ",".join("?" * len(rows[0]))),
               [[cell or None for cell in row] for row in rows[1:]])
db.commit()
END
}

# na_is_a_value TABLE RELEASE: of a table (q, s) with the rows below; RELEASE may not be there yet.
# NA is a value unless it is named missing, wherever the release goes and whoever reads it.
na_rows="('NA', '1'), ('NA', '2'), ('NA', 'NA'), ('NA', 'NA'), (NULL, '1'), (NULL, '2'), ('', 'NA'),
    ('', 'NA'), ('x', 'NA'), ('x', '1'), ('x', 'NA'), ('x', '1')"
na_is_a_value() {
    local job=(--qi q --sensitive s -k 4 --method mingen --quiet)
    expect 0 out '' anonymize "$1" "${job[@]}" -o na.csv --result na.json --save-recoding na.recoding --save-job na.yaml
    truth "NA is a value where the table is a database's" \
        test "$(sort na.csv | uniq -c | tr -s ' \n' ' ')" = ' 1 ,1 1 ,2 2 ,NA 1 NA,1 1 NA,2 2 NA,NA 1 q,s 2 x,1 2 x,NA '
    expect 0 out '^result +agrees' check na.csv --against na.json
    expect 0 out '' anonymize na.yaml --quiet -o again.csv
    truth "the saved job says what is missing" cmp <(sort na.csv) <(sort again.csv)
    expect 0 out '' anonymize "$1" "${job[@]}" -o "$2" --result na2.json
    expect 0 out '^result +agrees' check "$2" --against na2.json
    expect 0 out '3 of 4 to 4 rows' check "$2" --qi q -k 4
    expect 0 out '2 of 4 to 8 rows' check "$2" --qi q -k 4 --missing ,NA
    expect 0 out '' anonymize "$1" "${job[@]}" --missing ,NA -o named.csv
    truth "named missing, it is" test "$(grep -c '^,' named.csv)" = 8
    expect 0 out '' apply na.recoding "$1" -o applied.csv --quiet
    truth "a recoding knows NA as a value" cmp <(sort na.csv) <(sort applied.csv)
    expect 0 out '' anonymize "$1" --qi q --sensitive s -k 2 --method mingen --quiet --where "s = 'NA'" -o where.csv
    truth "NA can be asked for" test "$(grep -c 'NA$' where.csv)" = 6
}
