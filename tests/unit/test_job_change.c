/* Jobs that are changed: keys set anew, taken back and asked for, copies, and what a job file said
 * overridden. */
#include "test_job.h"

static void replace(mgl_job *job, const char *key, const char *value)
{
    mgl_error err = {0};
    if (mgl_job_set(job, key, value, &err) != MGL_OK)
        fail_msg("%s = %s: %s", key, value, err.message);
}

static void unset(mgl_job *job, const char *key)
{
    mgl_error err = {0};
    if (mgl_job_unset(job, key, &err) != MGL_OK)
        fail_msg("%s: %s", key, err.message);
}

static char *json_of(const mgl_job *job)
{
    mgl_error err = {0};
    char *text = NULL;
    if (mgl_job_json(job, &err, &text) != MGL_OK)
        fail_msg("%s", err.message);
    return text;
}

static void expect_same(const mgl_job *a, const mgl_job *b)
{
    char *one = json_of(a), *other = json_of(b);
    assert_string_equal(one, other);
    mgl_text_free(one);
    mgl_text_free(other);
}

static void expect(const mgl_job *job, const char *key, const char *value)
{
    const char *said = mgl_job_get(job, key);
    if (value == NULL ? said != NULL : said == NULL || strcmp(said, value) != 0)
        fail_msg("%s is %s, not %s", key, said != NULL ? said : "not said",
                 value != NULL ? value : "not said");
}

/* ---- Set anew ------------------------------------------------------------------------------- */

static void a_key_that_is_set_anew_has_the_last_value(void **state)
{
    static const char *const keys[][3] = {
        {"suppress", "1", "2%"},
        {"k", "2", "5"},
        {"privacy.k-anonymity", "7", "3"},
        {"missing", "x,y", "z"},
        {"prefer", "loss,relative", "distribution"},
        {"methods", "mingen,datafly", "samarati"},
        {"policy", "strict", "minimal"},
        {"attributes.a.hierarchy", "a.csv", "suppress"},
        {"attributes.\"a.b\".weight", "2", "3"},
        {"privacy.l-diversity.s", "2", "3"},
        {"allow-leaks", "a,b", "true"},
        {"parts", "p1,p2", "p3"},
    };
    (void)state;
    mgl_job *job = new_job();
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        mgl_job *fresh = new_job();
        replace(job, keys[i][0], keys[i][1]);
        replace(job, keys[i][0], keys[i][2]);
        replace(fresh, keys[i][0], keys[i][2]);
        assert_non_null(mgl_job_get(job, keys[i][0]));
        expect_same(job, fresh);
        unset(job, keys[i][0]);
        mgl_job_free(fresh);
    }
    mgl_job_free(job);
}

static void columns_of_a_role_are_all_replaced(void **state)
{
    (void)state;
    mgl_job *job = new_job();
    replace(job, "data", "d");
    replace(job, "k", "2");
    replace(job, "output", "o");
    replace(job, "qi", "a,b,c");
    replace(job, "sensitive", "s,t");
    replace(job, "sensitive", "s");
    replace(job, "qi", "c,a,t");
    const mgl_settings *s = settings_of(job, MGL_ANONYMIZE);
    assert_int_equal(s->quasi[0].n_names, 3);
    assert_string_equal(s->quasi[0].names[0], "c");
    assert_string_equal(s->quasi[0].names[1], "a");
    assert_string_equal(s->quasi[0].names[2], "t");
    expect(job, "attributes.t.role", "quasi");
    expect(job, "attributes.s.role", "sensitive");
    expect(job, "attributes.b.role", NULL);
    replace(job, "attributes.s.role", "identifier");
    expect(job, "attributes.s.role", "identifier");
    replace(job, "attributes.c.role", "insensitive");
    assert_int_equal(settings_of(job, MGL_ANONYMIZE)->quasi[0].n_names, 2);
    mgl_job_free(job);
}

