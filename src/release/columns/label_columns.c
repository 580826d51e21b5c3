/* Makes the columns of the quasi-identifiers: dictionary-encoded texts, with the labels that some
 * released row has. A missing cell is null, a suppressed one has the label of the top.
 * make_columns.c calls it. */
#include "release/columns/label_columns.h"

#include <stdlib.h>

enum {
    AT_ONCE = 512
}; /* rows whose classes are looked up together: their entries fit into a cache */

/* ---- Dictionaries -------------------------------------------------------------------------- */

/* The text that stands for missing cells of a quasi-identifier; no data: none is missing. */
static mgl_span missing_text(const mgl_row_plan *plan, size_t a)
{
    const mgl_dictionary *dictionary = plan->quasi[a].column->dictionary;
    uint32_t code = mgl_dictionary_missing(dictionary);
    return code != MGL_NOT_FOUND ? mgl_dictionary_value(dictionary, code) : (mgl_span){0};
}

static bool is_missing(const mgl_released_column *column, uint32_t value, mgl_span missing)
{
    return value != column->top && missing.data != NULL &&
           mgl_span_equal(column->values[value].label, missing);
}

typedef struct used_label {
    mgl_span text;
    uint32_t value;
} used_label;

static int by_text(const void *a, const void *b)
{
    return mgl_span_compare(((const used_label *)a)->text, ((const used_label *)b)->text);
}

/* Which classes have rows in the release; free it. NULL: there is no memory. Tuples whose cells are
 * all at the top are one class, whether they are suppressed or not. */
static bool *find_released(const mgl_label_columns *l, const mgl_row_plan *plan)
{
    const mgl_recoding *recoding = plan->recoding;
    bool *released = mgl_zeroed_array(l->classes.n_classes, sizeof *released);
    if (released == NULL)
        return NULL;
    if (!plan->drop_suppressed)
        memset(released, true, l->classes.n_classes);
    for (size_t t = 0; plan->drop_suppressed && t < recoding->n_tuples; t++)
        if (!recoding->suppressed[t])
            released[l->classes.of_tuple[t]] = true;
    return released;
}

/* Labels of released rows, sorted: their order tells nothing of that in the table. */
static mgl_status list_labels(const mgl_label_columns *l, const mgl_row_plan *plan, size_t a,
                              const bool *released, mgl_error *err, used_label *labels, size_t *n)
{
    const mgl_released_column *column = plan->recoding->columns[a];
    const uint32_t *cells = plan->recoding->cells[a];
    mgl_span missing = missing_text(plan, a);
    bool *used = mgl_zeroed_array(column->n_values, sizeof *used);
    if (used == NULL)
        return mgl_fail_memory(err);
    for (size_t class = 0; class < l->classes.n_classes; class ++)
        if (released[class])
            used[cells[l->classes.first[class]]] = true;
    *n = 0;
    for (uint32_t v = 0; v < column->n_values; v++)
        if (used[v] && !is_missing(column, v, missing))
            labels[(*n)++] = (used_label){column->values[v].label, v};
    mgl_free(used);
    qsort(labels, *n, sizeof *labels, by_text);
    return MGL_OK;
}

static mgl_status make_entries(const used_label *labels, size_t n, mgl_error *err,
                               mgl_lent_array **out)
{
    struct ArrowArray array = {0};
    size_t size = 0;
    for (size_t i = 0; i < n; i++)
        size += labels[i].text.size;
    if (size > INT32_MAX)
        return mgl_fail(err, MGL_CODE_NO_ROOM,
                        "the labels of a quasi-identifier have more than 2 GiB together, for which "
                        "a table in memory has no room; write a file");
    MGL_TRY(mgl_made_array(&array, n, 3, err));
    int32_t *offsets = mgl_made_buffer(&array, 1, (n + 1) * sizeof *offsets);
    char *bytes = mgl_made_buffer(&array, 2, size);
    if (offsets == NULL || bytes == NULL) {
        mgl_array_release(&array);
        return mgl_fail_memory(err);
    }
    offsets[0] = 0;
    for (size_t i = 0; i < n; i++) {
        if (labels[i].text.size > 0)
            memcpy(bytes + offsets[i], labels[i].text.data, labels[i].text.size);
        offsets[i + 1] = offsets[i] + (int32_t)labels[i].text.size;
    }
    return mgl_lent_new(&array, err, out);
}

