/* Reads the rows of a sheet, one at a time, and the texts and styles that sheets share. */

#ifdef MGL_XLSX
#include "io/xlsx/book.h"

enum { MOST_FORMATS = 1 << 12, MOST_STYLES = 1 << 16 }; /* Excel has less of either */

typedef struct custom {
    uint32_t id;
    unsigned shows;
} custom;

typedef struct styling {
    mgl_workbook *book;
    bool in_cells; /* within cellXfs, the styles that cells refer to */
    custom *customs;
    size_t n_customs, capacity;
} styling;

static mgl_status end(void *context, const char *name, mgl_error *err);

static unsigned format_shows(const styling *s, uint32_t id)
{
    for (size_t i = 0; i < s->n_customs; i++)
        if (s->customs[i].id == id)
            return s->customs[i].shows;
    return mgl_xlsx_builtin_shows(id);
}

static mgl_status refuse_many(const mgl_workbook *book, mgl_error *err)
{
    return mgl_fail_at(err, MGL_CODE_FORMAT, book->package.name, 0,
                       "the workbook has more formats and styles than Excel allows; copy the sheet "
                       "to a new workbook");
}

static mgl_status add_format(styling *s, const char **attributes, mgl_error *err)
{
    const char *code = mgl_xml_attribute(attributes, "formatCode");
    if (code == NULL)
        return MGL_OK;
    if (s->n_customs == MOST_FORMATS)
        return refuse_many(s->book, err);
    MGL_TRY(mgl_grow_array(&s->customs, &s->capacity, s->n_customs + 1, sizeof *s->customs, err));
    s->customs[s->n_customs++] = (custom){mgl_xml_number(attributes, "numFmtId", UINT32_MAX),
                                          mgl_xlsx_format_shows(mgl_span_of(code))};
    return MGL_OK;
}

static mgl_status add_style(styling *s, const char **attributes, mgl_error *err)
{
    mgl_workbook *book = s->book;
    if (book->n_styles == MOST_STYLES)
        return refuse_many(book, err);
    MGL_TRY(mgl_grow_array(&book->shows, &book->styles_capacity, book->n_styles + 1,
                           sizeof *book->shows, err));
    book->shows[book->n_styles++] =
        (unsigned char)format_shows(s, mgl_xml_number(attributes, "numFmtId", 0));
    return MGL_OK;
}

static mgl_status start_style(void *context, const char *name, const char **attributes,
                              mgl_error *err)
{
    styling *s = context;
    if (strcmp(name, "cellXfs") == 0)
        s->in_cells = true;
    if (strcmp(name, "numFmt") == 0)
        return add_format(s, attributes, err);
    return s->in_cells && strcmp(name, "xf") == 0 ? add_style(s, attributes, err) : MGL_OK;
}

static mgl_status end_style(void *context, const char *name, mgl_error *err)
{
    styling *s = context;
    (void)err;
    if (strcmp(name, "cellXfs") == 0)
        s->in_cells = false;
    return MGL_OK;
}

mgl_status mgl_workbook_read_styles(mgl_workbook *book, mgl_error *err)
{
    static const mgl_xml_handlers handlers = {.start = start_style, .end = end_style};
    styling s = {.book = book};
    if (book->styles_entry < 0)
        return MGL_OK;
    mgl_status status = mgl_package_parse(&book->package, book->styles_entry, &handlers, &s, err);
    mgl_free(s.customs);
    return status;
}

typedef struct sharing {
    mgl_workbook *book;
    size_t first;     /* byte of the text at work */
    bool in_text;     /* within t */
    bool in_phonetic; /* within rPh: how to pronounce it, not the text itself */
} sharing;

static mgl_status start_string(void *context, const char *name, const char **attributes,
                               mgl_error *err)
{
    sharing *s = context;
    (void)attributes, (void)err;
    if (strcmp(name, "si") == 0)
        s->first = s->book->text.size;
    else if (strcmp(name, "rPh") == 0)
        s->in_phonetic = true;
    s->in_text = strcmp(name, "t") == 0 && !s->in_phonetic;
    return MGL_OK;
}

