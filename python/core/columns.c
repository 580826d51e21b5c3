/* Columns that are made of Python's buffers, and the stream of a table that is made of them: the
 * road of data frames that have no Arrow of their own. Nothing is copied: an array holds the
 * buffers it was made of until its consumer releases it. */
#include "core.h"

enum { MOST_BUFFERS = 3 };

typedef struct column_object {
    PyObject_HEAD struct ArrowSchema schema; /* release NULL: it was moved into a table */
    struct ArrowArray array;
} column_object;

static PyTypeObject *type; /* of the module, which is never unloaded */

/* ---- Schemas ----------------------------------------------------------------------------------
 */

static void release_schema(struct ArrowSchema *schema)
{
    for (int64_t i = 0; i < schema->n_children; i++) {
        if (schema->children[i]->release != NULL)
            schema->children[i]->release(schema->children[i]);
        free(schema->children[i]);
    }
    free(schema->children);
    if (schema->dictionary != NULL) {
        if (schema->dictionary->release != NULL)
            schema->dictionary->release(schema->dictionary);
        free(schema->dictionary);
    }
    free((char *)schema->format);
    free((char *)schema->name);
    schema->release = NULL;
}

static bool make_schema(const char *name, const char *format, int64_t flags,
                        struct ArrowSchema *out)
{
    *out = (struct ArrowSchema){
        .format = strdup(format), .name = strdup(name), .flags = flags, .release = release_schema};
    if (out->format != NULL && out->name != NULL)
        return true;
    release_schema(out);
    PyErr_NoMemory();
    return false;
}

/* A schema of another library under a name of ours, without its metadata. */
static bool copy_schema(const struct ArrowSchema *from, const char *name, struct ArrowSchema *out)
{
    if (!make_schema(name, from->format, from->flags | ARROW_FLAG_NULLABLE, out))
        return false;
    size_t n = (size_t)from->n_children;
    out->children = calloc(n + 1, sizeof *out->children);
    if (from->dictionary != NULL)
        out->dictionary = calloc(1, sizeof *out->dictionary);
    bool made = out->children != NULL && (from->dictionary == NULL || out->dictionary != NULL);
    if (made && from->dictionary != NULL)
        made = copy_schema(from->dictionary, "", out->dictionary);
    for (size_t i = 0; i < n && made; i++) {
        out->children[i] = calloc(1, sizeof **out->children);
        made = out->children[i] != NULL;
        if (made) {
            out->n_children++;
            const char *child = from->children[i]->name;
            made = copy_schema(from->children[i], child != NULL ? child : "", out->children[i]);
        }
    }
    if (!made) {
        release_schema(out);
        PyErr_NoMemory();
    }
    return made;
}

/* ---- Arrays -----------------------------------------------------------------------------------
 */

/* What an array of ours holds. */
typedef struct held {
    const void *pointers[MOST_BUFFERS];
    Py_buffer views[MOST_BUFFERS];
    int n_views;
} held;

static void release_array(struct ArrowArray *array)
{
    held *h = array->private_data;
    if (array->dictionary != NULL) {
        if (array->dictionary->release != NULL)
            array->dictionary->release(array->dictionary);
        free(array->dictionary);
    }
    /* The consumer may be on any thread. */
    PyGILState_STATE state = PyGILState_Ensure();
    for (int i = 0; i < h->n_views; i++)
        PyBuffer_Release(&h->views[i]);
    PyGILState_Release(state);
    free(h);
    array->release = NULL;
}

/* Bytes that buffer i of n cells has at least; of the texts themselves nobody but their last
 * offset knows. */
static size_t least_bytes(const char *format, int i, size_t n)
{
    unsigned offsets = core_format_offsets(format);
    if (i == 0)
        return (n + 7) / 8;
    if (offsets != 0)
        return i == 1 ? (n + 1) * offsets : 0;
    return (n * core_format_bits(format) + 7) / 8;
}

