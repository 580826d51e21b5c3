#!/bin/bash
# shellcheck disable=SC2054 # the commas are in lists of columns
# Signatures: made by --sign, verified by --verify-key and by OpenSSL itself.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
command -v openssl >/dev/null || {
    echo "skipped: openssl is not installed"
    exit 77
}

small_table
job=(anonymize data.csv --qi race,zip --sensitive disease --identifier name -k 2 --method mingen)
if "$MINGLE" "${job[@]}" -o - --quiet --sign /dev/null --result x.json 2>&1 |
    grep -q 'built without OpenSSL'; then
    echo "skipped: built without OpenSSL"
    exit 77
fi
openssl genpkey -algorithm ed25519 -out key.pem 2>/dev/null
openssl pkey -in key.pem -pubout -out pub.pem
openssl genpkey -algorithm ed25519 -out other.pem 2>/dev/null
openssl pkey -in other.pem -pubout -out other_pub.pem
verified() { # verified RESULT: by OpenSSL
    openssl pkeyutl -verify -pubin -inkey pub.pem -rawin -in "$1" -sigfile "$1.sig" >/dev/null 2>&1
}

expect 0 out '' "${job[@]}" -o release.csv --result result.json --sign key.pem --quiet
truth "a signature has 64 bytes" test "$(wc -c <result.json.sig)" = 64
truth "nobody else may read it" test "$(stat -c %a result.json.sig)" = 600
truth "OpenSSL accepts the signature" verified result.json
truth "nothing tells where the key lies" bash -c '! grep -q "key.pem" result.json'
expect 0 out '^signature +verified$' check release.csv --against result.json --verify-key pub.pem
expect 0 out '^signature +not verified' check release.csv --against result.json
truth "a signed result agrees without its key" grep -Eq '^result +agrees with result.json$' out
expect 0 out '"signature": "verified"' check release.csv --against result.json --verify-key pub.pem \
    --json

# OpenSSL's own signature of the same bytes is as good.
openssl pkeyutl -sign -inkey key.pem -rawin -in result.json -out own.sig
truth "OpenSSL makes the same signature" cmp own.sig result.json.sig

# Another key, other bytes, another file, no file.
expect 1 out '^signature +bad$' check release.csv --against result.json --verify-key other_pub.pem
truth "a bad signature is warned of" grep -q '^warning .*signature: it is bad' out
cp result.json true.json
echo >>result.json
expect 1 out '^signature +bad$' check release.csv --against result.json --verify-key pub.pem
expect 0 out '^signature +not verified' check release.csv --against result.json
sed 's/"seconds"/"seconds" /' true.json >result.json
expect 1 out '^signature +bad$' check release.csv --against result.json --verify-key pub.pem
cp true.json result.json
head -c 63 own.sig >result.json.sig
expect 1 out '^signature +bad$' check release.csv --against result.json --verify-key pub.pem
{ cat own.sig; echo; } >result.json.sig
expect 1 out '^signature +bad$' check release.csv --against result.json --verify-key pub.pem
: >result.json.sig
expect 1 out '^signature +missing$' check release.csv --against result.json --verify-key pub.pem
rm result.json.sig
expect 1 out '^signature +missing$' check release.csv --against result.json --verify-key pub.pem
expect 0 out '^signature +unsigned$' check release.csv --against result.json
expect 0 out '^signature +unsigned$' check release.csv --against - <result.json
cp own.sig result.json.sig
expect 0 out '^signature +verified$' check release.csv --against result.json --verify-key pub.pem
# The signature is of the result; the release hangs on its hash.
sed '2s/flu/cough/;2s/cold/cough/' release.csv >changed.csv
expect 1 out 'sha256 of the release' check changed.csv --against result.json --verify-key pub.pem
truth "though the signature is good" grep -Eq '^signature +verified$' out

# Wrong use, and nothing is written.
rm -f release.csv result.json result.json.sig
expect 2 err 'add --result' "${job[@]}" -o release.csv --sign key.pem
expect 2 err 'add --result' "${job[@]}" -o release.csv --sign key.pem --result -
expect 2 err 'add --against' check data.csv --qi zip --verify-key pub.pem
expect 3 err 'pub.pem: this is no private Ed25519 key' "${job[@]}" -o release.csv \
    --result result.json --sign pub.pem
expect 3 err 'private key is not there' "${job[@]}" -o release.csv --result result.json --sign nowhere.pem
openssl genpkey -algorithm x25519 -out wrong.pem 2>/dev/null
expect 3 err 'no private Ed25519 key' "${job[@]}" -o release.csv --result result.json \
    --sign wrong.pem
