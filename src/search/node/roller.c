/* Rolls lists of tuples up, level by level: keys and counts, histograms, and persons with rows in
 * several tuples. Judges nodes from such lists, and keeps them for the nodes that follow. An
 * evaluator sees a list that was rolled up as if it were the problem's own. */
#include "search/node/node.h"
#include "search/node/roll.h"
#include "search/node/roll_keys.h"

/* A hash table of keys of one or more words. Rolling up, the greedy and matching rows count with
 * it. */

mgl_status mgl_key_table_init(mgl_key_table *table, size_t n_classes, size_t words, mgl_error *err)
{
    size_t n = n_classes + 1;
    *table = (mgl_key_table){.capacity = 64};
    while (table->capacity < n_classes * 4)
        table->capacity *= 2;
    table->slots = mgl_own_array(&table->own, table->capacity, sizeof *table->slots);
    table->keys = mgl_own_array(&table->own, n, words * sizeof *table->keys);
    table->rows = mgl_own_zeroed(&table->own, n, sizeof *table->rows);
    table->first = mgl_own_array(&table->own, n, sizeof *table->first);
    table->cost = mgl_own_zeroed(&table->own, n, sizeof *table->cost);
    table->mark = mgl_own_zeroed(&table->own, n, sizeof *table->mark);
    table->worth = mgl_own_array(&table->own, n, sizeof *table->worth);
    if (!table->own.missing)
        return MGL_OK;
    mgl_key_table_free(table);
    return mgl_fail_memory(err);
}

void mgl_key_table_free(mgl_key_table *table)
{
    mgl_owned_free(&table->own);
    *table = (mgl_key_table){0};
}

/* Numbers what a level of a column keeps apart, so that a list can be rolled up level by level. */

/* Codes of one level, made leaf by leaf. Those of one value are a chain, which is longer than one
 * only if equal labels go apart further up. */
typedef struct numbering {
    const uint32_t *value_of_leaf;
    const uint32_t *above_of_leaf; /* codes one level up; NULL: there is none */
    uint32_t *first;               /* [value] a code of it */
    uint32_t *next;                /* [code] another of the same value */
} numbering;

static uint32_t find_code(const numbering *n, mgl_roll_level *level, uint32_t leaf)
{
    uint32_t value = n->value_of_leaf[leaf], code = n->first[value];
    while (code != MGL_NOT_FOUND && n->above_of_leaf != NULL &&
           level->above[code] != n->above_of_leaf[leaf])
        code = n->next[code];
    if (code != MGL_NOT_FOUND)
        return code;
    code = level->n_codes++;
    level->values[code] = value;
    if (n->above_of_leaf != NULL)
        level->above[code] = n->above_of_leaf[leaf];
    n->next[code] = n->first[value];
    return n->first[value] = code;
}

/* codes[leaf] has those of the level above and gets those of this one. */
static void number_level(numbering *n, const mgl_released_column *column, uint32_t at, bool last,
                         uint32_t *codes, mgl_roll_level *level)
{
    n->value_of_leaf = column->of_leaf[at];
    n->above_of_leaf = last ? NULL : codes;
    memset(n->first, 0xff, column->n_values * sizeof *n->first);
    for (uint32_t leaf = 0; leaf < column->hierarchy->n_leaves; leaf++)
        codes[leaf] = find_code(n, level, leaf);
}

static mgl_status number_column(const mgl_problem *p, size_t a, mgl_owned *own, mgl_error *err,
                                mgl_roll_column *out)
{
    const mgl_released_column *column = p->columns[a];
    uint32_t n_leaves = column->hierarchy->n_leaves;
    mgl_owned scratch = {0};
    numbering n = {.first = mgl_own_array(&scratch, column->n_values, sizeof *n.first),
                   .next = mgl_own_array(&scratch, n_leaves, sizeof *n.next)};
    mgl_status status = MGL_OK;
    out->n_levels = (size_t)p->max_level[a] - p->min_level[a] + 1;
    out->levels = mgl_own_zeroed(own, out->n_levels, sizeof *out->levels);
    out->of_leaf = mgl_own_array(own, n_leaves, sizeof *out->of_leaf);
    for (size_t l = 0; out->levels != NULL && l < out->n_levels; l++) {
        out->levels[l].values = mgl_own_array(own, n_leaves, sizeof *out->levels[l].values);
        if (l + 1 < out->n_levels)
            out->levels[l].above = mgl_own_array(own, n_leaves, sizeof *out->levels[l].above);
    }
    MGL_GO(mgl_check_memory(!own->missing && !scratch.missing, err));
    for (size_t l = out->n_levels; l-- > 0;)
        number_level(&n, column, p->min_level[a] + (uint32_t)l, l + 1 == out->n_levels,
                     out->of_leaf, &out->levels[l]);
done:
    mgl_owned_free(&scratch);
    return status;
}

