/* The command hierarchy: builds, checks, shows or suggests the hierarchies of a job. */
#include "command/command.h"
#include "command/run_command.h"
#include "findings/findings.h"
#include "result/result.h"

static json_t *node_json(const mgl_hierarchy *hierarchy, uint32_t level, uint32_t value,
                         uint64_t rows)
{
    const mgl_level *l = &hierarchy->levels[level];
    json_t *node = json_object();
    const mgl_span *labels =
        l->given != NULL ? l->given : l->labels; /* read again it is the same */
    mgl_json_set(node, "label", mgl_json_span(labels[value]));
    mgl_json_set(node, "rows", mgl_json_count(rows));
    if (level == 0 && value == hierarchy->missing_leaf)
        mgl_json_set(node, "missing", json_true());
    return node;
}

/* Makes the nodes of a level and hangs those of the level below, with their rows, under them. */
static json_t **add_level(const mgl_hierarchy *hierarchy, uint32_t level, json_t **below,
                          const uint64_t *rows_below, uint64_t *rows)
{
    const mgl_level *l = &hierarchy->levels[level], *under = l - (level > 0);
    json_t **nodes = mgl_zeroed_array(l->n_values, sizeof(json_t *));
    if (nodes == NULL)
        return NULL;
    for (uint32_t v = 0; level > 0 && v < under->n_values; v++)
        rows[under->parent[v]] += rows_below[v];
    for (uint32_t v = 0; v < l->n_values; v++) {
        nodes[v] = node_json(hierarchy, level, v, rows[v]);
        if (level > 0)
            mgl_json_set(nodes[v], "nodes", json_array());
    }
    for (uint32_t v = 0; level > 0 && v < under->n_values; v++) {
        mgl_json_append(json_object_get(nodes[under->parent[v]], "nodes"), below[v]);
        below[v] = NULL;
    }
    return nodes;
}

static void free_level(json_t **nodes, uint32_t n)
{
    for (uint32_t v = 0; nodes != NULL && v < n; v++)
        json_decref(nodes[v]);
    mgl_free(nodes);
}

/* {"label", "rows", "nodes": [...]}; values on the ground have no "nodes". Free with json_decref.
 */
static mgl_status tree_json(const mgl_table *table, const mgl_quasi_column *quasi, mgl_error *err,
                            json_t **out)
{
    const mgl_hierarchy *hierarchy = quasi->hierarchy;
    json_t **nodes = NULL;
    uint64_t *rows = mgl_zeroed_array(hierarchy->n_leaves, sizeof *rows);
    uint32_t n = 0;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(rows != NULL, err));
    /* Rows of each leaf. */
    uint64_t *of_code;
    MGL_GO(mgl_count_values(table, quasi->column, err, &of_code));
    for (uint32_t code = 0; code < mgl_dictionary_size(quasi->column->dictionary); code++)
        rows[quasi->leaf_of_code[code]] += of_code[code];
    mgl_free(of_code);
    for (uint32_t level = 0; level <= hierarchy->height; level++) {
        uint32_t n_values = hierarchy->levels[level].n_values;
        uint64_t *here = level > 0 ? mgl_zeroed_array(n_values, sizeof *here) : rows;
        json_t **above = here != NULL ? add_level(hierarchy, level, nodes, rows, here) : NULL;
        free_level(nodes, n);
        nodes = above;
        n = n_values;
        if (here != rows)
            mgl_free(rows);
        rows = here;
        MGL_GO(mgl_check_memory(nodes != NULL, err));
    }
    *out = json_incref(nodes[0]);
done:
    free_level(nodes, n);
    mgl_free(rows);
    return status;
}

static json_t *levels_json(const mgl_hierarchy *hierarchy)
{
    json_t *levels = json_array();
    for (uint32_t l = 0; l <= hierarchy->height; l++)
        mgl_json_append(levels, mgl_json_count(hierarchy->levels[l].n_values));
    return levels;
}

static json_t *shape_json(const mgl_quasi_column *quasi)
{
    const mgl_hierarchy *hierarchy = quasi->hierarchy;
    json_t *object = json_object();
    mgl_json_set(object, "column", json_string(quasi->settings->name));
    mgl_json_set(object, "source", json_string(hierarchy->source));
    mgl_json_set(object, "hierarchy", json_string(quasi->proposed != NULL ? "proposed" : "given"));
    mgl_json_set(object, "resolved", json_string(hierarchy->resolved));
    mgl_json_set(object, "height", mgl_json_count(hierarchy->height));
    mgl_json_set(object, "leaves", mgl_json_count(hierarchy->n_leaves));
    mgl_json_set(object, "levels", levels_json(hierarchy));
    return object;
}

