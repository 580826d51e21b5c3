/* Computes what an attacker learns who links a release with people: which released tuples can be
 * whose, which sensitive values follow, the nearest points, and what known totals reveal. */
#include "risk/risk.h"

#include <math.h>
#include <stdlib.h>

/* ---- Risk of rows ---------------------------------------------------------------------------- */

mgl_row_risk mgl_risk_of_rows(const mgl_frequency_list *list, const double *population,
                              double threshold)
{
    mgl_row_risk risk = {0};
    uint64_t above = 0;
    for (size_t t = 0; t < list->n_tuples; t++) {
        double one = 1 / population[t];
        risk.max = one > risk.max ? one : risk.max;
        risk.mean += (double)list->counts[t] * one;
        above += one > threshold * (1 + 1e-12) ? list->counts[t] : 0;
    }
    risk.mean /= (double)list->n_rows;
    risk.share_above = (double)above / (double)list->n_rows;
    return risk;
}

/* ---- Matching -------------------------------------------------------------------------------- */

struct mgl_matcher {
    mgl_owned owned;
    const mgl_coverage *columns;
    size_t m, n;
    uint32_t *order;  /* [m] columns, the most selective first */
    uint32_t *cells;  /* [position * m + depth] */
    uint32_t *tuples; /* [position] tuple of the list */
};

typedef struct row {
    const uint32_t *cells;
    size_t m;
    uint32_t tuple;
} row;

static int compare_rows(const void *p, const void *q)
{
    const row *x = p, *y = q;
    for (size_t i = 0; i < x->m; i++)
        if (x->cells[i] != y->cells[i])
            return x->cells[i] < y->cells[i] ? -1 : 1;
    return 0;
}

/* Columns with many released texts come first: they leave few tuples to follow. */
static void choose_order(mgl_matcher *k, const mgl_frequency_list *list)
{
    for (size_t a = 0; a < k->m; a++) {
        k->order[a] = (uint32_t)a;
        for (size_t i = a; i > 0 && list->hierarchies[k->order[i]]->n_leaves >
                                        list->hierarchies[k->order[i - 1]]->n_leaves;
             i--) {
            uint32_t other = k->order[i];
            k->order[i] = k->order[i - 1];
            k->order[i - 1] = other;
        }
    }
}

static mgl_status sort_tuples(mgl_matcher *k, const mgl_frequency_list *list, mgl_error *err)
{
    size_t m = k->m, n = k->n;
    mgl_owned owned = {0};
    uint32_t *cells = mgl_own_array(&owned, n, m * sizeof *cells);
    row *rows = mgl_own_array(&owned, n, sizeof *rows);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_owned_check(&owned, err));
    for (size_t t = 0; t < n; t++) {
        rows[t] = (row){cells + t * m, m, (uint32_t)t};
        for (size_t d = 0; d < m; d++)
            cells[t * m + d] = mgl_list_leaf(list, t, k->order[d]);
    }
    if (n > 0)
        qsort(rows, n, sizeof *rows, compare_rows);
    for (size_t i = 0; i < n; i++) {
        k->tuples[i] = rows[i].tuple;
        memcpy(k->cells + i * m, rows[i].cells, m * sizeof *cells);
    }
done:
    mgl_owned_free(&owned);
    return status;
}

mgl_status mgl_matcher_new(const mgl_frequency_list *list, const mgl_coverage *columns,
                           mgl_error *err, mgl_matcher **out)
{
    mgl_matcher *k;
    MGL_TRY(mgl_new_zeroed(1, sizeof *k, err, &k));
    k->columns = columns;
    k->m = list->n_attributes;
    k->n = list->n_tuples;
    k->order = mgl_own_array(&k->owned, k->m, sizeof *k->order);
    k->cells = mgl_own_array(&k->owned, k->n, k->m * sizeof *k->cells);
    k->tuples = mgl_own_array(&k->owned, k->n, sizeof *k->tuples);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_owned_check(&k->owned, err));
    choose_order(k, list);
    MGL_GO(sort_tuples(k, list, err));
    *out = k;
    k = NULL;
