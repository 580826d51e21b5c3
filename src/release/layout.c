/* Lays out the rows of a release: which bytes each class has, which cells are passed through, how
 * a record is kept until it is written, and which columns have formulas. */
#include "release/layout.h"

/* ---- Pieces ---------------------------------------------------------------------------------- */

void mgl_layout_put(const mgl_layout *l, mgl_buffer *out, mgl_span value)
{
    mgl_buffer marked = {0};
    if (l->plan->neutralize && mgl_text_is_formula(value)) {
        mgl_buffer_append(&marked, "'", 1); /* never needs quotes */
        mgl_buffer_span(&marked, value);
        value = (mgl_span){marked.data, marked.size};
    }
    if (marked.failed)
        out->failed = true;
    else
        mgl_text_quote(out, value, l->dialect->delimiter, l->plan->n_columns == 1);
    mgl_buffer_free(&marked);
}

/* The label of each released value as it is in the file, quoted where needed. */
static mgl_status quote_labels(mgl_layout *l, size_t c, mgl_error *err)
{
    const mgl_released_column *column = l->plan->recoding->columns[l->attributes[c]];
    mgl_span *quoted = mgl_arena_alloc(l->arena, column->n_values * sizeof *quoted);
    MGL_TRY(mgl_check_memory(quoted != NULL, err));
    mgl_buffer scratch = {0};
    mgl_status status = MGL_OK;
    for (uint32_t v = 0; status == MGL_OK && v < column->n_values; v++) {
        scratch.size = 0;
        mgl_layout_put(l, &scratch, column->values[v].label);
        char *copy = scratch.failed ? NULL : mgl_arena_copy(l->arena, scratch.data, scratch.size);
        quoted[v] = (mgl_span){copy, scratch.size};
        status = copy == NULL ? mgl_fail_memory(err) : MGL_OK;
    }
    mgl_buffer_free(&scratch);
    l->labels[c] = quoted;
    return status;
}

static mgl_status find_pieces(mgl_layout *l, mgl_error *err)
{
    const mgl_row_plan *plan = l->plan;
    size_t n = plan->n_columns;
    l->pieces = mgl_arena_alloc(l->arena, n * sizeof *l->pieces);
    l->labels = mgl_arena_alloc(l->arena, n * sizeof(mgl_span *));
    l->attributes = mgl_arena_alloc(l->arena, n * sizeof *l->attributes);
    MGL_TRY(mgl_check_memory(l->pieces != NULL && l->labels != NULL && l->attributes != NULL, err));
    for (size_t c = 0; c < n; c++) {
        bool recoded = false;
        l->labels[c] = NULL;
        for (size_t a = 0; a < plan->n_quasi; a++)
            if (plan->quasi[a].column->source_index == plan->columns[c]) {
                l->attributes[c] = a;
                recoded = true;
            }
        if (recoded)
            MGL_TRY(quote_labels(l, c, err));
        mgl_piece *last = &l->pieces[l->n_pieces - (l->n_pieces > 0)];
        bool goes_on = l->n_pieces > 0 && last->recoded == recoded &&
                       (recoded || plan->columns[c] == plan->columns[c - 1] + 1);
        if (goes_on) {
            last->n++;
            continue;
        }
        l->pieces[l->n_pieces++] = (mgl_piece){.first = c, .n = 1, .recoded = recoded};
        l->n_runs += recoded;
        l->n_spans += !recoded;
    }
    return MGL_OK;
}

static size_t end_size(const mgl_layout *l, const mgl_piece *piece)
{
    if (l->packed)
        return 0;
    return piece == &l->pieces[l->n_pieces - 1] && l->dialect->crlf ? 2 : 1;
}

/* Writes what follows a piece: a delimiter, or the end of the line. */
static inline char *write_end(const mgl_layout *l, const mgl_piece *piece, char *at)
{
    if (l->packed)
        return at;
    if (piece != &l->pieces[l->n_pieces - 1]) {
        *at++ = l->dialect->delimiter;
        return at;
    }
    if (l->dialect->crlf)
        *at++ = '\r';
    *at++ = '\n';
    return at;
}

