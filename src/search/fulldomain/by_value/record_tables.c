/* Keeps the records of classes: made from the tuples once, then rolled up. */
#include "search/fulldomain/by_value/records.h"

/* Persons with several rows (--entity), beside the records of classes.
 *
 * A record counts the persons of its class, and beside it are the ids of those that have rows in
 * other tuples, too. Rolling up adds the counts; a person met twice is taken off again. A class
 * that has all the persons that models ask for keeps no ids: it has enough of them with whatever
 * else, even if some are counted twice from there on. So a class keeps fewer ids than that, and a
 * table never more than the one it is made of.
 *
 * If suppressed rows that are kept need another class to join them, and for models that look at
 * counts of values, of persons or of a population, the plain evaluation judges the nodes that k and
 * the numbers of different values leave. */

static inline bool has_enough(const mgl_by_value *search, uint64_t persons)
{
    return persons >= search->frame.demand.size;
}

static inline size_t ids_of(const mgl_by_value_ids *ids, size_t class)
{
    return ids->start[class + 1] - ids->start[class];
}

/* Room for classes and ids; what was there is gone. */
static mgl_status reserve_ids(mgl_by_value_ids *ids, size_t n_classes, size_t n_ids, mgl_error *err)
{
    if (n_classes + 1 > ids->class_capacity) {
        mgl_free(ids->start);
        ids->class_capacity = 0;
        MGL_TRY(mgl_new_array(n_classes + 1, sizeof *ids->start, err, &ids->start));
        ids->class_capacity = n_classes + 1;
    }
    if (n_ids > ids->capacity) {
        mgl_free(ids->all);
        ids->capacity = 0;
        MGL_TRY(mgl_new_array(n_ids, sizeof *ids->all, err, &ids->all));
        ids->capacity = n_ids;
    }
    return MGL_OK;
}

void mgl_by_value_table_free(mgl_by_value_table *table)
{
    mgl_free(table->records);
    mgl_free(table->ids.start);
    mgl_free(table->ids.all);
}

/* A class has at most so many times as many rows as persons. */
mgl_status mgl_by_value_rows_of_person(mgl_by_value *search, mgl_error *err)
{
    const mgl_frequency_list *list = search->frame.problem->list;
    const mgl_spread *spread = &list->persons->spread;
    uint32_t *n_tuples = mgl_zeroed_array(spread->n_ids, sizeof *n_tuples); /* of each id */
    uint64_t in_tuple = 1, tuples = 1;
    MGL_TRY(mgl_check_memory(n_tuples != NULL, err));
    for (size_t t = 0; t < list->n_tuples; t++) {
        uint64_t persons = list->persons->local[t] + spread->start[t + 1] - spread->start[t];
        uint64_t rows = (list->counts[t] + persons - 1) / persons;
        in_tuple = rows > in_tuple ? rows : in_tuple;
    }
    for (size_t i = 0; i < spread->start[list->n_tuples]; i++)
        if (++n_tuples[spread->ids[i]] > tuples)
            tuples = n_tuples[spread->ids[i]];
    search->rows_of_person = in_tuple * tuples;
    mgl_free(n_tuples);
    return MGL_OK;
}

/* Counts the persons of the tuples. */
static mgl_status by_value_ground_persons(const mgl_by_value *search, mgl_error *err,
                                          mgl_by_value_table *ground)
{
    const mgl_frequency_list *list = search->frame.problem->list;
    const mgl_spread *spread = &list->persons->spread;
    mgl_by_value_ids *ids = &ground->ids;
    uint32_t n = 0;
    MGL_TRY(reserve_ids(ids, list->n_tuples, spread->start[list->n_tuples], err));
    for (size_t t = 0; t < list->n_tuples; t++) {
        size_t some = spread->start[t + 1] - spread->start[t];
        uint64_t persons = list->persons->local[t] + some;
        mgl_by_value_set_second(search, ground->records + (t + 1) * search->stride, persons);
        ids->start[t] = n;
        if (some == 0 || has_enough(search, persons))
            continue;
        memcpy(ids->all + n, spread->ids + spread->start[t], some * sizeof *ids->all);
        n += (uint32_t)some;
    }
    ids->start[list->n_tuples] = n;
    return MGL_OK;
}

