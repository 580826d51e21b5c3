# shellcheck shell=bash
# Servers of PostgreSQL for tests, each on a socket in a folder of its own; source it after
# support.bash. Servers are stopped, by their own pids, when the script ends.
servers=$(mktemp -d /tmp/mingle-pg.XXXXXX)
programs=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -1)

# PostgreSQL refuses to run as root.
as_server() {
    if [ "$(id -u)" -eq 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

has_postgresql() {
    [ -n "$programs" ] && [ -x "$programs/postgres" ] && command -v psql >/dev/null &&
        { [ "$(id -u)" -ne 0 ] || id postgres >/dev/null 2>&1; }
}

# start_server NAME [PORT]: a fresh server; its location is postgresql:///test?host=$servers/NAME. With a
# port it listens on 127.0.0.1, too.
start_server() {
    local folder=$servers/$1
    if [ ! -d "$servers/template" ]; then
        mkdir "$servers/template"
        [ "$(id -u)" -ne 0 ] || chown postgres "$servers" "$servers/template"
        (cd / && as_server "$programs/initdb" -D "$servers/template/data" -U owner -A trust -E UTF8 \
            --no-locale --no-sync >"$servers/template/log" 2>&1) || return 1
    fi
    as_server cp -r "$servers/template" "$folder" || return 1
    cat >>"$folder/data/postgresql.conf" <<END
listen_addresses = '${2:+127.0.0.1}'
port = ${2:-5432}
unix_socket_directories = '$folder'
fsync = off
shared_buffers = 8MB
max_connections = 20
END
    (cd / && as_server "$programs/postgres" -D "$folder/data" >"$folder/log" 2>&1 &)
    local i
    for ((i = 0; i < 300; i++)); do
        psql -h "$folder" -p "${2:-5432}" -U owner -d postgres -qc 'CREATE DATABASE test' >/dev/null 2>&1 && return 0
        sleep 0.1
    done
    cat "$folder/log"
    return 1
}

stop_servers() {
    local file
    for file in "$servers"/*/data/postmaster.pid; do
        [ -e "$file" ] && kill -INT "$(head -1 "$file")"
    done
    for file in "$servers"/*/data/postmaster.pid; do
        for _ in $(seq 100); do [ -e "$file" ] && sleep 0.1; done
    done
    rm -rf "$servers"
}
trap stop_servers EXIT

# sql NAME STATEMENT...: as the owner of everything.
sql() {
    local server=$1 statement
    shift
    for statement in "$@"; do
        psql -h "$servers/$server" -p "$(sed -n 's/^port = //p' "$servers/$server/data/postgresql.conf")" \
            -U owner -d test -qAtX -v ON_ERROR_STOP=1 -c "$statement" || return 1
    done
}

# at ROLE TABLE: a table of server "one".
at() {
    echo "postgresql://$1@/test?host=$servers/one&table=$2"
}

# Starts server "one"; the script ends here where that cannot be.
need_server() {
    if ! has_postgresql; then
        echo "skipped: no PostgreSQL server"
        exit 77
    fi
    if ! start_server one >log 2>&1; then
        cat log
        not_ok "a server starts" "see above"
        finish
    fi
    if "$MINGLE" check "$(at owner none)" --qi a -k 2 2>&1 |
        grep -q 'built without\|needs the library'; then
        echo "skipped: no libpq"
        exit 77
    fi
}
