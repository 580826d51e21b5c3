/* Measures local suppression: how many cells it suppresses in a survey, and what a million rows
 * take. A subject of main.c. */
#include "bench.h"

#include "../tests/support/steps.h"

#include "../tests/support/adult.h"
#include "findings/findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 1000000, KEYS = 7, MOST_ROWS = 5000 };

#define KEY_NAMES "urbrur,roof,walls,water,electcon,relat,sex"
#define ADULT_NAMES                                                                                \
    "sex,age,race,marital-status,education,native-country,workclass,occupation,salary-class"

static const char *const ways[] = {"all", "itself"};

/* The first columns of each row of the survey. */
static size_t read_keys(const char *path, char (*rows)[KEYS][8])
{
    char line[1024];
    size_t n = 0;
    FILE *file = fopen(path, "r");
    bool header = true;
    while (file != NULL && n < MOST_ROWS && fgets(line, sizeof line, file) != NULL) {
        char *at = line;
        for (size_t c = 0; !header && c < KEYS; c++) {
            size_t size = strcspn(at, ",\n");
            snprintf(rows[n][c], sizeof rows[n][c], "%.*s", (int)size, at);
            at += size + (at[size] != '\0');
        }
        n += !header;
        header = false;
    }
    if (file != NULL)
        fclose(file);
    return n;
}

/* Rows drawn from the survey, each cell anew with this probability. */
static int draw(const char *from, const char *to, unsigned percent)
{
    char(*rows)[KEYS][8] = calloc(MOST_ROWS, sizeof *rows);
    size_t n = rows != NULL ? read_keys(from, rows) : 0;
    FILE *file = n > 0 ? fopen(to, "w") : NULL;
    uint64_t state = 42;
    if (file != NULL)
        fprintf(file, "%s\n", KEY_NAMES);
    for (size_t r = 0; file != NULL && r < ROWS; r++) {
        size_t row = bench_draw(&state) % n;
        for (size_t c = 0; c < KEYS; c++) {
            size_t of = bench_draw(&state) % 100 < percent ? bench_draw(&state) % n : row;
            fprintf(file, "%s%s", rows[of][c], c + 1 < KEYS ? "," : "\n");
        }
    }
    bool failed = file == NULL || ferror(file) != 0;
    failed = (file != NULL && fclose(file) != 0) || failed;
    free(rows);
    return failed ? -1 : 0;
}

static mgl_status set_all(mgl_job *job, const char *path, const char *names, const char *k,
                          const char *way, mgl_error *err)
{
    MGL_TRY(mgl_job_set(job, "data", path, err));
    MGL_TRY(mgl_job_set(job, "output", "-", err));
    MGL_TRY(mgl_job_set(job, "threads", "1", err));
    MGL_TRY(mgl_job_set(job, "qi", names, err));
    MGL_TRY(mgl_job_set(job, "rest", "drop", err));
    MGL_TRY(mgl_job_set(job, "method", "local-suppression", err));
    MGL_TRY(mgl_job_set(job, "missing-matches", way, err));
    return mgl_job_set(job, "k", k, err);
}

static uint64_t count_cells(const mgl_frequency_list *list, const mgl_recoding *recoding)
{
    uint64_t cells = 0;
    for (size_t t = 0; t < recoding->n_tuples; t++)
        for (size_t a = 0; a < recoding->n_attributes; a++)
            cells += recoding->cells[a][t] == recoding->columns[a]->top ? list->counts[t] : 0;
    return cells;
}

static mgl_status time_search(const steps *s, const char *k, const char *way, mgl_error *err)
{
    mgl_solution *solution;
    double cpu = bench_cpu_seconds();
    MGL_TRY(steps_search(s, err, &solution));
    cpu = bench_cpu_seconds() - cpu;
    printf("  k %2s  matches %-6s %6.3f s %8llu cells suppressed, %llu rows whole\n", k, way, cpu,
           (unsigned long long)count_cells(s->setup.counts.list, solution->recoding),
           (unsigned long long)solution->suppressed_rows);
    fflush(stdout);
    mgl_solution_free(solution);
    return MGL_OK;
}

static mgl_status time_case(const char *path, const char *names, const char *k, const char *way,
                            mgl_error *err)
{
    mgl_job *job;
    steps s = {0};
    MGL_TRY(mgl_job_new(err, &job));
    mgl_status status = set_all(job, path, names, k, way, err);
    if (status == MGL_OK)
        status = steps_begin(job, true, err, &s);
    if (status == MGL_OK)
        status = time_search(&s, k, way, err);
    steps_end(&s);
    mgl_job_free(job);
    return status;
}

static mgl_status time_all(const char *what, const char *path, const char *names, mgl_error *err)
{
    static const char *const ks[] = {"2", "3", "5"};
    printf("%s, one thread, processor time of the search\n", what);
    for (size_t w = 0; w < 2; w++)
        for (size_t i = 0; i < sizeof ks / sizeof ks[0]; i++)
            MGL_TRY(time_case(path, names, ks[i], ways[w], err));
    return MGL_OK;
}

static mgl_status run_survey(const char *table, mgl_error *err)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/data/sdcmicro/testdata.csv", shared_folder());
    MGL_TRY(time_all("Local suppression, sdcMicro's testdata, 7 columns", path, KEY_NAMES, err));
    if (draw(path, table, 0) != 0)
        return mgl_fail_errno(err, table, "make the table");
    MGL_TRY(time_all("A million rows drawn from it", table, KEY_NAMES, err));
    if (draw(path, table, 15) != 0)
        return mgl_fail_errno(err, table, "make the table");
    return time_all("A million rows drawn from it, 15 % of the cells anew", table, KEY_NAMES, err);
}

int bench_local(const char *folder)
{
    char table[4096];
    mgl_error err;
    mgl_status status = MGL_OK;
    snprintf(table, sizeof table, "%s/bench-local.csv", folder);
    if (shared_folder() != NULL)
        status = run_survey(table, &err);
    bool drawn = shared_folder() != NULL && bench_draw_adult(table, ROWS) == 0;
    if (status == MGL_OK && !drawn && bench_make_table(table, ROWS) != 0)
        status = mgl_fail_errno(&err, table, "make the table");
    if (status == MGL_OK)
        status = time_all(drawn ? "A million rows drawn from Adult, 9 columns"
                                : "A million rows, 9 columns",
                          table, ADULT_NAMES, &err);
    remove(table);
    if (status != MGL_OK)
        fprintf(stderr, "bench: %s\n", err.message);
    return status == MGL_OK ? 0 : 1;
}
