/* Gives numbers to the cells of a vector. The functions that count groups and those that look
 * released cells up call it. */
#include "io/duckdb/cell_numbers.h"

enum { REMEMBERED = 256, HASH_BITS = 8 };

/* Cells that are the same bytes as one before in these rows are asked for once: within a call of a
 * function a text that lies elsewhere stays there. */
typedef struct remembered {
    uint64_t words[2];
    uint32_t number;
    bool there;
} remembered;

/* The cell as the engine has it. */
static inline void take_words(mgl_duck_fetched fetched, const void *data, size_t row,
                              uint64_t words[2])
{
    words[0] = words[1] = 0;
    switch (fetched) {
    case MGL_DUCK_TEXT:
        memcpy(words, (const mgl_duckdb_text *)data + row, sizeof(mgl_duckdb_text));
        break;
    case MGL_DUCK_FLOAT:
        memcpy(words, (const float *)data + row, sizeof(float));
        break;
    case MGL_DUCK_WHOLE:
    case MGL_DUCK_DOUBLE:
        memcpy(words, (const uint64_t *)data + row, sizeof(uint64_t));
        break;
    }
}

static inline size_t place_of(const uint64_t words[2])
{
    uint64_t mixed = (words[0] ^ words[1] * UINT64_C(0x9E3779B97F4A7C15));
    return mixed * UINT64_C(0x9E3779B97F4A7C15) >> (64 - HASH_BITS);
}

void mgl_cell_numbers(const mgl_duck_column *column, mgl_duckdb_cells cells, size_t n,
                      mgl_cell_number_fn *number, void *context, uint32_t *out, size_t stride)
{
    remembered memory[REMEMBERED];
    for (size_t i = 0; i < REMEMBERED; i++)
        memory[i].there = false;
    for (size_t row = 0; row < n; row++) {
        if (!mgl_duckdb_has(cells, row)) {
            out[row * stride] = number(context, (mgl_span){NULL, 0});
            continue;
        }
        uint64_t words[2];
        take_words(column->fetched, cells.data, row, words);
        remembered *slot = &memory[place_of(words)];
        if (!slot->there || slot->words[0] != words[0] || slot->words[1] != words[1]) {
            char text[MGL_NUMBER_TEXT];
            mgl_span cell = mgl_duck_show(column, cells, row, text);
            *slot = (remembered){{words[0], words[1]}, number(context, cell), true};
        }
        out[row * stride] = slot->number;
    }
}

static int parameter_type(const mgl_duck_column *column)
{
    switch (column->fetched) {
    case MGL_DUCK_WHOLE:
        return MGL_DUCKDB_BIGINT;
    case MGL_DUCK_DOUBLE:
        return MGL_DUCKDB_DOUBLE;
    case MGL_DUCK_FLOAT:
        return MGL_DUCKDB_FLOAT;
    case MGL_DUCK_TEXT:
        break;
    }
    return MGL_DUCKDB_VARCHAR;
}

void **mgl_cell_types(const mgl_duck *d, const size_t *columns, size_t n)
{
    void **types = mgl_zeroed_array(n + 1, sizeof *types);
    for (size_t i = 0; types != NULL && i < n; i++)
        types[i] = mgl_vectors()->create_type(parameter_type(&d->columns[columns[i]]));
    return types;
}

void mgl_cell_types_free(void **types, size_t n)
{
    for (size_t i = 0; types != NULL && i < n; i++)
        mgl_vectors()->destroy_type(&types[i]);
    mgl_free(types);
}

void mgl_write_cell_call(mgl_buffer *out, const mgl_source *source, const char *name,
                         const size_t *columns, size_t n)
{
    mgl_buffer_format(out, "%s(", name);
    for (size_t i = 0; i < n; i++) {
        mgl_buffer_text(out, i > 0 ? ", " : "");
        mgl_duck_write_cell(out, source->state, columns[i],
                            mgl_span_of(mgl_source_column(source, columns[i])));
    }
    mgl_buffer_text(out, ")");
}
