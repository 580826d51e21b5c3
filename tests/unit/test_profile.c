/* The profile of a column: each kind of values, and each judgement on both sides of its threshold.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <setjmp.h>
#include <cmocka.h>

#include "profile/profile.h"

/* ---- Making columns ------------------------------------------------------------------------- */

typedef struct made {
    mgl_dictionary *values;
    uint64_t rows[2000];
    mgl_profile profile;
} made;

static void begin(made *m)
{
    *m = (made){.values = mgl_dictionary_new()};
    assert_non_null(m->values);
}

static void add(made *m, const char *value, uint64_t rows)
{
    uint32_t code = mgl_dictionary_add(m->values, mgl_span_of(value));
    assert_true(code < 2000);
    m->rows[code] += rows;
}

static void add_missing(made *m, uint64_t rows)
{
    m->rows[mgl_dictionary_add_missing(m->values, mgl_span_of(""))] = rows;
}

/* Free with end. */
static const mgl_profile *look(made *m, const char *name)
{
    mgl_error err = {0};
    assert_int_equal(mgl_profile_of(name, m->values, m->rows, &err, &m->profile), MGL_OK);
    return &m->profile;
}

static void end(made *m)
{
    mgl_dictionary_free(m->values);
}

/* n values, each in so many rows, that the format makes of a number. */
static void add_numbered(made *m, const char *format, int from, int n, uint64_t rows)
{
    for (int i = 0; i < n; i++) {
        char text[80];
        snprintf(text, sizeof text, format, from + i, from + i);
        add(m, text, rows);
    }
}

static mgl_value_kind kind_of(const char *format, int from, int n, uint64_t rows)
{
    made m;
    begin(&m);
    add_numbered(&m, format, from, n, rows);
    mgl_value_kind kind = look(&m, "x")->kind;
    end(&m);
    return kind;
}

static mgl_value_kind kind_of_list(const char *const *values, uint64_t rows)
{
    made m;
    begin(&m);
    for (size_t i = 0; values[i] != NULL; i++)
        add(&m, values[i], rows);
    mgl_value_kind kind = look(&m, "x")->kind;
    end(&m);
    return kind;
}

/* ---- Kinds --------------------------------------------------------------------------------- */

static void numbers_are_told_by_their_decimal_separator(void **state)
{
    (void)state;
    assert_int_equal(kind_of("%d", 1, 30, 2), MGL_VALUE_INTEGER);
    assert_int_equal(kind_of("-%d", 1, 30, 2), MGL_VALUE_INTEGER);
    assert_int_equal(kind_of("%d.25", 1, 30, 2), MGL_VALUE_DECIMAL);
    assert_int_equal(kind_of("2016.25%d", 10, 30, 1), MGL_VALUE_DECIMAL);
    assert_int_equal(kind_of("%d,5", 1, 30, 1), MGL_VALUE_COMMA);
    assert_int_equal(kind_of("1.%d,5", 100, 30, 1), MGL_VALUE_COMMA);
}

static void dates_and_times_are_told(void **state)
{
    (void)state;
    assert_int_equal(kind_of("2020-01-%02d", 1, 28, 1), MGL_VALUE_DATE);
    assert_int_equal(kind_of("%02d.01.2020", 1, 28, 1), MGL_VALUE_DATE);
    assert_int_equal(kind_of("2020-01-%02dT10:%02d:00Z", 1, 28, 1), MGL_VALUE_DATE_TIME);
    assert_int_equal(kind_of("%02d.01.2020 10:%02d", 1, 28, 1), MGL_VALUE_DATE_TIME);
}

static void years_of_two_digits_are_dates_of_no_century(void **state)
{
    (void)state;
    made m;
    begin(&m);
    add_numbered(&m, "%02d.11.01", 1, 28, 1);
    assert_int_equal(look(&m, "x")->kind, MGL_VALUE_DATE);
    assert_true(mgl_profile_has_short_years(&m.profile));
    end(&m);
    begin(&m);
    add_numbered(&m, "%02d.11.2001", 1, 28, 1);
    assert_false(mgl_profile_has_short_years(look(&m, "x")));
    add(&m, "31.02.2001", 1); /* no such day: it can only mean missing */
    assert_int_equal(look(&m, "x")->n_codes, 1);
    assert_string_equal(m.profile.codes[0].text, "31.02.2001");
    end(&m);
}

static void texts_are_codes_categories_names_or_free_text(void **state)
{
    (void)state;
    const char *const names[] = {"Anna Berg",    "Jan van der Meer", "Mary O'Neil",
                                 "Élise Dupont", "Li Wei",           NULL};
    const char *const states[] = {"married", "single", "widowed", NULL};
    assert_int_equal(kind_of("AB-%d", 1, 60, 1), MGL_VALUE_CODE);
    assert_int_equal(kind_of_list(names, 1), MGL_VALUE_NAME);
    /* The same words that repeat are categories. */
    assert_int_equal(kind_of_list(names, 10), MGL_VALUE_CATEGORY);
    assert_int_equal(kind_of_list(states, 10), MGL_VALUE_CATEGORY);
    assert_int_equal(kind_of("the patient felt better on day %d", 1, 60, 1), MGL_VALUE_TEXT);
    assert_int_equal(kind_of("", 1, 1, 1), MGL_VALUE_EMPTY);
}

static void one_value_in_ten_may_be_something_else(void **state)
{
    (void)state;
    made m;
    begin(&m);
    add_numbered(&m, "2020-01-%02d", 1, 9, 1);
    add(&m, "31.02.2020x", 1);
    assert_int_equal(look(&m, "x")->kind, MGL_VALUE_DATE);
    add(&m, "never", 1);
    assert_int_not_equal(look(&m, "x")->kind, MGL_VALUE_DATE);
    end(&m);
}

/* ---- Identifiers and topics ---------------------------------------------------------------- */

static void identifiers_are_told_by_name_and_by_look(void **state)
{
    (void)state;
    made m;
    begin(&m);
    add_numbered(&m, "p%d@example.org", 1, 30, 1);
    assert_string_equal(look(&m, "x")->looks->name, "an e-mail address");
    assert_null(m.profile.named);
    /* Half of the values decide. */
    add_numbered(&m, "none%d", 1, 30, 1);
    assert_non_null(look(&m, "x")->looks);
    add(&m, "one more", 1);
    assert_null(look(&m, "x")->looks);
    assert_string_equal(look(&m, "patientEmail")->named->name, "an e-mail address");
    end(&m);
}

static void topics_are_told_by_name(void **state)
{
    (void)state;
    assert_int_equal(mgl_topic_of("Date_of_Birth")->id, MGL_TOPIC_BIRTH);
    assert_int_equal(mgl_topic_of("Geschlecht")->id, MGL_TOPIC_BODY);
    assert_int_equal(mgl_topic_of("patient_id")->id, MGL_TOPIC_PERSON);
    assert_int_equal(mgl_topic_of("hhid")->id, MGL_TOPIC_HOUSEHOLD);
    assert_int_equal(mgl_topic_of("sampling_weight")->id, MGL_TOPIC_WEIGHT);
    assert_int_equal(mgl_topic_of("household_weights")->id, MGL_TOPIC_WEIGHT);
    assert_null(mgl_topic_of("platelets"));
}

