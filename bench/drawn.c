/* Draws a table of any number of rows from Adult. Subjects that need a large table call it. */
#include "bench.h"

#include "../tests/support/adult.h"

#include <stdio.h>

static void write_header(const mgl_table *from, FILE *to)
{
    for (size_t c = 0; c < from->n_columns; c++)
        fprintf(to, "%s%s", c > 0 ? ";" : "", from->columns[c].name);
    fputc('\n', to);
}

static void write_row(const mgl_table *from, uint64_t *state, FILE *to)
{
    size_t row = bench_draw(state) % from->n_rows;
    for (size_t c = 0; c < from->n_columns; c++) {
        const mgl_column *column = &from->columns[c];
        /* A cell of any row is a draw from its column. */
        size_t of = bench_draw(state) % 100 < 15 ? bench_draw(state) % from->n_rows : row;
        uint32_t code = mgl_column_code(column, of);
        if (c > 0)
            fputc(';', to);
        fputs(mgl_dictionary_value(column->dictionary, code).data, to);
    }
    fputc('\n', to);
}

static bool write_table(const mgl_table *from, size_t rows, const char *path)
{
    uint64_t state = 42;
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return false;
    write_header(from, file);
    for (size_t r = 0; r < rows; r++)
        write_row(from, &state, file);
    bool written = ferror(file) == 0;
    return fclose(file) == 0 && written;
}

int bench_draw_adult(const char *path, size_t rows)
{
    adult data;
    if (!adult_read(&data, shared_folder()))
        return -1;
    bool written = write_table(data.table, rows, path);
    adult_free(&data);
    return written ? 0 : -1;
}
