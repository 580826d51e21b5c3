/* Draws the rows of a release that is differentially private (docs/differential-privacy.md): reads
 * the whole table, has the exponential mechanism choose the levels that the job leaves open, and
 * draws the sample by these. Each random choice is made anew for each release, by the system's
 * random numbers: a seed could be known. */
#include "pipeline/draw/draw.h"

#include <math.h>

/* ---- Scores of nodes ---------------------------------------------------------------------- */

enum { MOST_NODES = 100000 };

/* Tuples that differ, of which the columns up to one are generalized. */
typedef struct generalized {
    uint32_t **cells; /* [attributes][n] */
    uint64_t *counts;
    size_t n;
} generalized;

typedef struct scoring {
    const mgl_level_choice *choice;
    generalized *at; /* [attributes + 1] before each column, and behind the last */
    mgl_classes classes;
    uint32_t *n_values; /* [attributes] */
    uint32_t *node;
    uint64_t *scores;
    size_t n;
} scoring;

static size_t count_nodes(const mgl_level_choice *choice)
{
    size_t n = 1;
    for (size_t a = 0; a < choice->list->n_attributes && n <= MOST_NODES; a++)
        n *= choice->most[a] - choice->least[a] + (size_t)1;
    return n;
}

/* The levels of the node with this number. */
static void level_choice_node(const mgl_level_choice *choice, size_t number, uint32_t *node)
{
    for (size_t a = choice->list->n_attributes; a-- > 0;) {
        size_t levels = choice->most[a] - choice->least[a] + (size_t)1;
        node[a] = choice->least[a] + (uint32_t)(number % levels);
        number /= levels;
    }
}

/* Of the node alone: no row changes it. */
static uint64_t precision_of(const scoring *s)
{
    const mgl_level_choice *choice = s->choice;
    double lost = 0, sum = 0;
    for (size_t a = 0; a < choice->list->n_attributes; a++) {
        lost += choice->weights[a] * s->node[a] / choice->list->hierarchies[a]->height;
        sum += choice->weights[a];
    }
    double kept = 1 - lost / sum;
    return kept > 0 ? (uint64_t)(kept * (double)MGL_SCORE_ONE) : 0;
}

/* 0 up to the rows that a class needs, all of them from twice as many on; between these it grows by
 * the slope. */
static uint64_t rows_kept(const mgl_level_choice *choice, uint64_t n)
{
    uint64_t above = n > choice->rows ? MGL_SCORE_SLOPE * (n - choice->rows) : 0;
    return above < n ? above : n;
}

static void score(scoring *s, const generalized *here)
{
    uint64_t kept = 0;
    for (size_t t = 0; t < here->n; t++)
        kept += rows_kept(s->choice, here->counts[t]);
    s->scores[s->n++] = kept * precision_of(s);
}

/* Takes column a of the tuples to the level, and makes one of those that are equal then. */
static void generalize(scoring *s, size_t a, uint32_t level)
{
    const mgl_level *to = &s->choice->list->hierarchies[a]->levels[level];
    const generalized *from = &s->at[a];
    generalized *out = &s->at[a + 1];
    size_t m = s->choice->list->n_attributes;
    for (size_t t = 0; t < from->n; t++)
        out->cells[a][t] = to->of_leaf[from->cells[a][t]];
    uint32_t *own = out->cells[a], *leaves = from->cells[a];
    from->cells[a] = own;
    mgl_classes_fit(&s->classes, from->n);
    mgl_classes_group(&s->classes, from->cells, s->n_values, NULL, m, from->counts);
    from->cells[a] = leaves;
    out->n = s->classes.n_classes;
    for (size_t c = 0; c < out->n; c++) { /* classes are numbered by their first tuples */
        uint32_t first = s->classes.first[c];
        own[c] = own[first];
        for (size_t b = 0; b < m; b++)
            if (b != a)
                out->cells[b][c] = from->cells[b][first];
        out->counts[c] = s->classes.sizes[c];
    }
}

/* The first column in which the node differs from the one before. */
static size_t go_on(scoring *s, size_t number)
{
    size_t m = s->choice->list->n_attributes, a = 0;
    uint32_t *node = s->node, *before = s->node + m;
    memcpy(before, node, m * sizeof *node);
    level_choice_node(s->choice, number, node);
    while (number > 0 && a + 1 < m && before[a] == node[a])
        a++;
    return a;
}

