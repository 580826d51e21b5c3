/* What each query of a workload finds in a release. Every sum is defined as one that goes through
 * the classes in their order, rounding as it goes. queries.c calls it. */
#include "utility/queries.h"

/* Queries that are answered at a time: an addition has to wait for the one before it in the same
 * sum, and so several sums are made side by side. */
enum { TOGETHER = 4 };

typedef struct estimating {
    mgl_query_classes classes;
    const mgl_released_tuples *tuples;
    const mgl_query *queries;
    mgl_whole_queries whole;
    size_t order[MGL_QUERIES], n_one_by_one; /* the queries; the whole ones are the last */
    struct room {
        uint32_t *before; /* [most_leaves + 1] */
        double *shares;   /* [(lane * MGL_QUERY_COLUMNS + column of it) * most_values + value] */
        double sizes[MGL_QUERY_BLOCK];              /* of the classes of a block */
        double expected[TOGETHER][MGL_QUERY_BLOCK]; /* rows of the class that a query finds */
        bool found[TOGETHER];                       /* some of these are not 0 */
    } * workers;
    unsigned n_workers;
    double *estimates;
} estimating;

static double *share_of(const estimating *x, const struct room *room, size_t lane, size_t column)
{
    return room->shares + (lane * MGL_QUERY_COLUMNS + column) * x->classes.most_values;
}

/* The shares of all columns of a query. Returns what it finds of the rows that are not released:
 * they count as suppressed. */
static double begin_query(const estimating *x, const mgl_query *q, size_t lane, struct room *room)
{
    double lost = (double)x->tuples->dropped_rows;
    for (size_t i = 0; i < q->n_columns; i++) {
        double *share = share_of(x, room, lane, i);
        mgl_query_shares(&x->classes, q, i, room->before, share);
        lost *= share[x->classes.columns[q->column[i]]->top];
    }
    return lost;
}

static size_t classes_of(const estimating *x, size_t block)
{
    return mgl_query_block_end(&x->classes, block) - block * MGL_QUERY_BLOCK;
}

static void begin_block(const estimating *x, size_t block, struct room *room)
{
    const uint64_t *sizes = x->classes.sizes + block * MGL_QUERY_BLOCK;
    for (size_t c = 0; c < classes_of(x, block); c++)
        room->sizes[c] = (double)sizes[c];
}

/* What a query finds of each class of a block. One loop for each number of columns: this is where
 * the time goes. */
static void expect(const estimating *x, const mgl_query *q, size_t lane, size_t block,
                   struct room *room)
{
    size_t first = block * MGL_QUERY_BLOCK, n = classes_of(x, block);
    double *restrict expected = room->expected[lane];
    const double *sizes = room->sizes, *share[MGL_QUERY_COLUMNS] = {NULL};
    const uint32_t *cells[MGL_QUERY_COLUMNS] = {NULL};
    for (size_t i = 0; i < q->n_columns; i++) {
        share[i] = share_of(x, room, lane, i);
        cells[i] = x->classes.cells[q->column[i]] + first;
    }
    if (q->n_columns == 1)
        for (size_t c = 0; c < n; c++)
            expected[c] = sizes[c] * share[0][cells[0][c]];
    else if (q->n_columns == 2)
        for (size_t c = 0; c < n; c++)
            expected[c] = sizes[c] * share[0][cells[0][c]] * share[1][cells[1][c]];
    else
        for (size_t c = 0; c < n; c++)
            expected[c] =
                sizes[c] * share[0][cells[0][c]] * share[1][cells[1][c]] * share[2][cells[2][c]];
}

/* ---- One by one ---------------------------------------------------------------------------------
 */

static void add_up(const struct room *room, size_t n, double rows[TOGETHER])
{
    double sums[TOGETHER];
    memcpy(sums, rows, sizeof sums);
    for (size_t c = 0; c < n; c++)
        for (size_t i = 0; i < TOGETHER; i++)
            sums[i] += room->expected[i][c];
    memcpy(rows, sums, sizeof sums);
}

/* Of these queries, finds out which find something in a block, and what; false if none does. */
static bool expect_all(const estimating *x, const size_t *numbers, size_t n, size_t block,
                       struct room *room)
{
    bool any = false;
    begin_block(x, block, room);
    for (size_t i = 0; i < n; i++) {
        bool found = x->whole.found == NULL || mgl_query_in(&x->whole.found[block], numbers[i]);
        any = any || found;
        if (found)
            expect(x, &x->queries[numbers[i]], i, block, room);
        else if (room->found[i])
            memset(room->expected[i], 0, sizeof room->expected[i]);
        room->found[i] = found;
    }
    return any;
}

/* The lanes behind the last query add up zeros. */
static void answer_one_by_one(const estimating *x, const size_t *numbers, size_t n,
                              struct room *room)
{
    double rows[TOGETHER] = {0}, lost[TOGETHER];
    memset(room->expected, 0, sizeof room->expected);
    memset(room->found, 0, sizeof room->found);
    for (size_t i = 0; i < n; i++)
        lost[i] = begin_query(x, &x->queries[numbers[i]], i, room);
    for (size_t block = 0; block < mgl_query_blocks(&x->classes); block++)
        if (expect_all(x, numbers, n, block, room))
            add_up(room, classes_of(x, block), rows);
    for (size_t i = 0; i < n; i++)
        x->estimates[numbers[i]] = rows[i] + lost[i];
}

