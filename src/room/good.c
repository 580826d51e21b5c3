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