/* ---- Judgements ---------------------------------------------------------------------------- */

/* alone values in one row each, and others in two. */
static bool singles_out(const char *format, int alone, int pairs, uint64_t missing)
{
    made m;
    begin(&m);
    add_numbered(&m, format, 1000, alone, 1);
    add_numbered(&m, format, 5000, pairs, 2);
    if (missing > 0)
        add_missing(&m, missing);
    bool found = mgl_profile_singles_out(look(&m, "x"));
    end(&m);
    return found;
}

static void half_of_the_rows_alone_single_out_whatever_the_shape(void **state)
{
    (void)state;
    static const char *const formats[] = {"%d",
                                          "2016.%d",
                                          "Anna Maria %d",
                                          "note about the visit of %d",
                                          "2020-01-01 10:%d",
                                          "%08d-1111-2222-3333-444444444444"};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        assert_true(singles_out(formats[i], 20, 10, 0));
        assert_false(singles_out(formats[i], 19, 10, 0));
        assert_true(singles_out(formats[i], 20, 10, 1000)); /* missing cells do not hide it */
        assert_false(singles_out(formats[i], 19, 0, 0));    /* too few to say so */
        assert_true(singles_out(formats[i], 20, 0, 0));
    }
}

static bool counts(int from, int step, int n)
{
    made m;
    begin(&m);
    for (int i = 0; i < n; i++)
        add_numbered(&m, "%d", from + i * step, 1, 1);
    bool found = mgl_profile_counts_rows(look(&m, "x"));
    end(&m);
    return found;
}

static void a_run_of_whole_numbers_counts_the_rows(void **state)
{
    (void)state;
    assert_true(counts(1, 1, 5));
    assert_true(counts(1000, 1, 300));
    assert_false(counts(1, 1, 4));
    assert_false(counts(1, 2, 300));
}

static void keys_are_told_from_amounts(void **state)
{
    (void)state;
    made m;
    begin(&m);
    add_numbered(&m, "%d7", 100000, 50, 1); /* equally long */
    assert_true(mgl_profile_is_key(look(&m, "x")));
    assert_false(mgl_profile_is_amount(&m.profile));
    end(&m);
    begin(&m);
    for (int i = 0; i < 60; i++)
        add_numbered(&m, "%d", i * i * i * 17, 1, 1); /* of many magnitudes */
    assert_false(mgl_profile_is_key(look(&m, "x")));
    assert_true(mgl_profile_is_amount(&m.profile));
    end(&m);
}

static void one_value_for_all_rows_is_constant(void **state)
{
    (void)state;
    made m;
    begin(&m);
    assert_true(mgl_profile_is_constant(look(&m, "x")));
    add(&m, "a", 10);
    assert_true(mgl_profile_is_constant(look(&m, "x")));
    add_missing(&m, 1);
    assert_false(mgl_profile_is_constant(look(&m, "x")));
    end(&m);
}

static void a_twentieth_of_the_rows_must_differ(void **state)
{
    (void)state;
    made m;
    begin(&m);
    add(&m, "no", 95);
    add(&m, "yes", 5);
    assert_true(mgl_profile_can_differ(look(&m, "x")));
    add(&m, "no", 6);
    assert_false(mgl_profile_can_differ(look(&m, "x")));
    end(&m);
}

static void weights_must_be_numbers_above_zero(void **state)
{
    (void)state;
    made m;
    begin(&m);
    add_numbered(&m, "%d.5", 10, 20, 2);
    assert_true(mgl_profile_is_weight(look(&m, "sampling_weight")));
    assert_false(mgl_profile_is_weight(look(&m, "weight"))); /* may be that of a body */
    add(&m, "0", 1);
    assert_false(mgl_profile_is_weight(look(&m, "sampling_weight")));
    end(&m);
}

/* ---- Missing codes and spellings
 * ------------------------------------------------------------------
 */

static void probable_codes_for_missing_are_found(void **state)
{
    (void)state;
    made m;
    begin(&m);
    add_numbered(&m, "%d", 18, 60, 3);
    add(&m, ".", 2);
    add(&m, "-99", 4);
    add(&m, "999", 5);
    const mgl_profile *p = look(&m, "age");
    assert_int_equal(p->kind, MGL_VALUE_INTEGER);
    assert_int_equal(p->n_codes, 3);
    assert_string_equal(p->codes[0].text, ".");
    assert_false(p->codes[0].number);
    assert_string_equal(p->codes[1].text, "-99");
    assert_int_equal(p->codes[1].rows, 4);
    assert_true(p->codes[1].number);
    end(&m);
}

static void numbers_that_fit_among_the_others_mean_themselves(void **state)
{
    (void)state;
    made m;
    begin(&m);
    add_numbered(&m, "%d", -120, 200, 1);
    add(&m, "-99", 1);
    assert_int_equal(look(&m, "x")->n_codes, 0);
    add_numbered(&m, "%d", 80, 30, 1);
    assert_int_equal(look(&m, "x")->n_codes, 0); /* 99 is among them */
    end(&m);
}

static void spellings_of_one_value_are_counted(void **state)
{
    (void)state;
    made m;
    begin(&m);
    add(&m, "Male", 5);
    add(&m, "female", 5);
    assert_int_equal(look(&m, "sex")->variants, 0);
    add(&m, "male ", 1);
    add(&m, "MALE", 1);
    assert_int_equal(look(&m, "sex")->variants, 3);
    add(&m, "MÜNCHEN", 1);
    add(&m, "München", 1);
    assert_int_equal(look(&m, "sex")->variants, 5);
    end(&m);
}

/* ---- Streams
 * --------------------------------------------------------------------------------------
 */

static void a_stream_gives_the_same_as_all_values(void **state)
{
    (void)state;
    made m;
    begin(&m);
    add_numbered(&m, "2020-01-%02d", 1, 28, 1);
    const mgl_profile *all = look(&m, "visit");
    mgl_profile p;
    mgl_profile_begin(&p, "visit");
    for (uint32_t code = 0; code < mgl_dictionary_size(m.values); code++)
        mgl_profile_look(&p, mgl_dictionary_value(m.values, code));
    p.rows = p.distinct = p.alone = 28;
    mgl_profile_end(&p);
    assert_int_equal(p.kind, all->kind);
    assert_ptr_equal(p.topic, all->topic);
    assert_int_equal(mgl_profile_singles_out(&p), mgl_profile_singles_out(all));
    end(&m);
}

/* ---- Persons
 * ---------------------------------------------------------------------------------------
 */

static mgl_person_id person_id(const char *name, const char *format, int n, uint64_t rows)
{
    made m;
    begin(&m);
    add_numbered(&m, format, 100, n, rows);
    mgl_person_id id = mgl_profile_person_id(look(&m, name));
    end(&m);
    return id;
}

