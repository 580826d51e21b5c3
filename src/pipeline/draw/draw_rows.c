/* Draws the rows of a release that is differentially private (docs/differential-privacy.md): reads
 * the whole table, has the exponential mechanism choose the levels that the job leaves open, and
 * draws the sample by these. Each random choice is made anew for each release, by the system's
 * random numbers: a seed would be known to somebody. */
#include "pipeline/draw/draw.h"

#include <math.h>

static size_t place_of(const mgl_settings *settings, const mgl_attribute_settings *attribute)
{
    return (size_t)(attribute - settings->attributes);
}

static mgl_status copy_settings(const mgl_settings *settings, mgl_error *err, mgl_drawn *drawn)
{
    size_t n = settings->n_attributes;
    drawn->settings = *settings;
    MGL_TRY(mgl_new_array(n, sizeof *drawn->attributes, err, &drawn->attributes));
    memcpy(drawn->attributes, settings->attributes, n * sizeof *drawn->attributes);
    drawn->settings.attributes = drawn->attributes;
    return MGL_OK;
}

/* ---- Levels ---------------------------------------------------------------------------------- */

/* What the job leaves open of the levels. */
static mgl_status find_bounds(const mgl_reading *reading, mgl_arena *arena, mgl_error *err,
                              mgl_level_choice *out)
{
    size_t m = reading->n_quasi;
    uint32_t *least = mgl_arena_alloc(arena, m * sizeof *least),
             *most = mgl_arena_alloc(arena, m * sizeof *most);
    double *weights = mgl_arena_alloc(arena, m * sizeof *weights);
    MGL_TRY(mgl_check_memory(least != NULL && most != NULL && weights != NULL, err));
    for (size_t a = 0; a < m; a++) {
        const mgl_attribute_settings *settings = reading->quasi[a].settings;
        const mgl_level_range *levels = &settings->levels;
        uint32_t height = reading->quasi[a].hierarchy->height;
        least[a] = settings->has_level ? levels->min : 0;
        most[a] = settings->has_level && levels->max != UINT32_MAX ? levels->max : height;
        weights[a] = mgl_settings_weight(reading->settings, settings->name, &settings->weight);
        if (most[a] > height || least[a] > most[a])
            return mgl_fail_attribute(
                err, MGL_CODE_BAD_VALUE, settings->name, "level",
                "`attributes.%.60s.level: %u..%u`: the hierarchy of this column has levels 0..%u",
                settings->name, least[a], most[a], height);
    }
    out->least = least;
    out->most = most;
    out->weights = weights;
    return MGL_OK;
}

/* So many rows of the table that as many as a release needs can be expected in the sample. */
static uint64_t rows_needed(const mgl_sampling *sampling)
{
    return (uint64_t)ceil((double)sampling->k * (double)MGL_RATE_ONE / (double)sampling->rate);
}

static mgl_status choose_levels(const mgl_level_choice *choice, const mgl_sampling *sampling,
                                mgl_random *random, mgl_error *err, uint32_t *node)
{
    uint64_t *scores;
    size_t n;
    if (sampling->choosing == 0) {
        memcpy(node, choice->least, choice->list->n_attributes * sizeof *node);
        return MGL_OK;
    }
    MGL_TRY(mgl_level_scores(choice, err, &scores, &n));
    mgl_level_choice_node(
        choice, mgl_random_by_score(random, sampling->choosing, MGL_SCORE_SENSITIVITY, scores, n),
        node);
    mgl_free(scores);
    return MGL_OK;
}

