/* Fills the struct of a method's options from its rows; called for each job with what it says, and
 * for a problem that comes without options. */
#include "search/problem/problem.h"

const mgl_method_option *mgl_method_option_at(const mgl_method_type *method, size_t i)
{
    const mgl_method_option *row = &method->options[i];
    return row->same != NULL ? row->same : row;
}

/* What the options of a method are made of. */
typedef struct making {
    size_t n_attributes;
    mgl_option_said_fn *said;
    const void *context;
    mgl_arena *arena;
} making;

static const char *text_of(const making *m, const mgl_method_option *option, ptrdiff_t column)
{
    const char *text = m->said != NULL ? m->said(m->context, option, column) : NULL;
    return text != NULL ? text : option->fallback;
}

/* Texts were checked when they were given, and defaults are part of the program. */
static mgl_status read(const making *m, const mgl_method_option *option, ptrdiff_t column,
                       mgl_error *err, void *field)
{
    const char *text = text_of(m, option, column);
    if (text == NULL)
        return MGL_OK;
    if (option->list)
        return mgl_form_read_list(&option->form, text, m->arena, err, field, NULL);
    return mgl_form_read(&option->form, mgl_span_of(text), field)
               ? MGL_OK
               : mgl_blame_key(err,
                               mgl_fail(err, MGL_CODE_BAD_VALUE, "`%s`: '%.60s' is not possible",
                                        option->name, text),
                               option->name);
}

static void *zeroed(mgl_arena *arena, size_t size)
{
    void *room = mgl_arena_alloc(arena, size > 0 ? size : 1);
    return room != NULL ? memset(room, 0, size) : NULL;
}

static mgl_status read_columns(const making *m, const mgl_method_option *option, mgl_error *err,
                               void *field)
{
    size_t size = mgl_form_size(&option->form);
    char *values = zeroed(m->arena, m->n_attributes * size);
    if (values == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < m->n_attributes; a++)
        MGL_TRY(read(m, option, (ptrdiff_t)a, err, values + a * size));
    *(void **)field = values;
    return MGL_OK;
}

mgl_status mgl_method_options(const mgl_method_type *method, size_t n_attributes,
                              mgl_option_said_fn *said, const void *context, mgl_arena *arena,
                              mgl_error *err, const void **out)
{
    making m = {n_attributes, said, context, arena};
    char *options = NULL;
    if (method->n_options > 0 && (options = zeroed(arena, method->options_size)) == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < method->n_options; i++) {
        const mgl_method_option *option = mgl_method_option_at(method, i);
        void *field = options + method->options[i].place;
        MGL_TRY(option->by_column ? read_columns(&m, option, err, field)
                                  : read(&m, option, MGL_WHOLE_TABLE, err, field));
    }
    *out = options;
    return MGL_OK;
}
