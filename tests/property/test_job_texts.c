/* Jobs as texts: what is written as YAML and as JSON is the same job when it is read, for every key
 * there is and for random jobs with hostile names. */
#include "../unit/test_job.h"

#include "brute.h"
#include "job/keys/keys.h"

/* Values, some of which fit every key. */
static const char *const values[] = {"uniform",
                                     "true",
                                     "false",
                                     "5",
                                     "2",
                                     "0.5",
                                     "1,1e-6",
                                     "0.25",
                                     "1",
                                     "a",
                                     "a,b",
                                     "\"x,y\",b",
                                     ",?,\"a,b\"",
                                     "2%",
                                     "a=2",
                                     "a=0.5",
                                     "\"x,y\"=1",
                                     "s=3",
                                     "s=0.5,3",
                                     "s=0.2",
                                     "s=0.2,ordered",
                                     "a=1..3",
                                     "s=equal",
                                     "a=intervals(5)",
                                     "a=round(10)",
                                     "a=mean",
                                     "a=date",
                                     "a=number",
                                     "a=text",
                                     "s=\"v,w\"",
                                     "0.5,3",
                                     "0.2,0.4",
                                     "drop",
                                     "tab",
                                     ";",
                                     "utf-8",
                                     "sqlite",
                                     ",",
                                     "30",
                                     "500M",
                                     "2020-01-31",
                                     "a title: with # signs",
                                     "mingen",
                                     "mingen,datafly",
                                     "fast",
                                     "itself",
                                     "joined",
                                     "unsafe",
                                     "searching",
                                     "keep",
                                     "loss",
                                     "relative,loss",
                                     "classification=s",
                                     "minimal",
                                     "memory:table.csv",
                                     "x/y.csv",
                                     "postgresql://user:secret@host/db?table=t",
                                     "2,3",
                                     "a=1",
                                     "1,2",
                                     "median",
                                     "mdav",
                                     "s=1,2",
                                     "a=1.5",
                                     "0.9",
                                     "5,10",
                                     "a=0",
                                     "k",
                                     "exact",
                                     "yes",
                                     "value",
                                     "strict",
                                     "bound",
                                     "a=low",
                                     "size",
                                     "relaxed",
                                     "10%",
                                     "s=2,entropy",
                                     "a=3,b=2",
                                     "changed",
                                     "class=3"};
enum { VALUES = sizeof values / sizeof values[0] };

static const char *const columns[] = {"a",
                                      "a.b",
                                      "x,y",
                                      "say \"x\"",
                                      "\xC3\xA4\xC3\xB6",
                                      " ",
                                      " edge ",
                                      "null",
                                      "~",
                                      "true",
                                      "1e3",
                                      "-",
                                      "- a",
                                      "#",
                                      "a: b",
                                      "{",
                                      "[x",
                                      "&a",
                                      "*a",
                                      "!t",
                                      "%",
                                      "@",
                                      "`",
                                      "'",
                                      "\\",
                                      "\t",
                                      "\n",
                                      "\xC2\x85",
                                      "\xE2\x80\xA8",
                                      "\xEF\xBB\xBF"
                                      "b",
                                      "\x01\x7F",
                                      "\xF0\x9F\x98\x80",
                                      "a=b",
                                      "?",
                                      "<<"};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static char *written(const mgl_job *job, bool yaml)
{
    mgl_error err = {0};
    char *text = NULL;
    if ((yaml ? mgl_job_yaml : mgl_job_json)(job, &err, &text) != MGL_OK)
        fail_msg("%s", err.message);
    return text;
}

static mgl_job *read_again(const char *text)
{
    mgl_error err = {0};
    mgl_job *job = new_job();
    if (mgl_job_parse(job, text, strlen(text), &err) != MGL_OK)
        fail_msg("%s\n%s", err.message, text);
    return job;
}

/* ---- The same settings ------------------------------------------------------------------------
 */

static bool same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static void expect_same_attributes(const mgl_settings *a, const mgl_settings *b)
{
    assert_int_equal(a->n_attributes, b->n_attributes);
    for (size_t i = 0; i < a->n_attributes; i++) {
        const mgl_attribute_settings *x = &a->attributes[i];
        const mgl_attribute_settings *y = mgl_settings_attribute(b, x->name);
        assert_non_null(y);
        assert_int_equal(x->role, y->role);
        assert_int_equal(x->kind, y->kind);
        assert_true(same_text(x->hierarchy, y->hierarchy));
        assert_memory_equal(&x->weight, &y->weight, sizeof x->weight);
        assert_memory_equal(&x->likelihood, &y->likelihood, sizeof x->likelihood);
        assert_int_equal(x->has_level, y->has_level);
        assert_true(x->levels.min == y->levels.min && x->levels.max == y->levels.max);
        assert_int_equal(x->n_protect, y->n_protect);
        for (size_t v = 0; v < x->n_protect; v++)
            assert_true(mgl_span_equal(x->protect[v], y->protect[v]));
    }
}

