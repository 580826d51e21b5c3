/* Runs jobs over the tables of the papers and compares figures. The tests in tests/seeds call
 * it. */
#include "seed_helpers.h"

#include "steps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "findings/findings.h"

static char started_in[2000];

int seed_enter(void **state)
{
    (void)state;
    const char *source = getenv("SOURCE");
    if (source == NULL || getcwd(started_in, sizeof started_in) == NULL || chdir(source) != 0 ||
        chdir("tests/seeds") != 0) {
        fprintf(stderr, "SOURCE must name the project folder; tests/run sets it\n");
        return -1;
    }
    return 0;
}

const char *seed_scratch(const char *name)
{
    static char path[sizeof started_in + 100];
    snprintf(path, sizeof path, "%s/%s", started_in, name);
    return path;
}

/* ---- Jobs and results ---------------------------------------------------------------- */

static void must(mgl_status status, const mgl_error *err)
{
    if (status != MGL_OK)
        fail_msg("status %d: %s", (int)status, err->message);
}

/* What is set before the file is loaded overrides it. */
static mgl_job *job_of(const char *job_file, va_list pairs)
{
    mgl_error err = {0};
    mgl_job *job = NULL;
    must(mgl_job_new(&err, &job), &err);
    for (const char *key; (key = va_arg(pairs, const char *)) != NULL;)
        must(mgl_job_add(job, key, va_arg(pairs, const char *), &err), &err);
    if (job_file != NULL)
        must(mgl_job_load(job, job_file, &err), &err);
    return job;
}

json_t *seed_result(const char *command, const char *job_file, ...)
{
    va_list pairs;
    va_start(pairs, job_file);
    mgl_job *job = job_of(job_file, pairs);
    va_end(pairs);
    mgl_error err = {0};
    mgl_result *result = NULL;
    char *text = NULL;
    must(mgl_job_run(job, command, &err, &result), &err);
    must(mgl_result_json(result, &err, &text), &err);
    json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(json);
    mgl_text_free(text);
    mgl_result_free(result);
    mgl_job_free(job);
    return json;
}

mgl_solution *seed_solution(const char *job_file, ...)
{
    va_list pairs;
    va_start(pairs, job_file);
    mgl_job *job = job_of(job_file, pairs);
    va_end(pairs);
    mgl_error err = {0};
    steps s;
    mgl_solution *solution = NULL;
    must(steps_begin(job, true, &err, &s), &err);
    must(steps_search(&s, &err, &solution), &err);
    steps_end(&s);
    mgl_job_free(job);
    return solution;
}

/* What lies at a path of keys with dots between. */
static const json_t *at(const json_t *json, const char *path)
{
    char key[100];
    for (const char *from = path; json != NULL;) {
        size_t size = strcspn(from, ".");
        snprintf(key, sizeof key, "%.*s", (int)size, from);
        json = json_object_get(json, key);
        if (from[size] == '\0')
            break;
        from += size + 1;
    }
    if (json == NULL)
        fail_msg("the result has no %s", path);
    return json;
}

double seed_number(const json_t *json, const char *path)
{
    const json_t *value = at(json, path);
    if (json_is_boolean(value))
        return json_is_true(value);
    return json_is_null(value) ? NAN : json_number_value(value);
}

void seed_expect(const json_t *json, const char *path, double expected)
{
    double got = seed_number(json, path);
    if (!(fabs(got - expected) <= 1e-9 * fmax(1, fabs(expected))))
        fail_msg("%s is %.12g, expected %.12g", path, got, expected);
}

/* ---- Nodes ------------------------------------------------------------------------------ */

/* Appends "(0,1)" to text. */
static void write_node(const json_t *node, char *text, size_t size)
{
    const char *key, *before = "(";
    const json_t *level;
    json_object_foreach((json_t *)node, key, level)
    {
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%lld", before, (long long)json_integer_value(level));
        before = ",";
    }
    strncat(text, ")", size - strlen(text) - 1);
}

void seed_expect_nodes(const json_t *json, const char *path, const char *expected)
{
    const json_t *nodes = at(json, path);
    char text[1000] = "";
    if (json_is_object(nodes))
        write_node(nodes, text, sizeof text);
    for (size_t i = 0; i < json_array_size(nodes); i++) {
        strncat(text, i > 0 ? " " : "", sizeof text - strlen(text) - 1);
        write_node(json_array_get(nodes, i), text, sizeof text);
    }
    assert_string_equal(text, expected);
}

const json_t *seed_lattice_row(const json_t *lattice, const char *node)
{
    const json_t *rows = at(lattice, "lattice");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        char text[100] = "";
        write_node(at(json_array_get(rows, i), "node"), text, sizeof text);
        if (strcmp(text, node) == 0)
            return json_array_get(rows, i);
    }
    fail_msg("the lattice has no node %s", node);
    return NULL;
}

/* ---- Tables -------------------------------------------------------------------------------- */

void seed_expect_check(const char *file, const char *qi, double k, double n_classes)
{
    json_t *json = seed_result("check", NULL, "data", file, "qi", qi, NULL);
    seed_expect(json, "k", k);
    seed_expect(json, "classes.count", n_classes);
    json_decref(json);
}

