/* Finds out what each released value costs, by level and by leaves. Tasks have it once per column,
 * measuring again for columns that a search made. */
#include "utility/utility.h"

#include <math.h>

/* Rows under ranges and averages, whose leaves lie side by side on the scale. The rows of leaves
 * become sums of all up to them. */
static void sum_made(const mgl_released_column *column, uint64_t *rows, uint64_t *under)
{
    const mgl_scale *scale = column->scale;
    for (uint32_t i = 1; i < scale->n_ordered; i++)
        rows[scale->ordered[i]] += rows[scale->ordered[i - 1]];
    for (uint32_t v = column->first_made; v < column->n_values; v++) {
        const mgl_released_value *value = &column->values[v];
        under[v] = rows[scale->ordered[value->begin + value->leaves - 1]];
        under[v] -= value->begin > 0 ? rows[scale->ordered[value->begin - 1]] : 0;
    }
}

/* With stand-ins, the rows that read as a label on some level are not all the rows that lie under
 * it. */
static mgl_status fill_levels(mgl_cell_costs *costs, const mgl_hierarchy *hierarchy, size_t a,
                              const uint64_t *rows, mgl_error *err)
{
    size_t n_levels = (size_t)hierarchy->height + 1, n_values = 0;
    if (hierarchy->n_stand_ins == 0)
        return MGL_OK;
    for (uint32_t l = 0; l < n_levels; l++)
        n_values += hierarchy->levels[l].n_values;
    uint64_t **at = costs->at_level[a] = mgl_own_array(&costs->own, n_levels, sizeof *at);
    uint64_t *sums = mgl_own_zeroed(&costs->own, n_values, sizeof *sums);
    MGL_TRY(mgl_owned_check(&costs->own, err));
    for (uint32_t l = 0; l < n_levels; sums += hierarchy->levels[l++].n_values) {
        at[l] = sums;
        for (uint32_t leaf = 0; leaf < hierarchy->n_leaves; leaf++)
            sums[hierarchy->levels[l].of_leaf[leaf]] += rows[leaf];
    }
    return MGL_OK;
}

/* rows: by leaf; they are changed. */
static mgl_status fill_column(mgl_cell_costs *costs, size_t a, const mgl_released_column *column,
                              uint64_t *rows, mgl_error *err)
{
    const mgl_hierarchy *hierarchy = column->hierarchy;
    uint32_t n = column->n_values;
    mgl_owned *own = &costs->own;
    double *distortion = costs->distortion[a] = mgl_own_array(own, n, sizeof *distortion);
    double *loss = costs->loss[a] = mgl_own_array(own, n, sizeof *loss);
    double *log_rows = costs->log_rows[a] = mgl_own_zeroed(own, n, sizeof *log_rows);
    uint64_t *under = costs->rows[a] = mgl_own_zeroed(own, n, sizeof *under);
    MGL_TRY(mgl_owned_check(own, err));
    MGL_TRY(fill_levels(costs, hierarchy, a, rows, err));
    for (uint32_t leaf = 0; leaf < hierarchy->n_leaves; leaf++)
        if (rows[leaf] > 0)
            costs->original_bits[a] += (double)rows[leaf] * log2((double)rows[leaf]);
    for (uint32_t v = 0; v < n; v++) {
        bool between = column->values[v].level < 0; /* a range or an average: it has no level */
        distortion[v] = between ? NAN : (double)column->values[v].level / hierarchy->height;
        loss[v] = column->values[v].loss;
    }
    /* Rows under each value: the same leaf is under one value per level; a value that
     * stands on several levels is summed on its lowest. */
    for (uint32_t l = 0; l <= hierarchy->height; l++)
        for (uint32_t leaf = 0; leaf < hierarchy->n_leaves; leaf++) {
            uint32_t v = column->of_leaf[l][leaf];
            if (column->values[v].level == (int32_t)l)
                under[v] += rows[leaf];
        }
    if (column->scale != NULL)
        sum_made(column, rows, under);
    else if (column->made != NULL) {
        /* Rows under sets and modes. */
        for (uint32_t v = column->first_made; v < column->n_values; v++)
            for (uint32_t i = 0; i < column->values[v].leaves; i++)
                under[v] += rows[mgl_made_leaves(column, v)[i]];
    }
    for (uint32_t v = 0; v < n; v++)
        log_rows[v] = under[v] > 0 ? log2((double)under[v]) : 0;
    return MGL_OK;
}

/* Bits of a key that are counted together: counts of so many combinations lie in the nearest
 * caches. */
enum { MOST_BITS = 11, AT_ONCE = 4 };

