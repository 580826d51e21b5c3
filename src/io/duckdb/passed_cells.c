/* Takes cells of any type out of vectors of DuckDB as bytes and puts them into others. The shuffle
 * of a release calls it: lists and structures go through the slow way, cell by cell, and plain
 * types are copied there. */
#include "io/duckdb/passed_cells.h"

/* ---- Types ------------------------------------------------------------------------------ */

/* Bytes of a cell by the number of its type; 0: it is none of these. */
static const unsigned char sizes[] = {
    [1] = 1,  [2] = 1,  [3] = 2,  [4] = 4,   [5] = 8,  [6] = 1,  [7] = 2,   [8] = 4,
    [9] = 8,  [10] = 4, [11] = 8, [12] = 8,  [13] = 4, [14] = 8, [15] = 16, [16] = 16,
    [20] = 8, [21] = 8, [22] = 8, [27] = 16, [30] = 8, [31] = 8, [32] = 16, [39] = 8,
};

enum {
    TEXT = 17,
    BYTES = 18,
    DECIMAL = 19,
    ENUMERATION = 23,
    LIST = 24,
    STRUCT = 25,
    MAP = 26,
    BITS = 29,
    ARRAY = 33,
    BIG_NUMBER = 35
};

void mgl_passed_type_free(mgl_passed_type *type)
{
    for (size_t i = 0; type->children != NULL && i < type->n_children; i++)
        mgl_passed_type_free(&type->children[i]);
    mgl_free(type->children);
    *type = (mgl_passed_type){0};
}

static bool make_children(mgl_passed_type *out, size_t n, bool *no_memory)
{
    out->children = mgl_zeroed_array(n + 1, sizeof *out->children);
    out->n_children = n;
    *no_memory |= out->children == NULL;
    return out->children != NULL;
}

/* Takes the type over. */
static bool make_child(void *type, mgl_passed_type *out, bool *no_memory)
{
    bool known = mgl_passed_type_make(type, out, no_memory);
    mgl_vectors()->destroy_type(&type);
    return known;
}

static bool make_struct(void *type, mgl_passed_type *out, bool *no_memory)
{
    const mgl_vector_calls *v = mgl_vectors();
    out->kind = MGL_PASSED_STRUCT;
    bool known = make_children(out, v->struct_size(type), no_memory);
    for (size_t i = 0; known && i < out->n_children; i++)
        known = make_child(v->struct_type(type, i), &out->children[i], no_memory);
    return known;
}

/* A map is a list of structures of a key and a value. */
static bool make_map(void *type, mgl_passed_type *out, bool *no_memory)
{
    const mgl_vector_calls *v = mgl_vectors();
    out->kind = MGL_PASSED_LIST;
    if (!make_children(out, 1, no_memory))
        return false;
    mgl_passed_type *pair = &out->children[0];
    pair->kind = MGL_PASSED_STRUCT;
    return make_children(pair, 2, no_memory) &&
           make_child(v->map_key(type), &pair->children[0], no_memory) &&
           make_child(v->map_value(type), &pair->children[1], no_memory);
}

static bool make_list(void *type, mgl_passed_type *out, bool *no_memory)
{
    out->kind = MGL_PASSED_LIST;
    return make_children(out, 1, no_memory) &&
           make_child(mgl_vectors()->list_type(type), &out->children[0], no_memory);
}

static bool make_array(void *type, mgl_passed_type *out, bool *no_memory)
{
    const mgl_vector_calls *v = mgl_vectors();
    out->kind = MGL_PASSED_ARRAY;
    out->size = v->array_size(type);
    return make_children(out, 1, no_memory) &&
           make_child(v->array_type(type), &out->children[0], no_memory);
}

bool mgl_passed_type_make(void *type, mgl_passed_type *out, bool *no_memory)
{
    const mgl_vector_calls *v = mgl_vectors();
    int id = v->type_id(type);
    *out = (mgl_passed_type){0};
    switch (id) {
    case TEXT:
    case BYTES:
    case BITS:
    case BIG_NUMBER:
        out->kind = MGL_PASSED_TEXT;
        return true;
    case LIST:
        return make_list(type, out, no_memory);
    case STRUCT:
        return make_struct(type, out, no_memory);
    case MAP:
        return make_map(type, out, no_memory);
    case ARRAY:
        return make_array(type, out, no_memory);
    case DECIMAL:
        id = v->decimal_type(type);
        break;
    case ENUMERATION:
        id = v->enum_type(type);
        break;
    default:
        break;
    }
    out->kind = MGL_PASSED_FIXED;
    out->size = id > 0 && (size_t)id < sizeof sizes ? sizes[id] : 0;
    return out->size > 0;
}

