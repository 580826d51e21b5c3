/* Plans a release before it is written: its columns, the labels of suppressed cells, what is
 * promised about it, and what each row carries along for the verifier because the release lacks it,
 * such as the person it belongs to. A row carries one number while it is shuffled; where several
 * columns are wanted, a number stands for their combination. */
#include "pipeline/write/plan.h"
#include "pipeline/guard/guard.h"
#include "pipeline/write/write.h"

/* ---- Features ----------------------------------------------------------------------------- */

/* What features make lies side by side, each at a multiple of ALIGNMENT. */
enum { ALIGNMENT = 16 };

static size_t room_of(const mgl_feature *feature)
{
    size_t size = feature->release != NULL ? feature->release->size : 0;
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static mgl_status begin(mgl_written *written, mgl_error *err)
{
    size_t room = 0;
    if (written->features != NULL)
        return MGL_OK;
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        room += room_of(*f);
    written->features = mgl_zeroed_array(room, 1);
    return written->features == NULL ? mgl_fail_memory(err) : MGL_OK;
}

void *mgl_feature_made(const mgl_written *written, const mgl_feature *feature)
{
    char *at = written->features;
    for (const mgl_feature *const *f = mgl_features; *f != feature; f++)
        at += room_of(*f);
    return at;
}

void mgl_written_free(mgl_written *written)
{
    mgl_objections_free(&written->objections);
    mgl_buffer_free(&written->warnings);
    for (const mgl_feature *const *f = mgl_features; written->features != NULL && *f != NULL; f++)
        if ((*f)->release != NULL && (*f)->release->free != NULL)
            (*f)->release->free(written);
    mgl_free(written->features);
}

mgl_status mgl_features_make(const mgl_task *task, const mgl_solution *solution, bool write,
                             mgl_error *err, mgl_written *written)
{
    MGL_TRY(begin(written, err));
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->release != NULL && (*f)->release->make != NULL &&
            (write || (*f)->searches != NULL))
            MGL_TRY((*f)->release->make(task, solution, err, written));
    return MGL_OK;
}

/* What features put into the plan. */
static mgl_status plan_features(mgl_release_plan *plan, const mgl_task *task, mgl_error *err,
                                mgl_written *written)
{
    MGL_TRY(begin(written, err));
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->release != NULL && (*f)->release->plan != NULL)
            MGL_TRY((*f)->release->plan(plan, task, err, written));
    return MGL_OK;
}

mgl_status mgl_features_carry(mgl_release_plan *plan, const mgl_reading *reading, mgl_error *err)
{
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->release != NULL && (*f)->release->carry != NULL)
            MGL_TRY((*f)->release->carry(plan, reading, err));
    return MGL_OK;
}

bool mgl_features_obey(const mgl_settings *settings, mgl_written *written)
{
    bool any = false;
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->release != NULL && (*f)->release->obey != NULL)
            any |= (*f)->release->obey(settings, written);
    return any;
}

mgl_status mgl_features_object(const mgl_task *task, const mgl_solution *solution, mgl_error *err,
                               mgl_objections *objections)
{
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->release != NULL && (*f)->release->object != NULL)
            MGL_TRY((*f)->release->object(task, solution, err, objections));
    MGL_TRY(objections->out_of_memory ? mgl_fail_memory(err) : MGL_OK);
    MGL_TRY(mgl_features_remedy(task->reading, objections, err));
    return mgl_settle_objections(task->reading->settings, objections, err);
}

bool mgl_features_change(const mgl_reading *reading, const mgl_written *written, size_t field)
{
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->release != NULL && (*f)->release->changes != NULL &&
            (*f)->release->changes(reading, written, field))
            return true;
    return mgl_reading_replaced(reading, field) != NULL;
}

mgl_status mgl_plan_carry(mgl_release_plan *p, const mgl_column *column, mgl_error *err,
                          const mgl_column **out)
{
    if (p->in_place) {
        *out = column;
        return MGL_OK;
    }
    mgl_column *carried = mgl_arena_alloc(p->arena, sizeof *carried);
    MGL_TRY(mgl_check_memory(carried != NULL, err));
    *carried = (mgl_column){.dictionary = column->dictionary, .width = sizeof(uint32_t)};
    p->tags.columns[p->tags.n_columns] = column;
    p->tags.carried[p->tags.n_columns++] = carried;
    *out = carried;
    return MGL_OK;
}

