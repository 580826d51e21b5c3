/* Every builder: what it makes and what it refuses. */
#include "test_hierarchy.h"

static void suppress_has_two_levels(void **state)
{
    (void)state;
    expect_of("suppress", "b|a|c", "a;*\nb;*\nc;*\n");
    expect_of(NULL, "b|a", "a;*\nb;*\n");
    expect_of("suppress()", "b", "b;*\n");
    expect_of(NULL, "10|9|-1|1e1|2.5", "-1;*\n2.5;*\n9;*\n10;*\n1e1;*\n");
    expect_of(NULL, "10|9|x", "10;*\n9;*\nx;*\n");
    expect_of(NULL, "a;b|c\"d", "\"a;b\";*\n\"c\"\"d\";*\n");
    expect_refusal("suppress(3)", "a", MGL_USAGE, "it takes no arguments");
}

static void masks_hide_characters_level_by_level(void **state)
{
    (void)state;
    expect_of("mask(right,2)", "02139|02138|02141",
              "02138;0213*;021**;*\n02139;0213*;021**;*\n02141;0214*;021**;*\n");
    expect_of("mask(right)", "02138", "02138;0213*;021**;02***;0****;*\n");
    expect_of(" mask( left , 2 ) ", "abc|xbc", "abc;*bc;**c;*\nxbc;*bc;**c;*\n");
    /* Shorter values stay fully masked. */
    expect_of("mask(right)", "12|1234", "12;1*;**;**;*\n1234;123*;12**;1***;*\n");
    expect_of("mask(left,3)", "12|34", "12;*2;**;**;*\n34;*4;**;**;*\n");
    /* Characters, not bytes. */
    expect_of("mask(right)", "Köl|Kö", "Kö;K*;**;*\nKöl;Kö*;K**;*\n");
    expect_of("mask(left)", "日本語", "日本語;*本語;**語;*\n");
    /* One character: no masking before the top. */
    expect_of("mask(right)", "m|f", "f;*\nm;*\n");
    expect_of("mask(right,1)", "m|f", "f;*;*\nm;*;*\n");
    expect_refusal("mask(right)", "5|10|104", MGL_USAGE,
                   "column 'col', mask(right): the value '5' has one character");
    expect_refusal("mask(right,1)", "m|f|(missing)", MGL_USAGE, "the value 'm' has one character");
    expect_of("mask(right)", "1*|12", "1*;1*;*\n12;1*;*\n");
    expect_refusal("mask(up)", "12", MGL_USAGE, "'up' is no side");
    expect_refusal("mask(right,0)", "12", MGL_USAGE, "'0' is no number of levels from 1");
    expect_refusal("mask(right,x)", "12", MGL_USAGE, "'x' is no number of levels");
    expect_refusal("mask(right,2,3)", "12", MGL_USAGE, "too many arguments");
    /* So many characters on each level; what is longer keeps its beginning. */
    expect_of("mask(right; 2,4)", "02139|021391", "02139;021**;0****;*\n021391;0213**;02****;*\n");
    expect_of("mask(left;1)", "12|22", "12;*2;*\n22;*2;*\n");
    expect_refusal("mask(right; 2,2)", "1234", MGL_USAGE, "'2' is no number of characters above");
    expect_refusal("mask(right; 0)", "1234", MGL_USAGE, "'0' is no number of characters above");
    expect_refusal("mask(right,2; 1)", "1234", MGL_USAGE, "both a number of levels and");
    expect_refusal("mask(right", "12", MGL_USAGE, "the closing ')' is missing");
    expect_refusal("mask", "12", MGL_USAGE, "write mask(right|left");
    expect_refusal("mask()", "12", MGL_USAGE, "arguments are missing");
    char name[400];
    memset(name, 'x', 300);
    name[300] = '\0';
    expect_refusal("mask(right)", name, MGL_USAGE, "has 300 characters");
}

