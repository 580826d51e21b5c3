/* Options of methods: a row beside the method says all about one, and whatever reads a job file or
 * a command line, helps, completes or checks goes by these rows. */
#ifndef MGL_SEARCH_PROBLEM_METHOD_OPTIONS_H
#define MGL_SEARCH_PROBLEM_METHOD_OPTIONS_H

#include "base/base.h"

typedef struct mgl_method_option mgl_method_option;
struct mgl_method_option {
    const char *name;     /* of the option, and of the key in job files */
    const char *value;    /* how the value is written, for help; NULL: flags and words */
    const char *help;     /* begins with the names of the methods it is for */
    const char *fallback; /* what holds when it is not given; NULL: all zero */
    mgl_form form;        /* of the value, or of each item of a list */
    bool list;            /* values with commas between, which the form adds to one another */
    bool by_column;  /* column=value for quasi-identifiers: the field is a pointer to the values
                        of all of them, in their order */
    bool of_levels;  /* by_column: a value besides the default asks for levels of a hierarchy */
    bool of_release; /* it says how a release is judged, too */
    mgl_value_record record;
    size_t place; /* offset of the field in the struct of the method's options */
    /* Says everything but the place, for an option that several methods have; NULL: this row does.
     */
    const mgl_method_option *same;
};

struct mgl_method_type;

/* The row that says all about an option of the method, by its number. */
const mgl_method_option *mgl_method_option_at(const struct mgl_method_type *method, size_t i);

enum { MGL_WHOLE_TABLE = -1 };

/* What was said about options, as text that outlives the options; NULL: nothing. column: the number
 * of a quasi-identifier, or MGL_WHOLE_TABLE. */
typedef const char *mgl_option_said_fn(const void *context, const mgl_method_option *option,
                                       ptrdiff_t column);

/* Makes the options of a method for so many quasi-identifiers: what was said, else the defaults.
 * Everything lies in the arena; *out is NULL for a method without options. said: NULL: nothing. */
mgl_status mgl_method_options(const struct mgl_method_type *method, size_t n_attributes,
                              mgl_option_said_fn *said, const void *context, mgl_arena *arena,
                              mgl_error *err, const void **out);

#endif
