/* Sets of items (--km): what they add to the user seconds of a job with k = 5 on the same rows,
 * each job in a process of its own. A subject of main.c. */
#include "bench.h"
#include "process.h"

#include "base/base.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH_SIZE = 4200, ITEMS = 1600, MOST_IN_ROW = 30 };

typedef struct basket_table {
    size_t rows;
    char path[PATH_SIZE], hierarchy[PATH_SIZE];
} basket_table;

typedef struct task {
    const basket_table *table;
    const char *km; /* NULL: the column of items is left out */
} task;

/* Item i is drawn about as often as 1/(i + 3): few items are frequent, most are rare. */
static unsigned draw_item(uint64_t *state)
{
    double unit = (double)(bench_draw(state) >> 11) * 0x1p-53;
    double i = 3 * (pow((ITEMS + 3) / 3.0, unit) - 1);
    return (unsigned)((unsigned)i * 7919u % ITEMS); /* so that frequent ones are in all groups */
}

static void write_row(FILE *file, uint64_t *state)
{
    unsigned char there[ITEMS] = {0};
    unsigned n = 1;
    const char *between = "";
    while (n < MOST_IN_ROW && bench_draw(state) % 6 != 0)
        n++;
    fprintf(file, "%u,%02u,", (unsigned)(20 + bench_draw(state) % 60),
            (unsigned)(bench_draw(state) % 100));
    for (unsigned i = 0; i < n; i++) {
        unsigned item = draw_item(state);
        if (there[item]++ == 0) {
            fprintf(file, "%si%04u", between, item);
            between = ";";
        }
    }
    fputc('\n', file);
}

static bool provide(basket_table *table, const char *folder)
{
    uint64_t state = 5;
    snprintf(table->path, PATH_SIZE, "%s/baskets.csv", folder);
    snprintf(table->hierarchy, PATH_SIZE, "%s/items.csv", folder);
    FILE *rows = fopen(table->path, "w"), *tree = fopen(table->hierarchy, "w");
    bool fine = rows != NULL && tree != NULL;
    if (fine) {
        fputs("age,zip,items\n", rows);
        for (size_t row = 0; row < table->rows; row++)
            write_row(rows, &state);
        for (unsigned i = 0; i < ITEMS; i++)
            fprintf(tree, "i%04u,g%03u,h%02u,*\n", i, i / 10, i / 100);
    }
    fine = (rows == NULL || fclose(rows) == 0) && fine;
    return (tree == NULL || fclose(tree) == 0) && fine;
}

static mgl_status set_keys(const task *t, mgl_job *job, mgl_error *err)
{
    const char *const keys[][2] = {
        {"data", t->table->path},
        {"threads", "1"},
        {"dry-run", "true"},
        {"brief", "true"},
        {"rest", "drop"},
        {"attributes.age.role", "quasi"},
        {"attributes.zip.role", "quasi"},
        {"method", "mingen"},
        {"k", "5"},
        {"attributes.items.km", t->km},
        {"attributes.items.hierarchy", t->km != NULL ? t->table->hierarchy : NULL}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (keys[i][1] != NULL)
            MGL_TRY(mgl_job_set(job, keys[i][0], keys[i][1], err));
    return MGL_OK;
}

static int run_task(void *context, double *figures)
{
    mgl_error err = {0};
    mgl_job *job = NULL;
    mgl_result *result = NULL;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_job_new(&err, &job));
    MGL_GO(set_keys(context, job, &err));
    MGL_GO(mgl_job_run(job, "anonymize", &err, &result));
    figures[0] = mgl_result_number(result, "items.ncp");
    figures[1] = mgl_result_number(result, "items.apriori_ncp");
done:
    if (status != MGL_OK)
        fprintf(stderr, "bench: %s\n", err.message);
    mgl_result_free(result);
    mgl_job_free(job);
    return status != MGL_OK;
}

int bench_items(const char *folder, bool everything)
{
    static const char *const kms[] = {"5,1", "5,2", "5,3"};
    basket_table table = {.rows = everything ? 500000 : 50000};
    double figures[2];
    if (!provide(&table, folder)) {
        fprintf(stderr, "bench: no table of baskets\n");
        return 1;
    }
    bench_usage plain = bench_child(run_task, &(task){&table, NULL}, figures, 2);
    printf("\nSets of items: %zu rows, %d items, about 5 in a row, user seconds on one thread\n\n"
           "| k, m | seconds | times k = 5 without items | ncp | apriori alone |\n"
           "|---|---|---|---|---|\n",
           table.rows, ITEMS);
    for (size_t i = 0; !plain.failed && i < sizeof kms / sizeof kms[0]; i++) {
        bench_usage usage = bench_child(run_task, &(task){&table, kms[i]}, figures, 2);
        if (usage.failed)
            return 1;
        printf("| %s | %.2f | %.1f | %.4f | %.4f |\n", kms[i], usage.user,
               usage.user / fmax(plain.user, 0.001), figures[0], figures[1]);
        fflush(stdout);
    }
    return plain.failed;
}
