/* Finds out whether a column, or two together, gives back a generalized one. Rows are grouped by
 * label and by value, viewed in several ways; what is recovered is compared with what the label
 * alone recovers, and with chance. */
#include "risk/recovery.h"
#include "notation/notation.h"

#include <math.h>

typedef struct text_at {
    mgl_span text;
    double worth;
    uint32_t value;
} text_at;

static const mgl_sort_key by_bytes[] = {MGL_ASCENDING(text_at, text), MGL_SORT_END};

/* The bytes of the first characters: a character of UTF-8 begins with no 10xxxxxx. */
static size_t prefix_size(mgl_span text, int characters)
{
    size_t size = 0;
    for (; size < text.size; size++)
        if (((unsigned char)text.data[size] & 0xC0) != 0x80 && characters-- == 0)
            break;
    return size;
}

static bool same_prefix(mgl_span a, mgl_span b, int characters)
{
    size_t size = prefix_size(a, characters);
    return size == prefix_size(b, characters) && memcmp(a.data, b.data, size) == 0;
}

/* Numbers the prefixes of sorted values; false if memory is out. Prefixes that distinguish no more
 * values than shorter ones, or as many as the values themselves, are left out. */
static bool number_prefixes(mgl_ordered *o, const text_at *sorted)
{
    uint32_t before = 1;
    for (int p = 0; p < MGL_LONGEST_PREFIX; p++) {
        uint32_t *prefix = mgl_alloc_array(o->n, sizeof *prefix), number = 0;
        if (prefix == NULL)
            return false;
        for (uint32_t i = 0; i < o->n; i++) {
            number += i > 0 && !same_prefix(sorted[i - 1].text, sorted[i].text, p + 1);
            prefix[sorted[i].value] = number;
        }
        if (number + 1 == before || number + 1 == o->n) {
            mgl_free(prefix);
            continue;
        }
        before = number + 1;
        o->prefix[p] = prefix;
        o->any[MGL_VIEW_PREFIX + p] = true;
    }
    return true;
}

static const mgl_sort_key by_worth[] = {MGL_ASCENDING(text_at, worth), MGL_ASCENDING(text_at, text),
                                        MGL_SORT_END};

/* Readings of values: numbers in the notation of the column, or dates in one of the orders. */
enum { AS_NUMBERS = MGL_DATE_ORDERS, READINGS };

static bool worth_of(mgl_span text, int reading, const mgl_notation *notation, double *out)
{
    static const mgl_notation any_century = {.has_century = true};
    mgl_moment moment;
    if (reading == AS_NUMBERS)
        return mgl_notation_number(notation, text, out);
    if (!mgl_moment_parse(&any_century, text, (mgl_date_order)reading, &moment))
        return false;
    *out = mgl_moment_days(&moment);
    return true;
}

/* Sets worths by the first reading that fits most values, numbers before dates; values it does not
 * fit come last. */
static void find_worth(text_at *texts, uint32_t n)
{
    mgl_number_sniffer sniffer = {0};
    mgl_notation notation;
    for (uint32_t i = 0; i < n; i++)
        mgl_number_sniffer_look(&sniffer, texts[i].text);
    mgl_number_sniffer_end(&sniffer, &notation);
    for (int reading = READINGS - 1; reading >= 0; reading--) {
        uint32_t fit = 0;
        for (uint32_t i = 0; i < n; i++) {
            bool fits = worth_of(texts[i].text, reading, &notation, &texts[i].worth);
            texts[i].worth = fits ? texts[i].worth : INFINITY;
            fit += fits;
        }
        if ((double)fit >= MGL_MOST_VALUES * n)
            return;
    }
    for (uint32_t i = 0; i < n; i++)
        texts[i].worth = 0;
}

