#!/bin/bash
# Tables of pyarrow go to the library and releases come back, by the Arrow C stream interface.
# pyarrow is put into an environment of its own, once for a build folder.
set -u
. "$(dirname "$0")/../support/by_hand.bash"

environment=$BUILD/pyarrow
if ! "$environment/bin/python" -c 'import pyarrow' 2>/dev/null; then
    rm -rf "$environment"
    if ! { python3 -m venv "$environment" &&
        timeout 300 "$environment/bin/pip" install --quiet pyarrow; } >log 2>&1; then
        rm -rf "$environment"
        echo "skipped: pyarrow cannot be installed here"
        exit 77
    fi
fi
status=0
for script in exchange texts; do
    "$environment/bin/python" -B "$SOURCE/tests/pyarrow/$script.py" "$BUILD/libmingle.so" || status=1
done
exit $status
