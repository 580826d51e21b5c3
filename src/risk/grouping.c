/* Groups rows by label and by what is passed through, and compares what is recovered in these
 * groups with what the label alone gives and with chance. */
#include "risk/recovery.h"

#include <math.h>

/* ---- Cells --------------------------------------------------------------------------------- */

void mgl_grouping_end(mgl_grouping *c)
{
    mgl_free(c->own_margins);
    mgl_free(c->rows);
    mgl_free(c->touched);
    mgl_free(c->size);
    mgl_free(c->most);
    mgl_free(c->winner);
    mgl_free(c->labels);
    mgl_free(c->room);
    mgl_free(c->by_label);
    mgl_free(c->class_of);
    mgl_free(c->groups);
}

static uint32_t label_of(const mgl_grouping *c, uint32_t cell)
{
    return c->told->label_of_pair[c->pairs[cell]];
}

/* False if memory is out. */
static bool sort_by_label(mgl_grouping *c)
{
    size_t n = c->cells->n;
    size_t *start = mgl_zeroed_array((size_t)c->told->n_labels + 1, sizeof *start);
    c->by_label = mgl_alloc_array(n, sizeof *c->by_label);
    c->class_of = mgl_alloc_array(n, sizeof *c->class_of);
    if (start == NULL || c->by_label == NULL || c->class_of == NULL) {
        mgl_free(start);
        return false;
    }
    for (size_t i = 0; i < n; i++)
        start[label_of(c, (uint32_t)i) + 1]++;
    for (uint32_t label = 0; label < c->told->n_labels; label++)
        start[label + 1] += start[label];
    for (size_t i = 0; i < n; i++) {
        uint32_t cell = c->cells->by_worth[i];
        c->by_label[start[label_of(c, cell)]++] = cell;
    }
    mgl_free(start);
    return true;
}

bool mgl_grouping_begin(mgl_grouping *c, const mgl_cells *cells, const mgl_told *told,
                        const uint32_t *pairs, const uint64_t *margins, const mgl_ordered *ordered)
{
    size_t n_pairs = told->n_pairs, n_labels = told->n_labels;
    *c = (mgl_grouping){
        .cells = cells, .told = told, .pairs = pairs, .margins = margins, .ordered = ordered};
    c->rows = mgl_zeroed_array(n_pairs, sizeof *c->rows);
    c->touched = mgl_alloc_array(n_pairs, sizeof *c->touched);
    c->size = mgl_zeroed_array(n_labels, sizeof *c->size);
    c->most = mgl_zeroed_array(n_labels, sizeof *c->most);
    c->winner = mgl_alloc_array(n_labels, sizeof *c->winner);
    c->labels = mgl_alloc_array(n_labels, sizeof *c->labels);
    c->room = mgl_alloc_array(n_pairs, sizeof *c->room);
    if (margins == NULL)
        c->margins = c->own_margins = mgl_zeroed_array(n_pairs, sizeof *c->own_margins);
    if (c->margins == NULL || c->rows == NULL || c->touched == NULL || c->size == NULL ||
        c->most == NULL || c->winner == NULL || c->labels == NULL || c->room == NULL)
        return false;
    for (size_t i = 0; c->own_margins != NULL && i < cells->n; i++)
        c->own_margins[pairs[i]] += cells->times[i];
    return ordered == NULL || sort_by_label(c);
}

/* ---- Counting ------------------------------------------------------------------------------ */

