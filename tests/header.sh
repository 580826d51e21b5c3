#!/bin/bash
# Every header of include compiles alone, as strict C17 and as C++; so does the public header of every module. mingle.h
# includes them all.
set -u
. "$(dirname "$0")/support/by_hand.bash"
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
headers=$(cd "$SOURCE/include" && find . -name '*.h' -printf '%P\n' | sort)
compile() { # name, and how to compile: each header is included by a file that has nothing else
    local name=$1 header
    shift
    for header in $headers; do
        echo "#include <$header>" | attempt "$header as $name" "$@" $strict -I "$SOURCE/include" -
    done
}
# shellcheck disable=SC2086
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    compile "C17 by $compiler" $compiler -x c -std=c17
done
for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    for standard in c++11 c++20; do
        compile "$standard by $compiler" $compiler -x c++ -std=$standard
    done
done
for header in $headers; do
    [ "$header" != mingle.h ] || continue
    echo "#include <mingle.h>" | gcc -x c -M -I "$SOURCE/include" - >included
    attempt "mingle.h includes $header" grep -q "$header" included
done
for public in $(find "$SOURCE/src" -name '*.h' | sort); do
    module=${public#"$SOURCE/src/"}
    module=${module%/*}
    [ "$(basename "$public")" = "$(basename "$module").h" ] || continue
    attempt "the public header of $module" gcc -x c -std=c17 -Wall -Wextra -Werror -fsyntax-only \
        -D_POSIX_C_SOURCE=200809L -I "$SOURCE/include" -I "$SOURCE/src" "$public"
done
exit $failed