static void ids_of_persons_are_no_names_households_or_categories(void **state)
{
    (void)state;
    assert_int_equal(person_id("patient_id", "%d", 60, 3), MGL_PERSON_BY_NAME);
    assert_int_equal(person_id("id", "%d", 10, 3), MGL_PERSON_BY_NAME);
    assert_int_equal(person_id("patient_id", "%d", 60, 1),
                     MGL_PERSON_BY_NOTHING); /* no repetition */
    assert_int_equal(person_id("first_name", "N%d", 60, 3), MGL_PERSON_BY_NOTHING);
    assert_int_equal(person_id("Teilnehmer-Nr", "x%d", 30, 3), MGL_PERSON_BY_NAME);
    assert_int_equal(person_id("driver age", "%d", 30, 3), MGL_PERSON_BY_NOTHING);
    assert_int_equal(person_id("household_id", "%d", 60, 3), MGL_PERSON_BY_NOTHING);
    assert_int_equal(person_id("zip", "%d", 60, 3), MGL_PERSON_BY_NOTHING);
    assert_int_equal(person_id("nr", "%d", 51, 3), MGL_PERSON_BY_TRAITS);
    assert_int_equal(person_id("nr", "%d", 50, 3), MGL_PERSON_BY_TRAITS);
    assert_int_equal(person_id("nr", "%d", 7, 3), MGL_PERSON_BY_NOTHING);
    assert_int_equal(person_id("nr", "7%d0", 50, 10), MGL_PERSON_BY_KEY);  /* equally long */
    assert_int_equal(person_id("nr", "%d", 50, 10), MGL_PERSON_BY_TRAITS); /* but short */
    assert_int_equal(person_id("nr", "m.l%dx", 30, 10), MGL_PERSON_BY_KEY);
    assert_int_equal(person_id("nr", "7%d0", 50, 31), MGL_PERSON_BY_TRAITS); /* many rows each */
    assert_int_equal(person_id("nr", "P%d", 8, 400), MGL_PERSON_BY_TRAITS);
    assert_int_equal(person_id("nr", "P%d", 7, 400), MGL_PERSON_BY_NOTHING);
    assert_int_equal(person_id("city", "P%d", 8, 400), MGL_PERSON_BY_NOTHING);
}

static void telephones_and_drawn_codes_can_be_ids_of_persons(void **state)
{
    (void)state;
    assert_int_equal(person_id("x", "+49 711 %d", 60, 3), MGL_PERSON_BY_FORM);
    assert_int_equal(person_id("income", "@ann_o%d", 60, 3), MGL_PERSON_BY_FORM);
    assert_int_equal(person_id("x", "+49 711 %d", 60, 40), MGL_PERSON_BY_NOTHING);
    made m;
    begin(&m);
    for (int i = 0; i < 30; i++) { /* of several lengths and patterns */
        char text[40];
        snprintf(text, sizeof text, "%cx%dq%c%d", 'a' + i % 7, i * i * 37, 'b' + i % 5, i * 911);
        if (i % 3 == 0)
            text[1] = '5';
        add(&m, text, 4);
    }
    assert_int_equal(mgl_profile_person_id(look(&m, "hiv")), MGL_PERSON_BY_FORM);
    assert_true(mgl_profile_may_be_persons(&m.profile));
    assert_false(mgl_profile_is_miscalled(&m.profile));
    end(&m);
    begin(&m);
    add_numbered(&m, "E%d", 10, 30, 4);
    assert_true(mgl_profile_may_be_persons(look(&m, "diagnosis")));
    assert_true(mgl_profile_is_miscalled(&m.profile));
    assert_false(mgl_profile_may_be_persons(look(&m, "city")));
    end(&m);
    begin(&m);
    add_numbered(&m, "820%d-3672", 100, 30, 4); /* longer than a code of a diagnosis */
    assert_false(mgl_profile_is_miscalled(look(&m, "diagnosis")));
    end(&m);
}

static void a_misleading_name_takes_one_point_more(void **state)
{
    (void)state;
    mgl_person_evidence e = {.others_same = 1, .points = 1, .repeated = 60, .in_doubt = true};
    assert_true(mgl_person_is_proved(MGL_PERSON_BY_KEY, &e));
    e.miscalled = true;
    assert_false(mgl_person_is_proved(MGL_PERSON_BY_KEY, &e));
    e.points = 2;
    assert_true(mgl_person_is_proved(MGL_PERSON_BY_KEY, &e));
    e.repeated = 7;
    assert_false(mgl_person_is_proved(MGL_PERSON_BY_KEY, &e));
}

static void in_doubt_ids_are_those_of_persons(void **state)
{
    (void)state;
    mgl_person_evidence e = {.others_same = 1, .points = 1, .repeated = 8, .in_doubt = true};
    assert_true(mgl_person_is_proved(MGL_PERSON_BY_KEY, &e));
    e.repeated = 7; /* two rows of a few ids are equal by chance */
    assert_false(mgl_person_is_proved(MGL_PERSON_BY_KEY, &e));
    e.points = 3;
    assert_true(mgl_person_is_proved(MGL_PERSON_BY_KEY, &e));
    e.repeated = 3;
    assert_false(mgl_person_is_proved(MGL_PERSON_BY_KEY, &e));
    e = (mgl_person_evidence){.others_same = 1, .points = 1, .repeated = 60, .in_doubt = true};
    assert_true(mgl_person_is_proved(MGL_PERSON_BY_KEY, &e));
    e.amounts = 1; /* goods have prices */
    assert_false(mgl_person_is_proved(MGL_PERSON_BY_KEY, &e));
}

static void few_names_are_proved_as_others_are(void **state)
{
    (void)state;
    mgl_person_evidence e = {
        .others_same = 2, .points = 3, .personal = true, .repeated = 12, .rows = 10};
    assert_true(mgl_person_is_proved(MGL_PERSON_BY_CONTENT, &e));
    e.points = 2;
    assert_false(mgl_person_is_proved(MGL_PERSON_BY_CONTENT, &e));
    e.rows = 20;
    assert_true(mgl_person_is_proved(MGL_PERSON_BY_CONTENT, &e));
    e.many = true;
    assert_false(mgl_person_is_proved(MGL_PERSON_BY_CONTENT, &e));
    e.many = false;
    e.repeated = 3;
    assert_false(mgl_person_is_proved(MGL_PERSON_BY_CONTENT, &e));
}

static void many_rows_are_not_equal_by_chance(void **state)
{
    (void)state;
    mgl_person_evidence e = {
        .others_same = 2, .points = 3, .personal = true, .repeated = 9, .rows = 100};
    assert_true(mgl_person_is_proved(MGL_PERSON_BY_TRAITS, &e));
    e.rows = 15;
    assert_false(mgl_person_is_proved(MGL_PERSON_BY_TRAITS, &e));
    e = (mgl_person_evidence){.others_same = 4, .points = 4, .repeated = 60, .rows = 100};
    assert_false(mgl_person_is_proved(MGL_PERSON_BY_TRAITS, &e)); /* buildings have as much */
}

