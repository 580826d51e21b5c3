/* Keeps the records of classes: made from the tuples once, then rolled up. search_by_value.c calls
 * it for each branch. */
#include "search/fulldomain/by_value/records.h"

/* ---- Rolling up --------------------------------------------------------------------- */

typedef struct roll {
    const uint64_t *source;
    size_t n;
    const uint64_t *masks;
    uint32_t *slots;
    size_t slot_mask;
    unsigned shift;
    uint64_t *out;
} roll;

static inline uint64_t hash(const uint64_t *key, size_t words)
{
    uint64_t sum = key[0];
    for (size_t w = 1; w < words; w++)
        sum = (sum ^ sum >> 29) * UINT64_C(0xBF58476D1CE4E5B9) + key[w];
    return sum * UINT64_C(0x9E3779B97F4A7C15);
}

static inline bool same_key(const uint64_t *a, const uint64_t *b, size_t words)
{
    uint64_t differ = 0;
    for (size_t w = 0; w < words; w++)
        differ |= a[w] ^ b[w];
    return differ == 0;
}

/* A class that is new is added to an empty record, like one that is not to its own, without a
 * branch that nobody can foresee; slots are so many that the loop seldom turns. Slots hold
 * where a record begins; what begins at 0 nobody reads. */
MGL_SPECIALIZE size_t roll_records(const roll *r, size_t words, size_t n_add, size_t n_or)
{
    size_t stride = words + n_add + n_or, next = stride;
    const uint64_t *from = r->source + stride, *end = from + r->n * stride;
    uint64_t *out = r->out;
    memset(out + next, 0, stride * sizeof *out);
    for (; from < end; from += stride) {
        uint64_t key[MGL_BRANCH_MOST_WORDS];
        key[0] = from[0] & r->masks[0];
        for (size_t w = 1; w < words; w++)
            key[w] = from[w] & r->masks[w];
        uint32_t *slot = r->slots + (hash(key, words) >> r->shift), found = *slot;
        while ((found != 0) & !same_key(out + found, key, words)) {
            slot = r->slots + ((size_t)(slot - r->slots + 1) & r->slot_mask);
            found = *slot;
        }
        size_t is_new = -(size_t)(found == 0), at = found | (next & is_new);
        next += stride & is_new;
        *slot = (uint32_t)at;
        uint64_t *to = out + at;
        for (size_t w = 0; w < words; w++)
            to[w] = key[w];
        for (size_t w = words; w < words + n_add; w++)
            to[w] += from[w];
        for (size_t w = words + n_add; w < stride; w++)
            to[w] |= from[w];
        memset(out + next, 0, stride * sizeof *out);
    }
    return next / stride - 1;
}

static size_t roll_any(const roll *r, const mgl_by_value *search)
{
    size_t n = search->n_add, bits = search->n_or;
    if (search->words == 1 && n == 1 && bits == 0)
        return roll_records(r, 1, 1, 0);
    if (search->words == 1 && n == 1 && bits == 1)
        return roll_records(r, 1, 1, 1);
    if (search->words == 1 && n == 2 && bits == 0)
        return roll_records(r, 1, 2, 0);
    if (search->words == 1 && n == 4 && bits == 0)
        return roll_records(r, 1, 4, 0);
    if (search->words == 1 && n == 4 && bits == 1)
        return roll_records(r, 1, 4, 1);
    if (search->words == 1)
        return roll_records(r, 1, n, bits);
    return roll_records(r, search->words, n, bits);
}

/* Classes that a node can have, at most. */
static size_t most_classes(const mgl_by_value *search, size_t n, const uint8_t *levels)
{
    size_t product = 1;
    for (size_t c = 0; c < search->frame.n_columns && product < n; c++)
        product *= search->frame.columns[c]->levels[levels[c]].n_values;
    return product < n ? product : n;
}

static bool make_room(mgl_by_value_worker *worker, mgl_by_value_table *out, size_t n,
                      unsigned *shift)
{
    *shift = 64 - 4;
    while (UINT64_C(1) << (64 - *shift) < n * 4)
        --*shift;
    size_t slots = (size_t)1 << (64 - *shift);
    if (slots > worker->slot_capacity) {
        mgl_free(worker->slots);
        worker->slots = mgl_alloc_array(slots, sizeof *worker->slots);
        worker->slot_capacity = worker->slots != NULL ? slots : 0;
    }
    if (n + 2 > out->capacity) { /* record 0, and one that is cleared in advance */
        mgl_free(out->records);
        out->capacity = n + n / 4 + 2;
        out->records =
            mgl_alloc_array(out->capacity, worker->search->stride * sizeof *out->records);
        if (out->records == NULL)
            out->capacity = 0;
    }
    return worker->slots != NULL && out->records != NULL;
}

