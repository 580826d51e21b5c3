/* Plans a release before it is written: its columns, the labels of suppressed cells, what is
 * promised about it, and what each row carries along for the verifier because the release lacks it:
 * the person it belongs to, its past, its weight, its stratum, or its number in the table. A row
 * carries one number while it is shuffled; where several are wanted, a number stands for their
 * combination. */
#include "pipeline/write/plan.h"
#include "pipeline/write/write.h"

/* ---- What rows carry along ------------------------------------------------------------------- */

/* Finds the columns by which rows are distinguished. */
static mgl_status choose_columns(mgl_row_tags *tags, const mgl_reading *reading, mgl_error *err)
{
    size_t n_by = reading->settings->strata.n;
    tags->columns = mgl_alloc_array(n_by + 4, sizeof *tags->columns);
    if (tags->columns == NULL)
        return mgl_fail_memory(err);
    if (reading->entity != NULL)
        tags->columns[tags->n_columns++] = reading->entity;
    if (reading->past != NULL)
        tags->columns[tags->n_columns++] = reading->past;
    if (reading->settings->sampled.weighs)
        tags->columns[tags->n_columns++] = reading->weight;
    if (reading->settings->sampled.by_household)
        tags->columns[tags->n_columns++] = reading->household;
    for (size_t a = 0; a < n_by; a++)
        tags->columns[tags->n_columns++] = reading->quasi[a].column;
    return MGL_OK;
}

