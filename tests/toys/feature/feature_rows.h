#include "../../../src/feature/feature_rows.h"
MGL_ROW(mgl_toy_tally)
