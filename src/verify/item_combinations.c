/* Enumerates the combinations of at most m items that the rows of a release show, and counts the
 * rows or persons of each. Shares how cells are cut into items with the search, and nothing else.
 */
#include "verify/verify.h"

#include "verify/sorted.h"

/* More would take minutes, and much of the memory there is. */
#define MOST_COMBINATIONS UINT64_C(1000000000)

/* A row in the order of class and person. */
typedef struct shown_row {
    uint32_t class_of, person, row;
} shown_row;

typedef struct enumerating {
    const mgl_item_rows *rows;
    mgl_promised_items *promised;
    mgl_map *items;
    shown_row *order; /* [n] rows that show items */
    size_t n;
    uint32_t *class_of_row; /* NULL: all are one class */
    size_t *cell_start;     /* [cell + 1] */
    uint32_t *of_cell;      /* its items, ascending, each once */
    size_t n_of_cell, room;
    size_t *item_start; /* [item + 1] */
    uint32_t *places;   /* in the order above, of the rows that show the item */
} enumerating;

/* ---- Cells ----------------------------------------------------------------------------------- */

static bool take_item(void *context, mgl_span item)
{
    enumerating *e = context;
    uint32_t number = mgl_map_add(e->items, item);
    if (number == MGL_NOT_FOUND ||
        !mgl_grow(&e->of_cell, &e->room, e->n_of_cell + 1, sizeof *e->of_cell))
        return false;
    e->of_cell[e->n_of_cell++] = number;
    return true;
}

static mgl_status cut_cells(enumerating *e, mgl_error *err)
{
    const mgl_dictionary *cells = e->rows->column->dictionary;
    uint32_t n = mgl_dictionary_size(cells), missing = mgl_dictionary_missing(cells);
    e->items = mgl_map_new();
    e->cell_start = mgl_zeroed_array((size_t)n + 1, sizeof *e->cell_start);
    e->of_cell = mgl_alloc_array(1, sizeof *e->of_cell);
    e->room = 1;
    MGL_TRY(mgl_check_memory(e->items != NULL && e->cell_start != NULL && e->of_cell != NULL, err));
    for (uint32_t c = 0; c < n; c++) {
        mgl_span cell = mgl_dictionary_value(cells, c);
        size_t from = e->n_of_cell;
        bool empty = c == missing || mgl_span_equal(cell, e->rows->no_value);
        if (e->rows->neutralized)
            cell = mgl_text_without_apostrophe(cell);
        if (!empty && !mgl_items_each(cell, &e->promised->cutting, take_item, e))
            return mgl_fail_memory(err);
        e->n_of_cell = from + mgl_sort_unique_u32(e->of_cell + from, e->n_of_cell - from);
        e->cell_start[c + 1] = e->n_of_cell;
    }
    return MGL_OK;
}

static size_t items_in(const enumerating *e, size_t row, const uint32_t **items)
{
    uint32_t cell = mgl_column_code(e->rows->column, row);
    *items = e->of_cell + e->cell_start[cell];
    return e->cell_start[cell + 1] - e->cell_start[cell];
}

/* What was released as nothing that may be there. */
static mgl_status find_strange(const enumerating *e, mgl_error *err)
{
    const mgl_item_tree *tree = e->promised->tree;
    mgl_map *labels = tree != NULL ? mgl_map_new() : NULL;
    if (tree == NULL)
        return MGL_OK;
    bool room = labels != NULL;
    for (uint32_t v = 0; room && v < tree->n_nodes; v++)
        room = mgl_map_add(labels, tree->labels[v]) != MGL_NOT_FOUND;
    for (uint32_t i = 0; room && i < mgl_map_size(e->items); i++)
        e->promised->found.strange +=
            mgl_map_find(labels, mgl_map_text(e->items, i)) == MGL_NOT_FOUND;
    mgl_map_free(labels);
    return room ? MGL_OK : mgl_fail_memory(err);
}

/* ---- How many there are ---------------------------------------------------------------------- */

