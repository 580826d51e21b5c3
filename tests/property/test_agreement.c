/* What anonymize says about its release is what every other command finds in the file: check,
 * utility, risk, the row of the lattice, parts that are searched together, the recoding applied to
 * slices. Random tables with any models, of the whole table among them, several quasi-identifiers,
 * tops other than *, under every treatment. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute_files.h"
#include "brute_job.h"
#include "brute_models_problem.h"
#include "brute_models_result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const CLASSES[] = {"classes.count", "classes.min", "classes.mean", "classes.max",
                                      NULL};
static const char *const RISK[] = {"risk.prosecutor_max", "risk.prosecutor_mean", "risk.uniques",
                                   "risk.expected_reidentifications", NULL};

/* Its document; NULL: the command ends with MGL_UNMET. Frees the job. */
static json_t *run(const brute_table *t, const char *command, mgl_job *job)
{
    mgl_result *result = NULL;
    mgl_error err = {0};
    mgl_status status = mgl_job_run(job, command, &err, &result);
    if (status != MGL_OK && status != MGL_UNMET)
        brute_table_disagree(t, err.message);
    json_t *document = status == MGL_OK ? brute_document(result) : NULL;
    mgl_result_free(result);
    mgl_job_free(job);
    return document;
}

static json_t *must(const brute_table *t, const char *command, mgl_job *job)
{
    json_t *document = run(t, command, job);
    if (document == NULL)
        brute_table_disagree(t, "a command that cannot be met");
    return document;
}

static void same(const brute_table *t, const json_t *a, const json_t *b, const char *const *paths)
{
    for (size_t i = 0; paths[i] != NULL; i++)
        brute_compare_number(t, paths[i], brute_number(b, paths[i]), brute_number(a, paths[i]));
}

static void says(const brute_table *t, const json_t *document, const char *path, double wanted)
{
    brute_compare_number(t, path, brute_number(document, path), wanted);
}

static void same_models(const brute_table *t, const json_t *a, const json_t *b)
{
    static const char *const paths[] = {"measured", "violating_rows", "violating_classes", NULL};
    const json_t *x = json_object_get(a, "models"), *y = json_object_get(b, "models");
    if (json_array_size(x) != json_array_size(y))
        brute_table_disagree(t, "the number of models");
    for (size_t i = 0; i < json_array_size(x); i++) {
        same(t, json_array_get(x, i), json_array_get(y, i), paths);
        if (json_object_get(json_array_get(x, i), "holds") !=
            json_object_get(json_array_get(y, i), "holds"))
            brute_table_disagree(t, "whether a model holds");
    }
}

/* ---- Files --------------------------------------------------------------------------------- */

/* The lines of a file from one to another, the header always; more is put at the end of each. */
static void copy_lines(const char *from, const char *to, int first, int last, const char *more)
{
    size_t size;
    char *text = brute_read(from, &size), *line = text;
    FILE *file = fopen(to, "w");
    assert_non_null(text);
    assert_non_null(file);
    for (int n = 0; line < text + size; n++) {
        char *end = memchr(line, '\n', (size_t)(text + size - line));
        assert_non_null(end);
        if (n == 0 || (n >= first && n <= last))
            fprintf(file, "%.*s%s\n", (int)(end - line), line, n == 0 && *more ? ";person" : more);
        line = end + 1;
    }
    assert_int_equal(fclose(file), 0);
    free(text);
}

/* ---- The commands --------------------------------------------------------------------------- */

static mgl_job *search_job(const brute_table *t, const char *method)
{
    mgl_job *job = brute_table_job(t, BRUTE_RUN);
    brute_set_method(&t->c, job, method);
    brute_set(job, "keep-order", "true");
    return job;
}

/* The shares of sensitive values that models compare with are those of all rows. */
static bool shows_q(const brute_table *t, const json_t *said)
{
    for (int i = 0; i < t->n_models; i++)
        if (brute_kind_needs_q(t->models[i].kind) && t->c.treatment == BRUTE_DROP &&
            brute_number(said, "suppressed_rows") > 0)
            return false;
    return true;
}

