/* Errors of the library become exceptions, which mingle/errors.py defines. */
#include "core.h"

PyObject *core_raise(const mgl_error *err)
{
    PyObject *errors = PyImport_ImportModule("mingle.errors");
    if (errors == NULL)
        return NULL;
    PyObject *error = PyObject_CallMethod(errors, "of_library", "isssssKK", (int)err->status,
                                          mgl_code_name(err->code), err->message, err->key,
                                          err->column, err->file, (unsigned long long)err->line,
                                          (unsigned long long)err->position);
    Py_DECREF(errors);
    if (error != NULL) {
        PyErr_SetObject((PyObject *)Py_TYPE(error), error);
        Py_DECREF(error);
    }
    return NULL;
}

PyObject *core_take_text(char *text)
{
    PyObject *out = PyUnicode_FromString(text);
    mgl_text_free(text);
    return out;
}
