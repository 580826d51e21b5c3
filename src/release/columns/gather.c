/* Gathers cells of any type into a new array, in any order: numbers, bits, texts, numbers of
 * entries. Each cell is read where it is and written once; nulls leave nothing behind. Also makes
 * one dictionary of those of all batches. */
#include "release/columns/gather.h"

enum {
    AT_ONCE = 512,   /* cells whose places are known at a time */
    VIEW = 16,       /* bytes of a view */
    VIEW_SHORT = 12, /* texts up to so many bytes are in the view itself */
    VIEW_PREFIX = 4  /* bytes of a longer one that are there, too */
};

/* Cells on their way into an array. */
typedef struct gathering {
    const mgl_gather_request *order;
    struct ArrowArray *out;
    uint8_t *valid;
    size_t n_nulls;
    uint64_t bytes;
    mgl_cell_position places[AT_ONCE];
} gathering;

static inline bool is_null(const gathering *g, mgl_cell_position place)
{
    return place.row == MGL_NOT_FOUND ||
           mgl_arrow_is_null(&g->order->cells[place.batch], place.row);
}

/* The places of the cells from `done` on; returns how many. */
static size_t next_places(gathering *g, size_t done)
{
    size_t left = g->order->n - done, n = left < AT_ONCE ? left : AT_ONCE;
    g->order->places(g->order->context, g->order->first + done, n, g->places);
    return n;
}

static void mark_null(gathering *g, size_t i)
{
    g->valid[i / 8] = (uint8_t)(g->valid[i / 8] & ~(1u << i % 8));
    g->n_nulls++;
}

/* All cells are valid until one is found that is not. */
static mgl_status begin(gathering *g, size_t n_buffers, mgl_error *err)
{
    size_t n = g->order->n, bytes = (n + 7) / 8;
    MGL_TRY(mgl_made_array(g->out, n, n_buffers, err));
    g->valid = mgl_made_buffer(g->out, 0, bytes);
    MGL_TRY(mgl_check_memory(g->valid != NULL, err));
    memset(g->valid, 0xFF, bytes);
    if (n % 8 != 0)
        g->valid[bytes - 1] = (uint8_t)((1u << n % 8) - 1);
    return MGL_OK;
}

static void end(gathering *g)
{
    g->out->null_count = (int64_t)g->n_nulls;
    if (g->n_nulls == 0)
        mgl_made_no_buffer(g->out, 0);
    else
        g->bytes += (g->order->n + 7) / 8;
}

/* Each look at memory is far from the one before: those at cells of this width are asked for before
 * the first is needed. */
static void fetch_cells(const gathering *g, size_t n, size_t width)
{
    for (size_t i = 0; i < n; i++) {
        const mgl_arrow_cells *from = &g->order->cells[g->places[i].batch];
        if (g->places[i].row != MGL_NOT_FOUND)
            __builtin_prefetch((const char *)from->values +
                               (from->first + g->places[i].row) * width);
    }
}

/* width is a constant where this is inlined. */
MGL_SPECIALIZE void copy_cells(gathering *g, size_t at, size_t n, char *out, size_t width)
{
    const mgl_arrow_cells *cells = g->order->cells;
    for (size_t i = 0; i < n; i++) {
        mgl_cell_position place = g->places[i];
        if (is_null(g, place)) {
            memset(out + i * width, 0, width);
            mark_null(g, at + i);
            continue;
        }
        const mgl_arrow_cells *from = &cells[place.batch];
        memcpy(out + i * width, (const char *)from->values + (from->first + place.row) * width,
               width);
    }
}

static void copy_some_cells(gathering *g, size_t at, size_t n, size_t width, char *out)
{
    if (width <= 8)
        MGL_BY_WIDTH(width, copy_cells, g, at, n, out);
    else if (width == 16)
        copy_cells(g, at, n, out, 16);
    else
        copy_cells(g, at, n, out, width);
}

static mgl_status gather_bits(gathering *g, mgl_error *err)
{
    size_t bytes = (g->order->n + 7) / 8;
    MGL_TRY(begin(g, 2, err));
    uint8_t *bits = mgl_made_zeros(g->out, 1, bytes);
    MGL_TRY(mgl_check_memory(bits != NULL, err));
    for (size_t done = 0, n; done < g->order->n; done += n) {
        n = next_places(g, done);
        for (size_t i = 0; i < n; i++) {
            const mgl_arrow_cells *from = &g->order->cells[g->places[i].batch];
            size_t at = done + i;
            if (is_null(g, g->places[i]))
                mark_null(g, at);
            else if (mgl_bit_at(from->values, from->first + g->places[i].row))
                bits[at / 8] |= (uint8_t)(1u << at % 8);
        }
    }
    g->bytes += bytes;
    return MGL_OK;
}

