/* Treats the columns for which the job says so, right after the table is read: models, label,
 * guard and writer then see treated values without knowing. The table itself stays as it was read,
 * since slices are known again by it. reading.c calls it. */
#include "pipeline/read/treated.h"
#include "pipeline/read/wishes.h"

static mgl_status open_column(mgl_reading *reading, const mgl_attribute_settings *attribute,
                              mgl_error *err)
{
    size_t column = mgl_source_find(reading->source, attribute->name);
    mgl_treated_column *treated = &reading->treated[reading->n_treated];
    mgl_treat *treat;
    if (reading->roles[column] == MGL_ROLE_QUASI || reading->roles[column] == MGL_ROLE_IDENTIFIER)
        return MGL_OK;
    MGL_TRY(mgl_treat_new(attribute->treat, err, &treat));
    *treated = (mgl_treated_column){
        .name = attribute->name, .said = attribute->treat, .treat = treat, .field = column};
    reading->n_treated++;
    return MGL_OK;
}

mgl_status mgl_treated_open(mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    const mgl_settings *settings = reading->settings;
    size_t n = 0;
    for (size_t i = 0; i < settings->n_attributes; i++)
        n += settings->attributes[i].treat != NULL;
    if (n == 0 || !mgl_purpose_searches(purpose))
        return MGL_OK;
    reading->treated = mgl_zeroed_array(n, sizeof *reading->treated);
    if (reading->treated == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < settings->n_attributes; i++)
        if (settings->attributes[i].treat != NULL)
            MGL_TRY(open_column(reading, &settings->attributes[i], err));
    return MGL_OK;
}

/* Parts have the columns that models look at and no others; nothing is released of them. An engine
 * that counts is asked for no more than it must. */
static bool has_others(const mgl_reading *reading)
{
    size_t n;
    return mgl_source_parts(reading->source, &n) == NULL && !reading->counted_by_source;
}

/* What is shifted may be given back by any other released column, so all of them are kept. */
static bool keeps_all(const mgl_reading *reading)
{
    for (size_t i = 0; i < reading->n_treated; i++)
        if (mgl_treat_by_person(reading->treated[i].treat))
            return true;
    return false;
}

size_t mgl_treated_wish(const mgl_reading *reading, mgl_column_wish *wishes, size_t n)
{
    if (reading->n_treated == 0 || !has_others(reading))
        return n;
    for (size_t i = 0; i < reading->n_treated; i++)
        n = mgl_wish(reading, reading->treated[i].field, wishes, n);
    for (size_t c = 0; keeps_all(reading) && c < mgl_source_columns(reading->source); c++)
        if (mgl_role_passes(reading->roles[c]))
            n = mgl_wish(reading, c, wishes, n);
    return n;
}

/* ---- The values ---------------------------------------------------------------------------------
 */

/* What treatments take from the values goes into the records of the job: other slices are then
 * treated alike. */
static mgl_status note_resolved(mgl_reading *reading, mgl_treated_column *treated,
                                mgl_buffer *resolved, mgl_error *err)
{
    mgl_treat *treat;
    MGL_TRY(mgl_buffer_take(resolved, err, &treated->resolved));
    MGL_TRY(mgl_treat_new(treated->resolved, err, &treat));
    mgl_treat_free(treated->treat);
    treated->treat = treat;
    return strcmp(treated->resolved, treated->said) != 0
               ? mgl_reading_resolve(reading, treated->name, "treat", treated->resolved, err)
               : MGL_OK;
}

static mgl_status make_column(mgl_reading *reading, mgl_treated_column *treated,
                              const mgl_secret *secret, mgl_error *err)
{
    const mgl_source_options *source = &reading->settings->source;
    mgl_treat_order order = {.column = treated->raw,
                             .n_rows = reading->table->n_rows,
                             .times = reading->table->times,
                             .missing = source->missing,
                             .n_missing = source->n_missing,
                             .key = {secret->bytes, secret->size},
                             .persons = reading->entity};
    mgl_buffer resolved = {0};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_treat_column(treated->treat, &order, &resolved, err, &treated->column));
    treated->made = true;
    MGL_GO(note_resolved(reading, treated, &resolved, err));
    treated->column.number = mgl_keeper_number(reading->session->keeper);
    for (size_t i = 0; i < reading->n_counted; i++)
        if (reading->counted[i]->source_index == treated->field &&
            reading->counted[i] != reading->weight) /* rows weigh what they did */
            reading->counted[i] = &treated->column;
done:
    mgl_buffer_free(&resolved);
    return status;
}

static mgl_status make_columns(mgl_reading *reading, const mgl_secret *secret, mgl_error *err)
{
    for (size_t i = 0; i < reading->n_treated; i++) {
        mgl_treated_column *treated = &reading->treated[i];
        treated->raw = mgl_wished(reading, treated->field);
        if (treated->raw != NULL)
            MGL_TRY(make_column(reading, treated, secret, err));
    }
    return MGL_OK;
}

/* The key is read once, if some treatment needs it, and wiped after use. */
mgl_status mgl_treated_make(mgl_reading *reading, mgl_error *err)
{
    mgl_secret secret = {.size = 0};
    bool needed = false;
    for (size_t i = 0; i < reading->n_treated; i++)
        needed = needed || mgl_treat_needs_key(reading->treated[i].treat);
    if (needed)
        MGL_TRY(mgl_secret_read(reading->settings->key, err, &secret));
    mgl_status status = make_columns(reading, &secret, err);
    mgl_secret_wipe(&secret);
    return status;
}

void mgl_treated_forget(mgl_reading *reading)
{
    for (size_t i = 0; reading->treated != NULL && i < reading->n_treated; i++) {
        if (reading->treated[i].made)
            mgl_column_clear(&reading->treated[i].column);
        mgl_treat_free(reading->treated[i].treat);
        mgl_free(reading->treated[i].resolved);
    }
    mgl_free(reading->treated);
}

const mgl_treated_column *mgl_reading_treated(const mgl_reading *reading, size_t field)
{
    for (size_t i = 0; i < reading->n_treated; i++)
        if (reading->treated[i].field == field)
            return &reading->treated[i];
    return NULL;
}