static mgl_status order(mgl_ordered *o, text_at *texts, const mgl_map *values, mgl_error *err)
{
    for (uint32_t v = 0; v < o->n; v++) {
        texts[v] = (text_at){mgl_map_text(values, v), 0, v};
        o->any[MGL_VIEW_WORDS] = o->any[MGL_VIEW_WORDS] || mgl_looks_like_text(texts[v].text);
    }
    mgl_sort(texts, o->n, sizeof *texts, by_bytes);
    for (uint32_t i = 0; i < o->n; i++)
        o->by_bytes[i] = o->by_worth[i] = texts[i].value;
    o->any[MGL_VIEW_VALUES] = o->any[MGL_VIEW_RARE_VALUES] = true;
    if (o->n <= MGL_FEW_TO_SORT)
        return MGL_OK;
    o->any[MGL_VIEW_CLASSES] = o->any[MGL_VIEW_FINE_CLASSES] = true;
    MGL_TRY(mgl_check_memory(number_prefixes(o, texts), err));
    find_worth(texts, o->n);
    mgl_sort(texts, o->n, sizeof *texts, by_worth);
    for (uint32_t i = 0; i < o->n; i++)
        o->by_worth[i] = texts[i].value;
    return MGL_OK;
}

/* Free with ordered_free, also on failure. */
static mgl_status ordered_init(mgl_ordered *o, const mgl_map *values, mgl_error *err)
{
    *o = (mgl_ordered){.n = mgl_map_size(values)};
    o->by_bytes = mgl_alloc_array(o->n, sizeof *o->by_bytes);
    o->by_worth = mgl_alloc_array(o->n, sizeof *o->by_worth);
    text_at *texts = mgl_alloc_array(o->n, sizeof *texts);
    mgl_status status = o->by_bytes == NULL || o->by_worth == NULL || texts == NULL
                            ? mgl_fail_memory(err)
                            : order(o, texts, values, err);
    mgl_free(texts);
    return status;
}

/* Allocates an empty one, without values. NULL if memory is out. Free with mgl_recovery_free. */
static mgl_recovery *recovery_alloc(const mgl_generalized *generalized)
{
    mgl_recovery *r = mgl_zeroed_array(1, sizeof *r);
    if (r == NULL)
        return NULL;
    r->generalized = generalized;
    r->found = mgl_zeroed_array(generalized->n, sizeof *r->found);
    r->guesses = mgl_zeroed_array(generalized->n, sizeof *r->guesses);
    if (r->found != NULL && r->guesses != NULL)
        return r;
    mgl_recovery_free(r);
    return NULL;
}

mgl_status mgl_recovery_new(const mgl_generalized *generalized, mgl_error *err, mgl_recovery **out)
{
    mgl_recovery *r = recovery_alloc(generalized);
    if (r != NULL)
        r->values = mgl_map_new();
    if (r == NULL || r->values == NULL) {
        mgl_recovery_free(r);
        return mgl_fail_memory(err);
    }
    *out = r;
    return MGL_OK;
}

mgl_status mgl_recovery_new_of_values(const mgl_generalized *generalized, mgl_error *err,
                                      mgl_recovery **out)
{
    MGL_TRY(mgl_recovery_new(generalized, err, out));
    (*out)->of_values = true;
    return MGL_OK;
}

static void clear_judgement(mgl_recovery *r)
{
    for (size_t i = 0; r->guesses != NULL && i < r->generalized->n; i++) {
        mgl_cells_free(&r->guesses[i].cells);
        mgl_free(r->guesses[i].leaves);
        r->guesses[i].leaves = NULL;
    }
    mgl_free(r->ordered.by_bytes);
    mgl_free(r->ordered.by_worth);
    for (int p = 0; p < MGL_LONGEST_PREFIX; p++)
        mgl_free(r->ordered.prefix[p]);
    r->ordered = (mgl_ordered){0};
    mgl_free(r->of_person);
    r->of_person = NULL;
}

void mgl_recovery_free(mgl_recovery *r)
{
    if (r == NULL)
        return;
    clear_judgement(r);
    mgl_map_free(r->values);
    mgl_free(r->codes);
    mgl_free(r->tuples);
    mgl_free(r->times);
    mgl_free(r->persons);
    mgl_free(r->found);
    mgl_free(r->guesses);
    mgl_free(r);
}

