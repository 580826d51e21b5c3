/* Reads sheets of Excel workbooks as sources. */
#include "io/intake/intake.h"
#include "io/xlsx/xlsx.h"

#ifdef MGL_XLSX
#include "io/xlsx/book.h"

#include <stdio.h>
#include <strings.h>

/* What the cells of a column are; bits of mgl_cell_look. */
typedef struct kinds {
    bool texts;
    unsigned cells, alike; /* kinds of cells there are, and those that texts look like */
} kinds;

typedef struct workbook {
    mgl_workbook book;
    mgl_arena *arena;
    char *path;
    const mgl_sheet *sheet;
    uint32_t header, first_row; /* of the header and of the data; header 0 if absent */
    uint32_t left, right;       /* columns of the table, both included */
    uint32_t last_row;          /* with data, of the pass at work */
    int rows;                   /* private file with all rows, after the first pass; else -1 */
    kinds *kinds;               /* [columns] */
    mgl_column_meta *meta;      /* [columns] */
} workbook;

/* ---- Which sheet ---------------------------------------------------------------------------- */

/* The sheets that can be read, as a list for messages. */
static void list_sheets(const mgl_workbook *book, const bool *listed, mgl_buffer *out)
{
    bool any = false;
    for (size_t i = 0; i < book->n_sheets && out->size < 600; i++) {
        const mgl_sheet *sheet = &book->sheets[i];
        if (sheet->entry < 0 || (listed != NULL && !listed[i]))
            continue;
        mgl_buffer_format(out, "%s%.60s%s", any ? ", " : "", sheet->name,
                          sheet->hidden ? " (hidden)" : "");
        any = true;
    }
    mgl_buffer_append(out, "", 1);
}

static mgl_status fail_sheet(const workbook *w, const bool *listed, const char *what,
                             mgl_error *err)
{
    mgl_buffer names = {0};
    list_sheets(&w->book, listed, &names);
    mgl_status status = names.failed ? mgl_fail_memory(err)
                                     : mgl_fail_at(err, MGL_CODE_FORMAT, w->path, 0, "%s: %s", what,
                                                   names.size > 1 ? names.data : "none");
    mgl_buffer_free(&names);
    return status;
}

/* As Excel does: whatever the case of the letters, but the very name first. */
static mgl_status find_sheet(workbook *w, const char *name, mgl_error *err)
{
    const mgl_workbook *book = &w->book;
    for (size_t i = 0; i < book->n_sheets; i++)
        if (strcmp(book->sheets[i].name, name) == 0)
            w->sheet = &book->sheets[i];
    for (size_t i = 0; w->sheet == NULL && i < book->n_sheets; i++)
        if (strcasecmp(book->sheets[i].name, name) == 0)
            w->sheet = &book->sheets[i];
    if (w->sheet != NULL && w->sheet->entry >= 0)
        return MGL_OK;
    char what[160];
    snprintf(what, sizeof what,
             w->sheet != NULL ? "the sheet '%.60s' holds no cells but a chart; the others are"
                              : "there is no sheet '%.60s'; choose one of those there are",
             name);
    return fail_sheet(w, NULL, what, err);
}

/* Those with data: more than a row, or any if none has more, so that a sheet that has only a header
 * is no second one. */
static mgl_status find_filled(workbook *w, mgl_error *err, bool *filled)
{
    mgl_workbook *book = &w->book;
    size_t most = 0;
    for (size_t i = 0; i < book->n_sheets; i++) {
        size_t rows;
        MGL_TRY(mgl_sheet_rows(book, &book->sheets[i], err, &rows));
        for (size_t before = 0; rows > most && before < i; before++)
            filled[before] = false;
        most = rows > most ? rows : most;
        filled[i] = rows > 0 && rows == most;
    }
    return MGL_OK;
}