/* Classes that are dropped have numbers, too, which nobody asks for. On little-endian machines the
 * low bytes come first. */
static void number_classes(mgl_label_columns *l, const mgl_row_plan *plan, size_t a,
                           const uint32_t *number_of_value)
{
    mgl_label_column *column = &l->columns[a];
    for (size_t class = 0; class < l->classes.n_classes; class ++) {
        uint32_t number = number_of_value[plan->recoding->cells[a][l->classes.first[class]]];
        memcpy(l->numbers + class * l->stride + column->place, &number, column->width);
        column->nulls |= number == MGL_NOT_FOUND;
    }
}

static unsigned width_for(uint32_t n_values)
{
    return n_values <= INT8_MAX ? 1 : n_values <= INT16_MAX ? 2 : 4;
}

const char *mgl_label_format(const mgl_label_columns *l, size_t a)
{
    unsigned width = l->columns[a].width;
    return width == 1 ? "c" : width == 2 ? "s" : "i";
}

static mgl_status begin_column(mgl_label_columns *l, const mgl_row_plan *plan, size_t a,
                               const bool *released, mgl_error *err)
{
    uint32_t n_values = plan->recoding->columns[a]->n_values;
    used_label *labels = mgl_alloc_array(n_values, sizeof *labels);
    uint32_t *number_of_value = mgl_alloc_array(n_values, sizeof *number_of_value);
    size_t n = 0;
    mgl_status status = MGL_OK;
    if (labels == NULL || number_of_value == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(list_labels(l, plan, a, released, err, labels, &n));
    memset(number_of_value, 0xFF, n_values * sizeof *number_of_value); /* MGL_NOT_FOUND */
    for (size_t i = 0; i < n; i++)
        number_of_value[labels[i].value] = (uint32_t)i;
    MGL_GO(make_entries(labels, n, err, &l->columns[a].entries));
    number_classes(l, plan, a, number_of_value);
done:
    mgl_free(labels);
    mgl_free(number_of_value);
    return status;
}

/* In few bytes: the numbers of classes are fetched from all over. */
static void place_numbers(mgl_label_columns *l, const mgl_row_plan *plan)
{
    for (size_t a = 0; a < l->n; a++) {
        l->columns[a].width = width_for(plan->recoding->columns[a]->n_values);
        l->columns[a].place = l->stride;
        l->stride += l->columns[a].width;
    }
}

mgl_status mgl_label_columns_init(mgl_label_columns *l, const mgl_row_plan *plan,
                                  const mgl_row_order *order, mgl_error *err)
{
    *l = (mgl_label_columns){.order = order, .n = plan->n_quasi};
    l->columns = mgl_zeroed_array(l->n, sizeof *l->columns);
    if (l->columns == NULL)
        return mgl_fail_memory(err);
    MGL_TRY(mgl_release_classes(plan, err, &l->classes));
    place_numbers(l, plan);
    l->numbers = mgl_alloc_array(l->classes.n_classes, l->stride);
    bool *released = find_released(l, plan);
    mgl_status status = MGL_OK;
    if (l->numbers == NULL || released == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t a = 0; a < l->n; a++)
        MGL_GO(begin_column(l, plan, a, released, err));
done:
    mgl_free(released);
    return status;
}

void mgl_label_columns_free(mgl_label_columns *l)
{
    for (size_t a = 0; l->columns != NULL && a < l->n; a++)
        mgl_lent_let_go(l->columns[a].entries);
    mgl_free(l->columns);
    mgl_free(l->numbers);
    mgl_classes_free(&l->classes);
    *l = (mgl_label_columns){0};
}

/* ---- Cells --------------------------------------------------------------------------------- */

mgl_status mgl_label_array(const mgl_label_columns *l, size_t a, size_t n, mgl_error *err,
                           struct ArrowArray *out)
{
    MGL_TRY(mgl_made_array(out, n, 2, err));
    bool room = mgl_made_buffer(out, 1, n * l->columns[a].width) != NULL;
    if (l->columns[a].nulls)
        room = mgl_made_zeros(out, 0, (n + 7) / 8) != NULL && room;
    if (!room)
        return mgl_fail_memory(err);
    mgl_made_dictionary(out, l->columns[a].entries);
    return MGL_OK;
}

/* The classes of some rows. Each look at memory is far from the one before: all of them are asked
 * for first. */
static void find_classes(const mgl_label_columns *l, size_t first, size_t n, uint32_t *out)
{
    const mgl_row_order *order = l->order;
    const uint32_t *tuples = order->rows != NULL ? order->tuples_of_rows : order->tuples;
    for (size_t i = 0; i < n; i++) {
        out[i] = tuples[first + i];
        __builtin_prefetch(&l->classes.of_tuple[out[i]]);
    }
    for (size_t i = 0; i < n; i++) {
        out[i] = l->classes.of_tuple[out[i]];
        __builtin_prefetch(l->numbers + out[i] * l->stride);
    }
}

/* width is a constant where this is inlined. */
MGL_SPECIALIZE void fill_numbers(const mgl_label_columns *l, size_t a, const uint32_t *classes,
                                 size_t n, size_t width, char *out)
{
    const char *numbers = l->numbers + l->columns[a].place;
    for (size_t i = 0; i < n; i++)
        memcpy(out + i * width, numbers + classes[i] * l->stride, width);
}

static void fill_some(const mgl_label_columns *l, size_t a, const uint32_t *classes, size_t n,
                      char *out)
{
    switch (l->columns[a].width) {
    case 1:
        fill_numbers(l, a, classes, n, 1, out);
        break;
    case 2:
        fill_numbers(l, a, classes, n, 2, out);
        break;
    default:
        fill_numbers(l, a, classes, n, 4, out);
    }
}

static bool is_null(const char *number, unsigned width)
{
    return memcmp(number, "\xff\xff\xff\xff", width) == 0;
}

/* Cells that are null keep no number. Returns how many there are. */
static size_t mark_valid(const mgl_label_columns *l, size_t a, const uint32_t *classes, size_t n,
                         size_t at, const struct ArrowArray *array)
{
    uint8_t *valid = (uint8_t *)array->buffers[0];
    unsigned width = l->columns[a].width;
    size_t nulls = 0;
    for (size_t i = 0; i < n; i++)
        if (is_null(l->numbers + classes[i] * l->stride + l->columns[a].place, width)) {
            memset((char *)array->buffers[1] + (at + i) * width, 0, width);
            nulls++;
        } else {
            valid[(at + i) / 8] |= (uint8_t)(1u << (at + i) % 8);
        }
    return nulls;
}

void mgl_label_fill(const mgl_label_columns *l, size_t first, size_t n, size_t at,
                    struct ArrowArray *const *arrays, uint64_t *nulls)
{
    uint32_t classes[AT_ONCE];
    for (size_t done = 0, some; done < n; done += some) {
        some = n - done < AT_ONCE ? n - done : AT_ONCE;
        find_classes(l, first + done, some, classes);
        for (size_t a = 0; a < l->n; a++) {
            size_t first_byte = (at + done) * l->columns[a].width;
            fill_some(l, a, classes, some, (char *)arrays[a]->buffers[1] + first_byte);
            if (l->columns[a].nulls)
                nulls[a] += mark_valid(l, a, classes, some, at + done, arrays[a]);
        }
    }
}
