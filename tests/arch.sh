#!/bin/bash
# Releases of the other architecture are equal byte for byte, and figures to a relative 1e-12. The
# program for it is what make test-arch, or the preset "foreign", builds.
set -u
. "$(dirname "$0")/support/by_hand.bash"
case $(uname -m) in
x86_64) foreign=aarch64 ;;
aarch64) foreign=x86_64 ;;
*) echo "skipped: neither x86_64 nor aarch64"; exit 77 ;;
esac
program=$BUILD-foreign/mingle
if [ ! -x "$program" ]; then
    echo "skipped: no program for $foreign; make test-arch builds one"
    exit 77
fi
# A machine that runs foreign programs by itself needs no word; else the emulator is named.
emulator=$(command -v "qemu-$foreign-static" || command -v "qemu-$foreign")
if [ -z "$emulator" ]; then
    echo "skipped: no qemu-$foreign (scripts/setup arch)"
    exit 77
fi
if [ "$("$MINGLE_RELEASE" --version)" != "$("$emulator" "$program" --version)" ]; then
    echo "skipped: $program does not run, or is of another version"
    exit 77
fi
python3 "$SOURCE/tests/arch/compare.py" "$MINGLE_RELEASE" "$emulator $program"
