/* Makes random tables of numbers and the problems over them. The tests of microaggregation call
 * it. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute_job.h"
#include "numbers.h"

#include <math.h>

_Noreturn void numbers_disagree(const numbers *t, const char *what)
{
    fail_msg("seed %llu, %d rows, %d columns: %s", (unsigned long long)t->seed, t->n_rows,
             t->n_columns, what);
    abort(); /* fail_msg does not return, but does not say so */
}

static double draw(brute_random *random, int kind)
{
    switch (kind) {
    case 0:
        return brute_below(random, 4);
    case 1:
        return brute_between(random, -50, 50);
    case 2:
        return brute_below(random, 1000000) / 1000.0;
    case 3: /* few are large */
        return floor(exp(brute_below(random, 1000) / 50.0));
    case 4:
        return 1e9 + brute_below(random, 20);
    case 5:
        return brute_below(random, 1000) * 1e-12;
    default:
        return 7;
    }
}

/* Every second row is the mirror image of the one before, which makes for equal distances. */
static void mirror(numbers *t)
{
    for (int r = 1; r < t->n_rows; r += 2)
        for (int a = 0; a < t->n_columns; a++)
            t->cell[r][a] = t->cell[r - 1][a < 2 ? 1 - a : a];
}

void numbers_make(numbers *t, uint64_t seed, int most_rows, int most_columns, int missing)
{
    brute_random random = {seed * 2 + 1};
    t->seed = seed;
    t->n_rows = brute_between(&random, 1, most_rows);
    t->n_columns = brute_between(&random, 1, most_columns);
    t->has_persons = false;
    bool mirrored = t->n_columns > 1 && brute_chance(&random, 30);
    int same = brute_below(&random, 3); /* numbers of about one size */
    for (int a = 0; a < t->n_columns; a++) {
        int kind = mirrored && a < 2 ? same : brute_below(&random, 7);
        bool gaps = missing > 0 && brute_chance(&random, 60);
        for (int r = 0; r < t->n_rows; r++)
            t->cell[r][a] = gaps && brute_chance(&random, missing) ? NAN : draw(&random, kind);
    }
    if (mirrored)
        mirror(t);
    int repeated = brute_chance(&random, 50) ? 0 : brute_below(&random, 60);
    for (int r = 1; r < t->n_rows; r++)
        if (brute_chance(&random, repeated))
            for (int a = 0, s = brute_below(&random, r); a < t->n_columns; a++)
                t->cell[r][a] = t->cell[s][a];
    for (int r = 0; r < t->n_rows; r++) {
        t->disease[r] = brute_below(&random, 4);
        t->person[r] = brute_below(&random, t->n_rows);
    }
}

static void write_table(const numbers *t)
{
    FILE *file = fopen("table.csv", "w");
    assert_non_null(file);
    for (int a = 0; a < t->n_columns; a++)
        fprintf(file, "c%d,", a);
    fprintf(file, "disease,person\n");
    for (int r = 0; r < t->n_rows; r++) {
        for (int a = 0; a < t->n_columns; a++)
            if (isnan(t->cell[r][a]))
                fprintf(file, "NA,");
            else
                fprintf(file, "%.15g,", t->cell[r][a]);
        fprintf(file, "d%d,p%d\n", t->disease[r], t->person[r]);
    }
    assert_int_equal(fclose(file), 0);
}

static mgl_job *make_job(const numbers *t, const char *const *keys)
{
    mgl_job *job;
    assert_int_equal(mgl_job_new(NULL, &job), MGL_OK);
    brute_set(job, "data", "table.csv");
    brute_set(job, "output", "release.csv");
    brute_set(job, "allow-leaks", "true"); /* in a few rows columns tell of each other by chance */
    brute_set(job, "missing", "NA");
    brute_set(job, "method", "microaggregate");
    brute_set(job, "threads", "1");
    for (int a = 0; a < t->n_columns; a++) {
        char key[32];
        snprintf(key, sizeof key, "attributes.c%d.role", a);
        brute_set(job, key, "quasi");
    }
    brute_set(job, "attributes.disease.role", "sensitive");
    if (t->has_persons)
        brute_set(job, "entity", "person");
    else
        brute_set(job, "attributes.person.role", "identifier");
    for (; *keys != NULL; keys += 2)
        brute_set(job, keys[0], keys[1]);
    return job;
}

void numbers_open(const numbers *t, const char *const *keys, numbers_made *m)
{
    mgl_error err = {0};
    mgl_tuple_finder *finder = NULL;
    *m = (numbers_made){0};
    write_table(t);
    m->job = make_job(t, keys);
    mgl_status status = steps_begin(m->job, false, &err, &m->steps);
    if (status == MGL_OK)
        status = mgl_tuple_finder_new(m->steps.setup.counts.list, m->steps.setup.reading->bound,
                                      &err, &finder);
    if (status != MGL_OK)
        numbers_disagree(t, err.message);
    m->problem = m->steps.setup.task->problem;
    mgl_tuple_find(finder, 0, (size_t)t->n_rows, m->tuple_of);
    mgl_tuple_finder_free(finder);
}

void numbers_made_free(numbers_made *m)
{
    steps_end(&m->steps);
    mgl_job_free(m->job);
}

mgl_span numbers_text(const numbers_made *m, const mgl_recoding *recoding, int row, int column)
{
    uint32_t cell = recoding->cells[column][m->tuple_of[row]];
    return recoding->columns[column]->values[cell].label;
}

double numbers_value(const numbers_made *m, const mgl_recoding *recoding, int row, int column)
{
    double value;
    return mgl_parse_double(numbers_text(m, recoding, row, column), &value) ? value : NAN;
}
