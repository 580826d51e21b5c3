#!/bin/bash
# JSON lines: what is read and written, what is refused and where, and random jobs beside CSV.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
job=(--rest insensitive --allow-leaks --keep-order --quiet)

cat >data.jsonl <<'END'
{"name":"Ann","age":30,"zip":"02138","x":1e400,"big":12345678901234567890,"d":0.10,"b":true,"n":[1, {"a":"\u00e9"}],"m":"12","s":"q\"\\\n\t\u0001é😀"}

  {"zip":"02139", "name" : "Bob","age":30,"x":1,"big":1,"d":0.20,"b":false,"n":null,"m":"z","s":"\ud83d\ude00","later":"L"}
{"name":"Cyd","age":31,"zip":"02138","x":2.50,"big":2,"d":3,"b":null,"n":{"k":[]},"m":5.5,"s":"","mix":12}
{"name":"Dan","age":31,"zip":"02139","x":-0,"big":3,"d":3,"b":true,"n":"str","m":"no","s":"x","mix":"12"}
END
cat >wanted.jsonl <<'END'
{"name":"Ann","age":30,"zip":"02138","x":1e400,"big":12345678901234567890,"d":0.10,"b":true,"n":[1, {"a":"\u00e9"}],"m":"12","s":"q\"\\\n\t\u0001é😀","later":null,"mix":null}
{"name":"Bob","age":30,"zip":"02139","x":1,"big":1,"d":0.20,"b":false,"n":null,"m":"z","s":"😀","later":"L","mix":null}
{"name":"Cyd","age":31,"zip":"02138","x":2.50,"big":2,"d":3,"b":null,"n":{"k":[]},"m":5.5,"s":"","later":null,"mix":12}
{"name":"Dan","age":31,"zip":"02139","x":-0,"big":3,"d":3,"b":true,"n":"str","m":"no","s":"x","later":null,"mix":"12"}
END
expect 0 err '' anonymize data.jsonl --qi age -k 2 "${job[@]}" -o out.jsonl
truth "values keep their kind and their digits" diff wanted.jsonl out.jsonl
expect 0 err '' anonymize out.jsonl --qi age -k 2 "${job[@]}" -o again.jsonl
truth "what was written reads back the same" diff wanted.jsonl again.jsonl
printf '\xef\xbb\xbf' | cat - <(sed 's/$/\r/' data.jsonl) >crlf.ndjson
expect 0 err '' anonymize crlf.ndjson --qi age -k 2 "${job[@]}" -o out.ndjson
truth "a byte order mark and CR LF" diff wanted.jsonl out.ndjson
for ending in jsonl.gz ndjson.zst; do
    expect 0 err '' anonymize data.jsonl --qi age -k 2 "${job[@]}" -o packed.$ending
    expect 0 err '' anonymize packed.$ending --qi age -k 2 "${job[@]}" -o unpacked.jsonl
    truth "packed as $ending" diff wanted.jsonl unpacked.jsonl
done
iconv -f UTF-8 -t UTF-16LE <<<'{"a":"é"}' >wide.jsonl
expect 0 out 'rows +1 read' check wide.jsonl --qi a --encoding UTF-16LE
expect 0 out 'column age is written as text' anonymize data.jsonl --qi age,zip \
    --hierarchy 'age=intervals(10)' --rest drop -k 4 -o up.jsonl
truth "generalized cells are strings" grep -q '^{"age":"[^"]*","zip":"[^"]*"}$' up.jsonl
printf 'a,b,c,d\n1,007,NA,true\n1,5,2.50,false\n' >plain.csv
expect 0 err '' anonymize plain.csv --qi a -k 2 "${job[@]}" -o plain.jsonl
truth "columns of text files" diff plain.jsonl - <<'END'
{"a":1,"b":"007","c":null,"d":"true"}
{"a":1,"b":"5","c":2.50,"d":"false"}
END
printf '{"a":1,"b":"y"}\n{"a":1,"b":"y"}\n{"a":2,"b":"z"}\n' >few.jsonl
expect 0 out '"rows": 3' anonymize few.jsonl --qi a --sensitive b -k 3 -o few_out.jsonl --result r.json \
    --json
