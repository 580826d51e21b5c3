/* Results: their JSON and the summary made from it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "findings/findings.h"
#include "report/report.h"
#include "result/result.h"

#include <math.h>
#include <stdio.h>

static mgl_result *result_from(const char *json)
{
    mgl_error err;
    mgl_result *result;
    json_error_t problem;
    assert_int_equal(mgl_result_new("anonymize", &err, &result), MGL_OK);
    json_decref(result->document);
    result->document = json_loads(json, 0, &problem);
    if (result->document == NULL)
        fail_msg("%s", problem.text);
    return result;
}

static void expect_styled(const char *json, mgl_text_style style, const char *expected)
{
    mgl_error err;
    char *text;
    mgl_result *result = result_from(json);
    assert_int_equal(mgl_report_text(result, &style, mgl_measure_view_at, &err, &text), MGL_OK);
    assert_string_equal(text, expected);
    mgl_free(text);
    mgl_result_free(result);
}

static void expect_report(const char *json, bool colour, const char *expected)
{
    expect_styled(json, (mgl_text_style){.colour = colour}, expected);
}

static void json_numbers_are_short_and_exact(void **state)
{
    (void)state;
    mgl_error err;
    mgl_result *result;
    char *text;
    assert_int_equal(mgl_result_new("check", &err, &result), MGL_OK);
    json_t *numbers = json_array();
    mgl_json_append(numbers, mgl_json_real(0.1));
    mgl_json_append(numbers, mgl_json_real(1));
    mgl_json_append(numbers, mgl_json_real(1.0 / 3));
    mgl_json_append(numbers, mgl_json_real(1e300));
    mgl_json_append(numbers, mgl_json_real(NAN));
    mgl_json_append(numbers, mgl_json_real(-INFINITY));
    mgl_json_append(numbers, mgl_json_count(UINT64_MAX));
    mgl_json_set(result->document, "numbers", numbers);
    mgl_json_set(result->document, "text", json_string("a\"b\\c\n\t\x01\xc3\xa4"));
    mgl_json_set(result->document, "empty", json_object());
    mgl_json_set(result->document, "flags", json_pack("[b,b,n]", 1, 0));
    mgl_result_warn(result, "code", "%d rows", 3);
    assert_int_equal(mgl_result_json(result, &err, &text), MGL_OK);
    assert_string_equal(text, "{\n"
                              "  \"confidential\": \"" MGL_CONFIDENTIAL "\",\n"
                              "  \"mingle\": \"" MGL_VERSION "\",\n"
                              "  \"schema\": 1,\n"
                              "  \"command\": \"check\",\n"
                              "  \"numbers\": [\n"
                              "    0.1,\n"
                              "    1.0,\n"
                              "    0.3333333333333333,\n"
                              "    1e+300,\n"
                              "    null,\n"
                              "    null,\n"
                              "    9223372036854775807\n"
                              "  ],\n"
                              "  \"text\": \"a\\\"b\\\\c\\n\\t\\u0001\xc3\xa4\",\n"
                              "  \"empty\": {},\n"
                              "  \"flags\": [\n"
                              "    true,\n"
                              "    false,\n"
                              "    null\n"
                              "  ],\n"
                              "  \"warnings\": [\n"
                              "    {\n"
                              "      \"code\": \"code\",\n"
                              "      \"message\": \"3 rows\"\n"
                              "    }\n"
                              "  ]\n"
                              "}\n");
    json_error_t problem;
    json_t *again = json_loads(text, 0, &problem);
    assert_non_null(again);
    assert_true(json_equal(again, result->document));
    json_decref(again);
    mgl_free(text);
    assert_int_equal(mgl_result_holds(result), 1);
    /* A value that could not be made must not pass for a complete result. */
    mgl_json_set(result->document, "lost", NULL);
    assert_int_equal(mgl_result_json(result, &err, &text), MGL_SYSTEM);
    mgl_result_free(result);
    mgl_result_free(NULL);
}

