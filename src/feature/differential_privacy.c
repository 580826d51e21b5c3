/* Differential privacy by sampling and k (`dp`): what the job's columns must be, what the verifier
 * judges, the section "differential_privacy" of a result, and what is left out of the others:
 * whatever is not known from the release (docs/differential-privacy.md). */
#include "claims/claims.h"
#include "findings/findings.h"

extern const mgl_feature mgl_differential_feature;

/* ---- Columns --------------------------------------------------------------------------------- */

static bool draws(const mgl_reading *reading)
{
    return reading->settings->chosen.draws;
}

/* A release that is judged has no columns besides those that are counted. */
static mgl_status check_columns(mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    size_t n = mgl_source_columns(reading->source);
    if (purpose != MGL_TO_CHECK || reading->settings->dp.budget.epsilon <= 0)
        return MGL_OK;
    for (size_t c = 0; c < n; c++)
        if (reading->roles[c] != MGL_ROLE_QUASI)
            return mgl_fail_column(
                err, MGL_CODE_CONFLICT, NULL, mgl_source_column(reading->source, c),
                "column '%.60s' is not counted, and `dp` is about the combinations of all cells; "
                "name it by `role: quasi`",
                mgl_source_column(reading->source, c));
    return MGL_OK;
}

static bool is_whole(mgl_span text)
{
    int64_t number;
    return mgl_parse_i64(text, &number);
}

/* Labels of numbers have the decimals of the number that has the most: only where none has any does
 * what becomes of one not depend on the others. */
static mgl_status check_numbers(const mgl_reading *reading, const mgl_quasi_column *quasi,
                                mgl_error *err)
{
    const mgl_dictionary *values = quasi->column->dictionary;
    for (uint32_t code = 0; code < mgl_dictionary_size(values); code++)
        if (code != mgl_dictionary_missing(values) && !is_whole(mgl_dictionary_value(values, code)))
            return mgl_fail_column(
                err, MGL_CODE_BAD_CELL, mgl_source_name(reading->source), quasi->settings->name,
                "column \"%.60s\" has cells that are no whole numbers, and with `dp` "
                "a builder of intervals takes no others; round the values first, or "
                "give a hierarchy file",
                quasi->settings->name);
    return MGL_OK;
}

/* Null of a table in memory reads as a text that no cell of it is, unless the job names one. */
static bool null_reads_by_cells(const mgl_settings *settings)
{
    const mgl_source_options *options = &settings->source;
    return options->usual != NULL && !options->missing_given && !settings->cells.missing_by_null;
}

static mgl_status check_null(const mgl_reading *reading, const mgl_quasi_column *quasi,
                             mgl_error *err)
{
    bool lacks = mgl_dictionary_missing(quasi->column->dictionary) != MGL_NOT_FOUND;
    if (!lacks || !null_reads_by_cells(reading->settings))
        return MGL_OK;
    return mgl_fail_key(err, MGL_CODE_MISSING_KEY, "missing",
                        "column '%.60s' has cells without a value, and in a table in memory they "
                        "would read as a text that no other cell is, which depends on the rows; "
                        "with `dp` say how they read by `missing` (for example NA)",
                        quasi->settings->name);
}

/* Does the label stand for other values than the text itself, which a hierarchy may list? */
static bool covers_others(const mgl_hierarchy *hierarchy, const mgl_level *level, uint32_t value,
                          mgl_span text)
{
    const mgl_span *ground = hierarchy->levels[0].labels;
    return level->leaves[value] > 1 || !mgl_span_equal(ground[level->first_leaf[value]], text);
}

/* Does a value or label read like what suppressed or missing cells are written as? Where there are
 * such cells the hierarchy is refused for that anyway. */
static bool has_taken_label(const mgl_reading *reading, const mgl_quasi_column *quasi)
{
    const mgl_dictionary *values = quasi->column->dictionary;
    const mgl_source_options *options = &reading->settings->source;
    bool open = mgl_dictionary_missing(values) == MGL_NOT_FOUND && options->n_missing > 0 &&
                !null_reads_by_cells(reading->settings);
    bool taken = mgl_dictionary_find(values, mgl_span_of("*")) != MGL_NOT_FOUND;
    for (uint32_t l = 0; !taken && l <= quasi->hierarchy->height; l++) {
        const mgl_level *level = &quasi->hierarchy->levels[l];
        const mgl_span *labels = level->given != NULL ? level->given : level->labels;
        for (uint32_t v = 0; !taken && v < level->n_values; v++)
            taken = (l < quasi->hierarchy->height && mgl_span_is(labels[v], "*")) ||
                    (open && mgl_span_equal(labels[v], options->missing[0]) &&
                     covers_others(quasi->hierarchy, level, v, labels[v]));
    }
    return taken;
}