/* A list never takes a column silently from another role, whichever was given first and how. */
static void a_column_in_two_roles_is_refused(void **state)
{
    (void)state;
    static const char *const keys[] = {"qi", "sensitive", "identifier", "insensitive"};
    static const char *const roles[] = {"quasi", "sensitive", "identifier", "insensitive"};
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 8; j++) {
            mgl_job *job = new_job();
            mgl_error err = {0};
            if (j % 4 == i) {
                mgl_job_free(job);
                continue;
            }
            if (j < 4)
                replace(job, keys[j], "a,b");
            else
                replace(job, "attributes.b.role", roles[j % 4]);
            assert_int_equal(mgl_job_set(job, keys[i], "b,c", &err), MGL_USAGE);
            assert_int_equal(err.code, MGL_CODE_REPEATED);
            assert_string_equal(err.column, "b");
            expect_text(err.message, "column 'b' has two roles");
            expect(job, "attributes.b.role", roles[j % 4]);
            expect(job, "attributes.c.role", NULL);
            mgl_job_free(job);
        }
}

static void several_quasi_identifiers_are_replaced_and_left(void **state)
{
    (void)state;
    mgl_job *job = new_job();
    replace(job, "data", "d");
    replace(job, "k", "2");
    replace(job, "method", "mingen");
    replace(job, "output", "o");
    replace(job, "qi-set", "a,b");
    set(job, "qi-set", "b,c");
    set(job, "qi-set", "d");
    assert_int_equal(settings_of(job, MGL_ANONYMIZE)->n_quasi, 3);
    unset(job, "attributes.d");
    replace(job, "attributes.b.role", "sensitive");
    const mgl_settings *s = settings_of(job, MGL_ANONYMIZE);
    assert_int_equal(s->n_quasi, 2);
    assert_int_equal(s->quasi[0].n_names + s->quasi[1].n_names, 2);
    assert_string_equal(s->quasi[1].names[0], "c");
    replace(job, "quasi-identifiers", "x,y");
    s = settings_of(job, MGL_ANONYMIZE);
    assert_int_equal(s->n_quasi, 1);
    assert_int_equal(s->quasi[0].n_names, 2);
    expect(job, "attributes.a.role", NULL);
    expect(job, "attributes.b.role", "sensitive");
    unset(job, "qi");
    expect(job, "attributes.x.role", NULL);
    refuse_settings(job, MGL_ANONYMIZE, "no quasi-identifier");
    mgl_job_free(job);
}

static void values_of_columns_are_replaced_for_the_columns_named(void **state)
{
    (void)state;
    mgl_job *job = new_job();
    replace(job, "weights", "a=2,b=3");
    replace(job, "weights", "b=4,c=5");
    expect(job, "attributes.a.weight", "2");
    expect(job, "attributes.b.weight", "4");
    expect(job, "attributes.c.weight", "5");
    replace(job, "l-diversity", "s=2");
    replace(job, "l-diversity", "t=3");
    expect(job, "privacy.l-diversity.s", "2");
    expect(job, "privacy.l-diversity.t", "3");
    replace(job, "l-diversity", "s=4");
    expect(job, "privacy.l-diversity.s", "4");
    unset(job, "weights");
    expect(job, "attributes.c.weight", NULL);
    unset(job, "privacy.l-diversity.s");
    expect(job, "privacy.l-diversity.s", NULL);
    expect(job, "privacy.l-diversity.t", "3");
    mgl_job_free(job);
}

static void what_one_call_says_twice_is_refused(void **state)
{
    (void)state;
    mgl_job *job = new_job();
    mgl_error err = {0};
    replace(job, "weights", "a=1");
    assert_int_equal(mgl_job_set(job, "weights", "b=2,b=3", &err), MGL_USAGE);
    expect_text(err.message, "given twice for 'b'");
    assert_int_equal(mgl_job_set(job, "sensitive", "s,s", &err), MGL_USAGE);
    expect_text(err.message, "named twice");
    expect(job, "attributes.b.weight", NULL);
    expect(job, "attributes.s.role", NULL);
    expect(job, "attributes.a.weight", "1");
    mgl_job_free(job);
}

/* ---- Files and texts ------------------------------------------------------------------------- */

