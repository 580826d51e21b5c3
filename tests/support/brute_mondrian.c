/* Cuts a table as docs/methods.md says, on lists of rows. test_mondrian.c compares the method with
 * it. */
#include "brute_mondrian.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Columns of numbers and dates ------------------------------------------------------ */

static void write_value(int kind, int number, char *text)
{
    if (kind == 0)
        snprintf(text, BRUTE_TEXT, "%d", number - 7);
    else if (kind == 1)
        snprintf(text, BRUTE_TEXT, "%d.%d", number / 4, number % 4);
    else
        snprintf(text, BRUTE_TEXT, "19%02d-%02d-05", 60 + number / 12, 1 + number % 12);
}

/* Draws the cells of the column anew; only what occurs is a leaf. */
static void draw_cells(brute_case *c, int a, int n_values, bool missing, brute_random *random)
{
    brute_hierarchy *h = &c->hierarchies[a];
    int number_of[BRUTE_LEAVES + 1] = {0};
    for (int r = 0; r < c->n_rows; r++) {
        bool none = missing && brute_chance(random, 20);
        c->leaf[r][a] = none ? n_values : brute_below(random, n_values);
        number_of[c->leaf[r][a]] = 1;
    }
    h->n_leaves = 0;
    h->has_missing = number_of[n_values] > 0;
    for (int v = 0; v <= n_values; v++)
        number_of[v] = number_of[v] > 0 ? h->n_leaves++ : -1;
    h->n_lines = h->n_leaves - h->has_missing;
    for (int r = 0; r < c->n_rows; r++)
        c->leaf[r][a] = number_of[c->leaf[r][a]];
}

void brute_mondrian_numbers(brute_table *t, brute_random *random)
{
    brute_case *c = &t->c;
    for (int a = 0; a < c->n_attributes; a++) {
        brute_hierarchy *h = &c->hierarchies[a];
        if (brute_chance(random, 50))
            continue;
        int kind = brute_below(random, 3), number = brute_below(random, 5);
        draw_cells(c, a, brute_between(random, 1, BRUTE_LEAVES - 1), brute_chance(random, 30),
                   random);
        h->given = false;
        h->height = 1;
        for (int leaf = 0; leaf < h->n_leaves; leaf++) {
            write_value(kind, number, h->label[0][leaf]);
            strcpy(h->label[1][leaf], "*");
            number += 1 + brute_below(random, 6);
        }
        if (h->has_missing)
            strcpy(h->label[0][h->n_leaves - 1], "");
        c->bounded[a] = brute_chance(random, 10);
        c->min_level[a] = c->bounded[a] && brute_chance(random, 50);
        c->max_level[a] = c->bounded[a] ? brute_between(random, c->min_level[a], 1) : 1;
    }
}

static bool is_missing(const brute_table *t, int row, int a)
{
    const brute_hierarchy *h = &t->c.hierarchies[a];
    return h->has_missing && t->c.leaf[row][a] == h->n_leaves - 1;
}

