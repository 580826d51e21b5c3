/* Reads what the cells of a workbook refer to by number: shared texts and styles. read_workbook.c
 * calls it before the first row. */
#ifdef MGL_XLSX
#include "io/xlsx/book.h"

/* ---- Styles: which numbers are days and times ---------------------------------------------- */

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
    if (!mgl_grow(&s->customs, &s->capacity, s->n_customs + 1, sizeof *s->customs))
        return mgl_fail_memory(err);
    s->customs[s->n_customs++] = (custom){mgl_xml_number(attributes, "numFmtId", UINT32_MAX),
                                          mgl_xlsx_format_shows(mgl_span_of(code))};
    return MGL_OK;
}

static mgl_status add_style(styling *s, const char **attributes, mgl_error *err)
{
    mgl_workbook *book = s->book;
    if (book->n_styles == MOST_STYLES)
        return refuse_many(book, err);
    if (!mgl_grow(&book->shows, &book->styles_capacity, book->n_styles + 1, sizeof *book->shows))
        return mgl_fail_memory(err);
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

/* ---- Shared texts --------------------------------------------------------------------------- */

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
