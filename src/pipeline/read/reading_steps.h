/* The steps of reading, one file each. Inside the room only. */
#ifndef MGL_PIPELINE_READ_READING_STEPS_H
#define MGL_PIPELINE_READ_READING_STEPS_H

#include "pipeline/read/reading.h"

/* Gives each column of an opened source its role and checks that the job's columns exist. */
mgl_status mgl_assign_roles(const mgl_settings *settings, const mgl_source *source,
                            mgl_purpose purpose, mgl_error *err, mgl_role *roles);

/* Warns of quasi-identifiers that are not what they seem: one slip makes text of a column of
 * numbers or dates, and decimal signs or the order of day and month can be unclear. */
void mgl_notations_note(mgl_reading *reading);

/* The same for quasi-identifier a alone, with the values of this column. */
void mgl_notation_note(mgl_reading *reading, size_t a, const mgl_column *column);

/* Makes the hierarchy of a column whose dictionary is complete: the one that the job gives, else a
 * proposed one, unless cells are taken as they are or no method of the job looks at it. */
mgl_status mgl_quasi_hierarchy(mgl_reading *reading, mgl_purpose purpose, mgl_quasi_column *quasi,
                               mgl_error *err);

/* ---- Earlier releases ---------------------------------------------------------------------- */

/* Opened before the table is read, since they may need further columns: these are added to the
 * wishes, and the new number of wishes is returned. Bound after the table is read. */
mgl_status mgl_earlier_open(mgl_reading *reading, mgl_error *err);
size_t mgl_earlier_wish(const mgl_reading *reading, mgl_column_wish *wishes, size_t n);
mgl_status mgl_earlier_bind(mgl_reading *reading, mgl_error *err);
void mgl_earlier_free(mgl_earlier *earlier);

/* ---- The population ------------------------------------------------------------------------ */

/* Read after the table and before its hierarchies are made, which must have its values as well;
 * bound after that. */
mgl_status mgl_population_read(mgl_reading *reading, mgl_error *err);
mgl_status mgl_population_bind(mgl_reading *reading, mgl_purpose purpose, mgl_error *err);
void mgl_population_forget(mgl_reading *reading);

#endif
