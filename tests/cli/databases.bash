# shellcheck shell=bash disable=SC2034 # what it sets is for those who source it
# Helpers of the tests with databases; source it after support.bash.

# The table that all engines get: a small one with missing cells, and texts that want quoting.
make_people() {
    awk 'BEGIN { srand(7); print "id,zip,age,sex,born,job,disease"
        jobs[0] = "nurse"; jobs[1] = "\"cook, chef\""; jobs[2] = "\"the \"\"boss\"\"\""
        jobs[3] = "na\xc3\xafve\\"; jobs[4] = ""
        for (i = 0; i < 300; i++)
            printf "P%d,0%d,%d,%s,19%d-02-01,%s,d%d\n", i, 2130 + int(rand() * 8),
                20 + int(rand() * 40), rand() < 0.5 ? "f" : rand() < 0.1 ? "" : "m",
                50 + int(rand() * 50),
                jobs[int(rand() * 5)], int(rand() * 4) }' >people.csv
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
