/* Describes a solution, whatever method found it: the document that `anonymize` and `compare`
 * result in, and the warnings that follow from it. `check --against` words these once more, from
 * the result that it compares. */
#include "findings/describe.h"
#include "findings/figures/figures.h"

void mgl_result_warn_exempt(mgl_result *result, uint64_t rows)
{
    mgl_result_warn(result, "exempt-rows",
                    "%llu suppressed rows are released but exempt from the models",
                    (unsigned long long)rows);
}

/* The search was ended by the time limit. */
static void result_warn_timed_out(mgl_result *result)
{
    mgl_result_warn(result, "time-limit",
                    "the time limit came before the search was complete; a better release "
                    "may exist");
}

void mgl_result_warn_of_counting(mgl_result *result, const mgl_counting *counting, size_t n_named,
                                 uint64_t least)
{
    if (counting->tops_match)
        mgl_result_warn(result, "suppressed-cells-match",
                        "suppressed cells count as matching every value, for the models and for "
                        "the risk; the smallest class of equal tuples has size %llu",
                        (unsigned long long)least);
    if (counting->columns > 0)
        mgl_result_warn(result, "combinations",
                        "models hold on every combination of %u columns, not on all together; "
                        "the smallest class there has size %llu",
                        counting->columns, (unsigned long long)least);
    if (n_named > 0)
        mgl_result_warn(result, "named-combinations",
                        "models hold on each of the combinations of columns that were named, not "
                        "on all together; the smallest class there has size %llu",
                        (unsigned long long)least);
}

void mgl_result_warn_of_totals(mgl_result *result, const char *column, uint64_t cells)
{
    mgl_result_warn(result, "known-totals",
                    "column %s: what is suppressed (%llu cells) has one value in all, which "
                    "anyone learns who knows how many rows have each value",
                    column, (unsigned long long)cells);
}

void mgl_result_warn_unsafe(mgl_result *result, const mgl_failing *failing)
{
    char text[MGL_FAILING_TEXT];
    mgl_failing_text(failing, text);
    mgl_result_warn(result, "unsafe-release", "this release is unsafe, which was accepted: %s",
                    text);
}

void mgl_result_warn_of_leak(mgl_result *result, const char *message)
{
    mgl_result_warn(result, "leak-allowed", "released all the same: %s", message);
}

void mgl_result_warn_of_pairs(mgl_result *result, const json_t *not_tested)
{
    enum { NAMED = 5 };
    size_t n = json_array_size(not_tested);
    const char *reason = mgl_json_text(json_array_get(not_tested, 0), "reason");
    mgl_buffer names = {0};
    if (n == 0 || reason == NULL)
        return;
    for (size_t i = 0; i < n && i < NAMED; i++) {
        /* One pair, "a with b", and what is between it and the one before. */
        const json_t *columns = json_object_get(json_array_get(not_tested, i), "columns");
        const char *one = json_string_value(json_array_get(columns, 0)),
                   *other = json_string_value(json_array_get(columns, 1));
        mgl_buffer_format(&names, "%s%.60s with %.60s", i > 0 ? ", " : "", one != NULL ? one : "",
                          other != NULL ? other : "any other");
    }
    if (n > NAMED)
        mgl_buffer_format(&names, " and %zu more", n - NAMED);
    if (!names.failed)
        mgl_result_warn(result, "pairs-not-tested",
                        "whether two columns give generalized ones back together was not tested "
                        "for: %.*s (%s%s)",
                        (int)names.size, names.data, reason,
                        n > 1 ? "; all of them are in the result" : "");
    mgl_buffer_free(&names);
}

void mgl_result_warn_empty(mgl_result *result, const mgl_model_settings *models, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const mgl_model_settings *model = &models[i];
        if (!mgl_model_is_empty(model->type, model->parameters))
            continue;
        bool more = model->type->parameters[0].min == 1;
        mgl_result_warn(
            result, "empty-promise",
            "%s%s%.60s with %s 1 promises nothing: a row that is alone keeps it; give a %s "
            "number (`%s`)",
            model->type->name, model->attribute != NULL ? " of " : "",
            model->attribute != NULL ? model->attribute : "", model->type->parameters[0].name,
            more ? "larger" : "smaller", model->type->option);
    }
}

