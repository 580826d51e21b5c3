#!/bin/bash
# How the program and the shared library were compiled and linked, read from them: position
# independent, no writable code, no table to overwrite once they run, stack and buffers guarded.
set -u
. "$(dirname "$0")/support/by_hand.bash"
failed=0

check() { # NAME COMMAND...
    local name=$1
    shift
    if "$@" >found 2>&1; then
        echo "ok - $name"
    else
        printf 'not ok - %s\n' "$name"
        sed 's/^/# /' found
        failed=1
    fi
}

lacks() { ! grep -E "$@"; }

for file in "$BUILD/mingle" "$BUILD/libmingle.so"; do
    name=${file##*/}
    [ -e "$file" ] || { echo "not ok - $file is not built"; exit 1; }
    LC_ALL=C readelf -hldW "$file" >parts || exit 1
    nm -D --undefined-only "$file" >needed || exit 1
    check "$name can be loaded anywhere" grep -E 'Type: +DYN' parts
    check "$name: tables of addresses are read-only" grep GNU_RELRO parts
    check "$name: all addresses are found at the start" grep -E 'FLAGS.*NOW' parts
    check "$name: no code on the stack" grep -E 'GNU_STACK.* RW +0x' parts
    check "$name: no segment is writable and code" lacks 'LOAD.* RWE' parts
    check "$name: no code that is changed when it is loaded" lacks TEXTREL parts
    check "$name: no path of ours to search for libraries" lacks 'RPATH|RUNPATH' parts
    check "$name: the stack is guarded" grep __stack_chk_fail needed
    check "$name: buffers are guarded" grep -E '__(mem|str|vs?n?printf|f?printf|snprintf).*_chk' needed
done
LC_ALL=C readelf -dW "$BUILD/mingle" >parts
check "mingle is a program of its own" grep -E 'FLAGS_1.*PIE' parts
# A binary does not tell the level of the guard; the commands that made it do.
python3 - "$BUILD/compile_commands.json" >without <<'END'
import json, sys
flags = ("-D_FORTIFY_SOURCE=3", "-fstack-protector-strong", "-fPI")
for made in json.load(open(sys.argv[1])):
    if "/src/" in made["file"] or "/Unity/" in made["file"]:
        missing = [flag for flag in flags if flag not in made["command"]]
        if missing:
            print(made["file"], *missing)
END
check "every source was compiled with the guards" test ! -s without
exit $failed