static void expect_same_sets(const mgl_settings *a, const mgl_settings *b)
{
    assert_int_equal(a->n_quasi, b->n_quasi);
    for (size_t q = 0; q < a->n_quasi; q++) {
        assert_int_equal(a->quasi[q].n_names, b->quasi[q].n_names);
        for (size_t i = 0; i < a->quasi[q].n_names; i++)
            assert_string_equal(a->quasi[q].names[i], b->quasi[q].names[i]);
    }
}

static void expect_same_models(const mgl_settings *a, const mgl_settings *b)
{
    assert_int_equal(a->n_models, b->n_models);
    for (size_t i = 0; i < a->n_models; i++) {
        assert_ptr_equal(a->models[i].type, b->models[i].type);
        assert_true(same_text(a->models[i].attribute, b->models[i].attribute));
        for (size_t p = 0; p < a->models[i].type->n_parameters; p++)
            assert_true(a->models[i].parameters[p] == b->models[i].parameters[p]);
    }
}

/* tolerant: what is refused of one may be fine with the other. */
static void expect_same_settings(mgl_job *one, mgl_job *other, mgl_command command, bool tolerant)
{
    const mgl_settings *a, *b;
    mgl_error first = {0}, second = {0};
    mgl_status status = mgl_job_settings(one, command, &first, &a);
    if (status != MGL_OK && tolerant)
        return;
    if (status != mgl_job_settings(other, command, &second, &b) || first.code != second.code)
        fail_msg("'%s' is not '%s'", first.message, second.message);
    if (status != MGL_OK)
        return;
    assert_true(same_text(a->data, b->data) && same_text(a->output, b->output));
    assert_true(same_text(a->suppress, b->suppress) &&
                same_text(a->persons.column, b->persons.column));
    assert_true(same_text(a->label, b->label) &&
                same_text(a->sampled.population, b->sampled.population));
    assert_true(a->method == b->method && a->measure == b->measure && a->k == b->k);
    assert_true(a->treatment == b->treatment && a->rest == b->rest && a->effort == b->effort);
    assert_true(a->order.seed == b->order.seed && a->limits.threads == b->limits.threads &&
                a->limits.memory == b->limits.memory);
    assert_true(a->limits.seconds == b->limits.seconds && a->order.keep == b->order.keep);
    assert_true(a->earlier.n == b->earlier.n && a->comparison.n_curve == b->comparison.n_curve);
    assert_true(a->source.n_missing == b->source.n_missing && a->n_prefer == b->n_prefer);
    for (size_t i = 0; i < a->source.n_missing; i++)
        assert_true(mgl_span_equal(a->source.missing[i], b->source.missing[i]));
    expect_same_attributes(a, b);
    expect_same_sets(a, b);
    expect_same_models(a, b);
}

static void expect_same_job(mgl_job *one, mgl_job *other, bool tolerant)
{
    static const mgl_command commands[] = {MGL_ANONYMIZE, MGL_COMPARE, MGL_CHECK,  MGL_RISK,
                                           MGL_COUNT,     MGL_LATTICE, MGL_UTILITY};
    char *a = written(one, false), *b = written(other, false);
    assert_string_equal(a, b);
    mgl_text_free(a);
    mgl_text_free(b);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        expect_same_settings(one, other, commands[i], tolerant);
}

static void expect_same_when_read(mgl_job *job)
{
    for (int yaml = 0; yaml < 2; yaml++) {
        char *text = written(job, yaml != 0);
        mgl_job *again = read_again(text);
        /* A text may say what a command has no use for; a program may not. */
        expect_same_job(job, again, true);
        char *other = written(again, yaml == 0);
        mgl_job *third = read_again(other);
        expect_same_job(again, third, false);
        mgl_text_free(text);
        mgl_text_free(other);
        mgl_job_free(again);
        mgl_job_free(third);
    }
}

/* ---- Every key ----------------------------------------------------------------------------------
 */

static void every_key_is_written_and_read(void **state)
{
    mgl_key key;
    (void)state;
    for (mgl_key_cursor at = {0}; mgl_key_next(&at, &key);) {
        int fit = 0;
        for (size_t i = 0; i < VALUES; i++) {
            mgl_job *job = new_job();
            if (mgl_job_set(job, key.name, values[i], NULL) == MGL_OK) {
                expect_same_when_read(job);
                fit++;
                assert_int_equal(mgl_job_unset(job, key.name, NULL), MGL_OK);
                char *text = written(job, true);
                assert_string_equal(text, "{}\n");
                mgl_text_free(text);
            }
            mgl_job_free(job);
        }
        if (fit == 0)
            fail_msg("no value of the test fits %s; add one", key.name);
    }
}

