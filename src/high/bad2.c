  # include "low/inner.h"
