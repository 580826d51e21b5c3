/* Persons of another table linked with a release, and rows with the nearest ones: columns as
 * numbers, distances from the rows of a release to those of the original, and persons who match no
 * row. */
#include "command/link/link.h"
#include "pipeline/pipeline.h"

#include <math.h>

typedef enum mgl_number_kind {
    MGL_KIND_UNKNOWN, /* not known yet */
    MGL_KIND_NUMBERS,
    MGL_KIND_DATES
} mgl_number_kind;

/* Mean, variance and range of the numbers of a column. */
typedef struct mgl_moments {
    double rows, mean, squares; /* sum of the squared distances from the mean */
    double least, most;
    bool seen;
} mgl_moments;

/* The texts as numbers, dates in days: NAN for the missing one (MGL_NOT_FOUND: there is none),
 * INFINITY for "*". False if one is no number, or not of the kind of the others; *kind becomes
 * theirs. */
static bool numbers_of(const mgl_span *texts, uint32_t n, uint32_t missing,
                       const mgl_notation *notation, double *numbers, mgl_number_kind *kind)
{
    for (uint32_t i = 0; i < n; i++) {
        mgl_ground_text text = mgl_ground_text_of(texts[i], notation);
        mgl_number_kind own = text.is_number ? MGL_KIND_NUMBERS : MGL_KIND_DATES;
        if (i == missing) {
            numbers[i] = NAN;
        } else if (mgl_span_is(texts[i], "*")) {
            numbers[i] = INFINITY;
        } else if ((text.is_number || text.is_date) &&
                   (*kind == MGL_KIND_UNKNOWN || *kind == own)) {
            numbers[i] = text.is_number ? text.number : text.day;
            *kind = own;
        } else {
            return false;
        }
    }
    return true;
}

/* The same of a dictionary. */
static mgl_status numbers_of_dictionary(const mgl_dictionary *dictionary, mgl_owned *owned,
                                        mgl_error *err, mgl_number_kind *kind, double **numbers,
                                        bool *all)
{
    uint32_t n = mgl_dictionary_size(dictionary);
    mgl_span *texts;
    *numbers = mgl_own_array(owned, n, sizeof **numbers);
    MGL_TRY(mgl_owned_check(owned, err));
    MGL_TRY(mgl_new_array(n, sizeof *texts, err, &texts));
    for (uint32_t code = 0; code < n; code++)
        texts[code] = mgl_dictionary_value(dictionary, code);
    *all = numbers_of(texts, n, mgl_dictionary_missing(dictionary),
                      mgl_dictionary_notation(dictionary), *numbers, kind);
    mgl_free(texts);
    return MGL_OK;
}

static void moments_add(mgl_moments *spread, double number, double rows)
{
    if (!isfinite(number))
        return;
    /* Updated number by number, so that large numbers close together do not lose their differences.
     */
    double before = number - spread->mean;
    spread->rows += rows;
    spread->mean += before * rows / spread->rows;
    spread->squares += rows * before * (number - spread->mean);
    spread->least = spread->seen ? fmin(spread->least, number) : number;
    spread->most = spread->seen ? fmax(spread->most, number) : number;
    spread->seen = true;
}

/* The standard deviation; 1 if all are equal. */
static double moments_unit(const mgl_moments *spread)
{
    double variance = spread->rows > 0 ? spread->squares / spread->rows : 0;
    return variance > 0 ? sqrt(variance) : 1;
}

/* What each released text stands for. */
static mgl_status cover(mgl_bound_persons *e, size_t a, mgl_error *err)
{
    const mgl_quasi_column *quasi = &e->release->quasi[a];
    const mgl_dictionary *ground = e->persons->columns[a].dictionary;
    const mgl_hierarchy *released = quasi->hierarchy;
    const char *spec = quasi->settings->hierarchy;
    if (spec != NULL) {
        const mgl_level_range *at = &quasi->settings->released_level;
        MGL_TRY(mgl_hierarchy_make(spec, quasi->settings->name, ground, err, &e->hierarchies[a]));
        if (!quasi->settings->has_released_level)
            MGL_TRY(mgl_hierarchy_check_texts(e->hierarchies[a], quasi->settings->name,
                                              quasi->column->dictionary, err));
        else if (at->min == at->max)
            MGL_TRY(mgl_hierarchy_read_at(e->hierarchies[a], at->min, err));
        e->leaves[a] = mgl_own_array(&e->owned, mgl_dictionary_size(ground), sizeof **e->leaves);
        MGL_TRY(mgl_owned_check(&e->owned, err));
        MGL_TRY(mgl_hierarchy_bind(e->hierarchies[a], quasi->settings->name, ground, err,
                                   e->leaves[a]));
    }
    return mgl_coverage_new(released->levels[0].labels, released->n_leaves, ground,
                            e->hierarchies[a], e->leaves[a], err, &e->columns[a]);
}

