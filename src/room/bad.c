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
