/* Perturbed columns, whose values are not true of single rows: compares them with what they were
 * before, counts the rows that are found by distance all the same, and writes that into results. */
#include "feature/treat/treat.h"
#include "pipeline/pipeline.h"

#include <math.h>

/* Values lie near each other within so many standard deviations. */
#define NEAR 0.05
/* So large a share of rows that are found is worth a warning. */
#define MANY_FOUND 0.2

/* ---- Comparing --------------------------------------------------------------------------------
 */

/* Different texts; numbers that are written in another way are others, too. */
static void count_changes(mgl_treated_column *c, size_t n_rows)
{
    const mgl_dictionary *before = c->plain.dictionary, *after = c->column.dictionary;
    c->rows = c->changed_rows = 0;
    for (size_t row = 0; row < n_rows; row++) {
        uint32_t x = mgl_column_code(&c->plain, row), y = mgl_column_code(&c->column, row);
        if (x == mgl_dictionary_missing(before))
            continue;
        c->rows++;
        c->changed_rows +=
            y == mgl_dictionary_missing(after) ||
            !mgl_span_equal(mgl_dictionary_value(before, x), mgl_dictionary_value(after, y));
    }
}

static void count_near(mgl_treated_column *c, const double *before, const double *after,
                       size_t n_rows)
{
    double mean = 0, squares = 0;
    size_t n = 0;
    for (size_t row = 0; row < n_rows; row++) {
        if (isnan(before[row]))
            continue;
        double off = before[row] - mean;
        mean += off / (double)++n;
        squares += off * (before[row] - mean);
    }
    double near = n > 0 ? NEAR * sqrt(squares / (double)n) : 0;
    c->near_rows = 0;
    for (size_t row = 0; row < n_rows; row++)
        c->near_rows += fabs(after[row] - before[row]) <= near; /* never of a NAN */
}

/* The numbers of the columns that have some, before and after. */
typedef struct numbers {
    mgl_arena *arena;
    const double *before[MGL_MOST_DISTANCE_COLUMNS], *after[MGL_MOST_DISTANCE_COLUMNS];
    size_t n;
} numbers;

static mgl_status compare_column(mgl_treated_column *c, size_t n_rows, numbers *all, mgl_error *err)
{
    double *before, *after;
    bool before_ordered, after_ordered;
    count_changes(c, n_rows);
    MGL_TRY(mgl_treat_scale_of(&c->plain, n_rows, all->arena, err, &before, &before_ordered));
    MGL_TRY(mgl_treat_scale_of(&c->column, n_rows, all->arena, err, &after, &after_ordered));
    c->ordered = before_ordered && after_ordered && c->rows > 0;
    if (!c->ordered)
        return MGL_OK;
    count_near(c, before, after, n_rows);
    if (all->n < MGL_MOST_DISTANCE_COLUMNS) {
        all->before[all->n] = before;
        all->after[all->n++] = after;
    }
    return MGL_OK;
}

mgl_status mgl_perturbed_compare(const mgl_reading *reading, mgl_treated *all, mgl_error *err)
{
    size_t n_rows = reading->table->n_rows;
    numbers found = {.arena = mgl_arena_new()};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(found.arena != NULL, err));
    for (size_t i = 0; i < all->n; i++)
        if (all->of[i].made && mgl_treat_perturbs(all->of[i].treat) != NULL)
            MGL_GO(compare_column(&all->of[i], n_rows, &found, err));
    if (found.n == 0)
        goto done;
    mgl_distance_request request = {found.before, found.after, found.n, n_rows};
    mgl_distance_found by_distance;
    MGL_GO(mgl_rows_found_by_distance(&request, err, &by_distance));
    all->nearest = (mgl_nearest_rows){found.n, by_distance.rows, by_distance.found};
done:
    mgl_arena_free(found.arena);
    return status;
}

/* ---- Results ----------------------------------------------------------------------------------
 */

static json_t *real_or_null(bool known, double number)
{
    return known ? json_real(number) : json_null();
}

/* What is no number is unknown. */
static json_t *known_real(double number)
{
    return real_or_null(!isnan(number), number);
}

static json_t *correlations_json(const mgl_treated *all, const mgl_treated_column *c,
                                 const mgl_perturbed_figures *found)
{
    json_t *list = json_array();
    for (size_t w = 0; w < c->n_with; w++) {
        json_t *one = json_object();
        bool known = found != NULL && found->measured && found->with_before != NULL;
        mgl_json_set(one, "column", json_string(all->of[c->with[w]].name));
        mgl_json_set(one, "before", known_real(known ? found->with_before[w] : NAN));
        mgl_json_set(one, "after", known_real(known ? found->with_after[w] : NAN));
        mgl_json_set(one, "standard_errors", known_real(known ? found->with_errors[w] : NAN));
        mgl_json_append(list, one);
    }
    return list;
}

