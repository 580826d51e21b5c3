/* Gathers the sums that every measure is a function of, exactly. */
#include "utility/exact_sums.h"
#include "utility/utility.h"

#include <math.h>

mgl_whole_sum mgl_log_term_of(uint64_t size)
{
    double number = (double)size;
    return size > 1 ? (mgl_whole_sum)(number * log2(number) * 0x1p51) : 0;
}

bool mgl_products_are_whole(const mgl_released_column *const *columns, size_t n_attributes,
                            uint64_t n_rows)
{
    double most = (double)n_rows;
    for (size_t a = 0; a < n_attributes; a++)
        most *= columns[a]->values[columns[a]->top].leaves;
    return most < 0x1p127;
}

mgl_status mgl_statistics_init(mgl_statistics *statistics,
                               const mgl_released_column *const *columns, size_t n_attributes,
                               mgl_error *err)
{
    *statistics = (mgl_statistics){.n_attributes = n_attributes, .query_error = NAN};
    size_t n_values = 0;
    for (size_t a = 0; a < n_attributes; a++)
        n_values += columns[a]->n_values;
    statistics->scratch = mgl_own_array(&statistics->own, n_values, sizeof *statistics->scratch);
    statistics->distortion = mgl_own_zeroed(&statistics->own, n_attributes, sizeof(double));
    statistics->loss = mgl_own_zeroed(&statistics->own, n_attributes, sizeof(double));
    statistics->bits = mgl_own_zeroed(&statistics->own, n_attributes, sizeof(double));
    if (statistics->own.missing) {
        mgl_statistics_free(statistics);
        return mgl_fail_memory(err);
    }
    return MGL_OK;
}

void mgl_statistics_free(mgl_statistics *statistics)
{
    mgl_owned_free(&statistics->own);
    *statistics = (mgl_statistics){0};
}

void mgl_statistics_column(mgl_statistics *s, const mgl_cell_costs *costs, size_t a,
                           const uint64_t *rows_of_value, size_t n_values)
{
    double distortion = 0, loss = 0, bits = 0;
    for (size_t v = 0; v < n_values; v++) {
        if (rows_of_value[v] == 0)
            continue;
        double rows = (double)rows_of_value[v];
        distortion += rows * costs->distortion[a][v];
        loss += rows * costs->loss[a][v];
        bits += rows * costs->log_rows[a][v];
    }
    s->distortion[a] = distortion;
    s->loss[a] = loss;
    /* Both sums are rounded: a difference that is only rounding is 0, and must tie with 0. */
    bits -= costs->original_bits[a];
    s->bits[a] = fabs(bits) <= 1e-12 * costs->original_bits[a] ? 0 : bits;
}

/* What is gathered, one sum after another or side by side. */
typedef struct gathering {
    mgl_statistics *statistics;
    const mgl_cell_costs *costs;
    const mgl_released_column *const *columns;
    const mgl_released_tuples *tuples;
    mgl_whole_sum products[MGL_RANGES];
} gathering;

/* Cells are summed by value first: whole numbers, so that the order of the tuples does not
 * matter and equal releases have equal sums to the last bit. */
static void sum_cells(const gathering *x, size_t a)
{
    const mgl_released_tuples *tuples = x->tuples;
    uint64_t *rows_of_value = x->statistics->scratch;
    for (size_t i = 0; i < a; i++)
        rows_of_value += x->columns[i]->n_values;
    memset(rows_of_value, 0, x->columns[a]->n_values * sizeof *rows_of_value);
    for (size_t c = 0; c < tuples->n_classes; c++)
        rows_of_value[mgl_class_cell(tuples, a, c)] += tuples->class_sizes[c];
    rows_of_value[x->columns[a]->top] += tuples->dropped_rows;
    mgl_statistics_column(x->statistics, x->costs, a, rows_of_value, x->columns[a]->n_values);
}

