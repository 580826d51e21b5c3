/* Reads the schema of Arrow IPC: names, types as the C interface writes them, dictionaries.
 * read_ipc.c calls it. */
#include "io/ipc/ipc.h"

#include <stdio.h>

enum { FORMAT_TEXT = 128 };

/* Types that are not taken, as the C interface writes them; the import says what they are. */
static const char *const others[MGL_IPC_TYPES] = {[MGL_IPC_BINARY] = "z",
                                                  [11] = "tiM",
                                                  [12] = "+l",
                                                  [13] = "+s",
                                                  [14] = "+us:",
                                                  [15] = "w:1",
                                                  [16] = "+w:1",
                                                  [17] = "+m",
                                                  [18] = "tDs",
                                                  [19] = "Z",
                                                  [21] = "+L",
                                                  [22] = "+r",
                                                  [23] = "vz",
                                                  [24] = "vu",
                                                  [25] = "+vl",
                                                  [26] = "+vL"};

static const char *int_format(mgl_flatbuffer *fb, size_t type)
{
    bool is_signed = mgl_fb_whole(fb, type, 1, 1, 0) != 0;
    switch (mgl_fb_whole(fb, type, 0, 4, 0)) {
    case 8:
        return is_signed ? "c" : "C";
    case 16:
        return is_signed ? "s" : "S";
    case 32:
        return is_signed ? "i" : "I";
    case 64:
        return is_signed ? "l" : "L";
    default:
        return "";
    }
}

static char unit_of(mgl_flatbuffer *fb, size_t type, int64_t otherwise)
{
    int64_t unit = mgl_fb_whole(fb, type, 0, 2, otherwise);
    return unit >= 0 && unit < 4 ? "smun"[unit] : '?';
}

static void write_timestamp(mgl_flatbuffer *fb, size_t type, char format[FORMAT_TEXT])
{
    mgl_span zone = mgl_fb_text(fb, type, 1);
    /* A zone that is longer than any is cut: what follows the colon only says that there is one. */
    int width = zone.size < FORMAT_TEXT - 8 ? (int)zone.size : FORMAT_TEXT - 8;
    snprintf(format, FORMAT_TEXT, "ts%c:%.*s", unit_of(fb, type, 0), width, zone.data);
}

/* "": there is no such type. */
static void write_format(mgl_flatbuffer *fb, int64_t kind, size_t type, char format[FORMAT_TEXT])
{
    static const char floats[] = "efg";
    int64_t precision;
    switch (kind) {
    case MGL_IPC_NULL:
        strcpy(format, "n");
        break;
    case MGL_IPC_INT:
        strcpy(format, int_format(fb, type));
        break;
    case MGL_IPC_FLOAT:
        precision = mgl_fb_whole(fb, type, 0, 2, 0);
        snprintf(format, FORMAT_TEXT, "%c",
                 precision >= 0 && precision < 3 ? floats[precision] : '?');
        break;
    case MGL_IPC_TEXT:
        strcpy(format, "u");
        break;
    case MGL_IPC_LARGE_TEXT:
        strcpy(format, "U");
        break;
    case MGL_IPC_BOOL:
        strcpy(format, "b");
        break;
    case MGL_IPC_DECIMAL:
        snprintf(format, FORMAT_TEXT, "d:%d,%d,%d", (int)mgl_fb_whole(fb, type, 0, 4, 0),
                 (int)mgl_fb_whole(fb, type, 1, 4, 0), (int)mgl_fb_whole(fb, type, 2, 4, 128));
        break;
    case MGL_IPC_DATE:
        strcpy(format, mgl_fb_whole(fb, type, 0, 2, 1) == 0 ? "tdD" : "tdm");
        break;
    case MGL_IPC_TIME:
        snprintf(format, FORMAT_TEXT, "tt%c", unit_of(fb, type, 1));
        break;
    case MGL_IPC_TIMESTAMP:
        write_timestamp(fb, type, format);
        break;
    default:
        strcpy(format,
               kind > 0 && kind < MGL_IPC_TYPES && others[kind] != NULL ? others[kind] : "?");
    }
}

