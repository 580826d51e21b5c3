/* Finds out what the released texts of a column are, so that an engine that writes a release can
 * let the column have a type: one that gives each of these texts back. push.c calls it. */
#include "pipeline/write/map_rows.h"

/* As engines write them: 0, -7, 120. */
static bool read_whole(mgl_span text, int64_t *out)
{
    bool minus = text.size > 0 && text.data[0] == '-';
    mgl_span digits = {text.data + minus, text.size - minus};
    uint64_t number;
    if (digits.size == 0 || digits.data[0] < '0' || digits.data[0] > '9' ||
        (digits.data[0] == '0' && (minus || digits.size > 1)) || !mgl_parse_u64(digits, &number) ||
        number > INT64_MAX)
        return false;
    *out = minus ? -(int64_t)number : (int64_t)number;
    return true;
}

static void judge_label(mgl_released_kind *kind, mgl_span label, bool ground)
{
    enum { DAY = 10 };
    double seconds;
    int64_t number = 0;
    kind->ground = kind->ground && ground;
    kind->days = kind->days && (ground || (label.size == DAY && mgl_date_read(label, &seconds)));
    kind->whole = kind->whole && read_whole(label, &number);
    kind->low = number < kind->low ? number : kind->low;
    kind->high = number > kind->high ? number : kind->high;
}

/* seen: [values of the column] which were judged before. */
static mgl_released_kind judge_column(const mgl_release_order *release, size_t quasi, bool *seen)
{
    const mgl_settings *settings = release->reading->settings;
    const mgl_recoding *recoding = release->solution->recoding;
    const mgl_dictionary *values = release->reading->quasi[quasi].column->dictionary;
    const mgl_spelling spelling = settings->source.spelling;
    mgl_released_kind kind = {.ground = true, .days = true, .whole = true};
    for (size_t t = 0; t < release->task->problem.list->n_tuples; t++) {
        uint32_t value = recoding->cells[quasi][t];
        if (seen[value] || (settings->treatment == MGL_DROP && recoding->suppressed[t]))
            continue;
        seen[value] = true;
        mgl_span label = recoding->columns[quasi]->values[value].label;
        /* A value that stands for several spellings need not be one of the engine. */
        bool ground = !spelling.trim && !spelling.fold_case &&
                      mgl_dictionary_find(values, label) != MGL_NOT_FOUND;
        if (!mgl_span_equal(label, settings->source.no_value))
            judge_label(&kind, label, ground);
    }
    return kind;
}

mgl_status mgl_map_rows_kinds(const mgl_release_order *release, mgl_error *err,
                              mgl_released_kind *out)
{
    for (size_t a = 0; a < release->reading->n_quasi; a++) {
        size_t n = release->solution->recoding->columns[a]->n_values;
        bool *seen = mgl_zeroed_array(n, sizeof *seen);
        if (seen == NULL)
            return mgl_fail_memory(err);
        out[a] = judge_column(release, a, seen);
        mgl_free(seen);
    }
    return MGL_OK;
}