void mgl_result_add_failing_rows(const mgl_failing *failing, mgl_result *result)
{
    if (failing->found == NULL)
        return;
    json_t *rows = json_array();
    for (size_t i = 0; i < failing->n_named; i++)
        mgl_json_append(rows, mgl_json_count(failing->named[i]));
    mgl_json_set(result->document, "failing_rows", rows);
    mgl_json_set(result->document, "failing_rows_count", mgl_json_count(failing->n_rows));
}

/* Warns which rows fail; nothing if the solution is safe. */
static void failing_add(const mgl_failing *failing, mgl_result *result)
{
    if (failing->found == NULL)
        return;
    mgl_result_add_failing_rows(failing, result);
    mgl_result_warn_unsafe(result, failing);
}

/* ---- What left the database ------------------------------------------------------------------ */

static void report_combinations(const mgl_frequency_list *list, json_t *object)
{
    uint64_t once = 0, rarest = UINT64_MAX;
    for (size_t t = 0; t < list->n_tuples; t++) {
        once += list->counts[t] == 1;
        rarest = list->counts[t] < rarest ? list->counts[t] : rarest;
    }
    mgl_json_set(object, "combinations", mgl_json_count(list->n_tuples));
    mgl_json_set(object, "once", mgl_json_count(once));
    mgl_json_set(object, "rarest", mgl_json_count(rarest));
    mgl_json_set(object, "standing_for", mgl_json_count(list->n_rows));
}

static json_t *groups_json(const mgl_fetched_groups *groups)
{
    json_t *object = json_object();
    mgl_json_set(object, "groups", mgl_json_count(groups->n));
    mgl_json_set(object, "once", mgl_json_count(groups->once));
    return object;
}

static json_t *values_json(const mgl_reading *reading)
{
    json_t *object = json_object();
    for (size_t a = 0; a < reading->n_quasi; a++) {
        const mgl_quasi_column *quasi = &reading->quasi[a];
        json_t *column = json_object();
        mgl_json_set(column, "values", mgl_json_count(quasi->values_counted));
        mgl_json_set(column, "rare", mgl_json_count(quasi->rare_counted));
        mgl_json_set(object, quasi->settings->name, column);
    }
    return object;
}

/* Adds "left_database", unless the table lies in no database. */
static void left_database_add(const mgl_outcome *outcome, mgl_result *result)
{
    const mgl_reading *reading = outcome->reading;
    const mgl_frequency_list *list = outcome->task->problem.list;
    const mgl_push_operations *push = mgl_source_push(reading->source);
    if (push == NULL || push->files)
        return; /* no database */
    json_t *object = json_object();
    bool counted = reading->engine.counts;
    uint64_t fetched = reading->rows != NULL ? reading->rows->choice.n_rows : list->n_rows;
    mgl_json_set(object, "rows", mgl_json_count(counted ? 0 : fetched));
    if (reading->rows != NULL && reading->rows->values_counted > 0)
        mgl_json_set(object, "for_where", mgl_json_count(reading->rows->values_counted));
    if (counted)
        report_combinations(list, object);
    if (counted && reading->n_counted > 0) {
        mgl_fetched_groups groups = {0};
        mgl_fetched_groups_add(&groups, reading->table);
        mgl_json_set(object, "with_sensitive", groups_json(&groups));
    }
    if (counted && outcome->written.verifier_groups.n > 0)
        mgl_json_set(object, "of_release", groups_json(&outcome->written.verifier_groups));
    if (counted && outcome->written.rows_sha256[0] != '\0')
        mgl_json_set(object, "released_rows", mgl_json_count(outcome->written.n_rows));
    if (counted && outcome->written.guard_groups.n > 0)
        mgl_json_set(object, "for_guard", groups_json(&outcome->written.guard_groups));
    if (counted && reading->settings->counted.least > 0)
        mgl_json_set(object, "values", values_json(reading));
    mgl_json_set(result->document, "left_database", object);
}