static const char release[] =
    "{\"command\": \"anonymize\", \"method\": \"mingen\", \"rows\": 30162,"
    " \"released_rows\": 30162, \"suppressed_rows\": 596,"
    " \"classes\": {\"count\": 356, \"min\": 5, \"mean\": 84.72, \"max\": 1778},"
    " \"node\": {\"sex\": 0, \"age\": 2}, \"heights\": {\"sex\": 1, \"age\": 4},"
    " \"nodes\": {\"total\": 12960, \"checked\": 812},"
    " \"utility\": {\"precision\": 0.85766, \"loss\": 0.042, \"discernibility\": 34630554,"
    " \"average_class_size\": 84.72, \"query_error\": null},"
    " \"models\": [{\"model\": \"k-anonymity\", \"parameters\": {\"k\": 5}, \"holds\": true,"
    " \"measured\": 5, \"violating_rows\": 0, \"violating_classes\": 0}],"
    " \"risk\": {\"prosecutor_max\": 0.2, \"prosecutor_mean\": 0.0118, \"uniques\": 0},"
    " \"seconds\": {\"read\": 0.11, \"search\": 0.5, \"total\": 0.78},"
    " \"warnings\": [{\"code\": \"c\", \"message\": \"mind this\"}],"
    " \"output\": \"rel.csv\"}";

static void class_sizes_are_drawn_as_bars(void **state)
{
    (void)state;
    expect_report("{\"command\": \"check\", \"figures\": {\"class_sizes\": {\"now\": ["
                  "{\"from\": 1, \"to\": 1, \"classes\": 0, \"rows\": 0},"
                  "{\"from\": 2, \"to\": 2, \"classes\": 1, \"rows\": 2},"
                  "{\"from\": 3, \"to\": 4, \"classes\": 0, \"rows\": 0},"
                  "{\"from\": 5, \"to\": 9, \"classes\": 4, \"rows\": 32}]}}}",
                  false,
                  "sizes       2              \u2588\u2588\u258e 2\n"
                  "            3 to 4          0\n"
                  "            5 to 9         "
                  "\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588"
                  "\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588"
                  "\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588 32\n");
    /* One size says nothing that the line of classes does not. */
    expect_report("{\"command\": \"check\", \"figures\": {\"class_sizes\": {\"now\": ["
                  "{\"from\": 5, \"to\": 9, \"classes\": 4, \"rows\": 32}]}}}",
                  false, "");
}

/* Bars begin below each other whatever their labels, and fit the terminal with their numbers. */
static void bars_of_large_classes_fit_the_terminal(void **state)
{
    (void)state;
    static const char many[] = "{\"command\": \"check\", \"figures\": {\"class_sizes\": {\"now\": ["
                               "{\"from\": 500, \"to\": 999, \"rows\": 1234567},"
                               "{\"from\": 1000000, \"to\": 1999999, \"rows\": 12345678}]}}}";
    expect_styled(many, (mgl_text_style){.width = 60, .ascii = 1},
                  "sizes       500 to 999             # 1,234,567\n"
                  "            1,000,000 to 1,999,999 ############## 12,345,678\n");
    expect_styled(many, (mgl_text_style){.width = 40, .ascii = 1},
                  "sizes       500 to 999             #\n"
                  "            1,234,567\n"
                  "            1,000,000 to 1,999,999 ####\n"
                  "            12,345,678\n");
}

/* Lines are broken between words, never within a colour, and go on below their text. */
static void lines_are_broken_between_words(void **state)
{
    (void)state;
    expect_styled("{\"command\": \"check\", \"models\": [{\"model\": \"k-anonymity\","
                  " \"parameters\": {\"k\": 5}, \"holds\": true, \"measured\": 7}]}",
                  (mgl_text_style){.width = 36, .colour = 1},
                  "privacy     k-anonymity k=5 \033[32mholds\033[0m\n"
                  "            (measured 7)\n");
    expect_styled("{\"command\": \"check\", \"output\": \"a/path/longer/than/the/line\"}",
                  (mgl_text_style){.width = 24}, "written     a/path/longer/than/the/line\n");
}

