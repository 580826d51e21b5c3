/* Reads tables in memory as sources: requested columns are distributed among threads, each coded
 * from its first row to its last. The second pass makes records of texts. */
#include "io/arrow_source/arrow_source.h"

/* ---- Records --------------------------------------------------------------------------------- */

static mgl_status arrow_block_init(mgl_arrow_block *block, const mgl_arrow_table *table,
                                   mgl_span null_text, char delimiter, mgl_error *err)
{
    *block = (mgl_arrow_block){.table = table, .null_text = null_text, .delimiter = delimiter};
    block->fields = mgl_alloc_array(table->n_columns, MGL_ARROW_BLOCK_ROWS * sizeof(mgl_field));
    block->columns = mgl_zeroed_array(table->n_columns, sizeof *block->columns);
    return block->fields == NULL || block->columns == NULL ? mgl_fail_memory(err) : MGL_OK;
}

static void arrow_block_free(mgl_arrow_block *block)
{
    for (size_t c = 0; block->columns != NULL && c < block->table->n_columns; c++) {
        mgl_buffer_free(&block->columns[c].made);
        mgl_free(block->columns[c].entries);
    }
    mgl_free(block->columns);
    mgl_free(block->fields);
}

/* ---- Fields ---------------------------------------------------------------------------------- */

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

/* ---- Columns --------------------------------------------------------------------------------- */

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

/* Null as a field, which lives as long as its text does: it is quoted when it is chosen. */
static mgl_field null_field(const mgl_arrow_block *block)
{
    static const char alone[] = "\"\"";
    mgl_span text = block->null_text;
    if (text.size == 0 && block->table->n_columns == 1)
        return (mgl_field){alone, 2, true};
    return (mgl_field){text.data, (uint32_t)text.size, text.size > 0 && text.data[0] == '"'};
}

/* Rows first to first + n of a batch, at most MGL_ARROW_BLOCK_ROWS. False when memory is out. */
static bool arrow_block_fill(mgl_arrow_block *block, size_t batch, size_t first, size_t n)
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

/* ---- Source ---------------------------------------------------------------------------------- */

enum { ROWS_BETWEEN_REPORTS = 1 << 20, BLOCKS = 2 };

typedef struct arrow_state {
    mgl_arrow_table *table; /* held */
    char *name;
    mgl_buffer null_copy; /* the text of null: options change while a source is open */
    mgl_span null_text;
    mgl_buffer null_field; /* the same, quoted if it must be */
    mgl_column_meta *meta;
    mgl_arrow_block blocks[BLOCKS]; /* by turns, so that records last */
    bool has_blocks;
    size_t turn, batch, row; /* of the second pass */
} arrow_state;

/* ---- Opening --------------------------------------------------------------------------------- */

static mgl_cell_kind kind_of(const mgl_arrow_type *type)
{
    switch (type->kind) {
    case MGL_ARROW_SIGNED:
    case MGL_ARROW_UNSIGNED:
    case MGL_ARROW_FLOAT:
    case MGL_ARROW_DECIMAL:
        return MGL_CELLS_NUMBER;
    case MGL_ARROW_DAY:
        return MGL_CELLS_DATE;
    case MGL_ARROW_MOMENT:
        return MGL_CELLS_DATETIME;
    default:
        return MGL_CELLS_TEXT;
    }
}

static mgl_status name_columns(mgl_source *source, mgl_error *err)
{
    arrow_state *s = source->state;
    for (size_t c = 0; c < s->table->n_columns; c++) {
        const mgl_arrow_column *column = &s->table->columns[c];
        MGL_TRY(mgl_source_name_column(source, mgl_span_of(column->name), 0, err));
        s->meta[c].kind = kind_of(&column->type);
    }
    source->meta = s->meta;
    return MGL_OK;
}

/* The first token that means missing, that of the options, or a text that no value of the table
 * equals. */
