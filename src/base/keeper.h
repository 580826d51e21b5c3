/* Keeps what was made once, under a text that says of what it was made, so that whoever needs the
 * same again need not make it. Things are counted by those who hold them; of each kind only the
 * latest few stay when nobody does. One thread at a time.
 *
 * Numbers are never given twice. A key that is made of the numbers of its sources therefore never
 * finds a thing whose sources are gone. */
#ifndef MGL_BASE_KEEPER_H
#define MGL_BASE_KEEPER_H

#include "base/buffer.h"
#include "base/error.h"

#include <stdint.h>

typedef struct mgl_keeper mgl_keeper;

/* What things of one kind have in common. */
typedef struct mgl_kept_kind {
    void (*free)(void *thing);
    size_t most; /* so many stay although nobody holds them */
} mgl_kept_kind;

typedef struct mgl_kept {
    const mgl_kept_kind *kind;
    void *thing;
    uint64_t number; /* no other thing of the keeper has it or had it */
} mgl_kept;

mgl_keeper *mgl_keeper_new(void); /* NULL when memory is out; free as below, holds first */
void mgl_keeper_free(mgl_keeper *keeper);
/* The next number that no thing has. */
uint64_t mgl_keeper_number(mgl_keeper *keeper);

/* What somebody holds. Empty with a keeper to begin with; let go of all of it in the end. */
typedef struct mgl_holds {
    mgl_keeper *keeper;
    const mgl_kept **list;
    size_t n, capacity;
} mgl_holds;
void mgl_holds_end(mgl_holds *holds);

/* Finds what is kept under the key and holds it; *out is NULL if nothing is. */
mgl_status mgl_hold(mgl_holds *holds, const mgl_kept_kind *kind, const mgl_buffer *key,
                    mgl_error *err, const mgl_kept **out);
/* Keeps the thing under the key and holds it. The thing is the keeper's, also on failure. */
mgl_status mgl_keep(mgl_holds *holds, const mgl_kept_kind *kind, const mgl_buffer *key, void *thing,
                    mgl_error *err, const mgl_kept **out);

#endif
