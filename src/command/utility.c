/* The command utility: measures what a release lost against its original, from the two files alone.
 * Rows need not correspond: every measure is a sum over the release and a sum over the original. */
#include "command/audit/audit.h"
#include "command/command.h"
#include "command/run_command.h"
#include "command/link/link.h"
#include "findings/findings.h"

#include <math.h>

/* Rows of a release as it is read back. Columns of strata come first. */
typedef struct mgl_rows_read {
    const mgl_released_column *const *columns; /* [n_attributes] */
    uint32_t *const *cells;                    /* [n_attributes][n_rows] */
    const uint64_t *counts;                    /* [n_rows] */
    size_t n_attributes, n_rows;
} mgl_rows_read;

static bool is_number(const mgl_scale *scale, mgl_span text);

/* Strata by the cells that tell them apart. */
static mgl_status group_by_held(const mgl_rows_read *rows, mgl_error *err, mgl_classes *out)
{
    size_t n_held = mgl_held_columns(rows->columns, rows->n_attributes);
    uint32_t *n_values = mgl_alloc_array(n_held + 1, sizeof *n_values);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(n_values != NULL, err));
    for (size_t a = 0; a < n_held; a++)
        n_values[a] = rows->columns[a]->n_values;
    MGL_GO(mgl_classes_init(out, rows->n_rows, n_held + 1, err));
    memset(out->of_tuple, 0, rows->n_rows * sizeof *out->of_tuple);
    if (n_held > 0)
        mgl_classes_group(out, rows->cells, n_values, NULL, n_held, rows->counts);
done:
    mgl_free(n_values);
    return status;
}

static bool is_top(const mgl_rows_read *rows, size_t row)
{
    for (size_t a = 0; a < rows->n_attributes; a++)
        if (!rows->columns[a]->held && rows->cells[a][row] != rows->columns[a]->top)
            return false;
    return true;
}

/* Marks rows that read as suppressed: at the top in all columns but those of strata, and none of a
 * stratum that has no others. */
static mgl_status rows_mark_tops(const mgl_rows_read *rows, mgl_error *err, uint8_t *suppressed)
{
    mgl_classes groups = {0};
    uint8_t *others = mgl_zeroed_array(rows->n_rows, 1);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(others != NULL, err));
    MGL_GO(group_by_held(rows, err, &groups));
    for (size_t row = 0; row < rows->n_rows; row++) {
        suppressed[row] = is_top(rows, row);
        others[groups.of_tuple[row]] |= !suppressed[row];
    }
    for (size_t row = 0; row < rows->n_rows; row++)
        suppressed[row] &= others[groups.of_tuple[row]];
done:
    mgl_classes_free(&groups);
    mgl_free(others);
    return status;
}

/* ---- Rows that were dropped ------------------------------------------------------------------ */

/* The cells of a stratum as bytes. */
static mgl_span name_of(const mgl_rows_read *rows, size_t n_held, size_t row, uint32_t *key)
{
    for (size_t a = 0; a < n_held; a++)
        key[a] = rows->cells[a][row];
    return (mgl_span){(const char *)key, n_held * sizeof *key};
}

static mgl_span name_in_list(const mgl_problem *p, size_t n_held, size_t t, uint32_t *key)
{
    for (size_t a = 0; a < n_held; a++)
        key[a] = p->columns[a]->of_leaf[0][mgl_list_leaf(p->list, t, a)];
    return (mgl_span){(const char *)key, n_held * sizeof *key};
}

/* Numbers the strata of the list and counts their rows. */
static mgl_status count_list(const mgl_problem *p, size_t n_held, uint32_t *key, mgl_map *numbers,
                             mgl_error *err, uint64_t *left)
{
    for (size_t first = 0, end; first < p->list->n_tuples; first = end) {
        end = mgl_held_end(p->list, n_held, first);
        uint32_t number = mgl_map_add(numbers, name_in_list(p, n_held, first, key));
        if (number == MGL_NOT_FOUND)
            return mgl_fail_memory(err);
        left[number] = 0;
        for (size_t t = first; t < end; t++)
            left[number] += p->list->counts[t];
    }
    return MGL_OK;
}