/* Stores multiplicities from the first row on that counts several times. */
static bool add_times(mgl_recovery *r, uint64_t times)
{
    if (r->times == NULL && times == 1)
        return true;
    bool first = r->times == NULL;
    if (!mgl_grow(&r->times, &r->room_times, r->n_rows + 1, sizeof *r->times))
        return false;
    for (size_t row = 0; first && row < r->n_rows; row++)
        r->times[row] = 1;
    r->times[r->n_rows] = times;
    return true;
}

static bool add_row(mgl_recovery *r, uint32_t code, uint32_t tuple, uint64_t times, uint32_t person)
{
    bool whole = code != MGL_NOT_FOUND && add_times(r, times) &&
                 mgl_grow(&r->codes, &r->room_codes, r->n_rows + 1, sizeof *r->codes) &&
                 mgl_grow(&r->tuples, &r->room_tuples, r->n_rows + 1, sizeof *r->tuples);
    if (whole && person != MGL_ROW_IS_PERSON) {
        whole = mgl_grow(&r->persons, &r->room_persons, r->n_rows + 1, sizeof *r->persons);
        if (whole)
            r->persons[r->n_rows] = person;
    }
    if (!whole)
        return false;
    r->codes[r->n_rows] = code;
    r->tuples[r->n_rows++] = tuple;
    return true;
}

/* By a hash of the value and the tuple, so that the sample does not depend on the order of rows. */
static bool is_in_sample(const mgl_recovery *r, mgl_span cell, uint32_t tuple)
{
    uint64_t z = mgl_hash(cell.data, cell.size) ^ (tuple + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return r->level == 0 || (z ^ (z >> 31)) >> (64 - r->level) == 0;
}

bool mgl_recovery_watch(mgl_recovery *r, mgl_span cell, uint32_t tuple, uint64_t times,
                        uint32_t person)
{
    return !is_in_sample(r, cell, tuple) ||
           add_row(r, mgl_map_add(r->values, cell), tuple, times, person);
}

size_t mgl_recovery_rows(const mgl_recovery *r)
{
    return r->n_rows;
}

bool mgl_recovery_keeps_rows(const mgl_recovery *r)
{
    return !r->condensed;
}

bool mgl_recovery_is_sample(const mgl_recovery *r)
{
    return r->level > 0;
}

uint32_t mgl_recovery_values(const mgl_recovery *r)
{
    return mgl_map_size(r->values);
}

uint64_t *mgl_recovery_count_values(const mgl_recovery *r)
{
    uint64_t *rows = mgl_zeroed_array(mgl_map_size(r->values), sizeof *rows);
    for (size_t row = 0; rows != NULL && row < r->n_rows; row++)
        rows[r->codes[row]] += r->times != NULL ? r->times[row] : 1;
    return rows;
}

typedef struct equal_rows {
    uint32_t code, tuple;
    uint64_t times;
} equal_rows;

static const mgl_sort_key by_value_and_tuple[] = {MGL_ASCENDING(equal_rows, code),
                                                  MGL_ASCENDING(equal_rows, tuple), MGL_SORT_END};

/* Adds sorted rows that are in the sample; equal ones are merged. */
static bool take_sorted(mgl_recovery *r, const mgl_map *values, const equal_rows *sorted, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        mgl_span text = mgl_map_text(values, sorted[i].code);
        size_t last = r->n_rows - 1;
        bool same =
            i > 0 && sorted[i - 1].code == sorted[i].code && sorted[i - 1].tuple == sorted[i].tuple;
        if (!is_in_sample(r, text, sorted[i].tuple))
            continue;
        if (!same &&
            !add_row(r, mgl_map_add(r->values, text), sorted[i].tuple, 0, MGL_ROW_IS_PERSON))
            return false;
        last += !same;
        r->times[last] += sorted[i].times;
    }
    return true;
}

static bool rebuild(mgl_recovery *r, const equal_rows *sorted, size_t n)
{
    mgl_map *values = r->values;
    r->values = mgl_map_new();
    r->n_rows = 0;
    bool whole = r->values != NULL && take_sorted(r, values, sorted, n);
    mgl_map_free(values);
    return whole;
}

