/* The program that uses the library may have set a locale, in which numbers have another decimal
 * sign and letters other cases. The public functions that read or write text enter the plain "C"
 * locale and leave it again, so that the same job gives the same bytes in every program, whatever
 * printf, the libraries beneath and their messages make of a locale. Only the calling thread is
 * concerned; the threads of a pool enter by themselves. */
#ifndef MGL_BASE_LOCALE_H
#define MGL_BASE_LOCALE_H

#include <locale.h>

typedef struct mgl_locale {
    locale_t before, plain;
} mgl_locale;

/* Leave with mgl_locale_leave; may be nested. */
mgl_locale mgl_locale_enter(void);
void mgl_locale_leave(mgl_locale locale);

#endif
