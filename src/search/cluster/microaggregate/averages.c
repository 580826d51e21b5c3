/* Makes the recoding of groups: what stands for their values in each column, and how far that is
 * from the values of the rows. */
#include "search/cluster/microaggregate/points.h"
#include "search/node/node.h"

#include <math.h>
#include <stdlib.h>

/* What stands for the values of a group: mean, median, middle of the range, most frequent value. */

static double mean_of(const mgl_micro_number_rows *numbers, size_t n)
{
    double sum = 0, rows = 0;
    for (size_t i = 0; i < n; i++) {
        sum += numbers[i].number * (double)numbers[i].rows;
        rows += (double)numbers[i].rows;
    }
    return sum / rows;
}

static int compare_numbers(const void *p, const void *q)
{
    const mgl_micro_number_rows *x = p, *y = q;
    return (x->number > y->number) - (x->number < y->number);
}

static double number_of_row(const mgl_micro_number_rows *numbers, uint64_t row)
{
    while (row >= numbers->rows)
        row -= numbers++->rows;
    return numbers->number;
}

static double median_of(mgl_micro_number_rows *numbers, size_t n)
{
    uint64_t rows = 0;
    qsort(numbers, n, sizeof *numbers, compare_numbers);
    for (size_t i = 0; i < n; i++)
        rows += numbers[i].rows;
    return number_of_row(numbers, (rows - 1) / 2) / 2 + number_of_row(numbers, rows / 2) / 2;
}

static double middle_of(const mgl_micro_number_rows *numbers, size_t n)
{
    double least = numbers[0].number, most = least;
    for (size_t i = 1; i < n; i++) {
        least = fmin(least, numbers[i].number);
        most = fmax(most, numbers[i].number);
    }
    return least / 2 + most / 2;
}

/* Not written yet; the numbers get into another order. */
static double average(mgl_aggregate function, mgl_micro_number_rows *numbers, size_t n)
{
    return function == MGL_AGGREGATE_MEAN     ? mean_of(numbers, n)
           : function == MGL_AGGREGATE_MEDIAN ? median_of(numbers, n)
                                              : middle_of(numbers, n);
}

static int compare_categories(const void *p, const void *q)
{
    const mgl_micro_category *x = p, *y = q;
    return (x->leaf > y->leaf) - (x->leaf < y->leaf);
}

/* Puts equal leaves together, in their order; returns how many are left. */
static size_t sort_categories(mgl_micro_category *categories, size_t n)
{
    size_t left = 0;
    qsort(categories, n, sizeof *categories, compare_categories);
    for (size_t i = 0; i < n; i++)
        if (left > 0 && categories[left - 1].leaf == categories[i].leaf)
            categories[left - 1].rows += categories[i].rows;
        else
            categories[left++] = categories[i];
    return left;
}

/* The most frequent one, the first of several. */
static uint32_t mode(const mgl_micro_category *categories, size_t n)
{
    size_t most = 0;
    for (size_t i = 1; i < n; i++)
        if (categories[i].rows > categories[most].rows)
            most = i;
    return categories[most].leaf;
}

typedef struct making {
    const mgl_micro_space *space;
    const mgl_recoding *beside; /* cells of columns that are generalized; NULL: there are none */
    size_t n_groups;
    size_t *start;                  /* [n_groups + 1] members of group g lie at start[g].. */
    uint32_t *members;              /* [n] */
    mgl_micro_number_rows *numbers; /* [n] of one group and column */
    mgl_micro_category *categories; /* [n] likewise */
    uint32_t *leaves;               /* [n] likewise */
    double *stand_in;               /* [a * n_groups + g] coordinate; NAN: none */
    mgl_released_column **own;      /* [m] NULL: nothing but missing cells, or generalized */
    mgl_recoding *recoding;
    mgl_owned memory;
} making;

/* Of ranges the middle, else as it is written. */
static double choose_number(const making *r, size_t a, size_t n)
{
    const mgl_micro_column *c = &r->space->columns[a];
    double number = average(c->function, r->numbers, n);
    if (c->function == MGL_AGGREGATE_RANGE)
        return number;
    return ldexp(mgl_scale_round(c->scale, ldexp(number, c->exponent)), -c->exponent);
}