static mgl_status add_string(sharing *s, mgl_error *err)
{
    mgl_workbook *book = s->book;
    if (book->text.failed ||
        !mgl_grow(&book->ends, &book->ends_capacity, book->n_strings + 1, sizeof *book->ends))
        return mgl_fail_memory(err);
    size_t size = book->text.size - s->first;
    if (size > 0)
        size = mgl_xlsx_unescape(book->text.data + s->first, size);
    book->text.size = s->first + size;
    book->ends[book->n_strings++] = book->text.size;
    return MGL_OK;
}

static mgl_status end_string(void *context, const char *name, mgl_error *err)
{
    sharing *s = context;
    s->in_text = false;
    if (strcmp(name, "rPh") == 0)
        s->in_phonetic = false;
    return strcmp(name, "si") == 0 ? add_string(s, err) : MGL_OK;
}

static mgl_status text_of_string(void *context, const char *text, size_t size, mgl_error *err)
{
    sharing *s = context;
    if (s->in_text)
        mgl_buffer_append(&s->book->text, text, size);
    return s->book->text.failed ? mgl_fail_memory(err) : MGL_OK;
}

mgl_status mgl_workbook_read_strings(mgl_workbook *book, mgl_error *err)
{
    static const mgl_xml_handlers handlers = {
        .start = start_string, .end = end_string, .text = text_of_string};
    sharing s = {.book = book};
    if (book->strings_entry < 0)
        return MGL_OK;
    return mgl_package_parse(&book->package, book->strings_entry, &handlers, &s, err);
}
#endif

#ifdef MGL_XLSX
#include "io/xlsx/book.h"

#include <stdio.h>

enum { LONGEST_CELL = 1 << 24 }; /* bytes; Excel has 32,767 characters */

mgl_status mgl_sheet_fail(const char *name, uint32_t row, uint32_t column, const char *what,
                          mgl_error *err)
{
    char cell[MGL_XLSX_ADDRESS];
    mgl_xlsx_address(row, column, cell);
    return mgl_blame_place(err, mgl_fail(err, MGL_CODE_BAD_CELL, "%s!%s: %s", name, cell, what),
                           &(mgl_where){name, row, column});
}

/* Types of cells, the attribute t. */
typedef enum cell_type { NUMBER, SHARED, TEXT, FORMULA_TEXT, BOOLEAN, FAULT, ISO_DATE } cell_type;

/* Where the parser is; the text of other elements is skipped. */
typedef enum place { ELSEWHERE, IN_VALUE, IN_TEXT } place;

/* A cell of the row at work; its text is in the buffer of the row. */
typedef struct kept_cell {
    uint32_t column;
    unsigned look;
    size_t begin, end;
} kept_cell;

typedef struct reading {
    mgl_sheet_pass *pass;
    mgl_workbook *book;
    place at;
    bool in_rows, in_phonetic;
    uint32_t row, next_column; /* of the next cell, unless it states its address */

    uint32_t column; /* of the cell at work */
    cell_type type;
    uint32_t style;
    bool has_formula, has_value;
    mgl_buffer value; /* of v, or the texts of is */

    mgl_buffer text; /* of all cells of the row */
    kept_cell *kept;
    size_t n_kept, kept_capacity;
    mgl_sheet_cell *cells;
    size_t cells_capacity;
} reading;

static mgl_status fail_here(const reading *r, const char *what, mgl_error *err)
{
    return mgl_sheet_fail(r->pass->name, r->row, r->column, what, err);
}

static mgl_status keep_cell(reading *r, mgl_span text, unsigned look, mgl_error *err)
{
    MGL_TRY(mgl_grow_array(&r->kept, &r->kept_capacity, r->n_kept + 1, sizeof *r->kept, err));
    size_t begin = r->text.size;
    mgl_buffer_span(&r->text, text);
    if (r->text.failed)
        return mgl_fail_memory(err);
    r->kept[r->n_kept++] = (kept_cell){r->column, look, begin, r->text.size};
    return MGL_OK;
}

