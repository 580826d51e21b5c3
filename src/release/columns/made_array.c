/* Makes the arrays of a release: memory for their buffers, dictionaries that all batches share,
 * buffers that the table of the source lends. Whoever gathers columns calls it. */
#include "release/columns/made_array.h"

#include <stdatomic.h>

enum { PADDING = 64 };

struct mgl_lent_array {
    struct ArrowArray array;
    _Atomic size_t holders;
};

/* What an array owns. */
typedef struct owned {
    mgl_allocator allocator; /* that all of it came from */
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *cells; /* [n_children] those that the children point to */
    mgl_lent_array *lent;     /* the dictionary */
    mgl_arrow_table *table;   /* whose buffers these are; NULL: our own */
    struct ArrowArray dictionary;
} owned;

static void free_owned(const struct ArrowArray *array, owned *own)
{
    for (int64_t i = 0; own->cells != NULL && i < array->n_children; i++)
        mgl_array_release(&own->cells[i]);
    for (int64_t i = 0; own->table == NULL && own->buffers != NULL && i < array->n_buffers; i++)
        mgl_free((void *)own->buffers[i]);
    mgl_free(own->buffers);
    mgl_free(own->children);
    mgl_free(own->cells);
    mgl_lent_let_go(own->lent);
    mgl_arrow_let_go(own->table);
    mgl_free(own);
}

/* A consumer may release an array on any thread, where no call of the library is at work. */
static void release_array(struct ArrowArray *array)
{
    owned *own = array->private_data;
    mgl_call call = {.allocator = own->allocator};
    const mgl_call *before = mgl_call_enter(&call);
    free_owned(array, own);
    mgl_call_leave(before);
    array->release = NULL;
}

static mgl_allocator current_allocator(void)
{
    const mgl_call *call = mgl_call_current();
    return call != NULL ? call->allocator : (mgl_allocator){0};
}

mgl_status mgl_made_array(struct ArrowArray *array, size_t length, size_t n_buffers, mgl_error *err)
{
    owned *own = mgl_zeroed_array(1, sizeof *own);
    const void **buffers = mgl_zeroed_array(n_buffers, sizeof *buffers);
    if (own == NULL || buffers == NULL) {
        mgl_free(own);
        mgl_free(buffers);
        return mgl_fail_memory(err);
    }
    own->allocator = current_allocator();
    own->buffers = buffers;
    *array = (struct ArrowArray){.length = (int64_t)length,
                                 .n_buffers = (int64_t)n_buffers,
                                 .buffers = buffers,
                                 .release = release_array,
                                 .private_data = own};
    return MGL_OK;
}

void *mgl_made_buffer(struct ArrowArray *array, size_t buffer, size_t bytes)
{
    size_t padded = (bytes / PADDING + 1) * PADDING;
    char *data = bytes < padded ? mgl_alloc(padded) : NULL;
    if (data != NULL)
        memset(data + bytes, 0, padded - bytes);
    array->buffers[buffer] = data;
    return data;
}

void *mgl_made_zeros(struct ArrowArray *array, size_t buffer, size_t bytes)
{
    void *data = mgl_zeroed_array(bytes / PADDING + 1, PADDING);
    array->buffers[buffer] = data;
    return data;
}

void mgl_made_no_buffer(struct ArrowArray *array, size_t buffer)
{
    mgl_free((void *)array->buffers[buffer]);
    array->buffers[buffer] = NULL;
}

mgl_status mgl_made_children(struct ArrowArray *array, size_t n, mgl_error *err)
{
    owned *own = array->private_data;
    own->children = mgl_alloc_array(n, sizeof *own->children);
    own->cells = mgl_zeroed_array(n, sizeof *own->cells);
    if (own->children == NULL || own->cells == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        own->children[i] = &own->cells[i];
    array->children = own->children;
    array->n_children = (int64_t)n;
    return MGL_OK;
}

/* ---- Arrays that others share -------------------------------------------------------------- */

mgl_status mgl_lent_new(struct ArrowArray *array, mgl_error *err, mgl_lent_array **out)
{
    mgl_lent_array *lent = mgl_zeroed_array(1, sizeof *lent);
    if (lent == NULL) {
        mgl_array_release(array);
        return mgl_fail_memory(err);
    }
    lent->array = *array;
    array->release = NULL;
    atomic_init(&lent->holders, 1);
    *out = lent;
    return MGL_OK;
}

void mgl_lent_let_go(mgl_lent_array *lent)
{
    if (lent == NULL || atomic_fetch_sub(&lent->holders, 1) > 1)
        return;
    mgl_array_release(&lent->array);
    mgl_free(lent);
}

/* A dictionary belongs to its array, which lets go of what it was lent. */
static void release_nothing(struct ArrowArray *array)
{
    array->release = NULL;
}

static void set_dictionary(struct ArrowArray *array, const struct ArrowArray *dictionary)
{
    owned *own = array->private_data;
    own->dictionary = *dictionary;
    own->dictionary.release = release_nothing;
    own->dictionary.private_data = NULL;
    array->dictionary = &own->dictionary;
}

void mgl_made_dictionary(struct ArrowArray *array, mgl_lent_array *dictionary)
{
    owned *own = array->private_data;
    atomic_fetch_add(&dictionary->holders, 1);
    own->lent = dictionary;
    set_dictionary(array, &dictionary->array);
}

mgl_status mgl_made_share(struct ArrowArray *array, const struct ArrowArray *from,
                          mgl_arrow_table *table, mgl_error *err)
{
    MGL_TRY(mgl_made_array(array, (size_t)from->length, (size_t)from->n_buffers, err));
    owned *own = array->private_data;
    if (from->n_buffers > 0)
        memcpy(own->buffers, from->buffers, (size_t)from->n_buffers * sizeof *own->buffers);
    array->null_count = from->null_count;
    own->table = mgl_arrow_hold(table);
    if (from->dictionary != NULL)
        set_dictionary(array, from->dictionary);
    return MGL_OK;
}