/* The only one with data among those that Excel shows. */
static mgl_status choose_sheet(workbook *w, mgl_error *err, bool *filled)
{
    mgl_workbook *book = &w->book;
    size_t n_shown = 0, n_filled = 0, n_others = 0;
    MGL_TRY(find_filled(w, err, filled));
    for (size_t i = 0; i < book->n_sheets; i++) {
        const mgl_sheet *sheet = &book->sheets[i];
        n_others += sheet->entry < 0; /* charts */
        n_filled += filled[i];
        if (!filled[i] || sheet->hidden)
            continue;
        w->sheet = sheet;
        n_shown++;
    }
    if (n_shown == 1)
        return MGL_OK;
    if (n_filled == 0)
        return mgl_fail_at(err, MGL_CODE_EMPTY_TABLE, w->path, 0,
                           "%s; a table needs a header and at least one row",
                           n_others > 0 ? "no sheet of the workbook holds cells, but charts may be "
                                          "there"
                                        : "the workbook is empty");
    size_t first = 0;
    while (!filled[first] || (n_shown > 0 && book->sheets[first].hidden))
        first++;
    const char *slash = strrchr(w->path, '/');
    char what[240];
    snprintf(what, sizeof what, "%s hold data; choose one as in %.100s#%.60s",
             n_shown > 1 ? "several sheets" : "only hidden sheets",
             slash != NULL ? slash + 1 : w->path, book->sheets[first].name);
    return fail_sheet(w, filled, what, err);
}

static mgl_status open_sheet(workbook *w, const char *wanted, mgl_error *err)
{
    if (wanted != NULL)
        return find_sheet(w, wanted, err);
    bool *filled = mgl_zeroed_array(w->book.n_sheets, sizeof *filled);
    MGL_TRY(mgl_check_memory(filled != NULL, err));
    mgl_status status = choose_sheet(w, err, filled);
    mgl_free(filled);
    return status;
}

/* ---- Opening: the columns -------------------------------------------------------------------- */

/* The beginning of a sheet: its first two rows with data, and more if the first is judged. */
typedef struct opening {
    mgl_source *source;
    workbook *w;
    mgl_sheet_pass *pass;
    mgl_span *header;
    uint32_t n_header, first;
    mgl_first_lines *lines; /* NULL: the job states whether there is a header */
} opening;

/* Keeps the names: the row is gone when the next one comes. */
static mgl_status keep_header(opening *o, const mgl_sheet_cell *cells, size_t n, mgl_error *err)
{
    o->first = cells[0].column;
    o->n_header = cells[n - 1].column - o->first + 1;
    o->header = mgl_arena_alloc(o->w->arena, o->n_header * sizeof *o->header);
    MGL_TRY(mgl_check_memory(o->header != NULL, err));
    memset(o->header, 0, o->n_header * sizeof *o->header);
    for (size_t i = 0; i < n; i++) {
        mgl_span *name = &o->header[cells[i].column - o->first];
        *name = (mgl_span){mgl_arena_copy(o->w->arena, cells[i].text.data, cells[i].text.size),
                           cells[i].text.size};
        MGL_TRY(mgl_check_memory(name->data != NULL, err));
    }
    return MGL_OK;
}

/* Adds a row to those that the first one is compared with. */
static mgl_status add_line(opening *o, const mgl_sheet_cell *cells, size_t n)
{
    bool wanted = o->lines != NULL;
    for (size_t i = 0; wanted && i < n; i++)
        if (cells[i].column >= o->first)
            mgl_first_lines_put(o->lines, cells[i].column - o->first, cells[i].text);
    wanted = wanted && mgl_first_lines_next(o->lines);
    o->pass->enough = !wanted && o->w->first_row != 0;
    return MGL_OK;
}

static mgl_status look_at_row(void *context, uint32_t row, const mgl_sheet_cell *cells, size_t n,
                              mgl_error *err)
{
    opening *o = context;
    workbook *w = o->w;
    uint32_t left = cells[0].column, right = cells[n - 1].column;
    if (w->header == 0 && !o->source->numbered) {
        w->header = row;
        w->left = left;
        w->right = right;
        MGL_TRY(keep_header(o, cells, n, err));
        if (o->source->options->judges_header)
            MGL_TRY(mgl_first_lines_new(o->source->options, o->n_header, err, &o->lines));
        return add_line(o, cells, n);
    }
    if (w->first_row != 0)
        return add_line(o, cells, n);
    bool alone = w->header == 0;
    w->first_row = row;
    w->left = alone || left < w->left ? left : w->left;
    w->right = alone || right > w->right ? right : w->right;
    return add_line(o, cells, n);
}