/* An empty text is no value: Excel shows nothing there. */
static mgl_status keep_text(reading *r, mgl_span text, mgl_error *err)
{
    return text.size > 0 ? keep_cell(r, text, MGL_LOOKS_TEXT, err) : MGL_OK;
}

static mgl_status keep_shared(reading *r, mgl_span value, mgl_error *err)
{
    const mgl_workbook *book = r->book;
    uint64_t number;
    if (!mgl_parse_u64(value, &number) || number >= book->n_strings)
        return fail_here(r,
                         "the text of the cell is not in the workbook; it is damaged: open it "
                         "in Excel, and save it again",
                         err);
    uint64_t begin = number > 0 ? book->ends[number - 1] : 0;
    return keep_text(r, (mgl_span){book->text.data + begin, book->ends[number] - begin}, err);
}

static mgl_status keep_number(reading *r, mgl_span value, mgl_error *err)
{
    char text[MGL_TIME_TEXT];
    double number;
    unsigned look, shows = r->style < r->book->n_styles ? r->book->shows[r->style] : 0;
    if (!mgl_parse_double(value, &number))
        return fail_here(r,
                         "the cell holds no number; the workbook is damaged: open it in Excel, "
                         "and save it again",
                         err);
    size_t size = mgl_xlsx_number_text(number, shows, r->book->from_1904, text, &look);
    return keep_cell(r, (mgl_span){text, size}, look, err);
}

/* Days written as such: 2024-05-01T00:00:00 is a day if its format shows no time. */
static mgl_status keep_date(reading *r, mgl_span value, mgl_error *err)
{
    static const char midnight[] = "T00:00:00";
    unsigned shows = r->style < r->book->n_styles ? r->book->shows[r->style] : 0;
    size_t tail = sizeof midnight - 1;
    if (value.size > 0 && value.data[value.size - 1] == 'Z')
        value.size--;
    if (value.size > tail && (shows & MGL_XLSX_SHOWS_TIME) == 0 &&
        memcmp(value.data + value.size - tail, midnight, tail) == 0)
        value.size -= tail;
    return value.size > 0 ? keep_cell(r, value, mgl_xlsx_look(value), err) : MGL_OK;
}

static mgl_status keep_fault(reading *r, mgl_span value, mgl_error *err)
{
    const mgl_sheet_pass *pass = r->pass;
    char what[200];
    for (size_t i = 0; i < pass->n_missing; i++)
        if (mgl_span_equal(pass->missing[i], value))
            return keep_cell(r, value, MGL_LOOKS_TEXT, err);
    snprintf(what, sizeof what,
             "the cell holds the error %.*s; mend it in Excel, or name it in `missing`",
             value.size > 20 ? 20 : (int)value.size, value.size > 0 ? value.data : "");
    return fail_here(r, what, err);
}

static mgl_status keep_boolean(reading *r, mgl_span value, mgl_error *err)
{
    bool set = mgl_span_is(value, "1") || mgl_span_is(value, "true");
    return keep_cell(r, mgl_span_of(set ? "TRUE" : "FALSE"), MGL_LOOKS_BOOLEAN, err);
}

static mgl_status finish_cell(reading *r, mgl_error *err)
{
    mgl_span value = {r->value.data, r->value.size};
    bool text = r->type == TEXT || r->type == FORMULA_TEXT;
    if (r->value.failed)
        return mgl_fail_memory(err);
    if (r->has_formula && (!r->has_value || (value.size == 0 && !text)))
        return fail_here(r,
                         "the formula in the cell has no saved result; open the workbook in "
                         "Excel, and save it again",
                         err);
    if (value.size == 0)
        return MGL_OK;
    switch (r->type) {
    case SHARED:
        return keep_shared(r, value, err);
    case TEXT:
    case FORMULA_TEXT:
        value.size = mgl_xlsx_unescape(r->value.data, value.size);
        return keep_text(r, value, err);
    case BOOLEAN:
        return keep_boolean(r, value, err);
    case FAULT:
        return keep_fault(r, value, err);
    case ISO_DATE:
        return keep_date(r, value, err);
    default:
        return keep_number(r, value, err);
    }
}