static void intervals_nest_by_their_widths(void **state)
{
    (void)state;
    expect_of("intervals(5,10,20)", "37|20|24|19",
              "19;15-19;10-19;0-19;*\n20;20-24;20-29;20-39;*\n24;20-24;20-29;20-39;*\n"
              "37;35-39;30-39;20-39;*\n");
    expect_of("intervals(5)", "-1|-5|-6|0|4",
              "-6;-10--6;*\n-5;-5--1;*\n-1;-5--1;*\n0;0-4;*\n4;0-4;*\n");
    expect_of("intervals(from 3 by 5,10)", "3|7|8|2",
              "2;-2-2;-7-2;*\n3;3-7;3-12;*\n7;3-7;3-12;*\n"
              "8;8-12;3-12;*\n");
    expect_of("intervals(from -1.5 by 3)", "0|2", "0;[-1.5,1.5);*\n2;[1.5,4.5);*\n");
    expect_of("intervals(5)", "7.5|10", "7.5;[5,10);*\n10;[10,15);*\n");
    /* Exact where binary floating point is not: 0.3 / 0.1 < 3, 0.7 / 0.1 < 7. */
    expect_of("intervals(0.1,0.5)", "0.3|0.7|0.30|-0.1|0.1|0.29999999999999999",
              "-0.1;[-0.1,0);[-0.5,0);*\n0.1;[0.1,0.2);[0,0.5);*\n"
              "0.29999999999999999;[0.2,0.3);[0,0.5);*\n0.3;[0.3,0.4);[0,0.5);*\n"
              "0.30;[0.3,0.4);[0,0.5);*\n0.7;[0.7,0.8);[0.5,1);*\n");
    expect_of("intervals(10)", "1e2|+5|20.0|007",
              "+5;0-9;*\n007;0-9;*\n20.0;20-29;*\n1e2;100-109;*\n");
    expect_of("intervals(5,10)", "3|(missing)NA|7", "3;0-4;0-9;*\n7;5-9;0-9;*\nNA;NA;NA;*\n");
    expect_of("intervals(1000000000000000000000)", "5000000000000000000001",
              "5000000000000000000001;5000000000000000000000-5999999999999999999999;*\n");
    expect_refusal("intervals(5,12)", "1", MGL_USAGE, "the width 12 is no multiple of 5");
    expect_refusal("intervals(10,5)", "1", MGL_USAGE, "the width 5 is no multiple of 10");
    expect_refusal("intervals(5,5)", "1", MGL_USAGE, "larger multiple");
    expect_refusal("intervals(0)", "1", MGL_USAGE, "the width 0 is not greater than 0");
    expect_refusal("intervals(-5)", "1", MGL_USAGE, "the width -5 is not greater than 0");
    expect_refusal("intervals(5,)", "1", MGL_USAGE, "'' is no number");
    expect_refusal("intervals(five)", "1", MGL_USAGE, "'five' is no number");
    expect_refusal("intervals(from 3 5)", "1", MGL_USAGE, "'by' is missing");
    expect_refusal("intervals(from x by 5)", "1", MGL_USAGE, "'x' is no number");
    expect_refusal("intervals(5)", "1|2|old", MGL_USAGE, "the value 'old' is no number");
    expect_refusal("intervals(5)", "1e300|2", MGL_USAGE, "'1e300' needs more than 36 digits");
    expect_refusal("intervals(5)", "1e30|1e-30", MGL_USAGE, "'1e30' needs more than 36 digits");
    expect_refusal("intervals(5)", "1234567890123456789012345678901234567", MGL_USAGE, "36 digits");
    expect_refusal("intervals(5)", "1e-50", MGL_USAGE, "'1e-50' needs more than 36 digits");
    expect_of("intervals(5)", "0e9|1E+1", "0e9;0-4;*\n1E+1;10-14;*\n");
    expect_refusal("intervals(1e30)", "1e-30", MGL_USAGE, "needs more than 36 digits");
}