bool mgl_layout_header(const mgl_layout *l, mgl_buffer *out)
{
    for (size_t c = 0; c < l->plan->n_columns; c++) {
        if (c > 0)
            mgl_buffer_append(out, &l->dialect->delimiter, 1);
        mgl_layout_put(l, out,
                       mgl_span_of(mgl_source_column(l->plan->source, l->plan->columns[c])));
    }
    mgl_buffer_text(out, l->dialect->crlf ? "\r\n" : "\n");
    return !out->failed;
}

/* ---- The bytes of the classes ---------------------------------------------------------------- */

static const mgl_span *label_of(const mgl_layout *l, uint32_t class, size_t c)
{
    uint32_t tuple = l->classes->first[class];
    return &l->labels[c][l->plan->recoding->cells[l->attributes[c]][tuple]];
}

static size_t run_size(const mgl_layout *l, uint32_t class, const mgl_piece *run)
{
    size_t size = run->n - 1 + end_size(l, run);
    for (size_t i = 0; i < run->n; i++)
        size += label_of(l, class, run->first + i)->size;
    return size;
}

static char *write_run(const mgl_layout *l, uint32_t class, const mgl_piece *run, char *at)
{
    for (size_t i = 0; i < run->n; i++) {
        const mgl_span *label = label_of(l, class, run->first + i);
        memcpy(at, label->data, label->size);
        at += label->size;
        if (i + 1 < run->n)
            *at++ = l->dialect->delimiter;
    }
    return write_end(l, run, at);
}

enum { CLASSES_AT_ONCE = 1024 }; /* that a thread makes the bytes of */

typedef struct byte_maker {
    mgl_layout *layout;
    uint64_t *starts; /* [item] of its bytes: how many there are at first */
} byte_maker;

static uint32_t end_of_item(const mgl_layout *l, size_t item)
{
    size_t end = (item + 1) * CLASSES_AT_ONCE, n = l->classes->n_classes;
    return (uint32_t)(end < n ? end : n);
}

static void measure_classes(void *context, size_t item, unsigned worker)
{
    const byte_maker *m = context;
    const mgl_layout *l = m->layout;
    uint64_t size = 0;
    (void)worker;
    for (uint32_t class = (uint32_t)item * CLASSES_AT_ONCE; class < end_of_item(l, item); class ++)
        for (size_t p = 0; p < l->n_pieces; p++)
            size += l->pieces[p].recoded ? run_size(l, class, &l->pieces[p]) : 0;
    m->starts[item] = size;
}

static void write_classes(void *context, size_t item, unsigned worker)
{
    const byte_maker *m = context;
    const mgl_layout *l = m->layout;
    char *at = l->bytes + m->starts[item];
    size_t i = item * CLASSES_AT_ONCE * l->n_runs;
    (void)worker;
    for (uint32_t class = (uint32_t)item * CLASSES_AT_ONCE; class < end_of_item(l, item); class ++)
        for (size_t p = 0; p < l->n_pieces; p++)
            if (l->pieces[p].recoded) {
                l->starts[i++] = (uint64_t)(at - l->bytes);
                at = write_run(l, class, &l->pieces[p], at);
            }
}

static mgl_status write_bytes(byte_maker *m, size_t items, uint64_t size, mgl_error *err)
{
    mgl_layout *l = m->layout;
    size_t n_starts = l->classes->n_classes * l->n_runs;
    l->starts = mgl_alloc_array(n_starts + 1, sizeof *l->starts);
    l->bytes = mgl_alloc((size_t)size + MGL_ROW_MARGIN);
    MGL_TRY(mgl_check_memory(l->starts != NULL && l->bytes != NULL, err));
    mgl_pool_run(l->plan->pool, items, write_classes, m);
    l->starts[n_starts] = size;
    return MGL_OK;
}

static mgl_status make_bytes(mgl_layout *l, uint64_t memory, mgl_error *err)
{
    size_t n = l->classes->n_classes, items = (n + CLASSES_AT_ONCE - 1) / CLASSES_AT_ONCE;
    byte_maker m = {l, mgl_alloc_array(items + 1, sizeof *m.starts)};
    uint64_t size = 0;
    MGL_TRY(mgl_check_memory(m.starts != NULL, err));
    mgl_pool_run(l->plan->pool, items, measure_classes, &m);
    for (size_t i = 0; i < items; i++) {
        uint64_t more = m.starts[i];
        m.starts[i] = size;
        size += more;
    }
    bool fits = size + n * l->n_runs * sizeof *l->starts <= memory;
    mgl_status status = fits ? write_bytes(&m, items, size, err) : MGL_OK;
    mgl_free(m.starts);
    return status;
}

