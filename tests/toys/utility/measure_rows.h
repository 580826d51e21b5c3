#include "../../../src/utility/measure_rows.h"
MGL_ROW(mgl_toy_worst)
MGL_ROW(mgl_toy_kept)
