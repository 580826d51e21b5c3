#!/bin/bash
# Feeds each fuzz target its corpus, and some small changes of it (tests/fuzz/replay.c); fuzz_changes.sh
# feeds it all of them.
set -u
. "$(dirname "$0")/support/by_hand.bash"
export MGL_FUZZ_SHARE=${MGL_FUZZ_SHARE:-10}
failed=0
[ -n "${TMPDIR:-}" ] || [ ! -w /dev/shm ] || export TMPDIR=/dev/shm # no waiting for a disk
found=no
for source in "$SOURCE"/tests/fuzz/fuzz_*.c; do
    [ -e "$source" ] || break
    found=yes
    target=$(basename "$source" .c)
    corpus=$SOURCE/tests/fuzz/corpus/${target#fuzz_}
    if [ ! -d "$corpus" ]; then
        echo "not ok - $target: no corpus; put examples into ${corpus#"$SOURCE"/}"
        failed=1
    elif "$VARIANT_BUILD/tests/fuzz/$target" "$corpus"/*; then
        echo "ok - $target"
    else
        echo "not ok - $target"
        failed=1
    fi
done
[ $found = yes ] || { echo "skipped: there are no fuzz targets"; exit 77; }
exit $failed