bool mgl_recovery_condense(mgl_recovery *r, size_t most)
{
    size_t n = r->n_rows;
    equal_rows *sorted = mgl_alloc_array(n, sizeof *sorted);
    if (sorted == NULL)
        return false;
    for (size_t row = 0; row < n; row++)
        sorted[row] =
            (equal_rows){r->codes[row], r->tuples[row], r->times != NULL ? r->times[row] : 1};
    mgl_sort(sorted, n, sizeof *sorted, by_value_and_tuple);
    r->condensed = true;
    bool whole = rebuild(r, sorted, n);
    while (whole && r->n_rows > most) {
        for (size_t row = 0; row < r->n_rows; row++)
            sorted[row] = (equal_rows){r->codes[row], r->tuples[row], r->times[row]};
        n = r->n_rows;
        r->level++;
        whole = rebuild(r, sorted, n);
    }
    mgl_free(sorted);
    return whole;
}

/* Cells in the order of their values. */
static bool sort_cells(const mgl_recovery *r, const mgl_cells *cells, const uint32_t *values,
                       uint32_t **out)
{
    uint32_t n = r->ordered.n;
    size_t *start = mgl_zeroed_array((size_t)n + 1, sizeof *start), at = 0;
    uint32_t *order = *out = mgl_alloc_array(cells->n, sizeof *order);
    if (start == NULL || order == NULL) {
        mgl_free(start);
        return false;
    }
    for (size_t i = 0; i < cells->n; i++)
        start[cells->codes[i]]++;
    for (uint32_t i = 0; i < n; i++) {
        size_t count = start[values[i]];
        start[values[i]] = at;
        at += count;
    }
    for (size_t i = 0; i < cells->n; i++)
        order[start[cells->codes[i]]++] = (uint32_t)i;
    mgl_free(start);
    return true;
}

static mgl_status prepare(mgl_recovery *r, mgl_error *err)
{
    r->rows = (mgl_coded_rows){.codes = r->codes,
                               .n_values = mgl_map_size(r->values),
                               .tuples = r->tuples,
                               .times = r->times,
                               .n = r->n_rows};
    if (r->persons != NULL) {
        r->of_person = mgl_count_persons_once(&r->rows, r->persons);
        r->rows.times = r->of_person;
        MGL_TRY(mgl_check_memory(r->of_person != NULL, err));
    }
    MGL_TRY(ordered_init(&r->ordered, r->values, err));
    for (int view = MGL_VIEW_RARE_VALUES + 1; r->of_values && view < MGL_VIEWS; view++)
        r->ordered.any[view] = false;
    return MGL_OK;
}

size_t mgl_recovery_tests(const mgl_generalized *generalized, size_t n_columns)
{
    enum { VIEWS_OF_TWO = 2 };
    size_t paired = n_columns < MGL_MOST_PAIRED ? n_columns : MGL_MOST_PAIRED;
    size_t pairs = paired > 1 ? paired * (paired - 1) / 2 : 0;
    return generalized->n * (n_columns * MGL_VIEWS + pairs * VIEWS_OF_TWO);
}

static uint64_t sum_of(const uint64_t *numbers, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += numbers[i];
    return sum;
}

/* Guesses ground values as an outsider would. Returns false if memory is out. */
static bool guess(mgl_grouping *g, mgl_view view, const mgl_texts *texts, uint32_t **out)
{
    uint64_t rows;
    double expected;
    size_t n = g->cells->n;
    uint32_t *guesses = *out = mgl_alloc_array(n, sizeof *guesses);
    if (guesses == NULL)
        return false;
    for (size_t i = 0; i < n; i++)
        guesses[i] = MGL_NOT_FOUND;
    if (view == MGL_VIEW_WORDS)
        return mgl_mentions_count(g, texts, guesses, &rows, &expected);
    mgl_grouping_look(g, view, guesses);
    return !g->failed;
}

