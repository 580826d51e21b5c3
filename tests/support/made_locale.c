/* Locales for the tests that set one. */
#include "made_locale.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

bool enter_locale(const char *name)
{
    char command[256], here[4096];
    snprintf(command, sizeof command, "localedef -i %s -f UTF-8 ./%s >/dev/null 2>&1", name, name);
    if (system(command) == 0 && getcwd(here, sizeof here) != NULL)
        setenv("LOCPATH", here, 1);
    if (setlocale(LC_ALL, name) != NULL && localeconv()->decimal_point[0] != '.')
        return true;
    printf("skipped: the locale %s cannot be made (Debian: locales)\n", name);
    leave_locale();
    return false;
}

void leave_locale(void)
{
    setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");
}
