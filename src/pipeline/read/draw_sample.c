/* Draws the rows of a job at random (`sample`): of the rows that `where` leaves, or of the persons
 * that they belong to, every set of the asked size is equally likely. choose_rows.c calls it. */
#include "pipeline/read/chosen_rows.h"

/* Far from the streams that shuffle rows: the same seed for both must not tie one to the other. */
static const uint64_t stream = UINT64_MAX;

/* Goes through all units in their order and takes each with the chance that it has given what was
 * taken so far. */
typedef struct drawing {
    mgl_random random;
    uint64_t units_left, to_take;
} drawing;

static bool takes(drawing *d)
{
    bool taken = d->to_take > 0 && mgl_random_below(&d->random, d->units_left) < d->to_take;
    d->units_left--;
    d->to_take -= taken;
    return taken;
}

/* A share is rounded to the nearest number, half up. */
static uint64_t size_of(const char *sample, uint64_t n_units)
{
    mgl_span text = mgl_span_of(sample);
    uint64_t n = 0, twice;
    if (text.data[text.size - 1] != '%')
        return mgl_parse_u64(text, &n) && n < n_units ? n : n_units;
    text.size--;
    return mgl_parse_share(text, true, 2 * n_units, &twice) ? (twice + 1) / 2 : n_units;
}

static mgl_status begin(drawing *d, const mgl_settings *settings, uint64_t n_units, mgl_error *err)
{
    mgl_random random;
    if (settings->chosen.has_seed)
        mgl_random_seed(&random, settings->chosen.seed);
    else
        MGL_TRY(mgl_random_init(&random, err));
    mgl_random_stream(&random, stream, &d->random);
    d->units_left = n_units;
    d->to_take = size_of(settings->chosen.sample, n_units);
    return MGL_OK;
}

static void leave_out(mgl_chosen_rows *rows, uint64_t row)
{
    rows->choice.bits[row / 64] &= ~(UINT64_C(1) << row % 64);
    rows->choice.n_chosen--;
    rows->by_sample++;
}

static void draw_rows(drawing *d, mgl_chosen_rows *rows)
{
    for (uint64_t row = 0; row < rows->choice.n_rows; row++)
        if (mgl_row_is_chosen(&rows->choice, row) && !takes(d))
            leave_out(rows, row);
}

/* ---- Persons ----------------------------------------------------------------------------------
 */

typedef enum fate { NOT_SEEN, SEEN, TAKEN, LEFT } fate;

typedef mgl_status person_fn(void *context, uint64_t row, uint8_t *fate);

/* All rows that are chosen so far, each with what is known about its person. */
static mgl_status each_person(const mgl_column *entity, uint8_t *fates, mgl_chosen_rows *rows,
                              person_fn *visit, void *context, mgl_error *err)
{
    size_t first = 0, there = 0;
    for (uint64_t row = 0; row < rows->choice.n_rows; row++) {
        if (!mgl_row_is_chosen(&rows->choice, row))
            continue;
        if (row >= first + there)
            MGL_TRY(mgl_column_reach(entity, (size_t)row, err, &first, &there));
        MGL_TRY(visit(context, row, &fates[mgl_column_code(entity, (size_t)row - first)]));
    }
    return MGL_OK;
}

static mgl_status count_person(void *context, uint64_t row, uint8_t *fate)
{
    (void)row;
    *(uint64_t *)context += *fate == NOT_SEEN;
    *fate = SEEN;
    return MGL_OK;
}

typedef struct deciding {
    drawing *drawing;
    mgl_chosen_rows *rows;
} deciding;

static mgl_status decide(void *context, uint64_t row, uint8_t *fate)
{
    const deciding *d = context;
    if (*fate == SEEN)
        *fate = takes(d->drawing) ? TAKEN : LEFT;
    if (*fate == LEFT)
        leave_out(d->rows, row);
    return MGL_OK;
}

static mgl_status draw_persons(drawing *d, const mgl_settings *settings, const mgl_column *entity,
                               mgl_error *err, mgl_chosen_rows *rows)
{
    uint64_t n = 0;
    deciding deciding = {d, rows};
    uint8_t *fates = mgl_zeroed_array(mgl_dictionary_size(entity->dictionary) + (size_t)1, 1);
    mgl_status status = MGL_OK;
    if (fates == NULL)
        return mgl_fail_memory(err);
    MGL_GO(each_person(entity, fates, rows, count_person, &n, err));
    MGL_GO(begin(d, settings, n, err));
    MGL_GO(each_person(entity, fates, rows, decide, &deciding, err));
done:
    mgl_free(fates);
    return status;
}

mgl_status mgl_draw_sample(const mgl_settings *settings, const mgl_column *entity, mgl_error *err,
                           mgl_chosen_rows *rows)
{
    drawing d = {0};
    if (entity != NULL)
        return draw_persons(&d, settings, entity, err, rows);
    MGL_TRY(begin(&d, settings, rows->choice.n_chosen, err));
    draw_rows(&d, rows);
    return MGL_OK;
}
