/* Models with attributes, several parameters and words; what options say about them apart. */
#include "test_job_types.h"

static void models_are_taken_from_options(void **state)
{
    (void)state;
    mgl_job *job = begun_job();
    set(job, "l-diversity", "s=3");
    set(job, "l-diversity", "t=2");
    set(job, "recursive-cl", "s=0.5,4");
    set(job, "delta-presence", "0.1,0.9");
    set(job, "population", "all.csv");
    const mgl_settings *s = settings_of(job, MGL_CHECK);
    assert_int_equal(s->n_models, 4);
    assert_int_equal(s->k, 1);
    assert_string_equal(s->models[0].attribute, "s");
    assert_true(s->models[0].parameters[0] == 3);
    assert_string_equal(s->models[1].attribute, "t");
    assert_ptr_equal(s->models[2].type, &recursive);
    assert_true(s->models[2].parameters[0] == 0.5 && s->models[2].parameters[1] == 4);
    assert_null(s->models[3].attribute);
    assert_true(s->models[3].parameters[1] == 0.9);
    mgl_job_free(job);
}

static void models_are_taken_from_job_files(void **state)
{
    (void)state;
    mgl_job *job = begun_job();
    set(job, "l-diversity", "s=7");
    load(job, "population: all.csv\n"
              "privacy:\n"
              "- k-anonymity: 5\n"
              "- l-diversity: {attribute: s, l: 3}\n"
              "- l-diversity: {l: 2, attribute: t}\n"
              "- recursive-cl: {attribute: t, c: 0.25, l: 2}\n"
              "- delta-presence: {lo: 0, hi: 1}\n");
    const mgl_settings *s = settings_of(job, MGL_CHECK);
    assert_int_equal(s->n_models, 5);
    assert_int_equal(s->k, 5);
    assert_true(s->models[0].parameters[0] == 7); /* the option overrides the file */
    assert_ptr_equal(s->models[2].type, &l_diversity);
    assert_string_equal(s->models[2].attribute, "t");
    assert_true(s->models[3].parameters[0] == 0.25 && s->models[3].parameters[1] == 2);
    mgl_job_free(job);

    /* What a release lost is told with k alone. */
    job = begun_job();
    load(job, "release: r\nprivacy: [{p-sensitive: 3}, {k-anonymity: 5}, {l-diversity: "
              "{attribute: b, l: 2}}]\n");
    s = settings_of(job, MGL_UTILITY);
    assert_int_equal(s->n_models, 1);
    assert_int_equal(s->k, 5);
    mgl_job_free(job);
}

static void wrong_parameters_of_models_are_refused(void **state)
{
    (void)state;
    static const char *const options[][3] = {
        {"k", "0", "`k`: '0' is no k; give a whole number from 1 to 4294967295"},
        {"l-diversity", "3", "not of the form column=value"},
        {"l-diversity", "s=x", "'x' is no l; give a whole number"},
        {"l-diversity", "s=0", "'0' is no l"},
        {"l-diversity", "s=3,t=2", "takes 1; give l, and repeat the option for another column"},
        {"recursive-cl", "s=3", "holds 1 numbers, recursive-cl takes 2; give c,l"},
        {"recursive-cl", "s=-1,2", "is no c; give a number of at least 0"},
        {"delta-presence", "0.5,1.5", "is no hi; give a number from 0 to 1"},
        {"t-closeness", "s=0.2,far", "is no distance; give equal, ordered or hierarchical"},
        {"t-closeness", "s=ordered", "'ordered' is no t; give a number from 0 to 1"},
        {"t-closeness", "s=0.2,equal,1", "holds 3 values, t-closeness takes 1 to 2"},
        {"distance", "s=far", "'far' is no distance; give equal, ordered or hierarchical"},
        {"distance", "equal", "not of the form column=value"},
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        mgl_job *job = new_job();
        refuse_set(job, options[i][0], options[i][1], options[i][2]);
        mgl_job_free(job);
    }
    refuse_load("privacy: [{l-diversity: 3}]\n", "1:25: privacy.l-diversity: its parameters");
    refuse_load("privacy: [{l-diversity: {l: 3}}]\n", "1:25: privacy.l-diversity: which column");
    refuse_load("privacy: [{recursive-cl: {attribute: s, c: 1}}]\n",
                "1:26: privacy.recursive-cl: lacks l");
    refuse_load("privacy: [{l-diversity: {attribute: [s], l: 3}}]\n",
                "1:37: privacy.l-diversity: a single value");
    refuse_load("privacy: [{t-closeness: {attribute: s, t: 2}}]\n",
                "1:43: privacy.t-closeness: '2' is no t; give a number from 0 to 1");
    refuse_load("privacy: [{t-closeness: {attribute: s, t: 0.2, distance: 1}}]\n",
                "1:58: privacy.t-closeness: '1' is no distance; give equal, ordered or");
    refuse_load(
        "privacy:\n- l-diversity: {attribute: s, l: 2}\n- l-diversity: {attribute: s, l: 3}\n",
        "3:16: privacy.l-diversity: given twice for 's'");
    refuse_with("l-diversity", "a=3", "`l-diversity`: column 'a' is not sensitive");
    refuse_with("l-diversity", "b=3", "`l-diversity`: column 'b' is not sensitive");
    mgl_job *job = begun_job();
    set(job, "l-diversity", "s=3");
    refuse_set(job, "l-diversity", "s=4", "given twice for 's'");
    mgl_job_free(job);
    job = begun_job();
    set(job, "p-sensitive", "2");
    refuse_set(job, "p-sensitive", "3", "given twice");
    mgl_job_free(job);
}