static void cuts_make_bands(void **state)
{
    (void)state;
    expect_of("cuts(18,30,46,66)", "17|18|29|30|65|66|-4",
              "-4;<18;*\n17;<18;*\n18;18-29;*\n29;18-29;*\n30;30-45;*\n65;46-65;*\n66;>=66;*\n");
    expect_of("cuts(18,30)", "17.9|18|30.5", "17.9;<18;*\n18;[18,30);*\n30.5;>=30;*\n");
    expect_of("cuts(0.5)", "0|1", "0;<0.5;*\n1;>=0.5;*\n");
    expect_of("cuts(-10,0)", "-10|-1|0", "-10;-10--1;*\n-1;-10--1;*\n0;>=0;*\n");
    expect_refusal("cuts(30,18)", "1", MGL_USAGE, "the bound 18 is not greater");
    expect_refusal("cuts(18,18)", "1", MGL_USAGE, "ascending order");
    expect_refusal("cuts(a)", "1", MGL_USAGE, "'a' is no number");
    expect_refusal("cuts(18)", "x", MGL_USAGE, "the value 'x' is no number");
}

static void dates_become_months_years_and_runs_of_years(void **state)
{
    (void)state;
    expect_of("dates(month,year,5y,10y)", "1965-09-20|1964-10-23",
              "1964-10-23;1964-10;1964;1960-1964;1960-1969;*\n"
              "1965-09-20;1965-09;1965;1965-1969;1960-1969;*\n");
    expect_of("dates(year)", "9/20/1965|2/3/1964", "2/3/1964;1964;*\n9/20/1965;1965;*\n");
    expect_of("dates(month)", "20.9.1965|01.02.1965",
              "01.02.1965;1965-02;*\n20.9.1965;1965-09;*\n");
    expect_of("dates(dmy; month)", "01/02/1965", "01/02/1965;1965-02;*\n");
    expect_of("dates(mdy;month)", "01/02/1965", "01/02/1965;1965-01;*\n");
    expect_of("dates(day,month)", "1965/9/2", "1965/9/2;1965-09;*\n");
    expect_of("dates(month)", "05/05/1965", "05/05/1965;1965-05;*\n");
    expect_of("dates(4y)", "2000-02-29|1999-12-31",
              "1999-12-31;1996-1999;*\n2000-02-29;2000-2003;*\n");
    expect_of("dates(year)", "(missing)|1965-09-20", "1965-09-20;1965;*\n;;*\n");
    expect_of("dates(year)", "(missing)NA", "NA;NA;*\n");
    expect_refusal("dates(month)", "01/02/1965|03/04/1966", MGL_USAGE,
                   "the order of day and month is not clear ('01/02/1965'");
    expect_refusal("dates(month)", "01/02/1965", MGL_USAGE, "dates(dmy; ...)");
    expect_refusal("dates(month)", "9/20/65", MGL_USAGE, "the year of '9/20/65' has two digits");
    expect_refusal("dates(month)", "2023-02-30", MGL_USAGE, "'2023-02-30' is a day that does not");
    expect_refusal("dates(month)", "1900-02-29", MGL_USAGE, "'1900-02-29' is a day");
    expect_refusal("dates(dmy;month)", "2023-02-30", MGL_USAGE, "'2023-02-30' is a day");
    expect_refusal("dates(dmy;month)", "9/20/1965", MGL_USAGE, "is no date in the order dmy");
    expect_refusal("dates(month)", "20/9/1965|9/20/1965", MGL_USAGE,
                   "'20/9/1965' and '9/20/1965' are not written in the same order");
    expect_refusal("dates(month)", "1965-09-20|20-09-1965", MGL_USAGE, "the same order");
    expect_refusal("dates(month)", "soon", MGL_USAGE, "the value 'soon' is no date");
    expect_refusal("dates(month)", "1965-09/20", MGL_USAGE, "is no date");
    expect_refusal("dates(month)", "1965-09", MGL_USAGE, "is no date");
    expect_refusal("dates(month)", "1965-09-20 ", MGL_USAGE, "is no date");
    expect_refusal("dates(month)", "12345-09-20", MGL_USAGE, "outside the years");
    expect_refusal("dates(5y,12y)", "1965-09-20", MGL_USAGE, "12 years are no multiple of 5");
    expect_refusal("dates(4y,10y)", "1965-09-20", MGL_USAGE, "10 years are no multiple of 4");
    expect_refusal("dates(year,month)", "1965-09-20", MGL_USAGE, "'month' does not come after");
    expect_refusal("dates(year,year)", "1965-09-20", MGL_USAGE, "'year' does not come after");
    expect_refusal("dates(fortnight)", "1965-09-20", MGL_USAGE, "'fortnight' is no step");
    expect_refusal("dates(1y)", "1965-09-20", MGL_USAGE, "'1y' is no step");
    expect_refusal("dates(ydm; month)", "1965-09-20", MGL_USAGE, "'ydm' is no order");
    expect_refusal("dates(dmy;)", "1965-09-20", MGL_USAGE, "'' is no step");
}

