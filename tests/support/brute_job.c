/* Makes jobs over brute-force tables and runs commands. Tests that go from files to results call
 * it. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute_job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void brute_set(mgl_job *job, const char *key, const char *value)
{
    mgl_error err = {0};
    if (mgl_job_add(job, key, value, &err) != MGL_OK)
        fail_msg("%s = %s: %s", key, value, err.message);
}

static int first_set(const brute_case *c, int a)
{
    int q = 0;
    while (!c->in_set[q][a])
        q++;
    return q;
}

void brute_order_sets(brute_case *c)
{
    for (int a = c->n_attributes - 1; a > 0; a--)
        if (first_set(c, a - 1) > first_set(c, a))
            c->in_set[first_set(c, a)][a - 1] = true;
}

void brute_write_files(const brute_case *c)
{
    FILE *file = fopen("table.csv", "w");
    assert_non_null(file);
    brute_write_table(c, file);
    assert_int_equal(fclose(file), 0);
    for (int a = 0; a < c->n_attributes; a++) {
        char name[] = "a.csv";
        name[0] = (char)('a' + a);
        file = fopen(name, "w");
        assert_non_null(file);
        brute_write_hierarchy(&c->hierarchies[a], file);
        assert_int_equal(fclose(file), 0);
    }
}

static void set_column(mgl_job *job, int a, const char *field, const char *format, double number)
{
    char key[64], value[64];
    snprintf(key, sizeof key, "attributes.%c.%s", 'a' + a, field);
    snprintf(value, sizeof value, format, number);
    brute_set(job, key, value);
}

static bool becomes_ranges(const brute_case *c, int a)
{
    char *end;
    const char *text = c->hierarchies[a].label[0][0];
    strtod(text, &end);
    return c->ranges && !c->bounded[a] && end != text && *end == '\0';
}

static void set_columns(const brute_case *c, mgl_job *job, brute_command command)
{
    for (int q = 0; q < c->n_sets; q++) {
        char names[2 * BRUTE_ATTRIBUTES + 1] = "", *at = names;
        for (int a = 0; a < c->n_attributes; a++)
            if (c->in_set[q][a])
                at += sprintf(at, "%s%c", at > names ? "," : "", 'a' + a);
        brute_set(job, c->n_sets > 1 ? "qi-set" : "qi", names);
    }
    for (int a = 0; a < c->n_attributes; a++) {
        char key[64], value[64];
        snprintf(key, sizeof key, "attributes.%c.hierarchy", 'a' + a);
        snprintf(value, sizeof value, "%c.csv", 'a' + a);
        if (c->hierarchies[a].given)
            brute_set(job, key, value);
        else if (!becomes_ranges(c, a))
            brute_set(job, key, "suppress");
        set_column(job, a, "likelihood", "%.3f", c->likelihood[a]);
        if (command != BRUTE_CHECK)
            set_column(job, a, "weight", "%.2f", c->weight[a]);
        if (c->bounded[a] && (command == BRUTE_RUN || command == BRUTE_NODES)) {
            snprintf(key, sizeof key, "attributes.%c.level", 'a' + a);
            snprintf(value, sizeof value, "%d..%d", c->min_level[a], c->max_level[a]);
            brute_set(job, key, value);
        }
    }
}

static void set_search(const brute_case *c, mgl_job *job, brute_command command)
{
    static const char *const criteria[] = {"absolute", "relative", "distribution", "suppression"};
    char text[128] = "", *at = text;
    if (c->limited) {
        snprintf(text, sizeof text, "%d", c->limit);
        brute_set(job, "suppress", text);
    }
    if (command != BRUTE_RUN)
        return;
    brute_set(job, "allow-leaks", "true"); /* in a few rows columns tell of each other by chance */
    for (int i = 0; i < c->n_prefer; i++)
        at += sprintf(at, "%s%s", i > 0 ? "," : "",
                      c->prefer[i] == BRUTE_BY_MEASURE ? brute_measure_option(c->prefer_measure[i])
                                                       : criteria[c->prefer[i]]);
    if (c->n_prefer > 0)
        brute_set(job, "prefer", text);
}

mgl_job *brute_job(const brute_case *c, brute_command command)
{
    static const char *const treatments[] = {"keep", "drop", "exempt"};
    mgl_job *job;
    char text[64];
    assert_int_equal(mgl_job_new(NULL, &job), MGL_OK);
    set_columns(c, job, command);
    brute_set(job, "insensitive", "class");
    snprintf(text, sizeof text, "%d", c->k);
    if (!c->without_k)
        brute_set(job, "k", text);
    brute_set(job, "suppressed", treatments[c->treatment]);
    if (command == BRUTE_RUN || command == BRUTE_NODES)
        set_search(c, job, command);
    if (command != BRUTE_CHECK)
        brute_set(job, "utility",
                  c->measure == BRUTE_CLASSIFICATION ? "classification=class"
                                                     : brute_measure_option(c->measure));
    return job;
}

void brute_set_method(const brute_case *c, mgl_job *job, const char *method)
{
    brute_set(job, "method", method);
    for (int a = 0; a < c->n_attributes && strcmp(method, "datafly") == 0; a++)
        set_column(job, a, "preference", "%.2f", c->preference[a]);
}

json_t *brute_document(const mgl_result *result)
{
    char *text;
    mgl_error err = {0};
    if (mgl_result_json(result, &err, &text) != MGL_OK)
        fail_msg("%s", err.message);
    json_error_t error;
    json_t *document = json_loads(text, 0, &error);
    if (document == NULL)
        fail_msg("%s in %s", error.text, text);
    mgl_text_free(text);
    return document;
}

double brute_number(const json_t *object, const char *path)
{
    char key[64];
    const char *dot = strchr(path, '.');
    size_t size = dot != NULL ? (size_t)(dot - path) : strlen(path);
    memcpy(key, path, size);
    key[size] = '\0';
    const json_t *value = json_object_get(object, key);
    if (value == NULL)
        fail_msg("the result has no %s", path);
    if (dot != NULL)
        return brute_number(value, dot + 1);
    return json_is_number(value) ? json_number_value(value) : NAN;
}
