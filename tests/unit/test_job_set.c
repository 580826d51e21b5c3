/* mgl_job_add: every key, what is refused, quoting, what is given twice. */
#include "test_job.h"

static void single_values_reach_the_settings(void **state)
{
    (void)state;
    mgl_job *job = new_job();
    set(job, "data", "in.csv");
    set(job, "output", "out.csv");
    set(job, "result", "r.json");
    set(job, "qi", "a");
    set(job, "rest", "drop");
    set(job, "k", "7");
    set(job, "method", "datafly");
    set(job, "suppress", "2.5%");
    set(job, "suppressed", "exempt");
    set(job, "utility", "loss");
    set(job, "prefer", "relative,distribution,precision");
    set(job, "missing", ",?,\"a,b\"");
    set(job, "delimiter", "tab");
    set(job, "no-header", "true");
    set(job, "encoding", "latin1");
    set(job, "keep-order", "true");
    set(job, "threads", "3");
    set(job, "memory", "2G");
    set(job, "time-limit", "1.5");
    set(job, "seed", "18446744073709551615");
    set(job, "dry-run", "true");
    set(job, "quiet", "true");
    set(job, "json", "false");
    const mgl_settings *s = settings_of(job, MGL_ANONYMIZE);
    assert_string_equal(s->data, "in.csv");
    assert_string_equal(s->output, "out.csv");
    assert_string_equal(s->saved.result, "r.json");
    assert_int_equal(s->rest, MGL_ROLE_IDENTIFIER);
    assert_int_equal(s->k, 7);
    assert_int_equal(s->n_models, 1);
    assert_string_equal(s->models[0].type->name, "k-anonymity");
    assert_true(s->models[0].parameters[0] == 7);
    assert_string_equal(s->method->name, "datafly");
    assert_string_equal(s->suppress, "2.5%");
    assert_int_equal(s->treatment, MGL_EXEMPT);
    assert_string_equal(s->measure->name, "loss");
    assert_int_equal(s->n_prefer, 3);
    assert_int_equal(s->prefer[0].kind, MGL_PREFER_RELATIVE);
    assert_int_equal(s->prefer[1].kind, MGL_PREFER_DISTRIBUTION);
    assert_int_equal(s->prefer[2].kind, MGL_PREFER_MEASURE);
    assert_string_equal(s->prefer[2].measure->name, "precision");
    assert_int_equal(s->source.n_missing, 3);
    assert_true(mgl_span_is(s->source.missing[0], ""));
    assert_true(mgl_span_is(s->source.missing[1], "?"));
    assert_true(mgl_span_is(s->source.missing[2], "a,b"));
    assert_int_equal(s->source.delimiter, '\t');
    assert_true(s->source.no_header);
    assert_string_equal(s->source.encoding, "latin1");
    assert_true(s->order.keep && s->dry_run && s->order.has_seed);
    assert_true(s->order.seed == UINT64_MAX);
    assert_int_equal(s->limits.threads, 3);
    assert_int_equal(s->limits.memory, 2147483648);
    assert_true(s->limits.seconds == 1.5);
    assert_string_equal(mgl_job_get(job, "suppress"), "2.5%");
    assert_null(mgl_job_get(job, "release"));
    mgl_job_free(job);
}

static void keys_that_are_not_set_have_defaults(void **state)
{
    (void)state;
    mgl_job *job = new_job();
    set(job, "data", "in.csv");
    set(job, "qi", "a");
    set(job, "k", "2");
    set(job, "output", "out.csv");
    const mgl_settings *s = settings_of(job, MGL_ANONYMIZE);
    assert_string_equal(s->method->name, "cell");
    assert_string_equal(s->measure->name, "precision");
    assert_int_equal(s->treatment, MGL_KEEP);
    assert_int_equal(s->rest, MGL_ROLE_NONE);
    assert_int_equal(s->source.n_missing, 2);
    assert_true(mgl_span_is(s->source.missing[0], ""));
    assert_true(mgl_span_is(s->source.missing[1], "NA"));
    assert_int_equal(s->source.delimiter, 0);
    assert_null(s->source.encoding);
    assert_false(s->source.allow_unnamed);
    assert_null(s->suppress);
    assert_false(s->order.keep || s->dry_run || s->order.has_seed);
    assert_int_equal(s->limits.threads + s->limits.memory, 0);
    assert_true(s->attributes[0].weight.values[0] == 1 &&
                s->attributes[0].likelihood.values[0] == 1);
    assert_true(preference_of(s, s->attributes[0].name) == 1);
    assert_false(s->attributes[0].has_level || s->attributes[0].asks_for_levels);
    mgl_job_free(job);
}

