#!/bin/bash
# cppcheck over the sources.
set -u
command -v cppcheck >/dev/null || { echo "skipped: cppcheck is not installed"; exit 77; }
cppcheck -q --std=c11 --enable=warning,performance,portability --inline-suppr \
    --error-exitcode=1 --suppress=missingIncludeSystem --suppress=internalAstError \
    -D__GNUC__ -D'json_object_foreach(object,key,value)=while(next(object,&key,&value))' \
    -I "$SOURCE/include" -I "$SOURCE/src" "$SOURCE/src"