done:
    mgl_matcher_free(k);
    return status;
}

void mgl_matcher_free(mgl_matcher *matcher)
{
    if (matcher == NULL)
        return;
    mgl_owned_free(&matcher->owned);
    mgl_free(matcher);
}

typedef struct walk {
    const mgl_matcher *matcher;
    const uint32_t *codes;
    mgl_matched_fn *found;
    void *context;
} walk;

static uint32_t cell_at(const mgl_matcher *k, size_t position, size_t depth)
{
    return k->cells[position * k->m + depth];
}

/* Returns the first position in low..high whose cell is at least this one. */
static size_t find_position(const mgl_matcher *k, size_t low, size_t high, size_t depth,
                            uint32_t cell)
{
    MGL_BISECT(low, high, i, cell_at(k, i, depth) < cell)
    return low;
}

static void follow(const walk *w, size_t low, size_t high, size_t depth)
{
    const mgl_matcher *k = w->matcher;
    if (depth == k->m) {
        for (size_t i = low; i < high; i++)
            w->found(w->context, k->tuples[i]);
        return;
    }
    const mgl_coverage *column = &k->columns[k->order[depth]];
    uint32_t code = w->codes[k->order[depth]];
    size_t at = column->start[code], end = column->start[code + 1];
    while (low < high && at < end) { /* both ascend: the one that is behind catches up */
        uint32_t cell = cell_at(k, low, depth);
        if (column->released[at] < cell) {
            at++;
        } else if (column->released[at] > cell) {
            low = find_position(k, low, high, depth, column->released[at]);
        } else {
            size_t next = find_position(k, low, high, depth, cell + 1);
            follow(w, low, next, depth + 1);
            low = next;
            at++;
        }
    }
}

void mgl_match(const mgl_matcher *matcher, const uint32_t *codes, mgl_matched_fn *found,
               void *context)
{
    walk w = {matcher, codes, found, context};
    follow(&w, 0, matcher->n, 0);
}

/* ---- What an attacker learns ----------------------------------------------------------------- */

/* The sensitive values of the rows that one person can be. */
typedef struct tally {
    const mgl_frequency_list *list;
    const uint32_t *unknown; /* [s] as mgl_known_persons has it */
    uint64_t rows;
    uint64_t **counts;  /* [s][value] all 0 between persons */
    uint32_t **touched; /* [s] values seen */
    size_t *n_touched;  /* [s] */
} tally;

typedef struct attacker {
    mgl_owned owned;
    const mgl_matcher *matcher;
    const mgl_frequency_list *list;
    const mgl_known_persons *persons;
    mgl_linkage *link;
    tally *workers;
    unsigned n_workers;
} attacker;

enum { PERSONS_AT_ONCE = 256 };

static void count_tuple(void *context, uint32_t t)
{
    tally *y = context;
    y->rows += y->list->counts[t];
    for (size_t s = 0; s < y->list->n_sensitive; s++) {
        const mgl_sparse *sensitive = &y->list->sensitive[s];
        uint32_t unknown = y->unknown != NULL ? y->unknown[s] : 0;
        for (size_t i = sensitive->start[t]; i < sensitive->start[t + 1]; i++) {
            if (sensitive->values[i] + 1 == unknown)
                continue;
            uint64_t *count = &y->counts[s][sensitive->values[i]];
            if (*count == 0)
                y->touched[s][y->n_touched[s]++] = sensitive->values[i];
            *count += sensitive->counts[i];
        }
    }
}

