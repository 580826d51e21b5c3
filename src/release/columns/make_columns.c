/* Makes a table in memory of a release: shares or gathers the columns that are passed through,
 * makes those of the quasi-identifiers, and shows the rows to the watcher, all of it shared out
 * among the threads in rounds of some batches. */
#include "release/columns/columns.h"
#include "release/columns/made_array.h"
#include "release/columns/passed_column.h"
#include "release/columns/row_order.h"
#include "release/release.h"

/* ---- Columns that are watched ---------------------------------------------------------------- */

/* A column that is watched, and the texts of its cells. */
typedef struct watched_column {
    const mgl_arrow_table *table;
    const mgl_row_watch *watch;
    size_t column;      /* of the watch */
    mgl_field *entries; /* [entry] the texts of the current dictionary; optional */
    size_t capacity;
    size_t batch;     /* whose entries these are */
    mgl_arena *arena; /* of texts that are made for entries */
    size_t seen;      /* rows so far */
} watched_column;

enum { ROWS_AT_ONCE = 1024 };

static const mgl_arrow_column *what(const watched_column *w)
{
    return &w->table->columns[w->watch->fields[w->column]];
}

static mgl_field field_of(mgl_span text)
{
    return (mgl_field){.data = text.data, .size = (uint32_t)text.size};
}

static mgl_status show_entry(watched_column *w, const mgl_arrow_cells *entries, size_t i,
                             mgl_error *err)
{
    char room[MGL_ARROW_ROOM];
    mgl_span text = {"", 0};
    if (!mgl_arrow_is_null(entries, i))
        text = mgl_arrow_show(entries, i, room);
    if (text.data == room)
        text.data = mgl_arena_copy(w->arena, text.data, text.size);
    MGL_TRY(mgl_check_memory(text.data != NULL, err));
    w->entries[i] = field_of(text);
    return MGL_OK;
}

/* The texts of the dictionary of a batch, unless they are the current ones. */
static mgl_status show_entries(watched_column *w, size_t batch, mgl_error *err)
{
    size_t column = w->watch->fields[w->column];
    mgl_arrow_cells entries = mgl_arrow_entries_of(w->table, batch, column);
    if (w->entries != NULL) {
        mgl_arrow_cells before = mgl_arrow_entries_of(w->table, w->batch, column);
        if (mgl_same_cells(&entries, &before))
            return MGL_OK;
    }
    mgl_arena_free(w->arena);
    w->arena = mgl_arena_new();
    MGL_TRY(mgl_check_memory(
        w->arena != NULL && mgl_grow(&w->entries, &w->capacity, entries.n + 1, sizeof *w->entries),
        err));
    for (size_t i = 0; i < entries.n; i++)
        MGL_TRY(show_entry(w, &entries, i, err));
    w->batch = batch;
    return MGL_OK;
}

/* width is a constant where this is inlined. A null is shown as no text, which is no value. */
MGL_SPECIALIZE void show_numbered(const watched_column *w, const mgl_arrow_cells *cells,
                                  size_t first, size_t n, mgl_field *out, size_t width)
{
    const char *numbers = (const char *)cells->values + (cells->first + first) * width;
    for (size_t i = 0; i < n; i++) {
        uint64_t entry = 0;
        memcpy(&entry, numbers + i * width, width);
        bool null = mgl_arrow_is_null(cells, first + i);
        out[i] = null ? (mgl_field){.data = ""} : w->entries[entry];
    }
}

static void show_cells(const watched_column *w, const mgl_arrow_cells *cells, size_t first,
                       size_t n, char (*rooms)[MGL_ARROW_ROOM], mgl_field *out)
{
    if (what(w)->encoded) {
        MGL_BY_WIDTH(cells->type->width, show_numbered, w, cells, first, n, out);
        return;
    }
    for (size_t i = 0; i < n; i++)
        out[i] = mgl_arrow_is_null(cells, first + i)
                     ? (mgl_field){.data = ""}
                     : field_of(mgl_arrow_show(cells, first + i, rooms[i]));
}

typedef struct shown_block {
    mgl_field fields[ROWS_AT_ONCE];
    char rooms[ROWS_AT_ONCE][MGL_ARROW_ROOM];
} shown_block;

