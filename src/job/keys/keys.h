/* keys: the table of all keys, and how their values are written and checked. */
#ifndef MGL_JOB_KEYS_H
#define MGL_JOB_KEYS_H

#include "job/keys/table_of_keys.h"
#include "job/keys/values.h"

#endif
