/* utility: what a release lost against its original, from the two files alone. Rows need
 * not correspond: every measure is a sum over the release and a sum over the original. */
#include "flow/flow.h"

/* A release read back: each row's cells as released values of the original's hierarchies. */
typedef struct released {
    mgl_source *source;
    mgl_table *table;
    size_t n_rows;
    uint32_t **cells; /* [a][row] */
    uint64_t *counts; /* [row] all 1 */
    uint32_t *node;   /* levels, if every column has one */
    bool has_node;
    mgl_sparse label; /* if the job names one */
} released;

/* The number of the released value that a text stands for. */
static mgl_status find_value(const released *r, const mgl_quasi_column *quasi,
                             const mgl_column *column, uint32_t code, mgl_error *err, uint32_t *out)
{
    const mgl_hierarchy *hierarchy = quasi->hierarchy;
    mgl_span text = mgl_dictionary_value(column->dictionary, code);
    uint32_t level, value;
    if (code == mgl_dictionary_missing(column->dictionary) &&
        hierarchy->missing_leaf != MGL_NOT_FOUND) {
        *out = quasi->released->of_leaf[0][hierarchy->missing_leaf];
        return MGL_OK;
    }
    if (!mgl_hierarchy_find(hierarchy, text, &level, &value))
        return mgl_fail_at(err, MGL_DATA, mgl_source_name(r->source), 0,
                           "\"%.*s\" in column \"%.60s\" is no value of its hierarchy (%.200s); "
                           "give the hierarchies the release was made with",
                           mgl_span_width(text), text.data, quasi->settings->name,
                           hierarchy->source);
    *out = quasi->released->of_leaf[level][hierarchy->levels[level].first_leaf[value]];
    return MGL_OK;
}

static mgl_status fill_cells(released *r, const mgl_reading *reading, size_t a, mgl_error *err)
{
    const mgl_column *column = &r->table->columns[a];
    uint32_t n = mgl_dictionary_size(column->dictionary);
    uint32_t *value_of = mgl_alloc_array(n, sizeof *value_of);
    r->cells[a] = mgl_alloc_array(r->n_rows, sizeof **r->cells);
    mgl_status status = value_of == NULL || r->cells[a] == NULL ? mgl_fail_memory(err) : MGL_OK;
    for (uint32_t code = 0; status == MGL_OK && code < n; code++)
        status = find_value(r, &reading->quasi[a], column, code, err, &value_of[code]);
    for (size_t row = 0; status == MGL_OK && row < r->n_rows; row++)
        r->cells[a][row] = value_of[mgl_column_code(column, row)];
    mgl_free(value_of);
    return status;
}

static bool is_top_row(const released *r, const mgl_reading *reading, size_t row)
{
    for (size_t a = 0; a < reading->n_quasi; a++)
        if (r->cells[a][row] != reading->released[a]->top)
            return false;
    return true;
}

/* The least level at which every cell of every row that is not suppressed could stand, per
 * column; none for releases that mix levels. */
static void find_node(released *r, const mgl_reading *reading)
{
    r->has_node = true;
    size_t row = 0;
    while (row < r->n_rows && is_top_row(r, reading, row))
        row++;
    if (row == r->n_rows) { /* nothing but tops: generalized so, or suppressed at any node */
        r->has_node = false;
        return;
    }
    for (size_t a = 0; a < reading->n_quasi; a++) {
        const mgl_released_column *column = reading->released[a];
        uint32_t level = 0, height = column->hierarchy->height;
        for (row = 0; row < r->n_rows && level <= height; row++) {
            uint32_t value = r->cells[a][row];
            if (column->of_leaf[level][column->values[value].first_leaf] == value ||
                is_top_row(r, reading, row))
                continue;
            level++;
            row = (size_t)-1; /* from the first row again, one level higher */
        }
        r->has_node = r->has_node && level <= height;
        r->node[a] = level;
    }
}

static mgl_status fill_label(released *r, const mgl_reading *reading, mgl_error *err)
{
    const mgl_column *column = &r->table->columns[reading->n_quasi];
    r->label = (mgl_sparse){
        .n_values = mgl_dictionary_size(column->dictionary),
        .start = mgl_alloc_array(r->n_rows + 1, sizeof *r->label.start),
        .values = mgl_alloc_array(r->n_rows, sizeof *r->label.values),
        .counts = r->counts,
    };
    if (r->label.start == NULL || r->label.values == NULL)
        return mgl_fail_memory(err);
    for (size_t row = 0; row <= r->n_rows; row++)
        r->label.start[row] = row;
    for (size_t row = 0; row < r->n_rows; row++)
        r->label.values[row] = mgl_column_code(column, row);
    return MGL_OK;
}

static mgl_status read_columns(released *r, const mgl_reading *reading, mgl_error *err)
{
    const mgl_settings *settings = reading->settings;
    MGL_TRY(mgl_source_open(settings->release, &settings->source, err, &r->source));
    mgl_column_wish *wishes = mgl_alloc_array(reading->n_quasi + 1, sizeof *wishes);
    if (wishes == NULL)
        return mgl_fail_memory(err);
    size_t n = 0;
    mgl_status status = MGL_OK;
    for (size_t a = 0; status == MGL_OK && a <= reading->n_quasi; a++) {
        if (a == reading->n_quasi && settings->label == NULL)
            break;
        const char *name =
            a < reading->n_quasi ? reading->quasi[a].settings->name : settings->label;
        size_t column = mgl_source_find(r->source, name);
        if (column == SIZE_MAX)
            status = mgl_fail_at(err, MGL_DATA, settings->release, 0,
                                 "the release has no column \"%.60s\"; is it a release of %.200s?",
                                 name, settings->data);
        wishes[n++] = (mgl_column_wish){column, MGL_ROLE_QUASI};
    }
    if (status == MGL_OK)
        status = mgl_source_read(r->source, wishes, n, reading->pool, &settings->progress, err,
                                 &r->table);
    mgl_free(wishes);
    return status;
}