static void begin_meeting(mgl_by_value_worker *worker)
{
    if (++worker->meeting != 0)
        return;
    memset(worker->met, 0,
           worker->search->frame.problem->list->persons->spread.n_ids * sizeof *worker->met);
    worker->meeting = 1;
}

/* Is it the first time since the meeting began? */
static inline bool meet(mgl_by_value_worker *worker, uint32_t id)
{
    bool is_new = worker->met[id] != worker->meeting;
    worker->met[id] = worker->meeting;
    return is_new;
}

/* Lists the classes of the source that have ids by the class that they go into, each behind the one
 * before it; counts the ids. */
static size_t link_sources(mgl_by_value_worker *worker, const mgl_by_value_table *source,
                           size_t n_classes)
{
    size_t most = 0;
    memset(worker->last_source, 0, n_classes * sizeof *worker->last_source);
    memset(worker->n_gathered, 0, n_classes * sizeof *worker->n_gathered);
    for (size_t i = 0; i < source->n; i++) {
        size_t n = ids_of(&source->ids, i);
        if (n == 0)
            continue;
        uint32_t class = worker->goes_to[i];
        worker->source_before[i] = worker->last_source[class];
        worker->last_source[class] = (uint32_t)i + 1;
        worker->n_gathered[class] += (uint32_t)n;
        most += n;
    }
    return most;
}

/* The different ids of the class, behind the first `at`; none if it has enough persons. Those
 * met again are taken off *persons. */
static size_t gather(mgl_by_value_worker *worker, const mgl_by_value_ids *from, size_t class,
                     uint32_t *at, uint64_t *persons)
{
    const mgl_by_value *search = worker->search;
    uint64_t others = *persons - worker->n_gathered[class];
    size_t n = 0;
    if (worker->n_gathered[class] == 0 || has_enough(search, others))
        return 0;
    begin_meeting(worker);
    for (uint32_t next = worker->last_source[class]; next != 0;
         next = worker->source_before[next - 1])
        for (uint32_t i = from->start[next - 1]; i < from->start[next]; i++) {
            if (!meet(worker, from->all[i]))
                continue;
            at[n++] = from->all[i];
            if (has_enough(search, others + n))
                return 0;
        }
    *persons = others + n;
    return n;
}

/* After a roll-up that filled goes_to: counts persons in several of its records once. */
static mgl_status by_value_merge_persons(mgl_by_value_worker *worker,
                                         const mgl_by_value_table *source, mgl_error *err,
                                         mgl_by_value_table *out)
{
    const mgl_by_value *search = worker->search;
    size_t n = 0, most = link_sources(worker, source, out->n);
    if (search->frame.demand.size < most / out->n) /* a class meets no more of them */
        most = out->n * search->frame.demand.size;
    MGL_TRY(reserve_ids(&out->ids, out->n, most, err));
    for (size_t class = 0; class < out->n; class ++) {
        uint64_t *record = out->records + (class + 1) * search->stride;
        uint64_t persons = mgl_by_value_second(search, record);
        out->ids.start[class] = (uint32_t)n;
        n += gather(worker, &source->ids, class, out->ids.all + n, &persons);
        mgl_by_value_set_second(search, record, persons);
    }
    out->ids.start[out->n] = (uint32_t)n;
    return MGL_OK;
}

uint64_t mgl_by_value_bad_persons(mgl_by_value_worker *worker, const mgl_by_value_table *table)
{
    uint64_t persons = 0;
    begin_meeting(worker);
    for (size_t i = 0; i < worker->n_bad && !has_enough(worker->search, persons); i++) {
        uint32_t class = worker->bad[i];
        const mgl_by_value_ids *ids = &table->ids;
        persons +=
            mgl_by_value_second(worker->search, mgl_by_value_record(worker->search, table, class)) -
            ids_of(ids, class);
        for (uint32_t j = ids->start[class]; j < ids->start[class + 1]; j++)
            persons += meet(worker, ids->all[j]);
    }
    return persons;
}

