#include "io/source.h"

/* A new kind of source is a row here, its operations below, and a file. */
static const mgl_source_type types[] = {
    {"csv", "delimited text: a header, then one row per line",
     ".csv .tsv .txt, .gz and .zst of them, -"},
};
static const mgl_source_operations *const operations[] = {
    &mgl_source_csv,
};

const mgl_source_type *mgl_source_types(size_t *n)
{
    *n = sizeof types / sizeof *types;
    return types;
}

mgl_status mgl_source_open(const char *location, const mgl_source_options *options, mgl_error *err,
                           mgl_source **out)
{
    mgl_source *source = mgl_zeroed_array(1, sizeof *source);
    if (source == NULL)
        return mgl_fail_memory(err);
    source->options = options;
    source->operations = operations[0];
    source->columns = mgl_map_new();
    mgl_status status = source->columns != NULL ? source->operations->open(source, location, err)
                                                : mgl_fail_memory(err);
    if (status != MGL_OK) {
        mgl_source_close(source);
        return status;
    }
    *out = source;
    return MGL_OK;
}

void mgl_source_close(mgl_source *source)
{
    if (source == NULL)
        return;
    source->operations->close(source);
    mgl_map_free(source->columns);
    mgl_free(source);
}

const char *mgl_source_name(const mgl_source *source)
{
    return source->name;
}

uint64_t mgl_source_size(const mgl_source *source)
{
    return source->size;
}

size_t mgl_source_columns(const mgl_source *source)
{
    return mgl_map_size(source->columns);
}

const char *mgl_source_column(const mgl_source *source, size_t column)
{
    return mgl_map_text(source->columns, (uint32_t)column).data;
}

size_t mgl_source_find(const mgl_source *source, const char *column)
{
    uint32_t number = mgl_map_find(source->columns, mgl_span_of(column));
    return number != MGL_NOT_FOUND ? number : SIZE_MAX;
}

const mgl_dialect *mgl_source_dialect(const mgl_source *source)
{
    return &source->dialect;
}

/* The wished columns, with names and roles and without rows. */
static mgl_table *empty_table(const mgl_source *source, const mgl_column_wish *wishes,
                              size_t n_wishes)
{
    mgl_table *table = mgl_table_new(n_wishes);
    for (size_t i = 0; table != NULL && i < n_wishes; i++) {
        mgl_column *column = &table->columns[i];
        const char *name = mgl_source_column(source, wishes[i].source_index);
        column->role = wishes[i].role;
        column->source_index = (uint32_t)wishes[i].source_index;
        column->name = mgl_alloc(strlen(name) + 1);
        if (column->name == NULL) {
            mgl_table_free(table);
            return NULL;
        }
        strcpy(column->name, name);
    }
    return table;
}

mgl_status mgl_source_stream(mgl_source *source, const mgl_column_wish *wishes, size_t n_wishes,
                             const mgl_row_sink *sink, mgl_pool *pool, const mgl_progress *progress,
                             mgl_error *err, mgl_table **out)
{
    mgl_table *table = empty_table(source, wishes, n_wishes);
    if (table == NULL)
        return mgl_fail_memory(err);
    source->sha256[0] = '\0';
    source->sink = sink;
    mgl_status status = source->operations->read(source, table, pool, progress, err);
    source->sink = NULL;
    if (status == MGL_OK && sink != NULL && !source->operations->streams) {
        status = sink->take(sink->context, table, err);
        table->n_rows = 0;
    }
    if (status != MGL_OK) {
        mgl_table_free(table);
        return status;
    }
    *out = table;
    return MGL_OK;
}

mgl_status mgl_source_read(mgl_source *source, const mgl_column_wish *wishes, size_t n_wishes,
                           mgl_pool *pool, const mgl_progress *progress, mgl_error *err,
                           mgl_table **out)
{
    return mgl_source_stream(source, wishes, n_wishes, NULL, pool, progress, err, out);
}

void mgl_source_hash(mgl_source *source)
{
    source->hashes = true;
}

const char *mgl_source_sha256(const mgl_source *source)
{
    return source->sha256[0] != '\0' ? source->sha256 : NULL;
}

bool mgl_source_lasts(const mgl_source *source)
{
    return source->operations->lasts;
}

mgl_status mgl_source_rewind(mgl_source *source, mgl_error *err)
{
    return source->operations->rewind(source, err);
}

mgl_status mgl_source_next(mgl_source *source, mgl_error *err, mgl_records *out)
{
    return source->operations->next(source, err, out);
}
