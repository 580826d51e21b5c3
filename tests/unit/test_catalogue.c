/* The catalogue: its sections and fields are those that fronts were promised, it has all that the
 * tables have, and what it says about the value of a key is what a job takes. */
#include "test_job.h"

#include "job/store/store.h"
#include "result/result.h"

static mgl_result *ask(const char *what)
{
    mgl_error err;
    mgl_result *catalogue;
    if (mgl_catalogue(what, &err, &catalogue) != MGL_OK)
        fail_msg("%s: %s", what, err.message);
    return catalogue;
}

/* ---- Structure --------------------------------------------------------------------------------
 */

/* Each field, with the kinds of its values over all entries. A field that goes, or gets another
 * kind of value, breaks fronts: then raise the number of the schema. */
static const char *const promised[] = {
    "command text",
    "mingle text",
    "reserved list",
    "reserved[] text",
    "schema whole",
    "attributes.*.choices list null",
    "attributes.*.choices[] text",
    "attributes.*.keys list",
    "attributes.*.keys[] text",
    "builders.*.example text",
    "builders.*.help text",
    "builders.*.syntax text",
    "commands.*.actions list null",
    "commands.*.actions[] text",
    "commands.*.help text",
    "commands.*.keys list",
    "commands.*.keys[] text",
    "conflicts.*.commands list null",
    "conflicts.*.commands[] text",
    "conflicts.*.key text",
    "conflicts.*.methods list null",
    "conflicts.*.methods[] text",
    "conflicts.*.why text",
    "conflicts.*.with text",
    "formats.*.built flag",
    "formats.*.endings list",
    "formats.*.endings[] text",
    "formats.*.help text",
    "formats.*.memory flag",
    "formats.*.most_rows null whole",
    "formats.*.read flag",
    "formats.*.scheme null text",
    "formats.*.sheets flag",
    "formats.*.stream flag",
    "formats.*.written flag",
    "keys.*.above_min flag",
    "keys.*.brief null text",
    "keys.*.choices list null",
    "keys.*.choices[] text",
    "keys.*.commands list",
    "keys.*.commands[] text",
    "keys.*.common list",
    "keys.*.common[] text",
    "keys.*.default null text",
    "keys.*.field null text",
    "keys.*.file null text",
    "keys.*.group text",
    "keys.*.help text",
    "keys.*.list flag",
    "keys.*.max null number",
    "keys.*.methods list null",
    "keys.*.methods[] text",
    "keys.*.min null number",
    "keys.*.model null text",
    "keys.*.names null text",
    "keys.*.other_names list",
    "keys.*.other_names[] text",
    "keys.*.reading flag",
    "keys.*.recorded text",
    "keys.*.repeats flag",
    "keys.*.role null text",
    "keys.*.session flag",
    "keys.*.syntax text",
    "keys.*.value text",
    "keys.*.where text",
    "measures.*.column flag",
    "measures.*.help text",
    "measures.*.higher_is_better flag",
    "measures.*.result text",
    "measures.*.search flag",
    "measures.*.standard flag",
    "measures.*.when text",
    "methods.*.columns text",
    "methods.*.cost text",
    "methods.*.help text",
    "methods.*.keys list",
    "methods.*.keys[] text",
    "methods.*.several_quasi_identifiers flag",
    "methods.*.standard flag",
    "methods.*.when text",
    "models.*.attribute flag",
    "models.*.help text",
    "models.*.key text",
    "models.*.needs list",
    "models.*.needs[] text",
    "models.*.parameters object",
    "models.*.parameters.*.choices list null",
    "models.*.parameters.*.choices[] text",
    "models.*.parameters.*.default null text",
    "models.*.parameters.*.help text",
    "models.*.parameters.*.key null text",
    "models.*.parameters.*.max null number",
    "models.*.parameters.*.min null number",
    "models.*.parameters.*.optional flag",
    "models.*.parameters.*.value text",
    "models.*.population flag",
    "models.*.when text",
    "policies.*.models list",
    "policies.*.models[] object",
    "policies.*.models[].if_sensitive flag",
    "policies.*.models[].model text",
    "policies.*.models[].parameters text",
    "policies.*.when text",
    "treatments.*.example text",
    "treatments.*.help text",
    "treatments.*.promise text",
    "treatments.*.syntax text",
};

enum { FIELDS = 200, FIELD = 120 };

typedef struct field_list {
    char lines[FIELDS][FIELD]; /* "PATH KIND": one for each kind that was seen */
    size_t n;
} field_list;

static const char *kind_of(const json_t *value)
{
    static const char *const names[] = {
        [JSON_OBJECT] = "object", [JSON_ARRAY] = "list",  [JSON_STRING] = "text",
        [JSON_INTEGER] = "whole", [JSON_REAL] = "number", [JSON_TRUE] = "flag",
        [JSON_FALSE] = "flag",    [JSON_NULL] = "null"};
    return names[json_typeof(value)];
}