/* From now on these columns have one level each. */
static void fix_levels(const mgl_reading *reading, const uint32_t *node, mgl_drawn *drawn)
{
    for (size_t a = 0; a < reading->n_quasi; a++) {
        mgl_attribute_settings *settings =
            &drawn->attributes[place_of(reading->settings, reading->quasi[a].settings)];
        settings->has_level = true;
        settings->levels = (mgl_level_range){node[a], node[a]};
    }
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* The class that each tuple is released in. */
static mgl_status find_classes(const mgl_frequency_list *list, const uint32_t *node,
                               mgl_arena *arena, mgl_error *err, mgl_classes *classes)
{
    size_t m = list->n_attributes, n = list->n_tuples;
    uint32_t **cells = mgl_arena_alloc(arena, m * sizeof *cells),
             *n_values = mgl_arena_alloc(arena, m * sizeof *n_values);
    MGL_TRY(mgl_check_memory(cells != NULL && n_values != NULL, err));
    for (size_t a = 0; a < m; a++) {
        const mgl_level *level = &list->hierarchies[a]->levels[node[a]];
        cells[a] = mgl_arena_alloc(arena, n * sizeof *cells[a]);
        MGL_TRY(mgl_check_memory(cells[a] != NULL, err));
        n_values[a] = level->n_values;
        for (size_t t = 0; t < n; t++)
            cells[a][t] = level->of_leaf[mgl_list_leaf(list, t, a)];
    }
    MGL_TRY(mgl_classes_init(classes, n, m, err));
    mgl_classes_group(classes, cells, n_values, NULL, m, list->counts);
    return MGL_OK;
}

static mgl_status find_class_of_rows(const mgl_reading *reading, const mgl_frequency_list *list,
                                     const mgl_classes *classes, mgl_error *err, uint32_t *class_of)
{
    mgl_tuple_finder *finder;
    size_t n = reading->table->n_rows;
    MGL_TRY(mgl_tuple_finder_new(list, reading->bound, err, &finder));
    mgl_tuple_find(finder, 0, n, class_of);
    mgl_tuple_finder_free(finder);
    for (size_t row = 0; row < n; row++)
        class_of[row] = classes->of_tuple[class_of[row]];
    return MGL_OK;
}

/* How many rows that are, is known from the release. */
static mgl_status draw(const mgl_reading *reading, const mgl_frequency_list *list,
                       const mgl_classes *classes, mgl_random *random, mgl_error *err,
                       mgl_drawn *drawn)
{
    mgl_row_choice *choice = &drawn->rows.choice;
    mgl_rows_in_classes rows = {.n = reading->table->n_rows, .n_classes = classes->n_classes};
    uint32_t *class_of = NULL;
    uint64_t *sizes = NULL;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_new_array(rows.n + 1, sizeof *class_of, err, &class_of));
    MGL_GO(mgl_new_array(rows.n_classes + 1, sizeof *sizes, err, &sizes));
    MGL_GO(mgl_new_zeroed(rows.n / 64 + 1, sizeof *choice->bits, err, &choice->bits));
    MGL_GO(find_class_of_rows(reading, list, classes, err, class_of));
    rows.class_of = class_of;
    choice->n_rows = rows.n;
    choice->n_chosen =
        mgl_sample_rows(random, &drawn->settings.sampling, &rows, choice->bits, sizes);
    if (choice->n_chosen == 0)
        MGL_GO(mgl_fail_key(err, MGL_CODE_EMPTY_RELEASE, "dp",
                            "no combination of released values is frequent enough (`dp` needs %llu "
                            "sampled rows of each), so nothing is released; give coarser levels "
                            "(`level`), fewer columns, or a larger epsilon or delta",
                            (unsigned long long)drawn->settings.sampling.k));
    drawn->settings.chosen.drawn = &drawn->rows;
done:
    mgl_free(class_of);
    mgl_free(sizes);
    return status;
}

/* ---- All together ---------------------------------------------------------------------------- */

static mgl_status draw_all(mgl_reading *reading, mgl_arena *arena, mgl_error *err, mgl_drawn *drawn)
{
    mgl_counts counts;
    mgl_random random;
    mgl_classes classes = {0};
    mgl_status status = MGL_OK;
    mgl_level_choice choice = {.rows = rows_needed(&reading->settings->sampling)};
    uint32_t *node = mgl_arena_alloc(arena, reading->n_quasi * sizeof *node);
    MGL_GO(mgl_check_memory(node != NULL, err));
    MGL_GO(find_bounds(reading, arena, err, &choice));
    MGL_GO(mgl_counts_find(reading, err, &counts));
    choice.list = counts.list;
    MGL_GO(mgl_random_init(&random, err));
    MGL_GO(choose_levels(&choice, &reading->settings->sampling, &random, err, node));
    fix_levels(reading, node, drawn);
    MGL_GO(find_classes(counts.list, node, arena, err, &classes));
    MGL_GO(draw(reading, counts.list, &classes, &random, err, drawn));
done:
    mgl_classes_free(&classes);
    return status;
}

mgl_status mgl_draw_rows(mgl_session *session, const mgl_settings *settings, mgl_error *err,
                         mgl_drawn **out)
{
    mgl_drawn *drawn = NULL;
    mgl_reading *reading = NULL;
    mgl_arena *arena = NULL;
    mgl_status status = MGL_OK;
    *out = NULL;
    if (!settings->chosen.draws)
        return MGL_OK;
    MGL_GO(mgl_new_zeroed(1, sizeof *drawn, err, &drawn));
    MGL_GO(mgl_check_memory((arena = mgl_arena_new()) != NULL, err));
    MGL_GO(copy_settings(settings, err, drawn));
    MGL_GO(mgl_reading_new(session, settings, MGL_TO_RELEASE, err, &reading));
    MGL_GO(draw_all(reading, arena, err, drawn));
    *out = drawn;
    drawn = NULL;
done:
    mgl_reading_free(reading);
    mgl_arena_free(arena);
    mgl_drawn_free(drawn);
    return status;
}

void mgl_drawn_free(mgl_drawn *drawn)
{
    if (drawn == NULL)
        return;
    mgl_free(drawn->rows.choice.bits);
    mgl_free(drawn->attributes);
    mgl_free(drawn);
}
