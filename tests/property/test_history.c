/* Releases that are judged together with earlier ones, against plain counting in what was
 * written. */
/* slow: random problems against plain searches; changes with the searches alone */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute.h"
#include "brute_files.h"
#include "brute_job.h"
#include "brute_models_small.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 3, HEIGHT = 2, ROWS = 24, SENSITIVE = COLUMNS, TEXT = 8 };

/* A table of codes of two letters, each column with the levels xy, x*, *. */
typedef struct table {
    int n_rows;
    char cells[ROWS][COLUMNS + 1][TEXT];
} table;

static table draw_table(brute_random *random)
{
    table t = {.n_rows = brute_between(random, 8, ROWS)};
    for (int r = 0; r < t.n_rows; r++) {
        for (int c = 0; c < COLUMNS; c++)
            snprintf(t.cells[r][c], TEXT, "%c%c", 'a' + brute_below(random, 2),
                     'p' + brute_below(random, 2));
        snprintf(t.cells[r][SENSITIVE], TEXT, "s%d", brute_below(random, 3));
    }
    return t;
}

static void write_table(const table *t, const int *history_of_row, int past)
{
    brute_text text = {0};
    brute_append_text(&text, "a,b,c,s\n");
    for (int r = 0; r < t->n_rows; r++) {
        if (history_of_row != NULL && history_of_row[r] != past)
            continue;
        char line[64];
        snprintf(line, sizeof line, "%s,%s,%s,%s\n", t->cells[r][0], t->cells[r][1], t->cells[r][2],
                 t->cells[r][3]);
        brute_append_text(&text, line);
    }
    brute_write("table.csv", text.data, text.size);
    free(text.data);
}

static void cell_at(const char *value, int level, char out[TEXT])
{
    snprintf(out, TEXT, "%s", value);
    if (level == 1)
        out[1] = '*';
    if (level == HEIGHT)
        snprintf(out, TEXT, "*");
}

/* What each row was released as, as one text. */
typedef struct release {
    int n_rows;
    char tuple[ROWS][COLUMNS * TEXT];
} release;

static release read_release(const char *path)
{
    release out = {0};
    size_t size;
    char *data = brute_read(path, &size);
    assert_non_null(data);
    brute_csv csv;
    assert_true(brute_csv_parse(data, size, ',', &csv));
    out.n_rows = (int)csv.n_rows - 1;
    for (int r = 0; r < out.n_rows; r++)
        for (int c = 0; c < COLUMNS; c++) {
            strcat(out.tuple[r], brute_csv_value(&csv, (size_t)r + 1, (size_t)c));
            strcat(out.tuple[r], "|");
        }
    brute_csv_free(&csv);
    free(data);
    return out;
}

static bool alike(const release *const *releases, int n, int r, int q)
{
    for (int i = 0; i < n; i++)
        if (strcmp(releases[i]->tuple[r], releases[i]->tuple[q]) != 0)
            return false;
    return true;
}

/* Do the rows that look like this one in all the releases hold k-anonymity and l-diversity? */
static bool group_holds(const table *t, const release *const *releases, int n, int r, int k, int l)
{
    int rows = 0, values = 0;
    bool seen[3] = {false};
    for (int q = 0; q < t->n_rows; q++) {
        if (!alike(releases, n, r, q))
            continue;
        rows++;
        int value = t->cells[q][SENSITIVE][1] - '0';
        values += !seen[value];
        seen[value] = true;
    }
    return rows >= k && values >= l;
}

static bool hold(const table *t, const release *const *releases, int n, int k, int l)
{
    for (int r = 0; r < t->n_rows; r++)
        if (!group_holds(t, releases, n, r, k, l))
            return false;
    return true;
}

static json_t *run(const char *method, int k, int l, const char *output, const char *recoding,
                   const char *history)
{
    char ks[8], ls[16];
    snprintf(ks, sizeof ks, "%d", k);
    snprintf(ls, sizeof ls, "s=%d", l);
    mgl_status status;
    return small_run("anonymize", &status,
                     KEYS("qi", "a,b,c", "sensitive", "s", "hierarchy", "a=mask(right,1)",
                          "hierarchy", "b=mask(right,1)", "hierarchy", "c=mask(right,1)", "k", ks,
                          "l-diversity", ls, "method", method, "output", output, "save-recoding",
                          recoding, "keep-order", "true", "allow-leaks", "true",
                          history != NULL ? "history" : NULL, history));
}

static double number(const json_t *document, const char *object, const char *key)
{
    return json_number_value(json_object_get(json_object_get(document, object), key));
}