static mgl_status name_columns(opening *o, mgl_error *err)
{
    const workbook *w = o->w;
    for (uint32_t c = w->left; c <= w->right; c++) {
        bool named = c >= o->first && c - o->first < o->n_header;
        mgl_span name = named ? o->header[c - o->first] : (mgl_span){"", 0};
        if (name.size > 0 && (mgl_utf8_valid(name.data, name.size) != name.size ||
                              memchr(name.data, '\0', name.size) != NULL))
            return mgl_sheet_fail(o->source->name, w->header, c,
                                  "the name of the column is no text; rename it", err);
        MGL_TRY(mgl_source_name_column(o->source, name, w->header, err));
    }
    return MGL_OK;
}

static mgl_sheet_pass pass_of(mgl_source *source, mgl_sheet_row_fn *take, void *context)
{
    workbook *w = source->state;
    return (mgl_sheet_pass){.book = &w->book,
                            .sheet = w->sheet,
                            .name = source->name,
                            .missing = source->options->missing,
                            .n_missing = source->options->n_missing,
                            .take = take,
                            .context = context};
}

static mgl_status read_first_rows(mgl_source *source, opening *o, mgl_error *err)
{
    mgl_sheet_pass pass = pass_of(source, look_at_row, o);
    *o = (opening){.source = source, .w = source->state, .pass = &pass};
    mgl_status status = mgl_sheet_read(&pass, err);
    o->pass = NULL;
    return status;
}

/* Rows further down that cannot be read are reported when the table is. */
static mgl_status judge_header(mgl_source *source, opening *o, mgl_error *err)
{
    workbook *w = source->state;
    if (o->lines == NULL)
        return MGL_OK;
    mgl_status status =
        mgl_first_lines_judge(o->lines, source->name, w->header, err, &source->headerless);
    mgl_first_lines_free(o->lines);
    o->lines = NULL;
    if (status != MGL_OK || !source->headerless)
        return status;
    source->numbered = true;
    source->dialect.header = false;
    w->header = w->first_row = 0;
    return read_first_rows(source, o, err);
}

static mgl_status read_beginning(mgl_source *source, mgl_error *err)
{
    workbook *w = source->state;
    opening o;
    mgl_status status = read_first_rows(source, &o, err);
    if (status != MGL_OK) {
        mgl_first_lines_free(o.lines);
        return status;
    }
    MGL_TRY(judge_header(source, &o, err));
    if (w->first_row == 0 && !(w->header > 0 && source->options->may_be_empty))
        return mgl_fail_at(err, MGL_CODE_EMPTY_TABLE, source->name, w->header,
                           w->header > 0 ? "there is a header but there are no rows; add rows (or "
                                           "`header: no` if the first line is one)"
                                         : "the sheet is empty; a table needs a header and at "
                                           "least one row");
    return name_columns(&o, err);
}

/* FILE.xlsx#SHEET, also where the sheet was not named. */
static mgl_status name_source(mgl_source *source, mgl_error *err)
{
    workbook *w = source->state;
    size_t size = strlen(w->path) + strlen(w->sheet->name) + 2;
    char *name = mgl_arena_alloc(w->arena, size);
    MGL_TRY(mgl_check_memory(name != NULL, err));
    snprintf(name, size, "%s#%s", w->path, w->sheet->name);
    source->name = name;
    return MGL_OK;
}

static mgl_status xlsx_open(mgl_source *source, const mgl_location *location, mgl_error *err)
{
    workbook *w = source->state = mgl_zeroed_array(1, sizeof *w);
    MGL_TRY(mgl_check_memory(w != NULL, err));
    w->book.package.fd = w->rows = -1;
    w->arena = mgl_arena_new();
    MGL_TRY(mgl_check_memory(w->arena != NULL, err));
    MGL_TRY(mgl_location_file(location->text, err, &w->path));
    source->name = w->path;
    MGL_TRY(mgl_workbook_open(&w->book, w->path, w->path, source->options->most_unpacked, err));
    MGL_TRY(open_sheet(w, location->sheet, err));
    MGL_TRY(name_source(source, err));
    MGL_TRY(mgl_workbook_read_styles(&w->book, err));
    MGL_TRY(mgl_workbook_read_strings(&w->book, err));
    source->size = mgl_package_size(&w->book.package, w->sheet->entry);
    source->dialect.header = !source->numbered;
    MGL_TRY(read_beginning(source, err));
    size_t n = mgl_source_columns(source);
    w->kinds = mgl_zeroed_array(n, sizeof *w->kinds);
    w->meta = mgl_zeroed_array(n, sizeof *w->meta);
    source->meta = w->meta;
    return w->kinds != NULL && w->meta != NULL ? MGL_OK : mgl_fail_memory(err);
}