static mgl_status make_room(scoring *s, mgl_error *err)
{
    const mgl_frequency_list *list = s->choice->list;
    size_t m = list->n_attributes;
    MGL_TRY(mgl_new_zeroed(m + 1, sizeof *s->at, err, &s->at));
    MGL_TRY(mgl_new_zeroed(m, sizeof *s->n_values, err, &s->n_values));
    MGL_TRY(mgl_new_zeroed(2 * m, sizeof *s->node, err, &s->node));
    for (size_t i = 0; i <= m; i++) {
        generalized *one = &s->at[i];
        MGL_TRY(mgl_new_zeroed(m, sizeof *one->cells, err, &one->cells));
        for (size_t a = 0; a < m; a++)
            MGL_TRY(mgl_new_array(list->n_tuples, sizeof *one->cells[a], err, &one->cells[a]));
        MGL_TRY(mgl_new_array(list->n_tuples, sizeof *one->counts, err, &one->counts));
    }
    return mgl_classes_init(&s->classes, list->n_tuples, m, err);
}

static void begin(scoring *s)
{
    const mgl_frequency_list *list = s->choice->list;
    generalized *first = &s->at[0];
    for (size_t a = 0; a < list->n_attributes; a++) {
        s->n_values[a] = list->hierarchies[a]->n_leaves;
        for (size_t t = 0; t < list->n_tuples; t++)
            first->cells[a][t] = mgl_list_leaf(list, t, a);
    }
    memcpy(first->counts, list->counts, list->n_tuples * sizeof *first->counts);
    first->n = list->n_tuples;
}

static void finish(scoring *s)
{
    size_t m = s->choice->list->n_attributes;
    for (size_t i = 0; s->at != NULL && i <= m; i++) {
        for (size_t a = 0; s->at[i].cells != NULL && a < m; a++)
            mgl_free(s->at[i].cells[a]);
        mgl_free(s->at[i].cells);
        mgl_free(s->at[i].counts);
    }
    mgl_free(s->at);
    mgl_free(s->n_values);
    mgl_free(s->node);
    mgl_free(s->scores);
    mgl_classes_free(&s->classes);
}

mgl_status mgl_level_scores(const mgl_level_choice *choice, mgl_error *err, uint64_t **out,
                            size_t *n)
{
    scoring s = {.choice = choice};
    size_t n_nodes = count_nodes(choice), m = choice->list->n_attributes;
    mgl_status status = MGL_OK;
    if (n_nodes > MOST_NODES)
        return mgl_fail_key(err, MGL_CODE_LIMIT, "level",
                            "`dp` would choose among more than %d combinations of levels; give "
                            "levels or bounds of them, for example `level: COLUMN=1..2`",
                            MOST_NODES);
    MGL_GO(mgl_new_array(n_nodes, sizeof *s.scores, err, &s.scores));
    MGL_GO(make_room(&s, err));
    begin(&s);
    for (size_t number = 0; number < n_nodes; number++) {
        for (size_t a = go_on(&s, number); a < m; a++)
            generalize(&s, a, s.node[a]);
        score(&s, &s.at[m]);
    }
    *n = s.n;
    *out = s.scores;
    s.scores = NULL;
done:
    finish(&s);
    return status;
}

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
    level_choice_node(
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
        mgl_sample_rows(random, &drawn->settings.dp.sampling, &rows, choice->bits, sizes);
    if (choice->n_chosen == 0)
        MGL_GO(mgl_fail_key(err, MGL_CODE_EMPTY_RELEASE, "dp",
                            "no combination of released values is frequent enough (`dp` needs %llu "
                            "sampled rows of each), so nothing is released; give coarser levels "
                            "(`level`), fewer columns, or a larger epsilon or delta",
                            (unsigned long long)drawn->settings.dp.sampling.k));
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
    mgl_level_choice choice = {.rows = rows_needed(&reading->settings->dp.sampling)};
    uint32_t *node = mgl_arena_alloc(arena, reading->n_quasi * sizeof *node);
    MGL_GO(mgl_check_memory(node != NULL, err));
    MGL_GO(find_bounds(reading, arena, err, &choice));
    MGL_GO(mgl_counts_find(reading, err, &counts));
    choice.list = counts.list;
    MGL_GO(mgl_random_init(&random, err));
    MGL_GO(choose_levels(&choice, &reading->settings->dp.sampling, &random, err, node));
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
