/* Finds out whether a column gives back a generalized one. Its rows are grouped by label and by
 * what is passed through, seen in several ways; what is recovered so is compared with what the
 * label alone tells, and with chance. The guards of rows and of counts call it. */
#include "risk/recovery.h"

mgl_status mgl_recovery_new(const mgl_generalized *generalized, mgl_error *err, mgl_recovery **out)
{
    mgl_recovery *r = mgl_zeroed_array(1, sizeof *r);
    if (r == NULL)
        return mgl_fail_memory(err);
    r->generalized = generalized;
    r->values = mgl_map_new();
    r->found = mgl_zeroed_array(generalized->n, sizeof *r->found);
    r->guesses = mgl_zeroed_array(generalized->n, sizeof *r->guesses);
    if (r->values == NULL || r->found == NULL || r->guesses == NULL) {
        mgl_recovery_free(r);
        return mgl_fail_memory(err);
    }
    *out = r;
    return MGL_OK;
}

mgl_status mgl_recovery_new_of_values(const mgl_generalized *generalized, mgl_error *err,
                                      mgl_recovery **out)
{
    MGL_TRY(mgl_recovery_new(generalized, err, out));
    (*out)->of_values = true;
    return MGL_OK;
}

static void forget_guesses(mgl_recovery *r)
{
    for (size_t i = 0; r->guesses != NULL && i < r->generalized->n; i++) {
        mgl_free(r->guesses[i]);
        r->guesses[i] = NULL;
    }
}

void mgl_recovery_free(mgl_recovery *r)
{
    if (r == NULL)
        return;
    mgl_map_free(r->values);
    mgl_map_free(r->persons);
    mgl_free(r->codes);
    mgl_free(r->tuples);
    mgl_free(r->times);
    mgl_ordered_free(&r->ordered);
    mgl_free(r->by_bytes);
    mgl_free(r->by_worth);
    mgl_free(r->found);
    forget_guesses(r);
    mgl_free(r->guesses);
    mgl_free(r);
}

/* Rows of one person agree, whatever the column tells: each value of a person counts once. False if
 * memory is out. */
static bool count_person_once(mgl_recovery *r, uint32_t person, uint32_t code, uint64_t *times)
{
    uint32_t key[2] = {person, code};
    if (r->persons == NULL)
        r->persons = mgl_map_new();
    if (r->persons == NULL)
        return false;
    uint32_t before = mgl_map_size(r->persons);
    uint32_t number = mgl_map_add(r->persons, (mgl_span){(const char *)key, sizeof key});
    *times = number < before ? 0 : *times;
    return number != MGL_NOT_FOUND;
}

bool mgl_recovery_watch(mgl_recovery *r, mgl_span cell, uint32_t tuple, uint64_t times,
                        uint32_t person)
{
    uint32_t code = mgl_map_add(r->values, cell);
    if (code == MGL_NOT_FOUND ||
        (person != MGL_ROW_IS_PERSON && !count_person_once(r, person, code, &times)) ||
        !mgl_grow(&r->codes, &r->room_codes, r->n_rows + 1, sizeof *r->codes) ||
        !mgl_grow(&r->tuples, &r->room_tuples, r->n_rows + 1, sizeof *r->tuples) ||
        !mgl_grow(&r->times, &r->room_times, r->n_rows + 1, sizeof *r->times))
        return false;
    r->codes[r->n_rows] = code;
    r->tuples[r->n_rows] = tuple;
    r->times[r->n_rows++] = times;
    r->counted = r->counted || times > 1;
    return true;
}

/* ---- Order --------------------------------------------------------------------------------- */

/* Rows in the order of their values. */
static bool sort_rows(const mgl_recovery *r, const uint32_t *values, uint32_t *rows)
{
    uint32_t n = r->ordered.n;
    size_t *start = mgl_zeroed_array((size_t)n + 1, sizeof *start), at = 0;
    if (start == NULL)
        return false;
    for (size_t i = 0; i < r->n_rows; i++)
        start[r->codes[i]]++;
    for (uint32_t i = 0; i < n; i++) {
        size_t count = start[values[i]];
        start[values[i]] = at;
        at += count;
    }
    for (size_t i = 0; i < r->n_rows; i++)
        rows[start[r->codes[i]]++] = (uint32_t)i;
    mgl_free(start);
    return true;
}

