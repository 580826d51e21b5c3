/* Plans a release before it is written: its columns, the labels of suppressed cells, and what is
 * promised about it, whoever writes it. For writing.c and push.c. */
#include "pipeline/write/plan.h"
#include "pipeline/write/write.h"

static size_t released_position(const mgl_release_plan *p, size_t source_column)
{
    for (size_t c = 0; c < p->n_columns; c++)
        if (p->columns[c] == source_column)
            return c;
    return SIZE_MAX;
}

static uint64_t count_values(const mgl_dictionary *dictionary)
{
    return mgl_dictionary_size(dictionary) - (mgl_dictionary_missing(dictionary) != MGL_NOT_FOUND);
}

static void promise_further(mgl_release_plan *p, const mgl_judge *judge, void *promised, size_t n)
{
    if (n > 0)
        p->further[p->n_further++] = (mgl_further_promise){judge, promised, n};
}

/* ---- Columns that are released as others than they were read ------------------------------------
 */

/* Sensitive columns are released in the spelling that was counted, so that whoever counts the
 * release finds what was promised; treated columns as what they were made. */
static mgl_status respell(mgl_release_plan *p, const mgl_reading *reading, mgl_error *err)
{
    bool spells = mgl_respells(reading->settings);
    if (!spells && reading->n_treated == 0 && reading->n_linked == 0 && reading->items == NULL &&
        reading->counts == NULL)
        return MGL_OK;
    p->respelled = mgl_arena_alloc(p->arena, p->n_columns * sizeof *p->respelled);
    p->treated = mgl_arena_alloc(p->arena, p->n_columns * sizeof *p->treated);
    p->promised = mgl_arena_alloc(p->arena, reading->n_treated * sizeof *p->promised);
    if (p->respelled == NULL || p->treated == NULL || p->promised == NULL)
        return mgl_fail_memory(err);
    for (size_t c = 0; c < p->n_columns; c++) {
        p->respelled[c] = NULL;
        p->treated[c] = false;
    }
    if (p->count_column != SIZE_MAX) {
        p->respelled[p->count_column] = &p->groups.sums;
        p->treated[p->count_column] = true;
    }
    for (size_t s = 0; spells && s < reading->n_sensitive; s++)
        if (p->sensitive_columns[s] != SIZE_MAX)
            p->respelled[p->sensitive_columns[s]] = reading->cells[s].column;
    for (size_t i = 0; i < reading->n_treated; i++) {
        const mgl_treated_column *treated = &reading->treated[i];
        if (!treated->made)
            return mgl_fail(err, MGL_CODE_INTERNAL,
                            "column '%.60s' would be released without its treatment; please "
                            "report this",
                            treated->name);
        size_t c = released_position(p, treated->field);
        p->respelled[c] = &treated->column;
        p->treated[c] = true;
        p->promised[i] =
            (mgl_promised_treat){.column = c,
                                 .treat = treated->treat,
                                 .raw = treated->raw,
                                 .persons = reading->entity,
                                 .n_rows = reading->table->n_rows,
                                 .most_values = count_values(treated->column.dictionary),
                                 .all_values = reading->settings->treatment != MGL_DROP,
                                 .notation = mgl_dictionary_notation(treated->column.dictionary)};
    }
    promise_further(p, &mgl_treat_judge, p->promised, reading->n_treated);
    return MGL_OK;
}

static mgl_status link_column(mgl_release_plan *p, const mgl_reading *reading,
                              const mgl_followed *followed, mgl_error *err)
{
    uint32_t *attributes = mgl_arena_alloc(p->arena, reading->n_quasi * sizeof *attributes);
    size_t *leads = mgl_arena_alloc(p->arena, reading->n_quasi * sizeof *leads);
    if (attributes == NULL || leads == NULL)
        return mgl_fail_memory(err);
    size_t c = released_position(p, followed->linked->field);
    size_t n = mgl_followed_leads(followed, reading, attributes);
    for (size_t i = 0; i < n; i++)
        leads[i] = p->top_columns[attributes[i]];
    p->respelled[c] = p->followed[followed->linked->field] = &followed->column;
    p->treated[c] = true;
    p->links[p->n_links++] = (mgl_promised_link){.column = c, .leads = leads, .n_leads = n};
    return MGL_OK;
}

/* Columns that follow quasi-identifiers are released as what these leave of them. */
static mgl_status link_columns(mgl_release_plan *p, const mgl_reading *reading,
                               const mgl_written *made, mgl_error *err)
{
    size_t n = mgl_source_columns(reading->source);
    if (made == NULL || (made->following.n == 0 && !made->items.made))
        return MGL_OK;
    const mgl_following *following = &made->following;
    p->followed = mgl_arena_alloc(p->arena, n * sizeof *p->followed);
    p->links = mgl_arena_alloc(p->arena, following->n * sizeof *p->links);
    if (p->followed == NULL || p->links == NULL)
        return mgl_fail_memory(err);
    for (size_t c = 0; c < n; c++)
        p->followed[c] = NULL;
    for (size_t i = 0; i < following->n; i++)
        if (following->of[i].made)
            MGL_TRY(link_column(p, reading, &following->of[i], err));
    promise_further(p, &mgl_linked_judge, p->links, p->n_links);
    return MGL_OK;
}

