/* Hierarchy files: what is read, completed and refused. */
#include "test_hierarchy.h"

static void expect_file(const char *file_text, const char *values, const char *expected)
{
    scratch_file file = text_file(file_text);
    expect_of(file.path, values, expected);
    drop_file(&file);
}

static void refuse_file(const char *file_text, const char *values, uint64_t line, const char *words)
{
    char place[100];
    scratch_file file = text_file(file_text);
    snprintf(place, sizeof place, line > 0 ? "%s:%llu: " : "%s: ", file.path,
             (unsigned long long)line);
    expect_refusal(file.path, values, MGL_DATA, place);
    expect_refusal(file.path, values, MGL_DATA, words);
    drop_file(&file);
}

static void files_are_read_in_their_order(void **state)
{
    (void)state;
    /* The order is the file's; values that do not occur are leaves. */
    expect_file("white;person;*\nasian;person;*\nblack;person;*\n", "asian",
                "white;person;*\nasian;person;*\nblack;person;*\n");
    expect_file("b,x,*\na,x,*\n", "a|b", "b;x;*\na;x;*\n");
    expect_file("b\tx\t*\na\tx\t*", "a", "b;x;*\na;x;*\n");
    expect_file("b|x|*\r\na|x|*\r\n", "a", "b;x;*\na;x;*\n");
    expect_file("\"a;1\";x;*\n\"say \"\"b\"\"\";x;*\n", "a;1|say \"b\"",
                "\"a;1\";x;*\n\"say \"\"b\"\"\";x;*\n");
    expect_file("\xef\xbb\xbf"
                "a;x\nb;x\n",
                "a", "a;x\nb;x\n");
    /* The same line twice is one value. */
    expect_file("a;x;*\nb;x;*\na;x;*\n", "a|b", "a;x;*\nb;x;*\n");
}

static void a_top_is_added_where_there_is_none(void **state)
{
    (void)state;
    expect_file("a;x\nb;x\n", "a", "a;x\nb;x\n");     /* ends in a single value */
    expect_file("a;x\nb;y\n", "a", "a;x;*\nb;y;*\n"); /* does not */
    expect_file("a\nb\n", "a|b", "a;*\nb;*\n");       /* one level */
    expect_file("a\n", "a", "a;*\n");                 /* one level, one value */
    expect_file("a;a\n", "a", "a;a\n");               /* levels are kept */
    expect_file("a;x;*;*\nb;y;*;*\n", "a", "a;x;*;*\nb;y;*;*\n");
    expect_file("a;a;*\nb;x;*\nc;x;*\n", "a", "a;a;*\nb;x;*\nc;x;*\n");
}

static void a_label_counts_as_its_lowest_level(void **state)
{
    (void)state;
    scratch_file file = text_file("a;a;all;all\nb;x;all;all\nc;x;all;all\n");
    mgl_dictionary *d = dictionary_of("a|c");
    mgl_hierarchy *h = made(file.path, d);
    uint32_t level, value, leaf_of_code[2];
    check_promises(h);
    assert_int_equal(h->height, 3);
    assert_int_equal(h->levels[1].lowest[0], 0);
    assert_int_equal(h->levels[1].lowest[1], 1);
    assert_int_equal(h->levels[3].lowest[0], 2);
    assert_int_equal(h->star_leaf, MGL_NOT_FOUND);
    assert_string_equal(h->source, file.path);
    assert_true(mgl_hierarchy_find(h, mgl_span_of("x"), &level, &value));
    assert_int_equal(level, 1);
    assert_int_equal(value, 1);
    assert_true(mgl_hierarchy_find(h, mgl_span_of("all"), &level, &value));
    assert_int_equal(level, 2);
    assert_false(mgl_hierarchy_find(h, mgl_span_of("z"), &level, &value));
    assert_int_equal(mgl_hierarchy_bind(h, "col", d, NULL, leaf_of_code), MGL_OK);
    assert_int_equal(leaf_of_code[0], 0);
    assert_int_equal(leaf_of_code[1], 2);
    mgl_hierarchy_free(h);
    mgl_dictionary_free(d);
    drop_file(&file);
}

