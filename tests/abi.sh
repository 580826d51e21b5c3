#!/bin/bash
# The binary interface of the library is the recorded one (tests/abi/mingle.abi) or has more:
# whatever programs that were built with it call, pass and read is as it was. What is added is recorded
# with the next change. A change on purpose is recorded anew:
#
#     tests/abi/dump include tests/abi/mingle.abi
#
# in the commit that makes it and says whether the SONAME changes (docs/library.md: versions and ABI).
set -u
. "$(dirname "$0")/support/by_hand.bash"
for tool in abidw abidiff; do
    command -v $tool >/dev/null || { echo "skipped: $tool is not installed (scripts/setup test)"; exit 77; }
done
dump=$SOURCE/tests/abi/dump

# compatible OLD NEW: exit status 0 if all of OLD is in NEW as it was; else abidiff tells what is not.
compatible() { abidiff --no-added-syms --no-architecture "$1" "$2"; }

"$dump" "$SOURCE/include" now.abi || exit 1
if compatible "$SOURCE/tests/abi/mingle.abi" now.abi >changes; then
    echo "ok - the interface has all that was recorded, as it was"
else
    echo "not ok - the interface has all that was recorded, as it was"
    cat changes
fi

# ---- The check itself --------------------------------------------------------------------------
mkdir old
cat >old/mingle.h <<'END'
#define MGL_API
#include <stddef.h>
typedef enum mgl_colour { MGL_RED, MGL_GREEN } mgl_colour;
typedef struct mgl_handle mgl_handle;
typedef struct mgl_point {
    double x, y;
    char name[16];
} mgl_point;
typedef int mgl_listener(void *user, const mgl_point *point);
MGL_API mgl_colour mgl_paint(mgl_handle *handle, const mgl_point *points, size_t n);
MGL_API void mgl_listen(mgl_handle *handle, mgl_listener *listener,
                        void *user);
MGL_API const char *
mgl_name(const mgl_handle *handle);
END
"$dump" old old.abi || exit 1

# try VERDICT NAME SED: the verdict on the old interface changed by a line of sed.
try() {
    local found=fine
    rm -rf new
    mkdir new
    sed "$3" old/mingle.h >new/mingle.h
    "$dump" new new.abi || exit 1
    compatible old.abi new.abi >changes || found=broken
    if [ "$found" = "$1" ]; then echo "ok - $1: $2"; else echo "not ok - $1: $2"; cat changes; fi
}
try fine "nothing changed" ''
try fine "a function more" '$ a MGL_API int mgl_more(mgl_colour colour);'
try fine "another name of a parameter" 's/size_t n/size_t n_points/'
try fine "a value more in an enum" 's/MGL_GREEN/MGL_GREEN, MGL_BLUE/'
try broken "a function less" '/mgl_listen(/,/user);/ d'
try broken "another type of a parameter" 's/size_t n/unsigned n/'
try broken "a parameter more" 's/size_t n/size_t n, int more/'
try broken "another type of what is returned" 's/const char \*/int/'
try broken "another value in an enum" 's/MGL_RED,/MGL_RED = 7,/'
try broken "values of an enum in another order" 's/MGL_RED, MGL_GREEN/MGL_GREEN, MGL_RED/'
try broken "a value less in an enum" 's/, MGL_GREEN//'
try broken "a member more" 's/double x, y;/double x, y, z;/'
try broken "members in another order" 's/double x, y;/double y, x;/'
try broken "a longer array" 's/name\[16\]/name[24]/'
try broken "another type in a callback" 's/int mgl_listener/void mgl_listener/'
