/* Makes a small table as text and as an Arrow table. Tests of roads through memory use it. */
#include "road_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELL = 16 };

static const char *const names[ROAD_COLUMNS] = {"person",  "age",  "zip", "sex",
                                                "disease", "ward", "code"};

/* Cells of the table; an empty one is missing. */
static void cell_of(size_t row, size_t column, char text[CELL])
{
    static const char *const diseases[] = {"flu", "ache", "cold", "Flu", "gout"};
    static const char *const wards[] = {"east", "west", "north"};
    switch (column) {
    case 0:
        snprintf(text, CELL, "p%zu", row / 2 % 25);
        break;
    case 1:
        snprintf(text, CELL, "%zu", 20 + row * 7 % 31);
        if (row % 17 == 3)
            text[0] = '\0';
        break;
    case 2:
        snprintf(text, CELL, "0213%zu", row * row % 7);
        break;
    case 3:
        strcpy(text, row % 3 == 0 ? "m" : "f");
        break;
    case 4:
        strcpy(text, diseases[row * 3 % 5]);
        break;
    case 5:
        strcpy(text, wards[row % 3]);
        break;
    default: /* a different one in each row */
        snprintf(text, CELL, "c%zu", row * 37 % ROAD_ROWS);
    }
}

char *road_table_text(void)
{
    char *text = malloc(ROAD_ROWS * ROAD_COLUMNS * (CELL + 1) + 100), *at = text, cell[CELL];
    for (size_t c = 0; c < ROAD_COLUMNS; c++)
        at += sprintf(at, "%s%c", names[c], c + 1 < ROAD_COLUMNS ? ',' : '\n');
    for (size_t r = 0; r < ROAD_ROWS; r++)
        for (size_t c = 0; c < ROAD_COLUMNS; c++) {
            cell_of(r, c, cell);
            at += sprintf(at, "%s%c", cell, c + 1 < ROAD_COLUMNS ? ',' : '\n');
        }
    return text;
}

/* Three batches; ages are numbers, wards are encoded, the others are texts. */
static void add_batch(arrow_maker *maker, size_t first, size_t n, struct ArrowArray *batch)
{
    static const char *const wards[] = {"east", "west", "north"};
    char cells[ROAD_ROWS][CELL];
    const char *texts[ROAD_ROWS];
    int32_t ages[ROAD_ROWS];
    char valid[ROAD_ROWS + 1] = {0};
    uint8_t codes[ROAD_ROWS];
    made_batch(maker, (int64_t)n, batch);
    for (size_t c = 0; c < ROAD_COLUMNS; c++) {
        for (size_t i = 0; i < n; i++) {
            cell_of(first + i, c, cells[i]);
            texts[i] = cells[i];
            if (c == 1) {
                ages[i] = atoi(cells[i]);
                valid[i] = cells[i][0] != '\0' ? '1' : '0';
            }
            codes[i] = (uint8_t)((first + i) % 3);
        }
        if (c == 1)
            made_numbers(batch, ages, n, 4, valid);
        else if (c == 5)
            made_fill_texts(made_dictionary(made_numbers(batch, codes, n, 1, NULL), 3, 3), wards, 3,
                            4);
        else
            made_texts(batch, texts, n, 4);
    }
}

void road_table_stream(arrow_maker *maker, struct ArrowArrayStream *out)
{
    struct ArrowSchema schema;
    struct ArrowArray batches[3];
    made_table(maker, &schema);
    for (size_t c = 0; c < ROAD_COLUMNS; c++) {
        struct ArrowSchema *column = made_schema_child(&schema,
                                                       c == 1   ? "i"
                                                       : c == 5 ? "C"
                                                                : "u",
                                                       names[c]);
        column->flags = ARROW_FLAG_NULLABLE;
        if (c == 5)
            made_schema_dictionary(column, "u");
    }
    for (size_t b = 0; b < 3; b++)
        add_batch(maker, b * 20, 20, &batches[b]);
    made_stream(maker, &schema, batches, 3, -1, out);
}
