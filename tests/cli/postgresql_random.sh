#!/bin/bash
# shellcheck disable=SC2154 # variables of helpers
# Random jobs inside PostgreSQL against the same jobs on files, and kills at 20 moments. TIMES says
# how many jobs, SEED which.
. "$SOURCE/tests/cli/support.bash"
. "$SOURCE/tests/cli/postgresql.bash"
need_server
truth "random jobs give the same rows, and kills leave nothing" python3 \
    "$SOURCE/tests/cli/postgresql_random.py" "$MINGLE" "$servers/one" "${TIMES:-12}" "${SEED:-1}"
finish
