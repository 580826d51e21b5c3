/* Finds out whether two columns together give back a generalized one. What both recover is compared
 * with what either recovers alone, and with chance among the rows that agree in one of them: only
 * what needs both is real. docs/leak-guard.md is the derivation. */
#include "risk/recovery.h"

#include <math.h>
#include <stdlib.h>

/* More combinations than this are not counted. */
enum { MOST_CELLS = 4000000 };

/* ---- Labels that say one of the columns ---------------------------------------------------- */

typedef struct refined {
    mgl_told told;
    uint32_t *pairs; /* [cell] of `told` */
} refined;

typedef struct refining {
    uint32_t label, code, leaf, cell;
} refining;

static int in_order(const void *a, const void *b)
{
    const refining *x = a, *y = b;
    if (x->label != y->label)
        return x->label < y->label ? -1 : 1;
    if (x->code != y->code)
        return x->code < y->code ? -1 : 1;
    if (x->leaf != y->leaf)
        return x->leaf < y->leaf ? -1 : 1;
    return (x->cell > y->cell) - (x->cell < y->cell);
}

static void free_refined(refined *r)
{
    mgl_free(r->told.label_of_pair);
    mgl_free(r->told.leaf_of_pair);
    mgl_free(r->told.first_pair);
    mgl_free(r->pairs);
}

static bool number_pairs(refined *r, const refining *sorted, size_t n)
{
    mgl_told *told = &r->told;
    told->label_of_pair = mgl_alloc_array(n, sizeof *told->label_of_pair);
    told->leaf_of_pair = mgl_alloc_array(n, sizeof *told->leaf_of_pair);
    told->first_pair = mgl_alloc_array(n + 1, sizeof *told->first_pair);
    r->pairs = mgl_alloc_array(n, sizeof *r->pairs);
    if (told->label_of_pair == NULL || told->leaf_of_pair == NULL || told->first_pair == NULL ||
        r->pairs == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        const refining *x = &sorted[i], *before = i > 0 ? x - 1 : NULL;
        bool new_label = before == NULL || x->label != before->label || x->code != before->code;
        if (new_label)
            told->first_pair[told->n_labels++] = told->n_pairs;
        if (new_label || x->leaf != before->leaf) {
            told->label_of_pair[told->n_pairs] = told->n_labels - 1;
            told->leaf_of_pair[told->n_pairs++] = x->leaf;
        }
        r->pairs[x->cell] = told->n_pairs - 1;
    }
    told->first_pair[told->n_labels] = told->n_pairs;
    return true;
}

/* Labels and ground values as `told` has them, and labels apart where the first (second) column
 * differs. False if memory is out; free with free_refined in any case. */
static bool refine(const mgl_told *told, const mgl_cells *cells, uint32_t n_other, bool second,
                   refined *out)
{
    refining *list = mgl_alloc_array(cells->n, sizeof *list);
    *out = (refined){.told = {.attribute = told->attribute}};
    for (size_t i = 0; list != NULL && i < cells->n; i++) {
        uint64_t value = cells->values[i];
        list[i] = (refining){told->label_of_pair[cells->pairs[i]],
                             (uint32_t)(second ? value % n_other : value / n_other),
                             told->leaf_of_pair[cells->pairs[i]], (uint32_t)i};
    }
    if (list != NULL && cells->n > 1)
        qsort(list, cells->n, sizeof *list, in_order);
    bool whole = list != NULL && number_pairs(out, list, cells->n);
    mgl_free(list);
    return whole;
}

/* ---- Judging ------------------------------------------------------------------------------- */

/* What either view recovers, the larger of both, whatever chance says: most pairs end here. Cells
 * stand in the order of values, and within a value of labels. */
static uint64_t recovered_at_most(const mgl_told *told, const mgl_cells *cells)
{
    uint64_t rows = 0, rare = 0, all_rare = 0;
    for (size_t i = 0, end; i < cells->n; i = end) {
        uint32_t label = told->label_of_pair[cells->pairs[i]];
        uint64_t size = 0, most = 0;
        for (end = i; end < cells->n && cells->codes[end] == cells->codes[i] &&
                      told->label_of_pair[cells->pairs[end]] == label;
             end++) {
            size += cells->times[end];
            most = cells->times[end] > most ? cells->times[end] : most;
        }
        bool is_rare = size >= 2 && size < MGL_FEWEST_TOGETHER;
        uint64_t recovered = size >= 2 && most >= mgl_recovered_from(size) ? most : 0;
        all_rare += is_rare ? size : 0;
        rare += is_rare ? recovered : 0;
        rows += is_rare ? 0 : recovered;
    }
    if (100 * rare < MGL_RECOVERED_PERCENT * all_rare)
        rare = 0;
    return rows > rare ? rows : rare;
}

/* Both columns must add something to the other one. */
static mgl_given_back worse_of(mgl_given_back a, mgl_given_back b)
{
    mgl_given_back worse = a.gain <= b.gain ? a : b;
    worse.by_label = a.by_label > b.by_label ? a.by_label : b.by_label;
    worse.real = a.real && b.real;
    worse.much = a.much && b.much;
    return worse;
}

