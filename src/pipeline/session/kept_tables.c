/* Tables of a session: of the columns that a job requests, only those are read that no job before
 * had. What an engine counted, and tables larger than memory, are cached as a whole. The
 * dictionaries of what was read say in messages where a value stands (FILE:LINE, or a row number).
 */
#include "pipeline/session/session.h"

#include <stdio.h>

/* ---- Where values stand ---------------------------------------------------------------------- */

struct mgl_value_places {
    mgl_source *source;
    const mgl_column *column;
    size_t n_rows;
    bool counted;   /* rows are no records */
    bool has_place; /* of the value that was asked for last: finding it takes a pass */
    uint32_t code;
    char place[MGL_PLACE_TEXT];
};

/* The first row that has the code; false if there is none, or if rows are counted. */
static bool find_row(const mgl_value_places *places, uint32_t code, size_t *out)
{
    size_t first = 0, n = 0;
    for (size_t row = 0; !places->counted && row < places->n_rows; row++) {
        if (row >= first + n && mgl_column_reach(places->column, row, NULL, &first, &n) != MGL_OK)
            return false;
        if (n > places->n_rows - first)
            n = places->n_rows - first;
        if (mgl_column_code(places->column, row - first) != code)
            continue;
        *out = row;
        return true;
    }
    return false;
}

static void find_place(mgl_value_places *places, uint32_t code)
{
    size_t row;
    places->place[0] = '\0';
    if (!find_row(places, code, &row))
        return;
    uint64_t line = mgl_source_line(places->source, row);
    const char *name = mgl_source_name(places->source);
    if (line > 0)
        snprintf(places->place, MGL_PLACE_TEXT, "%.200s:%llu", name, (unsigned long long)line);
    else
        snprintf(places->place, MGL_PLACE_TEXT, "%.200s, row %llu", name,
                 (unsigned long long)row + 1);
}

static void report_place(void *context, uint32_t code, char text[MGL_PLACE_TEXT])
{
    mgl_value_places *places = context;
    if (!places->has_place || places->code != code)
        find_place(places, code);
    places->has_place = true;
    places->code = code;
    memcpy(text, places->place, MGL_PLACE_TEXT);
}

mgl_status mgl_places_new(mgl_source *source, mgl_table *table, mgl_error *err,
                          mgl_value_places **out)
{
    mgl_value_places *places = mgl_zeroed_array(table->n_columns, sizeof *places);
    MGL_TRY(mgl_check_memory(places != NULL, err));
    for (size_t c = 0; c < table->n_columns; c++) {
        places[c] = (mgl_value_places){.source = source,
                                       .column = &table->columns[c],
                                       .n_rows = table->n_rows,
                                       .counted = table->times != NULL};
        mgl_dictionary_set_origins(table->columns[c].dictionary, report_place, &places[c]);
    }
    *out = places;
    return MGL_OK;
}

/* ---- Columns --------------------------------------------------------------------------------- */

typedef struct kept_column {
    mgl_column column;
    mgl_value_places *places;
} kept_column;

static void free_column(void *object)
{
    kept_column *kept = object;
    mgl_column_clear(&kept->column);
    mgl_free(kept->places);
    mgl_free(kept);
}

/* The table of the session has few columns, and each is kept in few codings. */
static const mgl_cache_kind own_columns = {free_column, SIZE_MAX},
                            other_columns = {free_column, 64};

static void write_key(mgl_buffer *key, const mgl_table_order *order, mgl_column_request request)
{
    mgl_key_number(key, order->opened->number);
    mgl_key_number(key, request.source_index);
    mgl_key_number(key, mgl_source_coding(order->opened->source, request.role));
    mgl_key_number(key, order->opened->chosen_number);
}

static const mgl_cache_kind *kind_of(const mgl_session *session, const mgl_table_order *order)
{
    return order->opened == session->data ? &own_columns : &other_columns;
}