/* Leaves of all columns' tops together: no class has more. */
static mgl_whole_sum most_leaves(const gathering *x)
{
    mgl_whole_sum product = 1;
    for (size_t a = 0; a < x->tuples->n_attributes; a++)
        product *= mgl_hierarchy_ground(x->columns[a]->hierarchy);
    return product;
}

static void sum_range(void *context, mgl_range range)
{
    gathering *x = context;
    const mgl_released_tuples *tuples = x->tuples;
    mgl_whole_sum sum = 0;
    for (size_t c = range.first; c < range.end; c++) {
        mgl_whole_sum product = 1;
        for (size_t a = 0; a < tuples->n_attributes; a++)
            product *= x->columns[a]->values[mgl_class_cell(tuples, a, c)].leaves;
        sum += tuples->class_sizes[c] * product;
    }
    x->products[range.number] = sum;
}

/* The same if no product needs more than 64 bits. */
static void sum_narrow_range(void *context, mgl_range range)
{
    gathering *x = context;
    const mgl_released_tuples *tuples = x->tuples;
    mgl_whole_sum sum = 0;
    for (size_t c = range.first; c < range.end; c++) {
        uint64_t product = 1;
        for (size_t a = 0; a < tuples->n_attributes; a++)
            product *= x->columns[a]->values[mgl_class_cell(tuples, a, c)].leaves;
        sum += (mgl_whole_sum)tuples->class_sizes[c] * product;
    }
    x->products[range.number] = sum;
}

static double sum_whole(gathering *x, mgl_pool *pool)
{
    mgl_whole_sum most = most_leaves(x), sum = x->tuples->dropped_rows * most;
    mgl_pool_run_ranges(pool, x->tuples->n_classes,
                        most <= UINT64_MAX ? sum_narrow_range : sum_range, x);
    for (size_t i = 0; i < MGL_RANGES; i++)
        sum += x->products[i];
    return (double)sum;
}

static double sum_rounded(const gathering *x)
{
    const mgl_released_tuples *tuples = x->tuples;
    double sum = 0;
    for (size_t c = 0; c <= tuples->n_classes; c++) { /* the last: rows that are dropped */
        bool dropped = c == tuples->n_classes;
        uint64_t size = dropped ? tuples->dropped_rows : tuples->class_sizes[c];
        double factor = 1;
        for (size_t a = 0; a < tuples->n_attributes; a++)
            factor *= dropped ? mgl_hierarchy_ground(x->columns[a]->hierarchy)
                              : x->columns[a]->values[mgl_class_cell(tuples, a, c)].leaves;
        sum += (double)size * factor;
    }
    return sum;
}

/* The sum over rows of the product of leaves: of whole numbers, or rounded, in the order of the
 * classes, if these are too large. */
static void sum_products(gathering *x, mgl_pool *pool)
{
    mgl_statistics *s = x->statistics;
    bool are_whole = mgl_products_are_whole(x->columns, x->tuples->n_attributes, s->n_rows);
    s->ambiguity = are_whole ? sum_whole(x, pool) : sum_rounded(x);
}

static bool is_top(const gathering *x, size_t class)
{
    for (size_t a = 0; a < x->tuples->n_attributes; a++)
        if (mgl_class_cell(x->tuples, a, class) != x->columns[a]->top && !x->columns[a]->held)
            return false;
    return true;
}

/* Each stratum has a class at its top, which is a class like others but that its rows are
 * suppressed. */
static void sum_sizes_of_strata(const gathering *x)
{
    mgl_statistics *s = x->statistics;
    const mgl_released_tuples *tuples = x->tuples;
    mgl_log_terms terms = {0};
    mgl_whole_sum logs = 0;
    s->top_rows = s->n_classes = 0;
    s->squares = 0;
    s->tops_are_classes = true;
    for (size_t c = 0; c < tuples->n_classes; c++) {
        double size = (double)tuples->class_sizes[c];
        bool top = is_top(x, c);
        s->top_rows += top ? tuples->class_sizes[c] : 0;
        s->squares += top ? 0 : size * size;
        s->n_classes += size > 0;
        logs += mgl_log_term(&terms, tuples->class_sizes[c]);
    }
    s->log_sum = mgl_log_sum_value(logs);
}