/* ---- Taking ----------------------------------------------------------------------------- */

/* Where a list stands in the vector of all its cells. */
typedef struct list_place {
    uint64_t first, n;
} list_place;

static void take_number(uint64_t number, mgl_buffer *out)
{
    mgl_buffer_append(out, (const char *)&number, sizeof number);
}

static void take_range(const mgl_passed_type *type, void *vector, list_place place, mgl_buffer *out)
{
    for (uint64_t i = 0; i < place.n; i++)
        mgl_passed_take(type, vector, place.first + i, out);
}

void mgl_passed_take(const mgl_passed_type *type, void *vector, size_t row, mgl_buffer *out)
{
    const mgl_vector_calls *v = mgl_vectors();
    mgl_duckdb_cells cells = mgl_vector_cells(vector);
    char there = mgl_duckdb_has(cells, row) ? 1 : 0;
    mgl_buffer_append(out, &there, 1);
    if (!there)
        return;
    if (type->kind == MGL_PASSED_FIXED) {
        mgl_buffer_append(out, (const char *)cells.data + row * type->size, type->size);
    } else if (type->kind == MGL_PASSED_TEXT) {
        mgl_span text = mgl_duckdb_text_at(cells, row);
        take_number(text.size, out);
        mgl_buffer_span(out, text);
    } else if (type->kind == MGL_PASSED_STRUCT) {
        for (size_t i = 0; i < type->n_children; i++)
            mgl_passed_take(&type->children[i], v->struct_child(vector, i), row, out);
    } else if (type->kind == MGL_PASSED_ARRAY) {
        list_place place = {row * type->size, type->size};
        take_range(&type->children[0], v->array_child(vector), place, out);
    } else {
        list_place place = ((const list_place *)cells.data)[row];
        take_number(place.n, out);
        take_range(&type->children[0], v->list_child(vector), place, out);
    }
}

/* ---- Putting ---------------------------------------------------------------------------- */

static const char *put_range(const mgl_passed_type *type, void *vector, list_place place,
                             const char *bytes)
{
    for (uint64_t i = 0; i < place.n; i++)
        bytes = mgl_passed_put(type, vector, place.first + i, bytes);
    return bytes;
}

static const char *put_list(const mgl_passed_type *type, void *vector, size_t row,
                            const char *bytes)
{
    const mgl_vector_calls *v = mgl_vectors();
    list_place place = {v->list_size(vector), 0};
    memcpy(&place.n, bytes, sizeof place.n);
    ((list_place *)v->data(vector))[row] = place;
    v->reserve_list(vector, place.first + place.n);
    v->set_list_size(vector, place.first + place.n);
    return put_range(&type->children[0], v->list_child(vector), place, bytes + sizeof place.n);
}

/* What a structure or an array that is missing holds is missing, too. */
static void put_missing(const mgl_passed_type *type, void *vector, size_t row)
{
    const mgl_vector_calls *v = mgl_vectors();
    mgl_vector_put_null(vector, row);
    if (type->kind == MGL_PASSED_LIST)
        ((list_place *)v->data(vector))[row] = (list_place){v->list_size(vector), 0};
    for (size_t i = 0; type->kind == MGL_PASSED_STRUCT && i < type->n_children; i++)
        put_missing(&type->children[i], v->struct_child(vector, i), row);
    for (size_t i = 0; type->kind == MGL_PASSED_ARRAY && i < type->size; i++)
        put_missing(&type->children[0], v->array_child(vector), row * type->size + i);
}

const char *mgl_passed_put(const mgl_passed_type *type, void *vector, size_t row, const char *bytes)
{
    const mgl_vector_calls *v = mgl_vectors();
    if (*bytes++ == 0) {
        put_missing(type, vector, row);
        return bytes;
    }
    if (type->kind == MGL_PASSED_LIST)
        return put_list(type, vector, row, bytes);
    if (type->kind == MGL_PASSED_FIXED) {
        memcpy((char *)v->data(vector) + row * type->size, bytes, type->size);
        return bytes + type->size;
    }
    if (type->kind == MGL_PASSED_TEXT) {
        uint64_t size;
        memcpy(&size, bytes, sizeof size);
        v->put_text(vector, row, bytes + sizeof size, size);
        return bytes + sizeof size + size;
    }
    if (type->kind == MGL_PASSED_ARRAY)
        return put_range(&type->children[0], v->array_child(vector),
                         (list_place){row * type->size, type->size}, bytes);
    for (size_t i = 0; i < type->n_children; i++)
        bytes = mgl_passed_put(&type->children[i], v->struct_child(vector, i), row, bytes);
    return bytes;
}