static void date_times_become_hours_and_days(void **state)
{
    (void)state;
    expect_of("dates(hour,day,month,quarter,year,5y)", "2024-05-01T13:45:00Z|2024-05-01 13:59",
              "2024-05-01T13:45:00Z;2024-05-01T13;2024-05-01;2024-05;2024-Q2;2024;2020-2024;*\n"
              "2024-05-01 13:59;2024-05-01T13;2024-05-01;2024-05;2024-Q2;2024;2020-2024;*\n");
    expect_of("dates(day)", "31.12.2024 23:59:59|1.1.2025 00:00",
              "31.12.2024 23:59:59;2024-12-31;*\n1.1.2025 00:00;2025-01-01;*\n");
    /* The day is the one that is written, whatever the zone. */
    expect_of("dates(day)", "2024-05-01T23:30:00+02:00|2024-05-01T23:30:00Z",
              "2024-05-01T23:30:00+02:00;2024-05-01;*\n2024-05-01T23:30:00Z;2024-05-01;*\n");
    expect_of("dates(hour)", "05/13/2024 12:10 AM|05/13/2024 1:10 PM",
              "05/13/2024 12:10 AM;2024-05-13T00;*\n05/13/2024 1:10 PM;2024-05-13T13;*\n");
    /* ISO weeks begin on Mondays and belong to the year of their Thursday. */
    expect_of("dates(week)", "2020-12-31|2021-01-03|2021-01-04|2024-12-30|2024-05-01",
              "2020-12-31;2020-W53;*\n2021-01-03;2020-W53;*\n2021-01-04;2021-W01;*\n"
              "2024-05-01;2024-W18;*\n2024-12-30;2025-W01;*\n");
    expect_of("dates(quarter,year)", "2024-03-31|2024-04-01",
              "2024-03-31;2024-Q1;2024;*\n2024-04-01;2024-Q2;2024;*\n");
    expect_refusal("dates(week,month)", "1965-09-20", MGL_USAGE, "a week can lie in two of what");
    expect_refusal("dates(week,year)", "1965-09-20", MGL_USAGE, "take week or 'year', not both");
    expect_refusal("dates(month,hour)", "1965-09-20", MGL_USAGE, "'hour' does not come after");
    expect_refusal("dates(hour,day)", "1965-09-20", MGL_USAGE, "no time of day");
    expect_refusal("dates(day)", "2024-05-01 25:00", MGL_USAGE, "is a day that does not exist");
}

static void expect_groups(const char *groups, const char *values, const char *expected)
{
    char spec[100];
    scratch_file file = text_file(groups);
    snprintf(spec, sizeof spec, "groups(%s)", file.path);
    expect_of(spec, values, expected);
    drop_file(&file);
}

static void refuse_groups(const char *groups, const char *values, uint64_t line, const char *words)
{
    char spec[100], place[100];
    scratch_file file = text_file(groups);
    snprintf(spec, sizeof spec, "groups(%s)", file.path);
    snprintf(place, sizeof place, line > 0 ? "%s:%llu: " : "%s: ", file.path,
             (unsigned long long)line);
    expect_refusal(spec, values, MGL_DATA, place);
    expect_refusal(spec, values, MGL_DATA, words);
    drop_file(&file);
}