/* With --entity the members of classes are persons. */
static void members_of_classes_are_persons_with_entity(void **state)
{
    (void)state;
    expect_report("{\"command\": \"check\", \"entity\": \"id\","
                  " \"classes\": {\"count\": 3, \"min\": 2, \"max\": 9}}",
                  false, "classes     3 of 2 to 9 persons\n");
    expect_report("{\"command\": \"check\", \"missing_matches\": \"all\","
                  " \"classes\": {\"count\": 3, \"min\": 2, \"max\": 9}}",
                  false, "classes     3 different, each matched by 2 to 9 rows\n");
}

/* What is true of the cells where columns have no level of their own. */
static void mixed_levels_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *mixture, *words;
    } cases[] = {
        {"{\"levels\": true, \"suppressed\": true, \"made\": null}",
         "mixed within columns; `method: mingen` gives each column one level"},
        {"{\"levels\": false, \"suppressed\": true, \"made\": null}",
         "cells are as they were, or suppressed one by one"},
        {"{\"levels\": false, \"suppressed\": false, \"made\": null}", "every cell is as it was"},
        {"{\"levels\": false, \"suppressed\": false, \"made\": \"means\"}",
         "means in place of values, class by class"},
        {"{\"levels\": true, \"suppressed\": false, \"made\": \"ranges\"}",
         "ranges in place of values, class by class; other columns mix levels"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char json[300], expected[300];
        snprintf(json, sizeof json, "{\"command\": \"anonymize\", \"node\": null, \"mixture\": %s}",
                 cases[i].mixture);
        snprintf(expected, sizeof expected, "levels      %s\n", cases[i].words);
        expect_report(json, false, expected);
    }
    /* Single cells are counted by column, unless levels are mixed. */
    expect_report("{\"command\": \"anonymize\", \"node\": null, \"mixture\": {\"levels\": false,"
                  " \"suppressed\": true, \"made\": null},"
                  " \"suppressed_cells\": {\"age\": 1520, \"sex\": 0, \"zip\": 9}}",
                  false,
                  "cells       suppressed: age 1,520  zip 9\n"
                  "levels      cells are as they were, or suppressed one by one\n");
}

/* Nothing is mixed where all rows are at the top either. */
static void rows_that_are_whole_are_told(void **state)
{
    (void)state;
#define MIXTURE                                                                                    \
    "{\"command\": \"anonymize\", \"node\": null, \"mixture\": {\"levels\": false,"                \
    " \"suppressed\": false, \"made\": null}, \"utility\": "
    expect_report(MIXTURE "{\"precision\": 0.0}}", false,
                  "levels      every cell is at the top of its hierarchy\n"
                  "utility     precision 0.0000\n"
                  "            precision: 0 % of the detail in these columns is left\n");
    expect_report(MIXTURE "{\"precision\": 0.9}}", false,
                  "levels      rows are as they were, or suppressed whole\n"
                  "utility     precision 0.9000\n"
                  "            precision: 90 % of the detail in these columns is left\n");
#undef MIXTURE
}

static void title_and_unchanged_columns_are_told(void **state)
{
    (void)state;
    expect_report("{\"command\": \"anonymize\","
                  " \"about\": {\"title\": \"Cases\\u001b[1m of 2026\"},"
                  " \"unchanged\": [{\"column\": \"pay\", \"role\": \"sensitive\"},"
                  " {\"column\": \"stay\", \"role\": \"insensitive\"}]}",
                  false,
                  "title       Cases?[1m of 2026\n"
                  "unchanged   pay (sensitive)  stay\n");
    expect_report("{\"command\": \"anonymize\", \"unchanged\": []}", false,
                  "unchanged   no column\n");
}

static void a_release_is_summarized(void **state)
{
    (void)state;
    expect_report(release, false,
                  "rows        30,162 read, 30,162 released, 596 suppressed (1.98 %)\n"
                  "classes     356 of 5 to 1,778 rows, 84.7 on average\n"
                  "privacy     k-anonymity k=5 holds (measured 5)\n"
                  "risk        at most 20 % for one person, 1.18 % on average, 0 unique\n"
                  "method      mingen, 812 of 12,960 nodes checked\n"
                  "levels      sex 0/1  age 2/4\n"
                  "utility     precision 0.8577  loss 0.0420  average class size 84.72\n"
                  "            precision: 85.8 % of the detail in these columns is left\n"
                  "seconds     0.78 (read 0.11, search 0.50)\n"
                  "warning     mind this\n"
                  "written     rel.csv\n");
}

