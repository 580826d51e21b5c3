/* A small table of persons, the same as text and as an Arrow table. */
#ifndef MGL_TESTS_ROAD_TABLE_H
#define MGL_TESTS_ROAD_TABLE_H

#include "arrow_maker.h"

enum { ROAD_ROWS = 60, ROAD_COLUMNS = 7 };

/* The caller frees it. */
char *road_table_text(void);
void road_table_stream(arrow_maker *maker, struct ArrowArrayStream *out);

#endif
