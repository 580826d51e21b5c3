/* The command recoding show: what a saved recoding says, as a result, and as a table with -o. */
#include "command/command.h"

#include "findings/findings.h"

static json_t *text_json(mgl_span text)
{
    return json_stringn(text.data != NULL ? text.data : "", text.size);
}

static const char *role_word(mgl_role role)
{
    return role == MGL_ROLE_NONE ? "left out" : mgl_role_name(role);
}

static json_t *columns_json(const mgl_saved_recoding *saved)
{
    json_t *list = json_array();
    for (size_t c = 0; c < saved->n_columns; c++) {
        json_t *column = json_object();
        mgl_json_set(column, "column", json_string(saved->columns[c]));
        mgl_json_set(column, "role", json_string(role_word(saved->roles[c])));
        mgl_json_append(list, column);
    }
    return list;
}

/* How the job of the recoding aggregates a column; null: not, or nobody knows. */
static json_t *function_json(const json_t *job, const char *column)
{
    const json_t *fields = json_object_get(json_object_get(job, "attributes"), column);
    const char *said = mgl_json_text(fields, "aggregate");
    bool none = said == NULL || strcmp(said, mgl_aggregate_words[MGL_AGGREGATE_NOT]) == 0;
    return none ? json_null() : json_string(said);
}

/* A quasi-identifier: its hierarchy, and the level if all cells have one. */
static json_t *quasi_json(const mgl_saved_quasi *quasi, const json_t *job)
{
    const mgl_saved_tree *tree = quasi->tree;
    json_t *object = json_object();
    mgl_json_set(object, "column", json_string(quasi->name));
    mgl_json_set(object, "values", mgl_json_count(mgl_dictionary_size(quasi->ground)));
    mgl_json_set(object, "top", text_json(quasi->labels[quasi->top]));
    if (tree == NULL)
        return object;
    bool mixed = tree->level == MGL_NOT_FOUND;
    mgl_json_set(object, "leaves", mgl_json_count(tree->n_leaves));
    mgl_json_set(object, "height", mgl_json_count(tree->height));
    mgl_json_set(object, "level", mixed ? json_null() : mgl_json_count(tree->level));
    mgl_json_set(object, "rule", tree->rule[0] != '\0' ? json_string(tree->rule) : json_null());
    mgl_json_set(object, "aggregate", function_json(job, quasi->name));
    return object;
}

/* The value of a leaf: the first that has it. */
static mgl_status leaf_texts(const mgl_saved_quasi *quasi, mgl_arena *arena, mgl_error *err,
                             mgl_span **out)
{
    mgl_span *texts = mgl_arena_alloc(arena, quasi->n_leaves * sizeof *texts);
    if (texts == NULL)
        return mgl_fail_memory(err);
    memset(texts, 0, quasi->n_leaves * sizeof *texts);
    for (uint32_t code = mgl_dictionary_size(quasi->ground); code-- > 0;)
        texts[quasi->leaf_of_code[code]] = mgl_dictionary_value(quasi->ground, code);
    *out = texts;
    return MGL_OK;
}

static json_t *tuple_json(const mgl_saved_recoding *saved, mgl_span *const *texts, size_t t)
{
    json_t *tuple = json_object(), *values = json_array(), *released = json_array();
    for (size_t a = 0; a < saved->n_quasi; a++) {
        mgl_json_append(values, text_json(texts[a][saved->leaves[a][t]]));
        mgl_json_append(released, text_json(saved->quasi[a].labels[saved->released[a][t]]));
    }
    mgl_json_set(tuple, "values", values);
    mgl_json_set(tuple, "released", released);
    mgl_json_set(tuple, "rows", mgl_json_count(saved->counts[t]));
    mgl_json_set(tuple, "suppressed", json_boolean(saved->suppressed[t] != 0));
    return tuple;
}

/* What each item is released as; null: it is left out. */
static json_t *items_json(const mgl_saved_items *items)
{
    json_t *object = json_object(), *list = json_array();
    for (size_t i = 0; i < items->n_items; i++) {
        uint32_t label = items->label_of[i];
        json_t *one = json_object();
        mgl_json_set(one, "item", text_json(items->items[i]));
        mgl_json_set(one, "released",
                     label != MGL_NOT_FOUND ? text_json(items->labels[label]) : json_null());
        mgl_json_append(list, one);
    }
    mgl_json_set(object, "column", json_string(items->column));
    mgl_json_set(object, "separator", json_string(items->separator));
    mgl_json_set(object, "items", list);
    return object;
}

