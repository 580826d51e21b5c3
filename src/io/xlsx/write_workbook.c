/* Writes Excel workbooks as a sink: one sheet, row by row, so that memory does not grow with the
 * release. */
#include "io/xlsx/xlsx.h"

#ifdef MGL_XLSX
#include "io/intake/intake.h"
#include "io/xlsx/book.h"

#include <stdio.h>
#include <strings.h>
#include <xlsxwriter.h>

enum { SAFE_DIGITS = 15 }; /* what Excel keeps of a number */

/* The library writes 16 digits. */
static const char written_digits[] = "%.16G";
/* All releases were made on the day that zip archives count from. */
enum { CREATED = 315532800 };

/* How a column is written, and how many cells had to be written otherwise. */
typedef struct written_column {
    bool by_cell;  /* each cell as it looks, if that is among looks; else all as look */
    unsigned look; /* of mgl_cell_look */
    unsigned looks;
    uint64_t n_rounded, n_as_text; /* numbers, and days and numbers */
} written_column;

/* Loaded when a workbook is written, as the library for reading (book.h). */
#define XLSXWRITER_FUNCTIONS(FUNCTION)                                                             \
    FUNCTION(message, lxw_strerror)                                                                \
    FUNCTION(discard, lxw_workbook_free)                                                           \
    FUNCTION(open, workbook_new_opt)                                                               \
    FUNCTION(set_properties, workbook_set_properties)                                              \
    FUNCTION(add_format, workbook_add_format)                                                      \
    FUNCTION(add_sheet, workbook_add_worksheet)                                                    \
    FUNCTION(close, workbook_close)                                                                \
    FUNCTION(set_num_format, format_set_num_format)                                                \
    FUNCTION(set_column, worksheet_set_column)                                                     \
    FUNCTION(write_string, worksheet_write_string)                                                 \
    FUNCTION(write_number, worksheet_write_number)                                                 \
    FUNCTION(write_boolean, worksheet_write_boolean)

typedef struct calls {
    XLSXWRITER_FUNCTIONS(MGL_LIBRARY_POINTER)
} calls;

static const char *const functions[] = {XLSXWRITER_FUNCTIONS(MGL_LIBRARY_NAME)};

static const mgl_library library = {MGL_XLSXWRITER_LIBRARY,
                                    "libxlsxwriter4",
                                    "writing Excel workbooks",
                                    functions,
                                    sizeof functions / sizeof functions[0],
                                    NULL};

typedef struct writer {
    calls api;
    const mgl_sink_request *order;
    lxw_workbook *workbook;
    lxw_worksheet *sheet;
    lxw_format *date, *datetime, *precise, *time, *elapsed;
    written_column *columns; /* [columns] */
    const mgl_span *cells;   /* [columns] */
    mgl_span filler;         /* a token for missing that is visible; data NULL if absent */
    uint32_t row;
    mgl_buffer text;
} writer;

/* ---- Before anything is written -------------------------------------------------------------- */

static mgl_span sheet_of(const mgl_location *location)
{
    return mgl_span_of(location->sheet != NULL ? location->sheet : "Sheet1");
}

/* The file is replaced as a whole: sheets that are in it would be gone. */
static mgl_status refuse_other_sheets(const char *location, mgl_span sheet, mgl_error *err)
{
    char *path;
    mgl_workbook book;
    const char *other = NULL;
    MGL_TRY(mgl_location_file(location, err, &path));
    if (mgl_workbook_open(&book, path, path, 0, NULL) == MGL_OK)
        for (size_t i = 0; other == NULL && i < book.n_sheets; i++)
            if (strcasecmp(book.sheets[i].name, sheet.data) != 0)
                other = book.sheets[i].name;
    mgl_status status = MGL_OK;
    if (other != NULL)
        status =
            mgl_fail_key_at(err, MGL_CODE_OUTPUT, path, "output",
                            "the workbook is there already and has another sheet, '%.60s', which "
                            "the release would take away with it; choose another file",
                            other);
    mgl_workbook_close(&book);
    mgl_free(path);
    return status;
}

static mgl_status xlsx_check(const mgl_location *location, mgl_error *err)
{
    mgl_span sheet = sheet_of(location);
    calls api;
    MGL_TRY(mgl_xlsx_check_sheet(location->text, sheet, err));
    MGL_TRY(mgl_library_load(&library, &api, err)); /* better now than after a search */
    return location->sheet != NULL ? refuse_other_sheets(location->text, sheet, err) : MGL_OK;
}

