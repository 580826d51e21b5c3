/* Makes the column that is released: every cell as the nodes of the cut that its items lie under.
 * The pipeline calls it for a cut that was found, or for one that was saved. */
#include "items/items.h"

typedef struct making {
    const mgl_basket_request *order;
    const mgl_item_tree *tree;
    const uint32_t *node_of_leaf;
    const mgl_item_cutting *cutting;
    mgl_item_release *out;
    uint32_t *code_of_cell; /* [cell] in the released column */
    uint64_t *rows_of_cell; /* [cell] released ones */
    uint32_t *nodes;        /* of one cell: first leaf and node, as one number each */
    uint64_t *sorted;
    mgl_buffer text;
    mgl_owned own;
} making;

/* The nodes of a cell, in the order of their first leaves. */
static size_t nodes_of(making *m, uint32_t cell)
{
    const mgl_item_sets *sets = m->order->sets;
    size_t n = 0, kept = 0;
    for (size_t i = sets->start[cell]; i < sets->start[cell + 1]; i++) {
        uint32_t node = m->node_of_leaf[m->order->leaf_of_item[sets->of_cell[i]]];
        if (node != MGL_NOT_FOUND)
            m->sorted[n++] = (uint64_t)m->tree->first_leaf[node] << 32 | node;
    }
    mgl_sort_u64(m->sorted, n);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || m->sorted[i] != m->sorted[i - 1])
            m->nodes[kept++] = (uint32_t)m->sorted[i];
    return kept;
}

static mgl_span missing_text(const making *m)
{
    const mgl_dictionary *cells = m->order->column->dictionary;
    uint32_t missing = mgl_dictionary_missing(cells);
    if (missing != MGL_NOT_FOUND)
        return mgl_dictionary_value(cells, missing);
    return m->cutting->n_missing > 0 ? m->cutting->missing[0] : (mgl_span){"", 0};
}

static mgl_status make_cell(making *m, uint32_t cell, mgl_error *err)
{
    mgl_dictionary *to = m->out->column.dictionary;
    size_t n = nodes_of(m, cell),
           had = m->order->sets->start[cell + 1] - m->order->sets->start[cell];
    m->text.size = 0;
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            mgl_buffer_span(&m->text, m->cutting->separator);
        mgl_buffer_span(&m->text, m->tree->labels[m->nodes[i]]);
        m->out->rows[m->nodes[i]] += m->rows_of_cell[cell];
    }
    if (n == 0 && had > 0)
        m->out->emptied_rows += m->rows_of_cell[cell];
    m->code_of_cell[cell] = n > 0 ? mgl_dictionary_add(to, (mgl_span){m->text.data, m->text.size})
                                  : mgl_dictionary_add_missing(to, missing_text(m));
    return m->text.failed || m->code_of_cell[cell] == MGL_NOT_FOUND ? mgl_fail_memory(err) : MGL_OK;
}

/* Rows that are not released have the cells that they would have: they are not seen. */
static mgl_status make_codes(making *m, mgl_error *err)
{
    mgl_column *to = &m->out->column;
    uint32_t n = mgl_dictionary_size(to->dictionary);
    if (!mgl_column_widen(to, 0, n > 0 ? n - 1 : 0) || !mgl_column_reserve(to, 0, m->order->n_rows))
        return mgl_fail_memory(err);
    for (size_t row = 0; row < m->order->n_rows; row++)
        mgl_column_set(to, row, m->code_of_cell[mgl_column_code(m->order->column, row)]);
    return MGL_OK;
}

static mgl_status count_items(making *m, mgl_error *err)
{
    const mgl_item_sets *sets = m->order->sets;
    uint32_t n_items = mgl_dictionary_size(sets->items);
    uint64_t *rows;
    MGL_TRY(mgl_new_zeroed(n_items, sizeof *rows, err, &rows));
    for (uint32_t cell = 0; cell < sets->n_cells; cell++)
        for (size_t i = sets->start[cell]; i < sets->start[cell + 1]; i++)
            rows[sets->of_cell[i]] += m->rows_of_cell[cell];
    for (uint32_t item = 0; item < n_items; item++) {
        bool left_out = m->node_of_leaf[m->order->leaf_of_item[item]] == MGL_NOT_FOUND;
        m->out->items += rows[item] > 0;
        m->out->occurrences += rows[item];
        m->out->left_out_items += rows[item] > 0 && left_out;
        m->out->left_out_occurrences += left_out ? rows[item] : 0;
    }
    mgl_free(rows);
    return MGL_OK;
}

static mgl_status begin(making *m, mgl_error *err)
{
    const mgl_column *from = m->order->column;
    mgl_column *to = &m->out->column;
    size_t n_cells = m->order->sets->n_cells, longest = 1;
    *to = (mgl_column){.role = from->role,
                       .source_index = from->source_index,
                       .name = mgl_alloc(strlen(from->name) + 1),
                       .dictionary = mgl_dictionary_new(),
                       .width = 1};
    m->out->rows = mgl_zeroed_array(m->tree->n_nodes, sizeof *m->out->rows);
    m->code_of_cell = mgl_own_array(&m->own, n_cells, sizeof *m->code_of_cell);
    m->rows_of_cell = mgl_own_zeroed(&m->own, n_cells, sizeof *m->rows_of_cell);
    for (size_t c = 0; c < n_cells; c++)
        if (m->order->sets->start[c + 1] - m->order->sets->start[c] > longest)
            longest = m->order->sets->start[c + 1] - m->order->sets->start[c];
    m->nodes = mgl_own_array(&m->own, longest, sizeof *m->nodes);
    m->sorted = mgl_own_array(&m->own, longest, sizeof *m->sorted);
    MGL_TRY(mgl_check_memory(!m->own.missing && to->name != NULL && to->dictionary != NULL &&
                                 m->out->rows != NULL,
                             err));
    strcpy(to->name, from->name);
    for (size_t row = 0; row < m->order->n_rows; row++)
        if (m->order->class_of_row == NULL || m->order->class_of_row[row] != MGL_NOT_FOUND)
            m->rows_of_cell[mgl_column_code(from, row)]++;
    return MGL_OK;
}

mgl_status mgl_item_release_make(const mgl_basket_request *request, const mgl_item_tree *tree,
                                 const uint32_t *node_of_leaf, const mgl_item_cutting *cutting,
                                 mgl_error *err, mgl_item_release *out)
{
    making m = {.order = request,
                .tree = tree,
                .node_of_leaf = node_of_leaf,
                .cutting = cutting,
                .out = out};
    mgl_status status = MGL_OK;
    *out = (mgl_item_release){0};
    MGL_GO(begin(&m, err));
    for (uint32_t cell = 0; cell < request->sets->n_cells; cell++)
        MGL_GO(make_cell(&m, cell, err));
    MGL_GO(make_codes(&m, err));
    MGL_GO(count_items(&m, err));
done:
    mgl_owned_free(&m.own);
    mgl_buffer_free(&m.text);
    if (status != MGL_OK)
        mgl_item_release_free(out);
    return status;
}

void mgl_item_release_free(mgl_item_release *release)
{
    mgl_column_clear(&release->column);
    mgl_free(release->rows);
    *release = (mgl_item_release){0};
}
