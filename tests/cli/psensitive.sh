#!/bin/bash
# The example of (extended) p-sensitive k-anonymity, and refusals.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
qi=Age,Marital_Status,Race,Sex

# ---- The table --------------------------------------------------------------------------------
mkdir build
ln -s "$SOURCE/examples" "$SOURCE/tests" .
cp "$MINGLE" "$BUILD/make-adults" build/
build/make-adults adults.csv
truth "make-adults writes 400 rows" test "$(wc -l <adults.csv)" -eq 401
build/make-adults again.csv
truth "make-adults writes the same again" cmp -s adults.csv again.csv
got=0
build/make-adults 2>err || got=$?
truth "make-adults without a file is wrong use" test $got -eq 2
got=0
build/make-adults no/such/folder 2>err || got=$?
truth "make-adults without a folder fails" test $got -eq 4

# ---- The experiment ---------------------------------------------------------------------------
got=0
examples/psensitive/run build/mingle build/psensitive >table || got=$?
truth "the example of p-sensitivity runs" test $got -eq 0
grep sensitivity table | grep -e '^[35]-anonymity' >cells
truth "run prints eight lines of numbers" test "$(wc -l <cells)" -eq 8
for method in 1:samarati 3:k-member; do # where its first line is
    line=${method%:*} method=${method#*:}
    truth "$method, k-anonymity alone: broken rows with p = 2" \
        grep -Eq '^3-anon.* [1-9]' <(sed -n "${line}p" cells)
    truth "$method, k-anonymity alone: broken rows with p = 3" \
        grep -Eq '^5-anon.* [1-9]' <(sed -n "$((line + 1))p" cells)
    truth "$method, enforced: all zero with p = 2" \
        grep -Eq '^3-anonymity  2-sensitivity( +0){10}$' <(sed -n "$((line + 4))p" cells)
    truth "$method, enforced: all zero with p = 3, Pay left out" \
        grep -Eq '^5-anonymity  3-sensitivity( +-){2}( +0){8}$' <(sed -n "$((line + 5))p" cells)
done

# The same numbers by other means, and the confidential values as they were.
cat >count.py <<'PYTHON'
import collections, csv, sys

confidential = ["Pay", "Capital_Gain", "Capital_Loss", "Tax_Amount"]

def read(name):
    return list(csv.DictReader(open(name)))

def values(rows):
    return collections.Counter(tuple(row[c] for c in confidential) for row in rows)

def broken(groups, p, view):
    bad = [rows for rows in groups.values() if len({view(row) for row in rows}) < p]
    return [str(sum(map(len, bad))), str(len(bad))]

given = values(read("adults.csv"))
releases = [(job + kind + method, k, p) for kind in ["-k-only", ""] for method in ["", "-member"]
            for job, k, p in [("k3p2", 3, 2), ("k5p3", 5, 3)]]
for line, (name, k, p) in enumerate(releases):
    rows = read(f"build/psensitive/{name}.csv")
    groups = collections.defaultdict(list)
    for row in rows:
        groups[row["Age"], row["Marital_Status"], row["Race"], row["Sex"]].append(row)
    counts = []
    for column in confidential:
        skipped = column == "Pay" and p == 3
        counts += ["-", "-"] if skipped else broken(groups, p, lambda row: row[column])
    counts += broken(groups, p, lambda row: min(int(row["Tax_Amount"]), 700))
    printed = open("cells").readlines()[line].split()[2:]
    if counts != printed or values(rows) != given or min(map(len, groups.values())) < k:
        sys.exit(f"{name}: {counts}, printed {printed}")
PYTHON
truth "counted apart: the same, k holds, sensitive values untouched" python3 count.py

# What the page tells of the clusters.
value_of() { # value_of KEY
    sed -n 's/^ *"'"$1"'": \([-0-9.e+]*\),*$/\1/p' result.json | head -n 1
}
classes='| classes |' precision='| precision |'
for job in k3p2 k5p3; do
    for options in '--p-sensitive 1 --extended-p Tax_Amount=1' ''; do
        # shellcheck disable=SC2086 # several words
        "$MINGLE" anonymize build/psensitive/$job.yaml --method k-member $options --dry-run --json \
            >result.json
        classes="$classes $(value_of count) |"
        precision="$precision $(printf %.4f "$(value_of precision)") |"
    done
done
for line in "$classes" "$precision"; do
    truth "the page has: $line" grep -Fqx "$line" examples/psensitive/README.md
done

# ---- Which rows -------------------------------------------------------------------------------
seed=$SOURCE/tests/seeds/004_table1.csv
for class in 50-60:0 30-40:0 20-30:1; do
    (head -n 1 "$seed" && grep "^${class%:*}," "$seed") >class.csv
    expect "${class#*:}" out '^k +2,' check class.csv --qi Age,ZipCode,Gender \
        --sensitive Illness --p-sensitive 2
done

# ---- Refusals: exit code 1, figures, nothing written ------------------------------------------
cd build/psensitive || exit
expect 1 err 'condition 1 \(p <= k\) fails: p = 4, k = 3;' anonymize k3p2.yaml \
    --p-sensitive 4 -o refused.csv
expect 1 err 'condition 1 \(p <= k\) fails: p = 4, k = 3;' anonymize k3p2.yaml \
    --extended-p Tax_Amount=4 -o refused.csv
expect 1 err 'condition 2 .*p = 3, column "Pay" has 2 distinct values' anonymize k3p2.yaml \
    --p-sensitive 3 -o refused.csv
expect 1 err 'condition 2 .*p = 8, the hierarchy of column "Tax_Amount" has 7;' anonymize \
    k3p2.yaml -k 8 --extended-p Tax_Amount=8 -o refused.csv
(head -n 1 adults.csv && grep -E ',(100|700|800|900|1000)$' adults.csv) >few.csv
expect 1 err 'condition 2 .*p = 3, the data of column "Tax_Amount" lies in 2 of the 7 ' anonymize \
    k3p2.yaml --data few.csv --extended-p Tax_Amount=3 -o refused.csv
expect 1 err 'condition 2 .*"Tax_Amount" has 1;' anonymize k3p2.yaml \
    --protect 'Tax_Amount=*' -o refused.csv
expect 2 err '"enormous" is no value of its hierarchy' anonymize k3p2.yaml \
    --protect Tax_Amount=enormous -o refused.csv
truth "a refusal writes nothing" test ! -e refused.csv
# Without protected values each value is its own subtree; without k, k = p.
expect 0 out 'extended-p-sensitive Tax_Amount p=2 holds' check k3p2.csv --qi $qi \
    --sensitive Tax_Amount --extended-p Tax_Amount=2
# check measures what no table can have.
expect 1 out 'p-sensitive p=3 does not hold: 400 rows' check k3p2.csv --qi $qi \
    --sensitive Pay --p-sensitive 3
cd ../..

finish