static mgl_status watch_batch(watched_column *w, const uint32_t *tuples, size_t batch, size_t end,
                              shown_block *block, mgl_error *err)
{
    mgl_arrow_cells cells = mgl_arrow_cells_of(w->table, batch, w->watch->fields[w->column]);
    size_t before = (size_t)w->table->first_rows[batch];
    if (what(w)->encoded)
        MGL_TRY(show_entries(w, batch, err));
    while (w->seen < end && w->seen < before + cells.n) {
        size_t left = before + cells.n < end ? before + cells.n - w->seen : end - w->seen;
        size_t n = left < ROWS_AT_ONCE ? left : ROWS_AT_ONCE;
        show_cells(w, &cells, w->seen - before, n, block->rooms, block->fields);
        mgl_seen_rows rows = {
            .cells = block->fields, .step = 1, .tuples = tuples + w->seen, .n = n};
        w->watch->see(w->watch->context, w->column, &rows);
        w->seen += n;
    }
    return MGL_OK;
}

/* Shows the rows before row `end` that were not seen yet. tuples: of all rows. */
static mgl_status watch_rows(watched_column *w, const uint32_t *tuples, size_t end, mgl_error *err)
{
    shown_block *block = mgl_alloc(sizeof *block);
    mgl_status status = block == NULL ? mgl_fail_memory(err) : MGL_OK;
    for (size_t b = 0; status == MGL_OK && w->seen < end && b < w->table->n_batches; b++)
        if (w->seen < w->table->first_rows[b] + (uint64_t)w->table->batches[b].length)
            status = watch_batch(w, tuples, b, end, block, err);
    mgl_free(block);
    return status;
}

static void watched_column_free(watched_column *w)
{
    mgl_free(w->entries);
    mgl_arena_free(w->arena);
    w->entries = NULL;
    w->arena = NULL;
}

/* ---- Labels of quasi-identifiers ------------------------------------------------------------- */

/* One quasi-identifier. */
typedef struct label_column {
    mgl_lent_array *entries; /* texts: those that some released row has, sorted */
    bool nulls;              /* some cells are null */
    unsigned width;          /* bytes of the numbers of entries, which are signed */
    size_t place;            /* of its number among those of a class */
} label_column;

typedef struct label_columns {
    const mgl_row_order *order;
    mgl_classes classes;
    label_column *columns; /* [n] by attribute */
    size_t n;
    /* The numbers of entries of each class, side by side in as few bytes as they are released in;
     * -1: its cells are null. */
    char *numbers;
    size_t stride; /* bytes of a class */
} label_columns;

/* ---- Dictionaries ---------------------------------------------------------------------------- */

enum {
    AT_ONCE = 512
}; /* rows whose classes are looked up together: their entries fit into a cache */

static bool is_missing(const mgl_released_column *column, uint32_t value, mgl_span missing)
{
    return value != column->top && missing.data != NULL &&
           mgl_span_equal(column->values[value].label, missing);
}

typedef struct used_label {
    mgl_span text;
    uint32_t value;
} used_label;

/* Which classes have rows in the release; free it. NULL: there is no memory. Tuples whose cells are
 * all at the top are one class, whether they are suppressed or not. */
static bool *find_released(const label_columns *l, const mgl_row_plan *plan)
{
    const mgl_recoding *recoding = plan->recoding;
    bool *released = mgl_zeroed_array(l->classes.n_classes, sizeof *released);
    if (released == NULL)
        return NULL;
    if (!plan->drop_suppressed)
        memset(released, true, l->classes.n_classes);
    for (size_t t = 0; plan->drop_suppressed && t < recoding->n_tuples; t++)
        if (!recoding->suppressed[t])
            released[l->classes.of_tuple[t]] = true;
    return released;
}