mgl_status mgl_persons_bind(mgl_bound_persons *e, const mgl_reading *release,
                            const mgl_table *persons, mgl_error *err)
{
    size_t m = release->n_quasi, n = persons->n_rows;
    *e = (mgl_bound_persons){.release = release, .persons = persons};
    e->hierarchies = mgl_own_zeroed(&e->owned, m, sizeof *e->hierarchies);
    e->leaves = mgl_own_zeroed(&e->owned, m, sizeof *e->leaves);
    e->columns = mgl_own_zeroed(&e->owned, m, sizeof *e->columns);
    e->codes = mgl_own_array(&e->owned, n, m * sizeof *e->codes);
    MGL_TRY(mgl_owned_check(&e->owned, err));
    for (size_t a = 0; a < m; a++) {
        MGL_TRY(cover(e, a, err));
        for (size_t row = 0; row < n; row++)
            e->codes[row * m + a] = mgl_column_code(&persons->columns[a], row);
    }
    return MGL_OK;
}

void mgl_bound_persons_free(mgl_bound_persons *e)
{
    for (size_t a = 0; e->columns != NULL && a < e->release->n_quasi; a++) {
        mgl_hierarchy_free(e->hierarchies[a]);
        mgl_coverage_free(&e->columns[a]);
    }
    mgl_owned_free(&e->owned);
}

/* A word that neither a hierarchy nor its own form explains matches no person, which hides persons
 * from the attack. */
void mgl_bound_persons_warn(const mgl_bound_persons *e, mgl_result *result)
{
    for (size_t a = 0; a < e->release->n_quasi; a++)
        if (e->columns[a].n_pairs == 0)
            mgl_result_warn(result, "unmatched-column",
                            "no text in column %.60s of the release can stand for a value of the "
                            "external table; give the column's hierarchy",
                            e->release->quasi[a].settings->name);
}

typedef struct comparison {
    mgl_owned owned;
    const mgl_frequency_list *list;
    const mgl_table *table; /* of the release, its quasi-identifiers first */
    size_t m, n_points;
    mgl_number_kind *kinds;
    double **original, **released; /* [a][leaf], [a][code] */
    mgl_moments *spreads;          /* [a] of the original */
    double *units;                 /* [a] */
    double *points;                /* [row of the release * m + a] */
    mgl_neighbours *neighbours;
} comparison;

static mgl_status read_compared(comparison *c, mgl_error *err, bool *all)
{
    *all = true;
    for (size_t a = 0; *all && a < c->m; a++) {
        const mgl_hierarchy *h = c->list->hierarchies[a];
        c->original[a] = mgl_own_array(&c->owned, h->n_leaves, sizeof **c->original);
        MGL_TRY(mgl_owned_check(&c->owned, err));
        *all = numbers_of(h->levels[0].labels, h->n_leaves, h->missing_leaf, &h->notation,
                          c->original[a], &c->kinds[a]);
        if (*all)
            MGL_TRY(numbers_of_dictionary(c->table->columns[a].dictionary, &c->owned, err,
                                          &c->kinds[a], &c->released[a], all));
    }
    return MGL_OK;
}

static mgl_status begin_comparison(comparison *c, mgl_error *err)
{
    c->kinds = mgl_own_zeroed(&c->owned, c->m, sizeof *c->kinds);
    c->original = mgl_own_array(&c->owned, c->m, sizeof *c->original);
    c->released = mgl_own_array(&c->owned, c->m, sizeof *c->released);
    c->spreads = mgl_own_zeroed(&c->owned, c->m, sizeof *c->spreads);
    c->units = mgl_own_array(&c->owned, c->m, sizeof *c->units);
    return mgl_owned_check(&c->owned, err);
}

static void end_comparison(comparison *c)
{
    mgl_neighbours_free(c->neighbours);
    mgl_owned_free(&c->owned);
}

