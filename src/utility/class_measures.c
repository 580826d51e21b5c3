/* Measures that look only at the sizes of the classes: discernibility, average class size, C_avg,
 * entropy distortion. Rows in measure_rows.h. */
#include "utility/measures.h"

static double discernibility(const mgl_statistics *s)
{
    return s->squares + (double)s->n_rows * (double)s->top_rows;
}

const mgl_measure_type mgl_discernibility = {
    .whole = true,
    .name = "discernibility",
    .key = "discernibility",
    .help = "each row pays the size of its class; a suppressed row pays N",
    .when = "many small classes are wanted, whatever their values",
    .title = "discern.",
    .in_table = true,
    .drives_search = true,
    .from_release = true,
    .form = MGL_COST_SQUARES,
    .value = discernibility,
};

static double all_classes(const mgl_statistics *s)
{
    return (double)s->n_classes + (s->top_rows > 0 && !s->tops_are_classes ? 1 : 0);
}

static double average_class_size(const mgl_statistics *s)
{
    return (double)s->n_rows / all_classes(s);
}

const mgl_measure_type mgl_class_size = {
    .name = "class-size",
    .key = "average_class_size",
    .help = "N divided by the number of classes, the top class included",
    .when = "as many classes as possible are wanted",
    .title = "class size",
    .in_summary = true,
    .in_table = true,
    .drives_search = true,
    .from_release = true,
    .form = MGL_COST_CLASSES,
    .value = average_class_size,
};

static double c_avg(const mgl_statistics *s)
{
    return s->k > 0 ? average_class_size(s) / s->k : NAN;
}

const mgl_measure_type mgl_c_avg = {
    .name = "c-avg",
    .key = "c_avg",
    .help = "the average class size divided by k",
    .when = "to compare releases for different k; reported only",
    .from_release = true,
    .value = c_avg,
};

static double entropy_distortion(const mgl_statistics *s)
{
    if (s->n_rows <= 1)
        return 0;
    double n = (double)s->n_rows, top = s->tops_are_classes ? 0 : (double)s->top_rows;
    double log_sum = s->log_sum + (top > 0 ? top * log2(top) : 0);
    return (log_sum - s->original_log_sum) / n / log2(n);
}

const mgl_measure_type mgl_entropy = {
    .needs_ground = true,
    .name = "entropy",
    .key = "entropy_distortion",
    .help = "entropy of the tuples lost, as a share of log2 N",
    .when = "the variety of whole tuples matters",
    .drives_search = true,
    .is_share = true,
    .form = MGL_COST_LOGS,
    .value = entropy_distortion,
};
