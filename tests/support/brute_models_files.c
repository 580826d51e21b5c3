/* Writes tables with models as files, and makes jobs over them. Tests that go through files call
 * it. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute_job.h"
#include "brute_models.h"

#include <string.h>

static FILE *create(const char *name)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    return file;
}

static void write_sensitive_hierarchy(const brute_sensitive *s, FILE *file)
{
    for (int v = 0; v < s->n_values - s->has_missing; v++)
        for (int l = 0; l <= s->height; l++)
            fprintf(file, "%s%s", s->label[l][v], l < s->height ? ";" : "\n");
}

static void write_rows(const brute_table *t, FILE *file)
{
    const brute_case *c = &t->c;
    for (int a = 0; a < c->n_attributes; a++)
        fprintf(file, "%c;", 'a' + a);
    for (int s = 0; s < t->n_sensitive; s++)
        fprintf(file, "s%d;", s);
    fprintf(file, "person;class\n");
    for (int r = 0; r < c->n_rows; r++) {
        for (int a = 0; a < c->n_attributes; a++)
            fprintf(file, "%s;", brute_cell(c, r, a));
        for (int s = 0; s < t->n_sensitive; s++) {
            const brute_sensitive *x = &t->sensitive[s];
            bool missing = x->has_missing && x->value[r] == x->n_values - 1;
            fprintf(file, "%s;", missing && r % 2 == 0 ? "NA" : x->text[x->value[r]]);
        }
        fprintf(file, "p%d;c%d\n", t->person[r], c->class_label[r]);
    }
}

static void write_population(const brute_table *t, FILE *file)
{
    const brute_case *c = &t->c;
    fprintf(file, "nobody");
    for (int a = c->n_attributes; a-- > 0;)
        fprintf(file, ";%c", 'a' + a);
    fprintf(file, "\n");
    for (int i = 0; i < t->n_population; i++) {
        fprintf(file, "%d", i);
        for (int a = c->n_attributes; a-- > 0;)
            fprintf(file, ";%s", brute_cell(c, t->population[i], a));
        fprintf(file, "\n");
    }
}

void brute_table_write(const brute_table *t)
{
    for (int a = 0; a < t->c.n_attributes; a++) {
        char name[] = {(char)('a' + a), '.', 'c', 's', 'v', '\0'};
        FILE *file = create(name);
        brute_write_hierarchy(&t->c.hierarchies[a], file);
        assert_int_equal(fclose(file), 0);
    }
    for (int s = 0; s < t->n_sensitive; s++) {
        char name[24];
        snprintf(name, sizeof name, "s%d.csv", s);
        FILE *file = create(name);
        write_sensitive_hierarchy(&t->sensitive[s], file);
        assert_int_equal(fclose(file), 0);
    }
    FILE *file = create("table.csv");
    write_rows(t, file);
    assert_int_equal(fclose(file), 0);
    if (!t->has_population)
        return;
    file = create("population.csv");
    write_population(t, file);
    assert_int_equal(fclose(file), 0);
}

static void model_text(const brute_model *m, char *text, size_t size)
{
    static const char *const distances[] = {"equal", "ordered", "hierarchical"};
    char name[24] = "";
    if (brute_kind_takes_attribute(m->kind))
        snprintf(name, sizeof name, "s%d=", m->attribute);
    if (m->kind == BRUTE_T)
        snprintf(text, size, "%s%.17g,%s", name, m->parameters[0],
                 distances[(int)m->parameters[1]]);
    else if (m->kind == BRUTE_RECURSIVE || m->kind == BRUTE_DELTA_PRESENCE ||
             m->kind == BRUTE_RISK_SHARE)
        snprintf(text, size, "%s%.17g,%.17g", name, m->parameters[0], m->parameters[1]);
    else
        snprintf(text, size, "%s%.17g", name, m->parameters[0]);
}

/* Brute force takes cells as they are written, missing ones among them; tests/oracle and
 * test_values are for spellings and missing cells. */
static void set_sensitive(const brute_table *t, mgl_job *job)
{
    if (t->n_sensitive > 0) {
        brute_set(job, "missing-sensitive", "value");
        brute_set(job, "spelling", "exact");
    }
    for (int s = 0; s < t->n_sensitive; s++) {
        const brute_sensitive *x = &t->sensitive[s];
        char text[2 * BRUTE_TEXT + 16];
        snprintf(text, sizeof text, "s%d", s);
        brute_set(job, "sensitive", text);
        snprintf(text, sizeof text, "s%d=s%d.csv", s, s);
        if (x->has_hierarchy)
            brute_set(job, "sensitive-hierarchy", text);
        snprintf(text, sizeof text, "s%d=%s%s%s", s, x->protect[0], x->n_protected > 1 ? "," : "",
                 x->n_protected > 1 ? x->protect[1] : "");
        if (x->n_protected > 0)
            brute_set(job, "protect", text);
    }
}

mgl_job *brute_table_job(const brute_table *t, int command)
{
    mgl_job *job = brute_job(&t->c, (brute_command)command);
    set_sensitive(t, job);
    char threads[16];
    snprintf(threads, sizeof threads, "%d", t->threads);
    brute_set(job, "threads", threads);
    if (t->has_persons)
        brute_set(job, "entity", "person");
    else
        brute_set(job, "identifier", "person");
    if (t->has_population)
        brute_set(job, "population", "population.csv");
    for (int i = 0; i < t->n_models; i++) {
        char text[128];
        model_text(&t->models[i], text, sizeof text);
        if (t->models[i].kind != BRUTE_K)
            brute_set(job, brute_kind_option(t->models[i].kind), text);
    }
    return job;
}

void brute_table_print(const brute_table *t, FILE *file)
{
    brute_print(&t->c, file);
    for (int i = 0; i < t->n_models; i++) {
        char text[128];
        model_text(&t->models[i], text, sizeof text);
        fprintf(file, "# --%s %s\n", brute_kind_option(t->models[i].kind), text);
    }
    for (int s = 0; s < t->n_sensitive; s++) {
        const brute_sensitive *x = &t->sensitive[s];
        fprintf(file, "# s%d: %s hierarchy, height %d, %d protected: %s, %s\n", s,
                x->has_hierarchy ? "a" : "no", x->height, x->n_protected, x->protect[0],
                x->protect[1]);
        if (x->has_hierarchy)
            write_sensitive_hierarchy(x, file);
    }
    fprintf(file, "# persons: %s; population: %d\n", t->has_persons ? "yes" : "no",
            t->n_population);
    write_rows(t, file);
    if (t->has_population)
        write_population(t, file);
}
