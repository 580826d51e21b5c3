/* Queries that find all rows or none of nearly every class: those on columns that are released as
 * they were collected. What they find are whole numbers, which can be added in any order, and so
 * blocks of classes are counted for all these queries together: each value of a column knows which
 * queries find some of its rows and which find all, a bit for each. query_estimates.c calls it. */
#include "utility/queries.h"

enum {
    SAMPLED = 16,      /* one in so many classes says which queries are worth it */
    FEW_CLASSES = 4096 /* below it, queries are answered one by one in less time */
};

typedef struct finding {
    const mgl_query_classes *classes;
    const mgl_query *queries;
    struct marks {
        mgl_query_set some, all; /* queries that find some of the rows; all of them */
    } * *marks;                  /* [attribute][value] */
    struct room {
        uint32_t *before;
        double *share;
    } * workers;
    unsigned n_workers;
    mgl_whole_queries *out;
} finding;

/* Queries that do not look at a column find all rows of its values. */
static void mark_column(void *context, size_t a, unsigned worker)
{
    finding *x = context;
    struct room *room = &x->workers[worker];
    uint32_t n_values = x->classes->columns[a]->n_values;
    memset(x->marks[a], 0xFF, n_values * sizeof *x->marks[a]);
    for (size_t q = 0; q < MGL_QUERIES; q++)
        for (size_t i = 0; i < x->queries[q].n_columns; i++) {
            if (x->queries[q].column[i] != a)
                continue;
            uint64_t others = ~(UINT64_C(1) << q % 64);
            mgl_query_shares(x->classes, &x->queries[q], i, room->before, room->share);
            for (uint32_t v = 0; v < n_values; v++) {
                x->marks[a][v].some.of[q / 64] &= room->share[v] == 0 ? others : UINT64_MAX;
                x->marks[a][v].all.of[q / 64] &= room->share[v] == 1 ? UINT64_MAX : others;
            }
        }
}

static struct marks look_up(const finding *x, size_t class)
{
    struct marks of = x->marks[0][x->classes->cells[0][class]];
    for (size_t a = 1; a < x->classes->n_attributes; a++) {
        const struct marks *value = &x->marks[a][x->classes->cells[a][class]];
        for (size_t w = 0; w < MGL_QUERY_WORDS; w++) {
            of.some.of[w] &= value->some.of[w];
            of.all.of[w] &= value->all.of[w];
        }
    }
    return of;
}

/* A query pays if few blocks have a class of which it finds some rows but not all. */
static void choose(finding *x)
{
    size_t in_part[MGL_QUERY_WORDS * 64] = {0}, most = mgl_query_blocks(x->classes) / 4;
    for (size_t c = 0; c < x->classes->n_classes; c += SAMPLED) {
        struct marks of = look_up(x, c);
        for (size_t w = 0; w < MGL_QUERY_WORDS; w++)
            for (uint64_t left = of.some.of[w] & ~of.all.of[w]; left != 0; left &= left - 1)
                in_part[w * 64 + (unsigned)__builtin_ctzll(left)]++;
    }
    for (size_t q = 0; q < MGL_QUERIES; q++)
        if (in_part[q] * SAMPLED <= most)
            x->out->which.of[q / 64] |= UINT64_C(1) << q % 64;
}

static void count_block(void *context, size_t block, unsigned worker)
{
    finding *x = context;
    const mgl_query_set which = x->out->which;
    double sums[MGL_QUERY_WORDS * 64] = {0};
    mgl_query_set mixed = {{0}}, found = {{0}};
    (void)worker;
    for (size_t c = block * MGL_QUERY_BLOCK; c < mgl_query_block_end(x->classes, block); c++) {
        double rows = (double)x->classes->sizes[c];
        struct marks of = look_up(x, c);
        for (size_t w = 0; w < MGL_QUERY_WORDS; w++) {
            found.of[w] |= of.some.of[w];
            mixed.of[w] |= of.some.of[w] & ~of.all.of[w];
            for (uint64_t left = of.all.of[w] & which.of[w]; left != 0; left &= left - 1)
                sums[w * 64 + (unsigned)__builtin_ctzll(left)] += rows;
        }
    }
    memcpy(x->out->rows[block], sums, sizeof x->out->rows[block]);
    x->out->mixed[block] = mixed;
    x->out->found[block] = found;
}

static mgl_status begin(finding *x, mgl_pool *pool, mgl_error *err)
{
    const mgl_query_classes *classes = x->classes;
    x->n_workers = mgl_pool_threads(pool);
    x->workers = mgl_zeroed_array(x->n_workers, sizeof *x->workers);
    x->marks = mgl_zeroed_array(classes->n_attributes, sizeof *x->marks);
    x->out->rows = mgl_alloc_array(mgl_query_blocks(classes), sizeof *x->out->rows);
    x->out->mixed = mgl_alloc_array(mgl_query_blocks(classes), sizeof *x->out->mixed);
    x->out->found = mgl_alloc_array(mgl_query_blocks(classes), sizeof *x->out->found);
    if (x->workers == NULL || x->marks == NULL || x->out->rows == NULL || x->out->mixed == NULL ||
        x->out->found == NULL)
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
