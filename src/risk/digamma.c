#include "risk/digamma.h"

#include <math.h>

/* psi(x) = psi(x + 1) - 1/x down from where the asymptotic series is exact to the last digits. */
double mgl_digamma(double x)
{
    double below = 0;
    while (x < 12) {
        below += 1 / x;
        x += 1;
    }
    double y = 1 / (x * x);
    double series = y * (1.0 / 12 - y * (1.0 / 120 - y * (1.0 / 252 - y * (1.0 / 240 - y / 132))));
    return log(x) - 0.5 / x - series - below;
}