mgl_status mgl_distances_apply(const mgl_frequency_list *list, const mgl_table *table,
                               mgl_error *err, bool *out)
{
    comparison c = {.list = list, .table = table, .m = list->n_attributes};
    mgl_status status = begin_comparison(&c, err);
    if (status == MGL_OK)
        status = read_compared(&c, err, out);
    end_comparison(&c);
    return status;
}

static mgl_status prepare(comparison *c, mgl_error *err)
{
    bool all;
    c->n_points = c->table->n_rows;
    MGL_TRY(begin_comparison(c, err));
    MGL_TRY(read_compared(c, err, &all));
    c->points = mgl_own_array(&c->owned, c->n_points, c->m * sizeof *c->points);
    MGL_TRY(mgl_owned_check(&c->owned, err));
    for (size_t a = 0; a < c->m; a++) {
        for (size_t t = 0; t < c->list->n_tuples; t++)
            moments_add(&c->spreads[a], c->original[a][mgl_list_leaf(c->list, t, a)],
                        (double)c->list->counts[t]);
        c->units[a] = moments_unit(&c->spreads[a]);
        for (size_t row = 0; row < c->n_points; row++)
            c->points[row * c->m + a] = c->released[a][mgl_column_code(&c->table->columns[a], row)];
    }
    return mgl_neighbours_new(c->points, c->n_points, c->m, c->units, err, &c->neighbours);
}

static void take_first(void *context, uint32_t point)
{
    uint32_t *first = context;
    *first = point < *first ? point : *first;
}

/* Adds how far one cell is from its nearest: as a number, and as a share of the range of the
 * column. A suppressed cell loses all, and so does one that is missing on one side only. */
static void add_cell(const comparison *c, size_t a, double x, double y, double rows,
                     mgl_distances *out)
{
    const mgl_moments *s = &c->spreads[a];
    double range = s->most - s->least;
    bool near = isfinite(x) && isfinite(y), same = isnan(x) && isnan(y);
    out->loss[a] += rows * (near ? (range > 0 ? fabs(x - y) / range : 0) : same ? 0 : 1);
    if (!isfinite(x) || s->squares <= 0)
        return;
    double d = x - (isfinite(y) ? y : s->mean), variance = s->squares / s->rows;
    out->sse += rows * d * d / variance;
    out->sst += rows * (x - s->mean) * (x - s->mean) / variance;
    if (s->rows > 1)
        out->il1s += rows * fabs(d) / sqrt(2 * s->squares / (s->rows - 1));
}

mgl_status mgl_distances_find(const mgl_frequency_list *list, const mgl_table *table,
                              const mgl_progress *progress, mgl_error *err, mgl_distances *out)
{
    enum { AT_ONCE = 1024 };
    comparison c = {.list = list, .table = table, .m = list->n_attributes};
    double *point = mgl_alloc_array(c.m, sizeof *point);
    mgl_status status = point == NULL ? mgl_fail_memory(err) : prepare(&c, err);
    for (size_t t = 0; status == MGL_OK && t < list->n_tuples; t++) {
        uint32_t nearest = MGL_NOT_FOUND;
        for (size_t a = 0; a < c.m; a++)
            point[a] = c.original[a][mgl_list_leaf(list, t, a)];
        mgl_neighbours_find(c.neighbours, point, take_first, &nearest);
        for (size_t a = 0; nearest != MGL_NOT_FOUND && a < c.m; a++)
            add_cell(&c, a, point[a], c.points[nearest * c.m + a], (double)list->counts[t], out);
        if (t % AT_ONCE == 0)
            status = mgl_progress_report(progress, "measure", t, list->n_tuples, err);
    }
    mgl_free(point);
    end_comparison(&c);
    return status;
}

typedef struct search {
    mgl_owned owned;
    const mgl_bound_persons *bound;
    const mgl_frequency_list *list;
    const mgl_table *persons;
    size_t m;
    mgl_number_kind *kinds;
    double **released, **known; /* [a][leaf], [a][code of the persons' table] */
    double *units;              /* [a] standard deviations among the persons */
    double *points;             /* [tuple * m + a] */
    mgl_neighbours *neighbours;
    uint64_t *chosen; /* [tuple] persons to whom it is nearest */
    double *sums;     /* [tuple * m + a] of their numbers */
    uint64_t *learnt; /* [s] persons whose nearest rows all have one value */
    uint64_t rows, least, most, single, n;
    double distances;
} search;