static void missing_stays_itself_until_the_top(void **state)
{
    (void)state;
    expect_file("a;x;*\nb;x;*\n", "a|(missing)NA", "a;x;*\nb;x;*\nNA;NA;*\n");
    expect_file("a;x;person\nb;x;person\n", "a|(missing)", "a;x;person\nb;x;person\n;;person\n");
    expect_file("a;x\nb;x\n", "(missing)NA", "a;x\nb;x\nNA;x\n"); /* level 1 is the top */
    /* Listed or not, it stays itself until the top, and is one leaf. */
    expect_file("NA;unknown;*\na;x;*\n", "a|(missing)NA", "a;x;*\nNA;NA;*\n");
    expect_file("NA;*;*\na;x;*\n", "a|(missing)NA", "a;x;*\nNA;NA;*\n");
    expect_file("NA;unknown;*\na;x;*\n", "a", "NA;unknown;*\na;x;*\n"); /* does not occur */
    expect_file("NA;*\n", "(missing)NA", "NA;NA;*\n");
    refuse_file("a;unknown;*\nb;unknown;*\n", "a|(missing)unknown", 1,
                "'unknown' is the label of other values on level 1");
}

static void broken_files_are_refused_with_their_line(void **state)
{
    (void)state;
    refuse_file("a;x;*\nb;x;*\n", "a|c", 0,
                "the value 'c' of column 'col' is not in the hierarchy; add a line for it");
    refuse_file("a;x;*\nb;x;*\n", "a|*", 0, "column 'col' holds '*'");
    refuse_file("a;x;*\nb;x;*\n", "x", 0, "the value 'x'"); /* a label is no ground value */
    refuse_file("a;x;p;*\nb;x;q;*\n", "a", 2,
                "the label 'x' (level 1) becomes 'q' here but 'p' on line 1");
    refuse_file("a;x;*\nb;y;*\na;y;*\n", "a", 3,
                "the ground value 'a' was given on line 1 with other parents (level 1: 'y' here, "
                "'x' there)");
    refuse_file("a;x;*\nb;y;*\nc;y;x\n", "a", 3, "");
    /* The top may stand for nothing else below, and no label is taken that is there already. */
    refuse_file("a;x;b\nb;y;b\n", "a", 1, "the label 'b' covers 1 value on level 0 (line 2) but");
    refuse_file("a;b;*\nb;b;*\nb (LEVEL 1);c;*\n", "a", 1, "the label 'b' covers 1 value");
    refuse_file("a;*\nb;y\n", "a", 2, "on level 2, the top that was added");
    refuse_file("*;*\nb;*\n", "b", 2, "the label '*' covers 1 value on level 0 (line 1)");
    refuse_file("a;x;*\nb;x\n", "a", 2, "");
    refuse_file("", "a", 0, "");
    refuse_file("a;x;*\nb;\"x;*\n", "a", 2, "");
    expect_refusal("/nowhere/at/all.csv", "a", MGL_DATA, "/nowhere/at/all.csv");
}

static void expect_label(const mgl_hierarchy *h, uint32_t level, uint32_t value, const char *label)
{
    assert_true(mgl_span_is(h->levels[level].labels[value], label));
}