static bool judge_cells(const mgl_told *told, const mgl_cells *cells, uint32_t n_other,
                        const mgl_recovery_rule *rule, mgl_given_back *out)
{
    refined by[2] = {0};
    mgl_grouping g[2] = {{0}, {0}};
    bool whole = true;
    for (int s = 0; s < 2 && whole; s++)
        whole = refine(told, cells, n_other, s == 1, &by[s]) &&
                mgl_grouping_begin(&g[s], cells, &by[s].told, by[s].pairs, NULL, NULL);
    for (int view = MGL_VIEW_VALUES; whole && view <= MGL_VIEW_RARE_VALUES; view++) {
        mgl_given_back f[2];
        for (int s = 0; s < 2; s++)
            f[s] =
                mgl_grouping_judge(&g[s], (mgl_view)view, mgl_grouping_by_label(&g[s]), rule, NULL);
        mgl_given_back both = worse_of(f[0], f[1]);
        if (both.real && (!out->real || both.much > out->much ||
                          (both.much == out->much && both.gain > out->gain))) {
            *out = both;
            out->rare = view == MGL_VIEW_RARE_VALUES;
        }
        whole = !g[0].failed && !g[1].failed;
    }
    for (int s = 0; s < 2; s++) {
        mgl_grouping_end(&g[s]);
        free_refined(&by[s]);
    }
    return whole;
}

/* What is put into the rows. */
static bool guess(const mgl_told *told, const mgl_cells *cells, bool rare, uint32_t **out)
{
    mgl_grouping g;
    uint32_t *guesses = *out = mgl_alloc_array(cells->n, sizeof *guesses);
    bool whole = mgl_grouping_begin(&g, cells, told, cells->pairs, NULL, NULL) && guesses != NULL;
    for (size_t i = 0; whole && i < cells->n; i++)
        guesses[i] = MGL_NOT_FOUND;
    if (whole)
        mgl_grouping_look(&g, rare ? MGL_VIEW_RARE_VALUES : MGL_VIEW_VALUES, guesses);
    whole = whole && !g.failed;
    mgl_grouping_end(&g);
    return whole;
}

static bool put_in_order(mgl_cells *cells)
{
    cells->by_bytes = mgl_alloc_array(cells->n, sizeof *cells->by_bytes);
    for (size_t i = 0; cells->by_bytes != NULL && i < cells->n; i++)
        cells->by_bytes[i] = (uint32_t)i;
    return cells->by_bytes != NULL;
}

static mgl_status judge_attribute(mgl_recovery *r, size_t i, const mgl_recovery_rule *rule,
                                  mgl_error *err, mgl_pair_test *test)
{
    const mgl_told *told = &r->generalized->told[i];
    mgl_cells *cells = &r->guesses[i].cells;
    mgl_given_back found = {0};
    bool whole = true;
    switch (mgl_cells_count(&r->rows, told, MOST_CELLS, cells)) {
    case MGL_CELLS_COUNTED:
        if ((double)recovered_at_most(told, cells) < rule->least_gain)
            break;
        whole = put_in_order(cells) && judge_cells(told, cells, r->rows.n_other, rule, &found) &&
                (!found.real || guess(told, cells, found.rare, &r->guesses[i].leaves));
        for (size_t c = 0; c < cells->n; c++)
            found.of += cells->times[c];
        break;
    case MGL_CELLS_TOO_MANY:
        *test = MGL_PAIR_TOO_MANY;
        break;
    case MGL_CELLS_NO_MEMORY:
        whole = false;
        break;
    }
    r->found[i] = found;
    if (r->guesses[i].leaves == NULL)
        mgl_cells_free(cells);
    return whole ? MGL_OK : mgl_fail_memory(err);
}

/* A column of one value adds nothing. */
static bool may_add(const mgl_recovery *one, const mgl_recovery *other)
{
    return mgl_map_size(one->values) > 1 && mgl_map_size(other->values) > 1;
}

bool mgl_is_late(const mgl_recovery_rule *rule)
{
    return rule->deadline > 0 && mgl_sys_seconds() > rule->deadline;
}

mgl_status mgl_recovery_of_two(const mgl_recovery *one, const mgl_recovery *other,
                               const mgl_recovery_rule *rule, mgl_error *err, mgl_recovery **out,
                               mgl_pair_test *test)
{
    mgl_recovery *r = NULL;
    mgl_status status = MGL_OK;
    *out = NULL;
    *test = MGL_PAIR_TESTED;
    if (!may_add(one, other))
        return MGL_OK;
    r = mgl_recovery_alloc(one->generalized);
    MGL_GO(r == NULL ? mgl_fail_memory(err) : MGL_OK);
    r->rows = (mgl_coded_rows){.codes = one->codes,
                               .other = other->codes,
                               .n_values = mgl_map_size(one->values),
                               .n_other = mgl_map_size(other->values),
                               .tuples = one->tuples,
                               .times = one->times,
                               .n = one->n_rows};
    if (one->persons != NULL) {
        r->of_person = mgl_count_persons_once(&r->rows, one->persons);
        MGL_GO(r->of_person == NULL ? mgl_fail_memory(err) : MGL_OK);
        r->rows.times = r->of_person;
    }
    for (size_t i = 0; i < r->generalized->n; i++) {
        if (mgl_is_late(rule)) {
            *test = MGL_PAIR_TOO_LATE;
            break;
        }
        MGL_GO(judge_attribute(r, i, rule, err, test));
    }
    if (mgl_recovery_any_real(r)) {
        *out = r;
        r = NULL;
    }
done:
    mgl_recovery_free(r);
    return status;
}
