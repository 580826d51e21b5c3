/* Makes the recoding: what stands for the numbers of a group, and how far that is from them.
 * microaggregate.c calls it. */
#include "search/cluster/microaggregate/points.h"
#include "search/node/node.h"

#include <math.h>
#include <stdlib.h>

/* A number of a group, with its rows. */
typedef struct weighted {
    double number;
    uint64_t rows;
} weighted;

typedef struct release {
    const mgl_micro_space *space;
    size_t n_groups;
    size_t *start;             /* [n_groups + 1] members of group g lie at start[g].. */
    uint32_t *members;         /* [n] */
    weighted *numbers;         /* [n] of one group and column */
    double *stand_in;          /* [a * n_groups + g] coordinate; NAN: all cells are the top */
    mgl_released_column **own; /* [m] NULL: nothing but missing cells */
    mgl_recoding *recoding;
} release;

/* ---- What stands for the numbers ----------------------------------------------------------- */

static double mean_of(const weighted *numbers, size_t n)
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
    const weighted *x = p, *y = q;
    return (x->number > y->number) - (x->number < y->number);
}

static double number_of_row(const weighted *numbers, uint64_t row)
{
    while (row >= numbers->rows)
        row -= numbers++->rows;
    return numbers->number;
}

static double median_of(weighted *numbers, size_t n)
{
    uint64_t rows = 0;
    qsort(numbers, n, sizeof *numbers, compare_numbers);
    for (size_t i = 0; i < n; i++)
        rows += numbers[i].rows;
    return number_of_row(numbers, (rows - 1) / 2) / 2 + number_of_row(numbers, rows / 2) / 2;
}

/* Of ranges the middle. */
static double middle_of(const weighted *numbers, size_t n)
{
    double least = numbers[0].number, most = least;
    for (size_t i = 1; i < n; i++) {
        least = fmin(least, numbers[i].number);
        most = fmax(most, numbers[i].number);
    }
    return least / 2 + most / 2;
}

static double choose_number(const release *r, size_t a, size_t n)
{
    const mgl_micro_column *c = &r->space->columns[a];
    double number = 0;
    switch (mgl_micro_replace(r->space->problem)) {
    case MGL_REPLACE_MEAN:
        number = mean_of(r->numbers, n);
        break;
    case MGL_REPLACE_MEDIAN:
        number = median_of(r->numbers, n);
        break;
    case MGL_REPLACE_RANGE:
        return middle_of(r->numbers, n);
    }
    /* As it is written. */
    return ldexp(mgl_scale_round(c->scale, ldexp(number, c->exponent)), -c->exponent);
}

/* ---- How it is written ----------------------------------------------------------------------- */

/* A number must not read as a missing cell. */
static size_t tell_apart(const mgl_hierarchy *h, const mgl_scale *scale, char *text, size_t size)
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

static mgl_status add_value(release *r, size_t a, double number, uint32_t first, uint32_t last,
                            mgl_error *err, uint32_t *cell)
{
    const mgl_micro_column *c = &r->space->columns[a];
    char text[MGL_NUMBER_TEXT + 4];
    if (mgl_micro_replace(r->space->problem) == MGL_REPLACE_RANGE)
        return mgl_made_range(r->own[a], first, last, err, cell);
    size_t size = mgl_scale_write(c->scale, ldexp(number, c->exponent), text);
    size = tell_apart(r->own[a]->hierarchy, c->scale, text, size);
    return mgl_made_value(r->own[a], (mgl_span){text, size}, first, last, err, cell);
}

/* The numbers of a group, and the places of the outermost; returns how many there are. */
static size_t gather_numbers(release *r, size_t g, size_t a, uint32_t *first, uint32_t *last)
{
    const mgl_micro_space *s = r->space;
    const mgl_frequency_list *list = s->problem->list;
    size_t n = 0;
    *first = UINT32_MAX;
    *last = 0;
    for (size_t i = r->start[g]; i < r->start[g + 1]; i++) {
        uint32_t t = r->members[i];
        if (mgl_micro_is_missing(s, t, a))
            continue;
        uint32_t place = s->columns[a].scale->place_of[mgl_list_leaf(list, t, a)];
        *first = place < *first ? place : *first;
        *last = place > *last ? place : *last;
        r->numbers[n++] = (weighted){mgl_micro_number(s, t, a), list->counts[t]};
    }
    return n;
}

static mgl_status fill_group(release *r, size_t g, size_t a, mgl_error *err)
{
    const mgl_micro_column *c = &r->space->columns[a];
    const mgl_released_column *column = r->recoding->columns[a];
    uint32_t first = 0, last = 0, cell = column->top;
    size_t n = c->at_top ? SIZE_MAX : gather_numbers(r, g, a, &first, &last);
    size_t members = r->start[g + 1] - r->start[g];
    double *stand_in = &r->stand_in[a * r->n_groups + g];
    *stand_in = NAN;
    if (n == 0) {
        cell = column->of_leaf[0][column->hierarchy->missing_leaf];
    } else if (n == members) {
        double number = choose_number(r, a, n);
        *stand_in = number - ldexp(c->least, -c->exponent);
        MGL_TRY(add_value(r, a, number, first, last, err, &cell));
    }
    for (size_t i = r->start[g]; i < r->start[g + 1]; i++)
        r->recoding->cells[a][r->members[i]] = cell;
    return MGL_OK;
}

