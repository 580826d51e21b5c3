/* What a workbook says about its sheets, texts and styles, and the rows of a sheet. Inside the io
 * room. */
#ifndef MGL_IO_XLSX_BOOK_H
#define MGL_IO_XLSX_BOOK_H

#include "io/xlsx/package.h"

typedef struct mgl_sheet {
    const char *name;
    int64_t entry; /* -1: it is no sheet of cells, such as a chart */
    bool hidden;
} mgl_sheet;

typedef struct mgl_workbook {
    mgl_package package;
    mgl_arena *arena;
    mgl_sheet *sheets;
    size_t n_sheets, sheets_capacity;
    bool from_1904;
    int64_t strings_entry, styles_entry; /* -1: there is none */

    unsigned char *shows; /* [styles] what the number format of each shows */
    size_t n_styles, styles_capacity;

    mgl_buffer text; /* shared texts, one after another */
    uint64_t *ends;  /* [strings] in it */
    size_t n_strings, ends_capacity;
} mgl_workbook;

/* Opens the file and lists its sheets. Close with mgl_workbook_close, also on failure. */
mgl_status mgl_workbook_open(mgl_workbook *book, const char *path, const char *name,
                             uint64_t most_unpacked, mgl_error *err);
void mgl_workbook_close(mgl_workbook *book);

/* What cells refer to. */
mgl_status mgl_workbook_read_styles(mgl_workbook *book, mgl_error *err);
mgl_status mgl_workbook_read_strings(mgl_workbook *book, mgl_error *err);

/* ---- Rows of a sheet ------------------------------------------------------------ */

typedef struct mgl_sheet_cell {
    uint32_t column;
    unsigned look; /* mgl_cell_look: what kind of cell it is */
    mgl_span text;
} mgl_sheet_cell;

/* Takes the cells of a row that have a value, from left to right; rows without one are left
 * out. */
typedef mgl_status mgl_sheet_row_fn(void *context, uint32_t row, const mgl_sheet_cell *cells,
                                    size_t n_cells, mgl_error *err);

typedef struct mgl_sheet_pass {
    mgl_workbook *book;
    const mgl_sheet *sheet;
    const char *name;        /* FILE.xlsx#SHEET, for messages */
    const mgl_span *missing; /* errors that count as missing: #N/A */
    size_t n_missing;
    mgl_sheet_row_fn *take;
    /* Takes a range of merged cells; they come after all rows. NULL: not wanted. */
    mgl_status (*merged)(void *context, mgl_span range, mgl_error *err);
    void *context;
    bool enough; /* set by take: no more rows are wanted */
} mgl_sheet_pass;

mgl_status mgl_sheet_read(mgl_sheet_pass *pass, mgl_error *err);
/* A header and a row below it make a table. */
enum { MGL_ROWS_OF_DATA = 2 };
/* Rows of the sheet that have a cell with a value, at most MGL_ROWS_OF_DATA. */
mgl_status mgl_sheet_rows(mgl_workbook *book, const mgl_sheet *sheet, mgl_error *err, size_t *out);

/* "NAME!B7: ..." with what is wrong there, MGL_DATA. */
mgl_status mgl_sheet_fail(const char *name, uint32_t row, uint32_t column, const char *what,
                          mgl_error *err);

#endif
