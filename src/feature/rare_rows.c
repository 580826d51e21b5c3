/* Regroups rare combinations of rows (--least-count), in the engine of the source if it can, so
 * that they never leave it. Of rows that are in memory an engine would not have counted more than
 * the group they are counted in, so their cells become the labels of that group, as if the table
 * had been read so. */
#include "claims/claims.h"
#include "findings/findings.h"
#include "pipeline/pipeline.h"

/* ---- In the engine --------------------------------------------------------------------------- */

static bool in_engine(const mgl_reading *reading)
{
    return reading->engine.counts && reading->settings->counted.least > 0 &&
           mgl_source_regroups(reading->source);
}

static mgl_span label_of(const void *context, uint32_t value, uint32_t level)
{
    const mgl_hierarchy *hierarchy = context;
    const mgl_level *at = &hierarchy->levels[level];
    return at->labels[at->of_leaf[value]];
}

static mgl_value_levels levels_of(const mgl_hierarchy *hierarchy, size_t column)
{
    return (mgl_value_levels){.column = column,
                              .n_values = mgl_hierarchy_ground(hierarchy),
                              .n_levels = hierarchy->height + 1,
                              .label = label_of,
                              .context = hierarchy};
}

/* A hierarchy file lists the values, so the engine need not be asked for those that occur. */
static bool lists_values(const char *spec)
{
    size_t size = spec != NULL ? strlen(spec) : 0;
    return size > 0 && !mgl_hierarchy_is_builder(spec) &&
           (size < 4 || strcmp(spec + size - 4, ".grc") != 0);
}

/* Counts values that the file lacks, or that mean missing. */
static mgl_status count_others(const mgl_reading *reading, const char *spec,
                               mgl_column_request request, const mgl_dictionary *nothing,
                               mgl_error *err, mgl_table **out)
{
    const mgl_settings *settings = reading->settings;
    const char *target = reading->engine.writes ? settings->output : NULL;
    mgl_hierarchy *listed;
    MGL_TRY(mgl_hierarchy_make(spec, mgl_source_column(reading->source, request.source_index),
                               nothing, err, &listed));
    mgl_value_levels levels = levels_of(listed, request.source_index);
    levels.n_levels = 1;
    mgl_status status = mgl_source_count_others(reading->source, request, &levels, target,
                                                &settings->progress, err, out);
    mgl_hierarchy_free(listed);
    return status;
}

static mgl_status count_values(const mgl_reading *reading, size_t a, mgl_column_request request,
                               mgl_error *err, mgl_table **out)
{
    const char *spec = reading->quasi[a].settings->hierarchy;
    if (!lists_values(spec))
        return mgl_source_count(reading->source, &request, 1, &reading->settings->progress, err,
                                out);
    mgl_dictionary *nothing = mgl_dictionary_new();
    mgl_status status = nothing == NULL ? mgl_fail_memory(err)
                                        : count_others(reading, spec, request, nothing, err, out);
    mgl_dictionary_free(nothing);
    return status;
}

/* What leaves the database besides counts of groups. */
static void note_values(mgl_quasi_column *quasi, const mgl_table *values, uint64_t least)
{
    quasi->values_counted = values->n_rows;
    for (size_t row = 0; row < values->n_rows; row++)
        quasi->rare_counted += values->times[row] < least;
}

static size_t field_of(const mgl_reading *reading, size_t a)
{
    return mgl_source_find(reading->source, reading->quasi[a].settings->name);
}

/* Makes the hierarchy of a column; meanwhile the table of the reading holds the values of that
 * column. */
static mgl_status make_hierarchy(mgl_reading *reading, size_t a, size_t field, mgl_purpose purpose,
                                 mgl_error *err)
{
    mgl_column_request request = {field, MGL_ROLE_QUASI};
    mgl_quasi_column *quasi = &reading->quasi[a];
    MGL_TRY(count_values(reading, a, request, err, &reading->table));
    reading->table->columns[0].number = mgl_cache_number(reading->pins.cache);
    quasi->column = &reading->table->columns[0];
    note_values(quasi, reading->table, reading->settings->counted.least);
    mgl_notation_note(reading, a, quasi->column);
    mgl_status status = mgl_quasi_hierarchy(reading, purpose, quasi, err);
    mgl_table_free(reading->table);
    reading->table = NULL;
    quasi->column = NULL;
    return status;
}

/* Lets the engine regroup. The hierarchies of the quasi-identifiers are made from the values of
 * each column alone. */