mgl_status mgl_recovery_prepare(mgl_recovery *r, mgl_error *err)
{
    MGL_TRY(mgl_ordered_init(&r->ordered, r->values, err));
    for (int view = MGL_VIEW_RARE_VALUES + 1; r->of_values && view < MGL_VIEWS; view++)
        r->ordered.any[view] = false;
    r->by_bytes = mgl_alloc_array(r->n_rows, sizeof *r->by_bytes);
    r->by_worth = mgl_alloc_array(r->n_rows, sizeof *r->by_worth);
    bool whole = r->by_bytes != NULL && r->by_worth != NULL &&
                 sort_rows(r, r->ordered.by_bytes, r->by_bytes) &&
                 sort_rows(r, r->ordered.by_worth, r->by_worth);
    return whole ? MGL_OK : mgl_fail_memory(err);
}

size_t mgl_recovery_tests(const mgl_generalized *generalized)
{
    return generalized->n * MGL_VIEWS;
}

/* ---- Judging ------------------------------------------------------------------------------- */

static uint64_t sum_of(const uint64_t *numbers, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += numbers[i];
    return sum;
}

static double gain_of(const mgl_given_back *f)
{
    double known = (double)f->by_label > f->by_chance ? (double)f->by_label : f->by_chance;
    return (double)f->rows - known;
}

/* One view of one attribute. Chance is worked out only where there is something to explain. */
static mgl_given_back judge_view(mgl_grouping *g, mgl_view view, uint64_t by_label,
                                 const mgl_recovery_rule *rule)
{
    mgl_given_back f = {.by_label = by_label, .by_words = view == MGL_VIEW_WORDS};
    mgl_margins margins = {g->told, g->margins, g->room};
    if (f.by_words) {
        g->failed = !mgl_mentions_count(g, NULL, &f.rows, &f.by_chance) || g->failed;
    } else {
        mgl_grouping_look(g, view, NULL);
        f.rows = g->recovered;
        if (!g->failed && gain_of(&f) >= rule->least_gain)
            f.by_chance = mgl_chance_expected(&margins, g->groups, g->n_groups);
    }
    if (g->failed || gain_of(&f) < rule->least_gain)
        return f;
    double log_bound = f.by_words ? mgl_chance_of_matches(f.by_chance, f.rows)
                                  : mgl_chance_bound(&margins, g->groups, g->n_groups, f.rows);
    f.real = log_bound <= rule->log_level;
    return f;
}

/* What an outsider puts into the rows. False if memory is out. */
static bool guess(mgl_grouping *g, mgl_view view, uint32_t **out)
{
    uint64_t rows;
    double expected;
    size_t n = g->r->n_rows;
    uint32_t *guesses = *out = mgl_alloc_array(n, sizeof *guesses);
    if (guesses == NULL)
        return false;
    for (size_t row = 0; row < n; row++)
        guesses[row] = MGL_NOT_FOUND;
    if (view == MGL_VIEW_WORDS)
        return mgl_mentions_count(g, guesses, &rows, &expected);
    mgl_grouping_look(g, view, guesses);
    return !g->failed;
}

static mgl_status judge_attribute(mgl_recovery *r, size_t i, const mgl_recovery_rule *rule,
                                  mgl_error *err)
{
    mgl_grouping g;
    mgl_given_back best = {0};
    mgl_view best_view = MGL_VIEW_VALUES;
    g.failed = !mgl_grouping_begin(&g, r, &r->generalized->told[i]);
    if (!g.failed) {
        uint64_t by_label = r->of_values ? 0 : mgl_grouping_by_label(&g);
        bool enough = (double)g.n_rows >= rule->least_gain || r->counted;
        for (int view = 0; enough && !g.failed && view < MGL_VIEWS; view++) {
            if (!r->ordered.any[view])
                continue;
            mgl_given_back found = judge_view(&g, (mgl_view)view, by_label, rule);
            bool better = found.by_words || !best.real || gain_of(&found) > gain_of(&best);
            if (!found.real || !better) /* words in a text are the plainest evidence */
                continue;
            best = found;
            best_view = (mgl_view)view;
        }
        best.of = sum_of(g.margins, g.told->n_pairs);
        g.failed = g.failed || (best.real && !guess(&g, best_view, &r->guesses[i]));
    }
    mgl_grouping_end(&g);
    r->found[i] = best;
    return g.failed ? mgl_fail_memory(err) : MGL_OK;
}

mgl_status mgl_recovery_judge(mgl_recovery *r, const mgl_recovery_rule *rule, mgl_error *err)
{
    forget_guesses(r);
    for (size_t i = 0; i < r->generalized->n; i++)
        MGL_TRY(judge_attribute(r, i, rule, err));
    return MGL_OK;
}

const mgl_given_back *mgl_recovery_found(const mgl_recovery *r)
{
    return r->found;
}

const uint32_t *mgl_recovery_guesses(const mgl_recovery *r, size_t i)
{
    return r->guesses[i];
}

size_t mgl_recovery_rows(const mgl_recovery *r)
{
    return r->n_rows;
}
