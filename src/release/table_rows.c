/* Makes a release in memory, or one that a format saves from memory: finds the tuples of all rows
 * while a search goes on, puts rows in order, and takes the columns that are passed through from
 * the source's table, or makes a table of them in a second pass over the source. */
#include "release/columns/columns.h"
#include "release/release.h"
#include "release/row_pass.h"

enum { ROWS = 1 << 15 }; /* of an item: about a millisecond */

struct mgl_row_tuples {
    const mgl_frequency_list *list;
    mgl_tuple_finder *finder; /* NULL: the list remembers */
    size_t n_rows;
    mgl_pool *pool;
    uint32_t *tuples; /* [n_rows] */
    bool ended;
};

static void find_some(void *context, size_t item, unsigned worker)
{
    const mgl_row_tuples *rows = context;
    size_t first = item * ROWS, left = rows->n_rows - first, n = left < ROWS ? left : ROWS;
    (void)worker;
    if (rows->finder == NULL)
        mgl_list_recall(rows->list, first, n, rows->tuples + first);
    else
        mgl_tuple_find(rows->finder, first, n, rows->tuples + first);
}

mgl_status mgl_row_tuples_begin(const mgl_frequency_list *list, const mgl_bound_column *quasi,
                                mgl_pool *pool, mgl_error *err, mgl_row_tuples **out)
{
    mgl_row_tuples *rows = mgl_zeroed_array(1, sizeof *rows);
    mgl_status status = MGL_OK;
    MGL_TRY(mgl_check_memory(rows != NULL, err));
    *rows = (mgl_row_tuples){.list = list, .n_rows = list->n_rows, .pool = pool, .ended = true};
    rows->tuples = mgl_alloc_array(rows->n_rows, sizeof *rows->tuples);
    if (rows->tuples == NULL)
        MGL_GO(mgl_fail_memory(err));
    if (!mgl_list_remembers(list, quasi))
        MGL_GO(mgl_tuple_finder_share(list, quasi, pool, err, &rows->finder));
    mgl_background_begin(pool, (rows->n_rows + ROWS - 1) / ROWS, find_some, rows);
    rows->ended = false;
    *out = rows;
    rows = NULL;
done:
    mgl_row_tuples_free(rows);
    return status;
}

uint32_t *mgl_row_tuples_take(mgl_row_tuples *rows, const mgl_frequency_list *list)
{
    if (rows == NULL || rows->ended || rows->list != list)
        return NULL;
    mgl_background_end(rows->pool, true);
    rows->ended = true;
    uint32_t *tuples = rows->tuples;
    rows->tuples = NULL;
    return tuples;
}

void mgl_row_tuples_free(mgl_row_tuples *rows)
{
    if (rows == NULL)
        return;
    if (!rows->ended)
        mgl_background_end(rows->pool, false);
    mgl_tuple_finder_free(rows->finder);
    mgl_free(rows->tuples);
    mgl_free(rows);
}

static mgl_status list_rows(const mgl_row_choice *chosen, mgl_error *err, mgl_row_order *out)
{
    if (chosen->n_rows > MGL_ORDERED_ROWS)
        return mgl_fail(err, MGL_CODE_LIMIT,
                        "a table in memory has more than 4 billion rows; release it in slices");
    out->n_rows = (size_t)chosen->n_chosen;
    out->rows = mgl_alloc_array(out->n_rows, sizeof *out->rows);
    out->tuples_of_rows = mgl_zeroed_array(out->n_rows, sizeof *out->tuples_of_rows);
    MGL_TRY(mgl_check_memory(out->rows != NULL && out->tuples_of_rows != NULL, err));
    for (uint64_t row = 0, n = 0; row < chosen->n_rows; row++)
        if (mgl_row_is_chosen(chosen, row))
            out->rows[n++] = (uint32_t)row;
    return MGL_OK;
}

/* As if the rows were released as they are. */
static mgl_status chosen_columns(const mgl_row_plan *plan, const mgl_progress *progress,
                                 mgl_error *err, mgl_arrow_table **out)
{
    mgl_arrow_table *table = mgl_source_arrow(plan->source);
    size_t n = mgl_source_columns(plan->source);
    mgl_row_order rows = {0};
    size_t *columns = mgl_alloc_array(n, sizeof *columns);
    const char **names = mgl_alloc_array(n, sizeof *names);
    mgl_row_plan as_is = {.source = plan->source,
                          .columns = columns,
                          .n_columns = n,
                          .list = plan->list,
                          .recoding = plan->recoding,
                          .classes = plan->classes,
                          .pool = plan->pool};
    mgl_columns_request order = {.plan = &as_is,
                                 .order = &rows,
                                 .table = table,
                                 .of_column = columns,
                                 .names = names,
                                 .watched = true,
                                 .progress = progress};
    mgl_status status = MGL_OK;
    if (columns == NULL || names == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t c = 0; c < n; c++) {
        columns[c] = c;
        names[c] = mgl_source_column(plan->source, c);
    }
    MGL_GO(list_rows(mgl_source_chosen(plan->source), err, &rows));
    MGL_GO(mgl_columns_make(&order, err, out));
done:
    mgl_row_order_free(&rows);
    mgl_free(columns);
    mgl_free(names);
    return status;
}

typedef struct taking {
    mgl_text_builder *builder;
    size_t n;
    size_t *fields;      /* [n] of the source */
    const char **names;  /* [n] */
    mgl_buffer *scratch; /* [n] for cells in quotes */
} taking;

static bool is_recoded(const mgl_row_plan *plan, size_t source_column)
{
    for (size_t a = 0; a < plan->n_quasi; a++)
        if (plan->quasi[a].column->source_index == source_column)
            return true;
    return false;
}

