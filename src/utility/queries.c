/* Counting queries: draws them, and estimates their answers from the release, which are compared
 * with those of the table. */
#include "utility/queries.h"
#include "utility/utility.h"

#include <math.h>

enum { CLASSES = 1 << 12 }; /* of an item */

static void take_cells(void *context, size_t item, unsigned worker)
{
    const mgl_released_tuples *tuples = context;
    size_t first = item * CLASSES, end = first + CLASSES;
    end = end < tuples->n_classes ? end : tuples->n_classes;
    (void)worker;
    for (size_t a = 0; a < tuples->n_attributes; a++)
        for (size_t c = first; c < end; c++)
            tuples->class_cells[a][c] = tuples->cells[a][tuples->first[c]];
}

mgl_status mgl_class_cells_make(mgl_released_tuples *tuples, mgl_pool *pool, mgl_error *err)
{
    size_t n = tuples->n_attributes, n_classes = tuples->n_classes;
    if (n == 0)
        return MGL_OK;
    uint32_t **columns = mgl_alloc_array(n, sizeof *columns);
    uint32_t *cells = mgl_alloc_array(n * n_classes, sizeof *cells);
    if (columns == NULL || cells == NULL) {
        mgl_free(columns);
        mgl_free(cells);
        return mgl_fail_memory(err);
    }
    for (size_t a = 0; a < n; a++)
        columns[a] = cells + a * n_classes;
    tuples->class_cells = columns;
    mgl_pool_run(pool, (n_classes + CLASSES - 1) / CLASSES, take_cells, tuples);
    return MGL_OK;
}

void mgl_class_cells_free(mgl_released_tuples *tuples)
{
    if (tuples->class_cells != NULL)
        mgl_free(tuples->class_cells[0]);
    mgl_free(tuples->class_cells);
    tuples->class_cells = NULL;
}

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
    mgl_owned own;
} finding;

static size_t n_values_of(const finding *x, size_t a)
{
    return x->classes->columns[a]->n_values;
}

/* ---- Marks ----------------------------------------------------------------------------------- */

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

/* ---- Blocks ---------------------------------------------------------------------------------- */

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

/* ---- The whole ------------------------------------------------------------------------------- */

static mgl_status begin(finding *x, mgl_pool *pool, mgl_error *err)
{
    const mgl_query_classes *classes = x->classes;
    x->n_workers = mgl_pool_threads(pool);
    size_t n = classes->n_attributes, n_blocks = mgl_query_blocks(classes);
    x->workers = mgl_own_zeroed(&x->own, x->n_workers, sizeof *x->workers);
    x->marks = mgl_own_zeroed(&x->own, n, sizeof *x->marks);
    x->columns = mgl_own_array(&x->own, n, sizeof *x->columns);
    x->joints = mgl_own_zeroed(&x->own, n, sizeof *x->joints);
    x->out->rows = mgl_own_array(&x->out->own, n_blocks, sizeof *x->out->rows);
    x->out->mixed = mgl_own_array(&x->out->own, n_blocks, sizeof *x->out->mixed);
    x->out->found = mgl_own_array(&x->out->own, n_blocks, sizeof *x->out->found);
    MGL_TRY(mgl_owned_check(&x->own, err));
    MGL_TRY(mgl_owned_check(&x->out->own, err));
    for (unsigned w = 0; w < x->n_workers; w++) {
        x->workers[w].before = mgl_own_array(&x->own, classes->most_leaves + 1, sizeof(uint32_t));
        x->workers[w].share = mgl_own_array(&x->own, classes->most_values, sizeof(double));
    }
    for (size_t a = 0; a < n; a++)
        x->marks[a] = mgl_own_array(&x->own, classes->columns[a]->n_values, sizeof **x->marks);
    join_columns(x);
    for (size_t g = 0; g < x->n_joints; g++)
        x->joints[g].of_value = mgl_own_array(&x->own, x->joints[g].n_values, sizeof(marks));
    return mgl_owned_check(&x->own, err);
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
    mgl_owned_free(&x.own);
    if (status != MGL_OK)
        mgl_whole_queries_free(out);
    return status;
}