static mgl_status take_rows(const mgl_rows_read *rows, size_t n_held, uint32_t *key,
                            const mgl_map *numbers, mgl_error *err, uint64_t *left)
{
    for (size_t row = 0; row < rows->n_rows; row++) {
        uint32_t number = mgl_map_find(numbers, name_of(rows, n_held, row, key));
        if (number == MGL_NOT_FOUND || left[number] < rows->counts[row])
            return mgl_fail_key(err, MGL_CODE_MISMATCH, "release",
                                "the release has more rows of a stratum than the original; is it a "
                                "release of that table, made with `by`?");
        left[number] -= rows->counts[row];
    }
    return MGL_OK;
}

/* How many rows of each stratum of the original the release lacks, in the order of the list; caller
 * frees with mgl_free. MGL_DATA if it has more rows of one than the original. */
static mgl_status rows_lacking(const mgl_rows_read *rows, const mgl_problem *problem,
                               mgl_error *err, uint64_t **out)
{
    size_t n_held = mgl_held_columns(rows->columns, rows->n_attributes);
    uint32_t *key = mgl_alloc_array(n_held + 1, sizeof *key);
    mgl_map *numbers = mgl_map_new();
    uint64_t *left = mgl_alloc_array(problem->list->n_tuples, sizeof *left);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(key != NULL && numbers != NULL && left != NULL, err));
    MGL_GO(count_list(problem, n_held, key, numbers, err, left));
    MGL_GO(take_rows(rows, n_held, key, numbers, err, left));
    *out = left;
    left = NULL;
done:
    mgl_free(key);
    mgl_free(left);
    mgl_map_free(numbers);
    return status;
}

/* A release read back: each row's cells as released values of the original's hierarchies, or as
 * ranges of its values. */
typedef struct released {
    mgl_owned owned;
    mgl_source_options options;
    mgl_arena *arena; /* of the options */
    mgl_source *source;
    mgl_table *table;
    size_t n_rows;    /* of the table; then, with strata, one for those that each of them lacks */
    size_t n_read;    /* of the table */
    size_t room;      /* for these rows */
    uint64_t records; /* records that the rows of the table stand for */
    uint8_t *suppressed;                 /* [n_read] it reads so */
    const mgl_released_column **columns; /* [a] */
    mgl_released_column **own;           /* [a] those of them that hold ranges, else NULL */
    bool has_own;                        /* any column holds ranges */
    bool distances;   /* all columns are numbers, so that distances can be measured */
    bool averaged;    /* there are numbers that stand for others */
    bool of_groups;   /* by the result, numbers are those of groups, and distances are not known */
    bool *unknown;    /* [a] it is unknown what its cells stand for */
    uint32_t **cells; /* [a][row] */
    uint64_t *counts; /* [row] records */
    uint32_t *node;   /* levels of the columns, if every column has one */
    bool has_node;
    mgl_sparse label; /* if the job names one */
} released;

static bool is_missing(const mgl_quasi_column *quasi, const mgl_column *column, uint32_t code)
{
    return code == mgl_dictionary_missing(column->dictionary) &&
           quasi->hierarchy->missing_leaf != MGL_NOT_FOUND;
}

/* Is there a text that no value of the hierarchy reads like? */
static bool has_other_texts(const mgl_quasi_column *quasi, const mgl_column *column)
{
    uint32_t level, value;
    for (uint32_t code = 0; code < mgl_dictionary_size(column->dictionary); code++)
        if (!is_missing(quasi, column, code) &&
            !mgl_hierarchy_find(quasi->hierarchy, mgl_dictionary_value(column->dictionary, code),
                                &level, &value))
            return true;
    return false;
}

/* What the cells of the column are of their groups. Microaggregation takes means where the job
 * names nothing else; those of strata are known by the result alone. */
static mgl_aggregate function_of(const released *r, const mgl_quasi_column *quasi)
{
    mgl_aggregate function = quasi->settings->aggregate;
    return function == MGL_AGGREGATE_NOT && r->of_groups && !quasi->settings->by
               ? MGL_AGGREGATE_MEAN
               : function;
}

/* Columns without a hierarchy of their own can have been released as ranges, those that say so as
 * ranges, averages or sets. */