/* ---- How far it is -------------------------------------------------------------------------- */

static void add_distances(const release *r, const mgl_micro_groups *groups, size_t a,
                          mgl_aggregation *sums)
{
    const mgl_micro_space *s = r->space;
    const mgl_micro_column *c = &s->columns[a];
    double squares = 0, all = 0, distances = 0;
    if (c->weight == 0)
        return;
    for (size_t t = 0; t < s->n; t++) {
        if (mgl_micro_is_missing(s, t, a))
            continue;
        double x = s->points[t * s->m + a], rows = (double)s->problem->list->counts[t];
        double y = r->stand_in[a * r->n_groups + groups->group_of[t]];
        if (isnan(y) || r->recoding->suppressed[t])
            y = c->mean;
        squares += rows * (x - y) * (x - y);
        all += rows * (x - c->mean) * (x - c->mean);
        distances += rows * fabs(x - y);
    }
    sums->sse += squares * c->weight;
    sums->sst += all * c->weight;
    sums->il1s += distances / sqrt(2 * c->variance * (double)c->rows / ((double)c->rows - 1));
}

static mgl_status tell_distances(const release *r, const mgl_micro_groups *groups,
                                 mgl_solution *solution, mgl_error *err)
{
    static const char *const made[] = {[MGL_REPLACE_MEAN] = "means",
                                       [MGL_REPLACE_MEDIAN] = "medians",
                                       [MGL_REPLACE_RANGE] = "ranges"};
    if (solution->findings == NULL)
        solution->findings = mgl_alloc_array(1, sizeof(mgl_aggregation));
    mgl_aggregation *sums = solution->findings;
    if (sums == NULL)
        return mgl_fail_memory(err);
    *sums = (mgl_aggregation){.groups = groups->n};
    for (size_t a = 0; a < r->space->m; a++)
        add_distances(r, groups, a, sums);
    solution->made = made[mgl_micro_replace(r->space->problem)];
    return MGL_OK;
}

/* ---- All of it ------------------------------------------------------------------------------ */

static mgl_status begin(release *r, const mgl_micro_groups *groups, mgl_error *err)
{
    size_t n = r->space->n, m = r->space->m, end = 0;
    r->n_groups = groups->n;
    r->start = mgl_zeroed_array(groups->n + 1, sizeof *r->start);
    r->members = mgl_alloc_array(n, sizeof *r->members);
    r->numbers = mgl_alloc_array(n, sizeof *r->numbers);
    r->stand_in = mgl_alloc_array(groups->n, m * sizeof *r->stand_in);
    r->own = mgl_zeroed_array(m, sizeof *r->own);
    if (r->start == NULL || r->members == NULL || r->numbers == NULL || r->stand_in == NULL ||
        r->own == NULL)
        return mgl_fail_memory(err);
    for (size_t t = 0; t < n; t++)
        r->start[groups->group_of[t]]++;
    for (size_t g = 0; g <= groups->n; g++) {
        end += r->start[g];
        r->start[g] = end; /* the end of each; filling backwards turns it into the start */
    }
    for (size_t t = n; t-- > 0;)
        r->members[--r->start[groups->group_of[t]]] = (uint32_t)t;
    return MGL_OK;
}

static mgl_status make_own(release *r, mgl_error *err)
{
    const mgl_problem *p = r->space->problem;
    for (size_t a = 0; a < r->space->m; a++) {
        const mgl_micro_column *c = &r->space->columns[a];
        mgl_scale *scale;
        if (c->rows == 0)
            continue;
        MGL_TRY(mgl_scale_new(p->columns[a]->hierarchy, err, &scale));
        MGL_TRY(mgl_made_column_new(p->columns[a]->hierarchy, scale, c->least, c->most, err,
                                    &r->own[a]));
    }
    return MGL_OK;
}

static mgl_status make_columns(release *r, mgl_error *err)
{
    const mgl_problem *p = r->space->problem;
    mgl_status status = make_own(r, err);
    if (status == MGL_OK)
        return mgl_recoding_with(p->columns, r->own, r->space->m, r->space->n, err, &r->recoding);
    for (size_t a = 0; a < r->space->m; a++)
        mgl_released_column_free(r->own[a]);
    return status;
}

static mgl_status fill(release *r, mgl_error *err)
{
    for (size_t a = 0; a < r->space->m; a++)
        for (size_t g = 0; g < r->n_groups; g++)
            MGL_TRY(fill_group(r, g, a, err));
    return MGL_OK;
}

mgl_status mgl_micro_recode(const mgl_micro_space *space, const mgl_micro_groups *groups,
                            mgl_solution *solution, mgl_error *err)
{
    release r = {.space = space};
    mgl_recoding *recoding = NULL;
    mgl_status status = MGL_OK;
    MGL_GO(begin(&r, groups, err));
    MGL_GO(make_columns(&r, err));
    recoding = r.recoding;
    MGL_GO(fill(&r, err));
    recoding = NULL; /* the solution takes it over, even if it fails */
    MGL_GO(mgl_solution_take_recoding(solution, space->problem, r.recoding, err));
    MGL_GO(tell_distances(&r, groups, solution, err));
done:
    mgl_recoding_free(recoding);
    mgl_free(r.start);
    mgl_free(r.members);
    mgl_free(r.numbers);
    mgl_free(r.stand_in);
    mgl_free(r.own);
    return status;
}
