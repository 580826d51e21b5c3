/* Makes the units of mu-Argus: the distinct tuples after generalization. mu_argus.c calls it. */
#include "search/argus/units.h"

/* Persons of the units: of each unit those of its tuples. */
static mgl_status gather_people(mgl_argus_units *u, const mgl_frequency_list *list, mgl_error *err)
{
    mgl_argus_people tuples = mgl_argus_people_of(list);
    size_t n = u->people.n;
    for (size_t t = 0; t < tuples.n; t++)
        u->rows[u->of_tuple[t]] += tuples.rows[t];
    u->people.rows = u->rows;
    if (tuples.start == NULL)
        return MGL_OK;
    u->start = mgl_zeroed_array(n + 1, sizeof *u->start);
    u->ids = mgl_alloc_array(tuples.start[tuples.n], sizeof *u->ids);
    if (u->start == NULL || u->ids == NULL)
        return mgl_fail_memory(err);
    for (size_t t = 0; t < tuples.n; t++)
        u->start[u->of_tuple[t]] += tuples.start[t + 1] - tuples.start[t];
    size_t end = 0;
    for (size_t i = 0; i <= n; i++) {
        end += i < n ? u->start[i] : 0;
        u->start[i] = end; /* filling backwards turns the end into the start */
    }
    for (size_t t = tuples.n; t-- > 0;)
        for (size_t j = tuples.start[t + 1]; j-- > tuples.start[t];)
            u->ids[--u->start[u->of_tuple[t]]] = tuples.ids[j];
    u->people.start = u->start;
    u->people.ids = u->ids;
    u->people.n_ids = tuples.n_ids;
    return MGL_OK;
}

/* Numbers the released values that occur in a column, from 1 on; the top is 0. */
static uint32_t number_values(const mgl_recoding *recoding, size_t a, uint32_t *numbers)
{
    const mgl_released_column *column = recoding->columns[a];
    uint32_t n = 0;
    memset(numbers, 0, column->n_values * sizeof *numbers);
    for (size_t t = 0; t < recoding->n_tuples; t++) {
        uint32_t value = recoding->cells[a][t];
        if (value != column->top && numbers[value] == 0)
            numbers[value] = ++n;
    }
    return n;
}

static mgl_status make_keys(mgl_argus_units *u, const mgl_recoding *recoding, const uint32_t *first,
                            uint32_t *const *numbers, mgl_error *err)
{
    uint32_t n_values[MGL_ARGUS_COLUMNS];
    size_t n = u->people.n;
    for (size_t a = 0; a < u->m; a++) {
        n_values[a] = number_values(recoding, a, numbers[a]) + 1;
        u->live |= (uint64_t)(n_values[a] > 1) << a;
    }
    MGL_TRY(mgl_packing_init(&u->packing, n_values, u->m, err));
    size_t n_words = u->packing.n_words;
    u->keys = mgl_zeroed_array(n * n_words, sizeof *u->keys);
    if (u->keys == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < u->m; a++) {
        size_t word = u->packing.fields[a].word, shift = u->packing.fields[a].shift;
        for (size_t i = 0; i < n; i++)
            u->keys[i * n_words + word] |= (uint64_t)numbers[a][recoding->cells[a][first[i]]]
                                           << shift;
    }
    return MGL_OK;
}

static mgl_status number_cells(mgl_argus_units *u, const mgl_recoding *recoding,
                               const uint32_t *first, mgl_error *err)
{
    uint32_t *numbers[MGL_ARGUS_COLUMNS] = {NULL};
    bool whole = true;
    for (size_t a = 0; a < u->m; a++) {
        numbers[a] = mgl_alloc_array(recoding->columns[a]->n_values, sizeof **numbers);
        whole = whole && numbers[a] != NULL;
    }
    mgl_status status = whole ? make_keys(u, recoding, first, numbers, err) : mgl_fail_memory(err);
    for (size_t a = 0; a < u->m; a++)
        mgl_free(numbers[a]);
    return status;
}

static mgl_status fill(mgl_argus_units *u, const mgl_frequency_list *list,
                       const mgl_recoding *recoding, mgl_error *err)
{
    uint32_t n_values[MGL_ARGUS_COLUMNS];
    mgl_classes classes;
    for (size_t a = 0; a < u->m; a++)
        n_values[a] = recoding->columns[a]->n_values;
    MGL_TRY(mgl_classes_init(&classes, list->n_tuples, u->m, err));
    mgl_classes_group(&classes, recoding->cells, n_values, NULL, u->m, list->counts);
    u->people.n = classes.n_classes;
    u->of_tuple = classes.of_tuple;
    classes.of_tuple = NULL;
    u->rows = mgl_zeroed_array(u->people.n, sizeof *u->rows);
    mgl_status status =
        u->rows == NULL ? mgl_fail_memory(err) : number_cells(u, recoding, classes.first, err);
    mgl_classes_free(&classes);
    return status == MGL_OK ? gather_people(u, list, err) : status;
}

mgl_status mgl_argus_units_new(const mgl_frequency_list *list, const mgl_recoding *recoding,
                               mgl_error *err, mgl_argus_units **out)
{
    mgl_argus_units *units = mgl_zeroed_array(1, sizeof *units);
    if (units == NULL)
        return mgl_fail_memory(err);
    units->m = list->n_attributes;
    mgl_status status = fill(units, list, recoding, err);
    if (status != MGL_OK) {
        mgl_argus_units_free(units);
        return status;
    }
    *out = units;
    return MGL_OK;
}

void mgl_argus_units_free(mgl_argus_units *units)
{
    if (units == NULL)
        return;
    mgl_packing_free(&units->packing);
    mgl_free(units->of_tuple);
    mgl_free(units->keys);
    mgl_free(units->rows);
    mgl_free(units->start);
    mgl_free(units->ids);
    mgl_free(units);
}
