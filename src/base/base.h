/* base: what every room stands on. Nothing here knows about tables. */
#ifndef MGL_BASE_H
#define MGL_BASE_H

#include "mingle.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/span.h"
#include "base/buffer.h"
#include "base/sys.h"
#include "base/map.h"
#include "base/pool.h"
#include "base/random.h"
#include "base/progress.h"
#include "base/number.h"

#endif