static void compare_check(const brute_table *t, const json_t *said)
{
    mgl_job *job = brute_table_job(t, BRUTE_CHECK);
    copy_lines("release.csv", "again.csv", 0, BRUTE_ROWS, ";p");
    brute_set(job, "data", "again.csv");
    json_t *found = must(t, "check", job);
    double gone = t->c.treatment == BRUTE_DROP ? brute_number(said, "suppressed_rows") : 0;
    says(t, found, "suppressed_rows", brute_number(said, "suppressed_rows") - gone);
    says(t, found, "rows", brute_number(said, "rows") - gone);
    same(t, said, found, CLASSES);
    same(t, said, found, RISK);
    if (shows_q(t, said))
        same_models(t, said, found);
    json_decref(found);
}

static void compare_utility(const brute_table *t, const json_t *said)
{
    static const char *const paths[] = {"rows",
                                        "released_rows",
                                        "suppressed_rows",
                                        "utility.precision",
                                        "utility.discernibility",
                                        "utility.average_class_size",
                                        NULL};
    mgl_job *job = brute_job(&t->c, BRUTE_COMPARE);
    brute_set(job, "data", "table.csv");
    brute_set(job, "release", "release.csv");
    json_t *found = must(t, "utility", job);
    same(t, said, found, paths);
    same(t, said, found, CLASSES);
    if (brute_table_has(t, BRUTE_K)) /* utility is told no other model */
        says(t, found, "utility.c_avg", brute_number(said, "utility.c_avg"));
    json_decref(found);
}

/* Of a command that is told the roles alone. */
static mgl_job *roles_job(const brute_table *t)
{
    mgl_job *job;
    char quasi[2 * BRUTE_ATTRIBUTES + 1] = "", sensitive[4 * BRUTE_SENSITIVE + 1] = "";
    for (int a = 0; a < t->c.n_attributes; a++)
        sprintf(quasi + strlen(quasi), "%s%c", a > 0 ? "," : "", 'a' + a);
    for (int s = 0; s < t->n_sensitive; s++)
        sprintf(sensitive + strlen(sensitive), "%ss%c", s > 0 ? "," : "", '0' + s);
    assert_int_equal(mgl_job_new(NULL, &job), MGL_OK);
    brute_set(job, "qi", quasi);
    brute_set(job, "sensitive", sensitive);
    return job;
}

static void compare_risk(const brute_table *t, const json_t *said)
{
    static const char *const treatments[] = {"keep", "drop", "exempt"};
    mgl_job *job = roles_job(t);
    brute_set(job, "data", "release.csv");
    brute_set(job, "suppressed", treatments[t->c.treatment]);
    for (int a = 0; a < t->c.n_attributes; a++) {
        char text[] = "a=a.csv";
        text[0] = text[2] = (char)('a' + a);
        if (t->c.hierarchies[a].given)
            brute_set(job, "hierarchy", text);
    }
    json_t *found = must(t, "risk", job);
    double gone = t->c.treatment == BRUTE_DROP ? brute_number(said, "suppressed_rows") : 0;
    says(t, found, "suppressed_rows", brute_number(said, "suppressed_rows") - gone);
    same(t, said, found, CLASSES);
    says(t, found, "uniques", brute_number(said, "risk.uniques"));
    says(t, found, "prosecutor.max", brute_number(said, "risk.prosecutor_max"));
    says(t, found, "prosecutor.mean", brute_number(said, "risk.prosecutor_mean"));
    json_decref(found);
}

static void compare_lattice(const brute_table *t, const json_t *said)
{
    mgl_job *job = brute_table_job(t, BRUTE_NODES);
    brute_set(job, "data", "table.csv");
    json_t *found = must(t, "lattice", job), *row;
    const json_t *node = json_object_get(said, "node");
    size_t i;
    json_array_foreach(json_object_get(found, "lattice"), i, row)
    {
        if (!json_equal((json_t *)node, json_object_get(row, "node")))
            continue;
        says(t, row, "suppressed_rows", brute_number(said, "suppressed_rows"));
        says(t, row, "classes", brute_number(said, "classes.count"));
        says(t, row, "utility.precision", brute_number(said, "utility.precision"));
        if (!json_is_true(json_object_get(row, "holds")))
            brute_table_disagree(t, "the node of the release does not hold");
    }
    json_decref(found);
}

