/* The commands check and gate. check measures the models on a file as it is; with --against it also
 * compares the file with its result (audit), with --proof it verifies a certificate (certificate).
 * gate lists the same, and what the leak guard finds, as tests that pass or fail, for pipelines. */
#include "command/audit/audit.h"
#include "command/certificate/certificate.h"
#include "command/check.h"
#include "claims/claims.h"
#include "command/command.h"
#include "command/statement.h"
#include "command/run_command.h"
#include "findings/findings.h"
#include "report/report.h"

#include <math.h>

static mgl_status test(const mgl_setup *setup, mgl_error *err, mgl_result *result);

/* Takes every tuple as it is. Unless suppressed rows were dropped, rows at the top are suppressed;
 * returns how many. */
static uint64_t take_as_is(const mgl_task *task, const mgl_reading *reading, const mgl_span *tops,
                           mgl_recoding *recoding)
{
    const mgl_frequency_list *list = task->problem.list;
    bool tops_match = reading->settings->tops_match;
    for (size_t a = 0; a < reading->n_quasi; a++) {
        const mgl_released_column *column = reading->released[a];
        for (size_t t = 0; t < list->n_tuples; t++) {
            uint32_t value = column->of_leaf[0][mgl_list_leaf(list, t, a)];
            bool top = tops_match && mgl_span_equal(column->values[value].label, tops[a]);
            recoding->cells[a][t] = top ? column->top : value;
        }
    }
    /* In the joined view whole persons were dropped, if any. */
    bool dropped = task->problem.treatment == MGL_DROP || list->joined != NULL;
    return dropped ? 0 : mgl_tuples_at_top(reading, list, tops, recoding->suppressed);
}

/* Where rows are counted that match, there are no classes: only k-anonymity is defined. */
static mgl_status refuse_models(const mgl_task *task, mgl_error *err)
{
    const mgl_quasi_set *sets = task->problem.sets;
    for (size_t q = 0; q < task->problem.n_sets; q++)
        for (size_t m = 0; m < sets[q].n_models; m++)
            if (sets[q].models[m].type->k != MGL_K_IS)
                return mgl_fail_key(err, MGL_CODE_CONFLICT, "missing-matches",
                                    "`missing-matches: all`: rows that match are no classes, and "
                                    "%s needs classes; leave one of them out",
                                    sets[q].models[m].type->name);
    return MGL_OK;
}

/* The least number of rows that match one on any quasi-identifier. */
static mgl_status find_least(const mgl_reading *reading, const mgl_promise *given, mgl_error *err,
                             uint64_t *k)
{
    mgl_model model = {.type = mgl_model_type_of_k(), .parameters = {1}};
    mgl_promise promise = *given;
    promise.n_sets = 1;
    *k = 0;
    for (size_t q = 0; q < given->n_sets; q++) {
        mgl_promised_set set = {.columns = given->sets[q].columns,
                                .n_columns = given->sets[q].n_columns,
                                .models = &model,
                                .n_models = 1};
        mgl_found found;
        promise.sets = &set;
        MGL_TRY(mgl_verify_table(reading->table, &promise, err, &found));
        if (isfinite(found.measured) && (*k == 0 || found.measured < (double)*k))
            *k = (uint64_t)found.measured;
    }
    return MGL_OK;
}

/* Whom each row belongs to; *out is NULL where every row is a person. */
static mgl_status find_persons(const mgl_task *task, const mgl_reading *reading, mgl_error *err,
                               uint32_t **out)
{
    size_t n_rows = reading->table->n_rows;
    *out = NULL;
    if (reading->entity == NULL)
        return MGL_OK;
    *out = mgl_arena_alloc(task->arena, n_rows * sizeof **out);
    MGL_TRY(mgl_check_memory(*out != NULL, err));
    for (size_t row = 0; row < n_rows; row++)
        (*out)[row] = mgl_column_code(reading->entity, row);
    return MGL_OK;
}

/* Judges the table as the verifier judges a release. *k is the least number of rows that match one,
 * if that is requested. */