static const char text[] = "data: t.csv\n"
                           "attributes: {a: {role: quasi, weight: 2}, s: {role: sensitive}}\n"
                           "quasi-identifiers: [[a, b], [b, c]]\n"
                           "privacy: [{k-anonymity: 5}, {l-diversity: {attribute: s, l: 2}}]\n"
                           "suppress: 1%\n";

static void parse(mgl_job *job, const char *words)
{
    mgl_error err = {0};
    if (mgl_job_parse(job, words, strlen(words), &err) != MGL_OK)
        fail_msg("%s", err.message);
}

static void what_a_text_brought_is_overridden_and_taken_back(void **state)
{
    (void)state;
    mgl_job *job = new_job();
    parse(job, text);
    expect(job, "suppress", "1%");
    expect(job, "attributes.b.role", "quasi");
    set(job, "suppress", "2%");
    expect(job, "suppress", "2%");
    replace(job, "privacy.k-anonymity", "9");
    expect(job, "k", "9");
    replace(job, "qi", "x");
    expect(job, "attributes.a.role", NULL);
    expect(job, "attributes.a.weight", "2");
    unset(job, "attributes.a");
    expect(job, "attributes.a.weight", NULL);
    unset(job, "privacy");
    expect(job, "k", NULL);
    expect(job, "privacy.l-diversity.s", NULL);
    unset(job, "data");
    parse(job, "data: u.csv\nsuppress: 7\n"); /* what was set before stays */
    expect(job, "data", "u.csv");
    expect(job, "suppress", "2%");
    mgl_job_free(job);
}

static void json_is_a_job_as_well(void **state)
{
    (void)state;
    mgl_job *yaml = new_job(), *json = new_job();
    parse(yaml, text);
    parse(json,
          "{\"data\": \"t.csv\", \"attributes\": {\"a\": {\"role\": \"quasi\", \"weight\": 2},"
          "\"s\": {\"role\": \"sensitive\"}}, \"quasi-identifiers\": [[\"a\", \"b\"],"
          "[\"b\", \"c\"]], \"privacy\": [{\"k-anonymity\": 5}, {\"l-diversity\":"
          "{\"attribute\": \"s\", \"l\": 2}}], \"suppress\": \"1%\"}\n");
    expect_same(yaml, json);
    mgl_job_free(json);
    json = new_job();
    parse(json, "{\n\t\"title\": \"\\ud83d\\ude00 \\u00e4\\/\"\n}");
    expect(json, "title", "\xF0\x9F\x98\x80 \xC3\xA4/");
    mgl_job_free(yaml);
    mgl_job_free(json);
}

static void wrong_texts_are_refused_with_their_place(void **state)
{
    static const struct {
        const char *text, *words;
        uint64_t line, position;
    } cases[] = {{"data: t\nmethd: x\n", "unknown key 'methd'", 2, 1},
                 {"{\"data\": \"t\",\n \"suppress\": \"x%\"}", "'x%' is no", 2, 15},
                 {"attributes:\n  a: {role: king}\n", "'king' is no role", 2, 13},
                 {"data: [", "correct the YAML", 2, 0},
                 {"{\"data\": 1,\n\"data\": 2}", "is given twice", 2, 2},
                 {"a: &x 1", "anchors", 1, 0}};
    (void)state;
    mgl_job *job = new_job(), *before = new_job();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        mgl_error err = {0};
        assert_int_equal(mgl_job_parse(job, cases[i].text, strlen(cases[i].text), &err), MGL_USAGE);
        expect_text(err.message, cases[i].words);
        if (err.line != cases[i].line ||
            (cases[i].position > 0 && err.position != cases[i].position))
            fail_msg("%s: line %llu, position %llu", err.message, (unsigned long long)err.line,
                     (unsigned long long)err.position);
        assert_string_equal(err.file, "");
    }
    assert_int_equal(mgl_job_parse(job, NULL, 0, NULL), MGL_USAGE);
    assert_int_equal(mgl_job_parse(job, "a\0b", 3, NULL), MGL_USAGE);
    assert_int_equal(mgl_job_parse(job, "\xFF", 1, NULL), MGL_USAGE);
    expect_same(job, before); /* what was read before the mistake is forgotten */
    mgl_job_free(job);
    mgl_job_free(before);
}