void mgl_whole_queries_free(mgl_whole_queries *whole)
{
    mgl_owned_free(&whole->own);
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
    mgl_owned own;
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

/* ---- One by one ------------------------------------------------------------------------------ */

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

/* ---- By whole numbers ------------------------------------------------------------------------ */

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

/* ---- All queries ----------------------------------------------------------------------------- */

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

static mgl_status make_rooms(estimating *x, mgl_pool *pool, mgl_error *err)
{
    x->n_workers = mgl_pool_threads(pool);
    x->workers = mgl_own_zeroed(&x->own, x->n_workers, sizeof *x->workers);
    for (unsigned w = 0; x->workers != NULL && w < x->n_workers; w++) {
        struct room *room = &x->workers[w];
        room->before = mgl_own_array(&x->own, x->classes.most_leaves + 1, sizeof *room->before);
        room->shares = mgl_own_array(&x->own, x->classes.most_values,
                                     TOGETHER * MGL_QUERY_COLUMNS * sizeof *room->shares);
    }
    return mgl_owned_check(&x->own, err);
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
    for (size_t a = 0; a < x.classes.n_attributes; a++) {
        uint32_t leaves = x.classes.columns[a]->hierarchy->n_leaves;
        uint32_t values = x.classes.columns[a]->n_values;
        x.classes.most_values = values > x.classes.most_values ? values : x.classes.most_values;
        x.classes.most_leaves = leaves > x.classes.most_leaves ? leaves : x.classes.most_leaves;
    }
    MGL_GO(make_rooms(&x, pool, err));
    MGL_GO(mgl_whole_queries_find(&x.classes, queries, pool, err, &x.whole));
    put_in_order(&x);
    mgl_pool_run(pool, groups(x.n_one_by_one) + groups(MGL_QUERIES - x.n_one_by_one), answer, &x);
done:
    mgl_whole_queries_free(&x.whole);
    mgl_owned_free(&x.own);
    return status;
}

/* ---- True counts ----------------------------------------------------------------------------- */

/* Answers all queries of a workload in one pass over the tuples: each value of a column knows which
 * queries it is inside of, a bit for each, and a tuple is inside of those that all its values are.
 * Tuples come sorted, and a query is decided by the columns up to the last one it looks at: rows
 * are summed up for as long as these stay the same. */

enum { TUPLES = 1 << 14, /* of an item */ BITS = 64 };

/* What the current tuples have in common up to a column. */
typedef struct level {
    mgl_query_set inside; /* of the queries, by the columns so far */
    uint64_t rows;
} level;

typedef struct counting {
    const mgl_frequency_list *list;
    mgl_query_set **values;  /* [attribute][cell] queries that it is inside of */
    mgl_query_set *last;     /* [attribute] queries that look at no column behind it */
    uint32_t *column_of_bit; /* [bit of a key, the highest of the first word first] */
    struct sums {
        uint64_t of[MGL_QUERY_WORDS * 64];
        level *levels; /* [n_attributes] */
    } * workers;
    mgl_owned own;
} counting;

/* The first column in which a tuple differs from the one before; n_attributes: in none. */
static size_t first_change(const counting *x, size_t tuple)
{
    size_t words = x->list->packing.n_words;
    const uint64_t *key = x->list->keys + tuple * words;
    for (size_t w = 0; w < words; w++) {
        uint64_t change = key[w] ^ *(key + w - words);
        if (change != 0)
            return x->column_of_bit[w * BITS + (unsigned)__builtin_clzll(change)];
    }
    return x->list->n_attributes;
}

/* The columns from this one on are about to change. */
static void close_levels(const counting *x, struct sums *to, size_t from)
{
    for (size_t a = x->list->n_attributes; a-- > from;) {
        level *at = &to->levels[a];
        for (size_t w = 0; w < MGL_QUERY_WORDS; w++)
            for (uint64_t left = at->inside.of[w] & x->last[a].of[w]; left != 0; left &= left - 1)
                to->of[w * 64 + (unsigned)__builtin_ctzll(left)] += at->rows;
        if (a > 0)
            at[-1].rows += at->rows;
        at->rows = 0;
    }
}

static void count_tuples(void *context, size_t item, unsigned worker)
{
    const counting *x = context;
    const mgl_frequency_list *list = x->list;
    struct sums *to = &x->workers[worker];
    size_t n = list->n_attributes, first = item * TUPLES;
    size_t end = first + TUPLES < list->n_tuples ? first + TUPLES : list->n_tuples;
    for (size_t t = first; t < end; t++) {
        size_t from = t > first ? first_change(x, t) : 0;
        if (t > first)
            close_levels(x, to, from);
        for (size_t a = from; a < n; a++) {
            const mgl_query_set *value = &x->values[a][mgl_list_leaf(list, t, a)];
            for (size_t w = 0; w < MGL_QUERY_WORDS; w++)
                to->levels[a].inside.of[w] =
                    value->of[w] & (a > 0 ? to->levels[a - 1].inside.of[w] : UINT64_MAX);
        }
        to->levels[n - 1].rows += list->counts[t];
    }
    close_levels(x, to, 0);
}

/* Queries that do not look at a column have all its values inside. */
static mgl_status fill_values(counting *x, const mgl_query *queries, mgl_error *err)
{
    const mgl_frequency_list *list = x->list;
    for (size_t a = 0; a < list->n_attributes; a++) {
        size_t n = (size_t)1 << list->packing.fields[a].bits;
        x->values[a] = mgl_own_array(&x->own, n, sizeof *x->values[a]);
        MGL_TRY(mgl_owned_check(&x->own, err));
        memset(x->values[a], 0xFF, n * sizeof *x->values[a]);
    }
    for (size_t q = 0; q < MGL_QUERIES; q++)
        for (size_t i = 0; i < queries[q].n_columns; i++) {
            size_t a = queries[q].column[i], n = (size_t)1 << list->packing.fields[a].bits;
            for (size_t v = 0; v < n; v++)
                if (v < queries[q].low[i] || v > queries[q].high[i])
                    x->values[a][v].of[q / 64] &= ~(UINT64_C(1) << q % 64);
        }
    return MGL_OK;
}

/* Which queries are decided at which column, and which column each bit of a key is of. */
static mgl_status fill_columns(counting *x, const mgl_query *queries, mgl_error *err)
{
    const mgl_packing *packing = &x->list->packing;
    x->last = mgl_own_zeroed(&x->own, packing->n_attributes, sizeof *x->last);
    x->column_of_bit = mgl_own_zeroed(&x->own, packing->n_words * BITS, sizeof *x->column_of_bit);
    MGL_TRY(mgl_owned_check(&x->own, err));
    for (size_t q = 0; q < MGL_QUERIES; q++) {
        size_t last = 0;
        for (size_t i = 0; i < queries[q].n_columns; i++)
            last = queries[q].column[i] > last ? queries[q].column[i] : last;
        x->last[last].of[q / 64] |= UINT64_C(1) << q % 64;
    }
    for (size_t a = 0; a < packing->n_attributes; a++)
        for (unsigned bit = 0; bit < packing->fields[a].bits; bit++)
            x->column_of_bit[packing->fields[a].word * BITS + BITS - 1 -
                             (packing->fields[a].shift + bit)] = (uint32_t)a;
    return MGL_OK;
}

static mgl_status count(counting *x, mgl_pool *pool, const mgl_query *queries, mgl_error *err,
                        uint64_t *counts)
{
    unsigned n_workers = mgl_pool_threads(pool);
    x->values = mgl_own_zeroed(&x->own, x->list->n_attributes, sizeof *x->values);
    x->workers = mgl_own_zeroed(&x->own, n_workers, sizeof *x->workers);
    for (unsigned w = 0; x->workers != NULL && w < n_workers; w++)
        x->workers[w].levels = mgl_own_zeroed(&x->own, x->list->n_attributes, sizeof(level));
    MGL_TRY(mgl_owned_check(&x->own, err));
    MGL_TRY(fill_values(x, queries, err));
    MGL_TRY(fill_columns(x, queries, err));
    mgl_pool_run(pool, (x->list->n_tuples + TUPLES - 1) / TUPLES, count_tuples, x);
    for (size_t q = 0; q < MGL_QUERIES; q++) {
        counts[q] = 0;
        for (unsigned w = 0; w < n_workers; w++)
            counts[q] += x->workers[w].of[q];
    }
    return MGL_OK;
}

/* ---- The error ------------------------------------------------------------------------------- */

static mgl_query draw_query(mgl_random *random, const mgl_released_column *const *columns, size_t n)
{
    mgl_query q = {0};
    size_t wanted = 1 + mgl_random_below(random, n < MGL_QUERY_COLUMNS ? n : MGL_QUERY_COLUMNS);
    while (q.n_columns < wanted) {
        size_t a = mgl_random_below(random, n);
        bool used = false;
        for (size_t i = 0; i < q.n_columns; i++)
            used = used || q.column[i] == a;
        if (used)
            continue;
        uint32_t leaves = mgl_hierarchy_ground(columns[a]->hierarchy);
        uint32_t x = (uint32_t)mgl_random_below(random, leaves);
        uint32_t y = (uint32_t)mgl_random_below(random, leaves);
        q.column[q.n_columns] = a;
        q.low[q.n_columns] = x < y ? x : y;
        q.high[q.n_columns++] = x < y ? y : x;
    }
    return q;
}

static void draw_queries(const mgl_released_column *const *columns, size_t n, mgl_query *queries)
{
    mgl_random random;
    mgl_random_seed(&random, MGL_QUERY_SEED);
    for (size_t i = 0; i < MGL_QUERIES; i++)
        queries[i] = draw_query(&random, columns, n);
}

mgl_status mgl_query_truths(const mgl_frequency_list *list,
                            const mgl_released_column *const *columns, mgl_pool *pool,
                            mgl_error *err, uint64_t *truths)
{
    mgl_query queries[MGL_QUERIES];
    draw_queries(columns, list->n_attributes, queries);
    /* How many rows of the list each of the queries counts. */
    counting x = {.list = list};
    mgl_status status = count(&x, pool, queries, err, truths);
    mgl_owned_free(&x.own);
    return status;
}

mgl_status mgl_query_error(const uint64_t *truths, uint64_t n_rows,
                           const mgl_released_column *const *columns,
                           const mgl_released_tuples *tuples, mgl_pool *pool, mgl_error *err,
                           double *out)
{
    mgl_query queries[MGL_QUERIES];
    double estimates[MGL_QUERIES], sum = 0, least = 0.001 * (double)n_rows;
    draw_queries(columns, tuples->n_attributes, queries);
    mgl_released_tuples with = *tuples;
    if (tuples->class_cells == NULL)
        MGL_TRY(mgl_class_cells_make(&with, pool, err));
    mgl_status status = mgl_query_estimates(&with, columns, queries, pool, err, estimates);
    if (tuples->class_cells == NULL)
        mgl_class_cells_free(&with);
    MGL_TRY(status);
    for (size_t i = 0; i < MGL_QUERIES; i++)
        sum += fabs(estimates[i] - (double)truths[i]) / fmax((double)truths[i], least);
    *out = sum / MGL_QUERIES;
    return MGL_OK;
}
