# shellcheck shell=bash
# A server of MariaDB for tests, on a socket in a folder of its own, and its ODBC driver; source it
# after support.bash. The server is stopped, by its own pid, when the script ends.
server=$(mktemp -d /tmp/mingle-maria.XXXXXX)

stop_mariadb() {
    if [ -e "$server/pid" ]; then
        local pid
        pid=$(cat "$server/pid")
        kill -TERM "$pid"
        for _ in $(seq 200); do kill -0 "$pid" 2>/dev/null && sleep 0.1; done
    fi
    rm -rf "$server"
}
trap stop_mariadb EXIT

# maria STATEMENT...: as the owner of everything; rows without a header.
maria() {
    local statement
    for statement in "$@"; do
        mariadb --no-defaults -u root -S "$server/socket" --default-character-set=utf8mb4 -N \
            test -e "$statement" || return 1
    done
}

# Small, careless about a crash of the machine, and with a folder of its own for what it does not
# keep: a server that starts deletes what it finds there, also of others.
start_mariadb() {
    mariadb-install-db --no-defaults --user="$(id -un)" --datadir="$server/data" --skip-test-db \
        --auth-root-authentication-method=normal --tmpdir="$server" || return 1
    mariadbd --no-defaults --user="$(id -un)" --datadir="$server/data" --socket="$server/socket" \
        --skip-networking --pid-file="$server/pid" --innodb-buffer-pool-size=16M \
        --innodb-flush-log-at-trx-commit=0 --tmpdir="$server" "$@" &
    local i
    for ((i = 0; i < 300; i++)); do
        mariadb --no-defaults -u root -S "$server/socket" -e 'CREATE DATABASE test' \
            2>/dev/null && return 0
        sleep 0.1
    done
    return 1
}

# at TABLE [USER]: where it is.
at() {
    echo "odbc:DSN=${2:-root};?table=$1"
}

# need_mariadb [OPTION...]: starts the server; the script ends here where that cannot be.
need_mariadb() {
    local driver user program
    driver=$(find /usr/lib -name libmaodbc.so 2>/dev/null | head -1)
    for program in mariadbd mariadb mariadb-install-db; do
        if [ -z "$driver" ] || ! command -v $program >/dev/null; then
            echo "skipped: no server of MariaDB, or no ODBC driver for it"
            exit 77
        fi
    done
    if ! start_mariadb "$@" >"$server/log" 2>&1; then
        cat "$server/log"
        not_ok "a server starts" "see above"
        finish
    fi
    for user in root maker; do
        printf '[%s]\nDriver = %s\nSocket = %s\nServer = localhost\nDatabase = test\nUser = %s\n' \
            $user "$driver" "$server/socket" $user
    done >"$server/odbc.ini"
    export ODBCINI=$server/odbc.ini
    if "$MINGLE" check "$(at none)" --qi a -k 2 2>&1 | grep -q 'built without\|needs the library'; then
        echo "skipped: no ODBC"
        exit 77
    fi
}

# load TABLE FILE: the rows of a CSV file; empty cells are NULL.
load() {
    python3 - "$1" "$2" <<'END' >load.sql
import csv, sys
rows = list(csv.reader(open(sys.argv[2], newline="", encoding="utf-8")))[1:]
cell = lambda c: "CONVERT(X'%s' USING utf8mb4)" % c.encode().hex() if c else "NULL"
print("INSERT INTO %s VALUES" % sys.argv[1])
print(",\n".join("(%s)" % ",".join(map(cell, row)) for row in rows))
END
    maria "SOURCE load.sql"
}

# table_rows TABLE: its rows as rows_of gives those of a file; NULL is an empty cell.
table_rows() {
    maria "SELECT CONCAT('SELECT CONCAT_WS(\',\', ', GROUP_CONCAT(CONCAT('IFNULL(HEX(CAST(\`',
        REPLACE(column_name, '\`', '\`\`'), '\` AS CHAR CHARACTER SET utf8mb4)), \'\')')
        ORDER BY ordinal_position), ') FROM \`', REPLACE(table_name, '\`', '\`\`'), '\`')
        FROM information_schema.columns WHERE table_schema = 'test' AND table_name = '$1'" >rows.sql
    maria "$(cat rows.sql)" | python3 -c '
import sys
rows = [[bytes.fromhex(c).decode() for c in line.rstrip("\n").split(",")] for line in sys.stdin]
print("\n".join(sorted(repr(row) for row in rows)))'
}