static mgl_status find_column(const mgl_session *session, const mgl_table_order *order,
                              mgl_column_request request, mgl_error *err,
                              const mgl_cache_entry **out)
{
    mgl_buffer key = {0};
    write_key(&key, order, request);
    mgl_status status = mgl_cache_find(order->pins, kind_of(session, order), &key, err, out);
    mgl_buffer_free(&key);
    return status;
}

/* Moves a column that was read out of its table. */
static mgl_status keep_column(const mgl_session *session, const mgl_table_order *order,
                              mgl_column_request request, mgl_table *table, size_t c,
                              mgl_error *err)
{
    const mgl_cache_entry *kept;
    kept_column *object = mgl_zeroed_array(1, sizeof *object);
    MGL_TRY(mgl_check_memory(object != NULL, err));
    mgl_table alone = {.n_rows = table->n_rows, .n_columns = 1, .columns = &object->column};
    mgl_buffer key = {0};
    object->column = table->columns[c];
    table->columns[c] = (mgl_column){0};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_places_new(order->opened->source, &alone, err, &object->places));
    write_key(&key, order, request);
    kept_column *given = object;
    object = NULL;
    MGL_GO(mgl_cache_add(order->pins, kind_of(session, order), &key, given, err, &kept));
    given->column.number = kept->number;
done:
    if (object != NULL)
        free_column(object);
    mgl_buffer_free(&key);
    return status;
}

/* Adds the key of a request to those that are missing; false: it is among them already. */
static bool is_new(const mgl_table_order *order, mgl_column_request request, mgl_map *keys,
                   mgl_status *status, mgl_error *err)
{
    mgl_buffer key = {0};
    uint32_t n = mgl_map_size(keys), number = MGL_NOT_FOUND;
    write_key(&key, order, request);
    if (!key.failed)
        number = mgl_map_add(keys, (mgl_span){key.data, key.size});
    mgl_buffer_free(&key);
    if (number == MGL_NOT_FOUND)
        *status = mgl_fail_memory(err);
    return number == n;
}

static mgl_status fail_changed(const mgl_opened *opened, uint64_t before, uint64_t now,
                               mgl_error *err)
{
    return mgl_fail_at(err, MGL_CODE_CHANGED, mgl_source_name(opened->source), 0,
                       "the table had %llu rows when it was read first and has %llu now; open it "
                       "again when nothing writes to it",
                       (unsigned long long)before, (unsigned long long)now);
}

/* n_rows: of what was read, without rows that the job leaves out. */
static mgl_status check_rows(mgl_opened *opened, size_t n_rows, mgl_error *err)
{
    if (opened->chosen_number != 0 && opened->chosen == NULL)
        return n_rows == opened->n_chosen ? MGL_OK
                                          : fail_changed(opened, opened->n_chosen, n_rows, err);
    if (opened->chosen != NULL) /* which was compared with the source already */
        n_rows = (size_t)opened->chosen->n_rows;
    if (opened->was_read && opened->n_rows != n_rows)
        return fail_changed(opened, opened->n_rows, n_rows, err);
    opened->was_read = true;
    opened->n_rows = n_rows;
    return MGL_OK;
}

static mgl_status read_columns(mgl_session *session, const mgl_table_order *order,
                               const mgl_column_request *requested, size_t n, mgl_error *err)
{
    mgl_table *table;
    MGL_TRY(mgl_source_read(order->opened->source, requested, n, session->pool,
                            &order->settings->progress, err, &table));
    session->work.columns_read += n;
    mgl_status status = MGL_OK;
    MGL_GO(check_rows(order->opened, table->n_rows, err));
    for (size_t c = 0; c < n; c++) {
        MGL_GO(mgl_progress_poll(c, err));
        MGL_GO(keep_column(session, order, requested[c], table, c, err));
    }
done:
    mgl_table_free(table);
    return status;
}

