// A program NAME FILE [ROWS] that writes a table of invented rows.
#ifndef PATIENTS_GENERATOR_H
#define PATIENTS_GENERATOR_H

#include <stdbool.h>
#include <stdio.h>

typedef struct {
    const char *name;   // of the program
    const char *header; // the names of the columns, with commas between them
    long default_rows, most_rows;
    // False, with errno set, if memory is out; the file is looked at by the caller, but a
    // loop should end when ferror(file).
    bool (*write_rows)(FILE *file, size_t n_rows);
} generator;

// What main does; its exit code: 0, 2 (wrong use) or 4 (the table could not be written).
int generator_run(const generator *g, int argc, char **argv);

#endif