static mgl_status add_drawn(const mgl_reading *reading, const mgl_quasi_column *quasi,
                            const char *action, mgl_error *err, json_t *list)
{
    json_t *object, *tree = NULL;
    mgl_buffer text = {0};
    if (strcmp(action, "tree") == 0)
        MGL_TRY(tree_json(reading->table, quasi, err, &tree));
    object = shape_json(quasi);
    if (tree != NULL)
        mgl_json_set(object, "tree", tree);
    if (strcmp(action, "show") == 0) {
        mgl_hierarchy_draw(quasi->hierarchy, 12, &text);
        mgl_json_set(object, "tree", mgl_json_take(&text));
    } else if (strcmp(action, "build") == 0) {
        mgl_hierarchy_write(quasi->hierarchy, &text);
        mgl_json_set(object, "file", mgl_json_take(&text));
    }
    mgl_json_append(list, object);
    return MGL_OK;
}

/* Only `build` writes: the output that a job file names for anonymize does not concern the other
 * actions. */
static bool writes(const mgl_settings *settings, const char *action)
{
    return strcmp(action, "build") == 0 && settings->output != NULL;
}

static mgl_status make_all(mgl_session *session, const mgl_settings *settings, const char *action,
                           mgl_error *err, json_t *list)
{
    mgl_reading *reading;
    mgl_buffer text = {0};
    MGL_TRY(mgl_reading_new(session, settings, MGL_TO_DRAW, err, &reading));
    mgl_status status = MGL_OK;
    for (size_t a = 0; a < reading->n_quasi; a++)
        MGL_GO(add_drawn(reading, &reading->quasi[a], action, err, list));
    if (writes(settings, action)) {
        if (reading->n_quasi != 1)
            MGL_GO(mgl_fail_key(err, MGL_CODE_CONFLICT, "hierarchy",
                                "a file holds the hierarchy of one column; give one `hierarchy`"));
        mgl_hierarchy_write(reading->quasi[0].hierarchy, &text);
        MGL_GO(mgl_publish_buffer(settings->output, &text, err));
    }
done:
    mgl_reading_free(reading);
    return status;
}

static mgl_status suggest_one(const mgl_settings *settings, const mgl_table *table, size_t c,
                              mgl_error *err, json_t *list)
{
    const mgl_column *column = &table->columns[c];
    mgl_suggestion found;
    MGL_TRY(mgl_suggest_column(settings, table, column, err, &found));
    json_t *object = json_object();
    mgl_json_set(object, "column", json_string(column->name));
    mgl_json_set(object, "builder", mgl_json_take(&found.builder));
    mgl_json_set(object, "reason", mgl_json_take(&found.reason));
    mgl_json_set(object, "alternatives", mgl_json_take(&found.alternatives));
    if (found.hierarchy != NULL) {
        mgl_json_set(object, "resolved", json_string(found.hierarchy->resolved));
        mgl_json_set(object, "levels", levels_json(found.hierarchy));
    }
    mgl_json_append(list, object);
    mgl_suggestion_free(&found);
    return MGL_OK;
}

static mgl_status suggest_all(mgl_session *session, const mgl_settings *settings, mgl_error *err,
                              json_t *list)
{
    mgl_cache_pins pins = {0};
    mgl_table *table = NULL;
    mgl_column_request *requested = NULL;
    mgl_status status = MGL_OK;
    MGL_TRY(mgl_session_attach(session, settings, err));
    pins.cache = session->cache;
    size_t n = mgl_source_columns(session->data->source);
    requested = mgl_alloc_array(n, sizeof *requested);
    MGL_GO(mgl_check_memory(requested != NULL, err));
    for (size_t c = 0; c < n; c++)
        requested[c] = (mgl_column_request){c, MGL_ROLE_QUASI};
    mgl_table_order order = {.opened = session->data,
                             .requested = requested,
                             .n_requested = n,
                             .settings = settings,
                             .pins = &pins};
    MGL_GO(mgl_session_table(session, &order, err, &table));
    for (size_t c = 0; c < n; c++)
        MGL_GO(suggest_one(settings, table, c, err, list));
done:
    mgl_table_free(table);
    mgl_cache_unpin(&pins);
    mgl_session_detach(session);
    mgl_free(requested);
    return status;
}

mgl_status mgl_command_hierarchy(mgl_session *session, mgl_job *job, mgl_error *err,
                                 mgl_result **out)
{
    const char *action = mgl_job_action_of(job);
    const mgl_settings *settings;
    mgl_result *result;
    mgl_progress_plan("read");
    MGL_TRY(mgl_job_settings(job, MGL_HIERARCHY, err, &settings));
    MGL_TRY(mgl_result_new("hierarchy", err, &result));
    mgl_json_set(result->document, "action", json_string(action));
    json_t *list = json_array();
    mgl_status status = strcmp(action, "suggest") == 0
                            ? suggest_all(session, settings, err, list)
                            : make_all(session, settings, action, err, list);
    mgl_json_set(result->document, "hierarchies", list);
    if (writes(settings, action))
        mgl_json_set(result->document, "output", json_string(settings->output));
    if (status == MGL_OK)
        status = mgl_result_finish(result, settings, err);
    if (status != MGL_OK) {
        mgl_result_free(result);
        return status;
    }
    *out = result;
    return MGL_OK;
}