static char *copy_text(mgl_span text)
{
    char *copy = mgl_alloc(text.size + 1);
    if (copy == NULL)
        return NULL;
    memcpy(copy, text.data, text.size);
    copy[text.size] = '\0';
    return copy;
}

static mgl_status read_dictionary(const mgl_ipc_file *file, mgl_flatbuffer *fb, size_t encoding,
                                  uint64_t at, mgl_error *err, mgl_ipc_column *out)
{
    size_t index = mgl_fb_table(fb, encoding, 1);
    out->encoded = true;
    out->id = mgl_fb_whole(fb, encoding, 0, 8, 0);
    out->ordered = mgl_fb_whole(fb, encoding, 2, 1, 0) != 0;
    snprintf(out->index_format, sizeof out->index_format, "%s",
             index != 0 ? int_format(fb, index) : "i");
    if (mgl_fb_whole(fb, encoding, 3, 2, 0) != 0 ||
        !mgl_arrow_type_of(out->index_format, &out->index))
        return mgl_ipc_fail(file, at, err, "the dictionary of column %.60s is of an unknown kind",
                            out->name);
    return MGL_OK;
}

static mgl_status read_field(const mgl_ipc_file *file, mgl_flatbuffer *fb, size_t field,
                             uint64_t at, mgl_error *err, mgl_ipc_column *out)
{
    char format[FORMAT_TEXT];
    mgl_span name = mgl_fb_text(fb, field, 0);
    size_t encoding = mgl_fb_table(fb, field, 4);
    out->nullable = mgl_fb_whole(fb, field, 1, 1, 0) != 0;
    write_format(fb, mgl_fb_whole(fb, field, 2, 1, 0), mgl_fb_table(fb, field, 3), format);
    if (fb->bad || memchr(name.data, '\0', name.size) != NULL)
        return mgl_ipc_fail(file, at, err, "the description of a column is broken");
    out->name = copy_text(name);
    out->format = copy_text(mgl_span_of(format));
    if (out->name == NULL || out->format == NULL)
        return mgl_fail_memory(err);
    out->taken = mgl_arrow_type_of(format, &out->type);
    if (out->taken && out->type.kind == MGL_ARROW_VIEW)
        return mgl_ipc_fail(file, at, err,
                            "column %.60s has the type text view, which is not read from files "
                            "(cast it to text)",
                            out->name);
    return encoding != 0 ? read_dictionary(file, fb, encoding, at, err, out) : MGL_OK;
}

mgl_status mgl_ipc_schema_read(const mgl_ipc_file *file, const mgl_flatbuffer *metadata,
                               size_t table, uint64_t at, mgl_error *err, mgl_ipc_schema *out)
{
    mgl_flatbuffer fb = *metadata;
    size_t n, fields = mgl_fb_vector(&fb, table, 1, 4, &n);
    if (mgl_fb_whole(&fb, table, 0, 2, 0) != 0)
        return mgl_ipc_fail(file, at, err,
                            "the table was written on a machine with the other order of bytes, and "
                            "only little-endian ones are read");
    if (fb.bad)
        return mgl_ipc_fail(file, at, err, "the schema is broken");
    out->columns = mgl_zeroed_array(n, sizeof *out->columns);
    if (out->columns == NULL && n > 0)
        return mgl_fail_memory(err);
    for (; out->n_columns < n; out->n_columns++) {
        size_t field = mgl_fb_element(&fb, fields, out->n_columns);
        mgl_status status = read_field(file, &fb, field, at, err, &out->columns[out->n_columns]);
        if (status != MGL_OK) {
            out->n_columns++;
            return status;
        }
    }
    return MGL_OK;
}

void mgl_ipc_schema_free(mgl_ipc_schema *schema)
{
    for (size_t c = 0; c < schema->n_columns; c++) {
        mgl_free(schema->columns[c].name);
        mgl_free(schema->columns[c].format);
    }
    mgl_free(schema->columns);
    *schema = (mgl_ipc_schema){0};
}
