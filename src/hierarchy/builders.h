/* What the builders share. Private to the module. */
#ifndef MGL_HIERARCHY_BUILDERS_H
#define MGL_HIERARCHY_BUILDERS_H

#include "hierarchy/draft.h"

/* The values of a column that a builder has to place, in the order of the leaves:
 * without the missing value and without '*', which stay themselves. */
typedef struct mgl_ground_value {
    uint64_t key; /* compared first */
    mgl_span text;
} mgl_ground_value;

typedef struct mgl_ground {
    size_t n;
    mgl_ground_value *values;
    bool numeric;                 /* all are numbers */
    bool star;                    /* '*' occurs */
    const mgl_notation *notation; /* of the dictionary; NULL: the plain one */
} mgl_ground;

/* Sorted numerically if all are numbers, else bytewise. Free with mgl_ground_free. */
mgl_status mgl_ground_of(const mgl_dictionary *dictionary, mgl_error *err, mgl_ground *out);
void mgl_ground_free(mgl_ground *ground);
/* By key, equal keys bytewise. */
void mgl_ground_sort(mgl_ground *ground);

typedef struct mgl_build {
    mgl_draft *draft;
    mgl_ground *ground;
    mgl_span arguments;             /* what stands between the parentheses, trimmed */
    const mgl_value_labels *labels; /* of the data; NULL: none */
    const mgl_dictionary *dictionary;
} mgl_build;

typedef mgl_status mgl_build_fn(mgl_build *build, mgl_error *err);
mgl_build_fn mgl_build_mask, mgl_build_intervals, mgl_build_cuts, mgl_build_dates, mgl_build_groups,
    mgl_build_rare, mgl_build_top, mgl_build_bottom, mgl_build_request, mgl_build_grid;

/* The file that the arguments of order(...) name; empty: they are the values. */
mgl_span mgl_order_path(mgl_span arguments);

/* Cuts the next argument off at a comma; false when there is none left. */
bool mgl_next_argument(mgl_span *rest, mgl_span *argument);

/* One token up to `end`, in double quotes or as it is; *rest goes behind it. False if a quote is
 * not closed or is followed by something. */
bool mgl_take_token(mgl_span *rest, char end, mgl_buffer *token, bool *quoted, bool *ended);

/* Adds the row of a ground value with its level 0. */
mgl_status mgl_build_row(mgl_build *build, const mgl_ground_value *value, mgl_error *err);

/* Fails because of one value, whose place stands in front of the message if it is known. */
mgl_status mgl_build_blame(const mgl_build *build, mgl_span value, mgl_error *err,
                           const char *format, ...) MGL_PRINTF(4, 5);

/* MGL_DATA or MGL_USAGE if a ground value is not listed: "the value 'x' of column 'c' FAULT, ...".
 */
mgl_status mgl_build_check_listed(const mgl_build *build, const mgl_map *listed, const char *fault,
                                  mgl_error *err);

/* What a label of a period (2024-05, 2024-Q2, 2020-2024) stands for: days from first to last, or
 * the hour that begins at first. */
typedef struct mgl_period_span {
    double first, last;
    bool hour;
} mgl_period_span;
bool mgl_period_parse(mgl_span label, mgl_period_span *out);

/* More levels than this are a slip, and each costs memory per leaf. */
enum { MGL_MOST_LEVELS = 255 };

#endif
