#!/bin/bash
# Days and times as databases, Parquet and other files give them: dates() reads them, the suggestion
# and the advice know them, and what is no day is told with its place.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
. "$SOURCE/tests/cli/postgresql.bash"
library=${MINGLE_DUCKDB:-$BUILD/libduckdb.so}
steps='dates(hour,day,month,year)'

# Forty moments, two in each hour, in the years 2019 and 2020.
python3 - >moments <<'END'
import datetime
for i in range(20):
    first = datetime.datetime(2019 + i % 2, 1 + i % 12, 1 + i, i, 59 - i, i, 123456)
    for second in (0, 1):
        print((first + datetime.timedelta(seconds=second)).isoformat(sep=" "))
END
sed 's/:[0-9]*:[0-9.]*$//; s/ /T/' moments | sort >hours

# hours_of NAME DATA COLUMN [OPTION...]: at k = 2 the hours are released, the suggestion is one of
# dates with a time, and the advice takes the column for dates.
hours_of() {
    local name=$1 data=$2 column=$3
    shift 3
    expect 0 err '' anonymize "$data" --qi "$column" --hierarchy "$column=$steps" --rest drop -k 2 \
        --method mingen --quiet -o release.csv "$@"
    tail -n +2 release.csv | sort >got
    truth "$name: the hours" cmp -s hours got
    expect 0 out "^$column +dates\(hour,(day,)?month,(quarter,)?year\) +dates with a time" \
        hierarchy suggest "$data" "$@"
    expect 0 out "$column.*dates" risk "$data" --advise "$@"
}

# ---- Texts -----------------------------------------------------------------------------------------
{ echo t && cat moments; } >plain.csv
hours_of text plain.csv t
for zone in Z +02 +0200 +02:00 -05:30 +00:53:28 ' UTC'; do
    { echo t && sed "s/\$/$zone/" moments; } >zone.csv
    hours_of "text with $zone" zone.csv t
done
for outside in infinity -infinity '0044-03-15 12:00:00+00 BC' '12345-01-02 03:04:05'; do
    { echo t && cat moments && echo "$outside" && echo "$outside"; } >outside.csv
    expect 2 err "outside.csv:42: column 't', .*lies outside the years 0000 to 9999" anonymize \
        outside.csv --qi t --hierarchy "t=$steps" --rest drop -k 2 -o x.csv
    expect 0 out 'dates' hierarchy suggest outside.csv --missing ",$outside"
    expect 0 err '' anonymize outside.csv --qi t --hierarchy "t=$steps" --rest drop -k 2 \
        --method mingen --missing ",$outside" --quiet -o x.csv
done

# ---- JSON lines --------------------------------------------------------------------------------------
sed 's/.*/{"t":"&+00:00"}/' moments >moments.jsonl
hours_of "JSON lines" moments.jsonl t

# ---- Workbooks and statistics files ------------------------------------------------------------------
{ echo t && sed 's/ /T/; s/\.[0-9]*$//' moments; } >seconds.csv
for file in moments.xlsx moments.sav moments.dta; do
    if "$MINGLE" anonymize seconds.csv --qi t --rest drop -k 1 --keep-order --quiet -o $file 2>err; then
        hours_of "$file" $file t
    else
        ok "$file # SKIP the program was built without it"
    fi
done

# ---- SQLite ----------------------------------------------------------------------------------------
if command -v sqlite3 >/dev/null && "$MINGLE" help formats | grep -q sqlite; then
    {
        echo 'CREATE TABLE days (t TEXT, u DATETIME, z TEXT);'
        sed "s/.*/INSERT INTO days VALUES ('&', '&', '&+02:00');/" moments
    } | sqlite3 days.db
    for column in t u z; do
        hours_of "SQLite $column" 'sqlite:days.db?table=days' $column
    done
    expect 0 err '' anonymize 'sqlite:days.db?table=days' --qi t --hierarchy "t=$steps" --rest drop \
        -k 2 --method mingen --quiet -o 'sqlite:days.db?table=released'
    sqlite3 days.db 'SELECT t FROM released' | sort >got
    truth "SQLite in place: the hours" cmp -s hours got
else
    ok "SQLite # SKIP sqlite3 is not here"
fi

# ---- DuckDB and Parquet ------------------------------------------------------------------------------
if [ -e "$library" ]; then
    export MINGLE_DUCKDB=$library
    values=$(sed "s/.*/(TIMESTAMP '&')/" moments | paste -sd,)
    python3 -B "$SOURCE/tests/support/duckdb_statements.py" days.duckdb "SET TimeZone = 'Asia/Tokyo'" \
        "CREATE TABLE days AS SELECT t, CAST(t AS TIMESTAMP_NS) AS ns, CAST(t AS TIMESTAMP_MS) AS ms,
             CAST(t AS TIMESTAMP_S) AS s, CAST(CAST(t AS VARCHAR) || '+00' AS TIMESTAMPTZ) AS z
         FROM (VALUES $values) v(t)" \
        "COPY days TO 'days.parquet' (FORMAT parquet)" \
        "CREATE TABLE odd AS SELECT t FROM days UNION ALL SELECT CAST('infinity' AS TIMESTAMP)"
    for data in 'duckdb:days.duckdb?table=days' days.parquet; do
        for column in t ns ms s z; do
            hours_of "$data $column" "$data" $column
        done
        TZ=America/New_York hours_of "$data z in another zone" "$data" z
    done
    expect 2 err "days.duckdb, row 41: column 't', .*lies outside the years" anonymize \
        'duckdb:days.duckdb?table=odd' --qi t --hierarchy "t=$steps" --rest drop -k 2 -o x.csv
else
    ok "DuckDB and Parquet # SKIP make duckdb was not run"
fi

# ---- PostgreSQL ----------------------------------------------------------------------------------------
if has_postgresql && "$MINGLE" help formats | grep -q postgresql && start_server days; then
    base="postgresql:///test?host=$servers/days&user=owner"
    sql days 'CREATE TABLE days (t timestamp, z timestamptz, d date, s timestamp(0))' \
        "ALTER DATABASE test SET timezone = 'UTC'" "ALTER DATABASE test SET datestyle = 'SQL, DMY'" \
        "CREATE TABLE odd (t timestamp)" \
        "INSERT INTO odd VALUES ('infinity'), ('infinity'), ('0044-03-15 BC'), ('0044-03-15 BC')"
    sed "s/.*/INSERT INTO days VALUES ('&', '&+00', '&', date_trunc('second', timestamp '&'));/" \
        moments >rows.sql
    psql -h "$servers/days" -U owner -d test -q -f rows.sql
    for column in t z s; do
        hours_of "PostgreSQL $column" "$base&table=days" $column
    done
    expect 0 err '' anonymize "$base&table=days" --qi t --hierarchy "t=$steps" --rest drop -k 2 \
        --method mingen --quiet -o "$base&table=released"
    psql -h "$servers/days" -U owner -d test -Atc 'SELECT t FROM released' | sort >got
    truth "PostgreSQL in place: the hours" cmp -s hours got
    expect 2 err "column 't', .*lies outside the years 0000 to 9999" anonymize "$base&table=odd" \
        --qi t --hierarchy "t=$steps" --rest drop -k 2 -o x.csv
else
    ok "PostgreSQL # SKIP there is no server"
fi
finish
