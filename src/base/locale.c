/* Entering and leaving the "C" locale, for the facade and the threads of pools. */
#include "base/locale.h"

/* Without memory for it, which the C locale needs in no known library, the locale stays. */
mgl_locale mgl_locale_enter(void)
{
    mgl_locale locale = {.plain = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
    locale.before = uselocale(locale.plain);
    return locale;
}

void mgl_locale_leave(mgl_locale locale)
{
    if (locale.plain == (locale_t)0)
        return;
    (void)uselocale(locale.before);
    freelocale(locale.plain);
}