mgl_status mgl_release_classes(const mgl_row_plan *plan, mgl_error *err, mgl_classes *out)
{
    const mgl_recoding *recoding = plan->recoding;
    size_t m = recoding->n_attributes;
    if (plan->classes != NULL)
        return mgl_classes_copy(plan->classes, err, out);
    uint32_t *n_values = mgl_alloc_array(m, sizeof *n_values);
    mgl_status status = MGL_OK;
    if (n_values == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t a = 0; a < m; a++)
        n_values[a] = recoding->columns[a]->n_values;
    MGL_GO(mgl_classes_init(out, recoding->n_tuples, m, err));
    mgl_cells_to_group all = {.cells = recoding->cells,
                              .n_values = n_values,
                              .n_attributes = m,
                              .counts = plan->list->counts};
    mgl_classes_group_shared(out, &all, plan->pool);
done:
    mgl_free(n_values);
    return status;
}

static mgl_status find_line(mgl_layout *l, mgl_error *err)
{
    l->pieces = mgl_arena_alloc(l->arena, sizeof *l->pieces);
    MGL_TRY(mgl_check_memory(l->pieces != NULL, err));
    l->pieces[0] = (mgl_piece){.n = 1};
    l->n_pieces = l->n_spans = 1;
    return MGL_OK;
}

mgl_status mgl_layout_init(mgl_layout *layout, const mgl_row_plan *plan, bool packed,
                           uint64_t memory, mgl_error *err)
{
    *layout =
        (mgl_layout){.plan = plan, .dialect = mgl_source_dialect(plan->source), .packed = packed};
    layout->arena = mgl_arena_new();
    MGL_TRY(mgl_check_memory(layout->arena != NULL, err));
    if (packed)
        return find_line(layout, err);
    MGL_TRY(find_pieces(layout, err));
    if (!plan->neutralize) {
        layout->run = mgl_arena_alloc(layout->arena, plan->n_columns * sizeof *layout->run);
        MGL_TRY(mgl_check_memory(layout->run != NULL, err));
        for (size_t c = 0; c < plan->n_columns; c++)
            atomic_init(&layout->run[c], false);
    }
    layout->classes = plan->classes;
    if (layout->classes == NULL) {
        MGL_TRY(mgl_release_classes(plan, err, &layout->own));
        layout->classes = &layout->own;
    }
    return make_bytes(layout, memory, err);
}

void mgl_layout_free(mgl_layout *layout)
{
    mgl_classes_free(&layout->own);
    mgl_free(layout->starts);
    mgl_free(layout->bytes);
    mgl_arena_free(layout->arena);
    *layout = (mgl_layout){0};
}

/* ---- Records --------------------------------------------------------------------------------- */

static const mgl_field *fields_of(const mgl_layout *l, const mgl_piece *span,
                                  const mgl_field *fields)
{
    return fields + l->plan->columns[span->first];
}

static size_t span_size(const mgl_piece *span, const mgl_field *field)
{
    size_t size = span->n - 1;
    for (size_t i = 0; i < span->n; i++)
        size += field[i].size;
    return size;
}

/* True if the bytes of the span in the source are those of the release. */
static bool is_whole(const mgl_piece *span, const mgl_field *field, char delimiter)
{
    for (size_t i = 0; i + 1 < span->n; i++)
        if (field[i].data + field[i].size + 1 != field[i + 1].data ||
            field[i].data[field[i].size] != delimiter)
            return false;
    return true;
}

static size_t head_size(const mgl_layout *l)
{
    return (1 + (l->plan->tag != NULL) + l->n_spans) * sizeof(uint32_t);
}

size_t mgl_record_size(const mgl_layout *l, const mgl_field *fields)
{
    size_t size = head_size(l);
    for (size_t p = 0; l->n_spans > 0 && p < l->n_pieces; p++)
        if (!l->pieces[p].recoded)
            size += span_size(&l->pieces[p], fields_of(l, &l->pieces[p], fields));
    return size;
}

