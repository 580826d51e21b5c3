/* Makes one dictionary of those that the batches of a column have: each different entry once, and
 * only those that some released row has. passed_column.c calls it for encoded columns.
 *
 * Where the order of rows is random, entries are sorted by their texts: their order would tell that
 * of the rows. */
#include "release/columns/one_dictionary.h"

#include <stdlib.h>

enum { AT_ONCE = 1024 };

/* An entry as it first comes up. */
typedef struct entry {
    mgl_place place;
    uint32_t number; /* in the dictionary made; MGL_NOT_FOUND: no row has it */
    bool used;
} entry;

typedef struct making {
    const mgl_dictionary_order *order;
    mgl_one_dictionary *out;
    mgl_map *texts; /* of the entries; NULL: all batches have the same ones */
    entry *entries;
    size_t n, capacity;
    mgl_place *places; /* [used entries] in their order */
    size_t n_used;
} making;

static bool one_for_all(const mgl_dictionary_order *order)
{
    for (size_t b = 1; b < order->n_batches; b++)
        if (!mgl_same_cells(&order->entries[0], &order->entries[b]))
            return false;
    return true;
}

/* ---- Different entries --------------------------------------------------------------------- */

static mgl_status add_entry(making *m, size_t batch, size_t row, mgl_error *err, uint32_t *out)
{
    const mgl_arrow_cells *cells = &m->order->entries[batch];
    char room[MGL_ARROW_ROOM];
    *out = MGL_NOT_FOUND;
    if (mgl_arrow_is_null(cells, row))
        return MGL_OK;
    uint32_t number = (uint32_t)m->n;
    if (m->texts != NULL) {
        number = mgl_map_add(m->texts, mgl_arrow_show(cells, row, room));
        if (number == MGL_NOT_FOUND)
            return mgl_fail_memory(err);
    }
    *out = number;
    if (number < m->n)
        return MGL_OK;
    if (!mgl_grow(&m->entries, &m->capacity, m->n + 1, sizeof *m->entries))
        return mgl_fail_memory(err);
    m->entries[m->n++] = (entry){.place = {(uint32_t)batch, (uint32_t)row}};
    return MGL_OK;
}

static mgl_status add_entries(making *m, size_t batch, mgl_error *err)
{
    const mgl_arrow_cells *cells = &m->order->entries[batch];
    uint32_t **numbers = m->out->numbers;
    if (batch > 0 && mgl_same_cells(cells, &m->order->entries[batch - 1])) {
        numbers[batch] = numbers[batch - 1];
        return MGL_OK;
    }
    numbers[batch] = mgl_alloc_array(cells->n, sizeof **numbers);
    if (numbers[batch] == NULL)
        return mgl_fail_memory(err);
    for (size_t row = 0; row < cells->n; row++)
        MGL_TRY(add_entry(m, batch, row, err, &numbers[batch][row]));
    return MGL_OK;
}

/* ---- Those that rows have ------------------------------------------------------------------ */

static void mark_used(making *m)
{
    mgl_place places[AT_ONCE];
    const mgl_dictionary_order *order = m->order;
    for (size_t done = 0, n; done < order->n_rows && m->n_used < m->n; done += n) {
        n = order->n_rows - done < AT_ONCE ? order->n_rows - done : AT_ONCE;
        order->places(order->context, done, n, places);
        for (size_t i = 0; i < n; i++) {
            const mgl_arrow_cells *cells = &order->cells[places[i].batch];
            if (places[i].row == MGL_NOT_FOUND || mgl_arrow_is_null(cells, places[i].row))
                continue;
            size_t index = mgl_arrow_index_at(cells, places[i].row);
            uint32_t number = m->out->numbers[places[i].batch][index];
            if (number == MGL_NOT_FOUND || m->entries[number].used)
                continue;
            m->entries[number].used = true;
            m->n_used++;
        }
    }
}

/* ---- Their order --------------------------------------------------------------------------- */

typedef struct told {
    mgl_span text;
    uint32_t number;
} told;

static int by_text(const void *a, const void *b)
{
    const told *x = a, *y = b;
    int order = mgl_span_compare(x->text, y->text);
    return order != 0 ? order : x->number < y->number ? -1 : 1;
}

