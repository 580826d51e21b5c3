/* The table of countries. Of the room hierarchy only. */
#ifndef MGL_HIERARCHY_COUNTRIES_H
#define MGL_HIERARCHY_COUNTRIES_H

#include <stdint.h>

enum { MGL_COUNTRIES = 249, MGL_WORLD_REGIONS = 30 };

typedef struct mgl_country {
    char two[3], three[4];
    uint16_t number;   /* ISO 3166-1 numeric, which M49 has, too */
    uint16_t region;   /* M49: the smallest region that it lies in */
    const char *names; /* NAME|NAME|... */
} mgl_country;

/* A region of M49: an intermediate region lies in a sub-region, that in a region, that in none
 * (0). */
typedef struct mgl_world_region {
    uint16_t number, above;
    const char *name;
} mgl_world_region;

extern const mgl_country mgl_countries[MGL_COUNTRIES];
extern const mgl_world_region mgl_world_regions[MGL_WORLD_REGIONS];

#endif
