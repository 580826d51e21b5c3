/* Makes values that stand for several categories: sets, which name all of them, and modes, which
 * name the most frequent one. Their leaves have no order of their own, so that each value has a
 * list of them. Microaggregation adds them. */
#include "recoding/made.h"

/* The leaves of both, each once and in order, behind all that are listed. */
static uint32_t merge(mgl_released_column *column, const mgl_released_value *value,
                      const uint32_t *leaves, uint32_t n)
{
    const uint32_t *had = column->listed + value->begin;
    uint32_t *to = column->listed + column->made->n_listed, i = 0, j = 0, both = 0;
    while (i < value->leaves || j < n) {
        uint32_t mine = i < value->leaves ? had[i] : UINT32_MAX;
        uint32_t other = j < n ? leaves[j] : UINT32_MAX;
        i += mine <= other;
        j += other <= mine;
        to[both++] = mine < other ? mine : other;
    }
    return both;
}

/* Does the value stand for all of these leaves already? */
static bool has_all(const mgl_released_column *column, const mgl_released_value *value,
                    const uint32_t *leaves, uint32_t n)
{
    const uint32_t *had = column->listed + value->begin;
    uint32_t i = 0, j = 0;
    while (i < value->leaves && j < n)
        j += had[i++] == leaves[j];
    return j == n;
}

mgl_status mgl_made_listed(mgl_released_column *column, mgl_span label, const uint32_t *leaves,
                           uint32_t n, mgl_error *err, uint32_t *out)
{
    struct mgl_made_values *made = column->made;
    MGL_TRY(mgl_made_label(column, label, err, out));
    mgl_released_value *value = &column->values[*out];
    if (value->leaves > 0 && has_all(column, value, leaves, n))
        return MGL_OK;
    if (!mgl_grow(&column->listed, &made->room_of_listed, made->n_listed + value->leaves + n,
                  sizeof *column->listed))
        return mgl_fail_memory(err);
    uint32_t both = merge(column, value, leaves, n);
    double others = (double)mgl_hierarchy_ground(column->hierarchy) - 1;
    value->begin = (uint32_t)made->n_listed;
    value->leaves = both;
    value->first_leaf = column->listed[value->begin];
    value->loss = others > 0 ? (both - 1) / others : 0;
    mgl_span ground = column->hierarchy->levels[0].labels[value->first_leaf];
    value->level = both == 1 && mgl_span_equal(value->label, ground) ? 0 : -1;
    made->n_listed += both;
    return MGL_OK;
}

/* ---- How sets are written ----------------------------------------------------------------------
 */

static bool is_plain(mgl_span value)
{
    if (value.size == 0 || value.data[0] == ' ' || value.data[value.size - 1] == ' ')
        return false;
    for (size_t i = 0; i < value.size; i++)
        if (strchr("{},\"", value.data[i]) != NULL)
            return false;
    return true;
}

static void write_member(mgl_span value, mgl_buffer *out)
{
    if (is_plain(value)) {
        mgl_buffer_span(out, value);
        return;
    }
    mgl_buffer_text(out, "\"");
    for (size_t i = 0; i < value.size; i++) {
        mgl_buffer_append(out, value.data + i, 1);
        if (value.data[i] == '"')
            mgl_buffer_text(out, "\"");
    }
    mgl_buffer_text(out, "\"");
}

/* One value that looks like a set is written as one, so that nobody takes it for another. */
static void write_set(const mgl_span *values, size_t n, mgl_buffer *out)
{
    if (n == 1 && (values[0].size == 0 || values[0].data[0] != '{')) {
        mgl_buffer_span(out, values[0]);
        return;
    }
    mgl_buffer_text(out, "{");
    for (size_t i = 0; i < n; i++) {
        mgl_buffer_text(out, i > 0 ? "," : "");
        write_member(values[i], out);
    }
    mgl_buffer_text(out, "}");
}

mgl_status mgl_made_set(mgl_released_column *column, const uint32_t *leaves, uint32_t n,
                        mgl_error *err, uint32_t *out)
{
    mgl_buffer text = {0};
    mgl_span *values = mgl_alloc_array(n, sizeof *values);
    mgl_status status = MGL_OK;
    if (values == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (uint32_t i = 0; i < n; i++)
        values[i] = column->hierarchy->levels[0].labels[leaves[i]];
    write_set(values, n, &text);
    if (text.failed)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_made_listed(column, (mgl_span){text.data, text.size}, leaves, n, err, out));
done:
    mgl_buffer_free(&text);
    mgl_free(values);
    return status;
}

/* ---- How they are read -------------------------------------------------------------------------
 */

mgl_status mgl_made_set_parse(mgl_released_column *column, mgl_span text, mgl_error *err,
                              uint32_t *out)
{
    const mgl_hierarchy *h = column->hierarchy;
    uint32_t n_leaves = mgl_hierarchy_ground(h), n = 0;
    uint32_t *leaves = mgl_alloc_array(n_leaves, sizeof *leaves);
    size_t wanted = mgl_set_size(text);
    mgl_status status = MGL_OK;
    *out = MGL_NOT_FOUND;
    if (leaves == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (uint32_t leaf = 0; leaf < n_leaves; leaf++) {
        mgl_span label = h->levels[0].labels[leaf];
        if (wanted > 0 ? mgl_set_has(text, label) : mgl_span_equal(text, label))
            leaves[n++] = leaf;
    }
    if (n > 0 && n == (wanted > 0 ? wanted : 1))
        MGL_GO(mgl_made_listed(column, text, leaves, n, err, out));
done:
    mgl_free(leaves);
    return status;
}
