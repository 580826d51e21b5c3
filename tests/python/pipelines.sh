#!/bin/bash
# Checks for pipelines with the packages they are for, and the examples: a job of Spark and a DAG of
# Airflow. These are compiled; SPARK_ALL=1 runs the job on one machine, AIRFLOW=1 installs Airflow,
# which takes minutes, and runs the DAG.
# shellcheck disable=SC2154 # environment sets python
# slow: packages of others
set -u
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/python/environment.bash"
mkdir -p "$BUILD/python"
examples=$SOURCE/examples/pipelines
status=0
told() {
    if [ "$1" = 0 ]; then
        echo "ok - $2"
    else
        echo "not ok - $2"
        sed 's/^/# /' "$3"
        status=1
    fi
}

for example in spark_job airflow_dag; do
    python3 -c 'import sys; compile(open(sys.argv[1]).read(), sys.argv[1], "exec")' "$examples/$example.py" 2>compile.log
    told $? "$example compiles" compile.log
done
make_site || exit 1
if environment checks pytest 'pandera[pandas]' 'great_expectations>=1,<2' >skipped; then
    run_package_tests -m pipelines || status=1
else
    echo "ok - pandera and Great Expectations # SKIP $(cat skipped)"
fi

if [ -z "${SPARK_ALL:-}" ]; then
    echo 'ok - the Spark job # SKIP SPARK_ALL=1 runs it'
elif command -v java >/dev/null && spark_environment; then
    export SPARK_LOCAL_IP=127.0.0.1
    "$python" "$SOURCE/tests/support/pipeline_tables.py" people
    "$python" "$examples/spark_job.py" people released >spark.log 2>&1
    told $? "the Spark job runs" spark.log
    grep -q 'combinations left Spark' spark.log && [ -e released/_SUCCESS ]
    told $? "it releases, and says what left Spark" spark.log
    ! "$python" "$examples/spark_job.py" people released >again.log 2>&1 && [ -e released/_SUCCESS ]
    told $? "it replaces nothing" again.log
else
    echo 'ok - the Spark job # SKIP no JDK, or PySpark cannot be installed'
fi

if [ -z "${AIRFLOW:-}" ]; then
    echo 'ok - the DAG runs # SKIP AIRFLOW=1 installs Airflow and runs it'
elif ! environment airflow 'apache-airflow>=3,<4' 'ibis-framework[duckdb]==12.0.0' 'duckdb<2' 'sqlglot==30.9.0' >skipped; then
    echo "ok - the DAG runs # SKIP $(cat skipped)"
else
    export AIRFLOW_HOME=$PWD/airflow AIRFLOW__CORE__LOAD_EXAMPLES=False AIRFLOW__CORE__DAGS_FOLDER=$examples
    export WAREHOUSE=$PWD/warehouse.duckdb RELEASES=$PWD/releases
    mkdir -p releases
    "$python" "$SOURCE/tests/support/pipeline_tables.py" "$WAREHOUSE"
    { "$BUILD/python/airflow/bin/airflow" db migrate && "$python" "$SOURCE/tests/support/run_dag.py" \
        "$examples/airflow_dag.py"; } >airflow.log 2>&1
    told $? "the DAG runs" airflow.log
    [ -e releases/newest/part-0.parquet ] && ls releases/*.xml >/dev/null
    told $? "the newest release passed the gate" airflow.log
fi
exit $status
