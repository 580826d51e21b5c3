# shellcheck shell=bash disable=SC2034 # what it sets is for those who source it
# Helpers of the CLI tests: each expectation is one TAP line. Source it, then call
# expect; end with finish.
set -u
number=0 failures=0
. "$SOURCE/tests/support/draws.bash"

ok() { # ok NAME
    number=$((number + 1))
    echo "ok $number - $1"
}

not_ok() { # not_ok NAME WHY
    number=$((number + 1))
    failures=$((failures + 1))
    printf 'not ok %d - %s\n%s\n' "$number" "$1" "$2" | sed '2,$s/^/# /'
}

# expect CODE WHERE PATTERN ARGUMENT...: runs the program; PATTERN (a regular expression,
# empty: any) must match a line of WHERE (out or err). The output stays in files out and err.
expect() {
    local code=$1 where=$2 pattern=$3 got=0
    shift 3
    "$MINGLE" "$@" >out 2>err || got=$?
    check_result "mingle $*" "$code" "$got" "$where" "$pattern"
}

check_result() {
    local name=$1 code=$2 got=$3 where=$4 pattern=$5
    name=${name//$'\n'/ }
    if [ "$got" != "$code" ]; then
        not_ok "$name" "exit code $got, expected $code: $(head -c 2000 err)"
    elif [ -n "$pattern" ] && ! grep -Eq -e "$pattern" "$where"; then
        not_ok "$name" "no line of $where matches $pattern: $(head -c 2000 "$where")"
    elif [ "$code" -ge 2 ] && [ -s out ]; then
        not_ok "$name" "a failure printed to stdout: $(head -c 500 out)"
    elif [ "$code" -ge 2 ] && ! grep -q '^mingle: ' err && [ "$(wc -l <err)" -le 1 ]; then
        not_ok "$name" "the message does not begin with 'mingle: ': $(cat err)"
    else
        ok "$name"
    fi
}

# truth NAME COMMAND...: the command succeeds.
truth() {
    local name=$1
    shift
    if "$@"; then ok "$name"; else not_ok "$name" "failed: $*"; fi
}

# same_page PAGE COMMAND...: the command prints the page.
same_page() {
    local page=$1 code=0 difference
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

finish() {
    echo "1..$number"
    [ $failures -eq 0 ]
    exit
}

# The 8 rows of a small table: race, zip, disease.
small_table() {
    cat >data.csv <<'END'
name,race,zip,disease
Ann,black,02138,flu
Bob,black,02139,cold
Cyd,black,02141,flu
Dan,black,02142,cold
Eve,white,02138,flu
Fay,white,02139,flu
Gus,white,02141,cold
Hal,white,02142,flu
END
}
small=(--qi race,zip --hierarchy 'zip=mask(right,2)' --hierarchy race=suppress --identifier name
    --sensitive disease)
