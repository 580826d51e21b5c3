/* Names a treatment where the leak guard warns that many rows are alone with their sensitive value:
 * one after which at least k persons share each value, tried on the column. */
#include "feature/treat/treat.h"
#include "pipeline/pipeline.h"
#include "suggest/suggest.h"

/* Without a model that has a k, as many persons as advice asks for. */
static uint64_t persons_wanted(const mgl_settings *settings)
{
    enum { USUAL_K = 5 };
    return settings->k >= 2 ? settings->k : USUAL_K;
}

/* The column, and beside it that of the persons where rows are read. */
static mgl_status find_treatment(const mgl_reading *reading, size_t c, mgl_error *err,
                                 mgl_buffer *out)
{
    const mgl_settings *settings = reading->settings;
    bool persons = reading->entity != NULL && !mgl_source_counts(reading->source);
    size_t columns[2] = {c, persons ? reading->entity->source_index : 0};
    mgl_table *table = NULL;
    uint64_t *rows = NULL;
    mgl_profile profile;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_read_columns(settings, reading->source, columns, persons ? 2 : 1, err, &table));
    MGL_GO(mgl_count_values(table, &table->columns[0], err, &rows));
    MGL_GO(
        mgl_profile_of(table->columns[0].name, table->columns[0].dictionary, rows, err, &profile));
    mgl_treat_order order = {.column = &table->columns[0],
                             .n_rows = table->n_rows,
                             .times = table->times,
                             .missing = settings->source.missing,
                             .n_missing = settings->source.n_missing,
                             .persons = persons ? &table->columns[1] : NULL};
    MGL_GO(mgl_suggest_treatment(&order, &profile, persons_wanted(settings), err, out));
done:
    mgl_table_free(table);
    mgl_free(rows);
    return status;
}

/* A treated column has a treatment already, which the user knows better. */
static bool wants_treatment(const mgl_reading *reading, const mgl_objection *objection, size_t c)
{
    return c != SIZE_MAX && reading->roles[c] == MGL_ROLE_SENSITIVE && objection->warning &&
           strcmp(objection->code, MGL_GUARD_NEAR_UNIQUE) == 0 && reading->counts == NULL &&
           reading->table != NULL && reading->table->window == NULL &&
           mgl_reading_replaced(reading, c) == NULL;
}

static mgl_status put_treatment(const char *column, uint64_t k, const mgl_buffer *treatment,
                                mgl_error *err, mgl_objection *out)
{
    mgl_buffer text = {0};
    mgl_buffer_text(&text, out->evidence);
    mgl_buffer_format(&text, "; with `attributes.%s.treat: %.*s` at least %llu persons share each",
                      column, (int)treatment->size, treatment->data, (unsigned long long)k);
    mgl_free(out->evidence);
    out->evidence = NULL;
    out->remedy = "treat it so if the exact values are not needed";
    return mgl_buffer_take(&text, err, &out->evidence);
}

mgl_status mgl_name_treatments(const mgl_reading *reading, mgl_objections *objections,
                               mgl_error *err)
{
    for (size_t i = 0; reading->source != NULL && i < objections->n; i++) {
        mgl_objection *objection = &objections->list[i];
        size_t c = mgl_source_find(reading->source, objection->column);
        mgl_buffer found = {0};
        mgl_error problem = {0};
        if (!wants_treatment(reading, objection, c))
            continue;
        /* A table that cannot be read once more leaves the warning as it is. */
        mgl_status status = find_treatment(reading, c, &problem, &found);
        status = status == MGL_OK && found.size > 0
                     ? put_treatment(objection->column, persons_wanted(reading->settings), &found,
                                     err, objection)
                     : MGL_OK;
        mgl_buffer_free(&found);
        MGL_TRY(status);
    }
    return MGL_OK;
}
