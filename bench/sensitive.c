/* The same helpers as the tests use. */
#include "../tests/support/sensitive.c"
