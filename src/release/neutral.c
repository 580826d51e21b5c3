#include "release/neutral.h"

static bool is_formula(mgl_neutral *neutral, mgl_field field)
{
    return field.size > 0 && mgl_text_is_formula(mgl_field_value(field, &neutral->scratch));
}

/* How many bytes the changed cells of a record can take; 0: none is changed. */
static size_t room_for(mgl_neutral *neutral, const mgl_layout *layout, const mgl_field *fields)
{
    enum { MORE = 3 }; /* quotes around the cell, and the apostrophe */
    size_t room = 0;
    for (size_t c = 0; c < layout->plan->n_columns; c++) {
        mgl_field field = fields[layout->plan->columns[c]];
        if (layout->labels[c] == NULL && is_formula(neutral, field))
            room += 2 * (size_t)field.size + MORE;
    }
    return room;
}

const mgl_field *mgl_neutral_fields(mgl_neutral *neutral, const mgl_layout *layout,
                                    const mgl_field *fields, size_t n_fields)
{
    size_t room = room_for(neutral, layout, fields);
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
        if (layout->labels[c] != NULL || !is_formula(neutral, *field))
            continue;
        size_t start = neutral->text.size;
        mgl_layout_put(layout, &neutral->text, mgl_field_value(*field, &neutral->scratch));
        *field = (mgl_field){.data = neutral->text.data + start,
                             .size = (uint32_t)(neutral->text.size - start),
                             .quoted = neutral->text.data[start] == '"'};
    }
    return neutral->text.failed || neutral->scratch.failed ? NULL : neutral->fields;
}

void mgl_neutral_free(mgl_neutral *neutral)
{
    mgl_free(neutral->fields);
    mgl_buffer_free(&neutral->text);
    mgl_buffer_free(&neutral->scratch);
}