/* The column of items is released as what the cut leaves of them. */
static void put_items(mgl_release_plan *p, const mgl_reading *reading,
                      const mgl_items_written *written)
{
    const mgl_items_column *items = reading->items;
    size_t c = released_position(p, items->field);
    p->respelled[c] = p->followed[items->field] = &written->release.column;
    p->treated[c] = true;
    p->has_items = true;
    p->items = (mgl_promised_items){.column = c,
                                    .k = items->settings->km.k,
                                    .m = items->settings->km.m,
                                    .within = reading->settings->km_within,
                                    .cutting = items->cutting,
                                    .tree = &items->tree};
    promise_further(p, &mgl_items_judge, &p->items, 1);
}

/* ---- Columns that are aggregated ----------------------------------------------------------------
 */

static mgl_aggregate function_of(const mgl_task *task, size_t a)
{
    const mgl_aggregate *aggregates = task->problem.aggregates;
    return aggregates != NULL ? aggregates[a] : MGL_AGGREGATE_NOT;
}

static mgl_status promise_aggregates(mgl_release_plan *p, const mgl_task *task,
                                     const mgl_reading *reading, mgl_error *err)
{
    mgl_promised_aggregate *promised =
        mgl_arena_alloc(p->arena, (reading->n_quasi + 1) * sizeof *promised);
    size_t n = 0;
    if (promised == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < reading->n_quasi; a++)
        if (function_of(task, a) != MGL_AGGREGATE_NOT)
            promised[n++] =
                (mgl_promised_aggregate){.attribute = a,
                                         .function = function_of(task, a),
                                         .raw = reading->quasi[a].column,
                                         .hierarchy = reading->quasi[a].hierarchy,
                                         .leaf_of_code = reading->quasi[a].leaf_of_code};
    promise_further(p, &mgl_aggregate_judge, promised, n);
    return MGL_OK;
}

/* ---- The whole ----------------------------------------------------------------------------------
 */

mgl_status mgl_release_plan_make(mgl_release_plan *p, const mgl_task *task,
                                 const mgl_reading *reading, const mgl_written *made,
                                 mgl_error *err)
{
    size_t n = mgl_source_columns(reading->source), n_sets = task->problem.n_sets;
    p->count_column = SIZE_MAX;
    p->columns = mgl_arena_alloc(p->arena, n * sizeof *p->columns);
    p->names = mgl_arena_alloc(p->arena, n * sizeof *p->names);
    p->top_columns = mgl_arena_alloc(p->arena, n * sizeof *p->top_columns);
    p->tops = mgl_arena_alloc(p->arena, n * sizeof *p->tops);
    p->sensitive_columns = mgl_arena_alloc(p->arena, n * sizeof *p->sensitive_columns);
    p->rules = mgl_arena_alloc(p->arena, (reading->n_sensitive + 1) * sizeof *p->rules);
    p->sets = mgl_arena_alloc(p->arena, 2 * n_sets * sizeof *p->sets);
    if (p->rules == NULL || p->columns == NULL || p->names == NULL || p->top_columns == NULL ||
        p->tops == NULL || p->sensitive_columns == NULL || p->sets == NULL)
        return mgl_fail_memory(err);
    for (size_t c = 0; c < n; c++) {
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
        p->top_columns[a] = released_position(p, reading->quasi[a].column->source_index);
        p->tops[a] = released->values[released->top].label;
    }
    for (size_t s = 0; s < reading->n_sensitive; s++) {
        p->sensitive_columns[s] = released_position(p, reading->counted[s]->source_index);
        p->rules[s] = reading->cells[s].rule;
    }
    p->person_column = SIZE_MAX;
    if (reading->entity != NULL)
        p->person_column = released_position(p, reading->entity->source_index);
    MGL_TRY(respell(p, reading, err));
    MGL_TRY(link_columns(p, reading, made, err));
    if (made != NULL && made->items.made)
        put_items(p, reading, &made->items);
    MGL_TRY(promise_aggregates(p, task, reading, err));
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
    MGL_TRY(mgl_row_tags_new(&p->tags, reading, err));
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
        .n_by = settings->n_by,
        .strata = p->tags.strata_said,
        .strata_are_texts = p->format != NULL && p->format->text,
        .sensitive_columns = p->sensitive_columns,
        .sensitive = reading->counted,
        .rules = p->rules,
        .n_sensitive = reading->n_sensitive,
        .further = p->further,
        .n_further = p->n_further,
        .source_rows = p->tags.rows,
        .persons = p->tags.persons,
        .joined = settings->entity_view == MGL_VIEW_JOINED,
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
