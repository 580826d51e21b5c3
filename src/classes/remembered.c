/* Tells the tuples of rows by what was noted while they were counted: a slot in the table of a
 * counter. Tables grow and slots move, so each time has its own table of tuples. That is far less
 * than making the keys of all rows again and looking them up. ranges.c fills it, the release of a
 * table in memory asks. */
#include "classes/remembered.h"

/* The tuples of slots for the rows of some rounds. */
typedef struct epoch {
    size_t first_round;
    size_t n_slots;
    uint32_t *tuples; /* [n_slots] of the range; where each slot went until the end is known */
} epoch;

typedef struct range {
    epoch *epochs;
    size_t n_epochs, capacity;
    size_t next_round; /* the first one behind these epochs */
    uint32_t first_tuple;
} range;

struct mgl_remembered {
    size_t n_rows, rows_in_round, n_attributes;
    uint32_t *places;   /* [n_rows] */
    const void **codes; /* [n_attributes] of the columns that were counted */
    range ranges[MGL_KEY_RANGES];
};

mgl_status mgl_remembered_new(const mgl_row_keys *keys, size_t n_rows, size_t rows_in_round,
                              mgl_error *err, mgl_remembered **out)
{
    mgl_remembered *x = mgl_zeroed_array(1, sizeof *x);
    if (x == NULL)
        return mgl_fail_memory(err);
    x->n_rows = n_rows;
    x->rows_in_round = rows_in_round;
    x->n_attributes = keys->packing->n_attributes;
    x->places = mgl_alloc_array(n_rows, sizeof *x->places);
    x->codes = mgl_alloc_array(x->n_attributes, sizeof *x->codes);
    if (x->places == NULL || x->codes == NULL) {
        mgl_remembered_free(x);
        return mgl_fail_memory(err);
    }
    for (size_t a = 0; a < x->n_attributes; a++)
        x->codes[a] = keys->quasi[a].column->codes;
    *out = x;
    return MGL_OK;
}

void mgl_remembered_free(mgl_remembered *remembered)
{
    if (remembered == NULL)
        return;
    for (size_t r = 0; r < MGL_KEY_RANGES; r++) {
        for (size_t e = 0; e < remembered->ranges[r].n_epochs; e++)
            mgl_free(remembered->ranges[r].epochs[e].tuples);
        mgl_free(remembered->ranges[r].epochs);
    }
    mgl_free(remembered->places);
    mgl_free(remembered->codes);
    mgl_free(remembered);
}

uint32_t *mgl_remembered_places(mgl_remembered *remembered)
{
    return remembered->places;
}

/* ---- While rows are counted ------------------------------------------------------------------ */

/* Takes over the tuples, whatever comes. */
static mgl_status add_epoch(range *range, const epoch *fresh, mgl_error *err)
{
    if (!mgl_grow(&range->epochs, &range->capacity, range->n_epochs + 1, sizeof *range->epochs)) {
        mgl_free(fresh->tuples);
        return mgl_fail_memory(err);
    }
    range->epochs[range->n_epochs++] = *fresh;
    return MGL_OK;
}

mgl_status mgl_remembered_move(mgl_remembered *remembered, size_t range, size_t round,
                               size_t n_slots, uint32_t *moved, mgl_error *err)
{
    struct range *of = &remembered->ranges[range];
    size_t first = of->next_round;
    of->next_round = round;
    return add_epoch(of, &(epoch){first, n_slots, moved}, err);
}

mgl_status mgl_remembered_end(mgl_remembered *remembered, size_t range, uint32_t *ranks,
                              size_t first_tuple, mgl_error *err)
{
    struct range *of = &remembered->ranges[range];
    of->first_tuple = (uint32_t)first_tuple;
    MGL_TRY(add_epoch(of, &(epoch){of->next_round, 0, ranks}, err));
    for (size_t e = of->n_epochs - 1; e-- > 0;)
        for (size_t s = 0; s < of->epochs[e].n_slots; s++)
            of->epochs[e].tuples[s] = of->epochs[e + 1].tuples[of->epochs[e].tuples[s]];
    return MGL_OK;
}

/* ---- Afterwards ------------------------------------------------------------------------------ */

bool mgl_list_remembers(const mgl_frequency_list *list, const mgl_bound_column *quasi)
{
    const mgl_remembered *x = list->remembered;
    if (x == NULL || list->joined != NULL)
        return false;
    for (size_t a = 0; a < x->n_attributes; a++)
        if (quasi[a].column->codes != x->codes[a])
            return false;
    return true;
}

/* Rows of one round. */
static void recall(const mgl_remembered *x, size_t first, size_t n, uint32_t *out)
{
    const uint32_t *tuples[MGL_KEY_RANGES];
    uint32_t begin[MGL_KEY_RANGES], mask = ((uint32_t)1 << MGL_SLOT_BITS) - 1;
    for (size_t r = 0; r < MGL_KEY_RANGES; r++) {
        const range *range = &x->ranges[r];
        size_t e = range->n_epochs - 1;
        while (range->epochs[e].first_round > first / x->rows_in_round)
            e--;
        tuples[r] = range->epochs[e].tuples;
        begin[r] = range->first_tuple;
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t place = x->places[first + i], r = place >> MGL_SLOT_BITS;
        out[i] = begin[r] + tuples[r][place & mask];
    }
}

void mgl_list_recall(const mgl_frequency_list *list, size_t first, size_t n, uint32_t *out)
{
    const mgl_remembered *x = list->remembered;
    for (size_t done = 0, some; done < n; done += some) {
        size_t row = first + done, left = x->rows_in_round - row % x->rows_in_round;
        some = n - done < left ? n - done : left;
        recall(x, row, some, out + done);
    }
}
