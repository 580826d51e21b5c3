/* Puts an apostrophe before cells that a spreadsheet would compute. rows.c calls it for cells that
 * are passed through. */
#include "release/neutral.h"

/* What the cell of a column that is passed through becomes; false: it stays. */
static bool changes(mgl_neutral *neutral, const mgl_layout *layout, size_t c, size_t row,
                    mgl_field field, mgl_span *out)
{
    const mgl_row_plan *plan = layout->plan;
    const mgl_column *respelled = plan->respelled != NULL ? plan->respelled[c] : NULL;
    if (layout->labels != NULL && layout->labels[c] != NULL)
        return false;
    mgl_span value = mgl_field_value(field, &neutral->scratch);
    if (respelled != NULL) {
        mgl_span known =
            mgl_dictionary_value(respelled->dictionary, mgl_column_code(respelled, row));
        bool same = mgl_span_equal(known, value);
        *out = known;
        return !same || (plan->neutralize && mgl_text_is_formula(known));
    }
    *out = value;
    return plan->neutralize && field.size > 0 && mgl_text_is_formula(value);
}

/* How many bytes the changed cells of a record can take; 0: none is changed. */
static size_t room_for(mgl_neutral *neutral, const mgl_layout *layout, size_t row,
                       const mgl_field *fields)
{
    enum { MORE = 3 }; /* quotes around the cell, and the apostrophe */
    size_t room = 0;
    mgl_span value;
    for (size_t c = 0; c < layout->plan->n_columns; c++)
        if (changes(neutral, layout, c, row, fields[layout->plan->columns[c]], &value))
            room += 2 * value.size + MORE;
    return room;
}

const mgl_field *mgl_neutral_fields(mgl_neutral *neutral, const mgl_layout *layout, size_t row,
                                    const mgl_field *fields, size_t n_fields)
{
    size_t room = room_for(neutral, layout, row, fields);
    neutral->text.size = 0;
    if (neutral->scratch.failed)
        return NULL;
    if (room == 0)
        return fields;
    /* With all the room at once no cell moves when another one is added. */
    if (!mgl_grow(&neutral->fields, &neutral->capacity, n_fields, sizeof *fields) ||
        !mgl_buffer_reserve(&neutral->text, room))
        return NULL;
    memcpy(neutral->fields, fields, n_fields * sizeof *fields);
    for (size_t c = 0; c < layout->plan->n_columns; c++) {
        mgl_field *field = &neutral->fields[layout->plan->columns[c]];
        mgl_span value;
        if (!changes(neutral, layout, c, row, *field, &value))
            continue;
        size_t start = neutral->text.size;
        mgl_layout_put(layout, &neutral->text, value);
        size_t size = neutral->text.size - start;
        *field = (mgl_field){.data = neutral->text.data + start,
                             .size = (uint32_t)size,
                             .quoted = size > 0 && neutral->text.data[start] == '"'};
    }
    return neutral->text.failed || neutral->scratch.failed ? NULL : neutral->fields;
}

void mgl_neutral_free(mgl_neutral *neutral)
{
    mgl_free(neutral->fields);
    mgl_buffer_free(&neutral->text);
    mgl_buffer_free(&neutral->scratch);
}
