/* Puts the rows of a counted table together that are released alike. Written one by one, they would
 * tell how many combinations of ground values a class has, and how many records each of them.
 * writing.c calls it. */
#include "pipeline/write/counted_groups.h"
#include "pipeline/write/write.h"

typedef struct grouping {
    const mgl_release_order *release;
    mgl_counted_groups *groups;
    mgl_tuple_finder *finder;
    mgl_map *seen;
    uint32_t *key; /* [n_key] released cells, then codes of sensitive columns */
    size_t n_key;
    uint64_t *sums; /* [group] */
    size_t *first;  /* [group] row */
    size_t room_sums, room_first;
} grouping;

static mgl_status begin(grouping *g, mgl_error *err)
{
    const mgl_reading *reading = g->release->reading;
    size_t n_rows = reading->table->n_rows;
    g->n_key = reading->n_quasi + reading->n_sensitive;
    g->seen = mgl_map_new();
    g->key = mgl_alloc_array(g->n_key, sizeof *g->key);
    g->groups->left_out = mgl_zeroed_array(n_rows, 1);
    g->groups->sums.dictionary = mgl_dictionary_new();
    g->groups->sums.width = 1;
    if (g->seen == NULL || g->key == NULL || g->groups->left_out == NULL ||
        g->groups->sums.dictionary == NULL)
        return mgl_fail_memory(err);
    return mgl_tuple_finder_new(g->release->task->problem.list, reading->bound, err, &g->finder);
}

static void end(grouping *g)
{
    mgl_tuple_finder_free(g->finder);
    mgl_map_free(g->seen);
    mgl_free(g->key);
    mgl_free(g->sums);
    mgl_free(g->first);
}

static mgl_status add_row(grouping *g, size_t row, mgl_error *err)
{
    const mgl_reading *reading = g->release->reading;
    const mgl_recoding *recoding = g->release->solution->recoding;
    uint32_t tuple, before = mgl_map_size(g->seen);
    mgl_tuple_find(g->finder, row, 1, &tuple);
    if (reading->settings->treatment == MGL_DROP && recoding->suppressed[tuple])
        return MGL_OK;
    for (size_t a = 0; a < reading->n_quasi; a++)
        g->key[a] = recoding->cells[a][tuple];
    for (size_t s = 0; s < reading->n_sensitive; s++)
        g->key[reading->n_quasi + s] = mgl_column_code(reading->cells[s].column, row);
    uint32_t group =
        mgl_map_add(g->seen, (mgl_span){(const char *)g->key, g->n_key * sizeof *g->key});
    if (group == MGL_NOT_FOUND ||
        !mgl_grow(&g->sums, &g->room_sums, before + (size_t)1, sizeof *g->sums) ||
        !mgl_grow(&g->first, &g->room_first, before + (size_t)1, sizeof *g->first))
        return mgl_fail_memory(err);
    if (group == before) {
        g->sums[group] = 0;
        g->first[group] = row;
    }
    g->groups->left_out[row] = group != before;
    g->sums[group] += reading->table->times[row];
    g->groups->n_records += reading->table->times[row];
    return MGL_OK;
}

/* The sums as a column, whose other rows are not released. */
static mgl_status write_sums(grouping *g, mgl_error *err)
{
    mgl_column *column = &g->groups->sums;
    size_t n_rows = g->release->reading->table->n_rows;
    uint32_t n_groups = mgl_map_size(g->seen);
    mgl_buffer text = {0};
    bool room = mgl_column_widen(column, 0, n_groups) && mgl_column_reserve(column, 0, n_rows);
    for (size_t row = 0; room && row < n_rows; row++)
        mgl_column_set(column, row, 0);
    for (uint32_t group = 0; room && group < n_groups; group++) {
        text.size = 0;
        mgl_buffer_format(&text, "%llu", (unsigned long long)g->sums[group]);
        uint32_t code =
            text.failed ? MGL_NOT_FOUND
                        : mgl_dictionary_add(column->dictionary, (mgl_span){text.data, text.size});
        room = code != MGL_NOT_FOUND;
        if (room)
            mgl_column_set(column, g->first[group], code);
    }
    mgl_buffer_free(&text);
    return room ? MGL_OK : mgl_fail_memory(err);
}

mgl_status mgl_counted_groups_make(mgl_counted_groups *groups, const mgl_release_order *release,
                                   mgl_error *err)
{
    grouping g = {.release = release, .groups = groups};
    if (release->reading->counts == NULL)
        return MGL_OK;
    mgl_status status = MGL_OK;
    MGL_GO(begin(&g, err));
    for (size_t row = 0; row < release->reading->table->n_rows; row++)
        MGL_GO(add_row(&g, row, err));
    MGL_GO(write_sums(&g, err));
done:
    end(&g);
    return status;
}

void mgl_counted_groups_free(mgl_counted_groups *groups)
{
    mgl_free(groups->left_out);
    mgl_column_clear(&groups->sums);
}
