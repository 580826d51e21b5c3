#!/bin/bash
# Comments: every .c file of src opens with a sentence, and pages, headings and files that comments
# name, and files that pages name, are there (words.py).
set -eu
. "$(dirname "$0")/support/by_hand.bash"

echo 1..2
if found=$(python3 "$SOURCE/tests/words.py" "$SOURCE"); then
    echo "ok 1 - .c files open with a sentence, and what comments and pages name is there"
else
    echo "not ok 1 - .c files open with a sentence, and what comments and pages name is there"
    echo "$found"
fi

# ---- The check itself: each line below must be caught, and nothing else -------
mkdir -p docs src/module
cat >docs/page.md <<'END'
# Page
## Two words
`src/module/good.c` `module/good.c` `module/gone.c` `*_.c` `ot*.c` `src/MODULE/x.c` `src/attic`
END
good='/* Does what docs/page.md#two-words says; other.c calls it. */'
printf '%s\nint a = '\''"'\''; /* x.y */\n' "$good" >src/module/good.c
printf '%s\nconst char *s = "/* docs/none.md";\n' "$good" >src/module/other.c
printf '#include "module.h"\n' >src/module/bare.c
printf '/* A title. */\n' >src/module/title.c
printf '/* This is no sentence because it does not end */\n' >src/module/endless.c
printf '/* See docs/none.md. */\n/* See\n * docs/page.md#three. */\n/* gone.c knows. */\n' >src/module/module.h
expected='docs/page.md: there is no module/gone.c
docs/page.md: there is no *_.c
docs/page.md: there is no src/attic
src/module/bare.c:1: does not open with a comment that says what the file is for
src/module/endless.c:1: opens with a comment that is no sentence: This is no sentence because it does not end
src/module/module.h:1: there is no docs/none.md
src/module/module.h:2: there is no heading #three in docs/page.md
src/module/module.h:4: there is no file gone.c
src/module/title.c:1: opens with a comment that is no sentence: A title.'
found=$(python3 "$SOURCE/tests/words.py" . || true)
if [ "$found" = "$expected" ]; then
    echo "ok 2 - violations are caught, and nothing else"
else
    echo "not ok 2 - violations are caught, and nothing else"
    diff <(echo "$expected") <(echo "$found") || true
fi