/* A number must not read as a missing cell. */
static size_t distinguish_tuples(const mgl_hierarchy *h, const mgl_scale *scale, char *text,
                                 size_t size)
{
    if (h->missing_leaf == MGL_NOT_FOUND ||
        !mgl_span_equal(h->levels[0].labels[h->missing_leaf], (mgl_span){text, size}) ||
        strpbrk(text, "e") != NULL)
        return size;
    bool comma = scale->notation.numbers == MGL_NUMBERS_COMMA;
    const char *more = strpbrk(text, ".,") != NULL ? "0" : comma ? ",0" : ".0";
    memcpy(text + size, more, strlen(more) + 1);
    return size + strlen(more);
}

static mgl_status add_value(making *r, size_t a, double number, uint32_t first, uint32_t last,
                            mgl_error *err, uint32_t *cell)
{
    const mgl_micro_column *c = &r->space->columns[a];
    char text[MGL_NUMBER_TEXT + 4];
    if (c->function == MGL_AGGREGATE_RANGE)
        return mgl_made_range(r->own[a], first, last, err, cell);
    size_t size = mgl_scale_write(c->scale, ldexp(number, c->exponent), text);
    size = distinguish_tuples(r->own[a]->hierarchy, c->scale, text, size);
    return mgl_made_value(r->own[a], (mgl_span){text, size}, first, last, err, cell);
}

/* The numbers of a group, all of which have one, and what stands for them. */
static mgl_status fill_numbers(making *r, size_t g, size_t a, mgl_error *err, uint32_t *cell)
{
    const mgl_micro_space *s = r->space;
    const mgl_micro_column *c = &s->columns[a];
    uint32_t first = UINT32_MAX, last = 0;
    size_t n = 0;
    for (size_t i = r->start[g]; i < r->start[g + 1]; i++) {
        uint32_t t = r->members[i];
        uint32_t place = c->scale->place_of[mgl_list_leaf(s->problem->list, t, a)];
        first = place < first ? place : first;
        last = place > last ? place : last;
        r->numbers[n++] = (mgl_micro_number_rows){mgl_micro_number(s, t, a), s->counts[t]};
    }
    double number = choose_number(r, a, n);
    r->stand_in[a * r->n_groups + g] = number - ldexp(c->least, -c->exponent);
    return add_value(r, a, number, first, last, err, cell);
}

static mgl_status fill_categories(making *r, size_t g, size_t a, mgl_error *err, uint32_t *cell)
{
    const mgl_micro_space *s = r->space;
    const mgl_hierarchy *h = r->own[a]->hierarchy;
    size_t n = 0;
    for (size_t i = r->start[g]; i < r->start[g + 1]; i++) {
        uint32_t t = r->members[i];
        r->categories[n++] =
            (mgl_micro_category){mgl_list_leaf(s->problem->list, t, a), s->counts[t]};
    }
    n = sort_categories(r->categories, n);
    for (size_t i = 0; i < n; i++)
        r->leaves[i] = r->categories[i].leaf;
    if (s->columns[a].function == MGL_AGGREGATE_SET)
        return mgl_made_set(r->own[a], r->leaves, (uint32_t)n, err, cell);
    mgl_span label = h->levels[0].labels[mode(r->categories, n)];
    return mgl_made_listed(r->own[a], label, r->leaves, (uint32_t)n, err, cell);
}

static size_t count_missing(const making *r, size_t g, size_t a)
{
    size_t n = 0;
    for (size_t i = r->start[g]; i < r->start[g + 1]; i++)
        n += mgl_micro_is_missing(r->space, r->members[i], a);
    return n;
}

/* A group in which some cells are missing and others are not reads as the top. */
static mgl_status fill_group(making *r, size_t g, size_t a, mgl_error *err)
{
    const mgl_micro_column *c = &r->space->columns[a];
    const mgl_released_column *column = r->recoding->columns[a];
    uint32_t cell = column->top;
    size_t members = r->start[g + 1] - r->start[g], missing = count_missing(r, g, a);
    r->stand_in[a * r->n_groups + g] = NAN;
    if (!c->at_top && missing == members)
        cell = column->of_leaf[0][column->hierarchy->missing_leaf];
    else if (!c->at_top && missing == 0)
        MGL_TRY(c->axis_of_leaf != NULL ? fill_categories(r, g, a, err, &cell)
                                        : fill_numbers(r, g, a, err, &cell));
    for (size_t i = r->start[g]; i < r->start[g + 1]; i++)
        r->recoding->cells[a][r->members[i]] = cell;
    return MGL_OK;
}