/* Are ten persons of so many whole numbers, from `low` on in steps, known by what is as ages are?
 */
static bool are_like_ages(int low, int step, int n)
{
    made m;
    char value[16];
    begin(&m);
    for (int i = 0; i < n; i++) {
        snprintf(value, sizeof value, "%d", low + i * step);
        add(&m, value, 10);
    }
    bool personal = mgl_profile_is_personal(look(&m, "gaxo"));
    end(&m);
    return personal;
}

static void few_ages_and_heights_have_gaps(void **state)
{
    (void)state;
    assert_true(are_like_ages(167, 2, 6));
    assert_true(are_like_ages(21, 7, 7));
    assert_false(are_like_ages(167, 1, 7));
    assert_true(are_like_ages(167, 1, 8));
    assert_false(are_like_ages(167, 2, 5));
    assert_false(are_like_ages(300, 2, 8));
}

static void words_for_missing_are_no_values(void **state)
{
    (void)state;
    made m;
    begin(&m);
    add_numbered(&m, "Q%d-%d", 4700, 60, 1);
    add(&m, "n/a", 140);
    const mgl_profile *p = look(&m, "gaxo");
    assert_true(mgl_profile_alone_share(p) >= 1);
    assert_int_equal(p->most, 1);
    assert_int_equal(mgl_profile_identity(p), MGL_IDENTITY_KEY);
    end(&m);
}

static void traits_prove_or_refute_a_person(void **state)
{
    (void)state;
    mgl_person_evidence e = {
        .traits = 1, .traits_same = 1, .points = 2, .personal = true, .repeated = 60};
    assert_true(mgl_person_is_proved(MGL_PERSON_BY_NAME, &e));
    assert_false(mgl_person_is_proved(MGL_PERSON_BY_TRAITS, &e));
    e.points = 6;
    assert_true(mgl_person_is_proved(MGL_PERSON_BY_TRAITS, &e));
    assert_true(mgl_person_is_proved(MGL_PERSON_BY_KEY, &e));
    e.traits = 2; /* one of them varies: a household */
    assert_false(mgl_person_is_proved(MGL_PERSON_BY_NAME, &e));
    assert_false(mgl_person_is_proved(MGL_PERSON_BY_KEY, &e));
    e = (mgl_person_evidence){.persons = 60, .repeated = 60};
    assert_false(mgl_person_is_proved(MGL_PERSON_BY_NAME, &e)); /* nothing speaks for it */
    e.others_same = 1;
    assert_true(mgl_person_is_proved(MGL_PERSON_BY_NAME, &e));
    assert_false(mgl_person_is_proved(MGL_PERSON_BY_KEY, &e));
    e = (mgl_person_evidence){.others_same = 2, .points = 3, .personal = true, .repeated = 60};
    assert_true(mgl_person_is_proved(MGL_PERSON_BY_KEY, &e));
    e.many = true; /* other persons within it: a ward */
    assert_false(mgl_person_is_proved(MGL_PERSON_BY_KEY, &e));
    assert_true(mgl_person_is_proved(MGL_PERSON_BY_NAME, &e));
}

static void few_persons_are_proved_by_more(void **state)
{
    (void)state;
    mgl_person_evidence e = {.others_same = 2, .points = 3, .personal = true, .repeated = 12};
    assert_true(mgl_person_is_proved(MGL_PERSON_BY_FORM, &e));
    assert_false(mgl_person_is_proved(MGL_PERSON_BY_KEY, &e));
    assert_false(mgl_person_is_proved(MGL_PERSON_BY_TRAITS, &e));
    e.points = 4;
    assert_true(mgl_person_is_proved(MGL_PERSON_BY_KEY, &e));
    e.repeated = 7;
    assert_false(mgl_person_is_proved(MGL_PERSON_BY_KEY, &e));
    e.points = 5;
    assert_true(mgl_person_is_proved(MGL_PERSON_BY_KEY, &e));
    e.repeated = 3;
    assert_false(mgl_person_is_proved(MGL_PERSON_BY_KEY, &e));
}

static void attributes_of_things_prove_no_person(void **state)
{
    (void)state;
    /* Category, brand and price of goods; two answers beside them. */
    mgl_person_evidence e = {.others_same = 4, .points = 4, .repeated = 40};
    assert_false(mgl_person_is_proved(MGL_PERSON_BY_KEY, &e));
    assert_false(mgl_person_is_proved(MGL_PERSON_BY_TRAITS, &e));
    assert_true(mgl_person_is_proved(MGL_PERSON_BY_FORM, &e));
    e.points = 5;
    assert_true(mgl_person_is_proved(MGL_PERSON_BY_KEY, &e));
}

/* Of n values that the format makes of numbers from `from` on, in five rows each. */
static unsigned points_of(const char *name, const char *format, int from, int n)
{
    made m;
    begin(&m);
    add_numbered(&m, format, from, n, 5);
    unsigned points = mgl_profile_points(look(&m, name));
    end(&m);
    return points;
}

static void columns_tell_more_or_less_of_persons(void **state)
{
    (void)state;
    assert_int_equal(points_of("sex", "%d", 1, 2), MGL_POINTS_OF_TRAITS);
    assert_int_equal(points_of("gaxo", "19%d-05-11", 40, 50), MGL_POINTS_OF_TRAITS);
    assert_int_equal(points_of("gaxo", "%d", 1940, 50), MGL_POINTS_OF_PERSONS); /* years */
    assert_int_equal(points_of("gaxo", "%d", 18, 50), MGL_POINTS_OF_PERSONS);   /* ages */
    assert_int_equal(points_of("gaxo", "q%c", 'a', 2), MGL_POINTS_OF_PERSONS);  /* sexes */
    assert_int_equal(points_of("gaxo", "q%c", 'a', 5), MGL_POINTS_OF_CATEGORIES);
    assert_int_equal(points_of("gaxo", "%d.99", 3, 30), MGL_POINTS_OF_OBJECTS); /* prices */
    assert_int_equal(points_of("gaxo", "%d", 370, 30), MGL_POINTS_OF_OBJECTS);
}

/* ids persons with two rows each, of one sex; every fourth changes it if they are no persons. */
static bool stream_is_persons(int ids, bool varies, uint64_t *persons)
{
    static const bool traits[] = {true};
    mgl_error err = {0};
    mgl_repeats *repeats;
    assert_int_equal(mgl_repeats_new("patient", traits, 1, &err, &repeats), MGL_OK);
    for (int i = 0; i < 2 * ids; i++) {
        char text[16];
        int id = i % ids;
        snprintf(text, sizeof text, "p%d", id);
        uint32_t sex = (uint32_t)(id % 2) ^ (uint32_t)(varies && i >= ids && id % 4 == 0);
        mgl_repeats_watch(repeats, mgl_span_of(text), &sex);
    }
    assert_int_equal(mgl_repeats_rows(repeats), 2 * ids);
    bool found = mgl_repeats_are_persons(repeats, persons);
    mgl_repeats_free(repeats);
    return found;
}