/* White, Black and Other become White and Other, which then stands for two. */
static void a_label_of_several_levels_is_told_apart(void **state)
{
    (void)state;
    scratch_file file =
        text_file("White;White;White;*\nBlack;Black;Other;*\nAsian;Other;Other;*\nOther;Other;"
                  "Other;*\n");
    mgl_dictionary *d = dictionary_of("White|Black|Asian|Other");
    mgl_hierarchy *h = made(file.path, d);
    uint32_t level, value, leaves[4];
    assert_true(h->repeats);
    expect_label(h, 0, 3, "Other");
    expect_label(h, 1, 2, "Other (LEVEL 1)");
    expect_label(h, 2, 1, "Other (LEVEL 2)");
    assert_int_equal(h->levels[1].lowest[0], 0); /* White covers the same everywhere */
    assert_int_equal(h->levels[2].lowest[1], 2);
    assert_true(mgl_hierarchy_find(h, mgl_span_of("Other"), &level, &value));
    assert_int_equal(level, 0);
    assert_true(mgl_hierarchy_find(h, mgl_span_of("Other (LEVEL 2)"), &level, &value));
    assert_int_equal(level, 2);
    /* As a file it is what it was. */
    char *text = written(h);
    assert_string_equal(text, "White;White;White;*\nBlack;Black;Other;*\nAsian;Other;Other;*\n"
                              "Other;Other;Other;*\n");
    mgl_free(text);
    /* A release without a word about its levels could mean either. */
    mgl_error err = {0};
    mgl_dictionary *released = dictionary_of("White|Other");
    assert_int_equal(mgl_hierarchy_check_texts(h, "race", released, &err), MGL_USAGE);
    mgl_dictionary_free(released);
    /* Read at a level, each text is looked up there, and at the top. */
    assert_int_equal(mgl_hierarchy_read_at(h, 1, &err), MGL_OK);
    expect_label(h, 1, 2, "Other");
    assert_int_equal(h->levels[1].lowest[0], 1);
    assert_true(mgl_hierarchy_find(h, mgl_span_of("Other"), &level, &value));
    assert_int_equal(level, 1);
    assert_int_equal(h->levels[level].leaves[value], 2);
    assert_true(mgl_hierarchy_find_at(h, 2, mgl_span_of("Other"), &level, &value));
    assert_int_equal(h->levels[level].leaves[value], 3);
    assert_true(mgl_hierarchy_find_at(h, 0, mgl_span_of("*"), &level, &value));
    assert_int_equal(level, 3);
    assert_false(mgl_hierarchy_find(h, mgl_span_of("Asian"), &level, &value));
    assert_int_equal(mgl_hierarchy_bind(h, "race", d, &err, leaves), MGL_OK);
    assert_int_equal(leaves[3], 3); /* ground values are bound as before */
    mgl_hierarchy_free(h);
    mgl_dictionary_free(d);
    drop_file(&file);
}

/* The same values under the same name, level after level, are one value. */
static void a_label_told_apart_stays_on_the_levels_above(void **state)
{
    (void)state;
    scratch_file file = text_file("a;x;x;*\nx;x;x;*\nb;b;c;*\n");
    mgl_dictionary *d = dictionary_of("a|x|b");
    mgl_hierarchy *h = made(file.path, d);
    expect_label(h, 1, 0, "x (LEVEL 1)");
    expect_label(h, 2, 0, "x (LEVEL 1)");
    assert_int_equal(h->levels[2].lowest[0], 1);
    mgl_hierarchy_free(h);
    mgl_dictionary_free(d);
    drop_file(&file);
}

/* A leaf '*' under another top is bound, and told. */
static void a_star_below_the_top_is_bound_and_told(void **state)
{
    (void)state;
    scratch_file file = text_file("a;person\n*;person\n");
    mgl_dictionary *d = dictionary_of("a|*");
    mgl_hierarchy *h = made(file.path, d);
    assert_int_equal(h->star_leaf, 1);
    check_promises(h);
    mgl_hierarchy_free(h);
    mgl_dictionary_free(d);
    drop_file(&file);
}

