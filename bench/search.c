/* The exact search on Adult: our time on one thread, against our own plain sweep and against what
 * ARX was measured to need. A subject of main.c. */
#include "bench.h"

#include "../tests/support/adult.h"
#include "search/fulldomain/by_size/by_size.h"
#include "search/fulldomain/by_value/by_value.h"
#include "search/fulldomain/optimum.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const measures[] = {"precision",      "geometric-loss", "loss",
                                       "discernibility", "class-size",     "nonuniform-entropy",
                                       "entropy",        "ambiguity"};
static const uint64_t ks[] = {2, 5, 10, 100};
static const double shares[] = {0, 0.05, 1};

enum { MEASURES = 8, KS = 4, SHARES = 3, MOST_CASES = 64, LEAST_RUNS = 5, MOST_RUNS = 200 };

static void fail(const mgl_error *err)
{
    fprintf(stderr, "%s\n", err->message);
    exit(1);
}

/* The best of several runs, in CPU seconds, from the frequency list and the released columns
 * to the best nodes: what cells cost is worked out anew each time. */
static double time_by_size(mgl_problem problem, mgl_optimum *out)
{
    double best = INFINITY, spent = 0;
    for (int run = 0; run < MOST_RUNS && (run < LEAST_RUNS || spent < 0.3); run++) {
        mgl_error err;
        mgl_cell_costs *costs;
        if (run > 0)
            mgl_ties_free(&out->ties);
        mgl_ties_init(&out->ties, problem.list->n_attributes);
        double start = bench_cpu_seconds();
        if (mgl_cell_costs_new(problem.list, problem.columns, NULL, &err, &costs) != MGL_OK)
            fail(&err);
        problem.costs = costs;
        if (mgl_engine_optimum(&mgl_engine_by_size, &problem, MGL_LITTLE_WORK, &err, out) != MGL_OK)
            fail(&err);
        double seconds = bench_cpu_seconds() - start;
        mgl_cell_costs_free(costs);
        spent += seconds;
        best = seconds < best ? seconds : best;
    }
    return best;
}

/* One sweep gives all measures; it is timed with the first. */
static double time_sweep(const mgl_problem *problem)
{
    mgl_optimum optimum = {0};
    mgl_error err;
    mgl_ties_init(&optimum.ties, problem->list->n_attributes);
    double start = bench_cpu_seconds();
    if (mgl_sweep_optimum(problem, &err, &optimum) != MGL_OK)
        fail(&err);
    double seconds = bench_cpu_seconds() - start;
    mgl_ties_free(&optimum.ties);
    return seconds;
}

static const arx_case *find_arx(const arx_case *cases, size_t n, uint64_t k, double share,
                                const char *measure)
{
    for (size_t i = 0; i < n; i++)
        if (cases[i].k == k && cases[i].share == share && strcmp(cases[i].measure, measure) == 0)
            return &cases[i];
    return NULL;
}

typedef struct mean {
    double logs;
    size_t n;
} mean;

/* Geometric means of the ratios to ARX. */
typedef struct means {
    mean all, of_share[SHARES], of_measure[MEASURES];
} means;

static void add(mean *m, double ratio)
{
    m->logs += log(ratio);
    m->n++;
}

static void print_mean(const char *of, const mean *m)
{
    if (m->n > 0)
        printf("geometric mean, %s: %.1f x ARX over %zu cases\n", of, exp(m->logs / (double)m->n),
               m->n);
}

/* One k, limit and measure, and what it is compared with. */
typedef struct search_case {
    uint64_t k;
    size_t share, measure; /* of the lists above */
    double sweep;          /* seconds; 0: not known */
    const arx_case *arx;   /* NULL: not known */
} search_case;

static void run_case(adult *data, const search_case *c, mgl_pool *pool, means *means)
{
    double share = shares[c->share], sweep = c->sweep;
    const char *measure = measures[c->measure];
    const arx_case *arx = c->arx;
    uint64_t k = c->k;
    uint64_t limit = (uint64_t)(share * (double)data->list->n_rows);
    mgl_problem problem = adult_problem(data, k, limit, measure);
    problem.pool = pool;
    mgl_optimum optimum = {0};
    double seconds = time_by_size(problem, &optimum);
    printf("%4llu %5.0f%% %-18s %9.3f ms %6llu nodes", (unsigned long long)k, share * 100, measure,
           seconds * 1e3, (unsigned long long)optimum.checked);
    if (sweep > 0)
        printf(" %8.0f x sweep", sweep / seconds);
    if (arx != NULL) {
        double ratio = arx->milliseconds / seconds / 1e3;
        printf(" %8.1f x ARX", ratio);
        add(&means->all, ratio);
        add(&means->of_share[c->share], ratio);
        add(&means->of_measure[c->measure], ratio);
    }
    printf("\n");
    fflush(stdout);
    mgl_ties_free(&optimum.ties);
}

/* Seconds of the plain sweep for this k and limit; 0: not wanted. */
static double sweep_seconds(adult *data, uint64_t k, double share, bool everything)
{
    if (!everything && (k != 5 || share == 0 || share == 1))
        return 0;
    uint64_t limit = (uint64_t)(share * (double)data->list->n_rows);
    mgl_problem problem = adult_problem(data, k, limit, "precision");
    return time_sweep(&problem);
}

int bench_search(bool everything, unsigned threads)
{
    adult data;
    mgl_error err;
    mgl_pool *pool;
    if (!adult_read(&data, shared_folder())) {
        printf("search: skipped\n");
        return 0;
    }
    if (mgl_pool_new(threads, &err, &pool) != MGL_OK)
        fail(&err);
    arx_case cases[MOST_CASES];
    size_t n_cases = arx_cases(shared_folder(), "arx_adult.tsv", cases, MOST_CASES);
    if (n_cases == 0)
        printf("search: no ../shared/golden/arx_adult.tsv to compare with\n");
    means means = {0};
    printf("Exact search on Adult, 9 quasi-identifiers, 12960 nodes, threads: %u\n", threads);
    printf("   k  limit measure                   time   checked\n");
    for (size_t i = 0; i < KS; i++)
        for (size_t j = 0; j < SHARES; j++) {
            double sweep = sweep_seconds(&data, ks[i], shares[j], everything);
            for (size_t m = 0; m < MEASURES; m++) {
                search_case one = {ks[i], j, m, sweep,
                                   find_arx(cases, n_cases, ks[i], shares[j], measures[m])};
                run_case(&data, &one, pool, &means);
            }
        }
    static const char *const names[] = {"limit 0", "limit 5 %", "limit 100 %"};
    print_mean("all", &means.all);
    for (size_t j = 0; j < SHARES; j++)
        print_mean(names[j], &means.of_share[j]);
    for (size_t m = 0; m < MEASURES; m++)
        print_mean(measures[m], &means.of_measure[m]);
    mgl_pool_free(pool);
    adult_free(&data);
    return 0;
}