static uint32_t number_apart(const mgl_problem *p)
{
    uint32_t n = 1;
    const uint32_t *apart = mgl_roll_apart(p);
    for (size_t t = 0; apart != NULL && t < p->list->n_tuples; t++)
        n = apart[t] >= n ? apart[t] + 1 : n;
    return n;
}

/* A column lies in one word whole. */
static void lay_out(mgl_roll_codes *codes, uint32_t n_apart)
{
    unsigned used = 0;
    codes->words = 1;
    for (size_t c = 0; c <= codes->n_columns; c++) {
        mgl_roll_column *column = &codes->columns[c];
        uint32_t n = c < codes->n_columns ? column->levels[0].n_codes : n_apart;
        unsigned bits = mgl_bits_for(n > 2 ? n : 2);
        if (used + bits > 64) {
            codes->words++;
            used = 0;
        }
        column->word = (uint32_t)codes->words - 1;
        column->shift = used;
        column->mask = (UINT64_C(1) << bits) - 1;
        used += bits;
    }
}

static mgl_status roll_codes_make(const mgl_problem *problem, mgl_owned *own, mgl_error *err,
                                  mgl_roll_codes *out)
{
    *out = (mgl_roll_codes){.n_columns = problem->list->n_attributes};
    out->columns = mgl_own_zeroed(own, out->n_columns + 1, sizeof *out->columns);
    MGL_TRY(mgl_owned_check(own, err));
    for (size_t a = 0; a < out->n_columns; a++)
        MGL_TRY(number_column(problem, a, own, err, &out->columns[a]));
    lay_out(out, number_apart(problem));
    return MGL_OK;
}

static const mgl_sparse *part_of(const mgl_roll_maker *maker, size_t i)
{
    const mgl_frequency_list *list = maker->problem->list;
    return i < list->n_histograms ? &list->sensitive[i] : maker->problem->label;
}

static const mgl_spread *spread_of(const mgl_roll_maker *maker, size_t i)
{
    const mgl_persons *persons = maker->problem->list->persons;
    return i == 0 ? &persons->spread : &persons->by_value[i - 1];
}

static void count_parts(mgl_roll_maker *maker)
{
    const mgl_problem *p = maker->problem;
    maker->n_parts = p->list->n_histograms;
    for (maker->label = 0; maker->label < maker->n_parts; maker->label++)
        if (&p->list->sensitive[maker->label] == p->label)
            return;
    maker->n_parts += p->label != NULL;
}

static bool make_room_to_sum(mgl_roll_maker *maker)
{
    size_t n = maker->problem->list->n_tuples, most = 0, most_ids = 0;
    for (size_t i = 0; i < maker->n_parts; i++)
        most = part_of(maker, i)->n_values > most ? part_of(maker, i)->n_values : most;
    for (size_t i = 0; i < maker->n_spread; i++) {
        size_t ids = spread_of(maker, i)->start[n];
        most_ids = ids > most_ids ? ids : most_ids;
    }
    maker->start = mgl_own_array(&maker->own, n + 2, sizeof *maker->start);
    maker->members = mgl_own_array(&maker->own, n, sizeof *maker->members);
    maker->dense = mgl_own_zeroed(&maker->own, most, sizeof *maker->dense);
    maker->seen = mgl_own_zeroed(&maker->own, most, sizeof *maker->seen);
    maker->ids = mgl_own_array(&maker->own, most_ids, sizeof *maker->ids);
    return !maker->own.missing;
}

mgl_status mgl_roll_maker_make(const mgl_problem *p, mgl_error *err, mgl_roll_maker *out)
{
    size_t n = p->list->n_tuples, n_codes = 0;
    *out = (mgl_roll_maker){.problem = p};
    count_parts(out);
    out->n_spread = p->list->persons != NULL ? 1 + p->list->n_judged : 0;
    MGL_TRY(roll_codes_make(p, &out->own, err, &out->codes));
    for (size_t c = 0; c < out->codes.n_columns; c++) {
        out->codes.columns[c].map_at = n_codes;
        n_codes += out->codes.columns[c].levels[0].n_codes;
    }
    out->n_slots = 64;
    while (out->n_slots < n * 2)
        out->n_slots *= 2;
    out->slots = mgl_own_array(&out->own, out->n_slots, sizeof *out->slots);
    out->of_tuple = mgl_own_array(&out->own, n, sizeof *out->of_tuple);
    out->map = mgl_own_array(&out->own, n_codes, sizeof *out->map);
    out->raised = mgl_own_array(&out->own, out->codes.n_columns, sizeof *out->raised);
    MGL_TRY(mgl_owned_check(&out->own, err));
    return out->n_parts + out->n_spread == 0 || make_room_to_sum(out) ? MGL_OK
                                                                      : mgl_fail_memory(err);
}

