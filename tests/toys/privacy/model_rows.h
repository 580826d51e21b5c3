#include "../../../src/privacy/model_rows.h"
MGL_ROW(mgl_toy_balance)
MGL_ROW(mgl_toy_uneven)
