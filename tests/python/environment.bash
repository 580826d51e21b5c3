# For tests of the Python package: the package as the build folder's library makes it, and
# environments with the libraries it works with, each made once for a build folder.

# site: the folder that has the package. It is built by the interpreter of the system and fits
# all that are as new: the extension keeps to the limited API.
make_site() {
    local folder=$BUILD/python
    {
        flock 9
        cmake --install "$BUILD" --prefix "$folder/library" &&
            cmake -S "$SOURCE/python" -B "$folder/extension" -G Ninja -DCMAKE_BUILD_TYPE=Release \
                -DMGL_ENGINE=installed -DCMAKE_PREFIX_PATH="$folder/library" \
                -DPython_EXECUTABLE="$(command -v python3)" &&
            cmake --build "$folder/extension" &&
            cmake --install "$folder/extension" --prefix "$folder/site"
    } 9>"$BUILD/python.lock" >site.log 2>&1 || {
        cat site.log
        return 1
    }
    export PYTHONPATH=$folder/site PYTHONDONTWRITEBYTECODE=1
}

# environment NAME PACKAGE...: sets python to an interpreter that has them; 77: they cannot be had.
environment() {
    local name=$1 folder=$BUILD/python/$1
    shift
    python=$folder/bin/python
    {
        flock 9
        if [ "$(cat "$folder/packages" 2>/dev/null)" != "$*" ]; then
            rm -rf "$folder"
            python3 -m venv "$folder" && timeout 900 "$folder/bin/pip" install --quiet "$@" &&
                echo "$*" >"$folder/packages"
        fi
    } 9>"$BUILD/python-$name.lock" >environment.log 2>&1 || {
        rm -rf "$folder"
        echo "skipped: $* cannot be installed here"
        return 77
    }
}

# The environment with the newest of all libraries that the package works with.
newest_environment() {
    environment newest pytest hypothesis pandas polars pyarrow duckdb narwhals 'ibis-framework[duckdb]' \
        matplotlib scikit-learn tqdm nbclient nbformat ipykernel
}

# The environment with Spark, which needs a JDK as well.
spark_environment() {
    environment spark pytest 'ibis-framework[pyspark]==12.0.0' 'sqlglot==30.30.0' 'pyspark>=4,<5' \
        'pandas<3' pyarrow
}

# Tests of the package that take longer, which have a run of their own, by line.
longer_tests() {
    printf '%s\n' "$SOURCE/python/tests"/test_{docs,running,classifier,tutorial,sklearn,readme}.py
}

# The environment with packages that do alike; they take an older pandas than the newest.
others_environment() {
    environment others pytest hypothesis pyarrow pycanon anjana
}

# The tests of the package, each a line of TAP.
run_package_tests() {
    run_tests_in "$SOURCE/python/tests" --ignore="$SOURCE/python/tests/engines" "$@"
}

# Those of tables in engines; ENGINES names them.
run_engine_tests() {
    run_tests_in "$SOURCE/python/tests/engines" "$@"
}

run_tests_in() {
    MINGLE=$MINGLE_RELEASE TAP=1 "$python" -m pytest -q -p no:cacheprovider "$@" >pytest.log 2>&1
    local status=$?
    grep -aE '^(ok|not ok) ' pytest.log
    [ $status -eq 0 ] || sed 's/^/# /' pytest.log
    return $status
}