void mgl_roll_maker_free(mgl_roll_maker *maker)
{
    mgl_owned_free(&maker->own);
    mgl_owned_free(&maker->own);
    *maker = (mgl_roll_maker){0};
}

mgl_status mgl_rolled_init(mgl_rolled *rolled, const mgl_roll_maker *maker, mgl_error *err)
{
    *rolled = (mgl_rolled){0};
    mgl_owned *own = &rolled->own;
    rolled->levels = mgl_own_zeroed(own, maker->codes.n_columns, sizeof *rolled->levels);
    rolled->parts = mgl_own_zeroed(own, maker->n_parts + 1, sizeof *rolled->parts);
    rolled->spread = mgl_own_zeroed(own, maker->n_spread + 1, sizeof *rolled->spread);
    rolled->room = mgl_own_zeroed(own, maker->n_parts + maker->n_spread + 1, sizeof *rolled->room);
    return mgl_owned_check(own, err);
}

void mgl_rolled_free(mgl_rolled *rolled, const mgl_roll_maker *maker)
{
    for (size_t i = 0; rolled->parts != NULL && i < maker->n_parts; i++) {
        mgl_free(rolled->parts[i].values);
        mgl_free(rolled->parts[i].counts);
    }
    for (size_t i = 0; rolled->spread != NULL && i < maker->n_spread; i++) {
        mgl_free(rolled->spread[i].ids);
        mgl_free(rolled->spread[i].values);
    }
    mgl_owned_free(&rolled->of_tuples);
    mgl_owned_free(&rolled->own);
    *rolled = (mgl_rolled){0};
}

mgl_status mgl_rolled_make_room(mgl_rolled *rolled, const mgl_roll_maker *maker, size_t n,
                                mgl_error *err)
{
    mgl_owned *own = &rolled->of_tuples;
    if (n <= rolled->capacity)
        return MGL_OK;
    rolled->n = rolled->capacity = 0;
    mgl_owned_free(own);
    rolled->keys = mgl_own_array(own, n, maker->codes.words * sizeof *rolled->keys);
    rolled->counts = mgl_own_array(own, n, sizeof *rolled->counts);
    for (size_t i = 0; i < maker->n_parts; i++) {
        rolled->parts[i].start = mgl_own_array(own, n + 1, sizeof *rolled->parts[i].start);
        rolled->parts[i].n_values = part_of(maker, i)->n_values;
    }
    for (size_t i = 0; i < maker->n_spread; i++)
        rolled->spread[i].start = mgl_own_array(own, n + 1, sizeof *rolled->spread[i].start);
    if (maker->n_spread > 0)
        rolled->local = mgl_own_array(own, n, sizeof *rolled->local);
    rolled->capacity = own->missing ? 0 : n;
    return mgl_owned_check(own, err);
}

static void sort_members(mgl_roll_maker *maker, size_t n_from, size_t n_to)
{
    memset(maker->start, 0, (n_to + 2) * sizeof *maker->start);
    for (size_t t = 0; t < n_from; t++)
        maker->start[maker->of_tuple[t] + 2]++;
    for (size_t c = 0; c < n_to; c++)
        maker->start[c + 2] += maker->start[c + 1];
    for (size_t t = 0; t < n_from; t++) /* moves the starts to where they belong */
        maker->members[maker->start[maker->of_tuple[t] + 1]++] = (uint32_t)t;
}

/* Values that count 0 stay: persons who have them are in several tuples. */
static size_t sum_values(mgl_roll_maker *maker, const mgl_sparse *from, size_t c, size_t end,
                         mgl_sparse *to)
{
    size_t first = end;
    for (size_t m = maker->start[c]; m < maker->start[c + 1]; m++)
        for (size_t i = from->start[maker->members[m]]; i < from->start[maker->members[m] + 1];
             i++) {
            uint32_t value = from->values[i];
            if (!maker->seen[value])
                to->values[end++] = value;
            maker->seen[value] = true;
            maker->dense[value] += from->counts[i];
        }
    for (size_t i = first; i < end; i++) {
        to->counts[i] = maker->dense[to->values[i]];
        maker->dense[to->values[i]] = 0;
        maker->seen[to->values[i]] = false;
    }
    return end;
}