static void paths_of_a_text_stay_as_they_are(void **state)
{
    (void)state;
    mgl_job *job = new_job();
    parse(job, "data: memory:t.csv\noutput: x/y.csv\nattributes: {a: {hierarchy: h.csv}}\n");
    expect(job, "data", "memory:t.csv");
    expect(job, "output", "x/y.csv");
    expect(job, "attributes.a.hierarchy", "h.csv");
    mgl_job_free(job);
}

static void names_in_memory_are_not_relative_to_a_job_file(void **state)
{
    (void)state;
    mgl_job *job = new_job();
    char path[] = "./job.yaml";
    const char words[] = "data: memory:t.csv\nattributes: {a: {hierarchy: memory:h.csv}}\n";
    write_text("job.yaml", words, sizeof words - 1);
    assert_int_equal(mgl_job_load(job, path, NULL), MGL_OK);
    expect(job, "data", "memory:t.csv");
    expect(job, "attributes.a.hierarchy", "memory:h.csv");
    unlink("job.yaml");
    mgl_job_free(job);
}

/* ---- Taking back and asking ------------------------------------------------------------------ */

static void a_key_that_was_never_said_can_be_unset(void **state)
{
    static const char *const keys[] = {"suppress",
                                       "attributes",
                                       "attributes.a",
                                       "attributes.a.role",
                                       "privacy",
                                       "privacy.l-diversity",
                                       "privacy.l-diversity.s",
                                       "qi",
                                       "weights",
                                       "k"};
    (void)state;
    mgl_job *job = new_job();
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        unset(job, keys[i]);
        assert_null(mgl_job_get(job, keys[i]));
    }
    mgl_job_free(job);
}

static void wrong_keys_are_refused_and_have_no_value(void **state)
{
    static const char *const keys[] = {"",
                                       "zzz",
                                       "attributes.",
                                       "attributes..",
                                       "attributes.a.b",
                                       "attributes.a.role.x",
                                       "privacy.",
                                       "privacy.zzz",
                                       "privacy.k-anonymity.",
                                       "\"",
                                       "attributes.\"a",
                                       "attributes.\"a\"b.role",
                                       "suppress.x",
                                       "privacy.k-anonymity.a.b"};
    (void)state;
    mgl_job *job = new_job();
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        mgl_error err = {0};
        if (mgl_job_unset(job, keys[i], &err) != MGL_USAGE || err.message[0] == '\0')
            fail_msg("'%s' was unset", keys[i]);
        if (mgl_job_set(job, keys[i], "1", &err) != MGL_USAGE)
            fail_msg("'%s' was set", keys[i]);
        assert_null(mgl_job_get(job, keys[i]));
    }
    assert_int_equal(mgl_job_unset(job, NULL, NULL), MGL_USAGE);
    assert_null(mgl_job_get(job, NULL));
    mgl_job_free(job);
}

static void unset_is_as_if_never_said(void **state)
{
    static const char *const said[][2] = {
        {"qi", "a,b"},          {"weights", "a=2,b=3"}, {"k", "3"},
        {"l-diversity", "s=2"}, {"sensitive", "s"},     {"data", "d.csv"},
        {"missing", ",x"},      {"policy", "strict"},   {"hierarchy", "a=a.csv"},
        {"prefer", "loss"}};
    enum { N = sizeof said / sizeof said[0] };
    (void)state;
    for (size_t left_out = 0; left_out < N; left_out++) {
        mgl_job *all = new_job(), *without = new_job();
        for (size_t i = 0; i < N; i++) {
            set(all, said[i][0], said[i][1]);
            if (i != left_out)
                set(without, said[i][0], said[i][1]);
        }
        unset(all, said[left_out][0]);
        expect_same(all, without);
        mgl_job_free(all);
        mgl_job_free(without);
    }
}