static mgl_status regroup_in_engine(mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    const mgl_settings *settings = reading->settings;
    size_t n = reading->n_quasi;
    if (!in_engine(reading))
        return MGL_OK;
    for (size_t a = 0; a < n; a++)
        MGL_TRY(make_hierarchy(reading, a, field_of(reading, a), purpose, err));
    mgl_value_levels *levels = mgl_alloc_array(n, sizeof *levels);
    MGL_TRY(mgl_check_memory(levels != NULL, err));
    for (size_t a = 0; a < n; a++)
        levels[a] = levels_of(reading->quasi[a].hierarchy, field_of(reading, a));
    mgl_status status = mgl_source_regroup(reading->source, levels, n, settings->counted.least,
                                           reading->engine.writes ? settings->output : NULL,
                                           &settings->progress, err);
    mgl_free(levels);
    return status;
}

/* ---- In memory ------------------------------------------------------------------------------- */

typedef struct forgetting {
    mgl_reading *reading;
    mgl_frequency_list *list;
    uint32_t **leaves;       /* [a][tuple] of its group */
    uint32_t **code_of_leaf; /* [a][leaf] MGL_NOT_FOUND: not asked for yet */
    mgl_tuple_finder *finder;
} forgetting;

static void end(forgetting *f)
{
    for (size_t a = 0; a < f->reading->n_quasi; a++) {
        if (f->leaves != NULL)
            mgl_free(f->leaves[a]);
        if (f->code_of_leaf != NULL)
            mgl_free(f->code_of_leaf[a]);
    }
    mgl_free(f->leaves);
    mgl_free(f->code_of_leaf);
    mgl_tuple_finder_free(f->finder);
    mgl_frequency_list_free(f->list);
}

static mgl_status begin(forgetting *f, mgl_error *err)
{
    const mgl_reading *reading = f->reading;
    size_t m = reading->n_quasi;
    MGL_TRY(mgl_frequency_list_new(&(mgl_count_request){.quasi = reading->bound,
                                                        .n_quasi = m,
                                                        .n_rows = reading->table->n_rows,
                                                        .times = reading->table->times},
                                   reading->pool, err, &f->list));
    MGL_TRY(mgl_tuple_finder_new(f->list, reading->bound, err, &f->finder));
    f->leaves = mgl_zeroed_array(m, sizeof *f->leaves);
    f->code_of_leaf = mgl_zeroed_array(m, sizeof *f->code_of_leaf);
    MGL_TRY(mgl_check_memory(f->leaves != NULL && f->code_of_leaf != NULL, err));
    for (size_t a = 0; a < m; a++) {
        uint32_t n_leaves = reading->quasi[a].hierarchy->n_leaves;
        f->leaves[a] = mgl_alloc_array(f->list->n_tuples, sizeof **f->leaves);
        f->code_of_leaf[a] = mgl_alloc_array(n_leaves, sizeof **f->code_of_leaf);
        MGL_TRY(mgl_check_memory(f->leaves[a] != NULL && f->code_of_leaf[a] != NULL, err));
        memset(f->code_of_leaf[a], 0xff, n_leaves * sizeof **f->code_of_leaf);
    }
    return MGL_OK;
}

/* The code of a leaf. Its label is added to the values of the column if it is not among them. */
static uint32_t code_of(forgetting *f, size_t a, uint32_t leaf)
{
    uint32_t *code = &f->code_of_leaf[a][leaf];
    mgl_column *column = &f->reading->table->columns[a];
    const mgl_hierarchy *hierarchy = f->reading->quasi[a].hierarchy;
    if (*code == MGL_NOT_FOUND)
        *code = leaf == hierarchy->missing_leaf
                    ? mgl_dictionary_missing(column->dictionary)
                    : mgl_dictionary_add(column->dictionary, hierarchy->levels[0].labels[leaf]);
    return *code;
}

static mgl_status forget_row(forgetting *f, size_t row, uint32_t tuple, mgl_error *err)
{
    mgl_table *table = f->reading->table;
    for (size_t a = 0; a < f->reading->n_quasi; a++) {
        uint32_t leaf = f->leaves[a][tuple];
        if (leaf == mgl_list_leaf(f->list, tuple, a))
            continue;
        uint32_t code = code_of(f, a, leaf);
        if (code == MGL_NOT_FOUND || !mgl_column_widen(&table->columns[a], table->n_rows, code))
            return mgl_fail_memory(err);
        mgl_column_set(&table->columns[a], row, code);
    }
    return MGL_OK;
}

static mgl_status forget_rows(forgetting *f, mgl_error *err)
{
    for (size_t row = 0; row < f->reading->table->n_rows; row++) {
        uint32_t tuple;
        mgl_tuple_find(f->finder, row, 1, &tuple);
        MGL_TRY(forget_row(f, row, tuple, err));
    }
    return MGL_OK;
}

