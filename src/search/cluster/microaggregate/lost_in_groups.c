/* How far the values that stand for groups are from those of the rows, column by column.
 * microaggregate.c and within_classes.c tell it in their solutions. */
#include "search/cluster/microaggregate/points.h"

#include <math.h>

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

/* Cells that do not tell the value that they had, and how many values they stand for. Rows that are
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

mgl_status mgl_micro_tell(const mgl_micro_space *s, const mgl_micro_groups *groups,
                          const mgl_micro_release *release, mgl_error *err, mgl_aggregated **out)
{
    mgl_aggregated *told = mgl_zeroed_array(1, sizeof *told);
    if (told == NULL)
        return mgl_fail_memory(err);
    told->columns = mgl_zeroed_array(s->m, sizeof *told->columns);
    if (told->columns == NULL) {
        mgl_aggregated_free(told);
        return mgl_fail_memory(err);
    }
    told->groups = groups->n;
    for (size_t a = 0; a < s->m; a++) {
        const mgl_micro_column *c = &s->columns[a];
        if (c->function == MGL_AGGREGATE_NOT)
            continue;
        mgl_aggregated_column *column = &told->columns[told->n++];
        *column = (mgl_aggregated_column){.attribute = a, .function = c->function};
        column->sums.groups = groups->n;
        count_cells(s, release->recoding, column);
        if (c->axis_of_leaf == NULL)
            add_distances(s, groups, release, a, &column->sums);
    }
    *out = told;
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