/* Judges the attribute in each view; keeps the best real one. */
static bool judge_views(mgl_recovery *r, size_t i, mgl_grouping *g, const mgl_recovery_rule *rule)
{
    const mgl_label_pairs *label_pairs = &r->generalized->attributes[i];
    mgl_texts texts = {r->values, r->generalized->list->hierarchies[label_pairs->attribute]};
    mgl_given_back best = {0};
    mgl_view best_view = MGL_VIEW_VALUES;
    uint64_t by_label = r->of_values ? 0 : mgl_grouping_by_label(g);
    uint64_t of = sum_of(g->margins, label_pairs->n_pairs);
    for (int view = 0; (double)of >= rule->least_gain && !g->failed && view < MGL_VIEWS; view++) {
        if (!r->ordered.any[view])
            continue;
        mgl_given_back found = mgl_grouping_judge(g, (mgl_view)view, by_label, rule, &texts);
        /* Words in a text are the plainest evidence. */
        bool better = !best.real || (found.much && (found.by_words || !best.much)) ||
                      (found.much == best.much && found.gain > best.gain);
        if (!found.real || !better)
            continue;
        best = found;
        best_view = (mgl_view)view;
    }
    best.of = of;
    r->found[i] = best;
    return !g->failed && (!best.real || guess(g, best_view, &texts, &r->guesses[i].leaves));
}

static mgl_status judge_attribute(mgl_recovery *r, size_t i, const mgl_recovery_rule *rule,
                                  mgl_error *err)
{
    const mgl_label_pairs *label_pairs = &r->generalized->attributes[i];
    mgl_cells *cells = &r->guesses[i].cells;
    mgl_grouping g = {0};
    bool whole = mgl_cells_count(&r->rows, label_pairs, SIZE_MAX, cells) == MGL_CELLS_COUNTED &&
                 sort_cells(r, cells, r->ordered.by_bytes, &cells->by_bytes) &&
                 sort_cells(r, cells, r->ordered.by_worth, &cells->by_worth) &&
                 mgl_grouping_begin(&g, cells, label_pairs, cells->pairs,
                                    r->of_values ? label_pairs->rows_of_pair : NULL, &r->ordered) &&
                 judge_views(r, i, &g, rule);
    mgl_grouping_end(&g);
    if (r->guesses[i].leaves == NULL)
        mgl_cells_free(cells);
    return whole ? MGL_OK : mgl_fail_memory(err);
}

static mgl_status judge_all(mgl_recovery *r, const mgl_recovery_rule *rule, mgl_error *err)
{
    MGL_TRY(prepare(r, err));
    for (size_t i = 0; i < r->generalized->n; i++)
        MGL_TRY(judge_attribute(r, i, rule, err));
    return MGL_OK;
}

/* Sorting more values than this takes long: a sample, drawn by hashes of texts, decides whether it
 * is worthwhile. */
enum { MOST_ORDERED = 1 << 16 };

const mgl_recovery_rule mgl_rule_of_samples = {.log_level = -9, .least_gain = 10, .much = 10};

static mgl_status judge_some_values(const mgl_recovery *r, mgl_error *err, bool *suspect)
{
    uint32_t n = mgl_map_size(r->values);
    uint64_t below = UINT64_MAX / n * MOST_ORDERED;
    mgl_recovery *some = NULL;
    mgl_status status = MGL_OK;
    uint8_t *drawn = mgl_alloc_array(n, sizeof *drawn);
    MGL_GO(drawn == NULL ? mgl_fail_memory(err) : mgl_recovery_new(r->generalized, err, &some));
    for (uint32_t v = 0; v < n; v++) {
        mgl_span text = mgl_map_text(r->values, v);
        drawn[v] = mgl_hash(text.data, text.size) < below;
    }
    for (size_t row = 0; row < r->n_rows; row++)
        if (drawn[r->codes[row]] &&
            !mgl_recovery_watch(some, mgl_map_text(r->values, r->codes[row]), r->tuples[row],
                                r->times != NULL ? r->times[row] : 1,
                                r->persons != NULL ? r->persons[row] : MGL_ROW_IS_PERSON))
            MGL_GO(mgl_fail_memory(err));
    MGL_GO(judge_all(some, &mgl_rule_of_samples, err));
    *suspect = mgl_recovery_any_real(some);
done:
    mgl_free(drawn);
    mgl_recovery_free(some);
    return status;
}

