#!/bin/bash
# look finds the encoding of a text and says why; nobody else takes `auto`, and a text that is no UTF-8
# is refused unless its encoding is named.
set -u
. "$(dirname "$0")/../support/by_hand.bash"
failed=0
check() { # NAME EXPECTED GOT
    if [ "$2" = "$3" ]; then echo "ok - $1"; else
        echo "not ok - $1"
        echo "# expected $2, got $3"
        failed=1
    fi
}

python3 - <<'PY'
text = "id;name;town\n" + "".join(f"{i};{n};{t}\n" for i, (n, t) in enumerate(
    [("Müller", "Köln"), ("Weiß", "Münster"), ("Böhm", "Würzburg"), ("O’Hara", "Zürich"), ("Süß", "Lübeck")] * 8))
plain = text.replace("’", "'")
for name, encoding, what in [("utf8", "utf-8", text), ("mark", "utf-8-sig", text), ("western", "windows-1252", text),
                             ("latin", "latin-1", plain), ("dos", "cp850", plain), ("utf16", "utf-16", text),
                             ("little", "utf-16-le", text), ("big", "utf-16-be", text), ("ascii", "ascii", "a;b\n1;2\n3;4\n")]:
    open(f"{name}.csv", "wb").write(what.encode(encoding))
open("cyrillic.csv", "wb").write("имя;город\nИван;Москва\nПётр;Казань\n".encode("windows-1251"))
open("late.csv", "wb").write(b"a;b\n" + b"x;y\n" * 200000 + "ä;ö\n".encode("latin-1"))
open("zero.csv", "wb").write(b"a;b\n1\0\0\0;2\n")
PY
gzip -k western.csv

found() { # FILE: what look finds, and the second name of the table as it was read
    "$MINGLE" look "$1" --encoding auto --window 1,1 --json >out.json 2>err.txt || { echo "refused"; return; }
    python3 -c 'import json
d = json.load(open("out.json"))
print(d["table"]["encoding"], d["table"]["encoding_found"], d["window"][0][-1])'
}
check "UTF-8" "UTF-8 UTF-8 Köln" "$(found utf8.csv)"
check "UTF-8 with a mark" "UTF-8 UTF-8 Köln" "$(found mark.csv)"
check "windows-1252" "windows-1252 windows-1252 Köln" "$(found western.csv)"
check "compressed" "windows-1252 windows-1252 Köln" "$(found western.csv.gz)"
check "Latin-1" "windows-1252 windows-1252 Köln" "$(found latin.csv)"
check "code page 850" "CP850 CP850 Köln" "$(found dos.csv)"
check "UTF-16 with a mark" "UTF-16 UTF-16 Köln" "$(found utf16.csv)"
check "UTF-16, little end first" "UTF-16LE UTF-16LE Köln" "$(found little.csv)"
check "UTF-16, big end first" "UTF-16BE UTF-16BE Köln" "$(found big.csv)"
check "ASCII" "UTF-8 UTF-8 2" "$(found ascii.csv)"
check "one byte at the end of a long text" "windows-1252 windows-1252 y" "$(found late.csv)"
check "another script is not guessed" "refused" "$(found cyrillic.csv)"
check "and what to do is said" "1" "$(grep -c 'another script.*name it with' err.txt)"
check "NULs are no text" "refused" "$(found zero.csv)"
check "an encoding that was named wrongly is told" "ISO-8859-2 windows-1252" \
    "$("$MINGLE" look western.csv --encoding ISO-8859-2 --json | python3 -c 'import json, sys
t = json.load(sys.stdin)["table"]
print(t["encoding"], t["encoding_found"])')"
check "nothing is looked for where UTF-8 is read" "None" \
    "$("$MINGLE" look utf8.csv --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["table"]["encoding_found"])')"
check "the terminal says why" "1" "$("$MINGLE" look western.csv --encoding auto | grep -c 'found: windows-1252 (byte 0x')"
check "a pipe is read once" "3" "$("$MINGLE" look - --encoding auto <western.csv >/dev/null 2>&1; echo $?)"
"$MINGLE" anonymize western.csv --encoding auto --qi town --rest drop -k 2 -o out.csv 2>err.txt
check "a release needs the name" "2" "$?"
check "what finds it is told" "1" "$(grep -c "'mingle look' with --encoding auto finds it" err.txt)"
[ ! -e out.csv ] || check "nothing is written" "no file" "out.csv"
"$MINGLE" anonymize western.csv --qi town --rest drop -k 2 -o out.csv 2>err.txt
check "what is no UTF-8 is refused" "3" "$?"
exit $failed
