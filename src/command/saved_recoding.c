/* Saved recodings. --save-recoding writes to a file how each tuple is released, so that `apply` can
 * release other rows alike and --history can respect the release; `recoding show` prints one. */
#include "command/saved_recoding.h"
#include "command/command.h"
#include "command/run_command.h"
#include "findings/findings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a cell pays by the measure of the job, if that adds up over cells and all values have what
 * it looks at; else it pays by its leaves. */
typedef struct prices {
    const mgl_cell_costs *costs;
    mgl_measured_cells cells;
    bool weighted;
} prices;

static bool has_made_values(const mgl_recoding *recoding)
{
    for (size_t a = 0; a < recoding->n_attributes; a++)
        if (recoding->columns[a]->scale != NULL)
            return true;
    return false;
}

static prices prices_of(const mgl_problem *problem, const mgl_recoding *recoding,
                        const mgl_cell_costs *costs)
{
    const mgl_measure_type *measure = problem->measure;
    bool adds_up = measure != NULL && mgl_adds_up(measure);
    bool levels = adds_up && measure->cells == MGL_PAYS_LEVEL;
    mgl_measured_cells cells = adds_up ? measure->cells : MGL_PAYS_LEAVES;
    if (levels && has_made_values(recoding))
        cells = MGL_PAYS_LEAVES;
    return (prices){costs, cells, adds_up && measure->weighted};
}

static void report_label(const mgl_released_column *column, uint32_t v, mgl_saved_label *out)
{
    const mgl_released_value *value = &column->values[v];
    const mgl_scale *scale = column->scale;
    out->level = value->level >= 0 ? (uint32_t)value->level : MGL_NOT_FOUND;
    out->leaves = value->leaves;
    out->first_leaf = value->first_leaf;
    out->low = out->high = NAN;
    if (scale == NULL || v < column->first_made)
        return;
    out->first_leaf = scale->ordered[value->begin];
    out->low = scale->of_leaf[scale->ordered[value->begin]];
    out->high = scale->of_leaf[scale->ordered[value->begin + value->leaves - 1]];
}

static mgl_status take_levels(const mgl_hierarchy *h, mgl_arena *arena, mgl_error *err,
                              mgl_saved_tree *out)
{
    size_t levels = (size_t)h->height + 1;
    out->n_values = mgl_arena_alloc(arena, levels * sizeof *out->n_values);
    out->labels = mgl_arena_alloc(arena, levels * sizeof *out->labels);
    out->of_leaf = mgl_arena_alloc(arena, levels * sizeof *out->of_leaf);
    MGL_TRY(mgl_check_memory(out->n_values != NULL && out->labels != NULL && out->of_leaf != NULL,
                             err));
    for (size_t l = 0; l < levels; l++) { /* borrowed: they are only written */
        out->n_values[l] = h->levels[l].n_values;
        out->labels[l] = (mgl_span *)h->levels[l].labels;
        out->of_leaf[l] = (uint32_t *)h->levels[l].of_leaf;
    }
    return MGL_OK;
}

/* A builder is a rule unless it looks into a file or at other columns: then the leaves are all
 * there is to it. */
static const char *rule_of(const mgl_hierarchy *h)
{
    bool builder = mgl_hierarchy_is_builder(h->resolved);
    bool alone = builder && mgl_hierarchy_path(h->resolved).size == 0 &&
                 mgl_hierarchy_columns(h->resolved).size == 0;
    return alone ? h->resolved : "";
}

static mgl_status take_tree(const mgl_outcome *outcome, size_t a, const uint32_t *number,
                            mgl_arena *arena, mgl_error *err, mgl_saved_quasi *out)
{
    const mgl_hierarchy *h = outcome->reading->quasi[a].hierarchy;
    const mgl_released_column *column = outcome->solution->recoding->columns[a];
    const uint32_t *node = outcome->solution->node;
    mgl_saved_tree *tree = mgl_arena_alloc(arena, sizeof *tree);
    MGL_TRY(mgl_check_memory(tree != NULL, err));
    *tree = (mgl_saved_tree){
        .rule = rule_of(h),
        .scale = column->scale == NULL                      ? 0
                 : column->scale->kind == MGL_SCALE_NUMBERS ? 1
                                                            : 2,
        .height = h->height,
        .n_leaves = h->n_leaves,
        .missing_leaf = h->missing_leaf,
        .level = node != NULL ? node[a] : MGL_NOT_FOUND,
        .leaf_of = mgl_arena_alloc(arena, out->n_leaves * sizeof *tree->leaf_of),
        .saved_labels = mgl_arena_alloc(arena, out->n_labels * sizeof *tree->saved_labels)};
    MGL_TRY(mgl_check_memory(tree->leaf_of != NULL && tree->saved_labels != NULL, err));
    for (uint32_t leaf = 0; leaf < h->n_leaves; leaf++)
        if (number[leaf] != MGL_NOT_FOUND)
            tree->leaf_of[number[leaf]] = leaf;
    for (uint32_t v = 0; v < out->n_labels; v++)
        report_label(column, v, &tree->saved_labels[v]);
    out->tree = tree;
    return take_levels(h, arena, err, tree);
}

