/* The same reader as the tests use. */
#include "../tests/support/adult.c"
