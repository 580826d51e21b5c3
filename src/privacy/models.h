/* The models of the room, one line each. Inside the room only. */
#ifndef MGL_PRIVACY_MODELS_H
#define MGL_PRIVACY_MODELS_H

#include "privacy/privacy.h"

extern const mgl_model_type mgl_k_anonymity;

#endif