/* ---- Numbers ------------------------------------------------------------------------------- */

static mgl_status read_searched(search *s, mgl_error *err, bool *all)
{
    *all = true;
    for (size_t a = 0; *all && a < s->m; a++) {
        const mgl_hierarchy *h = s->list->hierarchies[a];
        if (s->bound->hierarchies[a] != NULL) { /* a hierarchy defines what texts stand for */
            *all = false;
            break;
        }
        s->released[a] = mgl_own_array(&s->owned, h->n_leaves, sizeof **s->released);
        MGL_TRY(mgl_owned_check(&s->owned, err));
        *all = numbers_of(h->levels[0].labels, h->n_leaves, h->missing_leaf, &h->notation,
                          s->released[a], &s->kinds[a]);
        if (*all)
            MGL_TRY(numbers_of_dictionary(s->persons->columns[a].dictionary, &s->owned, err,
                                          &s->kinds[a], &s->known[a], all));
    }
    return MGL_OK;
}

static double number_of(const search *s, size_t person, size_t a)
{
    return s->known[a][s->bound->codes[person * s->m + a]];
}

static void end_search(search *s)
{
    mgl_neighbours_free(s->neighbours);
    mgl_owned_free(&s->owned);
}

static mgl_status place_tuples(search *s, mgl_error *err)
{
    for (size_t a = 0; a < s->m; a++) {
        mgl_moments spread = {0};
        for (size_t person = 0; person < s->persons->n_rows; person++)
            moments_add(&spread, number_of(s, person, a), 1);
        s->units[a] = moments_unit(&spread);
        for (size_t t = 0; t < s->list->n_tuples; t++)
            s->points[t * s->m + a] = s->released[a][mgl_list_leaf(s->list, t, a)];
    }
    return mgl_neighbours_new(s->points, s->list->n_tuples, s->m, s->units, err, &s->neighbours);
}

/* ---- Persons ------------------------------------------------------------------------------- */

/* The tuples that are nearest to one person. */
typedef struct nearest {
    const search *search;
    uint32_t first;
    uint64_t rows;
    uint32_t *value; /* [s] the sensitive value of all rows so far */
    bool *one;       /* [s] all rows so far have that value */
} nearest;

static void take_tuple(void *context, uint32_t t)
{
    nearest *near = context;
    const mgl_frequency_list *list = near->search->list;
    for (size_t s = 0; s < list->n_sensitive; s++) {
        const mgl_sparse *values = &list->sensitive[s];
        const uint32_t *unknown = near->search->bound->unknown;
        for (size_t i = values->start[t]; i < values->start[t + 1]; i++) {
            if (unknown != NULL && values->values[i] + 1 == unknown[s])
                continue;
            near->one[s] = near->one[s] &&
                           (near->value[s] == MGL_NOT_FOUND || near->value[s] == values->values[i]);
            near->value[s] = values->values[i];
        }
    }
    near->first = t < near->first ? t : near->first;
    near->rows += list->counts[t];
}

static void note_person(search *s, const nearest *near, size_t person, double distance)
{
    s->n++;
    s->rows += near->rows;
    s->least = s->n == 1 || near->rows < s->least ? near->rows : s->least;
    s->most = near->rows > s->most ? near->rows : s->most;
    s->single += near->rows == 1;
    s->distances += distance;
    s->chosen[near->first]++;
    for (size_t a = 0; a < s->m; a++)
        s->sums[near->first * s->m + a] += number_of(s, person, a);
    for (size_t i = 0; i < s->list->n_sensitive; i++)
        s->learnt[i] += near->one[i] && near->value[i] != MGL_NOT_FOUND;
}

static mgl_status link_persons(search *s, const mgl_progress *progress, mgl_error *err)
{
    enum { AT_ONCE = 1024 };
    size_t n_sensitive = s->list->n_sensitive, n = s->persons->n_rows;
    double *point = mgl_alloc_array(s->m, sizeof *point);
    nearest near = {.search = s,
                    .value = mgl_alloc_array(n_sensitive, sizeof *near.value),
                    .one = mgl_alloc_array(n_sensitive, sizeof *near.one)};
    mgl_status status =
        point == NULL || near.value == NULL || near.one == NULL ? mgl_fail_memory(err) : MGL_OK;
    for (size_t person = 0; status == MGL_OK && person < n; person++) {
        near.rows = 0;
        near.first = MGL_NOT_FOUND;
        for (size_t i = 0; i < n_sensitive; i++) {
            near.value[i] = MGL_NOT_FOUND;
            near.one[i] = true;
        }
        for (size_t a = 0; a < s->m; a++)
            point[a] = number_of(s, person, a);
        double distance = mgl_neighbours_find(s->neighbours, point, take_tuple, &near);
        if (near.rows > 0)
            note_person(s, &near, person, distance);
        if (person % AT_ONCE == 0)
            status = mgl_progress_report(progress, "attack", person, n, err);
    }
    mgl_free(point);
    mgl_free(near.value);
    mgl_free(near.one);
    return status;
}