/* A search that proves nothing, in a lattice whose nodes are not counted to the end, and one that
 * looks at more nodes than there are. */
static void searches_without_a_proof_are_told(void **state)
{
    (void)state;
    expect_report("{\"command\": \"anonymize\", \"method\": \"top-down\", \"node\": {\"a\": 1},"
                  " \"nodes\": {\"total\": 9223372036854775807, \"checked\": 5000},"
                  " \"bound\": {\"measure\": \"loss\", \"best_possible\": 0.25, \"achieved\": 0.5,"
                  " \"gap\": 0.25, \"exact\": false}}",
                  false,
                  "method      top-down, 5,000 of more than 9e18 nodes checked\n"
                  "levels      a 1\n"
                  "best        loss cannot be better than 0.2500, this release has 0.5000, not "
                  "proved to be the best\n");
    expect_report("{\"command\": \"anonymize\", \"method\": \"incognito\", \"node\": {\"a\": 1},"
                  " \"nodes\": {\"total\": 12, \"checked\": 1018},"
                  " \"bound\": {\"measure\": \"loss\", \"best_possible\": 0.5, \"achieved\": 0.5,"
                  " \"gap\": 0, \"exact\": true}}",
                  false,
                  "method      incognito, 1,018 checks in a lattice of 12 nodes\n"
                  "levels      a 1\n"
                  "best        loss 0.5000, proved to be the best with one level per column\n");
}

static void violations_are_told(void **state)
{
    (void)state;
    static const char json[] =
        "{\"command\": \"check\", \"rows\": 8, \"k\": 1,"
        " \"models\": [{\"model\": \"k-anonymity\", \"parameters\": {\"k\": 2}, \"holds\": false,"
        " \"measured\": 1, \"violating_rows\": 3, \"violating_classes\": 2}],"
        " \"attributes\": {\"disease\": {\"p\": 2, \"entropy_l\": 1.75, \"delta\": null}}}";
    expect_report(json, false,
                  "rows        8 read\n"
                  "privacy     k-anonymity k=2 does not hold: 3 rows in 2 classes (measured 1)\n"
                  "k           1, the smallest class\n"
                  "sensitive   disease\n"
                  "            p              2  entropy_l 1.7500  delta          -\n");
    expect_report("{\"command\": \"check\", \"models\": [{\"model\": \"m\", \"holds\": true}]}",
                  true, "privacy     m \033[32mholds\033[0m\n");
}

static void models_are_told_with_their_parameters(void **state)
{
    (void)state;
    static const char json[] =
        "{\"command\": \"check\", \"models\": ["
        "{\"model\": \"l-diversity\", \"parameters\": {\"attribute\": \"diagnosis\", \"l\": 3},"
        " \"holds\": true, \"measured\": 4, \"violating_rows\": 0, \"violating_classes\": 0},"
        "{\"model\": \"t-closeness\", \"parameters\": {\"attribute\": \"pay\", \"t\": 0.2,"
        " \"distance\": \"ordered\"}, \"holds\": false, \"measured\": 0.58333333,"
        " \"violating_rows\": 1, \"violating_classes\": 1},"
        "{\"model\": \"mean-risk\", \"parameters\": {\"x\": 0.05}, \"holds\": false,"
        " \"measured\": 0.0625, \"violating_rows\": 0, \"violating_classes\": 0},"
        "{\"model\": \"k-anonymity\", \"parameters\": {\"k\": 4294967295}, \"holds\": false,"
        " \"measured\": 12345678, \"violating_rows\": 12345678, \"violating_classes\": null,"
        " \"quasi_identifier\": [\"age\", \"zip\"]},"
        "{\"model\": \"delta-disclosure\", \"parameters\": {\"attribute\": \"pay\", \"delta\": "
        "1.5},"
        " \"holds\": false, \"measured\": null, \"violating_rows\": 1200,"
        " \"violating_classes\": 31}]}";
    expect_report(json, false,
                  "privacy     l-diversity diagnosis l=3 holds (measured 4)\n"
                  "            t-closeness pay t=0.2 ordered does not hold: 1 row in 1 class "
                  "(measured 0.583333)\n"
                  "            mean-risk x=0.05 does not hold (measured 0.0625)\n"
                  "            k-anonymity k=4294967295 on age,zip does not hold: 12,345,678 rows "
                  "(measured 12345678)\n"
                  "            delta-disclosure pay delta=1.5 does not hold: 1,200 rows in 31 "
                  "classes\n");
}