/* Half of the rows by themselves, counted and put together again; the recoding on each half. */
static void compare_parts(const brute_table *t, const json_t *said, const char *method)
{
    double suppressed = 0, released = 0;
    for (int i = 0; i < 2; i++) {
        mgl_job *job = roles_job(t);
        brute_set(job, "identifier", "person");
        brute_set(job, "insensitive", "class");
        int half = t->c.n_rows / 2;
        copy_lines("table.csv", i == 0 ? "0.csv" : "1.csv", i == 0 ? 1 : half + 1,
                   i == 0 ? half : t->c.n_rows, "");
        brute_set(job, "data", i == 0 ? "0.csv" : "1.csv");
        brute_set(job, "output", i == 0 ? "0.part" : "1.part");
        json_decref(must(t, "count", job));
    }
    mgl_job *job = search_job(t, method);
    brute_set(job, "data", "0.part");
    brute_set(job, "parts", "1.part");
    brute_set(job, "save-recoding", "found.rec");
    json_t *found = must(t, "anonymize", job);
    static const char *const paths[] = {"rows", "suppressed_rows", "utility.precision", NULL};
    same(t, said, found, paths);
    same(t, said, found, CLASSES);
    same(t, said, found, RISK);
    same_models(t, said, found);
    json_decref(found);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(mgl_job_new(NULL, &job), MGL_OK);
        brute_set(job, "recoding", "found.rec");
        brute_set(job, "data", i == 0 ? "0.csv" : "1.csv");
        brute_set(job, "output", "slice.csv");
        brute_set(job, "allow-leaks", "true");
        found = must(t, "apply", job);
        suppressed += brute_number(found, "suppressed_rows");
        released += brute_number(found, "released_rows");
        json_decref(found);
    }
    brute_compare_number(t, "suppressed rows of slices", suppressed,
                         brute_number(said, "suppressed_rows"));
    brute_compare_number(t, "released rows of slices", released,
                         brute_number(said, "released_rows"));
}

/* ---- Cases ---------------------------------------------------------------------------------- */

static bool is_full_domain(const char *method)
{
    return strcmp(method, "k-member") != 0 && strcmp(method, "cell") != 0 &&
           strcmp(method, "mondrian") != 0;
}

static bool compare(const brute_table *t, const char *method)
{
    mgl_job *job = search_job(t, method);
    brute_set(job, "data", "table.csv");
    brute_set(job, "output", "release.csv");
    json_t *said = run(t, "anonymize", job);
    if (said == NULL)
        return false;
    compare_check(t, said);
    compare_utility(t, said);
    compare_risk(t, said);
    if (is_full_domain(method))
        compare_lattice(t, said);
    if (t->c.n_rows > 1)
        compare_parts(t, said, method);
    json_decref(said);
    return true;
}

static void commands_tell_the_same_figures_of_a_release(void **state)
{
    (void)state;
    static const char *const methods[] = {"mingen", "cell",     "samarati", "mondrian",
                                          "mingen", "k-member", "datafly",  "incognito"};
    int released[3] = {0};
    for (int i = 0; i < brute_cases(240); i++) {
        static brute_table t;
        brute_random random = {(uint64_t)i + 900};
        const char *method = methods[i / 3 % 8];
        uint64_t seed = UINT64_C(8000000) + (uint64_t)i * 50;
        bool one = strcmp(method, "mingen") != 0 && strcmp(method, "samarati") != 0 &&
                   strcmp(method, "datafly") != 0;
        do
            brute_table_make(&t, seed++, 60);
        while (t.has_persons || t.has_population || (one && t.c.n_sets > 1));
        brute_order_sets(&t.c);
        if (i % 2 == 0) /* one model of the whole table in every other case */
            brute_table_take_model(&t, &random, (brute_kind)(BRUTE_MEAN_RISK + i / 2 % 3));
        t.c.treatment = (brute_treatment)(i % 3);
        t.c.limited = true;
        t.c.limit = brute_between(&random, 0, t.c.n_rows / 2);
        t.c.measure = BRUTE_PRECISION;
        brute_table_write(&t);
        released[i % 3] += compare(&t, method);
    }
    for (int i = 0; i < 3; i++)
        assert_true(released[i] > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_tell_the_same_figures_of_a_release)};
    return cmocka_run_group_tests(tests, brute_enter_folder, brute_leave_folder);
}
