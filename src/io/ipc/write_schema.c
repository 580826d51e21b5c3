/* Writes the schema of a table as Arrow IPC has it. write_table.c calls it. */
#include "io/ipc/ipc.h"

#include <stdlib.h>

typedef struct type_slots {
    mgl_ipc_type type;
    unsigned char widths[3];
    unsigned n;
    int64_t values[3];
} type_slots;

static int64_t unit_of(char letter)
{
    const char *found = strchr("smun", letter);
    return found != NULL ? found - "smun" : 0;
}

static type_slots decimal_of(const char *format)
{
    char *at;
    long precision = strtol(format + 2, &at, 10), scale = strtol(at + 1, &at, 10);
    long bits = *at == ',' ? strtol(at + 1, NULL, 10) : 128;
    return (type_slots){MGL_IPC_DECIMAL, {4, 4, 4}, 3, {precision, scale, bits}};
}

static type_slots int_of(const mgl_arrow_type *type)
{
    return (type_slots){
        MGL_IPC_INT, {4, 1}, 2, {(int64_t)type->width * 8, type->kind == MGL_ARROW_SIGNED}};
}

/* The format is one that the import took. Views are written as large texts. */
static type_slots slots_of(const char *format, const mgl_arrow_type *type)
{
    switch (type->kind) {
    case MGL_ARROW_SIGNED:
    case MGL_ARROW_UNSIGNED:
        return int_of(type);
    case MGL_ARROW_FLOAT:
        return (type_slots){MGL_IPC_FLOAT,
                            {2},
                            1,
                            {type->width == 2   ? 0
                             : type->width == 4 ? 1
                                                : 2}};
    case MGL_ARROW_DECIMAL:
        return decimal_of(format);
    case MGL_ARROW_BOOL:
        return (type_slots){.type = MGL_IPC_BOOL};
    case MGL_ARROW_TEXT:
        return (type_slots){.type = MGL_IPC_TEXT};
    case MGL_ARROW_LARGE_TEXT:
    case MGL_ARROW_VIEW:
        return (type_slots){.type = MGL_IPC_LARGE_TEXT};
    case MGL_ARROW_DAY:
        return (type_slots){MGL_IPC_DATE, {2}, 1, {type->width == 4 ? 0 : 1}};
    case MGL_ARROW_TIME:
        return (type_slots){
            MGL_IPC_TIME, {2, 4}, 2, {unit_of(format[2]), (int64_t)type->width * 8}};
    case MGL_ARROW_MOMENT:
        return (type_slots){MGL_IPC_TIMESTAMP, {2, 0}, 2, {unit_of(format[2])}};
    case MGL_ARROW_NULL:
        break;
    }
    return (type_slots){.type = MGL_IPC_NULL};
}

static void put_type(mgl_fb_writer *out, size_t field, const char *format, type_slots slots)
{
    mgl_span zone = {"", 0};
    if (slots.type == MGL_IPC_TIMESTAMP && strlen(format) > 4) {
        zone = mgl_span_of(format + 4);
        slots.widths[1] = 4;
    }
    mgl_fb_slots put = mgl_fb_put_table(out, field, slots.widths, slots.n);
    for (unsigned i = 0; i < slots.n; i++)
        if (put.at[i] != 0 && !(i == 1 && zone.size > 0))
            mgl_fb_set(out, put.at[i], slots.values[i], slots.widths[i]);
    if (zone.size > 0)
        mgl_fb_put_text(out, put.at[1], zone);
}

static void put_dictionary(mgl_fb_writer *out, size_t field, int64_t id,
                           const mgl_arrow_type *index, bool ordered)
{
    static const unsigned char widths[] = {8, 4, 1};
    mgl_fb_slots put = mgl_fb_put_table(out, field, widths, 3);
    mgl_fb_set(out, put.at[0], id, 8);
    mgl_fb_set(out, put.at[2], ordered, 1);
    put_type(out, put.at[1], "", int_of(index));
}

static void put_field(mgl_fb_writer *out, size_t element, const mgl_arrow_table *table, size_t c)
{
    const mgl_arrow_column *column = &table->columns[c];
    const struct ArrowSchema *schema = table->schema.children[c];
    const char *format = column->encoded ? schema->dictionary->format : schema->format;
    const unsigned char widths[] = {4, 1, 1, 4, column->encoded ? 4 : 0, 4};
    type_slots slots = slots_of(format, &column->type);
    mgl_fb_slots put = mgl_fb_put_table(out, element, widths, 6);
    mgl_fb_set(out, put.at[1], column->nullable, 1);
    mgl_fb_set(out, put.at[2], slots.type, 1);
    mgl_fb_put_text(out, put.at[0], mgl_span_of(column->name));
    put_type(out, put.at[3], format, slots);
    if (column->encoded)
        put_dictionary(out, put.at[4], (int64_t)c, &column->index,
                       (schema->flags & ARROW_FLAG_DICTIONARY_ORDERED) != 0);
    mgl_fb_put_vector(out, put.at[5], 0, 4, 4); /* no columns within */
}

bool mgl_ipc_schema_write(mgl_fb_writer *out, size_t field, const mgl_arrow_table *table)
{
    static const unsigned char widths[] = {2, 4};
    mgl_fb_slots put = mgl_fb_put_table(out, field, widths, 2);
    size_t elements = mgl_fb_put_vector(out, put.at[1], table->n_columns, 4, 4);
    for (size_t c = 0; c < table->n_columns; c++)
        put_field(out, elements + 4 * c, table, c);
    return !out->bytes.failed;
}