/* A row must not decide whether a table with another one is refused. */
static mgl_status check_labels(const mgl_reading *reading, const mgl_quasi_column *quasi,
                               mgl_error *err)
{
    if (!has_taken_label(reading, quasi))
        return MGL_OK;
    return mgl_fail_attribute(
        err, MGL_CODE_CONFLICT, quasi->settings->name, "hierarchy",
        "column '%.60s' has a value or a label that reads like a suppressed cell (*) or a missing "
        "one (the first text of `missing`), which `dp` does not allow, since another row could "
        "clash with it; write the value or the label otherwise",
        quasi->settings->name);
}

static mgl_status check_values(mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    (void)purpose;
    bool whole = draws(reading) && reading->settings->chosen.drawn == NULL;
    for (size_t a = 0; whole && a < reading->n_quasi; a++) { /* of the table, not of the sample */
        bool of_numbers;
        const char *spec = reading->quasi[a].settings->hierarchy;
        if (spec != NULL && mgl_hierarchy_is_fixed(spec, &of_numbers) && of_numbers)
            MGL_TRY(check_numbers(reading, &reading->quasi[a], err));
        MGL_TRY(check_null(reading, &reading->quasi[a], err));
        MGL_TRY(check_labels(reading, &reading->quasi[a], err));
    }
    return MGL_OK;
}

/* ---- The promise ----------------------------------------------------------------------------- */

/* The column of the release is one of the quasi-identifier columns: all are. */
static const mgl_level *level_of(const mgl_release_plan *p, const mgl_reading *reading, size_t c)
{
    for (size_t a = 0; a < reading->n_quasi; a++) {
        const mgl_quasi_column *quasi = &reading->quasi[a];
        if (mgl_plan_column(p, quasi->column->source_index) == c)
            return &quasi->hierarchy->levels[quasi->settings->levels.min];
    }
    return NULL;
}

static mgl_status plan(mgl_release_plan *p, const mgl_task *task, mgl_error *err,
                       mgl_written *written)
{
    const mgl_reading *reading = task->reading;
    mgl_promised_rows *promised = mgl_feature_made(written, &mgl_differential_feature);
    const mgl_level **levels = mgl_arena_alloc(p->arena, (p->n_columns + 1) * sizeof *levels);
    if (!draws(reading))
        return MGL_OK;
    MGL_TRY(mgl_check_memory(levels != NULL, err));
    for (size_t c = 0; c < p->n_columns; c++)
        if ((levels[c] = level_of(p, reading, c)) == NULL)
            return mgl_fail(err, MGL_CODE_INTERNAL,
                            "a column would be released that `dp` does not count; please report "
                            "this");
    *promised = (mgl_promised_rows){reading->settings->dp.sampling.k,
                                    p->format != NULL && p->format->text ? levels : NULL};
    mgl_plan_promise(p, &mgl_whole_rows_judge, promised, 1);
    return MGL_OK;
}

/* ---- The result ------------------------------------------------------------------------------ */

static json_t *section_json(const mgl_settings *settings)
{
    const mgl_sampling *sampling = &settings->dp.sampling;
    json_t *object = json_object();
    mgl_json_set(object, "epsilon", mgl_json_real(settings->dp.budget.epsilon));
    mgl_json_set(object, "delta", mgl_json_real(settings->dp.budget.delta));
    mgl_json_set(object, "sampling_rate",
                 mgl_json_real((double)sampling->rate / (double)MGL_RATE_ONE));
    mgl_json_set(object, "k", mgl_json_count(sampling->k));
    mgl_json_set(object, "levels", json_string(sampling->choosing > 0 ? "chosen" : "given"));
    mgl_json_set(object, "epsilon_of_levels",
                 sampling->choosing > 0 ? mgl_json_real(settings->dp.choosing) : json_null());
    return object;
}

static void describe(const mgl_reading *reading, const mgl_written *written, mgl_result *result)
{
    (void)written;
    if (draws(reading))
        mgl_json_set(result->document, "differential_privacy", section_json(reading->settings));
}

static bool is_known(const char *const *known, const char *key)
{
    while (*known != NULL && strcmp(*known, key) != 0)
        known++;
    return *known != NULL;
}

