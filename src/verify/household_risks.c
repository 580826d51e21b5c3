/* Judges models of the risk of households: finding one member is finding all, whatever the classes
 * that they are in. */
#include "verify/feature_judges.h"

#include <math.h>

/* By the rows of each household. */
typedef struct household_risks {
    const mgl_column *of_row;
    size_t n;       /* households are below this */
    double *hidden; /* [n] chance that no person of it is found */
    uint64_t *rows; /* [n] of it that are judged */
} household_risks;

static void end(void *state)
{
    household_risks *risks = state;
    mgl_free(risks->hidden);
    mgl_free(risks->rows);
    mgl_free(risks);
}

static mgl_status begin(const void *promised, mgl_error *err, void **out)
{
    const mgl_promised_households *households = promised;
    household_risks *risks;
    MGL_TRY(mgl_new_zeroed(1, sizeof *risks, err, &risks));
    *out = risks;
    risks->of_row = households->of_row;
    risks->n = mgl_dictionary_size(risks->of_row->dictionary);
    risks->hidden = mgl_alloc_array(risks->n, sizeof *risks->hidden);
    risks->rows = mgl_zeroed_array(risks->n, sizeof *risks->rows);
    MGL_TRY(mgl_check_memory(risks->hidden != NULL && risks->rows != NULL, err));
    for (size_t h = 0; h < risks->n; h++)
        risks->hidden[h] = 1;
    return MGL_OK;
}

static void take(void *state, const uint64_t *times, const uint32_t *rows, size_t n, double risk)
{
    household_risks *risks = state;
    for (size_t i = 0; i < n; i++) {
        uint64_t members = times != NULL ? times[rows[i]] : 1;
        uint32_t household = mgl_column_code(risks->of_row, rows[i]);
        risks->hidden[household] *= pow(1 - risk, (double)members);
        risks->rows[household] += members;
    }
}

/* Households that violate the model count as classes. */
static void find(const void *state, const mgl_model *model, mgl_found *found)
{
    const household_risks *risks = state;
    if (!model->type->by_household)
        return;
    *found = MGL_FOUND_NOTHING;
    for (size_t h = 0; h < risks->n; h++) {
        double risk = 1 - risks->hidden[h];
        if (risks->rows[h] == 0)
            continue;
        if (isnan(found->measured) || risk > found->measured)
            found->measured = risk;
        if (mgl_at_most(risk, model->parameters[0]))
            continue;
        found->holds = false;
        found->violating_rows += risks->rows[h];
        found->violating_classes++;
    }
}

const mgl_judge mgl_households_judge = {.begin = begin, .take = take, .find = find, .end = end};