static mgl_status judge(const mgl_task *task, const mgl_reading *reading, const mgl_span *tops,
                        mgl_error *err, mgl_found *found, uint64_t *k)
{
    bool tops_match = reading->settings->tops_match;
    const mgl_problem *p = &task->problem;
    mgl_arena *arena = task->arena;
    size_t n_rows = reading->table->n_rows;
    size_t *columns = mgl_arena_alloc(arena, reading->n_quasi * sizeof *columns);
    mgl_promised_set *sets = mgl_arena_alloc(arena, p->n_sets * sizeof *sets);
    uint32_t *persons = NULL;
    mgl_release_plan plan = {.arena = arena, .in_place = true};
    MGL_TRY(mgl_check_memory(columns != NULL && sets != NULL, err));
    for (size_t a = 0; a < reading->n_quasi; a++)
        columns[a] = a;
    for (size_t q = 0; q < p->n_sets; q++) {
        const mgl_quasi_set *set = &p->sets[q];
        size_t *attributes = mgl_arena_alloc(arena, set->n_attributes * sizeof *attributes);
        MGL_TRY(mgl_check_memory(attributes != NULL, err));
        for (size_t i = 0; i < set->n_attributes; i++)
            attributes[i] = set->attributes[i];
        sets[q] = (mgl_promised_set){.columns = attributes,
                                     .n_columns = set->n_attributes,
                                     .models = set->models,
                                     .n_models = set->n_models};
    }
    MGL_TRY(find_persons(task, reading, err, &persons));
    MGL_TRY(mgl_plan_further(&plan, err));
    mgl_cell_rule *rules = mgl_arena_alloc(arena, (reading->n_sensitive + 1) * sizeof *rules);
    MGL_TRY(mgl_check_memory(rules != NULL, err));
    for (size_t s = 0; s < reading->n_sensitive; s++)
        rules[s] = reading->cells[s].rule;
    plan.promise = (mgl_promise){
        .n_rows = n_rows,
        .sets = sets,
        .n_sets = p->n_sets,
        .exempt_top = p->treatment == MGL_EXEMPT,
        .top_columns = columns,
        .tops = tops,
        .n_tops = reading->n_quasi,
        .sensitive = reading->counted,
        .rules = rules,
        .n_sensitive = reading->n_sensitive,
        .further = plan.further,
        .persons.of_row = persons,
        .tops_match = tops_match,
        .combination = p->counting.columns,
        .source = reading->settings->source,
    };
    if (tops_match)
        MGL_TRY(refuse_models(task, err));
    MGL_TRY(mgl_features_carry(&plan, reading, err));
    MGL_TRY(mgl_verify_table(reading->table, &plan.promise, err, found));
    return tops_match ? find_least(reading, &plan.promise, err, k) : MGL_OK;
}

static mgl_status report(const mgl_task *task, const mgl_reading *reading,
                         const mgl_recoding *recoding, uint64_t suppressed, const mgl_span *tops,
                         mgl_error *err, mgl_result *result)
{
    size_t n_models = mgl_task_models(task);
    mgl_found *found = mgl_zeroed_array(n_models, sizeof *found);
    mgl_class_summary summary = {0};
    json_t *attributes = json_object(), *figures = NULL, *risk = NULL;
    mgl_task counted = *task; /* the same, counted as the models count */
    counted.problem.counting.tops_match = reading->settings->tops_match;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(found != NULL, err));
    MGL_GO(mgl_sizes_json(&counted.problem, recoding, err, &figures));
    MGL_GO(mgl_summarize_recoding(&counted, recoding, err, &summary));
    MGL_GO(mgl_known_risk_json(&counted, recoding, &summary, err, &risk));
    uint64_t k = summary.min;
    MGL_GO(judge(task, reading, tops, err, found, &k));
    MGL_GO(mgl_strongest_json(task, recoding, err, attributes));
    json_t *document = result->document;
    mgl_json_set(document, "rows", mgl_json_count(task->problem.list->n_rows));
    mgl_json_set(document, "suppressed_rows", mgl_json_count(suppressed));
    mgl_json_set(document, "classes", mgl_classes_json(&summary));
    mgl_json_set(document, "k", mgl_json_count(k));
    if (reading->settings->tops_match)
        mgl_json_set(document, "missing_matches", json_string("all"));
    mgl_json_set(document, "attributes", json_incref(attributes));
    mgl_json_set(document, "models", mgl_models_json(reading, task, found, false));
    mgl_features_add_facts(task, document);
    mgl_json_set(document, "risk", json_incref(risk));
    mgl_json_set(document, "figures", json_incref(figures));
    if (task->problem.treatment == MGL_EXEMPT && suppressed > 0)
        mgl_result_warn(result, "exempt-rows", "%llu suppressed rows are left out of the models",
                        (unsigned long long)suppressed);
    for (size_t i = 0; i < n_models; i++)
        result->holds = result->holds && found[i].holds;
done:
    json_decref(attributes);
    json_decref(figures);
    json_decref(risk);
    mgl_free(found);
    return status;
}