openssl pkey -in key.pem -aes256 -passout pass:secret -out locked.pem
expect 3 err 'without a passphrase' "${job[@]}" -o release.csv --result result.json \
    --sign locked.pem </dev/null
expect 2 err "'result.json.sig' is the same file as --output" "${job[@]}" -o result.json.sig \
    --result result.json --sign key.pem
cp key.pem mine.json.sig
expect 2 err "which is read" "${job[@]}" -o release.csv --result mine.json --sign mine.json.sig
truth "the key is still there" cmp key.pem mine.json.sig
mkdir blocked.json.sig
expect 2 err 'blocked.json.sig: this is a folder' "${job[@]}" -o release.csv --result blocked.json \
    --sign key.pem
truth "a job with a bad key writes nothing" test ! -e release.csv -a ! -e result.json -a ! -e blocked.json
truth "a job with a bad key leaves no staged file" bash -c '! ls -A | grep -q "mingle-"'
"${MINGLE}" "${job[@]}" -o release.csv --result result.json --sign key.pem --quiet
expect 3 err 'key.pem: this is no public Ed25519 key' check release.csv --against result.json \
    --verify-key key.pem

# Job files: the key is kept in them, and stays out of audit trails.
rm -f result.json.sig
expect 0 out '' "${job[@]}" -o release.csv --result result.json --sign key.pem --save-job job.yaml \
    --quiet
truth "a saved job signs, too" grep -q '^sign: *key.pem' job.yaml
rm -f result.json.sig
expect 0 out '' anonymize job.yaml --quiet
truth "a job file with sign signs the result" verified result.json

# apply.
expect 0 out '' "${job[@]}" -o release.csv --save-recoding found.rec --quiet
expect 0 out '' apply found.rec data.csv -o applied.csv --result applied.json --sign key.pem --quiet
truth "apply --sign signs the result" verified applied.json
truth "its result has the hash of its release" grep -q \
    "\"$(sha256sum <applied.csv | cut -d' ' -f1)\"" applied.json

# Databases: a digest of the rows, whatever their order.
if command -v sqlite3 >/dev/null; then
    sqlite3 loaded.db 'CREATE TABLE other (x)'
    expect 0 out '' "${job[@]}" -o 'sqlite:loaded.db?table=r' --result loaded.json --sign key.pem \
        --quiet
    expect 0 out 'result +agrees' check 'sqlite:loaded.db?table=r' --against loaded.json \
        --verify-key pub.pem
    sqlite3 loaded.db 'CREATE TABLE s AS SELECT * FROM r ORDER BY disease, zip, race'
    expect 0 out 'result +agrees' check 'sqlite:loaded.db?table=s' --against loaded.json \
        --verify-key pub.pem
    digest=$(sqlite3 -separator , loaded.db "SELECT length(race) || ':' || race || ',' || length(zip) ||
        ':' || zip || ',' || length(disease) || ':' || disease || ',' FROM r" |
        while read -r row; do printf %s "$row" | sha256sum | cut -d' ' -f1; done | LC_ALL=C sort |
        sha256sum | cut -d' ' -f1)
    truth "the digest is what the page says" grep -q "\"rows_sha256\": \"$digest\"" loaded.json
    sqlite3 loaded.db "UPDATE r SET disease = 'x' WHERE rowid = 1"
    expect 1 out 'digest of the rows' check 'sqlite:loaded.db?table=r' --against loaded.json
    # the engine writes the release itself
    sqlite3 pushed.db '.import --csv data.csv t'
    expect 0 out '' anonymize 'sqlite:pushed.db?table=t' "${job[@]:2}" -o 'sqlite:pushed.db?table=r' \
        --result pushed.json --sign key.pem --quiet
    truth "a pushed release has a signed result" verified pushed.json
    expect 0 out 'result +agrees' check 'sqlite:pushed.db?table=r' --against pushed.json \
        --verify-key pub.pem
    sqlite3 pushed.db "UPDATE r SET disease = 'x' WHERE rowid = 1"
    expect 1 out 'digest of the rows' check 'sqlite:pushed.db?table=r' --against pushed.json
    # unsigned: no released row is read back, and the digest is left open
    expect 0 out '' anonymize 'sqlite:pushed.db?table=t' "${job[@]:2}" -o 'sqlite:pushed.db?table=q' \
        --result open.json --quiet
    expect 0 out 'digest of the rows: ' check 'sqlite:pushed.db?table=q' \
        --against open.json
fi
finish