/* Returns the share of the most frequent value, and clears the counts. */
static double take_share(tally *y, size_t s)
{
    uint64_t most = 0, known = 0;
    for (size_t i = 0; i < y->n_touched[s]; i++) {
        uint64_t *count = &y->counts[s][y->touched[s][i]];
        most = *count > most ? *count : most;
        known += *count;
        *count = 0;
    }
    y->n_touched[s] = 0;
    return known > 0 ? (double)most / (double)known : 0;
}

static void note_person(attacker *k, tally *y, size_t person)
{
    mgl_linkage *link = k->link;
    link->matches[person] = y->rows;
    for (size_t s = 0; s < link->n_sensitive; s++) {
        size_t position = s * link->n_persons + person;
        link->learnt[position] = y->n_touched[s] == 1 ? y->touched[s][0] : MGL_NOT_FOUND;
        link->shares[position] = take_share(y, s);
    }
    y->rows = 0;
}

static void attack_some(void *context, size_t item, unsigned worker)
{
    attacker *k = context;
    size_t first = item * PERSONS_AT_ONCE, end = first + PERSONS_AT_ONCE;
    end = end < k->link->n_persons ? end : k->link->n_persons;
    for (size_t person = first; person < end; person++) {
        mgl_match(k->matcher, k->persons->codes + person * k->list->n_attributes, count_tuple,
                  &k->workers[worker]);
        note_person(k, &k->workers[worker], person);
    }
}

static void begin_tally(attacker *k, tally *y)
{
    const mgl_frequency_list *list = k->list;
    size_t n = list->n_sensitive;
    *y = (tally){.list = list,
                 .unknown = k->persons->unknown,
                 .counts = mgl_own_array(&k->owned, n, sizeof *y->counts),
                 .touched = mgl_own_array(&k->owned, n, sizeof *y->touched),
                 .n_touched = mgl_own_zeroed(&k->owned, n, sizeof *y->n_touched)};
    for (size_t s = 0; !k->owned.missing && s < n; s++) {
        uint32_t n_values = list->sensitive[s].n_values;
        y->counts[s] = mgl_own_zeroed(&k->owned, n_values, sizeof **y->counts);
        y->touched[s] = mgl_own_array(&k->owned, n_values, sizeof **y->touched);
    }
}

/* Sums in the order of the persons, so that threads make no difference. */
static void fill_after(mgl_linkage *link)
{
    size_t n = link->n_persons, n_matched = 0;
    for (size_t person = 0; person < n; person++)
        n_matched += link->matches[person] > 0;
    for (size_t s = 0; s < link->n_sensitive; s++) {
        double sum = 0;
        for (size_t person = 0; person < n; person++)
            sum += link->shares[s * n + person];
        link->after[s] = n_matched > 0 ? sum / (double)n_matched : 0;
    }
}

static mgl_status run(attacker *k, mgl_pool *pool, mgl_error *err)
{
    mgl_linkage *link = k->link;
    mgl_owned *owned = &link->owned;
    size_t n = link->n_persons, n_sensitive = link->n_sensitive;
    link->matches = mgl_own_array(owned, n, sizeof *link->matches);
    link->learnt = mgl_own_array(owned, n, (n_sensitive + 1) * sizeof *link->learnt);
    link->shares = mgl_own_array(owned, n, (n_sensitive + 1) * sizeof *link->shares);
    link->before = mgl_own_zeroed(owned, n_sensitive, sizeof *link->before);
    link->after = mgl_own_zeroed(owned, n_sensitive, sizeof *link->after);
    k->workers = mgl_own_array(&k->owned, k->n_workers, sizeof *k->workers);
    for (unsigned w = 0; k->workers != NULL && w < k->n_workers; w++)
        begin_tally(k, &k->workers[w]);
    MGL_TRY(mgl_owned_check(owned, err));
    MGL_TRY(mgl_owned_check(&k->owned, err));
    /* Fills in what an attacker would guess about any person. */
    tally *y = &k->workers[0];
    for (uint32_t t = 0; t < k->list->n_tuples; t++)
        count_tuple(y, t);
    for (size_t s = 0; s < link->n_sensitive; s++)
        link->before[s] = take_share(y, s);
    y->rows = 0;
    mgl_pool_run(pool, (n + PERSONS_AT_ONCE - 1) / PERSONS_AT_ONCE, attack_some, k);
    fill_after(link);
    return MGL_OK;
}

