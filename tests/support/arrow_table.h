/* Tables of text as Arrow tables, for tests that send one table on several roads. Each column gets
 * a type that its cells can have, drawn at random: texts of each kind, whole numbers, floats,
 * booleans, days, dictionaries of these. The text of every typed cell is the one that docs/arrow.md
 * gives it. */
#ifndef ARROW_TABLE_H
#define ARROW_TABLE_H

#include "arrow_maker.h"
#include "brute.h"
#include "brute_files.h"

/* The rows of the parsed text, in up to four batches; with a header its first row has the names.
 * Cells that are empty or NA become null. */
void arrow_table_stream(arrow_maker *maker, const brute_csv *csv, bool header, brute_random *random,
                        struct ArrowArrayStream *out);

#endif
