/* Table-level risks, on the released rows that are not suppressed: mean risk, share of rows above a
 * threshold, sample uniqueness. Three rows in model_rows.h.
 *
 * union_closed says of these that a release still holds when classes of it are merged: each falls,
 * or stays, when classes grow and no row comes or goes. None is upward closed: rows that were
 * suppressed can come back in small classes. */
#include "privacy/models.h"

static double rows_of(const mgl_class_sizes *classes)
{
    uint64_t rows = 0;
    for (size_t c = 0; c < classes->n; c++)
        rows += classes->sizes[c];
    return (double)rows;
}

/* Where there is no row nobody is at risk. */
static double share_of(double some, const mgl_class_sizes *classes)
{
    return some > 0 ? some / rows_of(classes) : 0;
}

static double mean_measure(const mgl_model *model, const mgl_class_sizes *classes)
{
    (void)model;
    return share_of((double)classes->n, classes);
}

/* ---- What searches may know ----------------------------------------------------------- */

/* Rounding must never make a release impossible that is not. */
static const double SLACK = 1e-9;

static bool may_be(double most, double some, uint64_t left_out, const mgl_open_release *release)
{
    double rows = rows_of(&release->classes) - (release->kept ? 0 : (double)left_out);
    return some <= most * (1 + SLACK) * rows;
}

/* Dividing classes leaves rows in small classes where they are. At best all that is suppressed
 * is among them, which lowers their share the more the more that is. */
static bool share_may_be(double most, uint64_t rows, const mgl_open_release *release)
{
    uint64_t out = rows < release->spare ? rows : release->spare;
    return may_be(most, (double)(rows - out), out, release);
}

/* Every class that is not suppressed whole leaves one at least. At best the smallest are
 * suppressed; those of MANY rows and more are taken to have so many. */
static bool mean_may_hold(const mgl_model *model, const mgl_open_release *release)
{
    enum { MANY = 64 };
    size_t n_of_size[MANY + 1] = {0};
    for (size_t c = 0; c < release->classes.n; c++)
        n_of_size[release->classes.sizes[c] < MANY ? release->classes.sizes[c] : MANY]++;
    double most = model->parameters[0], left = (double)release->classes.n;
    uint64_t out = 0;
    for (uint64_t size = 1; size <= MANY; size++) {
        uint64_t fit = (release->spare - out) / size;
        uint64_t gone = n_of_size[size] < fit ? n_of_size[size] : fit;
        /* The mean changes in one direction while classes of one size go. */
        if (may_be(most, left, out, release))
            return true;
        left -= (double)gone;
        out += gone * size;
    }
    return may_be(most, left, out, release);
}

static bool mean_holds(const mgl_model *model, const mgl_class_sizes *classes)
{
    return mgl_at_most(mean_measure(model, classes), model->parameters[0]);
}

static mgl_status mean_prepare(mgl_model *model, const mgl_facts *facts, mgl_error *err)
{
    double least = 1 / (double)facts->n_rows;
    if (!mgl_at_most(least, model->parameters[0]))
        return mgl_fail(err, MGL_CODE_IMPOSSIBLE,
                        "mean risk x = %g, but with %llu rows it is at least %g; no release can "
                        "hold it: raise x or add rows",
                        model->parameters[0], (unsigned long long)facts->n_rows, least);
    return MGL_OK;
}

static uint64_t rows_above(const mgl_model *model, const mgl_class_sizes *classes)
{
    uint64_t rows = 0;
    for (size_t c = 0; c < classes->n; c++)
        if (!mgl_at_most(1 / (double)classes->sizes[c], model->parameters[0]))
            rows += classes->sizes[c];
    return rows;
}

static double above_measure(const mgl_model *model, const mgl_class_sizes *classes)
{
    return share_of((double)rows_above(model, classes), classes);
}

static bool above_may_hold(const mgl_model *model, const mgl_open_release *release)
{
    return share_may_be(model->parameters[1], rows_above(model, &release->classes), release);
}

static bool above_holds(const mgl_model *model, const mgl_class_sizes *classes)
{
    return mgl_at_most(above_measure(model, classes), model->parameters[1]);
}

static uint64_t count_uniques(const mgl_class_sizes *classes)
{
    uint64_t uniques = 0;
    for (size_t c = 0; c < classes->n; c++)
        uniques += classes->sizes[c] == 1;
    return uniques;
}

static double unique_measure(const mgl_model *model, const mgl_class_sizes *classes)
{
    (void)model;
    return share_of((double)count_uniques(classes), classes);
}

static bool unique_may_hold(const mgl_model *model, const mgl_open_release *release)
{
    return share_may_be(model->parameters[0], count_uniques(&release->classes), release);
}

static bool unique_holds(const mgl_model *model, const mgl_class_sizes *classes)
{
    return mgl_at_most(unique_measure(model, classes), model->parameters[0]);
}

static const mgl_parameter mean_parameters[] = {
    {"x", "classes per row, at most", false, 0, 1, NULL},
};

static const mgl_parameter above_parameters[] = {
    {"threshold", "a row is at risk when 1 / rows of its class is above it", false, 0, 1, NULL},
    {"share", "share of the rows that may be at risk", false, 0, 1, NULL},
};

static const mgl_parameter unique_parameters[] = {
    {"x", "share of the rows that may be alone in their class", false, 0, 1, NULL},
};

const mgl_model_type mgl_mean_risk = {
    .name = "mean-risk",
    .option = "mean-risk",
    .help = "the mean over all rows of 1 / rows of the class is at most x",
    .when = "against an attacker who links as many rows as possible, not one person",
    .sizes_only = true,
    .parameters = mean_parameters,
    .n_parameters = 1,
    .scope = MGL_SCOPE_TABLE,
    .union_closed = true,
    .table_holds = mean_holds,
    .table_measure = mean_measure,
    .table_may_hold = mean_may_hold,
    .prepare = mean_prepare,
};

const mgl_model_type mgl_risk_share = {
    .name = "risk-share",
    .option = "risk-share",
    .help = "at most a share of the rows has a risk (1 / rows of the class) above a threshold",
    .when = "where a rule bounds how many persons may be at risk, not how much each is",
    .sizes_only = true,
    .parameters = above_parameters,
    .n_parameters = 2,
    .scope = MGL_SCOPE_TABLE,
    .union_closed = true,
    .table_holds = above_holds,
    .table_measure = above_measure,
    .table_may_hold = above_may_hold,
};

const mgl_model_type mgl_sample_uniqueness = {
    .name = "sample-uniqueness",
    .option = "sample-uniqueness",
    .help = "at most a share x of the rows is alone in its class",
    .when = "where a few unique rows are acceptable, as in samples of a large population",
    .sizes_only = true,
    .parameters = unique_parameters,
    .n_parameters = 1,
    .scope = MGL_SCOPE_TABLE,
    .union_closed = true,
    .table_holds = unique_holds,
    .table_measure = unique_measure,
    .table_may_hold = unique_may_hold,
};
