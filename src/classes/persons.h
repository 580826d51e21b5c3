/* Inside the room only. */
#ifndef MGL_CLASSES_PERSONS_H
#define MGL_CLASSES_PERSONS_H

#include "classes/classes.h"

void mgl_persons_free(mgl_persons *persons, size_t n_judged);

#endif