static mgl_status begin(making *r, const mgl_micro_groups *groups, mgl_error *err)
{
    size_t n = r->space->n, m = r->space->m, end = 0;
    r->n_groups = groups->n;
    r->start = mgl_own_zeroed(&r->memory, groups->n + 1, sizeof *r->start);
    r->members = mgl_own_array(&r->memory, n, sizeof *r->members);
    r->numbers = mgl_own_array(&r->memory, n, sizeof *r->numbers);
    r->categories = mgl_own_array(&r->memory, n, sizeof *r->categories);
    r->leaves = mgl_own_array(&r->memory, n, sizeof *r->leaves);
    r->stand_in = mgl_alloc_array(groups->n, m * sizeof *r->stand_in);
    r->own = mgl_own_zeroed(&r->memory, m, sizeof *r->own);
    MGL_TRY(mgl_check_memory(!r->memory.missing && r->stand_in != NULL, err));
    for (size_t t = 0; t < n; t++)
        if (groups->group_of[t] != MGL_NOT_FOUND)
            r->start[groups->group_of[t]]++;
    for (size_t g = 0; g <= groups->n; g++) {
        end += r->start[g];
        r->start[g] = end; /* the end of each; filling backwards turns it into the start */
    }
    for (size_t t = n; t-- > 0;)
        if (groups->group_of[t] != MGL_NOT_FOUND)
            r->members[--r->start[groups->group_of[t]]] = (uint32_t)t;
    return MGL_OK;
}

static mgl_status make_own(making *r, mgl_error *err)
{
    const mgl_problem *p = r->space->problem;
    for (size_t a = 0; a < r->space->m; a++) {
        const mgl_micro_column *c = &r->space->columns[a];
        mgl_scale *scale = NULL;
        if (c->rows == 0)
            continue;
        if (c->scale != NULL)
            MGL_TRY(mgl_scale_new(p->columns[a]->hierarchy, err, &scale));
        MGL_TRY(mgl_made_column_new(p->columns[a]->hierarchy, scale, c->least, c->most, err,
                                    &r->own[a]));
    }
    return MGL_OK;
}

static mgl_status make_columns(making *r, mgl_error *err)
{
    const mgl_released_column *const *columns =
        r->beside != NULL ? r->beside->columns : r->space->problem->columns;
    mgl_status status = make_own(r, err);
    if (status == MGL_OK)
        return mgl_recoding_with(columns, r->own, r->space->m, r->space->n, err, &r->recoding);
    for (size_t a = 0; a < r->space->m; a++)
        mgl_released_column_free(r->own[a]);
    return status;
}

static mgl_status fill(making *r, const mgl_micro_groups *groups, mgl_error *err)
{
    const mgl_micro_space *s = r->space;
    for (size_t a = 0; a < s->m; a++) {
        bool generalized = s->columns[a].function == MGL_AGGREGATE_NOT;
        for (size_t t = 0; generalized && t < s->n; t++)
            r->recoding->cells[a][t] = r->beside->cells[a][t];
        for (size_t g = 0; !generalized && g < r->n_groups; g++)
            MGL_TRY(fill_group(r, g, a, err));
    }
    for (size_t t = 0; t < s->n; t++)
        if (groups->group_of[t] == MGL_NOT_FOUND)
            mgl_recoding_suppress(r->recoding, t);
    return MGL_OK;
}

mgl_status mgl_micro_recode(const mgl_micro_space *space, const mgl_micro_groups *groups,
                            const mgl_recoding *beside, mgl_error *err, mgl_micro_release *out)
{
    making r = {.space = space, .beside = beside};
    mgl_recoding *recoding = NULL;
    mgl_status status = MGL_OK;
    MGL_GO(begin(&r, groups, err));
    MGL_GO(make_columns(&r, err));
    recoding = r.recoding;
    MGL_GO(fill(&r, groups, err));
    *out = (mgl_micro_release){recoding, r.n_groups, r.stand_in};
    recoding = NULL;
    r.stand_in = NULL;
done:
    mgl_recoding_free(recoding);
    mgl_free(r.stand_in);
    mgl_owned_free(&r.memory);
    return status;
}

void mgl_micro_release_free(mgl_micro_release *release)
{
    mgl_recoding_free(release->recoding);
    mgl_free(release->stand_in);
    *release = (mgl_micro_release){0};
}

