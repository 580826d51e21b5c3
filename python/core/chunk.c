/* Arrays of a stream, for those who take a release without another library: their buffers as
 * Python's, which keep the array, and their texts as lists. */
#include "core.h"

typedef struct chunk_object {
    PyObject_HEAD struct ArrowArray array; /* release NULL: `of` owns it */
    const struct ArrowArray *cells;
    char *format, *entry_format; /* entry_format NULL: the cells are no indices */
    PyObject *of;                /* the chunk that the array of this one is a part of; NULL: none */
} chunk_object;

typedef struct buffer_object {
    PyObject_HEAD PyObject *chunk;
    const void *data;
    Py_ssize_t size;
} buffer_object;

static PyTypeObject *type, *buffer_type; /* of the module, which is never unloaded */

/* ---- Buffers ----------------------------------------------------------------------------------
 */

static int get_buffer(PyObject *object, Py_buffer *view, int flags)
{
    buffer_object *self = (buffer_object *)object;
    return PyBuffer_FillInfo(view, object, (void *)self->data, self->size, 1, flags);
}

static void free_buffer(PyObject *object)
{
    PyTypeObject *own = Py_TYPE(object);
    Py_DECREF(((buffer_object *)object)->chunk);
    PyObject_Free(object);
    Py_DECREF(own);
}

static PyObject *make_buffer(PyObject *chunk, const void *data, size_t size)
{
    buffer_object *self = PyObject_New(buffer_object, buffer_type);
    if (self == NULL)
        return NULL;
    self->chunk = Py_NewRef(chunk);
    self->data = data != NULL ? data : "";
    self->size = data != NULL ? (Py_ssize_t)size : 0;
    return (PyObject *)self;
}

/* ---- Chunks -----------------------------------------------------------------------------------
 */

static chunk_object *make_chunk(const char *format, const char *entry_format, PyObject *of)
{
    chunk_object *self = PyObject_New(chunk_object, type);
    if (self == NULL)
        return NULL;
    self->array = (struct ArrowArray){0};
    self->cells = &self->array;
    self->of = Py_XNewRef(of);
    self->format = strdup(format);
    self->entry_format = entry_format != NULL ? strdup(entry_format) : NULL;
    if (self->format == NULL || (entry_format != NULL && self->entry_format == NULL)) {
        Py_DECREF(self);
        PyErr_NoMemory();
        return NULL;
    }
    return self;
}

static void free_chunk(PyObject *object)
{
    chunk_object *self = (chunk_object *)object;
    PyTypeObject *own = Py_TYPE(object);
    if (self->array.release != NULL)
        self->array.release(&self->array);
    Py_XDECREF(self->of);
    free(self->format);
    free(self->entry_format);
    PyObject_Free(object);
    Py_DECREF(own);
}

static bool is_there(const struct ArrowArray *cells, size_t i)
{
    const uint8_t *bits = cells->null_count != 0 ? cells->buffers[0] : NULL;
    size_t at = (size_t)cells->offset + i;
    return bits == NULL || (bits[at / 8] >> at % 8 & 1) != 0;
}

static const char *text_at(const chunk_object *self, size_t i, size_t *size)
{
    size_t at = (size_t)self->cells->offset + i;
    const char *texts = self->cells->buffers[2];
    if (core_format_offsets(self->format) == 4) {
        const int32_t *offsets = (const int32_t *)self->cells->buffers[1] + at;
        *size = (size_t)(offsets[1] - offsets[0]);
        return texts + offsets[0];
    }
    const int64_t *offsets = (const int64_t *)self->cells->buffers[1] + at;
    *size = (size_t)(offsets[1] - offsets[0]);
    return texts + offsets[0];
}

/* Views of texts: 4 bytes of length, then 12 of text, or 4 of it, a buffer and a place there. */
static const char *view_at(const chunk_object *self, size_t i, size_t *size)
{
    const char *view =
        (const char *)self->cells->buffers[1] + ((size_t)self->cells->offset + i) * 16;
    int32_t length, buffer, place;
    memcpy(&length, view, sizeof length);
    *size = (size_t)length;
    if (length <= 12)
        return view + 4;
    memcpy(&buffer, view + 8, sizeof buffer);
    memcpy(&place, view + 12, sizeof place);
    return (const char *)self->cells->buffers[2 + buffer] + place;
}

