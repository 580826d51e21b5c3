/* Makes a table in memory of a release: shares or gathers the columns that are passed through,
 * makes those of the quasi-identifiers, and shows the rows to those who watch, all of it shared out
 * among the threads in rounds of some batches. The room around calls it. */
#include "release/columns/columns.h"

#include "release/columns/label_columns.h"
#include "release/columns/made_schema.h"
#include "release/columns/passed_column.h"
#include "release/columns/watch_table.h"

enum {
    ROWS_IN_BATCH = 1 << 16,
    PIECES_IN_ROUND = 64 /* after which somebody may cancel */
};

/* Rows of a batch that one thread fills in. */
typedef struct piece {
    size_t batch, first, n,
        at; /* from the first-th row of the release on, cell `at` of the batch */
} piece;

typedef struct made_column {
    size_t attribute;         /* SIZE_MAX: passed through */
    mgl_passed_column passed; /* otherwise unused */
} made_column;

typedef struct item_end {
    mgl_status status;
    mgl_error error;
} item_end;

typedef struct making {
    const mgl_columns_order *order;
    const mgl_row_plan *plan;
    mgl_row_places places;
    mgl_label_columns labels;
    made_column *columns; /* [n_columns] */
    size_t *passed;       /* [n_passed] of the columns */
    size_t n_passed;
    mgl_watched_column *watched;
    size_t n_watched;
    struct ArrowArray *batches; /* [n_batches] */
    size_t *first_rows;         /* [n_batches + 1] of the release */
    size_t n_batches;
    piece *pieces; /* [n_pieces] */
    size_t n_pieces, pieces_capacity;
    struct ArrowArray **label_arrays; /* [batch][attribute] */
    uint64_t *nulls;                  /* [piece][attribute] */
    uint64_t *bytes;                  /* [batch][passed] copied */
    item_end *ends;
    size_t n_ends;
    /* the round at work */
    size_t first_piece, end_piece, first_batch, end_batch, watch_end;
} making;

/* ---- Items --------------------------------------------------------------------------------- */

static mgl_status make_room_for_ends(making *m, size_t n, mgl_error *err)
{
    mgl_free(m->ends);
    m->ends = mgl_zeroed_array(n, sizeof *m->ends);
    m->n_ends = n;
    return m->ends != NULL ? MGL_OK : mgl_fail_memory(err);
}

/* What went wrong in items. */
static mgl_status settle(const making *m, mgl_error *err)
{
    for (size_t i = 0; i < m->n_ends; i++)
        if (m->ends[i].status != MGL_OK) {
            if (err != NULL)
                *err = m->ends[i].error;
            return m->ends[i].status;
        }
    return MGL_OK;
}

/* ---- Columns ------------------------------------------------------------------------------- */

static size_t attribute_of(const mgl_row_plan *plan, size_t source_column)
{
    for (size_t a = 0; a < plan->n_quasi; a++)
        if (plan->quasi[a].column->source_index == source_column)
            return a;
    return SIZE_MAX;
}

static mgl_status list_columns(making *m, mgl_error *err)
{
    const mgl_row_plan *plan = m->plan;
    m->columns = mgl_zeroed_array(plan->n_columns, sizeof *m->columns);
    m->passed = mgl_alloc_array(plan->n_columns, sizeof *m->passed);
    if (m->columns == NULL || m->passed == NULL)
        return mgl_fail_memory(err);
    for (size_t c = 0; c < plan->n_columns; c++) {
        m->columns[c].attribute = attribute_of(plan, plan->columns[c]);
        if (m->columns[c].attribute != SIZE_MAX)
            continue;
        m->passed[m->n_passed++] = c;
        m->columns[c].passed = (mgl_passed_column){
            .table = m->order->table,
            .column = m->order->of_column[c],
            .rows = &m->places,
            .n_rows = m->order->order->n_rows,
            .random = plan->shuffle != NULL,
            .spelling = plan->respelled != NULL ? plan->respelled[c] : NULL,
            .as_text = mgl_is_treated(plan, c),
            .as_whole = plan->sums != NULL && plan->respelled[c] == plan->sums,
        };
    }
    return MGL_OK;
}

static bool shares(const making *m)
{
    for (size_t i = 0; i < m->n_passed; i++)
        if (m->columns[m->passed[i]].passed.shared)
            return true;
    return false;
}

