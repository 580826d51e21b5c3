#!/bin/bash
# `mingle studio`: the whole road over HTTP, and everything that is refused.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

"$MINGLE" studio --port 1 nowhere >out 2>err &
server=$!
sleep 0.2
if grep -q 'built without libmicrohttpd' err; then
    wait $server
    truth "a build without libmicrohttpd says so" test $? -eq 2
    finish
fi
kill $server 2>/dev/null
wait $server 2>/dev/null
expect 2 err 'is not a port' studio --port 70000
expect 2 err 'is not a port' studio --port x
expect 2 err 'is not a folder' studio --folder nowhere
expect 2 err 'unknown' studio --surprise
expect 2 err 'name one table' studio a.csv b.csv
expect 2 err 'standard input' studio -
expect 3 err 'cannot open' studio nowhere.yaml
truth "requests, refusals and what is left behind" \
    python3 "$SOURCE/tests/cli/studio.py" "$MINGLE" "$SOURCE"
finish