/* Two columns, all parameters; five of them would take 25 lines. */
static void strongest_parameters_are_a_grid(void **state)
{
    (void)state;
    static const char json[] =
        "{\"command\": \"check\", \"attributes\": {"
        "\"disease\": {\"p\": 2, \"distinct_l\": 2, \"entropy_l\": 1.5,"
        " \"recursive_c\": {\"2\": 0.8, \"3\": null, \"12\": null}, \"alpha\": 0.75,"
        " \"t_equal\": 0.58333, \"t_ordered\": 0.25, \"t_hierarchical\": 0.125, \"beta\": 2.5,"
        " \"enhanced_beta\": null, \"delta\": null, \"extended_p\": 2},"
        "\"pay\": {\"p\": 1200, \"distinct_l\": 3, \"recursive_c\": {\"2\": 1.25}}}}";
    expect_report(
        json, false,
        "sensitive   disease\n"
        "            p                   2  entropy_l      1.5000  c for l=2      0.8000\n"
        "            c for l=12          -  alpha          0.7500  t_equal        0.5833\n"
        "            t_ordered      0.2500  t_hierarchical 0.1250  beta           2.5000\n"
        "            enhanced_beta       -  delta               -  extended_p          2\n"
        "sensitive   pay\n"
        "            p               1,200  distinct_l          3  c for l=2      "
        "1.2500\n");
    expect_report("{\"command\": \"check\", \"attributes\": {\"a\": {}, \"b\": {}}}", false,
                  "sensitive   a\nsensitive   b\n");
}

static void a_lattice_is_a_table_of_nodes(void **state)
{
    (void)state;
    static const char json[] =
        "{\"command\": \"lattice\", \"nodes\": {\"total\": 2, \"holding\": 1},"
        " \"minimal_nodes\": [{\"race\": 1, \"zip\": 0}], \"lattice\": ["
        " {\"node\": {\"race\": 0, \"zip\": 0}, \"height\": 0, \"holds\": false,"
        " \"suppressed_rows\": 3, \"classes\": null, \"utility\": {\"precision\": 1.0}},"
        " {\"node\": {\"race\": 1, \"zip\": 0}, \"height\": 1, \"holds\": true,"
        " \"suppressed_rows\": 0, \"classes\": 4, \"utility\": 0.5}]}";
    expect_report(json, false,
                  "nodes       2, of which 1 hold\n"
                  "minimal     race 1  zip 0\n"
                  "\n"
                  "race  zip  height  holds  suppressed   classes   utility\n"
                  "   0    0       0     no           3         -    1.0000\n"
                  "   1    0       1  holds           0         4    0.5000\n"
                  "\n");
}