static mgl_status by_value_worker_persons(mgl_by_value_worker *worker, mgl_error *err)
{
    const mgl_frequency_list *list = worker->search->frame.problem->list;
    size_t n = list->n_tuples;
    worker->met = mgl_own_zeroed(&worker->own, list->persons->spread.n_ids, sizeof *worker->met);
    worker->goes_to = mgl_own_array(&worker->own, n, sizeof *worker->goes_to);
    worker->source_before = mgl_own_array(&worker->own, n, sizeof *worker->source_before);
    worker->last_source = mgl_own_array(&worker->own, n, sizeof *worker->last_source);
    worker->n_gathered = mgl_own_array(&worker->own, n, sizeof *worker->n_gathered);
    return mgl_owned_check(&worker->own, err);
}

/* Makes the first records: those of the tuples, divided by their histories where classes are, and
 * those of the population. record_tables.c rolls them up. */

/* Of the tuples of the table, or of the population. */
static void fill_keys(const mgl_by_value *search, const mgl_frequency_list *list, uint64_t *records)
{
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

static inline void add_to_lane(const mgl_by_value *search, uint64_t *record, size_t lane,
                               uint64_t count)
{
    unsigned bits = search->wide_lanes ? 32 : 16;
    size_t per_word = 64 / bits;
    record[search->words + lane / per_word] += count << lane % per_word * bits;
}

static void fill_lanes(const mgl_by_value *search, uint64_t *records)
{
    const mgl_frequency_list *list = search->frame.problem->list;
    for (size_t t = 0; t < list->n_tuples; t++)
        records[t * search->stride + search->words] += list->counts[t];
    for (size_t t = 0; search->weighs && t < list->n_tuples; t++) {
        uint64_t weight = mgl_list_weight(list, t), step = search->weight_step;
        add_to_lane(search, records + t * search->stride, 1, (weight + step - 1) / step);
    }
    const mgl_problem *p = search->frame.problem;
    for (size_t t = 0; search->n_labels > 0 && t < p->list->n_tuples; t++)
        for (size_t i = p->label->start[t]; i < p->label->start[t + 1]; i++)
            add_to_lane(search, records + t * search->stride,
                        search->first_label + p->label->values[i], p->label->counts[i]);
    for (size_t s = 0; s < list->n_sensitive; s++) {
        const mgl_sparse *sparse = &list->sensitive[s];
        const uint32_t *lanes = search->lane_of_code[s];
        for (size_t t = 0; lanes != NULL && t < list->n_tuples; t++)
            for (size_t i = sparse->start[t]; i < sparse->start[t + 1]; i++)
                add_to_lane(search, records + t * search->stride, lanes[sparse->values[i]],
                            sparse->counts[i]);
    }
}

static inline void set_bit(uint64_t *words, const mgl_variety *variety, uint32_t value)
{
    uint32_t bit = variety->bit_of_code[value];
    if (bit != MGL_NOT_FOUND)
        words[bit / 64] |= UINT64_C(1) << bit % 64;
}

static void fill_bits(const mgl_by_value *search, uint64_t *records)
{
    const mgl_frequency_list *list = search->frame.problem->list;
    for (size_t s = 0; s < search->n_sets; s++) {
        const mgl_variety *variety = search->sets[s].variety;
        const mgl_sparse *sparse = &list->sensitive[variety->attribute];
        uint64_t *words = records + search->words + search->n_add + search->sets[s].first_word;
        for (size_t t = 0; t < list->n_tuples; t++, words += search->stride)
            for (size_t i = sparse->start[t]; i < sparse->start[t + 1]; i++)
                set_bit(words, variety, sparse->values[i]);
    }
}

static void fill_households(const mgl_by_value *search, uint64_t *records)
{
    const mgl_frequency_list *list = search->frame.problem->list;
    const mgl_sparse *sizes = &list->sensitive[list->household_sizes - 1];
    uint64_t *bits = records + search->stride - 1;
    for (size_t t = 0; t < list->n_tuples; t++, bits += search->stride)
        for (size_t i = sizes->start[t]; i < sizes->start[t + 1]; i++)
            *bits |= sizes->values[i] > 0 ? UINT64_C(1) << (sizes->values[i] - 1) : 0;
}

/* A tuple of several histories is as many records. Their values are counted by pairs of a history
 * and a value, which stand in the order of the histories. */
static void divide_values(const mgl_by_value *search, uint32_t s, size_t t, uint64_t *records)
{
    const mgl_frequency_list *list = search->frame.problem->list;
    const mgl_joint *joint = search->joint;
    const mgl_sparse *histories = &list->sensitive[joint->histories];
    const mgl_sparse *pairs = &list->sensitive[joint->by_value + s];
    const uint32_t *lanes = search->lane_of_code[s];
    size_t at = histories->start[t];
    for (size_t i = pairs->start[t]; i < pairs->start[t + 1]; i++) {
        while (pairs->values[i] >= joint->first[s][histories->values[at] + 1])
            at++;
        uint32_t value = joint->meaning[s][pairs->values[i]];
        uint64_t *record = records + at * search->stride;
        if (lanes != NULL)
            add_to_lane(search, record, lanes[value], pairs->counts[i]);
        for (size_t v = 0; v < search->n_sets; v++)
            if (search->sets[v].variety->attribute == s)
                set_bit(record + search->words + search->n_add + search->sets[v].first_word,
                        search->sets[v].variety, value);
    }
}

static void divide_by_history(const mgl_by_value *search, const uint64_t *tuples, uint64_t *records)
{
    const mgl_frequency_list *list = search->frame.problem->list;
    const mgl_sparse *histories = &list->sensitive[search->joint->histories];
    for (size_t t = 0; t < list->n_tuples; t++) {
        for (size_t i = histories->start[t]; i < histories->start[t + 1]; i++) {
            uint64_t *record = records + i * search->stride;
            memcpy(record, tuples + t * search->stride, search->words * sizeof *record);
            record[0] |= histories->values[i];
            record[search->words] += histories->counts[i];
        }
        for (uint32_t s = 0; s < list->n_sensitive; s++)
            divide_values(search, s, t, records);
    }
}

static size_t ground_classes(const mgl_by_value *search)
{
    const mgl_frequency_list *list = search->frame.problem->list;
    if (search->history == MGL_BY_VALUE_ALL_HISTORIES)
        return list->sensitive[search->joint->histories].start[list->n_tuples];
    return list->n_tuples;
}

size_t mgl_by_value_ground_records(const mgl_by_value *search)
{
    const mgl_problem *p = search->frame.problem;
    return ground_classes(search) + (search->population ? p->population->n_tuples : 0);
}

static mgl_status fill_divided(const mgl_by_value *search, uint64_t *records, mgl_error *err)
{
    const mgl_frequency_list *list = search->frame.problem->list;
    uint64_t *tuples;
    MGL_TRY(mgl_new_zeroed(list->n_tuples, search->stride * sizeof *tuples, err, &tuples));
    fill_keys(search, list, tuples);
    divide_by_history(search, tuples, records);
    mgl_free(tuples);
    return MGL_OK;
}

static void fill_tuples(const mgl_by_value *search, uint64_t *records)
{
    const mgl_problem *p = search->frame.problem;
    fill_keys(search, p->list, records);
    fill_lanes(search, records);
    fill_bits(search, records);
    if (search->households)
        fill_households(search, records);
    if (search->history == MGL_BY_VALUE_EACH_HISTORY)
        for (size_t t = 0; t < p->list->n_tuples; t++)
            records[t * search->stride] |= p->histories[t];
}

static void fill_population(const mgl_by_value *search, uint64_t *records)
{
    const mgl_frequency_list *population = search->frame.problem->population;
    fill_keys(search, population, records);
    for (size_t t = 0; t < population->n_tuples; t++)
        add_to_lane(search, records + t * search->stride, 1, population->counts[t]);
}

/* Tuples that are in the table and in the population are two records, of which a roll-up makes
 * one. */
static mgl_status ground_make(const mgl_by_value *search, mgl_error *err, mgl_by_value_table *out)
{
    mgl_by_value_table table = {.n = ground_classes(search),
                                .n_all = mgl_by_value_ground_records(search)};
    table.capacity = table.n_all + 2;
    MGL_TRY(mgl_new_zeroed(table.capacity, search->stride * sizeof *table.records, err,
                           &table.records));
    uint64_t *first = table.records + search->stride;
    if (search->population)
        fill_population(search, first + table.n * search->stride);
    mgl_status status = MGL_OK;
    if (search->history == MGL_BY_VALUE_ALL_HISTORIES)
        MGL_GO(fill_divided(search, first, err));
    else
        fill_tuples(search, first);
    if (search->persons)
        MGL_GO(by_value_ground_persons(search, err, &table));
    *out = table;
    table = (mgl_by_value_table){0};
done:
    mgl_by_value_table_free(&table);
    return status;
}

typedef struct roll {
    const uint64_t *from, *end;
    const uint64_t *masks;
    uint32_t *slots;
    size_t slot_mask;
    unsigned shift;
    uint64_t *out;
    size_t next;  /* where the next new record begins */
    uint32_t *to; /* gets the number of the record that each goes into; optional */
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
 * branch that cannot be predicted; slots are so many that the loop seldom turns. Slots hold where a
 * record begins; what begins at 0 is never read. */
MGL_SPECIALIZE void roll_records(roll *r, size_t words, size_t n_add, size_t n_or, bool numbers)
{
    size_t stride = words + n_add + n_or, next = r->next;
    uint64_t *out = r->out;
    memset(out + next, 0, stride * sizeof *out);
    for (const uint64_t *from = r->from, *end = r->end; from < end; from += stride) {
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
        if (numbers)
            *r->to++ = (uint32_t)(at / stride - 1);
        for (size_t w = 0; w < words; w++)
            to[w] = key[w];
        for (size_t w = words; w < words + n_add; w++)
            to[w] += from[w];
        for (size_t w = words + n_add; w < stride; w++)
            to[w] |= from[w];
        memset(out + next, 0, stride * sizeof *out);
    }
    r->next = next;
}

static void roll_any(roll *r, const mgl_by_value *search)
{
    size_t n = search->n_add, bits = search->n_or;
    if (r->to != NULL && search->words == 1 && n == 1 && bits == 0)
        roll_records(r, 1, 1, 0, true);
    else if (r->to != NULL)
        roll_records(r, search->words, n, bits, true);
    else if (search->words == 1 && n == 1 && bits == 0)
        roll_records(r, 1, 1, 0, false);
    else if (search->words == 1 && n == 1 && bits == 1)
        roll_records(r, 1, 1, 1, false);
    else if (search->words == 1 && n == 2 && bits == 0)
        roll_records(r, 1, 2, 0, false);
    else if (search->words == 1 && n == 4 && bits == 0)
        roll_records(r, 1, 4, 0, false);
    else if (search->words == 1 && n == 4 && bits == 1)
        roll_records(r, 1, 4, 1, false);
    else if (search->words == 1)
        roll_records(r, 1, n, bits, false);
    else
        roll_records(r, search->words, n, bits, false);
}

static bool reserve_records(mgl_by_value_worker *worker, mgl_by_value_table *out, size_t n,
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

/* What the levels keep of a key; the history they leave alone. */
static void make_masks(mgl_by_value_worker *worker, const uint8_t *levels)
{
    const mgl_by_value *search = worker->search;
    memset(worker->masks, 0, search->words * sizeof *worker->masks);
    worker->masks[0] = (UINT64_C(1) << search->history_bits) - 1;
    for (size_t c = 0; c < search->frame.n_columns; c++) {
        const mgl_branch_column *column = search->frame.columns[c];
        if (column->n_bits > 0)
            worker->masks[column->word] |= column->levels[levels[c]].mask << column->shift;
    }
}

/* The records of the source by what the masks keep of their keys; over what out was before. There
 * are `most` of them at most. Classes come first in the source, and so they do in what is made of
 * it. */
static mgl_status roll_masked(mgl_by_value_worker *worker, const mgl_by_value_table *source,
                              size_t most, uint32_t *to, mgl_error *err, mgl_by_value_table *out)
{
    const mgl_by_value *search = worker->search;
    size_t stride = search->stride;
    unsigned shift;
    MGL_TRY(mgl_check_memory(reserve_records(worker, out, most, &shift), err));
    size_t slots = (size_t)1 << (64 - shift);
    memset(worker->slots, 0, slots * sizeof *worker->slots);
    const uint64_t *first = source->records + stride, *behind = first + source->n * stride;
    roll r = {.from = first,
              .end = behind,
              .masks = worker->masks,
              .slots = worker->slots,
              .slot_mask = slots - 1,
              .shift = shift,
              .out = out->records,
              .next = stride,
              .to = to};
    roll_any(&r, search);
    out->n = r.next / stride - 1;
    if (source->n_all > source->n) {
        r.from = behind;
        r.end = first + source->n_all * stride;
        roll_any(&r, search);
    }
    out->n_all = r.next / stride - 1;
    worker->words += source->n_all * stride;
    return MGL_OK;
}

/* The table of a coarser node, whose levels are these. */
static mgl_status roll_up(mgl_by_value_worker *worker, const mgl_by_value_table *source,
                          const uint8_t *levels, mgl_error *err, mgl_by_value_table *out)
{
    /* Classes that a node can have, at most. */
    size_t product = worker->search->n_histories > 0 ? worker->search->n_histories : 1;
    for (size_t c = 0; c < worker->search->frame.n_columns && product < source->n_all; c++)
        product *= worker->search->frame.columns[c]->levels[levels[c]].n_values;
    size_t most = product < source->n_all ? product : source->n_all;
    make_masks(worker, levels);
    MGL_TRY(roll_masked(worker, source, most, worker->goes_to, err, out));
    return worker->search->persons ? by_value_merge_persons(worker, source, err, out) : MGL_OK;
}

mgl_status mgl_by_value_merge_histories(mgl_by_value_worker *worker,
                                        const mgl_by_value_table *table, mgl_error *err)
{
    memset(worker->masks, 0xff, worker->search->words * sizeof *worker->masks);
    worker->masks[0] -= (UINT64_C(1) << worker->search->history_bits) - 1;
    return roll_masked(worker, table, table->n, worker->class_of, err, &worker->merged);
}

mgl_status mgl_by_value_first_make(mgl_by_value *search, mgl_error *err)
{
    size_t n = search->frame.n_columns;
    mgl_by_value_table ground = {0};
    MGL_TRY(mgl_new_zeroed(n + 1, sizeof *search->first, err, &search->first));
    MGL_TRY(ground_make(search, err, &ground));
    uint8_t levels[MGL_MOST_COLUMNS];
    memset(levels, 0, n);
    bool coarse = search->population; /* most tuples of it are in the table, too */
    for (size_t c = 0; c < n; c++)
        coarse = coarse || search->frame.columns[c]->low > 0;
    mgl_status status = MGL_OK;
    if (coarse) {
        status = roll_up(&search->workers[0], &ground, levels, err, &search->first[n]);
        mgl_by_value_table_free(&ground);
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

static size_t bytes_of(const mgl_by_value *search, const mgl_by_value_table *table)
{
    return table->capacity * search->stride * sizeof *table->records +
           (table->ids.class_capacity + table->ids.capacity) * sizeof *table->ids.all;
}

/* Some tables are kept in any case, however large they are. */
static bool has_room(const mgl_by_value_worker *worker)
{
    enum { ANYWAY = 4 };
    const mgl_by_value *search = worker->search;
    size_t least = ANYWAY * bytes_of(search, &search->first[search->frame.n_columns]);
    size_t share = search->room / search->n_workers;
    return worker->kept <= (share > least || search->room == 0 ? share : least);
}

/* All but this one, from which another one is made. */
static void forget_tables(mgl_by_value_worker *worker, const mgl_by_value_table *source)
{
    const mgl_branching *frame = &worker->search->frame;
    for (size_t i = 0; i < frame->n_places * (frame->n_columns + 1); i++) {
        mgl_by_value_cached_table *cached = &worker->cache[i];
        if (&cached->table == source)
            continue;
        worker->kept -= bytes_of(worker->search, &cached->table);
        mgl_by_value_table_free(&cached->table);
        *cached = (mgl_by_value_cached_table){0};
    }
}

/* Makes a table that is not there from one that is. */
static mgl_status make_cached(mgl_by_value_worker *worker, const mgl_by_value_table *source,
                              const uint8_t *levels, mgl_error *err,
                              mgl_by_value_cached_table *cached)
{
    if (!has_room(worker))
        forget_tables(worker, source);
    size_t before = bytes_of(worker->search, &cached->table);
    mgl_status status = roll_up(worker, source, levels, err, &cached->table);
    worker->kept += bytes_of(worker->search, &cached->table) - before;
    cached->made = status == MGL_OK;
    return status;
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
        MGL_TRY(make_cached(worker, source, levels, err, cached));
    }
    *out = &cached->table;
    return MGL_OK;
}

static mgl_status make_worker(mgl_by_value_worker *w, mgl_by_value *search, mgl_error *err)
{
    const mgl_problem *p = search->frame.problem;
    size_t n = search->frame.n_columns;
    w->search = search;
    w->bad_capacity = ground_classes(search) + 1;
    w->path = mgl_own_zeroed(&w->own, n + 1, 1);
    w->lowest = mgl_own_zeroed(&w->own, (n + 1) * (n + 1), 1);
    w->cache = mgl_own_zeroed(&w->own, search->frame.n_places * (n + 1), sizeof *w->cache);
    w->masks = mgl_own_array(&w->own, search->words, sizeof *w->masks);
    w->node = mgl_own_array(&w->own, p->list->n_attributes, sizeof *w->node);
    w->bad = mgl_own_array(&w->own, w->bad_capacity, sizeof *w->bad);
    w->is_bad = mgl_own_array(&w->own, w->bad_capacity, 1);
    w->sizes = mgl_own_array(&w->own, w->bad_capacity, sizeof *w->sizes);
    w->weights = mgl_own_array(&w->own, w->bad_capacity, sizeof *w->weights);
    w->top = mgl_own_zeroed(&w->own, 2 * search->stride, sizeof *w->top);
    size_t n_divided = search->n_histories > 0 ? w->bad_capacity : 1;
    w->class_of = mgl_own_array(&w->own, n_divided, sizeof *w->class_of);
    w->by_history = mgl_own_array(&w->own, n_divided, sizeof *w->by_history);
    w->history_start = mgl_own_array(&w->own, search->n_histories + 2, sizeof *w->history_start);
    w->values = mgl_own_array(&w->own, search->n_lanes, sizeof *w->values);
    w->counts = mgl_own_array(&w->own, search->n_lanes, sizeof *w->counts);
    w->histograms = mgl_own_zeroed(&w->own, p->list->n_sensitive + 1, sizeof *w->histograms);
    MGL_TRY(mgl_owned_check(&w->own, err));
    if (search->persons)
        MGL_TRY(by_value_worker_persons(w, err));
    return mgl_statistics_init(&w->statistics, p->columns, p->list->n_attributes, err);
}

mgl_status mgl_by_value_workers_make(mgl_by_value *search, mgl_error *err)
{
    search->n_workers = mgl_pool_threads(search->frame.problem->pool);
    MGL_TRY(mgl_new_zeroed(search->n_workers, sizeof *search->workers, err, &search->workers));
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
        mgl_by_value_table_free(&w->cache[i].table);
    mgl_free(w->merged.records);
    mgl_free(w->slots);
    mgl_owned_free(&w->own);
    mgl_statistics_free(&w->statistics);
    mgl_evaluator_free(w->evaluator);
}
