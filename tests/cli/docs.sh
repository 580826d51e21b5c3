#!/bin/bash
# The pages: what they show is what the program prints, their links and options are there, and the
# examples of the man pages and of --help are among them. The optimized program runs them.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

if complaints=$(python3 "$SOURCE/tests/cli/docs.py" "$SOURCE" "$MINGLE_RELEASE"); then
    ok "commands, options, links and examples of the pages"
else
    not_ok "commands, options, links and examples of the pages" "$complaints"
fi

pages=$(cd "$SOURCE" && grep -l '^<!-- commands run in ' ./*.md docs/*.md examples/*/*.md)
truth "there are pages with commands" test -n "$pages"
for page in $pages; do
    same_page "${page#./}" "$SOURCE/scripts/page" "$BUILD" "$SOURCE/$page"
done
finish
