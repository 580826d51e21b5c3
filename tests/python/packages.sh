#!/bin/bash
# The source package and the wheel: what is in them, that a wheel is made of the source package and
# works by itself, and that the extension keeps to the limited API. The library in that wheel is the
# one of the build folder; `make python` compiles the one of the source package, which takes minutes.
set -u
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/python/environment.bash"
mkdir -p "$BUILD/python"
make_site || exit 1
unset PYTHONPATH
environment packages build scikit-build-core abi3audit || exit
tools=$BUILD/python/packages/bin
fail() {
    echo "not ok - $1"
    [ -z "${2:-}" ] || sed 's/^/# /' "$2"
    exit 1
}

mkdir -p made
PATH=$tools:$PATH "$tools/pyproject-build" --no-isolation --sdist --outdir made "$SOURCE/python" \
    >sdist.log 2>&1 || fail "the source package is made" sdist.log
[ ! -e "$SOURCE/python/engine" ] || fail "making it leaves nothing behind"
sdist=$(echo made/*.tar.gz)
tar tzf "$sdist" | sed 's|^[^/]*/||' >listed
for name in PKG-INFO README.md pyproject.toml backend.py CMakeLists.txt core/module.c mingle/py.typed \
    mingle/_core.pyi mingle/engines/__init__.py engine/CMakeLists.txt engine/LICENSE \
    engine/include/mingle.h engine/src/mingle.c; do
    grep -qx "$name" listed || fail "the source package has $name" listed
done
grep -qE '^(tests|scripts)/|\.so$|__pycache__' listed &&
    fail "the source package has no more than it needs" listed
sed -n 's|^engine/||p' listed | grep -v '/$' | sort >carried
(cd "$SOURCE" && find CMakeLists.txt LICENSE cmake include src -type f) | sort >needed
diff needed carried >differences || fail "the source package has the whole library" differences
echo "ok - the source package is complete"

mkdir -p unpacked && tar xzf "$sdist" -C unpacked --strip-components 1
cmake -S unpacked -B configured -G Ninja >configure.log 2>&1 ||
    fail "the source package is configured by itself" configure.log
PATH=$tools:$PATH "$tools/pip" wheel --quiet --no-build-isolation --no-deps --wheel-dir made \
    -C cmake.define.MGL_ENGINE=installed -C "cmake.define.CMAKE_PREFIX_PATH=$BUILD/python/library" \
    ./unpacked >wheel.log 2>&1 || fail "a wheel is made of the source package" wheel.log
wheel=$(echo made/*.whl)
case $wheel in
*-cp311-abi3-linux_*.whl) ;;
*) fail "the wheel is for CPython 3.11 and later: $wheel" ;;
esac
python3 -m zipfile -l "$wheel" | awk 'NR > 1 { print $1 }' >listed
for name in mingle/__init__.py mingle/_core.abi3.so mingle/_core.pyi mingle/py.typed mingle/sklearn.py \
    mingle/engines/__init__.py; do
    grep -qx "$name" listed || fail "the wheel has $name" listed
done
grep -vE '^mingle(/|_privacy-[0-9.]+\.dist-info/)' listed | grep . && fail "the wheel has the package alone" listed
echo "ok - the wheel has the package alone"

# What a build needs is asked for before it begins.
asks='import sys; sys.path.insert(0, sys.argv[1]); import backend; print(backend.get_requires_for_build_wheel())'
(cd "$SOURCE/python" && PATH=/nonexistent "$tools/python" -B -c "$asks" .) >asked.log 2>&1 &&
    fail "a build without a compiler ends at once" asked.log
grep -q 'without a C compiler, pkg-config' asked.log && grep -q 'apt-get install gcc' asked.log ||
    fail "a build says what it lacks" asked.log
(cd "$SOURCE/python" && "$tools/python" -B -c "$asks" .) >asked.log 2>&1 || fail "a build that lacks nothing begins" asked.log
echo "ok - what a build needs is asked for before it begins"

"$tools/abi3audit" --strict --verbose "$wheel" >audit.log 2>&1 ||
    fail "the extension keeps to the limited API" audit.log
echo "ok - the extension keeps to the limited API"

{ python3 -m venv fresh && fresh/bin/pip install --quiet --no-deps "$wheel"; } >install.log 2>&1 ||
    fail "the wheel is installed" install.log
printf 'age,zip\n30,02138\n30,02138\n31,02139\n31,02139\n' >table.csv
fresh/bin/python -c '
import mingle
assert mingle.check("table.csv", quasi=["age", "zip"], k=2).holds
assert mingle.features()["formats"]["csv"]["state"] == "built in"
try:
    mingle.anonymize("table.csv", quasi=["age", "zip"], k=2).to_pandas()
except ImportError:
    pass  # pandas is not there, and nothing else asks for it
' || fail "it works where nothing else is installed"
echo "ok - it works where nothing else is installed"

# As for an interpreter without the lock, which has no limited API: one version alone.
{
    cmake -S "$SOURCE/python" -B whole -G Ninja -DCMAKE_BUILD_TYPE=Release -DMGL_ENGINE=installed \
        -DMINGLE_WHOLE_API=ON -DCMAKE_PREFIX_PATH="$BUILD/python/library" \
        -DPython_EXECUTABLE="$(command -v python3)" &&
        cmake --build whole &&
        cmake --install whole --prefix "$PWD/whole-site"
} >whole.log 2>&1 ||
    fail "the module is built on the whole API" whole.log
[ ! -e whole-site/mingle/_core.abi3.so ] || fail "a module on the whole API is not for all versions"
PYTHONPATH=whole-site python3 -c 'import mingle
assert mingle.check("table.csv", quasi=["age", "zip"], k=2).holds' ||
    fail "the module on the whole API works"
echo "ok - the module is built on the whole API as well"