/* One line per method; what was asked for comes first, what is said about single ones last. */
static void a_comparison_has_a_line_per_method(void **state)
{
    (void)state;
    static const char json[] =
        "[{\"command\": \"compare\", \"method\": \"mingen\", \"suppressed_rows\": 596,"
        " \"classes\": {\"count\": 1356}, \"measure\": \"geometric_loss\","
        " \"utility\": {\"geometric_loss\": 0.31, \"precision\": 0.85766, \"loss\": 0.042,"
        " \"discernibility\": 34630554, \"average_class_size\": 84.72},"
        " \"models\": [{\"holds\": true}, {\"holds\": true}], \"seconds\": {\"search\": 0.126},"
        " \"warnings\": [{\"code\": \"b\", \"message\": \"of all\"},"
        " {\"code\": \"c\", \"message\": \"of one\"}]},"
        "{\"command\": \"compare\", \"method\": \"mu-argus\", \"suppressed_rows\": 0,"
        " \"classes\": {\"count\": 3}, \"measure\": \"geometric_loss\","
        " \"utility\": {\"geometric_loss\": null, \"precision\": 1.0, \"loss\": 0.0,"
        " \"discernibility\": 999999, \"average_class_size\": 2.0},"
        " \"models\": [{\"holds\": true}, {\"holds\": false}], \"seconds\": {\"search\": 12.3},"
        " \"warnings\": [{\"code\": \"b\", \"message\": \"of all\"}]},"
        "{\"command\": \"compare\", \"method\": \"cell\", \"error\": \"cell does not add "
        "geometric loss up, and says so in a sentence that is longer than a line; use another\","
        " \"status\": 2},"
        "{\"command\": \"compare\", \"method\": \"top\", \"error\": \"no node holds\","
        " \"status\": 1}]";
    expect_report(
        json, false,
        "         geometric\n"
        "method        loss precision   loss discern. classes suppr. models seconds\n"
        "mingen      0.3100    0.8577 0.0420   34.63M   1,356    596   hold    0.13\n"
        "mu-argus         -    1.0000 0.0000  999,999       3      0 1 of 2   12.30\n"
        "cell             -         -      -        -       -      -      -       -\n"
        "top              -         -      -        -       -      -      -       -\n"
        "no release  cell does not add geometric loss up, and says so in a sentence that\n"
        "            is longer than a line; use another\n"
        "no release  top: no node holds\n"
        "warning     of all\n"
        "warning     mingen: of one\n");
}

static const char wide[] =
    "[{\"command\": \"compare\", \"method\": \"local-suppression\", \"suppressed_rows\": 1234567,"
    " \"classes\": {\"count\": 123456}, \"measure\": \"%s\","
    " \"utility\": {\"nonuniform_entropy\": 123456.0, \"precision\": 0.5, \"loss\": 0.5,"
    " \"discernibility\": 1234567890123, \"average_class_size\": 12345},"
    " \"models\": [{\"holds\": false}], \"seconds\": {\"search\": 3600}}]";

static void expect_wide(const char *measure, const char *expected)
{
    char json[600];
    snprintf(json, sizeof json, wide, measure);
    expect_report(json, false, expected);
}

/* Lines have at most 80 columns, but for names and numbers that leave no choice. */
static void a_comparison_fits_80_columns(void **state)
{
    (void)state;
    expect_wide("precision",
                "method            precision   loss discern. classes    suppr. models seconds\n"
                "local-suppression    0.5000 0.5000   1.235T 123,456 1,234,567 0 of 1 3600.00\n");
    expect_wide("nonuniform_entropy",
                "                  nonuniform\n"
                "method               entropy precision   loss classes    suppr. models seconds\n"
                "local-suppression    123,456    0.5000 0.5000 123,456 1,234,567 0 of 1 3600.00\n");
    expect_report(
        "[{\"command\": \"compare\", \"method\": \"m\", \"classes\": {\"count\": 1},"
        " \"models\": [{\"holds\": true}]}, {\"command\": \"compare\","
        " \"method\": \"n\", \"models\": [{\"holds\": false}]}]",
        true,
        "                                   class\n"
        "method  precision  loss  discern.   size  classes  suppr.  models  seconds\n"
        "m               -     -         -      -        1       0    \033[32mhold\033[0m        "
        "-\n"
        "n               -     -         -      -        0       0  \033[31m0 of 1\033[0m        "
        "-\n");
}

