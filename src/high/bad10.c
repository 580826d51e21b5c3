#include "low/low.c"
