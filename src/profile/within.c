/* Finds out whether a column never varies within an id. `risk --advise` asks of whole columns,
 * repeats.c of samples. */
#include "profile/profile.h"

enum { SEVERAL = 0xFFFFFFFE };

mgl_status mgl_within_find(const mgl_table *table, const mgl_column *id, const mgl_column *column,
                           mgl_error *err, mgl_within *out)
{
    uint32_t n = mgl_dictionary_size(id->dictionary);
    uint32_t no_id = mgl_dictionary_missing(id->dictionary);
    uint32_t *only = mgl_alloc_array(n, sizeof *only); /* [id] its value of the column */
    uint64_t *rows = mgl_zeroed_array(n, sizeof *rows);
    mgl_within w = {0};
    if (only == NULL || rows == NULL) {
        mgl_free(only);
        mgl_free(rows);
        return mgl_fail_memory(err);
    }
    for (size_t row = 0; row < table->n_rows; row++) {
        uint32_t i = mgl_column_code(id, row), value = mgl_column_code(column, row);
        only[i] = rows[i] == 0 || only[i] == value ? value : SEVERAL;
        rows[i] += table->times != NULL ? table->times[row] : 1;
    }
    for (uint32_t i = 0; i < n; i++) {
        w.ids += i != no_id && rows[i] > 0;
        w.repeated += i != no_id && rows[i] > 1;
        w.same += i != no_id && rows[i] > 1 && only[i] != SEVERAL;
    }
    mgl_free(only);
    mgl_free(rows);
    *out = w;
    return MGL_OK;
}

bool mgl_within_holds(const mgl_within *w)
{
    return w->repeated > 0 && (double)w->same >= MGL_NEVER_VARIES_SHARE * (double)w->repeated;
}