static void groups_are_read_from_their_file(void **state)
{
    (void)state;
    expect_groups("warm: red, orange\ncold: blue", "blue|red",
                  "red;warm;*\norange;warm;*\nblue;cold;*\n");
    expect_groups("\xef\xbb\xbfwarm: red\r\n\r\n  cold : blue ,\r\n", "blue|red",
                  "red;warm;*\nblue;cold;*\n");
    expect_groups("\"a:b\": \"x, y\", \"say \"\"hi\"\"\" , z: z\n", "x, y|z: z",
                  "x, y;a:b;*\n\"say \"\"hi\"\"\";a:b;*\nz: z;a:b;*\n");
    /* Groups of groups; what has fewer levels stays as it is. */
    expect_groups("west: fr, de\neast: pl\nasia: jp\neurope: west, east, is\n", "fr",
                  "fr;west;europe;*\nde;west;europe;*\npl;east;europe;*\njp;asia;asia;*\n"
                  "is;is;europe;*\n");
    expect_groups("a: x\na: y\n", "x|y", "x;a;*\ny;a;*\n");
    expect_groups("other: other\nb: y, y\n", "other|y", "other;other;*\ny;b;*\n");
    /* The missing value stays itself although the file lists it. */
    expect_groups("a: x, NA\n", "x|(missing)NA", "x;a;*\nNA;NA;*\n");
    /* A group called like one of its values is told apart from it where levels mix. */
    expect_groups("other: x, other\n", "other|x", "x;other;*\nother;other;*\n");
    refuse_groups("warm: red\n", "red|blue", 0, "the value 'blue' of column 'col' is in no group");
    refuse_groups("warm: red\n\ncold: red\n", "red", 3, "'red' is in the group 'warm' already");
    refuse_groups("warm red\n", "red", 1, "this is no group");
    refuse_groups(": red\n", "red", 1, "this is no group");
    refuse_groups("a: \"x\n", "x", 1, "a double quote is not closed");
    refuse_groups("a: \"x\" y\n", "x", 1, "a double quote is not closed");
    refuse_groups("a: x, *\n", "x", 1, "'*' is the name of the top");
    refuse_groups("b: y\n*: x\n", "x", 2, "'*' is the name of the top");
    refuse_groups("a: x\nb: a\na: b\n", "x", 3, "the group 'b' would lie in itself");
    refuse_groups("a: x\nb: a\nc: a\n", "x", 3, "'a' is in the group 'b' already");
    refuse_groups("a: x\nb: \xff\n", "x", 2, "not UTF-8");
    refuse_groups("", "x", 0, "the value 'x' of column 'col' is in no group");
    expect_refusal("groups(/nowhere/at/all)", "x", MGL_DATA, "/nowhere/at/all");
    expect_refusal("groups(/tmp)", "x", MGL_DATA, "/tmp");
}

static void too_many_levels_of_groups_are_refused(void **state)
{
    (void)state;
    mgl_buffer lines = {0};
    char *text;
    mgl_buffer_text(&lines, "g0: x\n");
    for (int i = 1; i < 300; i++)
        mgl_buffer_format(&lines, "g%d: g%d\n", i, i - 1);
    assert_int_equal(mgl_buffer_take(&lines, NULL, &text), MGL_OK);
    refuse_groups(text, "x", 0, "more than 255 levels of groups");
    mgl_free(text);
    expect_groups("", "(missing)", ";*\n");
    expect_groups("a:\n", "(missing)NA", "NA;*\n");
}

static void builders_are_told_from_file_names(void **state)
{
    (void)state;
    assert_true(mgl_hierarchy_is_builder("suppress"));
    assert_true(mgl_hierarchy_is_builder("mask(right)"));
    assert_true(mgl_hierarchy_is_builder("mask"));
    assert_true(mgl_hierarchy_is_builder("mask(right"));
    assert_true(mgl_hierarchy_is_builder("maks(right)"));
    assert_false(mgl_hierarchy_is_builder("age.csv"));
    assert_false(mgl_hierarchy_is_builder("./suppress"));
    assert_false(mgl_hierarchy_is_builder("data (1).csv"));
    assert_false(mgl_hierarchy_is_builder("/tmp/mask(right)"));
    assert_false(mgl_hierarchy_is_builder("age"));
    assert_false(mgl_hierarchy_is_builder(""));
    expect_refusal(
        "maks(right)", "a", MGL_USAGE,
        "there is no builder 'maks'; did you mean mask? the builders are suppress, mask(");
    size_t n;
    const mgl_builder_type *types = mgl_builder_types(&n);
    assert_int_equal(n, 23);
    for (size_t i = 0; i < n; i++)
        assert_true(mgl_hierarchy_is_builder(types[i].name) && types[i].syntax[0] != '\0' &&
                    types[i].help[0] != '\0' && types[i].example[0] != '\0');
}