/* The precision of the best node that holds together with earlier releases; -1: none does. */
static double best_node(const table *t, const release *const *earlier, int n, int k, int l)
{
    double best = -1;
    for (int node = 0; node < 27; node++) {
        int levels[COLUMNS] = {node / 9, node / 3 % 3, node % 3}, sum = 0;
        release made = {.n_rows = t->n_rows};
        const release *all[4] = {&made};
        for (int c = 0; c < COLUMNS; c++) {
            sum += levels[c];
            for (int r = 0; r < t->n_rows; r++) {
                char cell[TEXT];
                cell_at(t->cells[r][c], levels[c], cell);
                strcat(made.tuple[r], cell);
                strcat(made.tuple[r], "|");
            }
        }
        for (int i = 0; i < n; i++)
            all[1 + i] = earlier[i];
        double precision = 1 - (double)sum / (COLUMNS * HEIGHT);
        if (hold(t, all, n + 1, k, l) && precision > best)
            best = precision;
    }
    return best;
}

/* Every past that earlier releases make is a table of its own at the cell level. */
static double best_cells(const table *t, const release *earlier, int k, int l, bool *exact)
{
    int history_of_row[ROWS], n_histories = 0;
    double sum = 0;
    for (int r = 0; r < t->n_rows; r++) {
        history_of_row[r] = -1;
        for (int q = 0; q < r; q++)
            if (strcmp(earlier->tuple[r], earlier->tuple[q]) == 0)
                history_of_row[r] = history_of_row[q];
        if (history_of_row[r] < 0)
            history_of_row[r] = n_histories++;
    }
    for (int past = 0; past < n_histories; past++) {
        write_table(t, history_of_row, past);
        json_t *d = run("cell", k, l, "part.out", "part.rec", NULL);
        if (d == NULL)
            fail_msg("the rows of a past must hold by itself");
        *exact = *exact && json_is_true(json_object_get(json_object_get(d, "bound"), "exact"));
        sum += number(d, "utility", "precision") *
               (double)json_integer_value(json_object_get(d, "rows"));
        json_decref(d);
    }
    write_table(t, NULL, 0);
    return sum / t->n_rows;
}

static const char *const methods[] = {"mingen",   "cell",     "datafly",  "samarati",
                                      "top-down", "mondrian", "k-member", "incognito"};

/* The same where rows may be dropped: those of groups that do not hold. */
static double best_dropping(const table *t, const release *earlier, int k, int l)
{
    double best = -1;
    for (int node = 0; node < 27; node++) {
        int levels[COLUMNS] = {node / 9, node / 3 % 3, node % 3}, sum = 0, left = 0;
        release made = {.n_rows = t->n_rows};
        const release *all[2] = {&made, earlier};
        for (int c = 0; c < COLUMNS; c++) {
            sum += levels[c];
            for (int r = 0; r < t->n_rows; r++) {
                char cell[TEXT];
                cell_at(t->cells[r][c], levels[c], cell);
                strcat(made.tuple[r], cell);
                strcat(made.tuple[r], "|");
            }
        }
        for (int r = 0; r < t->n_rows; r++)
            left += group_holds(t, all, 2, r, k, l);
        double lost = (double)sum / (COLUMNS * HEIGHT) * left + (t->n_rows - left);
        double precision = 1 - lost / t->n_rows;
        if (left > 0 && precision > best)
            best = precision;
    }
    return best;
}

static void with_drop_the_joint_release_is_the_best(void **state)
{
    (void)state;
    brute_random random = {31};
    int compared = 0;
    for (int i = 0; i < brute_cases(60); i++) {
        table t = draw_table(&random);
        int k = brute_between(&random, 2, 4), l = brute_between(&random, 1, 2);
        write_table(&t, NULL, 0);
        json_t *d = run(methods[brute_below(&random, 8)], k, l, "release.csv", "1.rec", NULL);
        if (d == NULL)
            continue;
        json_decref(d);
        release earlier = read_release("release.csv");
        char ks[8], ls[16];
        snprintf(ks, sizeof ks, "%d", k);
        snprintf(ls, sizeof ls, "s=%d", l);
        d = small_must("anonymize",
                       KEYS("qi", "a,b,c", "sensitive", "s", "hierarchy", "a=mask(right,1)",
                            "hierarchy", "b=mask(right,1)", "hierarchy", "c=mask(right,1)", "k", ks,
                            "l-diversity", ls, "method", "mingen", "suppress", "100%", "suppressed",
                            "drop", "output", "dropped.csv", "history", "1.rec", "allow-leaks",
                            "true"));
        double wanted = best_dropping(&t, &earlier, k, l);
        if (fabs(number(d, "utility", "precision") - wanted) > 1e-9)
            fail_msg("case %d: precision %.9f, must be %.9f", i, number(d, "utility", "precision"),
                     wanted);
        json_decref(d);
        compared++;
    }
    assert_true(compared > 10 / BRUTE_ONE_IN);
}

