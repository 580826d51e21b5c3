/* Errors of the library become exceptions, which mingle/errors.py defines. */
#include "core.h"

#include <stdio.h>

PyObject *core_raise(const mgl_error *err)
{
    return core_raise_refusal(err, NULL);
}

PyObject *core_raise_refusal(const mgl_error *err, mgl_result *refusal)
{
    PyObject *known = refusal != NULL ? core_result_new(refusal) : Py_NewRef(Py_None);
    PyObject *errors = known != NULL ? PyImport_ImportModule("mingle.errors") : NULL;
    if (errors == NULL) {
        Py_XDECREF(known);
        return NULL;
    }
    PyObject *error = PyObject_CallMethod(errors, "of_library", "isssssKKN", (int)err->status,
                                          mgl_code_name(err->code), err->message, err->key,
                                          err->column, err->file, (unsigned long long)err->line,
                                          (unsigned long long)err->position, known);
    Py_DECREF(errors);
    if (error != NULL) {
        PyErr_SetObject((PyObject *)Py_TYPE(error), error);
        Py_DECREF(error);
    }
    return NULL;
}

PyObject *core_refuse(const char *message)
{
    mgl_error err = {.status = MGL_USAGE, .code = MGL_CODE_USAGE};
    snprintf(err.message, sizeof err.message, "%s", message);
    return core_raise(&err);
}

PyObject *core_take_text(char *text)
{
    PyObject *out = PyUnicode_FromString(text);
    mgl_text_free(text);
    return out;
}