/* ---- The solution ---------------------------------------------------------------------------- */

static json_t *minimal_json(const mgl_reading *reading, const mgl_solution *solution)
{
    if (!solution->minimal_known)
        return json_null();
    json_t *array = json_array();
    for (size_t i = 0; i < solution->n_minimal; i++)
        mgl_json_append(
            array, mgl_node_json(reading, solution->minimal_nodes + i * solution->n_attributes));
    return array;
}

static json_t *heights_json(const mgl_reading *reading)
{
    json_t *object = json_object();
    for (size_t a = 0; a < reading->n_quasi; a++)
        mgl_json_set(object, reading->quasi[a].settings->name,
                     mgl_json_count(reading->quasi[a].hierarchy->height));
    return object;
}

/* Rows of the smallest class of equal tuples. */
static uint64_t smallest_class(const mgl_classes *classes)
{
    uint64_t least = 0;
    for (size_t c = 0; c < classes->n_classes; c++)
        if (classes->sizes[c] > 0 && (least == 0 || classes->sizes[c] < least))
            least = classes->sizes[c];
    return least;
}

static void warn_about(mgl_result *result, const mgl_settings *settings,
                       const mgl_solution *solution)
{
    if (solution->timed_out)
        result_warn_timed_out(result);
    if (settings->treatment == MGL_EXEMPT && solution->suppressed_rows > 0)
        mgl_result_warn_exempt(result, solution->suppressed_rows);
}

/* Per column: rows whose cell is suppressed although other cells of the row are not, unless the
 * whole column is; null where columns have one level each. */
static json_t *suppressed_cells_json(const mgl_reading *reading, const mgl_frequency_list *list,
                                     const mgl_solution *solution)
{
    const mgl_recoding *recoding = solution->recoding;
    const uint32_t *levels = mgl_solution_levels(solution);
    if (solution->node != NULL)
        return json_null();
    json_t *object = json_object();
    for (size_t a = 0; a < reading->n_quasi; a++) {
        uint32_t top = recoding->columns[a]->top, height = reading->quasi[a].hierarchy->height;
        uint64_t rows = 0;
        bool whole = levels != NULL && levels[a] == height;
        for (size_t t = 0; !whole && t < recoding->n_tuples; t++)
            if (recoding->cells[a][t] == top && !mgl_recoding_is_top(recoding, t))
                rows += list->counts[t];
        mgl_json_set(object, reading->quasi[a].settings->name, mgl_json_count(rows));
    }
    return object;
}

/* What cells are where columns have no level in common, without suppressed rows: generalized,
 * suppressed while other cells of the column are not, or values that were made. */
static json_t *mixture_json(const mgl_outcome *outcome)
{
    const mgl_recoding *recoding = outcome->solution->recoding;
    bool mixed = false, made = false, suppressed = false;
    for (size_t a = 0; a < recoding->n_attributes; a++) {
        const mgl_released_column *column = recoding->columns[a];
        int32_t first = -1, height = (int32_t)column->hierarchy->height;
        for (size_t t = 0; t < recoding->n_tuples; t++) {
            int32_t level = column->values[recoding->cells[a][t]].level;
            if (mgl_recoding_is_top(recoding, t))
                continue;
            made = made || level < 0;
            suppressed = suppressed || level == height;
            if (level < 0 || level == height)
                continue;
            mixed = mixed || level > 0 || (first >= 0 && level != first);
            first = level;
        }
    }
    const char *values = outcome->solution->made != NULL ? outcome->solution->made : "ranges";
    json_t *object = json_object();
    mgl_json_set(object, "levels", json_boolean(mixed));
    mgl_json_set(object, "suppressed", json_boolean(suppressed));
    mgl_json_set(object, "made", made ? json_string(values) : json_null());
    return object;
}