static void sum_sizes(const gathering *x)
{
    mgl_statistics *s = x->statistics;
    const mgl_released_tuples *tuples = x->tuples;
    size_t top_class = 0;
    while (top_class < tuples->n_classes && !is_top(x, top_class))
        top_class++;
    s->top_rows = tuples->dropped_rows;
    s->n_classes = 0;
    s->squares = 0;
    mgl_log_terms terms = {0};
    mgl_whole_sum logs = 0;
    for (size_t c = 0; c < tuples->n_classes; c++) {
        double size = (double)tuples->class_sizes[c];
        if (c == top_class) {
            s->top_rows += tuples->class_sizes[c];
        } else if (size > 0) {
            s->n_classes++;
            s->squares += size * size;
            logs += mgl_log_term(&terms, tuples->class_sizes[c]);
        }
    }
    s->log_sum = mgl_log_sum_value(logs);
}

static void gather_item(void *context, size_t item, unsigned worker)
{
    const gathering *x = context;
    (void)worker;
    if (item == 0 && mgl_held_columns(x->columns, x->tuples->n_attributes) > 0)
        sum_sizes_of_strata(x);
    else if (item == 0)
        sum_sizes(x);
    else
        sum_cells(x, item - 1);
}

void mgl_statistics_gather(mgl_statistics *s, const mgl_cell_costs *costs,
                           const mgl_released_column *const *columns, uint64_t n_rows,
                           const mgl_released_tuples *tuples, mgl_pool *pool)
{
    gathering x = {.statistics = s, .costs = costs, .columns = columns, .tuples = tuples};
    s->n_rows = n_rows;
    s->original_log_sum = costs->original_log_sum;
    sum_products(&x, pool);
    mgl_pool_run(pool, 1 + tuples->n_attributes, gather_item, &x);
}

mgl_status mgl_statistics_label(mgl_statistics *s, const mgl_sparse *label,
                                const mgl_released_column *const *columns,
                                const mgl_released_tuples *tuples, mgl_error *err)
{
    /* Tuples sorted by class, then one dense histogram per class. */
    size_t *start = mgl_zeroed_array(tuples->n_classes + 2, sizeof *start);
    uint32_t *members = mgl_alloc_array(tuples->n_tuples, sizeof *members);
    uint64_t *dense = mgl_zeroed_array(label->n_values, sizeof *dense);
    if (start == NULL || members == NULL || dense == NULL) {
        mgl_free(start);
        mgl_free(members);
        mgl_free(dense);
        return mgl_fail_memory(err);
    }
    for (size_t t = 0; t < tuples->n_tuples; t++)
        start[tuples->class_of[t] + 2]++;
    for (size_t c = 2; c < tuples->n_classes + 2; c++)
        start[c] += start[c - 1];
    for (size_t t = 0; t < tuples->n_tuples; t++)
        members[start[tuples->class_of[t] + 1]++] = (uint32_t)t;
    gathering x = {.columns = columns, .tuples = tuples};
    s->misclassified = tuples->dropped_rows;
    for (size_t c = 0; c < tuples->n_classes; c++) {
        if (start[c] == start[c + 1])
            continue;
        uint64_t size = 0, majority = 0;
        for (size_t m = start[c]; m < start[c + 1]; m++)
            for (size_t i = label->start[members[m]]; i < label->start[members[m] + 1]; i++) {
                uint64_t sum = dense[label->values[i]] += label->counts[i];
                size += label->counts[i];
                majority = sum > majority ? sum : majority;
            }
        s->misclassified += is_top(&x, c) ? size : size - majority;
        for (size_t m = start[c]; m < start[c + 1]; m++)
            for (size_t i = label->start[members[m]]; i < label->start[members[m] + 1]; i++)
                dense[label->values[i]] = 0;
    }
    s->has_label = true;
    mgl_free(start);
    mgl_free(members);
    mgl_free(dense);
    return MGL_OK;
}