static PyObject *texts(PyObject *object, PyObject *unused)
{
    (void)unused;
    const chunk_object *self = (chunk_object *)object;
    bool views = strcmp(self->format, "vu") == 0;
    if (!views && strcmp(self->format, "u") != 0 && strcmp(self->format, "U") != 0)
        return PyErr_Format(PyExc_TypeError, "format '%s' has no texts", self->format);
    size_t n = (size_t)self->cells->length;
    PyObject *list = PyList_New((Py_ssize_t)n);
    for (size_t i = 0; list != NULL && i < n; i++) {
        PyObject *item = NULL;
        if (is_there(self->cells, i)) {
            size_t size;
            const char *text = views ? view_at(self, i, &size) : text_at(self, i, &size);
            item = PyUnicode_FromStringAndSize(text, (Py_ssize_t)size);
        } else
            item = Py_NewRef(Py_None);
        if (item == NULL || PyList_SetItem(list, (Py_ssize_t)i, item) != 0)
            Py_CLEAR(list);
    }
    return list;
}

/* Bytes up to the end of the last cell. */
static size_t buffer_bytes(const chunk_object *self, long i)
{
    size_t n = (size_t)(self->cells->offset + self->cells->length);
    unsigned offsets = core_format_offsets(self->format);
    if (i == 0)
        return (n + 7) / 8;
    if (i == 2)
        return core_last_offset(self->format, self->cells->buffers[1], n);
    return offsets != 0 ? (n + 1) * offsets : (n * core_format_bits(self->format) + 7) / 8;
}

/* buffer(0): validity or None; buffer(1): values or offsets; buffer(2): texts. Cells begin at
 * `offset`. */
static PyObject *buffer(PyObject *object, PyObject *number)
{
    const chunk_object *self = (chunk_object *)object;
    long i = PyLong_AsLong(number);
    if (i == -1 && PyErr_Occurred())
        return NULL;
    if (i < 0 || i >= core_format_buffers(self->format))
        return PyErr_Format(PyExc_TypeError, "format '%s' has no such buffer", self->format);
    const void *data = self->cells->buffers[i];
    if (i == 0 && (data == NULL || self->cells->null_count == 0))
        Py_RETURN_NONE;
    return make_buffer(object, data, buffer_bytes(self, i));
}

static PyObject *dictionary(PyObject *object, void *unused)
{
    (void)unused;
    const chunk_object *self = (chunk_object *)object;
    if (self->entry_format == NULL || self->cells->dictionary == NULL)
        Py_RETURN_NONE;
    chunk_object *entries = make_chunk(self->entry_format, NULL, object);
    if (entries != NULL)
        entries->cells = self->cells->dictionary;
    return (PyObject *)entries;
}

static PyObject *format_of(PyObject *object, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(((chunk_object *)object)->format);
}

static PyObject *length_of(PyObject *object, void *unused)
{
    (void)unused;
    return PyLong_FromLongLong(((chunk_object *)object)->cells->length);
}

static PyObject *offset_of(PyObject *object, void *unused)
{
    (void)unused;
    return PyLong_FromLongLong(((chunk_object *)object)->cells->offset);
}

/* Whether two chunks are the same cells in memory. */
static PyObject *same_cells(PyObject *object, PyObject *other)
{
    const chunk_object *a = (chunk_object *)object, *b = (chunk_object *)other;
    if (Py_TYPE(other) != type)
        Py_RETURN_FALSE;
    bool same = a->cells->length == b->cells->length && a->cells->offset == b->cells->offset &&
                a->cells->n_buffers == b->cells->n_buffers;
    for (int64_t i = 0; same && i < a->cells->n_buffers; i++)
        same = a->cells->buffers[i] == b->cells->buffers[i];
    return PyBool_FromLong(same);
}

