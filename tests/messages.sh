#!/bin/bash
# What the library says: keys of jobs instead of options, and codes that are named, used and told
# (messages.py).
# shellcheck disable=SC2016 # backquotes of messages
set -eu
. "$(dirname "$0")/support/by_hand.bash"

echo 1..2
if found=$(python3 "$SOURCE/tests/messages.py" "$SOURCE"); then
    echo "ok 1 - strings name keys, not options, and codes of errors are named, used and told"
else
    echo "not ok 1 - strings name keys, not options, and codes of errors are named, used and told"
    echo "$found"
fi

# ---- The check itself: each line below must be caught, and nothing else -------
mkdir -p docs src/base src/cli src/module src/job/keys include/mingle
cat >include/mingle/error.h <<'END'
typedef enum mgl_code {
    MGL_CODE_NONE = 0,
    MGL_CODE_DATA = 100, /* bad */
    MGL_CODE_GONE,       /* not there */
    MGL_CODE_IDLE,
    MGL_CODE_NAMELESS,
    MGL_CODE_UNTOLD
} mgl_code;
END
cat >src/base/error_codes.c <<'END'
{MGL_CODE_NONE, "none"}, {MGL_CODE_DATA, "data"}, {MGL_CODE_GONE, "gone"}, {MGL_CODE_IDLE, "idle"},
{MGL_CODE_UNTOLD, "untold"}
END
printf '| 100 | `data` | bad |\n| 101 | `gone` | x |\n| 102 | `idle` | x |\n| 9 | `old` | x |\n' \
    >docs/library.md
printf '.name = "suppress", .field = "level"\n' >src/job/keys/rows.c
printf 'puts("--help");\n' >src/cli/main.c
cat >src/module/good.c <<'END'
/* "give --suppress" */ fail(MGL_CODE_GONE, "a--b, -- c: `suppress` and `suppress: "
    "5`, `attributes.%s.level: 1`, `%s`, `help all`", MGL_CODE_NAMELESS, MGL_CODE_UNTOLD);
END
cat >src/module/bad.c <<'END'
fail("give --suppress",
    "`supress`", "a `role: "
    "quasi` and `x y`");
END
expected='src/module/bad.c:1: names the option --suppress
src/module/bad.c:2: `supress` is no key
src/module/bad.c:2: `x y` is no key
include/mingle/error.h: nothing fails with MGL_CODE_IDLE
include/mingle/error.h: MGL_CODE_NAMELESS has no name
docs/library.md: has no row | 104 | `untold` |
docs/library.md: there is no code old'
found=$(python3 "$SOURCE/tests/messages.py" . || true)
if [ "$found" = "$expected" ]; then
    echo "ok 2 - violations are caught, and nothing else"
else
    echo "not ok 2 - violations are caught, and nothing else"
    diff <(echo "$expected") <(echo "$found") || true
fi
