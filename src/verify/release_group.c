/* Makes the group that models judge out of rows of a release. verify.c calls it for each class. */
#include "verify/sorted.h"

#include <stdlib.h>

/* Finds the value of the input that a cell of the release is. */
typedef struct value_reader {
    const mgl_dictionary *input;
    mgl_cell_rule rule;
    mgl_value_finder values, missing; /* unless the rule is exact */
} value_reader;

static mgl_span missing_token(const void *context, uint32_t i)
{
    return ((const mgl_promise *)context)->source.missing[i];
}

static mgl_status begin_values(const mgl_promise *promise, size_t s, mgl_error *err,
                               value_reader *out)
{
    out->input = promise->sensitive[s]->dictionary;
    out->rule = promise->rules != NULL ? promise->rules[s] : (mgl_cell_rule){.exact = true};
    if (out->rule.exact)
        return MGL_OK;
    MGL_TRY(mgl_value_finder_of(&out->rule, out->input, err, &out->values));
    return mgl_value_finder_new(&out->rule, missing_token, promise,
                                (uint32_t)promise->source.n_missing, err, &out->missing);
}

static void end_values(value_reader *r)
{
    mgl_value_finder_free(&r->values);
    mgl_value_finder_free(&r->missing);
}

/* The missing tokens are all one value in the input, and so is what is null. */
static bool is_missing(value_reader *r, const mgl_promise *promise, mgl_span value)
{
    for (size_t i = 0; i < promise->source.n_missing; i++)
        if (mgl_span_equal(promise->source.missing[i], value))
            return true;
    return !r->rule.exact && mgl_value_find(&r->missing, value) != MGL_NOT_FOUND;
}

static uint32_t input_code(value_reader *r, const mgl_promise *promise,
                           const mgl_dictionary *released, uint32_t code)
{
    mgl_span value = mgl_dictionary_value(released, code);
    if (code == mgl_dictionary_missing(released) || is_missing(r, promise, value))
        return mgl_dictionary_missing(r->input);
    return r->rule.exact ? mgl_dictionary_find(r->input, value) : mgl_value_find(&r->values, value);
}

