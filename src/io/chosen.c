/* Leaves rows out while a source is read: of the codes of the first pass and of the records of the
 * second, so that whoever reads sees a table without them. source.c and ahead.c call it where rows
 * of a source were chosen. */
#include "io/chosen.h"

#include "io/intake/intake.h"

/* ---- First pass ------------------------------------------------------------------------------ */

mgl_status mgl_sifting_init(mgl_sifting *sifting, const mgl_row_choice *chosen, mgl_table *table,
                            const mgl_row_sink *sink, mgl_error *err)
{
    *sifting = (mgl_sifting){.chosen = chosen, .table = table, .sink = sink};
    sifting->numbers = mgl_zeroed_array(table->n_columns, sizeof *sifting->numbers);
    sifting->n_numbers = mgl_zeroed_array(table->n_columns, sizeof *sifting->n_numbers);
    return sifting->numbers == NULL || sifting->n_numbers == NULL ? mgl_fail_memory(err) : MGL_OK;
}

void mgl_sifting_free(mgl_sifting *sifting)
{
    for (size_t c = 0; sifting->numbers != NULL && c < sifting->table->n_columns; c++)
        mgl_free(sifting->numbers[c]);
    mgl_free(sifting->numbers);
    mgl_free(sifting->n_numbers);
    mgl_free(sifting->codes);
    *sifting = (mgl_sifting){0};
}

/* Codes that the dictionary of the source got since the last stripe have no number yet. */
static bool know_codes(mgl_sifting *s, size_t c, uint32_t n)
{
    size_t capacity = s->n_numbers[c];
    if (n <= capacity)
        return true;
    if (!mgl_grow(&s->numbers[c], &capacity, n, sizeof **s->numbers))
        return false;
    memset(s->numbers[c] + s->n_numbers[c], 0xff,
           (capacity - s->n_numbers[c]) * sizeof **s->numbers);
    s->n_numbers[c] = capacity;
    return true;
}

/* The number of a code, which is new if no row before had the value. MGL_NOT_FOUND: memory is out.
 */
static uint32_t number_of(mgl_sifting *s, size_t c, const mgl_dictionary *from, uint32_t code)
{
    mgl_dictionary *to = s->table->columns[c].dictionary;
    uint32_t *number = &s->numbers[c][code];
    if (*number == MGL_NOT_FOUND)
        *number = code == mgl_dictionary_missing(from)
                      ? mgl_dictionary_add_missing(to, mgl_dictionary_value(from, code))
                      : mgl_dictionary_add(to, mgl_dictionary_value(from, code));
    return *number;
}

static bool sift_column(mgl_sifting *s, const mgl_table *stripe, size_t c, size_t *n_kept)
{
    const mgl_column *column = &stripe->columns[c];
    size_t n = 0;
    if (!know_codes(s, c, mgl_dictionary_size(column->dictionary)))
        return false;
    for (size_t r = 0; r < stripe->n_rows; r++) {
        if (!mgl_row_is_chosen(s->chosen, s->n_seen + r))
            continue;
        s->codes[n] = number_of(s, c, column->dictionary, mgl_column_code(column, r));
        if (s->codes[n++] == MGL_NOT_FOUND)
            return false;
    }
    *n_kept = n;
    return mgl_codes_store(&s->table->columns[c], s->table->n_rows, s->codes, n);
}

static mgl_status give_on(mgl_sifting *s, size_t enough, mgl_error *err)
{
    if (s->sink == NULL || s->table->n_rows < enough)
        return MGL_OK;
    MGL_TRY(s->sink->take(s->sink->context, s->table, err));
    s->table->n_rows = 0;
    return MGL_OK;
}

mgl_status mgl_sifting_take(void *context, const mgl_table *stripe, mgl_error *err)
{
    mgl_sifting *s = context;
    size_t n = 0;
    if (!mgl_grow(&s->codes, &s->codes_capacity, stripe->n_rows + 1, sizeof *s->codes))
        return mgl_fail_memory(err);
    for (size_t r = 0; r < stripe->n_rows; r++) /* a table may have no columns */
        n += mgl_row_is_chosen(s->chosen, s->n_seen + r);
    for (size_t c = 0; c < stripe->n_columns; c++)
        if (!sift_column(s, stripe, c, &n))
            return mgl_fail_memory(err);
    s->table->n_rows += n;
    s->n_seen += stripe->n_rows;
    return give_on(s, s->sink != NULL ? s->sink->rows : 0, err);
}

mgl_status mgl_sifting_end(mgl_sifting *sifting, const char *name, mgl_error *err)
{
    if (sifting->n_seen != sifting->chosen->n_rows)
        return mgl_fail_at(err, MGL_CODE_CHANGED, name, 0,
                           "the table had %llu rows when some were chosen and has %llu now; run "
                           "again when nothing writes to it",
                           (unsigned long long)sifting->chosen->n_rows,
                           (unsigned long long)sifting->n_seen);
    return give_on(sifting, 1, err);
}

/* ---- Second pass ------------------------------------------------------------------------------
 */

/* The fields belong to the source, which makes them anew for each block: those of rows that stay
 * move up. */
void mgl_records_sift(const mgl_row_choice *chosen, uint64_t first, mgl_records *records)
{
    mgl_field *fields = (mgl_field *)records->fields;
    size_t n_fields = records->n_fields, kept = 0;
    for (size_t r = 0; r < records->n_records; r++) {
        if (!mgl_row_is_chosen(chosen, first + r))
            continue;
        if (kept < r)
            memcpy(fields + kept * n_fields, fields + r * n_fields, n_fields * sizeof *fields);
        kept++;
    }
    records->n_records = kept;
}

uint64_t mgl_chosen_row(const mgl_row_choice *chosen, uint64_t number)
{
    uint64_t row = 0;
    for (uint64_t left = number;; row++)
        if (row >= chosen->n_rows || (mgl_row_is_chosen(chosen, row) && left-- == 0))
            return row;
}