static mgl_status refuse_many(const enumerating *e, mgl_error *err)
{
    unsigned m = e->promised->m;
    double total = 0;
    size_t longest = 0;
    const uint32_t *items;
    for (size_t row = 0; row < e->rows->n_rows; row++) {
        size_t n = items_in(e, row, &items);
        double x = (double)n, sum = x;
        if (m >= 2)
            sum += x * (x - 1) / 2;
        if (m >= 3)
            sum += x * (x - 1) * (x - 2) / 6;
        total += sum;
        longest = n > longest ? n : longest;
    }
    if (total <= (double)MOST_COMBINATIONS)
        return MGL_OK;
    return mgl_fail_key(
        err, MGL_CODE_LIMIT, "km",
        "column '%.60s': the rows show %.3g combinations of at most %u items, and at most %.0e are "
        "enumerated (the longest row has %zu items); take a smaller m, leave out the longest rows "
        "(`where`), or give fewer items to choose from",
        e->rows->column->name, total, m, (double)MOST_COMBINATIONS, longest);
}

/* ---- Order ----------------------------------------------------------------------------------- */

static mgl_status find_classes(enumerating *e, mgl_error *err)
{
    const mgl_item_rows *rows = e->rows;
    mgl_sorted_rows sorted = {0};
    uint32_t number = 0;
    mgl_status status = MGL_OK;
    if (rows->n_alike == 0)
        return MGL_OK;
    e->class_of_row = mgl_alloc_array(rows->n_rows, sizeof *e->class_of_row);
    MGL_GO(e->class_of_row == NULL ? mgl_fail_memory(err) : MGL_OK);
    MGL_GO(mgl_sorted_rows_init(&sorted, rows->alike, rows->n_alike, NULL, rows->n_rows, err));
    for (size_t from = 0, to; from < sorted.n_rows; from = to, number++) {
        to = mgl_sorted_rows_end(&sorted, from);
        for (size_t i = from; i < to; i++)
            e->class_of_row[sorted.rows[i]] = number;
    }
done:
    mgl_sorted_rows_free(&sorted);
    return status;
}

static const mgl_sort_key by_class[] = {MGL_ASCENDING(shown_row, class_of),
                                        MGL_ASCENDING(shown_row, person),
                                        MGL_ASCENDING(shown_row, row), MGL_SORT_END};

static mgl_status order_rows(enumerating *e, mgl_error *err)
{
    const mgl_item_rows *rows = e->rows;
    const uint32_t *items;
    MGL_TRY(mgl_new_array(rows->n_rows, sizeof *e->order, err, &e->order));
    for (size_t row = 0; row < rows->n_rows; row++)
        if (items_in(e, row, &items) > 0)
            e->order[e->n++] =
                (shown_row){e->class_of_row != NULL ? e->class_of_row[row] : 0,
                            rows->persons != NULL ? rows->persons[row] : 0, (uint32_t)row};
    if (e->class_of_row != NULL || rows->persons != NULL)
        mgl_sort(e->order, e->n, sizeof *e->order, by_class);
    return MGL_OK;
}

/* Where each item is shown, in that order. */
static mgl_status list_places(enumerating *e, mgl_error *err)
{
    uint32_t n_items = mgl_map_size(e->items);
    const uint32_t *items;
    MGL_TRY(mgl_new_zeroed((size_t)n_items + 2, sizeof *e->item_start, err, &e->item_start));
    for (size_t i = 0; i < e->n; i++)
        for (size_t j = items_in(e, e->order[i].row, &items); j-- > 0;)
            e->item_start[items[j] + 2]++;
    for (size_t item = 0; item < n_items; item++)
        e->item_start[item + 2] += e->item_start[item + 1];
    MGL_TRY(mgl_new_array(e->item_start[n_items + 1], sizeof *e->places, err, &e->places));
    for (size_t i = 0; i < e->n; i++)
        for (size_t j = items_in(e, e->order[i].row, &items); j-- > 0;)
            e->places[e->item_start[items[j] + 1]++] = (uint32_t)i;
    return MGL_OK;
}

/* ---- Counting -------------------------------------------------------------------------------- */