/* Labels of other levels than the released one have the level behind them: those of a recoding are
 * all different, and a column has one level. */
static mgl_status distinguish_labels(const mgl_released_column *column, uint32_t level,
                                     mgl_arena *arena, mgl_error *err, const mgl_span **labels)
{
    mgl_span *all = mgl_arena_alloc(arena, column->n_values * sizeof *all);
    MGL_TRY(mgl_check_memory(all != NULL, err));
    memcpy(all, *labels, column->n_values * sizeof *all);
    for (uint32_t v = 0; v < column->n_values; v++) {
        const mgl_released_value *value = &column->values[v];
        mgl_buffer text = {0};
        if (v == column->top || value->level == (int32_t)level)
            continue;
        mgl_buffer_span(&text, value->label);
        mgl_buffer_format(&text, " (LEVEL %d)", (int)value->level);
        const char *copy = text.failed ? NULL : mgl_arena_copy(arena, text.data, text.size);
        all[v] = (mgl_span){copy, text.size};
        mgl_buffer_free(&text);
        MGL_TRY(mgl_check_memory(copy != NULL, err));
    }
    *labels = all;
    return MGL_OK;
}

/* Fills in the trees of out->quasi, whose labels are those of the recoding. number[a][leaf of the
 * hierarchy]: its leaf in the file, or MGL_NOT_FOUND. All of it lies in the arena. */
static mgl_status saved_trees(const mgl_outcome *outcome, uint32_t *const *number, mgl_arena *arena,
                              mgl_error *err, mgl_saved_recoding *out)
{
    const mgl_problem *problem = &outcome->task->problem;
    const mgl_recoding *recoding = outcome->solution->recoding;
    mgl_cell_costs *own = NULL; /* of values that were made for this release */
    mgl_status status = MGL_OK;
    if (recoding->own != NULL)
        MGL_GO(mgl_cell_costs_new(problem->list, recoding->columns, problem->pool, err, &own));
    prices p = prices_of(problem, recoding, own != NULL ? own : problem->costs);
    for (size_t a = 0; a < out->n_quasi; a++) {
        MGL_GO(take_tree(outcome, a, number[a], arena, err, &out->quasi[a]));
        for (uint32_t v = 0; v < out->quasi[a].n_labels; v++) {
            double *const *by = p.cells == MGL_PAYS_LEVEL  ? p.costs->distortion
                                : p.cells == MGL_PAYS_BITS ? p.costs->log_rows
                                                           : p.costs->loss;
            double price = by[a][v] * (p.weighted ? problem->weights[a] : 1);
            out->quasi[a].tree->saved_labels[v].cost = isfinite(price) && price > 0 ? price : 0;
        }
    }
done:
    mgl_cell_costs_free(own);
    return status;
}

/* Parts bring their fingerprints. */
static mgl_status take_parts(const mgl_part *const *parts, size_t n, mgl_arena *arena,
                             mgl_error *err, mgl_saved_recoding *out)
{
    const mgl_table *table = parts[0]->table;
    out->counted = mgl_arena_alloc(arena, table->n_columns * sizeof *out->counted);
    out->parts = mgl_arena_alloc(arena, n * sizeof *out->parts);
    MGL_TRY(mgl_check_memory(out->counted != NULL && out->parts != NULL, err));
    for (size_t c = 0; c < table->n_columns; c++)
        out->counted[c] = parts[0]->columns[table->columns[c].source_index];
    for (size_t i = 0; i < n; i++)
        out->parts[i] = parts[i]->fingerprint;
    out->n_counted = table->n_columns;
    out->n_parts = n;
    return MGL_OK;
}

/* A table that was read as a whole is one slice. */
static mgl_status take_whole(const mgl_reading *reading, mgl_arena *arena, mgl_error *err,
                             mgl_saved_recoding *out)
{
    size_t n = reading->n_quasi + reading->n_sensitive;
    const mgl_column **columns = mgl_arena_alloc(arena, n * sizeof *columns);
    out->counted = mgl_arena_alloc(arena, n * sizeof *out->counted);
    out->parts = mgl_arena_alloc(arena, sizeof *out->parts);
    MGL_TRY(mgl_check_memory(columns != NULL && out->counted != NULL && out->parts != NULL, err));
    for (size_t i = 0; i < n; i++) {
        columns[i] = i < reading->n_quasi ? reading->quasi[i].column
                                          : reading->cells[i - reading->n_quasi].column;
        out->counted[i] = columns[i]->name;
    }
    out->n_counted = n;
    out->n_parts = 1;
    return mgl_fingerprint_of(columns, n, reading->table->n_rows, reading->table->times, err,
                              out->parts);
}

