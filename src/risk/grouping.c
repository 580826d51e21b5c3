/* Groups rows by label and by value that is passed through, and compares what is recovered in these
 * groups with what the label alone recovers and with chance: bounds of the probability that as many
 * are recovered if the columns have nothing to do with each other (docs/leak-guard.md). */
#include "risk/recovery.h"

#include <math.h>

/* Markov's inequality is used at each of these rates; the best of the bounds is taken. */
enum { RATES = 24 };
#define LOWEST_RATE 1e-4
#define RATE_STEP 1.65

typedef struct rates {
    double at[RATES];
} rates;

static rates make_rates(double factor)
{
    rates r;
    double rate = LOWEST_RATE * factor;
    for (int j = 0; j < RATES; j++, rate *= RATE_STEP)
        r.at[j] = rate;
    return r;
}

/* lgamma writes a global variable; this is as exact and can be called from several threads. */
static double log_factorial(double n)
{
    double more = 1;
    for (; n < 16; n++)
        more *= n + 1;
    double i = 1 / n;
    return -log(more) + (n + 0.5) * log(n) - n + 0.91893853320467274178 +
           i * (1.0 / 12 - i * i * (1.0 / 360 - i * i / 1260));
}

static double log_choose(double n, double k)
{
    return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

/* n rows are drawn from `all`, of which `those` have the ground value; put back or not. */
typedef struct draw {
    double all, those, n;
    bool put_back;
} draw;

static double log_probability(const draw *d, double c)
{
    double others = d->all - d->those;
    if (d->put_back)
        return log_choose(d->n, c) + c * log(d->those / d->all) +
               (c < d->n ? (d->n - c) * log(others / d->all) : 0);
    return log_choose(d->those, c) + log_choose(others, d->n - c) - log_choose(d->all, d->n);
}

typedef struct range {
    double low, high;
} range;

/* The counts from which on rows are recovered. */
static range range_of(const draw *d)
{
    double others = d->all - d->those;
    range r = {(double)mgl_recovered_from((uint64_t)d->n), d->n};
    if (!d->put_back) {
        r.low = fmax(r.low, d->n - others);
        r.high = fmin(r.high, d->those);
    }
    if (others == 0)
        r.low = r.high;
    return r;
}

/* Most groups are small, and all of their rows must agree: the probability without logarithms. */
enum { SMALL = 20 };

static double all_agree(const draw *d)
{
    double p = 1;
    for (double i = 0; i < d->n; i++)
        p *= d->put_back ? d->those / d->all : (d->those - i) / (d->all - i);
    return p;
}

/* exp, without setting errno for results out of range. */
static double power_of_e(double x)
{
    return x < -746 ? 0 : x > 710 ? INFINITY : exp(x);
}

/* A sum of terms that rise and then fall: logarithms of the terms are concave in the count. */
typedef struct term {
    double sum, last;
    bool closed; /* what is to come is too small to change the sum */
} term;

/* Returns whether the sum is closed by that. */
static bool add_term(term *t, double more)
{
    t->sum += more;
    t->closed = more < t->last && more * 0x1p60 < t->sum;
    t->last = more;
    return t->closed;
}

/* The sum of count times probability. */
static double expected_of(const draw *d)
{
    if (d->n <= SMALL)
        return d->n * all_agree(d);
    range counts = range_of(d);
    term t = {0};
    for (double c = counts.low; c <= counts.high && !t.closed; c++)
        (void)add_term(&t, c * power_of_e(log_probability(d, c)));
    return t.sum;
}

/* The sum of probability times (e^(rate count) - 1); all: that factor for small groups. */
static void find_grown(const draw *d, const rates *r, const double *all, double grown[RATES])
{
    if (d->n <= SMALL) {
        double p = all_agree(d);
        for (int j = 0; j < RATES; j++)
            grown[j] = all[j] * p;
        return;
    }
    range counts = range_of(d);
    term terms[RATES] = {{0}};
    int n_open = RATES;
    for (double c = counts.low; c <= counts.high && n_open > 0; c++) {
        double log_p = log_probability(d, c), p = power_of_e(log_p);
        for (int j = 0; j < RATES; j++)
            if (!terms[j].closed)
                n_open -= add_term(&terms[j], power_of_e(log_p + r->at[j] * c) - p);
    }
    for (int j = 0; j < RATES; j++)
        grown[j] = terms[j].sum;
}

/* Rows with one label: what groups are drawn from. */
typedef struct urn {
    const uint64_t *rows; /* of each ground value, ascending */
    uint32_t n;
    double all;
} urn;

static urn urn_of(const mgl_margins *m, uint32_t label)
{
    uint32_t first = m->label_pairs->first_pair[label];
    urn u = {m->room, m->label_pairs->first_pair[label + 1] - first, 0};
    memcpy(m->room, m->rows_of_pair + first, u.n * sizeof *m->room);
    mgl_sort_u64(m->room, u.n);
    for (uint32_t v = 0; v < u.n; v++)
        u.all += (double)u.rows[v];
    return u;
}

/* The first ground value that has so many rows; from there on all have. */
static uint32_t first_with(const urn *u, uint64_t rows)
{
    uint32_t v = 0;
    while (v < u->n && u->rows[v] < rows)
        v++;
    return v;
}

/* Ground values with equally many rows, from v on. */
static uint32_t equal_end(const urn *u, uint32_t v)
{
    uint32_t end = v;
    while (end < u->n && u->rows[end] == u->rows[v])
        end++;
    return end;
}

/* Minus the logarithm of the probability that independent draws have these very counts; ground
 * values that cannot be recovered count as one. */
static double cost_of_counts(const urn *u, uint32_t able)
{
    double log_p = log_factorial(u->all), rest = u->all;
    for (uint32_t v = able; v < u->n; v++) {
        double rows = (double)u->rows[v];
        log_p += rows * log(rows / u->all) - log_factorial(rows);
        rest -= rows;
    }
    if (rest > 0)
        log_p += rest * log(rest / u->all) - log_factorial(rest);
    return -log_p;
}

/* Bounds of the logarithm of the mean of e^(rate recovered rows), at each rate. */
typedef struct label_bound {
    urn u;
    uint32_t able;          /* ground values from here on can be recovered */
    rates plain, shared;    /* shared: the rate times the number of these values */
    double apart[RATES];    /* value by value, by Hoelder's inequality */
    double together[RATES]; /* with rows put back, without the cost of that */
    double rows;
} label_bound;

/* `times` groups of n rows. */
static void add_groups(label_bound *b, double n, double times)
{
    double values = (double)(b->u.n - b->able), sum[RATES] = {0};
    double all_plain[RATES] = {0}, all_shared[RATES] = {0};
    for (int j = 0; n <= SMALL && j < RATES; j++) {
        all_plain[j] = expm1(b->plain.at[j] * n);
        all_shared[j] = expm1(b->shared.at[j] * n);
    }
    uint64_t needed = mgl_recovered_from((uint64_t)n);
    for (uint32_t v = b->able, end; v < b->u.n; v = end) {
        double grown[RATES];
        end = equal_end(&b->u, v);
        draw kept = {b->u.all, (double)b->u.rows[v], n, false}, back = kept;
        back.put_back = true;
        find_grown(&back, &b->plain, all_plain, grown);
        for (int j = 0; j < RATES; j++)
            sum[j] += grown[j] * (double)(end - v);
        if (b->u.rows[v] < needed)
            continue;
        find_grown(&kept, &b->shared, all_shared, grown);
        for (int j = 0; j < RATES; j++)
            b->apart[j] += times * (double)(end - v) * log1p(grown[j]) / values;
    }
    for (int j = 0; j < RATES; j++)
        b->together[j] += times * log1p(sum[j]);
    b->rows += times * n;
}

static const mgl_sort_key by_label_and_rows[] = {MGL_ASCENDING(mgl_together, label),
                                                 MGL_ASCENDING(mgl_together, rows), MGL_SORT_END};

/* Groups with the label and the rows of the first one. */
static size_t alike_end(const mgl_together *groups, size_t first, size_t n)
{
    size_t end = first;
    while (end < n && groups[end].label == groups[first].label &&
           groups[end].rows == groups[first].rows)
        end++;
    return end;
}

double mgl_chance_expected(const mgl_margins *m, mgl_together *groups, size_t n_groups)
{
    double expected = 0;
    urn u = {0};
    mgl_sort(groups, n_groups, sizeof *groups, by_label_and_rows);
    for (size_t i = 0, end; i < n_groups; i = end) {
        end = alike_end(groups, i, n_groups);
        if (i == 0 || groups[i].label != groups[i - 1].label)
            u = urn_of(m, groups[i].label);
        uint32_t v = first_with(&u, mgl_recovered_from(groups[i].rows));
        for (uint32_t next; v < u.n; v = next) {
            draw d = {u.all, (double)u.rows[v], (double)groups[i].rows, false};
            next = equal_end(&u, v);
            expected += (double)(end - i) * (double)(next - v) * expected_of(&d);
        }
    }
    return expected;
}

static label_bound begin_label(const mgl_margins *m, const mgl_together *smallest)
{
    label_bound b = {.u = urn_of(m, smallest->label), .plain = make_rates(1)};
    b.able = first_with(&b.u, mgl_recovered_from(smallest->rows));
    b.shared = make_rates(fmax((double)(b.u.n - b.able), 1));
    return b;
}

double mgl_chance_bound(const mgl_margins *m, const mgl_together *groups, size_t n_groups,
                        uint64_t recovered)
{
    double log_bound = 0, sum[RATES] = {0};
    rates plain = make_rates(1);
    label_bound b;
    for (size_t i = 0, end; i < n_groups; i = end) {
        end = alike_end(groups, i, n_groups);
        if (i == 0 || groups[i].label != groups[i - 1].label)
            b = begin_label(m, &groups[i]);
        add_groups(&b, (double)groups[i].rows, (double)(end - i));
        if (end == n_groups || groups[end].label != groups[i].label) {
            /* The best of the bounds at each rate; one of them is that no more rows are recovered
             * than there are. */
            double cost = cost_of_counts(&b.u, b.able);
            for (int j = 0; j < RATES; j++)
                sum[j] += fmin(b.plain.at[j] * b.rows, fmin(b.apart[j], b.together[j] + cost));
        }
    }
    for (int j = 0; j < RATES; j++)
        log_bound = fmin(log_bound, sum[j] - plain.at[j] * (double)recovered);
    return log_bound;
}

typedef struct sequence {
    urn u;
    rates plain;
    double taken; /* rows of the label, so far */
    double sum[RATES];
} sequence;

/* Equal groups are processed in so many batches; the last group of a batch represents all of it. */
enum { BATCHES = 4 };

/* Adds groups one after the other, those that can be recovered first; at worst no row of the ground
 * value was drawn before. */
static void add_in_turn(sequence *b, double n, double times, uint64_t needed)
{
    double all[RATES] = {0};
    for (int j = 0; n <= SMALL && j < RATES; j++)
        all[j] = expm1(b->plain.at[j] * n);
    for (double left = times, some; left > 0; left -= some) {
        double sum[RATES] = {0}, grown[RATES];
        some = fmin(left, ceil(times / BATCHES));
        b->taken += some * n;
        double rows = b->u.all - b->taken + n;
        for (uint32_t v = first_with(&b->u, needed), end; v < b->u.n; v = end) {
            end = equal_end(&b->u, v);
            draw kept = {rows, fmin((double)b->u.rows[v], rows), n, false};
            find_grown(&kept, &b->plain, all, grown);
            for (int j = 0; j < RATES; j++)
                sum[j] += grown[j] * (double)(end - v);
        }
        for (int j = 0; j < RATES; j++)
            b->sum[j] += some * fmin(log1p(sum[j]), b->plain.at[j] * n);
    }
}

double mgl_chance_bound_in_turn(const mgl_margins *m, const mgl_together *groups, size_t n_groups,
                                uint64_t recovered)
{
    sequence t = {.plain = make_rates(1)};
    double log_bound = 0;
    for (size_t i = 0, end; i < n_groups; i = end) {
        end = alike_end(groups, i, n_groups);
        if (i == 0 || groups[i].label != groups[i - 1].label) {
            t.u = urn_of(m, groups[i].label);
            t.taken = 0;
        }
        uint64_t needed = mgl_recovered_from(groups[i].rows);
        if (t.u.rows[t.u.n - 1] >= needed) /* others come last, and recover nothing */
            add_in_turn(&t, (double)groups[i].rows, (double)(end - i), needed);
    }
    for (int j = 0; j < RATES; j++)
        log_bound = fmin(log_bound, t.sum[j] - t.plain.at[j] * (double)recovered);
    return log_bound;
}

double mgl_chance_of_matches(double expected, uint64_t recovered)
{
    double more = (double)recovered - expected;
    return more > 0 ? -more * more / (4 * expected + 2 * more) : 0;
}

void mgl_grouping_end(mgl_grouping *c)
{
    mgl_owned_free(&c->owned);
    mgl_free(c->groups);
}

static uint32_t label_of(const mgl_grouping *c, uint32_t cell)
{
    return c->label_pairs->label_of_pair[c->pairs[cell]];
}

/* False if memory is out. */
static bool sort_by_label(mgl_grouping *c)
{
    size_t n = c->cells->n;
    size_t *start = mgl_zeroed_array((size_t)c->label_pairs->n_labels + 1, sizeof *start);
    if (start == NULL)
        return false;
    for (size_t i = 0; i < n; i++)
        start[label_of(c, (uint32_t)i) + 1]++;
    for (uint32_t label = 0; label < c->label_pairs->n_labels; label++)
        start[label + 1] += start[label];
    for (size_t i = 0; i < n; i++) {
        uint32_t cell = c->cells->by_worth[i];
        c->by_label[start[label_of(c, cell)]++] = cell;
    }
    mgl_free(start);
    return true;
}

bool mgl_grouping_begin(mgl_grouping *c, const mgl_cells *cells, const mgl_label_pairs *label_pairs,
                        const uint32_t *pairs, const uint64_t *margins, const mgl_ordered *ordered)
{
    size_t n_pairs = label_pairs->n_pairs, n_labels = label_pairs->n_labels;
    *c = (mgl_grouping){.cells = cells,
                        .label_pairs = label_pairs,
                        .pairs = pairs,
                        .margins = margins,
                        .ordered = ordered};
    c->rows = mgl_own_zeroed(&c->owned, n_pairs, sizeof *c->rows);
    c->touched = mgl_own_array(&c->owned, n_pairs, sizeof *c->touched);
    c->size = mgl_own_zeroed(&c->owned, n_labels, sizeof *c->size);
    c->most = mgl_own_zeroed(&c->owned, n_labels, sizeof *c->most);
    c->winner = mgl_own_array(&c->owned, n_labels, sizeof *c->winner);
    c->labels = mgl_own_array(&c->owned, n_labels, sizeof *c->labels);
    c->room = mgl_own_array(&c->owned, n_pairs, sizeof *c->room);
    if (ordered != NULL) {
        c->by_label = mgl_own_array(&c->owned, cells->n, sizeof *c->by_label);
        c->class_of = mgl_own_array(&c->owned, cells->n, sizeof *c->class_of);
    }
    if (margins == NULL)
        c->margins = c->own_margins = mgl_own_zeroed(&c->owned, n_pairs, sizeof *c->own_margins);
    if (c->owned.missing)
        return false;
    for (size_t i = 0; c->own_margins != NULL && i < cells->n; i++)
        c->own_margins[pairs[i]] += cells->times[i];
    return ordered == NULL || sort_by_label(c);
}

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
        uint32_t pair = c->touched[i], label = c->label_pairs->label_of_pair[pair];
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
                guesses[order[at]] = c->label_pairs->leaf_of_pair[winner];
        }
    }
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
        const uint32_t *prefix = c->ordered->prefix[view - MGL_VIEW_PREFIX];
        for (size_t i = 0; i < c->cells->n; i++)
            c->class_of[i] = prefix[c->cells->codes[i]];
        count_groups(c, cells->by_bytes, c->class_of, guesses);
    } else {
        use_classes(c, view == MGL_VIEW_CLASSES ? MGL_CLASSES : MGL_FINE_CLASSES);
        count_groups(c, c->by_label, c->class_of, guesses);
    }
}

uint64_t mgl_grouping_by_label(const mgl_grouping *c)
{
    uint64_t recovered = 0;
    for (uint32_t label = 0; label < c->label_pairs->n_labels; label++) {
        uint64_t rows = 0, most = 0;
        for (uint32_t p = c->label_pairs->first_pair[label];
             p < c->label_pairs->first_pair[label + 1]; p++) {
            rows += c->margins[p];
            most = c->margins[p] > most ? c->margins[p] : most;
        }
        if (rows >= MGL_FEWEST_TOGETHER && most >= mgl_recovered_from(rows))
            recovered += most;
    }
    return recovered;
}

static double gain_of(const mgl_given_back *f)
{
    return (double)f->rows - fmax((double)f->by_label, f->by_chance);
}

mgl_given_back mgl_grouping_judge(mgl_grouping *g, mgl_view view, uint64_t by_label,
                                  const mgl_recovery_rule *rule, const mgl_texts *texts)
{
    mgl_given_back f = {.by_label = by_label, .by_words = view == MGL_VIEW_WORDS};
    mgl_margins margins = {g->label_pairs, g->margins, g->room};
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