static mgl_status choose_column(released *r, const mgl_quasi_column *quasi, size_t a,
                                mgl_error *err)
{
    mgl_aggregate function = function_of(r, quasi);
    bool listed = mgl_aggregates_categories(function), averaged = function != MGL_AGGREGATE_NOT;
    mgl_scale *scale = NULL;
    if (!quasi->settings->has_released_level)
        MGL_TRY(mgl_hierarchy_check_texts(quasi->hierarchy, quasi->settings->name,
                                          r->table->columns[a].dictionary, err));
    r->columns[a] = quasi->released;
    r->unknown[a] = averaged && function != MGL_AGGREGATE_SET && function != MGL_AGGREGATE_RANGE;
    if (!listed && (averaged || (!quasi->settings->by && !quasi->hierarchy->given &&
                                 has_other_texts(quasi, &r->table->columns[a]))))
        MGL_TRY(mgl_scale_new(quasi->hierarchy, err, &scale));
    if (scale == NULL && !listed)
        return MGL_OK;
    double least = scale != NULL ? scale->of_leaf[scale->ordered[0]] : 0;
    double most = scale != NULL ? scale->of_leaf[scale->ordered[scale->n_ordered - 1]] : 0;
    MGL_TRY(mgl_made_column_new(quasi->hierarchy, scale, least, most, err, &r->own[a]));
    r->columns[a] = r->own[a];
    r->has_own = true;
    return MGL_OK;
}

/* The place on the scale that is nearest to a number which is no value of the column. */
static uint32_t nearest_place(const mgl_scale *scale, mgl_span text)
{
    mgl_ground_text value = mgl_ground_text_of(text, &scale->notation);
    double number = value.is_number && scale->kind == MGL_SCALE_NUMBERS ? value.number : value.day;
    uint32_t place = mgl_scale_place(scale, number);
    if (place == scale->n_ordered)
        return place - 1;
    bool before = place > 0 && number - scale->of_leaf[scale->ordered[place - 1]] <
                                   scale->of_leaf[scale->ordered[place]] - number;
    return before ? place - 1 : place;
}

static bool is_number(const mgl_scale *scale, mgl_span text)
{
    mgl_ground_text value = mgl_ground_text_of(text, &scale->notation);
    return scale->kind == MGL_SCALE_NUMBERS ? value.is_number : value.is_date;
}

/* The number of the released value that a text stands for. */
static mgl_status find_value(released *r, const mgl_quasi_column *quasi, size_t a, uint32_t code,
                             mgl_error *err, uint32_t *out)
{
    const mgl_hierarchy *hierarchy = quasi->hierarchy;
    const mgl_column *column = &r->table->columns[a];
    mgl_span text = mgl_dictionary_value(column->dictionary, code);
    uint32_t level = 0, value, first, last;
    if (is_missing(quasi, column, code)) {
        /* It has the level of the column where all cells have one. */
        if (hierarchy->by_level)
            mgl_hierarchy_find(hierarchy, hierarchy->levels[0].labels[hierarchy->missing_leaf],
                               &level, &value);
        *out = r->columns[a]->of_leaf[level][hierarchy->missing_leaf];
        return MGL_OK;
    }
    bool found = mgl_hierarchy_find(hierarchy, text, &level, &value);
    *out = MGL_NOT_FOUND;
    if (r->own[a] != NULL && r->own[a]->scale == NULL && !(found && level == hierarchy->height))
        MGL_TRY(mgl_made_set_parse(r->own[a], text, err, out));
    if (*out != MGL_NOT_FOUND)
        return MGL_OK;
    if (found && (r->own[a] == NULL || level == hierarchy->height)) {
        *out = r->columns[a]->of_leaf[level][hierarchy->levels[level].first_leaf[value]];
        return MGL_OK;
    }
    bool scaled = r->own[a] != NULL && r->own[a]->scale != NULL;
    if (scaled && mgl_made_range_parse(hierarchy, r->own[a]->scale, text, &first, &last))
        return mgl_made_range(r->own[a], first, last, err, out);
    if (scaled && (r->distances || (r->unknown[a] && is_number(r->own[a]->scale, text)))) {
        r->averaged = r->averaged || r->distances;
        first = nearest_place(r->own[a]->scale, text);
        return mgl_made_value(r->own[a], text, first, first, err, out);
    }
    char shown[MGL_SHOWN];
    return mgl_blame_attribute(
        err,
        mgl_fail_at(err, MGL_CODE_NOT_COVERED, mgl_source_name(r->source), 0,
                    "\"%s\" in column \"%.60s\" is no value of its hierarchy (%.200s)%s; "
                    "give the hierarchies the release was made with",
                    mgl_shown(text, shown), quasi->settings->name, hierarchy->source,
                    scaled              ? " and no range of its values"
                    : r->own[a] != NULL ? " and no set of its values"
                                        : ""),
        quasi->settings->name, "hierarchy");
}