/* Takes the buffers of a sequence; the first, the one of validity, may be None. */
static bool hold_buffers(held *h, const char *format, size_t n, PyObject *buffers)
{
    int wanted = core_format_buffers(format);
    if (wanted < 0 || PySequence_Size(buffers) != wanted) {
        if (!PyErr_Occurred())
            PyErr_Format(PyExc_ValueError, "format '%s' does not have these buffers", format);
        return false;
    }
    for (int i = 0; i < wanted; i++) {
        PyObject *item = PySequence_GetItem(buffers, i);
        if (item == NULL)
            return false;
        bool none = item == Py_None && i == 0;
        int failed = none ? 0 : PyObject_GetBuffer(item, &h->views[h->n_views], PyBUF_C_CONTIGUOUS);
        Py_DECREF(item);
        if (failed != 0)
            return false;
        if (none)
            continue;
        Py_buffer *view = &h->views[h->n_views++];
        h->pointers[i] = view->buf;
        size_t least =
            i == 2 ? core_last_offset(format, h->pointers[1], n) : least_bytes(format, i, n);
        if ((size_t)view->len < least) {
            PyErr_Format(PyExc_ValueError, "buffer %d of format '%s' is too short", i, format);
            return false;
        }
    }
    return true;
}

static bool make_array(const char *format, size_t n, Py_ssize_t nulls, PyObject *buffers,
                       struct ArrowArray *out)
{
    held *h = calloc(1, sizeof *h);
    if (h == NULL) {
        PyErr_NoMemory();
        return false;
    }
    *out = (struct ArrowArray){.length = (int64_t)n,
                               .null_count = nulls,
                               .n_buffers = core_format_buffers(format),
                               .buffers = h->pointers,
                               .release = release_array,
                               .private_data = h};
    if (hold_buffers(h, format, n, buffers))
        return true;
    out->release(out);
    return false;
}

/* ---- Columns ----------------------------------------------------------------------------------
 */

static column_object *new_column(void)
{
    column_object *self = PyObject_New(column_object, type);
    if (self != NULL) {
        self->schema = (struct ArrowSchema){0};
        self->array = (struct ArrowArray){0};
    }
    return self;
}

static void free_column(PyObject *object)
{
    column_object *self = (column_object *)object;
    PyTypeObject *own = Py_TYPE(object);
    if (self->schema.release != NULL)
        self->schema.release(&self->schema);
    if (self->array.release != NULL)
        self->array.release(&self->array);
    PyObject_Free(object);
    Py_DECREF(own);
}

/* Moves the parts of a column to where a parent has them. */
static bool move_column(column_object *from, struct ArrowSchema **schema, struct ArrowArray **array)
{
    *schema = malloc(sizeof **schema);
    *array = malloc(sizeof **array);
    if (*schema == NULL || *array == NULL) {
        free(*schema);
        free(*array);
        *schema = NULL;
        *array = NULL;
        PyErr_NoMemory();
        return false;
    }
    **schema = from->schema;
    **array = from->array;
    from->schema.release = NULL;
    from->array.release = NULL;
    return true;
}

/* column(name, format, length, nulls, buffers, dictionary, ordered) */
static PyObject *column(PyObject *module, PyObject *arguments)
{
    (void)module;
    const char *name, *format;
    Py_ssize_t n, nulls;
    PyObject *buffers, *dictionary;
    int ordered;
    if (!PyArg_ParseTuple(arguments, "ssnnOOp", &name, &format, &n, &nulls, &buffers, &dictionary,
                          &ordered))
        return NULL;
    column_object *self = new_column();
    if (self == NULL)
        return NULL;
    int64_t flags = ARROW_FLAG_NULLABLE | (ordered ? ARROW_FLAG_DICTIONARY_ORDERED : 0);
    if (!make_schema(name, format, flags, &self->schema) ||
        !make_array(format, (size_t)n, nulls, buffers, &self->array) ||
        (dictionary != Py_None &&
         !move_column((column_object *)dictionary, &self->schema.dictionary,
                      &self->array.dictionary))) {
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

/* column_of(name, schema, array): what another library exported as capsules. */
static PyObject *column_of(PyObject *module, PyObject *arguments)
{
    (void)module;
    const char *name;
    PyObject *schemas, *arrays;
    if (!PyArg_ParseTuple(arguments, "sOO", &name, &schemas, &arrays))
        return NULL;
    struct ArrowSchema *schema = PyCapsule_GetPointer(schemas, core_schema_name);
    struct ArrowArray *array = schema ? PyCapsule_GetPointer(arrays, core_array_name) : NULL;
    column_object *self = array != NULL ? new_column() : NULL;
    if (self == NULL)
        return NULL;
    if (!copy_schema(schema, name, &self->schema)) {
        Py_DECREF(self);
        return NULL;
    }
    self->array = *array;
    array->release = NULL;
    return (PyObject *)self;
}

/* ---- Tables -----------------------------------------------------------------------------------
 */

typedef struct table {
    struct ArrowSchema schema;
    struct ArrowArray *batches;
    Py_ssize_t n, next;
} table;

static void release_children(struct ArrowArray *array)
{
    for (int64_t i = 0; i < array->n_children; i++) {
        if (array->children[i]->release != NULL)
            array->children[i]->release(array->children[i]);
        free(array->children[i]);
    }
    free(array->children);
    free(array->buffers);
    array->release = NULL;
}

static int give_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    table *t = stream->private_data;
    *out = t->schema;
    t->schema.release = NULL;
    return 0;
}

/* One batch after the other, then the end. */
static int give_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    table *t = stream->private_data;
    *out = (struct ArrowArray){0};
    if (t->next < t->n) {
        *out = t->batches[t->next];
        t->batches[t->next++].release = NULL;
    }
    return 0;
}