/* Reads what is not there. */
static mgl_status complete_columns(mgl_session *session, const mgl_table_order *order,
                                   mgl_error *err)
{
    mgl_column_request *missing = mgl_alloc_array(order->n_requested, sizeof *missing);
    mgl_map *keys = mgl_map_new();
    size_t n = 0;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(missing != NULL && keys != NULL, err));
    for (size_t i = 0; i < order->n_requested; i++) {
        const mgl_cache_entry *kept;
        MGL_GO(find_column(session, order, order->requested[i], err, &kept));
        if (kept == NULL && is_new(order, order->requested[i], keys, &status, err))
            missing[n++] = order->requested[i];
        MGL_GO(status);
        MGL_GO(mgl_progress_poll(i, err));
    }
    MGL_GO(n > 0 || !order->opened->was_read ? read_columns(session, order, missing, n, err)
                                             : mgl_source_unchanged(order->opened->source, err));
    MGL_GO(mgl_source_keep(order->opened->source, order->requested, order->n_requested, err));
done:
    mgl_map_free(keys);
    mgl_free(missing);
    return status;
}

/* ---- What jobs get
 * ------------------------------------------------------------------------------- */

static mgl_column share(const mgl_column *column, mgl_role role)
{
    mgl_column shared = *column;
    shared.role = role;
    shared.shared = true;
    return shared;
}

static mgl_table *new_view(size_t n_columns, size_t n_rows)
{
    mgl_table *view = mgl_zeroed_array(1, sizeof *view);
    if (view == NULL)
        return NULL;
    view->columns = mgl_zeroed_array(n_columns, sizeof *view->columns);
    if (view->columns == NULL) {
        mgl_free(view);
        return NULL;
    }
    view->n_columns = n_columns;
    view->n_rows = n_rows;
    view->shares_rows = true;
    return view;
}

static mgl_status by_column(mgl_session *session, const mgl_table_order *order, mgl_error *err,
                            mgl_table **out)
{
    MGL_TRY(complete_columns(session, order, err));
    const mgl_opened *opened = order->opened;
    mgl_table *view = new_view(
        order->n_requested, opened->chosen_number != 0 ? (size_t)opened->n_chosen : opened->n_rows);
    MGL_TRY(mgl_check_memory(view != NULL, err));
    mgl_status status = MGL_OK;
    for (size_t i = 0; i < order->n_requested; i++) {
        const mgl_cache_entry *kept = NULL;
        MGL_GO(find_column(session, order, order->requested[i], err, &kept));
        MGL_GO(mgl_progress_poll(i, err));
        const kept_column *there = kept->object;
        view->columns[i] = share(&there->column, order->requested[i].role);
    }
    *out = view;
    view = NULL;
done:
    mgl_table_free(view);
    return status;
}

/* ---- Whole tables ---------------------------------------------------------------------------- */

typedef struct kept_table {
    mgl_table *table;
    mgl_value_places *places;
} kept_table;

static void free_table(void *object)
{
    kept_table *kept = object;
    mgl_table_free(kept->table);
    mgl_free(kept->places);
    mgl_free(kept);
}

static const mgl_cache_kind tables = {free_table, 4};

enum { ROWS_IN_STRIPE = 1 << 16 };

static mgl_status add_to_window(void *context, const mgl_table *stripe, mgl_error *err)
{
    return mgl_window_add(context, stripe, err);
}

static mgl_status read_into_window(mgl_session *session, const mgl_table_order *order,
                                   mgl_error *err, mgl_table **out)
{
    mgl_window *window;
    mgl_table *table = NULL;
    MGL_TRY(mgl_window_new(order->settings->limits.memory, err, &window));
    mgl_row_sink sink = {ROWS_IN_STRIPE, add_to_window, window};
    mgl_stream_request stream = {order->requested, order->n_requested, &sink, session->pool,
                                 &order->settings->progress};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_source_stream(order->opened->source, &stream, err, &table));
    MGL_GO(mgl_window_attach(window, table, err));
    window = NULL; /* the table owns it */
    MGL_GO(check_rows(order->opened, table->n_rows, err));
    *out = table;
    table = NULL;
done:
    mgl_table_free(table);
    mgl_window_free(window);
    return status;
}