static void expect_distance(mgl_job *job, double t_is, double distance)
{
    const mgl_settings *s = settings_of(job, MGL_CHECK);
    assert_int_equal(s->n_models, 1);
    assert_true(s->models[0].parameters[0] == t_is);
    assert_true(s->models[0].parameters[1] == distance);
    mgl_job_free(job);
}

static void distance_of_t_closeness_is_taken(void **state)
{
    (void)state;
    static const char ordered[] = "privacy: [{t-closeness: {attribute: s, t: 0.2, "
                                  "distance: ordered}}]\n";
    static const char plain[] = "privacy: [{t-closeness: {attribute: s, t: 0.2}}]\n";
    mgl_job *job = begun_job();
    set(job, "t-closeness", "s=0.2");
    expect_distance(job, 0.2, 0);

    job = begun_job();
    set(job, "t-closeness", "s=0.2,hierarchical");
    expect_distance(job, 0.2, 2);

    job = begun_job();
    set(job, "t-closeness", "s=0.2");
    set(job, "distance", "s=ordered");
    expect_distance(job, 0.2, 1);

    job = begun_job();
    load(job, ordered);
    expect_distance(job, 0.2, 1);

    job = begun_job();
    load(job, plain);
    expect_distance(job, 0.2, 0);

    /* The option stands above the file, before and after it. */
    job = begun_job();
    set(job, "distance", "s=hierarchical");
    load(job, ordered);
    expect_distance(job, 0.2, 2);
    job = begun_job();
    load(job, ordered);
    set(job, "distance", "s=equal");
    expect_distance(job, 0.2, 0);

    /* A file may say it apart, too; a model that says it itself in an option wins. */
    job = begun_job();
    load(job, "privacy: [{t-closeness: {t: 0.2, attribute: s}}]\ndistance: {s: ordered}\n");
    expect_distance(job, 0.2, 1);
    job = begun_job();
    set(job, "t-closeness", "s=0.1,equal");
    load(job, "distance: {s: ordered}\n");
    expect_distance(job, 0.1, 0);
    /* The whole model of the file gives way, with its distance. */
    job = begun_job();
    set(job, "t-closeness", "s=0.1");
    load(job, ordered);
    expect_distance(job, 0.1, 0);

    job = begun_job();
    set(job, "t-closeness", "s=0.1,equal");
    set(job, "distance", "s=ordered");
    refuse_settings(job, MGL_CHECK, "`distance`: given twice for 's', first by `t-closeness`");
    mgl_job_free(job);
    job = begun_job();
    set(job, "t-closeness", "s=0.1");
    set(job, "distance", "t=ordered");
    refuse_settings(job, MGL_CHECK, "`distance`: column 't' has no t-closeness; add `t-closeness");
    mgl_job_free(job);
}