static mgl_status roll_part(mgl_roll_maker *maker, const mgl_sparse *from, size_t n_to,
                            size_t *room, mgl_error *err, mgl_sparse *to)
{
    size_t end = 0;
    for (size_t c = 0; c < n_to; c++) {
        size_t more = 0, capacity = *room;
        for (size_t m = maker->start[c]; m < maker->start[c + 1]; m++)
            more += from->start[maker->members[m] + 1] - from->start[maker->members[m]];
        if (!mgl_grow(&to->values, &capacity, end + more, sizeof *to->values) ||
            !mgl_grow(&to->counts, room, end + more, sizeof *to->counts))
            return mgl_fail_memory(err);
        to->start[c] = end;
        end = sum_values(maker, from, c, end, to);
    }
    to->start[n_to] = end;
    return MGL_OK;
}

/* Persons of the members of c, each once, or once with each value. */
static size_t gather_persons(mgl_roll_maker *maker, const mgl_spread *from, size_t c)
{
    size_t n = 0, kept = 0;
    for (size_t m = maker->start[c]; m < maker->start[c + 1]; m++)
        for (size_t i = from->start[maker->members[m]]; i < from->start[maker->members[m] + 1]; i++)
            maker->ids[n++] =
                (from->values != NULL ? (uint64_t)from->values[i] << 32 : 0) | from->ids[i];
    if (maker->start[c + 1] - maker->start[c] > 1)
        mgl_sort_u64(maker->ids, n);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || maker->ids[i] != maker->ids[kept - 1])
            maker->ids[kept++] = maker->ids[i];
    return kept;
}

static mgl_status roll_spread(mgl_roll_maker *maker, const mgl_spread *from, size_t n_to,
                              size_t *room, mgl_error *err, mgl_spread *to)
{
    size_t end = 0;
    for (size_t c = 0; c < n_to; c++) {
        size_t n = gather_persons(maker, from, c), capacity = *room;
        if (from->values != NULL && !mgl_grow(&to->values, &capacity, end + n, sizeof *to->values))
            return mgl_fail_memory(err);
        MGL_TRY(mgl_grow_array(&to->ids, room, end + n, sizeof *to->ids, err));
        to->start[c] = end;
        for (size_t i = 0; i < n; i++, end++) {
            to->ids[end] = (uint32_t)maker->ids[i];
            if (from->values != NULL)
                to->values[end] = (uint32_t)(maker->ids[i] >> 32);
        }
    }
    to->start[n_to] = end;
    return MGL_OK;
}

/* A list to roll up: the problem's own, or one that was rolled up. */
typedef struct source {
    const mgl_sparse *parts, *label;
    size_t n_histograms;
    const mgl_spread *persons, *by_value;
    const uint64_t *local;
} source;

static mgl_status roll_parts(mgl_roll_maker *maker, const source *from, size_t n_from,
                             mgl_error *err, mgl_rolled *to)
{
    if (maker->n_parts + maker->n_spread == 0)
        return MGL_OK;
    sort_members(maker, n_from, to->n);
    for (size_t i = 0; i < maker->n_parts; i++)
        MGL_TRY(roll_part(maker, i < from->n_histograms ? &from->parts[i] : from->label, to->n,
                          &to->room[i], err, &to->parts[i]));
    for (size_t i = 0; i < maker->n_spread; i++)
        MGL_TRY(roll_spread(maker, i == 0 ? from->persons : &from->by_value[i - 1], to->n,
                            &to->room[maker->n_parts + i], err, &to->spread[i]));
    if (to->local == NULL)
        return MGL_OK;
    memset(to->local, 0, to->n * sizeof *to->local);
    for (size_t t = 0; t < n_from; t++)
        to->local[maker->of_tuple[t]] += from->local[t];
    return MGL_OK;
}

static void make_key(const mgl_roll_maker *maker, size_t t, uint64_t *key)
{
    const mgl_problem *p = maker->problem;
    const mgl_roll_codes *codes = &maker->codes;
    memset(key, 0, codes->words * sizeof *key);
    for (size_t c = 0; c < codes->n_columns; c++) {
        const mgl_roll_column *column = &codes->columns[c];
        uint64_t code = column->of_leaf[mgl_list_leaf(p->list, t, c)];
        key[column->word] |= code << column->shift;
    }
    const mgl_roll_column *last = &codes->columns[codes->n_columns];
    const uint32_t *apart = mgl_roll_apart(p);
    if (apart != NULL)
        key[last->word] |= (uint64_t)apart[t] << last->shift;
}