static void count_cell(mgl_grouping *c, size_t cell)
{
    uint32_t pair = c->pairs[cell];
    if (c->cells->times[cell] == 0)
        return;
    if (c->rows[pair] == 0)
        c->touched[c->n_touched++] = pair;
    c->rows[pair] += c->cells->times[cell];
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

/* Cells in an order in which equal classes are neighbours. guesses: see mgl_grouping_look. */
static void count_groups(mgl_grouping *c, const uint32_t *order, const uint32_t *class_of,
                         uint32_t *guesses)
{
    size_t n = c->cells->n;
    c->n_groups = 0;
    c->recovered = c->grouped = 0;
    for (size_t i = 0, end; i < n; i = end) {
        uint32_t class = class_of[order[i]];
        for (end = i; end < n && class_of[order[end]] == class; end++)
            count_cell(c, order[end]);
        end_group(c);
        for (size_t at = i; guesses != NULL && at < end; at++) {
            uint32_t winner = c->winner[label_of(c, order[at])];
            if (winner != MGL_NOT_FOUND)
                guesses[order[at]] = c->told->leaf_of_pair[winner];
        }
    }
}

/* ---- Views --------------------------------------------------------------------------------- */

static void use_prefixes(mgl_grouping *c, const uint32_t *prefix)
{
    for (size_t i = 0; i < c->cells->n; i++)
        c->class_of[i] = prefix[c->cells->codes[i]];
}

/* Rows of one label, from `first` to `end` in the order of their values: numbers their classes from
 * `number` on, and returns the last number. Equal values stay together. */
static uint32_t cut(mgl_grouping *c, size_t first, size_t end, uint64_t most_classes,
                    uint32_t number)
{
    const mgl_cells *r = c->cells;
    uint64_t rows = 0, seen = 0, last = 0;
    for (size_t i = first; i < end; i++)
        rows += r->times[c->by_label[i]];
    uint64_t classes = rows / c->least < most_classes ? rows / c->least : most_classes;
    for (size_t i = first, next; i < end; i = next) {
        uint32_t code = r->codes[c->by_label[i]];
        uint64_t class = classes > 0 ? seen * classes / rows : 0;
        number += class != last;
        last = class;
        for (next = i; next < end && r->codes[c->by_label[next]] == code; next++) {
            c->class_of[c->by_label[next]] = number;
            seen += r->times[c->by_label[next]];
        }
    }
    return number;
}

/* The rows of each label in classes of about equal size. */
static void use_classes(mgl_grouping *c, uint64_t most_classes)
{
    uint32_t number = 0;
    for (size_t first = 0, end; first < c->cells->n; first = end) {
        uint32_t label = label_of(c, c->by_label[first]);
        for (end = first; end < c->cells->n && label_of(c, c->by_label[end]) == label;)
            end++;
        number = cut(c, first, end, most_classes, number) + 1;
    }
}

void mgl_grouping_look(mgl_grouping *c, mgl_view view, uint32_t *guesses)
{
    const mgl_cells *cells = c->cells;
    bool rare = view == MGL_VIEW_RARE_VALUES;
    c->least = rare ? 2 : MGL_FEWEST_TOGETHER;
    c->most_rows = rare ? MGL_FEWEST_TOGETHER - 1 : UINT64_MAX;
    if (view <= MGL_VIEW_RARE_VALUES) {
        count_groups(c, cells->by_bytes, cells->codes, guesses);
        /* One row that agrees proves nothing; all of them together do. */
        if (rare && 100 * c->recovered < MGL_RECOVERED_PERCENT * c->grouped)
            c->recovered = 0;
    } else if (view < MGL_VIEW_CLASSES) {
        use_prefixes(c, c->ordered->prefix[view - MGL_VIEW_PREFIX]);
        count_groups(c, cells->by_bytes, c->class_of, guesses);
    } else {
        use_classes(c, view == MGL_VIEW_CLASSES ? MGL_CLASSES : MGL_FINE_CLASSES);
        count_groups(c, c->by_label, c->class_of, guesses);
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

/* ---- Judging ------------------------------------------------------------------------------- */

static double gain_of(const mgl_given_back *f)
{
    return (double)f->rows - fmax((double)f->by_label, f->by_chance);
}

mgl_given_back mgl_grouping_judge(mgl_grouping *g, mgl_view view, uint64_t by_label,
                                  const mgl_recovery_rule *rule, const mgl_texts *texts)
{
    mgl_given_back f = {.by_label = by_label, .by_words = view == MGL_VIEW_WORDS};
    mgl_margins margins = {g->told, g->margins, g->room};
    if (f.by_words) {
        g->failed = !mgl_mentions_count(g, texts, NULL, &f.rows, &f.by_chance) || g->failed;
    } else {
        mgl_grouping_look(g, view, NULL);
        f.rows = g->recovered;
        /* Chance is worked out only where there is something to explain. */
        if (!g->failed && gain_of(&f) >= rule->least_gain)
            f.by_chance = mgl_chance_expected(&margins, g->groups, g->n_groups);
    }
    f.gain = gain_of(&f);
    if (g->failed || f.gain < rule->least_gain)
        return f;
    double log_bound = f.by_words ? mgl_chance_of_matches(f.by_chance, f.rows)
                                  : mgl_chance_bound(&margins, g->groups, g->n_groups, f.rows);
    f.real = log_bound <= rule->log_level;
    f.much = f.real && f.gain >= rule->much;
    if (!f.real && !f.by_words)
        f.real =
            mgl_chance_bound_in_turn(&margins, g->groups, g->n_groups, f.rows) <= rule->log_level;
    return f;
}
