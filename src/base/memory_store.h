/* A memory store holds named objects in memory. A job has one with its inputs, a result one with
 * its outputs; a location "memory:NAME" means one of these objects. */
#ifndef MGL_BASE_MEMORY_STORE_H
#define MGL_BASE_MEMORY_STORE_H

#include "base/buffer.h"
#include "mingle.h"

#include <stdatomic.h>

/* Writes a table as delimited text without a header. */
typedef mgl_status mgl_table_text_fn(const void *table, mgl_error *err, mgl_buffer *out);

/* Bytes, or a table of the module that stored it. Counted by references: several stores may share
 * an object, and an open file keeps its bytes. Freed by the allocator it came from. */
typedef struct mgl_memory_object {
    mgl_span bytes;           /* of a table: none */
    void *table;              /* NULL: the object is bytes */
    mgl_table_text_fn *text;  /* of a table: writes it as lines for readers of text */
    mgl_buffer own;           /* what was written here; bytes then are these */
    void (*done)(void *user); /* optional; called once when the last reference is released */
    void *user;               /* for done; of a table the table itself */
    mgl_allocator allocator;
    uint64_t number; /* random, so that no other object has it, now or later */
    _Atomic size_t references;
} mgl_memory_object;

/* With one reference; NULL when memory is out. End it with mgl_memory_object_release. */
mgl_memory_object *mgl_memory_object_new(void);
mgl_memory_object *mgl_memory_object_retain(mgl_memory_object *object); /* returns it */
void mgl_memory_object_release(mgl_memory_object *object);              /* accepts NULL */

typedef struct mgl_memory_entry {
    char *name;
    mgl_memory_object *object;
} mgl_memory_entry;

/* All zero is an empty store; empty it with mgl_memory_store_clear. One thread at a time changes
 * it. */
typedef struct mgl_memory_store {
    mgl_memory_entry *entries;
    size_t n, capacity;
} mgl_memory_store;

/* Stores the object, which replaces one of the same name; the store adds a reference. */
mgl_status mgl_memory_store_put(mgl_memory_store *store, const char *name,
                                mgl_memory_object *object, mgl_error *err);
/* Stores the caller's bytes, or a table: done(user) and free_table(table) are called when the last
 * reference is released. On failure nothing is taken over. text may be NULL. */
mgl_status mgl_memory_store_put_bytes(mgl_memory_store *store, const char *name, mgl_span bytes,
                                      void (*done)(void *user), void *user, mgl_error *err);
mgl_status mgl_memory_store_put_table(mgl_memory_store *store, const char *name, void *table,
                                      void (*free_table)(void *table), mgl_table_text_fn *text,
                                      mgl_error *err);
/* Borrowed; NULL if there is none. */
mgl_memory_object *mgl_memory_store_find(const mgl_memory_store *store, const char *name);
void mgl_memory_store_remove(mgl_memory_store *store, const char *name);
/* Adds all of it to another store, which shares the objects. */
mgl_status mgl_memory_store_share(const mgl_memory_store *store, mgl_error *err,
                                  mgl_memory_store *out);
void mgl_memory_store_clear(mgl_memory_store *store);

/* The name in "memory:NAME"; NULL: the location is another one. */
const char *mgl_memory_name(const char *location);
/* What a location means in the current call; NULL: it is no location in memory, or there is nothing
 * under the name. Borrowed. */
mgl_memory_object *mgl_memory_find(const char *location);

#endif