static void keys_of_attributes_reach_the_settings(void **state)
{
    (void)state;
    mgl_job *job = new_job();
    set(job, "attributes.age.role", "quasi");
    set(job, "attributes.age.weight", "2.5");
    set(job, "attributes.age.preference", "0.5");
    set(job, "method", "datafly"); /* no other takes a preference */
    set(job, "attributes.age.likelihood", "0");
    set(job, "attributes.age.level", "1..3");
    set(job, "attributes.age.hierarchy", "intervals(5,10)");
    set(job, "attributes.\"a.b\".role", "sensitive");
    set(job, "attributes.\"say \"\"x\"\"\".role", "identifier");
    set(job, "weights", "zip=3,\"x,y\"=0");
    set(job, "level", "zip=2");
    set(job, "hierarchy", "zip=dates(dmy; month,year)");
    set(job, "hierarchy", "\"x,y\"=a,b=c.csv");
    set(job, "qi", "zip, \"x,y\"");
    set(job, "privacy.k-anonymity", "3");
    set(job, "data", "d");
    set(job, "output", "o");
    const mgl_settings *s = settings_of(job, MGL_ANONYMIZE);
    const mgl_attribute_settings *age = mgl_settings_attribute(s, "age");
    assert_int_equal(age->role, MGL_ROLE_QUASI);
    assert_true(age->weight.values[0] == 2.5 && preference_of(s, "age") == 0.5 &&
                age->likelihood.values[0] == 0);
    assert_true(age->has_level && age->levels.min == 1 && age->levels.max == 3);
    assert_string_equal(age->hierarchy, "intervals(5,10)");
    assert_int_equal(mgl_settings_attribute(s, "a.b")->role, MGL_ROLE_SENSITIVE);
    assert_int_equal(mgl_settings_attribute(s, "say \"x\"")->role, MGL_ROLE_IDENTIFIER);
    const mgl_attribute_settings *zip = mgl_settings_attribute(s, "zip");
    assert_true(zip->weight.values[0] == 3 && zip->levels.min == 2 && zip->levels.max == 2);
    assert_string_equal(zip->hierarchy, "dates(dmy; month,year)");
    assert_string_equal(mgl_settings_attribute(s, "x,y")->hierarchy, "a,b=c.csv");
    assert_null(mgl_settings_attribute(s, "nothing"));
    assert_int_equal(s->n_quasi, 1);
    assert_int_equal(s->quasi[0].n_names, 3);
    assert_string_equal(s->quasi[0].names[0], "age");
    assert_string_equal(s->quasi[0].names[1], "zip");
    assert_string_equal(s->quasi[0].names[2], "x,y");
    mgl_job_free(job);
}

static void several_quasi_identifiers_are_set(void **state)
{
    (void)state;
    mgl_job *job = new_job();
    set(job, "qi-set", "a,b");
    set(job, "qi-set", "b,c");
    set(job, "k", "2");
    set(job, "data", "d");
    set(job, "output", "o");
    const mgl_settings *s = settings_of(job, MGL_ANONYMIZE);
    assert_int_equal(s->n_quasi, 2);
    assert_int_equal(s->quasi[1].n_names, 2);
    assert_string_equal(s->quasi[1].names[0], "b");
    set(job, "attributes.d.role", "quasi");
    refuse_settings(job, MGL_ANONYMIZE, "'d' is quasi but in none of the 2");
    refuse_set(job, "qi", "x", "each of several by `qi-set`");
    mgl_job_free(job);
}

static void a_quasi_identifier_is_added_to(void **state)
{
    (void)state;
    mgl_job *job = new_job();
    set(job, "qi", "a,b");
    set(job, "qi", "c");
    set(job, "k", "2");
    set(job, "data", "d");
    set(job, "output", "o");
    const mgl_settings *s = settings_of(job, MGL_ANONYMIZE);
    assert_int_equal(s->n_quasi, 1);
    assert_int_equal(s->quasi[0].n_names, 3);
    assert_string_equal(s->quasi[0].names[2], "c");
    refuse_set(job, "qi", "d,b", "'b' is named twice; name it once; several quasi-identifiers");
    refuse_set(job, "qi-set", "d", "each of several by `qi-set`");
    assert_int_equal(settings_of(job, MGL_ANONYMIZE)->quasi[0].n_names, 3);
    mgl_job_free(job);
}