/* Dictionaries have grown, so columns are bound once more. */
static mgl_status bind_again(mgl_reading *reading, mgl_error *err)
{
    for (size_t a = 0; a < reading->n_quasi; a++) {
        mgl_quasi_column *quasi = &reading->quasi[a];
        const mgl_cache_entry *leaves;
        reading->table->columns[a].number = mgl_cache_number(reading->pins.cache);
        MGL_TRY(mgl_leaves_find(reading, quasi->kept, quasi->column, err, &leaves));
        quasi->leaf_of_code = reading->bound[a].leaf_of_code = leaves->object;
        quasi->number = leaves->number;
    }
    return MGL_OK;
}

/* Rows change, of which other jobs have the cells as they are. */
static mgl_status own_columns(mgl_reading *reading, mgl_error *err)
{
    for (size_t a = 0; a < reading->n_quasi; a++)
        MGL_TRY(mgl_session_own_column(reading->session, reading->table, a, err));
    return MGL_OK;
}

static mgl_status regroup_rows(mgl_reading *reading, mgl_error *err)
{
    forgetting f = {.reading = reading};
    mgl_status status = MGL_OK;
    MGL_GO(own_columns(reading, err));
    MGL_GO(begin(&f, err));
    MGL_GO(mgl_regroup_rare(f.list, reading->settings->counted.least, err, f.leaves));
    MGL_GO(forget_rows(&f, err));
    MGL_GO(bind_again(reading, err));
done:
    end(&f);
    return status;
}

/* Is the tuple a group that rare combinations were put into? */
static bool is_regrouped(const mgl_frequency_list *list, size_t tuple)
{
    for (size_t a = 0; a < list->n_attributes; a++)
        if (mgl_hierarchy_is_stand_in(list->hierarchies[a], mgl_list_leaf(list, tuple, a)))
            return true;
    return false;
}

static mgl_status note_regrouped(const mgl_reading *reading, mgl_error *err,
                                 mgl_frequency_list *list)
{
    (void)err;
    for (size_t t = 0; reading->settings->counted.least > 0 && t < list->n_tuples; t++)
        list->regrouped = list->regrouped || is_regrouped(list, t);
    return MGL_OK;
}

/* A level bound may forbid a level on which rare rows may be counted. */
static mgl_status check_levels(const mgl_reading *reading, mgl_error *err)
{
    for (size_t a = 0; a < reading->n_quasi; a++) {
        const mgl_quasi_column *quasi = &reading->quasi[a];
        uint32_t height = quasi->hierarchy->height;
        if (!quasi->settings->has_level || quasi->settings->levels.max >= height)
            continue;
        return mgl_fail_attribute(
            err, MGL_CODE_CONFLICT, quasi->settings->name, "level",
            "column '%.60s': `level` allows level %u at most, and `least-count` may have to count "
            "rows at level %u; allow that, or leave one of them out",
            quasi->settings->name, (unsigned)quasi->settings->levels.max, (unsigned)height);
    }
    return MGL_OK;
}

static mgl_status regroup(mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    (void)purpose;
    if (reading->settings->counted.least == 0)
        return MGL_OK;
    MGL_TRY(check_levels(reading, err));
    return in_engine(reading) ? MGL_OK : regroup_rows(reading, err);
}

/* ---- The leak guard -------------------------------------------------------------------------- */

static bool is_open(const mgl_reading *reading, size_t c)
{
    const char *name = mgl_source_column(reading->source, c);
    const mgl_attribute_settings *declared = mgl_settings_attribute(reading->settings, name);
    return reading->roles[c] == MGL_ROLE_INSENSITIVE &&
           (declared == NULL || declared->role != MGL_ROLE_QUASI);
}

/* Objects to columns that pass through beside rows that were regrouped: what these rows were is not
 * known here. Of other columns than insensitive ones it warns. */
static mgl_status object(const mgl_task *task, const mgl_solution *solution, mgl_error *err,
                         mgl_objections *objections)
{
    const mgl_reading *reading = task->reading;
    (void)solution;
    (void)err;
    for (size_t c = 0; task->problem.list->regrouped && c < mgl_source_columns(reading->source);
         c++) {
        if (!mgl_role_passes(reading->roles[c]))
            continue;
        bool open = is_open(reading, c);
        mgl_objections_add(
            objections,
            &(mgl_objection){.code = MGL_GUARD_SKIPPED,
                             .column = mgl_source_column(reading->source, c),
                             .remedy = open ? "make it an identifier (not released) or a "
                                              "quasi-identifier"
                                            : "release it without `least-count` if that matters",
                             .warning = !open},
            "stands beside rows that `least-count` regrouped: whether it gives back the values "
            "that these had was not looked at");
    }
    return MGL_OK;
}

/* ---- The section of the result --------------------------------------------------------------- */

