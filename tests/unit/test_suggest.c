/* Suggestions: what a careful person would try first. */
#include "test_hierarchy.h"

#include "suggest/suggest.h"

static char *text_of(const mgl_buffer *buffer)
{
    static char text[1000];
    assert_true(buffer->size < sizeof text);
    snprintf(text, sizeof text, "%.*s", (int)buffer->size, buffer->size > 0 ? buffer->data : "");
    return text;
}

static void expect_said(const char *column, mgl_dictionary *d, mgl_given_kind kind,
                        const char *builder, const char *reason)
{
    mgl_error err = {0};
    mgl_suggestion found;
    if (mgl_suggest(column, d, kind, &err, &found) != MGL_OK)
        fail_msg("%s", err.message);
    assert_string_equal(text_of(&found.builder), builder);
    if (strstr(text_of(&found.reason), reason) == NULL)
        fail_msg("'%s' does not hold '%s'", text_of(&found.reason), reason);
    if (found.hierarchy != NULL)
        check_promises(found.hierarchy);
    mgl_suggestion_free(&found);
    mgl_dictionary_free(d);
}

static void expect(const char *column, mgl_dictionary *d, const char *builder, const char *reason)
{
    expect_said(column, d, MGL_GIVEN_NOTHING, builder, reason);
}

/* n values made by a format from first, first + step, ... */
static mgl_dictionary *series(const char *format, unsigned n, unsigned first, unsigned step)
{
    mgl_dictionary *d = mgl_dictionary_new();
    char text[64];
    for (unsigned i = 0; i < n; i++) {
        snprintf(text, sizeof text, format, first + i * step);
        mgl_dictionary_add(d, mgl_span_of(text));
    }
    return d;
}

static void numbers_get_intervals(void **state)
{
    (void)state;
    expect("age", series("%u", 74, 17, 1), "intervals(5,10,20)", "ages, 74 different");
    expect("age", series("%u", 30, 20, 1), "intervals(5,10,20)", "ages");
    expect("x", series("%u", 100, 1, 1), "intervals(5,10,20)", "whole numbers");
    expect("x", series("%u", 60, 1940, 1), "intervals(5,10,20)", "years");
    expect("x", series("%u", 30, 1, 1), "intervals(2,10,20)", "numbers");
    expect("x", series("%u", 8, 1, 1), "intervals(2,4,8)", "numbers");
    expect("x", series("%u00", 900, 1, 1), "intervals(5000,10000,20000)", "numbers");
    expect("x", series("0.%02u", 73, 1, 1), "intervals(0.05,0.1,0.2)", "decimal numbers");
    expect("x", series("-%u", 30, 1, 40), "intervals(50,100,200,1000)", "numbers");
    /* Five digits each, but people round amounts. */
    expect("income", series("%u", 90, 10013, 1000), "intervals(5000,10000,20000)", "numbers");
    expect("x", series("%u", 90, 10000, 1000), "intervals(5000,10000,20000)", "numbers");
}

/* One value that is far away does not make one interval of all others. */
static void outliers_do_not_widen_intervals(void **state)
{
    (void)state;
    mgl_dictionary *d = series("%u", 100, 1, 1);
    mgl_dictionary_add(d, mgl_span_of("1000000"));
    expect("x", d, "intervals(5,10,20,100)", "numbers");
}

static void few_whole_numbers_are_taken_for_codes(void **state)
{
    (void)state;
    expect("x", dictionary_of("1|2|3"), "suppress", "taken for codes");
    expect("x", dictionary_of("1|20|300"), "intervals(100)", "numbers");
    expect("region", series("%u", 12, 1, 1), "suppress", "taken for codes");
    expect("x", series("%02u", 8, 1, 1), "suppress", "taken for codes");
    expect_said("x", series("%u", 8, 1, 1), MGL_GIVEN_NOMINAL, "suppress", "8 different values");
    expect_said("region", series("%u", 12, 1, 1), MGL_GIVEN_NUMBER, "intervals(2,4,8)", "numbers");
}