static mgl_status map_codes(mgl_release_group *group, const mgl_promise *promise, size_t s,
                            mgl_error *err)
{
    const mgl_column *column = &group->columns[s], *input = promise->sensitive[s];
    uint32_t n = mgl_dictionary_size(column->dictionary);
    uint32_t n_input = mgl_dictionary_size(input->dictionary);
    value_reader r = {0};
    mgl_status status = MGL_OK;
    group->code_of[s] = mgl_alloc_array(n, sizeof **group->code_of);
    group->values[s] = mgl_alloc_array(n_input, sizeof **group->values);
    group->counts[s] = mgl_alloc_array(n_input, sizeof **group->counts);
    if (group->code_of[s] == NULL || group->values[s] == NULL || group->counts[s] == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(begin_values(promise, s, err, &r));
    for (uint32_t code = 0; code < n; code++) {
        mgl_span value = mgl_dictionary_value(column->dictionary, code);
        char shown[MGL_SHOWN];
        group->code_of[s][code] = input_code(&r, promise, column->dictionary, code);
        if (group->code_of[s][code] == MGL_NOT_FOUND)
            MGL_GO(mgl_blame_column(
                err,
                mgl_fail(err, MGL_CODE_INTERNAL,
                         "column %s of the written release holds \"%s\", which the input "
                         "does not; please report this",
                         input->name, mgl_shown(value, shown)),
                input->name));
    }
done:
    end_values(&r);
    return status;
}

mgl_status mgl_release_group_init(mgl_release_group *group, const mgl_table *table,
                                  const mgl_promise *promise, mgl_error *err)
{
    size_t n = promise->n_sensitive, most = 0;
    *group = (mgl_release_group){.n_sensitive = n,
                                 .columns = table->columns + promise->n_tops,
                                 .times = table->times,
                                 .persons = promise->persons};
    group->entries = mgl_alloc_array(table->n_rows, sizeof *group->entries);
    group->code_of = mgl_zeroed_array(n, sizeof *group->code_of);
    group->values = mgl_zeroed_array(n, sizeof *group->values);
    group->counts = mgl_zeroed_array(n, sizeof *group->counts);
    group->histograms = mgl_zeroed_array(n, sizeof *group->histograms);
    for (size_t s = 0; s < n; s++) {
        uint32_t size = mgl_dictionary_size(promise->sensitive[s]->dictionary);
        most = size > most ? size : most;
    }
    group->dense = mgl_zeroed_array(most, sizeof *group->dense);
    mgl_status status = MGL_OK;
    if (group->code_of == NULL || group->values == NULL || group->counts == NULL ||
        group->histograms == NULL || group->dense == NULL || group->entries == NULL)
        status = mgl_fail_memory(err);
    for (size_t s = 0; status == MGL_OK && s < n; s++)
        status = map_codes(group, promise, s, err);
    if (status != MGL_OK) {
        mgl_release_group_free(group);
        return status;
    }
    group->group = (mgl_group){.sensitive = group->histograms, .n_sensitive = n};
    return MGL_OK;
}

void mgl_release_group_free(mgl_release_group *group)
{
    for (size_t s = 0; s < group->n_sensitive; s++) {
        if (group->code_of != NULL)
            mgl_free(group->code_of[s]);
        if (group->values != NULL)
            mgl_free(group->values[s]);
        if (group->counts != NULL)
            mgl_free(group->counts[s]);
    }
    mgl_free(group->code_of);
    mgl_free(group->values);
    mgl_free(group->counts);
    mgl_free(group->histograms);
    mgl_free(group->dense);
    mgl_free(group->entries);
    *group = (mgl_release_group){0};
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static int ascending64(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* One entry per row: its value (column NULL: none) above its person. Sorted; an entry that
 * repeats the one before it is the same person again. Without persons every row counts. */
static void gather(mgl_release_group *group, size_t s, const uint32_t *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t value =
            s == SIZE_MAX ? 0 : group->code_of[s][mgl_column_code(&group->columns[s], rows[i])];
        group->entries[i] = value << 32 | (group->persons != NULL ? group->persons[rows[i]] : 0);
    }
    if (group->persons != NULL)
        qsort(group->entries, n, sizeof *group->entries, ascending64);
}

static bool is_another(const mgl_release_group *group, size_t i)
{
    return i == 0 || group->entries[i] != group->entries[i - 1];
}

static uint64_t times_of(const mgl_release_group *group, uint32_t row)
{
    return group->times != NULL ? group->times[row] : 1;
}

/* What entry i adds: the rows it tells of, or a person unless the one before was the same. */
static uint64_t counts(const mgl_release_group *group, const uint32_t *rows, size_t i)
{
    return group->persons == NULL ? times_of(group, rows[i]) : is_another(group, i);
}

const mgl_group *mgl_release_group_fill(mgl_release_group *group, const uint32_t *rows, size_t n)
{
    group->group.rows = 0;
    for (size_t i = 0; i < n; i++)
        group->group.rows += times_of(group, rows[i]);
    group->group.size = group->group.rows;
    if (group->persons != NULL) {
        gather(group, SIZE_MAX, rows, n);
        group->group.size = 0;
        for (size_t i = 0; i < n; i++)
            group->group.size += counts(group, rows, i);
    }
    for (size_t s = 0; s < group->n_sensitive; s++) {
        uint32_t *values = group->values[s];
        size_t n_values = 0;
        gather(group, s, rows, n);
        for (size_t i = 0; i < n; i++) {
            uint32_t code = (uint32_t)(group->entries[i] >> 32);
            uint64_t amount = counts(group, rows, i);
            if (amount > 0 && group->dense[code] == 0)
                values[n_values++] = code;
            group->dense[code] += amount;
        }
        qsort(values, n_values, sizeof *values, ascending);
        for (size_t i = 0; i < n_values; i++) {
            group->counts[s][i] = group->dense[values[i]];
            group->dense[values[i]] = 0;
        }
        group->histograms[s] =
            (mgl_histogram){.values = values, .counts = group->counts[s], .size = n_values};
    }
    return &group->group;
}