static void searches_respect_earlier_releases(void **state)
{
    (void)state;
    brute_random random = {77};
    int together = 0, refused = 0, compared = 0;
    for (int i = 0; i < brute_cases(40); i++) {
        table t = draw_table(&random);
        int k = brute_between(&random, 2, 3), l = brute_between(&random, 1, 2);
        int n = brute_between(&random, 1, 2);
        static const char *const names[] = {"1.rec", "1.rec,2.rec"};
        release earlier[2], made;
        const release *all[3] = {&made, &earlier[0], &earlier[1]};
        write_table(&t, NULL, 0);
        bool have = true;
        for (int e = 0; have && e < n; e++) {
            const char *method = methods[brute_below(&random, 8)];
            json_t *d = run(method, k, l, "release.csv", e == 0 ? "1.rec" : "2.rec",
                            e == 0 ? NULL : "1.rec");
            have = d != NULL;
            json_decref(d);
            if (have)
                earlier[e] = read_release("release.csv");
        }
        if (!have)
            continue;
        double node = best_node(&t, all + 1, n, k, l);
        for (int m = 0; m < 8; m++) {
            json_t *d = run(methods[m], k, l, "release.csv", "x.rec", names[n - 1]);
            if (d == NULL) {
                /* Only a search that may miss what there is. */
                assert_true(m >= 2 || node < 0);
                refused++;
                continue;
            }
            made = read_release("release.csv");
            assert_true(hold(&t, all, n + 1, k, l));
            assert_true(hold(&t, all, 1, k, l));
            double precision = number(d, "utility", "precision");
            if (m == 0)
                assert_true(fabs(precision - node) < 1e-9);
            if (m == 1) {
                assert_true(precision > node - 1e-9);
                bool exact = json_is_true(json_object_get(json_object_get(d, "bound"), "exact"));
                double cells = n == 1 && exact ? best_cells(&t, &earlier[0], k, l, &exact) : -1;
                if (cells >= 0 && exact) {
                    assert_true(fabs(precision - cells) < 1e-9);
                    compared++;
                }
            }
            together += json_object_get(d, "history") != NULL;
            json_decref(d);
        }
    }
    assert_true(together > 50 / BRUTE_ONE_IN);
    assert_true(compared > 5 / BRUTE_ONE_IN);
    assert_true(refused < together);
}

/* Each of the two is 2-anonymous; together they single out everyone. */
static void two_releases_that_single_out_together_are_refused(void **state)
{
    (void)state;
    brute_write_text("table.csv", "zip,sex,ill\n02138,m,flu\n02139,m,cold\n02138,f,flu\n"
                                  "02139,f,gout\n02141,m,flu\n02142,m,cold\n02141,f,flu\n"
                                  "02142,f,gout\n");
    json_t *d =
        small_must("anonymize", KEYS("qi", "zip,sex", "sensitive", "ill", "hierarchy",
                                     "zip=mask(right,2)", "k", "2", "level", "sex=0..0", "method",
                                     "mingen", "output", "release.csv", "save-recoding", "1.rec"));
    small_says(d, "classes.min", 2);
    json_decref(d);
    const char *const second[] = {
        "qi",     "zip,sex",    "sensitive", "ill",      "hierarchy",      "zip=mask(right,2)",
        "k",      "2",          "level",     "zip=0..0", "method",         "mingen",
        "output", "second.csv", "history",   "1.rec",    "history-judged", "afterwards",
        NULL,     NULL,         NULL};
    small_fails("anonymize", MGL_UNMET, second);
    assert_false(brute_exists("second.csv"));
    const char *allowed[24] = {NULL};
    memcpy(allowed, second, sizeof second);
    allowed[18] = "allow-leaks";
    allowed[19] = "true";
    d = small_must("anonymize", allowed);
    small_says(d, "classes.min", 2);
    small_says(d, "history.classes.count", 8);
    small_says(d, "history.uniques", 8);
    small_says(d, "history.rows_below_k", 8);
    json_decref(d);
    /* What the levels allow cannot hold; without them the search finds what can. */
    allowed[17] = "searching";
    small_fails("anonymize", MGL_UNMET, allowed);
    allowed[9] = "zip=0..3";
    d = small_must("anonymize", allowed);
    small_says(d, "history.classes.min", 2);
    small_says(d, "history.violating_rows", 0);
    json_decref(d);
}

