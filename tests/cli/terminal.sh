#!/bin/bash
# What a terminal is shown: colour only there, and not with NO_COLOR; lines that fit it; no more
# than ASCII where the locale knows no more.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
small_table
check=("$MINGLE" check data.csv --qi "race,zip" -k 1)
escape=$'\033'

terminal() { python3 "$SOURCE/tests/cli/terminal.py" "$@" >out 2>err; }

terminal "" xterm "${check[@]}"
truth "a terminal has colour" grep -q "$escape\[32mholds$escape\[0m" out
terminal 1 xterm "${check[@]}"
truth "with NO_COLOR it has none" test -z "$(grep "$escape" out)"
truth "without colours the words are the same" grep -q 'k-anonymity k=1 holds' out
terminal "" dumb "${check[@]}"
truth "a dumb terminal has none" test -z "$(grep "$escape" out)"
"${check[@]}" >out
truth "a pipe has none" test -z "$(grep "$escape" out)"
sed 1q data.csv >two.csv
for _ in 1 2 3 4 5 6 7 8 9; do sed -n 2p data.csv; done >>two.csv
sed -n 3,4p data.csv >>two.csv
expect 0 out '^sizes +1 +.* 2$' check two.csv --qi race,zip

# Many rows, so that bars have numbers with separators; several columns and models.
python3 - <<'END'
import random
random.seed(1)
with open("many.csv", "w") as out:
    print("name,age,region,marital,job,illness", file=out)
    for i in range(12000):
        print(f"n{i},{20 + i % 50},{i % 3},{'ABC'[i % 3 * (i % 7 > 0)]},{'xyz'[min(2, i % 11)]},"
              f"{random.choice(['flu', 'cold', 'gout'])}", file=out)
END
job=(many.csv --identifier name --qi age,region,marital,job --sensitive illness
    --hierarchy 'age=intervals(5,10,20)' -k 3 --l-diversity illness=2)
lines_fit() { # NAME WIDTH COMMAND...: every line fits, in a terminal and by COLUMNS
    local name=$1 width=$2
    shift 2
    COLUMNS=$width LC_ALL=C.UTF-8 "$@" >out 2>err
    WIDTH=$width terminal 1 xterm "$@"
    cp out shown
    COLUMNS=$width LC_ALL=C "$@" >out 2>err
    truth "$name fits $width columns" python3 - "$width" out shown <<'END'
import sys
width = int(sys.argv[1])
for name in sys.argv[2:]:
    text = open(name, encoding="utf-8").read()
    assert len(text) > 100, name
    for line in text.splitlines():
        assert len(line) <= width, f"{name}: {line}"
END
}
for width in 40 60 80 120; do
    lines_fit "a release" "$width" "$MINGLE" anonymize "${job[@]}" --method mingen --dry-run
    lines_fit "a check" "$width" "$MINGLE" check many.csv --qi age,region,marital,job \
        --sensitive illness -k 3
    lines_fit "a risk" "$width" "$MINGLE" risk many.csv --qi age,region,marital,job --suda
    lines_fit "a comparison" "$width" "$MINGLE" compare "${job[@]}" \
        --methods mingen,datafly,local-suppression
    lines_fit "a lattice" "$width" "$MINGLE" lattice "${job[@]}"
done
# Words are not lost where lines are broken.
"$MINGLE" anonymize "${job[@]}" --method mingen --dry-run | grep -v -e '^seconds' -e '^sizes' -e ' [0-9,]*$' |
    tr -s ' \n' ' ' >wide
COLUMNS=40 "$MINGLE" anonymize "${job[@]}" --method mingen --dry-run >narrow
truth "a narrow terminal is told the same" python3 - wide narrow <<'END'
import sys
wide, narrow = (open(name).read().split() for name in sys.argv[1:])
assert [word for word in wide if word not in narrow] == []
END

# Bars: all begin in one column, in ASCII too, and no number loses its separators.
COLUMNS=80 LC_ALL=C "$MINGLE" anonymize "${job[@]}" --method mingen --dry-run >out
truth "no block characters where the locale has none" test -z "$(LC_ALL=C grep -P '[^\x00-\x7f]' out)"
truth "bars in ASCII" grep -Eq '^(sizes|     )  .*  ?#+ [0-9,]+$' out
LC_ALL=C.UTF-8 "$MINGLE" anonymize "${job[@]}" --method mingen --dry-run >out
truth "block characters where it has them" grep -q '█' out
LC_ALL=C "$MINGLE" hierarchy show many.csv --hierarchy 'age=intervals(5,10,20)' >out
truth "trees in ASCII" test -z "$(LC_ALL=C grep -P '[^\x00-\x7f]' out)"
truth "trees in ASCII have branches" grep -q '^`- ' out
finish