/* Measures that do not follow from the release compare with the input. */
static void withhold_utility(json_t *utility)
{
    const char *key;
    json_t *value;
    json_object_foreach(utility, key, value)
    {
        const mgl_measure_type *type = mgl_measure_type_find_key(key);
        if (type == NULL || !type->from_release)
            (void)json_object_set(utility, key, json_null()); /* there, so it needs no memory */
    }
}

static void keep_only(json_t *object, const char *const *known)
{
    const char *key;
    json_t *value;
    void *next;
    json_object_foreach_safe(object, next, key, value)
    {
        if (!is_known(known, key))
            (void)json_object_del(object, key);
    }
}

static void withhold_audit(json_t *audit)
{
    json_t *columns = json_object_get(audit, "columns"), *one;
    size_t i;
    json_t *input = json_object_get(audit, "input");
    if (json_is_object(input)) { /* but for its name, which stands in the job */
        mgl_json_set(input, "bytes", json_null());
        mgl_json_set(input, "sha256", json_null());
    }
    json_array_foreach(columns, i, one)
    {
        (void)json_object_del(one, "values_before");
    }
}

/* A key that is not listed here is left out: what is known from the release and the job stays. */
static mgl_status withhold(const mgl_outcome *outcome, mgl_error *err, mgl_result *result)
{
    static const char *const known[] = {"confidential",
                                        "mingle",
                                        "schema",
                                        "command",
                                        "about",
                                        "method",
                                        "rows",
                                        "released_rows",
                                        "suppressed_rows",
                                        "classes",
                                        "node",
                                        "levels",
                                        "heights",
                                        "hierarchies",
                                        "suppressed_cells",
                                        "nodes",
                                        "measure",
                                        "models",
                                        "risk",
                                        "unchanged",
                                        "output",
                                        "quasi_identifier",
                                        "differential_privacy",
                                        "leaks",
                                        "audit",
                                        "utility",
                                        NULL};
    json_t *document = result->document;
    if (!draws(outcome->reading))
        return MGL_OK;
    keep_only(document, known);
    mgl_json_set(document, "warnings", json_array());
    if (json_is_object(json_object_get(document, "utility")))
        withhold_utility(json_object_get(document, "utility"));
    if (json_is_object(json_object_get(document, "audit")))
        withhold_audit(json_object_get(document, "audit"));
    return mgl_json_complete(document) ? MGL_OK : mgl_fail_memory(err);
}

/* A recipient can know all of it: it is a function of the job. */
static void promise(const mgl_settings *settings, const json_t *result, const char *column,
                    json_t *object)
{
    (void)result;
    if (column == NULL && settings->chosen.draws)
        mgl_json_set(object, "differential_privacy", section_json(settings));
}

static const mgl_feature_release release = {.size = sizeof(mgl_promised_rows),
                                            .plan = plan,
                                            .describe = describe,
                                            .withhold = withhold,
                                            .promise = promise};

/* ---- The audit ------------------------------------------------------------------------------- */

static void compare(mgl_claims *c, const json_t *claimed)
{
    if (claimed != NULL && c->settings->dp.budget.epsilon > 0)
        mgl_claims_agree(c, "differential_privacy", claimed, section_json(c->settings));
}

static const mgl_claim sections[] = {
    {"differential_privacy", MGL_OF_NONE,
     "{epsilon:n delta:n sampling_rate:n k:i levels:s epsilon_of_levels:N}", .compare = compare,
     .due = "job.dp due"},
    {.key = NULL}};

/* Where no cell is at the top, the hierarchies alone say how high they are. */
static const mgl_claim_open opens[] = {{"heights", "needs the hierarchies", "is.withheld"},
                                       {.what = NULL}};

/* For rules of other sections. */
static void count(mgl_claims *c)
{
    mgl_json_set(c->is, "withheld",
                 json_boolean(json_object_get(c->job, "dp") != NULL && !c->applied));
}

static const char *const rules[] = {"differential_privacy.k <= classes.min if differential_privacy",
                                    "rows = released_rows if differential_privacy",
                                    "audit.input.bytes = null if differential_privacy",
                                    "audit.input.sha256 = null if differential_privacy", NULL};

static const mgl_feature_audit audit = {
    .sections = sections, .opens = opens, .rules = rules, .count = count};

const mgl_feature mgl_differential_feature = {
    .name = "differential privacy",
    .release = &release,
    .audit = &audit,
    .needs_rows = draws,
    .on = {[MGL_ON_OPEN] = check_columns, [MGL_ON_BOUND] = check_values}};
