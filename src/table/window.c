/* Stores the codes of a table in a private file, of which some rows at a time are in memory
 * (--memory). It is filled stripe by stripe and read by mgl_column_reach. */
#include "table/table.h"

/* Rows that were added together. */
typedef struct stripe {
    size_t first, n;
    uint64_t offset;
} stripe;

/* A column whose codes are made of those of a column in the file. */
typedef struct follower {
    size_t column;
    uint32_t *map;
    mgl_column *to;
} follower;

struct mgl_window {
    uint64_t memory;
    int fd;
    uint64_t size; /* of the file */
    stripe *stripes;
    size_t n_stripes, capacity;
    uint8_t *widths; /* [n_stripes * n_columns] of the codes in the file */
    size_t widths_capacity;
    size_t n_rows, most; /* of all stripes, of the largest */
    mgl_column *columns; /* of the table that looks through the window */
    size_t n_columns;
    size_t current; /* the stripe that is there; SIZE_MAX: none */
    char *scratch;  /* [most * 4] */
    follower *followers;
    size_t n_followers, followers_capacity;
};

mgl_status mgl_window_new(uint64_t memory, mgl_error *err, mgl_window **out)
{
    mgl_window *window = mgl_zeroed_array(1, sizeof *window);
    MGL_TRY(mgl_check_memory(window != NULL, err));
    window->memory = memory;
    window->current = SIZE_MAX;
    window->fd = mgl_sys_spool();
    if (window->fd < 0) {
        mgl_free(window);
        return mgl_fail_temporary(err, "create");
    }
    *out = window;
    return MGL_OK;
}

void mgl_window_free(mgl_window *window)
{
    if (window == NULL)
        return;
    mgl_sys_close(window->fd);
    mgl_free(window->stripes);
    mgl_free(window->widths);
    mgl_free(window->scratch);
    for (size_t i = 0; i < window->n_followers; i++)
        mgl_free(window->followers[i].map);
    mgl_free(window->followers);
    mgl_free(window);
}

mgl_status mgl_window_add(mgl_window *window, const mgl_table *rows, mgl_error *err)
{
    size_t n = rows->n_columns;
    if (!mgl_grow(&window->stripes, &window->capacity, window->n_stripes + 1,
                  sizeof *window->stripes) ||
        !mgl_grow(&window->widths, &window->widths_capacity, (window->n_stripes + 1) * n, 1))
        return mgl_fail_memory(err);
    window->stripes[window->n_stripes] = (stripe){window->n_rows, rows->n_rows, window->size};
    for (size_t c = 0; c < n; c++) {
        const mgl_column *column = &rows->columns[c];
        size_t bytes = rows->n_rows * column->width;
        if (mgl_sys_pwrite(window->fd, column->codes, bytes, window->size) != 0)
            return mgl_fail_temporary(err, "write");
        window->widths[window->n_stripes * n + c] = (uint8_t)column->width;
        window->size += bytes;
    }
    window->n_stripes++;
    window->n_rows += rows->n_rows;
    window->most = rows->n_rows > window->most ? rows->n_rows : window->most;
    return MGL_OK;
}

mgl_status mgl_window_attach(mgl_window *window, mgl_table *table, mgl_error *err)
{
    MGL_TRY(mgl_new_array(window->most, sizeof(uint32_t), err, &window->scratch));
    for (size_t c = 0; c < table->n_columns; c++) {
        mgl_column *column = &table->columns[c];
        void *codes = mgl_realloc_array(column->codes, window->most, column->width);
        MGL_TRY(mgl_check_memory(codes != NULL, err));
        column->codes = codes;
        column->capacity = window->most;
        column->window = window;
    }
    window->columns = table->columns;
    window->n_columns = table->n_columns;
    table->n_rows = window->n_rows;
    table->window = window;
    return MGL_OK;
}

static mgl_status read_codes(const mgl_window *window, uint64_t offset, size_t bytes,
                             mgl_error *err, void *out)
{
    ssize_t got = mgl_sys_pread(window->fd, out, bytes, offset);
    return got < 0 || (size_t)got != bytes ? mgl_fail_temporary(err, "read") : MGL_OK;
}

static mgl_status load(mgl_window *window, size_t number, mgl_error *err)
{
    const stripe *s = &window->stripes[number];
    uint64_t offset = s->offset;
    window->current = SIZE_MAX;
    for (size_t c = 0; c < window->n_columns; c++) {
        mgl_column *column = &window->columns[c];
        mgl_column narrow = {.width = window->widths[number * window->n_columns + c]};
        size_t bytes = s->n * narrow.width;
        narrow.codes = narrow.width == column->width ? column->codes : window->scratch;
        MGL_TRY(read_codes(window, offset, bytes, err, narrow.codes));
        for (size_t i = 0; narrow.width != column->width && i < s->n; i++)
            mgl_column_set(column, i, mgl_column_code(&narrow, i));
        offset += bytes;
    }
    for (size_t f = 0; f < window->n_followers; f++) {
        const follower *x = &window->followers[f];
        for (size_t i = 0; i < s->n; i++)
            mgl_column_set(x->to, i, x->map[mgl_column_code(&window->columns[x->column], i)]);
    }
    window->current = number;
    return MGL_OK;
}

static size_t find_stripe(const mgl_window *window, size_t row)
{
    size_t low = 1, high = window->n_stripes;
    MGL_BISECT(low, high, i, window->stripes[i].first <= row)
    return low - 1;
}

mgl_status mgl_column_reach(const mgl_column *column, size_t row, mgl_error *err, size_t *first,
                            size_t *n)
{
    mgl_window *window = column->window;
    *first = 0;
    *n = SIZE_MAX;
    if (window == NULL)
        return MGL_OK;
    size_t number = find_stripe(window, row);
    if (number != window->current)
        MGL_TRY(load(window, number, err));
    *first = window->stripes[number].first;
    *n = window->stripes[number].n;
    return MGL_OK;
}

mgl_status mgl_window_follow(const mgl_column *from, const uint32_t *map, mgl_column *to,
                             mgl_error *err)
{
    mgl_window *window = from->window;
    uint32_t n = mgl_dictionary_size(from->dictionary);
    uint32_t *copy = mgl_alloc_array(n, sizeof *copy);
    size_t column = 0;
    while (column + 1 < window->n_columns && window->columns[column].codes != from->codes)
        column++;
    if (copy == NULL || !mgl_column_reserve_all(to, window->most) ||
        !mgl_grow(&window->followers, &window->followers_capacity, window->n_followers + 1,
                  sizeof *window->followers)) {
        mgl_free(copy);
        return mgl_fail_memory(err);
    }
    memcpy(copy, map, n * sizeof *copy);
    window->followers[window->n_followers++] = (follower){column, copy, to};
    window->current = SIZE_MAX;
    to->window = window;
    to->follows = true;
    return MGL_OK;
}

void mgl_window_leave(mgl_column *to)
{
    mgl_window *window = to->window;
    for (size_t i = 0; i < window->n_followers; i++)
        if (window->followers[i].to == to) {
            mgl_free(window->followers[i].map);
            window->followers[i] = window->followers[--window->n_followers];
            break;
        }
    to->follows = false;
    to->window = NULL;
}

uint64_t mgl_column_memory(const mgl_column *column)
{
    return column->window != NULL ? column->window->memory : 0;
}