/* The table of a coarser node, whose levels are these; over what out was before. */
static mgl_status roll_up(mgl_by_value_worker *worker, const mgl_by_value_table *source,
                          const uint8_t *levels, mgl_error *err, mgl_by_value_table *out)
{
    const mgl_by_value *search = worker->search;
    unsigned shift;
    size_t most = most_classes(search, source->n, levels);
    if (!make_room(worker, out, most, &shift))
        return mgl_fail_memory(err);
    size_t slots = (size_t)1 << (64 - shift);
    memset(worker->slots, 0, slots * sizeof *worker->slots);
    memset(worker->masks, 0, search->words * sizeof *worker->masks);
    for (size_t c = 0; c < search->frame.n_columns; c++) {
        const mgl_branch_column *column = search->frame.columns[c];
        if (column->n_bits > 0)
            worker->masks[column->word] |= column->levels[levels[c]].mask << column->shift;
    }
    roll r = {source->records, source->n, worker->masks, worker->slots,
              slots - 1,       shift,     out->records};
    out->n = roll_any(&r, search);
    return MGL_OK;
}

/* ---- The tuples --------------------------------------------------------------------- */

static void fill_keys(const mgl_by_value *search, uint64_t *records)
{
    const mgl_frequency_list *list = search->frame.problem->list;
    for (size_t c = 0; c < search->frame.n_columns; c++) {
        const mgl_branch_column *column = search->frame.columns[c];
        if (column->n_bits == 0)
            continue;
        size_t a = column->attribute, list_words = list->packing.n_words;
        const uint64_t *from = list->keys + list->packing.fields[a].word;
        unsigned down = list->packing.fields[a].shift;
        uint64_t mask = (UINT64_C(1) << list->packing.fields[a].bits) - 1;
        uint64_t *to = records + column->word;
        for (size_t t = 0; t < list->n_tuples; t++)
            to[t * search->stride] |= column->code_of_leaf[from[t * list_words] >> down & mask]
                                      << column->shift;
    }
}

static void fill_lanes(const mgl_by_value *search, uint64_t *records)
{
    const mgl_frequency_list *list = search->frame.problem->list;
    unsigned bits = search->wide_lanes ? 32 : 16;
    size_t per_word = 64 / bits;
    for (size_t t = 0; t < list->n_tuples; t++)
        records[t * search->stride + search->words] += list->counts[t];
    for (size_t s = 0; s < list->n_sensitive; s++) {
        const mgl_sparse *sparse = &list->sensitive[s];
        const uint32_t *lanes = search->lane_of_code[s];
        for (size_t t = 0; lanes != NULL && t < list->n_tuples; t++) {
            uint64_t *words = records + t * search->stride + search->words;
            for (size_t i = sparse->start[t]; i < sparse->start[t + 1]; i++) {
                uint32_t lane = lanes[sparse->values[i]];
                words[lane / per_word] += sparse->counts[i] << lane % per_word * bits;
            }
        }
    }
}

static void fill_bits(const mgl_by_value *search, uint64_t *records)
{
    const mgl_frequency_list *list = search->frame.problem->list;
    for (size_t s = 0; s < search->n_sets; s++) {
        const mgl_variety *variety = search->sets[s].variety;
        const mgl_sparse *sparse = &list->sensitive[variety->attribute];
        uint64_t *words = records + search->words + search->n_add + search->sets[s].first_word;
        for (size_t t = 0; t < list->n_tuples; t++, words += search->stride)
            for (size_t i = sparse->start[t]; i < sparse->start[t + 1]; i++) {
                uint32_t bit = variety->bit_of_code[sparse->values[i]];
                words[bit / 64] |= UINT64_C(1) << bit % 64;
            }
    }
}

mgl_status mgl_by_value_first_make(mgl_by_value *search, mgl_error *err)
{
    const mgl_frequency_list *list = search->frame.problem->list;
    size_t n = search->frame.n_columns;
    search->first = mgl_zeroed_array(n + 1, sizeof *search->first);
    mgl_by_value_table ground = {.n = list->n_tuples, .capacity = list->n_tuples + 2};
    ground.records = mgl_zeroed_array(ground.capacity, search->stride * sizeof *ground.records);
    if (search->first == NULL || ground.records == NULL) {
        mgl_free(ground.records);
        return mgl_fail_memory(err);
    }
    fill_keys(search, ground.records + search->stride);
    fill_lanes(search, ground.records + search->stride);
    fill_bits(search, ground.records + search->stride);
    uint8_t levels[MGL_MOST_COLUMNS];
    memset(levels, 0, n);
    bool coarse = false;
    for (size_t c = 0; c < n; c++)
        coarse = coarse || search->frame.columns[c]->low > 0;
    mgl_status status = MGL_OK;
    if (coarse) {
        status = roll_up(&search->workers[0], &ground, levels, err, &search->first[n]);
        mgl_free(ground.records);
    } else {
        search->first[n] = ground;
    }
    for (size_t c = n; status == MGL_OK && c-- > 0;) {
        levels[c] = search->frame.highest[c];
        status =
            roll_up(&search->workers[0], &search->first[c + 1], levels, err, &search->first[c]);
    }
    return status;
}

/* ---- The cache ---------------------------------------------------------------------- */

static mgl_by_value_cached_table *place(const mgl_by_value_worker *worker, size_t c, size_t level,
                                        size_t depth)
{
    const mgl_branching *frame = &worker->search->frame;
    return worker->cache + (frame->columns[c]->first_place + level) * (frame->n_columns + 1) +
           depth;
}

