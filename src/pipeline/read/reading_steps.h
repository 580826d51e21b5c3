/* The steps of reading, one file each. Inside the room only. */
#ifndef MGL_PIPELINE_READ_READING_STEPS_H
#define MGL_PIPELINE_READ_READING_STEPS_H

#include "pipeline/read/reading.h"

/* Gives each column of an opened source its role and checks that the job's columns exist. */
mgl_status mgl_assign_roles(const mgl_settings *settings, const mgl_source *source,
                            mgl_purpose purpose, mgl_error *err, mgl_role *roles);

/* Warns of quasi-identifiers that are not what they seem: a slip among numbers or dates makes a
 * text of a column, signs and orders can be unclear. */
void mgl_notations_note(mgl_reading *reading);

/* The same of quasi-identifier a alone, whose values are those of the column. */
void mgl_notation_note(mgl_reading *reading, size_t a, const mgl_column *column);

/* Makes the hierarchy of a column, whose dictionary has all its values by now: the one that the job
 * gives, else a proposed one, unless cells are taken as they are or all methods of the job go
 * without (propose.c). */
mgl_status mgl_quasi_hierarchy(mgl_reading *reading, mgl_purpose purpose, mgl_quasi_column *quasi,
                               mgl_error *err);

/* ---- Earlier releases --------------------------------------------------------------------- */

/* Earlier releases: opened before the table is read, since they may need columns more (which are
 * added to the wishes; returns how many there are then), and bound after. */
mgl_status mgl_earlier_open(mgl_reading *reading, mgl_error *err);
size_t mgl_earlier_wish(const mgl_reading *reading, mgl_column_wish *wishes, size_t n);
mgl_status mgl_earlier_bind(mgl_reading *reading, mgl_error *err);
void mgl_earlier_free(mgl_earlier *earlier);

/* ---- The population ----------------------------------------------------------------------- */

/* The population: read after the table and before its hierarchies are made, since its values
 * belong into them; bound after. */
mgl_status mgl_population_read(mgl_reading *reading, mgl_error *err);
mgl_status mgl_population_bind(mgl_reading *reading, mgl_purpose purpose, mgl_error *err);
void mgl_population_forget(mgl_reading *reading);

#endif