mgl_status mgl_roll_own_parts(mgl_roll_maker *maker, mgl_error *err, mgl_rolled *to)
{
    const mgl_frequency_list *list = maker->problem->list;
    const mgl_persons *persons = list->persons;
    source from = {.parts = list->sensitive,
                   .label = maker->problem->label,
                   .n_histograms = list->n_histograms,
                   .persons = persons != NULL ? &persons->spread : NULL,
                   .by_value = persons != NULL ? persons->by_value : NULL,
                   .local = persons != NULL ? persons->local : NULL};
    return roll_parts(maker, &from, list->n_tuples, err, to);
}

/* All tuples at the lowest levels. */
static mgl_status roll_first(mgl_roll_maker *maker, mgl_error *err, mgl_rolled *to)
{
    const mgl_frequency_list *list = maker->problem->list;
    size_t n = list->n_tuples, words = maker->codes.words, mask = mgl_roll_clear(maker, n);
    MGL_TRY(mgl_rolled_make_room(to, maker, n + 1, err)); /* a key is made behind the last */
    to->n = 0;
    for (size_t t = 0; t < n; t++) {
        make_key(maker, t, to->keys + to->n * words);
        mgl_roll_put(maker, to, t, list->counts[t], words, mask);
    }
    memset(to->levels, 0, maker->codes.n_columns * sizeof *to->levels);
    maker->n_first = to->n;
    return mgl_roll_own_parts(maker, err, to);
}

MGL_SPECIALIZE void raise_column(const mgl_roll_maker *maker, uint32_t c, const uint64_t *old,
                                 uint64_t *key)
{
    const mgl_roll_column *column = &maker->codes.columns[c];
    uint64_t code = maker->map[column->map_at + mgl_roll_code(column, old)];
    key[column->word] &= ~(column->mask << column->shift);
    key[column->word] |= code << column->shift;
}

MGL_SPECIALIZE void roll_keys(mgl_roll_maker *maker, const mgl_rolled *from, size_t n_raised,
                              size_t words, mgl_rolled *to)
{
    size_t mask = mgl_roll_clear(maker, from->n);
    for (size_t t = 0; t < from->n; t++) {
        uint64_t *key = to->keys + to->n * words;
        const uint64_t *old = from->keys + t * words;
        for (size_t w = 0; w < words; w++)
            key[w] = old[w];
        for (size_t i = 0; i < n_raised; i++)
            raise_column(maker, maker->raised[i], old, key);
        mgl_roll_put(maker, to, t, from->counts[t], words, mask);
    }
}

/* Notes which columns rise, and to what; how many there are. */
static size_t find_raised(mgl_roll_maker *maker, const mgl_rolled *from, const mgl_roll_rise *rise)
{
    size_t n = 0;
    for (size_t i = 0; i < rise->n_columns; i++) {
        uint32_t c = rise->columns[i];
        if (from->levels[c] == rise->levels[c])
            continue;
        mgl_roll_map(maker, c, from->levels[c], rise->levels[c]);
        maker->raised[n++] = c;
    }
    return n;
}

/* The tuples of a list with some columns at higher levels. */
static mgl_status roll_up(mgl_roll_maker *maker, const mgl_rolled *from, const mgl_roll_rise *rise,
                          mgl_error *err, mgl_rolled *to)
{
    MGL_TRY(mgl_rolled_make_room(to, maker, from->n + 1, err));
    size_t n_raised = find_raised(maker, from, rise);
    to->n = 0;
    if (maker->codes.words == 1 && n_raised == 1)
        roll_keys(maker, from, 1, 1, to);
    else if (maker->codes.words == 1)
        roll_keys(maker, from, n_raised, 1, to);
    else
        roll_keys(maker, from, n_raised, maker->codes.words, to);
    memcpy(to->levels, from->levels, maker->codes.n_columns * sizeof *to->levels);
    for (size_t i = 0; i < n_raised; i++)
        to->levels[maker->raised[i]] = rise->levels[maker->raised[i]];
    for (size_t i = 0; to->of_first != NULL && i < maker->n_first; i++)
        to->of_first[i] = maker->of_tuple[from->of_first[i]];
    source parts = {.parts = from->parts,
                    .label = &from->parts[maker->problem->list->n_histograms],
                    .n_histograms = maker->problem->list->n_histograms,
                    .persons = from->spread,
                    .by_value = from->spread + 1,
                    .local = from->local};
    return roll_parts(maker, &parts, from->n, err, to);
}