/* Both widths are constants where this is inlined, but for columns whose numbers get wider. On
 * little-endian machines the low bytes come first. */
MGL_SPECIALIZE void copy_numbers(gathering *g, size_t at, size_t n, size_t read, size_t width,
                                 char *out)
{
    const mgl_gather_request *order = g->order;
    for (size_t i = 0; i < n; i++) {
        mgl_cell_position place = g->places[i];
        const mgl_arrow_cells *from = &order->cells[place.batch];
        uint64_t entry = 0;
        uint32_t number = MGL_NOT_FOUND;
        if (!is_null(g, place)) {
            memcpy(&entry, (const char *)from->values + (from->first + place.row) * read, read);
            number = order->numbers[place.batch][entry];
        }
        if (number == MGL_NOT_FOUND) {
            number = 0;
            mark_null(g, at + i);
        }
        memset(out + i * width, 0, width);
        memcpy(out + i * width, &number, width < sizeof number ? width : sizeof number);
    }
}

static void copy_some_numbers(gathering *g, size_t at, size_t n, size_t width, char *out)
{
    size_t read = g->order->cells[0].type->width;
    if (read != width)
        copy_numbers(g, at, n, read, width, out);
    else if (width == 1)
        copy_numbers(g, at, n, 1, 1, out);
    else if (width == 2)
        copy_numbers(g, at, n, 2, 2, out);
    else if (width == 4)
        copy_numbers(g, at, n, 4, 4, out);
    else
        copy_numbers(g, at, n, width, width, out);
}

static mgl_status gather_fixed(gathering *g, mgl_error *err)
{
    size_t width = g->order->type->width;
    MGL_TRY(begin(g, 2, err));
    char *values = mgl_made_buffer(g->out, 1, g->order->n * width);
    MGL_TRY(mgl_check_memory(values != NULL, err));
    for (size_t done = 0, n; done < g->order->n; done += n) {
        n = next_places(g, done);
        fetch_cells(g, n, g->order->cells[0].type->width);
        if (g->order->numbers != NULL)
            copy_some_numbers(g, done, n, width, values + done * width);
        else
            copy_some_cells(g, done, n, width, values + done * width);
    }
    g->bytes += g->order->n * width;
    return MGL_OK;
}

static mgl_span text_of(const gathering *g, mgl_cell_position place)
{
    return mgl_arrow_text_at(&g->order->cells[place.batch], place.row);
}

/* Where each text ends, and the nulls. Returns the bytes of all texts. */
static uint64_t find_ends(gathering *g, size_t width, char *offsets)
{
    uint64_t end = 0;
    memcpy(offsets, &end, width);
    for (size_t done = 0, n; done < g->order->n; done += n) {
        n = next_places(g, done);
        for (size_t i = 0; i < n; i++) {
            if (is_null(g, g->places[i]))
                mark_null(g, done + i);
            else
                end += text_of(g, g->places[i]).size;
            memcpy(offsets + (done + i + 1) * width, &end, width);
        }
    }
    return end;
}

static void copy_texts(gathering *g, char *at)
{
    for (size_t done = 0, n; done < g->order->n; done += n) {
        n = next_places(g, done);
        for (size_t i = 0; i < n; i++) {
            if (is_null(g, g->places[i]))
                continue;
            mgl_span text = text_of(g, g->places[i]);
            if (text.size > 0)
                memcpy(at, text.data, text.size);
            at += text.size;
        }
    }
}

/* Batches are cut so that 4 bytes are enough for their offsets. */
static mgl_status gather_texts(gathering *g, mgl_error *err)
{
    size_t width = g->order->type->width;
    MGL_TRY(begin(g, 3, err));
    char *offsets = mgl_made_buffer(g->out, 1, (g->order->n + 1) * width);
    MGL_TRY(mgl_check_memory(offsets != NULL, err));
    uint64_t size = find_ends(g, width, offsets);
    char *bytes = mgl_made_buffer(g->out, 2, (size_t)size);
    MGL_TRY(mgl_check_memory(bytes != NULL, err));
    copy_texts(g, bytes);
    g->bytes += (g->order->n + 1) * width + size;
    return MGL_OK;
}

static uint64_t long_texts(gathering *g)
{
    uint64_t size = 0;
    for (size_t done = 0, n; done < g->order->n; done += n) {
        n = next_places(g, done);
        for (size_t i = 0; i < n; i++)
            if (!is_null(g, g->places[i])) {
                size_t one = text_of(g, g->places[i]).size;
                size += one > VIEW_SHORT ? one : 0;
            }
    }
    return size;
}

