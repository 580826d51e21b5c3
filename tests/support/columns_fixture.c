#include "columns_fixture.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const fixture_cities[FIXTURE_CITIES] = {"Bern", "Aarau", "Chur", "Davos", "Egg", NULL};

static void must(mgl_status status)
{
    if (status != MGL_OK) {
        fprintf(stderr, "columns_fixture: cannot be made\n");
        abort();
    }
}

static void fill_table(columns_fixture *f)
{
    f->table = mgl_table_new(1);
    mgl_column *column = &f->table->columns[0];
    column->name = strcpy(mgl_alloc(8), "city");
    must(mgl_column_reserve(column, 0, f->n_rows + 1) ? MGL_OK : MGL_SYSTEM);
    for (size_t r = 0; r < f->n_rows; r++) {
        const char *city = fixture_cities[r % FIXTURE_CITIES];
        mgl_column_set(column, r,
                       city != NULL
                           ? mgl_dictionary_add(column->dictionary, mgl_span_of(city))
                           : mgl_dictionary_add_missing(column->dictionary, mgl_span_of("NA")));
    }
    f->table->n_rows = f->n_rows;
}

static void recode(columns_fixture *f)
{
    const mgl_column *column = &f->table->columns[0];
    must(mgl_hierarchy_make(NULL, "city", column->dictionary, NULL, &f->hierarchy));
    f->leaf_of_code = mgl_alloc_array(FIXTURE_CITIES, sizeof *f->leaf_of_code);
    must(mgl_hierarchy_bind(f->hierarchy, "city", column->dictionary, NULL, f->leaf_of_code));
    f->bound = (mgl_bound_column){column, f->hierarchy, f->leaf_of_code};
    must(mgl_released_column_new(f->hierarchy, NULL, &f->released));
    mgl_count_request request = {.quasi = &f->bound, .n_quasi = 1, .n_rows = f->n_rows};
    must(mgl_frequency_list_new(&request, NULL, NULL, &f->list));
    must(mgl_recoding_new((const mgl_released_column *const *)&f->released, 1, f->list->n_tuples,
                          NULL, &f->recoding));
    for (size_t t = 0; t < f->list->n_tuples; t++)
        f->recoding->cells[0][t] = f->released->of_leaf[0][mgl_list_leaf(f->list, t, 0)];
}

void fixture_make(columns_fixture *f, size_t n_rows, size_t n_passed, unsigned threads)
{
    *f = (columns_fixture){.n_rows = n_rows};
    fill_table(f);
    recode(f);
    must(mgl_pool_new(threads, NULL, &f->pool));
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g"};
    for (size_t c = 0; c < n_passed; c++) {
        f->columns[c] = c + 1;
        f->of_column[c] = c;
        f->names[c] = names[c];
    }
    f->columns[n_passed] = 0;
    f->names[n_passed] = "city";
    f->plan = (mgl_row_plan){.n_rows = f->list->n_rows,
                             .columns = f->columns,
                             .n_columns = n_passed + 1,
                             .quasi = &f->bound,
                             .n_quasi = 1,
                             .list = f->list,
                             .recoding = f->recoding,
                             .pool = f->pool};
}

void fixture_free(columns_fixture *f)
{
    mgl_pool_free(f->pool);
    mgl_recoding_free(f->recoding);
    mgl_frequency_list_free(f->list);
    mgl_released_column_free(f->released);
    mgl_hierarchy_free(f->hierarchy);
    mgl_free(f->leaf_of_code);
    mgl_table_free(f->table);
}

void fixture_suppress(columns_fixture *f, const char *city)
{
    for (size_t t = 0; t < f->list->n_tuples; t++)
        if (mgl_span_is(f->released->values[f->recoding->cells[0][t]].label, city)) {
            mgl_recoding_suppress(f->recoding, t);
            f->recoding->suppressed[t] = 1;
        }
}

void fixture_shuffle(columns_fixture *f, uint64_t seed)
{
    mgl_random_seed(&f->random, seed);
    f->plan.shuffle = &f->random;
}

mgl_status fixture_run(columns_fixture *f, mgl_arrow_table *table, uint64_t *copied, mgl_error *err,
                       mgl_arrow_table **out)
{
    mgl_row_order rows;
    mgl_columns_request order = {.plan = &f->plan,
                                 .order = &rows,
                                 .table = table,
                                 .of_column = f->of_column,
                                 .names = f->names,
                                 .copied = copied};
    mgl_status status = mgl_row_order_make(&f->plan, err, &rows);
    if (status == MGL_OK)
        status = mgl_columns_make(&order, err, out);
    mgl_row_order_free(&rows);
    return status;
}

const char *fixture_cell(const mgl_arrow_table *table, size_t column, size_t row, bool *null)
{
    static char text[256];
    char room[MGL_ARROW_ROOM];
    size_t b = 0;
    while (b + 1 < table->n_batches && table->first_rows[b + 1] <= row)
        b++;
    size_t at = row - (size_t)table->first_rows[b];
    mgl_arrow_cells cells = mgl_arrow_cells_of(table, b, column);
    *null = mgl_arrow_is_null(&cells, at);
    if (!*null && table->columns[column].encoded) {
        at = mgl_arrow_index_at(&cells, at);
        cells = mgl_arrow_entries_of(table, b, column);
        *null = mgl_arrow_is_null(&cells, at);
    }
    mgl_span span = *null ? (mgl_span){"", 0} : mgl_arrow_show(&cells, at, room);
    snprintf(text, sizeof text, "%.*s", (int)span.size, span.data);
    return text;
}