mgl_status mgl_linkage_new(const mgl_matcher *matcher, const mgl_frequency_list *list,
                           const mgl_known_persons *persons, mgl_pool *pool, mgl_error *err,
                           mgl_linkage **out)
{
    mgl_linkage *link;
    MGL_TRY(mgl_new_zeroed(1, sizeof *link, err, &link));
    link->n_persons = persons->n;
    link->n_sensitive = list->n_sensitive;
    attacker k = {.matcher = matcher, .list = list, .persons = persons, .link = link};
    k.n_workers = pool != NULL ? mgl_pool_threads(pool) : 1;
    mgl_status status = run(&k, pool, err);
    mgl_owned_free(&k.owned);
    if (status == MGL_OK)
        *out = link;
    else
        mgl_linkage_free(link);
    return status;
}

void mgl_linkage_free(mgl_linkage *link)
{
    if (link == NULL)
        return;
    mgl_owned_free(&link->owned);
    mgl_free(link);
}

/* ---- Coverage -------------------------------------------------------------------------------- */

/* A released text, to find out which ground values it covers. */
typedef struct released_text {
    const mgl_hierarchy *hierarchy;
    const uint32_t *leaf_of_code;
    mgl_meaning meaning;
    bool in_hierarchy;
    uint32_t level, value;
    uint32_t missing; /* a ground value that is no number, whatever its token looks like */
} released_text;

static released_text released_text_of(const mgl_hierarchy *hierarchy, const uint32_t *leaf_of_code,
                                      uint32_t missing, mgl_span text)
{
    released_text t = {.hierarchy = hierarchy, .leaf_of_code = leaf_of_code, .missing = missing};
    t.meaning = mgl_meaning_of(text);
    t.in_hierarchy = hierarchy != NULL && mgl_hierarchy_find(hierarchy, text, &t.level, &t.value);
    return t;
}

static bool covers(const released_text *t, uint32_t code, const mgl_ground_text *value)
{
    if (t->in_hierarchy)
        return t->hierarchy->levels[t->level].of_leaf[t->leaf_of_code[code]] == t->value;
    if (code == t->missing)
        return t->meaning.anything || mgl_span_equal(t->meaning.text, value->text);
    return mgl_meaning_covers(&t->meaning, value);
}

typedef struct pairs {
    uint32_t *ground, *released;
    size_t n, room_ground, room_released;
} pairs;

static bool add_pair(pairs *p, uint32_t ground, uint32_t released)
{
    if (!mgl_grow(&p->ground, &p->room_ground, p->n + 1, sizeof *p->ground) ||
        !mgl_grow(&p->released, &p->room_released, p->n + 1, sizeof *p->released))
        return false;
    p->ground[p->n] = ground;
    p->released[p->n++] = released;
    return true;
}

/* Pairs come by released text; lists are by ground value, each in that order. */
static mgl_status sort_pairs(const pairs *p, uint32_t n_ground, mgl_error *err, mgl_coverage *out)
{
    out->start = mgl_zeroed_array((size_t)n_ground + 2, sizeof *out->start);
    out->released = mgl_alloc_array(p->n, sizeof *out->released);
    if (out->start == NULL || out->released == NULL) {
        mgl_coverage_free(out);
        return mgl_fail_memory(err);
    }
    for (size_t i = 0; i < p->n; i++)
        out->start[p->ground[i] + 2]++;
    for (size_t g = 2; g < (size_t)n_ground + 2; g++)
        out->start[g] += out->start[g - 1];
    for (size_t i = 0; i < p->n; i++)
        out->released[out->start[p->ground[i] + 1]++] = p->released[i];
    return MGL_OK;
}