/* Rows that were suppressed because of their risk, which the limit does not count. */
static json_t *suppressed_above_json(const mgl_settings *settings, const mgl_solution *solution)
{
    json_t *object = json_object();
    mgl_json_set(object, "risk", mgl_json_real(settings->risk.above));
    mgl_json_set(object, "rows", mgl_json_count(solution->risky_rows));
    mgl_json_set(object, "joined", mgl_json_count(solution->joined_rows));
    return object;
}

static json_t *seconds_json(const mgl_outcome *outcome)
{
    json_t *object = json_object();
    mgl_json_set(object, "read", mgl_json_real(outcome->reading->seconds));
    mgl_json_set(object, "search",
                 mgl_json_real(outcome->search_seconds + outcome->written.search_seconds));
    mgl_json_set(object, "write", mgl_json_real(outcome->written.write_seconds));
    mgl_json_set(object, "verify", mgl_json_real(outcome->written.verify_seconds));
    mgl_json_set(object, "total", mgl_json_real(mgl_sys_seconds() - outcome->start));
    return object;
}

static bool all_hold(const mgl_outcome *outcome)
{
    for (size_t i = 0; i < mgl_task_models(outcome->task); i++)
        if (!outcome->found[i].holds)
            return false;
    return true;
}

/* A counted table: rows that stand for the records that all else is about. */
static json_t *counts_json(const mgl_outcome *outcome)
{
    const mgl_reading *reading = outcome->reading;
    const char *digest = outcome->written.rows_sha256;
    uint64_t released = outcome->written.n_groups, once = 0;
    json_t *object = json_object();
    for (size_t row = 0; row < reading->table->n_rows; row++)
        once += reading->table->times[row] == 1;
    mgl_json_set(object, "column", json_string(reading->settings->counted.column));
    mgl_json_set(object, "rows", mgl_json_count(reading->table->n_rows));
    mgl_json_set(object, "once", mgl_json_count(once));
    mgl_json_set(object, "released_rows", released > 0 ? mgl_json_count(released) : json_null());
    mgl_json_set(object, "rows_sha256", digest[0] != '\0' ? json_string(digest) : json_null());
    return object;
}

/* What became of the quasi-identifiers. */
static mgl_status add_solution(const mgl_outcome *outcome, const mgl_measured *measured,
                               mgl_error *err, json_t *document)
{
    const mgl_reading *reading = outcome->reading;
    const mgl_settings *settings = reading->settings;
    const mgl_solution *solution = outcome->solution;
    json_t *risk, *nodes;
    MGL_TRY(mgl_known_risk_json(outcome->task, solution->recoding, &measured->summary, err, &risk));
    nodes = json_object();
    mgl_json_set(document, "classes", mgl_classes_json(&measured->summary));
    mgl_json_set(document, "node", mgl_node_json(reading, solution->node));
    mgl_json_set(document, "levels", mgl_node_json(reading, mgl_solution_levels(solution)));
    mgl_json_set(document, "heights", heights_json(reading));
    mgl_json_set(document, "hierarchies", mgl_proposals_json(reading, outcome));
    mgl_json_set(document, "suppressed_cells",
                 suppressed_cells_json(reading, outcome->task->problem.list, solution));
    if (solution->node == NULL)
        mgl_json_set(document, "mixture", mixture_json(outcome));
    mgl_json_set(nodes, "total", mgl_json_count(solution->nodes_total));
    mgl_json_set(nodes, "checked", mgl_json_count(solution->nodes_checked));
    mgl_json_set(document, "nodes", nodes);
    mgl_json_set(document, "minimal_nodes", minimal_json(reading, solution));
    mgl_json_set(document, "measure", json_string(settings->measure->key));
    mgl_json_set(document, "utility", mgl_utility_json(&measured->statistics));
    mgl_solution_write(solution, document);
    mgl_json_set(document, "bound",
                 mgl_bound_json(settings->measure, solution, &measured->statistics));
    mgl_json_set(document, "models",
                 mgl_models_json(reading, outcome->task, outcome->found, false));
    if (settings->risk.has_above)
        mgl_json_set(document, "suppressed_above", suppressed_above_json(settings, solution));
    mgl_features_add_facts(outcome->task, document);
    mgl_json_set(document, "risk", risk);
    return MGL_OK;
}