/* Hierarchies for the table of Sweeney 2002, figure 7. */
static void the_hierarchies_of_sweeney_figure_7_are_made(void **state)
{
    (void)state;
    expect_file("asian;person;*\nblack;person;*\nwhite;person;*\n", "black|white",
                "asian;person;*\nblack;person;*\nwhite;person;*\n");
    expect_of("suppress", "male|female", "female;*\nmale;*\n");
    static const char *const births = "1965-09-20|1965-02-14|1965-10-23|1965-08-24|1964-11-07|"
                                      "1964-12-01|1964-10-23|1965-03-15|1964-08-13|1964-05-05|"
                                      "1967-02-13|1967-03-21";
    mgl_dictionary *d = dictionary_of(births);
    mgl_hierarchy *h = made("dates(month,year,5y,10y)", d);
    check_promises(h);
    assert_int_equal(h->height, 5);
    assert_int_equal(h->n_leaves, 12);
    const uint32_t sizes[] = {12, 12, 3, 2, 1, 1};
    for (uint32_t l = 0; l <= 5; l++)
        assert_int_equal(h->levels[l].n_values, sizes[l]);
    mgl_hierarchy_free(h);
    mgl_dictionary_free(d);
    expect_of("mask(right,2)", "02141|02138|02139",
              "02138;0213*;021**;*\n02139;0213*;021**;*\n02141;0214*;021**;*\n");
}

/* A file, a value in it, and what the file has. */
typedef struct known_file {
    const char *name, *value;
    uint32_t height, n_leaves;
} known_file;

static void read_files(const char *folder, const known_file *files, size_t n)
{
    char path[4200];
    for (size_t i = 0; i < n; i++) {
        snprintf(path, sizeof path, "%s/data/adult/adult_hierarchy_%s.csv", folder, files[i].name);
        mgl_dictionary *d = dictionary_of(files[i].value);
        mgl_hierarchy *h = made(path, d);
        check_promises(h);
        assert_int_equal(h->height, files[i].height);
        assert_int_equal(h->n_leaves, files[i].n_leaves);
        mgl_hierarchy_free(h);
        mgl_dictionary_free(d);
    }
}

static void the_hierarchies_of_arx_are_read(void **state)
{
    (void)state;
    static const known_file files[] = {
        {"age", "39", 4, 100},
        {"education", "11th", 3, 16},
        {"marital-status", "Divorced", 2, 7},
        {"native-country", "England", 2, 41},
        {"occupation", "Craft-repair", 2, 14},
        {"race", "White", 1, 5},
        {"salary-class", ">50K", 1, 2},
        {"sex", "Male", 1, 2},
        {"workclass", "Private", 2, 8},
    };
    if (getenv("SHARED") == NULL) {
        print_message("skipped: no ../shared/data/adult\n");
        skip();
    }
    read_files(getenv("SHARED"), files, sizeof files / sizeof files[0]);
}

static void the_hierarchies_of_the_standin_are_read(void **state)
{
    (void)state;
    static const known_file files[] = {
        {"age", "39", 2, 75},
        {"education", "trade", 2, 6},
        {"marital-status", "widowed", 1, 4},
        {"native-country", "Nowhere", 2, 8},
        {"occupation", "smith", 2, 7},
        {"race", "west", 1, 4},
        {"salary-class", "high", 1, 2},
        {"sex", "man", 1, 2},
        {"workclass", "none yet", 1, 4},
    };
    const char *source = getenv("SOURCE");
    char folder[4096];
    snprintf(folder, sizeof folder, "%s/tests/standin", source != NULL ? source : ".");
    read_files(folder, files, sizeof files / sizeof files[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_read_in_their_order),
        cmocka_unit_test(a_top_is_added_where_there_is_none),
        cmocka_unit_test(a_label_counts_as_its_lowest_level),
        cmocka_unit_test(missing_stays_itself_until_the_top),
        cmocka_unit_test(broken_files_are_refused_with_their_line),
        cmocka_unit_test(a_label_of_several_levels_is_told_apart),
        cmocka_unit_test(a_label_told_apart_stays_on_the_levels_above),
        cmocka_unit_test(a_star_below_the_top_is_bound_and_told),
        cmocka_unit_test(the_hierarchies_of_sweeney_figure_7_are_made),
        cmocka_unit_test(the_hierarchies_of_arx_are_read),
        cmocka_unit_test(the_hierarchies_of_the_standin_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
