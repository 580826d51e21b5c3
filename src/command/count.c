/* The command count: writes the counts of a slice of a table as a part. */
#include "command/command.h"

#include "command/run_command.h"
#include "findings/findings.h"

/* The columns to count, each bound to a hierarchy of value and *, in the order of the part. */
typedef struct counted {
    mgl_owned owned;
    size_t n;
    mgl_bound_column *bound;
    mgl_hierarchy **hierarchies; /* [n] */
    uint32_t **leaf_of_code;     /* [n] likewise */
    uint32_t **code_of_leaf;     /* [n] */
} counted;

static mgl_status bind(counted *c, size_t i, const mgl_column *column, mgl_error *err)
{
    uint32_t n = mgl_dictionary_size(column->dictionary);
    MGL_TRY(mgl_hierarchy_make(NULL, column->name, column->dictionary, err, &c->hierarchies[i]));
    uint32_t n_leaves = c->hierarchies[i]->n_leaves;
    c->leaf_of_code[i] = mgl_own_array(&c->owned, n, sizeof **c->leaf_of_code);
    c->code_of_leaf[i] = mgl_own_zeroed(&c->owned, n_leaves, sizeof **c->code_of_leaf);
    MGL_TRY(mgl_owned_check(&c->owned, err));
    MGL_TRY(mgl_hierarchy_bind(c->hierarchies[i], column->name, column->dictionary, err,
                               c->leaf_of_code[i]));
    for (uint32_t code = 0; code < n; code++)
        c->code_of_leaf[i][c->leaf_of_code[i][code]] = code;
    c->bound[i] = (mgl_bound_column){column, c->hierarchies[i], c->leaf_of_code[i]};
    return MGL_OK;
}

static mgl_status bind_all(counted *c, const mgl_reading *reading, mgl_error *err)
{
    size_t n = reading->n_quasi + reading->n_sensitive;
    c->bound = mgl_own_zeroed(&c->owned, n, sizeof *c->bound);
    c->hierarchies = mgl_own_zeroed(&c->owned, n, sizeof *c->hierarchies);
    c->leaf_of_code = mgl_own_array(&c->owned, n, sizeof *c->leaf_of_code);
    c->code_of_leaf = mgl_own_array(&c->owned, n, sizeof *c->code_of_leaf);
    MGL_TRY(mgl_owned_check(&c->owned, err));
    c->n = n;
    for (size_t i = 0; i < c->n; i++)
        MGL_TRY(bind(c, i,
                     i < reading->n_quasi ? reading->quasi[i].column
                                          : reading->cells[i - reading->n_quasi].column,
                     err));
    return MGL_OK;
}

/* The distinct rows as a counted table, with the dictionaries of the reading. */
static mgl_status fill_table(const counted *c, const mgl_frequency_list *list, mgl_table *table,
                             mgl_error *err)
{
    MGL_TRY(mgl_new_array(list->n_tuples, sizeof *table->times, err, &table->times));
    memcpy(table->times, list->counts, list->n_tuples * sizeof *table->times);
    for (size_t i = 0; i < c->n; i++) {
        mgl_column *column = &table->columns[i];
        const mgl_column *from = c->bound[i].column;
        uint32_t n = mgl_dictionary_size(from->dictionary);
        for (uint32_t code = 0; code < n; code++) {
            mgl_span value = mgl_dictionary_value(from->dictionary, code);
            uint32_t same = code == mgl_dictionary_missing(from->dictionary)
                                ? mgl_dictionary_add_missing(column->dictionary, value)
                                : mgl_dictionary_add(column->dictionary, value);
            if (same != code)
                return mgl_fail_memory(err);
        }
        column->source_index = from->source_index;
        MGL_TRY(mgl_check_memory(
            mgl_column_widen(column, 0, n) && mgl_column_reserve(column, 0, list->n_tuples), err));
        for (size_t t = 0; t < list->n_tuples; t++)
            mgl_column_set(column, t, c->code_of_leaf[i][mgl_list_leaf(list, t, i)]);
    }
    table->n_rows = list->n_tuples;
    return MGL_OK;
}