static const char *no_error(struct ArrowArrayStream *stream)
{
    (void)stream;
    return NULL;
}

static void release_table(table *t)
{
    if (t->schema.release != NULL)
        t->schema.release(&t->schema);
    for (Py_ssize_t i = 0; i < t->n; i++)
        if (t->batches[i].release != NULL)
            t->batches[i].release(&t->batches[i]);
    free(t->batches);
    free(t);
}

static void release_stream(struct ArrowArrayStream *stream)
{
    release_table(stream->private_data);
    stream->release = NULL;
}

/* Moves the columns of a batch into it; what is made before a failure is there to be released. */
static bool fill_batch(PyObject *columns, Py_ssize_t n_rows, struct ArrowSchema *schema,
                       struct ArrowArray *array)
{
    Py_ssize_t n = PyList_Size(columns);
    if (n < 0 || !make_schema("", "+s", 0, schema))
        return false;
    *array = (struct ArrowArray){.length = n_rows, .n_buffers = 1, .release = release_children};
    array->buffers = calloc(1, sizeof *array->buffers);
    schema->children = calloc((size_t)n + 1, sizeof *schema->children);
    array->children = calloc((size_t)n + 1, sizeof *array->children);
    if (array->buffers == NULL || schema->children == NULL || array->children == NULL) {
        PyErr_NoMemory();
        return false;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        column_object *from = (column_object *)PyList_GetItem(columns, i);
        if (from == NULL || !move_column(from, &schema->children[i], &array->children[i]))
            return false;
        schema->n_children = array->n_children = i + 1;
    }
    return true;
}

/* All batches have the schema of the first. */
static bool fill_table(table *t, PyObject *batches)
{
    Py_ssize_t n = PyList_Size(batches);
    if (n <= 0 || (t->batches = calloc((size_t)n, sizeof *t->batches)) == NULL) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "a stream needs a batch, and memory for it");
        return false;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *columns, *batch = PyList_GetItem(batches, i);
        struct ArrowSchema same = {0};
        Py_ssize_t n_rows;
        if (!PyArg_ParseTuple(batch, "On", &columns, &n_rows))
            return false;
        t->n = i + 1;
        bool filled = fill_batch(columns, n_rows, i == 0 ? &t->schema : &same, &t->batches[i]);
        if (same.release != NULL)
            same.release(&same);
        if (!filled)
            return false;
    }
    return true;
}

/* stream(batches): each is columns, which are used up, and how many rows they have. */
static PyObject *stream(PyObject *module, PyObject *batches)
{
    (void)module;
    table *t = calloc(1, sizeof *t);
    if (t == NULL)
        return PyErr_NoMemory();
    if (!fill_table(t, batches)) {
        release_table(t);
        return NULL;
    }
    struct ArrowArrayStream out = {give_schema, give_next, no_error, release_stream, t};
    return core_stream_capsule(&out);
}

static PyMethodDef functions[] = {
    {"column", column, METH_VARARGS,
     "A column: column(name, format, length, nulls, buffers, dictionary, ordered)."},
    {"column_of", column_of, METH_VARARGS, "A column: column_of(name, schema, array), capsules."},
    {"stream", stream, METH_O, "A table of batches, each (columns, length), as a capsule."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {{Py_tp_dealloc, free_column}, {0, NULL}};
static PyType_Spec spec = {
    .name = "mingle._core.Column",
    .basicsize = sizeof(column_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = slots,
};

int core_add_column(PyObject *module)
{
    type = (PyTypeObject *)PyType_FromSpec(&spec);
    if (type == NULL || PyModule_AddType(module, type) != 0)
        return -1;
    return PyModule_AddFunctions(module, functions);
}