mgl_status mgl_coverage_new(const mgl_span *released, uint32_t n_released,
                            const mgl_dictionary *ground, const mgl_hierarchy *hierarchy,
                            const uint32_t *leaf_of_code, mgl_error *err, mgl_coverage *out)
{
    uint32_t n_ground = mgl_dictionary_size(ground);
    mgl_ground_text *values = mgl_alloc_array(n_ground, sizeof *values);
    pairs p = {0};
    bool memory = values != NULL;
    *out = (mgl_coverage){0};
    for (uint32_t g = 0; memory && g < n_ground; g++)
        values[g] =
            mgl_ground_text_of(mgl_dictionary_value(ground, g), mgl_dictionary_notation(ground));
    for (uint32_t r = 0; memory && r < n_released; r++) {
        released_text t =
            released_text_of(hierarchy, leaf_of_code, mgl_dictionary_missing(ground), released[r]);
        for (uint32_t g = 0; memory && g < n_ground; g++)
            if (covers(&t, g, &values[g]))
                memory = add_pair(&p, g, r);
    }
    mgl_status status = memory ? sort_pairs(&p, n_ground, err, out) : mgl_fail_memory(err);
    out->n_pairs = p.n;
    mgl_free(values);
    mgl_free(p.ground);
    mgl_free(p.released);
    return status;
}

void mgl_coverage_free(mgl_coverage *coverage)
{
    mgl_free(coverage->start);
    mgl_free(coverage->released);
    *coverage = (mgl_coverage){0};
}

/* ---- Nearest points -------------------------------------------------------------------------- */

typedef struct keyed_point {
    double key;
    uint32_t point;
} keyed_point;

struct mgl_neighbours {
    const double *points, *unit;
    size_t n, m;
    size_t along;     /* the coordinate of the row */
    keyed_point *row; /* [n] ascending; those without a number have infinity and come last */
    size_t n_keyed;   /* how many of them are numbers */
};

static const mgl_sort_key by_key[] = {MGL_ASCENDING(keyed_point, key),
                                      MGL_ASCENDING(keyed_point, point), MGL_SORT_END};

/* Two missing cells are at distance 0. A missing cell is one unit away from any other, and so is a
 * suppressed cell from everything. */
static double difference(double x, double y, double unit)
{
    if (isfinite(x) && isfinite(y))
        return (x - y) / unit;
    return isnan(x) && isnan(y) ? 0 : 1;
}

static double distance(const mgl_neighbours *k, const double *point, uint32_t other)
{
    double sum = 0;
    for (size_t a = 0; a < k->m; a++) {
        double d = difference(point[a], k->points[other * k->m + a], k->unit[a]);
        sum += d * d;
    }
    return sum;
}

/* The coordinate with the most different numbers, among few of the points. */
static size_t choose_along(const mgl_neighbours *k)
{
    enum { LOOKS = 200 };
    size_t best = 0, most = 0;
    for (size_t a = 0; a < k->m; a++) {
        size_t different = 0;
        for (size_t i = 1; i < k->n && i < LOOKS; i++)
            different += k->points[i * k->m + a] != k->points[(i - 1) * k->m + a];
        if (different > most) {
            most = different;
            best = a;
        }
    }
    return best;
}

mgl_status mgl_neighbours_new(const double *points, size_t n, size_t m, const double *unit,
                              mgl_error *err, mgl_neighbours **out)
{
    mgl_neighbours *k = mgl_zeroed_array(1, sizeof *k);
    keyed_point *row = mgl_alloc_array(n, sizeof *row);
    if (k == NULL || row == NULL) {
        mgl_free(k);
        mgl_free(row);
        return mgl_fail_memory(err);
    }
    *k = (mgl_neighbours){.points = points, .unit = unit, .n = n, .m = m, .row = row};
    k->along = choose_along(k);
    for (size_t i = 0; i < n; i++) {
        double key = points[i * m + k->along];
        row[i] = (keyed_point){isfinite(key) ? key : INFINITY, (uint32_t)i};
        k->n_keyed += isfinite(key);
    }
    mgl_sort(row, n, sizeof *row, by_key);
    *out = k;
    return MGL_OK;
}

