/* Gathers what models want to know about sensitive columns of the whole table: how often values
 * occur, their order, protected subtrees. */
#include "pipeline/read/read.h"
#include "pipeline/task/task.h"

typedef struct ranked {
    mgl_span text;
    double number;
    uint32_t code;
} ranked;

static const mgl_sort_key by_number[] = {MGL_ASCENDING(ranked, number), MGL_ASCENDING(ranked, text),
                                         MGL_SORT_END};
static const mgl_sort_key by_text[] = {MGL_ASCENDING(ranked, text), MGL_SORT_END};

static mgl_status accumulate(mgl_task *task, mgl_sensitive *s, const uint32_t *by_rank,
                             mgl_error *err)
{
    uint64_t *cumulative = mgl_task_take(task, s->n_present, sizeof *cumulative);
    uint64_t *sums = mgl_task_take(task, (size_t)s->n_present + 1, sizeof *sums);
    MGL_TRY(mgl_check_memory(cumulative != NULL && sums != NULL, err));
    uint64_t rows = 0;
    for (uint32_t r = 0; r < s->n_present; r++) {
        cumulative[r] = rows += s->counts[by_rank[r]];
        sums[r + 1] = sums[r] + rows;
    }
    s->cumulative = cumulative;
    s->cumulative_sums = sums;
    return MGL_OK;
}

/* Ranks numbers by value and other values bytewise. The missing value comes last and does not keep
 * the others from being numbers. */
static mgl_status rank_values(mgl_task *task, mgl_sensitive *s, mgl_error *err)
{
    const mgl_dictionary *dictionary = s->column->dictionary;
    const mgl_notation *notation = mgl_dictionary_notation(dictionary);
    uint32_t missing = mgl_dictionary_missing(dictionary);
    ranked *values = mgl_alloc_array(s->n_values, sizeof *values);
    uint32_t *by_rank = mgl_alloc_array(s->n_values, sizeof *by_rank);
    uint32_t *rank = mgl_task_take(task, s->n_values, sizeof *rank);
    mgl_buffer trimmed = {0};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(values != NULL && by_rank != NULL && rank != NULL, err));
    bool numbers = true;
    size_t n = 0;
    for (uint32_t code = 0; code < s->n_values; code++) {
        if (s->counts[code] == 0 || code == missing)
            continue;
        ranked value = {.text = mgl_dictionary_value(dictionary, code), .code = code};
        if (!mgl_spelling_key((mgl_spelling){.trim = true}, value.text, &trimmed))
            MGL_GO(mgl_fail_memory(err));
        numbers = numbers && mgl_notation_number(notation, (mgl_span){trimmed.data, trimmed.size},
                                                 &value.number);
        values[n++] = value;
    }
    mgl_sort(values, n, sizeof *values, numbers ? by_number : by_text);
    for (size_t i = 0; i < n; i++)
        by_rank[i] = values[i].code;
    if (missing != MGL_NOT_FOUND && s->counts[missing] > 0)
        by_rank[n++] = missing;
    for (size_t i = 0; i < n; i++)
        rank[by_rank[i]] = (uint32_t)i;
    s->n_present = (uint32_t)n;
    s->rank = rank;
    MGL_GO(accumulate(task, s, by_rank, err));
done:
    mgl_buffer_free(&trimmed);
    mgl_free(values);
    mgl_free(by_rank);
    return status;
}

bool mgl_is_protected(const mgl_attribute_settings *settings, mgl_span label)
{
    return mgl_spans_have(settings->protect, settings->n_protect, label);
}

static mgl_status check_protected(const mgl_attribute_settings *settings,
                                  const mgl_hierarchy *hierarchy, mgl_error *err)
{
    for (size_t i = 0; i < settings->n_protect; i++) {
        uint32_t level, value;
        mgl_span label = settings->protect[i];
        if (!mgl_hierarchy_find(hierarchy, label, &level, &value))
            return mgl_fail_attribute(err, MGL_CODE_BAD_VALUE, settings->name, "protect",
                                      "`attributes.%.60s.protect`: \"%.*s\" is no value of its "
                                      "hierarchy (%.200s); `hierarchy show` lists them",
                                      settings->name, mgl_span_width(label), label.data,
                                      hierarchy->source);
        if (mgl_hierarchy_is_repeated(hierarchy, label))
            return mgl_fail_attribute(
                err, MGL_CODE_CONFLICT, settings->name, "protect",
                "`attributes.%.60s.protect`: \"%.*s\" stands for different values on different "
                "levels of its hierarchy (%.200s); name the one above by its level, \"%.*s (LEVEL "
                "N)\", as `hierarchy show` does; values of the data are protected in any case",
                settings->name, mgl_span_width(label), label.data, hierarchy->source,
                mgl_span_width(label), label.data);
    }
    return MGL_OK;
}