/* ---- Copies -----------------------------------------------------------------------------------
 */

static void copies_are_the_same_and_change_alone(void **state)
{
    (void)state;
    mgl_job *job = new_job(), *copy = NULL;
    parse(job, text);
    set(job, "seed", "7");
    set(job, "output", "o.csv");
    assert_int_equal(mgl_job_copy(job, NULL, &copy), MGL_OK);
    expect_same(job, copy);
    replace(copy, "qi", "z");
    replace(copy, "k", "11");
    unset(copy, "seed");
    expect(job, "k", "5");
    expect(job, "attributes.c.role", "quasi");
    expect(job, "seed", "7");
    refuse_set(copy, "output", "x", "given twice");
    mgl_job_free(job);
    expect(copy, "k", "11");
    expect(copy, "output", "o.csv");
    mgl_job_free(copy);
}

/* Replaced texts do not pile up, and borrowed ones stay right. */
static void a_job_can_be_changed_very_often(void **state)
{
    (void)state;
    mgl_job *job = new_job();
    parse(job, text);
    for (int i = 0; i < 20000; i++) {
        char value[40], key[40];
        snprintf(value, sizeof value, "%d", 2 + i);
        replace(job, "k", value);
        snprintf(key, sizeof key, "attributes.c%d.role", i % 7);
        replace(job, key, i % 2 == 0 ? "quasi" : "sensitive");
        expect(job, "k", value);
        if (i % 100 == 0)
            unset(job, "attributes.c3");
    }
    expect(job, "suppress", "1%");
    expect(job, "privacy.l-diversity.s", "2");
    mgl_job_free(job);
}

static void failures_leave_the_job_as_it_was(void **state)
{
    static const char *const wrong[][2] = {{"qi", "x,y,x"},
                                           {"sensitive", "x,"},
                                           {"weights", "a=5,b=q"},
                                           {"k", "none"},
                                           {"missing", "a,\"b"},
                                           {"l-diversity", "s=2,3,4"},
                                           {"attributes.a.role", "king"},
                                           {"hierarchy", "a"},
                                           {"prefer", "loss,zzz"}};
    (void)state;
    mgl_job *job = new_job(), *before;
    parse(job, text);
    set(job, "sensitive", "t");
    assert_int_equal(mgl_job_copy(job, NULL, &before), MGL_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(mgl_job_set(job, wrong[i][0], wrong[i][1], NULL), MGL_USAGE);
        expect_same(job, before);
        assert_int_equal(mgl_job_add(job, wrong[i][0], wrong[i][1], NULL), MGL_USAGE);
        expect_same(job, before);
    }
    assert_int_equal(mgl_job_add(job, "sensitive", "u,a,t", NULL), MGL_USAGE);
    expect_same(job, before);
    mgl_job_free(job);
    mgl_job_free(before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_key_that_is_set_anew_has_the_last_value),
        cmocka_unit_test(columns_of_a_role_are_all_replaced),
        cmocka_unit_test(a_column_in_two_roles_is_refused),
        cmocka_unit_test(several_quasi_identifiers_are_replaced_and_left),
        cmocka_unit_test(values_of_columns_are_replaced_for_the_columns_named),
        cmocka_unit_test(what_one_call_says_twice_is_refused),
        cmocka_unit_test(what_a_text_brought_is_overridden_and_taken_back),
        cmocka_unit_test(json_is_a_job_as_well),
        cmocka_unit_test(wrong_texts_are_refused_with_their_place),
        cmocka_unit_test(paths_of_a_text_stay_as_they_are),
        cmocka_unit_test(names_in_memory_are_not_relative_to_a_job_file),
        cmocka_unit_test(a_key_that_was_never_said_can_be_unset),
        cmocka_unit_test(wrong_keys_are_refused_and_have_no_value),
        cmocka_unit_test(unset_is_as_if_never_said),
        cmocka_unit_test(copies_are_the_same_and_change_alone),
        cmocka_unit_test(a_job_can_be_changed_very_often),
        cmocka_unit_test(failures_leave_the_job_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