static mgl_status fill_cells(released *r, const mgl_reading *reading, size_t a, mgl_error *err)
{
    const mgl_column *column = &r->table->columns[a];
    uint32_t n = mgl_dictionary_size(column->dictionary);
    MGL_TRY(choose_column(r, &reading->quasi[a], a, err));
    uint32_t *value_of = mgl_alloc_array(n, sizeof *value_of);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(value_of != NULL, err));
    for (uint32_t code = 0; code < n; code++)
        MGL_GO(find_value(r, &reading->quasi[a], a, code, err, &value_of[code]));
    for (size_t row = 0; row < r->n_read; row++)
        r->cells[a][row] = value_of[mgl_column_code(column, row)];
done:
    mgl_free(value_of);
    return status;
}

static bool is_top_row(const released *r, const mgl_reading *reading, size_t row)
{
    for (size_t a = 0; a < reading->n_quasi; a++)
        if (r->cells[a][row] != r->columns[a]->top && !r->columns[a]->held)
            return false;
    return true;
}

/* ---- Strata ---------------------------------------------------------------------------------- */

static mgl_rows_read rows_of(const released *r, size_t m)
{
    return (mgl_rows_read){r->columns, r->cells, r->counts, m, r->n_read};
}

/* Rows that a stratum lacks were dropped: they count as suppressed, in their stratum. */
static void add_dropped(released *r, const mgl_problem *p, size_t n_by, const uint64_t *lacking)
{
    size_t m = p->list->n_attributes;
    for (size_t first = 0, end, i = 0; first < p->list->n_tuples; first = end, i++) {
        end = mgl_held_end(p->list, n_by, first);
        if (lacking[i] == 0)
            continue;
        for (size_t a = 0; a < m; a++)
            r->cells[a][r->n_rows] =
                a < n_by ? p->columns[a]->of_leaf[0][mgl_list_leaf(p->list, first, a)]
                         : r->columns[a]->top;
        r->counts[r->n_rows++] = lacking[i];
    }
}

static mgl_status look_at_held(released *r, const mgl_task *task, mgl_error *err)
{
    size_t n_by = mgl_settings_held(task->reading->settings);
    mgl_rows_read rows = rows_of(r, task->reading->n_quasi);
    uint64_t *lacking;
    MGL_TRY(rows_mark_tops(&rows, err, r->suppressed));
    if (n_by == 0)
        return MGL_OK;
    r->has_node = false; /* each stratum has one of its own */
    MGL_TRY(rows_lacking(&rows, &task->problem, err, &lacking));
    add_dropped(r, &task->problem, n_by, lacking);
    mgl_free(lacking);
    return MGL_OK;
}

/* Could every cell of the column stand at the level, but for those of suppressed rows? */
static bool stands_at(const released *r, const mgl_reading *reading, size_t a, uint32_t level)
{
    const mgl_released_column *column = r->columns[a];
    for (size_t row = 0; row < r->n_rows; row++) {
        uint32_t value = r->cells[a][row];
        if (column->of_leaf[level][column->values[value].first_leaf] != value &&
            !is_top_row(r, reading, row))
            return false;
    }
    return true;
}

/* The level that the result names: a lower one can have the same labels. MGL_NOT_FOUND: none. */
static uint32_t claimed_level(const mgl_reading *reading, size_t a)
{
    const json_t *node = json_object_get(reading->settings->claimed.document, "node");
    const json_t *level = json_object_get(node, reading->quasi[a].settings->name);
    json_int_t number = json_integer_value(level);
    return json_is_integer(level) && number >= 0 && number < MGL_NOT_FOUND ? (uint32_t)number
                                                                           : MGL_NOT_FOUND;
}

/* Finds per column the least level at which every cell could stand, without suppressed rows, or
 * the one of the result if they could stand there; none for releases that mix levels. */