static void note(field_list *list, const char *path, const json_t *value)
{
    char line[FIELD];
    assert_true(snprintf(line, sizeof line, "%s %s", path, kind_of(value)) < FIELD);
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->lines[i], line) == 0)
            return;
    assert_true(list->n < FIELDS);
    memcpy(list->lines[list->n++], line, sizeof line);
}

/* Objects whose keys are names of entries. */
static bool has_entries(const char *path, size_t depth)
{
    return depth == 1 || strcmp(path, "models.*.parameters") == 0;
}

static void walk(field_list *list, const char *path, json_t *value, size_t depth)
{
    char inner[FIELD];
    const char *key;
    json_t *item;
    size_t i;
    bool entries = json_is_object(value) && has_entries(path, depth);
    bool entry = path[0] != '\0' && path[strlen(path) - 1] == '*';
    if (depth > 0 && !entry && !(entries && depth == 1))
        note(list, path, value);
    json_object_foreach(value, key, item)
    {
        snprintf(inner, sizeof inner, "%s%s%s", path, depth > 0 ? "." : "", entries ? "*" : key);
        walk(list, inner, item, depth + 1);
    }
    json_array_foreach(value, i, item)
    {
        snprintf(inner, sizeof inner, "%s[]", path);
        walk(list, inner, item, depth + 1);
    }
}

/* Is "PATH KIND" what one of the promised lines allows? */
static bool is_promised(const char *line)
{
    size_t path = strcspn(line, " ");
    for (size_t i = 0; i < sizeof promised / sizeof promised[0]; i++)
        if (strncmp(promised[i], line, path + 1) == 0)
            return strstr(promised[i] + path, line + path) != NULL;
    return false;
}

static bool is_there(const field_list *list, const char *promise)
{
    size_t path = strcspn(promise, " ");
    for (size_t i = 0; i < list->n; i++)
        if (strncmp(list->lines[i], promise, path + 1) == 0)
            return true;
    return false;
}

static void sections_and_fields_are_those_that_fronts_were_promised(void **state)
{
    (void)state;
    mgl_result *catalogue = ask(NULL);
    field_list *list = calloc(1, sizeof *list);
    assert_non_null(list);
    walk(list, "", catalogue->document, 0);
    for (size_t i = 0; i < list->n; i++)
        if (!is_promised(list->lines[i]))
            fail_msg("%s is new, or of another kind than before", list->lines[i]);
    for (size_t i = 0; i < sizeof promised / sizeof promised[0]; i++)
        if (!is_there(list, promised[i]))
            fail_msg("%s is gone", promised[i]);
    free(list);
    mgl_result_free(catalogue);
}

static void one_entry_is_what_the_whole_has(void **state)
{
    (void)state;
    mgl_result *whole = ask(NULL);
    const char *section, *name;
    json_t *entries, *entry;
    json_object_foreach(whole->document, section, entries)
    {
        if (!json_is_object(entries))
            continue;
        mgl_result *part = ask(section);
        assert_true(json_equal(json_object_get(part->document, section), entries));
        mgl_result_free(part);
        json_object_foreach(entries, name, entry)
        {
            char what[100];
            snprintf(what, sizeof what, "%s.%s", section, name);
            mgl_result *one = ask(what);
            json_t *found = json_object_get(one->document, section);
            assert_int_equal(json_object_size(found), 1);
            assert_true(json_equal(json_object_get(found, name), entry));
            mgl_result_free(one);
        }
    }
    mgl_result_free(whole);
}

static void what_is_not_there_is_refused(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{"kyes", "did you mean 'keys'?"},
                                           {"nonsense", "ask for a section"},
                                           {"keys.nonsense", "no 'keys.nonsense'"},
                                           {"keys.", "no 'keys.'"},
                                           {"", "ask for a section"},
                                           {".suppress", "ask for a section"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        mgl_error err;
        mgl_result *catalogue = NULL;
        assert_int_equal(mgl_catalogue(cases[i][0], &err, &catalogue), MGL_USAGE);
        assert_null(catalogue);
        if (strstr(err.message, cases[i][1]) == NULL)
            fail_msg("'%s': %s", cases[i][0], err.message);
    }
}

/* ---- Names that stand for others -------------------------------------------------------------
 */

static bool has_text(const json_t *list, const char *text)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strcmp(json_string_value(json_array_get(list, i)), text) == 0)
            return true;
    return false;
}