/* ---- Results ------------------------------------------------------------------------------- */

/* Are the numbers of the tuple the averages of the persons to whom it is nearest, and are these as
 * many as it has rows? Then they are its class. Dates are released as whole days. */
static bool is_average(const search *s, size_t t)
{
    if (s->chosen[t] != s->list->counts[t])
        return false;
    for (size_t a = 0; a < s->m; a++) {
        double released = s->points[t * s->m + a],
               mean = s->sums[t * s->m + a] / (double)s->chosen[t];
        double slack = s->kinds[a] == MGL_KIND_DATES ? 0.5 : 1e-9 * fmax(1, fabs(mean));
        if (!(fabs(released - mean) <= slack) && !(isnan(released) && isnan(mean)))
            return false;
    }
    return true;
}

static json_t *nearest_json(const search *s, const mgl_reading *release)
{
    json_t *object = json_object(), *rows = json_object(), *disclosed = json_object();
    uint64_t at_most = 0, certain = 0;
    for (size_t t = 0; t < s->list->n_tuples; t++) {
        uint64_t chosen = s->chosen[t], size = s->list->counts[t];
        at_most += chosen < size ? chosen : size;
        certain += is_average(s, t) ? chosen : 0;
    }
    mgl_json_set(rows, "min", mgl_json_count(s->least));
    mgl_json_set(rows, "mean", mgl_json_real(s->n > 0 ? (double)s->rows / (double)s->n : NAN));
    mgl_json_set(rows, "max", mgl_json_count(s->most));
    mgl_json_set(object, "rows", rows);
    mgl_json_set(object, "distance", mgl_json_real(s->n > 0 ? s->distances / (double)s->n : NAN));
    mgl_json_set(object, "unique_matches", mgl_json_count(s->single));
    mgl_json_set(object, "right_at_most", mgl_json_count(at_most));
    mgl_json_set(object, "right_for_certain", mgl_json_count(certain));
    for (size_t i = 0; i < s->list->n_sensitive; i++)
        mgl_json_set(disclosed, release->counted[i]->name, mgl_json_count(s->learnt[i]));
    mgl_json_set(object, "disclosed", disclosed);
    return object;
}

mgl_status mgl_nearest_json(const mgl_bound_persons *bound, const mgl_frequency_list *list,
                            const mgl_progress *progress, mgl_error *err, json_t **out)
{
    search s = {.bound = bound, .list = list, .persons = bound->persons, .m = list->n_attributes};
    bool all = false;
    *out = NULL;
    mgl_status status = MGL_OK;
    size_t n = s.list->n_tuples;
    s.kinds = mgl_own_zeroed(&s.owned, s.m, sizeof *s.kinds);
    s.released = mgl_own_array(&s.owned, s.m, sizeof *s.released);
    s.known = mgl_own_array(&s.owned, s.m, sizeof *s.known);
    s.units = mgl_own_array(&s.owned, s.m, sizeof *s.units);
    s.points = mgl_own_array(&s.owned, n, s.m * sizeof *s.points);
    s.chosen = mgl_own_zeroed(&s.owned, n, sizeof *s.chosen);
    s.sums = mgl_own_zeroed(&s.owned, n, s.m * sizeof *s.sums);
    s.learnt = mgl_own_zeroed(&s.owned, s.list->n_sensitive, sizeof *s.learnt);
    MGL_GO(mgl_owned_check(&s.owned, err));
    MGL_GO(read_searched(&s, err, &all));
    if (all) {
        MGL_GO(place_tuples(&s, err));
        MGL_GO(link_persons(&s, progress, err));
        *out = nearest_json(&s, bound->release);
    }
done:
    end_search(&s);
    return status;
}
