#include "own.h"
#include "mingle.h"