/* Every name of the list is an entry of the section. */
static void expect_entries(const mgl_result *catalogue, const json_t *list, const char *section)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = json_string_value(json_array_get(list, i));
        if (json_object_get(json_object_get(catalogue->document, section), name) == NULL)
            fail_msg("%s is not among %s", name, section);
    }
}

static void commands_and_keys_name_each_other(void **state)
{
    (void)state;
    mgl_result *catalogue = ask(NULL);
    json_t *commands = json_object_get(catalogue->document, "commands"), *entry, *command;
    const char *name, *of;
    json_object_foreach(json_object_get(catalogue->document, "keys"), name, entry)
    {
        json_t *takes = json_object_get(entry, "commands");
        expect_entries(catalogue, takes, "commands");
        assert_true(json_array_size(takes) > 0);
        json_object_foreach(commands, of, command)
            assert_int_equal(has_text(takes, of), has_text(json_object_get(command, "keys"), name));
    }
    mgl_result_free(catalogue);
}

static void methods_models_and_fields_name_keys(void **state)
{
    (void)state;
    static const char *const sections[] = {"methods", "attributes", "commands"};
    mgl_result *catalogue = ask(NULL);
    const json_t *keys = json_object_get(catalogue->document, "keys");
    json_t *entry;
    const char *name;
    for (size_t i = 0; i < 3; i++)
        json_object_foreach(json_object_get(catalogue->document, sections[i]), name, entry)
            expect_entries(catalogue, json_object_get(entry, "keys"), "keys");
    json_object_foreach(json_object_get(catalogue->document, "models"), name, entry)
    {
        const json_t *key = json_object_get(keys, mgl_json_text(entry, "key"));
        assert_string_equal(mgl_json_text(key, "model"), name);
        assert_string_equal(mgl_json_text(key, "where"), "model");
    }
    json_object_foreach(json_object_get(catalogue->document, "policies"), name, entry)
    {
        json_t *models = json_object_get(entry, "models");
        for (size_t i = 0; i < json_array_size(models); i++) {
            const char *model = mgl_json_text(json_array_get(models, i), "model");
            assert_non_null(json_object_get(json_object_get(catalogue->document, "models"), model));
        }
    }
    mgl_result_free(catalogue);
}

static void values_are_names_of_lists_that_are_there(void **state)
{
    (void)state;
    mgl_result *catalogue = ask(NULL);
    const char *name;
    json_t *entry;
    json_object_foreach(json_object_get(catalogue->document, "keys"), name, entry)
    {
        const char *names = mgl_json_text(entry, "names");
        if (names != NULL && strcmp(names, "columns") != 0)
            assert_true(json_is_object(json_object_get(catalogue->document, names)));
    }
    mgl_result_free(catalogue);
}

/* ---- What a job takes ------------------------------------------------------------------------
 */

/* The value as an option writes it, for a key of columns or models too. */
static mgl_status try(const char *name, const json_t *entry, const char *value)
{
    char text[200];
    mgl_job *job;
    mgl_error err;
    bool column = strcmp(mgl_json_text(entry, "where"), "column") == 0;
    snprintf(text, sizeof text, "%s%s", column ? "c=" : "", value);
    assert_int_equal(mgl_job_new(&err, &job), MGL_OK);
    mgl_status status = mgl_job_set(job, name, text, &err);
    mgl_job_free(job);
    return status;
}

static void expect(const char *name, const json_t *entry, const char *value, mgl_status wanted)
{
    if (try(name, entry, value) != wanted)
        fail_msg("%s: '%s' is %s", name, value, wanted == MGL_OK ? "refused" : "taken");
}

static void expect_number(const char *name, const json_t *entry, double value, bool taken)
{
    char text[40];
    snprintf(text, sizeof text, "%.15g", value);
    expect(name, entry, text, taken ? MGL_OK : MGL_USAGE);
}

static void a_job_takes_the_values_that_the_catalogue_names(void **state)
{
    (void)state;
    mgl_result *catalogue = ask("keys");
    const char *name;
    json_t *entry;
    json_object_foreach(json_object_get(catalogue->document, "keys"), name, entry)
    {
        const char *value = mgl_json_text(entry, "value");
        const char *fallback = mgl_json_text(entry, "default");
        const json_t *choices = json_object_get(entry, "choices");
        if (fallback != NULL)
            expect(name, entry, fallback, MGL_OK);
        for (size_t i = 0; i < json_array_size(choices); i++)
            expect(name, entry, json_string_value(json_array_get(choices, i)), MGL_OK);
        if (strcmp(value, "choice") == 0 || strcmp(value, "flag") == 0)
            expect(name, entry, "nonsense", MGL_USAGE);
        if (strcmp(value, "flag") == 0 || strcmp(value, "flag-or-columns") == 0)
            expect(name, entry, "true", MGL_OK);
        assert_int_equal(strcmp(value, "choice") == 0, json_array_size(choices) > 0);
    }
    mgl_result_free(catalogue);
}

