/* Workbooks: the archive, its XML, sheets, shared texts and styles, and the rows of a sheet.
 * Private to io/xlsx. */
#ifndef MGL_IO_XLSX_BOOK_H
#define MGL_IO_XLSX_BOOK_H

#include "io/xlsx/xlsx.h"
#include <zip.h>

/* The library is loaded when a workbook is opened: it brings others with it that a program which
 * starts for a text file should not wait for. In the order of the names in book.c. */
#define MGL_ZIP_FUNCTIONS(FUNCTION)                                                                \
    FUNCTION(error_init, zip_error_init)                                                           \
    FUNCTION(error_fini, zip_error_fini)                                                           \
    FUNCTION(error_code_zip, zip_error_code_zip)                                                   \
    FUNCTION(error_strerror, zip_error_strerror)                                                   \
    FUNCTION(source_function_create, zip_source_function_create)                                   \
    FUNCTION(source_free, zip_source_free)                                                         \
    FUNCTION(source_seek_compute_offset, zip_source_seek_compute_offset)                           \
    FUNCTION(source_make_command_bitmap, zip_source_make_command_bitmap)                           \
    FUNCTION(open_from_source, zip_open_from_source)                                               \
    FUNCTION(discard, zip_discard)                                                                 \
    FUNCTION(get_error, zip_get_error)                                                             \
    FUNCTION(name_locate, zip_name_locate)                                                         \
    FUNCTION(get_name, zip_get_name)                                                               \
    FUNCTION(stat_init, zip_stat_init)                                                             \
    FUNCTION(stat_index, zip_stat_index)                                                           \
    FUNCTION(fopen_index, zip_fopen_index)                                                         \
    FUNCTION(file_get_error, zip_file_get_error)                                                   \
    FUNCTION(fread, zip_fread)                                                                     \
    FUNCTION(fclose, zip_fclose)

typedef struct mgl_zip_calls {
    MGL_ZIP_FUNCTIONS(MGL_LIBRARY_POINTER)
} mgl_zip_calls;

typedef struct mgl_package {
    const char *name; /* for messages */
    int fd;
    mgl_file_state state;
    mgl_zip_calls zip;
    zip_t *archive;
    uint64_t at;   /* where libzip reads next */
    int failure;   /* errno of a read that failed; 0: none did */
    uint64_t most; /* bytes that entries may become */
    char *block;   /* unpacked bytes on their way to the parser */
} mgl_package;

/* Bytes of an entry by the archive; 0: unknown. */
uint64_t mgl_package_size(const mgl_package *package, int64_t entry);

/* One run over the XML of an entry. Names have no prefix; attributes are names and values in turn,
 * up to a NULL. A handler that fails ends the run with its status; one that has seen enough sets
 * *enough. */
typedef struct mgl_xml_handlers {
    mgl_status (*start)(void *context, const char *name, const char **attributes, mgl_error *err);
    mgl_status (*end)(void *context, const char *name, mgl_error *err);               /* or NULL */
    mgl_status (*text)(void *context, const char *text, size_t size, mgl_error *err); /* or NULL */
    const bool *enough; /* looked at after each element; NULL: the whole entry is read */
} mgl_xml_handlers;
mgl_status mgl_package_parse(mgl_package *package, int64_t entry, const mgl_xml_handlers *handlers,
                             void *context, mgl_error *err);

/* The value of an attribute by its name, whatever its prefix; NULL if absent. */
const char *mgl_xml_attribute(const char **attributes, const char *name);
/* A whole number that is not negative; otherwise if the attribute is not there or none. */
uint32_t mgl_xml_number(const char **attributes, const char *name, uint32_t otherwise);

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

typedef struct mgl_sheet_cell {
    uint32_t column;
    unsigned look; /* mgl_cell_look: what kind of cell it is */
    mgl_span text;
} mgl_sheet_cell;

/* Takes the cells of a row that have a value, from left to right; rows without one are left out. */
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
    bool enough; /* set by take: no more rows are needed */
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
