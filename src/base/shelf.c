/* Things in memory by their names. Jobs and results have shelves of them, and whoever opens a
 * location finds them through the call at hand. */
#include "base/shelf.h"

#include "base/call.h"
#include "base/memory.h"
#include "base/sys.h"

/* ---- Things --------------------------------------------------------------------------------- */

mgl_thing *mgl_thing_new(void)
{
    const mgl_call *call = mgl_call_current();
    mgl_thing *thing = mgl_zeroed_array(1, sizeof *thing);
    if (thing == NULL)
        return NULL;
    if (call != NULL)
        thing->allocator = call->allocator;
    atomic_init(&thing->holders, 1);
    if (mgl_sys_entropy(&thing->number, sizeof thing->number, NULL) != MGL_OK) {
        mgl_free(thing);
        return NULL;
    }
    return thing;
}

mgl_thing *mgl_thing_hold(mgl_thing *thing)
{
    atomic_fetch_add(&thing->holders, 1);
    return thing;
}

void mgl_thing_let_go(mgl_thing *thing)
{
    if (thing == NULL || atomic_fetch_sub(&thing->holders, 1) > 1)
        return;
    mgl_call own = {.allocator = thing->allocator};
    const mgl_call *before = mgl_call_enter(&own);
    if (thing->done != NULL)
        thing->done(thing->user);
    mgl_buffer_free(&thing->own);
    mgl_free(thing);
    mgl_call_leave(before);
}

/* ---- Shelves -------------------------------------------------------------------------------- */

static mgl_shelf_place *place_of(const mgl_shelf *shelf, const char *name)
{
    for (size_t i = 0; shelf != NULL && i < shelf->n; i++)
        if (strcmp(shelf->places[i].name, name) == 0)
            return &shelf->places[i];
    return NULL;
}

mgl_thing *mgl_shelf_find(const mgl_shelf *shelf, const char *name)
{
    const mgl_shelf_place *place = place_of(shelf, name);
    return place != NULL ? place->thing : NULL;
}

mgl_status mgl_shelf_put(mgl_shelf *shelf, const char *name, mgl_thing *thing, mgl_error *err)
{
    mgl_shelf_place *place = place_of(shelf, name);
    if (place == NULL) {
        if (!mgl_grow(&shelf->places, &shelf->capacity, shelf->n + 1, sizeof *shelf->places))
            return mgl_fail_memory(err);
        char *copy = mgl_alloc(strlen(name) + 1);
        if (copy == NULL)
            return mgl_fail_memory(err);
        place = &shelf->places[shelf->n++];
        *place = (mgl_shelf_place){strcpy(copy, name), NULL};
    }
    mgl_thing *old = place->thing;
    place->thing = mgl_thing_hold(thing);
    mgl_thing_let_go(old);
    return MGL_OK;
}

/* Puts a new thing with this content. Only when it is there somebody is told of its end. */
static mgl_status put_new(mgl_shelf *shelf, const char *name, const mgl_thing *content,
                          mgl_error *err)
{
    mgl_thing *thing = mgl_thing_new();
    if (thing == NULL)
        return mgl_fail_memory(err);
    thing->bytes = content->bytes;
    thing->table = content->table;
    thing->text = content->text;
    mgl_status status = mgl_shelf_put(shelf, name, thing, err);
    if (status == MGL_OK) {
        thing->done = content->done;
        thing->user = content->user;
    }
    mgl_thing_let_go(thing);
    return status;
}

mgl_status mgl_shelf_put_bytes(mgl_shelf *shelf, const char *name, mgl_span bytes,
                               void (*done)(void *user), void *user, mgl_error *err)
{
    mgl_thing content = {.bytes = bytes, .done = done, .user = user};
    return put_new(shelf, name, &content, err);
}

mgl_status mgl_shelf_put_table(mgl_shelf *shelf, const char *name, void *table,
                               void (*free_table)(void *table), mgl_table_text_fn *text,
                               mgl_error *err)
{
    mgl_thing content = {.table = table, .text = text, .done = free_table, .user = table};
    return put_new(shelf, name, &content, err);
}

void mgl_shelf_remove(mgl_shelf *shelf, const char *name)
{
    mgl_shelf_place *place = place_of(shelf, name);
    if (place == NULL)
        return;
    mgl_free(place->name);
    mgl_thing_let_go(place->thing);
    *place = shelf->places[--shelf->n];
}

mgl_status mgl_shelf_share(const mgl_shelf *shelf, mgl_error *err, mgl_shelf *out)
{
    for (size_t i = 0; i < shelf->n; i++)
        MGL_TRY(mgl_shelf_put(out, shelf->places[i].name, shelf->places[i].thing, err));
    return MGL_OK;
}

void mgl_shelf_clear(mgl_shelf *shelf)
{
    for (size_t i = 0; i < shelf->n; i++) {
        mgl_free(shelf->places[i].name);
        mgl_thing_let_go(shelf->places[i].thing);
    }
    mgl_free(shelf->places);
    *shelf = (mgl_shelf){0};
}

/* ---- Locations ------------------------------------------------------------------------------ */

const char *mgl_memory_name(const char *location)
{
    static const char scheme[] = "memory:";
    return strncmp(location, scheme, sizeof scheme - 1) == 0 ? location + sizeof scheme - 1 : NULL;
}

mgl_thing *mgl_memory_find(const char *location)
{
    const mgl_call *call = mgl_call_current();
    const char *name = mgl_memory_name(location);
    if (call == NULL || name == NULL)
        return NULL;
    const mgl_shelf *shelves[] = {call->made, call->given, call->kept};
    mgl_thing *thing = NULL;
    for (size_t i = 0; thing == NULL && i < sizeof shelves / sizeof *shelves; i++)
        thing = mgl_shelf_find(shelves[i], name);
    return thing;
}