/* A combination of the current item and up to two later ones. */
typedef struct counted {
    uint64_t others; /* MGL_NOT_FOUND in place of those that are not there */
    uint32_t rows, last;
    bool taken;
} counted;

/* What one thread counts in. */
typedef struct bench {
    counted *slots;
    size_t n_slots, n_taken;
    size_t *taken; /* [n_slots / 2] */
    mgl_items_found found;
    bool failed;
} bench;

static size_t slot_of(const bench *b, uint64_t others)
{
    uint64_t hash = mgl_hash(&others, sizeof others);
    size_t at = (size_t)hash & (b->n_slots - 1);
    while (b->slots[at].taken && b->slots[at].others != others)
        at = (at + 1) & (b->n_slots - 1);
    return at;
}

static bool widen(bench *b)
{
    size_t n = b->n_slots > 0 ? 2 * b->n_slots : 4096;
    bench wide = {.slots = mgl_zeroed_array(n, sizeof *wide.slots),
                  .taken = mgl_alloc_array(n / 2, sizeof *wide.taken),
                  .n_slots = n,
                  .found = b->found};
    if (wide.slots == NULL || wide.taken == NULL) {
        mgl_free(wide.slots);
        mgl_free(wide.taken);
        b->failed = true;
        return false;
    }
    for (size_t i = 0; i < b->n_taken; i++) {
        size_t at = slot_of(&wide, b->slots[b->taken[i]].others);
        wide.slots[at] = b->slots[b->taken[i]];
        wide.taken[wide.n_taken++] = at;
    }
    mgl_free(b->slots);
    mgl_free(b->taken);
    *b = wide;
    return true;
}

/* A person counts once, whose rows come one after the other. */
static void count(bench *b, uint32_t second, uint32_t third, uint32_t person, bool persons)
{
    uint64_t others = (uint64_t)second << 32 | third;
    if (2 * (b->n_taken + 1) > b->n_slots && !widen(b))
        return;
    size_t at = slot_of(b, others);
    counted *c = &b->slots[at];
    if (!c->taken) {
        *c = (counted){.others = others, .taken = true};
        b->taken[b->n_taken++] = at;
    } else if (persons && c->last == person) {
        return;
    }
    c->rows++;
    c->last = person;
}

static void end_class(bench *b, uint64_t k)
{
    for (size_t i = 0; i < b->n_taken; i++) {
        counted *c = &b->slots[b->taken[i]];
        b->found.combinations++;
        b->found.rare += c->rows < k;
        if (b->found.least == 0 || c->rows < b->found.least)
            b->found.least = c->rows;
        c->taken = false;
    }
    b->n_taken = 0;
}

typedef struct counting {
    const enumerating *e;
    bench *benches; /* [thread] */
} counting;

/* All combinations whose first item it is. */
static void count_item(void *context, size_t item, unsigned worker)
{
    const counting *c = context;
    const enumerating *e = c->e;
    bench *b = &c->benches[worker];
    unsigned m = e->promised->m;
    bool persons = e->rows->persons != NULL;
    for (size_t i = e->item_start[item]; i < e->item_start[item + 1] && !b->failed; i++) {
        const shown_row *row = &e->order[e->places[i]];
        const uint32_t *items;
        size_t n = items_in(e, row->row, &items), from = 0;
        while (items[from] <= item)
            if (++from == n)
                break;
        count(b, MGL_NOT_FOUND, MGL_NOT_FOUND, row->person, persons);
        for (size_t x = from; m >= 2 && x < n; x++) {
            count(b, items[x], MGL_NOT_FOUND, row->person, persons);
            for (size_t y = x + 1; m >= 3 && y < n; y++)
                count(b, items[x], items[y], row->person, persons);
        }
        if (i + 1 == e->item_start[item + 1] ||
            e->order[e->places[i + 1]].class_of != row->class_of)
            end_class(b, e->promised->k);
    }
}