static void numbers_have_the_bounds_that_the_catalogue_names(void **state)
{
    (void)state;
    mgl_result *catalogue = ask("keys");
    const char *name;
    json_t *entry;
    size_t seen = 0;
    json_object_foreach(json_object_get(catalogue->document, "keys"), name, entry)
    {
        double min = mgl_json_number(entry, "min"), max = mgl_json_number(entry, "max");
        bool above = json_is_true(json_object_get(entry, "above_min"));
        if (!mgl_json_is_number(entry, "min"))
            continue;
        seen++;
        expect_number(name, entry, min, !above);
        expect_number(name, entry, min + 1, true);
        expect_number(name, entry, min - 1, false);
        if (mgl_json_is_number(entry, "max")) {
            expect_number(name, entry, max, true);
            expect_number(name, entry, max + 1, false);
        }
        expect(name, entry, "x", MGL_USAGE);
        if (strcmp(mgl_json_text(entry, "value"), "whole") == 0)
            expect_number(name, entry, min + 0.5, false);
    }
    assert_true(seen > 5);
    mgl_result_free(catalogue);
}

static void keys_that_repeat_can_be_added_for_another_column(void **state)
{
    (void)state;
    mgl_result *catalogue = ask("keys");
    const json_t *keys = json_object_get(catalogue->document, "keys");
    static const char *const cases[][3] = {{"sensitive", "a", "b"},
                                           {"weights", "a=1", "b=2"},
                                           {"l-diversity", "a=2", "b=2"},
                                           {"suppress", "1", "2"},
                                           {"k", "2", "3"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        mgl_error err;
        mgl_job *job;
        const json_t *entry = json_object_get(keys, cases[i][0]);
        assert_int_equal(mgl_job_new(&err, &job), MGL_OK);
        assert_int_equal(mgl_job_add(job, cases[i][0], cases[i][1], &err), MGL_OK);
        assert_int_equal(mgl_job_add(job, cases[i][0], cases[i][2], &err) == MGL_OK,
                         json_is_true(json_object_get(entry, "repeats")));
        mgl_job_free(job);
    }
    mgl_result_free(catalogue);
}

/* ---- Names that are nearly right --------------------------------------------------------------
 */

static void the_nearest_of_known_names_is_found(void **state)
{
    (void)state;
    static const char *const known[] = {"suppress", "suppressed", "output"};
    assert_string_equal(mgl_nearest_name("supress", known, 3), "suppress");
    assert_string_equal(mgl_nearest_name("outptu", known, 3), "output");
    assert_null(mgl_nearest_name("xyzzy", known, 3));
    assert_null(mgl_nearest_name("", known, 3));
    assert_null(mgl_nearest_name("output", known, 0));
    assert_string_equal(mgl_nearest_name("OUT", known, 3), "output");
    assert_string_equal(mgl_nearest_name("output-file", known, 3), "output");
    assert_null(mgl_nearest_name("press", known, 3));
}

static void other_names_are_no_keys(void **state)
{
    (void)state;
    mgl_result *catalogue;
    char path[128];
    size_t found = 0;
    assert_int_equal(mgl_catalogue("keys", NULL, &catalogue), MGL_OK);
    for (size_t i = 0; i < mgl_result_size(catalogue, "keys"); i++) {
        const char *name;
        for (size_t o = 0;; o++, found++) {
            snprintf(path, sizeof path, "keys.%s.other_names[%zu]",
                     mgl_result_key(catalogue, "keys", i), o);
            name = mgl_result_string(catalogue, path);
            if (name == NULL)
                break;
            snprintf(path, sizeof path, "keys.%s.help", name);
            if (mgl_result_string(catalogue, path) != NULL)
                fail_msg("%s is a key", name);
        }
    }
    assert_true(found > 10);
    mgl_result_free(catalogue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sections_and_fields_are_those_that_fronts_were_promised),
        cmocka_unit_test(one_entry_is_what_the_whole_has),
        cmocka_unit_test(what_is_not_there_is_refused),
        cmocka_unit_test(commands_and_keys_name_each_other),
        cmocka_unit_test(methods_models_and_fields_name_keys),
        cmocka_unit_test(values_are_names_of_lists_that_are_there),
        cmocka_unit_test(a_job_takes_the_values_that_the_catalogue_names),
        cmocka_unit_test(numbers_have_the_bounds_that_the_catalogue_names),
        cmocka_unit_test(keys_that_repeat_can_be_added_for_another_column),
        cmocka_unit_test(the_nearest_of_known_names_is_found),
        cmocka_unit_test(other_names_are_no_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
