/* Results: documents, and what was written to memory. */
#include "core.h"

typedef struct result_object {
    PyObject_HEAD mgl_result *result;
} result_object;

static PyTypeObject *type; /* of the module, which is never unloaded */

PyObject *core_result_new(mgl_result *result)
{
    result_object *self = PyObject_New(result_object, type);
    if (self == NULL) {
        mgl_result_free(result);
        return NULL;
    }
    self->result = result;
    return (PyObject *)self;
}

static void free_result(PyObject *object)
{
    PyTypeObject *own = Py_TYPE(object);
    mgl_result_free(((result_object *)object)->result);
    PyObject_Free(object);
    Py_DECREF(own);
}

static PyObject *json(PyObject *self, PyObject *unused)
{
    (void)unused;
    char *text;
    mgl_error err;
    if (mgl_result_json(((result_object *)self)->result, &err, &text) != MGL_OK)
        return core_raise(&err);
    return core_take_text(text);
}

static PyObject *html(PyObject *self, PyObject *unused)
{
    (void)unused;
    char *text;
    mgl_error err;
    if (mgl_result_html(((result_object *)self)->result, &err, &text) != MGL_OK)
        return core_raise(&err);
    return core_take_text(text);
}

/* text(colour, width) */
static PyObject *text(PyObject *self, PyObject *arguments)
{
    mgl_text_style style = {0};
    char *out;
    mgl_error err;
    if (!PyArg_ParseTuple(arguments, "pi", &style.colour, &style.width))
        return NULL;
    if (mgl_result_summary(((result_object *)self)->result, &style, &err, &out) != MGL_OK)
        return core_raise(&err);
    return core_take_text(out);
}

static PyObject *holds(PyObject *self, PyObject *unused)
{
    (void)unused;
    return PyBool_FromLong(mgl_result_holds(((result_object *)self)->result));
}

static PyObject *bytes(PyObject *self, PyObject *name)
{
    const void *data;
    size_t size;
    mgl_error err;
    const char *utf8 = PyUnicode_AsUTF8AndSize(name, NULL);
    if (utf8 == NULL)
        return NULL;
    if (mgl_result_bytes(((result_object *)self)->result, utf8, &err, &data, &size) != MGL_OK)
        return core_raise(&err);
    return PyBytes_FromStringAndSize(data, (Py_ssize_t)size);
}

static PyObject *stream(PyObject *self, PyObject *name)
{
    struct ArrowArrayStream out;
    mgl_error err;
    const char *utf8 = PyUnicode_AsUTF8AndSize(name, NULL);
    if (utf8 == NULL)
        return NULL;
    if (mgl_result_stream(((result_object *)self)->result, utf8, &err, &out) != MGL_OK)
        return core_raise(&err);
    return core_stream_capsule(&out);
}

static PyMethodDef methods[] = {
    {"json", json, METH_NOARGS, "The whole document."},
    {"html", html, METH_NOARGS, "A page for a browser."},
    {"text", text, METH_VARARGS, "A summary: text(colour, width)."},
    {"holds", holds, METH_NOARGS, "Whether every model holds."},
    {"bytes", bytes, METH_O, "What was written to memory:NAME."},
    {"stream", stream, METH_O, "The table that was written to memory:NAME, a capsule."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_dealloc, free_result},
    {Py_tp_methods, methods},
    {0, NULL},
};
static PyType_Spec spec = {
    .name = "mingle._core.Result",
    .basicsize = sizeof(result_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = slots,
};

int core_add_result(PyObject *module)
{
    type = (PyTypeObject *)PyType_FromSpec(&spec);
    return type == NULL ? -1 : PyModule_AddType(module, type);
}
