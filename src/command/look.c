/* The command look: what a table is read as, for a first look: its format,
 * its columns with what their values are, and rows as they stand in it. */
#include "command/command.h"

#include "command/run_command.h"
#include "findings/findings.h"
#include "suggest/suggest.h"

static json_t *character_json(char c)
{
    return c != '\0' ? json_stringn(&c, 1) : json_null();
}

/* Where the table is no text, how its lines are cut is null. */
static json_t *format_json(const mgl_settings *settings, const mgl_source *source)
{
    const mgl_dialect *dialect = mgl_source_dialect(source);
    json_t *object = json_object();
    const char *encoding = settings->source.encoding;
    mgl_json_set(object, "location", mgl_location_json(settings->data));
    mgl_json_set(object, "bytes", mgl_json_count(mgl_source_size(source)));
    mgl_json_set(object, "delimiter",
                 dialect != NULL ? character_json(dialect->delimiter) : json_null());
    mgl_json_set(object, "header", dialect != NULL ? json_boolean(dialect->header) : json_null());
    mgl_json_set(object, "crlf", dialect != NULL ? json_boolean(dialect->crlf) : json_null());
    mgl_json_set(object, "byte_order_mark",
                 dialect != NULL ? json_boolean(dialect->byte_order_mark) : json_null());
    mgl_json_set(object, "encoding",
                 dialect != NULL ? json_string(encoding != NULL ? encoding : "UTF-8")
                                 : json_null());
    mgl_json_set(object, "decimal", character_json(settings->source.decimal));
    return object;
}

/* Where an encoding is named, what the bytes look like is reported beside it: who named it may have
 * erred, or have requested what is found. */
static mgl_status add_found_encoding(const mgl_settings *settings, const mgl_source *source,
                                     mgl_error *err, json_t *object)
{
    mgl_found_encoding found = {0};
    bool named = settings->source.encoding != NULL && mgl_source_dialect(source) != NULL &&
                 strcmp(settings->data, "-") != 0;
    if (named)
        MGL_TRY(mgl_find_encoding(settings->data, settings->source.most_unpacked, err, &found));
    mgl_json_set(object, "encoding_found",
                 found.name != NULL ? json_string(found.name) : json_null());
    mgl_json_set(object, "encoding_why", named ? json_string(found.why) : json_null());
    return MGL_OK;
}

enum { MOST_FREQUENT = 10 };

/* The codes of the values that most rows have, the first of equals first; n of them. */
static size_t find_frequent(const uint64_t *rows, uint32_t n_values, uint32_t missing,
                            uint32_t found[MOST_FREQUENT])
{
    size_t n = 0;
    for (uint32_t code = 0; code < n_values; code++) {
        size_t at = n;
        if (rows[code] == 0 || code == missing)
            continue;
        while (at > 0 && rows[found[at - 1]] < rows[code])
            at--;
        if (at == MOST_FREQUENT)
            continue;
        n += n < MOST_FREQUENT;
        memmove(found + at + 1, found + at, (n - 1 - at) * sizeof *found);
        found[at] = code;
    }
    return n;
}

static json_t *frequent_json(const mgl_column *column, const uint64_t *rows)
{
    uint32_t found[MOST_FREQUENT];
    const mgl_dictionary *values = column->dictionary;
    size_t n =
        find_frequent(rows, mgl_dictionary_size(values), mgl_dictionary_missing(values), found);
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        mgl_span value = mgl_dictionary_value(values, found[i]);
        json_t *object = json_object();
        mgl_json_set(object, "value", mgl_json_span(value));
        mgl_json_set(object, "rows", mgl_json_count(rows[found[i]]));
        mgl_json_append(list, object);
    }
    return list;
}

static mgl_status column_json(const mgl_table *table, const mgl_column *column, mgl_error *err,
                              json_t *list)
{
    uint64_t *rows;
    mgl_profile profile;
    MGL_TRY(mgl_count_values(table, column, err, &rows));
    mgl_status status = mgl_profile_of(column->name, column->dictionary, rows, err, &profile);
    if (status == MGL_OK) {
        bool numbers = profile.shapes.low <= profile.shapes.high;
        json_t *object = json_object();
        mgl_json_set(object, "column", json_string(column->name));
        mgl_json_set(object, "kind", json_string(mgl_value_kind_name(profile.kind)));
        mgl_json_set(object, "number", json_boolean(mgl_profile_is_number(&profile)));
        mgl_json_set(object, "date", json_boolean(mgl_profile_is_date(&profile)));
        mgl_json_set(object, "distinct", mgl_json_count(profile.distinct));
        mgl_json_set(object, "alone", mgl_json_count(profile.alone));
        mgl_json_set(object, "missing", mgl_json_count(profile.missing));
        mgl_json_set(object, "low", numbers ? mgl_json_real(profile.shapes.low) : json_null());
        mgl_json_set(object, "high", numbers ? mgl_json_real(profile.shapes.high) : json_null());
        mgl_json_set(object, "frequent", frequent_json(column, rows));
        mgl_json_append(list, object);
    }
    mgl_free(rows);
    return status;
}