static mgl_status choose_null(mgl_source *source, mgl_error *err)
{
    arrow_state *s = source->state;
    const mgl_source_options *options = source->options;
    char found[MGL_ARROW_NULL_TEXT];
    mgl_span text = options->n_missing > 0 ? options->missing[0] : options->no_value;
    if (text.data == NULL) {
        mgl_arrow_null_text(s->table, found);
        text = mgl_span_of(found);
    }
    mgl_buffer_span(&s->null_copy, text);
    mgl_buffer_append(&s->null_copy, "", 1); /* never NULL */
    mgl_text_quote(&s->null_field, text, source->dialect.delimiter, false);
    mgl_buffer_append(&s->null_field, "", 1);
    s->null_text = (mgl_span){s->null_copy.data, text.size};
    return s->null_copy.failed || s->null_field.failed ? mgl_fail_memory(err) : MGL_OK;
}

/* The table of the location, unless the source has one already. */
static mgl_arrow_table *find_table(const mgl_source *source, const char *location)
{
    if (source->arrow != NULL)
        return source->arrow;
    const mgl_memory_object *object = mgl_memory_find(location);
    return object != NULL ? object->table : NULL;
}

static mgl_status arrow_open(mgl_source *source, const mgl_location *location, mgl_error *err)
{
    const char *name = location->text;
    arrow_state *s = source->state = mgl_zeroed_array(1, sizeof *s);
    mgl_arrow_table *table = find_table(source, name);
    if (s == NULL)
        return mgl_fail_memory(err);
    if (table == NULL)
        return mgl_fail_at(err, MGL_CODE_NOT_FOUND, name, 0, "there is no such table in memory");
    source->arrow = s->table = mgl_arrow_hold(table);
    s->name = mgl_alloc(strlen(name) + 1);
    s->meta = mgl_zeroed_array(table->n_columns, sizeof *s->meta);
    if (s->name == NULL || s->meta == NULL)
        return mgl_fail_memory(err);
    source->name = strcpy(s->name, name);
    MGL_TRY(name_columns(source, err));
    MGL_TRY(choose_null(source, err));
    if (table->n_rows == 0 && !source->options->may_be_empty)
        return mgl_fail_at(err, MGL_CODE_EMPTY_TABLE, name, 0, "there are no rows");
    return MGL_OK;
}

static void arrow_close(mgl_source *source)
{
    arrow_state *s = source->state;
    if (s == NULL)
        return;
    for (size_t i = 0; s->has_blocks && i < BLOCKS; i++)
        arrow_block_free(&s->blocks[i]);
    mgl_buffer_free(&s->null_copy);
    mgl_buffer_free(&s->null_field);
    mgl_free(s->meta);
    mgl_free(s->name);
    mgl_arrow_let_go(s->table);
    mgl_free(s);
}

/* ---- First pass ------------------------------------------------------------------------------ */

typedef struct arrow_pass {
    mgl_table *table;
    mgl_arrow_coder *coders; /* one for each column of the table */
    bool *failed;
    size_t rows; /* to code now */
} arrow_pass;

static void code_column(void *context, size_t item, unsigned worker)
{
    (void)worker;
    arrow_pass *p = context;
    p->failed[item] = !mgl_arrow_coder_run(&p->coders[item], p->rows);
}

static mgl_status code_rows(arrow_pass *p, mgl_pool *pool, mgl_error *err)
{
    mgl_pool_run(pool, p->table->n_columns, code_column, p);
    for (size_t c = 0; c < p->table->n_columns; c++)
        if (p->failed[c])
            return mgl_fail_memory(err);
    p->table->n_rows += p->rows;
    return MGL_OK;
}

static mgl_status give_rows(arrow_pass *p, const mgl_row_sink *sink, mgl_error *err)
{
    MGL_TRY(sink->take(sink->context, p->table, err));
    for (size_t c = 0; c < p->table->n_columns; c++)
        mgl_arrow_coder_empty(&p->coders[c]);
    p->table->n_rows = 0;
    return MGL_OK;
}