/* A long text goes to *end of the bytes, all of which are in one buffer. */
static void write_view(mgl_span text, char *bytes, uint32_t *end, char *view)
{
    uint32_t size = (uint32_t)text.size, buffer = 0;
    memset(view, 0, VIEW);
    memcpy(view, &size, sizeof size);
    if (text.size <= VIEW_SHORT) {
        if (text.size > 0)
            memcpy(view + sizeof size, text.data, text.size);
        return;
    }
    memcpy(view + sizeof size, text.data, VIEW_PREFIX);
    memcpy(view + sizeof size + VIEW_PREFIX, &buffer, sizeof buffer);
    memcpy(view + sizeof size + VIEW_PREFIX + sizeof buffer, end, sizeof *end);
    memcpy(bytes + *end, text.data, text.size);
    *end += size;
}

static void write_views(gathering *g, char *views, char *bytes)
{
    uint32_t end = 0;
    for (size_t done = 0, n; done < g->order->n; done += n) {
        n = next_places(g, done);
        for (size_t i = 0; i < n; i++) {
            char *view = views + (done + i) * VIEW;
            if (is_null(g, g->places[i])) {
                memset(view, 0, VIEW);
                mark_null(g, done + i);
            } else {
                write_view(text_of(g, g->places[i]), bytes, &end, view);
            }
        }
    }
}

/* The last buffer has the sizes of the buffers of texts before it. */
static mgl_status gather_views(gathering *g, mgl_error *err)
{
    enum { VIEWS = 1, BYTES = 2 };
    uint64_t size = long_texts(g);
    size_t sizes = size > 0 ? BYTES + 1 : BYTES;
    MGL_TRY(begin(g, sizes + 1, err));
    char *views = mgl_made_buffer(g->out, VIEWS, g->order->n * VIEW);
    char *bytes = size > 0 ? mgl_made_buffer(g->out, BYTES, (size_t)size) : NULL;
    int64_t *text_of_entry = mgl_made_buffer(g->out, sizes, sizeof *text_of_entry);
    if (views == NULL || (size > 0 && bytes == NULL) || text_of_entry == NULL)
        return mgl_fail_memory(err);
    *text_of_entry = (int64_t)size;
    write_views(g, views, bytes);
    g->bytes += g->order->n * VIEW + size;
    return MGL_OK;
}

/* All cells are null, and there is nothing but their number. */
static mgl_status gather_nulls(gathering *g, mgl_error *err)
{
    MGL_TRY(mgl_made_array(g->out, g->order->n, 0, err));
    g->out->null_count = (int64_t)g->order->n;
    return MGL_OK;
}

static mgl_status gather_cells(gathering *g, mgl_error *err)
{
    if (g->order->numbers != NULL)
        return gather_fixed(g, err);
    switch (g->order->type->kind) {
    case MGL_ARROW_BOOL:
        return gather_bits(g, err);
    case MGL_ARROW_TEXT:
    case MGL_ARROW_LARGE_TEXT:
        return gather_texts(g, err);
    case MGL_ARROW_VIEW:
        return gather_views(g, err);
    default:
        return gather_fixed(g, err);
    }
}

mgl_status mgl_gather(const mgl_gather_request *order, mgl_error *err, struct ArrowArray *out,
                      uint64_t *bytes)
{
    gathering g = {.order = order, .out = out};
    *out = (struct ArrowArray){0};
    if (order->type->kind == MGL_ARROW_NULL && order->numbers == NULL) {
        *bytes = 0;
        return gather_nulls(&g, err);
    }
    mgl_status status = gather_cells(&g, err);
    if (status != MGL_OK) {
        mgl_array_release(out);
        return status;
    }
    end(&g);
    *bytes = g.bytes;
    return MGL_OK;
}

enum { ROWS_AT_ONCE = 1024 };

/* An entry as it first comes up. */
typedef struct entry {
    mgl_cell_position place;
    uint32_t number; /* in the dictionary made; MGL_NOT_FOUND: no row has it */
    bool used;
} entry;

typedef struct making {
    const mgl_dictionary_request *order;
    mgl_one_dictionary *out;
    mgl_map *texts; /* of the entries; NULL: all batches have the same ones */
    entry *entries;
    size_t n, capacity;
    mgl_cell_position *places; /* [used entries] in their order */
    size_t n_used;
} making;

