#include "../../../../src/job/keys/key_groups.h"
MGL_ROWS("Toys", mgl_keys_of_toys)