/* ---- By whole numbers ---------------------------------------------------------------------------
 */

/* Is the sum of a number that is not negative and a whole one exact? Then so are all sums on the
 * way to it if the second is added piece by piece, each piece a whole number that is not negative:
 * they have the same digits behind the point and no more before it. */
static bool adds_exactly(double rows, double more)
{
    double sum = rows + more, added = sum - rows;
    return added == more && sum - added == rows;
}

static double add_in_order(const estimating *x, const mgl_query *q, size_t block, struct room *room,
                           double rows)
{
    begin_block(x, block, room);
    expect(x, q, 0, block, room);
    for (size_t c = 0; c < classes_of(x, block); c++)
        rows += room->expected[0][c];
    return rows;
}

static void answer_by_blocks(const estimating *x, size_t number, struct room *room)
{
    const mgl_query *q = &x->queries[number];
    double rows = 0, lost = begin_query(x, q, 0, room);
    for (size_t block = 0; block < mgl_query_blocks(&x->classes); block++) {
        double more = x->whole.rows[block][number];
        if (!mgl_query_in(&x->whole.mixed[block], number) && adds_exactly(rows, more))
            rows += more;
        else
            rows = add_in_order(x, q, block, room, rows);
    }
    x->estimates[number] = rows + lost;
}

/* ---- All queries --------------------------------------------------------------------------------
 */

static size_t groups(size_t queries)
{
    return (queries + TOGETHER - 1) / TOGETHER;
}

static void answer(void *context, size_t item, unsigned worker)
{
    const estimating *x = context;
    struct room *room = &x->workers[worker];
    bool whole = item >= groups(x->n_one_by_one);
    size_t first =
        whole ? x->n_one_by_one + (item - groups(x->n_one_by_one)) * TOGETHER : item * TOGETHER;
    size_t end = whole ? MGL_QUERIES : x->n_one_by_one;
    size_t n = end - first < TOGETHER ? end - first : TOGETHER;
    if (!whole)
        answer_one_by_one(x, x->order + first, n, room);
    for (size_t i = 0; whole && i < n; i++)
        answer_by_blocks(x, x->order[first + i], room);
}

static void put_in_order(estimating *x)
{
    size_t n = 0;
    for (int whole = 0; whole < 2; whole++) {
        for (size_t q = 0; q < MGL_QUERIES; q++)
            if (mgl_query_in(&x->whole.which, q) == (whole == 1))
                x->order[n++] = q;
        x->n_one_by_one = whole == 0 ? n : x->n_one_by_one;
    }
}

static void find_largest(mgl_query_classes *classes)
{
    for (size_t a = 0; a < classes->n_attributes; a++) {
        uint32_t leaves = classes->columns[a]->hierarchy->n_leaves;
        uint32_t values = classes->columns[a]->n_values;
        classes->most_values = values > classes->most_values ? values : classes->most_values;
        classes->most_leaves = leaves > classes->most_leaves ? leaves : classes->most_leaves;
    }
}

static mgl_status make_rooms(estimating *x, mgl_pool *pool, mgl_error *err)
{
    x->n_workers = mgl_pool_threads(pool);
    x->workers = mgl_zeroed_array(x->n_workers, sizeof *x->workers);
    if (x->workers == NULL)
        return mgl_fail_memory(err);
    for (unsigned w = 0; w < x->n_workers; w++) {
        struct room *room = &x->workers[w];
        room->before = mgl_alloc_array(x->classes.most_leaves + 1, sizeof *room->before);
        room->shares = mgl_alloc_array(x->classes.most_values,
                                       TOGETHER * MGL_QUERY_COLUMNS * sizeof *room->shares);
        if (room->before == NULL || room->shares == NULL)
            return mgl_fail_memory(err);
    }
    return MGL_OK;
}

static void end(estimating *x)
{
    for (unsigned w = 0; x->workers != NULL && w < x->n_workers; w++) {
        mgl_free(x->workers[w].before);
        mgl_free(x->workers[w].shares);
    }
    mgl_free(x->workers);
    mgl_whole_queries_free(&x->whole);
}

mgl_status mgl_query_estimates(const mgl_released_tuples *tuples,
                               const mgl_released_column *const *columns, const mgl_query *queries,
                               mgl_pool *pool, mgl_error *err, double *estimates)
{
    estimating x = {.tuples = tuples, .queries = queries, .estimates = estimates};
    x.classes = (mgl_query_classes){.columns = columns,
                                    .n_attributes = tuples->n_attributes,
                                    .n_classes = tuples->n_classes,
                                    .cells = tuples->class_cells,
                                    .sizes = tuples->class_sizes};
    mgl_status status = MGL_OK;
    find_largest(&x.classes);
    MGL_GO(make_rooms(&x, pool, err));
    MGL_GO(mgl_whole_queries_find(&x.classes, queries, pool, err, &x.whole));
    put_in_order(&x);
    mgl_pool_run(pool, groups(x.n_one_by_one) + groups(MGL_QUERIES - x.n_one_by_one), answer, &x);
done:
    end(&x);
    return status;
}
