/* Reads counts for the leak guard that an engine made elsewhere: each table has the
 * quasi-identifiers, the sensitive columns, the counts, and one column that passes through, or two
 * together. */
#include "pipeline/guard/given_counts.h"

static mgl_status fail_lacking(const char *location, const char *name, mgl_error *err)
{
    return mgl_blame_column(
        err,
        mgl_blame_key(err,
                      mgl_fail_at(err, MGL_CODE_MISMATCH, location, 0,
                                  "these counts have no column \"%.60s\"; they need the "
                                  "quasi-identifiers, the sensitive columns, the counts, and one "
                                  "column that passes through",
                                  name),
                      "guard-counts"),
        name);
}

static mgl_status wish(const mgl_source *source, const char *location, const char *name,
                       mgl_role role, mgl_error *err, mgl_column_wish *out)
{
    *out = (mgl_column_wish){mgl_source_find(source, name), role};
    return out->source_index == SIZE_MAX ? fail_lacking(location, name, err) : MGL_OK;
}

/* Adds the columns that are not wished for yet: one, or two that were counted together. */
static mgl_status find_further(const mgl_source *source, const char *location, mgl_error *err,
                               mgl_column_wish *wishes, size_t *n)
{
    size_t fixed = *n;
    for (size_t c = 0; c < mgl_source_columns(source); c++) {
        size_t i = 0;
        while (i < fixed && wishes[i].source_index != c)
            i++;
        if (i < fixed)
            continue;
        if (*n == fixed + 2)
            return mgl_blame_key(
                err,
                mgl_fail_at(err, MGL_CODE_MISMATCH, location, 0,
                            "these counts have three further columns, among them \"%.60s\" and "
                            "\"%.60s\"; give a table of counts for each, and for two of them",
                            mgl_source_column(source, wishes[fixed].source_index),
                            mgl_source_column(source, c)),
                "guard-counts");
        wishes[(*n)++] = (mgl_column_wish){c, MGL_ROLE_CELLS};
    }
    return MGL_OK;
}

static mgl_status wish_columns(const mgl_reading *reading, const mgl_source *source,
                               const char *location, mgl_error *err, mgl_column_wish *wishes,
                               size_t *n)
{
    for (size_t a = 0; a < reading->n_quasi; a++)
        MGL_TRY(wish(source, location, reading->quasi[a].settings->name, MGL_ROLE_QUASI, err,
                     &wishes[(*n)++]));
    for (size_t s = 0; s < reading->n_counted; s++)
        MGL_TRY(wish(source, location, reading->counted[s]->name, MGL_ROLE_CELLS, err,
                     &wishes[(*n)++]));
    MGL_TRY(wish(source, location, reading->settings->counted.column, MGL_ROLE_IDENTIFIER, err,
                 &wishes[(*n)++]));
    return location == NULL ? MGL_OK : find_further(source, location, err, wishes, n);
}

/* Its name as the job says it, which outlives the table. */
static mgl_status name_further(const mgl_reading *reading, const char *location, const char *name,
                               mgl_error *err, const char **out)
{
    const mgl_attribute_settings *said = mgl_settings_attribute(reading->settings, name);
    if (said == NULL || said->role != MGL_ROLE_INSENSITIVE)
        return mgl_blame_attribute(
            err,
            mgl_fail_at(err, MGL_CODE_MISMATCH, location, 0,
                        "these counts have the column \"%.60s\", which does not pass through; name "
                        "it so (`role: insensitive`), or leave it out",
                        name),
            name, "role");
    *out = said->name;
    return MGL_OK;
}

mgl_status mgl_given_counts_read(const mgl_reading *reading, const char *location, mgl_error *err,
                                 mgl_given_counts *out)
{
    mgl_session *session = reading->session;
    mgl_opened *opened = session->data;
    size_t fixed = reading->n_quasi + reading->n_counted + 1, n = 0;
    out->pins.cache = session->cache;
    if (location != NULL)
        MGL_TRY(mgl_session_other(session, location, reading->settings, &out->pins, err, &opened));
    mgl_column_wish *wishes = mgl_alloc_array(fixed + 2, sizeof *wishes);
    if (wishes == NULL)
        return mgl_fail_memory(err);
    mgl_status status = MGL_OK;
    MGL_GO(wish_columns(reading, opened->source, location, err, wishes, &n));
    mgl_table_order order = {.opened = opened,
                             .wishes = wishes,
                             .n_wishes = n,
                             .mode = MGL_BY_COLUMN,
                             .settings = reading->settings,
                             .pins = &out->pins};
    MGL_GO(mgl_session_table(session, &order, err, &out->table));
    MGL_GO(
        mgl_column_as_times(&out->table->columns[fixed - 1], out->table->n_rows, err, &out->times));
    out->table->times = out->times;
    if (n > fixed) {
        out->column = &out->table->columns[fixed];
        MGL_GO(name_further(reading, location,
                            mgl_source_column(opened->source, wishes[fixed].source_index), err,
                            &out->name));
    }
    if (n > fixed + 1) {
        out->other = &out->table->columns[fixed + 1];
        MGL_GO(name_further(reading, location,
                            mgl_source_column(opened->source, wishes[fixed + 1].source_index), err,
                            &out->other_name));
    }
done:
    mgl_free(wishes);
    return status;
}

void mgl_given_counts_free(mgl_given_counts *counts)
{
    mgl_table_free(counts->table);
    mgl_free(counts->times);
    mgl_cache_unpin(&counts->pins);
}

mgl_status mgl_given_counts_agree(const mgl_given_counts *counts, const mgl_frequency_list *list,
                                  const uint32_t *tuples, const char *location, mgl_error *err)
{
    uint64_t *left = mgl_alloc_array(list->n_tuples, sizeof *left);
    if (left == NULL)
        return mgl_fail_memory(err);
    memcpy(left, list->counts, list->n_tuples * sizeof *left);
    bool agree = true;
    for (size_t row = 0; row < counts->table->n_rows; row++) {
        agree = agree && counts->times[row] <= left[tuples[row]];
        left[tuples[row]] -= counts->times[row];
    }
    for (size_t tuple = 0; tuple < list->n_tuples; tuple++)
        agree = agree && left[tuple] == 0;
    mgl_free(left);
    if (agree)
        return MGL_OK;
    return mgl_blame_key(err,
                         mgl_fail_at(err, MGL_CODE_CHANGED, location, 0,
                                     "these counts are not of the records that were searched: the "
                                     "table was changed while it was counted; count again when "
                                     "nothing writes to it"),
                         "guard-counts");
}