/* What the texts of all columns have room for. */
static size_t most_rows(const making *m, size_t rows)
{
    for (size_t i = 0; i < m->n_passed; i++) {
        uint64_t most = m->columns[m->passed[i]].passed.most_rows;
        rows = most < rows ? (size_t)most : rows;
    }
    return rows > 0 ? rows : 1;
}

/* Shared columns keep the batches of their table. If a column that is spelled anew has no room for
 * its texts in one of them, all columns are gathered. */
static mgl_status share_none(making *m, mgl_error *err)
{
    bool fits = true;
    for (size_t b = 0; shares(m) && b < m->order->table->n_batches; b++) {
        size_t n = (size_t)m->order->table->batches[b].length;
        fits = fits && (n == 0 || most_rows(m, n) == n);
    }
    for (size_t i = 0; !fits && i < m->n_passed; i++) {
        mgl_passed_column *passed = &m->columns[m->passed[i]].passed;
        if (!passed->shared)
            continue;
        passed->shared = false;
        MGL_TRY(mgl_passed_column_begin(passed, false, err));
    }
    return MGL_OK;
}

static void begin_passed(void *context, size_t item, unsigned worker)
{
    (void)worker;
    making *m = context;
    m->ends[item].status = mgl_passed_column_begin(
        &m->columns[m->passed[item]].passed, m->order->order->rows == NULL, &m->ends[item].error);
}

static mgl_status begin_columns(making *m, mgl_error *err)
{
    MGL_TRY(list_columns(m, err));
    MGL_TRY(mgl_label_columns_init(&m->labels, m->plan, m->order->order, err));
    if (m->n_passed == 0)
        return MGL_OK;
    MGL_TRY(mgl_row_places_init(&m->places, m->order->table, m->order->order->rows, err));
    MGL_TRY(make_room_for_ends(m, m->n_passed, err));
    mgl_pool_run(m->plan->pool, m->n_passed, begin_passed, m);
    MGL_TRY(settle(m, err));
    return share_none(m, err);
}

static mgl_status begin_watching(making *m, mgl_error *err)
{
    const mgl_row_watch *watch = m->plan->watch;
    if (watch == NULL || m->order->watched || m->n_passed == 0)
        return MGL_OK;
    m->watched = mgl_zeroed_array(watch->n_columns, sizeof *m->watched);
    if (m->watched == NULL)
        return mgl_fail_memory(err);
    m->n_watched = watch->n_columns;
    for (size_t i = 0; i < watch->n_columns; i++)
        m->watched[i] = (mgl_watched_column){.table = m->order->table, .watch = watch, .column = i};
    return MGL_OK;
}

/* ---- Batches ------------------------------------------------------------------------------- */

static mgl_status add_batch(making *m, size_t n, mgl_error *err)
{
    size_t before = m->first_rows[m->n_batches];
    for (size_t at = 0; at == 0 || at < n; at += ROWS_IN_BATCH) {
        size_t some = n - at < ROWS_IN_BATCH ? n - at : ROWS_IN_BATCH;
        if (!mgl_grow(&m->pieces, &m->pieces_capacity, m->n_pieces + 1, sizeof *m->pieces))
            return mgl_fail_memory(err);
        m->pieces[m->n_pieces++] = (piece){m->n_batches, before + at, some, at};
    }
    m->first_rows[++m->n_batches] = before + n;
    return MGL_OK;
}

static mgl_status cut_batches(making *m, mgl_error *err)
{
    size_t n_rows = m->order->order->n_rows, most = most_rows(m, ROWS_IN_BATCH);
    const mgl_arrow_table *table = m->order->table;
    bool shared = shares(m);
    size_t n = shared ? table->n_batches : n_rows / most + 1;
    m->first_rows = mgl_zeroed_array(n + 1, sizeof *m->first_rows);
    m->batches = mgl_zeroed_array(n, sizeof *m->batches);
    if (m->first_rows == NULL || m->batches == NULL)
        return mgl_fail_memory(err);
    for (size_t b = 0; shared && b < n; b++)
        MGL_TRY(add_batch(m, (size_t)table->batches[b].length, err));
    for (size_t done = 0; !shared && done < n_rows; done += most)
        MGL_TRY(add_batch(m, n_rows - done < most ? n_rows - done : most, err));
    return MGL_OK;
}

