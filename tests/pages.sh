#!/bin/bash
# Every page of docs is in the navigation of the site that make docs makes, which is docs/README.md,
# and each page that it names is there; pages that newcomers read are short; where MkDocs is installed,
# it finds no broken link.
set -u
. "$(dirname "$0")/support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

# gaps FOLDER: pages without a place in the navigation, places without a page.
gaps() {
    diff <(cd "$1" && find . -maxdepth 1 -name '*.md' -printf '%P\n' | LC_ALL=C sort) \
        <(python3 "$SOURCE/scripts/navigation.py" "$1/README.md" | sed -n 's/^ *- \(.*\.md\)$/\1/p' | LC_ALL=C sort)
}

gaps "$SOURCE/docs" >found
truth "every page of docs is in docs/README.md" diff found /dev/null
# What a newcomer reads stays short; what belongs to a file stands in its header.
truth "architecture.md has at most 2,000 words" test "$(wc -w <"$SOURCE/docs/architecture.md")" -le 2000
truth "performance.md is one page" test "$(wc -l <"$SOURCE/docs/performance.md")" -le 60

# ---- The check itself, and what becomes of links --------------------------------------------------
mkdir pages
printf '%s\n' '# Pages' '[start](start.md)' '## How to' 'See [two.md](two.md).' '- [one.md](one.md): one' \
    '- [one.md](one.md) and [gone.md](gone.md)' '## About' 'Nothing.' >pages/README.md
touch pages/one.md pages/two.md
gaps pages >found
truth "gaps are found" test "$(grep '^[<>]' found | paste -s -d ' ')" = "> gone.md < two.md"
truth "the navigation" test "$(python3 "$SOURCE/scripts/navigation.py" pages/README.md)" = "nav:
  - README.md
  - How to:
      - one.md
      - gone.md"

PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$SOURCE/scripts python3 - >links <<'END'
import types

import site_links

page = types.SimpleNamespace(file=types.SimpleNamespace(src_uri="one.md"))
files = types.SimpleNamespace(get_file_from_path={"two.md": 1, "pictures/a.png": 1}.get)
for line in ("[two](two.md#x) ![a](pictures/a.png)", "[notes](../bench/NOTES.md#x)", "[`bench/a.c`](../bench/a.c)",
             "[else](https://example.org/a)", "    [notes](../NOTES.md)", "[below](#below)"):
    print(site_links.on_page_markdown(line, page, None, files))
END
cat >expected <<'END'
[two](two.md#x) ![a](pictures/a.png)
notes (`bench/NOTES.md`)
`bench/a.c`
[else](https://example.org/a)
    [notes](../NOTES.md)
[below](#below)
END
truth "links to what is no page become text" diff links expected

# ---- The site -----------------------------------------------------------------------------------------
if [ -x "$BUILD/docs/tools/bin/mkdocs" ]; then
    truth "the site is made, without a broken link" "$SOURCE/scripts/docs" "$BUILD/docs"
    truth "it loads nothing from elsewhere" test -z \
        "$(grep -rlE '(src|href)="(https?:)?//[^"]*\.(js|css)' "$BUILD/docs/site" --include='*.html')"
else
    echo "# skipped: MkDocs is not installed (make docs)"
fi
finish
