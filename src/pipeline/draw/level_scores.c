/* Scores the nodes that a choice of levels is left: the rows whose combination is frequent enough,
 * times the precision of the node. docs/differential-privacy.md#choosing-levels proves how much one
 * row can change a score.
 *
 * Each column in turn is taken up one level after the other, and what is equal then becomes one, so
 * that nodes share the work for their first columns. */
#include "pipeline/draw/draw.h"

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

void mgl_level_choice_node(const mgl_level_choice *choice, size_t number, uint32_t *node)
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
    mgl_level_choice_node(s->choice, number, node);
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
