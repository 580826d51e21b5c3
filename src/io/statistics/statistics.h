/* Files of statistics packages. Private to io/statistics. */
#ifndef MGL_IO_STATISTICS_H
#define MGL_IO_STATISTICS_H

#include "io/intake/intake.h"

/* How a package counts days and seconds in columns that are shown as dates. */
typedef struct mgl_statistics_clock {
    const char *name;    /* the format of the column without its width */
    mgl_cell_kind kind;  /* MGL_CELLS_DATE or MGL_CELLS_DATETIME */
    double unit, origin; /* seconds per unit; seconds from 1970 to its zero */
} mgl_statistics_clock;

/* What the formats differ in: one row each. */
typedef struct mgl_statistics_kind {
    const mgl_format *format;
    const char *package; /* "SPSS" */
    const mgl_statistics_clock *clocks;
    size_t n_clocks;
    const char *date, *datetime; /* formats that columns of dates are written with */
    size_t longest;              /* bytes a cell of text can have */
    bool labels;                 /* labels of values can be written */
} mgl_statistics_kind;

const mgl_statistics_kind *mgl_statistics_kind_of(const mgl_format *format);

/* The clock of a column with this format; NULL: its cells are numbers. */
const mgl_statistics_clock *mgl_statistics_clock_of(const mgl_statistics_kind *kind,
                                                    const char *format);

extern const mgl_format mgl_sav_format, mgl_dta_format, mgl_xpt_format, mgl_sas7bdat_format;
extern const mgl_sink_operations mgl_sink_statistics;

#endif