static mgl_status take_columns(const mgl_reading *reading, mgl_arena *arena, mgl_error *err,
                               mgl_saved_recoding *out)
{
    size_t n = mgl_source_columns(reading->source);
    out->columns = mgl_arena_alloc(arena, n * sizeof *out->columns);
    MGL_TRY(mgl_check_memory(out->columns != NULL, err));
    for (size_t c = 0; c < n; c++)
        out->columns[c] = mgl_source_column(reading->source, c);
    out->n_columns = n;
    out->roles = reading->roles;
    return MGL_OK;
}

/* A hierarchy may have lines for values that do not occur. The file has only leaves that do, in the
 * same order: (*number)[leaf of the hierarchy] is the leaf in the file. */
static mgl_status take_ground(const mgl_quasi_column *quasi, mgl_arena *arena, mgl_error *err,
                              mgl_saved_quasi *out, uint32_t **number)
{
    uint32_t n_codes = mgl_dictionary_size(quasi->column->dictionary);
    uint32_t n_leaves = quasi->hierarchy->n_leaves;
    *number = mgl_arena_alloc(arena, n_leaves * sizeof **number);
    out->leaf_of_code = mgl_arena_alloc(arena, n_codes * sizeof *out->leaf_of_code);
    MGL_TRY(mgl_check_memory(*number != NULL && out->leaf_of_code != NULL, err));
    memset(*number, 0, n_leaves * sizeof **number);
    for (uint32_t code = 0; code < n_codes; code++)
        (*number)[quasi->leaf_of_code[code]] = 1;
    uint32_t n = 0;
    for (uint32_t leaf = 0; leaf < n_leaves; leaf++)
        (*number)[leaf] = (*number)[leaf] != 0 ? n++ : MGL_NOT_FOUND;
    for (uint32_t code = 0; code < n_codes; code++)
        out->leaf_of_code[code] = (*number)[quasi->leaf_of_code[code]];
    out->n_leaves = n;
    return MGL_OK;
}

static mgl_status take_tuples(const mgl_outcome *outcome, mgl_arena *arena, uint32_t *const *number,
                              mgl_error *err, mgl_saved_recoding *out)
{
    const mgl_frequency_list *list = outcome->task->problem.list;
    const mgl_recoding *recoding = outcome->solution->recoding;
    size_t m = out->n_quasi, n = list->n_tuples;
    out->leaves = mgl_arena_alloc(arena, m * sizeof *out->leaves);
    out->suppressed = mgl_arena_alloc(arena, n * sizeof *out->suppressed);
    MGL_TRY(mgl_check_memory(out->leaves != NULL && out->suppressed != NULL, err));
    for (size_t a = 0; a < m; a++) {
        out->leaves[a] = mgl_arena_alloc(arena, n * sizeof **out->leaves);
        MGL_TRY(mgl_check_memory(out->leaves[a] != NULL, err));
        for (size_t t = 0; t < n; t++)
            out->leaves[a][t] = number[a][mgl_list_leaf(list, t, a)];
    }
    for (size_t t = 0; t < n; t++)
        out->suppressed[t] = recoding->suppressed[t];
    out->n_tuples = n;
    out->released = recoding->cells;
    out->counts = list->counts;
    return MGL_OK;
}

static mgl_status take_all(const mgl_outcome *outcome, const char *job, mgl_arena *arena,
                           mgl_error *err, mgl_saved_recoding *out)
{
    const mgl_reading *reading = outcome->reading;
    *out = (mgl_saved_recoding){.version = MGL_VERSION,
                                .method = outcome->method->name,
                                .job = job,
                                .drops = reading->settings->treatment == MGL_DROP,
                                .n_rows = outcome->task->problem.list->n_rows,
                                .n_quasi = reading->n_quasi};
    MGL_TRY(take_columns(reading, arena, err, out));
    out->quasi = mgl_arena_alloc(arena, reading->n_quasi * sizeof *out->quasi);
    uint32_t **number = mgl_arena_alloc(arena, reading->n_quasi * sizeof *number);
    MGL_TRY(mgl_check_memory(out->quasi != NULL && number != NULL, err));
    for (size_t a = 0; a < reading->n_quasi; a++) {
        const mgl_quasi_column *quasi = &reading->quasi[a];
        out->quasi[a] =
            (mgl_saved_quasi){.name = quasi->settings->name, .ground = quasi->column->dictionary};
        MGL_TRY(take_ground(quasi, arena, err, &out->quasi[a], &number[a]));
        const mgl_released_column *column = outcome->solution->recoding->columns[a];
        MGL_TRY(mgl_released_labels(column, arena, err, &out->quasi[a].labels));
        if (quasi->hierarchy->by_level && outcome->solution->node != NULL)
            MGL_TRY(distinguish_labels(column, outcome->solution->node[a], arena, err,
                                       &out->quasi[a].labels));
        out->quasi[a].n_labels = column->n_values;
        out->quasi[a].top = column->top;
    }
    MGL_TRY(take_tuples(outcome, arena, number, err, out));
    MGL_TRY(saved_trees(outcome, number, arena, err, out));
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->release != NULL && (*f)->release->save != NULL)
            MGL_TRY((*f)->release->save(outcome->reading, &outcome->written, arena, err, out));
    size_t n;
    const mgl_part *const *parts = mgl_source_parts(reading->source, &n);
    return parts != NULL ? take_parts(parts, n, arena, err, out)
                         : take_whole(reading, arena, err, out);
}

