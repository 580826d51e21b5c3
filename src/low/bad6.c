#include "low/missing.h"