static mgl_status fill_document(const mgl_outcome *outcome, const mgl_measured *measured,
                                mgl_error *err, json_t *document)
{
    const mgl_reading *reading = outcome->reading;
    const mgl_settings *settings = reading->settings;
    bool quasi = reading->n_quasi > 0;
    if (quasi)
        mgl_json_set(document, "method", json_string(outcome->method->name));
    mgl_json_set(document, "rows", mgl_json_count(outcome->task->problem.list->n_rows));
    mgl_json_set(document, "released_rows", mgl_json_count(outcome->written.n_rows));
    mgl_json_set(document, "suppressed_rows", mgl_json_count(outcome->solution->suppressed_rows));
    mgl_result_add_left_out(reading, document);
    if (reading->counts != NULL)
        mgl_json_set(document, "counts", counts_json(outcome));
    if (quasi)
        MGL_TRY(add_solution(outcome, measured, err, document));
    if (settings->safe_harbor)
        mgl_json_set(document, "reference_year", mgl_json_count(mgl_reference_year(settings)));
    mgl_json_set(document, "unchanged", mgl_unchanged_json(reading, &outcome->written));
    if (outcome->output != NULL)
        mgl_json_set(document, "output", mgl_location_json(outcome->output));
    return MGL_OK;
}

/* Where single cells are suppressed: what known totals give back of them. */
static mgl_status find_marginals(const mgl_outcome *outcome, mgl_error *err, mgl_result *result,
                                 json_t *marginals)
{
    const mgl_reading *reading = outcome->reading;
    const mgl_solution *solution = outcome->solution;
    const uint32_t *levels = mgl_solution_levels(solution);
    for (size_t a = 0; a < reading->n_quasi; a++) {
        const char *name = reading->quasi[a].settings->name;
        mgl_marginal found;
        MGL_TRY(mgl_marginal_find(outcome->task->problem.list, solution->recoding, a, levels[a],
                                  reading->settings->treatment == MGL_DROP, err, &found));
        if (found.cells == 0)
            continue;
        json_t *object = json_object();
        mgl_json_set(object, "suppressed_cells", mgl_json_count(found.cells));
        mgl_json_set(object, "values", mgl_json_count(found.values));
        mgl_json_set(object, "inferred_cells", mgl_json_count(found.values == 1 ? found.cells : 0));
        mgl_json_set(object, "best_guess", mgl_json_real((double)found.most / (double)found.cells));
        mgl_json_set(marginals, name, object);
        if (found.values == 1)
            mgl_result_warn_of_totals(result, name, found.cells);
    }
    return MGL_OK;
}

static mgl_status add_marginals(const mgl_outcome *outcome, mgl_error *err, mgl_result *result)
{
    json_t *marginals = json_object();
    mgl_status status = find_marginals(outcome, err, result, marginals);
    mgl_json_set(result->document, "known_totals", marginals);
    return status;
}