/* Shows lists that were rolled up to an evaluator, as if they were the problem's own. roller.c and
 * refiner.c judge with it. */

mgl_status mgl_rolled_judge_make(mgl_rolled_judge *j, const mgl_roll_maker *maker, size_t most,
                                 mgl_error *err)
{
    const mgl_problem *p = maker->problem;
    *j = (mgl_rolled_judge){.maker = maker, .problem = *p, .list = *p->list};
    j->problem.list = &j->list;
    j->list.n_tuples = most;
    if (p->list->persons != NULL) {
        j->persons = *p->list->persons;
        j->list.persons = &j->persons;
    }
    const uint32_t *apart = mgl_roll_apart(p);
    if (apart != NULL) {
        MGL_TRY(mgl_new_array(p->list->n_tuples, sizeof *j->apart, err, &j->apart));
        memcpy(j->apart, apart, p->list->n_tuples * sizeof *j->apart);
    }
    if (p->list->joined != NULL) {
        j->joined = *p->list->joined;
        j->joined.of_tuple = j->apart;
        j->list.joined = &j->joined;
    } else {
        j->problem.histories = j->apart;
    }
    return mgl_evaluator_of_cells(&j->problem, err, &j->evaluator);
}

void mgl_rolled_judge_free(mgl_rolled_judge *j)
{
    mgl_evaluator_free(j->evaluator);
    mgl_free(j->apart);
    *j = (mgl_rolled_judge){0};
}

static void show_list(mgl_rolled_judge *j, const mgl_rolled *rolled)
{
    const mgl_problem *p = j->maker->problem;
    j->list.n_tuples = rolled->n;
    j->list.counts = rolled->counts;
    j->list.sensitive = rolled->parts;
    if (p->label != NULL)
        j->problem.label = &rolled->parts[j->maker->label];
    if (p->list->persons != NULL) {
        j->persons.local = rolled->local;
        j->persons.spread = rolled->spread[0];
        j->persons.by_value = rolled->spread + 1;
    }
    const mgl_roll_codes *codes = &j->maker->codes;
    const mgl_roll_column *last = &codes->columns[codes->n_columns];
    for (size_t t = 0; j->apart != NULL && t < rolled->n; t++)
        j->apart[t] = mgl_roll_code(last, rolled->keys + t * codes->words);
}

static void fill_cells(const mgl_rolled_judge *j, const mgl_rolled *rolled, uint32_t *const *cells)
{
    const mgl_roll_codes *codes = &j->maker->codes;
    for (size_t a = 0; a < codes->n_columns; a++) {
        const mgl_roll_column *column = &codes->columns[a];
        const uint32_t *values = column->levels[rolled->levels[a]].values;
        for (size_t t = 0; t < rolled->n; t++)
            cells[a][t] = values[mgl_roll_code(column, rolled->keys + t * codes->words)];
    }
}

void mgl_rolled_show(mgl_rolled_judge *j, const mgl_rolled *rolled)
{
    show_list(j, rolled);
    fill_cells(j, rolled, mgl_evaluator_fit(j->evaluator));
}

/* Of many columns several rise at once: as long as all tuples differ, a list is worth nothing to
 * the nodes that follow, and would cost a pass over all tuples. */
enum { MOST_STOPS = 12, WIDE_STOPS = 6 };

/* Lists along the way to a node: stop by stop columns rise to its levels, in an order of their own.
 * Each stop has two, so that one can be rolled up into the other. */
struct mgl_roller {
    mgl_roll_maker maker;
    mgl_rolled_judge judge;
    size_t m;
    uint32_t *order;  /* [m] */
    uint32_t *levels; /* [m] of the node to go to, above the lowest */
    size_t n_stops;
    mgl_rolled first;
    mgl_rolled *lists;       /* [2 * n_stops] */
    const mgl_rolled **path; /* [n_stops + 1] path[i]: the columns before stop i have the levels */
    bool begun;
    uint32_t *of_tuple;        /* [n_tuples] in the first list; optional */
    const uint8_t *suppressed; /* [n] of the last node, in its list */
    mgl_owned own;
};