/* Labels of released rows, sorted: their order discloses nothing of that in the table. */
static mgl_status list_labels(const label_columns *l, const mgl_row_plan *plan, size_t a,
                              const bool *released, mgl_error *err, used_label *labels, size_t *n)
{
    static const mgl_sort_key by_text[] = {MGL_ASCENDING(used_label, text), MGL_SORT_END};
    const mgl_released_column *column = plan->recoding->columns[a];
    const uint32_t *cells = plan->recoding->cells[a];
    /* The text of missing cells of a quasi-identifier; no data if none is missing. */
    const mgl_dictionary *dictionary = plan->quasi[a].column->dictionary;
    uint32_t code = mgl_dictionary_missing(dictionary);
    mgl_span missing =
        code != MGL_NOT_FOUND ? mgl_dictionary_value(dictionary, code) : (mgl_span){0};
    bool *used = mgl_zeroed_array(column->n_values, sizeof *used);
    MGL_TRY(mgl_check_memory(used != NULL, err));
    for (size_t class = 0; class < l->classes.n_classes; class ++)
        if (released[class])
            used[cells[l->classes.first[class]]] = true;
    *n = 0;
    for (uint32_t v = 0; v < column->n_values; v++)
        if (used[v] && !is_missing(column, v, missing))
            labels[(*n)++] = (used_label){column->values[v].label, v};
    mgl_free(used);
    mgl_sort(labels, *n, sizeof *labels, by_text);
    return MGL_OK;
}

static mgl_status make_entries(const used_label *labels, size_t n, mgl_error *err,
                               mgl_lent_array **out)
{
    struct ArrowArray array = {0};
    size_t size = 0;
    for (size_t i = 0; i < n; i++)
        size += labels[i].text.size;
    if (size > INT32_MAX)
        return mgl_fail(err, MGL_CODE_NO_ROOM,
                        "the labels of a quasi-identifier have more than 2 GiB together, for which "
                        "a table in memory has no room; write a file");
    MGL_TRY(mgl_made_array(&array, n, 3, err));
    int32_t *offsets = mgl_made_buffer(&array, 1, (n + 1) * sizeof *offsets);
    char *bytes = mgl_made_buffer(&array, 2, size);
    if (offsets == NULL || bytes == NULL) {
        mgl_array_release(&array);
        return mgl_fail_memory(err);
    }
    offsets[0] = 0;
    for (size_t i = 0; i < n; i++) {
        if (labels[i].text.size > 0)
            memcpy(bytes + offsets[i], labels[i].text.data, labels[i].text.size);
        offsets[i + 1] = offsets[i] + (int32_t)labels[i].text.size;
    }
    return mgl_lent_new(&array, err, out);
}

/* Labels of lower levels count, too: where all follows from the release there is one width. */
static unsigned width_for(const mgl_row_plan *plan, uint32_t n_values)
{
    unsigned narrow = n_values <= INT8_MAX ? 1 : n_values <= INT16_MAX ? 2 : 4;
    return plan->by_release ? 4 : narrow;
}

/* The format of the numbers of entries: of the narrowest type that can number all labels which the
 * column can be released as, so that slices which are recoded alike have one type. */
static const char *label_format(const label_columns *l, size_t a)
{
    unsigned width = l->columns[a].width;
    return width == 1 ? "c" : width == 2 ? "s" : "i";
}

