/* risk --advise: finds treatments for sensitive columns in which too many rows are alone with their
 * value: whoever knows the value of a person finds the row. */
#include "command/advise/advised.h"
#include <stdio.h>

/* Keeps why the column has its role, and adds what becomes of it. */
static void tell(mgl_advised_column *column)
{
    mgl_advice *advice = &column->advice;
    unsigned alone = (unsigned)(100 * mgl_profile_alone_share(&column->profile) + 0.5);
    char why[sizeof advice->reason];
    if (column->treat != NULL)
        snprintf(why, sizeof why,
                 "%.100s; %u %% of the rows are alone with their value, so it is treated: "
                 "`attributes.%.60s.treat: %.60s`",
                 advice->reason, alone, column->name, column->treat);
    else
        snprintf(why, sizeof why,
                 "%u %% of the rows are alone with their value, and no treatment lets %d persons "
                 "share each; %.100s",
                 alone, MGL_ADVISED_K, advice->reason);
    memcpy(advice->reason, why, sizeof why);
}

/* Where an engine counts, the column is read as values with their counts; how persons share them is
 * then not known, so that a column of theirs is left out. */
static mgl_status find_treatment(mgl_advised *a, const mgl_table *table, size_t c, mgl_error *err,
                                 mgl_buffer *out)
{
    mgl_table *own = NULL;
    mgl_status status = MGL_OK;
    if (table == NULL && a->entity != SIZE_MAX)
        return MGL_OK;
    if (table == NULL)
        MGL_GO(mgl_read_columns(a->settings, a->source, &c, 1, err, &own));
    const mgl_table *from = table != NULL ? table : own;
    mgl_treat_order order = {.column = &from->columns[table != NULL ? c : 0],
                             .n_rows = from->n_rows,
                             .times = from->times,
                             .missing = a->options.missing,
                             .n_missing = a->options.n_missing};
    if (table != NULL && a->entity != SIZE_MAX)
        order.persons = &table->columns[a->entity];
    MGL_GO(mgl_suggest_treatment(&order, &a->columns[c].profile, MGL_ADVISED_K, err, out));
done:
    mgl_table_free(own);
    return status;
}

mgl_status mgl_advise_treatments(mgl_advised *a, const mgl_table *table, mgl_error *err)
{
    for (size_t c = 0; c < a->n; c++) {
        mgl_advised_column *column = &a->columns[c];
        mgl_buffer found = {0};
        mgl_free(column->treat);
        column->treat = NULL;
        if (column->advice.role != MGL_ROLE_SENSITIVE ||
            !mgl_profile_is_near_unique(&column->profile))
            continue;
        mgl_status status = find_treatment(a, table, c, err, &found);
        if (status == MGL_OK && found.size > 0)
            status = mgl_buffer_take(&found, err, &column->treat);
        mgl_buffer_free(&found);
        MGL_TRY(status);
        if (column->treat == NULL && !column->said)
            column->advice.role = MGL_ROLE_IDENTIFIER;
        if (column->treat != NULL || !column->said)
            tell(column);
    }
    return MGL_OK;
}
