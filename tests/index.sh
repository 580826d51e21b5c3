#!/bin/bash
# tests/README.md says of each test what it is about, and of each module which tests it has; each
# script runs by hand.
set -u
. "$(dirname "$0")/support/by_hand.bash"

# gaps PAGE MODULES NAMES: what the tables of the page lack, one line each.
gaps() {
    local patterns modules pattern name module
    mapfile -t patterns < <(awk -F'|' '/^\| / { print $3 }' "$1" | grep -oE '`[a-z0-9_/*]+`' | tr -d '`')
    modules=$(awk -F'|' '/^\| `/ { print $2 }' "$1" | grep -oE '`[a-z_/]+`' | tr -d '`')
    for pattern in "${patterns[@]}"; do
        # shellcheck disable=SC2254
        while read -r name; do
            case $name in $pattern) continue 2 ;; esac
        done <"$3"
        echo "$pattern matches no test"
    done
    while read -r name; do
        for pattern in "${patterns[@]}"; do
            # shellcheck disable=SC2254
            case $name in $pattern) continue 2 ;; esac
        done
        echo "$name is in no row"
    done <"$3"
    while read -r module; do
        grep -qxF -e "$module" -e "${module%/*}" -e "${module%%/*}" <<<"$modules" || echo "$module has no row"
    done <"$2"
    while read -r module; do
        grep -qxF "$module" "$2" || echo "there is no module $module"
    done <<<"$modules"
}

check() { # NAME EXPECTED FOUND
    if [ "$2" = "$3" ]; then
        echo "ok - $1"
    else
        echo "not ok - $1"
        diff <(echo "$2") <(echo "$3")
    fi
}

sed -n 's/^\([a-z][a-z_/]*\):.*/\1/p' "$SOURCE/docs/modules.txt" >modules
env -u RESULTS "$SOURCE/tests/run" --all --list | sort -u >names
check "each module has tests, and each test a row" "" "$(gaps "$SOURCE/tests/README.md" modules names)"

# apart FOLDER: scripts that do not get the variables and a folder of their own when they run by hand.
apart() {
    grep -L '^\. "$(dirname "$0")/\(\.\./\)\{0,1\}support/by_hand.bash"$' "$1"/*.sh "$1"/*/*.sh |
        sed "s|^$1/||"
}
check "each script runs by hand" "" "$(apart "$SOURCE/tests")"

# ---- The check itself ----------------------------------------------------------------------------
printf '%s\n' '| module | tests |' '|---|---|' '| `base` | `unit/test_a*` `unit/test_c` |' '| `gone` | `frozen` |' >page.md
printf '%s\n' base base/part io >modules
printf '%s\n' unit/test_ab unit/test_b frozen >names
mkdir -p scripts/cli
echo '. "$SOURCE/tests/cli/support.bash"' >scripts/cli/a.sh
echo '. "$(dirname "$0")/support/by_hand.bash"' >scripts/b.sh
check "a script that does not run by hand is found" "cli/a.sh" "$(apart scripts)"
check "gaps are found" "unit/test_c matches no test
unit/test_b is in no row
io has no row
there is no module gone" "$(gaps page.md modules names)"
