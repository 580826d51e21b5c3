/* Rows grouped by label and by what is passed through. */
#include "risk/recovery.h"

/* ---- Counting ------------------------------------------------------------------------------ */

void mgl_grouping_end(mgl_grouping *c)
{
    mgl_free(c->margins);
    mgl_free(c->rows);
    mgl_free(c->touched);
    mgl_free(c->size);
    mgl_free(c->most);
    mgl_free(c->winner);
    mgl_free(c->labels);
    mgl_free(c->room);
    mgl_free(c->lifted);
    mgl_free(c->class_of);
    mgl_free(c->groups);
}

static uint32_t pair_of(const mgl_grouping *c, size_t row)
{
    return c->told->pair_of_tuple[c->r->tuples[row]];
}

bool mgl_grouping_begin(mgl_grouping *c, const mgl_recovery *r, const mgl_told *told)
{
    size_t n_pairs = told->n_pairs, n_labels = told->n_labels;
    *c = (mgl_grouping){.r = r, .told = told};
    c->margins = mgl_zeroed_array(n_pairs, sizeof *c->margins);
    c->rows = mgl_zeroed_array(n_pairs, sizeof *c->rows);
    c->touched = mgl_alloc_array(n_pairs, sizeof *c->touched);
    c->size = mgl_zeroed_array(n_labels, sizeof *c->size);
    c->most = mgl_zeroed_array(n_labels, sizeof *c->most);
    c->winner = mgl_alloc_array(n_labels, sizeof *c->winner);
    c->labels = mgl_alloc_array(n_labels, sizeof *c->labels);
    c->room = mgl_alloc_array(n_pairs, sizeof *c->room);
    c->lifted = mgl_alloc_array(r->n_rows, sizeof *c->lifted);
    c->class_of = mgl_alloc_array(r->n_rows, sizeof *c->class_of);
    if (c->margins == NULL || c->rows == NULL || c->touched == NULL || c->size == NULL ||
        c->most == NULL || c->winner == NULL || c->labels == NULL || c->room == NULL ||
        c->lifted == NULL || c->class_of == NULL)
        return false;
    if (r->of_values && n_pairs > 0)
        memcpy(c->margins, told->rows_of_pair, n_pairs * sizeof *c->margins);
    for (size_t i = 0; !r->of_values && i < r->n_rows; i++)
        if (pair_of(c, i) != MGL_NOT_FOUND)
            c->margins[pair_of(c, i)] += r->times[i];
    return true;
}

static void count_row(mgl_grouping *c, size_t row)
{
    uint32_t pair = pair_of(c, row);
    if (pair == MGL_NOT_FOUND || c->r->times[row] == 0)
        return;
    if (c->rows[pair] == 0)
        c->touched[c->n_touched++] = pair;
    c->rows[pair] += c->r->times[row];
}

/* The rows that were counted since the last call have the same value: one group for each label. */
static void end_group(mgl_grouping *c)
{
    for (size_t i = 0; i < c->n_touched; i++) {
        uint32_t pair = c->touched[i], label = c->told->label_of_pair[pair];
        if (c->size[label] == 0)
            c->labels[c->n_labels++] = label;
        c->size[label] += c->rows[pair];
        if (c->rows[pair] > c->most[label]) {
            c->most[label] = c->rows[pair];
            c->winner[label] = pair;
        }
        c->rows[pair] = 0;
    }
    for (size_t i = 0; i < c->n_labels; i++) {
        uint32_t label = c->labels[i];
        bool enough = c->size[label] >= c->least && c->size[label] <= c->most_rows;
        c->grouped += enough ? c->size[label] : 0;
        if (enough && !mgl_grow(&c->groups, &c->room_groups, c->n_groups + 1, sizeof *c->groups))
            c->failed = true;
        else if (enough)
            c->groups[c->n_groups++] = (mgl_together){label, c->size[label]};
        if (enough && c->most[label] >= mgl_recovered_from(c->size[label]))
            c->recovered += c->most[label];
        else
            c->winner[label] = MGL_NOT_FOUND;
        c->size[label] = c->most[label] = 0;
    }
    c->n_touched = c->n_labels = 0;
}