static mgl_status count_all(const enumerating *e, mgl_error *err)
{
    unsigned n = mgl_pool_threads(e->rows->pool);
    counting c = {e, mgl_zeroed_array(n, sizeof *c.benches)};
    mgl_items_found *found = &e->promised->found;
    bool failed = false;
    MGL_TRY(mgl_check_memory(c.benches != NULL, err));
    mgl_pool_run(e->rows->pool, mgl_map_size(e->items), count_item, &c);
    for (unsigned t = 0; t < n; t++) {
        const mgl_items_found *own = &c.benches[t].found;
        failed = failed || c.benches[t].failed;
        found->combinations += own->combinations;
        found->rare += own->rare;
        if (own->least > 0 && (found->least == 0 || own->least < found->least))
            found->least = own->least;
        mgl_free(c.benches[t].slots);
        mgl_free(c.benches[t].taken);
    }
    mgl_free(c.benches);
    return failed ? mgl_fail_memory(err) : MGL_OK;
}

mgl_status mgl_verify_items(const mgl_item_rows *rows, mgl_promised_items *promised, mgl_error *err)
{
    enumerating e = {.rows = rows, .promised = promised};
    mgl_status status = MGL_OK;
    promised->found = (mgl_items_found){0};
    MGL_GO(cut_cells(&e, err));
    promised->found.items = mgl_map_size(e.items);
    MGL_GO(refuse_many(&e, err));
    MGL_GO(find_strange(&e, err));
    MGL_GO(find_classes(&e, err));
    MGL_GO(order_rows(&e, err));
    MGL_GO(list_places(&e, err));
    MGL_GO(count_all(&e, err));
done:
    mgl_map_free(e.items);
    mgl_free(e.order);
    mgl_free(e.class_of_row);
    mgl_free(e.cell_start);
    mgl_free(e.of_cell);
    mgl_free(e.item_start);
    mgl_free(e.places);
    return status;
}

/* ---- A release ------------------------------------------------------------------------------- */

static mgl_status judge_items(mgl_source *source, const mgl_promise *promise,
                              mgl_promised_items *promised, mgl_pool *pool,
                              const mgl_progress *progress, mgl_error *err)
{
    size_t n_alike = promised->within ? promise->n_tops : 0;
    mgl_column_request *requested = mgl_alloc_array(n_alike + 1, sizeof *requested);
    const mgl_column **alike = mgl_alloc_array(n_alike, sizeof *alike);
    mgl_table *table = NULL;
    mgl_stream_request request = {requested, n_alike + 1, NULL, pool, progress};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(requested != NULL && alike != NULL, err));
    for (size_t a = 0; a < n_alike; a++)
        requested[a] = (mgl_column_request){promise->top_columns[a], MGL_ROLE_QUASI};
    requested[n_alike] = (mgl_column_request){promised->column, MGL_ROLE_ITEMS};
    MGL_GO(mgl_source_stream(source, &request, err, &table));
    for (size_t a = 0; a < n_alike; a++)
        alike[a] = &table->columns[a];
    mgl_item_rows rows = {.column = &table->columns[n_alike],
                          .n_rows = table->n_rows,
                          .alike = alike,
                          .n_alike = n_alike,
                          .persons = promise->persons.of_row,
                          .neutralized = promise->neutralized,
                          .no_value = promise->source.no_value,
                          .pool = pool};
    MGL_GO(mgl_verify_items(&rows, promised, err));
done:
    mgl_table_free(table);
    mgl_free(requested);
    mgl_free(alike);
    return status;
}

static mgl_status judge_release(mgl_source *source, const mgl_promise *promise, void *promised,
                                size_t n, mgl_pool *pool, const mgl_progress *progress,
                                mgl_error *err)
{
    mgl_promised_items *items = promised;
    const mgl_items_found *found = &items->found;
    (void)n;
    MGL_TRY(judge_items(source, promise, items, pool, progress, err));
    if (found->rare > 0 || found->strange > 0)
        return mgl_fail_at(err, MGL_CODE_INTERNAL, mgl_source_name(source), 0,
                           "column '%.60s' of the written release has %llu combinations of items "
                           "that are too rare and %llu items that none were released as; please "
                           "report this",
                           promise->names[items->column], (unsigned long long)found->rare,
                           (unsigned long long)found->strange);
    return MGL_OK;
}

const mgl_judge mgl_items_judge = {.release = judge_release};
