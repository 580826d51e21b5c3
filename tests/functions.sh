#!/bin/bash
# Functions: at most seven parameters, err before the outs, one clean-up idiom that jumps over
# nothing that is needed (functions.py).
set -eu
. "$(dirname "$0")/support/by_hand.bash"

echo 1..2
if found=$(python3 "$SOURCE/tests/functions.py" "$SOURCE"); then
    echo "ok 1 - functions take at most seven parameters, err before the outs, and have no chains"
else
    echo "not ok 1 - functions take at most seven parameters, err before the outs, and have no chains"
    echo "$found"
fi

# ---- The check itself: each line below must be caught, and nothing else -------
mkdir -p src/module include
cat >src/module/good.c <<'END'
/* void f(int a, int b, int c, int d, int e, int f, int g, int h); if (status == MGL_OK) */
#define SEVERAL(a, b, c, d, e, f, g, h) f(a)
static const int numbers[] = {f(1, 2, 3, 4, 5, 6, 7, 8)};
mgl_status fail(mgl_error *err, mgl_status status, const char *file);
mgl_status blame(const thing *x, mgl_error *err, const char *format, ...) MGL_PRINTF(3, 4);
mgl_status find(thing *out, const bool *known, mgl_error *err, bool *there, const thing **other);
static mgl_status once(thing *x, mgl_error *err, char text[8])
{
    mgl_status status = begin(x, err);
    if (status == MGL_OK)
        status = act(x, 1, 2, 3, 4, 5, 6, 7, 8, text);
    if (x->status == MGL_OK && "if (status == MGL_OK)"[0] != '{')
        end(x);
    return status == MGL_OK ? MGL_OK : status;
}
static mgl_status owns(mgl_error *err)
{
    thing *x = NULL, y;
    mgl_status status = MGL_OK;
    MGL_GO(begin(&y, err));
    size_t n = 1, m;
done:
    end(x, &y);
    return status;
}
END
cat >src/module/bad.c <<'END'
static void eight(int a, int b, int c, int d, int e, int f, int g, thing (*h)(int, int))
{
}
typedef struct operations {
    mgl_status (*eight)(int a, int b, int c, int d, int e, int f, int g, int h);
    mgl_status (*find)(thing *x, bool *there, mgl_error *err);
} operations;
static mgl_status chain(thing *x, mgl_error *err)
{
    mgl_status status = begin(x, err);
    if (status == MGL_OK)
        status = act(x, err);
    for (size_t i = 0; i < x->n && status == MGL_OK; i++)
        status = act(x, err);
    return status;
}
static mgl_status jump(mgl_error *err)
{
    mgl_status status = MGL_OK;
    MGL_GO(begin(err));
    const thing *x = NULL;
    thing y[8];
done:
    end(x, y);
    return status;
}
END
cat >include/bad.h <<'END'
typedef mgl_status visit_fn(void *context, char out[8], mgl_error *err);
mgl_status find(thing *x, thing **out_thing,
                mgl_error *err);
mgl_status number(thing *x, mgl_error *err, size_t n);
mgl_status name(thing *x, mgl_error *err, const char *name, thing *out);
END
expected="include/bad.h:1: the out 'char out[8]' stands before err
include/bad.h:2: the out 'thing **out_thing' stands before err
include/bad.h:4: 'size_t n' stands behind err and is no out
include/bad.h:5: 'const char *name' stands behind err and is no out
src/module/bad.c:1: 8 parameters; group what belongs together
src/module/bad.c:5: 8 parameters; group what belongs together
src/module/bad.c:6: the out 'bool *there' stands before err
src/module/bad.c:13: a chain of if (status == MGL_OK); take MGL_GO or MGL_TRY
src/module/bad.c:21: 'x' is used behind done; declare it before MGL_GO
src/module/bad.c:22: 'y' is used behind done; declare it before MGL_GO"
found=$(python3 "$SOURCE/tests/functions.py" . || true)
if [ "$found" = "$expected" ]; then
    echo "ok 2 - violations are caught, and nothing else"
else
    echo "not ok 2 - violations are caught, and nothing else"
    diff <(echo "$expected") <(echo "$found") || true
fi
