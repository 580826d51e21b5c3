/* Named objects in memory, and the locations that mean them in the current call. */
#include "base/memory_store.h"

#include "base/call.h"
#include "base/memory.h"
#include "base/sys.h"

mgl_memory_object *mgl_memory_object_new(void)
{
    const mgl_call *call = mgl_call_current();
    mgl_memory_object *object = mgl_zeroed_array(1, sizeof *object);
    if (object == NULL)
        return NULL;
    if (call != NULL)
        object->allocator = call->allocator;
    atomic_init(&object->references, 1);
    if (mgl_sys_entropy(&object->number, sizeof object->number, NULL) != MGL_OK) {
        mgl_free(object);
        return NULL;
    }
    return object;
}

mgl_memory_object *mgl_memory_object_retain(mgl_memory_object *object)
{
    atomic_fetch_add(&object->references, 1);
    return object;
}

void mgl_memory_object_release(mgl_memory_object *object)
{
    if (object == NULL || atomic_fetch_sub(&object->references, 1) > 1)
        return;
    mgl_call own = {.allocator = object->allocator};
    const mgl_call *before = mgl_call_enter(&own);
    if (object->done != NULL)
        object->done(object->user);
    mgl_buffer_free(&object->own);
    mgl_free(object);
    mgl_call_leave(before);
}

static mgl_memory_entry *entry_of(const mgl_memory_store *store, const char *name)
{
    for (size_t i = 0; store != NULL && i < store->n; i++)
        if (strcmp(store->entries[i].name, name) == 0)
            return &store->entries[i];
    return NULL;
}

mgl_memory_object *mgl_memory_store_find(const mgl_memory_store *store, const char *name)
{
    const mgl_memory_entry *entry = entry_of(store, name);
    return entry != NULL ? entry->object : NULL;
}

mgl_status mgl_memory_store_put(mgl_memory_store *store, const char *name,
                                mgl_memory_object *object, mgl_error *err)
{
    mgl_memory_entry *entry = entry_of(store, name);
    if (entry == NULL) {
        MGL_TRY(mgl_grow_array(&store->entries, &store->capacity, store->n + 1,
                               sizeof *store->entries, err));
        char *copy = mgl_alloc(strlen(name) + 1);
        MGL_TRY(mgl_check_memory(copy != NULL, err));
        entry = &store->entries[store->n++];
        *entry = (mgl_memory_entry){strcpy(copy, name), NULL};
    }
    mgl_memory_object *old = entry->object;
    entry->object = mgl_memory_object_retain(object);
    mgl_memory_object_release(old);
    return MGL_OK;
}

/* Puts a new object with this content. Its `done` is set only when it is stored. */
static mgl_status put_new(mgl_memory_store *store, const char *name,
                          const mgl_memory_object *content, mgl_error *err)
{
    mgl_memory_object *object = mgl_memory_object_new();
    MGL_TRY(mgl_check_memory(object != NULL, err));
    object->bytes = content->bytes;
    object->table = content->table;
    object->text = content->text;
    mgl_status status = mgl_memory_store_put(store, name, object, err);
    if (status == MGL_OK) {
        object->done = content->done;
        object->user = content->user;
    }
    mgl_memory_object_release(object);
    return status;
}

mgl_status mgl_memory_store_put_bytes(mgl_memory_store *store, const char *name, mgl_span bytes,
                                      void (*done)(void *user), void *user, mgl_error *err)
{
    mgl_memory_object content = {.bytes = bytes, .done = done, .user = user};
    return put_new(store, name, &content, err);
}

mgl_status mgl_memory_store_put_table(mgl_memory_store *store, const char *name, void *table,
                                      void (*free_table)(void *table), mgl_table_text_fn *text,
                                      mgl_error *err)
{
    mgl_memory_object content = {.table = table, .text = text, .done = free_table, .user = table};
    return put_new(store, name, &content, err);
}

void mgl_memory_store_remove(mgl_memory_store *store, const char *name)
{
    mgl_memory_entry *entry = entry_of(store, name);
    if (entry == NULL)
        return;
    mgl_free(entry->name);
    mgl_memory_object_release(entry->object);
    *entry = store->entries[--store->n];
}

mgl_status mgl_memory_store_share(const mgl_memory_store *store, mgl_error *err,
                                  mgl_memory_store *out)
{
    for (size_t i = 0; i < store->n; i++)
        MGL_TRY(mgl_memory_store_put(out, store->entries[i].name, store->entries[i].object, err));
    return MGL_OK;
}

void mgl_memory_store_clear(mgl_memory_store *store)
{
    for (size_t i = 0; i < store->n; i++) {
        mgl_free(store->entries[i].name);
        mgl_memory_object_release(store->entries[i].object);
    }
    mgl_free(store->entries);
    *store = (mgl_memory_store){0};
}

const char *mgl_memory_name(const char *location)
{
    static const char scheme[] = "memory:";
    return strncmp(location, scheme, sizeof scheme - 1) == 0 ? location + sizeof scheme - 1 : NULL;
}

mgl_memory_object *mgl_memory_find(const char *location)
{
    const mgl_call *call = mgl_call_current();
    const char *name = mgl_memory_name(location);
    if (call == NULL || name == NULL)
        return NULL;
    const mgl_memory_store *stores[] = {call->made, call->given, call->kept};
    mgl_memory_object *object = NULL;
    for (size_t i = 0; object == NULL && i < sizeof stores / sizeof *stores; i++)
        object = mgl_memory_store_find(stores[i], name);
    return object;
}
