#include "low/inner.h"