static void level_bounds_are_parsed(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t min, max;
    } cases[] = {{"a=2", 2, 2}, {"a=1..3", 1, 3}, {"a=1..", 1, UINT32_MAX}, {"a=..3", 0, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        mgl_job *job = new_job();
        set(job, "level", cases[i].text);
        set(job, "qi", "a");
        set(job, "k", "2");
        set(job, "data", "d");
        const mgl_settings *s = settings_of(job, MGL_LATTICE);
        assert_int_equal(s->attributes[0].levels.min, cases[i].min);
        assert_int_equal(s->attributes[0].levels.max, cases[i].max);
        mgl_job_free(job);
    }
}

static void suppression_limits_are_rows_or_exact_shares(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t rows, limit;
    } cases[] = {{"0", 100, 0},       {"7", 100, 7},      {"700", 100, 100}, {"7%", 100, 7},
                 {"0.07%", 10000, 7}, {"2.5%", 1000, 25}, {"100%", 31, 31},  {"33.4%", 3, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        mgl_settings settings = {.suppress = cases[i].text};
        assert_int_equal(mgl_settings_limit(&settings, cases[i].rows), cases[i].limit);
    }
    assert_int_equal(mgl_settings_limit(&(mgl_settings){0}, 100), 0);
}

static void wrong_keys_and_values_are_refused_with_a_hint(void **state)
{
    (void)state;
    static const char *const cases[][3] = {
        {"metod", "mingen", "unknown key 'metod'; did you mean 'method'?"},
        {"zzz", "1", "unknown key 'zzz'"},
        {"attributes.age.rolle", "quasi", "did you mean 'role'?"},
        {"attributes.age", "quasi", "not complete"},
        {"attributes.age.role.x", "quasi", "not complete"},
        {"attributes.\"age.role", "quasi", "not complete"},
        {"\"attributes", "quasi", "not closed"},
        {"attributes..role", "quasi", "column name is empty"},
        {"attributes.age.role", "quas", "'quas' is no role"},
        {"privacy.k-anonimity", "2", "did you mean 'k-anonymity'?"},
        {"k", "0", "`k`: '0' is no k; give a whole number from 1"},
        {"k", "2.5", "'2.5' is no k"},
        {"k", "-1", "is no k"},
        {"k", "abc", "is no k"},
        {"k", "", "is no k"},
        {"k", "2,3", "holds 2 numbers"},
        {"method", "mingem", "did you mean mingen?"},
        {"method", "xyzzy", "there are mingen"},
        {"utility", "los", "did you mean loss?"},
        {"utility", "classification", "needs a column"},
        {"utility", "loss=x", "is no measure"},
        {"utility", "c_avg", "is no measure"},
        {"prefer", "absolut", "is no criterion"},
        {"suppress", "2,5%", "is no number of rows"},
        {"suppress", "-1", "is no number of rows"},
        {"suppress", "101%", "is no number of rows"},
        {"suppress", "0.5", "is no number of rows"},
        {"suppressed", "kept", "give keep, drop or exempt"},
        {"rest", "keep", "give insensitive"},
        {"weights", "a=-1", "is no weight"},
        {"weights", "a", "not of the form column=value"},
        {"weights", "=1", "not of the form column=value"},
        {"weights", "a=1,b", "not of the form column=value"},
        {"weights", "\"a=1", "not closed"},
        {"preference", "a=1.5", "from 0 to 1"},
        {"likelihood", "a=-0.1", "from 0 to 1"},
        {"level", "a=3..1", "no range of levels"},
        {"level", "a=..", "no range of levels"},
        {"level", "a=x", "no range of levels"},
        {"hierarchy", "a=", "is empty"},
        {"hierarchy", "a", "not of the form column=value"},
        {"qi", "a,,b", "column name 2 is empty"},
        {"qi", "", "column name 1 is empty"},
        {"qi", "a,a", "named twice"},
        {"qi", "\"a", "not closed"},
        {"qi", "\"a\"b", "after a closing quote"},
        {"sensitive", "a,a", "named twice"},
        {"delimiter", "ab", "is no delimiter"},
        {"delimiter", "\"", "is no delimiter"},
        {"delimiter", "\n", "is no delimiter"},
        {"delimiter", "\xc3\xa4", "is no delimiter"},
        {"delimiter", "", "is no delimiter"},
        {"threads", "0", "from 1 to 1024"},
        {"threads", "x", "from 1 to 1024"},
        {"memory", "2X", "no amount of memory"},
        {"memory", "0", "no amount of memory"},
        {"memory", "99999999999999G", "no amount of memory"},
        {"time-limit", "0", "more than 0"},
        {"seed", "-1", "no whole number"},
        {"keep-order", "yes", "neither true nor false"},
        {"data", "", "is empty"},
        {"output", "", "is empty"},
        {"encoding", "", "is empty"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        mgl_job *job = new_job();
        refuse_set(job, cases[i][0], cases[i][1], cases[i][2]);
        mgl_job_free(job);
    }
    mgl_job *job = new_job();
    assert_int_equal(mgl_job_add(job, "data", NULL, NULL), MGL_USAGE);
    assert_int_equal(mgl_job_add(job, "", "x", NULL), MGL_USAGE);
    mgl_job_free(job);
}

static void keys_given_twice_are_refused(void **state)
{
    (void)state;
    static const char *const cases[][4] = {
        {"k", "2", "k", "3"},
        {"k", "2", "privacy.k-anonymity", "2"},
        {"data", "a", "data", "a"},
        {"method", "mingen", "method", "datafly"},
        {"hierarchy", "a=x", "hierarchy", "a=y"},
        {"weights", "a=1", "attributes.a.weight", "1"},
        {"json", "true", "json", "true"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        mgl_job *job = new_job();
        set(job, cases[i][0], cases[i][1]);
        refuse_set(job, cases[i][2], cases[i][3], "given twice");
        mgl_job_free(job);
    }
}

static void a_column_in_two_roles_is_refused(void **state)
{
    (void)state;
    mgl_job *job = new_job();
    set(job, "qi", "a,b");
    refuse_set(job, "sensitive", "c,b",
               "column 'b' has two roles, quasi by `qi` and now sensitive");
    mgl_job_free(job);
}

static void long_values_in_messages_are_cut(void **state)
{
    (void)state;
    char value[5000], expected[80] = "'";
    memset(value, 'x', sizeof value - 1);
    value[sizeof value - 1] = '\0';
    strncat(expected, value, 60);
    strcat(expected, "' ");
    mgl_job *job = new_job();
    refuse_set(job, "method", value, expected);
    refuse_set(job, "k", value, expected);
    mgl_job_free(job);
}

static void settings_live_until_the_job_changes(void **state)
{
    (void)state;
    mgl_job *job = new_job();
    set(job, "data", "d");
    set(job, "qi", "a");
    set(job, "k", "2");
    set(job, "attributes.s.role", "sensitive");
    const mgl_settings *first = settings_of(job, MGL_CHECK);
    const mgl_settings *other = settings_of(job, MGL_LATTICE);
    assert_ptr_equal(settings_of(job, MGL_CHECK), first);
    assert_ptr_not_equal(first, other);
    assert_int_equal(first->k, 2);
    set(job, "threads", "2");
    assert_int_equal(settings_of(job, MGL_CHECK)->limits.threads, 2);
    mgl_job_free(job);
    mgl_job_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_values_reach_the_settings),
        cmocka_unit_test(keys_that_are_not_set_have_defaults),
        cmocka_unit_test(keys_of_attributes_reach_the_settings),
        cmocka_unit_test(several_quasi_identifiers_are_set),
        cmocka_unit_test(a_quasi_identifier_is_added_to),
        cmocka_unit_test(level_bounds_are_parsed),
        cmocka_unit_test(suppression_limits_are_rows_or_exact_shares),
        cmocka_unit_test(wrong_keys_and_values_are_refused_with_a_hint),
        cmocka_unit_test(keys_given_twice_are_refused),
        cmocka_unit_test(a_column_in_two_roles_is_refused),
        cmocka_unit_test(long_values_in_messages_are_cut),
        cmocka_unit_test(settings_live_until_the_job_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
