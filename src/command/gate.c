/* The command gate: what check finds, and what the leak guard says about a table as it is, as a
 * list of tests that pass or fail. For pipelines. */
#include "command/command.h"

#include "command/audit/audit.h"
#include "command/check_table.h"
#include "command/table_first.h"
#include "findings/findings.h"
#include "report/report.h"

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

static void test_items(mgl_result *result)
{
    const json_t *items = json_object_get(result->document, "items");
    mgl_buffer name = {0}, found = {0};
    if (items == NULL)
        return;
    mgl_buffer_format(&name, "km-anonymity %s k=%llu m=%llu", mgl_json_text(items, "column"),
                      (unsigned long long)mgl_json_whole(items, "k"),
                      (unsigned long long)mgl_json_whole(items, "m"));
    mgl_buffer_format(
        &found, "%llu combinations are too rare",
        (unsigned long long)mgl_json_whole(json_object_get(items, "released"), "rare"));
    add_test(result, &name, json_is_true(json_object_get(items, "holds")), &found);
}

/* Is the table the one that a result tells of? */
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

/* Columns that the job does not release: none of them may be there. Persons are told apart, and
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
static void tell_leaks(const mgl_settings *settings, const mgl_objections *objections,
                       size_t n_columns, mgl_result *result)
{
    size_t next, n_refused = 0;
    for (size_t i = 0; i < objections->n && !objections->list[i].warning; i = next) {
        const mgl_objection *said = &objections->list[i];
        bool refused = mgl_objection_is_refused(settings, said);
        mgl_buffer line = {0}, name = {0};
        next = mgl_objections_tell(objections, i, &line);
        if (refused) {
            mgl_buffer_format(&name, "no leaks of %.200s", said->column);
            add_test(result, &name, false, &line);
        } else {
            mgl_buffer_append(&line, "", 1);
            mgl_result_warn(result, "leak-allowed", "passed all the same: %s",
                            line.failed ? said->code : line.data);
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
    tell_leaks(reading->settings, &objections, n, result);
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
    test_items(result);
    test_claims(result);
    test_identifiers(setup->reading, result);
    return test_leaks(setup->reading, err, result);
}

/* A gate that stands open would be taken for one that was passed. */
static mgl_status refuse_nothing(const mgl_settings *settings, mgl_error *err)
{
    if (settings->n_models > 0 || settings->km.column != NULL || settings->claimed.document != NULL)
        return MGL_OK;
    return mgl_blame_key(err,
                         mgl_fail(err, MGL_CODE_MISSING_KEY,
                                  "there is nothing to test; name models, for example `k: 5`, or "
                                  "a `policy: standard`"),
                         "policy");
}

mgl_status mgl_command_gate(mgl_session *session, mgl_job *job, mgl_error *err, mgl_result **out)
{
    const mgl_settings *settings;
    MGL_TRY(mgl_against_prepare(job, MGL_GATE, err));
    MGL_TRY(mgl_parts_prepare(session, job, err));
    MGL_TRY(mgl_settings_table_first(session, job, MGL_GATE, err, &settings));
    MGL_TRY(refuse_nothing(settings, err));
    return mgl_command_run(session, "gate", settings, MGL_TO_CHECK, test, err, out);
}
