#!/bin/bash
# cppcheck over all C there is.
set -u
. "$(dirname "$0")/support/by_hand.bash"
if ! command -v cppcheck >/dev/null; then
    echo "skipped: cppcheck is not installed (scripts/setup lint)"
    [ "${MGL_LINT:-}" = required ] && exit 1
    exit 77
fi
# It sees no header of a library: what its macros are is told here. Left out, for every file:
#   varFuncNullUB: where POSIX is, NULL is a pointer.
#   wrongPrintfScanfArgNum: -Wformat looks at formats; tests hand formats on that leave numbers out.
cppcheck -q -j 2 --std=c11 --enable=warning,performance,portability --inline-suppr \
    --error-exitcode=1 --suppress=missingIncludeSystem --suppress=internalAstError \
    --suppress=varFuncNullUB --suppress=wrongPrintfScanfArgNum -D__GNUC__ \
    -D'json_object_foreach(object,key,value)=while(next(object,&key,&value))' \
    -D'json_array_foreach(array,index,value)=while(next(array,&index,&value))' \
    -D'_Noreturn=__attribute__((noreturn))' \
    -D'assert_true(condition)=((condition)?(void)0:abort())' \
    -I "$SOURCE/include" -I "$SOURCE/src" -I "$SOURCE/tests/support" \
    "$SOURCE/src" "$SOURCE/bench" "$SOURCE/examples" "$SOURCE/tests"
