#!/bin/bash
# What make dist adds to the files of a release, and what trying them notices. (The packages have tests
# of their own: packages, python/packages, web/packed.)
set -u
. "$(dirname "$0")/support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
quietly() { "$@" >log 2>&1 || { cat log; false; }; }
refused() { ! "$@" >log 2>&1; }

version=$(sed -n 's/^#define MGL_VERSION_[A-Z]* \([0-9]*\)$/\1/p' "$SOURCE/include/mingle/version.h" | paste -s -d .)
dashed=${version//./\\.}
truth "the changelog begins with this version" test \
    "$(sed -n 's/^## \([0-9.]*\).*/\1/p' "$SOURCE/CHANGELOG.md" | head -1)" = "$version"
truth "man pages are of this version" test -z "$(cd "$SOURCE/docs/man" && grep -LE "^\.TH .*\"mingle $dashed\"" ./*.[15])"
truth "the page's package is of this version" grep -q "\"version\": \"$dashed\"" "$SOURCE/web/studio/package.json"

mkdir dist
printf '<title>mingle</title> %s\n' "$version" >"dist/mingle-$version.html"
truth "without a key" quietly "$SOURCE/scripts/seal-dist" dist
truth "there is no signature" test ! -e dist/SHA256SUMS.sig
truth "changes are those of this version" test "$(grep -c '^## ' dist/CHANGES.md) $(head -1 dist/CHANGES.md | cut -d' ' -f2)" = "1 $version"
truth "what is right works" quietly "$SOURCE/scripts/try-dist" dist
truth "the page was tried" grep -q '^works: the page' log
if command -v openssl >/dev/null; then
    openssl genpkey -algorithm ed25519 -out key.pem 2>/dev/null
    truth "with a key" quietly "$SOURCE/scripts/seal-dist" dist key.pem
    truth "the signature works" quietly "$SOURCE/scripts/try-dist" dist
    truth "the signature was tried" grep -q '^works: the signature' log
    truth "the key itself is in no file" refused grep -rq "PRIVATE KEY" dist
    cp -r dist other
    sed -i 's/mingle/single/' other/CHANGES.md
    truth "a changed file is noticed" refused "$SOURCE/scripts/try-dist" other
    truth "by its checksum" grep -q '^FAILED: checksums' log
    (cd other && sha256sum -- *.html CHANGES.md mingle.pub.pem >SHA256SUMS)
    truth "changed checksums are noticed" refused "$SOURCE/scripts/try-dist" other
    truth "by the signature" grep -q '^FAILED: the signature' log
    truth "and nothing else failed" test "$(grep -c '^FAILED' log)" = 1
fi
cp -r dist more
echo more >more/file
truth "a file without a checksum is noticed" refused "$SOURCE/scripts/try-dist" more
sed -i 's/<title>/<script src="https:\/\/example.org\/a.js"><title>/' "dist/mingle-$version.html"
"$SOURCE/scripts/seal-dist" dist
truth "a page that loads something is noticed" refused "$SOURCE/scripts/try-dist" dist
mkdir mine
touch mine/thesis.txt
truth "a folder with other files stays" refused "$SOURCE/scripts/dist" "$BUILD" "$PWD/mine"
truth "as it was" test -e mine/thesis.txt
finish
