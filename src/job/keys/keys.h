/* keys: the table of all keys, and how their values are written and checked.
 *
 * A new key is one row of a table by subject (search_keys.c, file_keys.c, ...). Its form says how
 * the value is read and what is wrong with one that does not fit, its place which field of the
 * settings it fills, its kind whether it names files that are read or written, its record where the
 * value is written down. What is no single field has a function in the row. A new output needs a
 * row in settings/output_endings.c, too. */
#ifndef MGL_JOB_KEYS_H
#define MGL_JOB_KEYS_H

#include "job/keys/conflicts.h"
#include "job/keys/table_of_keys.h"
#include "job/keys/values.h"

#endif
