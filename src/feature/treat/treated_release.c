/* Treated columns in a release: they were made when the table was read, and are put into the
 * release, promised and described here. Finds released dates that give back how far the dates of a
 * person were shifted: a column whose days lie as far from the true ones in many rows. */
#include "feature/treat/treat.h"
#include "pipeline/pipeline.h"

/* So many rows with one distance, and this share of all, are enough to guess by it. */
enum { FEWEST_ROWS = 2, ONE_IN = 20 };

enum { ROWS_AT_ONCE = 1024 };

/* A distance in days in one row; rows without two dates have none. */
typedef struct distances {
    int64_t *list;
    size_t n;
} distances;

static size_t most_frequent(distances *d)
{
    size_t most = 0;
    mgl_sort_u64((uint64_t *)d->list, d->n); /* equal ones side by side */
    for (size_t i = 0, first = 0; i < d->n; i++) {
        first = d->list[i] != d->list[first] ? i : first;
        most = i + 1 - first > most ? i + 1 - first : most;
    }
    return most;
}

/* ---- Days ------------------------------------------------------------------------------------ */

/* The day of each value of a dictionary; INT64_MIN: it has none. Free with mgl_free. */
static int64_t *days_of(const mgl_dictionary *dictionary)
{
    uint32_t n = mgl_dictionary_size(dictionary);
    int64_t *days = mgl_alloc_array(n, sizeof *days);
    for (uint32_t code = 0; days != NULL && code < n; code++) {
        mgl_ground_text text = mgl_ground_text_of(mgl_dictionary_value(dictionary, code),
                                                  mgl_dictionary_notation(dictionary));
        bool is_date = code != mgl_dictionary_missing(dictionary) && text.is_date;
        days[code] = is_date ? (int64_t)text.day : INT64_MIN;
    }
    return days;
}

/* The same of what a quasi-identifier is released as. */
static int64_t *days_of_labels(const mgl_released_column *column)
{
    int64_t *days = mgl_alloc_array(column->n_values, sizeof *days);
    for (uint32_t v = 0; days != NULL && v < column->n_values; v++) {
        mgl_meaning meaning = mgl_meaning_of(column->values[v].label);
        bool is_date = meaning.dates && (int64_t)meaning.first == (int64_t)meaning.last;
        days[v] = is_date ? (int64_t)meaning.first : INT64_MIN;
    }
    return days;
}

static bool has_dates(const int64_t *days, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (days[i] != INT64_MIN)
            return true;
    return false;
}

/* ---- Columns --------------------------------------------------------------------------------- */

typedef struct looking {
    const mgl_reading *reading;
    const mgl_task *task;
    const mgl_solution *solution;
    const mgl_treated_column *shifted;
    int64_t *true_days; /* [code of the shifted column as it was read] */
    distances found;
    mgl_objections *out;
} looking;

static void add(looking *l, size_t row, int64_t day)
{
    int64_t there = l->true_days[mgl_column_code(l->shifted->raw, row)];
    if (day != INT64_MIN && there != INT64_MIN)
        l->found.list[l->found.n++] = there - day;
}

static void object(looking *l, const char *column)
{
    size_t most = most_frequent(&l->found);
    if (most >= FEWEST_ROWS && most >= (l->found.n + ONE_IN - 1) / ONE_IN)
        mgl_objections_add(
            l->out,
            &(mgl_objection){.code = "gives-shift-back",
                             .column = column,
                             .remedy =
                                 "shift it as well, make it coarser (date(year)), or leave it "
                                 "out",
                             .rows = most},
            "has days that lie equally far from the true ones of the shifted column \"%.60s\" in "
            "%zu of %zu rows, which gives back how far the persons' dates were shifted",
            l->shifted->name, most, l->found.n);
}

static mgl_status look_at_passed(looking *l, const mgl_column *column, mgl_error *err)
{
    const mgl_replacement *replaced = mgl_reading_replaced(l->reading, column->source_index);
    const mgl_column *released = replaced != NULL ? replaced->column : column;
    int64_t *days = days_of(released->dictionary);
    MGL_TRY(mgl_check_memory(days != NULL, err));
    l->found.n = 0;
    bool any = has_dates(days, mgl_dictionary_size(released->dictionary));
    for (size_t row = 0; any && row < l->reading->table->n_rows; row++)
        add(l, row, days[mgl_column_code(released, row)]);
    object(l, column->name);
    mgl_free(days);
    return MGL_OK;
}