/* Columns a to before `end`, which lie side by side in a word of the keys. */
typedef struct column_run {
    size_t a, end;
    unsigned word, shift, bits; /* of all of them */
    size_t n;                   /* of their combinations */
    uint64_t *counts;           /* [n] rows */
} column_run;

/* As many columns from `a` on as few bits hold; one that needs many is alone. */
static column_run find_run(const mgl_packing *packing, size_t a)
{
    column_run run = {.a = a,
                      .end = a + 1,
                      .word = packing->fields[a].word,
                      .shift = packing->fields[a].shift,
                      .bits = packing->fields[a].bits};
    for (; run.end < packing->n_attributes; run.end++) { /* further down in the word */
        unsigned bits = packing->fields[run.end].bits;
        if (packing->fields[run.end].word != run.word ||
            packing->fields[run.end].shift + bits != run.shift || run.bits + bits > MOST_BITS)
            break;
        run.shift = packing->fields[run.end].shift;
        run.bits += bits;
    }
    return run;
}

/* Runs that are counted in one pass, range by range of the tuples: each range has counts of its
 * own, unless there are so many that adding them up would take longer. */
typedef struct pass {
    const mgl_frequency_list *list;
    column_run runs[AT_ONCE];
    size_t n;         /* of the runs; the others have no bits */
    size_t n_counts;  /* of a range */
    uint64_t *counts; /* of all ranges, one after the other */
} pass;

static inline uint64_t *count_of(const column_run *run, const uint64_t *key)
{
    return &run->counts[key[run->word] >> run->shift & ((UINT64_C(1) << run->bits) - 1)];
}

/* A sum waits for the one before if it is the same, and neighbours in a list often are: some runs
 * are counted at a time, so that one need not wait for another. */
static void count_range(void *context, mgl_range range)
{
    const pass *p = context;
    const mgl_frequency_list *list = p->list;
    column_run r[AT_ONCE];
    for (size_t i = 0; i < AT_ONCE; i++) {
        r[i] = p->runs[i];
        r[i].counts += range.number * p->n_counts;
    }
    const uint64_t *key = list->keys + range.first * list->packing.n_words;
    for (size_t t = range.first; t < range.end; t++, key += list->packing.n_words) {
        uint64_t rows = list->counts[t];
        *count_of(&r[0], key) += rows;
        *count_of(&r[1], key) += rows;
        *count_of(&r[2], key) += rows;
        *count_of(&r[3], key) += rows;
    }
}

static mgl_status count_pass(pass *p, mgl_pool *pool, mgl_error *err)
{
    bool in_ranges = p->n_counts <= AT_ONCE << MOST_BITS && mgl_pool_threads(pool) > 1;
    size_t n_ranges = in_ranges ? MGL_RANGES : 1;
    p->n_counts += 1; /* of what has no bits */
    MGL_TRY(mgl_new_zeroed(n_ranges * p->n_counts, sizeof *p->counts, err, &p->counts));
    uint64_t *counts = p->counts;
    for (size_t i = 0; i < AT_ONCE; counts += p->runs[i++].n)
        p->runs[i].counts = counts;
    mgl_pool_run_ranges(in_ranges ? pool : NULL, p->list->n_tuples, count_range, p);
    for (size_t r = 1; r < n_ranges; r++)
        for (size_t i = 0; i < p->n_counts; i++)
            p->counts[i] += p->counts[r * p->n_counts + i];
    return MGL_OK;
}

static mgl_status fill_run(mgl_cell_costs *costs, const mgl_packing *packing, const column_run *run,
                           const mgl_released_column *const *columns, mgl_error *err)
{
    for (size_t a = run->a; a < run->end; a++) {
        uint64_t *rows;
        MGL_TRY(mgl_new_zeroed(columns[a]->hierarchy->n_leaves, sizeof *rows, err, &rows));
        /* Rows of the leaves of column a, which is one of the run. */
        unsigned shift = packing->fields[a].shift - run->shift;
        uint64_t mask = (UINT64_C(1) << packing->fields[a].bits) - 1;
        for (size_t i = 0; i < run->n; i++)
            if (run->counts[i] > 0)
                rows[i >> shift & mask] += run->counts[i];
        mgl_status status = fill_column(costs, a, columns[a], rows, err);
        mgl_free(rows);
        MGL_TRY(status);
    }
    return MGL_OK;
}