static mgl_status read_released(released *r, const mgl_reading *reading, uint64_t n_rows,
                                mgl_error *err)
{
    size_t m = reading->n_quasi;
    MGL_TRY(read_columns(r, reading, err));
    r->n_rows = r->table->n_rows;
    if (r->n_rows > n_rows)
        return mgl_fail_at(err, MGL_DATA, reading->settings->release, 0,
                           "the release has %zu rows, the original only %llu; is the order of "
                           "the two files right?",
                           r->n_rows, (unsigned long long)n_rows);
    r->cells = mgl_zeroed_array(m, sizeof *r->cells);
    r->node = mgl_zeroed_array(m, sizeof *r->node);
    r->counts = mgl_alloc_array(r->n_rows, sizeof *r->counts);
    if (r->cells == NULL || r->node == NULL || r->counts == NULL)
        return mgl_fail_memory(err);
    for (size_t row = 0; row < r->n_rows; row++)
        r->counts[row] = 1;
    for (size_t a = 0; a < m; a++)
        MGL_TRY(fill_cells(r, reading, a, err));
    find_node(r, reading);
    return reading->settings->label != NULL ? fill_label(r, reading, err) : MGL_OK;
}

static void release_released(released *r, size_t n_quasi)
{
    for (size_t a = 0; r->cells != NULL && a < n_quasi; a++)
        mgl_free(r->cells[a]);
    mgl_free(r->cells);
    mgl_free(r->node);
    mgl_free(r->counts);
    mgl_free(r->label.start);
    mgl_free(r->label.values);
    mgl_table_free(r->table);
    mgl_source_close(r->source);
}

static mgl_status report(const released *r, const mgl_task *task, const mgl_reading *reading,
                         mgl_error *err, json_t *document)
{
    size_t m = reading->n_quasi;
    uint64_t n_rows = task->problem.list->n_rows;
    uint32_t *n_values = mgl_alloc_array(m, sizeof *n_values);
    uint32_t *heights = mgl_alloc_array(m, sizeof *heights);
    mgl_classes classes = {0};
    mgl_statistics statistics = {0};
    mgl_status status = n_values == NULL || heights == NULL ? mgl_fail_memory(err) : MGL_OK;
    if (status == MGL_OK)
        status = mgl_classes_init(&classes, r->n_rows, m, err);
    if (status == MGL_OK)
        status = mgl_statistics_init(&statistics, reading->released, m, err);
    mgl_released_tuples tuples = {.n_attributes = m,
                                  .n_tuples = r->n_rows,
                                  .cells = r->cells,
                                  .counts = r->counts,
                                  .dropped_rows = n_rows - r->n_rows};
    if (status == MGL_OK) {
        for (size_t a = 0; a < m; a++) {
            n_values[a] = reading->released[a]->n_values;
            heights[a] = reading->quasi[a].hierarchy->height;
        }
        mgl_classes_group(&classes, r->cells, n_values, NULL, m, r->counts);
        tuples.class_of = classes.of_tuple;
        tuples.class_sizes = classes.sizes;
        tuples.n_classes = classes.n_classes;
        mgl_statistics_gather(&statistics, task->costs, reading->released, n_rows, &tuples);
        statistics.node = r->has_node ? r->node : NULL;
        statistics.heights = heights;
        statistics.weights = task->problem.weights;
        statistics.k = reading->settings->n_models > 0 ? (double)task->problem.k : 0;
        status = mgl_query_error(task->problem.list, reading->released, &tuples, err,
                                 &statistics.query_error);
    }
    if (status == MGL_OK && reading->settings->label != NULL)
        status = mgl_statistics_label(&statistics, &r->label, reading->released, &tuples, err);
    if (status == MGL_OK) {
        mgl_class_summary summary = {.rows = r->n_rows};
        for (size_t c = 0; c < classes.n_classes; c++) {
            uint64_t size = classes.sizes[c];
            summary.min = summary.count++ == 0 || size < summary.min ? size : summary.min;
            summary.max = size > summary.max ? size : summary.max;
        }
        mgl_json_set(document, "rows", mgl_json_count(n_rows));
        mgl_json_set(document, "released_rows", mgl_json_count(r->n_rows));
        mgl_json_set(document, "suppressed_rows", mgl_json_count(statistics.top_rows));
        mgl_json_set(document, "classes", mgl_classes_json(&summary));
        mgl_json_set(document, "utility", mgl_utility_json(&statistics));
    }
    mgl_classes_free(&classes);
    mgl_statistics_free(&statistics);
    mgl_free(n_values);
    mgl_free(heights);
    return status;
}

static mgl_status compare(const mgl_work *work, mgl_error *err, mgl_result *result)
{
    released r = {0};
    mgl_status status = read_released(&r, work->reading, work->counts->list->n_rows, err);
    if (status == MGL_OK)
        status = report(&r, work->task, work->reading, err, result->document);
    release_released(&r, work->reading->n_quasi);
    return status;
}

mgl_status mgl_flow_utility(const mgl_settings *settings, mgl_error *err, mgl_result **out)
{
    return mgl_command_run("utility", settings, MGL_TO_COMPARE, compare, err, out);
}
