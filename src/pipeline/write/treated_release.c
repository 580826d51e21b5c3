/* Treated columns in a release: they were made when the table was read, so they are only put in. */
#include "pipeline/write/plan.h"

static uint64_t count_values(const mgl_dictionary *dictionary)
{
    return mgl_dictionary_size(dictionary) - (mgl_dictionary_missing(dictionary) != MGL_NOT_FOUND);
}

static mgl_status plan(mgl_release_plan *p, const mgl_task *task, mgl_error *err,
                       mgl_written *written)
{
    const mgl_reading *reading = task->reading;
    if (reading->n_treated == 0)
        return MGL_OK;
    if (written->treated == NULL)
        written->treated = mgl_alloc_array(reading->n_treated, sizeof *written->treated);
    if (written->treated == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < reading->n_treated; i++) {
        const mgl_treated_column *treated = &reading->treated[i];
        if (!treated->made)
            return mgl_fail(err, MGL_CODE_INTERNAL,
                            "column '%.60s' would be released without its treatment; please "
                            "report this",
                            treated->name);
        MGL_TRY(mgl_plan_replace(p, treated->field, &treated->column, MGL_TREATED, err));
        written->treated[i] =
            (mgl_promised_treat){.column = mgl_plan_column(p, treated->field),
                                 .treat = treated->treat,
                                 .raw = treated->raw,
                                 .persons = reading->entity,
                                 .n_rows = reading->table->n_rows,
                                 .most_values = count_values(treated->column.dictionary),
                                 .all_values = reading->settings->treatment != MGL_DROP,
                                 .notation = mgl_dictionary_notation(treated->column.dictionary)};
    }
    mgl_plan_promise(p, &mgl_treat_judge, written->treated, reading->n_treated);
    return MGL_OK;
}

static void free_treated(mgl_written *written)
{
    mgl_free(written->treated);
}

const mgl_feature_release mgl_treat_release = {.plan = plan, .free = free_treated};
