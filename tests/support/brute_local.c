/* Reads releases of local suppression and judges them row by row. brute_local_runs.c and the tests
 * of local suppression call it. */
#include "brute_local.h"

#include <string.h>

local_wish local_make_wish(brute_random *random, int n_attributes, bool tops_match)
{
    static const double importances[] = {1, 1, 2, 0.5, 0};
    local_wish w = {.tops_match = tops_match};
    for (int a = 0; a < n_attributes; a++)
        w.importance[a] = importances[brute_below(random, 5)];
    if (brute_chance(random, 40))
        for (int i = 1; i <= n_attributes; i++)
            w.sizes |= brute_chance(random, 40) << i;
    w.all = brute_chance(random, 10);
    w.effort = (mgl_effort)brute_below(random, 2);
    return w;
}

int local_top_text(const brute_table *t, int a)
{
    return t->c.hierarchies[a].text[t->c.hierarchies[a].height][0];
}

int local_ground_text(const brute_table *t, int r, int a)
{
    return t->c.hierarchies[a].text[t->c.min_level[a]][t->c.leaf[r][a]];
}

bool local_is_free(const brute_table *t, int a)
{
    return t->c.max_level[a] == t->c.hierarchies[a].height;
}

static int find_text(const brute_table *t, const mgl_recoding *recoding, size_t tuple, int a)
{
    const brute_hierarchy *h = &t->c.hierarchies[a];
    mgl_span label = recoding->columns[a]->values[recoding->cells[a][tuple]].label;
    for (int l = 0; l <= h->height; l++)
        for (int i = 0; i < h->n_leaves; i++)
            if (mgl_span_is(label, h->label[l][i]))
                return h->text[l][i];
    brute_table_disagree(t, "a cell that no level has");
    return 0;
}

/* Cells are as they were or suppressed; rows that read as the top are suppressed ones. */
void local_read_release(const brute_table *t, const brute_made *m, const mgl_recoding *recoding,
                        brute_node *out)
{
    int n_top = 0;
    memset(out, 0, sizeof *out);
    for (int r = 0; r < t->c.n_rows; r++)
        n_top += mgl_recoding_is_top(recoding, m->tuple_of[r]);
    for (int r = 0; r < t->c.n_rows; r++) {
        bool all = true;
        out->suppressed[r] = recoding->suppressed[m->tuple_of[r]];
        for (int a = 0; a < t->c.n_attributes; a++) {
            int text = out->released[r][a] = find_text(t, recoding, m->tuple_of[r], a);
            AGREE(text == local_top_text(t, a) || text == local_ground_text(t, r, a));
            AGREE(local_is_free(t, a) || out->suppressed[r] || n_top == t->c.n_rows ||
                  text == local_ground_text(t, r, a));
            all = all && text == local_top_text(t, a);
        }
        bool may = all && (t->c.treatment == BRUTE_DROP || n_top < t->c.n_rows);
        AGREE(may || !out->suppressed[r]);
        /* Beside dropped rows there may be a class at the top. */
        AGREE(!may || out->suppressed[r] || t->c.treatment == BRUTE_DROP);
    }
}

static bool is_left_out(const brute_table *t, const brute_node *n, int r)
{
    return n->suppressed[r] && t->c.treatment != BRUTE_KEEP;
}

static bool match(const brute_table *t, const brute_node *n, int r, int s, int columns)
{
    for (int a = 0; a < t->c.n_attributes; a++)
        if (columns >> a & 1 && n->released[r][a] != n->released[s][a] &&
            n->released[r][a] != local_top_text(t, a) && n->released[s][a] != local_top_text(t, a))
            return false;
    return true;
}

/* Rows, or persons, that match the row on these columns. */
static int count_matching(const brute_table *t, const brute_node *n, int r, int columns)
{
    brute_rows rows = {0};
    for (int s = 0; s < t->c.n_rows; s++)
        if (!is_left_out(t, n, s) && match(t, n, r, s, columns))
            rows.row[rows.n++] = s;
    return brute_rows_size(t, &rows);
}

/* The least number of matching rows on a combination; -1: nothing is released. */
static int least_matching(const brute_table *t, const brute_node *n, int columns)
{
    int least = -1;
    for (int r = 0; r < t->c.n_rows; r++) {
        if (is_left_out(t, n, r))
            continue;
        int count = count_matching(t, n, r, columns);
        least = least < 0 || count < least ? count : least;
    }
    return least;
}

