/* Kinds of identifiers, known by the name of a column or by the look of its values. */
#ifndef MGL_PROFILE_KINDS_H
#define MGL_PROFILE_KINDS_H

#include "base/base.h"

typedef struct mgl_identifier_kind {
    const char *name;        /* "an e-mail address" */
    const char *words;       /* names of columns: alternatives with | between, words of one with a
                                space; a word matches a whole part of a name */
    bool (*looks)(mgl_span); /* does a value look so? NULL: values show nothing */
    bool of_one;             /* belongs to one person: not a name, an address, a telephone */
} mgl_identifier_kind;

enum { MGL_IDENTIFIER_KINDS = 19 };
const mgl_identifier_kind *mgl_identifier_kinds(size_t *n);

/* Does the name of a column mean the kind? "patientEmail", "E-Mail", "patient_email" all do. */
bool mgl_kind_is_named(const mgl_identifier_kind *kind, const char *column);

/* The same for words written as in `words` above. */
bool mgl_column_is_called(const char *column, const char *words);

/* Has a text an e-mail address, a web address, an account number or a telephone number with the
 * code of its country among its words? */
bool mgl_text_has_contact(mgl_span text);

#endif
