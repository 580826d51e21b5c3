/* Queries that find all rows or none of nearly every class: those on columns that are released as
 * they were collected. What they find are whole numbers, which can be added in any order, and so
 * blocks of classes are counted for all these queries together: each value of a column knows which
 * queries find some of its rows and which find all, a bit for each, and so does each combination of
 * the values of small columns. query_estimates.c calls it. */
#include "utility/queries.h"

enum {
    SAMPLED = 16,       /* one in so many blocks says which queries are worth it */
    FEW_CLASSES = 4096, /* below it, queries are answered one by one in less time */
    MOST_JOINT = 1024   /* combinations of values that are marked: they stay in the cache */
};

/* Queries that find some of the rows; all of them. */
typedef struct marks {
    mgl_query_set some, all;
} marks;

/* Columns whose values are looked up together. */
typedef struct joint {
    size_t *columns, n_columns;
    size_t n_values; /* combinations */
    marks *of_value; /* the last column's value changes fastest */
} joint;

typedef struct room {
    uint32_t *before;
    double *share;
} room;

typedef struct finding {
    const mgl_query_classes *classes;
    const mgl_query *queries;
    marks **marks; /* [attribute][value] */
    size_t *columns;
    joint *joints;
    size_t n_joints;
    room *workers;
    unsigned n_workers;
    mgl_whole_queries *out;
} finding;

static size_t n_values_of(const finding *x, size_t a)
{
    return x->classes->columns[a]->n_values;
}

/* ---- Marks --------------------------------------------------------------------------------------
 */

/* Queries that do not look at a column find all rows of its values. */
static void mark_column(void *context, size_t a, unsigned worker)
{
    finding *x = context;
    room *room = &x->workers[worker];
    size_t n_values = n_values_of(x, a);
    memset(x->marks[a], 0xFF, n_values * sizeof *x->marks[a]);
    for (size_t q = 0; q < MGL_QUERIES; q++)
        for (size_t i = 0; i < x->queries[q].n_columns; i++) {
            if (x->queries[q].column[i] != a)
                continue;
            uint64_t others = ~(UINT64_C(1) << q % 64);
            mgl_query_shares(x->classes, &x->queries[q], i, room->before, room->share);
            for (size_t v = 0; v < n_values; v++) {
                x->marks[a][v].some.of[q / 64] &= room->share[v] == 0 ? others : UINT64_MAX;
                x->marks[a][v].all.of[q / 64] &= room->share[v] == 1 ? UINT64_MAX : others;
            }
        }
}

static inline void narrow(marks *of, const marks *by)
{
    for (size_t w = 0; w < MGL_QUERY_WORDS; w++) {
        of->some.of[w] &= by->some.of[w];
        of->all.of[w] &= by->all.of[w];
    }
}

static void mark_joint(void *context, size_t item, unsigned worker)
{
    const finding *x = context;
    const joint *j = &x->joints[item];
    (void)worker;
    for (size_t value = 0; value < j->n_values; value++) {
        memset(&j->of_value[value], 0xFF, sizeof *j->of_value);
        size_t rest = value;
        for (size_t i = j->n_columns; i-- > 0;) {
            size_t a = j->columns[i];
            narrow(&j->of_value[value], &x->marks[a][rest % n_values_of(x, a)]);
            rest /= n_values_of(x, a);
        }
    }
}

/* Small columns join first, as long as there are not too many combinations. */
static void join_columns(finding *x)
{
    size_t n = x->classes->n_attributes;
    for (size_t a = 0; a < n; a++) {
        size_t at = a;
        for (; at > 0 && n_values_of(x, x->columns[at - 1]) > n_values_of(x, a); at--)
            x->columns[at] = x->columns[at - 1];
        x->columns[at] = a;
    }
    for (size_t i = 0; i < n; i++) {
        size_t more = n_values_of(x, x->columns[i]);
        joint *last = x->n_joints > 0 ? &x->joints[x->n_joints - 1] : NULL;
        if (last != NULL && last->n_values * more <= MOST_JOINT) {
            last->n_columns++;
            last->n_values *= more;
        } else {
            x->joints[x->n_joints++] = (joint){&x->columns[i], 1, more, NULL};
        }
    }
}

/* ---- Blocks -------------------------------------------------------------------------------------
 */

/* Which queries find some or all rows of each class of a block. */
static void look_up(const finding *x, size_t block, marks of[MGL_QUERY_BLOCK])
{
    size_t first = block * MGL_QUERY_BLOCK, n = mgl_query_block_end(x->classes, block) - first;
    uint32_t value[MGL_QUERY_BLOCK];
    for (size_t g = 0; g < x->n_joints; g++) {
        const joint *j = &x->joints[g];
        memset(value, 0, sizeof value);
        for (size_t i = 0; i < j->n_columns; i++) {
            const uint32_t *cells = x->classes->cells[j->columns[i]] + first;
            uint32_t n_values = (uint32_t)n_values_of(x, j->columns[i]);
            for (size_t c = 0; c < n; c++)
                value[c] = value[c] * n_values + cells[c];
        }
        for (size_t c = 0; c < n; c++)
            if (g == 0)
                of[c] = j->of_value[value[c]];
            else
                narrow(&of[c], &j->of_value[value[c]]);
    }
}

