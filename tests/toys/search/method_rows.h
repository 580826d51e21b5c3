#include "../../../src/search/method_rows.h"
MGL_ROW(mgl_toy_even)
