typedef mgl_status visit_fn(void *context, char out[8], mgl_error *err);
mgl_status find(thing *x, thing **out_thing,
                mgl_error *err);
mgl_status number(thing *x, mgl_error *err, size_t n);
mgl_status name(thing *x, mgl_error *err, const char *name, thing *out);
