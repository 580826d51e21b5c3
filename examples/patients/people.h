// Patients, household by household.
#ifndef PATIENTS_PEOPLE_H
#define PATIENTS_PEOPLE_H

#include "dates.h"
#include "names.h"

typedef enum {
    MARITAL_SINGLE,
    MARITAL_MARRIED,
    MARITAL_PARTNER,
    MARITAL_SEPARATED,
    MARITAL_DIVORCED,
    MARITAL_WIDOWED,
    MARITAL_MISSING,
    N_MARITAL = MARITAL_MISSING
} marital_kind;

typedef struct {
    const char *given, *family;
    const char *nickname; // or NULL
    char initial;         // of the middle name, or 0
    bool is_junior;
    uint32_t ssn;             // its nine digits
    int32_t birth, admission; // day numbers
    sex_kind sex;
    race_kind race;
    marital_kind marital;
    uint32_t zip;
    size_t diagnosis;
    uint32_t stay;   // days
    uint32_t charge; // dollars
} patient;

// The most patients that have a social security number of their own.
enum { MOST_PATIENTS = 10 * 1000 * 1000 };

void people_draw(random_source *source, size_t n_patients, patient *out);

#endif