/* Is the subtree of missing cells, which are no value, theirs alone? */
static bool has_own_subtree(const mgl_sensitive *s, const uint32_t *of_leaf)
{
    uint32_t leaf = s->unknown != 0 ? s->leaf_of_code[s->unknown - 1] : MGL_NOT_FOUND;
    for (uint32_t other = 0; s->unknown != 0 && other < s->hierarchy->n_leaves; other++)
        if (other != leaf && of_leaf[other] == of_leaf[leaf])
            return false;
    return s->unknown != 0;
}

/* The strong ancestor of a leaf is the highest protected value above it, or the leaf itself.
 * Subtrees are numbered by the first leaf in them. */
static mgl_status find_subtrees(mgl_task *task, mgl_sensitive *s,
                                const mgl_attribute_settings *settings, mgl_error *err)
{
    const mgl_hierarchy *h = s->hierarchy;
    const mgl_settings *all = task->reading->settings;
    MGL_TRY(check_protected(settings, h, err));
    uint32_t *of_leaf = mgl_task_take(task, h->n_leaves, sizeof *of_leaf);
    uint32_t *strong = mgl_task_take(task, s->n_values, sizeof *strong);
    uint8_t *present = mgl_task_take(task, h->n_leaves, 1);
    MGL_TRY(mgl_check_memory(of_leaf != NULL && strong != NULL && present != NULL, err));
    uint32_t *number = mgl_alloc_array(h->n_leaves, sizeof *number);
    MGL_TRY(mgl_check_memory(number != NULL, err));
    memset(number, 0xFF, h->n_leaves * sizeof *number);
    for (uint32_t leaf = 0; leaf < h->n_leaves; leaf++) {
        uint32_t first = leaf;
        for (uint32_t l = h->height; l > 0; l--) {
            const mgl_level *level = &h->levels[l];
            uint32_t value = level->of_leaf[leaf];
            if (mgl_is_protected(settings, level->labels[value]) ||
                mgl_claimed_protects(all, settings->name, l, level->labels[value])) {
                first = level->first_leaf[value];
                break;
            }
        }
        if (number[first] == MGL_NOT_FOUND)
            number[first] = s->n_strong++;
        of_leaf[leaf] = number[first];
    }
    for (uint32_t code = 0; code < s->n_values; code++) {
        strong[code] = of_leaf[s->leaf_of_code[code]];
        if (s->counts[code] > 0 && code + 1 != s->unknown && !present[strong[code]]) {
            present[strong[code]] = 1;
            s->n_strong_present++;
        }
    }
    mgl_free(number);
    s->strong = strong;
    s->n_strong_known = s->n_strong - has_own_subtree(s, of_leaf);
    return MGL_OK;
}

static mgl_status count_levels(mgl_task *task, mgl_sensitive *s, mgl_error *err)
{
    const mgl_hierarchy *h = s->hierarchy;
    const uint64_t **counts = mgl_task_take(task, (size_t)h->height + 1, sizeof *counts);
    for (uint32_t l = 0; counts != NULL && l <= h->height; l++) {
        uint64_t *level = mgl_task_take(task, h->levels[l].n_values, sizeof *level);
        MGL_TRY(mgl_check_memory(level != NULL, err));
        for (uint32_t code = 0; code < s->n_values; code++)
            level[h->levels[l].of_leaf[s->leaf_of_code[code]]] += s->counts[code];
        counts[l] = level;
    }
    s->level_counts = counts;
    return counts == NULL ? mgl_fail_memory(err) : MGL_OK;
}

