/* Compares a certificate with the table it is about: hierarchies, tuples and sensitive values. The
 * table is read and described once more as a certificate does. check_proof.c calls it. */
#include "command/certificate/comparison.h"
#include "command/certificate/proof_of_task.h"

#include <stdio.h>

static bool same_column(const mgl_proof_column *a, const mgl_proof_column *b)
{
    bool same = strcmp(a->name, b->name) == 0 && a->height == b->height &&
                a->n_leaves == b->n_leaves && a->n_values == b->n_values;
    for (uint32_t v = 0; same && v < a->n_values; v++)
        same = mgl_span_equal(a->labels[v], b->labels[v]);
    for (uint32_t l = 0; same && l <= a->height; l++)
        same = memcmp(a->value[l], b->value[l], a->n_leaves * sizeof *a->value[l]) == 0;
    return same;
}

static bool same_tuples(const mgl_proof *a, const mgl_proof *b)
{
    return a->n_tuples == b->n_tuples && a->n_columns == b->n_columns &&
           memcmp(a->leaves, b->leaves, a->n_tuples * a->n_columns * sizeof *a->leaves) == 0 &&
           memcmp(a->counts, b->counts, a->n_tuples * sizeof *a->counts) == 0;
}

static bool same_values(const mgl_proof_sensitive *a, const mgl_proof_sensitive *b, size_t n)
{
    return strcmp(a->attribute, b->attribute) == 0 && a->grouped == b->grouped &&
           memcmp(a->start, b->start, (n + 1) * sizeof *a->start) == 0 &&
           memcmp(a->codes, b->codes, a->start[n] * sizeof *a->codes) == 0;
}

/* Which values are protected, a result does not tell. */
static void compare_sensitive(mgl_proof_comparison *c, const mgl_settings *settings,
                              const mgl_proof *table)
{
    const mgl_proof *p = c->proof;
    for (size_t s = 0; s < p->n_sensitive; s++) {
        const mgl_proof_sensitive *x = &p->sensitive[s];
        const mgl_attribute_settings *attribute = mgl_settings_attribute(settings, x->attribute);
        char what[160];
        snprintf(what, sizeof what, "sensitive values of %.80s", x->attribute);
        if (x->grouped && attribute != NULL && attribute->n_protect == 0) {
            snprintf(what, sizeof what, "groups of %.80s (`protect`)", x->attribute);
            mgl_json_append(c->not_compared, json_string(what));
        } else if (s >= table->n_sensitive || !same_values(x, &table->sensitive[s], p->n_tuples)) {
            mgl_proof_differ(c, what, json_string("as in the proof"), json_string("others"));
        }
    }
}

static void compare_table(mgl_proof_comparison *c, const mgl_settings *settings,
                          const mgl_proof *table)
{
    const mgl_proof *p = c->proof;
    for (size_t a = 0; a < p->n_columns && a < table->n_columns; a++) {
        char what[120];
        snprintf(what, sizeof what, "hierarchy of %.80s", p->columns[a].name);
        if (!same_column(&p->columns[a], &table->columns[a]))
            mgl_proof_differ(c, what, json_string("as in the proof"), json_string("another one"));
    }
    if (!same_tuples(p, table))
        mgl_proof_differ(c, "tuples of the table", json_string("as in the proof"),
                         json_string("others"));
    else
        compare_sensitive(c, settings, table);
}

mgl_status mgl_proof_compare_table(mgl_proof_comparison *c, mgl_session *session,
                                   const mgl_settings *settings, mgl_error *err)
{
    mgl_setup setup = {0};
    mgl_proof table;
    mgl_arena *arena = mgl_arena_new();
    if (arena == NULL)
        return mgl_fail_memory(err);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_setup_begin(session, settings, MGL_TO_COMPARE, err, &setup));
    MGL_GO(mgl_proof_of_task(setup.task, arena, err, &table));
    compare_table(c, settings, &table);
done:
    mgl_setup_end(&setup);
    mgl_arena_free(arena);
    return status;
}