/* Do the classes of equal cells on these columns hold all models? */
bool local_classes_hold(brute_table *t, const brute_node *n, int columns)
{
    static const bool nobody[BRUTE_ROWS];
    brute_rows classes[BRUTE_ROWS];
    bool keep = t->c.treatment == BRUTE_KEEP, hold = true, before[BRUTE_ATTRIBUTES];
    memcpy(before, t->c.in_set[0], sizeof before);
    for (int a = 0; a < t->c.n_attributes; a++)
        t->c.in_set[0][a] = columns >> a & 1;
    int n_classes = brute_node_classes(t, n, 0, keep ? nobody : n->suppressed, classes);
    for (int c = 0; c < n_classes; c++)
        for (int i = 0; i < t->n_models; i++)
            if (t->models[i].kind < BRUTE_MEAN_RISK)
                hold = hold && brute_rows_hold(t, &t->models[i], &classes[c]);
    for (int i = 0; i < t->n_models; i++)
        if (t->models[i].kind >= BRUTE_MEAN_RISK)
            hold = hold && brute_classes_hold(t, &t->models[i], classes, n_classes);
    memcpy(t->c.in_set[0], before, sizeof before);
    return hold;
}

/* Is what was asked for there, on every combination of every size? *least is the fewest matching
 * rows. */
bool local_keeps_promise(brute_table *t, const brute_node *n, const local_wish *w, int *least)
{
    int m = t->c.n_attributes;
    bool keeps = true;
    *least = -1;
    for (int columns = 1; columns < 1 << m; columns++) {
        int size = __builtin_popcount((unsigned)columns);
        bool asked = w->all || (w->sizes == 0 ? size == m : w->sizes >> size & 1);
        if (!asked)
            continue;
        if (!w->tops_match) {
            keeps = keeps && local_classes_hold(t, n, columns);
            continue;
        }
        int matching = least_matching(t, n, columns);
        if (matching >= 0 && (*least < 0 || matching < *least))
            *least = matching;
        keeps = keeps && (matching < 0 || matching >= (int)t->models[0].parameters[0]);
    }
    return keeps;
}

/* All rows at the top are one class, of which none is suppressed. If a row were not there, all
 * others would be: are these more than may be? */
static bool all_must_go(const brute_table *t, const brute_made *m, const brute_node *n, int row)
{
    int others = 0;
    for (int r = 0; r < t->c.n_rows; r++) {
        others += m->tuple_of[r] != m->tuple_of[row];
        for (int a = 0; a < t->c.n_attributes; a++)
            if (n->released[r][a] != local_top_text(t, a))
                return false;
    }
    return t->c.limited && others > t->c.limit;
}

/* Every suppressed cell is needed: released again, in all rows that are equal to the row, it breaks
 * the promise. */
void local_check_needed(brute_table *t, const brute_made *m, const brute_node *n,
                        const local_wish *w)
{
    for (int r = 0; r < t->c.n_rows; r++)
        for (int a = 0; a < t->c.n_attributes; a++) {
            brute_node other = *n;
            int least;
            if (n->released[r][a] == local_ground_text(t, r, a) || is_left_out(t, n, r) ||
                all_must_go(t, m, n, r))
                continue;
            bool whole_only = false;
            for (int b = 0; b < t->c.n_attributes; b++)
                whole_only = whole_only || (n->suppressed[r] && !local_is_free(t, b));
            for (int s = 0; s < t->c.n_rows; s++)
                if (m->tuple_of[s] == m->tuple_of[r]) {
                    other.released[s][a] = local_ground_text(t, s, a);
                    other.suppressed[s] = false;
                }
            AGREE(whole_only || !local_keeps_promise(t, &other, w, &least));
        }
}

double local_cost(const brute_table *t, const brute_node *n, const local_wish *w)
{
    double cost = 0;
    for (int r = 0; r < t->c.n_rows; r++)
        for (int a = 0; a < t->c.n_attributes; a++)
            cost += n->released[r][a] != local_ground_text(t, r, a) ? w->importance[a] : 0;
    return cost;
}
