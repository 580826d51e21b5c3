#include "high/high.h"
#include "low/low.h"
#include "base/base.h"
#include "mingle.h"
#include <stdio.h>
#include <sys/stat.h>
