/* Makes records of the rows of an Arrow table, quoted as delimited text has them. Texts that need
 * no quotes stay where they are; of dictionaries each entry is written once. The source of Arrow
 * tables calls it in its second pass. */
#include "io/arrow_source/arrow_source.h"

mgl_status mgl_arrow_block_init(mgl_arrow_block *block, const mgl_arrow_table *table,
                                mgl_span null_text, char delimiter, mgl_error *err)
{
    *block = (mgl_arrow_block){.table = table, .null_text = null_text, .delimiter = delimiter};
    block->fields = mgl_alloc_array(table->n_columns, MGL_ARROW_BLOCK_ROWS * sizeof(mgl_field));
    block->columns = mgl_zeroed_array(table->n_columns, sizeof *block->columns);
    return block->fields == NULL || block->columns == NULL ? mgl_fail_memory(err) : MGL_OK;
}

void mgl_arrow_block_free(mgl_arrow_block *block)
{
    for (size_t c = 0; block->columns != NULL && c < block->table->n_columns; c++) {
        mgl_buffer_free(&block->columns[c].made);
        mgl_free(block->columns[c].entries);
    }
    mgl_free(block->columns);
    mgl_free(block->fields);
}

/* ---- Fields ------------------------------------------------------------------------------------
 */

static bool needs_quotes(mgl_span text, char delimiter)
{
    uint64_t found = 0;
    for (size_t i = 0; i < text.size; i++) {
        char byte = text.data[i];
        found |= (byte == delimiter) | (byte == '"') | (byte == '\n') | (byte == '\r');
    }
    return found != 0;
}

/* The field of a text. What is made anew is put into room that was reserved, so that it stays. */
static mgl_field field_of(const mgl_arrow_block *block, mgl_span text, bool lasts, mgl_buffer *made)
{
    bool alone = block->table->n_columns == 1 && text.size == 0;
    bool quoted = alone || needs_quotes(text, block->delimiter);
    if (lasts && !quoted)
        return (mgl_field){text.data, (uint32_t)text.size, false};
    size_t at = made->size;
    mgl_text_quote(made, text, block->delimiter, alone);
    return (mgl_field){made->data + at, (uint32_t)(made->size - at), quoted};
}

/* Room for the fields of the cells from first on, whatever they are. */
static bool reserve(mgl_buffer *made, const mgl_arrow_cells *cells)
{
    enum { QUOTES = 2, WORST = 2 }; /* each byte a quote */
    size_t most = 0;
    made->size = 0;
    if (!mgl_arrow_is_text(cells->type))
        return mgl_buffer_reserve(made, cells->n * MGL_ARROW_ROOM);
    for (size_t i = 0; i < cells->n; i++)
        if (!mgl_arrow_is_null(cells, i))
            most += WORST * mgl_arrow_text_at(cells, i).size + QUOTES;
    return mgl_buffer_reserve(made, most);
}

static mgl_field field_at(const mgl_arrow_block *block, const mgl_arrow_cells *cells, size_t i,
                          mgl_field null, mgl_buffer *made)
{
    char room[MGL_ARROW_ROOM];
    if (mgl_arrow_is_null(cells, i))
        return null;
    return field_of(block, mgl_arrow_show(cells, i, room), mgl_arrow_is_text(cells->type), made);
}

/* ---- Columns -----------------------------------------------------------------------------------
 */

static bool know_entries(const mgl_arrow_block *block, size_t batch, size_t c, mgl_field null)
{
    mgl_arrow_texts *texts = &block->columns[c];
    const struct ArrowArray *dictionary = block->table->batches[batch].children[c]->dictionary;
    if (texts->known == dictionary)
        return true;
    mgl_arrow_cells entries = mgl_arrow_entries_of(block->table, batch, c);
    texts->known = NULL;
    if (!reserve(&texts->made, &entries) ||
        !mgl_grow(&texts->entries, &texts->entries_capacity, entries.n, sizeof *texts->entries))
        return false;
    for (size_t e = 0; e < entries.n; e++)
        texts->entries[e] = field_at(block, &entries, e, null, &texts->made);
    texts->known = dictionary;
    return true;
}

static bool fill_encoded(const mgl_arrow_block *block, size_t batch, size_t c,
                         mgl_arrow_cells cells, mgl_field null)
{
    size_t stride = block->table->n_columns;
    if (!know_entries(block, batch, c, null))
        return false;
    const mgl_field *entries = block->columns[c].entries;
    for (size_t i = 0; i < cells.n; i++)
        block->fields[i * stride + c] =
            mgl_arrow_is_null(&cells, i) ? null : entries[mgl_arrow_index_at(&cells, i)];
    return true;
}

static bool fill_plain(const mgl_arrow_block *block, size_t c, mgl_arrow_cells cells,
                       mgl_field null)
{
    size_t stride = block->table->n_columns;
    mgl_buffer *made = &block->columns[c].made;
    if (!reserve(made, &cells))
        return false;
    for (size_t i = 0; i < cells.n; i++)
        block->fields[i * stride + c] = field_at(block, &cells, i, null, made);
    return true;
}

/* Null as a field, which lives as long as its text does: it is quoted by whoever chose it. */
static mgl_field null_field(const mgl_arrow_block *block)
{
    static const char alone[] = "\"\"";
    mgl_span text = block->null_text;
    if (text.size == 0 && block->table->n_columns == 1)
        return (mgl_field){alone, 2, true};
    return (mgl_field){text.data, (uint32_t)text.size, text.size > 0 && text.data[0] == '"'};
}

bool mgl_arrow_block_fill(mgl_arrow_block *block, size_t batch, size_t first, size_t n)
{
    mgl_field null = null_field(block);
    for (size_t c = 0; c < block->table->n_columns; c++) {
        mgl_arrow_cells cells = mgl_arrow_cells_of(block->table, batch, c);
        cells.first += first;
        cells.n = n;
        bool filled = block->table->columns[c].encoded ? fill_encoded(block, batch, c, cells, null)
                                                       : fill_plain(block, c, cells, null);
        if (!filled)
            return false;
    }
    return true;
}
