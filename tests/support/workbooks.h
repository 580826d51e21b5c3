/* Workbooks made of hand-written XML, as no program for spreadsheets would write them. */
#ifndef MGL_TESTS_WORKBOOKS_H
#define MGL_TESTS_WORKBOOKS_H

#include <stddef.h>

typedef struct workbook_entry {
    const char *name, *data; /* data NULL: there is no such entry */
    size_t size;             /* 0: up to the NUL byte */
} workbook_entry;

/* Puts the entries into a zip archive; aborts if that cannot be done. */
void write_entries(const char *path, const workbook_entry *entries, size_t n);

/* A workbook of one sheet called Data, or of what workbook lists; what is NULL is the usual. */
typedef struct made_workbook {
    const char *rows;    /* what is in sheetData */
    const char *after;   /* what comes after it */
    const char *strings; /* what is in sst; NULL: there is no such entry */
    const char *styles;  /* what is in styleSheet */
    const char *book;    /* what is in workbook */
    const char *second;  /* rows of a second sheet, rId2 */
} made_workbook;
void write_workbook(const char *path, const made_workbook *made);

#endif