static mgl_status look_at_tuples(looking *l, size_t a, const int64_t *days, mgl_error *err)
{
    const mgl_reading *reading = l->reading;
    const uint32_t *cells = l->solution->recoding->cells[a];
    uint32_t tuples[ROWS_AT_ONCE];
    mgl_tuple_finder *finder;
    mgl_status status = MGL_OK;
    MGL_TRY(
        mgl_tuple_finder_share(l->task->problem.list, reading->bound, reading->pool, err, &finder));
    for (size_t row = 0; row < reading->table->n_rows; row += ROWS_AT_ONCE) {
        size_t left = reading->table->n_rows - row, n = left < ROWS_AT_ONCE ? left : ROWS_AT_ONCE;
        MGL_GO(mgl_tuple_reach(finder, row, n, err, tuples));
        for (size_t i = 0; i < n; i++)
            add(l, row + i, days[cells[tuples[i]]]);
    }
done:
    mgl_tuple_finder_free(finder);
    return status;
}

static mgl_status look_at_quasi(looking *l, size_t a, mgl_error *err)
{
    const mgl_released_column *column = l->solution->recoding->columns[a];
    int64_t *days = days_of_labels(column);
    mgl_status status = MGL_OK;
    l->found.n = 0;
    MGL_GO(days == NULL ? mgl_fail_memory(err) : MGL_OK);
    if (has_dates(days, column->n_values))
        MGL_GO(look_at_tuples(l, a, days, err));
    object(l, l->reading->quasi[a].settings->name);
done:
    mgl_free(days);
    return status;
}

static bool is_shifted(const mgl_reading *reading, size_t field)
{
    const mgl_treated *all = mgl_treated_of(reading);
    for (size_t i = 0; i < all->n; i++)
        if (all->of[i].field == field)
            return mgl_treat_by_person(all->of[i].treat);
    return false;
}

/* Is it released, and not shifted itself? */
static bool is_other(const mgl_reading *reading, const mgl_column *column)
{
    return mgl_role_passes(reading->roles[column->source_index]) &&
           !is_shifted(reading, column->source_index);
}

static mgl_status look_at_all(looking *l, mgl_error *err)
{
    const mgl_reading *reading = l->reading;
    const mgl_table *table = reading->table;
    l->true_days = days_of(l->shifted->raw->dictionary);
    l->found.list = mgl_alloc_array(table->n_rows, sizeof *l->found.list);
    MGL_TRY(mgl_check_memory(l->true_days != NULL && l->found.list != NULL, err));
    for (size_t a = 0; a < reading->n_quasi; a++)
        MGL_TRY(look_at_quasi(l, a, err));
    for (size_t c = reading->n_quasi; c < table->n_columns; c++) {
        bool repeated = false;
        for (size_t b = reading->n_quasi; b < c; b++)
            repeated = repeated || table->columns[b].source_index == table->columns[c].source_index;
        if (!repeated && is_other(reading, &table->columns[c]))
            MGL_TRY(look_at_passed(l, &table->columns[c], err));
    }
    return MGL_OK;
}

/* Adds an objection for each released column that gives back how far dates were shifted. */
static mgl_status shift_given_back(const mgl_task *task, const mgl_solution *solution,
                                   mgl_error *err, mgl_objections *out)
{
    const mgl_reading *reading = task->reading;
    const mgl_treated *all = mgl_treated_of(reading);
    mgl_status status = MGL_OK;
    mgl_perturbed_object(reading, out);
    for (size_t i = 0; status == MGL_OK && i < all->n; i++) {
        const mgl_treated_column *treated = &all->of[i];
        looking l = {
            .reading = reading, .task = task, .solution = solution, .shifted = treated, .out = out};
        if (!treated->made || !mgl_treat_by_person(treated->treat))
            continue;
        status = look_at_all(&l, err);
        mgl_free(l.true_days);
        mgl_free(l.found.list);
    }
    return status;
}

static uint64_t count_values(const mgl_dictionary *dictionary)
{
    return mgl_dictionary_size(dictionary) - (mgl_dictionary_missing(dictionary) != MGL_NOT_FOUND);
}

/* What is promised of each column, [mgl_treated.n], with what the verifier found; NULL: nothing is
 * written. */
static mgl_promised_treat **promises_of(const mgl_written *written)
{
    return mgl_feature_made(written, &mgl_treat_feature);
}

/* The promise of column number i; of a quasi-identifier the cells are released at levels. */
static mgl_promised_treat promise_of(const mgl_release_plan *p, const mgl_reading *reading,
                                     const mgl_treated_column *treated)
{
    bool perturbed = treated->plain.dictionary != NULL;
    return (mgl_promised_treat){
        .column = mgl_plan_column(p, treated->field),
        .treat = treated->treat,
        .raw = treated->raw,
        .persons = reading->entity,
        .n_rows = reading->table->n_rows,
        .most_values = count_values(treated->column.dictionary),
        .all_values = reading->settings->treatment != MGL_DROP,
        .notation = mgl_dictionary_notation(treated->column.dictionary),
        .plain = perturbed ? &treated->plain : NULL,
        .with = treated->with,
        .n_with = treated->n_with,
        .found = {.with_before = treated->correlations,
                  .with_after = treated->correlations + treated->n_with,
                  .with_errors = treated->correlations + 2 * treated->n_with}};
}

