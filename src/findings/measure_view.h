/* The measures of the program, for views of results. */
#ifndef MGL_FINDINGS_MEASURE_VIEW_H
#define MGL_FINDINGS_MEASURE_VIEW_H

#include "report/report.h"

mgl_measure_view_fn mgl_measure_view_at;

#endif
