/* Finds the rows of a table that read as suppressed, where cells are taken as they are. For `check`
 * and `risk`, which get a release without its recoding. */
#include "pipeline/read/claimed.h"
#include "pipeline/read/reading.h"

/* The top label of a column whose cells are taken as they are: the one that its result tells, that
 * of its hierarchy file, or *. */
static mgl_status top_label(const mgl_settings *settings, const mgl_attribute_settings *attribute,
                            mgl_arena *arena, mgl_error *err, mgl_span *out)
{
    *out = mgl_span_of("*");
    if (mgl_claimed_top(settings, attribute->name, out))
        return MGL_OK;
    if (attribute->hierarchy == NULL || mgl_hierarchy_is_builder(attribute->hierarchy))
        return MGL_OK;
    mgl_dictionary *none = mgl_dictionary_new();
    if (none == NULL)
        return mgl_fail_memory(err);
    mgl_hierarchy *hierarchy = NULL;
    mgl_status status =
        mgl_hierarchy_make(attribute->hierarchy, attribute->name, none, err, &hierarchy);
    mgl_dictionary_free(none);
    if (status != MGL_OK)
        return status;
    mgl_span label = hierarchy->levels[hierarchy->height].labels[0];
    char *copy = mgl_arena_copy(arena, label.data, label.size);
    mgl_hierarchy_free(hierarchy);
    if (copy == NULL)
        return mgl_fail_memory(err);
    *out = (mgl_span){copy, label.size};
    return MGL_OK;
}

mgl_status mgl_reading_tops(const mgl_reading *reading, mgl_arena *arena, mgl_error *err,
                            mgl_span **out)
{
    mgl_span *tops = mgl_arena_alloc(arena, reading->n_quasi * sizeof *tops);
    if (tops == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < reading->n_quasi; a++)
        MGL_TRY(top_label(reading->settings, reading->quasi[a].settings, arena, err, &tops[a]));
    *out = tops;
    return MGL_OK;
}

static bool is_at_top(const mgl_reading *reading, const mgl_frequency_list *list,
                      const mgl_span *tops, size_t t)
{
    for (size_t a = reading->settings->strata.n; a < reading->n_quasi; a++) {
        const mgl_released_column *column = reading->released[a];
        uint32_t value = column->of_leaf[0][mgl_list_leaf(list, t, a)];
        if (!mgl_span_equal(column->values[value].label, tops[a]))
            return false;
    }
    return true;
}

uint64_t mgl_tuples_at_top(const mgl_reading *reading, const mgl_frequency_list *list,
                           const mgl_span *tops, uint8_t *suppressed)
{
    uint64_t rows = 0;
    for (size_t first = 0, end; first < list->n_tuples; first = end) {
        uint64_t at_top = 0;
        bool others = false;
        end = mgl_stratum_end(list, reading->settings->strata.n, first);
        for (size_t t = first; t < end; t++) {
            suppressed[t] = is_at_top(reading, list, tops, t);
            at_top += suppressed[t] ? list->counts[t] : 0;
            others = others || !suppressed[t];
        }
        rows += others ? at_top : 0;
        if (!others)
            memset(suppressed + first, 0, end - first);
    }
    return rows;
}

bool mgl_tuple_is_regrouped(const mgl_frequency_list *list, size_t tuple)
{
    for (size_t a = 0; a < list->n_attributes; a++)
        if (mgl_hierarchy_is_stand_in(list->hierarchies[a], mgl_list_leaf(list, tuple, a)))
            return true;
    return false;
}