mgl_status mgl_recovery_judge(mgl_recovery *r, const mgl_recovery_rule *rule, mgl_error *err)
{
    bool suspect = true;
    clear_judgement(r);
    for (size_t i = 0; i < r->generalized->n; i++)
        r->found[i] = (mgl_given_back){0};
    if (mgl_map_size(r->values) > 2 * MOST_ORDERED)
        MGL_TRY(judge_some_values(r, err, &suspect));
    return suspect ? judge_all(r, rule, err) : MGL_OK;
}

const mgl_given_back *mgl_recovery_found(const mgl_recovery *r)
{
    return r->found;
}

bool mgl_recovery_any_real(const mgl_recovery *r)
{
    for (size_t i = 0; i < r->generalized->n; i++)
        if (r->found[i].real)
            return true;
    return false;
}

uint32_t mgl_recovery_guess(const mgl_recovery *r, size_t i, size_t row)
{
    const mgl_guesses *g = &r->guesses[i];
    uint32_t pair = r->generalized->attributes[i].pair_of_tuple[r->rows.tuples[row]];
    if (g->leaves == NULL || pair == MGL_NOT_FOUND)
        return MGL_NOT_FOUND;
    uint64_t value = r->rows.codes[row];
    if (r->rows.other != NULL)
        value = value * r->rows.n_other + r->rows.other[row];
    size_t low = 1, high = g->cells.n;
    MGL_BISECT(low, high, i,
               g->cells.values[i] < value ||
                   (g->cells.values[i] == value && g->cells.pairs[i] <= pair))
    return g->leaves[low - 1];
}

/* More combinations than this are not counted. */
enum { MOST_CELLS = 4000000 };

typedef struct refined {
    mgl_label_pairs label_pairs;
    uint32_t *pairs; /* [cell] of `label_pairs` */
} refined;

typedef struct refining {
    uint32_t label, code, leaf, cell;
} refining;

static const mgl_sort_key in_order[] = {
    MGL_ASCENDING(refining, label), MGL_ASCENDING(refining, code), MGL_ASCENDING(refining, leaf),
    MGL_ASCENDING(refining, cell), MGL_SORT_END};

static bool number_pairs(refined *r, const refining *sorted, size_t n)
{
    mgl_label_pairs *label_pairs = &r->label_pairs;
    mgl_owned *owned = &label_pairs->owned;
    label_pairs->label_of_pair = mgl_own_array(owned, n, sizeof *label_pairs->label_of_pair);
    label_pairs->leaf_of_pair = mgl_own_array(owned, n, sizeof *label_pairs->leaf_of_pair);
    label_pairs->first_pair = mgl_own_array(owned, n + 1, sizeof *label_pairs->first_pair);
    r->pairs = mgl_own_array(owned, n, sizeof *r->pairs);
    if (owned->missing)
        return false;
    for (size_t i = 0; i < n; i++) {
        const refining *x = &sorted[i], *before = i > 0 ? x - 1 : NULL;
        bool new_label = before == NULL || x->label != before->label || x->code != before->code;
        if (new_label)
            label_pairs->first_pair[label_pairs->n_labels++] = label_pairs->n_pairs;
        if (new_label || x->leaf != before->leaf) {
            label_pairs->label_of_pair[label_pairs->n_pairs] = label_pairs->n_labels - 1;
            label_pairs->leaf_of_pair[label_pairs->n_pairs++] = x->leaf;
        }
        r->pairs[x->cell] = label_pairs->n_pairs - 1;
    }
    label_pairs->first_pair[label_pairs->n_labels] = label_pairs->n_pairs;
    return true;
}

/* Labels and ground values as `label_pairs` has them, and labels apart where the first (second)
 * column differs. False if memory is out; free with mgl_owned_free(&out->label_pairs.owned) in any
 * case. */
