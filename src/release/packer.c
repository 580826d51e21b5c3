/* Collects the rows of a release for a sink that must know types and widths before it writes. */
#include "release/packer.h"

/* What is known about a column of the release, and where its cells come from. */
typedef struct packed {
    size_t field;         /* of the record */
    size_t attribute;     /* SIZE_MAX: passed through */
    uint8_t *used;        /* [released value] */
    mgl_map *labelled;    /* values that have a label; NULL: none has */
    uint8_t *labels_used; /* [value in the map] it occurs in the release */
} packed;

struct mgl_packer {
    const mgl_row_plan *plan;
    mgl_sink_column *columns;
    packed *sources; /* [columns] */
    mgl_arena *arena;
    mgl_buffer scratch;
    int file;
};

/* Zeros behind the decimal point change no number: 118.30 is 118.3. */
static mgl_span without_zeros(mgl_span cell)
{
    if (memchr(cell.data, '.', cell.size) == NULL || memchr(cell.data, 'e', cell.size) != NULL)
        return cell;
    while (cell.size > 0 && cell.data[cell.size - 1] == '0')
        cell.size--;
    if (cell.size > 0 && cell.data[cell.size - 1] == '.')
        cell.size--;
    return cell;
}

/* Is the number written as a file of numbers would show it again? 007 and +5 are not. */
static bool is_number(mgl_span cell, bool exact, bool *whole)
{
    double value;
    char text[MGL_NUMBER_TEXT];
    if (!mgl_parse_double(cell, &value))
        return false;
    size_t size = mgl_number_write_exact(value, text);
    *whole = memchr(text, '.', size) == NULL && memchr(text, 'e', size) == NULL;
    return mgl_span_equal(exact ? cell : without_zeros(cell), (mgl_span){text, size});
}

/* exact: the cell must read back just as it is. */
static void look_at(const mgl_row_plan *plan, mgl_sink_column *column, mgl_span cell, bool exact)
{
    bool whole = column->whole;
    double seconds;
    column->longest = cell.size > column->longest ? cell.size : column->longest;
    column->padded |= exact && cell.size > 0 && cell.data[cell.size - 1] == ' ';
    bool any = column->numbers || column->dates || column->datetimes || column->json_numbers ||
               column->booleans;
    if (!any || mgl_spans_have(plan->missing, plan->n_missing, cell))
        return;
    column->json_numbers = column->json_numbers && mgl_jsonl_is_number(cell);
    column->booleans =
        column->booleans && (mgl_span_is(cell, "true") || mgl_span_is(cell, "false"));
    column->numbers = column->numbers && is_number(cell, exact, &whole);
    column->whole = column->whole && column->numbers && whole;
    column->dates = column->dates && mgl_date_read(cell, &seconds);
    column->datetimes = column->datetimes && mgl_datetime_read(cell, &seconds);
}

/* Labels are kept of values that occur in the release; a changed column has other values. */
static mgl_status set_up_labels(mgl_packer *packer, size_t c, mgl_error *err)
{
    const mgl_column_meta *meta = packer->columns[c].meta;
    packed *source = &packer->sources[c];
    if (meta == NULL || meta->labels.n == 0 || mgl_is_changed(packer->plan, c))
        return MGL_OK;
    source->labelled = mgl_map_new();
    source->labels_used = mgl_arena_alloc(packer->arena, meta->labels.n);
    MGL_TRY(mgl_check_memory(source->labelled != NULL && source->labels_used != NULL, err));
    memset(source->labels_used, 0, meta->labels.n);
    for (size_t i = 0; i < meta->labels.n; i++)
        if (mgl_map_add(source->labelled, meta->labels.list[i].value) == MGL_NOT_FOUND)
            return mgl_fail_memory(err);
    return MGL_OK;
}

static void use_label(const packed *source, mgl_span cell)
{
    uint32_t number =
        source->labelled != NULL ? mgl_map_find(source->labelled, cell) : MGL_NOT_FOUND;
    if (number != MGL_NOT_FOUND)
        source->labels_used[number] = 1;
}

/* A single cell that is not released can change what was found out of its column. */
static const mgl_column_meta *known_of(const mgl_row_plan *plan, size_t field)
{
    const mgl_column_meta *meta = mgl_source_meta(plan->source, field);
    return meta != NULL && meta->found && plan->by_release ? NULL : meta;
}

static mgl_status set_up_column(mgl_packer *packer, size_t c, mgl_error *err)
{
    const mgl_row_plan *plan = packer->plan;
    size_t field = plan->columns[c];
    packed *source = &packer->sources[c];
    *source = (packed){.field = field, .attribute = SIZE_MAX};
    for (size_t a = 0; a < plan->n_quasi; a++)
        if (plan->quasi[a].column->source_index == field)
            source->attribute = a;
    packer->columns[c] = (mgl_sink_column){
        .name = mgl_source_column(plan->source, field),
        .meta = known_of(plan, field),
        .recoded = source->attribute != SIZE_MAX,
        .as_is = source->attribute == SIZE_MAX &&
                 (plan->respelled == NULL || plan->respelled[c] == NULL),
        .exact = plan->roles[field] != MGL_ROLE_INSENSITIVE || mgl_is_changed(plan, c),
        .numbers = true,
        .whole = true,
        .dates = true,
        .datetimes = true,
        .json_numbers = true,
        .booleans = true};
    MGL_TRY(set_up_labels(packer, c, err));
    if (source->attribute == SIZE_MAX)
        return MGL_OK;
    size_t n = plan->recoding->columns[source->attribute]->n_values;
    source->used = mgl_arena_alloc(packer->arena, n);
    MGL_TRY(mgl_check_memory(source->used != NULL, err));
    memset(source->used, 0, n);
    return MGL_OK;
}