/* ---- Columns --------------------------------------------------------------------------------- */

static unsigned look_of(mgl_sink_shape shape)
{
    static const unsigned looks[] = {[MGL_AS_TEXT] = MGL_LOOKS_TEXT,
                                     [MGL_AS_WHOLE] = MGL_LOOKS_NUMBER,
                                     [MGL_AS_NUMBER] = MGL_LOOKS_NUMBER,
                                     [MGL_AS_DATE] = MGL_LOOKS_DATE,
                                     [MGL_AS_DATETIME] = MGL_LOOKS_DATETIME};
    return looks[shape];
}

static void choose(writer *w, size_t c)
{
    const mgl_sink_column *column = &w->order->columns[c];
    written_column *as = &w->columns[c];
    if (!column->recoded && column->meta != NULL && column->meta->by_cell) {
        *as = (written_column){.by_cell = true, .looks = column->meta->looks};
        return;
    }
    mgl_sink_shape shape = mgl_sink_choose(w->order, column);
    bool too_long = shape == MGL_AS_WHOLE && column->longest > SAFE_DIGITS;
    *as = (written_column){.look = too_long ? MGL_LOOKS_TEXT : look_of(shape)};
    if (too_long)
        mgl_buffer_format(w->order->warnings,
                          "text-column\tcolumn %s is written as text, since Excel keeps %d digits "
                          "of a number and it has more%c",
                          column->name, SAFE_DIGITS, '\0');
}

/* Days would not fit the usual width, and Excel would show ##### instead. */
static void set_width(writer *w, size_t c)
{
    const written_column *as = &w->columns[c];
    unsigned looks = as->by_cell ? as->looks : as->look;
    double width = (looks & MGL_LOOKS_DATETIME) != 0 ? 20 : (looks & MGL_LOOKS_DATE) != 0 ? 11 : 0;
    if (width > 0)
        (void)w->api.set_column(w->sheet, (lxw_col_t)c, (lxw_col_t)c, width, NULL);
}

/* ---- Cells ----------------------------------------------------------------------------------- */

static mgl_status fail_library(const writer *w, lxw_error error, mgl_error *err)
{
    if (error == LXW_ERROR_MEMORY_MALLOC_FAILED)
        return mgl_fail_memory(err);
    return mgl_fail_at(err, MGL_CODE_FILE, w->order->target, 0,
                       "the workbook cannot be written: %s", w->api.message(error));
}

static mgl_status check(const writer *w, lxw_error error, mgl_error *err)
{
    return error == LXW_NO_ERROR ? MGL_OK : fail_library(w, error, err);
}

/* Text is text, also if it begins like a formula. */
static mgl_status put_text(writer *w, size_t c, mgl_span cell, mgl_error *err)
{
    if (cell.size > MGL_XLSX_CHARACTERS && mgl_xlsx_characters(cell) > MGL_XLSX_CHARACTERS)
        return mgl_fail_column(
            err, MGL_CODE_NO_ROOM, w->order->target, w->order->columns[c].name,
            "column %.60s has a cell of %zu characters, and Excel has room for %d; "
            "write another format, or leave the column out",
            w->order->columns[c].name, mgl_xlsx_characters(cell), MGL_XLSX_CHARACTERS);
    w->text.size = 0;
    mgl_xlsx_escape(&w->text, cell);
    mgl_buffer_append(&w->text, "", 1);
    if (w->text.failed)
        return mgl_fail_memory(err);
    return check(w, w->api.write_string(w->sheet, w->row, (lxw_col_t)c, w->text.data, NULL), err);
}

/* Does the number stay the same in as many digits as are written? */
static bool is_safe(mgl_span cell, double value)
{
    char text[64];
    double again;
    if (cell.size <= SAFE_DIGITS)
        return true;
    int size = snprintf(text, sizeof text, written_digits, value);
    return mgl_parse_double((mgl_span){text, (size_t)size}, &again) && again == value;
}

static mgl_status put_number(writer *w, size_t c, mgl_span cell, mgl_error *err)
{
    double value;
    if (!mgl_parse_double(cell, &value))
        return put_text(w, c, cell, err);
    if (!is_safe(cell, value)) {
        if (w->order->columns[c].exact) {
            w->columns[c].n_as_text++;
            return put_text(w, c, cell, err);
        }
        w->columns[c].n_rounded++;
    }
    return check(w, w->api.write_number(w->sheet, w->row, (lxw_col_t)c, value, NULL), err);
}