static mgl_status take_block(const taking *t, const mgl_row_block *block, size_t column,
                             mgl_error *err)
{
    const mgl_field *field = block->records.fields + t->fields[column];
    mgl_buffer *scratch = &t->scratch[column];
    for (size_t r = 0; r < block->n; r++, field += block->records.n_fields) {
        scratch->size = 0;
        mgl_span cell = mgl_field_value(*field, scratch);
        if (scratch->failed)
            return mgl_fail_memory(err);
        MGL_TRY(mgl_text_builder_add(t->builder, column, cell, err));
    }
    return MGL_OK;
}

static size_t a_column_each(const void *context, const mgl_row_wave *wave)
{
    (void)wave;
    return ((const taking *)context)->n;
}

static mgl_status take_column(void *context, const mgl_row_wave *wave, size_t column,
                              mgl_error *err)
{
    for (size_t b = 0; b < wave->n; b++)
        MGL_TRY(take_block(context, &wave->blocks[b], column, err));
    return MGL_OK;
}

static mgl_status end_wave(void *context, const mgl_row_wave *wave, mgl_error *err)
{
    (void)wave;
    return mgl_text_builder_pause(((const taking *)context)->builder, err);
}

static const mgl_row_step steps[] = {{a_column_each, take_column, end_wave}};

static mgl_status list_columns(taking *t, const mgl_row_plan *plan, mgl_error *err,
                               size_t *of_column)
{
    t->fields = mgl_alloc_array(plan->n_columns, sizeof *t->fields);
    t->names = mgl_alloc_array(plan->n_columns, sizeof *t->names);
    t->scratch = mgl_zeroed_array(plan->n_columns, sizeof *t->scratch);
    MGL_TRY(mgl_check_memory(t->fields != NULL && t->names != NULL && t->scratch != NULL, err));
    for (size_t c = 0; c < plan->n_columns; c++) {
        if (is_recoded(plan, plan->columns[c]))
            continue;
        t->fields[t->n] = plan->columns[c];
        t->names[t->n] = mgl_source_column(plan->source, plan->columns[c]);
        of_column[c] = t->n++;
    }
    return MGL_OK;
}

/* A second pass over the source makes a table of the columns that are passed through, all of them
 * texts, with all rows in their order; the watcher sees them. of_column: [plan->n_columns] gets the
 * column of the table. tuples: of all rows. *out NULL: no column is passed through. Let go with
 * mgl_arrow_release. */
static mgl_status text_columns(const mgl_row_plan *plan, const uint32_t *tuples,
                               const mgl_progress *progress, mgl_error *err, size_t *of_column,
                               mgl_arrow_table **out)
{
    taking t = {0};
    mgl_status status = MGL_OK;
    mgl_row_pass pass = {.plan = plan,
                         .needs_source = true,
                         .tuples = tuples,
                         .progress = progress,
                         .steps = steps,
                         .n_steps = 1,
                         .context = &t};
    MGL_GO(list_columns(&t, plan, err, of_column));
    if (t.n == 0) {
        *out = NULL;
        goto done;
    }
    MGL_GO(mgl_text_builder_new(t.n, err, &t.builder));
    MGL_GO(mgl_row_pass_run(&pass, err));
    MGL_GO(mgl_text_builder_end(t.builder, t.names, err, out));
done:
    mgl_text_builder_free(t.builder);
    for (size_t i = 0; t.scratch != NULL && i < t.n; i++)
        mgl_buffer_free(&t.scratch[i]);
    mgl_free(t.scratch);
    mgl_free(t.fields);
    mgl_free(t.names);
    return status;
}

static mgl_status find_table(const mgl_row_plan *plan, mgl_error *err, mgl_columns_request *order,
                             size_t *of_column, mgl_arrow_table **out)
{
    mgl_arrow_table *table = mgl_source_arrow(plan->source);
    if (table == NULL) {
        order->watched = true;
        return text_columns(plan, order->order->tuples, order->progress, err, of_column, out);
    }
    for (size_t c = 0; c < plan->n_columns; c++)
        of_column[c] = plan->columns[c];
    if (mgl_source_chosen(plan->source) != NULL)
        return chosen_columns(plan, order->progress, err, out);
    *out = mgl_arrow_retain(table);
    return MGL_OK;
}

mgl_status mgl_stage_rows(const mgl_row_plan *plan, mgl_stage *stage, const mgl_progress *progress,
                          mgl_error *err, uint64_t *n_rows)
{
    mgl_arrow_table *table;
    mgl_row_order rows = {0};
    mgl_columns_request order = {.plan = plan, .order = &rows, .progress = progress};
    size_t *of_column = mgl_zeroed_array(plan->n_columns, sizeof *of_column);
    const char **names = mgl_alloc_array(plan->n_columns, sizeof *names);
    mgl_status status = MGL_OK;
    if (of_column == NULL || names == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t c = 0; c < plan->n_columns; c++)
        names[c] = mgl_source_column(plan->source, plan->columns[c]);
    order.of_column = of_column;
    order.names = names;
    MGL_GO(mgl_row_order_make(plan, err, &rows));
    MGL_GO(find_table(plan, err, &order, of_column, &order.table));
    MGL_GO(mgl_columns_make(&order, err, &table));
    if (plan->format->save != NULL) {
        status = plan->format->save(table, mgl_stage_fd(stage), mgl_stage_path(stage), err);
        mgl_arrow_release(table);
        MGL_GO(status);
    } else {
        mgl_stage_put_table(stage, table);
    }
    *n_rows = rows.n_rows;
done:
    mgl_arrow_release(order.table);
    mgl_row_order_free(&rows);
    mgl_free(of_column);
    mgl_free(names);
    return status;
}