static json_t *cells_json(const mgl_table *table, size_t row)
{
    json_t *cells = json_array();
    for (size_t c = 0; c < table->n_columns; c++) {
        const mgl_column *column = &table->columns[c];
        uint32_t code = mgl_column_code(column, row);
        mgl_span value = mgl_dictionary_value(column->dictionary, code);
        mgl_json_append(cells, code == mgl_dictionary_missing(column->dictionary)
                                   ? json_null()
                                   : mgl_json_span(value));
    }
    return cells;
}

static json_t *window_json(const mgl_settings *settings, const mgl_table *table)
{
    json_t *list = json_array();
    uint64_t first = settings->view.window.first - 1;
    for (uint64_t i = 0; i < settings->view.window.n && first + i < table->n_rows; i++)
        mgl_json_append(list, cells_json(table, first + i));
    return list;
}

/* Groups that an engine counted are no rows: such a table shows its columns one by one, and no
 * rows. */
static mgl_status look_at(const mgl_settings *settings, const mgl_table *table, bool rows,
                          mgl_error *err, json_t *document, json_t *columns)
{
    for (size_t c = 0; c < table->n_columns; c++) {
        MGL_TRY(mgl_progress_poll(c, err));
        MGL_TRY(column_json(table, &table->columns[c], err, columns));
    }
    if (rows) {
        mgl_json_set(document, "rows", mgl_json_count(table->n_rows));
        mgl_json_set(document, "first", mgl_json_count(settings->view.window.first));
        mgl_json_set(document, "window", window_json(settings, table));
        return MGL_OK;
    }
    uint64_t n = 0;
    for (size_t row = 0; row < table->n_rows; row++)
        n += table->times != NULL ? table->times[row] : 1;
    mgl_json_set(document, "rows", mgl_json_count(n));
    mgl_json_set(document, "window", json_null());
    return MGL_OK;
}

static mgl_status read_and_look(mgl_session *session, const mgl_settings *settings, size_t first,
                                size_t n, mgl_error *err, json_t *document, json_t *columns)
{
    mgl_source *source = session->data->source;
    bool counts = mgl_source_counts(source);
    mgl_cache_pins pins = {.cache = session->cache};
    mgl_table *table = NULL;
    mgl_column_request *requested = mgl_alloc_array(n, sizeof *requested);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(requested != NULL, err));
    for (size_t c = 0; c < n; c++)
        requested[c] = (mgl_column_request){first + c, MGL_ROLE_QUASI};
    mgl_table_order order = {.opened = session->data,
                             .requested = requested,
                             .n_requested = n,
                             .mode = counts ? MGL_COUNTED : MGL_BY_COLUMN,
                             .settings = settings,
                             .pins = &pins};
    MGL_GO(mgl_session_table(session, &order, err, &table));
    MGL_GO(look_at(settings, table, !counts, err, document, columns));
done:
    mgl_table_free(table);
    mgl_cache_unpin(&pins);
    mgl_free(requested);
    return status;
}

/* An engine counts one column after the other: counting them together would give the rows. */
static mgl_status look_at_all(mgl_session *session, const mgl_settings *settings, mgl_error *err,
                              json_t *document)
{
    MGL_TRY(mgl_session_attach(session, settings, err));
    mgl_source *source = session->data->source;
    size_t n = mgl_source_columns(source), step = mgl_source_counts(source) ? 1 : n;
    json_t *columns = json_array();
    mgl_status status = MGL_OK;
    json_t *format = format_json(settings, source);
    mgl_json_set(document, "table", format);
    MGL_GO(add_found_encoding(settings, source, err, format));
    for (size_t first = 0; first < n; first += step)
        MGL_GO(read_and_look(session, settings, first, step, err, document, columns));
    mgl_json_set(document, "columns", json_incref(columns));
done:
    json_decref(columns);
    mgl_session_detach(session);
    return status;
}

mgl_status mgl_command_look(mgl_session *session, mgl_job *job, mgl_error *err, mgl_result **out)
{
    const mgl_settings *settings;
    mgl_result *result;
    mgl_progress_plan("read");
    MGL_TRY(mgl_resolve_encoding(job, MGL_LOOK, err));
    MGL_TRY(mgl_job_settings(job, MGL_LOOK, err, &settings));
    MGL_TRY(mgl_refuse_result_files(settings, err));
    MGL_TRY(mgl_result_new("look", err, &result));
    mgl_status status = MGL_OK;
    MGL_GO(look_at_all(session, settings, err, result->document));
    MGL_GO(mgl_result_finish(result, settings, err));
    *out = result;
    result = NULL;
done:
    mgl_result_free(result);
    return status;
}