static PyMethodDef methods[] = {
    {"same_cells", same_cells, METH_O, "Whether another chunk is the same cells in memory."},
    {"texts", texts, METH_NOARGS, "The texts of the cells, None where there is none."},
    {"buffer", buffer, METH_O, "Buffer 0 (validity, None if all are there), 1 or 2."},
    {NULL, NULL, 0, NULL},
};
static PyGetSetDef getters[] = {
    {"format", format_of, NULL, "Arrow's format of the cells.", NULL},
    {"length", length_of, NULL, "Cells.", NULL},
    {"offset", offset_of, NULL, "Where they begin in the buffers.", NULL},
    {"dictionary", dictionary, NULL, "The entries that the cells are indices of, or None.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_dealloc, free_chunk}, {Py_tp_methods, methods}, {Py_tp_getset, getters}, {0, NULL}};
static PyType_Spec spec = {
    .name = "mingle._core.Chunk",
    .basicsize = sizeof(chunk_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = slots,
};
static PyType_Slot buffer_slots[] = {
    {Py_tp_dealloc, free_buffer}, {Py_bf_getbuffer, get_buffer}, {0, NULL}};
static PyType_Spec buffer_spec = {
    .name = "mingle._core.Buffer",
    .basicsize = sizeof(buffer_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = buffer_slots,
};

/* ---- Streams ----------------------------------------------------------------------------------
 */

static void free_stream(PyObject *capsule)
{
    struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, core_stream_name);
    if (stream != NULL && stream->release != NULL)
        stream->release(stream);
    free(stream);
}

PyObject *core_stream_capsule(struct ArrowArrayStream *stream)
{
    struct ArrowArrayStream *own = malloc(sizeof *own);
    PyObject *capsule = own != NULL ? PyCapsule_New(own, core_stream_name, free_stream) : NULL;
    if (capsule == NULL) {
        free(own);
        stream->release(stream);
        return PyErr_Occurred() != NULL ? NULL : PyErr_NoMemory();
    }
    *own = *stream;
    return capsule;
}

struct ArrowArrayStream *core_stream_of(PyObject *capsule)
{
    struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, core_stream_name);
    if (stream != NULL && stream->release == NULL) {
        PyErr_SetString(PyExc_ValueError, "the stream was used already");
        return NULL;
    }
    return stream;
}

static PyObject *fail(struct ArrowArrayStream *stream)
{
    const char *words = stream->get_last_error(stream);
    return PyErr_Format(PyExc_ValueError, "the stream fails: %s", words != NULL ? words : "?");
}

/* Moves the columns of a batch into chunks, at the end of the list of each column. */
static bool take_batch(const struct ArrowSchema *schema, struct ArrowArray *batch, PyObject *lists)
{
    for (int64_t c = 0; c < schema->n_children; c++) {
        const struct ArrowSchema *column = schema->children[c];
        const struct ArrowSchema *entries = column->dictionary;
        chunk_object *chunk =
            make_chunk(column->format, entries != NULL ? entries->format : NULL, NULL);
        if (chunk == NULL)
            return false;
        chunk->array = *batch->children[c];
        batch->children[c]->release = NULL;
        int failed = PyList_Append(PyList_GetItem(lists, (Py_ssize_t)c), (PyObject *)chunk);
        Py_DECREF(chunk);
        if (failed != 0)
            return false;
    }
    return true;
}

static bool take_batches(struct ArrowArrayStream *stream, const struct ArrowSchema *schema,
                         PyObject *lists)
{
    for (;;) {
        struct ArrowArray batch = {0};
        int failed;
        Py_BEGIN_ALLOW_THREADS failed = stream->get_next(stream, &batch);
        Py_END_ALLOW_THREADS if (failed != 0) return fail(stream) != NULL;
        if (batch.release == NULL)
            return true;
        bool taken = take_batch(schema, &batch, lists);
        batch.release(&batch);
        if (!taken)
            return false;
    }
}

/* A list per column: name, whether the order of its entries means something, chunks. */
static PyObject *list_columns(struct ArrowArrayStream *stream, const struct ArrowSchema *schema)
{
    PyObject *columns = PyList_New(0), *lists = PyList_New(0);
    bool good = columns != NULL && lists != NULL;
    for (int64_t c = 0; good && c < schema->n_children; c++) {
        const struct ArrowSchema *child = schema->children[c];
        PyObject *chunks = PyList_New(0);
        PyObject *column =
            chunks == NULL
                ? NULL
                : Py_BuildValue("(sOO)", child->name,
                                child->flags & ARROW_FLAG_DICTIONARY_ORDERED ? Py_True : Py_False,
                                chunks);
        good = column != NULL && PyList_Append(columns, column) == 0 &&
               PyList_Append(lists, chunks) == 0;
        Py_XDECREF(column);
        Py_XDECREF(chunks);
    }
    good = good && take_batches(stream, schema, lists);
    Py_XDECREF(lists);
    if (!good)
        Py_CLEAR(columns);
    return columns;
}

/* read(capsule): the stream is used up. */
static PyObject *read_stream(PyObject *module, PyObject *capsule)
{
    (void)module;
    struct ArrowSchema schema;
    struct ArrowArrayStream *stream = core_stream_of(capsule);
    if (stream == NULL)
        return NULL;
    if (stream->get_schema(stream, &schema) != 0)
        return fail(stream);
    PyObject *columns = list_columns(stream, &schema);
    schema.release(&schema);
    stream->release(stream);
    return columns;
}

static PyMethodDef functions[] = {
    {"read", read_stream, METH_O, "The columns of a stream: (name, ordered, chunks) of each."},
    {NULL, NULL, 0, NULL},
};

int core_add_chunk(PyObject *module)
{
    type = (PyTypeObject *)PyType_FromSpec(&spec);
    buffer_type = (PyTypeObject *)PyType_FromSpec(&buffer_spec);
    if (type == NULL || buffer_type == NULL || PyModule_AddType(module, type) != 0)
        return -1;
    return PyModule_AddFunctions(module, functions);
}