static void persons_are_found_in_a_stream(void **state)
{
    (void)state;
    uint64_t persons;
    assert_true(stream_is_persons(100, false, &persons));
    assert_int_equal(persons, 100);
    assert_false(stream_is_persons(100, true, &persons));
    /* More values than are sampled: the number is an estimate. */
    assert_true(stream_is_persons(20000, false, &persons));
    assert_in_range(persons, 15000, 25000);
    assert_false(stream_is_persons(20000, true, &persons));
}

/* 200 rows of n full names, each of one sex. */
static bool names_are_persons(int n)
{
    static const bool traits[] = {true};
    mgl_error err = {0};
    mgl_repeats *repeats;
    uint64_t persons;
    assert_int_equal(mgl_repeats_new("name", traits, 1, &err, &repeats), MGL_OK);
    for (int i = 0; i < 200; i++) {
        char text[32];
        int id = i % n;
        snprintf(text, sizeof text, "%c%s %c%s", 'A' + id % 19, id % 2 == 0 ? "lbert" : "nna",
                 'B' + id % 17, id % 3 == 0 ? "oller" : "andt");
        uint32_t sex = (uint32_t)(id % 2);
        mgl_repeats_watch(repeats, mgl_span_of(text), &sex);
    }
    bool found = mgl_repeats_are_persons(repeats, &persons);
    mgl_repeats_free(repeats);
    return found;
}

static void namesakes_have_their_sex_in_common(void **state)
{
    (void)state;
    assert_false(names_are_persons(170));
    assert_true(names_are_persons(50));
}

static void put(mgl_table *table, size_t row, size_t column, const char *value)
{
    mgl_column *c = &table->columns[column];
    mgl_column_set(c, row, mgl_dictionary_add(c->dictionary, mgl_span_of(value)));
}

/* 20 ids of two rows each; of `varying` of them the second row has another value. */
static mgl_within within(int varying)
{
    mgl_error err = {0};
    mgl_within found;
    mgl_table *table = mgl_table_new(2);
    assert_non_null(table);
    for (size_t c = 0; c < 2; c++)
        assert_true(mgl_column_reserve(&table->columns[c], 0, 40));
    table->n_rows = 40;
    for (int i = 0; i < 40; i++) {
        char id[8];
        snprintf(id, sizeof id, "%d", i % 20);
        put(table, (size_t)i, 0, id);
        put(table, (size_t)i, 1, i >= 20 && i - 20 < varying ? "f" : "m");
    }
    assert_int_equal(mgl_within_find(table, &table->columns[0], &table->columns[1], &err, &found),
                     MGL_OK);
    mgl_table_free(table);
    return found;
}

static void nineteen_of_twenty_ids_must_not_vary(void **state)
{
    (void)state;
    mgl_within none = within(0), one = within(1), two = within(2);
    assert_int_equal(none.ids, 20);
    assert_int_equal(none.repeated, 20);
    assert_int_equal(none.same, 20);
    assert_true(mgl_within_holds(&one));
    assert_false(mgl_within_holds(&two));
}

/* So many ids, no multiple of seven; the other value is of a group of so many neighbours; 0: of
 * every fourth. */
static bool follows(int ids, int groups)
{
    mgl_error err = {0};
    bool found = false;
    mgl_table *table = mgl_table_new(2);
    assert_non_null(table);
    for (size_t c = 0; c < 2; c++)
        assert_true(mgl_column_reserve(&table->columns[c], 0, 80));
    table->n_rows = 2 * (size_t)ids;
    for (int i = 0; i < 2 * ids; i++) {
        char id[16], group[16];
        int number = i * 7 % ids;
        snprintf(id, sizeof id, "%d", number);
        snprintf(group, sizeof group, "g%d", groups > 0 ? number / groups : number % 4);
        put(table, (size_t)i, 0, id);
        put(table, (size_t)i, 1, group);
    }
    assert_int_equal(
        mgl_within_follows(table, &table->columns[0], &table->columns[1], &err, &found), MGL_OK);
    mgl_table_free(table);
    return found;
}

static void groups_follow_numbers(void **state)
{
    (void)state;
    assert_true(follows(40, 10));
    assert_false(follows(40, 0));
    assert_false(follows(40, 1)); /* each has one of its own: births */
    assert_true(follows(20, 10));
    assert_false(follows(10, 5)); /* ten persons, the men in front, can be chance */
}

/* 20 ids with four rows each, whose values lie so many years apart. */
static bool lies_apart(const char *name, const char *format, int from, int apart)
{
    made m;
    mgl_error err = {0};
    bool found = false;
    mgl_table *table = mgl_table_new(2);
    assert_non_null(table);
    for (size_t c = 0; c < 2; c++)
        assert_true(mgl_column_reserve(&table->columns[c], 0, 80));
    table->n_rows = 80;
    begin(&m);
    for (int i = 0; i < 80; i++) {
        char id[16], text[32];
        snprintf(id, sizeof id, "w%d", i % 20);
        snprintf(text, sizeof text, format, from + i % 20 % 9 + i / 20 * apart / 3);
        put(table, (size_t)i, 0, id);
        put(table, (size_t)i, 1, text);
        add(&m, text, 1);
    }
    assert_int_equal(mgl_within_lies_apart(table, &table->columns[0], &table->columns[1],
                                           look(&m, name), &err, &found),
                     MGL_OK);
    end(&m);
    mgl_table_free(table);
    return found;
}

static void births_of_many_lie_far_apart(void **state)
{
    (void)state;
    assert_true(lies_apart("gaxo", "%d", 1935, 60));
    assert_true(lies_apart("gaxo", "%d-11-30", 1935, 60));
    assert_true(lies_apart("gaxo", "30.11.%d", 1935, 60));
    assert_false(lies_apart("gaxo", "%d-11-30", 1985, 30)); /* what happens to one */
    assert_true(lies_apart("age", "%d", 20, 40));
    assert_false(lies_apart("age", "%d", 20, 12));
    assert_false(lies_apart("gaxo", "%d", 20, 60)); /* may be anything */
}

/* ---- Identifiers by content ----------------------------------------------------------------- */

static mgl_identity identity_of(const char *name, const char *format, int n, uint64_t rows)
{
    made m;
    begin(&m);
    add_numbered(&m, format, 100, n, rows);
    mgl_identity identity = mgl_profile_identity(look(&m, name));
    end(&m);
    return identity;
}

/* Full names put together from two lists of words, each in so many rows. */
static mgl_identity identity_of_names(const char *const *first, size_t n_first,
                                      const char *const *last, size_t n_last, uint64_t rows)
{
    made m;
    begin(&m);
    for (size_t i = 0; i < n_first; i++)
        for (size_t j = 0; j < 2 * n_last; j++) {
            char text[120];
            snprintf(text, sizeof text, "%s %s%s", first[i], last[j / 2],
                     j % 2 > 0 ? first[i] : "");
            add(&m, text, rows);
        }
    mgl_identity identity = mgl_profile_identity(look(&m, "party"));
    end(&m);
    return identity;
}

