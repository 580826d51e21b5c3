// Names from small lists; any likeness to a person is chance.
#ifndef PATIENTS_NAMES_H
#define PATIENTS_NAMES_H

#include "diagnoses.h"

typedef enum {
    RACE_WHITE,
    RACE_BLACK,
    RACE_HISPANIC,
    RACE_ASIAN,
    RACE_PACIFIC_ISLANDER,
    RACE_AMERICAN_INDIAN,
    RACE_OTHER,
    RACE_TWO_OR_MORE,
    RACE_MISSING,
    N_RACES = RACE_MISSING
} race_kind;

const char *name_draw_family(random_source *source, race_kind race);

// Given names go in and out of fashion with the year of birth.
const char *name_draw_given(random_source *source, race_kind race, sex_kind sex, int birth_year);

const char *name_draw_nickname(random_source *source);

#endif