expect 0 out 'agree' check few_out.jsonl --against r.json
expect 0 err '' anonymize few.jsonl --qi a --sensitive b -k 2 --suppress 100% --save-recoding few.rec \
    --quiet -o rec.jsonl
expect 0 err '' apply few.rec few.jsonl --quiet -o applied.jsonl
truth "a recoding applied gives the same rows" diff <(sort rec.jsonl) <(sort applied.jsonl)
expect 0 out 'rows +3 read, 1 left out' check few.jsonl --qi a --where 'a = 1'

# ---- Refused ---------------------------------------------------------------------------------------
expect 3 err '^mingle: data.jsonl:1: column n holds lists or objects' check data.jsonl --qi n
expect 3 err '^mingle: data.jsonl:5: column mix holds a string that looks like' check data.jsonl --qi mix
# refuse WHERE WHAT LINE: the line behind a good one.
refuse() {
    printf '{"a":1}\n%b' "$3" >bad.jsonl
    expect 3 err "^mingle: bad.jsonl:2$1: $2" check bad.jsonl --qi a
    truth "and no output of '$3'" test "$("$MINGLE" anonymize bad.jsonl --qi a -k 1 -o x.jsonl 2>&1 |
        wc -l)" = 1 -a ! -e x.jsonl
}
refuse '' 'the key "a" stands in the line twice' '{"a":1,"a":2}'
refuse '' 'the key "a" stands in the line twice' '{"a":1,"\\u0061":2}'
refuse :1 'a line holds an object' '[1]'
refuse :7 'a comma or the brace' '{"a":01}'
refuse :9 'something follows the object' '{"a":1} x'
refuse :14 'a high surrogate stands alone' '{"a":"\\ud800"}'
refuse :14 'a low surrogate stands alone' '{"a":"\\udc00"}'
refuse :14 '.u0000 cannot be in a cell' '{"a":"\\u0000"}'
refuse :10 'there is no such escape' '{"a":"\\x"}'
refuse :7 'this is no UTF-8' '{"a":"\0377"}'
refuse :7 'a control character' '{"a":"\001"}'
refuse :8 'a key in quotes' '{"a":1,}'
refuse :6 'this is no value' '{"a":NaN}'
refuse :8 'the line ends within a string' '{"a":"x'
refuse '' 'a key is empty' '{"":1}'
refuse :9 'this is no value' '{"a":[1,}'
printf '{"a":%s1%s}\n' "$(printf '[%.0s' {1..300})" "$(printf ']%.0s' {1..300})" >deep.jsonl
expect 3 err 'deep.jsonl:1:[0-9]+: lists and objects lie within each other more than 256' \
    check deep.jsonl --qi a
: >empty.jsonl
expect 3 err 'empty.jsonl: there are no lines' check empty.jsonl --qi a
echo '{}' >keyless.jsonl
expect 3 err 'keyless.jsonl: no object has a key' check keyless.jsonl --qi a
python3 -c 'print("{\"a\":1,\"b\":\"" + "x" * 5000000 + "\"}")' >long.jsonl
expect 0 err '' anonymize long.jsonl --qi a -k 1 "${job[@]}" -o long_out.jsonl
truth "very long lines" cmp long.jsonl long_out.jsonl

cd "$(mktemp -d ./random.XXXX)" || exit 1
PYTHONDONTWRITEBYTECODE=1 python3 "$SOURCE/tests/cli/random_formats.py" "$MINGLE_RELEASE" .jsonl 22 >log
grep '^not ok' -A5 log
truth "random jobs beside CSV, and kills" test "$(grep -c '^not ok' log)" = 0 -a "$(grep -c '^ok' log)" -ge 2
finish
