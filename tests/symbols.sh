#!/bin/bash
# libmingle.so exports what tests/symbols.txt lists and needs nothing of ours that it
# lacks; every external symbol of libmingle.a begins with mgl_.
set -u
. "$(dirname "$0")/support/by_hand.bash"
failed=0

check() {
    if [ -z "$2" ]; then
        echo "ok - $1"
    else
        printf 'not ok - %s\n%s\n' "$1" "$2"
        failed=1
    fi
}

[ -e "$BUILD/libmingle.so" ] || { echo "not ok - $BUILD/libmingle.so is not built"; exit 1; }
nm -D --defined-only "$BUILD/libmingle.so" | awk '{ print $3 }' | LC_ALL=C sort >exported
# Is a difference meant? Then change the list with it; the SONAME too if one went away.
check "the exported symbols are those of tests/symbols.txt" \
    "$(diff <(LC_ALL=C sort "$SOURCE/tests/symbols.txt") exported)"
check "every function of the headers is exported" \
    "$(grep -rhoE 'MGL_API [^(]*\(' "$SOURCE/include" | grep -o 'mgl_[a-z0-9_]*($' | tr -d '(' |
        LC_ALL=C sort | comm -23 - exported)"
check "the shared library is complete" \
    "$(nm -D --undefined-only "$BUILD/libmingle.so" | grep -o 'mgl_.*')"
check "symbols of the static library begin with mgl_" \
    "$(nm -g --defined-only "$BUILD/libmingle.a" 2>/dev/null | awk 'NF == 3 && $3 !~ /^mgl_/')"
# Before 1.0 a minor version may change the interface, so programs of another one must not load it.
version=$(sed -n 's/^#define MGL_VERSION_[A-Z]* \([0-9]*\)$/\1/p' "$SOURCE/include/mingle/version.h" | paste -s -d .)
case $version in 0.*) so=${version%.*} ;; *) so=${version%%.*} ;; esac
check "the library has the SONAME of its interface" \
    "$(readelf -d "$BUILD/libmingle.so" | grep SONAME | grep -qF "[libmingle.so.$so]" || echo "not libmingle.so.$so")"
exit $failed
