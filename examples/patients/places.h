// The region: towns of very unequal size, each with a run of neighbouring ZIP codes.
#ifndef PATIENTS_PLACES_H
#define PATIENTS_PLACES_H

#include "random.h"

typedef enum { PLACE_CITY, PLACE_MILL_TOWN, PLACE_SUBURB, PLACE_COUNTRY, N_PLACE_KINDS } place_kind;

typedef struct {
    place_kind kind;
    uint32_t zip;
} place;

place place_draw(random_source *source);

#endif