void mgl_plan_number_rows(mgl_release_plan *p)
{
    p->tags.numbered = true;
}

/* The codes that each number stands for. */
static mgl_status take_codes(mgl_row_tags *tags, const mgl_map *numbers, mgl_error *err)
{
    size_t n = mgl_map_size(numbers), m = tags->n_columns;
    MGL_TRY(mgl_new_array(n * m, sizeof *tags->codes, err, &tags->codes));
    for (size_t i = 0; i < n; i++)
        memcpy(tags->codes + i * m, mgl_map_text(numbers, (uint32_t)i).data,
               m * sizeof *tags->codes);
    return MGL_OK;
}

/* Rows carry the number of their combination of codes; `numbered`: their own. */
static mgl_status number_rows(mgl_row_tags *tags, size_t n_rows, mgl_error *err)
{
    mgl_map *numbers = mgl_map_new();
    uint32_t *codes = mgl_alloc_array(tags->n_columns, sizeof *codes);
    mgl_status status = MGL_OK;
    tags->made = mgl_table_new(1);
    MGL_GO(mgl_check_memory(numbers != NULL && codes != NULL && tags->made != NULL, err));
    mgl_column *column = &tags->made->columns[0];
    for (size_t row = 0; row < n_rows; row++) {
        uint32_t number = (uint32_t)row;
        for (size_t i = 0; !tags->numbered && i < tags->n_columns; i++)
            codes[i] = mgl_column_code(tags->columns[i], row);
        if (!tags->numbered)
            number = mgl_map_add(numbers,
                                 (mgl_span){(const char *)codes, tags->n_columns * sizeof *codes});
        if (number == MGL_NOT_FOUND || !mgl_column_widen(column, row, number) ||
            !mgl_column_reserve(column, row, 1))
            MGL_GO(mgl_fail_memory(err));
        mgl_column_set(column, row, number);
    }
    if (!tags->numbered)
        MGL_GO(take_codes(tags, numbers, err));
    tags->column = column;
done:
    mgl_map_free(numbers);
    mgl_free(codes);
    return status;
}

/* What rows carry, of the columns that were asked for. */
static mgl_status make_tags(mgl_row_tags *tags, const mgl_reading *reading, mgl_error *err)
{
    size_t n_rows = reading->table->n_rows;
    if (reading->engine.writes) { /* rows stay where they are */
        tags->n_columns = 0;
        return MGL_OK;
    }
    if (tags->n_columns == 1 && !tags->numbered)
        tags->column = tags->columns[0];
    else if (tags->n_columns > 0 || tags->numbered)
        MGL_TRY(number_rows(tags, n_rows, err));
    else
        return MGL_OK;
    tags->of_row = mgl_alloc_array(n_rows, sizeof *tags->of_row);
    return tags->of_row == NULL ? mgl_fail_memory(err) : MGL_OK;
}

void mgl_row_tags_free(mgl_row_tags *tags)
{
    mgl_table_free(tags->made);
    mgl_free(tags->of_row);
    mgl_free(tags->codes);
    for (size_t i = 0; i < tags->n_columns; i++)
        mgl_free(tags->carried[i]->codes);
    *tags = (mgl_row_tags){0};
}

mgl_status mgl_row_tags_read(mgl_row_tags *tags, uint64_t n_rows, mgl_error *err)
{
    for (size_t i = 0; i < tags->n_columns; i++) {
        uint32_t *codes = mgl_alloc_array(n_rows, sizeof *codes);
        MGL_TRY(mgl_check_memory(codes != NULL, err));
        for (uint64_t row = 0; row < n_rows; row++) {
            uint32_t carried = tags->of_row[row];
            codes[row] = tags->numbered        ? mgl_column_code(tags->columns[i], carried)
                         : tags->codes != NULL ? tags->codes[carried * tags->n_columns + i]
                                               : carried;
        }
        tags->carried[i]->codes = codes;
    }
    return MGL_OK;
}

size_t mgl_plan_column(const mgl_release_plan *p, size_t field)
{
    for (size_t c = 0; c < p->n_columns; c++)
        if (p->columns[c] == field)
            return c;
    return SIZE_MAX;
}

