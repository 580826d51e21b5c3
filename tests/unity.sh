#!/bin/bash
# Files that are compiled together (cmake/unity.cmake): no names meet in a group, every awk forms the
# same groups, and a build folder follows what is added and changed.
set -u
. "$(dirname "$0")/support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

quietly() { "$@" >log 2>&1 || { cat log; false; }; }

groups() { "$@" -v most=4000 -v "apart=mgl_else mgl_apart" -f "$SOURCE/cmake/unity.awk" -- $files; }

# ---- Of the sources: by each awk that is here ------------------------------------------------------
files=$(cd "$SOURCE" && LC_ALL=C find src -name '*.[ch]' ! -path 'src/cli/*' | LC_ALL=C sort)
(cd "$SOURCE" && groups awk) >first
truth "the sources have groups" test "$(wc -l <first)" -gt 300
for other in mawk gawk original-awk "busybox awk"; do
    command -v "${other%% *}" >/dev/null || continue
    # shellcheck disable=SC2086
    (cd "$SOURCE" && groups $other) >other
    truth "$other forms the same groups" cmp first other
done

# ---- Of files made up: beside one.c, what may stand in its group and what may not ------------------
mkdir -p src/room cmake
cp "$SOURCE/cmake/unity.awk" "$SOURCE/cmake/unity.cmake" cmake/
cat >src/room/room.h <<'END'
#ifndef MGL_ROOM_H
#define MGL_ROOM_H
int mgl_one(void);
int mgl_two(void);
#endif
END
echo 'static int piece = PIECE;' >src/room/piece.h
cat >src/room/one.c <<'END'
#include "room/room.h"
#define WIDTH 3
enum { MOST_ROWS = 4 };
typedef struct order {
    int first;
} order;
static int help(int x) { return x + WIDTH; }
static const int table[] = {1, 2};
int mgl_one(void)
{
    order o = {.first = MOST_ROWS};
    return help(o.first) + table[0];
}
END
fits='#include "room/room.h"
static int other(void) { return 5; }
int mgl_two(void) { return other() + mgl_one(); }'
# together NAME YES|NO TEXT: whether a file with TEXT comes into the group of one.c.
together() {
    local found=no
    printf '%s\n' "$3" >src/room/two.c
    files="src/room/piece.h src/room/room.h src/room/one.c src/room/two.c"
    groups awk >formed
    [ "$(grep -c '^room_1 ' formed)" -ne 2 ] || found=yes
    truth "$1: $2" test "$found" = "$2"
}
together "a file with other names" yes "$fits"
together "a function of the same name" no "static int help(int x) { return x; }"
together "a table of the same name" no "static const char *const table[] = {0};"
together "one of several names" no "static int a = 1, table = 2;"
together "a type of the same name" no "struct order { int a; };"
together "a constant of the same name" no "enum { MOST_ROWS = 5 };"
together "a macro of the same name" no "#define WIDTH 4"
together "a word that is a macro there" no "int mgl_two(int WIDTH) { return WIDTH; }"
together "a macro that is a word there" no "#define help 4"
together "a header without a guard" no '#define PIECE 1
#include "room/piece.h"'
together "a name of the system's" no "static int write(void) { return 1; }"
together "asking for more of the system" no "#define _GNU_SOURCE"
together "a function that the linker replaces" no "int *mgl_apart(int x) { return 0; }"
together "a call of it" yes "int mgl_apart(int x);"
together "instructions of some processors" no '#pragma GCC target("avx2")'

# ---- A build folder ----------------------------------------------------------------------------------
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(room LANGUAGES C)
file(GLOB_RECURSE sources CONFIGURE_DEPENDS src/*.c)
add_library(room OBJECT ${sources})
target_include_directories(room PRIVATE src)
include(cmake/unity.cmake)
mgl_unite(room)
END
objects() { find build -name '*.o' -newer "$1" | wc -l; }
printf '%s\n' "$fits" >src/room/two.c
truth "it builds" quietly cmake -S . -B build -G Ninja
truth "two files are one unit" quietly cmake --build build
truth "which is one object" test "$(find build -name '*.o' | wc -l)" = 1
touch before
sleep 1.1
echo 'static int help(void) { return 7; } int mgl_three(void); int mgl_three(void) { return help(); }' >src/room/three.c
truth "a file more, whose names meet others, builds" quietly cmake --build build
truth "and is compiled" test "$(objects before)" -ge 1
touch before
sleep 1.1
sed -i 's/other/help/g' src/room/two.c
truth "a name that meets another after a change builds" quietly cmake --build build
truth "and what changed is compiled" test "$(objects before)" -ge 1
finish
