#!/bin/bash
# include/mingle.h compiles alone, as strict C17 and as C++; so does every door.
set -u
failed=0

attempt() {
    local name=$1
    shift
    if "$@"; then
        echo "ok - $name"
    else
        echo "not ok - $name"
        failed=1
    fi
}

strict="-pedantic -Wall -Wextra -Werror -fsyntax-only"
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    # shellcheck disable=SC2086
    attempt "mingle.h as C17 by $compiler" \
        $compiler -x c -std=c17 $strict "$SOURCE/include/mingle.h"
done
for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    for standard in c++11 c++20; do
        # shellcheck disable=SC2086
        attempt "mingle.h as $standard by $compiler" \
            $compiler -x c++ -std=$standard $strict "$SOURCE/include/mingle.h"
    done
done
for door in $(find "$SOURCE/src" -name '*.h' | sort); do
    room=${door#"$SOURCE/src/"}
    room=${room%/*}
    [ "$(basename "$door")" = "$(basename "$room").h" ] || continue
    attempt "the door of $room" gcc -x c -std=c17 -Wall -Wextra -Werror -fsyntax-only \
        -D_POSIX_C_SOURCE=200809L -I "$SOURCE/include" -I "$SOURCE/src" "$door"
done
exit $failed
