/* Files for tests: a folder of their own, whole files as bytes, and a CSV parser so plain
 * that it cannot share a mistake with the program's. */
#ifndef BRUTE_FILES_H
#define BRUTE_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* Makes a folder below /tmp and goes there; leaves and removes it. Shaped for cmocka. */
int brute_enter_folder(void **state);
int brute_leave_folder(void **state);

/* The whole file, NUL-terminated; free() it. NULL if it cannot be read. */
char *brute_read(const char *path, size_t *size);
void brute_write(const char *path, const char *data, size_t size);
void brute_write_text(const char *path, const char *text);
bool brute_exists(const char *path);
/* How many names there are in the folder, hidden ones too. */
int brute_count_names(const char *folder);

/* A growing text. All zero is empty; free() data. */
typedef struct brute_text {
    char *data;
    size_t size, capacity;
} brute_text;
void brute_append(brute_text *text, const char *data, size_t size);
void brute_append_text(brute_text *text, const char *more);

/* A parsed table: raw bytes of each cell and its value without quotes. */
typedef struct brute_csv {
    size_t n_rows, n_columns; /* the header is row 0 */
    char **raw;               /* [row * n_columns + column], NUL-terminated */
    char **value;
    bool byte_order_mark, crlf;
} brute_csv;

/* False if the lines have different numbers of cells or a quote is astray. */
bool brute_csv_parse(const char *data, size_t size, char delimiter, brute_csv *out);
void brute_csv_free(brute_csv *csv);
const char *brute_csv_value(const brute_csv *csv, size_t row, size_t column);
const char *brute_csv_raw(const brute_csv *csv, size_t row, size_t column);

#endif
