/* Tells what became of the rows that a saved recoding was applied to. apply.c calls it. */
#include "command/rule/rule.h"

static void warn(const mgl_applied *p, mgl_result *result)
{
    const mgl_ruled *ruled = &p->ruled;
    if (p->task->problem.treatment == MGL_EXEMPT && p->solution.suppressed_rows > 0)
        mgl_result_warn_exempt(result, p->solution.suppressed_rows);
    if (ruled->new_rows > 0)
        mgl_result_warn(result, "new-tuples",
                        "%llu rows have values, or combinations of them, that the recoding has not "
                        "seen; they are released as %s",
                        (unsigned long long)ruled->new_rows,
                        mgl_rule_has_levels(p->saved) ? "its hierarchies say"
                                                      : "recorded tuples that cover them");
    if (ruled->uncovered_rows > 0)
        mgl_result_warn(result, "uncovered-tuples",
                        "%llu rows are covered by no tuple of the recoding and are suppressed",
                        (unsigned long long)ruled->uncovered_rows);
    if (ruled->unplaced_rows > 0)
        mgl_result_warn(result, "unknown-tuples",
                        "%llu rows have values that the recoding does not know and are suppressed",
                        (unsigned long long)ruled->unplaced_rows);
    if (p->treated_rows > 0)
        mgl_result_warn(result, "treated-rows",
                        "%llu rows broke a model as the recoding releases them and are suppressed",
                        (unsigned long long)p->treated_rows);
    if (p->placed == NULL && ruled->unplaced_rows > 0)
        mgl_result_warn(result, "old-recoding",
                        "the recoding was saved by mingle %s, which did not save hierarchies; save "
                        "it again, so that other values find their place",
                        p->saved->version);
}

/* Rows by what the recoding says of them. */
static json_t *applied_json(const mgl_applied *p)
{
    json_t *applied = json_object();
    mgl_json_set(applied, "recorded_rows", mgl_json_count(p->ruled.recorded_rows));
    mgl_json_set(applied, "new_rows", mgl_json_count(p->ruled.new_rows));
    mgl_json_set(applied, "uncovered_rows", mgl_json_count(p->ruled.uncovered_rows));
    mgl_json_set(applied, "unplaced_rows", mgl_json_count(p->ruled.unplaced_rows));
    mgl_json_set(applied, "treated_rows", mgl_json_count(p->treated_rows));
    return applied;
}

/* The earlier release that the models were judged with. */
static json_t *with_json(const mgl_applied *p)
{
    json_t *with = json_object();
    mgl_json_set(with, "release", mgl_location_json(p->with));
    mgl_json_set(with, "rows", mgl_json_count(mgl_joined_rows_earlier(p->joined)));
    return with;
}

/* What a codebook wants to know: roles, the labels of tops, and levels if columns have one each. */
static void tell_columns(const mgl_applied *p, json_t *document)
{
    const mgl_saved_recoding *saved = p->saved;
    bool levels = mgl_rule_has_levels(saved);
    json_t *columns = json_array(), *tops = json_object(), *node = json_object();
    json_t *heights = json_object();
    for (size_t c = 0; c < saved->n_columns; c++) {
        json_t *column = json_object();
        mgl_json_set(column, "column", json_string(saved->columns[c]));
        mgl_json_set(column, "role", json_string(mgl_role_name(saved->roles[c])));
        mgl_json_append(columns, column);
    }
    for (size_t a = 0; a < saved->n_quasi; a++) {
        const mgl_saved_quasi *quasi = &saved->quasi[a];
        mgl_span top = quasi->labels[quasi->top];
        mgl_json_set(tops, quasi->name, json_stringn(top.data, top.size));
        if (!levels)
            continue;
        mgl_json_set(node, quasi->name, mgl_json_count(quasi->tree->level));
        mgl_json_set(heights, quasi->name, mgl_json_count(quasi->tree->height));
    }
    mgl_json_set(document, "columns", columns);
    mgl_json_set(document, "tops", tops);
    if (saved->n_quasi > 0) {
        mgl_json_set(document, "node", levels ? json_incref(node) : json_null());
        mgl_json_set(document, "heights", levels ? json_incref(heights) : json_null());
    }
    json_decref(node);
    json_decref(heights);
}

/* ---- What a third person needs to verify the release ---------------------------------------- */

/* The rules of the hierarchies that the recoding holds; a hierarchy that was a file has none. */
static json_t *rules_json(const mgl_saved_recoding *saved)
{
    json_t *object = json_object();
    for (size_t a = 0; a < saved->n_quasi; a++) {
        const mgl_saved_tree *tree = saved->quasi[a].tree;
        bool rule = tree != NULL && tree->rule[0] != '\0';
        mgl_json_set(object, saved->quasi[a].name, rule ? json_string(tree->rule) : json_null());
    }
    return object;
}

