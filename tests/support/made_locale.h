/* Locales made from their sources, since few systems have any that writes numbers with a comma. */
#ifndef MGL_TESTS_MADE_LOCALE_H
#define MGL_TESTS_MADE_LOCALE_H

#include <stdbool.h>

/* Makes the locale ("de_DE") in the working folder and sets it for the program; false, with a word
 * on the output, if that cannot be done. Ends with leave_locale. */
bool enter_locale(const char *name);
void leave_locale(void);

#endif
