/* Workbooks of Excel. Private to io/xlsx.
 *
 * A workbook is a zip archive of XML entries. Entries are parsed while they are unpacked; of a
 * sheet only one row is in memory, of the workbook its shared texts and styles. */
#ifndef MGL_IO_XLSX_H
#define MGL_IO_XLSX_H

#include "io/intake/intake.h"

/* What Excel allows; other programs keep to it. */
enum {
    MGL_XLSX_ROWS = 1048576,
    MGL_XLSX_COLUMNS = 16384,
    MGL_XLSX_CHARACTERS = 32767, /* of a cell, in units of UTF-16 */
    MGL_XLSX_SHEET_NAME = 31     /* likewise */
};

/* B7; columns are numbered from 0. Writes a NUL-terminated text. */
enum { MGL_XLSX_ADDRESS = 16 };
void mgl_xlsx_address(uint32_t row, uint32_t column, char text[MGL_XLSX_ADDRESS]);
/* Reads one; false if it is not one or lies beyond the limits of Excel. Row 0: there are only
 * letters. */
bool mgl_xlsx_address_read(mgl_span text, uint32_t *row, uint32_t *column);

/* MGL_USAGE if Excel does not take it as the name of a sheet. */
mgl_status mgl_xlsx_check_sheet(const char *target, mgl_span sheet, mgl_error *err);

/* How many units a text has in UTF-16. */
size_t mgl_xlsx_characters(mgl_span text);
/* Texts in XML hold characters that XML lacks as _x000D_. */
void mgl_xlsx_escape(mgl_buffer *out, mgl_span text);
/* In place; returns the new size. */
size_t mgl_xlsx_unescape(char *text, size_t size);

/* What a number format shows. */
enum {
    MGL_XLSX_SHOWS_DATE = 1,
    MGL_XLSX_SHOWS_TIME = 2,
    MGL_XLSX_SHOWS_ELAPSED = 4 /* hours, minutes or seconds that count on: [h]:mm */
};
/* Of a format of one's own, or of one that has only a number. */
unsigned mgl_xlsx_format_shows(mgl_span code);
unsigned mgl_xlsx_builtin_shows(uint32_t id);

/* What kinds of cells a text can be written as, so that it reads the same again. */
unsigned mgl_xlsx_look(mgl_span text);

/* The number as a cell; the kind of cell it is (one of mgl_cell_look). */
size_t mgl_xlsx_number_text(double value, unsigned shows, bool from_1904, char text[MGL_TIME_TEXT],
                            unsigned *look);
/* A day (and time) or a time as a number of days, in the system that counts from 1900; false:
 * Excel lacks it. */
bool mgl_xlsx_serial(mgl_span text, unsigned look, double *out);

extern const mgl_sink_operations mgl_sink_xlsx;

#endif
