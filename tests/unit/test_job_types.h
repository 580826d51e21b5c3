/* A table of models that stands in for the one of the privacy room, so that every shape of a
 * descriptor is tried. */
#ifndef TEST_JOB_TYPES_H
#define TEST_JOB_TYPES_H

#include "test_job.h"

#include <math.h>

static const char *const distances[] = {"equal", "ordered", "hierarchical", NULL};
static const mgl_parameter k[] = {{"k", "rows of a class", true, 1, 4294967295.0, NULL}};
static const mgl_parameter l[] = {{"l", "distinct values", true, 1, 1e18, NULL}};
static const mgl_parameter p[] = {{"p", "distinct values", true, 1, 1e18, NULL}};
static const mgl_parameter x[] = {{"x", "risk", false, 0, 1, NULL}};
static const mgl_parameter cl[] = {{"c", "factor", false, 0, INFINITY, NULL},
                                   {"l", "values", true, 1, 1e18, NULL}};
static const mgl_parameter range[] = {{"lo", "least", false, 0, 1, NULL},
                                      {"hi", "most", false, 0, 1, NULL}};
static const mgl_parameter t[] = {{"t", "distance", false, 0, 1, NULL},
                                  {"distance", "how far apart values are", false, 0, 2, distances}};

static const mgl_model_type k_anonymity = {.name = "k-anonymity",
                                           .option = "k",
                                           .help = "k",
                                           .k = MGL_K_IS,
                                           .parameters = k,
                                           .n_parameters = 1};
static const mgl_model_type l_diversity = {.name = "l-diversity",
                                           .option = "l-diversity",
                                           .help = "l",
                                           .takes_attribute = true,
                                           .parameters = l,
                                           .n_parameters = 1};
static const mgl_model_type recursive = {.name = "recursive-cl",
                                         .option = "recursive-cl",
                                         .help = "cl",
                                         .takes_attribute = true,
                                         .parameters = cl,
                                         .n_parameters = 2};
static const mgl_model_type presence = {.name = "delta-presence",
                                        .option = "delta-presence",
                                        .help = "delta",
                                        .needs_population = true,
                                        .parameters = range,
                                        .n_parameters = 2};
static const mgl_model_type closeness = {.name = "t-closeness",
                                         .option = "t-closeness",
                                         .help = "t",
                                         .takes_attribute = true,
                                         .parameters = t,
                                         .n_parameters = 2};
static const mgl_model_type p_sensitive = {.name = "p-sensitive",
                                           .option = "p-sensitive",
                                           .help = "p",
                                           .k = MGL_K_STANDS_FOR,
                                           .parameters = p,
                                           .n_parameters = 1};
static const mgl_model_type extended = {.name = "extended-p-sensitive",
                                        .option = "extended-p",
                                        .help = "p",
                                        .k = MGL_K_STANDS_FOR,
                                        .takes_attribute = true,
                                        .parameters = p,
                                        .n_parameters = 1};
static const mgl_model_type max_risk = {
    .name = "max-risk", .option = "max-risk", .help = "x", .parameters = x, .n_parameters = 1};
static const mgl_model_type *const types[] = {&k_anonymity, &l_diversity, &recursive, &presence,
                                              &closeness,   &p_sensitive, &extended,  &max_risk};
enum { N_TYPES = sizeof types / sizeof types[0] };

const mgl_model_type *const *mgl_model_types(size_t *n)
{
    *n = N_TYPES;
    return types;
}

const mgl_model_type *mgl_model_type_find(const char *name)
{
    for (size_t i = 0; i < N_TYPES; i++)
        if (strcmp(types[i]->name, name) == 0)
            return types[i];
    return NULL;
}

/* Data, a quasi-identifier a, sensitive columns s and t. */
static inline mgl_job *begun_job(void)
{
    mgl_job *job = new_job();
    set(job, "data", "d");
    set(job, "qi", "a");
    set(job, "sensitive", "s,t");
    return job;
}

/* A job that is refused as a whole for one more key. */
static inline void refuse_with(const char *key, const char *value, const char *words)
{
    mgl_job *job = begun_job();
    set(job, key, value);
    refuse_settings(job, MGL_CHECK, words);
    mgl_job_free(job);
}

#endif