static mgl_status set_up(mgl_packer *packer, mgl_error *err)
{
    size_t n = packer->plan->n_columns;
    packer->arena = mgl_arena_new();
    MGL_TRY(mgl_check_memory(packer->arena != NULL, err));
    packer->columns = mgl_arena_alloc(packer->arena, n * sizeof *packer->columns);
    packer->sources = mgl_arena_alloc(packer->arena, n * sizeof *packer->sources);
    if (packer->sources != NULL)
        memset(packer->sources, 0, n * sizeof *packer->sources);
    MGL_TRY(mgl_check_memory(packer->columns != NULL && packer->sources != NULL, err));
    for (size_t c = 0; c < n; c++)
        MGL_TRY(set_up_column(packer, c, err));
    packer->file = mgl_sys_spool();
    return packer->file >= 0 ? MGL_OK : mgl_fail_temporary(err, "create");
}

mgl_status mgl_packer_new(const mgl_row_plan *plan, mgl_error *err, mgl_packer **out)
{
    mgl_packer *packer = mgl_zeroed_array(1, sizeof *packer);
    MGL_TRY(mgl_check_memory(packer != NULL, err));
    packer->plan = plan;
    packer->file = -1;
    mgl_status status = set_up(packer, err);
    if (status != MGL_OK) {
        mgl_packer_free(packer);
        return status;
    }
    *out = packer;
    return MGL_OK;
}

void mgl_packer_free(mgl_packer *packer)
{
    if (packer == NULL)
        return;
    mgl_sys_close(packer->file);
    mgl_buffer_free(&packer->scratch);
    for (size_t c = 0; packer->sources != NULL && c < packer->plan->n_columns; c++)
        mgl_map_free(packer->sources[c].labelled);
    mgl_arena_free(packer->arena);
    mgl_free(packer);
}

int mgl_packer_file(const mgl_packer *packer)
{
    return packer->file;
}

bool mgl_packer_row(mgl_packer *packer, const mgl_field *fields, const uint32_t *cells,
                    mgl_buffer *line)
{
    const mgl_row_plan *plan = packer->plan;
    line->size = 0;
    for (size_t c = 0; c < plan->n_columns; c++) {
        const packed *source = &packer->sources[c];
        if (source->attribute != SIZE_MAX) {
            uint32_t value = cells[source->attribute];
            source->used[value] = 1;
            mgl_cells_put(line, plan->recoding->columns[source->attribute]->values[value].label);
            continue;
        }
        packer->scratch.size = 0;
        mgl_span cell = mgl_field_value(fields[source->field], &packer->scratch);
        look_at(plan, &packer->columns[c], cell, packer->columns[c].exact);
        use_label(source, cell);
        mgl_cells_put(line, cell);
    }
    return !packer->scratch.failed && !line->failed;
}

/* A code that now has another meaning must not keep its label, and a label of a value that was not
 * released discloses that it occurred: labels stay with ground values that were released. */
static mgl_status keep_labels(mgl_packer *packer, size_t c, mgl_error *err)
{
    mgl_sink_column *column = &packer->columns[c];
    const packed *source = &packer->sources[c];
    if (source->labelled == NULL)
        return MGL_OK;
    const mgl_value_labels *all = &column->meta->labels;
    mgl_value_label *kept = mgl_arena_alloc(packer->arena, all->n * sizeof *kept);
    MGL_TRY(mgl_check_memory(kept != NULL, err));
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++)
        if (source->labels_used[mgl_map_find(source->labelled, all->list[i].value)])
            kept[n++] = all->list[i];
    column->labels = (mgl_value_labels){kept, n};
    return MGL_OK;
}

static mgl_status finish_columns(mgl_packer *packer, mgl_error *err)
{
    const mgl_row_plan *plan = packer->plan;
    for (size_t c = 0; c < plan->n_columns; c++) {
        const packed *source = &packer->sources[c];
        if (source->attribute != SIZE_MAX) {
            const mgl_released_column *released = plan->recoding->columns[source->attribute];
            for (uint32_t v = 0; v < released->n_values; v++) {
                if (!source->used[v])
                    continue;
                look_at(plan, &packer->columns[c], released->values[v].label, true);
                if (released->values[v].level == 0)
                    use_label(source, released->values[v].label);
            }
        }
        MGL_TRY(keep_labels(packer, c, err));
    }
    return MGL_OK;
}

mgl_status mgl_packer_deliver(mgl_packer *packer, const mgl_stage *stage, const char *target,
                              uint64_t n_rows, mgl_error *err)
{
    const mgl_row_plan *plan = packer->plan;
    const mgl_stage *beside = mgl_stage_beside(stage);
    mgl_sink_request request = {.path = mgl_stage_path(stage),
                                .fd = mgl_stage_fd(stage),
                                .target = target,
                                .beside = beside != NULL ? mgl_stage_fd(beside) : -1,
                                .columns = packer->columns,
                                .n_columns = plan->n_columns,
                                .n_rows = n_rows,
                                .missing = plan->missing,
                                .n_missing = plan->n_missing,
                                .warnings = plan->warnings,
                                .threads = mgl_pool_threads(plan->pool),
                                .memory = plan->memory};
    MGL_TRY(finish_columns(packer, err));
    MGL_TRY(mgl_cell_reader_new(packer->file, plan->n_columns, err, &request.rows));
    mgl_status status = mgl_sink_write(plan->format, &request, err);
    mgl_cell_reader_free(request.rows);
    return status;
}