static char *put(char *at, uint32_t number)
{
    memcpy(at, &number, sizeof number);
    return at + sizeof number;
}

static uint32_t get(const char *at)
{
    uint32_t number;
    memcpy(&number, at, sizeof number);
    return number;
}

size_t mgl_record_line_size(const mgl_layout *l, size_t line)
{
    return head_size(l) + line;
}

void mgl_record_make_line(const mgl_layout *l, uint32_t tag, const char *line, size_t size,
                          char *out)
{
    char *head = put(out, 0);
    if (l->plan->tag != NULL)
        head = put(head, tag);
    put(head, (uint32_t)size);
    memcpy(out + head_size(l), line, size);
}

void mgl_record_make(const mgl_layout *l, uint32_t class, uint32_t tag, const mgl_field *fields,
                     char *out)
{
    char *head = put(out, class), *at = out + head_size(l), delimiter = l->dialect->delimiter;
    if (l->plan->tag != NULL)
        head = put(head, tag);
    for (size_t p = 0; l->n_spans > 0 && p < l->n_pieces; p++) {
        const mgl_piece *span = &l->pieces[p];
        if (span->recoded)
            continue;
        const mgl_field *field = fields_of(l, span, fields);
        size_t size = span_size(span, field);
        head = put(head, (uint32_t)size);
        if (is_whole(span, field, delimiter)) {
            memcpy(at, field[0].data, size);
            at += size;
            continue;
        }
        for (size_t i = 0; i < span->n; i++) {
            memcpy(at, field[i].data, field[i].size);
            at += field[i].size;
            if (i + 1 < span->n)
                *at++ = delimiter;
        }
    }
}

mgl_record mgl_record_read(const mgl_layout *l, const char *record)
{
    bool has_tag = l->plan->tag != NULL;
    mgl_record r = {.class = get(record),
                    .tag = has_tag ? get(record + sizeof(uint32_t)) : 0,
                    .lengths = record + (1 + has_tag) * sizeof(uint32_t)};
    for (size_t s = 0; s < l->n_spans; s++)
        r.span_bytes += get(r.lengths + s * sizeof(uint32_t));
    r.bytes = r.lengths + l->n_spans * sizeof(uint32_t);
    r.size = head_size(l) + r.span_bytes;
    return r;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

size_t mgl_row_size(const mgl_layout *l, const mgl_record *record)
{
    size_t size = record->span_bytes;
    for (size_t p = 0; l->n_spans > 0 && p < l->n_pieces; p++)
        size += l->pieces[p].recoded ? 0 : end_size(l, &l->pieces[p]);
    if (l->starts != NULL)
        return size + (size_t)(l->starts[(record->class + 1) * l->n_runs] -
                               l->starts[record->class * l->n_runs]);
    for (size_t p = 0; p < l->n_pieces; p++)
        size += l->pieces[p].recoded ? run_size(l, record->class, &l->pieces[p]) : 0;
    return size;
}

/* Copies a few bytes more than asked for. */
static inline char *copy_over(char *to, const char *from, size_t n)
{
    for (size_t i = 0; i < n; i += MGL_ROW_MARGIN)
        memcpy(to + i, from + i, MGL_ROW_MARGIN);
    return to + n;
}

char *mgl_row_write(const mgl_layout *l, const mgl_record *record, char *at)
{
    const uint64_t *start = l->starts != NULL ? l->starts + record->class * l->n_runs : NULL;
    const char *lengths = record->lengths, *bytes = record->bytes;
    for (size_t p = 0; p < l->n_pieces; p++) {
        const mgl_piece *piece = &l->pieces[p];
        if (!piece->recoded) {
            size_t size = get(lengths);
            lengths += sizeof(uint32_t);
            at = write_end(l, piece, copy_over(at, bytes, size));
            bytes += size;
        } else if (start != NULL) {
            at = copy_over(at, l->bytes + start[0], (size_t)(start[1] - start[0]));
            start++;
        } else {
            at = write_run(l, record->class, piece, at);
        }
    }
    return at;
}

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
