#!/bin/bash
# Frames of Spark that stay in it: PySpark on this machine, one session for all tests.
# slow: packages of others
set -u
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/python/environment.bash"
mkdir -p "$BUILD/python"
command -v java >/dev/null || {
    echo 'skipped: a JDK is not installed (openjdk-17-jre-headless)'
    exit 77
}
make_site || exit 1
spark_environment || exit
# A sample, since a JVM takes its time: SPARK_ALL=1 runs all of test_spark.py, and some of the
# tests of all engines.
# Arguments for pytest choose others.
tests='test_spark and test_what_leaves'
[ $# -eq 0 ] || {
    ENGINES=spark run_engine_tests "$@"
    exit
}
[ -z "${SPARK_ALL:-}" ] || tests='test_spark or test_names or test_adult or test_many_rows or test_order or test_base_level or test_below'
ENGINES=spark run_engine_tests -k "$tests" || exit
# A master and two workers as processes of their own.
[ -z "${SPARK_ALL:-}" ] || ENGINES=cluster run_engine_tests -k test_cluster
