#include "../../../src/io/format_rows.h"
MGL_ROW(mgl_toy_format)