static mgl_status make_lists(mgl_roller *r, mgl_error *err)
{
    r->order = mgl_own_array(&r->own, r->m, sizeof *r->order);
    r->levels = mgl_own_array(&r->own, r->m, sizeof *r->levels);
    r->path = mgl_own_zeroed(&r->own, r->n_stops + 1, sizeof *r->path);
    r->lists = mgl_own_zeroed(&r->own, r->n_stops, 2 * sizeof *r->lists);
    MGL_TRY(mgl_owned_check(&r->own, err));
    mgl_roller_request(r->maker.problem, r->order);
    MGL_TRY(mgl_rolled_init(&r->first, &r->maker, err));
    for (size_t i = 0; i < 2 * r->n_stops; i++)
        MGL_TRY(mgl_rolled_init(&r->lists[i], &r->maker, err));
    return roll_first(&r->maker, err, &r->first);
}

mgl_status mgl_roller_new(const mgl_problem *problem, mgl_error *err, mgl_roller **out)
{
    size_t m = problem->list->n_attributes;
    return mgl_roller_with_stops(problem, m > MOST_STOPS ? WIDE_STOPS : m, err, out);
}

mgl_status mgl_roller_with_stops(const mgl_problem *problem, size_t n_stops, mgl_error *err,
                                 mgl_roller **out)
{
    mgl_roller *r;
    MGL_TRY(mgl_new_zeroed(1, sizeof *r, err, &r));
    r->m = problem->list->n_attributes;
    r->n_stops = n_stops;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_roll_maker_make(problem, err, &r->maker));
    MGL_GO(make_lists(r, err));
    MGL_GO(mgl_rolled_judge_make(&r->judge, &r->maker, problem->list->n_tuples, err));
    *out = r;
    r = NULL;
done:
    mgl_roller_free(r);
    return status;
}

void mgl_roller_free(mgl_roller *r)
{
    if (r == NULL)
        return;
    for (size_t i = 0; r->lists != NULL && i < 2 * r->n_stops; i++)
        mgl_rolled_free(&r->lists[i], &r->maker);
    mgl_rolled_free(&r->first, &r->maker);
    mgl_rolled_judge_free(&r->judge);
    mgl_roll_maker_free(&r->maker);
    mgl_owned_free(&r->own);
    mgl_free(r);
}

/* How many columns are before a stop. */
static size_t stop_at(const mgl_roller *r, size_t i)
{
    return r->m * i / r->n_stops;
}

static mgl_roll_rise rise_to(const mgl_roller *r, size_t i)
{
    size_t first = stop_at(r, i);
    return (mgl_roll_rise){r->order + first, stop_at(r, i + 1) - first, r->levels};
}

/* Are the columns between two stops at the levels of the node? */
static bool is_there(const mgl_roller *r, const mgl_rolled *list, size_t i)
{
    mgl_roll_rise rise = rise_to(r, i);
    for (size_t c = 0; c < rise.n_columns; c++)
        if (list->levels[rise.columns[c]] != r->levels[rise.columns[c]])
            return false;
    return true;
}

/* May path[i + 1] of the node before be rolled up to that of this one? The columns before stop i
 * are as they must be, and no other has risen. */
static bool is_near(const mgl_roller *r, size_t i)
{
    mgl_roll_rise rise = rise_to(r, i);
    bool near = r->begun;
    for (size_t c = 0; near && c < rise.n_columns; c++)
        near = r->path[i + 1]->levels[rise.columns[c]] <= r->levels[rise.columns[c]];
    return near;
}

static mgl_status step(mgl_roller *r, size_t i, bool near, mgl_error *err)
{
    const mgl_rolled *from = near ? r->path[i + 1] : r->path[i];
    if (!is_there(r, from, i)) {
        mgl_rolled *to = &r->lists[2 * i];
        mgl_roll_rise rise = rise_to(r, i);
        to += to == from;
        MGL_TRY(roll_up(&r->maker, from, &rise, err, to));
        from = to;
    }
    r->path[i + 1] = from;
    return MGL_OK;
}

/* Goes to the node from what the way to the one before has in common with it. */
static mgl_status walk(mgl_roller *r, const uint32_t *node, mgl_error *err)
{
    size_t i = 0;
    for (size_t a = 0; a < r->m; a++)
        r->levels[a] = node[a] - r->maker.problem->min_level[a];
    r->path[0] = &r->first;
    while (r->begun && i < r->n_stops && is_there(r, r->path[i + 1], i))
        i++;
    bool near = i < r->n_stops && is_near(r, i);
    r->begun = false; /* until the way is whole again */
    for (; i < r->n_stops; i++, near = false)
        MGL_TRY(step(r, i, near, err));
    r->begun = true;
    return MGL_OK;
}