/* The job in one line, or NULL when memory is out. jansson leaves out what it lacks the memory for,
 * so the line is read again and compared. Caller frees with free(). */
static char *job_text(const mgl_reading *reading)
{
    json_t *given;
    if (mgl_reading_job(reading, MGL_JOB_SECRET, NULL, &given) != MGL_OK)
        return NULL;
    char *text = json_dumps(given, JSON_COMPACT);
    json_t *again = text != NULL ? json_loads(text, 0, NULL) : NULL;
    bool whole = again != NULL && json_equal(given, again);
    json_decref(again);
    json_decref(given);
    if (whole)
        return text;
    free(text);
    return NULL;
}

mgl_status mgl_save_recoding(const mgl_outcome *outcome, mgl_error *err, mgl_stage **out)
{
    const char *path = outcome->reading->settings->saved.recoding;
    *out = NULL;
    if (path == NULL)
        return MGL_OK;
    char *job = job_text(outcome->reading);
    mgl_arena *arena = mgl_arena_new();
    mgl_saved_recoding saved;
    mgl_buffer file = {0};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(job != NULL && arena != NULL, err));
    MGL_GO(take_all(outcome, job, arena, err, &saved));
    MGL_GO(mgl_saved_recoding_pack(&saved, err, &file));
    MGL_GO(mgl_stage_text(path, (mgl_span){file.data, file.size}, err, out));
done:
    mgl_buffer_free(&file);
    mgl_arena_free(arena);
    free(job);
    return status;
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

/* How the job of the recoding aggregates a column; null: not, or it is unknown. */
static json_t *function_json(const json_t *job, const char *column)
{
    const json_t *fields = json_object_get(json_object_get(job, "attributes"), column);
    const char *given = mgl_json_text(fields, "aggregate");
    bool none = given == NULL || strcmp(given, "none") == 0;
    return none ? json_null() : json_string(given);
}

/* A quasi-identifier: its hierarchy, and the level if all cells have one. */
static json_t *quasi_json(const mgl_saved_quasi *quasi, const json_t *job)
{
    const mgl_saved_tree *tree = quasi->tree;
    json_t *object = json_object();
    mgl_json_set(object, "column", json_string(quasi->name));
    mgl_json_set(object, "values", mgl_json_count(mgl_dictionary_size(quasi->ground)));
    mgl_json_set(object, "top", mgl_json_span(quasi->labels[quasi->top]));
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
    MGL_TRY(mgl_check_memory(texts != NULL, err));
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
        mgl_json_append(values, mgl_json_span(texts[a][saved->leaves[a][t]]));
        mgl_json_append(released, mgl_json_span(saved->quasi[a].labels[saved->released[a][t]]));
    }
    mgl_json_set(tuple, "values", values);
    mgl_json_set(tuple, "released", released);
    mgl_json_set(tuple, "rows", mgl_json_count(saved->counts[t]));
    mgl_json_set(tuple, "suppressed", json_boolean(saved->suppressed[t] != 0));
    return tuple;
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
    MGL_GO(mgl_check_memory(texts != NULL, err));
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
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->release != NULL && (*f)->release->show != NULL)
            (*f)->release->show(saved, document);
done:
    json_decref(job);
    json_decref(quasi);
    json_decref(tuples);
    mgl_arena_free(arena);
    return status;
}

/* ---- The table ------------------------------------------------------------------------------- */

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
    MGL_GO(fill(saved, err, result->document));
    MGL_GO(mgl_check_memory(mgl_json_complete(result->document), err));
    if (settings->output != NULL) {
        mgl_buffer table = {0};
        make_table(result->document, &table);
        MGL_GO(mgl_publish_buffer(settings->output, &table, err));
    }
    *out = result;
    result = NULL;
done:
    mgl_result_free(result);
    mgl_saved_recoding_free(saved);
    return status;
}
