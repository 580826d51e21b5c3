/* Makes the first records: those of the tuples, divided by their pasts where classes are, and those
 * of the population. record_tables.c rolls them up. */
#include "search/fulldomain/by_value/records.h"

/* ---- Keys --------------------------------------------------------------------------- */

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

/* ---- What models look at ------------------------------------------------------------ */

static inline void add_to_lane(const mgl_by_value *search, uint64_t *record, size_t lane,
                               uint64_t count)
{
    unsigned bits = search->wide_lanes ? 32 : 16;
    size_t per_word = 64 / bits;
    record[search->words + lane / per_word] += count << lane % per_word * bits;
}

static void fill_labels(const mgl_by_value *search, uint64_t *records)
{
    const mgl_problem *p = search->frame.problem;
    for (size_t t = 0; search->n_labels > 0 && t < p->list->n_tuples; t++)
        for (size_t i = p->label->start[t]; i < p->label->start[t + 1]; i++)
            add_to_lane(search, records + t * search->stride,
                        search->first_label + p->label->values[i], p->label->counts[i]);
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
    fill_labels(search, records);
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

/* ---- Pasts -------------------------------------------------------------------------- */

/* A tuple of several pasts is as many records. Their values are counted by pairs of a past and a
 * value, which stand in the order of the pasts. */
static void divide_values(const mgl_by_value *search, uint32_t s, size_t t, uint64_t *records)
{
    const mgl_frequency_list *list = search->frame.problem->list;
    const mgl_joint *joint = search->joint;
    const mgl_sparse *pasts = &list->sensitive[joint->pasts];
    const mgl_sparse *pairs = &list->sensitive[joint->by_value + s];
    const uint32_t *lanes = search->lane_of_code[s];
    size_t at = pasts->start[t];
    for (size_t i = pairs->start[t]; i < pairs->start[t + 1]; i++) {
        while (pairs->values[i] >= joint->first[s][pasts->values[at] + 1])
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

static void divide_by_past(const mgl_by_value *search, const uint64_t *tuples, uint64_t *records)
{
    const mgl_frequency_list *list = search->frame.problem->list;
    const mgl_sparse *pasts = &list->sensitive[search->joint->pasts];
    for (size_t t = 0; t < list->n_tuples; t++) {
        for (size_t i = pasts->start[t]; i < pasts->start[t + 1]; i++) {
            uint64_t *record = records + i * search->stride;
            memcpy(record, tuples + t * search->stride, search->words * sizeof *record);
            record[0] |= pasts->values[i];
            record[search->words] += pasts->counts[i];
        }
        for (uint32_t s = 0; s < list->n_sensitive; s++)
            divide_values(search, s, t, records);
    }
}

/* ---- All ---------------------------------------------------------------------------- */

size_t mgl_by_value_ground_classes(const mgl_by_value *search)
{
    const mgl_frequency_list *list = search->frame.problem->list;
    if (search->history == MGL_BY_VALUE_ALL_PASTS)
        return list->sensitive[search->joint->pasts].start[list->n_tuples];
    return list->n_tuples;
}

size_t mgl_by_value_ground_records(const mgl_by_value *search)
{
    const mgl_problem *p = search->frame.problem;
    return mgl_by_value_ground_classes(search) + (search->population ? p->population->n_tuples : 0);
}

static mgl_status fill_divided(const mgl_by_value *search, uint64_t *records, mgl_error *err)
{
    const mgl_frequency_list *list = search->frame.problem->list;
    uint64_t *tuples = mgl_zeroed_array(list->n_tuples, search->stride * sizeof *tuples);
    if (tuples == NULL)
        return mgl_fail_memory(err);
    fill_keys(search, list, tuples);
    divide_by_past(search, tuples, records);
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
    if (search->history == MGL_BY_VALUE_EACH_PAST)
        for (size_t t = 0; t < p->list->n_tuples; t++)
            records[t * search->stride] |= p->pasts[t];
}

static void fill_population(const mgl_by_value *search, uint64_t *records)
{
    const mgl_frequency_list *population = search->frame.problem->population;
    fill_keys(search, population, records);
    for (size_t t = 0; t < population->n_tuples; t++)
        add_to_lane(search, records + t * search->stride, 1, population->counts[t]);
}

mgl_status mgl_by_value_ground_make(const mgl_by_value *search, mgl_error *err,
                                    mgl_by_value_table *out)
{
    mgl_by_value_table table = {.n = mgl_by_value_ground_classes(search),
                                .n_all = mgl_by_value_ground_records(search)};
    table.capacity = table.n_all + 2;
    table.records = mgl_zeroed_array(table.capacity, search->stride * sizeof *table.records);
    if (table.records == NULL)
        return mgl_fail_memory(err);
    uint64_t *first = table.records + search->stride;
    if (search->population)
        fill_population(search, first + table.n * search->stride);
    mgl_status status = MGL_OK;
    if (search->history == MGL_BY_VALUE_ALL_PASTS)
        MGL_GO(fill_divided(search, first, err));
    else
        fill_tuples(search, first);
    if (search->persons)
        MGL_GO(mgl_by_value_ground_persons(search, err, &table));
    *out = table;
    table = (mgl_by_value_table){0};
done:
    mgl_by_value_table_free(&table);
    return status;
}