/* How far the values that stand for groups are from those of the rows, column by column.
 * microaggregate.c puts it into their solutions. */

/* A cell that is released as the top counts as if it were the mean of its column. */
static void add_distances(const mgl_micro_space *s, const mgl_micro_groups *groups,
                          const mgl_micro_release *release, size_t a, mgl_aggregation *sums)
{
    const mgl_micro_column *c = &s->columns[a];
    double squares = 0, all = 0, distances = 0;
    if (c->weight == 0)
        return;
    for (size_t t = 0; t < s->n; t++) {
        if (mgl_micro_is_missing(s, t, a))
            continue;
        double x = s->points[t * s->d + c->axis], rows = (double)s->counts[t], y = NAN;
        if (groups->group_of[t] != MGL_NOT_FOUND && !release->recoding->suppressed[t])
            y = release->stand_in[a * release->n_groups + groups->group_of[t]];
        if (isnan(y))
            y = c->mean;
        squares += rows * (x - y) * (x - y);
        all += rows * (x - c->mean) * (x - c->mean);
        distances += rows * fabs(x - y);
    }
    sums->sse = squares * c->weight;
    sums->sst = all * c->weight;
    sums->il1s = distances / sqrt(2 * c->variance * (double)c->rows / ((double)c->rows - 1));
}

/* Cells that do not show the value that they had, and how many values they stand for. Rows that are
 * dropped are not released. */
static void count_cells(const mgl_micro_space *s, const mgl_recoding *recoding,
                        mgl_aggregated_column *column)
{
    bool drops = s->problem->treatment == MGL_DROP;
    size_t a = column->attribute;
    const mgl_released_column *released = recoding->columns[a];
    const mgl_span *ground = released->hierarchy->levels[0].labels;
    for (size_t t = 0; t < s->n; t++) {
        uint64_t rows = s->counts[t];
        if (mgl_micro_is_missing(s, t, a) || (drops && recoding->suppressed[t]))
            continue;
        const mgl_released_value *value = &released->values[recoding->cells[a][t]];
        bool stands = recoding->cells[a][t] != released->top;
        uint32_t leaf = mgl_list_leaf(s->problem->list, t, a);
        column->changed += mgl_span_equal(value->label, ground[leaf]) ? 0 : rows;
        column->stand += stands ? rows : 0;
        column->values += stands ? rows * value->leaves : 0;
    }
}

mgl_status mgl_micro_report(const mgl_micro_space *s, const mgl_micro_groups *groups,
                            const mgl_micro_release *release, mgl_error *err, mgl_aggregated **out)
{
    mgl_aggregated *reported;
    MGL_TRY(mgl_new_zeroed(1, sizeof *reported, err, &reported));
    reported->columns = mgl_zeroed_array(s->m, sizeof *reported->columns);
    if (reported->columns == NULL) {
        mgl_aggregated_free(reported);
        return mgl_fail_memory(err);
    }
    reported->groups = groups->n;
    for (size_t a = 0; a < s->m; a++) {
        const mgl_micro_column *c = &s->columns[a];
        if (c->function == MGL_AGGREGATE_NOT)
            continue;
        mgl_aggregated_column *column = &reported->columns[reported->n++];
        *column = (mgl_aggregated_column){.attribute = a, .function = c->function};
        column->sums.groups = groups->n;
        count_cells(s, release->recoding, column);
        if (c->axis_of_leaf == NULL)
            add_distances(s, groups, release, a, &column->sums);
    }
    *out = reported;
    return MGL_OK;
}

const char *mgl_micro_made(const mgl_micro_space *space)
{
    static const char *const made[] = {[MGL_AGGREGATE_MEAN] = "means",
                                       [MGL_AGGREGATE_MEDIAN] = "medians",
                                       [MGL_AGGREGATE_RANGE] = "ranges",
                                       [MGL_AGGREGATE_MODE] = "modes",
                                       [MGL_AGGREGATE_SET] = "sets"};
    mgl_aggregate one = MGL_AGGREGATE_NOT;
    for (size_t a = 0; a < space->m; a++) {
        mgl_aggregate function = space->columns[a].function;
        if (one != MGL_AGGREGATE_NOT && function != MGL_AGGREGATE_NOT && function != one)
            return "aggregates";
        one = function != MGL_AGGREGATE_NOT ? function : one;
    }
    return made[one];
}