mgl_status mgl_check_table(const mgl_setup *setup, mgl_error *err, mgl_result *result)
{
    const mgl_reading *reading = setup->reading;
    mgl_recoding *recoding;
    MGL_TRY(mgl_recoding_new(reading->released, reading->n_quasi, setup->counts.list->n_tuples, err,
                             &recoding));
    mgl_span *tops;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_reading_tops(reading, setup->task->arena, err, &tops));
    uint64_t suppressed = take_as_is(setup->task, reading, tops, recoding);
    if (reading->n_quasi > 0)
        MGL_GO(report(setup->task, reading, recoding, suppressed, tops, err, result));
    else {
        /* Without quasi-identifiers there are no classes, and no row is suppressed. */
        mgl_json_set(result->document, "rows", mgl_json_count(setup->counts.list->n_rows));
        mgl_json_set(result->document, "suppressed_rows", mgl_json_count(0));
    }
    /* Promises of features, judged as the verifier judges them. */
    uint32_t *persons;
    MGL_GO(find_persons(setup->task, reading, err, &persons));
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->release != NULL && (*f)->release->check != NULL)
            MGL_GO((*f)->release->check(setup->task, persons, err, result));
    if (reading->settings->claimed.document != NULL &&
        json_object_get(reading->settings->claimed.document, "promise") == NULL)
        MGL_GO(mgl_against_compare(setup, recoding, tops, err, result));
done:
    mgl_recoding_free(recoding);
    return status;
}

mgl_status mgl_command_check(mgl_session *session, mgl_job *job, mgl_error *err, mgl_result **out)
{
    const mgl_settings *settings;
    mgl_progress_plan(mgl_job_get(job, "proof") != NULL ? "read check" : "read measure");
    if (mgl_job_get(job, "proof") != NULL)
        return mgl_check_proof(session, job, err, out);
    if (mgl_job_get(job, "against") != NULL && mgl_is_statement(mgl_job_get(job, "against")))
        return mgl_check_statement(job, err, out);
    MGL_TRY(mgl_against_prepare(job, MGL_CHECK, err));
    MGL_TRY(mgl_parts_prepare(session, job, err));
    MGL_TRY(mgl_command_settings(session, job, MGL_CHECK, err, &settings));
    return mgl_command_on_table(session, "check", settings, MGL_TO_CHECK, mgl_check_table, err,
                                out);
}

/* ---- Tests --------------------------------------------------------------------------------- */

/* Adds a test to those of the result; takes over what the buffers hold. */
static void add_test(mgl_result *result, mgl_buffer *name, bool holds, mgl_buffer *found)
{
    json_t *test = json_object();
    mgl_buffer_append(name, "", 1);
    mgl_buffer_append(found, "", 1);
    mgl_json_set(test, "test", name->failed ? NULL : json_string(name->data));
    mgl_json_set(test, "holds", json_boolean(holds));
    mgl_json_set(test, "found", found->failed ? NULL : json_string(found->data));
    mgl_json_append(json_object_get(result->document, "tests"), test);
    result->holds = result->holds && holds;
    mgl_buffer_free(name);
    mgl_buffer_free(found);
}

static void add_named(mgl_result *result, const char *name, bool holds, mgl_buffer *found)
{
    mgl_buffer text = {0};
    mgl_buffer_text(&text, name);
    add_test(result, &text, holds, found);
}

static void test_models(mgl_result *result)
{
    const json_t *models = json_object_get(result->document, "models");
    for (size_t i = 0; i < json_array_size(models); i++) {
        const json_t *model = json_array_get(models, i);
        bool holds = json_is_true(json_object_get(model, "holds"));
        mgl_buffer name = {0}, found = {0};
        mgl_model_words(model, &name);
        if (!holds)
            mgl_violations_words(model, &found);
        mgl_buffer_text(&found, found.size > 0 ? ", " : "");
        mgl_measured_words(model, &found);
        add_test(result, &name, holds, &found);
    }
}

static void test_features(mgl_result *result)
{
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++) {
        mgl_buffer name = {0}, found = {0};
        bool holds;
        if ((*f)->audit != NULL && (*f)->audit->test != NULL &&
            (*f)->audit->test(result->document, &name, &found, &holds))
            add_test(result, &name, holds, &found);
    }
}