static bool refine(const mgl_label_pairs *label_pairs, const mgl_cells *cells, uint32_t n_other,
                   bool second, refined *out)
{
    refining *list = mgl_alloc_array(cells->n, sizeof *list);
    *out = (refined){.label_pairs = {.attribute = label_pairs->attribute}};
    for (size_t i = 0; list != NULL && i < cells->n; i++) {
        uint64_t value = cells->values[i];
        list[i] = (refining){label_pairs->label_of_pair[cells->pairs[i]],
                             (uint32_t)(second ? value % n_other : value / n_other),
                             label_pairs->leaf_of_pair[cells->pairs[i]], (uint32_t)i};
    }
    if (list != NULL)
        mgl_sort(list, cells->n, sizeof *list, in_order);
    bool whole = list != NULL && number_pairs(out, list, cells->n);
    mgl_free(list);
    return whole;
}

/* Returns how many rows the views of values recover at most, chance not considered: most pairs of
 * columns end here. Cells are sorted by value, then by label. */
static uint64_t recovered_at_most(const mgl_label_pairs *label_pairs, const mgl_cells *cells)
{
    uint64_t rows = 0, rare = 0, all_rare = 0;
    for (size_t i = 0, end; i < cells->n; i = end) {
        uint32_t label = label_pairs->label_of_pair[cells->pairs[i]];
        uint64_t size = 0, most = 0;
        for (end = i; end < cells->n && cells->codes[end] == cells->codes[i] &&
                      label_pairs->label_of_pair[cells->pairs[end]] == label;
             end++) {
            size += cells->times[end];
            most = cells->times[end] > most ? cells->times[end] : most;
        }
        bool is_rare = size >= 2 && size < MGL_FEWEST_TOGETHER;
        uint64_t recovered = size >= 2 && most >= mgl_recovered_from(size) ? most : 0;
        all_rare += is_rare ? size : 0;
        rare += is_rare ? recovered : 0;
        rows += is_rare ? 0 : recovered;
    }
    if (100 * rare < MGL_RECOVERED_PERCENT * all_rare)
        rare = 0;
    return rows > rare ? rows : rare;
}

/* Both columns must add something to the other one. */
static mgl_given_back worse_of(mgl_given_back a, mgl_given_back b)
{
    mgl_given_back worse = a.gain <= b.gain ? a : b;
    worse.by_label = a.by_label > b.by_label ? a.by_label : b.by_label;
    worse.real = a.real && b.real;
    worse.much = a.much && b.much;
    return worse;
}

static bool judge_cells(const mgl_label_pairs *label_pairs, const mgl_cells *cells,
                        uint32_t n_other, const mgl_recovery_rule *rule, mgl_given_back *out)
{
    refined by[2] = {0};
    mgl_grouping g[2] = {0};
    bool whole = true;
    for (int s = 0; s < 2 && whole; s++)
        whole = refine(label_pairs, cells, n_other, s == 1, &by[s]) &&
                mgl_grouping_begin(&g[s], cells, &by[s].label_pairs, by[s].pairs, NULL, NULL);
    for (int view = MGL_VIEW_VALUES; whole && view <= MGL_VIEW_RARE_VALUES; view++) {
        mgl_given_back f[2];
        for (int s = 0; s < 2; s++)
            f[s] =
                mgl_grouping_judge(&g[s], (mgl_view)view, mgl_grouping_by_label(&g[s]), rule, NULL);
        mgl_given_back both = worse_of(f[0], f[1]);
        if (both.real && (!out->real || both.much > out->much ||
                          (both.much == out->much && both.gain > out->gain))) {
            *out = both;
            out->rare = view == MGL_VIEW_RARE_VALUES;
        }
        whole = !g[0].failed && !g[1].failed;
    }
    for (int s = 0; s < 2; s++) {
        mgl_grouping_end(&g[s]);
        mgl_owned_free(&by[s].label_pairs.owned);
    }
    return whole;
}