static json_t *column_json(const mgl_treated *all, const mgl_treated_column *c,
                           const mgl_promised_treat *promise)
{
    const mgl_treat_step *step = mgl_treat_perturbs(c->treat);
    const mgl_perturbed_figures *found = promise != NULL ? &promise->found : NULL;
    bool judged = found != NULL && found->judged, measured = found != NULL && found->measured;
    json_t *object = json_object();
    mgl_json_set(object, "column", json_string(c->name));
    mgl_json_set(object, "by", json_string(step->type->name));
    mgl_json_set(object, "truthful", json_false());
    mgl_json_set(object, "quasi", json_boolean(c->quasi != SIZE_MAX));
    mgl_json_set(object, "rows", mgl_json_count(c->rows));
    mgl_json_set(object, "changed_rows", mgl_json_count(c->changed_rows));
    mgl_json_set(object, "near_rows", c->ordered ? mgl_json_count(c->near_rows) : json_null());
    mgl_json_set(object, "margin_distance", real_or_null(judged, judged ? found->distance : 0));
    mgl_json_set(object, "deviation_before", real_or_null(measured, measured ? found->before : 0));
    mgl_json_set(object, "deviation_after", real_or_null(measured, measured ? found->after : 0));
    mgl_json_set(object, "correlations", correlations_json(all, c, found));
    return object;
}

static json_t *nearest_json(const mgl_treated *all)
{
    json_t *object = json_object();
    if (all->nearest.n_columns == 0) {
        json_decref(object);
        return json_null();
    }
    mgl_json_set(object, "columns", mgl_json_count(all->nearest.n_columns));
    mgl_json_set(object, "rows", mgl_json_count(all->nearest.rows));
    mgl_json_set(object, "found", json_real(all->nearest.found));
    return object;
}

/* The section of a result; NULL: nothing is perturbed. promises: [n]; NULL: nothing was written. */
static json_t *section_of(const mgl_treated *all, const mgl_promised_treat *promises)
{
    json_t *object = json_object(), *list = json_array();
    for (size_t i = 0; i < all->n; i++) {
        const mgl_treated_column *c = &all->of[i];
        if (c->made && mgl_treat_perturbs(c->treat) != NULL)
            mgl_json_append(
                list, column_json(all, c,
                                  promises != NULL && c->quasi == SIZE_MAX ? &promises[i] : NULL));
    }
    if (json_array_size(list) == 0 && mgl_json_complete(list)) {
        json_decref(list);
        json_decref(object);
        return NULL;
    }
    mgl_json_set(object, "columns", list);
    mgl_json_set(object, "nearest", nearest_json(all));
    return object;
}

void mgl_perturbed_describe(const mgl_treated *all, const mgl_promised_treat *promises,
                            mgl_result *result)
{
    json_t *section = section_of(all, promises);
    if (section != NULL)
        mgl_json_set(result->document, "perturbation", section);
}

/* ---- Warnings ---------------------------------------------------------------------------------
 */

static void warn_of_found(const json_t *perturbation, mgl_result *result)
{
    const json_t *one, *nearest = json_object_get(perturbation, "nearest");
    double found = mgl_json_number(nearest, "found"), rows = mgl_json_number(nearest, "rows");
    size_t i;
    json_array_foreach(json_object_get(perturbation, "columns"), i, one)
    {
        const char *name = mgl_json_text(one, "column");
        if (name != NULL && mgl_json_whole(one, "changed_rows") == 0)
            mgl_result_warn(result, "nothing-perturbed",
                            "column \"%.60s\" is perturbed, and all values are what they were; "
                            "perturb it more",
                            name);
    }
    if (json_is_object(nearest) && found > MANY_FOUND * rows)
        mgl_result_warn(result, "near-rows",
                        "%.1f of %.0f rows are found by someone who knows the true values of the "
                        "perturbed columns and takes the nearest row; perturb them more",
                        found, rows);
}

void mgl_perturbed_warn_of(const json_t *perturbation, mgl_result *result)
{
    const json_t *one;
    size_t i;
    json_array_foreach(json_object_get(perturbation, "columns"), i, one)
    {
        const char *name = mgl_json_text(one, "column");
        if (name != NULL && json_is_true(json_object_get(one, "quasi")))
            mgl_result_warn(result, "perturbed-quasi",
                            "column \"%.60s\" is a quasi-identifier and perturbed: models judge "
                            "cells that are not true of their rows, and say nothing about someone "
                            "who knows the true ones",
                            name);
    }
    warn_of_found(perturbation, result);
}

void mgl_perturbed_warn(const mgl_reading *reading, mgl_result *result)
{
    json_t *section = section_of(mgl_treated_of(reading), NULL);
    mgl_perturbed_warn_of(section, result);
    json_decref(section);
}

void mgl_perturbed_found(const mgl_reading *reading, mgl_result *result)
{
    mgl_perturbed_describe(mgl_treated_of(reading), NULL, result);
    warn_of_found(json_object_get(result->document, "perturbation"), result);
}

/* ---- The leak guard -----------------------------------------------------------------------------
 */

/* The guard holds columns against cells as they are perturbed, and an outsider has true ones. */
void mgl_perturbed_object(const mgl_reading *reading, mgl_objections *objections)
{
    const mgl_treated *all = mgl_treated_of(reading);
    const char *perturbed = NULL;
    for (size_t i = 0; i < all->n; i++)
        if (all->of[i].made && all->of[i].quasi != SIZE_MAX)
            perturbed = all->of[i].name;
    for (size_t c = 0; perturbed != NULL && c < mgl_source_columns(reading->source); c++)
        if (reading->roles[c] == MGL_ROLE_INSENSITIVE && !reading->replaced[c].made_up)
            mgl_objections_add(
                objections,
                &(mgl_objection){.code = "beside-perturbed",
                                 .column = mgl_source_column(reading->source, c),
                                 .remedy = "leave it out, or accept it if it says nothing about "
                                           "the true value"},
                "passes through beside the quasi-identifier \"%.60s\", which is perturbed: it can "
                "give the true value back, against which it is not held",
                perturbed);
}