/* Texts of numbers and times are copied, since they are made on the fly. */
static mgl_status tell(const making *m, mgl_arena *arena, mgl_error *err, told *out)
{
    size_t at = 0;
    for (uint32_t e = 0; e < m->n; e++) {
        char room[MGL_ARROW_ROOM];
        if (!m->entries[e].used)
            continue;
        mgl_place place = m->entries[e].place;
        mgl_span text = mgl_arrow_show(&m->order->entries[place.batch], place.row, room);
        if (text.data == room)
            text.data = mgl_arena_copy(arena, text.data, text.size);
        if (text.data == NULL)
            return mgl_fail_memory(err);
        out[at++] = (told){text, e};
    }
    return MGL_OK;
}

static mgl_status sort_entries(making *m, mgl_error *err)
{
    mgl_arena *arena = mgl_arena_new();
    told *all = mgl_alloc_array(m->n_used, sizeof *all);
    mgl_status status = MGL_OK;
    if (arena == NULL || all == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(tell(m, arena, err, all));
    qsort(all, m->n_used, sizeof *all, by_text);
    for (uint32_t i = 0; i < m->n_used; i++)
        m->entries[all[i].number].number = i;
done:
    mgl_free(all);
    mgl_arena_free(arena);
    return status;
}

static mgl_status number_entries(making *m, mgl_error *err)
{
    uint32_t next = 0;
    for (size_t e = 0; e < m->n; e++)
        m->entries[e].number = m->entries[e].used ? next++ : MGL_NOT_FOUND;
    if (m->order->sorted)
        MGL_TRY(sort_entries(m, err));
    m->places = mgl_alloc_array(m->n_used, sizeof *m->places);
    if (m->places == NULL)
        return mgl_fail_memory(err);
    for (size_t e = 0; e < m->n; e++)
        if (m->entries[e].used)
            m->places[m->entries[e].number] = m->entries[e].place;
    return MGL_OK;
}

/* From numbers of different entries to those of the dictionary made. */
static void renumber(making *m)
{
    uint32_t **numbers = m->out->numbers;
    for (size_t b = 0; b < m->order->n_batches; b++)
        for (size_t i = 0; (b == 0 || numbers[b] != numbers[b - 1]) && i < m->order->entries[b].n;
             i++)
            if (numbers[b][i] != MGL_NOT_FOUND)
                numbers[b][i] = m->entries[numbers[b][i]].number;
}

static void places_of_entries(const void *context, size_t first, size_t n, mgl_place *out)
{
    const mgl_place *places = context;
    memcpy(out, places + first, n * sizeof *out);
}

static mgl_status gather_entries(making *m, mgl_error *err)
{
    struct ArrowArray array;
    mgl_gather_order gather = {.cells = m->order->entries,
                               .type = m->order->type,
                               .places = places_of_entries,
                               .context = m->places,
                               .n = m->n_used};
    MGL_TRY(mgl_gather(&gather, err, &array, &m->out->bytes));
    return mgl_lent_new(&array, err, &m->out->entries);
}

/* ---- All of it ----------------------------------------------------------------------------- */

static mgl_status make(making *m, mgl_error *err)
{
    size_t n = m->order->n_batches;
    m->out->numbers = mgl_zeroed_array(n, sizeof *m->out->numbers);
    if (m->out->numbers == NULL)
        return mgl_fail_memory(err);
    m->out->n_batches = n;
    if (!one_for_all(m->order)) {
        m->texts = mgl_map_new();
        if (m->texts == NULL)
            return mgl_fail_memory(err);
    }
    for (size_t b = 0; b < n; b++)
        MGL_TRY(add_entries(m, b, err));
    mark_used(m);
    m->out->n_entries = m->n_used;
    MGL_TRY(number_entries(m, err));
    renumber(m);
    return gather_entries(m, err);
}

mgl_status mgl_one_dictionary_make(const mgl_dictionary_order *order, mgl_error *err,
                                   mgl_one_dictionary *out)
{
    making m = {.order = order, .out = out};
    *out = (mgl_one_dictionary){0};
    mgl_status status = make(&m, err);
    mgl_map_free(m.texts);
    mgl_free(m.entries);
    mgl_free(m.places);
    return status;
}

void mgl_one_dictionary_free(mgl_one_dictionary *d)
{
    for (size_t b = 0; d->numbers != NULL && b < d->n_batches; b++)
        if (b == 0 || d->numbers[b] != d->numbers[b - 1])
            mgl_free(d->numbers[b]);
    mgl_free(d->numbers);
    mgl_lent_let_go(d->entries);
    *d = (mgl_one_dictionary){0};
}