static mgl_status run_pass(arrow_pass *p, const mgl_source *source, mgl_pool *pool,
                           const mgl_progress *progress, mgl_error *err)
{
    const arrow_state *s = source->state;
    const mgl_row_sink *sink = source->sink;
    size_t all = (size_t)s->table->n_rows, step = sink != NULL ? sink->rows : ROWS_BETWEEN_REPORTS;
    for (size_t done = 0; done < all; done += p->rows) {
        MGL_TRY(mgl_progress_report(progress, "read", done, all, err));
        p->rows = all - done < step ? all - done : step;
        MGL_TRY(code_rows(p, pool, err));
        if (sink != NULL)
            MGL_TRY(give_rows(p, sink, err));
    }
    return mgl_progress_report(progress, "read", all, all, err);
}

static mgl_status begin_pass(arrow_pass *p, const mgl_source *source, mgl_error *err)
{
    const arrow_state *s = source->state;
    size_t n = p->table->n_columns, rows = (size_t)s->table->n_rows;
    p->coders = mgl_zeroed_array(n, sizeof *p->coders);
    p->failed = mgl_zeroed_array(n, sizeof *p->failed);
    if (p->coders == NULL || p->failed == NULL)
        return mgl_fail_memory(err);
    if (source->sink != NULL && rows > source->sink->rows)
        rows = source->sink->rows;
    for (size_t c = 0; c < n; c++) {
        mgl_arrow_coder_init(&p->coders[c], &p->table->columns[c], s->table, source->options,
                             s->null_text);
        if (!mgl_column_reserve_all(&p->table->columns[c], rows))
            return mgl_fail_memory(err);
    }
    return MGL_OK;
}

static mgl_status arrow_read(mgl_source *source, mgl_table *table, mgl_pool *pool,
                             const mgl_progress *progress, mgl_error *err)
{
    arrow_pass p = {.table = table};
    mgl_status status = MGL_OK;
    MGL_GO(begin_pass(&p, source, err));
    MGL_GO(run_pass(&p, source, pool, progress, err));
done:
    for (size_t c = 0; p.coders != NULL && c < table->n_columns; c++)
        mgl_arrow_coder_free(&p.coders[c]);
    mgl_free(p.coders);
    mgl_free(p.failed);
    return status;
}

/* ---- Second pass ----------------------------------------------------------------------------- */

static mgl_status arrow_rewind(mgl_source *source, mgl_error *err)
{
    arrow_state *s = source->state;
    mgl_span null = {s->null_field.data, s->null_field.size - 1};
    s->batch = s->row = 0;
    if (s->has_blocks)
        return MGL_OK;
    s->has_blocks = true;
    for (size_t i = 0; i < BLOCKS; i++)
        MGL_TRY(arrow_block_init(&s->blocks[i], s->table, null, source->dialect.delimiter, err));
    return MGL_OK;
}

static mgl_status arrow_next(mgl_source *source, mgl_error *err, mgl_records *out)
{
    arrow_state *s = source->state;
    const mgl_arrow_table *table = s->table;
    for (; s->batch < table->n_batches && s->row == (size_t)table->batches[s->batch].length;
         s->row = 0)
        s->batch++;
    *out = (mgl_records){.n_fields = table->n_columns};
    if (s->batch == table->n_batches)
        return MGL_OK;
    size_t left = (size_t)table->batches[s->batch].length - s->row;
    size_t n = left < MGL_ARROW_BLOCK_ROWS ? left : MGL_ARROW_BLOCK_ROWS;
    mgl_arrow_block *block = &s->blocks[s->turn++ % BLOCKS];
    if (!arrow_block_fill(block, s->batch, s->row, n))
        return mgl_fail_memory(err);
    out->fields = block->fields;
    out->n_records = n;
    out->first_line = table->first_rows[s->batch] + s->row + 1;
    s->row += n;
    return MGL_OK;
}

const mgl_source_operations mgl_arrow_operations = {
    .open = arrow_open,
    .close = arrow_close,
    .read = arrow_read,
    .rewind = arrow_rewind,
    .next = arrow_next,
    .streams = true,
    .lasts = true,
};

const mgl_format mgl_arrow_format = {
    .name = "arrow",
    .help = "a table in memory that a program hands over: memory:NAME",
    .source = &mgl_arrow_operations,
    .in_memory = true,
    .columns = true,
    .most_rows = UINT32_MAX - 1, /* rows of releases in memory have numbers of 32 bits */
};