static mgl_status begin_batches(making *m, mgl_error *err)
{
    size_t n_labels = m->labels.n;
    m->label_arrays = mgl_zeroed_array(m->n_batches * n_labels, sizeof *m->label_arrays);
    m->nulls = mgl_zeroed_array(m->n_pieces * n_labels, sizeof *m->nulls);
    m->bytes = mgl_zeroed_array(m->n_batches * m->n_passed, sizeof *m->bytes);
    if (m->label_arrays == NULL || m->nulls == NULL || m->bytes == NULL)
        return mgl_fail_memory(err);
    for (size_t b = 0; b < m->n_batches; b++) {
        size_t n = m->first_rows[b + 1] - m->first_rows[b];
        MGL_TRY(mgl_made_array(&m->batches[b], n, 1, err));
        MGL_TRY(mgl_made_children(&m->batches[b], m->plan->n_columns, err));
        for (size_t c = 0; c < m->plan->n_columns; c++)
            if (m->columns[c].attribute != SIZE_MAX)
                m->label_arrays[b * n_labels + m->columns[c].attribute] = m->batches[b].children[c];
    }
    return MGL_OK;
}

/* ---- Filling them in ----------------------------------------------------------------------- */

static mgl_status begin_labels(making *m, mgl_error *err)
{
    for (size_t b = m->first_batch; b < m->end_batch; b++)
        for (size_t a = 0; a < m->labels.n; a++)
            MGL_TRY(mgl_label_array(&m->labels, a, m->first_rows[b + 1] - m->first_rows[b], err,
                                    m->label_arrays[b * m->labels.n + a]));
    return MGL_OK;
}

static void fill_tags(const making *m, const piece *p)
{
    const mgl_row_order *order = m->order->order;
    for (size_t i = p->first; m->plan->tag != NULL && i < p->first + p->n; i++)
        m->plan->tags[i] = mgl_column_code(m->plan->tag, order->rows != NULL ? order->rows[i] : i);
}

static void fill_piece(making *m, size_t number)
{
    const piece *p = &m->pieces[number];
    size_t n = m->labels.n;
    mgl_label_fill(&m->labels, p->first, p->n, p->at, m->label_arrays + p->batch * n,
                   m->nulls + number * n);
    fill_tags(m, p);
}

static mgl_status fill_passed(making *m, size_t number, mgl_error *err)
{
    size_t b = m->first_batch + number / m->n_passed, i = number % m->n_passed;
    size_t first = m->first_rows[b], c = m->passed[i];
    return mgl_passed_column_batch(&m->columns[c].passed, b, first, m->first_rows[b + 1] - first,
                                   err, m->batches[b].children[c], &m->bytes[b * m->n_passed + i]);
}

/* Columns are watched from the first item on: they take longest. */
static void run_item(void *context, size_t item, unsigned worker)
{
    (void)worker;
    making *m = context;
    item_end *end = &m->ends[item];
    size_t n_pieces = m->end_piece - m->first_piece;
    if (item < m->n_watched)
        end->status =
            mgl_watch_rows(&m->watched[item], m->order->order->tuples, m->watch_end, &end->error);
    else if (item < m->n_watched + n_pieces)
        fill_piece(m, m->first_piece + item - m->n_watched);
    else
        end->status = fill_passed(m, item - m->n_watched - n_pieces, &end->error);
}

/* A round ends with the batch that has its last piece, and watches as many rows of the input. */
static void next_round(making *m)
{
    m->first_piece = m->end_piece;
    m->first_batch = m->end_batch;
    size_t end = m->first_piece + PIECES_IN_ROUND;
    end = end < m->n_pieces ? end : m->n_pieces;
    while (end < m->n_pieces && m->pieces[end].batch == m->pieces[end - 1].batch)
        end++;
    m->end_piece = end;
    m->end_batch = end > 0 ? m->pieces[end - 1].batch + 1 : 0;
    uint64_t n_input = m->plan->n_rows;
    m->watch_end = end == m->n_pieces ? (size_t)n_input : m->first_rows[m->end_batch];
}

static mgl_status fill_round(making *m, mgl_error *err)
{
    next_round(m);
    size_t n_batches = m->end_batch - m->first_batch;
    size_t n = m->n_watched + (m->end_piece - m->first_piece) + n_batches * m->n_passed;
    MGL_TRY(begin_labels(m, err));
    MGL_TRY(make_room_for_ends(m, n, err));
    mgl_pool_run(m->plan->pool, n, run_item, m);
    MGL_TRY(settle(m, err));
    return mgl_progress_report(m->order->progress, "write", m->first_rows[m->end_batch],
                               m->order->order->n_rows, err);
}