/* A slice without rows: its columns alone. */
static mgl_status fill_nothing(const mgl_reading *reading, mgl_table *table, mgl_error *err)
{
    MGL_TRY(mgl_new_array(1, sizeof *table->times, err, &table->times));
    for (size_t i = 0; i < table->n_columns; i++)
        table->columns[i].source_index = i < reading->n_quasi
                                             ? reading->quasi[i].column->source_index
                                             : reading->counted[i - reading->n_quasi]->source_index;
    return MGL_OK;
}

static mgl_status fingerprint(const mgl_table *table, mgl_error *err, mgl_fingerprint *out)
{
    const mgl_column **columns = mgl_alloc_array(table->n_columns, sizeof *columns);
    MGL_TRY(mgl_check_memory(columns != NULL, err));
    for (size_t c = 0; c < table->n_columns; c++)
        columns[c] = &table->columns[c];
    mgl_status status =
        mgl_fingerprint_of(columns, table->n_columns, table->n_rows, table->times, err, out);
    mgl_free(columns);
    return status;
}

static mgl_status write_part(const mgl_reading *reading, mgl_table *table, mgl_error *err)
{
    const mgl_settings *settings = reading->settings;
    size_t n = mgl_source_columns(reading->source);
    const char **names = mgl_alloc_array(n, sizeof *names);
    mgl_part part = {.version = MGL_VERSION,
                     .n_columns = n,
                     .columns = names,
                     .roles = reading->roles,
                     .table = table};
    mgl_buffer file = {0};
    char *given = NULL;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(names != NULL, err));
    for (size_t c = 0; c < n; c++)
        names[c] = mgl_source_column(reading->source, c);
    MGL_GO(mgl_part_reading_given(settings, err, &given));
    part.reading = given;
    MGL_GO(fingerprint(table, err, &part.fingerprint));
    MGL_GO(mgl_part_pack(&part, err, &file));
    MGL_GO(mgl_publish_buffer(settings->output, &file, err));
done:
    mgl_buffer_free(&file);
    mgl_free(names);
    mgl_free(given);
    return status;
}

static mgl_status count(const mgl_reading *reading, mgl_error *err, mgl_result *result)
{
    counted c = {0};
    mgl_frequency_list *list = NULL;
    mgl_table *table = NULL;
    bool empty = reading->table->n_rows == 0;
    mgl_status status = MGL_OK;
    if (!empty) {
        MGL_GO(bind_all(&c, reading, err));
        MGL_GO(mgl_frequency_list_new(&(mgl_count_request){.quasi = c.bound,
                                                           .n_quasi = c.n,
                                                           .n_rows = reading->table->n_rows,
                                                           .times = reading->table->times},
                                      reading->pool, err, &list));
    }
    table = mgl_table_new(empty ? reading->n_quasi + reading->n_sensitive : c.n);
    MGL_GO(table == NULL ? mgl_fail_memory(err)
           : empty       ? fill_nothing(reading, table, err)
                         : fill_table(&c, list, table, err));
    MGL_GO(write_part(reading, table, err));
    mgl_json_set(result->document, "rows", mgl_json_count(empty ? 0 : list->n_rows));
    mgl_json_set(result->document, "combinations", mgl_json_count(empty ? 0 : list->n_tuples));
    mgl_json_set(result->document, "output", json_string(reading->settings->output));
done:
    mgl_table_free(table);
    mgl_frequency_list_free(list);
    for (size_t i = 0; i < c.n; i++)
        mgl_hierarchy_free(c.hierarchies[i]);
    mgl_owned_free(&c.owned);
    return status;
}

mgl_status mgl_command_count(mgl_session *session, mgl_job *job, mgl_error *err, mgl_result **out)
{
    const mgl_settings *settings;
    mgl_reading *reading;
    mgl_result *result = NULL;
    mgl_progress_plan("read");
    MGL_TRY(mgl_command_settings(session, job, MGL_COUNT, err, &settings));
    mgl_settings slice = *settings;
    slice.source.may_be_empty = true;
    MGL_TRY(mgl_reading_new(session, &slice, MGL_TO_CHECK, err, &reading));
    mgl_status status = MGL_OK;
    MGL_GO(mgl_result_new("count", err, &result));
    MGL_GO(count(reading, err, result));
    mgl_result_add_left_out(reading, result->document);
    mgl_result_take_warnings(result, &reading->warnings);
    MGL_GO(mgl_result_finish(result, settings, err));
    *out = result;
    result = NULL;
done:
    mgl_reading_free(reading);
    mgl_result_free(result);
    return status;
}