static void dates_get_months_and_years(void **state)
{
    (void)state;
    expect("x",
           dictionary_of(
               "1965-09-20|1965-09-21|1965-10-01|1966-01-02|1963-01-02|1950-01-02|(missing)"),
           "dates(month,year,5y,10y)", "dates");
    expect("x", dictionary_of("20.9.1965|21.9.1965|1.2.1965|1.1.1965"), "dates(month,quarter)",
           "dates");
    expect("x", dictionary_of("1/2/1965|3/4/1965|3/4/1966|3/4/1977"), "dates(dmy; year,5y)",
           "day or the month");
    expect("x", dictionary_of("9/20/65|9/21/65"), "suppress", "`century`");
    expect("x",
           dictionary_of("2020-01-01 10:00|2020-01-01 10:30|2020-01-01 11:00|2020-01-02 09:00|"
                         "2020-05-01 10:00"),
           "dates(hour,day,month)", "dates with a time");
}

static void codes_get_masks(void **state)
{
    (void)state;
    expect("x", dictionary_of("02138|02139|02238|94142"), "mask(right; 1,3)", "codes of 5 digits");
    expect("x", series("0%03u", 200, 0, 1), "mask(right,2)", "codes of 4 digits");
    expect("x", series("E%03u.1", 200, 0, 1), "mask(right; 3,4)", "letters and digits");
    expect("zip", dictionary_of("1010 AB|1010 AC|1012 AB"), "mask(right,1)", "letters and digits");
}

/* Values with | between. */
static mgl_dictionary *listed(const char *values)
{
    mgl_dictionary *d = mgl_dictionary_new();
    for (const char *at = values; *at != '\0';) {
        size_t size = strcspn(at, "|");
        mgl_dictionary_add(d, (mgl_span){at, size});
        at += size + (at[size] == '|');
    }
    return d;
}

static void classifications_are_known_by_names_first(void **state)
{
    (void)state;
    /* All of them could be diagnoses of ICD-10. */
    const char *nace = "A01.11|A01.12|A01.21|C10.11|C10.12|C11.01|G47.11|G47.12|J62.01|J62.02";
    expect("NACE_R2", listed(nace), "nace(group,division,section)", "NACE Rev. 2, 10 different");
    expect("diagnosis", listed(nace), "icd10(category,block)", "ICD-10");
    expect("nace", listed("K62.10|K62.20|K61.10|G46.11|G46.12|C10.11|C10.12"),
           "nace21(group,division,section)", "NACE Rev. 2.1");
    expect("industry", listed(nace), "nace(group,division,section)", "NACE Rev. 2, 10 different");
    expect("Secteur", listed("10.11|10.12|10.13|47.11|47.19"), "nace(group)", "NACE");
    /* Four digits under such a name may be SIC or NAICS; 111 may be 01.11 or 11.1. */
    expect("industry", listed("1011|1012|1013|4711|4719"), "mask(right,1)", "codes of 4 digits");
    expect("nace", listed("1011|111|112|4711|4719|6201"), "mask(right,1)",
           "some without the zeros");
    expect("isced-f", listed("111|112|121|613|612|1015|1011"), "iscedf(narrow,broad)", "ISCED-F");
    expect("isced", listed("ED3|ED34|ED35|ED5|ED54|ED6|ED7"), "isced(level,group)", "ISCED 2011");
    expect("isco08", listed("2221|2222|2231|3112|3113|5223|5221"), "isco(minor,submajor)", "ISCO");
    expect("atc", listed("N02B E01|N02B E05|N02B A01|A10B A02|A10B A03|C09A A05"),
           "atc(chemical,pharmacological)", "ATC");
    expect("x", listed("N02BE01|N02BE05|N02BA01|A10BA02|A10BA03|C09AA05"),
           "atc(chemical,pharmacological)", "ATC");
    expect("x", listed("DE212|DE211|DE221|FR101|FR102|ITC41"), "nuts(nuts2,nuts1)", "NUTS");
    expect("icd9", listed("250.02|250.00|401.9|428.0|428.9|38.9"), "icd9(category,chapter)",
           "ICD-9");
}

static void texts_are_suppressed_as_a_whole(void **state)
{
    (void)state;
    expect("x", dictionary_of("male|female|*"), "suppress", "3 different values");
    expect("x", series("person number %u", 60, 0, 1), "suppress", "drop the column");
    expect("x", dictionary_of("(missing)"), "suppress", "no values");
    expect("x", mgl_dictionary_new(), "suppress", "no values");
    expect("x", dictionary_of("31|45|47|50|51|52|53|54|55|56|57|60|61|62|unknown"), "suppress",
           "`missing`");
}

