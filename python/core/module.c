/* The module: types of the other files, the version, the catalogue. */
#include "core.h"

static PyObject *version(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return PyUnicode_FromString(mgl_version());
}

/* catalogue(what): what the library offers, as JSON; "": all of it. */
static PyObject *catalogue(PyObject *module, PyObject *what)
{
    (void)module;
    mgl_result *result;
    mgl_error err;
    char *text;
    const char *utf8 = PyUnicode_AsUTF8AndSize(what, NULL);
    if (utf8 == NULL)
        return NULL;
    if (mgl_catalogue(*utf8 != '\0' ? utf8 : NULL, &err, &result) != MGL_OK)
        return core_raise(&err);
    mgl_status status = mgl_result_json(result, &err, &text);
    mgl_result_free(result);
    return status == MGL_OK ? core_take_text(text) : core_raise(&err);
}

static PyMethodDef functions[] = {
    {"version", version, METH_NOARGS, "The version of the library."},
    {"catalogue", catalogue, METH_O, "What the library offers, as JSON."},
    {NULL, NULL, 0, NULL},
};

static int execute(PyObject *module)
{
    if (core_add_result(module) != 0 || core_add_job(module) != 0 || core_add_session(module) != 0)
        return -1;
    return core_add_column(module) != 0 ? -1 : core_add_chunk(module);
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)execute}, {0, NULL}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "mingle._core",
                                        .m_methods = functions, .m_slots = slots};

PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(&definition);
}
