#!/bin/bash
# What src has external is used by another file of src, and nothing is there for tests alone
# (unused.py says what that means); and the check catches what it is to catch.
set -eu
. "$(dirname "$0")/support/by_hand.bash"
check=$SOURCE/tests/unused.py
command -v nm >/dev/null || { echo "skipped: nm is not installed"; exit 77; }
# Of the test build, where each file is an object.
[ -d "$VARIANT_BUILD/CMakeFiles/mingle_objects.dir/src" ] ||
    { echo "skipped: no objects in $VARIANT_BUILD"; exit 77; }

echo 1..2
if found=$(python3 "$check" "$SOURCE" "$VARIANT_BUILD"); then
    echo "ok 1 - what is external in src is used by another file of src"
else
    echo "not ok 1 - what is external in src is used by another file of src"
    echo "$found"
fi

# ---- The check itself: each of the two kinds must be caught, and nothing else -------------------
mkdir -p src/base src/module include/mingle tests objects/CMakeFiles/program.dir/src/module
echo 'int mgl_public(void);' >include/mingle/job.h
echo 'int mgl_fault_arm(void);' >src/base/fault.h
cat >src/module/one.c <<'END'
/* mgl_dead is named here, and so is mgl_lonely. */
int mgl_public(void) { return 1; }
int mgl_fault_arm(void) { return 2; }
int mgl_shared(void) { return 3; }
int mgl_tested_too(void) { return 4; }
int mgl_elsewhere(void) { return 5; }
int mgl_lonely(void) { return mgl_tested_too(); }
int mgl_dead(void) { return mgl_lonely(); }
int mgl_for_tests(void) { return 6; }
const char *const mgl_lonely_text = "mgl_for_tests";
static int own(void) { return 7; }
END
cat >src/module/two.c <<'END'
int mgl_shared(void);
int main(void) { return mgl_shared(); /* mgl_dead(), mgl_lonely() */ }
#ifdef LIBRARY
int other(void) { return mgl_elsewhere(); }
#endif
END
echo 'int test(void) { return mgl_for_tests() + mgl_tested_too() + mgl_fault_arm(); }' >tests/test.c
for file in one two; do
    "${CC:-cc}" -w -c "src/module/$file.c" -o "objects/CMakeFiles/program.dir/src/module/$file.c.o"
done
# The object of a file that is gone says nothing.
cp objects/CMakeFiles/program.dir/src/module/one.c.o objects/CMakeFiles/program.dir/src/module/gone.c.o
expected="src/module/one.c: mgl_dead is external, and no other file uses it; make it static
src/module/one.c: mgl_lonely is external, and no other file uses it; make it static
src/module/one.c: mgl_lonely_text is external, and no other file uses it; make it static
src/module/one.c: only tests use mgl_for_tests; let them use what the program uses"
found=$(python3 "$check" . objects || true)
if [ "$found" = "$expected" ]; then
    echo "ok 2 - what is external without need is caught, and nothing else"
else
    echo "not ok 2 - what is external without need is caught, and nothing else"
    diff <(echo "$expected") <(echo "$found") || true
fi
