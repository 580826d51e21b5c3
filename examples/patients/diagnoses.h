// The diagnoses of the table: how often each occurs, and what it costs.
#ifndef PATIENTS_DIAGNOSES_H
#define PATIENTS_DIAGNOSES_H

#include "random.h"

typedef enum { SEX_FEMALE, SEX_MALE, SEX_ANY } sex_kind;

// Bands of age: 0, 1-4, 5-15, 16-29, 30-45, 46-64, 65-79, 80 and over.
enum { N_AGE_BANDS = 8 };

typedef struct {
    const char *code;                // as diagnosis.csv lists it
    sex_kind sex;                    // whom it befalls
    uint32_t least_age;              // and from which age on
    uint32_t frequency[N_AGE_BANDS]; // against the other diagnoses of the band
    uint32_t stay;                   // typical length of stay, tenths of a day
    uint32_t price, daily_price;     // charge in hundreds of dollars, once and per day
} diagnosis;

size_t diagnosis_draw(random_source *source, sex_kind sex, uint32_t age, int month);
size_t diagnosis_draw_newborn(random_source *source, bool is_twin);

// How many children are born under this diagnosis of their mother.
uint32_t diagnosis_children(size_t index);

const diagnosis *diagnosis_at(size_t index);

#endif
