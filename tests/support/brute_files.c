/* Writes and reads the files of brute-force tests. Property tests and fuzz targets call it. */
#include "brute_files.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int brute_enter_folder(void **state)
{
    (void)state;
    char name[] = "/tmp/mingle-test-XXXXXX";
    return mkdtemp(name) == NULL || chdir(name) != 0 ? -1 : 0;
}

int brute_leave_folder(void **state)
{
    (void)state;
    char here[256], command[600];
    if (getcwd(here, sizeof here) == NULL || chdir("/") != 0)
        return -1;
    snprintf(command, sizeof command, "chmod -R u+w '%s'; rm -rf '%s'", here, here);
    return system(command);
}

void brute_append(brute_text *text, const char *data, size_t size)
{
    if (text->size + size + 1 > text->capacity) {
        text->capacity = (text->size + size + 1) * 2;
        text->data = realloc(text->data, text->capacity);
        if (text->data == NULL)
            abort();
    }
    if (size > 0)
        memcpy(text->data + text->size, data, size);
    text->size += size;
    text->data[text->size] = '\0';
}

void brute_append_text(brute_text *text, const char *more)
{
    brute_append(text, more, strlen(more));
}

char *brute_read(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    brute_text text = {0};
    char block[4096];
    size_t n;
    brute_append(&text, "", 0);
    while ((n = fread(block, 1, sizeof block, file)) > 0)
        brute_append(&text, block, n);
    fclose(file);
    if (size != NULL)
        *size = text.size;
    return text.data;
}

void brute_write(const char *path, const char *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(data, 1, size, file) != size || fclose(file) != 0) {
        fprintf(stderr, "cannot write %s\n", path);
        abort();
    }
}

void brute_write_text(const char *path, const char *text)
{
    brute_write(path, text, strlen(text));
}

bool brute_exists(const char *path)
{
    struct stat state;
    return lstat(path, &state) == 0;
}

int brute_count_names(const char *folder)
{
    DIR *dir = opendir(folder);
    int n = 0;
    if (dir == NULL)
        return -1;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
        n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(dir);
    return n;
}

/* ---- CSV -------------------------------------------------------------------------------- */

static char *copy(const char *data, size_t size)
{
    char *text = malloc(size + 1);
    if (text == NULL)
        abort();
    memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

static char *unquote(const char *raw, size_t size)
{
    char *text = copy(raw, size);
    if (size < 2 || raw[0] != '"')
        return text;
    size_t n = 0;
    for (size_t i = 1; i + 1 < size; i++) {
        text[n++] = raw[i];
        i += raw[i] == '"';
    }
    text[n] = '\0';
    return text;
}

/* The end of the cell that starts at from: a delimiter, a line end or the end of the data. */
static bool cell_end(const char *data, size_t size, char delimiter, size_t from, size_t *out)
{
    size_t i = from;
    if (i < size && data[i] == '"') {
        for (i++; i < size; i++) {
            if (data[i] != '"')
                continue;
            if (i + 1 < size && data[i + 1] == '"')
                i++;
            else
                break;
        }
        if (i++ >= size)
            return false;
        if (i < size && data[i] != delimiter && data[i] != '\n' && data[i] != '\r')
            return false;
    } else {
        while (i < size && data[i] != delimiter && data[i] != '\n' &&
               !(data[i] == '\r' && i + 1 < size && data[i + 1] == '\n'))
            i++;
    }
    *out = i;
    return true;
}

bool brute_csv_parse(const char *data, size_t size, char delimiter, brute_csv *out)
{
    size_t cells = 0, capacity = 0, at = 0, column = 0, end;
    *out = (brute_csv){0};
    out->byte_order_mark = size >= 3 && memcmp(data, "\xEF\xBB\xBF", 3) == 0;
    at = out->byte_order_mark ? 3 : 0;
    bool fine = true;
    while (fine && at < size) {
        fine = cell_end(data, size, delimiter, at, &end);
        if (!fine)
            break;
        if (cells == capacity) {
            capacity = capacity * 2 + 64;
            out->raw = realloc(out->raw, capacity * sizeof *out->raw);
            out->value = realloc(out->value, capacity * sizeof *out->value);
            if (out->raw == NULL || out->value == NULL)
                abort();
        }
        out->raw[cells] = copy(data + at, end - at);
        out->value[cells++] = unquote(data + at, end - at);
        column++;
        if (end < size && data[end] == delimiter) {
            at = end + 1;
            continue;
        }
        if (end < size && data[end] == '\r') {
            out->crlf = true;
            end++;
        }
        if (out->n_rows == 0)
            out->n_columns = column;
        fine = column == out->n_columns;
        out->n_rows++;
        column = 0;
        at = end + 1;
    }
    if (!fine || column != 0) {
        out->n_columns = 1;
        out->n_rows = cells;
        brute_csv_free(out);
        return false;
    }
    return true;
}

void brute_csv_free(brute_csv *csv)
{
    for (size_t i = 0; i < csv->n_rows * csv->n_columns; i++) {
        free(csv->raw[i]);
        free(csv->value[i]);
    }
    free(csv->raw);
    free(csv->value);
    *csv = (brute_csv){0};
}

const char *brute_csv_value(const brute_csv *csv, size_t row, size_t column)
{
    return csv->value[row * csv->n_columns + column];
}

const char *brute_csv_raw(const brute_csv *csv, size_t row, size_t column)
{
    return csv->raw[row * csv->n_columns + column];
}