static bool one_for_all(const mgl_dictionary_request *order)
{
    for (size_t b = 1; b < order->n_batches; b++)
        if (!mgl_same_cells(&order->entries[0], &order->entries[b]))
            return false;
    return true;
}

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
    MGL_TRY(mgl_grow_array(&m->entries, &m->capacity, m->n + 1, sizeof *m->entries, err));
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
    MGL_TRY(mgl_new_array(cells->n, sizeof **numbers, err, &numbers[batch]));
    for (size_t row = 0; row < cells->n; row++)
        MGL_TRY(add_entry(m, batch, row, err, &numbers[batch][row]));
    return MGL_OK;
}

static void mark_used(making *m)
{
    mgl_cell_position places[ROWS_AT_ONCE];
    const mgl_dictionary_request *order = m->order;
    for (size_t done = 0, n; done < order->n_rows && m->n_used < m->n; done += n) {
        n = order->n_rows - done < ROWS_AT_ONCE ? order->n_rows - done : ROWS_AT_ONCE;
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

typedef struct text_of_entry {
    mgl_span text;
    uint32_t number;
} text_of_entry;

/* Texts of numbers and times are copied, since they are made on the fly. */
static mgl_status write_texts(const making *m, mgl_arena *arena, mgl_error *err, text_of_entry *out)
{
    size_t at = 0;
    for (uint32_t e = 0; e < m->n; e++) {
        char room[MGL_ARROW_ROOM];
        if (!m->entries[e].used)
            continue;
        mgl_cell_position place = m->entries[e].place;
        mgl_span text = mgl_arrow_show(&m->order->entries[place.batch], place.row, room);
        if (text.data == room)
            text.data = mgl_arena_copy(arena, text.data, text.size);
        MGL_TRY(mgl_check_memory(text.data != NULL, err));
        out[at++] = (text_of_entry){text, e};
    }
    return MGL_OK;
}

static const mgl_sort_key entries_by_text[] = {MGL_ASCENDING(text_of_entry, text),
                                               MGL_ASCENDING(text_of_entry, number), MGL_SORT_END};

static mgl_status sort_entries(making *m, mgl_error *err)
{
    mgl_arena *arena = mgl_arena_new();
    text_of_entry *all = mgl_alloc_array(m->n_used, sizeof *all);
    mgl_status status = MGL_OK;
    if (arena == NULL || all == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(write_texts(m, arena, err, all));
    mgl_sort(all, m->n_used, sizeof *all, entries_by_text);
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
    MGL_TRY(mgl_new_array(m->n_used, sizeof *m->places, err, &m->places));
    for (size_t e = 0; e < m->n; e++)
        if (m->entries[e].used)
            m->places[m->entries[e].number] = m->entries[e].place;
    return MGL_OK;
}

static void places_of_entries(const void *context, size_t first, size_t n, mgl_cell_position *out)
{
    const mgl_cell_position *places = context;
    memcpy(out, places + first, n * sizeof *out);
}

static mgl_status gather_entries(making *m, mgl_error *err)
{
    struct ArrowArray array;
    mgl_gather_request gather = {.cells = m->order->entries,
                                 .type = m->order->type,
                                 .places = places_of_entries,
                                 .context = m->places,
                                 .n = m->n_used};
    MGL_TRY(mgl_gather(&gather, err, &array, &m->out->bytes));
    return mgl_lent_new(&array, err, &m->out->entries);
}

static mgl_status make(making *m, mgl_error *err)
{
    size_t n = m->order->n_batches;
    MGL_TRY(mgl_new_zeroed(n, sizeof *m->out->numbers, err, &m->out->numbers));
    m->out->n_batches = n;
    if (!one_for_all(m->order)) {
        m->texts = mgl_map_new();
        MGL_TRY(mgl_check_memory(m->texts != NULL, err));
    }
    for (size_t b = 0; b < n; b++)
        MGL_TRY(add_entries(m, b, err));
    mark_used(m);
    m->out->n_entries = m->n_used;
    MGL_TRY(number_entries(m, err));
    /* From numbers of different entries to those of the dictionary made. */
    uint32_t **numbers = m->out->numbers;
    for (size_t b = 0; b < m->order->n_batches; b++)
        for (size_t i = 0; (b == 0 || numbers[b] != numbers[b - 1]) && i < m->order->entries[b].n;
             i++)
            if (numbers[b][i] != MGL_NOT_FOUND)
                numbers[b][i] = m->entries[numbers[b][i]].number;
    return gather_entries(m, err);
}

mgl_status mgl_one_dictionary_make(const mgl_dictionary_request *order, mgl_error *err,
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
    mgl_lent_release(d->entries);
    *d = (mgl_one_dictionary){0};
}
