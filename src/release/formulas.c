/* Looks for released cells that a spreadsheet would compute, and warns of them where the job does
 * not neutralize them. */
#include "release/layout.h"

static void note(const mgl_layout *l, size_t c)
{
    atomic_store_explicit(&l->run[c], true, memory_order_relaxed);
}

static bool is_noted(const mgl_layout *l, size_t c)
{
    return atomic_load_explicit(&l->run[c], memory_order_relaxed);
}

/* One look at the first byte decides for nearly all cells. 0xEF begins the signs in full width. */
static bool may_be_run(const mgl_field *field)
{
    if (field->size <= field->quoted)
        return false;
    switch ((unsigned char)field->data[field->quoted]) {
    case '=':
    case '+':
    case '-':
    case '@':
    case '\t':
    case '\r':
    case '\n':
    case 0xEF:
        return true;
    default:
        return false;
    }
}

void mgl_formulas_note(const mgl_layout *l, const mgl_field *fields)
{
    for (size_t p = 0; l->run != NULL && l->n_spans > 0 && p < l->n_pieces; p++) {
        const mgl_piece *piece = &l->pieces[p];
        for (size_t i = 0; !piece->recoded && i < piece->n; i++) {
            size_t c = piece->first + i;
            const mgl_field *field = &fields[l->plan->columns[c]];
            mgl_span text = {field->data + field->quoted, field->size - 2 * field->quoted};
            if (may_be_run(field) && !is_noted(l, c) && mgl_text_is_run(text))
                note(l, c);
        }
    }
}

void mgl_formulas_note_labels(const mgl_layout *l)
{
    const mgl_recoding *recoding = l->plan->recoding;
    for (size_t c = 0; l->run != NULL && c < l->plan->n_columns; c++) {
        if (l->labels[c] == NULL)
            continue;
        const mgl_released_column *column = recoding->columns[l->attributes[c]];
        const uint32_t *cells = recoding->cells[l->attributes[c]];
        bool any = false;
        for (uint32_t v = 0; !any && v < column->n_values; v++)
            any = mgl_text_is_run(column->values[v].label);
        /* Not every label is released. */
        for (size_t class = 0; any && !is_noted(l, c) && class < l->classes->n_classes; class ++)
            if (mgl_text_is_run(column->values[cells[l->classes->first[class]]].label))
                note(l, c);
    }
}

void mgl_formulas_warn(const mgl_layout *l, mgl_buffer *warnings)
{
    enum { NAMED = 3 };
    size_t n = 0;
    for (size_t c = 0; l->run != NULL && c < l->plan->n_columns; c++) {
        const char *name = mgl_source_column(l->plan->source, l->plan->columns[c]);
        mgl_span text = mgl_span_of(name);
        bool header = l->dialect->header && mgl_text_is_run(text);
        if ((!is_noted(l, c) && !header) || n++ >= NAMED)
            continue;
        mgl_buffer_format(warnings, "%s%.*s", n == 1 ? "formula-cells\tcolumn " : ", ",
                          mgl_span_width(text), name);
    }
    if (n > NAMED)
        mgl_buffer_format(warnings, " and %zu more", n - NAMED);
    if (n > 0)
        mgl_buffer_format(warnings,
                          ": cells begin like formulas (= + - @), and a spreadsheet that opens the "
                          "release would compute them; give `neutralize`%c",
                          '\0');
}