static void names_are_known_in_any_script(void **state)
{
    (void)state;
    static const char *const latin[] = {"Oda", "Ubo", "Ila", "Ane", "Ruk", "Sib", "Tov", "Wim"};
    static const char *const small[] = {"oda", "ubo", "ila", "ane", "ruk", "sib", "tov", "wim"};
    static const char *const cyrillic[] = {"Ода", "Убо", "Ила", "Ане", "Рук", "Сиб", "Тов", "Вим"};
    static const char *const arabic[] = {"عدا", "وبو", "يلا", "انه", "روك", "سيب", "توف", "ويم"};
    static const char *const thai[] = {"กาน", "ขาน", "คาน", "งาน", "จาน", "ชาน", "ดาน", "ตาน"};
    assert_int_equal(identity_of_names(latin, 8, latin, 8, 1), MGL_IDENTITY_PERSON);
    assert_int_equal(identity_of_names(latin, 8, latin, 8, 6), MGL_IDENTITY_PERSON);
    assert_int_equal(identity_of_names(small, 8, small, 8, 6), MGL_IDENTITY_PERSON);
    assert_int_equal(identity_of_names(cyrillic, 8, cyrillic, 8, 6), MGL_IDENTITY_PERSON);
    assert_int_equal(identity_of_names(arabic, 8, arabic, 8, 6), MGL_IDENTITY_PERSON);
    assert_int_equal(identity_of_names(thai, 8, thai, 8, 1), MGL_IDENTITY_PERSON);
    /* Few that repeat are categories; a second word in small letters is no surname. */
    assert_int_equal(identity_of_names(latin, 4, latin, 6, 12), MGL_IDENTITY_NONE);
    assert_int_equal(identity_of_names(latin, 8, small, 8, 6), MGL_IDENTITY_NONE);
}

static mgl_identity identity_of_series(const char *format, int from, int n, uint64_t rows)
{
    made m;
    begin(&m);
    add_numbered(&m, format, from, n, rows);
    mgl_identity identity = mgl_profile_identity(look(&m, "city"));
    end(&m);
    return identity;
}

/* Numbers with a peak, between two texts. */
static mgl_identity identity_of_measures(const char *before, const char *behind)
{
    made m;
    begin(&m);
    for (int i = 0; i < 200; i++) {
        char text[80];
        int at = (i - 100) * (i < 100 ? 100 - i : i - 100);
        snprintf(text, sizeof text, "%s%d.%02d%s", before, 20111 + at, i % 97, behind);
        add(&m, text, 1);
    }
    mgl_identity identity = mgl_profile_identity(look(&m, "qorf"));
    end(&m);
    return identity;
}

static void amounts_with_units_are_no_keys(void **state)
{
    (void)state;
    assert_int_equal(identity_of_measures("$", ""), MGL_IDENTITY_NONE);
    assert_int_equal(identity_of_measures("", " €"), MGL_IDENTITY_NONE);
    assert_int_equal(identity_of_measures("CHF ", ""), MGL_IDENTITY_NONE);
    assert_int_equal(identity_of_measures("", "kg"), MGL_IDENTITY_NONE);
    assert_int_equal(identity_of_measures("(", ")"), MGL_IDENTITY_NONE); /* below zero */
    assert_int_equal(identity_of_series("(0711) %d", 210411, 200, 1), MGL_IDENTITY_CONTACT);
    /* Letters and signs make no amount of a key. */
    assert_int_not_equal(identity_of_series("ID %d", 210411, 200, 1), MGL_IDENTITY_NONE);
    assert_int_not_equal(identity_of_series("%d KB", 4210411, 200, 1), MGL_IDENTITY_NONE);
    assert_int_not_equal(identity_of_series("#%d", 210411, 200, 1), MGL_IDENTITY_NONE);
    assert_int_not_equal(identity_of_series("$%d", 210411, 200, 1), MGL_IDENTITY_NONE);
}

static void few_keys_repeat_as_persons_do(void **state)
{
    (void)state;
    assert_int_equal(identity_of_series("48%03d71", 101, 40, 8), MGL_IDENTITY_REPEATS);
    assert_int_equal(identity_of_series("B-KV%05d", 11101, 40, 8), MGL_IDENTITY_REPEATS);
    assert_int_equal(identity_of_series("%d", 1, 150, 8), MGL_IDENTITY_REPEATS);
    assert_int_equal(identity_of_series("%d", 1, 90, 8), MGL_IDENTITY_NONE);
    assert_int_equal(identity_of_series("%d", 0, 102, 8), MGL_IDENTITY_REPEATS);
    assert_int_equal(identity_of_series("%d", 0, 101, 8), MGL_IDENTITY_NONE); /* marks, shares */
    assert_int_equal(identity_of_series("I%d", 11, 40, 8), MGL_IDENTITY_NONE);
    assert_int_equal(identity_of_series("%d-07", 1900, 120, 8), MGL_IDENTITY_NONE);
    assert_int_equal(identity_of_series("%d-Q3", 1900, 120, 8), MGL_IDENTITY_NONE);
}

static void numbers_that_a_spreadsheet_has_cut_are_keys(void **state)
{
    (void)state;
    assert_int_equal(identity_of_series("4.%04d7E+11", 1101, 60, 1), MGL_IDENTITY_KEY);
    assert_int_equal(identity_of_series("4.%04d7E-03", 1101, 60, 1), MGL_IDENTITY_NONE);
}

static void titles_and_initials_name_persons(void **state)
{
    (void)state;
    made m;
    begin(&m);
    add_numbered(&m, "came alone on day %d", 1, 50, 5);
    add(&m, "kam mit Frau Osgood", 3);
    add(&m, "kam mit Dr. Tove", 3);
    add(&m, "seen by Mrs Amble", 3);
    assert_int_equal(mgl_profile_identity(look(&m, "note")), MGL_IDENTITY_PERSON);
    end(&m);
    static const char *const initials[] = {"J. Osgood", "R. K. Amble", "Tove, S.", "L. Berg"};
    static const char *const grades[] = {"Hepatitis A", "Hepatitis B", "Type I", "Type II"};
    begin(&m);
    for (size_t i = 0; i < 4; i++)
        add(&m, initials[i], 9);
    assert_int_equal(mgl_profile_identity(look(&m, "x")), MGL_IDENTITY_PERSON);
    end(&m);
    begin(&m);
    for (size_t i = 0; i < 4; i++)
        add(&m, grades[i], 9);
    assert_int_equal(mgl_profile_identity(look(&m, "x")), MGL_IDENTITY_NONE);
    end(&m);
}

/* Notes of which n name somebody, each in so many rows. */
static mgl_identity identity_of_notes(const char *format, int n, uint64_t rows)
{
    static const char *const names[] = {"Ann Osgood",  "Tove Amble", "R. Berg",   "Ubo Ruk",
                                        "Ila Sibbern", "Ane Wimmer", "Oda Tovik", "Per Ilsen"};
    made m;
    begin(&m);
    add(&m, "ok", 40);
    add(&m, "call back", 30);
    add(&m, "new address needed", 30);
    for (int i = 0; i < n; i++) {
        char text[80];
        snprintf(text, sizeof text, format, names[i]);
        add(&m, text, rows);
    }
    mgl_identity identity = mgl_profile_identity(look(&m, "symptom"));
    end(&m);
    return identity;
}