void mgl_neighbours_free(mgl_neighbours *k)
{
    if (k == NULL)
        return;
    mgl_free(k->row);
    mgl_free(k);
}

/* Returns the first position whose key is not below. */
static size_t position_of(const mgl_neighbours *k, double key)
{
    size_t low = 0, high = k->n_keyed;
    MGL_BISECT(low, high, i, k->row[i].key < key)
    return low;
}

typedef struct look {
    const mgl_neighbours *all;
    const double *point;
    double best, limit; /* squares: the least distance so far, and that of the tuples listed */
    mgl_matched_fn *found;
    void *context;
} look;

static void look_at(look *l, size_t at)
{
    uint32_t point = l->all->row[at].point;
    double d = distance(l->all, l->point, point);
    l->best = d < l->best ? d : l->best;
    if (l->found != NULL && d <= l->limit)
        l->found(l->context, point);
}

static bool is_near(const look *l, size_t at)
{
    double d = (l->all->row[at].key - l->point[l->all->along]) / l->all->unit[l->all->along];
    return d * d <= (l->found != NULL ? l->limit : l->best);
}

static void search_both_ways(look *l)
{
    const mgl_neighbours *k = l->all;
    for (size_t i = k->n_keyed; i < k->n; i++)
        look_at(l, i);
    if (!isfinite(l->point[k->along])) { /* not in the order: compare with all */
        for (size_t i = 0; i < k->n_keyed; i++)
            look_at(l, i);
        return;
    }
    size_t up = position_of(k, l->point[k->along]), down = up;
    bool more = true;
    while (more) {
        more = false;
        if (up < k->n_keyed && is_near(l, up)) {
            look_at(l, up++);
            more = true;
        }
        if (down > 0 && is_near(l, down - 1)) {
            look_at(l, --down);
            more = true;
        }
    }
}

double mgl_neighbours_find(const mgl_neighbours *k, const double *point, mgl_matched_fn *found,
                           void *context)
{
    look l = {.all = k, .point = point, .best = INFINITY, .context = context};
    search_both_ways(&l);
    l.limit = l.best * (1 + 1e-12); /* sums that are rounded differently are ties */
    l.found = found;
    search_both_ways(&l);
    return sqrt(l.best);
}

/* ---- Known totals ---------------------------------------------------------------------------- */

/* Sweeney 2002, section 4.2. */
mgl_status mgl_marginal_find(const mgl_frequency_list *list, const mgl_recoding *recoding,
                             size_t attribute, uint32_t level, bool dropped, mgl_error *err,
                             mgl_marginal *out)
{
    const mgl_released_column *column = recoding->columns[attribute];
    const uint32_t *value_of = column->of_leaf[level];
    uint64_t *rows = mgl_zeroed_array(column->n_values, sizeof *rows);
    *out = (mgl_marginal){0};
    MGL_TRY(mgl_check_memory(rows != NULL, err));
    for (size_t t = 0; t < list->n_tuples; t++) {
        uint32_t value = value_of[mgl_list_leaf(list, t, attribute)];
        if (recoding->cells[attribute][t] == column->top && value != column->top &&
            !(dropped && recoding->suppressed[t]))
            rows[value] += list->counts[t];
    }
    for (uint32_t v = 0; v < column->n_values; v++) {
        out->cells += rows[v];
        out->values += rows[v] > 0;
        out->most = rows[v] > out->most ? rows[v] : out->most;
    }
    mgl_free(rows);
    return MGL_OK;
}