static mgl_status plan(mgl_release_plan *p, const mgl_task *task, mgl_error *err,
                       mgl_written *written)
{
    const mgl_reading *reading = task->reading;
    const mgl_treated *all = mgl_treated_of(reading);
    mgl_promised_treat **promises = promises_of(written);
    size_t n = 0;
    if (all->n == 0)
        return MGL_OK;
    if (*promises == NULL)
        *promises = mgl_alloc_array(all->n, sizeof **promises);
    MGL_TRY(mgl_check_memory(*promises != NULL, err));
    for (size_t i = 0; i < all->n; i++) {
        const mgl_treated_column *treated = &all->of[i];
        if (!treated->made)
            return mgl_fail(err, MGL_CODE_INTERNAL,
                            "column '%.60s' would be released without its treatment; please "
                            "report this",
                            treated->name);
        if (treated->quasi != SIZE_MAX)
            continue;
        MGL_TRY(mgl_plan_replace(p, treated->field, &treated->column, MGL_TREATED, err));
        (*promises)[n++] = promise_of(p, reading, treated);
    }
    mgl_plan_promise(p, &mgl_treat_judge, *promises, n);
    return MGL_OK;
}

static void free_treated(mgl_written *written)
{
    mgl_free(*promises_of(written));
}

/* ---- The section of the result --------------------------------------------------------------- */

static const mgl_treated_column *treated_column(const mgl_treated *all, const char *name)
{
    for (size_t i = 0; i < all->n; i++)
        if (strcmp(all->of[i].name, name) == 0)
            return &all->of[i];
    return NULL;
}

/* How many different values a column had and has; what no row was read of is not known. */
static json_t *treatment_json(const mgl_reading *reading, const mgl_attribute_settings *attribute,
                              const mgl_written *written)
{
    const mgl_treated *all = mgl_treated_of(reading);
    const mgl_treated_column *treated = treated_column(all, attribute->name);
    const mgl_promised_treat *promises = *promises_of(written);
    json_t *object = json_object();
    mgl_json_set(object, "column", json_string(attribute->name));
    mgl_json_set(
        object, "treatment",
        json_string(treated != NULL && treated->made ? treated->resolved : attribute->treat));
    if (treated == NULL)
        return object;
    if (treated->quasi != SIZE_MAX) /* cells are those of its levels */
        return object;
    uint64_t after = treated->made ? count_values(treated->column.dictionary) : 0;
    if (promises != NULL) /* quasi-identifiers come last */
        after = promises[treated - all->of].values;
    mgl_json_set(object, "values_before",
                 treated->made ? mgl_json_count(count_values(treated->raw->dictionary))
                               : json_null());
    mgl_json_set(object, "values_after", treated->made ? mgl_json_count(after) : json_null());
    return object;
}

static void describe(const mgl_reading *reading, const mgl_written *written, mgl_result *result)
{
    const mgl_settings *settings = reading->settings;
    json_t *list = json_array();
    for (size_t i = 0; i < settings->n_attributes; i++)
        if (settings->attributes[i].treat != NULL)
            mgl_json_append(list, treatment_json(reading, &settings->attributes[i], written));
    if (json_array_size(list) > 0 || !mgl_json_complete(list))
        mgl_json_set(result->document, "treatments", list);
    else
        json_decref(list);
    mgl_perturbed_describe(mgl_treated_of(reading), *promises_of(written), result);
}

/* As the job has it, without what was found. */
static void promise(const mgl_settings *settings, const json_t *result, const char *column,
                    json_t *object)
{
    const mgl_attribute_settings *declared =
        column != NULL ? mgl_settings_attribute(settings, column) : NULL;
    mgl_treat *treat;
    (void)result;
    if (declared == NULL || declared->treat == NULL)
        return;
    mgl_json_set(object, "treatment", json_string(declared->treat));
    if (mgl_treat_new(declared->treat, NULL, &treat) != MGL_OK)
        return;
    if (mgl_treat_perturbs(treat) != NULL)
        mgl_json_set(object, "truthful", json_false());
    mgl_treat_free(treat);
}

const mgl_feature_release mgl_treat_release = {.promise = promise,
                                               .size = sizeof(mgl_promised_treat *),
                                               .plan = plan,
                                               .object = shift_given_back,
                                               .describe = describe,
                                               .warn = mgl_perturbed_warn,
                                               .free = free_treated};