static double days_of(int year, int month, int day)
{
    static const int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    int leap_days = (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400;
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return 365 * year + leap_days + before[month - 1] + (leap && month > 2) + day;
}

/* The number of a text, the days of a date. */
static bool read_number(const char *text, double *out)
{
    char *end;
    if (strlen(text) == 10 && text[4] == '-' && text[7] == '-') {
        *out = days_of((int)strtol(text, NULL, 10), (int)strtol(text + 5, NULL, 10),
                       (int)strtol(text + 8, NULL, 10));
        return true;
    }
    *out = strtod(text, &end);
    return end != text && *end == '\0';
}

bool brute_mondrian_is_scale(const brute_table *t, int a)
{
    const brute_hierarchy *h = &t->c.hierarchies[a];
    double number;
    if (h->given || t->c.min_level[a] > 0 || t->c.max_level[a] < h->height || h->n_lines == 0)
        return false;
    for (int leaf = 0; leaf < h->n_lines; leaf++)
        if (!read_number(h->label[0][leaf], &number))
            return false;
    return true;
}

/* INFINITY: missing. */
static double number_of(const brute_table *t, int row, int a)
{
    double number = INFINITY;
    if (!is_missing(t, row, a))
        read_number(t->c.hierarchies[a].label[0][t->c.leaf[row][a]], &number);
    return number;
}

/* ---- What a region is released as --------------------------------------------------------- */

static void find_ends(const brute_table *t, const brute_rows *region, int a, int *least, int *most)
{
    *least = *most = region->row[0];
    for (int i = 1; i < region->n; i++) {
        if (number_of(t, region->row[i], a) < number_of(t, *least, a))
            *least = region->row[i];
        if (number_of(t, region->row[i], a) > number_of(t, *most, a))
            *most = region->row[i];
    }
}

static const char *label_of(const brute_table *t, int row, int a, int level)
{
    return t->c.hierarchies[a].label[level][t->c.leaf[row][a]];
}

/* The lowest level on which all rows have one value. */
static int common_level(const brute_table *t, const brute_rows *region, int a)
{
    for (int level = t->c.min_level[a];; level++) {
        bool same = true;
        for (int i = 1; i < region->n; i++)
            same = same && strcmp(label_of(t, region->row[i], a, level),
                                  label_of(t, region->row[0], a, level)) == 0;
        if (same)
            return level;
    }
}

void brute_mondrian_cell(const brute_table *t, const brute_rows *region, int a, char *text)
{
    const brute_hierarchy *h = &t->c.hierarchies[a];
    int least, most;
    if (!brute_mondrian_is_scale(t, a)) {
        strcpy(text, label_of(t, region->row[0], a, common_level(t, region, a)));
        return;
    }
    find_ends(t, region, a, &least, &most);
    const char *low = label_of(t, least, a, 0), *high = label_of(t, most, a, 0);
    bool plain = true; /* whole numbers, however they are written */
    for (int leaf = 0; leaf < h->n_lines; leaf++) {
        double number;
        bool is_date = strchr(h->label[0][leaf] + 1, '-') != NULL;
        plain =
            plain && !is_date && read_number(h->label[0][leaf], &number) && number == floor(number);
    }
    if (t->c.leaf[least][a] == t->c.leaf[most][a])
        strcpy(text, low);
    else if (is_missing(t, most, a))
        strcpy(text, "*");
    else
        snprintf(text, BRUTE_RANGE, plain ? "%s-%s" : "[%s,%s]", low, high);
}

/* The loss of that. */
static double width(const brute_table *t, const brute_rows *region, int a)
{
    const brute_hierarchy *h = &t->c.hierarchies[a];
    brute_rows all = {.n = 0};
    int least, most, first, last;
    if (!brute_mondrian_is_scale(t, a)) {
        int level = common_level(t, region, a), leaves = 0;
        for (int leaf = 0; leaf < h->n_leaves; leaf++)
            leaves += strcmp(h->label[level][leaf], label_of(t, region->row[0], a, level)) == 0;
        return h->n_leaves > 1 ? (leaves - 1.0) / (h->n_leaves - 1.0) : 0;
    }
    find_ends(t, region, a, &least, &most);
    if (t->c.leaf[least][a] == t->c.leaf[most][a])
        return 0;
    if (is_missing(t, most, a))
        return 1;
    for (int r = 0; r < t->c.n_rows; r++)
        if (!is_missing(t, r, a))
            all.row[all.n++] = r;
    find_ends(t, &all, a, &first, &last);
    return (number_of(t, most, a) - number_of(t, least, a)) /
           (number_of(t, last, a) - number_of(t, first, a));
}

/* ---- Allowed cuts ---------------------------------------------------------------------------- */

bool brute_mondrian_holds(const brute_table *t, const brute_mondrian *m, const brute_rows *region)
{
    if (region->n == 0 || brute_rows_size(t, region) < m->need)
        return false;
    for (int i = 0; i < t->n_models; i++)
        if (t->models[i].kind < BRUTE_MEAN_RISK && !brute_rows_hold(t, &t->models[i], region))
            return false;
    return true;
}

/* A cut: which piece each row of the region goes to. */
typedef struct cut {
    int n_pieces;
    int piece[BRUTE_ROWS]; /* [i] of the i-th row of the region */
} cut;

static void take_piece(const brute_rows *region, const cut *x, int piece, brute_rows *out)
{
    *out = (brute_rows){.n = 0};
    for (int i = 0; i < region->n; i++)
        if (x->piece[i] == piece)
            out->row[out->n++] = region->row[i];
}

static bool is_allowed(const brute_table *t, const brute_mondrian *m, const brute_rows *region,
                       const cut *x)
{
    for (int p = 0; p < x->n_pieces; p++) {
        brute_rows piece;
        take_piece(region, x, p, &piece);
        if (!brute_mondrian_holds(t, m, &piece))
            return false;
    }
    return x->n_pieces > 1;
}

/* The order of tuples: by leaves, in the order of the columns. */
static int compare_tuples(const brute_table *t, int r, int s)
{
    for (int a = 0; a < t->c.n_attributes; a++)
        if (t->c.leaf[r][a] != t->c.leaf[s][a])
            return t->c.leaf[r][a] < t->c.leaf[s][a] ? -1 : 1;
    return 0;
}

/* ---- Numbers -----------------------------------------------------------------------------------
 */

static void cut_numbers_at(const brute_table *t, const brute_rows *region, int a, double at,
                           bool with_it, cut *out)
{
    out->n_pieces = 2;
    for (int i = 0; i < region->n; i++) {
        double number = number_of(t, region->row[i], a);
        out->piece[i] = with_it ? number > at : number >= at;
    }
}

static int imbalance(const brute_rows *region, const cut *x)
{
    int left = 0;
    for (int i = 0; i < region->n; i++)
        left += x->piece[i] == 0;
    return abs(region->n - 2 * left);
}

static double median_of(const brute_table *t, const brute_rows *region, int a)
{
    for (int i = 0; i < region->n; i++) {
        int below = 0, up_to = 0;
        double number = number_of(t, region->row[i], a);
        for (int j = 0; j < region->n; j++) {
            below += number_of(t, region->row[j], a) < number;
            up_to += number_of(t, region->row[j], a) <= number;
        }
        if (2 * below < region->n && 2 * up_to >= region->n)
            return number;
    }
    abort();
}

/* Tuples of the median one after another, as long as the halves become more equal. */
static void cut_numbers_within(const brute_table *t, const brute_rows *region, int a, double median,
                               cut *out)
{
    cut_numbers_at(t, region, a, median, false, out);
    for (;;) {
        int next = -1;
        cut more = *out;
        for (int i = 0; i < region->n; i++)
            if (out->piece[i] == 1 && number_of(t, region->row[i], a) == median &&
                (next < 0 || compare_tuples(t, region->row[i], region->row[next]) < 0))
                next = i;
        if (next < 0)
            return;
        for (int i = 0; i < region->n; i++)
            if (compare_tuples(t, region->row[i], region->row[next]) == 0)
                more.piece[i] = 0;
        if (imbalance(region, &more) >= imbalance(region, out))
            return;
        *out = more;
    }
}

static bool cut_numbers(const brute_table *t, const brute_mondrian *m, const brute_rows *region,
                        int a, cut *out)
{
    cut_numbers_at(t, region, a, INFINITY, false, out);
    if (is_allowed(t, m, region, out))
        return true;
    double median = median_of(t, region, a);
    cut_numbers_within(t, region, a, median, out);
    if (m->relaxed && is_allowed(t, m, region, out))
        return true;
    cut before, after;
    cut_numbers_at(t, region, a, median, false, &before);
    cut_numbers_at(t, region, a, median, true, &after);
    bool after_first = imbalance(region, &after) <= imbalance(region, &before);
    *out = after_first ? after : before;
    if (is_allowed(t, m, region, out))
        return true;
    *out = after_first ? before : after;
    return is_allowed(t, m, region, out);
}

/* ---- Values -------------------------------------------------------------------------------------
 */

typedef struct value {
    int first_leaf, rows;
    bool holds, rests;
} value;

/* The values of the region below the common one, by their first leaves; piece: which of them. */
static int find_values(const brute_table *t, const brute_mondrian *m, const brute_rows *region,
                       int a, value *values, cut *out)
{
    const brute_hierarchy *h = &t->c.hierarchies[a];
    int level = common_level(t, region, a) - 1, n = 0;
    for (int leaf = 0; leaf < h->n_leaves; leaf++) {
        bool known = false;
        for (int other = 0; other < leaf; other++)
            known = known || strcmp(h->label[level][other], h->label[level][leaf]) == 0;
        value v = {.first_leaf = leaf};
        for (int i = 0; !known && i < region->n; i++)
            if (strcmp(label_of(t, region->row[i], a, level), h->label[level][leaf]) == 0) {
                out->piece[i] = n;
                v.rows++;
            }
        if (v.rows > 0)
            values[n++] = v;
    }
    out->n_pieces = n;
    for (int v = 0; v < n; v++) {
        brute_rows piece;
        take_piece(region, out, v, &piece);
        values[v].holds = brute_mondrian_holds(t, m, &piece);
        values[v].rests = !values[v].holds;
    }
    return n;
}

/* Values that rest go into one piece; the others have one each. */
static void merge_rest(const value *values, int n, cut *x)
{
    int number[BRUTE_LEAVES], n_pieces = 0, rest = -1;
    for (int v = 0; v < n; v++)
        if (!values[v].rests)
            number[v] = n_pieces++;
    for (int v = 0; v < n; v++)
        if (values[v].rests) {
            rest = rest < 0 ? n_pieces++ : rest;
            number[v] = rest;
        }
    for (int i = 0; i < BRUTE_ROWS; i++)
        if (x->piece[i] >= 0 && x->piece[i] < n)
            x->piece[i] = number[x->piece[i]];
    x->n_pieces = n_pieces;
}

/* The rest, which is the last piece, takes tuples of another one, the last first. */
static bool give_tuples(const brute_table *t, const brute_mondrian *m, const brute_rows *region,
                        int from, cut *x)
{
    int wanted = 0, taken = 0, rest = x->n_pieces - 1;
    for (;;) {
        brute_rows piece;
        take_piece(region, x, rest, &piece);
        if (brute_mondrian_holds(t, m, &piece))
            return true;
        for (;;) {
            int rows = 0, last = -1;
            for (int i = 0; i < region->n; i++) {
                rows += x->piece[i] == rest;
                if (x->piece[i] == from &&
                    (last < 0 || compare_tuples(t, region->row[i], region->row[last]) > 0))
                    last = i;
            }
            if (taken >= wanted && rows >= m->need)
                break;
            if (last < 0)
                return false;
            for (int i = 0; i < region->n; i++)
                if (x->piece[i] == from && i != last &&
                    compare_tuples(t, region->row[i], region->row[last]) == 0)
                    x->piece[i] = rest;
            x->piece[last] = rest;
            taken++;
        }
        take_piece(region, x, from, &piece);
        if (!brute_mondrian_holds(t, m, &piece))
            return false;
        wanted = taken > 0 ? 2 * taken : 1;
    }
}

static bool cut_values(const brute_table *t, const brute_mondrian *m, const brute_rows *region,
                       int a, cut *out)
{
    value values[BRUTE_LEAVES];
    cut each;
    memset(&each, -1, sizeof each);
    int n = find_values(t, m, region, a, values, &each), largest = -1;
    bool rests = false;
    for (int v = 0; v < n; v++) {
        rests = rests || values[v].rests;
        if (values[v].holds && (largest < 0 || values[v].rows > values[largest].rows))
            largest = v;
    }
    if (largest < 0)
        return false;
    *out = each;
    if (!rests)
        return true;
    if (m->relaxed) {
        int from = 0;
        for (int v = 0; v < largest; v++)
            from += !values[v].rests;
        merge_rest(values, n, out);
        if (give_tuples(t, m, region, from, out))
            return true;
    }
    for (int taken = 0, wanted = 0;; wanted = wanted > 0 ? 2 * wanted : 1) {
        for (; taken < wanted; taken++) {
            int smallest = -1;
            for (int v = 0; v < n; v++)
                if (!values[v].rests && (smallest < 0 || values[v].rows <= values[smallest].rows))
                    smallest = v;
            if (smallest < 0)
                return false;
            values[smallest].rests = true;
        }
        *out = each;
        merge_rest(values, n, out);
        if (is_allowed(t, m, region, out))
            return true;
    }
}

/* ---- The whole
 * ------------------------------------------------------------------------------------ */

/* Can rows of the region differ in the column as it may be released? */
static bool differs(const brute_table *t, const brute_rows *region, int a)
{
    if (!brute_mondrian_is_scale(t, a))
        return common_level(t, region, a) > t->c.min_level[a];
    int least, most;
    find_ends(t, region, a, &least, &most);
    return number_of(t, least, a) < number_of(t, most, a);
}

/* The widest column first, the first of equal ones. */
static bool cut_part(const brute_table *t, const brute_mondrian *m, const brute_rows *region,
                     cut *out)
{
    bool tried[BRUTE_ATTRIBUTES] = {false};
    for (int n = 0; n < t->c.n_attributes; n++) {
        int widest = -1;
        for (int a = 0; a < t->c.n_attributes; a++)
            if (!tried[a] && differs(t, region, a) &&
                (widest < 0 || width(t, region, a) > width(t, region, widest) + 1e-12))
                widest = a;
        if (widest < 0)
            return false;
        tried[widest] = true;
        if (brute_mondrian_is_scale(t, widest) ? cut_numbers(t, m, region, widest, out)
                                               : cut_values(t, m, region, widest, out))
            return true;
    }
    return false;
}

static void cut_up(const brute_table *t, brute_mondrian *m, const brute_rows *region)
{
    cut x;
    if (!cut_part(t, m, region, &x)) {
        m->regions[m->n_regions++] = *region;
        return;
    }
    for (int p = 0; p < x.n_pieces; p++) {
        brute_rows piece;
        take_piece(region, &x, p, &piece);
        cut_up(t, m, &piece);
    }
}

/* Have the two rows the same value on the highest level allowed, in every bounded column? */
static bool may_meet(const brute_table *t, int r, int s)
{
    for (int a = 0; a < t->c.n_attributes; a++)
        if (strcmp(label_of(t, r, a, t->c.max_level[a]), label_of(t, s, a, t->c.max_level[a])) != 0)
            return false;
    return true;
}

void brute_mondrian_cut(const brute_table *t, brute_mondrian *m)
{
    bool done[BRUTE_ROWS] = {false};
    m->n_regions = 0;
    for (int r = 0; r < t->c.n_rows; r++) {
        brute_rows region = {.n = 0};
        for (int s = r; s < t->c.n_rows; s++)
            if (!done[s] && may_meet(t, r, s)) {
                region.row[region.n++] = s;
                done[s] = true;
            }
        if (region.n > 0)
            cut_up(t, m, &region);
    }
}

/* ---- Any cut at all
 * ------------------------------------------------------------------------------- */

bool brute_mondrian_can_cut(const brute_table *t, const brute_mondrian *m, const brute_rows *region)
{
    for (int a = 0; a < t->c.n_attributes; a++) {
        if (!differs(t, region, a))
            continue;
        for (int i = 0; i < region->n; i++) {
            cut x = {.n_pieces = 2};
            if (brute_mondrian_is_scale(t, a)) {
                cut_numbers_at(t, region, a, number_of(t, region->row[i], a), false, &x);
            } else {
                int level = common_level(t, region, a) - 1;
                for (int j = 0; j < region->n; j++)
                    x.piece[j] = strcmp(label_of(t, region->row[i], a, level),
                                        label_of(t, region->row[j], a, level)) != 0;
            }
            if (is_allowed(t, m, region, &x))
                return true;
        }
    }
    return false;
}