static mgl_status begin_column(label_columns *l, const mgl_row_plan *plan, size_t a,
                               const bool *released, mgl_error *err)
{
    uint32_t n_values = plan->recoding->columns[a]->n_values;
    used_label *labels = mgl_alloc_array(n_values, sizeof *labels);
    uint32_t *number_of_value = mgl_alloc_array(n_values, sizeof *number_of_value);
    size_t n = 0;
    mgl_status status = MGL_OK;
    if (labels == NULL || number_of_value == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(list_labels(l, plan, a, released, err, labels, &n));
    memset(number_of_value, 0xFF, n_values * sizeof *number_of_value); /* MGL_NOT_FOUND */
    for (size_t i = 0; i < n; i++)
        number_of_value[labels[i].value] = (uint32_t)i;
    MGL_GO(make_entries(labels, n, err, &l->columns[a].entries));
    /* Classes that are dropped have numbers, too, which are not read. On little-endian machines the
     * low bytes come first. */
    label_column *column = &l->columns[a];
    for (size_t class = 0; class < l->classes.n_classes; class ++) {
        uint32_t number = number_of_value[plan->recoding->cells[a][l->classes.first[class]]];
        memcpy(l->numbers + class * l->stride + column->place, &number, column->width);
        column->nulls |= number == MGL_NOT_FOUND;
    }
done:
    mgl_free(labels);
    mgl_free(number_of_value);
    return status;
}

/* Free with label_columns_free, also after a failure. */
static mgl_status label_columns_init(label_columns *l, const mgl_row_plan *plan,
                                     const mgl_row_order *order, mgl_error *err)
{
    *l = (label_columns){.order = order, .n = plan->n_quasi};
    MGL_TRY(mgl_new_zeroed(l->n, sizeof *l->columns, err, &l->columns));
    MGL_TRY(mgl_release_classes(plan, err, &l->classes));
    /* In few bytes: the numbers of classes are fetched from all over. */
    for (size_t a = 0; a < l->n; a++) {
        l->columns[a].width = width_for(plan, plan->recoding->columns[a]->n_values);
        l->columns[a].place = l->stride;
        l->stride += l->columns[a].width;
    }
    l->numbers = mgl_alloc_array(l->classes.n_classes, l->stride);
    bool *released = find_released(l, plan);
    mgl_status status = MGL_OK;
    if (l->numbers == NULL || released == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t a = 0; a < l->n; a++)
        MGL_GO(begin_column(l, plan, a, released, err));
done:
    mgl_free(released);
    return status;
}

/* ---- Cells ----------------------------------------------------------------------------------- */

/* Room for n rows of one of them. The array must be released by the caller. */
static mgl_status label_array(const label_columns *l, size_t a, size_t n, mgl_error *err,
                              struct ArrowArray *out)
{
    MGL_TRY(mgl_made_array(out, n, 2, err));
    bool room = mgl_made_buffer(out, 1, n * l->columns[a].width) != NULL;
    if (l->columns[a].nulls)
        room = mgl_made_zeros(out, 0, (n + 7) / 8) != NULL && room;
    MGL_TRY(mgl_check_memory(room, err));
    mgl_made_dictionary(out, l->columns[a].entries);
    return MGL_OK;
}

/* The classes of some rows. Each look at memory is far from the one before: all of them are asked
 * for first. */
static void find_classes(const label_columns *l, size_t first, size_t n, uint32_t *out)
{
    const mgl_row_order *order = l->order;
    const uint32_t *tuples = order->rows != NULL ? order->tuples_of_rows : order->tuples;
    for (size_t i = 0; i < n; i++) {
        out[i] = tuples[first + i];
        __builtin_prefetch(&l->classes.of_tuple[out[i]]);
    }
    for (size_t i = 0; i < n; i++) {
        out[i] = l->classes.of_tuple[out[i]];
        __builtin_prefetch(l->numbers + out[i] * l->stride);
    }
}

/* width is a constant where this is inlined. */
MGL_SPECIALIZE void fill_numbers(const label_columns *l, size_t a, const uint32_t *classes,
                                 size_t n, size_t width, char *out)
{
    const char *numbers = l->numbers + l->columns[a].place;
    for (size_t i = 0; i < n; i++)
        memcpy(out + i * width, numbers + classes[i] * l->stride, width);
}

static void fill_some(const label_columns *l, size_t a, const uint32_t *classes, size_t n,
                      char *out)
{
    switch (l->columns[a].width) {
    case 1:
        fill_numbers(l, a, classes, n, 1, out);
        break;
    case 2:
        fill_numbers(l, a, classes, n, 2, out);
        break;
    default:
        fill_numbers(l, a, classes, n, 4, out);
    }
}

static bool is_null(const char *number, unsigned width)
{
    return memcmp(number, "\xff\xff\xff\xff", width) == 0;
}

/* Cells that are null keep no number. Returns how many there are. */
static size_t mark_valid(const label_columns *l, size_t a, const uint32_t *classes, size_t n,
                         size_t at, const struct ArrowArray *array)
{
    uint8_t *valid = (uint8_t *)array->buffers[0];
    unsigned width = l->columns[a].width;
    size_t nulls = 0;
    for (size_t i = 0; i < n; i++)
        if (is_null(l->numbers + classes[i] * l->stride + l->columns[a].place, width)) {
            memset((char *)array->buffers[1] + (at + i) * width, 0, width);
            nulls++;
        } else {
            valid[(at + i) / 8] |= (uint8_t)(1u << (at + i) % 8);
        }
    return nulls;
}

/* Fills in n cells of all of them, from the first-th row of the release on: arrays[a] from its
 * cell `at` on, which is a multiple of 8. Adds the nulls of each to nulls[a]. */
static void label_fill(const label_columns *l, size_t first, size_t n, size_t at,
                       struct ArrowArray *const *arrays, uint64_t *nulls)
{
    uint32_t classes[AT_ONCE];
    for (size_t done = 0, some; done < n; done += some) {
        some = n - done < AT_ONCE ? n - done : AT_ONCE;
        find_classes(l, first + done, some, classes);
        for (size_t a = 0; a < l->n; a++) {
            size_t first_byte = (at + done) * l->columns[a].width;
            fill_some(l, a, classes, some, (char *)arrays[a]->buffers[1] + first_byte);
            if (l->columns[a].nulls)
                nulls[a] += mark_valid(l, a, classes, some, at + done, arrays[a]);
        }
    }
}

enum {
    ROWS_IN_BATCH = 1 << 16,
    PIECES_IN_ROUND = 64 /* after which the run can be cancelled */
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

typedef struct making {
    const mgl_columns_request *order;
    const mgl_row_plan *plan;
    mgl_row_positions places;
    label_columns labels;
    made_column *columns; /* [n_columns] */
    size_t *passed;       /* [n_passed] of the columns */
    size_t n_passed;
    watched_column *watched;
    size_t n_watched;
    struct ArrowArray *batches; /* [n_batches] */
    size_t *first_rows;         /* [n_batches + 1] of the release */
    size_t n_batches;
    piece *pieces; /* [n_pieces] */
    size_t n_pieces, pieces_capacity;
    struct ArrowArray **label_arrays; /* [batch][attribute] */
    uint64_t *nulls;                  /* [piece][attribute] */
    uint64_t *bytes;                  /* [batch][passed] copied */
    /* the round at work */
    size_t first_piece, end_piece, first_batch, end_batch, watch_end;
} making;

/* ---- Columns --------------------------------------------------------------------------------- */

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
    MGL_TRY(mgl_check_memory(m->columns != NULL && m->passed != NULL, err));
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
            .as_text = mgl_is_changed(plan, c),
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

/* The most rows of a batch, so that the offsets of all texts fit. */
static size_t most_rows(const making *m, size_t rows)
{
    for (size_t i = 0; i < m->n_passed; i++) {
        uint64_t most = m->columns[m->passed[i]].passed.most_rows;
        rows = most < rows ? (size_t)most : rows;
    }
    return rows > 0 ? rows : 1;
}

/* Shared columns keep the batches of their table. If the texts of a column that is spelled anew do
 * not fit in one of them, all columns are gathered. */
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

static mgl_status begin_passed(void *context, size_t item, unsigned worker, mgl_error *err)
{
    (void)worker;
    making *m = context;
    return mgl_passed_column_begin(&m->columns[m->passed[item]].passed,
                                   m->order->order->rows == NULL, err);
}

static mgl_status begin_columns(making *m, mgl_error *err)
{
    MGL_TRY(list_columns(m, err));
    MGL_TRY(label_columns_init(&m->labels, m->plan, m->order->order, err));
    if (m->n_passed == 0)
        return MGL_OK;
    MGL_TRY(mgl_row_positions_init(&m->places, m->order->table, m->order->order->rows, err));
    MGL_TRY(mgl_pool_try(m->plan->pool, m->n_passed, begin_passed, m, err));
    return share_none(m, err);
}

static mgl_status begin_watching(making *m, mgl_error *err)
{
    const mgl_row_watch *watch = m->plan->watch;
    if (watch == NULL || m->order->watched || m->n_passed == 0)
        return MGL_OK;
    MGL_TRY(mgl_new_zeroed(watch->n_columns, sizeof *m->watched, err, &m->watched));
    m->n_watched = watch->n_columns;
    for (size_t i = 0; i < watch->n_columns; i++)
        m->watched[i] = (watched_column){.table = m->order->table, .watch = watch, .column = i};
    return MGL_OK;
}

/* ---- Batches --------------------------------------------------------------------------------- */

static mgl_status add_batch(making *m, size_t n, mgl_error *err)
{
    size_t before = m->first_rows[m->n_batches];
    for (size_t at = 0; at == 0 || at < n; at += ROWS_IN_BATCH) {
        size_t some = n - at < ROWS_IN_BATCH ? n - at : ROWS_IN_BATCH;
        MGL_TRY(mgl_grow_array(&m->pieces, &m->pieces_capacity, m->n_pieces + 1, sizeof *m->pieces,
                               err));
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
    MGL_TRY(mgl_check_memory(m->first_rows != NULL && m->batches != NULL, err));
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
    MGL_TRY(mgl_check_memory(m->label_arrays != NULL && m->nulls != NULL && m->bytes != NULL, err));
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

/* ---- Filling them in ------------------------------------------------------------------------- */

static mgl_status fill_piece(making *m, size_t number)
{
    const piece *p = &m->pieces[number];
    size_t n = m->labels.n;
    label_fill(&m->labels, p->first, p->n, p->at, m->label_arrays + p->batch * n,
               m->nulls + number * n);
    const mgl_row_order *order = m->order->order;
    for (size_t i = p->first; m->plan->tag != NULL && i < p->first + p->n; i++)
        m->plan->tags[i] = mgl_column_code(m->plan->tag, order->rows != NULL ? order->rows[i] : i);
    return MGL_OK;
}

/* Columns are watched from the first item on: they take longest. */
static mgl_status run_item(void *context, size_t item, unsigned worker, mgl_error *err)
{
    (void)worker;
    making *m = context;
    size_t n_pieces = m->end_piece - m->first_piece;
    if (item < m->n_watched)
        return watch_rows(&m->watched[item], m->order->order->tuples, m->watch_end, err);
    if (item < m->n_watched + n_pieces)
        return fill_piece(m, m->first_piece + item - m->n_watched);
    size_t number = item - m->n_watched - n_pieces;
    size_t b = m->first_batch + number / m->n_passed, i = number % m->n_passed;
    size_t first = m->first_rows[b], c = m->passed[i];
    return mgl_passed_column_batch(&m->columns[c].passed, b, first, m->first_rows[b + 1] - first,
                                   err, m->batches[b].children[c], &m->bytes[b * m->n_passed + i]);
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
    for (size_t b = m->first_batch; b < m->end_batch; b++)
        for (size_t a = 0; a < m->labels.n; a++)
            MGL_TRY(label_array(&m->labels, a, m->first_rows[b + 1] - m->first_rows[b], err,
                                m->label_arrays[b * m->labels.n + a]));
    MGL_TRY(mgl_pool_try(m->plan->pool, n, run_item, m, err));
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

/* ---- The table ------------------------------------------------------------------------------- */

static mgl_schema_column describe_column(const making *m, size_t c)
{
    const made_column *column = &m->columns[c];
    const char *name = m->order->names[c];
    if (column->attribute != SIZE_MAX)
        return (mgl_schema_column){name, label_format(&m->labels, column->attribute),
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
    MGL_TRY(mgl_check_memory(columns != NULL, err));
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
    for (size_t i = 0; m->order->copied != NULL && i < m->n_passed; i++) {
        uint64_t *copied = &m->order->copied[m->passed[i]];
        *copied = m->columns[m->passed[i]].passed.dictionary.bytes;
        for (size_t b = 0; b < m->n_batches; b++)
            *copied += m->bytes[b * m->n_passed + i];
    }
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
        watched_column_free(&m->watched[i]);
    for (size_t i = 0; i < m->n_passed; i++)
        mgl_passed_column_end(&m->columns[m->passed[i]].passed);
    for (size_t a = 0; m->labels.columns != NULL && a < m->labels.n; a++)
        mgl_lent_release(m->labels.columns[a].entries);
    mgl_free(m->labels.columns);
    mgl_free(m->labels.numbers);
    mgl_classes_free(&m->labels.classes);
    m->labels = (label_columns){0};
    mgl_row_positions_free(&m->places);
    mgl_free(m->columns);
    mgl_free(m->passed);
    mgl_free(m->watched);
    mgl_free(m->batches);
    mgl_free(m->first_rows);
    mgl_free(m->pieces);
    mgl_free(m->label_arrays);
    mgl_free(m->nulls);
    mgl_free(m->bytes);
}

mgl_status mgl_columns_make(const mgl_columns_request *order, mgl_error *err, mgl_arrow_table **out)
{
    making m = {.order = order, .plan = order->plan};
    mgl_status status = make(&m, err, out);
    end(&m);
    return status;
}