/* Rows must be those of the earlier release. */
static void a_history_of_another_table_is_refused(void **state)
{
    (void)state;
    const char *const first[] = {"qi",    "a", "k", "2", "output", "r.csv", "save-recoding",
                                 "1.rec", NULL};
    const char *const second[] = {"qi", "a", "k", "2", "output", "s.csv", "history", "1.rec", NULL};
    brute_write_text("table.csv", "a\nx\nx\ny\ny\n");
    json_decref(small_must("anonymize", first));
    json_decref(small_must("anonymize", second));
    static const char *const others[] = {"a\nx\nx\ny\ny\ny\n", "a\nx\nx\nx\ny\n", "a\nx\nx\nz\nz\n",
                                         "b\nx\nx\n", "a\nx\nx\n"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        brute_write_text("table.csv", others[i]);
        remove("s.csv");
        const char *const *keys =
            i == 3 ? KEYS("qi", "b", "k", "2", "output", "s.csv", "history", "1.rec") : second;
        small_fails("anonymize", MGL_DATA, keys);
        assert_false(brute_exists("s.csv"));
    }
    brute_write_text("table.csv", "a\nx\nx\ny\ny\n");
    size_t size;
    char *file = brute_read("1.rec", &size);
    for (size_t at = 0; at < size; at++) { /* any byte that is another one is found */
        file[at] ^= 1;
        brute_write("1.rec", file, size);
        small_fails("anonymize", MGL_DATA, second);
        file[at] ^= 1;
    }
    for (size_t cut = 0; cut < size; cut++) {
        brute_write("1.rec", file, cut);
        small_fails("anonymize", MGL_DATA, second);
    }
    free(file);
    assert_false(brute_exists("s.csv"));
}

/* A column that was a quasi-identifier then and is none now still tells rows apart. */
static void columns_that_are_quasi_no_more_still_tell_rows_apart(void **state)
{
    (void)state;
    brute_write_text("table.csv", "a,b\nx,1\nx,1\nx,2\nx,2\ny,1\ny,1\ny,2\ny,2\n");
    json_decref(small_must("anonymize", KEYS("qi", "a,b", "k", "2", "output", "r.csv",
                                             "save-recoding", "1.rec", "level", "a=0..1,b=0..0")));
    json_t *d = small_must("anonymize",
                           KEYS("qi", "a", "rest", "drop", "k", "3", "output", "s.csv", "history",
                                "1.rec", "history-judged", "afterwards", "allow-leaks", "true"));
    small_says(d, "history.classes.count", 4);
    small_says(d, "history.classes.min", 2);
    small_says(d, "history.rows_below_k", 8);
    json_decref(d);
    small_fails("anonymize", MGL_UNMET,
                KEYS("qi", "a", "rest", "drop", "k", "3", "output", "t.csv", "history", "1.rec"));
}

/* Persons with several rows: histories count persons. */
static void histories_count_persons(void **state)
{
    (void)state;
    brute_write_text("table.csv", "q,who\nx,ann\nx,ann\nx,bob\ny,cid\ny,dan\ny,dan\n");
    json_decref(small_must("anonymize", KEYS("qi", "q", "k", "2", "entity", "who", "output",
                                             "r.csv", "save-recoding", "1.rec")));
    json_t *d = small_must("anonymize", KEYS("qi", "q", "k", "2", "entity", "who", "output",
                                             "s.csv", "history", "1.rec", "level", "q=1..1"));
    small_says(d, "classes.min", 4);
    small_says(d, "history.classes.count", 2);
    small_says(d, "history.classes.min", 2);
    json_decref(d);
    small_fails("anonymize", MGL_UNMET,
                KEYS("qi", "q", "k", "3", "entity", "who", "output", "t.csv", "history", "1.rec",
                     "level", "q=1..1"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches_respect_earlier_releases),
        cmocka_unit_test(with_drop_the_joint_release_is_the_best),
        cmocka_unit_test(two_releases_that_single_out_together_are_refused),
        cmocka_unit_test(a_history_of_another_table_is_refused),
        cmocka_unit_test(columns_that_are_quasi_no_more_still_tell_rows_apart),
        cmocka_unit_test(histories_count_persons),
    };
    return cmocka_run_group_tests(tests, brute_enter_folder, brute_leave_folder);
}
