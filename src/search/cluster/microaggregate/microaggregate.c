/* Microaggregation: groups rows with near numbers and releases their averages. Makes the recoding
 * of groups: what stands for their values in each column, and how far that is from the values of
 * the rows. */
#include "search/cluster/microaggregate/microaggregate.h"
#include "search/cluster/microaggregate/points.h"
#include "search/node/node.h"
#include "search/sets/sets.h"

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

static const mgl_sort_key by_number[] = {MGL_ASCENDING(mgl_micro_number_rows, number),
                                         MGL_SORT_END};

static double number_of_row(const mgl_micro_number_rows *numbers, uint64_t row)
{
    while (row >= numbers->rows)
        row -= numbers++->rows;
    return numbers->number;
}

static double median_of(mgl_micro_number_rows *numbers, size_t n)
{
    uint64_t rows = 0;
    mgl_sort(numbers, n, sizeof *numbers, by_number);
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

static const mgl_sort_key by_leaf[] = {MGL_ASCENDING(mgl_micro_category, leaf), MGL_SORT_END};

/* Puts equal leaves together, in their order; returns how many are left. */
static size_t sort_categories(mgl_micro_category *categories, size_t n)
{
    size_t left = 0;
    mgl_sort(categories, n, sizeof *categories, by_leaf);
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

static mgl_status micro_recode(const mgl_micro_space *space, const mgl_micro_groups *groups,
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

static void micro_release_free(mgl_micro_release *release)
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

/* How far a release is from the tuples, column by column and in all. Suppressed
 * tuples are those of the recoding. */
static mgl_status micro_report(const mgl_micro_space *s, const mgl_micro_groups *groups,
                               const mgl_micro_release *release, mgl_error *err,
                               mgl_aggregated **out)
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

/* What values of the release are in words: "means". */
static const char *micro_made(const mgl_micro_space *space)
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

/* Aggregates columns within the classes of the others: each class is cut into groups of near tuples
 * that hold, and a group releases one value per aggregated column. A cut that would break a model
 * is not made, so that a class that cannot be cut stays whole. The public header declares it for
 * run_search.c. */

typedef struct within {
    const mgl_problem *problem;
    const mgl_recoding *beside; /* what the search found for the other columns */
    mgl_micro_space *space;
    mgl_micro_judge *judge;
    mgl_classes classes;     /* of the other columns */
    size_t *start;           /* [n_classes + 1] tuples of class c lie at start[c].. */
    uint32_t *tuples;        /* [n] class by class, in their order */
    mgl_micro_groups groups; /* of all classes */
    mgl_micro_groups some;   /* of one class, by its own numbers */
    bool late;
    mgl_owned own;
} within;

static mgl_status find_classes(within *x, mgl_error *err)
{
    size_t n = x->space->n, m = x->space->m, n_others = 0;
    uint32_t *n_values = mgl_own_array(&x->own, m, sizeof *n_values);
    uint32_t *others = mgl_own_array(&x->own, m, sizeof *others);
    MGL_TRY(mgl_owned_check(&x->own, err));
    for (size_t a = 0; a < m; a++) {
        n_values[a] = x->beside->columns[a]->n_values;
        if (x->space->columns[a].function == MGL_AGGREGATE_NOT)
            others[n_others++] = (uint32_t)a;
    }
    MGL_TRY(mgl_classes_init(&x->classes, n, m, err));
    mgl_classes_group(&x->classes, x->beside->cells, n_values, others, n_others,
                      x->problem->list->counts);
    return MGL_OK;
}

/* Suppressed tuples are at the top in every column, and in no group. */
static mgl_status sort_tuples(within *x, mgl_error *err)
{
    size_t n = x->space->n, n_classes = x->classes.n_classes, end = 0;
    const uint8_t *suppressed = x->beside->suppressed;
    x->start = mgl_own_zeroed(&x->own, n_classes + 1, sizeof *x->start);
    x->tuples = mgl_own_array(&x->own, n, sizeof *x->tuples);
    MGL_TRY(mgl_owned_check(&x->own, err));
    for (size_t t = 0; t < n; t++)
        x->start[x->classes.of_tuple[t]] += !suppressed[t];
    for (size_t c = 0; c <= n_classes; c++) {
        end += x->start[c];
        x->start[c] = end;
    }
    for (size_t t = n; t-- > 0;)
        if (!suppressed[t])
            x->tuples[--x->start[x->classes.of_tuple[t]]] = (uint32_t)t;
    return MGL_OK;
}

static bool may_be_cut(const within *x, const uint32_t *tuples, size_t n)
{
    uint64_t rows = 0;
    for (size_t i = 0; i < n; i++)
        rows += x->space->counts[tuples[i]];
    return n > 1 && !x->late && rows / 2 >= x->space->need;
}

static mgl_status cut_class(within *x, const uint32_t *tuples, size_t n, mgl_error *err)
{
    mgl_micro_space *space = NULL;
    mgl_status status = MGL_OK;
    if (!may_be_cut(x, tuples, n)) {
        mgl_micro_groups_add(&x->groups, tuples, n);
        return MGL_OK;
    }
    MGL_GO(mgl_micro_class_new(x->space, tuples, n, err, &space));
    space->n_done = x->groups.n_placed;
    mgl_micro_judge_turn_to(x->judge, space);
    MGL_GO(mgl_micro_group(space, x->judge, &x->some, err, &x->late));
    if (x->some.n_placed == n && x->some.n > 1) {
        for (size_t i = 0; i < n; i++)
            x->groups.group_of[tuples[i]] = (uint32_t)x->groups.n + x->some.group_of[i];
        x->groups.n += x->some.n;
        x->groups.n_placed += n;
    } else
        mgl_micro_groups_add(&x->groups, tuples, n);
done:
    mgl_micro_judge_turn_to(x->judge, x->space);
    mgl_micro_class_free(space);
    return status;
}

/* Is the release as safe as the classes were? Models of the whole table may not hold on smaller
 * classes, groups that read alike may not hold together where persons have several rows, and groups
 * in which cells are missing may read as suppressed. */
static mgl_status is_safe(const within *x, const mgl_solution *found, mgl_recoding *recoding,
                          mgl_error *err, bool *out)
{
    const mgl_problem *p = x->problem;
    uint64_t suppressed = 0;
    *out = found->unsafe;
    if (found->unsafe)
        return MGL_OK;
    if (p->treatment != MGL_DROP)
        suppressed = mgl_recoding_mark_tops(recoding, p->list->counts, p->pool);
    if (suppressed > found->suppressed_rows && suppressed > p->limit)
        return MGL_OK;
    return mgl_recoding_holds(p, recoding, err, out);
}

/* Smaller groups first. A table that is not safe with any stays with whole classes. */
static mgl_status choose_groups(within *x, const mgl_solution *found, mgl_error *err,
                                mgl_micro_release *out)
{
    uint64_t rows = x->problem->list->n_rows;
    bool safe = false, whole = false;
    while (!safe) {
        micro_release_free(out);
        x->groups.n = x->groups.n_placed = 0;
        memset(x->groups.group_of, 0xFF, x->space->n * sizeof *x->groups.group_of);
        for (size_t c = 0; c < x->classes.n_classes; c++)
            if (x->start[c] < x->start[c + 1])
                MGL_TRY(cut_class(x, x->tuples + x->start[c], x->start[c + 1] - x->start[c], err));
        MGL_TRY(micro_recode(x->space, &x->groups, x->beside, err, out));
        MGL_TRY(is_safe(x, found, out->recoding, err, &safe));
        if (whole && !safe)
            return mgl_fail(err, MGL_CODE_INTERNAL,
                            "classes that hold do not hold with aggregated columns; please report "
                            "this");
        x->space->need = x->space->need < rows ? 2 * x->space->need : UINT64_MAX;
        whole = x->space->need == UINT64_MAX;
    }
    return MGL_OK;
}

static void end(within *x)
{
    if (x->classes.of_tuple != NULL)
        mgl_classes_free(&x->classes);
    mgl_micro_judge_free(x->judge);
    mgl_micro_space_free(x->space);
    mgl_owned_free(&x->own);
}

/* The levels, the bound and what is minimal are about the other columns alone. */
static void take_release(const within *x, mgl_micro_release *release, mgl_solution *solution)
{
    mgl_aggregated *reported = solution->aggregated;
    reported->searched = true;
    reported->node = solution->node;
    reported->bounded = solution->bounded;
    reported->exact = solution->exact;
    for (size_t c = 0; c < x->classes.n_classes; c++)
        reported->classes += x->start[c] < x->start[c + 1];
    solution->node = NULL;
    solution->bounded = solution->exact = solution->minimal_known = false;
    /* Columns that the search made go over to the recoding that has their cells now. */
    for (size_t a = 0; solution->recoding->own != NULL && a < solution->recoding->n_attributes; a++)
        if (release->recoding->own[a] == NULL) {
            release->recoding->own[a] = solution->recoding->own[a];
            solution->recoding->own[a] = NULL;
        }
    mgl_recoding_free(solution->recoding);
    solution->recoding = release->recoding;
    release->recoding = NULL;
    if (solution->classes != NULL)
        mgl_classes_free(solution->classes);
    mgl_free(solution->classes);
    solution->classes = NULL;
    solution->made = micro_made(x->space);
    solution->timed_out = solution->timed_out || x->late;
    if (x->problem->treatment != MGL_DROP)
        solution->suppressed_rows =
            mgl_recoding_mark_tops(solution->recoding, x->problem->list->counts, x->problem->pool);
}

mgl_status mgl_aggregate_within(const mgl_problem *problem, mgl_error *err, mgl_solution *solution)
{
    within x = {.problem = problem, .beside = solution->recoding};
    mgl_micro_release release = {0};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_micro_space_new(x.problem, err, &x.space));
    MGL_GO(find_classes(&x, err));
    MGL_GO(sort_tuples(&x, err));
    MGL_GO(mgl_micro_judge_new(x.space, err, &x.judge));
    x.groups.group_of = mgl_own_array(&x.own, x.space->n, sizeof *x.groups.group_of);
    x.some.group_of = mgl_own_array(&x.own, x.space->n, sizeof *x.some.group_of);
    MGL_GO(mgl_owned_check(&x.own, err));
    MGL_GO(choose_groups(&x, solution, err, &release));
    MGL_GO(micro_report(x.space, &x.groups, &release, err, &solution->aggregated));
    take_release(&x, &release, solution);
done:
    micro_release_free(&release);
    end(&x);
    return status;
}

typedef struct microaggregation {
    const mgl_micro_space *space;
    mgl_micro_judge *judge;
    mgl_micro_groups groups;
    bool late;
} microaggregation;

static mgl_status check_whole(const microaggregation *x, mgl_error *err)
{
    if (x->groups.n_placed == x->space->n)
        return MGL_OK;
    return mgl_fail(err, MGL_CODE_NO_RELEASE,
                    "not even all rows as one group hold the models; ask for less (`check` "
                    "shows what a table holds)");
}

/* Groups that happen to read alike are one class. Where persons have several rows that can break
 * a model which each of them holds. */
static mgl_status check_limit(const mgl_problem *p, const mgl_solution *solution, mgl_error *err)
{
    if (solution->suppressed_rows <= p->limit)
        return MGL_OK;
    return mgl_fail_key(
        err, MGL_CODE_NO_RELEASE, "suppress",
        "groups that read alike do not hold the models together, and %llu rows would "
        "be suppressed; allow it with `suppress`, or take `replace: range`",
        (unsigned long long)solution->suppressed_rows);
}

/* What is known of all columns, as the method reports it for tables of numbers. */
static mgl_status sum_up(mgl_solution *out, mgl_error *err)
{
    mgl_aggregation *sums;
    MGL_TRY(mgl_new_zeroed(1, sizeof *sums, err, &sums));
    sums->groups = out->aggregated->groups;
    for (size_t i = 0; i < out->aggregated->n; i++) {
        const mgl_aggregation *column = &out->aggregated->columns[i].sums;
        sums->sse += column->sse;
        sums->sst += column->sst;
        sums->il1s += column->il1s;
    }
    mgl_free(out->findings);
    out->findings = sums;
    return MGL_OK;
}

static mgl_status report_all(const microaggregation *x, const mgl_micro_release *release,
                             mgl_error *err, mgl_solution *out)
{
    mgl_aggregated_free(out->aggregated);
    out->aggregated = NULL;
    MGL_TRY(micro_report(x->space, &x->groups, release, err, &out->aggregated));
    MGL_TRY(sum_up(out, err));
    out->made = micro_made(x->space);
    if (x->space->problem->aggregates != NULL)
        return MGL_OK;
    mgl_aggregated_free(out->aggregated); /* no column says how it is aggregated */
    out->aggregated = NULL;
    return MGL_OK;
}

static mgl_status recode(const microaggregation *x, mgl_error *err, mgl_solution *out)
{
    const mgl_problem *p = x->space->problem;
    mgl_micro_release release = {0};
    mgl_status status = MGL_OK;
    MGL_GO(micro_recode(x->space, &x->groups, NULL, err, &release));
    status = mgl_solution_take_recoding(out, p, release.recoding, err);
    if (status == MGL_UNMET)
        status = mgl_fail_no_release(p, mgl_microaggregate.name, err);
    if (status == MGL_OK)
        status = report_all(x, &release, err, out);
    release.recoding = NULL; /* the solution's */
    MGL_GO(status);
    MGL_GO(check_limit(p, out, err));
done:
    micro_release_free(&release);
    return status;
}

/* Groups in which each column has missing cells beside others read as the top, and are exempt. If
 * they are more than may be, all rows are one group. */
static mgl_status recode_as_one(microaggregation *x, mgl_error *err, mgl_solution *out)
{
    memset(x->groups.group_of, 0, x->space->n * sizeof *x->groups.group_of);
    x->groups.n = 1;
    mgl_recoding_free(out->recoding);
    out->recoding = NULL;
    return recode(x, err, out);
}

static mgl_status aggregate(microaggregation *x, mgl_error *err, mgl_solution *out)
{
    MGL_TRY(mgl_new_array(x->space->n, sizeof *x->groups.group_of, err, &x->groups.group_of));
    MGL_TRY(mgl_micro_judge_new(x->space, err, &x->judge));
    MGL_TRY(mgl_micro_group(x->space, x->judge, &x->groups, err, &x->late));
    MGL_TRY(check_whole(x, err));
    out->timed_out = x->late;
    out->nodes_total = 0; /* no lattice is searched */
    mgl_status status = recode(x, err, out);
    if (status == MGL_UNMET && x->space->problem->treatment == MGL_EXEMPT && x->groups.n > 1)
        status = recode_as_one(x, err, out);
    return status;
}

static mgl_status run(const mgl_problem *problem, mgl_error *err, mgl_solution *out)
{
    if (problem->n_sets > 1)
        return mgl_sets_run(&mgl_microaggregate, problem, err, out);
    mgl_micro_space *space;
    MGL_TRY(mgl_micro_space_new(problem, err, &space));
    microaggregation x = {.space = space};
    mgl_status status = aggregate(&x, err, out);
    mgl_micro_judge_free(x.judge);
    mgl_free(x.groups.group_of);
    mgl_micro_space_free(space);
    return status;
}

void mgl_aggregation_report(const mgl_aggregation *aggregation, mgl_findings *out)
{
    double share = aggregation->sst > 0 ? aggregation->sse / aggregation->sst : 0;
    mgl_findings_count(out, "groups", aggregation->groups);
    mgl_findings_real(out, "sse", aggregation->sse);
    mgl_findings_real(out, "sst", aggregation->sst);
    mgl_findings_real(out, "sse_share", share);
    mgl_findings_real(out, "il1s", aggregation->il1s);
}

static void report(const void *findings, mgl_findings *out)
{
    mgl_findings_mark(out, MGL_FINDING_GROUP, "microaggregation");
    mgl_aggregation_report(findings, out);
    mgl_findings_mark(out, MGL_FINDING_END, NULL);
}

static const char *const replacements[] = {[MGL_REPLACE_MEAN] = "mean",
                                           [MGL_REPLACE_MEDIAN] = "median",
                                           [MGL_REPLACE_RANGE] = "range",
                                           NULL};

static const mgl_method_option options[] = {
    {.name = "replace",
     .fallback = "mean",
     .help = "microaggregate: what stands for the numbers of a group",
     .parser = {.kind = MGL_PARSE_WORD, .words = replacements},
     .place = offsetof(mgl_micro_options, replace)},
};

const mgl_method_type mgl_microaggregate = {
    .name = "microaggregate",
    .help = "groups of rows with near numbers, released as their mean, median or range",
    .when = "all quasi-identifier columns are numbers or dates, and statistics matter more than "
            "single values",
    .cost = "about rows^2 * columns / k at worst, less where columns are few; one column: rows * k",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .options_size = sizeof(mgl_micro_options),
    .several_sets = true,
    .own_values = true,
    .averages = true,
    .run = run,
    .report = report,
};