static mgl_status tell_files(const mgl_applied *p, json_t *audit, mgl_error *err)
{
    json_t *file;
    MGL_TRY(mgl_file_json(p->path, err, &file));
    mgl_json_set(audit, "recoding", file);
    if (p->joined == NULL)
        return MGL_OK;
    MGL_TRY(mgl_file_json(p->with, err, &file));
    mgl_json_set(audit, "with", file);
    return MGL_OK;
}

static mgl_status tell_trail(const mgl_applied *p, const mgl_outcome *outcome, mgl_error *err,
                             json_t *document)
{
    json_t *audit;
    MGL_TRY(mgl_audit_json(outcome, err, &audit));
    mgl_json_set(document, "audit", audit);
    mgl_json_set(audit, "hierarchies", rules_json(p->saved));
    MGL_TRY(mgl_job_record_recoding(p->saved, err, json_object_get(audit, "job")));
    return tell_files(p, audit, err);
}

/* Who hides among whom. Rows of an earlier release are not counted, so that nothing is told where
 * new rows hide among these. */
static mgl_status tell_classes(const mgl_applied *p, mgl_error *err, json_t *document)
{
    mgl_class_summary summary = {0};
    json_t *figures, *risk;
    MGL_TRY(mgl_summarize_recoding(p->task, p->solution.recoding, err, &summary));
    MGL_TRY(mgl_known_risk_json(p->task, p->solution.recoding, &summary, err, &risk));
    mgl_json_set(document, "risk", risk);
    MGL_TRY(mgl_both_sizes_json(&p->task->problem, p->solution.recoding, err, &figures));
    mgl_json_set(document, "classes", mgl_classes_json(&summary));
    mgl_json_set(document, "figures", figures);
    return MGL_OK;
}

/* What a release tells that promises something by itself. */
static mgl_status tell_release(const mgl_applied *p, const mgl_found *found,
                               const mgl_written *written, mgl_error *err, json_t *document)
{
    const mgl_settings *settings = p->reading->settings;
    mgl_outcome outcome = {.reading = p->reading,
                           .task = p->task,
                           .method = settings->method,
                           .solution = &p->solution,
                           .found = found,
                           .written = *written,
                           .output = settings->output};
    bool quasi = p->saved->n_quasi > 0;
    if (p->joined == NULL && quasi)
        MGL_TRY(tell_classes(p, err, document));
    if (quasi) {
        mgl_json_set(document, "models", mgl_models_json(p->reading, p->task, found, false));
        mgl_tell_population(p->task, document);
    }
    mgl_json_set(document, "unchanged", mgl_unchanged_json(p->reading, written));
    return settings->brief ? MGL_OK : tell_trail(p, &outcome, err, document);
}

/* ---- The result ----------------------------------------------------------------------------- */

static void tell_rows(const mgl_applied *p, bool known, const mgl_written *written,
                      json_t *document)
{
    if (p->saved->n_quasi > 0)
        mgl_json_set(document, "method", json_string(p->saved->method));
    mgl_json_set(document, "rows", mgl_json_count(p->task->problem.list->n_rows));
    mgl_json_set(document, "released_rows", mgl_json_count(written->n_rows));
    mgl_json_set(document, "suppressed_rows", mgl_json_count(p->solution.suppressed_rows));
    mgl_tell_left_out(p->reading, document);
    mgl_json_set(document, "counted", json_boolean(known));
    mgl_json_set(document, "applied", applied_json(p));
    if (p->joined != NULL)
        mgl_json_set(document, "with", with_json(p));
    tell_columns(p, document);
}

static mgl_status tell(const mgl_applied *p, bool known, const mgl_found *found,
                       const mgl_written *written, mgl_error *err, mgl_result *result)
{
    json_t *document = result->document;
    tell_rows(p, known, written, document);
    mgl_result_tell_columns(result, p->reading);
    if (!known)
        MGL_TRY(tell_release(p, found, written, err, document));
    mgl_features_describe(p->reading, written, result);
    mgl_result_warn_of_links(result, p->reading);
    mgl_json_set(document, "output", mgl_location_json(p->reading->settings->output));
    mgl_json_set(document, "sha256", json_string(written->sha256));
    if (written->rows_sha256[0] != '\0')
        mgl_json_set(document, "rows_sha256", json_string(written->rows_sha256));
    mgl_json_set(document, "warnings", json_array());
    if (known)
        mgl_result_warn(result, "slice",
                        "this slice was counted for the search: it keeps the promise of the "
                        "recoding together with the other slices, not by itself");
    warn(p, result);
    mgl_result_take_warnings(result, &p->reading->warnings);
    mgl_result_take_warnings(result, &written->warnings);
    mgl_result_take_objections(result, p->reading, written);
    return MGL_OK;
}

mgl_status mgl_applied_tell(const mgl_applied *p, bool known, const mgl_found *found,
                            const mgl_written *written, mgl_error *err, mgl_result **out)
{
    mgl_result *result;
    MGL_TRY(mgl_result_new("apply", err, &result));
    result->holds = true;
    mgl_status status = tell(p, known, found, written, err, result);
    if (status == MGL_OK)
        *out = result;
    else
        mgl_result_free(result);
    return status;
}