static mgl_status put_time(writer *w, size_t c, mgl_span cell, unsigned look, mgl_error *err)
{
    double days;
    if (!mgl_xlsx_serial(cell, look, &days)) { /* before 1900 */
        w->columns[c].n_as_text++;
        return put_text(w, c, cell, err);
    }
    bool fraction = memchr(cell.data, '.', cell.size) != NULL;
    lxw_format *format = look == MGL_LOOKS_DATE   ? w->date
                         : look == MGL_LOOKS_TIME ? (days < 1 ? w->time : w->elapsed)
                         : fraction               ? w->precise
                                                  : w->datetime;
    return check(w, w->api.write_number(w->sheet, w->row, (lxw_col_t)c, days, format), err);
}

static bool is_blank(const writer *w, size_t c)
{
    const written_column *as = &w->columns[c];
    const mgl_sink_request *request = w->order;
    mgl_span cell = w->cells[c];
    if (cell.size == 0)
        return true;
    if ((as->by_cell ? as->looks : as->look) != MGL_LOOKS_TEXT)
        return mgl_sink_missing(request, cell);
    return request->n_missing > 0 && mgl_span_equal(cell, request->missing[0]);
}

static mgl_status put_cell(writer *w, size_t c, mgl_error *err)
{
    const written_column *as = &w->columns[c];
    mgl_span cell = w->cells[c];
    unsigned look = as->by_cell ? mgl_xlsx_look(cell) & as->looks : as->look;
    switch (look) {
    case MGL_LOOKS_NUMBER:
        return put_number(w, c, cell, err);
    case MGL_LOOKS_DATE:
    case MGL_LOOKS_DATETIME:
    case MGL_LOOKS_TIME:
        return put_time(w, c, cell, look, err);
    case MGL_LOOKS_BOOLEAN:
        return check(
            w,
            w->api.write_boolean(w->sheet, w->row, (lxw_col_t)c, mgl_span_is(cell, "TRUE"), NULL),
            err);
    default:
        return put_text(w, c, cell, err);
    }
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* A row of empty cells would be skipped by readers of the sheet. */
static mgl_status put_empty_row(writer *w, mgl_error *err)
{
    if (w->filler.data != NULL)
        return put_text(w, 0, w->filler, err);
    return mgl_fail_key_at(
        err, MGL_CODE_NO_ROOM, w->order->target, "missing",
        "row %u of the release has no values at all, which a sheet cannot show; add "
        "a token to `missing` that is not empty, such as NA, or write another "
        "format",
        w->row);
}

/* A blank cell is read as one that is missing. */
static mgl_status refuse_empty(const writer *w, size_t c, mgl_error *err)
{
    const char *name = w->order->columns[c].name;
    return mgl_fail_key_at(
        err, MGL_CODE_NO_ROOM, w->order->target, "missing",
        "column %.60s has empty cells that do not mean missing, which a sheet cannot "
        "show; add the empty text to `missing` (such as `missing: NA,`), or write "
        "another format",
        name);
}

static bool is_empty_text(const writer *w, size_t c)
{
    return w->cells[c].size == 0 && w->order->n_missing > 0 &&
           !mgl_sink_missing(w->order, w->cells[c]);
}

static mgl_status put_row(writer *w, mgl_error *err)
{
    bool any = false;
    for (size_t c = 0; c < w->order->n_columns; c++) {
        if (is_empty_text(w, c))
            return refuse_empty(w, c, err);
        if (is_blank(w, c))
            continue;
        MGL_TRY(put_cell(w, c, err));
        any = true;
    }
    return any ? MGL_OK : put_empty_row(w, err);
}

static mgl_status put_header(writer *w, mgl_error *err)
{
    for (size_t c = 0; c < w->order->n_columns; c++) {
        choose(w, c);
        set_width(w, c);
        MGL_TRY(put_text(w, c, mgl_span_of(w->order->columns[c].name), err));
    }
    return MGL_OK;
}

static void warn(const writer *w)
{
    for (size_t c = 0; c < w->order->n_columns; c++) {
        const written_column *as = &w->columns[c];
        const char *name = w->order->columns[c].name;
        if (as->n_rounded > 0)
            mgl_buffer_format(
                w->order->warnings,
                "rounded-numbers\t%llu numbers of column %s are rounded to 16 digits; "
                "Excel shows 15%c",
                (unsigned long long)as->n_rounded, name, '\0');
        if (as->n_as_text > 0)
            mgl_buffer_format(
                w->order->warnings,
                "text-cells\t%llu cells of column %s are written as text, since Excel "
                "has no days before 1900 and no more than 16 digits%c",
                (unsigned long long)as->n_as_text, name, '\0');
    }
}

static mgl_status put_rows(writer *w, mgl_error *err)
{
    MGL_TRY(put_header(w, err));
    for (;;) {
        MGL_TRY(mgl_cell_reader_next(w->order->rows, err, &w->cells));
        if (w->cells == NULL)
            break;
        w->row++;
        MGL_TRY(put_row(w, err));
    }
    if (fflush(w->sheet->optimize_tmpfile) != 0 || ferror(w->sheet->optimize_tmpfile) != 0)
        return mgl_fail_temporary(err, "write");
    warn(w);
    return MGL_OK;
}

/* ---- The workbook ---------------------------------------------------------------------------- */

static lxw_format *format_of(const writer *w, const char *code)
{
    lxw_format *format = w->api.add_format(w->workbook);
    if (format != NULL)
        w->api.set_num_format(format, code);
    return format;
}

static bool add_formats(writer *w)
{
    w->date = format_of(w, "yyyy\\-mm\\-dd");
    w->datetime = format_of(w, "yyyy\\-mm\\-dd\\ hh:mm:ss");
    w->precise = format_of(w, "yyyy\\-mm\\-dd\\ hh:mm:ss.000");
    w->time = format_of(w, "hh:mm:ss");
    w->elapsed = format_of(w, "[h]:mm:ss");
    return w->date != NULL && w->datetime != NULL && w->precise != NULL && w->time != NULL &&
           w->elapsed != NULL;
}

/* Author and time are left out; equal releases are equal files. */
static mgl_status begin(writer *w, mgl_error *err)
{
    const mgl_sink_request *request = w->order;
    bool large = request->n_rows * request->n_columns > 10000000; /* entries of 4 GB are possible */
    lxw_workbook_options options = {.constant_memory = LXW_TRUE, .use_zip64 = large};
    lxw_doc_properties properties = {.created = CREATED};
    w->workbook = w->api.open(request->path, &options);
    MGL_TRY(mgl_check_memory(w->workbook != NULL, err));
    if (w->api.set_properties(w->workbook, &properties) != LXW_NO_ERROR || !add_formats(w))
        return mgl_fail_memory(err);
    mgl_location target = mgl_location_of(request->target);
    w->sheet = w->api.add_sheet(w->workbook, sheet_of(&target).data);
    return w->sheet != NULL ? MGL_OK : mgl_fail_temporary(err, "create");
}

static mgl_status end(writer *w, mgl_status status, mgl_error *err)
{
    if (w->workbook == NULL)
        return status;
    if (status == MGL_OK)
        return check(w, w->api.close(w->workbook), err);
    if (w->sheet != NULL)
        fclose(w->sheet->optimize_tmpfile);
    w->api.discard(w->workbook);
    return status;
}

static mgl_status check_size(const mgl_format *format, const mgl_sink_request *request,
                             mgl_error *err)
{
    if (request->n_columns > MGL_XLSX_COLUMNS)
        return mgl_fail_at(err, MGL_CODE_NO_ROOM, request->target, 0,
                           "the release has %zu columns, and Excel has room for 16,384; write "
                           "another format, or leave columns out",
                           request->n_columns);
    return mgl_format_check_rows(format, request->target, request->n_rows, err);
}

static mgl_status write_sheet(writer *w, mgl_error *err)
{
    mgl_status status = begin(w, err);
    if (status == MGL_OK)
        status = put_rows(w, err);
    return end(w, status, err);
}

static mgl_status xlsx_write(const mgl_format *format, const mgl_sink_request *request,
                             mgl_error *err)
{
    MGL_TRY(check_size(format, request, err));
    writer w = {.order = request};
    for (size_t i = 0; w.filler.data == NULL && i < request->n_missing; i++)
        if (request->missing[i].size > 0)
            w.filler = request->missing[i];
    MGL_TRY(mgl_library_load(&library, &w.api, err));
    MGL_TRY(mgl_new_zeroed(request->n_columns, sizeof *w.columns, err, &w.columns));
    mgl_status status = write_sheet(&w, err);
    mgl_buffer_free(&w.text);
    mgl_free(w.columns);
    return status;
}

const mgl_sink_operations mgl_sink_xlsx = {.check = xlsx_check, .write = xlsx_write};
#else
const mgl_sink_operations mgl_sink_xlsx = {0};
#endif