/* The costs of the columns from *a on that are counted in one pass. */
static mgl_status fill_runs(mgl_cell_costs *costs, const mgl_frequency_list *list, size_t *a,
                            const mgl_released_column *const *columns, mgl_pool *pool,
                            mgl_error *err)
{
    pass p = {.list = list};
    mgl_status status = MGL_OK;
    for (; p.n < AT_ONCE && *a < list->n_attributes; *a = p.runs[p.n++].end) {
        column_run run = find_run(&list->packing, *a);
        run.n = (size_t)1 << run.bits;
        if (run.end == run.a + 1) /* there may be far fewer leaves */
            run.n = columns[run.a]->hierarchy->n_leaves;
        p.n_counts += run.n;
        p.runs[p.n] = run;
    }
    MGL_GO(count_pass(&p, pool, err));
    for (size_t i = 0; i < p.n; i++)
        MGL_GO(fill_run(costs, &list->packing, &p.runs[i], columns, err));
done:
    mgl_free(p.counts);
    return status;
}

typedef struct log_sums {
    const uint64_t *counts;
    mgl_whole_sum of_range[MGL_RANGES];
} log_sums;

/* Small counts are counted themselves, alternately for the same reason. */
static void sum_range(void *context, mgl_range range)
{
    log_sums *sums = context;
    uint64_t times[AT_ONCE][MGL_SMALL_SIZES] = {0};
    mgl_whole_sum logs = 0;
    for (size_t t = range.first; t < range.end; t++) {
        uint64_t rows = sums->counts[t];
        if (rows < MGL_SMALL_SIZES)
            times[t % AT_ONCE][rows]++;
        else
            logs += mgl_log_term_of(rows);
    }
    for (uint64_t rows = 2; rows < MGL_SMALL_SIZES; rows++) {
        uint64_t n = 0;
        for (size_t i = 0; i < AT_ONCE; i++)
            n += times[i][rows];
        logs += n > 0 ? n * mgl_log_term_of(rows) : 0;
    }
    sums->of_range[range.number] = logs;
}

/* In the joined view equal tuples of different bundles stand one behind the other. */
static bool is_first_of_equals(const mgl_frequency_list *list, size_t t)
{
    size_t words = list->packing.n_words;
    const uint64_t *key = list->keys + t * words;
    return t == 0 || memcmp(key, key - words, words * sizeof *key) != 0;
}

static double sum_logs_of_bundles(const mgl_frequency_list *list)
{
    mgl_whole_sum logs = 0;
    for (size_t t = 0, end; t < list->n_tuples; t = end) {
        uint64_t rows = list->counts[t];
        for (end = t + 1; end < list->n_tuples && !is_first_of_equals(list, end); end++)
            rows += list->counts[end];
        logs += mgl_log_term_of(rows);
    }
    return mgl_log_sum_value(logs);
}

/* The entropy of the tuples as they are. */
static double sum_logs(const mgl_frequency_list *list, mgl_pool *pool)
{
    log_sums sums = {.counts = list->counts};
    mgl_whole_sum logs = 0;
    if (list->joined != NULL)
        return sum_logs_of_bundles(list);
    mgl_pool_run_ranges(pool, list->n_tuples, sum_range, &sums);
    for (size_t r = 0; r < MGL_RANGES; r++)
        logs += sums.of_range[r];
    return mgl_log_sum_value(logs);
}

mgl_status mgl_cell_costs_new(const mgl_frequency_list *list,
                              const mgl_released_column *const *columns, mgl_pool *pool,
                              mgl_error *err, mgl_cell_costs **out)
{
    size_t n = list->n_attributes;
    mgl_cell_costs *costs;
    MGL_TRY(mgl_new_zeroed(1, sizeof *costs, err, &costs));
    costs->n_attributes = n;
    costs->distortion = mgl_own_zeroed(&costs->own, n, sizeof *costs->distortion);
    costs->loss = mgl_own_zeroed(&costs->own, n, sizeof *costs->loss);
    costs->log_rows = mgl_own_zeroed(&costs->own, n, sizeof *costs->log_rows);
    costs->rows = mgl_own_zeroed(&costs->own, n, sizeof *costs->rows);
    costs->at_level = mgl_own_zeroed(&costs->own, n, sizeof *costs->at_level);
    costs->original_bits = mgl_own_zeroed(&costs->own, n, sizeof *costs->original_bits);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_owned_check(&costs->own, err));
    for (size_t a = 0; a < n;)
        MGL_GO(fill_runs(costs, list, &a, columns, pool, err));
    costs->original_log_sum = sum_logs(list, pool);
    *out = costs;
    costs = NULL;
done:
    mgl_cell_costs_free(costs);
    return status;
}

void mgl_cell_costs_free(mgl_cell_costs *costs)
{
    if (costs == NULL)
        return;
    mgl_owned_free(&costs->own);
    mgl_free(costs);
}