static void find_node(released *r, const mgl_reading *reading)
{
    r->has_node = true;
    size_t row = 0;
    while (row < r->n_rows && is_top_row(r, reading, row))
        row++;
    if (row == r->n_rows) { /* a release of nothing but tops is the top node */
        for (size_t a = 0; a < reading->n_quasi; a++)
            r->node[a] = r->columns[a]->hierarchy->height;
        r->has_node = r->n_rows > 0;
        return;
    }
    for (size_t a = 0; a < reading->n_quasi; a++) {
        uint32_t height = r->columns[a]->hierarchy->height, level = claimed_level(reading, a);
        if (level > height || !stands_at(r, reading, a, level))
            for (level = 0; level <= height && !stands_at(r, reading, a, level);)
                level++;
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
    MGL_TRY(mgl_check_memory(r->label.start != NULL && r->label.values != NULL, err));
    for (size_t row = 0; row <= r->n_rows; row++)
        r->label.start[row] = row;
    for (size_t row = 0; row < r->n_rows; row++) /* of rows that are not there, any will do */
        r->label.values[row] = row < r->n_read ? mgl_column_code(column, row) : 0;
    return MGL_OK;
}

static bool is_label(mgl_span token, const void *context)
{
    const mgl_reading *reading = context;
    uint32_t level, value;
    for (size_t a = 0; a < reading->n_quasi; a++)
        if (mgl_hierarchy_find(reading->quasi[a].hierarchy, token, &level, &value) && level > 0)
            return true;
    return mgl_span_is(token, "*");
}

/* Asks for a column of the release, which must have it. */
static mgl_status request(const released *r, const mgl_settings *settings, const char *name,
                          mgl_role role, mgl_error *err, mgl_column_request *out)
{
    size_t column = mgl_source_find(r->source, name);
    if (column == SIZE_MAX)
        return mgl_blame_column(
            err,
            mgl_fail_key_at(err, MGL_CODE_MISMATCH, settings->release, "release",
                            "the release has no column \"%.60s\"; is it a release of "
                            "%.200s?",
                            name, settings->data),
            name);
    *out = (mgl_column_request){column, role};
    return MGL_OK;
}

/* Quasi-identifiers, then a label and the numbers of records, where there are such. Rows with
 * numbers are read one by one, also where a database could count them. */
static mgl_status read_columns(released *r, const mgl_reading *reading, mgl_error *err)
{
    const mgl_settings *settings = reading->settings;
    const char *further[] = {settings->label, settings->counted.column};
    size_t n = 0;
    r->options = reading->settings->second;
    r->arena = mgl_arena_new();
    MGL_TRY(mgl_check_memory(r->arena != NULL, err));
    MGL_TRY(mgl_tokens_of_release(&r->options, is_label, reading, r->arena, err));
    MGL_TRY(mgl_blame_key(
        err, mgl_source_open(reading->settings->release, &r->options, err, &r->source), "release"));
    mgl_column_request *requested = mgl_alloc_array(reading->n_quasi + 2, sizeof *requested);
    MGL_TRY(mgl_check_memory(requested != NULL, err));
    mgl_status status = MGL_OK;
    for (size_t a = 0; a < reading->n_quasi; a++)
        MGL_GO(request(r, settings, reading->quasi[a].settings->name, MGL_ROLE_QUASI, err,
                       &requested[n++]));
    for (size_t i = 0; i < sizeof further / sizeof further[0]; i++)
        if (further[i] != NULL)
            MGL_GO(request(r, settings, further[i], MGL_ROLE_INSENSITIVE, err, &requested[n++]));
    MGL_GO(mgl_source_counts(r->source) && settings->counted.column == NULL
               ? mgl_source_count(r->source, requested, n, &settings->progress, err, &r->table)
               : mgl_source_read(r->source, requested, n, reading->pool, &settings->progress, err,
                                 &r->table));
    MGL_GO(mgl_spell_alike(settings, reading->table, r->table, reading->n_quasi, err));
    if (settings->counted.column != NULL)
        MGL_GO(mgl_column_as_times(&r->table->columns[n - 1], r->table->n_rows, err,
                                   &r->table->times));
done:
    mgl_free(requested);
    return status;
}

/* Does the result, if one is current, have no node? Cells of one level each are not one then. */
static bool mixes_levels(const json_t *claims)
{
    return claims != NULL && json_is_null(json_object_get(claims, "node"));
}

/* Are the cells of groups ranges, by the result that is compared with? */
static bool claims_ranges(const json_t *claimed)
{
    const json_t *job = json_object_get(json_object_get(claimed, "audit"), "job");
    const char *replace = mgl_json_text(job, "replace");
    return replace != NULL && strcmp(replace, "range") == 0;
}

static mgl_status read_released(released *r, const mgl_task *task, mgl_error *err)
{
    const mgl_reading *reading = task->reading;
    const mgl_frequency_list *list = task->problem.list;
    size_t m = reading->n_quasi;
    uint64_t n_rows = list->n_rows;
    MGL_TRY(read_columns(r, reading, err));
    r->n_rows = r->n_read = r->table->n_rows;
    r->room = r->n_read + (mgl_settings_held(reading->settings) > 0 ? list->n_tuples : 0);
    for (size_t row = 0; row < r->n_read; row++)
        r->records += r->table->times != NULL ? r->table->times[row] : 1;
    if (r->records > n_rows)
        return mgl_fail_key_at(err, MGL_CODE_MISMATCH, reading->settings->release, "release",
                               "the release has %llu rows, the original only %llu; is the order of "
                               "the two files right?",
                               (unsigned long long)r->records, (unsigned long long)n_rows);
    r->columns = mgl_own_zeroed(&r->owned, m, sizeof *r->columns);
    r->own = mgl_own_zeroed(&r->owned, m, sizeof *r->own);
    r->unknown = mgl_own_zeroed(&r->owned, m, sizeof *r->unknown);
    r->cells = mgl_own_rows(&r->owned, m, r->room, sizeof **r->cells);
    r->node = mgl_own_zeroed(&r->owned, m, sizeof *r->node);
    r->counts = mgl_own_array(&r->owned, r->room, sizeof *r->counts);
    r->suppressed = mgl_own_array(&r->owned, r->n_read, 1);
    MGL_TRY(mgl_owned_check(&r->owned, err));
    for (size_t row = 0; row < r->n_rows; row++)
        r->counts[row] = r->table->times != NULL ? r->table->times[row] : 1;
    MGL_TRY(mgl_distances_apply(list, r->table, err, &r->distances));
    const json_t *claimed = reading->settings->claimed.document;
    const char *name = mgl_json_text(claimed, "method");
    const mgl_method_type *method = name != NULL ? mgl_method_type_find(name) : NULL;
    bool groups = method != NULL && method->averages;
    r->of_groups = groups && !r->distances;
    /* averages can all happen to be values of the column; a range of one value is that value */
    r->averaged = groups && r->distances && !claims_ranges(claimed);
    for (size_t a = 0; a < m; a++)
        MGL_TRY(fill_cells(r, reading, a, err));
    find_node(r, reading);
    r->has_node = r->has_node && !r->averaged && !mixes_levels(reading->settings->claimed.document);
    MGL_TRY(look_at_held(r, task, err));
    return reading->settings->label != NULL ? fill_label(r, reading, err) : MGL_OK;
}

static void forget_released(released *r, size_t n_quasi)
{
    for (size_t a = 0; r->own != NULL && a < n_quasi; a++)
        mgl_released_column_free(r->own[a]);
    mgl_owned_free(&r->owned);
    mgl_free(r->label.start);
    mgl_free(r->label.values);
    mgl_table_free(r->table);
    mgl_source_close(r->source);
    mgl_arena_free(r->arena);
}

/* What is measured. */
typedef struct measuring {
    mgl_classes classes;
    mgl_statistics statistics;
    mgl_distances distances;      /* where numbers stand for others */
    uint32_t *n_values, *heights; /* [a] */
    mgl_cell_costs *own; /* costs of columns that hold ranges; NULL: those of the task are used */
} measuring;

static mgl_status begin_measuring(measuring *x, const released *r, const mgl_task *task, size_t m,
                                  mgl_error *err)
{
    x->n_values = mgl_alloc_array(m, sizeof *x->n_values);
    x->heights = mgl_alloc_array(m, sizeof *x->heights);
    MGL_TRY(mgl_check_memory(x->n_values != NULL && x->heights != NULL, err));
    for (size_t a = 0; a < m; a++) {
        x->n_values[a] = r->columns[a]->n_values;
        x->heights[a] = r->columns[a]->hierarchy->height;
    }
    if (r->has_own)
        MGL_TRY(
            mgl_cell_costs_new(task->problem.list, r->columns, task->problem.pool, err, &x->own));
    MGL_TRY(mgl_classes_init(&x->classes, r->n_rows, m, err));
    return mgl_statistics_init(&x->statistics, r->columns, m, err);
}

static void end_measuring(measuring *x)
{
    mgl_classes_free(&x->classes);
    mgl_statistics_free(&x->statistics);
    mgl_cell_costs_free(x->own);
    mgl_free(x->distances.loss);
    mgl_free(x->n_values);
    mgl_free(x->heights);
}

/* It is not known which values an average stands for. Measures that would have to know are not
 * defined, and what a cell loses is its distance. */
static mgl_status measure_distances(measuring *x, const released *r, const mgl_task *task,
                                    const mgl_reading *reading, mgl_error *err)
{
    mgl_statistics *s = &x->statistics;
    MGL_TRY(mgl_new_zeroed(reading->n_quasi, sizeof *x->distances.loss, err, &x->distances.loss));
    MGL_TRY(mgl_distances_find(task->problem.list, r->table, &reading->settings->progress, err,
                               &x->distances));
    for (size_t a = 0; a < reading->n_quasi; a++) {
        s->loss[a] = x->distances.loss[a];
        s->distortion[a] = s->bits[a] = NAN;
    }
    s->ambiguity = s->query_error = NAN;
    return MGL_OK;
}

/* The same where only some columns have averages, or modes: what their cells lost is not known
 * either. False if there are none. */
static bool leave_open(const released *r, size_t m, mgl_statistics *s)
{
    bool any = false;
    for (size_t a = 0; a < m; a++) {
        any = any || r->unknown[a];
        if (r->unknown[a])
            s->loss[a] = s->distortion[a] = s->bits[a] = NAN;
    }
    if (any)
        s->ambiguity = s->query_error = NAN;
    return any;
}

static mgl_status measure(measuring *x, const released *r, const mgl_task *task,
                          const mgl_reading *reading, mgl_error *err)
{
    const uint64_t *truths;
    size_t m = reading->n_quasi;
    uint64_t n_rows = task->problem.list->n_rows;
    mgl_statistics *s = &x->statistics;
    MGL_TRY(begin_measuring(x, r, task, m, err));
    mgl_classes_group(&x->classes, r->cells, x->n_values, NULL, m, r->counts);
    mgl_released_tuples tuples = {.n_attributes = m,
                                  .n_tuples = r->n_rows,
                                  .cells = r->cells,
                                  .first = x->classes.first,
                                  .dropped_rows = r->n_rows > r->n_read ? 0 : n_rows - r->records,
                                  .class_of = x->classes.of_tuple,
                                  .class_sizes = x->classes.sizes,
                                  .n_classes = x->classes.n_classes};
    mgl_statistics_gather(s, x->own != NULL ? x->own : task->problem.costs, r->columns, n_rows,
                          &tuples, task->problem.pool);
    s->node = r->has_node ? r->node : NULL;
    s->heights = x->heights;
    s->weights = task->problem.weights;
    s->k = task->problem.no_k ? 0 : (double)task->problem.k;
    if (r->averaged)
        return measure_distances(x, r, task, reading, err);
    if (leave_open(r, m, s))
        return MGL_OK;
    if (reading->settings->label != NULL)
        MGL_TRY(mgl_statistics_label(s, &r->label, r->columns, &tuples, err));
    MGL_TRY(mgl_truths_find(task, err, &truths));
    return mgl_query_error(truths, task->problem.list->n_rows, r->columns, &tuples,
                           task->problem.pool, err, &s->query_error);
}

/* Rows that are released, by class, without those that are exempt; returns how many rows read as
 * suppressed. */
static uint64_t count_classes(const measuring *x, const released *r, mgl_treatment treatment,
                              uint64_t *sizes)
{
    uint64_t suppressed = 0;
    memset(sizes, 0, x->classes.n_classes * sizeof *sizes);
    for (size_t row = 0; row < r->n_read; row++) {
        bool gone = treatment != MGL_DROP && r->suppressed[row];
        suppressed += gone ? r->counts[row] : 0;
        if (!gone || treatment != MGL_EXEMPT)
            sizes[x->classes.of_tuple[row]] += r->counts[row];
    }
    return suppressed;
}

static mgl_status report(const measuring *x, const released *r, const mgl_reading *reading,
                         uint64_t n_rows, mgl_error *err, json_t *document)
{
    mgl_treatment treatment = reading->settings->treatment;
    uint64_t *sizes = mgl_alloc_array(x->classes.n_classes, sizeof *sizes);
    mgl_class_summary summary = {0};
    MGL_TRY(mgl_check_memory(sizes != NULL, err));
    uint64_t suppressed = n_rows - r->records + count_classes(x, r, treatment, sizes);
    for (size_t c = 0; c < x->classes.n_classes; c++)
        if (sizes[c] > 0)
            mgl_class_summary_add(&summary, sizes[c], sizes[c], 1);
    mgl_free(sizes);
    mgl_json_set(document, "rows", mgl_json_count(n_rows));
    mgl_json_set(document, "released_rows", mgl_json_count(r->records));
    mgl_json_set(document, "suppressed_rows", mgl_json_count(suppressed));
    mgl_json_set(document, "classes", mgl_classes_json(&summary));
    mgl_json_set(document, "utility", mgl_utility_json(&x->statistics));
    if (r->averaged) {
        mgl_aggregation sums = {.groups = x->classes.n_classes,
                                .sse = x->distances.sse,
                                .sst = x->distances.sst,
                                .il1s = x->distances.il1s};
        mgl_findings findings = {0};
        mgl_findings_mark(&findings, MGL_FINDING_GROUP, "microaggregation");
        mgl_aggregation_report(&sums, &findings);
        mgl_findings_text(&findings, "compared_with", "nearest");
        mgl_findings_mark(&findings, MGL_FINDING_END, NULL);
        mgl_findings_write(&findings, document);
        mgl_findings_free(&findings);
    }
    return MGL_OK;
}

/* Rows that were not drawn cannot be distinguished from rows that were dropped. */
static void warn_of_sample(const mgl_settings *settings, mgl_result *result)
{
    const json_t *job =
        json_object_get(json_object_get(settings->claimed.document, "audit"), "job");
    const char *sample = mgl_json_text(job, "sample");
    if (sample != NULL && settings->chosen.sample == NULL)
        mgl_result_warn(result, "sampled-rows",
                        "the release is of a sample (%.40s), which was drawn with a seed that is "
                        "not in its result: rows that were not drawn count as suppressed; give the "
                        "seed (`sample-seed`) to compare with the rows that were drawn",
                        sample);
}

/* Hierarchies that are built have the values of a population, too. */
static void warn_of_population(const mgl_settings *settings, mgl_result *result)
{
    const json_t *job =
        json_object_get(json_object_get(settings->claimed.document, "audit"), "job");
    if (json_object_get(job, "population") != NULL && settings->sampled.population == NULL)
        mgl_result_warn(result, "without-population",
                        "the release was made with a population, whose values are in its "
                        "hierarchies, too: what cells stand for can be less without it; give it "
                        "(`population`) to measure as the result does");
}

static mgl_status compare(const mgl_setup *setup, mgl_error *err, mgl_result *result)
{
    released r = {0};
    measuring x = {0};
    uint64_t n_rows = setup->counts.list->n_rows;
    mgl_status status = MGL_OK;
    MGL_GO(read_released(&r, setup->task, err));
    MGL_GO(measure(&x, &r, setup->task, setup->reading, err));
    MGL_GO(report(&x, &r, setup->reading, n_rows, err, result->document));
    mgl_json_set(result->document, "hierarchies", mgl_proposals_json(setup->reading, NULL));
    warn_of_sample(setup->reading->settings, result);
    warn_of_population(setup->reading->settings, result);
    for (size_t a = 0; !r.averaged && a < setup->reading->n_quasi; a++)
        if (r.unknown[a])
            mgl_result_warn(result, "aggregated-column",
                            "column %s is released as %ss of groups, and which values these stand "
                            "for is not in the release: what it lost is in the result of "
                            "`anonymize`",
                            setup->reading->quasi[a].settings->name,
                            mgl_aggregate_words[function_of(&r, &setup->reading->quasi[a])]);
    if (r.averaged)
        mgl_result_warn(result, "nearest-rows",
                        "the release has averages: each row was compared with the nearest one, "
                        "which is the least that can have been lost");
done:
    end_measuring(&x);
    forget_released(&r, setup->reading->n_quasi);
    return status;
}

mgl_status mgl_command_utility(mgl_session *session, mgl_job *job, mgl_error *err, mgl_result **out)
{
    const mgl_settings *settings;
    MGL_TRY(mgl_against_hierarchies(job, true, err));
    MGL_TRY(mgl_command_settings(session, job, MGL_UTILITY, err, &settings));
    return mgl_command_on_table(session, "utility", settings, MGL_TO_COMPARE, compare, err, out);
}