/* The codes that each number stands for. */
static mgl_status take_codes(mgl_row_tags *tags, const mgl_map *numbers, mgl_error *err)
{
    size_t n = mgl_map_size(numbers), m = tags->n_columns;
    tags->codes = mgl_alloc_array(n * m, sizeof *tags->codes);
    if (tags->codes == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        memcpy(tags->codes + i * m, mgl_map_text(numbers, (uint32_t)i).data,
               m * sizeof *tags->codes);
    return MGL_OK;
}

/* Rows carry their numbers. */
static mgl_status number_rows(mgl_row_tags *tags, size_t n_rows, mgl_error *err)
{
    tags->made = mgl_table_new(1);
    if (tags->made == NULL)
        return mgl_fail_memory(err);
    mgl_column *column = &tags->made->columns[0];
    for (size_t row = 0; row < n_rows; row++) {
        if (!mgl_column_widen(column, row, (uint32_t)row) || !mgl_column_reserve(column, row, 1))
            return mgl_fail_memory(err);
        mgl_column_set(column, row, (uint32_t)row);
    }
    tags->column = column;
    return MGL_OK;
}

/* Rows carry the number of their combination. */
static mgl_status number_combinations(mgl_row_tags *tags, size_t n_rows, mgl_error *err)
{
    mgl_map *numbers = mgl_map_new();
    uint32_t *codes = mgl_alloc_array(tags->n_columns, sizeof *codes);
    mgl_status status = MGL_OK;
    tags->made = mgl_table_new(1);
    if (numbers == NULL || codes == NULL || tags->made == NULL)
        MGL_GO(mgl_fail_memory(err));
    mgl_column *column = &tags->made->columns[0];
    for (size_t row = 0; row < n_rows; row++) {
        for (size_t i = 0; i < tags->n_columns; i++)
            codes[i] = mgl_column_code(tags->columns[i], row);
        uint32_t number =
            mgl_map_add(numbers, (mgl_span){(const char *)codes, tags->n_columns * sizeof *codes});
        if (number == MGL_NOT_FOUND || !mgl_column_widen(column, row, number) ||
            !mgl_column_reserve(column, row, 1))
            MGL_GO(mgl_fail_memory(err));
        else
            mgl_column_set(column, row, number);
    }
    MGL_GO(take_codes(tags, numbers, err));
    tags->column = column;
done:
    mgl_map_free(numbers);
    mgl_free(codes);
    return status;
}

/* Free with mgl_row_tags_free, also on failure. */
static mgl_status row_tags_new(mgl_row_tags *tags, const mgl_reading *reading, mgl_error *err)
{
    *tags = (mgl_row_tags){0};
    if (reading->pushed) /* rows stay where they are */
        return MGL_OK;
    MGL_TRY(choose_columns(tags, reading, err));
    if (mgl_settings_aggregate(reading->settings))
        MGL_TRY(number_rows(tags, reading->table->n_rows, err));
    else if (tags->n_columns == 0)
        return MGL_OK;
    else if (tags->n_columns == 1)
        tags->column = tags->columns[0];
    else
        MGL_TRY(number_combinations(tags, reading->table->n_rows, err));
    tags->of_row = mgl_alloc_array(reading->table->n_rows, sizeof *tags->of_row);
    return tags->of_row == NULL ? mgl_fail_memory(err) : MGL_OK;
}

void mgl_row_tags_free(mgl_row_tags *tags)
{
    mgl_table_free(tags->made);
    mgl_free(tags->columns);
    mgl_free(tags->of_row);
    mgl_free(tags->codes);
    mgl_free((void *)tags->persons);
    mgl_free(tags->pasts.codes);
    mgl_free(tags->weights);
    mgl_free(tags->households);
    for (size_t i = 0; i < tags->n_strata; i++)
        mgl_free(tags->strata[i].codes);
    mgl_free(tags->strata);
    *tags = (mgl_row_tags){0};
}

/* What the rows have in one of the columns, in the order of the release. */
static mgl_status read_column(const mgl_row_tags *tags, size_t i, uint64_t n_rows, mgl_error *err,
                              uint32_t **out)
{
    uint32_t *codes = mgl_alloc_array(n_rows, sizeof *codes);
    if (codes == NULL)
        return mgl_fail_memory(err);
    for (uint64_t row = 0; row < n_rows; row++) {
        uint32_t carried = tags->of_row[row];
        codes[row] = tags->rows != NULL    ? mgl_column_code(tags->columns[i], carried)
                     : tags->codes != NULL ? tags->codes[carried * tags->n_columns + i]
                                           : carried;
    }
    *out = codes;
    return MGL_OK;
}

static mgl_status read_strata(mgl_row_tags *tags, size_t first, uint64_t n_rows, mgl_error *err)
{
    size_t n = tags->n_columns - first;
    tags->strata = mgl_zeroed_array(n, sizeof *tags->strata);
    if (tags->strata == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        uint32_t *codes;
        MGL_TRY(read_column(tags, first + i, n_rows, err, &codes));
        tags->strata[tags->n_strata++] =
            (mgl_column){.dictionary = tags->columns[first + i]->dictionary,
                         .width = sizeof *codes,
                         .codes = codes};
    }
    return MGL_OK;
}

/* Weights are read anew: the verifier does not ask the list that was searched. */
static mgl_status read_weights(mgl_row_tags *tags, const mgl_reading *reading,
                               const uint32_t *codes, uint64_t n_rows, mgl_error *err)
{
    uint64_t *of_code, unit;
    MGL_TRY(mgl_weights_fix(reading, err, &of_code, &unit));
    tags->weights = mgl_alloc_array(n_rows, sizeof *tags->weights);
    for (uint64_t row = 0; tags->weights != NULL && row < n_rows; row++)
        tags->weights[row] = of_code[codes[row]];
    mgl_free(of_code);
    return tags->weights == NULL ? mgl_fail_memory(err) : MGL_OK;
}

mgl_status mgl_row_tags_read(mgl_row_tags *tags, const mgl_reading *reading, uint64_t n_rows,
                             mgl_error *err)
{
    size_t i = 0;
    uint32_t *codes;
    if (mgl_settings_aggregate(reading->settings))
        tags->rows = tags->of_row;
    if (reading->entity != NULL) {
        MGL_TRY(read_column(tags, i++, n_rows, err, &codes));
        tags->persons = codes;
    }
    if (reading->past != NULL) {
        const mgl_column *pasts = tags->columns[i];
        MGL_TRY(read_column(tags, i++, n_rows, err, &codes));
        tags->pasts =
            (mgl_column){.dictionary = pasts->dictionary, .width = sizeof *codes, .codes = codes};
    }
    if (reading->settings->sampled.weighs) {
        MGL_TRY(read_column(tags, i++, n_rows, err, &codes));
        mgl_status status = read_weights(tags, reading, codes, n_rows, err);
        mgl_free(codes);
        MGL_TRY(status);
    }
    if (reading->settings->sampled.by_household)
        MGL_TRY(read_column(tags, i++, n_rows, err, &tags->households));
    return i < tags->n_columns ? read_strata(tags, i, n_rows, err) : MGL_OK;
}

/* ---- The plan -------------------------------------------------------------------------------- */

size_t mgl_plan_column(const mgl_release_plan *p, size_t field)
{
    for (size_t c = 0; c < p->n_columns; c++)
        if (p->columns[c] == field)
            return c;
    return SIZE_MAX;
}

/* ---- Columns that are released as others than they were read ------------------------------------
 */

/* Rows without such a column are written faster, so there is no room before it is needed. */
static mgl_status make_room(mgl_release_plan *p, mgl_error *err)
{
    p->respelled = mgl_arena_alloc(p->arena, p->n_columns * sizeof *p->respelled);
    p->treated = mgl_arena_alloc(p->arena, p->n_columns * sizeof *p->treated);
    if (p->respelled == NULL || p->treated == NULL)
        return mgl_fail_memory(err);
    for (size_t c = 0; c < p->n_columns; c++) {
        p->respelled[c] = NULL;
        p->treated[c] = false;
    }
    return MGL_OK;
}

mgl_status mgl_plan_replace(mgl_release_plan *p, size_t field, const mgl_column *cells,
                            mgl_replaced how, mgl_error *err)
{
    size_t c = mgl_plan_column(p, field);
    if (p->respelled == NULL)
        MGL_TRY(make_room(p, err));
    p->respelled[c] = cells;
    p->treated[c] = how != MGL_RESPELLED;
    if (how == MGL_FOLLOWING)
        p->followed[field] = cells;
    return MGL_OK;
}

void mgl_plan_promise(mgl_release_plan *p, const mgl_judge *judge, void *promised, size_t n)
{
    if (n > 0)
        p->further[p->n_further++] = (mgl_further_promise){judge, promised, n};
}

/* Sensitive columns are released in the spelling that was counted, so that a reader who counts the
 * release finds what was promised; features have columns of their own. */
static mgl_status replace_columns(mgl_release_plan *p, const mgl_task *task,
                                  const mgl_reading *reading, mgl_error *err, mgl_written *written)
{
    if (p->count_column != SIZE_MAX)
        MGL_TRY(
            mgl_plan_replace(p, p->columns[p->count_column], &p->groups.sums, MGL_TREATED, err));
    for (size_t s = 0; mgl_respells(reading->settings) && s < reading->n_sensitive; s++)
        if (p->sensitive_columns[s] != SIZE_MAX)
            MGL_TRY(mgl_plan_replace(p, p->columns[p->sensitive_columns[s]],
                                     reading->cells[s].column, MGL_RESPELLED, err));
    return mgl_features_plan(p, task, err, written);
}

/* ---- The whole ----------------------------------------------------------------------------------
 */

mgl_status mgl_release_plan_make(mgl_release_plan *p, const mgl_task *task,
                                 const mgl_reading *reading, mgl_error *err, mgl_written *written)
{
    size_t n = mgl_source_columns(reading->source), n_sets = task->problem.n_sets;
    p->count_column = SIZE_MAX;
    p->columns = mgl_arena_alloc(p->arena, n * sizeof *p->columns);
    p->names = mgl_arena_alloc(p->arena, n * sizeof *p->names);
    p->top_columns = mgl_arena_alloc(p->arena, n * sizeof *p->top_columns);
    p->followed = mgl_arena_alloc(p->arena, n * sizeof *p->followed);
    p->tops = mgl_arena_alloc(p->arena, n * sizeof *p->tops);
    p->sensitive_columns = mgl_arena_alloc(p->arena, n * sizeof *p->sensitive_columns);
    p->rules = mgl_arena_alloc(p->arena, (reading->n_sensitive + 1) * sizeof *p->rules);
    p->sets = mgl_arena_alloc(p->arena, 2 * n_sets * sizeof *p->sets);
    size_t n_features = 0;
    while (mgl_features[n_features] != NULL)
        n_features++;
    p->further = mgl_arena_alloc(p->arena, n_features * sizeof *p->further);
    if (p->rules == NULL || p->columns == NULL || p->names == NULL || p->top_columns == NULL ||
        p->tops == NULL || p->sensitive_columns == NULL || p->sets == NULL || p->followed == NULL ||
        p->further == NULL)
        return mgl_fail_memory(err);
    for (size_t c = 0; c < n; c++) {
        p->followed[c] = NULL;
        if (!mgl_is_released(reading, c))
            continue;
        if (reading->roles[c] == MGL_ROLE_IDENTIFIER)
            p->count_column = p->n_columns;
        p->names[p->n_columns] = mgl_source_column(reading->source, c);
        p->columns[p->n_columns++] = c;
    }
    p->n_tops = reading->n_quasi;
    for (size_t a = 0; a < reading->n_quasi; a++) {
        const mgl_released_column *released = reading->released[a];
        p->top_columns[a] = mgl_plan_column(p, reading->quasi[a].column->source_index);
        p->tops[a] = released->values[released->top].label;
    }
    for (size_t s = 0; s < reading->n_sensitive; s++) {
        p->sensitive_columns[s] = mgl_plan_column(p, reading->counted[s]->source_index);
        p->rules[s] = reading->cells[s].rule;
    }
    p->person_column = SIZE_MAX;
    if (reading->entity != NULL)
        p->person_column = mgl_plan_column(p, reading->entity->source_index);
    MGL_TRY(replace_columns(p, task, reading, err, written));
    for (size_t q = 0; q < n_sets; q++) {
        const mgl_quasi_set *set = &task->problem.sets[q];
        size_t *columns = mgl_arena_alloc(p->arena, set->n_attributes * sizeof *columns);
        if (columns == NULL)
            return mgl_fail_memory(err);
        for (size_t i = 0; i < set->n_attributes; i++)
            columns[i] = p->top_columns[set->attributes[i]];
        size_t n_joint = task->n_joint;
        p->sets[p->n_sets++] = (mgl_promised_set){.columns = columns,
                                                  .n_columns = set->n_attributes,
                                                  .models = set->models,
                                                  .n_models = set->n_models - n_joint};
        /* The same models on pasts. The verifier finds their classes by sorting rows, not by what
         * the search counted. */
        if (n_joint > 0)
            p->sets[p->n_sets++] = (mgl_promised_set){.columns = columns,
                                                      .n_columns = set->n_attributes,
                                                      .models = set->models,
                                                      .n_models = n_joint,
                                                      .pasts = &p->tags.pasts};
    }
    MGL_TRY(row_tags_new(&p->tags, reading, err));
    return mgl_population_promise(reading, p->arena, err, &p->population);
}

mgl_promise mgl_release_promise(const mgl_release_plan *p, const mgl_task *task,
                                const mgl_reading *reading, uint64_t n_rows)
{
    const mgl_settings *settings = reading->settings;
    return (mgl_promise){
        .names = p->names,
        .n_names = p->n_columns,
        .n_rows = n_rows,
        .sets = p->sets,
        .n_sets = p->n_sets,
        .combination = task->problem.counting.columns,
        .tops_match = task->problem.counting.tops_match,
        .exempt_top = settings->treatment == MGL_EXEMPT,
        .top_columns = p->top_columns,
        .tops = p->tops,
        .n_tops = p->n_tops,
        .n_by = settings->strata.n,
        .sensitive_columns = p->sensitive_columns,
        .sensitive = reading->counted,
        .rules = p->rules,
        .n_sensitive = reading->n_sensitive,
        .further = p->further,
        .n_further = p->n_further,
        .source_rows = p->tags.rows,
        .persons = p->tags.persons,
        .joined = settings->persons.view == MGL_VIEW_JOINED,
        .person_column = p->person_column != SIZE_MAX ? &p->person_column : NULL,
        .population = reading->population != NULL ? &p->population : NULL,
        .weights = p->tags.weights,
        .count_column = p->count_column != SIZE_MAX ? &p->count_column : NULL,
        .households = p->tags.households,
        .source = settings->second,
    };
}

mgl_status mgl_refuse_many(const mgl_settings *settings, uint64_t n_rows, mgl_error *err)
{
    if (settings->dry_run || settings->output == NULL || settings->treatment == MGL_DROP)
        return MGL_OK;
    const mgl_format *format;
    MGL_TRY(mgl_format_to_write(settings->output, err, &format));
    return mgl_format_check_rows(format, settings->output, n_rows, err);
}

mgl_status mgl_refuse_empty(uint64_t n_rows, mgl_error *err)
{
    if (n_rows > 0)
        return MGL_OK;
    return mgl_blame_key(
        err,
        mgl_fail(err, MGL_CODE_EMPTY_RELEASE,
                 "every row would be dropped; allow fewer suppressed rows or keep them with "
                 "`suppressed: keep`"),
        "suppressed");
}