static void xlsx_close(mgl_source *source)
{
    workbook *w = source->state;
    if (w == NULL)
        return;
    mgl_workbook_close(&w->book);
    mgl_sys_close(w->rows);
    mgl_arena_free(w->arena);
    mgl_free(w->path);
    mgl_free(w->kinds);
    mgl_free(w->meta);
    mgl_free(w);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Unpacking and parsing takes most of the time, so the first pass keeps what it read. */
typedef struct producing {
    mgl_source *source;
    workbook *w;
    mgl_intake *intake;
    int rows; /* private file */
    mgl_buffer kept;
} producing;

static mgl_status refuse_outside(const producing *p, uint32_t row, uint32_t column, mgl_error *err)
{
    char first[MGL_XLSX_ADDRESS], last[MGL_XLSX_ADDRESS], what[200];
    uint32_t top = p->w->header > 0 ? p->w->header : p->w->first_row;
    mgl_xlsx_address(top, p->w->left, first);
    mgl_xlsx_address(top, p->w->right, last);
    snprintf(what, sizeof what,
             "the cell lies beside the columns of the table (%s to %s); give its column a name in "
             "the first row, or empty the cell",
             first, last);
    return mgl_sheet_fail(p->source->name, row, column, what, err);
}

static void note_kind(kinds *kinds, const mgl_sheet_cell *cell)
{
    kinds->cells |= cell->look;
    if (cell->look != MGL_LOOKS_TEXT)
        return;
    kinds->texts = true;
    kinds->alike |= mgl_xlsx_look(cell->text);
}

static mgl_status put_row(void *context, uint32_t row, const mgl_sheet_cell *cells, size_t n,
                          mgl_error *err)
{
    producing *p = context;
    const workbook *w = p->w;
    size_t next = 0;
    if (row < w->first_row)
        return MGL_OK;
    p->w->last_row = row;
    if (cells[0].column < w->left)
        return refuse_outside(p, row, cells[0].column, err);
    if (cells[n - 1].column > w->right)
        return refuse_outside(p, row, cells[n - 1].column, err);
    for (uint32_t c = w->left; c <= w->right; c++) {
        bool there = next < n && cells[next].column == c;
        if (there)
            note_kind(&w->kinds[c - w->left], &cells[next]);
        mgl_span cell = there ? cells[next++].text : p->source->options->no_value;
        MGL_TRY(mgl_intake_put(p->intake, cell, err));
        mgl_cells_put(&p->kept, cell);
    }
    bool full = p->kept.failed || p->kept.size >= MGL_CELLS_AT_ONCE;
    return full ? mgl_cells_flush(&p->kept, p->rows, err) : MGL_OK;
}

/* Of merged cells only the first has a value, and readers of the sheet see it in all of them. */
static mgl_status refuse_merged(void *context, mgl_span range, mgl_error *err)
{
    const producing *p = context;
    const workbook *w = p->w;
    const char *colon = memchr(range.data, ':', range.size);
    size_t size = colon != NULL ? (size_t)(colon - range.data) : range.size;
    uint32_t top, left, bottom, right;
    if (colon == NULL || !mgl_xlsx_address_read((mgl_span){range.data, size}, &top, &left) ||
        !mgl_xlsx_address_read((mgl_span){colon + 1, range.size - size - 1}, &bottom, &right))
        return MGL_OK;
    if (bottom < w->first_row || top > w->last_row || right < w->left || left > w->right)
        return MGL_OK;
    return mgl_sheet_fail(p->source->name, top, left,
                          "the cell is merged with others, and only the first of them has a value; "
                          "unmerge them in Excel, and fill each",
                          err);
}

static mgl_status xlsx_unchanged(mgl_source *source, mgl_error *err)
{
    const workbook *w = source->state;
    return mgl_regular_unchanged(w->book.package.fd, &w->book.package.state, source->name, err);
}

/* Cells of a kind are recognized by their looks where no text of the column looks the same. */
static void settle_kinds(workbook *w, size_t n_columns)
{
    static const struct {
        unsigned look;
        mgl_cell_kind kind;
    } known[] = {{MGL_LOOKS_NUMBER, MGL_CELLS_NUMBER},
                 {MGL_LOOKS_DATE, MGL_CELLS_DATE},
                 {MGL_LOOKS_DATETIME, MGL_CELLS_DATETIME}};
    for (size_t c = 0; c < n_columns; c++) {
        const kinds *seen = &w->kinds[c];
        mgl_column_meta *meta = &w->meta[c];
        *meta =
            (mgl_column_meta){.found = true, .by_cell = true, .looks = seen->cells & ~seen->alike};
        meta->kind = seen->cells == 0 && seen->texts ? MGL_CELLS_TEXT : MGL_CELLS_UNKNOWN;
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
            if (seen->cells == known[i].look && !seen->texts)
                meta->kind = known[i].kind;
    }
}

static mgl_status parse_rows(mgl_source *source, mgl_intake *intake, int rows, mgl_error *err)
{
    workbook *w = source->state;
    producing p = {.source = source, .w = w, .intake = intake, .rows = rows};
    mgl_sheet_pass pass = pass_of(source, put_row, &p);
    pass.merged = refuse_merged;
    w->last_row = 0;
    mgl_status status = mgl_sheet_read(&pass, err);
    if (status == MGL_OK)
        status = mgl_cells_flush(&p.kept, rows, err);
    mgl_buffer_free(&p.kept);
    return status != MGL_OK ? status : xlsx_unchanged(source, err);
}

static mgl_status produce(mgl_source *source, mgl_intake *intake, mgl_error *err)
{
    workbook *w = source->state;
    if (w->rows >= 0)
        return mgl_intake_put_spooled(intake, w->rows, err);
    int rows = mgl_sys_spool();
    if (rows < 0)
        return mgl_fail_temporary(err, "create");
    mgl_status status = parse_rows(source, intake, rows, err);
    if (status != MGL_OK) {
        mgl_sys_close(rows);
        return status;
    }
    w->rows = rows;
    settle_kinds(w, mgl_source_columns(source));
    return MGL_OK;
}

/* The row of the sheet that a row of the table stands in: empty ones in between do not count. */
typedef struct finding {
    const workbook *w;
    mgl_sheet_pass *pass;
    size_t left; /* rows to pass over */
    uint32_t row;
} finding;

static mgl_status find_row(void *context, uint32_t row, const mgl_sheet_cell *cells, size_t n,
                           mgl_error *err)
{
    finding *f = context;
    (void)cells, (void)n, (void)err;
    if (row < f->w->first_row || f->left-- > 0)
        return MGL_OK;
    f->row = row;
    f->pass->enough = true;
    return MGL_OK;
}

static mgl_status xlsx_line(mgl_source *source, size_t row, mgl_error *err, uint64_t *out)
{
    mgl_sheet_pass pass;
    finding f = {.w = source->state, .pass = &pass, .left = row};
    pass = pass_of(source, find_row, &f);
    MGL_TRY(mgl_sheet_read(&pass, err));
    *out = f.row;
    return MGL_OK;
}

static const mgl_source_operations operations = {.open = xlsx_open,
                                                 .close = xlsx_close,
                                                 .produce = produce,
                                                 .unchanged = xlsx_unchanged,
                                                 .line = xlsx_line};

#else
static const mgl_source_operations operations = {0};
#endif

const mgl_format mgl_xlsx_format = {
    .name = "xlsx",
    .help = "Excel: FILE.xlsx#SHEET; without #SHEET the only sheet with data",
    .endings = ".xlsx",
    .source = &operations,
    .sink = &mgl_sink_xlsx,
    .most_rows = 1048575, /* and the header */
    .sheets = true,
};

const mgl_format mgl_xlsm_format = {
    .name = "xlsm",
    .help = "Excel with macros, which are passed over",
    .endings = ".xlsm",
    .source = &operations,
    .sheets = true,
};