/* '*' in the data stays itself and is told; it is no fault where it is the top. */
static void a_star_in_the_data_stays_itself(void **state)
{
    (void)state;
    mgl_dictionary *d = dictionary_of("7|*|3");
    mgl_hierarchy *h = made("intervals(5,10)", d);
    uint32_t leaf_of_code[3], level, value;
    assert_int_equal(h->star_leaf, 2);
    assert_int_equal(h->levels[2].lowest[h->levels[2].of_leaf[2]], 0);
    assert_int_equal(h->levels[3].lowest[0], 3);
    assert_true(mgl_hierarchy_find(h, mgl_span_of("*"), &level, &value));
    assert_int_equal(level, 3);
    assert_int_equal(mgl_hierarchy_bind(h, "col", d, NULL, leaf_of_code), MGL_OK);
    assert_int_equal(leaf_of_code[0], 1);
    assert_int_equal(leaf_of_code[1], 2);
    assert_int_equal(leaf_of_code[2], 0);
    check_promises(h);
    mgl_hierarchy_free(h);
    mgl_dictionary_free(d);

    d = dictionary_of("*");
    h = made(NULL, d);
    assert_int_equal(h->star_leaf, MGL_NOT_FOUND);
    assert_int_equal(h->levels[1].lowest[0], 0);
    mgl_hierarchy_free(h);
    mgl_dictionary_free(d);

    d = dictionary_of("a|(missing)*");
    h = made(NULL, d);
    assert_int_equal(h->star_leaf, 1);
    assert_int_equal(h->missing_leaf, 1);
    check_promises(h);
    mgl_hierarchy_free(h);
    mgl_dictionary_free(d);
}

static void missing_stays_itself_until_the_top(void **state)
{
    (void)state;
    mgl_dictionary *d = dictionary_of("bb|(missing)|aa");
    mgl_hierarchy *h = made("mask(right,2)", d);
    uint32_t leaf_of_code[3];
    assert_int_equal(h->n_leaves, 3);
    assert_int_equal(h->missing_leaf, 2);
    assert_int_equal(h->levels[2].lowest[h->levels[2].of_leaf[2]], 0);
    assert_int_equal(mgl_hierarchy_bind(h, "col", d, NULL, leaf_of_code), MGL_OK);
    assert_int_equal(leaf_of_code[mgl_dictionary_missing(d)], 2);
    check_promises(h);
    mgl_hierarchy_free(h);
    mgl_dictionary_free(d);

    /* A plain value with the text of the token is the missing value. */
    d = mgl_dictionary_new();
    mgl_dictionary_add(d, mgl_span_of("NA"));
    mgl_dictionary_add(d, mgl_span_of("5"));
    mgl_dictionary_add_missing(d, mgl_span_of("NA"));
    h = made("intervals(5)", d);
    assert_int_equal(h->n_leaves, 2);
    assert_int_equal(mgl_hierarchy_bind(h, "col", d, NULL, leaf_of_code), MGL_OK);
    assert_int_equal(leaf_of_code[0], 1);
    assert_int_equal(leaf_of_code[1], 0);
    mgl_hierarchy_free(h);
    mgl_dictionary_free(d);

    d = mgl_dictionary_new();
    mgl_error err;
    assert_int_equal(mgl_hierarchy_make(NULL, "col", d, &err, &h), MGL_DATA);
    assert_non_null(strstr(err.message, "column 'col' has no values"));
    mgl_dictionary_free(d);
}