/* Goes to the node and shows its list to the evaluator. */
static mgl_status show_node(mgl_roller *r, const uint32_t *node, mgl_error *err)
{
    MGL_TRY(walk(r, node, err));
    mgl_rolled_show(&r->judge, r->path[r->n_stops]);
    return MGL_OK;
}

/* Tuples are not those of the problem's list. */
static void keep_tuples(mgl_roller *r, mgl_evaluation *evaluation)
{
    r->suppressed = evaluation->suppressed;
    evaluation->suppressed = NULL;
    evaluation->cells = NULL;
}

mgl_status mgl_roller_evaluate(mgl_roller *r, const uint32_t *node, mgl_error *err,
                               mgl_evaluation *out)
{
    MGL_TRY(show_node(r, node, err));
    if (mgl_evaluate_cells(r->judge.evaluator, node, out) != MGL_OK)
        return mgl_fail_memory(err);
    keep_tuples(r, out);
    return MGL_OK;
}

mgl_status mgl_roller_judge(mgl_roller *r, const uint32_t *node, mgl_error *err,
                            mgl_evaluation *out)
{
    MGL_TRY(show_node(r, node, err));
    mgl_judge_cells(r->judge.evaluator, out);
    keep_tuples(r, out);
    return MGL_OK;
}

static bool make_track(mgl_rolled *list, size_t n)
{
    list->of_first = mgl_own_array(&list->own, n, sizeof *list->of_first);
    for (size_t i = 0; list->of_first != NULL && i < n; i++)
        list->of_first[i] = (uint32_t)i;
    return list->of_first != NULL;
}

mgl_status mgl_roller_track(mgl_roller *r, mgl_error *err)
{
    size_t n = r->maker.problem->list->n_tuples;
    r->of_tuple = mgl_own_array(&r->own, n, sizeof *r->of_tuple);
    bool whole = r->of_tuple != NULL && make_track(&r->first, r->maker.n_first);
    for (size_t i = 0; whole && i < 2 * r->n_stops; i++)
        whole = make_track(&r->lists[i], r->maker.n_first);
    MGL_TRY(mgl_check_memory(whole, err));
    memcpy(r->of_tuple, r->maker.of_tuple, n * sizeof *r->of_tuple); /* of the first list still */
    return MGL_OK;
}

void mgl_roller_suppressed(const mgl_roller *r, uint64_t *bits)
{
    const uint32_t *of_first = r->path[r->n_stops]->of_first;
    size_t n = r->maker.problem->list->n_tuples;
    memset(bits, 0, (n + 63) / 64 * sizeof *bits);
    for (size_t t = 0; t < n; t++)
        bits[t / 64] |= (uint64_t)r->suppressed[of_first[r->of_tuple[t]]] << t % 64;
}

static uint64_t levels_of(const mgl_problem *p, uint32_t a)
{
    return (uint64_t)p->max_level[a] - p->min_level[a] + 1;
}

/* The more leaves the earlier: lists shrink fast then, and most nodes are a small step away from
 * one that they share with others. */
void mgl_roller_request(const mgl_problem *p, uint32_t *order)
{
    for (uint32_t a = 0; a < p->list->n_attributes; a++) {
        size_t i = a;
        uint32_t leaves = p->columns[a]->hierarchy->n_leaves;
        for (; i > 0 && p->columns[order[i - 1]]->hierarchy->n_leaves < leaves; i--)
            order[i] = order[i - 1];
        order[i] = a;
    }
}

uint64_t mgl_roller_place(const mgl_problem *p, const uint32_t *order, const uint32_t *node)
{
    uint64_t place = 0;
    for (size_t i = 0; i < p->list->n_attributes; i++)
        place = place * levels_of(p, order[i]) + (node[order[i]] - p->min_level[order[i]]);
    return place;
}

uint64_t mgl_roller_node(const mgl_problem *p, const uint32_t *order, uint64_t place,
                         uint32_t *node)
{
    uint64_t number = 0;
    for (size_t i = p->list->n_attributes; i-- > 0;) {
        uint32_t a = order[i];
        node[a] = p->min_level[a] + (uint32_t)(place % levels_of(p, a));
        place /= levels_of(p, a);
    }
    for (uint32_t a = 0; a < p->list->n_attributes; a++)
        number = number * levels_of(p, a) + (node[a] - p->min_level[a]);
    return number;
}
