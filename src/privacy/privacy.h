/* privacy: the models a release must hold, one file each behind one interface.
 *
 * A new model is one file with an mgl_model_type and one row in models.c.
 */
#ifndef MGL_PRIVACY_H
#define MGL_PRIVACY_H

#include "hierarchy/hierarchy.h"
#include "table/table.h"

#include <math.h>

enum { MGL_MAX_PARAMETERS = 4 };

typedef enum mgl_scope {
    MGL_SCOPE_CLASS, /* each class is judged by itself */
    MGL_SCOPE_TABLE  /* the whole release is judged */
} mgl_scope;

/* A number that a model takes, as it is named in job files and results. */
typedef struct mgl_parameter {
    const char *name;
    const char *help;
    bool whole;      /* an integer */
    double min, max; /* inclusive */
} mgl_parameter;

/* What is known about the whole input table. */
typedef struct mgl_facts {
    uint64_t n_rows;
    const mgl_histogram *totals;         /* [n_sensitive] */
    const mgl_column *const *sensitive;  /* [n_sensitive] */
    size_t n_sensitive;
} mgl_facts;

typedef struct mgl_model mgl_model;

typedef struct mgl_model_type {
    const char *name;   /* in job files and results: "k-anonymity" */
    const char *option; /* on the command line: "k" */
    const char *help;   /* one line */
    const char *when;   /* when to use it */
    bool takes_attribute; /* it protects one sensitive attribute */
    bool needs_histograms; /* it looks at more than the size of a class */
    const mgl_parameter *parameters;
    size_t n_parameters;
    mgl_scope scope;
    bool union_closed;  /* the union of holding classes holds */
    bool upward_closed; /* a superset of a holding class holds */
    bool (*holds)(const mgl_model *model, const mgl_group *group);
    /* The strongest parameter a class holds with; the release's is the least
     * (measured_is_least) or the largest over its classes. */
    double (*measure)(const mgl_model *model, const mgl_group *group);
    bool measured_is_least;
    /* Optional: refuses what cannot be met, before any search. */
    mgl_status (*prepare)(mgl_model *model, const mgl_facts *facts, mgl_error *err);
} mgl_model_type;

struct mgl_model {
    const mgl_model_type *type;
    double parameters[MGL_MAX_PARAMETERS];
    uint32_t attribute; /* which sensitive attribute, if the type takes one */
    const mgl_facts *facts;
};

const mgl_model_type *const *mgl_model_types(size_t *n);
const mgl_model_type *mgl_model_type_find(const char *name);           /* by name; NULL */
const mgl_model_type *mgl_model_type_find_option(const char *option);  /* by option; NULL */

static inline bool mgl_model_holds(const mgl_model *model, const mgl_group *group)
{
    return model->type->holds(model, group);
}

/* What judging one class after another found out about a model. */
typedef struct mgl_found {
    bool holds;
    double measured; /* NAN: no class to measure */
    uint64_t violating_rows, violating_classes;
} mgl_found;

#define MGL_FOUND_NOTHING ((mgl_found){.holds = true, .measured = NAN})
void mgl_found_add(mgl_found *found, const mgl_model *model, const mgl_group *group);

#endif