static mgl_status start_row(reading *r, const char **attributes, mgl_error *err)
{
    uint32_t before = r->row;
    r->row = mgl_xml_number(attributes, "r", before + 1);
    r->next_column = r->column = 0;
    r->n_kept = r->text.size = 0;
    if (r->row > MGL_XLSX_ROWS)
        return mgl_fail_at(err, MGL_CODE_FORMAT, r->pass->name, 0,
                           "the sheet has rows beyond the %d that Excel allows; the workbook is "
                           "damaged",
                           MGL_XLSX_ROWS);
    if (r->row <= before)
        return mgl_fail_at(err, MGL_CODE_FORMAT, r->pass->name, r->row,
                           "the rows of the sheet are not in order; open the workbook in Excel, "
                           "and save it again");
    return MGL_OK;
}

static mgl_status finish_row(reading *r, mgl_error *err)
{
    static const mgl_sort_key by_column[] = {MGL_ASCENDING(mgl_sheet_cell, column), MGL_SORT_END};
    bool sorted = true;
    size_t n = r->n_kept;
    if (n == 0)
        return MGL_OK;
    MGL_TRY(mgl_grow_array(&r->cells, &r->cells_capacity, n, sizeof *r->cells, err));
    for (size_t i = 0; i < n; i++) {
        const kept_cell *kept = &r->kept[i];
        mgl_span text = {r->text.data + kept->begin, kept->end - kept->begin};
        r->cells[i] = (mgl_sheet_cell){kept->column, kept->look, text};
        sorted = sorted && (i == 0 || kept->column > r->kept[i - 1].column);
    }
    if (!sorted)
        mgl_sort(r->cells, n, sizeof *r->cells, by_column);
    for (size_t i = 1; !sorted && i < n; i++)
        if (r->cells[i].column == r->cells[i - 1].column)
            return mgl_sheet_fail(r->pass->name, r->row, r->cells[i].column,
                                  "the sheet has this cell twice; open the workbook in Excel, and "
                                  "save it again",
                                  err);
    return r->pass->take(r->pass->context, r->row, r->cells, n, err);
}

static cell_type type_of(const char *t)
{
    static const struct {
        const char *t;
        cell_type type;
    } known[] = {{"s", SHARED},  {"n", NUMBER}, {"inlineStr", TEXT}, {"str", FORMULA_TEXT},
                 {"b", BOOLEAN}, {"e", FAULT},  {"d", ISO_DATE}};
    for (size_t i = 0; t != NULL && i < sizeof known / sizeof known[0]; i++)
        if (strcmp(t, known[i].t) == 0)
            return known[i].type;
    return NUMBER;
}

static mgl_status start_cell(reading *r, const char **attributes, mgl_error *err)
{
    const char *address = mgl_xml_attribute(attributes, "r");
    uint32_t row = r->row;
    r->type = type_of(mgl_xml_attribute(attributes, "t"));
    r->style = mgl_xml_number(attributes, "s", UINT32_MAX);
    r->column = r->next_column;
    if (address != NULL && !mgl_xlsx_address_read(mgl_span_of(address), &row, &r->column))
        return mgl_fail_at(err, MGL_CODE_FORMAT, r->pass->name, r->row,
                           "a cell lies beyond the columns and rows that Excel has; the workbook "
                           "is damaged");
    if (row != r->row || r->column >= MGL_XLSX_COLUMNS)
        return mgl_fail_at(err, MGL_CODE_FORMAT, r->pass->name, r->row,
                           "a cell of the row says that it is elsewhere; the workbook is damaged: "
                           "open it in Excel, and save it again");
    r->next_column = r->column + 1;
    r->has_formula = r->has_value = false;
    r->value.size = 0;
    return MGL_OK;
}

