#!/bin/bash
# shellcheck disable=SC2154 # support.bash sets small
# Pages of results: from every command, from a saved result, and with hostile names and values.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

# page_is NAME PAGE [TEXT...]: the page is well-formed, harmless and accessible, and has the texts.
page_is() {
    local name=$1
    shift
    if found=$(python3 "$SOURCE/tests/cli/report_page.py" "$@" 2>&1); then ok "$name"; else
        not_ok "$name" "$found"
    fi
}

small_table
expect 0 out 'privacy' anonymize data.csv "${small[@]}" -k 2 --l-diversity disease=2 \
    --method mingen --curve 2,4 -o release.csv --report page.html --result result.json
page_is "the page of a release" page.html "Every promise holds" "What was lost" \
    "The lattice of levels" "Other choices of k" "Audit trail" "k-anonymity, k = 2"

# What goes out unchanged stands at the top, before any figure; so does what the holder says.
about=(--title 'Cases <b>of</b> 2026' --purpose 'A study of "flu" & cold'
    --recipient 'The university' --author 'J. Doe' --date 2026-05-31)
expect 0 out '^title +Cases <b>of</b> 2026$' anonymize data.csv --qi race,zip --sensitive disease \
    --rest drop -k 2 --method mingen -o about.csv "${about[@]}" --report about.html \
    --result about.json
page_is "the page with a title" about.html "Cases <b>of</b> 2026" 'A study of "flu" & cold' \
    "The university" "J. Doe" "2026-05-31" "What goes out unchanged" "was left out" \
    "Release report"
truth "unchanged columns before the figures" python3 - <<'END'
page = open("about.html").read()
at = [page.index(text) for text in ("2026-05-31", "What goes out unchanged", 'class="tiles"')]
assert at == sorted(at), at
assert "<b>of</b>" not in page
END
truth "the result keeps them, and calls no dropped column an identifier" python3 - <<'END'
import json
result = json.load(open("about.json"))
assert result["about"] == {"title": "Cases <b>of</b> 2026", "purpose": 'A study of "flu" & cold',
                           "recipient": "The university", "author": "J. Doe",
                           "date": "2026-05-31"}
assert result["unchanged"] == [{"column": "disease", "role": "sensitive"}]
roles = {c["column"]: (c["role"], c["released"]) for c in result["audit"]["columns"]}
assert roles["name"] == ("left out", False), roles
END
cat >with.yaml <<'END'
data: data.csv
attributes:
  name: {role: identifier}
  race: {role: quasi}
  zip: {role: quasi}
  disease: {role: sensitive}
privacy: [{k-anonymity: 2}]
method: mingen
output: about.csv
title: Cases of 2026
recipient: The university
END
expect 0 out '^title +Cases' anonymize with.yaml --report other.html
page_is "a job says it as well" other.html "The university" "it identifies persons"
expect 0 out '' report about.json -o renamed.html --title "Another name"
page_is "report can give another title" renamed.html "Another name" "The university"
expect 2 err 'is no day of the calendar' anonymize with.yaml --date 31.5.2026
expect 2 err 'is no day of the calendar' anonymize with.yaml --date 2026-02-30
expect 2 err 'in UTF-8' anonymize with.yaml --title "$(printf '\377')"

# A saved result gives the same page, and its summary.
expect 0 out '^written +again.html' report result.json -o again.html
truth "the same page from the saved result" cmp -s page.html again.html
expect 0 out '^privacy +k-anonymity k=2 holds' report result.json
expect 0 out '' report result.json -o again.html --quiet
truth "--quiet says nothing" test ! -s out
"$MINGLE" report result.json -o - >standard 2>err
truth "the page on standard output" cmp -s standard page.html
"$MINGLE" report - -o piped.html <result.json >out 2>err
truth "a result from standard input" cmp -s piped.html page.html

# Other commands.
expect 0 out '' check release.csv --qi race,zip --sensitive disease -k 2 --report check.html
page_is "the page of a check" check.html "Privacy check" "Every promise holds" "distinct l"
expect 1 out '' check data.csv --qi race,zip --sensitive disease -k 2 --report check.html
page_is "the page of a check that fails" check.html "A promise does not hold"
expect 0 out '' risk data.csv --qi race,zip --report risk.html
page_is "the page of risks" risk.html "What intruders can do" "journalist" "race" "zip"
expect 0 out '' risk data.csv --qi race,zip --suda --sampling-fraction 0.1 --single-out 1% \
    --report risk.html