void mgl_by_value_step_to(mgl_by_value_worker *worker, size_t c, uint8_t level)
{
    const mgl_branching *frame = &worker->search->frame;
    if (worker->path[c] == level)
        return;
    worker->path[c] = level;
    for (size_t d = c + 1; d < frame->n_columns; d++)
        for (size_t l = 0; l < frame->columns[d]->n_levels; l++)
            for (size_t depth = d + 1; depth <= frame->n_columns; depth++)
                place(worker, d, l, depth)->made = false;
}

mgl_status mgl_by_value_get(mgl_by_value_worker *worker, size_t c, uint8_t level, size_t depth,
                            mgl_error *err, const mgl_by_value_table **out)
{
    const mgl_branching *frame = &worker->search->frame;
    bool same = level == 0 || (depth == c + 1 && level == frame->highest[c]);
    size_t as = level == 0 ? depth : c; /* of a table that is the same one */
    if (same && c == 0) {
        *out = &worker->search->first[as];
        return MGL_OK;
    }
    if (same)
        return mgl_by_value_get(worker, c - 1, worker->path[c - 1], as, err, out);
    mgl_by_value_cached_table *cached = place(worker, c, level, depth);
    if (!cached->made) {
        const mgl_by_value_table *source = NULL;
        for (uint8_t l = level; --l > 0 && source == NULL;)
            if (place(worker, c, l, depth)->made)
                source = &place(worker, c, l, depth)->table;
        if (source == NULL)
            MGL_TRY(mgl_by_value_get(worker, c, 0, depth, err, &source));
        uint8_t levels[MGL_MOST_COLUMNS];
        for (size_t d = 0; d < frame->n_columns; d++)
            levels[d] = d < c ? worker->path[d] : d < depth ? 0 : frame->highest[d];
        levels[c] = level;
        MGL_TRY(roll_up(worker, source, levels, err, &cached->table));
        cached->made = true;
    }
    *out = &cached->table;
    return MGL_OK;
}

/* ---- Workers ------------------------------------------------------------------------ */

static mgl_status make_worker(mgl_by_value_worker *w, mgl_by_value *search, mgl_error *err)
{
    const mgl_problem *p = search->frame.problem;
    size_t n = search->frame.n_columns;
    w->search = search;
    w->bad_capacity = p->list->n_tuples + 1;
    w->path = mgl_zeroed_array(n + 1, 1);
    w->lowest = mgl_zeroed_array((n + 1) * (n + 1), 1);
    w->cache = mgl_zeroed_array(search->frame.n_places * (n + 1), sizeof *w->cache);
    w->masks = mgl_alloc_array(search->words, sizeof *w->masks);
    w->node = mgl_alloc_array(p->list->n_attributes, sizeof *w->node);
    w->bad = mgl_alloc_array(w->bad_capacity, sizeof *w->bad);
    w->is_bad = mgl_alloc_array(w->bad_capacity, 1);
    w->top = mgl_zeroed_array(2 * search->stride, sizeof *w->top);
    w->values = mgl_alloc_array(search->n_lanes, sizeof *w->values);
    w->counts = mgl_alloc_array(search->n_lanes, sizeof *w->counts);
    w->histograms = mgl_zeroed_array(p->list->n_sensitive + 1, sizeof *w->histograms);
    if (w->path == NULL || w->lowest == NULL || w->cache == NULL || w->masks == NULL ||
        w->node == NULL || w->bad == NULL || w->is_bad == NULL || w->top == NULL ||
        w->values == NULL || w->counts == NULL || w->histograms == NULL)
        return mgl_fail_memory(err);
    return mgl_statistics_init(&w->statistics, p->columns, p->list->n_attributes, err);
}

mgl_status mgl_by_value_workers_make(mgl_by_value *search, mgl_error *err)
{
    search->n_workers = mgl_pool_threads(search->frame.problem->pool);
    search->workers = mgl_zeroed_array(search->n_workers, sizeof *search->workers);
    if (search->workers == NULL)
        return mgl_fail_memory(err);
    for (unsigned i = 0; i < search->n_workers; i++) {
        search->workers[i].result = &search->frame.parallel.results[i];
        MGL_TRY(make_worker(&search->workers[i], search, err));
    }
    return MGL_OK;
}

void mgl_by_value_worker_free(mgl_by_value_worker *w)
{
    if (w->search == NULL)
        return;
    size_t n = w->search->frame.n_places * (w->search->frame.n_columns + 1);
    for (size_t i = 0; w->cache != NULL && i < n; i++)
        mgl_free(w->cache[i].table.records);
    mgl_free(w->cache);
    mgl_free(w->path);
    mgl_free(w->lowest);
    mgl_free(w->slots);
    mgl_free(w->masks);
    mgl_free(w->node);
    mgl_free(w->bad);
    mgl_free(w->is_bad);
    mgl_free(w->top);
    mgl_free(w->values);
    mgl_free(w->counts);
    mgl_free(w->histograms);
    mgl_statistics_free(&w->statistics);
    mgl_evaluator_free(w->evaluator);
}