/* Guesses ground values from both columns. Returns false if memory is out. */
static bool guess_of_two(const mgl_label_pairs *label_pairs, const mgl_cells *cells, bool rare,
                         uint32_t **out)
{
    mgl_grouping g;
    uint32_t *guesses = *out = mgl_alloc_array(cells->n, sizeof *guesses);
    bool whole =
        mgl_grouping_begin(&g, cells, label_pairs, cells->pairs, NULL, NULL) && guesses != NULL;
    for (size_t i = 0; whole && i < cells->n; i++)
        guesses[i] = MGL_NOT_FOUND;
    if (whole)
        mgl_grouping_look(&g, rare ? MGL_VIEW_RARE_VALUES : MGL_VIEW_VALUES, guesses);
    whole = whole && !g.failed;
    mgl_grouping_end(&g);
    return whole;
}

static bool put_in_order(mgl_cells *cells)
{
    cells->by_bytes = mgl_alloc_array(cells->n, sizeof *cells->by_bytes);
    for (size_t i = 0; cells->by_bytes != NULL && i < cells->n; i++)
        cells->by_bytes[i] = (uint32_t)i;
    return cells->by_bytes != NULL;
}

static mgl_status judge_attribute_of_two(mgl_recovery *r, size_t i, const mgl_recovery_rule *rule,
                                         mgl_error *err, mgl_pair_test *test)
{
    const mgl_label_pairs *label_pairs = &r->generalized->attributes[i];
    mgl_cells *cells = &r->guesses[i].cells;
    mgl_given_back found = {0};
    bool whole = true;
    switch (mgl_cells_count(&r->rows, label_pairs, MOST_CELLS, cells)) {
    case MGL_CELLS_COUNTED:
        if ((double)recovered_at_most(label_pairs, cells) < rule->least_gain)
            break;
        whole =
            put_in_order(cells) && judge_cells(label_pairs, cells, r->rows.n_other, rule, &found) &&
            (!found.real || guess_of_two(label_pairs, cells, found.rare, &r->guesses[i].leaves));
        for (size_t c = 0; c < cells->n; c++)
            found.of += cells->times[c];
        break;
    case MGL_CELLS_TOO_MANY:
        *test = MGL_PAIR_TOO_MANY;
        break;
    case MGL_CELLS_NO_MEMORY:
        whole = false;
        break;
    }
    r->found[i] = found;
    if (r->guesses[i].leaves == NULL)
        mgl_cells_free(cells);
    return whole ? MGL_OK : mgl_fail_memory(err);
}

/* A column of one value adds nothing. */
static bool may_add(const mgl_recovery *one, const mgl_recovery *other)
{
    return mgl_map_size(one->values) > 1 && mgl_map_size(other->values) > 1;
}

bool mgl_is_late(const mgl_recovery_rule *rule)
{
    return rule->deadline > 0 && mgl_sys_seconds() > rule->deadline;
}

mgl_status mgl_recovery_of_two(const mgl_recovery *one, const mgl_recovery *other,
                               const mgl_recovery_rule *rule, mgl_error *err, mgl_recovery **out,
                               mgl_pair_test *test)
{
    mgl_recovery *r = NULL;
    mgl_status status = MGL_OK;
    *out = NULL;
    *test = MGL_PAIR_TESTED;
    if (!may_add(one, other))
        return MGL_OK;
    r = recovery_alloc(one->generalized);
    MGL_GO(r == NULL ? mgl_fail_memory(err) : MGL_OK);
    r->rows = (mgl_coded_rows){.codes = one->codes,
                               .other = other->codes,
                               .n_values = mgl_map_size(one->values),
                               .n_other = mgl_map_size(other->values),
                               .tuples = one->tuples,
                               .times = one->times,
                               .n = one->n_rows};
    if (one->persons != NULL) {
        r->of_person = mgl_count_persons_once(&r->rows, one->persons);
        MGL_GO(r->of_person == NULL ? mgl_fail_memory(err) : MGL_OK);
        r->rows.times = r->of_person;
    }
    for (size_t i = 0; i < r->generalized->n; i++) {
        if (mgl_is_late(rule)) {
            *test = MGL_PAIR_TOO_LATE;
            break;
        }
        MGL_GO(judge_attribute_of_two(r, i, rule, err, test));
    }
    if (mgl_recovery_any_real(r)) {
        *out = r;
        r = NULL;
    }
done:
    mgl_recovery_free(r);
    return status;
}