/* Without k-anonymity the k of p-sensitive k-anonymity is p. */
static void without_k_anonymity_k_is_p(void **state)
{
    (void)state;
    static const struct {
        const char *pairs[6];
        uint64_t k;
        size_t n_models;
    } cases[] = {
        {{"l-diversity", "s=9"}, 1, 1},
        {{"p-sensitive", "3"}, 3, 1},
        {{"extended-p", "s=4"}, 4, 1},
        {{"p-sensitive", "3", "extended-p", "s=2"}, 3, 2},
        {{"extended-p", "t=2", "extended-p", "s=5"}, 5, 2},
        {{"p-sensitive", "3", "k", "7"}, 7, 2},
        {{"p-sensitive", "3", "k", "2"}, 2, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        mgl_job *job = begun_job();
        for (size_t j = 0; j < 6 && cases[i].pairs[j] != NULL; j += 2)
            set(job, cases[i].pairs[j], cases[i].pairs[j + 1]);
        const mgl_settings *s = settings_of(job, MGL_LATTICE);
        assert_int_equal(s->k, cases[i].k);
        assert_int_equal(s->n_models, cases[i].n_models);
        mgl_job_free(job);
    }
}

static void protected_values_are_taken(void **state)
{
    (void)state;
    mgl_job *job = begun_job();
    set(job, "sensitive-hierarchy", "s=icd.csv");
    set(job, "protect", "s=Neoplasms, \"Mental, other\",\"a \"\"b\"\"\"");
    const mgl_attribute_settings *column = mgl_settings_attribute(settings_of(job, MGL_CHECK), "s");
    assert_string_equal(column->hierarchy, "icd.csv");
    assert_int_equal(column->n_protect, 3);
    assert_true(mgl_span_is(column->protect[0], "Neoplasms"));
    assert_true(mgl_span_is(column->protect[1], "Mental, other"));
    assert_true(mgl_span_is(column->protect[2], "a \"b\""));
    refuse_set(job, "hierarchy", "s=other.csv", "given twice for 's'");
    refuse_set(job, "protect", "s=more", "given twice for 's'");
    mgl_job_free(job);

    job = new_job();
    set(job, "protect", "t=x");
    load(job, "data: d\n"
              "attributes:\n"
              "  a: {role: quasi}\n"
              "  s: {role: sensitive, hierarchy: icd.csv, protect: [High, \"a, b\"]}\n"
              "  t: {role: sensitive, protect: [Low]}\n"
              "sensitive-hierarchy: {t: t.csv}\n");
    const mgl_settings *s = settings_of(job, MGL_CHECK);
    column = mgl_settings_attribute(s, "s");
    assert_int_equal(column->n_protect, 2);
    assert_true(mgl_span_is(column->protect[1], "a, b"));
    column = mgl_settings_attribute(s, "t");
    assert_string_equal(column->hierarchy, "t.csv");
    assert_int_equal(column->n_protect, 1);
    assert_true(mgl_span_is(column->protect[0], "x"));
    assert_int_equal(mgl_settings_attribute(s, "a")->n_protect, 0);
    mgl_job_free(job);
}

static void protect_without_a_hierarchy_is_refused(void **state)
{
    (void)state;
    refuse_with("protect", "s=High",
                "`protect`: column 's' has no hierarchy to protect values in; add "
                "`sensitive-hierarchy: s=FILE`");
    refuse_with("protect", "a=High", "`protect`: column 'a' is quasi, and only sensitive columns");
    refuse_with("protect", "b=High", "but no role; name it by `role: sensitive`");
    refuse_with("sensitive-hierarchy", "a=x.csv",
                "`sensitive-hierarchy`: column 'a' is quasi, and only sensitive columns have a "
                "hierarchy");
    refuse_with("sensitive-hierarchy", "b=x.csv",
                "has a hierarchy but no role; name it by `role: sens");
    refuse_load("attributes: {s: {protect: []}}\n", "1:27: attributes.s.protect: names no value");
    refuse_load("attributes: {s: {protect: [[a]]}}\n",
                "1:28: attributes.s.protect: a single value");
    refuse_load("attributes: {s: {protect: [a, '']}}\n", "1:27: attributes.s.protect: '\"a\",\"\"' "
                                                         "names an empty value");
    mgl_job *job = new_job();
    refuse_set(job, "protect", "s=", "names an empty value");
    refuse_set(job, "protect", "s=a,,b", "names an empty value");
    refuse_set(job, "protect", "s=\"a", "not closed");
    refuse_set(job, "protect", "High", "not of the form column=value");
    mgl_job_free(job);

    /* A role that an option takes away does not make the file wrong. */
    job = new_job();
    set(job, "qi", "s");
    load(job, "data: d\nattributes: {s: {role: sensitive, hierarchy: x.csv, protect: [High]}}\n");
    settings_of(job, MGL_CHECK);
    mgl_job_free(job);
}

static void models_of_a_population_need_one(void **state)
{
    (void)state;
    refuse_with("delta-presence", "0,1",
                "`delta-presence`: it needs the table of all persons; give `population: FILE`");
    mgl_job *job = begun_job();
    set(job, "k", "2");
    set(job, "population", "all.csv"); /* no model needs it: no harm */
    assert_string_equal(settings_of(job, MGL_CHECK)->sampled.population, "all.csv");
    mgl_job_free(job);

    job = begun_job();
    write_text("job.yaml", "population: all.csv\n", 20);
    mgl_error err;
    assert_int_equal(mgl_job_load(job, "./job.yaml", &err), MGL_OK);
    assert_string_equal(settings_of(job, MGL_CHECK)->sampled.population, "./all.csv");
    unlink("job.yaml");
    mgl_job_free(job);

    job = new_job();
    set(job, "data", "-");
    set(job, "population", "-");
    set(job, "qi", "a");
    refuse_settings(job, MGL_CHECK, "both from standard input");
    mgl_job_free(job);

    job = begun_job();
    set(job, "population", "all.csv");
    refuse_settings(job, MGL_ATTACK, "`population` does not belong to attack");
    mgl_job_free(job);
}

static void an_entity_is_an_identifier(void **state)
{
    (void)state;
    mgl_job *job = begun_job();
    set(job, "k", "2");
    set(job, "entity", "id");
    const mgl_settings *s = settings_of(job, MGL_LATTICE);
    assert_string_equal(s->persons.column, "id");
    assert_int_equal(mgl_settings_attribute(s, "id")->role, MGL_ROLE_IDENTIFIER);
    assert_true(mgl_settings_attribute(s, "id")->weight.values[0] == 1);
    assert_int_equal(s->n_attributes, 4);
    mgl_job_free(job);

    job = begun_job();
    set(job, "identifier", "id");
    load(job, "entity: id\nrelease: r\n");
    s = settings_of(job, MGL_CHECK);
    assert_string_equal(s->persons.column, "id");
    assert_int_equal(s->n_attributes, 4);
    assert_null(settings_of(job, MGL_UTILITY)->persons.column);
    mgl_job_free(job);

    refuse_with("entity", "a", "`entity`: column 'a' is quasi and cannot tell persons apart");
    refuse_with("entity", "s", "`entity`: column 's' is sensitive and cannot tell persons apart");
    job = begun_job();
    set(job, "k", "2");
    set(job, "dry-run", "true");
    set(job, "insensitive", "id");
    set(job, "entity", "id");
    refuse_settings(job, MGL_ANONYMIZE, "make it an identifier");
    mgl_job_free(job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_are_taken_from_options),
        cmocka_unit_test(models_are_taken_from_job_files),
        cmocka_unit_test(wrong_parameters_of_models_are_refused),
        cmocka_unit_test(distance_of_t_closeness_is_taken),
        cmocka_unit_test(without_k_anonymity_k_is_p),
        cmocka_unit_test(protected_values_are_taken),
        cmocka_unit_test(protect_without_a_hierarchy_is_refused),
        cmocka_unit_test(models_of_a_population_need_one),
        cmocka_unit_test(an_entity_is_an_identifier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
