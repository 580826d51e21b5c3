/* A table that a producer offers, of columns of several kinds, for tests that change something in
 * it. */
#ifndef MGL_TESTS_ARROW_OFFER_H
#define MGL_TESTS_ARROW_OFFER_H

#include "arrow_maker.h"
#include "io/io.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>

enum { TEXT, NUMBER, CODE, VIEW, DAY, TIME, LARGE, NOTHING, ROWS = 3 };

typedef struct offer {
    arrow_maker maker;
    struct ArrowSchema schema;
    struct ArrowArray batch;
} offer;

void offer_make(offer *o);
struct ArrowArray *offer_child(offer *o, size_t column);
/* Imports it, and sees to it that everything is released once. */
mgl_status offer_import(offer *o, mgl_error *err);

typedef void offer_change_fn(offer *o);

typedef struct offer_wrong {
    offer_change_fn *change;
    const char *message;
} offer_wrong;

/* Each change is refused with its message. */
void offer_expect_refusals(const offer_wrong *rows, size_t n);

#endif