static void notes_name_persons_without_titles(void **state)
{
    (void)state;
    assert_int_equal(identity_of_notes("spoke to %s about the rent", 8, 1), MGL_IDENTITY_PERSON);
    assert_int_equal(identity_of_notes("%s called", 4, 1), MGL_IDENTITY_PERSON);
    /* Proper nouns of categories come again; a single note can be about anything. */
    assert_int_equal(identity_of_notes("went to %s hospital", 8, 3), MGL_IDENTITY_NONE);
    assert_int_equal(identity_of_notes("spoke to %s", 1, 1), MGL_IDENTITY_NONE);
}

static void surnames_of_mentioned_persons_come_again(void **state)
{
    static const char *const given[] = {"Ann", "Tove", "Ubo", "Ila", "Ane", "Oda", "Per", "Siv"};
    static const char *const surnames[] = {"Osgood", "Amble", "Berg", "Ruk", "Sibbern"};
    (void)state;
    made m;
    begin(&m);
    add(&m, "call back", 100);
    for (size_t i = 0; i < 40; i++) {
        char text[80];
        snprintf(text, sizeof text, "called again [%s %s]", given[i % 8], surnames[i % 5]);
        add(&m, text, 1);
    }
    assert_int_equal(mgl_profile_identity(look(&m, "comment")), MGL_IDENTITY_PERSON);
    end(&m);
}

/* Notes of which every eighth ends in such a text. */
static mgl_identity identity_of_ends(const char *name, const char *format)
{
    made m;
    begin(&m);
    add_numbered(&m, "came on day %d", 1, 35, 6);
    add_numbered(&m, format, 21, 5, 6);
    mgl_identity identity = mgl_profile_identity(look(&m, name));
    end(&m);
    return identity;
}

static void addresses_and_telephones_within_texts_identify(void **state)
{
    (void)state;
    assert_int_equal(identity_of_ends("salary", "wrote to a.tove%d@post.example"),
                     MGL_IDENTITY_TEXT);
    assert_int_equal(identity_of_ends("salary", "see (https://example.org/u/%d)."),
                     MGL_IDENTITY_TEXT);
    assert_int_equal(identity_of_ends("salary", "call +49 (0) 711 1234%d"), MGL_IDENTITY_TEXT);
    assert_int_equal(identity_of_ends("salary", "paid DE68 210501700012345678 and %d"),
                     MGL_IDENTITY_NONE); /* not by its check digits */
    assert_int_equal(identity_of_ends("salary", "paid @ %d.50 each"), MGL_IDENTITY_NONE);
    assert_int_equal(identity_of_ends("salary", "C++ and +%d more"), MGL_IDENTITY_NONE);
}

/* Days with a month that format has as a text. */
static mgl_identity identity_of_days(const char *format, const char *const *months, size_t n_months)
{
    made m;
    begin(&m);
    for (unsigned i = 0; i < 200; i++) {
        char text[80];
        snprintf(text, sizeof text, format, 1 + i * 7 % 28, months[i % n_months],
                 1930 + i * 11 % 80);
        add(&m, text, 1);
    }
    mgl_identity identity = mgl_profile_identity(look(&m, "x"));
    end(&m);
    return identity;
}

static void days_with_names_of_months_are_no_addresses_or_keys(void **state)
{
    static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May"};
    static const char *const forms[] = {"%02u %s %u", "%02u%s%u", "%u-%s-%u 10:30:00", "%u. %s %u",
                                        "%u de %s de %u"};
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        assert_int_equal(identity_of_days(forms[i], months, 5), MGL_IDENTITY_NONE);
    made m;
    begin(&m);
    for (int i = 0; i < 200; i++) { /* a postal code that could be a year */
        char text[80];
        snprintf(text, sizeof text, "%d rue %cta%cko%c 2000", 1 + i % 28, 'A' + i % 26,
                 'a' + i % 23, 'a' + i % 7);
        add(&m, text, 1);
    }
    assert_int_not_equal(mgl_profile_identity(look(&m, "x")), MGL_IDENTITY_NONE);
    end(&m);
}

static void days_without_zeros_in_front_are_no_telephones(void **state)
{
    (void)state;
    made m;
    begin(&m);
    for (int i = 0; i < 300; i++) {
        char text[80];
        snprintf(text, sizeof text, "%d/%d/%d", 1 + i % 9, 10 + i % 19, 1930 + i * 11 % 80);
        add(&m, text, 1);
    }
    assert_null(look(&m, "x")->looks);
    assert_int_equal(m.profile.kind, MGL_VALUE_DATE);
    assert_int_equal(mgl_profile_identity(&m.profile), MGL_IDENTITY_NONE);
    end(&m);
}

static void addresses_have_house_numbers_before_the_town(void **state)
{
    (void)state;
    made m;
    begin(&m);
    for (int i = 0; i < 90; i++) {
        char text[80];
        snprintf(text, sizeof text, "%cta%cweg %d, 10%03d Berlin", 'A' + i % 26, 'a' + i % 23,
                 1 + i, 7 * i);
        add(&m, text, 4);
    }
    assert_int_equal(mgl_profile_identity(look(&m, "savings")), MGL_IDENTITY_ADDRESS);
    assert_int_equal(mgl_profile_person_id(&m.profile), MGL_PERSON_BY_FORM);
    end(&m);
}

/* The i-th of some numbers that look drawn. */
static uint64_t drawn(uint64_t i)
{
    return (i + 1) * UINT64_C(0x9E3779B97F4A7C15) >> 20;
}

static mgl_number_form form_of(uint64_t (*number)(uint64_t), const char *format)
{
    made m;
    begin(&m);
    for (uint64_t i = 0; i < 300; i++) {
        char text[40];
        snprintf(text, sizeof text, format, (unsigned long long)number(i));
        add(&m, text, 1);
    }
    mgl_number_form form = look(&m, "x")->content.numbers;
    end(&m);
    return form;
}

static uint64_t nine_digits(uint64_t i)
{
    return 100000000 + drawn(i) % 900000000;
}

static uint64_t mixed_lengths(uint64_t i)
{
    static const uint64_t least[] = {10000000, 100000000, 1000000000, 10000000000};
    return least[i % 4] + drawn(i) % (9 * least[i % 4]);
}

static uint64_t numbered(uint64_t i)
{
    return 40000 + 3 * (i * 7 % 300);
}

/* A product of four draws is skewed. */
static uint64_t skewed(uint64_t i)
{
    double x = 1000;
    for (uint64_t d = 0; d < 4; d++)
        x *= 0.5 + (double)(drawn(4 * i + d) % 1000) / 500;
    return (uint64_t)x;
}

