#include "mingle.h"
