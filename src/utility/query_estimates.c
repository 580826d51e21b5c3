/* What each query of a workload finds in a release. Every sum is defined as one that goes through
 * the classes in their order, rounding as it goes. */
#include "utility/queries.h"

/* ---- Shares of cells ------------------------------------------------------------------------- */

/* Which share of a released value a query finds: the value is spread evenly over its ground
 * values. */

/* Ranges and averages have their leaves side by side on the scale; before[i] is for how many of its
 * first i leaves lie in the range. */
static void fill_made_shares(const mgl_released_column *column, uint32_t low, uint32_t high,
                             uint32_t *before, double *share)
{
    const mgl_scale *scale = column->scale;
    before[0] = 0;
    for (uint32_t i = 0; i < scale->n_ordered; i++)
        before[i + 1] = before[i] + (scale->ordered[i] >= low && scale->ordered[i] <= high);
    for (uint32_t v = column->first_made; v < column->n_values; v++) {
        const mgl_released_value *value = &column->values[v];
        share[v] =
            (double)(before[value->begin + value->leaves] - before[value->begin]) / value->leaves;
    }
}

/* Sets and modes have a list each. */
static void fill_listed_shares(const mgl_released_column *column, uint32_t low, uint32_t high,
                               double *share)
{
    for (uint32_t v = column->first_made; v < column->n_values; v++) {
        const uint32_t *leaves = mgl_made_leaves(column, v);
        uint32_t n = column->values[v].leaves, found = 0;
        for (uint32_t i = 0; i < n; i++)
            found += leaves[i] >= low && leaves[i] <= high;
        share[v] = (double)found / n;
    }
}

/* Share[value] is which share of the value's leaves lies in the range of the query's i-th column.
 * before has room for as many numbers as the column has leaves, and one. */
static void query_shares(const mgl_query_classes *classes, const mgl_query *query, size_t i,
                         uint32_t *before, double *share)
{
    const mgl_released_column *column = classes->columns[query->column[i]];
    uint32_t low = query->low[i], high = query->high[i];
    memset(share, 0, column->n_values * sizeof *share);
    for (uint32_t l = 0; l <= column->hierarchy->height; l++)
        for (uint32_t leaf = low; leaf <= high; leaf++) {
            uint32_t v = column->of_leaf[l][leaf];
            if (column->values[v].level == (int32_t)l)
                share[v] += 1.0 / column->values[v].leaves;
        }
    if (column->scale != NULL)
        fill_made_shares(column, low, high, before, share);
    else if (column->made != NULL)
        fill_listed_shares(column, low, high, share);
}

/* ---- Sums of whole numbers ------------------------------------------------------------------- */

/* Queries that find all rows or none of nearly every class: those on columns that are released as
 * they were collected. What they find are whole numbers, which can be added in any order, and so
 * blocks of classes are counted for all these queries together: each value of a column knows which
 * queries find some of its rows and which find all, a bit for each, and so does each combination of
 * the values of small columns. */

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

typedef struct shares_room {
    uint32_t *before;
    double *share;
} shares_room;

typedef struct finding {
    const mgl_query_classes *classes;
    const mgl_query *queries;
    marks **marks; /* [attribute][value] */
    size_t *columns;
    joint *joints;
    size_t n_joints;
    shares_room *workers;
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
    shares_room *room = &x->workers[worker];
    size_t n_values = n_values_of(x, a);
    memset(x->marks[a], 0xFF, n_values * sizeof *x->marks[a]);
    for (size_t q = 0; q < MGL_QUERIES; q++)
        for (size_t i = 0; i < x->queries[q].n_columns; i++) {
            if (x->queries[q].column[i] != a)
                continue;
            uint64_t others = ~(UINT64_C(1) << q % 64);
            query_shares(x->classes, &x->queries[q], i, room->before, room->share);
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

static void end_counting(finding *x)
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
    end_counting(&x);
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

/* ---- Estimates ------------------------------------------------------------------------------- */

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
        query_shares(&x->classes, q, i, room->before, share);
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