/* A sum of six draws has a peak. */
static uint64_t peaked(uint64_t i)
{
    uint64_t x = 20000;
    for (uint64_t d = 0; d < 6; d++)
        x += drawn(6 * i + d) % 12000;
    return x;
}

/* 17 digits, and every tenth of them with X as check digit. */
static void a_letter_behind_digits_is_a_check_character(void **state)
{
    (void)state;
    made m;
    begin(&m);
    for (uint64_t i = 0; i < 60; i++) {
        char text[40];
        snprintf(text, sizeof text, "4401061950%07llu%c", (unsigned long long)(drawn(i) % 10000000),
                 i % 10 == 0 ? 'X' : '4');
        add(&m, text, 1);
    }
    assert_int_equal(mgl_profile_identity(look(&m, "tax")), MGL_IDENTITY_KEY);
    end(&m);
}

static uint64_t compact_days(uint64_t i)
{
    return (1940 + drawn(i) % 70) * 10000 + (1 + drawn(i + 999) % 12) * 100 + 1 +
           drawn(i + 77) % 28;
}

static void keys_and_amounts_have_forms(void **state)
{
    (void)state;
    assert_int_equal(form_of(nine_digits, "%llu"), MGL_NUMBERS_KEY);
    assert_int_equal(form_of(nine_digits, "%llu.0"), MGL_NUMBERS_KEY);
    assert_int_equal(form_of(nine_digits, "00%llu"), MGL_NUMBERS_KEY);
    assert_int_equal(form_of(mixed_lengths, "%llu"), MGL_NUMBERS_KEY);
    assert_int_equal(form_of(numbered, "%llu"), MGL_NUMBERS_KEY);
    assert_int_equal(form_of(skewed, "%llu"), MGL_NUMBERS_AMOUNT);
    assert_int_equal(form_of(peaked, "%llu"), MGL_NUMBERS_AMOUNT);
    assert_int_equal(form_of(skewed, "-%llu"), MGL_NUMBERS_AMOUNT);
    assert_int_equal(form_of(nine_digits, "-%llu"), MGL_NUMBERS_KEY);
    assert_int_equal(form_of(nine_digits, "%llu.25"), MGL_NUMBERS_AMOUNT);
    assert_int_equal(form_of(compact_days, "%llu"), MGL_NUMBERS_DATE);
}

static void content_decides_before_the_name(void **state)
{
    (void)state;
    assert_int_equal(identity_of("diagnosis", "X%d-A", 60, 1), MGL_IDENTITY_KEY);
    assert_int_equal(identity_of("city", "p%d@example.org", 60, 3), MGL_IDENTITY_CONTACT);
    assert_int_equal(identity_of("party", "0711/12%d", 60, 3), MGL_IDENTITY_CONTACT);
    assert_int_equal(identity_of("party", "0171-44%d9", 60, 3), MGL_IDENTITY_CONTACT);
    assert_int_equal(identity_of("revenu", "@ann_o%d", 60, 3), MGL_IDENTITY_CONTACT);
    assert_int_not_equal(identity_of("x", "2020/01%d", 40, 10), MGL_IDENTITY_CONTACT);
    assert_int_equal(identity_of("salary", "%d.25", 60, 1), MGL_IDENTITY_NONE);
    assert_int_equal(identity_of("zip", "12%d", 60, 1), MGL_IDENTITY_NONE);
    assert_int_equal(identity_of("zip", "12345%d", 60, 1), MGL_IDENTITY_KEY);
    assert_int_equal(identity_of("x", "E%d.9", 40, 10), MGL_IDENTITY_NONE);
    assert_int_equal(identity_of("x", "EK-%d-99", 140, 8), MGL_IDENTITY_REPEATS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_known_in_any_script),
        cmocka_unit_test(few_keys_repeat_as_persons_do),
        cmocka_unit_test(numbers_that_a_spreadsheet_has_cut_are_keys),
        cmocka_unit_test(titles_and_initials_name_persons),
        cmocka_unit_test(notes_name_persons_without_titles),
        cmocka_unit_test(surnames_of_mentioned_persons_come_again),
        cmocka_unit_test(addresses_and_telephones_within_texts_identify),
        cmocka_unit_test(days_with_names_of_months_are_no_addresses_or_keys),
        cmocka_unit_test(days_without_zeros_in_front_are_no_telephones),
        cmocka_unit_test(addresses_have_house_numbers_before_the_town),
        cmocka_unit_test(a_letter_behind_digits_is_a_check_character),
        cmocka_unit_test(telephones_and_drawn_codes_can_be_ids_of_persons),
        cmocka_unit_test(a_misleading_name_takes_one_point_more),
        cmocka_unit_test(keys_and_amounts_have_forms),
        cmocka_unit_test(content_decides_before_the_name),
        cmocka_unit_test(numbers_are_told_by_their_decimal_separator),
        cmocka_unit_test(dates_and_times_are_told),
        cmocka_unit_test(years_of_two_digits_are_dates_of_no_century),
        cmocka_unit_test(texts_are_codes_categories_names_or_free_text),
        cmocka_unit_test(one_value_in_ten_may_be_something_else),
        cmocka_unit_test(identifiers_are_told_by_name_and_by_look),
        cmocka_unit_test(topics_are_told_by_name),
        cmocka_unit_test(half_of_the_rows_alone_single_out_whatever_the_shape),
        cmocka_unit_test(a_run_of_whole_numbers_counts_the_rows),
        cmocka_unit_test(keys_are_told_from_amounts),
        cmocka_unit_test(one_value_for_all_rows_is_constant),
        cmocka_unit_test(a_twentieth_of_the_rows_must_differ),
        cmocka_unit_test(weights_must_be_numbers_above_zero),
        cmocka_unit_test(probable_codes_for_missing_are_found),
        cmocka_unit_test(numbers_that_fit_among_the_others_mean_themselves),
        cmocka_unit_test(spellings_of_one_value_are_counted),
        cmocka_unit_test(a_stream_gives_the_same_as_all_values),
        cmocka_unit_test(ids_of_persons_are_no_names_households_or_categories),
        cmocka_unit_test(in_doubt_ids_are_those_of_persons),
        cmocka_unit_test(few_names_are_proved_as_others_are),
        cmocka_unit_test(many_rows_are_not_equal_by_chance),
        cmocka_unit_test(few_ages_and_heights_have_gaps),
        cmocka_unit_test(words_for_missing_are_no_values),
        cmocka_unit_test(traits_prove_or_refute_a_person),
        cmocka_unit_test(few_persons_are_proved_by_more),
        cmocka_unit_test(attributes_of_things_prove_no_person),
        cmocka_unit_test(columns_tell_more_or_less_of_persons),
        cmocka_unit_test(births_of_many_lie_far_apart),
        cmocka_unit_test(groups_follow_numbers),
        cmocka_unit_test(amounts_with_units_are_no_keys),
        cmocka_unit_test(persons_are_found_in_a_stream),
        cmocka_unit_test(namesakes_have_their_sex_in_common),
        cmocka_unit_test(nineteen_of_twenty_ids_must_not_vary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