static mgl_status start_in_rows(reading *r, const char *name, const char **attributes,
                                mgl_error *err)
{
    if (strcmp(name, "c") == 0)
        return start_cell(r, attributes, err);
    if (strcmp(name, "row") == 0)
        return start_row(r, attributes, err);
    if (strcmp(name, "f") == 0)
        r->has_formula = true;
    else if (strcmp(name, "rPh") == 0)
        r->in_phonetic = true;
    else if (strcmp(name, "v") == 0)
        r->at = IN_VALUE;
    else if (strcmp(name, "t") == 0 && !r->in_phonetic)
        r->at = IN_TEXT;
    r->has_value = r->has_value || r->at != ELSEWHERE;
    return MGL_OK;
}

static mgl_status start(void *context, const char *name, const char **attributes, mgl_error *err)
{
    reading *r = context;
    r->at = ELSEWHERE;
    if (r->in_rows)
        return start_in_rows(r, name, attributes, err);
    if (strcmp(name, "sheetData") == 0)
        r->in_rows = true;
    if (strcmp(name, "mergeCell") != 0 || r->pass->merged == NULL)
        return MGL_OK;
    const char *range = mgl_xml_attribute(attributes, "ref");
    return range != NULL ? r->pass->merged(r->pass->context, mgl_span_of(range), err) : MGL_OK;
}

static mgl_status end(void *context, const char *name, mgl_error *err)
{
    reading *r = context;
    r->at = ELSEWHERE;
    if (!r->in_rows)
        return MGL_OK;
    if (strcmp(name, "c") == 0)
        return finish_cell(r, err);
    if (strcmp(name, "row") == 0)
        return finish_row(r, err);
    if (strcmp(name, "rPh") == 0)
        r->in_phonetic = false;
    if (strcmp(name, "sheetData") == 0)
        r->in_rows = false;
    return MGL_OK;
}

/* Inline texts are in is/t, all others in v. */
static mgl_status text(void *context, const char *data, size_t size, mgl_error *err)
{
    reading *r = context;
    if (r->at == ELSEWHERE || (r->at == IN_TEXT) != (r->type == TEXT))
        return MGL_OK;
    mgl_buffer_append(&r->value, data, size);
    if (r->value.failed)
        return mgl_fail_memory(err);
    return r->value.size <= LONGEST_CELL
               ? MGL_OK
               : fail_here(r, "the cell has more than 16 MB of text; leave it out", err);
}

mgl_status mgl_sheet_read(mgl_sheet_pass *pass, mgl_error *err)
{
    mgl_xml_handlers handlers = {.start = start, .end = end, .text = text, .enough = &pass->enough};
    reading r = {.pass = pass, .book = pass->book};
    pass->enough = false;
    mgl_status status =
        mgl_package_parse(&pass->book->package, pass->sheet->entry, &handlers, &r, err);
    mgl_buffer_free(&r.value);
    mgl_buffer_free(&r.text);
    mgl_free(r.kept);
    mgl_free(r.cells);
    return status;
}

/* Rows with a value, which begin with the element of a row. */
typedef struct noticing {
    size_t n_rows;
    bool noticed; /* the current row has one */
    bool enough;
} noticing;

static mgl_status notice_value(void *context, const char *name, const char **attributes,
                               mgl_error *err)
{
    noticing *n = context;
    (void)attributes, (void)err;
    if (strcmp(name, "row") == 0)
        n->noticed = false;
    else if (!n->noticed &&
             (strcmp(name, "v") == 0 || strcmp(name, "is") == 0 || strcmp(name, "f") == 0)) {
        n->noticed = true;
        n->enough = ++n->n_rows == MGL_ROWS_OF_DATA;
    }
    return MGL_OK;
}

mgl_status mgl_sheet_rows(mgl_workbook *book, const mgl_sheet *sheet, mgl_error *err, size_t *out)
{
    noticing found = {0};
    mgl_xml_handlers handlers = {.start = notice_value, .enough = &found.enough};
    if (sheet->entry >= 0)
        MGL_TRY(mgl_package_parse(&book->package, sheet->entry, &handlers, &found, err));
    *out = found.n_rows;
    return MGL_OK;
}
#endif