/* ---- Rows count -------------------------------------------------------------------------------
 */

/* A column in which value i of the list occurs counts[i] times. */
static mgl_table *column_of(const char *list, const unsigned *counts)
{
    mgl_table *table = mgl_table_new(1);
    mgl_dictionary *values = dictionary_of(list);
    mgl_column *column = &table->columns[0];
    for (uint32_t code = 0; code < mgl_dictionary_size(values); code++)
        for (unsigned i = 0; i < counts[code]; i++) {
            uint32_t own =
                mgl_dictionary_add(column->dictionary, mgl_dictionary_value(values, code));
            assert_true(mgl_column_reserve(column, table->n_rows, 1));
            mgl_column_set(column, table->n_rows++, own);
        }
    mgl_dictionary_free(values);
    assert_int_equal(mgl_column_count_rows(column, table->n_rows, NULL, NULL), MGL_OK);
    return table;
}

static void expect_rare(const char *list, const unsigned *counts, const char *builder,
                        const char *resolved)
{
    mgl_table *table = column_of(list, counts);
    mgl_suggestion found;
    assert_int_equal(
        mgl_suggest("x", table->columns[0].dictionary, MGL_GIVEN_NOTHING, NULL, &found), MGL_OK);
    assert_string_equal(text_of(&found.builder), builder);
    assert_string_equal(found.hierarchy->resolved, resolved);
    check_promises(found.hierarchy);
    mgl_suggestion_free(&found);
    mgl_table_free(table);
}

static void rare_categories_become_other(void **state)
{
    (void)state;
    expect_rare("a|b|c|d|e", (unsigned[]){50, 40, 3, 2, 1}, "rare(5)",
                "rare(5; as other; keep a,b)");
    /* A group is not called like a value, and values are told from the list around them. */
    expect_rare("a,b|\"q\"|other|d|e", (unsigned[]){50, 40, 3, 2, 1}, "rare(5)",
                "rare(5; as other values; keep \"\"\"q\"\"\",\"a,b\")");
    /* Nothing to join, nothing to keep, too few rows to hide among. */
    expect_rare("a|b|c", (unsigned[]){50, 40, 3}, "suppress", "suppress");
    expect_rare("a|b|c|d", (unsigned[]){50, 3, 3, 3}, "suppress", "suppress");
    expect_rare("a|b|c|d", (unsigned[]){50, 40, 1, 1}, "suppress", "suppress");
    /* A hundredth of the rows. */
    expect_rare("a|b|c|d", (unsigned[]){900, 800, 9, 9}, "rare(10)",
                "rare(10; as other; keep a,b)");
}

/* ---- Faults ------------------------------------------------------------------------------------
 */

static void every_failed_allocation_is_an_error(void **state)
{
    (void)state;
    static const char *const lists[] = {"1|5|9|14|23|30|31|32|40|41", "02138|02139|02238|94142",
                                        "1965-09-20|1965-09-21|1964-01-02", "a|b|c"};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        mgl_dictionary *d = dictionary_of(lists[i]);
        for (uint64_t number = 1;; number++) {
            mgl_suggestion found;
            mgl_error err = {0};
            mgl_fault_arm(MGL_FAULT_MEMORY, number);
            mgl_status status = mgl_suggest("x", d, MGL_GIVEN_NOTHING, &err, &found);
            bool hit = mgl_fault_count(MGL_FAULT_MEMORY) >= number;
            mgl_fault_arm(MGL_FAULT_MEMORY, 0);
            assert_int_equal(status, hit ? MGL_SYSTEM : MGL_OK);
            if (status == MGL_OK)
                mgl_suggestion_free(&found);
            if (!hit)
                break;
        }
        mgl_dictionary_free(d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_get_intervals),
                                       cmocka_unit_test(outliers_do_not_widen_intervals),
                                       cmocka_unit_test(few_whole_numbers_are_taken_for_codes),
                                       cmocka_unit_test(dates_get_months_and_years),
                                       cmocka_unit_test(codes_get_masks),
                                       cmocka_unit_test(classifications_are_known_by_names_first),
                                       cmocka_unit_test(texts_are_suppressed_as_a_whole),
                                       cmocka_unit_test(rare_categories_become_other),
                                       cmocka_unit_test(every_failed_allocation_is_an_error)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