/* A hierarchy built from one table meets a value of another. */
static void binding_refuses_values_of_another_table(void **state)
{
    (void)state;
    mgl_dictionary *d = dictionary_of("02138|02139"), *other = dictionary_of("02139|99999");
    mgl_hierarchy *h = made("mask(right,2)", d);
    uint32_t leaf_of_code[2];
    mgl_error err;
    assert_int_equal(mgl_hierarchy_bind(h, "zip", other, &err, leaf_of_code), MGL_DATA);
    mgl_hide_values(err.message, sizeof err.message, true);
    assert_non_null(strstr(err.message, "column 'zip': the value '99999' does not occur"));
    mgl_hierarchy_free(h);
    mgl_dictionary_free(d);
    mgl_dictionary_free(other);
}

/* ---- What builders take from the values ---------------------------------------------------------
 */

static void expect_resolved(const char *spec, const char *values, const char *resolved)
{
    mgl_dictionary *d = dictionary_of(values);
    mgl_hierarchy *h = made(spec, d), *again = made(resolved, d);
    assert_string_equal(h->resolved, resolved);
    assert_string_equal(again->resolved, resolved);
    assert_true(mgl_hierarchy_same(h, again));
    mgl_hierarchy_free(h);
    mgl_hierarchy_free(again);
    mgl_dictionary_free(d);
}

static void builders_write_out_what_they_took_from_values(void **state)
{
    (void)state;
    expect_resolved("mask(right)", "02139|021", "mask(right,4)");
    expect_resolved("mask(left)", "12", "mask(left,1)");
    expect_resolved("dates(month,year)", "20.9.1965|1.10.1965", "dates(dmy; month,year)");
    expect_resolved("intervals(5,10)", "1|7", "intervals(5,10)");
    expect_resolved("suppress", "a|b", "suppress");
}

static void rare_values_become_other(void **state)
{
    (void)state;
    expect_of("rare(5; as other; keep a,b)", "a|b|c|d", "a;a;*\nb;b;*\nc;other;*\nd;other;*\n");
    expect_of("rare(5; keep a)", "a|b|c", "a;a;*\nb;other;*\nc;other;*\n");
    expect_of("rare(5; keep)", "a|b", "a;other;*\nb;other;*\n");
    expect_of("rare(5; as \"x; y\"; keep \"a, b\",\"q\"\"r\")", "a, b|q\"r|z",
              "a, b;a, b;*\n\"q\"\"r\";\"q\"\"r\";*\nz;\"x; y\";*\n");
    /* Nobody has seen 'c' when the builder was written down: it is a rare one. A group is never
     * called like a value. */
    expect_of("rare(5; as other; keep a)", "a|c|other",
              "a;a;*\nc;other values;*\nother;other values;*\n");
    expect_of("rare(5; as a; keep a)", "a|b|c", "a;a;*\nb;other;*\nc;other;*\n");
    expect_refusal("rare(5)", "a|b", MGL_USAGE, "how many rows have each value is not known here");
    expect_refusal("rare(0; keep a)", "a|b", MGL_USAGE, "'0' is no number of rows");
    expect_refusal("rare(x)", "a|b", MGL_USAGE, "'x' is no number of rows");
    expect_refusal("rare(5; other)", "a|b", MGL_USAGE, "'other' is not known here");
    expect_refusal("rare(5; as)", "a|b", MGL_USAGE, "the name of the group is missing");
    expect_refusal("rare(5; keep \"a)", "a|b", MGL_USAGE, "a double quote is not closed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(suppress_has_two_levels),
        cmocka_unit_test(builders_write_out_what_they_took_from_values),
        cmocka_unit_test(rare_values_become_other),
        cmocka_unit_test(masks_hide_characters_level_by_level),
        cmocka_unit_test(intervals_nest_by_their_widths),
        cmocka_unit_test(cuts_make_bands),
        cmocka_unit_test(dates_become_months_years_and_runs_of_years),
        cmocka_unit_test(date_times_become_hours_and_days),
        cmocka_unit_test(groups_are_read_from_their_file),
        cmocka_unit_test(builders_are_told_from_file_names),
        cmocka_unit_test(too_many_levels_of_groups_are_refused),
        cmocka_unit_test(a_star_in_the_data_stays_itself),
        cmocka_unit_test(missing_stays_itself_until_the_top),
        cmocka_unit_test(binding_refuses_values_of_another_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