mgl_status mgl_session_read_apart(mgl_session *session, const mgl_table_order *order,
                                  mgl_error *err, mgl_table **out)
{
    if (order->mode == MGL_IN_WINDOW)
        return read_into_window(session, order, err, out);
    return mgl_source_read(order->opened->source, order->requested, order->n_requested,
                           session->pool, &order->settings->progress, err, out);
}

static mgl_status read_whole(mgl_session *session, const mgl_table_order *order, mgl_error *err,
                             kept_table **out)
{
    kept_table *kept = mgl_zeroed_array(1, sizeof *kept);
    MGL_TRY(mgl_check_memory(kept != NULL, err));
    mgl_status status = MGL_OK;
    MGL_GO(order->mode == MGL_COUNTED
               ? mgl_source_count(order->opened->source, order->requested, order->n_requested,
                                  &order->settings->progress, err, &kept->table)
               : read_into_window(session, order, err, &kept->table));
    MGL_GO(mgl_places_new(order->opened->source, kept->table, err, &kept->places));
    session->work.columns_read += order->n_requested;
    for (size_t c = 0; c < kept->table->n_columns; c++)
        kept->table->columns[c].number = mgl_cache_number(session->cache);
    *out = kept;
    kept = NULL;
done:
    if (kept != NULL)
        free_table(kept);
    return status;
}

static mgl_status find_whole(mgl_session *session, const mgl_table_order *order, mgl_error *err,
                             const kept_table **out)
{
    mgl_buffer key = {0};
    const mgl_cache_entry *kept = NULL;
    kept_table *fresh = NULL;
    mgl_status status = MGL_OK;
    mgl_key_number(&key, order->mode);
    for (size_t i = 0; i < order->n_requested; i++)
        write_key(&key, order, order->requested[i]);
    MGL_GO(mgl_cache_find(order->pins, &tables, &key, err, &kept));
    if (kept == NULL) {
        MGL_GO(read_whole(session, order, err, &fresh));
        MGL_GO(mgl_cache_add(order->pins, &tables, &key, fresh, err, &kept));
    } else {
        MGL_GO(mgl_source_unchanged(order->opened->source, err));
        MGL_GO(mgl_source_keep(order->opened->source, order->requested, order->n_requested, err));
    }
    *out = kept->object;
done:
    mgl_buffer_free(&key);
    return status;
}

static mgl_status as_whole(mgl_session *session, const mgl_table_order *order, mgl_error *err,
                           mgl_table **out)
{
    const kept_table *kept;
    MGL_TRY(find_whole(session, order, err, &kept));
    mgl_table *view = new_view(order->n_requested, kept->table->n_rows);
    MGL_TRY(mgl_check_memory(view != NULL, err));
    view->times = kept->table->times;
    view->window = kept->table->window;
    for (size_t i = 0; i < order->n_requested; i++)
        view->columns[i] = share(&kept->table->columns[i], order->requested[i].role);
    *out = view;
    return MGL_OK;
}

mgl_status mgl_session_table(mgl_session *session, const mgl_table_order *order, mgl_error *err,
                             mgl_table **out)
{
    mgl_table *table = NULL;
    session->used = true;
    MGL_TRY(order->mode == MGL_BY_COLUMN ? by_column(session, order, err, &table)
                                         : as_whole(session, order, err, &table));
    if (table->n_rows > 0 || order->settings->source.may_be_empty) {
        *out = table;
        return MGL_OK;
    }
    mgl_table_free(table);
    return mgl_fail_at(err, MGL_CODE_EMPTY_TABLE, mgl_source_name(order->opened->source), 0,
                       "the table has no rows; fill it first");
}

mgl_status mgl_session_own_column(mgl_session *session, mgl_table *table, size_t column,
                                  mgl_error *err)
{
    mgl_column copy;
    if (!table->columns[column].shared)
        return MGL_OK;
    MGL_TRY(mgl_column_copy(&table->columns[column], table->n_rows, err, &copy));
    copy.number = mgl_cache_number(session->cache);
    table->columns[column] = copy;
    return MGL_OK;
}