void seed_expect_release_at(const char *job_file, const char *levels, const char *printed)
{
    const char *output = seed_scratch("release.csv");
    json_decref(seed_result("anonymize", job_file, "k", "1", "level", levels, "keep-order", "true",
                            "output", output, NULL));
    seed_expect_same_file(output, printed);
    unlink(output);
}

static char *text_of_file(const char *name)
{
    FILE *file = fopen(name, "rb");
    if (file == NULL)
        fail_msg("%s cannot be opened", name);
    char *text = calloc(1, 10000);
    assert_non_null(text);
    assert_true(fread(text, 1, 9999, file) < 9999);
    fclose(file);
    return text;
}

void seed_expect_same_file(const char *got, const char *expected)
{
    char *got_text = text_of_file(got), *expected_text = text_of_file(expected);
    assert_string_equal(got_text, expected_text);
    free(got_text);
    free(expected_text);
}

/* ---- Inside: frequency lists and hierarchies ------------------------------------------------- */

/* A table that is read and counted, and the job that must outlive it. */
static steps read_table(mgl_job **job, const char *job_file, ...)
{
    mgl_error err = {0};
    steps s;
    va_list pairs;
    va_start(pairs, job_file);
    *job = job_of(job_file, pairs);
    va_end(pairs);
    must(steps_begin(*job, true, &err, &s), &err);
    return s;
}

static void write_tuple(const mgl_frequency_list *list, size_t tuple, char *text, size_t size)
{
    size_t used = 0;
    for (size_t a = 0; a < list->n_attributes; a++) {
        mgl_span label = list->hierarchies[a]->levels[0].labels[mgl_list_leaf(list, tuple, a)];
        used += (size_t)snprintf(text + used, size - used, "%s%.*s", a > 0 ? "," : "",
                                 (int)label.size, label.data);
    }
    snprintf(text + used, size - used, ": %llu", (unsigned long long)list->counts[tuple]);
}

void seed_expect_frequencies(const char *file, const char *qi, const char *const *lines)
{
    mgl_job *job;
    steps s = read_table(&job, NULL, "data", file, "qi", qi, "rest", "drop", "k", "1", "dry-run",
                         "true", NULL);
    const mgl_frequency_list *list = s.setup.counts.list;
    size_t n_lines = 0;
    for (; lines[n_lines] != NULL; n_lines++) {
        bool found = false;
        for (size_t t = 0; !found && t < list->n_tuples; t++) {
            char text[200];
            write_tuple(list, t, text, sizeof text);
            found = strcmp(text, lines[n_lines]) == 0;
        }
        if (!found)
            fail_msg("the frequency list of %s lacks '%s'", file, lines[n_lines]);
    }
    assert_int_equal(list->n_tuples, n_lines);
    steps_end(&s);
    mgl_job_free(job);
}

double seed_distinct(const char *file, const char *column)
{
    json_t *json = seed_result("check", NULL, "data", file, "qi", column, NULL);
    double n = seed_number(json, "classes.count");
    json_decref(json);
    return n;
}

/* A cell of a table without quotes, line 0 being the header; no data after the last line. */
static mgl_span cell(const char *text, size_t line, size_t column)
{
    for (; line > 0 && *text != '\0'; line--)
        text += strcspn(text, "\n") + 1;
    if (*text == '\0')
        return (mgl_span){NULL, 0};
    for (; column > 0; column--) {
        text += strcspn(text, ",\n");
        assert_int_equal(*text, ',');
        text++;
    }
    return (mgl_span){text, strcspn(text, ",\n")};
}

static size_t column_number(const char *text, const char *name)
{
    size_t column = 0;
    while (!mgl_span_is(cell(text, 0, column), name))
        column++;
    return column;
}

/* Is the label that of the leaf on some level? */
static bool generalizes(const mgl_hierarchy *hierarchy, mgl_span leaf, mgl_span label)
{
    uint32_t level, value;
    assert_true(mgl_hierarchy_find(hierarchy, leaf, &level, &value));
    assert_int_equal(level, 0);
    for (; level <= hierarchy->height; level++) {
        const mgl_level *names = &hierarchy->levels[level];
        if (mgl_span_equal(names->labels[names->of_leaf[value]], label))
            return true;
    }
    return false;
}

void seed_expect_generalization(const char *job_file, const char *release)
{
    mgl_job *job;
    steps s = read_table(&job, job_file, "k", "1", "dry-run", "true", NULL);
    const mgl_reading *reading = s.setup.reading;
    char *original = text_of_file(mgl_job_get(job, "data")), *released = text_of_file(release);
    size_t n_rows = reading->table->n_rows;
    assert_null(cell(released, n_rows + 1, 0).data);
    for (size_t a = 0; a < reading->n_quasi; a++) {
        size_t column = column_number(original, reading->quasi[a].column->name);
        for (size_t row = 1; row <= n_rows; row++) {
            mgl_span leaf = cell(original, row, column), label = cell(released, row, column);
            if (!generalizes(reading->quasi[a].hierarchy, leaf, label))
                fail_msg("%s, row %zu: '%.*s' does not generalize '%.*s'", release, row,
                         (int)label.size, label.data, (int)leaf.size, leaf.data);
        }
    }
    free(original);
    free(released);
    steps_end(&s);
    mgl_job_free(job);
}