/* ---- Random jobs
 * --------------------------------------------------------------------------------- */

static const char *random_key(brute_random *random)
{
    mgl_key key;
    int n = 0;
    const char *chosen = "k";
    for (mgl_key_cursor at = {0}; mgl_key_next(&at, &key);)
        if (brute_below(random, ++n) == 0)
            chosen = key.name;
    return chosen;
}

/* attributes."NAME".FIELD, or a model of the column. */
static void column_key(brute_random *random, char *out, size_t size)
{
    static const char *const forms[] = {"attributes.%s.role",    "attributes.%s.hierarchy",
                                        "attributes.%s.weight",  "attributes.%s.level",
                                        "attributes.%s.protect", "privacy.l-diversity.%s"};
    char quoted[80] = "\"";
    size_t n = 1;
    for (const char *c = columns[brute_below(random, COLUMNS)]; *c != '\0'; c++) {
        quoted[n++] = *c;
        if (*c == '"')
            quoted[n++] = '"';
    }
    memcpy(quoted + n, "\"", 2);
    snprintf(out, size, forms[brute_below(random, sizeof forms / sizeof forms[0])], quoted);
}

static void change_job(brute_random *random, mgl_job *job)
{
    static const char *const of_columns[] = {"quasi", "sensitive", "identifier", "insensitive",
                                             "h.csv", "suppress",  "2",          "1..3",
                                             "null",  "v: w",      "\"a,b\",c"};
    char key[200];
    int what = brute_below(random, 10);
    if (what < 5) {
        column_key(random, key, sizeof key);
        const char *value =
            of_columns[brute_below(random, sizeof of_columns / sizeof of_columns[0])];
        (void)(brute_chance(random, 50) ? mgl_job_set : mgl_job_add)(job, key, value, NULL);
    } else if (what < 8) {
        const char *value = values[brute_below(random, VALUES)];
        (void)(brute_chance(random, 50) ? mgl_job_set : mgl_job_add)(job, random_key(random), value,
                                                                     NULL);
    } else if (what == 8) {
        (void)mgl_job_unset(job, random_key(random), NULL);
    } else {
        column_key(random, key, sizeof key);
        (void)mgl_job_unset(job, key, NULL);
    }
}

static void random_jobs_are_the_same_when_read(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 400 / BRUTE_ONE_IN; seed++) {
        brute_random random = {seed};
        mgl_job *job = new_job();
        for (int n = brute_below(&random, 40); n > 0; n--)
            change_job(&random, job);
        expect_same_when_read(job);
        mgl_job *copy = NULL;
        assert_int_equal(mgl_job_copy(job, NULL, &copy), MGL_OK);
        expect_same_job(job, copy, false);
        mgl_job_free(copy);
        mgl_job_free(job);
    }
}

static void secrets_are_written_for_who_told_them(void **state)
{
    (void)state;
    mgl_job *job = new_job();
    assert_int_equal(mgl_job_set(job, "data", "postgresql://u:secret@h/d?table=t", NULL), MGL_OK);
    assert_int_equal(mgl_job_set(job, "seed", "99", NULL), MGL_OK);
    char *text = written(job, true);
    expect_text(text, "secret");
    expect_text(text, "seed: ");
    mgl_text_free(text);
    json_t *record;
    assert_int_equal(mgl_job_document(job, MGL_JOB_RECORD, NULL, NULL, &record), MGL_OK);
    assert_null(json_object_get(record, "seed"));
    assert_null(strstr(json_string_value(json_object_get(record, "data")), "secret"));
    json_decref(record);
    mgl_job_free(job);
}

static void a_name_that_is_not_utf_8_is_refused(void **state)
{
    (void)state;
    mgl_job *job = new_job();
    mgl_error err = {0};
    char *text = NULL;
    assert_int_equal(mgl_job_set(job, "data", "\xFF.csv", NULL), MGL_OK);
    assert_int_equal(mgl_job_yaml(job, &err, &text), MGL_USAGE);
    expect_text(err.message, "not UTF-8");
    assert_null(text);
    assert_int_equal(mgl_job_json(job, NULL, &text), MGL_USAGE);
    mgl_job_free(job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_is_written_and_read),
        cmocka_unit_test(random_jobs_are_the_same_when_read),
        cmocka_unit_test(secrets_are_written_for_who_told_them),
        cmocka_unit_test(a_name_that_is_not_utf_8_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