static void hierarchies_are_told_with_their_levels(void **state)
{
    (void)state;
    expect_report("{\"command\": \"hierarchy\", \"action\": \"check\", \"hierarchies\": ["
                  "{\"column\": \"zip\", \"source\": \"mask(right)\", \"height\": 2,"
                  " \"levels\": [12, 3, 1]}]}",
                  false, "zip  mask(right)  height 2, values per level 12 > 3 > 1  good\n");
    expect_report("{\"command\": \"hierarchy\", \"action\": \"show\", \"hierarchies\": ["
                  "{\"column\": \"sex\", \"source\": \"suppress\", \"height\": 1,"
                  " \"levels\": [2, 1], \"tree\": \"*\\n- f\\n- m\"}]}",
                  false, "sex  suppress  height 1, values per level 2 > 1\n*\n- f\n- m\n");
    expect_report("{\"command\": \"hierarchy\", \"action\": \"build\", \"hierarchies\": ["
                  "{\"column\": \"sex\", \"file\": \"f;*\\nm;*\\n\"}]}",
                  false, "f;*\nm;*\n");
    expect_report("{\"command\": \"hierarchy\", \"action\": \"suggest\", \"hierarchies\": ["
                  "{\"column\": \"zip\", \"builder\": \"mask(right)\", \"reason\": \"codes\"},"
                  "{\"column\": \"it's, a\", \"builder\": \"suppress\", \"reason\": \"few\"},"
                  "{\"column\": \"name\", \"builder\": \"\", \"reason\": \"all differ\"}]}",
                  false,
                  "zip      mask(right)  codes\n"
                  "it's, a  suppress     few\n"
                  "name     -            all differ\n"
                  "\n"
                  " `hierarchy: zip=mask(right)` \\\n"
                  " `hierarchy: \"it's, a\"=suppress`\n");
}

/* Characters of several bytes take one column each. */
static void advice_is_aligned_by_characters(void **state)
{
    (void)state;
    expect_report("{\"command\": \"risk\", \"rows\": 5, \"advice\": ["
                  "{\"column\": \"Gr\\u00f6\\u00dfe\", \"role\": \"quasi\", \"reason\": \"seen\"},"
                  "{\"column\": \"size\", \"role\": \"quasi\", \"reason\": \"seen\"}]}",
                  false,
                  "rows        5 read\n"
                  "Gr\xc3\xb6\xc3\x9f"
                  "e  quasi        seen\n"
                  "size   quasi        seen\n");
}

static int spell(const char *phrase, char *text, size_t size)
{
    if (strcmp(phrase, "suppress") != 0)
        return 0;
    snprintf(text, size, "--suppress-rows");
    return 1;
}

/* Where lines are broken, they are as wide as what the program spells. */
static void keys_are_spelt_as_the_program_says(void **state)
{
    (void)state;
    static const char json[] =
        "{\"command\": \"hierarchy\", \"action\": \"suggest\", \"hierarchies\": [{\"column\": "
        "\"c\", \"builder\": \"\", \"reason\": \"say `suppress`, or `rest` or ` or ``\"}]}";
    expect_styled(json, (mgl_text_style){.spell = spell},
                  "c  -  say --suppress-rows, or `rest` or ` or ``\n");
    expect_styled(json, (mgl_text_style){0}, "c  -  say `suppress`, or `rest` or ` or ``\n");
    expect_styled(json, (mgl_text_style){.spell = spell, .width = 22},
                  "c  -  say\n    --suppress-rows,\n    or `rest` or ` or\n    ``\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(advice_is_aligned_by_characters),
        cmocka_unit_test(json_numbers_are_short_and_exact),
        cmocka_unit_test(a_release_is_summarized),
        cmocka_unit_test(class_sizes_are_drawn_as_bars),
        cmocka_unit_test(searches_without_a_proof_are_told),
        cmocka_unit_test(bars_of_large_classes_fit_the_terminal),
        cmocka_unit_test(lines_are_broken_between_words),
        cmocka_unit_test(keys_are_spelt_as_the_program_says),
        cmocka_unit_test(members_of_classes_are_persons_with_entity),
        cmocka_unit_test(mixed_levels_are_told),
        cmocka_unit_test(rows_that_are_whole_are_told),
        cmocka_unit_test(title_and_unchanged_columns_are_told),
        cmocka_unit_test(violations_are_told),
        cmocka_unit_test(models_are_told_with_their_parameters),
        cmocka_unit_test(strongest_parameters_are_a_grid),
        cmocka_unit_test(a_lattice_is_a_table_of_nodes),
        cmocka_unit_test(hierarchies_are_told_with_their_levels),
        cmocka_unit_test(a_comparison_has_a_line_per_method),
        cmocka_unit_test(a_comparison_fits_80_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