static mgl_status fill(const mgl_saved_recoding *saved, mgl_error *err, json_t *document)
{
    mgl_arena *arena = mgl_arena_new();
    mgl_span **texts = NULL;
    json_t *quasi = json_array(), *tuples = json_array();
    json_t *job = saved->job != NULL ? json_loads(saved->job, 0, NULL) : NULL;
    mgl_status status = MGL_OK;
    if (arena != NULL)
        texts = mgl_arena_alloc(arena, (saved->n_quasi + 1) * sizeof *texts);
    if (texts == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t a = 0; a < saved->n_quasi; a++) {
        MGL_GO(leaf_texts(&saved->quasi[a], arena, err, &texts[a]));
        mgl_json_append(quasi, quasi_json(&saved->quasi[a], job));
    }
    for (size_t t = 0; t < saved->n_tuples; t++)
        mgl_json_append(tuples, tuple_json(saved, texts, t));
    mgl_json_set(document, "saved_by", json_string(saved->version));
    mgl_json_set(document, "method", json_string(saved->method));
    mgl_json_set(document, "rows", mgl_json_count(saved->n_rows));
    mgl_json_set(document, "suppressed", json_string(saved->drops ? "drop" : "keep"));
    mgl_json_set(document, "columns", columns_json(saved));
    mgl_json_set(document, "quasi_identifier", json_incref(quasi));
    mgl_json_set(document, "tuples", json_incref(tuples));
    if (saved->items != NULL)
        mgl_json_set(document, "items", items_json(saved->items));
done:
    json_decref(job);
    json_decref(quasi);
    json_decref(tuples);
    mgl_arena_free(arena);
    return status;
}

/* ---- The table ---------------------------------------------------------------------------------
 */

static void put(mgl_buffer *out, mgl_span cell, const char *end)
{
    mgl_text_quote(out, cell, ',', false);
    mgl_buffer_text(out, end);
}

static void put_cells(mgl_buffer *out, const json_t *cells)
{
    for (size_t i = 0; i < json_array_size(cells); i++)
        put(out, mgl_span_of(json_string_value(json_array_get(cells, i))), ",");
}

/* One line per tuple: its values, what they are released as, rows, suppressed. */
static void make_table(const json_t *document, mgl_buffer *out)
{
    const json_t *quasi = json_object_get(document, "quasi_identifier");
    const json_t *tuples = json_object_get(document, "tuples");
    static const char *const kinds[] = {"", "released "};
    for (int k = 0; k < 2; k++)
        for (size_t a = 0; a < json_array_size(quasi); a++) {
            mgl_buffer name = {0};
            mgl_buffer_format(&name, "%s%s", kinds[k],
                              mgl_json_text(json_array_get(quasi, a), "column"));
            out->failed = out->failed || name.failed;
            if (!name.failed)
                put(out, (mgl_span){name.data, name.size}, ",");
            mgl_buffer_free(&name);
        }
    mgl_buffer_text(out, "rows,suppressed\n");
    for (size_t t = 0; t < json_array_size(tuples); t++) {
        const json_t *tuple = json_array_get(tuples, t);
        put_cells(out, json_object_get(tuple, "values"));
        put_cells(out, json_object_get(tuple, "released"));
        mgl_buffer_format(out, "%llu,%d\n", (unsigned long long)mgl_json_whole(tuple, "rows"),
                          json_is_true(json_object_get(tuple, "suppressed")));
    }
}

static mgl_status write_table(const mgl_result *result, const char *target, mgl_error *err)
{
    mgl_buffer table = {0};
    make_table(result->document, &table);
    mgl_status status =
        table.failed ? mgl_fail_memory(err) : mgl_publish_text(target, table.data, table.size, err);
    mgl_buffer_free(&table);
    return status;
}

mgl_status mgl_command_show_recoding(mgl_session *session, mgl_job *job, mgl_error *err,
                                     mgl_result **out)
{
    (void)session;
    const mgl_settings *settings;
    mgl_saved_recoding *saved;
    mgl_result *result = NULL;
    MGL_TRY(mgl_job_settings(job, MGL_SHOW_RECODING, err, &settings));
    MGL_TRY(mgl_blame_key(err, mgl_saved_recoding_read(settings->data, err, &saved), "data"));
    mgl_status status = MGL_OK;
    MGL_GO(mgl_result_new("recoding", err, &result));
    result->holds = true;
    MGL_GO(fill(saved, err, result->document));
    if (!mgl_json_complete(result->document))
        MGL_GO(mgl_fail_memory(err));
    if (settings->output != NULL)
        MGL_GO(write_table(result, settings->output, err));
    *out = result;
    result = NULL;
done:
    mgl_result_free(result);
    mgl_saved_recoding_free(saved);
    return status;
}