/* ---- Columns that are released as others than they were read --------------------------------- */

/* Rows without such a column are written faster, so there is no room before it is needed. */
static mgl_status make_room(mgl_release_plan *p, mgl_error *err)
{
    p->respelled = mgl_arena_alloc(p->arena, p->n_columns * sizeof *p->respelled);
    p->changed = mgl_arena_alloc(p->arena, p->n_columns * sizeof *p->changed);
    MGL_TRY(mgl_check_memory(p->respelled != NULL && p->changed != NULL, err));
    for (size_t c = 0; c < p->n_columns; c++) {
        p->respelled[c] = NULL;
        p->changed[c] = false;
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
    p->changed[c] = how != MGL_RESPELLED;
    if (how == MGL_FOLLOWING)
        p->followed[field] = cells;
    return MGL_OK;
}

void mgl_plan_promise(mgl_release_plan *p, const mgl_judge *judge, void *promised, size_t n)
{
    if (n > 0)
        p->further[p->promise.n_further++] = (mgl_further_promise){judge, promised, n};
}

/* Sensitive columns are released in the spelling that was counted, so that a reader who counts the
 * release finds what was promised; features have columns of their own. */
static mgl_status replace_columns(mgl_release_plan *p, const mgl_task *task,
                                  const mgl_reading *reading, mgl_error *err, mgl_written *written)
{
    const size_t *columns = p->promise.sensitive_columns;
    if (p->count_column != SIZE_MAX)
        MGL_TRY(
            mgl_plan_replace(p, p->columns[p->count_column], &p->groups.sums, MGL_TREATED, err));
    for (size_t s = 0; mgl_respells(reading->settings) && s < reading->n_sensitive; s++)
        if (columns[s] != SIZE_MAX)
            MGL_TRY(mgl_plan_replace(p, p->columns[columns[s]], reading->cells[s].column,
                                     MGL_RESPELLED, err));
    return plan_features(p, task, err, written);
}

/* ---- The whole ------------------------------------------------------------------------------- */

mgl_status mgl_plan_further(mgl_release_plan *p, mgl_error *err)
{
    size_t n = 0;
    while (mgl_features[n] != NULL)
        n++;
    p->further = mgl_arena_alloc(p->arena, n * sizeof *p->further);
    return mgl_check_memory(p->further != NULL, err);
}

/* Arrays of the plan and of its promise, which features fill. */
static mgl_status begin_plan(mgl_release_plan *p, const mgl_task *task, const mgl_reading *reading,
                             mgl_error *err)
{
    size_t n = mgl_source_columns(reading->source), n_features = 0;
    while (mgl_features[n_features] != NULL)
        n_features++;
    p->count_column = SIZE_MAX;
    p->columns = mgl_arena_alloc(p->arena, n * sizeof *p->columns);
    p->followed = mgl_arena_alloc(p->arena, n * sizeof *p->followed);
    MGL_TRY(mgl_plan_further(p, err));
    p->tags.columns = mgl_arena_alloc(p->arena, (n + n_features) * sizeof *p->tags.columns);
    p->tags.carried = mgl_arena_alloc(p->arena, (n + n_features) * sizeof *p->tags.carried);
    p->promise = (mgl_promise){.further = p->further,
                               .combination = task->problem.counting.columns,
                               .tops_match = task->problem.counting.tops_match,
                               .exempt_top = reading->settings->treatment == MGL_EXEMPT,
                               .source = reading->settings->second};
    return mgl_check_memory(p->columns != NULL && p->followed != NULL && p->tags.columns != NULL &&
                                p->tags.carried != NULL,
                            err);
}

static mgl_status plan_columns(mgl_release_plan *p, const mgl_reading *reading, mgl_error *err)
{
    size_t n = mgl_source_columns(reading->source);
    const char **names = mgl_arena_alloc(p->arena, n * sizeof *names);
    size_t *top_columns = mgl_arena_alloc(p->arena, n * sizeof *top_columns);
    mgl_span *tops = mgl_arena_alloc(p->arena, n * sizeof *tops);
    size_t *sensitive = mgl_arena_alloc(p->arena, n * sizeof *sensitive);
    mgl_cell_rule *rules = mgl_arena_alloc(p->arena, (reading->n_sensitive + 1) * sizeof *rules);
    MGL_TRY(mgl_check_memory(names != NULL && top_columns != NULL && tops != NULL &&
                                 sensitive != NULL && rules != NULL,
                             err));
    for (size_t c = 0; c < n; c++) {
        p->followed[c] = NULL;
        if (!mgl_is_released(reading, c))
            continue;
        if (reading->roles[c] == MGL_ROLE_IDENTIFIER)
            p->count_column = p->n_columns;
        names[p->n_columns] = mgl_source_column(reading->source, c);
        p->columns[p->n_columns++] = c;
    }
    for (size_t a = 0; a < reading->n_quasi; a++) {
        const mgl_released_column *released = reading->released[a];
        top_columns[a] = mgl_plan_column(p, reading->quasi[a].column->source_index);
        tops[a] = released->values[released->top].label;
    }
    for (size_t s = 0; s < reading->n_sensitive; s++) {
        sensitive[s] = mgl_plan_column(p, reading->counted[s]->source_index);
        rules[s] = reading->cells[s].rule;
    }
    p->promise.names = names;
    p->promise.n_names = p->n_columns;
    p->promise.top_columns = top_columns;
    p->promise.tops = tops;
    p->promise.n_tops = reading->n_quasi;
    p->promise.sensitive_columns = sensitive;
    p->promise.sensitive = reading->counted;
    p->promise.rules = rules;
    p->promise.n_sensitive = reading->n_sensitive;
    p->promise.records.column = p->count_column != SIZE_MAX ? &p->count_column : NULL;
    return MGL_OK;
}

static mgl_status plan_sets(mgl_release_plan *p, const mgl_task *task, mgl_error *err)
{
    size_t n_sets = task->problem.n_sets, n_joint = task->n_joint;
    mgl_promised_set *sets = mgl_arena_alloc(p->arena, 2 * n_sets * sizeof *sets);
    MGL_TRY(mgl_check_memory(sets != NULL, err));
    p->promise.sets = sets;
    for (size_t q = 0; q < n_sets; q++) {
        const mgl_quasi_set *set = &task->problem.sets[q];
        size_t *columns = mgl_arena_alloc(p->arena, set->n_attributes * sizeof *columns);
        MGL_TRY(mgl_check_memory(columns != NULL, err));
        for (size_t i = 0; i < set->n_attributes; i++)
            columns[i] = p->promise.top_columns[set->attributes[i]];
        sets[p->promise.n_sets++] = (mgl_promised_set){.columns = columns,
                                                       .n_columns = set->n_attributes,
                                                       .models = set->models,
                                                       .n_models = set->n_models - n_joint};
        /* The same models on histories. The verifier finds their classes by sorting rows, not by
         * what the search counted. */
        if (n_joint > 0)
            sets[p->promise.n_sets++] = (mgl_promised_set){.columns = columns,
                                                           .n_columns = set->n_attributes,
                                                           .models = set->models,
                                                           .n_models = n_joint,
                                                           .histories = p->histories};
    }
    return MGL_OK;
}

mgl_status mgl_release_plan_make(mgl_release_plan *p, const mgl_task *task,
                                 const mgl_reading *reading, mgl_error *err, mgl_written *written)
{
    MGL_TRY(begin_plan(p, task, reading, err));
    MGL_TRY(plan_columns(p, reading, err));
    MGL_TRY(replace_columns(p, task, reading, err, written));
    MGL_TRY(mgl_features_carry(p, reading, err));
    MGL_TRY(plan_sets(p, task, err));
    return make_tags(&p->tags, reading, err);
}

mgl_promise mgl_release_promise(const mgl_release_plan *p, uint64_t n_rows)
{
    mgl_promise promise = p->promise;
    promise.n_rows = n_rows;
    promise.source_rows = p->tags.numbered ? p->tags.of_row : NULL;
    promise.persons.of_row = p->persons != NULL ? p->persons->codes : NULL;
    return promise;
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
    return mgl_fail_key(err, MGL_CODE_EMPTY_RELEASE, "suppressed",
                        "every row would be dropped; allow fewer suppressed rows or keep them with "
                        "`suppressed: keep`");
}