/* Rows in an order in which equal classes are neighbours. guesses: see mgl_grouping_look. */
static void count_groups(mgl_grouping *c, const uint32_t *order, size_t n, const uint32_t *class_of,
                         uint32_t *guesses)
{
    c->n_groups = 0;
    c->recovered = c->grouped = 0;
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && class_of[order[end]] == class_of[order[i]]; end++)
            count_row(c, order[end]);
        end_group(c);
        for (size_t at = i; guesses != NULL && at < end; at++) {
            uint32_t pair = pair_of(c, order[at]);
            uint32_t winner =
                pair != MGL_NOT_FOUND ? c->winner[c->told->label_of_pair[pair]] : MGL_NOT_FOUND;
            if (winner != MGL_NOT_FOUND)
                guesses[order[at]] = c->told->leaf_of_pair[winner];
        }
    }
}

/* ---- Views --------------------------------------------------------------------------------- */

static void use_prefixes(mgl_grouping *c, const uint32_t *prefix)
{
    for (size_t i = 0; i < c->r->n_rows; i++)
        c->class_of[i] = prefix[c->r->codes[i]];
}

/* The rows of each label in the order of their values, cut into classes of about equal size; equal
 * values stay together. Returns how many rows there are. */
static size_t use_classes(mgl_grouping *c, uint64_t most_classes)
{
    const mgl_told *told = c->told;
    const mgl_recovery *r = c->r;
    size_t *start = mgl_zeroed_array((size_t)told->n_labels + 1, sizeof *start);
    c->failed = c->failed || start == NULL;
    if (start == NULL)
        return 0;
    for (size_t i = 0; i < r->n_rows; i++)
        if (pair_of(c, i) != MGL_NOT_FOUND)
            start[told->label_of_pair[pair_of(c, i)] + 1]++;
    for (uint32_t label = 0; label < told->n_labels; label++)
        start[label + 1] += start[label];
    size_t n = start[told->n_labels];
    for (size_t i = 0; i < r->n_rows; i++)
        if (pair_of(c, r->by_worth[i]) != MGL_NOT_FOUND)
            c->lifted[start[told->label_of_pair[pair_of(c, r->by_worth[i])]]++] = r->by_worth[i];
    uint32_t number = 0;
    for (size_t i = 0, first = 0; first < n; first = i) {
        uint32_t label = told->label_of_pair[pair_of(c, c->lifted[first])];
        uint64_t rows = 0, seen = 0, last = UINT64_MAX;
        i = start[label]; /* the end of its rows now */
        for (size_t at = first; at < i; at++)
            rows += r->times[c->lifted[at]];
        uint64_t classes = rows / c->least < most_classes ? rows / c->least : most_classes;
        for (size_t at = first, end; at < i; at = end) {
            uint32_t code = r->codes[c->lifted[at]];
            uint64_t class = classes > 0 ? seen * classes / rows : 0;
            number += class != last;
            last = class;
            for (end = at; end < i && r->codes[c->lifted[end]] == code; end++) {
                c->class_of[c->lifted[end]] = number;
                seen += r->times[c->lifted[end]];
            }
        }
    }
    mgl_free(start);
    return n;
}

void mgl_grouping_look(mgl_grouping *c, mgl_view view, uint32_t *guesses)
{
    const mgl_recovery *r = c->r;
    bool rare = view == MGL_VIEW_RARE_VALUES;
    c->least = rare ? 2 : MGL_FEWEST_TOGETHER;
    c->most_rows = rare ? MGL_FEWEST_TOGETHER - 1 : UINT64_MAX;
    if (view <= MGL_VIEW_RARE_VALUES) {
        count_groups(c, r->by_bytes, r->n_rows, r->codes, guesses);
        /* One row that agrees proves nothing; all of them together do. */
        if (rare && 100 * c->recovered < MGL_RECOVERED_PERCENT * c->grouped)
            c->recovered = 0;
    } else if (view < MGL_VIEW_CLASSES) {
        use_prefixes(c, r->ordered.prefix[view - MGL_VIEW_PREFIX]);
        count_groups(c, r->by_bytes, r->n_rows, c->class_of, guesses);
    } else {
        size_t n = use_classes(c, view == MGL_VIEW_CLASSES ? MGL_CLASSES : MGL_FINE_CLASSES);
        count_groups(c, c->lifted, n, c->class_of, guesses);
    }
}

/* What the label alone tells. */
uint64_t mgl_grouping_by_label(const mgl_grouping *c)
{
    uint64_t recovered = 0;
    for (uint32_t label = 0; label < c->told->n_labels; label++) {
        uint64_t rows = 0, most = 0;
        for (uint32_t p = c->told->first_pair[label]; p < c->told->first_pair[label + 1]; p++) {
            rows += c->margins[p];
            most = c->margins[p] > most ? c->margins[p] : most;
        }
        if (rows >= MGL_FEWEST_TOGETHER && most >= mgl_recovered_from(rows))
            recovered += most;
    }
    return recovered;
}
