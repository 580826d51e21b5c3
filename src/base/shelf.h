/* A shelf holds named things in memory. A job has one with what it was given, a result one with
 * what was made; a location "memory:NAME" means one of these things. */
#ifndef MGL_BASE_SHELF_H
#define MGL_BASE_SHELF_H

#include "base/buffer.h"
#include "mingle.h"

#include <stdatomic.h>

/* Writes a table as delimited text without a header. */
typedef mgl_status mgl_table_text_fn(const void *table, mgl_error *err, mgl_buffer *out);

/* Bytes, or a table that the room which put it there knows. Counted: a thing may be on several
 * shelves, and a file that is open keeps its bytes. It is freed by the allocator it came from. */
typedef struct mgl_thing {
    mgl_span bytes;           /* of a table: none */
    void *table;              /* NULL: the thing is bytes */
    mgl_table_text_fn *text;  /* of a table: writes it as lines, for who reads those */
    mgl_buffer own;           /* what was written here; bytes then are these */
    void (*done)(void *user); /* nobody needs it any more: called once; NULL: nobody minds */
    void *user;               /* for done; of a table the table itself */
    mgl_allocator allocator;
    uint64_t number; /* random, so that no other thing has it, now or later */
    _Atomic size_t holders;
} mgl_thing;

/* With one holder; NULL when memory is out. Let go with mgl_thing_let_go. */
mgl_thing *mgl_thing_new(void);
mgl_thing *mgl_thing_hold(mgl_thing *thing); /* returns it */
void mgl_thing_let_go(mgl_thing *thing);     /* NULL is nothing */

typedef struct mgl_shelf_place {
    char *name;
    mgl_thing *thing;
} mgl_shelf_place;

/* All zero is an empty shelf; empty it with mgl_shelf_clear. One thread at a time changes it. */
typedef struct mgl_shelf {
    mgl_shelf_place *places;
    size_t n, capacity;
} mgl_shelf;

/* Puts the thing there, in the place of what had the name; the shelf is one more holder. */
mgl_status mgl_shelf_put(mgl_shelf *shelf, const char *name, mgl_thing *thing, mgl_error *err);
/* Bytes of the caller's, and a table: done(user) and free_table(table) are called when the last
 * holder lets go. On failure nothing is taken over. text may be NULL. */
mgl_status mgl_shelf_put_bytes(mgl_shelf *shelf, const char *name, mgl_span bytes,
                               void (*done)(void *user), void *user, mgl_error *err);
mgl_status mgl_shelf_put_table(mgl_shelf *shelf, const char *name, void *table,
                               void (*free_table)(void *table), mgl_table_text_fn *text,
                               mgl_error *err);
mgl_thing *mgl_shelf_find(const mgl_shelf *shelf, const char *name); /* NULL; borrowed */
void mgl_shelf_remove(mgl_shelf *shelf, const char *name);
/* Puts all of it on another shelf as well; the things are shared. */
mgl_status mgl_shelf_share(const mgl_shelf *shelf, mgl_error *err, mgl_shelf *out);
void mgl_shelf_clear(mgl_shelf *shelf);

/* ---- Locations ------------------------------------------------------------------------------ */

/* The name in "memory:NAME"; NULL: the location is another one. */
const char *mgl_memory_name(const char *location);
/* What a location means in the call at hand; NULL: it is no location in memory, or nothing is
 * there. Borrowed. */
mgl_thing *mgl_memory_find(const char *location);

#endif
