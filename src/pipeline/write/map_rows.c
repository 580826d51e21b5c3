/* Goes through the combinations of ground values of a table and says what each is released as. For
 * engines that write releases (push.c), and for maps that others use (save_map.c). */
#include "pipeline/write/map_rows.h"

struct mgl_map_rows {
    const mgl_reading *reading;
    const mgl_recoding *recoding;
    bool drop;
    mgl_tuple_finder *finder;
    mgl_map *seen;
    uint32_t *codes; /* [n_quasi] */
    size_t row;
    uint32_t tuple; /* of the row given last */
    uint64_t times; /* records that it stands for, together with others of its tuple */
    bool *told;     /* [tuples] a row has stood for them */
    const mgl_frequency_list *list;
    bool failed;
};

mgl_status mgl_map_rows_new(const mgl_release_order *release, mgl_error *err, mgl_map_rows **out)
{
    const mgl_reading *reading = release->reading;
    mgl_map_rows *m = mgl_zeroed_array(1, sizeof *m);
    if (m == NULL)
        return mgl_fail_memory(err);
    m->reading = reading;
    m->recoding = release->solution->recoding;
    m->drop = reading->settings->treatment == MGL_DROP;
    m->list = release->task->problem.list;
    m->told = mgl_zeroed_array(m->list->n_tuples, sizeof *m->told);
    m->seen = mgl_map_new();
    m->codes = mgl_alloc_array(reading->n_quasi, sizeof *m->codes);
    mgl_status status =
        m->seen == NULL || m->codes == NULL || m->told == NULL
            ? mgl_fail_memory(err)
            : mgl_tuple_finder_new(release->task->problem.list, reading->bound, err, &m->finder);
    if (status == MGL_OK)
        *out = m;
    else
        mgl_map_rows_free(m);
    return status;
}

void mgl_map_rows_free(mgl_map_rows *m)
{
    if (m == NULL)
        return;
    mgl_tuple_finder_free(m->finder);
    mgl_map_free(m->seen);
    mgl_free(m->codes);
    mgl_free(m->told);
    mgl_free(m);
}

/* Ground values come again with other sensitive values. */
static bool is_new(mgl_map_rows *m)
{
    const mgl_reading *reading = m->reading;
    for (size_t a = 0; a < reading->n_quasi; a++)
        m->codes[a] = mgl_column_code(reading->quasi[a].column, m->row);
    uint32_t before = mgl_map_size(m->seen);
    mgl_span key = {(const char *)m->codes, reading->n_quasi * sizeof *m->codes};
    uint32_t number = mgl_map_add(m->seen, key);
    m->failed = m->failed || number == MGL_NOT_FOUND;
    return number == before;
}

bool mgl_map_rows_next(void *rows, mgl_span *cells)
{
    mgl_map_rows *m = rows;
    const mgl_reading *reading = m->reading;
    size_t n = reading->n_quasi;
    for (; m->row < reading->table->n_rows && !m->failed; m->row++) {
        uint32_t tuple;
        mgl_tuple_find(m->finder, m->row, 1, &tuple);
        if ((m->drop && m->recoding->suppressed[tuple]) || !is_new(m))
            continue;
        for (size_t a = 0; a < n; a++) {
            const mgl_released_column *column = m->recoding->columns[a];
            mgl_span label = column->values[m->recoding->cells[a][tuple]].label;
            cells[a] = mgl_dictionary_value(reading->quasi[a].column->dictionary, m->codes[a]);
            cells[n + a] = mgl_span_equal(label, reading->settings->source.no_value)
                               ? (mgl_span){NULL, 0}
                               : label;
        }
        m->tuple = tuple;
        m->times = m->told[tuple] ? 0 : m->list->counts[tuple];
        m->told[tuple] = true;
        m->row++;
        return true;
    }
    return false;
}

const uint32_t *mgl_map_rows_tuple(const mgl_map_rows *m)
{
    return &m->tuple;
}

const uint64_t *mgl_map_rows_times(const mgl_map_rows *m)
{
    return &m->times;
}

bool mgl_map_rows_again(void *rows)
{
    mgl_map_rows *m = rows;
    mgl_map_free(m->seen);
    m->seen = mgl_map_new();
    m->row = 0;
    memset(m->told, 0, m->list->n_tuples * sizeof *m->told);
    return m->seen != NULL;
}

bool mgl_map_rows_failed(const mgl_map_rows *m)
{
    return m->failed;
}

mgl_status mgl_map_rows_compare(const mgl_release_order *release, mgl_error *err, bool *unchanged)
{
    size_t n = release->reading->n_quasi;
    mgl_map_rows *rows = NULL;
    mgl_span *cells = mgl_alloc_array(2 * n, sizeof *cells);
    mgl_status status = MGL_OK;
    if (cells == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_map_rows_new(release, err, &rows));
    while (memchr(unchanged, 1, n) != NULL && mgl_map_rows_next(rows, cells))
        for (size_t a = 0; a < n; a++)
            unchanged[a] =
                unchanged[a] && cells[n + a].data != NULL && mgl_span_equal(cells[a], cells[n + a]);
    if (mgl_map_rows_failed(rows))
        MGL_GO(mgl_fail_memory(err));
done:
    mgl_map_rows_free(rows);
    mgl_free(cells);
    return status;
}
