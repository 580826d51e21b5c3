#ifndef MGL_RISK_DIGAMMA_H
#define MGL_RISK_DIGAMMA_H

/* The derivative of ln gamma, x > 0. Inside the room only. */
double mgl_digamma(double x);

#endif
