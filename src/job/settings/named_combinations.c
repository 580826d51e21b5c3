/* Reads combinations of columns by name (`combinations: age+zip,age+sex`): models hold on each of
 * them and on nothing else. settings.c calls it when the quasi-identifiers are known. */
#include "job/settings/settings.h"

static mgl_status fail(const mgl_filling *f, mgl_code code, const char *what, mgl_span item)
{
    const mgl_entry *entry = mgl_store_find(f->job, "combinations", NULL);
    return mgl_place_fail(&entry->place, code, f->err, "'%.*s' %s", mgl_span_width(item), item.data,
                          what);
}

/* The column as the job names it. */
static const char *find_column(const mgl_filling *f, mgl_span name)
{
    const mgl_settings *s = f->settings;
    for (size_t q = 0; q < s->n_quasi; q++)
        for (size_t i = 0; i < s->quasi[q].n_names; i++)
            if (mgl_span_is(name, s->quasi[q].names[i]))
                return s->quasi[q].names[i];
    return NULL;
}

static mgl_span trim(mgl_span text)
{
    while (text.size > 0 && text.data[0] == ' ')
        text = (mgl_span){text.data + 1, text.size - 1};
    while (text.size > 0 && text.data[text.size - 1] == ' ')
        text.size--;
    return text;
}

static mgl_status add_column(const mgl_filling *f, mgl_span name, mgl_quasi_settings *set)
{
    const char *column = find_column(f, name);
    if (column == NULL)
        return fail(f, MGL_CODE_UNKNOWN_COLUMN,
                    "is no quasi-identifier column of the job; name it by `role: quasi`, or leave "
                    "it out",
                    name);
    for (size_t i = 0; i < set->n_names; i++)
        if (set->names[i] == column)
            return fail(f, MGL_CODE_REPEATED, "is named twice in a combination; name it once",
                        name);
    set->names[set->n_names++] = column;
    return MGL_OK;
}

static bool are_alike(const mgl_quasi_settings *x, const mgl_quasi_settings *y)
{
    size_t n = 0;
    for (size_t i = 0; i < x->n_names; i++)
        for (size_t j = 0; j < y->n_names; j++)
            n += x->names[i] == y->names[j];
    return x->n_names == y->n_names && n == x->n_names;
}

static mgl_status add_combination(const mgl_filling *f, mgl_span item)
{
    mgl_settings *s = f->settings;
    mgl_quasi_settings *set = &s->named[s->n_named];
    mgl_span rest = item;
    size_t most = 1;
    for (size_t i = 0; i < item.size; i++)
        most += item.data[i] == '+';
    if (most == 1)
        return fail(f, MGL_CODE_CONFLICT,
                    "is no combination by name, and others are; give columns with + between, or "
                    "sizes alone",
                    item);
    *set = (mgl_quasi_settings){.names = mgl_arena_alloc(f->arena, most * sizeof *set->names)};
    if (set->names == NULL)
        return mgl_fail_memory(f->err);
    for (size_t i = 0; i < most; i++) {
        const char *plus = rest.size > 0 ? memchr(rest.data, '+', rest.size) : NULL;
        size_t size = plus != NULL ? (size_t)(plus - rest.data) : rest.size;
        MGL_TRY(add_column(f, trim((mgl_span){rest.data, size}), set));
        size_t taken = plus != NULL ? size + 1 : size;
        rest = (mgl_span){rest.data + taken, rest.size - taken};
    }
    for (size_t q = 0; q < s->n_named; q++)
        if (are_alike(&s->named[q], set))
            return fail(f, MGL_CODE_REPEATED, "is named twice; name it once", item);
    s->n_named++;
    return MGL_OK;
}

static mgl_status add_all(const mgl_filling *f, const char *text)
{
    mgl_list list = mgl_list_of(mgl_span_of(text));
    mgl_buffer item = {0}, wrong = {0};
    mgl_status status = MGL_OK;
    for (item.size = 0; mgl_list_next(&list, &item, &wrong); item.size = 0)
        MGL_GO(item.failed ? mgl_fail_memory(f->err)
                           : add_combination(f, (mgl_span){item.data, item.size}));
done:
    mgl_buffer_free(&item);
    mgl_buffer_free(&wrong);
    return status;
}

mgl_status mgl_settings_name_combinations(const mgl_filling *f)
{
    mgl_settings *s = f->settings;
    const mgl_entry *entry = mgl_store_find(f->job, "combinations", NULL);
    if (entry == NULL || entry->value == NULL || strchr(entry->value, '+') == NULL)
        return MGL_OK;
    if (s->n_quasi > 1)
        return mgl_place_fail(&entry->place, MGL_CODE_CONFLICT, f->err,
                              "combinations by name and several quasi-identifiers say the same in "
                              "two ways; give the columns once, and name the combinations or the "
                              "quasi-identifiers");
    size_t most = 1;
    for (const char *c = entry->value; *c != '\0'; c++)
        most += *c == ',';
    s->named = mgl_arena_alloc(f->arena, most * sizeof *s->named);
    return s->named == NULL ? mgl_fail_memory(f->err) : add_all(f, entry->value);
}
