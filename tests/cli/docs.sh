#!/bin/bash
# The pages: what they show is what the program prints, their links and options are there, and the
# examples of the man pages and of --help are among them. The optimized program runs them.
. "$SOURCE/tests/cli/support.bash"

if complaints=$(python3 "$SOURCE/tests/cli/docs.py" "$SOURCE" "$MINGLE_RELEASE"); then
    ok "commands, options, links and examples of the pages"
else
    not_ok "commands, options, links and examples of the pages" "$complaints"
fi

same() { # same PAGE COMMAND...: the command prints the page
    local page=$1 code=0
    shift
    "$@" >made.md 2>err || code=$?
    if [ $code -eq 77 ]; then
        number=$((number + 1))
        echo "ok $number # SKIP $page"
        cat err
    elif [ $code -ne 0 ]; then
        not_ok "$page" "$(cat err)"
    elif difference=$(diff -u "$SOURCE/$page" made.md); then
        ok "$page"
    else
        not_ok "$page" "$difference
to bring it up to date: $* >new && mv new $page"
    fi
}

pages=$(cd "$SOURCE" && grep -l '^<!-- commands run in ' ./*.md docs/*.md examples/*/*.md)
truth "there are pages with commands" test -n "$pages"
for page in $pages; do
    same "${page#./}" "$SOURCE/scripts/page" "$BUILD" "$SOURCE/$page"
done
same docs/papers.md "$SOURCE/scripts/papers" "$MINGLE_RELEASE"
finish
