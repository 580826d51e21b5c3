#!/bin/bash
# shellcheck disable=SC2154 # support.bash sets small
# Targets that cannot be written, limits of memory and stack, two runs at once, and surroundings
# (time zone, language, folder for temporary files) that must not matter.
# sanitized: memory and system calls fail
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
small_table
release=(anonymize data.csv "${small[@]}" -k 2 --keep-order --quiet --threads 2 --seed 1)

# ---- Targets ------------------------------------------------------------------------------------

is_full_device() { test -c /dev/full && test "$(stat -c %t:%T /dev/full)" = 1:7; }
expect 4 err '/dev/full: cannot write' "${release[@]}" -o /dev/full
truth "/dev/full is written to, not replaced" is_full_device
ln -s /dev/full link
expect 4 err 'cannot write' "${release[@]}" -o link
truth "a link to it stays a link" test -L link
truth "a link to a full device still leads there" is_full_device
expect 4 err 'cannot write' "${release[@]}" -o good.csv --result /dev/full
expect 4 err 'cannot write' check data.csv --qi race -k 2 --quiet --result /dev/full
expect 4 err 'cannot write' count data.csv --qi race --rest drop --quiet -o /dev/full
expect 4 err 'cannot write' hierarchy build data.csv --hierarchy 'zip=mask(right,2)' -o /dev/full
expect 0 '' '' "${release[@]}" -o /dev/null
truth "/dev/null stays a device" test -c /dev/null

# Root may write anywhere unless it gives that up.
mkdir closed
echo old >closed/release.csv
chmod 500 closed
humble=()
if [ "$(id -u)" = 0 ]; then
    humble=(setpriv '--bounding-set=-dac_override,-dac_read_search'
        '--inh-caps=-dac_override,-dac_read_search')
fi
if "${humble[@]}" sh -c '! touch closed/x' 2>/dev/null; then
    code=0
    "${humble[@]}" "$MINGLE" "${release[@]}" -o closed/release.csv >out 2>err || code=$?
    check_result "a folder that is read-only" 4 $code err 'cannot write in its folder'
    truth "a failed run leaves the old release" test "$(cat closed/release.csv)" = old
    truth "a failed run leaves no other file" test "$(ls -A closed)" = release.csv
else
    echo "skipped: the rights of root cannot be given up here"
fi
chmod 700 closed
code=0
TMPDIR=$PWD/nowhere "$MINGLE" "${release[@]}" -o - >out 2>err <data.csv || code=$?
check_result "no folder for temporary files" 4 $code err '^mingle: .*temporary'

# ---- Two runs to one target ------------------------------------------------------------------------

"$MAKE_PATIENTS" patients.csv 2000
job=(anonymize patients.csv --qi 'birth,sex,zip' --rest drop --hierarchy 'birth=dates(month,year)'
    --hierarchy 'zip=mask(right)' --method datafly --suppress 5% --keep-order --quiet)
for k in 2 50; do
    "$MINGLE_RELEASE" "${job[@]}" -k $k -o $k.csv || not_ok "k $k" "failed"
done
mkdir both
bad=''
for round in 1 2 3 4 5; do
    "$MINGLE_RELEASE" "${job[@]}" -k 2 -o both/release.csv &
    first=$!
    "$MINGLE_RELEASE" "${job[@]}" -k 50 -o both/release.csv || bad="$bad second of $round failed;"
    wait $first || bad="$bad first of $round failed;"
    cmp -s both/release.csv 2.csv || cmp -s both/release.csv 50.csv ||
        bad="$bad round $round: neither of the two;"
    [ "$(ls -A both)" = release.csv ] || bad="$bad round $round left: $(ls -A both);"
done
truth "of two runs to one target one is there, whole" test -z "$bad"
truth "releases for different seeds differ" test -n "$(cmp 2.csv 50.csv 2>&1)"

# ---- Surroundings ----------------------------------------------------------------------------------