static void count_nulls(making *m)
{
    size_t n = m->labels.n;
    for (size_t p = 0; p < m->n_pieces; p++)
        for (size_t a = 0; a < n; a++)
            m->label_arrays[m->pieces[p].batch * n + a]->null_count += (int64_t)m->nulls[p * n + a];
    for (size_t i = 0; i < m->n_batches * n; i++)
        if (m->label_arrays[i]->null_count == 0)
            mgl_made_no_buffer(m->label_arrays[i], 0);
}

static void tell_copied(const making *m)
{
    for (size_t i = 0; m->order->copied != NULL && i < m->n_passed; i++) {
        uint64_t *copied = &m->order->copied[m->passed[i]];
        *copied = m->columns[m->passed[i]].passed.dictionary.bytes;
        for (size_t b = 0; b < m->n_batches; b++)
            *copied += m->bytes[b * m->n_passed + i];
    }
}

/* ---- The table ----------------------------------------------------------------------------- */

static mgl_schema_column describe_column(const making *m, size_t c)
{
    const made_column *column = &m->columns[c];
    const char *name = m->order->names[c];
    if (column->attribute != SIZE_MAX)
        return (mgl_schema_column){name, mgl_label_format(&m->labels, column->attribute),
                                   ARROW_FLAG_NULLABLE, "u"};
    if (column->passed.as_text)
        return (mgl_schema_column){name, column->passed.as_whole ? "l" : "u", ARROW_FLAG_NULLABLE,
                                   NULL};
    const struct ArrowSchema *from = m->order->table->schema.children[m->order->of_column[c]];
    const char *index = column->passed.index_format;
    return (mgl_schema_column){
        .name = name,
        .format = index != NULL ? index : from->format,
        .flags = from->flags & (ARROW_FLAG_NULLABLE | ARROW_FLAG_DICTIONARY_ORDERED),
        .entries = from->dictionary != NULL ? from->dictionary->format : NULL};
}

static mgl_status make_schema(const making *m, mgl_error *err, struct ArrowSchema *out)
{
    mgl_schema_column *columns = mgl_alloc_array(m->plan->n_columns, sizeof *columns);
    if (columns == NULL)
        return mgl_fail_memory(err);
    for (size_t c = 0; c < m->plan->n_columns; c++)
        columns[c] = describe_column(m, c);
    mgl_status status = mgl_made_schema(columns, m->plan->n_columns, err, out);
    mgl_free(columns);
    return status;
}

static mgl_status make(making *m, mgl_error *err, mgl_arrow_table **out)
{
    struct ArrowSchema schema;
    MGL_TRY(begin_columns(m, err));
    MGL_TRY(begin_watching(m, err));
    MGL_TRY(cut_batches(m, err));
    MGL_TRY(begin_batches(m, err));
    while (m->end_piece < m->n_pieces)
        MGL_TRY(fill_round(m, err));
    count_nulls(m);
    tell_copied(m);
    MGL_TRY(make_schema(m, err, &schema));
    size_t n = m->n_batches;
    m->n_batches = 0; /* the table takes them over, whatever comes */
    return mgl_arrow_adopt(&schema, m->batches, n, "release", err, out);
}

static void end(making *m)
{
    for (size_t b = 0; m->batches != NULL && b < m->n_batches; b++)
        mgl_array_release(&m->batches[b]);
    for (size_t i = 0; i < m->n_watched; i++)
        mgl_watched_column_free(&m->watched[i]);
    for (size_t i = 0; i < m->n_passed; i++)
        mgl_passed_column_end(&m->columns[m->passed[i]].passed);
    mgl_label_columns_free(&m->labels);
    mgl_row_places_free(&m->places);
    mgl_free(m->columns);
    mgl_free(m->passed);
    mgl_free(m->watched);
    mgl_free(m->batches);
    mgl_free(m->first_rows);
    mgl_free(m->pieces);
    mgl_free(m->label_arrays);
    mgl_free(m->nulls);
    mgl_free(m->bytes);
    mgl_free(m->ends);
}

mgl_status mgl_columns_make(const mgl_columns_order *order, mgl_error *err, mgl_arrow_table **out)
{
    making m = {.order = order, .plan = order->plan};
    mgl_status status = make(&m, err, out);
    end(&m);
    return status;
}