/* A query pays if few blocks have a class of which it finds some rows but not all. */
static void choose(finding *x)
{
    size_t in_part[MGL_QUERY_WORDS * 64] = {0}, n_blocks = mgl_query_blocks(x->classes);
    marks of[MGL_QUERY_BLOCK];
    for (size_t block = 0; block < n_blocks; block += SAMPLED) {
        look_up(x, block, of);
        size_t n = mgl_query_block_end(x->classes, block) - block * MGL_QUERY_BLOCK;
        for (size_t c = 0; c < n; c++)
            for (size_t w = 0; w < MGL_QUERY_WORDS; w++)
                for (uint64_t left = of[c].some.of[w] & ~of[c].all.of[w]; left != 0;
                     left &= left - 1)
                    in_part[w * 64 + (unsigned)__builtin_ctzll(left)]++;
    }
    for (size_t q = 0; q < MGL_QUERIES; q++)
        if (in_part[q] * SAMPLED <= n_blocks / 4)
            x->out->which.of[q / 64] |= UINT64_C(1) << q % 64;
}

static void count_block(void *context, size_t block, unsigned worker)
{
    finding *x = context;
    const mgl_query_set which = x->out->which;
    const uint64_t *sizes = x->classes->sizes + block * MGL_QUERY_BLOCK;
    double sums[MGL_QUERY_WORDS * 64] = {0};
    mgl_query_set mixed = {{0}}, found = {{0}};
    marks of[MGL_QUERY_BLOCK];
    (void)worker;
    look_up(x, block, of);
    size_t n = mgl_query_block_end(x->classes, block) - block * MGL_QUERY_BLOCK;
    for (size_t c = 0; c < n; c++) {
        double rows = (double)sizes[c];
        for (size_t w = 0; w < MGL_QUERY_WORDS; w++) {
            found.of[w] |= of[c].some.of[w];
            mixed.of[w] |= of[c].some.of[w] & ~of[c].all.of[w];
            for (uint64_t left = of[c].all.of[w] & which.of[w]; left != 0; left &= left - 1)
                sums[w * 64 + (unsigned)__builtin_ctzll(left)] += rows;
        }
    }
    memcpy(x->out->rows[block], sums, sizeof x->out->rows[block]);
    x->out->mixed[block] = mixed;
    x->out->found[block] = found;
}

/* ---- The whole ----------------------------------------------------------------------------------
 */

static mgl_status begin(finding *x, mgl_pool *pool, mgl_error *err)
{
    const mgl_query_classes *classes = x->classes;
    x->n_workers = mgl_pool_threads(pool);
    x->workers = mgl_zeroed_array(x->n_workers, sizeof *x->workers);
    x->marks = mgl_zeroed_array(classes->n_attributes, sizeof *x->marks);
    x->columns = mgl_alloc_array(classes->n_attributes, sizeof *x->columns);
    x->joints = mgl_zeroed_array(classes->n_attributes, sizeof *x->joints);
    x->out->rows = mgl_alloc_array(mgl_query_blocks(classes), sizeof *x->out->rows);
    x->out->mixed = mgl_alloc_array(mgl_query_blocks(classes), sizeof *x->out->mixed);
    x->out->found = mgl_alloc_array(mgl_query_blocks(classes), sizeof *x->out->found);
    if (x->workers == NULL || x->marks == NULL || x->columns == NULL || x->joints == NULL ||
        x->out->rows == NULL || x->out->mixed == NULL || x->out->found == NULL)
        return mgl_fail_memory(err);
    for (unsigned w = 0; w < x->n_workers; w++) {
        x->workers[w].before = mgl_alloc_array(classes->most_leaves + 1, sizeof(uint32_t));
        x->workers[w].share = mgl_alloc_array(classes->most_values, sizeof(double));
        if (x->workers[w].before == NULL || x->workers[w].share == NULL)
            return mgl_fail_memory(err);
    }
    for (size_t a = 0; a < classes->n_attributes; a++) {
        x->marks[a] = mgl_alloc_array(classes->columns[a]->n_values, sizeof **x->marks);
        if (x->marks[a] == NULL)
            return mgl_fail_memory(err);
    }
    join_columns(x);
    for (size_t g = 0; g < x->n_joints; g++) {
        x->joints[g].of_value = mgl_alloc_array(x->joints[g].n_values, sizeof(marks));
        if (x->joints[g].of_value == NULL)
            return mgl_fail_memory(err);
    }
    return MGL_OK;
}

static void end(finding *x)
{
    for (unsigned w = 0; x->workers != NULL && w < x->n_workers; w++) {
        mgl_free(x->workers[w].before);
        mgl_free(x->workers[w].share);
    }
    for (size_t a = 0; x->marks != NULL && a < x->classes->n_attributes; a++)
        mgl_free(x->marks[a]);
    for (size_t g = 0; g < x->n_joints; g++)
        mgl_free(x->joints[g].of_value);
    mgl_free(x->columns);
    mgl_free(x->joints);
    mgl_free(x->workers);
    mgl_free(x->marks);
}

mgl_status mgl_whole_queries_find(const mgl_query_classes *classes, const mgl_query *queries,
                                  mgl_pool *pool, mgl_error *err, mgl_whole_queries *out)
{
    finding x = {.classes = classes, .queries = queries, .out = out};
    *out = (mgl_whole_queries){0};
    if (classes->n_classes < FEW_CLASSES || classes->n_classes < classes->most_values)
        return MGL_OK;
    mgl_status status = MGL_OK;
    MGL_GO(begin(&x, pool, err));
    mgl_pool_run(pool, classes->n_attributes, mark_column, &x);
    mgl_pool_run(pool, x.n_joints, mark_joint, &x);
    choose(&x);
    mgl_pool_run(pool, mgl_query_blocks(classes), count_block, &x);
done:
    end(&x);
    if (status != MGL_OK)
        mgl_whole_queries_free(out);
    return status;
}

void mgl_whole_queries_free(mgl_whole_queries *whole)
{
    mgl_free(whole->rows);
    mgl_free(whole->mixed);
    mgl_free(whole->found);
    *whole = (mgl_whole_queries){0};
}