/* Is the table the one that a result is about? */
static void test_claims(mgl_result *result)
{
    const json_t *against = json_object_get(result->document, "against");
    const json_t *differences = json_object_get(against, "differences");
    mgl_buffer found = {0};
    if (against == NULL)
        return;
    for (size_t i = 0; i < json_array_size(differences); i++)
        mgl_buffer_format(&found, "%s%s", i > 0 ? ", " : "differs: ",
                          mgl_json_text(json_array_get(differences, i), "what"));
    add_named(result, "agrees with its result", json_is_true(json_object_get(against, "agrees")),
              &found);
}

/* ---- Columns that models do not look at ---------------------------------------------------- */

static bool is_single(const char *single, const char *name)
{
    return single != NULL && strcmp(single, name) == 0;
}

/* Columns that the job does not release: none of them may be there. Persons are distinguished, and
 * records counted, by columns that have this role, too. */
static void test_identifiers(const mgl_reading *reading, mgl_result *result)
{
    const mgl_settings *settings = reading->settings;
    mgl_buffer found = {0};
    for (size_t c = 0; c < mgl_source_columns(reading->source); c++) {
        const char *name = mgl_source_column(reading->source, c);
        if (reading->roles[c] == MGL_ROLE_IDENTIFIER &&
            !is_single(settings->persons.column, name) &&
            !is_single(settings->counted.column, name))
            mgl_buffer_format(&found, "%s%.200s", found.size > 0 ? ", " : "", name);
    }
    bool holds = found.size == 0;
    if (!holds)
        mgl_buffer_text(&found, ": not to be released, and in the table");
    add_named(result, "no identifiers", holds, &found);
}

/* Each column that is refused is a test that failed. */
static void report_leaks(const mgl_settings *settings, const mgl_objections *objections,
                         size_t n_columns, mgl_result *result)
{
    size_t next, n_refused = 0;
    for (size_t i = 0; i < objections->n && !objections->list[i].warning; i = next) {
        const mgl_objection *objection = &objections->list[i];
        bool refused = mgl_objection_is_refused(settings, objection);
        mgl_buffer line = {0}, name = {0};
        next = mgl_objections_write(objections, i, &line);
        if (refused) {
            mgl_buffer_format(&name, "no leaks of %.200s", objection->column);
            add_test(result, &name, false, &line);
        } else {
            mgl_buffer_append(&line, "", 1);
            mgl_result_warn(result, "leak-allowed", "passed all the same: %s",
                            line.failed ? objection->code : line.data);
            mgl_buffer_free(&line);
        }
        n_refused += refused;
    }
    mgl_buffer found = {0};
    mgl_buffer_format(&found, "%zu column%s looked at", n_columns, n_columns == 1 ? "" : "s");
    if (n_refused == 0)
        add_named(result, "no leaks", true, &found);
    mgl_buffer_free(&found);
}

/* Groups of a counted table are no single records, and its columns none that pass through. */
static mgl_status test_leaks(const mgl_reading *reading, mgl_error *err, mgl_result *result)
{
    mgl_objections objections = {0};
    mgl_status status = MGL_OK;
    size_t n = 0;
    if (reading->counts != NULL)
        return MGL_OK;
    MGL_GO(mgl_guard_as_is(reading, err, &objections, &n));
    report_leaks(reading->settings, &objections, n, result);
done:
    mgl_objections_free(&objections);
    return status;
}

/* ---- All ----------------------------------------------------------------------------------- */

static mgl_status test(const mgl_setup *setup, mgl_error *err, mgl_result *result)
{
    MGL_TRY(mgl_check_table(setup, err, result));
    mgl_json_set(result->document, "tests", json_array());
    test_models(result);
    test_features(result);
    test_claims(result);
    test_identifiers(setup->reading, result);
    return test_leaks(setup->reading, err, result);
}

/* A gate that stands open would be taken for one that was passed. */
static mgl_status refuse_nothing(const mgl_settings *settings, mgl_error *err)
{
    if (settings->n_models > 0 || settings->km.column != NULL || settings->claimed.document != NULL)
        return MGL_OK;
    return mgl_fail_key(
        err, MGL_CODE_MISSING_KEY, "policy",
        "there is nothing to test; name models, for example `k: 5`, or a `policy: standard`");
}

mgl_status mgl_command_gate(mgl_session *session, mgl_job *job, mgl_error *err, mgl_result **out)
{
    const mgl_settings *settings;
    MGL_TRY(mgl_against_prepare(job, MGL_GATE, err));
    MGL_TRY(mgl_parts_prepare(session, job, err));
    MGL_TRY(mgl_command_settings(session, job, MGL_GATE, err, &settings));
    MGL_TRY(refuse_nothing(settings, err));
    return mgl_command_on_table(session, "gate", settings, MGL_TO_CHECK, test, err, out);
}
