/* What a class of a sample stands for in the population, and the risk of its rows. The models that
 * look at weights or at a sampling fraction call it. */
#include "privacy/privacy.h"

double mgl_sample_persons(const mgl_sample *sample, uint64_t size, uint64_t population)
{
    double rows = (double)size;
    if (sample->unit > 0)
        return fmax(rows, (double)population / (double)sample->unit);
    return sample->fraction > 0 ? rows / sample->fraction : rows;
}

double mgl_sample_risk(const mgl_sample *sample, uint64_t size, uint64_t population)
{
    return mgl_individual_risk((double)size, mgl_sample_persons(sample, size, population), false);
}
