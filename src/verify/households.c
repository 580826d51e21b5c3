/* Judges the risk of households by the rows of a release: whoever finds one member finds all.
 * verify.c calls it with the risk of every row. */
#include "verify/households.h"

mgl_status mgl_household_risks_init(mgl_household_risks *risks, const uint32_t *of_row,
                                    size_t n_rows, mgl_error *err)
{
    *risks = (mgl_household_risks){.of_row = of_row};
    for (size_t row = 0; row < n_rows; row++)
        risks->n = of_row[row] >= risks->n ? (size_t)of_row[row] + 1 : risks->n;
    risks->hidden = mgl_alloc_array(risks->n, sizeof *risks->hidden);
    risks->rows = mgl_zeroed_array(risks->n, sizeof *risks->rows);
    if (risks->hidden == NULL || risks->rows == NULL)
        return mgl_fail_memory(err);
    for (size_t h = 0; h < risks->n; h++)
        risks->hidden[h] = 1;
    return MGL_OK;
}

void mgl_household_risks_free(mgl_household_risks *risks)
{
    mgl_free(risks->hidden);
    mgl_free(risks->rows);
    *risks = (mgl_household_risks){0};
}

void mgl_household_risks_add(mgl_household_risks *risks, const uint64_t *times,
                             const uint32_t *rows, size_t n, double risk)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t members = times != NULL ? times[rows[i]] : 1;
        risks->hidden[risks->of_row[rows[i]]] *= pow(1 - risk, (double)members);
        risks->rows[risks->of_row[rows[i]]] += members;
    }
}

void mgl_household_risks_judge(const mgl_household_risks *risks, const mgl_model *model,
                               mgl_found *found)
{
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