plain=(-o release.csv --result result.json)
"$MINGLE" "${release[@]}" "${plain[@]}"
mv release.csv plain.csv
without_times() { python3 -c '
import json, sys
def strip(x):
    if isinstance(x, dict):
        return {k: strip(v) for k, v in x.items() if k != "seconds"}
    return [strip(v) for v in x] if isinstance(x, list) else x
print(json.dumps(strip(json.load(open(sys.argv[1])))))' "$1"; }
without_times result.json >plain
surrounded() { # NAME VARIABLE=VALUE...
    local name=$1 code=0
    shift
    env "$@" "$MINGLE" "${release[@]}" "${plain[@]}" 2>err || code=$?
    without_times result.json >other
    truth "the same release with $name" \
        eval "[ $code = 0 ] && cmp -s plain.csv release.csv && cmp -s plain other"
    rm -f release.csv result.json
}
surrounded "another time zone" TZ=Pacific/Kiritimati
surrounded "a time zone that does not exist" TZ=:/nowhere
surrounded "a language that is not installed" LC_ALL=xx_YY.nothing LANG=xx
surrounded "an empty environment" -i
# A language with a decimal comma, made here.
if localedef -i de_DE -f UTF-8 --no-archive "$PWD/de_DE.UTF-8" >/dev/null 2>&1; then
    surrounded "a decimal comma" LOCPATH="$PWD" LC_ALL=de_DE.UTF-8
fi

# ---- Limits -----------------------------------------------------------------------------------------

# The optimized program: sanitizers need more of both.
python3 - <<'END'
with open("deep.csv", "w") as data, open("levels.csv", "w") as levels:
    data.write("a,b\n")
    for v in range(64):
        data.write(f"v{v},{v % 4}\n")
        levels.write(";".join([f"v{v}"] + [f"n{i}.{v >> i}" for i in range(1, 6)] +
                              [f"top{i}" for i in range(245)]) + "\n")
END
for method in $("$MINGLE_RELEASE" help methods | awk '/^  [a-z]/ { print $1 }'); do
    [ "$method" != microaggregate ] || continue
    code=0 more=()
    [ "$method" != mu-argus ] || more=(--accept unsafe)
    (
        ulimit -s 192
        exec "$MINGLE_RELEASE" anonymize deep.csv --qi a,b --hierarchy a=levels.csv -k 2 \
            --suppress 4 "${more[@]}" --method "$method" --threads 2 -o "deep-$method.csv" --quiet
    ) >out 2>err || code=$?
    check_result "a small stack and a deep hierarchy, $method" 0 $code err ''
done
code=0
(ulimit -s 192; exec "$MINGLE_RELEASE" hierarchy show deep.csv --qi a --hierarchy a=levels.csv) \
    >shown 2>err || code=$?
: >out
check_result "a small stack and a deep hierarchy, shown" 0 $code err ''

# From too little to start to more than enough. The loader's own failure is 127.
# A run that gets no second thread may do with less memory than one that does.
bad='' refused=0
for kilobytes in 12000 14000 17000 20000 24000 28000 32000 40000 60000 100000 1000000; do
    echo old >small.csv
    code=0
    (
        ulimit -v $kilobytes
        exec "$MINGLE_RELEASE" anonymize patients.csv --qi birth,sex,zip --rest drop \
            --hierarchy 'birth=dates(month,year)' --hierarchy 'zip=mask(right)' -k 5 --method mondrian \
            --threads 2 -o small.csv --quiet
    ) >out 2>err || code=$?
    case $code in
    0) ;;
    4)
        refused=$((refused + 1))
        grep -Eq '^mingle: .*(memory|thread)' err || bad="$bad $kilobytes kB: $(cat err);"
        [ "$(cat small.csv)" = old ] || bad="$bad $kilobytes kB: the old file is gone;"
        ;;
    127) ;;
    *) bad="$bad $kilobytes kB: exit $code: $(cat err);" ;;
    esac
done
truth "memory that is not there: exit 4, a message, the old file${bad:+:$bad}" test -z "$bad"
truth "some of the limits were too small" test $refused -gt 0
truth "the last was large enough" test $code = 0
finish