/* Adds the sections that not every result has. */
static mgl_status add_more(const mgl_outcome *outcome, const mgl_further_searches *searches,
                           const mgl_measured *measured, bool audited, mgl_error *err,
                           mgl_result *result)
{
    const mgl_solution *solution = outcome->solution;
    json_t *section;
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->release != NULL && (*f)->release->measured != NULL)
            MGL_TRY((*f)->release->measured(outcome, err, result));
    if (audited)
        left_database_add(outcome, result);
    if (audited && mgl_settings_held(outcome->reading->settings) == 0)
        MGL_TRY(searches->hint(outcome, measured, err, result));
    if (mgl_solution_levels(solution) != NULL)
        MGL_TRY(add_marginals(outcome, err, result));
    if (outcome->reading->settings->comparison.n_curve > 0) {
        MGL_TRY(searches->curve(outcome, measured, err, &section));
        mgl_json_set(result->document, "curve", section);
    }
    if (!audited)
        return MGL_OK;
    if (outcome->reading->n_quasi > 0) {
        MGL_TRY(mgl_figures_json(outcome, measured, err, &section));
        mgl_json_set(result->document, "figures", section);
    }
    if (outcome->reading->settings->brief)
        return MGL_OK;
    MGL_TRY(mgl_audit_json(outcome, err, &section));
    mgl_json_set(result->document, "audit", section);
    return MGL_OK;
}

static mgl_status withhold(const mgl_outcome *outcome, mgl_error *err, mgl_result *result)
{
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->release != NULL && (*f)->release->withhold != NULL)
            MGL_TRY((*f)->release->withhold(outcome, err, result));
    return MGL_OK;
}

void mgl_features_describe(const mgl_reading *reading, const mgl_written *written,
                           mgl_result *result)
{
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->release != NULL && (*f)->release->describe != NULL)
            (*f)->release->describe(reading, written, result);
}

void mgl_features_warn(const mgl_reading *reading, mgl_result *result)
{
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->release != NULL && (*f)->release->warn != NULL)
            (*f)->release->warn(reading, result);
}

void mgl_features_add_facts(const mgl_task *task, json_t *document)
{
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->release != NULL && (*f)->release->facts != NULL)
            (*f)->release->facts(task, document);
}

mgl_status mgl_describe_solution(const char *command, const mgl_outcome *outcome,
                                 const mgl_further_searches *searches, mgl_error *err,
                                 mgl_result **out)
{
    const mgl_solution *solution = outcome->solution;
    mgl_measured measured = {0};
    mgl_result *result;
    MGL_TRY(mgl_result_new(command, err, &result));
    mgl_status status = MGL_OK;
    MGL_GO(mgl_progress_report(&outcome->reading->settings->progress, "measure", 0, 0, err));
    MGL_GO(mgl_measure_solution(outcome->task, solution, err, &measured));
    MGL_GO(fill_document(outcome, &measured, err, result->document));
    mgl_result_add_columns(result, outcome->reading);
    mgl_features_describe(outcome->reading, &outcome->written, result);
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->release != NULL && (*f)->release->found != NULL)
            (*f)->release->found(outcome, result);
    result->holds = all_hold(outcome);
    mgl_json_set(result->document, "seconds", seconds_json(outcome));
    mgl_json_set(result->document, "warnings", json_array());
    /* A search may judge by a condition that is stricter than a model: the verifier decides. */
    if (outcome->failing != NULL && !result->holds)
        failing_add(outcome->failing, result);
    warn_about(result, outcome->reading->settings, solution);
    /* Warns where models do not judge the classes of equal tuples. */
    const mgl_counting *counting = &outcome->task->problem.counting;
    if (counting->tops_match)
        mgl_json_set(result->document, "missing_matches", json_string("all"));
    mgl_result_warn_of_counting(result, counting, outcome->task->reading->settings->n_named,
                                smallest_class(&measured.classes));
    mgl_features_warn(outcome->reading, result);
    result->resolved = json_incref(outcome->reading->resolved);
    mgl_result_take_warnings(result, &outcome->reading->warnings);
    mgl_result_take_warnings(result, &outcome->written.warnings);
    if (outcome->output != NULL)
        mgl_result_take_objections(result, outcome->reading, &outcome->written);
    else
        mgl_json_set(result->document, "leaks", json_array());
    MGL_GO(add_more(outcome, searches, &measured, strcmp(command, "anonymize") == 0, err, result));
    MGL_GO(withhold(outcome, err, result));
    *out = result;
    result = NULL;
done:
    mgl_measured_free(&measured);
    mgl_result_free(result);
    return status;
}
