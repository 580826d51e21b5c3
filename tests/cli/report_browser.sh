#!/bin/bash
# Pages in a real browser.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
    { echo "skipped: chromium is not installed (scripts/setup all)"; exit 77; }

"$MAKE_PATIENTS" patients.csv
patients=(patients.csv --qi "birth,sex,zip" --hierarchy 'birth=dates(year,10y)'
    --hierarchy 'zip=mask(right)' --identifier "name,ssn" --sensitive diagnosis --rest drop -k 5)
"$MINGLE_RELEASE" anonymize "${patients[@]}" --l-diversity diagnosis=2 --method mingen --suppress 5% \
    --curve 2,5,10,50 --result result.json -o release.csv --report release.html --quiet
"$MINGLE_RELEASE" compare "${patients[@]}" --methods mingen,cell,mondrian,mu-argus --effort fast \
    --curve 2,10 --report compare.html --quiet
"$MINGLE_RELEASE" risk patients.csv --qi birth,sex,zip --report risk.html --quiet
for page in release compare risk; do
    if found=$(python3 "$SOURCE/tests/cli/report_browser.py" "$chromium" $page.html 2>&1); then
        ok "$page.html"
    else
        not_ok "$page.html" "$found"
    fi
done
finish