static mgl_status fill_hierarchy(mgl_task *task, mgl_sensitive *s, const mgl_reading *reading,
                                 size_t number, mgl_error *err)
{
    const mgl_hierarchy *hierarchy = reading->sensitive_hierarchies[number];
    const mgl_cell_rule *rule = &reading->cells[number].rule;
    const mgl_attribute_settings *settings =
        mgl_settings_attribute(reading->settings, s->column->name);
    uint32_t *strong = mgl_task_take(task, s->n_values, sizeof *strong);
    MGL_TRY(mgl_check_memory(strong != NULL, err));
    if (hierarchy == NULL) {
        for (uint32_t code = 0; code < s->n_values; code++)
            strong[code] = code;
        s->strong = strong;
        s->n_strong = s->n_values;
        s->n_strong_known = s->n_values - (s->unknown != 0);
        s->n_strong_present = mgl_known_present(s);
        return MGL_OK;
    }
    uint32_t *leaf_of_code = mgl_task_take(task, s->n_values, sizeof *leaf_of_code);
    MGL_TRY(mgl_check_memory(leaf_of_code != NULL, err));
    /* A hierarchy may spell a value in another way than the table does. */
    mgl_dictionary *spelled = NULL;
    MGL_TRY(mgl_values_as_leaves(hierarchy, s->column->dictionary, rule, err, &spelled));
    mgl_status status = mgl_hierarchy_bind(hierarchy, s->column->name, spelled, err, leaf_of_code);
    mgl_dictionary_free(spelled);
    MGL_TRY(status);
    s->hierarchy = hierarchy;
    s->n_protected = (uint32_t)settings->n_protect;
    s->leaf_of_code = leaf_of_code;
    MGL_TRY(count_levels(task, s, err));
    return find_subtrees(task, s, settings, err);
}

/* Persons that are in several tuples count once per value. */
static mgl_status add_spread_persons(const mgl_spread *spread, size_t n_tuples, uint64_t *sums,
                                     mgl_error *err)
{
    uint8_t *seen = mgl_zeroed_array(spread->n_ids, 1);
    MGL_TRY(mgl_check_memory(seen != NULL, err));
    for (size_t i = 0; i < spread->start[n_tuples]; i++) {
        sums[spread->values[i]] += !seen[spread->ids[i]];
        seen[spread->ids[i]] = 1;
    }
    mgl_free(seen);
    return MGL_OK;
}

mgl_status mgl_facts_find(mgl_task *task, const mgl_counts *counts, mgl_error *err)
{
    const mgl_frequency_list *list = counts->list;
    const mgl_reading *reading = counts->reading;
    mgl_sensitive *sensitive = mgl_task_take(task, list->n_sensitive, sizeof *sensitive);
    MGL_TRY(mgl_check_memory(sensitive != NULL, err));
    for (size_t i = 0; i < list->n_sensitive; i++) {
        mgl_sensitive *s = &sensitive[i];
        const mgl_sparse *sparse = &list->sensitive[i];
        uint64_t *sums = mgl_task_take(task, sparse->n_values, sizeof *sums);
        MGL_TRY(mgl_check_memory(sums != NULL, err));
        for (size_t j = 0; j < sparse->start[list->n_tuples]; j++)
            sums[sparse->values[j]] += sparse->counts[j];
        if (list->persons != NULL)
            MGL_TRY(add_spread_persons(&list->persons->by_value[i], list->n_tuples, sums, err));
        *s = (mgl_sensitive){
            .column = reading->counted[i], .counts = sums, .n_values = sparse->n_values};
        for (uint32_t v = 0; v < sparse->n_values; v++)
            s->n += sums[v];
        uint32_t missing = mgl_dictionary_missing(s->column->dictionary);
        bool occurs = missing != MGL_NOT_FOUND && s->counts[missing] > 0;
        s->unknown = occurs && !reading->settings->cells.missing_is_value ? missing + 1 : 0;
        MGL_TRY(rank_values(task, s, err));
        MGL_TRY(fill_hierarchy(task, s, reading, i, err));
    }
    bool has_k = false;
    for (size_t m = 0; m < reading->settings->n_models; m++)
        has_k = has_k || reading->settings->models[m].type->k == MGL_K_IS;
    task->facts = (mgl_facts){
        .n_rows = list->persons != NULL ? list->persons->n : list->n_rows,
        .sensitive = sensitive,
        .n_sensitive = list->n_sensitive,
        .k = has_k ? reading->settings->k : 0,
        .sample = {.fraction = reading->settings->sampled.fraction,
                   .unit = list->weighing.unit,
                   .total = list->weighing.total},
    };
    return MGL_OK;
}