/* Rows that are at the top of all columns before anything is generalized. */
static uint64_t rows_at_top(const mgl_problem *p)
{
    uint64_t rows = 0;
    for (size_t t = 0; t < p->list->n_tuples; t++) {
        bool top = is_regrouped(p->list, t);
        for (size_t a = 0; top && a < p->list->n_attributes; a++)
            top = p->columns[a]->of_leaf[0][mgl_list_leaf(p->list, t, a)] == p->columns[a]->top;
        rows += top ? p->list->counts[t] : 0;
    }
    return rows;
}

static json_t *regrouped_json(const mgl_problem *p)
{
    const mgl_frequency_list *list = p->list;
    uint64_t combinations = 0, rows = 0;
    for (size_t t = 0; t < list->n_tuples; t++)
        if (is_regrouped(list, t)) {
            combinations++;
            rows += list->counts[t];
        }
    json_t *object = json_object();
    mgl_json_set(object, "combinations", mgl_json_count(combinations));
    mgl_json_set(object, "rows", mgl_json_count(rows));
    mgl_json_set(object, "at_top", mgl_json_count(rows_at_top(p)));
    return object;
}

/* Measures the table as it was counted, with nothing generalized further. */
static mgl_status measure_counted(const mgl_task *task, mgl_error *err, double *out)
{
    const mgl_problem *p = &task->problem;
    const mgl_frequency_list *list = p->list;
    mgl_recoding *recoding;
    mgl_measured measured;
    MGL_TRY(mgl_recoding_new(p->columns, list->n_attributes, list->n_tuples, err, &recoding));
    for (size_t a = 0; a < list->n_attributes; a++)
        for (size_t t = 0; t < list->n_tuples; t++)
            recoding->cells[a][t] = p->columns[a]->of_leaf[0][mgl_list_leaf(list, t, a)];
    mgl_status status = mgl_measure_recoding(task, recoding, NULL, NULL, err, &measured);
    if (status == MGL_OK) {
        *out = mgl_measure_reported(p->measure, &measured.statistics);
        mgl_measured_free(&measured);
    }
    mgl_recoding_free(recoding);
    return status;
}

static void warn_of_top(const mgl_outcome *outcome, mgl_result *result)
{
    const mgl_problem *p = &outcome->task->problem;
    uint64_t rows = rows_at_top(p);
    if (outcome->method->full_domain && rows > p->limit)
        mgl_result_warn(result, "counted-at-top",
                        "%llu rows are so rare that they are counted at the tops of all columns, "
                        "which is more than the %llu that may be suppressed; `suppress: %llu` "
                        "lets other nodes hold",
                        (unsigned long long)rows, (unsigned long long)p->limit,
                        (unsigned long long)rows);
}

static mgl_status tell(const mgl_outcome *outcome, mgl_error *err, mgl_result *result)
{
    const mgl_settings *settings = outcome->reading->settings;
    const mgl_problem *p = &outcome->task->problem;
    double counted;
    if (settings->counted.least == 0)
        return MGL_OK;
    MGL_TRY(measure_counted(outcome->task, err, &counted));
    json_t *object = json_object();
    mgl_json_set(object, "n", mgl_json_count(settings->counted.least));
    mgl_json_set(object, "combinations", mgl_json_count(p->list->n_tuples));
    mgl_json_set(object, "regrouped", regrouped_json(p));
    mgl_json_set(object, "measure", json_string(p->measure->key));
    mgl_json_set(object, "counted", mgl_json_real(counted));
    mgl_json_set(result->document, "least_count", object);
    warn_of_top(outcome, result);
    return MGL_OK;
}

static const mgl_feature_release release = {.object = object, .measured = tell};

static bool regroups(const mgl_reading *reading)
{
    return reading->settings->counted.least > 0;
}

static const mgl_claim sections[] = {
    {"least_count", MGL_OF_NONE,
     .shape = "{n:i combinations:i regrouped:{combinations:i rows:i at_top:i} measure:s counted:N}",
     .open = "least_count", MGL_CLAIM_INPUT, .due = "job.least-count due"},
    {.key = NULL}};

static const char *const rules[] = {
    "least_count.n = whole(job.least-count)", "least_count.measure = measure",
    "least_count.regrouped.rows <= rows",
    "least_count.regrouped.at_top <= least_count.regrouped.rows", NULL};

static const mgl_feature_audit audit = {.sections = sections, .rules = rules};

const mgl_feature mgl_rare_feature = {
    .name = "rare",
    .audit = &audit,
    .release = &release,
    .needs_rows = regroups,
    .in_engine = in_engine,
    .on = {[MGL_BEFORE_READ] = regroup_in_engine, [MGL_ON_BOUND] = regroup},
    .count = note_regrouped};
