/* Links a person who matches no row of averages with the rows whose numbers are nearest. `attack`
 * calls it. */
#include "command/link/link.h"
#include "command/link/number_columns.h"

#include <math.h>

typedef struct search {
    const mgl_linked *linked;
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

static mgl_status read_numbers(search *s, mgl_error *err, bool *all)
{
    *all = true;
    for (size_t a = 0; *all && a < s->m; a++) {
        const mgl_hierarchy *h = s->list->hierarchies[a];
        if (s->linked->hierarchies[a] != NULL) { /* a hierarchy tells what texts stand for */
            *all = false;
            break;
        }
        s->released[a] = mgl_alloc_array(h->n_leaves, sizeof **s->released);
        if (s->released[a] == NULL)
            return mgl_fail_memory(err);
        *all = mgl_numbers_of(h->levels[0].labels, h->n_leaves, h->missing_leaf, &h->notation,
                              s->released[a], &s->kinds[a]);
        if (*all)
            MGL_TRY(mgl_numbers_of_dictionary(s->persons->columns[a].dictionary, err, &s->kinds[a],
                                              &s->known[a], all));
    }
    return MGL_OK;
}

static double number_of(const search *s, size_t person, size_t a)
{
    return s->known[a][s->linked->codes[person * s->m + a]];
}

static mgl_status begin(search *s, mgl_error *err)
{
    s->kinds = mgl_zeroed_array(s->m, sizeof *s->kinds);
    s->released = mgl_zeroed_array(s->m, sizeof *s->released);
    s->known = mgl_zeroed_array(s->m, sizeof *s->known);
    s->units = mgl_zeroed_array(s->m, sizeof *s->units);
    s->points = mgl_alloc_array(s->list->n_tuples, s->m * sizeof *s->points);
    s->chosen = mgl_zeroed_array(s->list->n_tuples, sizeof *s->chosen);
    s->sums = mgl_zeroed_array(s->list->n_tuples, s->m * sizeof *s->sums);
    s->learnt = mgl_zeroed_array(s->list->n_sensitive, sizeof *s->learnt);
    return s->kinds == NULL || s->released == NULL || s->known == NULL || s->units == NULL ||
                   s->points == NULL || s->chosen == NULL || s->sums == NULL || s->learnt == NULL
               ? mgl_fail_memory(err)
               : MGL_OK;
}

static void end(search *s)
{
    for (size_t a = 0; a < s->m; a++) {
        if (s->released != NULL)
            mgl_free(s->released[a]);
        if (s->known != NULL)
            mgl_free(s->known[a]);
    }
    mgl_free(s->kinds);
    mgl_free(s->released);
    mgl_free(s->known);
    mgl_free(s->units);
    mgl_free(s->points);
    mgl_free(s->chosen);
    mgl_free(s->sums);
    mgl_free(s->learnt);
    mgl_neighbours_free(s->neighbours);
}

static mgl_status place_tuples(search *s, mgl_error *err)
{
    for (size_t a = 0; a < s->m; a++) {
        mgl_moments spread = {0};
        for (size_t person = 0; person < s->persons->n_rows; person++)
            mgl_moments_add(&spread, number_of(s, person, a), 1);
        s->units[a] = mgl_moments_unit(&spread);
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
        const uint32_t *unknown = near->search->linked->unknown;
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

mgl_status mgl_nearest_json(const mgl_linked *linked, const mgl_frequency_list *list,
                            const mgl_progress *progress, mgl_error *err, json_t **out)
{
    search s = {
        .linked = linked, .list = list, .persons = linked->persons, .m = list->n_attributes};
    bool all = false;
    *out = NULL;
    mgl_status status = MGL_OK;
    MGL_GO(begin(&s, err));
    MGL_GO(read_numbers(&s, err, &all));
    if (all) {
        MGL_GO(place_tuples(&s, err));
        MGL_GO(link_persons(&s, progress, err));
        *out = nearest_json(&s, linked->release);
    }
done:
    end(&s);
    return status;
}