page_is "the page of risks tells all of them" risk.html "Rows that stand out" \
    "Columns that tell persons apart" "in the population" "single out"
expect 0 out '' lattice data.csv "${small[@]}" -k 2 --report lattice.html
page_is "the page of a lattice" lattice.html "The lattice of levels"
expect 0 out '' compare data.csv "${small[@]}" -k 2 --curve 2,4 --report compare.html
page_is "the page of a comparison" compare.html "Comparison of methods" "datafly" "Other choices of k"
expect 0 out '' utility data.csv release.csv --qi race,zip --hierarchy 'zip=mask(right,2)' \
    --report utility.html
page_is "the page of a utility" utility.html "All measures"
cut -d, -f1-3 data.csv >voters.csv
expect 0 out '' attack data.csv voters.csv --qi race,zip --sensitive disease --identifier name \
    --report attack.html
page_is "the page of an attack" attack.html "What the attack found"
truth "the page of an attack names nobody" test -z "$(grep -E 'Ann|Hal' attack.html)"

# Names and values that would break a careless page.
python3 - <<'END'
import csv
long = "x" * 5000
columns = ["</script><script>alert(1)</script>", "a\"b'c&amp;d", "\u202eright\u202cleft \u05e9\u05dc",
           "tab\tand\x01\x7f", long]
with open("hostile.csv", "w", encoding="utf-8", newline="") as out:
    table = csv.writer(out)
    table.writerow(columns + ["s"])
    for i in range(60):
        table.writerow(["<img src=x onerror=alert(%d)>" % (i % 2), "]]>&lt;\"'"[: 3 + i % 4],
                        "\u2067%d\u2069" % (i % 3), "\x02%d" % (i % 2), long + str(i % 2),
                        "<b>%d</b>" % (i % 3)])
def yaml(text):
    import json
    return json.dumps(text)
with open("hostile.yaml", "w", encoding="utf-8") as out:
    print("data: hostile.csv\nattributes:", file=out)
    for column in columns:
        print(f"  {yaml(column)}: {{role: quasi}}", file=out)
    print("  s: {role: sensitive}\nprivacy: [{k-anonymity: 2}, {l-diversity: {attribute: s, l: 2}}]\n"
          "method: mingen\nsuppress: 50%\noutput: released.csv", file=out)
END
expect 0 out '' anonymize hostile.yaml --report hostile.html --curve 2,3 --allow-leaks
page_is "hostile names and values are text" hostile.html "</script><script>alert(1)</script>" \
    "a\"b'c&amp;d" "[U+202E]right[U+202C]left" "and[U+0001][U+007F]" \
    "<img src=x onerror=alert(1)>" "[U+2067]1[U+2069]" "[U+0002]1"
truth "long names are cut" test "$(wc -c <hostile.html)" -lt 250000

# The curve of risks rises from left to right: places and limits of its ticks ascend together.
{ echo a; for v in 1 1 1 1 1 1 1 2 2 2 3 3 4 5 5 5 5 5 5 5 5 5 5 5 5; do echo $v; done; } >steps.csv
expect 0 out '' anonymize steps.csv --qi a --hierarchy a=suppress -k 2 --method mingen \
    --suppress 3 -o curve.csv --report curve.html
grep -o '<text class="tick[^<]*' curve.html |
    sed '/risk of being picked out/q' | grep -v axis |
    sed -n 's/.*x="\([0-9.]*\)%".*>\([0-9.]*\) %$/\1 \2/p' | tail -n 4 >ticks
truth "the risk curve has ticks" test "$(wc -l <ticks)" -eq 4
truth "the risk curve reads from left to right" \
    awk '$1 + 0 <= x || $2 + 0 <= limit { exit 1 } { x = $1 + 0; limit = $2 + 0 }' ticks

# What is no result.
echo '{"a": 1}' >other.json
expect 3 err 'no result; give the file that --result wrote' report other.json -o x.html
echo '{"mingle": ' >broken.json
expect 3 err 'broken.json:[0-9]+: no result' report broken.json -o x.html
expect 3 err '' report missing.json -o x.html
expect 2 err 'no data' report
truth "a failed run leaves no page" test ! -e x.html
expect 2 err 'it varies k' anonymize data.csv "${small[@]}" --l-diversity disease=2 --curve 2 -o x.csv
expect 2 err "'0' is no k" anonymize data.csv "${small[@]}" -k 2 --curve 0 -o x.csv
expect 2 err 'the same file' anonymize data.csv "${small[@]}" -k 2 -o x.csv \
    --report same --result same
finish
