/* Table-level risks, on the released rows that are not suppressed: mean risk, share of rows above a
 * threshold, sample uniqueness. Three rows in model_rows.h.
 *
 * union_closed says of these that a release still holds when classes of it are merged: each falls,
 * or stays, when classes grow and no row comes or goes. None is upward closed: rows that were
 * suppressed can come back in small classes.
 *
 * Where rows stand for persons of a population (weights, a sampling fraction), the risk of a row is
 * the individual one. No risk rises when classes are merged (individual_risk.c), so that the same
 * is true. */
#include "privacy/models.h"

static double rows_of(const mgl_class_sizes *classes)
{
    uint64_t rows = 0;
    for (size_t c = 0; c < classes->n; c++)
        rows += classes->sizes[c];
    return (double)rows;
}

/* Without rows there is no risk. */
static double share_of(double some, const mgl_class_sizes *classes)
{
    return some > 0 ? some / rows_of(classes) : 0;
}

static double mean_measure(const mgl_model *model, const mgl_class_sizes *classes)
{
    (void)model;
    return share_of((double)classes->n, classes);
}

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
    uint64_t out = rows < release->suppressible ? rows : release->suppressible;
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
        uint64_t fit = (release->suppressible - out) / size;
        uint64_t gone = n_of_size[size] < fit ? n_of_size[size] : fit;
        /* The mean changes in one direction while classes of one size go. */
        if (may_be(most, left, out, release))
            return true;
        left -= (double)gone;
        out += gone * size;
    }
    return may_be(most, left, out, release);
}

/* Where populations are not known, a class stands for its own rows. */
static double risk_of(const mgl_model *model, const mgl_class_sizes *classes, size_t c)
{
    static const mgl_sample none = {0};
    return mgl_sample_risk(model->facts != NULL ? &model->facts->sample : &none, classes->sizes[c],
                           classes->population != NULL ? classes->population[c] : 0);
}

static uint64_t rows_above(const mgl_model *model, const mgl_class_sizes *classes)
{
    uint64_t rows = 0;
    for (size_t c = 0; c < classes->n; c++)
        if (!mgl_at_most(risk_of(model, classes, c), model->parameters[0]))
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

static double sum_of_risks(const mgl_model *model, const mgl_class_sizes *classes, double *most)
{
    double sum = 0;
    *most = 0;
    for (size_t c = 0; c < classes->n; c++) {
        double risk = risk_of(model, classes, c);
        sum += (double)classes->sizes[c] * risk;
        *most = fmax(*most, risk);
    }
    return sum;
}

static double individual_measure(const mgl_model *model, const mgl_class_sizes *classes)
{
    double most;
    return share_of(sum_of_risks(model, classes, &most), classes);
}

/* No risk is lower in a part of a class. At best every suppressed row had the largest, and
 * lowers the sum over the rest by what it was above the mean, or by all of it if it is kept. */
static bool individual_may_hold(const mgl_model *model, const mgl_open_release *release)
{
    double most, sum = sum_of_risks(model, &release->classes, &most), x = model->parameters[0];
    double less = release->kept ? most : fmax(most - x, 0);
    return sum - (double)release->suppressible * less <=
           x * (1 + SLACK) * rows_of(&release->classes);
}

mgl_status mgl_require_risk(const mgl_model *model, const mgl_facts *facts, const char *what,
                            mgl_error *err)
{
    double least = mgl_sample_risk(&facts->sample, facts->n_rows, facts->sample.total);
    if (!mgl_at_most(least, model->parameters[0]))
        return mgl_fail(err, MGL_CODE_IMPOSSIBLE,
                        "%s x = %g, but with %llu rows it is at least %g; no release can hold it: "
                        "raise x or add rows",
                        what, model->parameters[0], (unsigned long long)facts->n_rows, least);
    return MGL_OK;
}

static mgl_status prepare(mgl_model *model, const mgl_facts *facts, mgl_error *err)
{
    return mgl_require_risk(model, facts, "mean risk", err);
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

#define MEAN                                                                                       \
    .when = "against an attacker who links as many rows as possible, not one person",              \
    .parameters = mean_parameters, .n_parameters = 1, .scope = MGL_SCOPE_TABLE,                    \
    .union_closed = true, .empty_at_one = true
#define INDIVIDUAL                                                                                 \
    .table_holds = mgl_table_measures_at_most, .table_measure = individual_measure,                \
    .table_may_hold = individual_may_hold, .prepare = prepare

static const mgl_model_type weighed_mean = {
    .name = "mean-risk",
    .option = "mean-risk",
    MEAN,
    INDIVIDUAL,
    .help = "the mean over all rows of the individual risk, by sampling weights, is at most x",
    .weighs = true};
static const mgl_model_type sampled_mean = {
    .name = "mean-risk",
    .option = "mean-risk",
    MEAN,
    INDIVIDUAL,
    .help = "the mean over all rows of the individual risk, by the sampling fraction, is at most x",
    .sizes_only = true};

const mgl_model_type mgl_mean_risk = {
    .name = "mean-risk",
    .option = "mean-risk",
    MEAN,
    .help = "the mean over all rows of 1 / rows of the class is at most x",
    .sizes_only = true,
    .table_holds = mgl_table_measures_at_most,
    .table_measure = mean_measure,
    .table_may_hold = mean_may_hold,
    .prepare = prepare,
    .weighed = &weighed_mean,
    .sampled = &sampled_mean};

#define ABOVE                                                                                      \
    .when = "where a rule bounds how many persons may be at risk, not how much each is",           \
    .parameters = above_parameters, .n_parameters = 2, .scope = MGL_SCOPE_TABLE,                   \
    .union_closed = true, .table_holds = above_holds, .table_measure = above_measure,              \
    .table_may_hold = above_may_hold, .empty_at_one = true

static const mgl_model_type weighed_above = {.name = "risk-share",
                                             .option = "risk-share",
                                             ABOVE,
                                             .help =
                                                 "at most a share of the rows has an individual "
                                                 "risk, by sampling weights, above a threshold",
                                             .weighs = true};
static const mgl_model_type sampled_above = {
    .name = "risk-share",
    .option = "risk-share",
    ABOVE,
    .help = "at most a share of the rows has an individual risk, by the sampling fraction, above a "
            "threshold",
    .sizes_only = true};

const mgl_model_type mgl_risk_share = {
    .name = "risk-share",
    .option = "risk-share",
    ABOVE,
    .help = "at most a share of the rows has a risk (1 / rows of the class) above a threshold",
    .sizes_only = true,
    .weighed = &weighed_above,
    .sampled = &sampled_above};

const mgl_model_type mgl_sample_uniqueness = {
    .name = "sample-uniqueness",
    .option = "sample-uniqueness",
    .help = "at most a share x of the rows is alone in its class",
    .when = "where a few unique rows are acceptable, as in samples of a large population",
    .sizes_only = true,
    .empty_at_one = true,
    .parameters = unique_parameters,
    .n_parameters = 1,
    .scope = MGL_SCOPE_TABLE,
    .union_closed = true,
    .table_holds = mgl_table_measures_at_most,
    .table_measure = unique_measure,
    .table_may_hold = unique_may_hold,
};
