#!/bin/bash
# The man pages name exactly the options the commands take, and render without complaint.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
pages=$SOURCE/docs/man

# Options in a page stand at the beginning of a tagged paragraph: .BR or .B after .TP.
options_of_page() {
    awk '/^\.TP/ { tagged = 1; next } tagged { print; tagged = 0 }' "$1" |
        sed 's/\\-/-/g' | grep -Eo -e '(^|[ ,])-{1,2}[a-z][a-z-]*' | tr -d ' ,' | LC_ALL=C sort -u
}
options_of_help() {
    "$MINGLE" help "$1" all | grep -Eo -e '^  -[^ ]*( --[a-z-]*)?' |
        tr -d ',' | tr ' ' '\n' | grep . | LC_ALL=C sort -u
}

for command in anonymize what-if preview look compare check gate risk attack count apply utility lattice report recoding codebook statement hierarchy; do
    page=$pages/mingle-$command.1
    truth "there is a man page of $command" test -s "$page"
    options_of_help "$command" >wanted
    options_of_page "$page" >found
    truth "$command has options" test -s wanted
    if difference=$(diff wanted found); then
        ok "the man page of $command has its options"
    else
        not_ok "the man page of $command has its options" "$difference"
    fi
    truth "mingle.1 mentions $command" grep -qF "mingle\\-${command//-/\\-}" "$pages/mingle.1"
done
if command -v man >/dev/null && command -v groff >/dev/null; then
    for page in "$pages"/*.[15]; do
        complaints=$(LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z \
            "$page" 2>&1 >/dev/null)
        if [ -z "$complaints" ]; then ok "$(basename "$page") renders"; else
            not_ok "$(basename "$page") renders" "$complaints"
        fi
    done
fi
# The page of job files names every model and every field of a column.
sed 's/\\-/-/g' "$pages/mingle-job.5" >job
for name in $("$MINGLE" help models | sed -n 's/^  \([a-z][a-z-]*\)\( .*\)*$/\1/p'); do
    truth "mingle-job.5 names $name" grep -q "^$name	" job
done
for field in role hierarchy weight preference likelihood level identification generalize importance \
    protect distance; do
    truth "mingle-job.5 names $field" grep -Eq "^\\.BR? .*\\b$field\\b" job
done
for page in "$pages"/*.[15]; do
    name=$(basename "$page")
    truth "$name has a name, a description and what to see" \
        test "$(grep -cE '^.SH (NAME|DESCRIPTION|SEE ALSO)' "$page")" -eq 3
done
finish
