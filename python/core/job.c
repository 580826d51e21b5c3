/* Jobs: keys, things in memory, and calls of the library. */
#include "core.h"

typedef struct job_object {
    PyObject_HEAD mgl_job *job;
    PyObject *listener; /* called with stage, done and total; NULL: nobody listens */
    bool busy;          /* a call uses it, without the lock of the interpreter */
} job_object;

/* ---- Making --------------------------------------------------------------------------------- */

/* Takes the job over, also on failure. */
static PyObject *wrap(PyTypeObject *type, mgl_job *job)
{
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    job_object *self = (job_object *)allocate(type, 0);
    if (self == NULL) {
        mgl_job_free(job);
        return NULL;
    }
    self->job = job;
    return (PyObject *)self;
}

static PyObject *new_job(PyTypeObject *type, PyObject *arguments, PyObject *named)
{
    (void)arguments;
    (void)named;
    mgl_error err;
    mgl_job *job;
    if (mgl_job_new(&err, &job) != MGL_OK)
        return core_raise(&err);
    return wrap(type, job);
}

static int visit(PyObject *object, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(((job_object *)object)->listener);
    return 0;
}

static int clear(PyObject *object)
{
    Py_CLEAR(((job_object *)object)->listener);
    return 0;
}

static void free_job(PyObject *object)
{
    PyTypeObject *own = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    clear(object);
    mgl_job_free(((job_object *)object)->job);
    PyObject_GC_Del(object);
    Py_DECREF(own);
}

mgl_job *core_job_of(PyObject *object)
{
    job_object *self = (job_object *)object;
    if (!self->busy)
        return self->job;
    core_refuse("the job is running; another thread may only cancel it");
    return NULL;
}

/* Shares what was given in memory, and has no listener. */
static PyObject *copy(PyObject *object, PyObject *unused)
{
    (void)unused;
    mgl_error err;
    mgl_job *job = core_job_of(object), *fresh;
    if (job == NULL)
        return NULL;
    if (mgl_job_copy(job, &err, &fresh) != MGL_OK)
        return core_raise(&err);
    return wrap(Py_TYPE(object), fresh);
}

/* ---- Keys ------------------------------------------------------------------------------------ */

typedef mgl_status key_call(mgl_job *job, const char *key, const char *value, mgl_error *err);

static PyObject *with_key(PyObject *self, PyObject *arguments, key_call *call)
{
    const char *key, *value;
    mgl_error err;
    mgl_job *job = core_job_of(self);
    if (job == NULL || !PyArg_ParseTuple(arguments, "ss", &key, &value))
        return NULL;
    if (call(job, key, value, &err) != MGL_OK)
        return core_raise(&err);
    Py_RETURN_NONE;
}

static PyObject *set(PyObject *self, PyObject *arguments)
{
    return with_key(self, arguments, mgl_job_set);
}

static PyObject *add(PyObject *self, PyObject *arguments)
{
    return with_key(self, arguments, mgl_job_add);
}

static PyObject *unset(PyObject *self, PyObject *key)
{
    mgl_error err;
    mgl_job *job = core_job_of(self);
    const char *utf8 = job != NULL ? PyUnicode_AsUTF8AndSize(key, NULL) : NULL;
    if (utf8 == NULL)
        return NULL;
    if (mgl_job_unset(job, utf8, &err) != MGL_OK)
        return core_raise(&err);
    Py_RETURN_NONE;
}

static PyObject *get(PyObject *self, PyObject *key)
{
    mgl_job *job = core_job_of(self);
    const char *utf8 = job != NULL ? PyUnicode_AsUTF8AndSize(key, NULL) : NULL;
    if (utf8 == NULL)
        return NULL;
    const char *text = mgl_job_get(job, utf8);
    if (text == NULL)
        Py_RETURN_NONE;
    return PyUnicode_FromString(text);
}

/* ---- Texts and files ------------------------------------------------------------------------- */

static PyObject *parse(PyObject *self, PyObject *text)
{
    mgl_error err;
    Py_ssize_t size;
    mgl_job *job = core_job_of(self);
    const char *utf8 = job != NULL ? PyUnicode_AsUTF8AndSize(text, &size) : NULL;
    if (utf8 == NULL)
        return NULL;
    if (mgl_job_parse(job, utf8, (size_t)size, &err) != MGL_OK)
        return core_raise(&err);
    Py_RETURN_NONE;
}

static PyObject *read_file(PyObject *self, PyObject *path)
{
    mgl_error err;
    PyObject *bytes = NULL;
    mgl_job *job = core_job_of(self);
    if (job == NULL || !PyUnicode_FSConverter(path, &bytes))
        return NULL;
    mgl_status status = mgl_job_load(job, PyBytes_AsString(bytes), &err);
    Py_DECREF(bytes);
    if (status != MGL_OK)
        return core_raise(&err);
    Py_RETURN_NONE;
}

typedef mgl_status text_call(const mgl_job *job, mgl_error *err, char **out);

static PyObject *as_text(PyObject *self, text_call *call)
{
    char *text;
    mgl_error err;
    mgl_job *job = core_job_of(self);
    if (job == NULL)
        return NULL;
    return call(job, &err, &text) == MGL_OK ? core_take_text(text) : core_raise(&err);
}

static PyObject *yaml(PyObject *self, PyObject *unused)
{
    (void)unused;
    return as_text(self, mgl_job_yaml);
}

static PyObject *json(PyObject *self, PyObject *unused)
{
    (void)unused;
    return as_text(self, mgl_job_json);
}

/* ---- Things in memory ------------------------------------------------------------------------ */

static void let_go(void *user)
{
    Py_buffer *view = user;
    PyGILState_STATE state = PyGILState_Ensure();
    PyBuffer_Release(view);
    PyGILState_Release(state);
    free(view);
}

/* give_bytes(name, buffer): the buffer is held, not copied. */
static PyObject *give_bytes(PyObject *self, PyObject *arguments)
{
    const char *name;
    PyObject *bytes;
    mgl_error err;
    mgl_job *job = core_job_of(self);
    if (job == NULL || !PyArg_ParseTuple(arguments, "sO", &name, &bytes))
        return NULL;
    Py_buffer *view = calloc(1, sizeof *view);
    if (view == NULL)
        return PyErr_NoMemory();
    if (PyObject_GetBuffer(bytes, view, PyBUF_SIMPLE) != 0) {
        free(view);
        return NULL;
    }
    if (mgl_job_give_bytes(job, name, view->buf, (size_t)view->len, let_go, view, &err) != MGL_OK) {
        let_go(view);
        return core_raise(&err);
    }
    Py_RETURN_NONE;
}

/* give_stream(name, capsule): the stream is read to its end, by its producer without the lock of
 * the interpreter, which a producer written in Python takes itself. */
static PyObject *give_stream(PyObject *self, PyObject *arguments)
{
    const char *name;
    PyObject *capsule;
    mgl_error err;
    mgl_status status;
    mgl_job *job = core_job_of(self);
    if (job == NULL || !PyArg_ParseTuple(arguments, "sO", &name, &capsule))
        return NULL;
    struct ArrowArrayStream *stream = core_stream_of(capsule);
    if (stream == NULL)
        return NULL;
    ((job_object *)self)->busy = true;
    Py_BEGIN_ALLOW_THREADS status = mgl_job_give_stream(job, name, stream, &err);
    Py_END_ALLOW_THREADS((job_object *)self)->busy = false;
    if (status != MGL_OK)
        return core_raise(&err);
    Py_RETURN_NONE;
}

/* ---- Calls ----------------------------------------------------------------------------------- */

typedef struct listening {
    job_object *self;
    PyThreadState *thread;
} listening;

/* On the thread that called, so the state it had is the one to restore. */
static int told(void *user, const char *stage, uint64_t done, uint64_t total)
{
    listening *l = user;
    PyEval_RestoreThread(l->thread);
    bool stop = PyErr_CheckSignals() != 0;
    if (!stop && l->self->listener != NULL) {
        PyObject *answer = PyObject_CallFunction(
            l->self->listener, "sKK", stage, (unsigned long long)done, (unsigned long long)total);
        stop = answer == NULL;
        Py_XDECREF(answer);
    }
    l->thread = PyEval_SaveThread();
    return stop;
}

static void keep_refusal(void *user, mgl_result *refusal)
{
    mgl_result **kept = user;
    mgl_result_free(*kept);
    *kept = refusal;
}

PyObject *core_run(PyObject *object, core_call *call, void *context)
{
    job_object *self = (job_object *)object;
    mgl_result *result = NULL, *refusal = NULL;
    mgl_error err;
    mgl_job *job = core_job_of(object);
    if (job == NULL)
        return NULL;
    Py_INCREF(object);
    self->busy = true;
    listening l = {.self = self};
    mgl_job_on_progress(job, told, &l);
    mgl_job_on_refusal(job, keep_refusal, &refusal);
    l.thread = PyEval_SaveThread();
    mgl_status status = call(context, job, &err, &result);
    PyEval_RestoreThread(l.thread);
    mgl_job_on_progress(job, NULL, NULL);
    mgl_job_on_refusal(job, NULL, NULL);
    self->busy = false;
    Py_DECREF(object);
    if (PyErr_Occurred() != NULL) {
        mgl_result_free(status == MGL_OK ? result : NULL);
        mgl_result_free(refusal);
        return NULL;
    }
    return status == MGL_OK ? core_result_new(result) : core_raise_refusal(&err, refusal);
}

static mgl_status run_command(void *context, const mgl_job *job, mgl_error *err, mgl_result **out)
{
    return mgl_job_run(job, context, err, out);
}

static PyObject *run(PyObject *self, PyObject *name)
{
    const char *command = PyUnicode_AsUTF8AndSize(name, NULL);
    return command != NULL ? core_run(self, run_command, (void *)command) : NULL;
}

static PyObject *cancel(PyObject *self, PyObject *unused)
{
    (void)unused;
    mgl_job_cancel(((job_object *)self)->job);
    Py_RETURN_NONE;
}

static PyObject *listen(PyObject *self, PyObject *listener)
{
    job_object *own = (job_object *)self;
    PyObject *old = own->listener;
    own->listener = listener == Py_None ? NULL : Py_NewRef(listener);
    Py_XDECREF(old);
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"copy", copy, METH_NOARGS, "A job that goes its own way."},
    {"set", set, METH_VARARGS, "Sets a key anew: set(key, text)."},
    {"add", add, METH_VARARGS, "Sets a key as an option does: add(key, text)."},
    {"unset", unset, METH_O, "Makes it as if the key had never been said."},
    {"get", get, METH_O, "The text of a key, or None."},
    {"parse", parse, METH_O, "Reads a job file from a text, YAML or JSON."},
    {"read_file", read_file, METH_O, "Reads a job file."},
    {"yaml", yaml, METH_NOARGS, "The whole job as YAML."},
    {"json", json, METH_NOARGS, "The whole job as JSON."},
    {"give_bytes", give_bytes, METH_VARARGS, "Bytes for memory:NAME: give_bytes(name, buffer)."},
    {"give_stream", give_stream, METH_VARARGS,
     "A table for memory:NAME: give_stream(name, capsule)."},
    {"run", run, METH_O, "Runs a command."},
    {"cancel", cancel, METH_NOARGS, "Asks what runs with the job to stop; from any thread."},
    {"listen", listen, METH_O, "Who is called with stage, done and total; None: nobody."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, new_job},
    {Py_tp_dealloc, free_job},
    {Py_tp_traverse, visit},
    {Py_tp_clear, clear},
    {Py_tp_methods, methods},
    {Py_tp_doc, "A job of the library."},
    {0, NULL},
};
static PyType_Spec spec = {
    .name = "mingle._core.Job",
    .basicsize = sizeof(job_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .slots = slots,
};

int core_add_job(PyObject *module)
{
    PyObject *type = PyType_FromSpec(&spec);
    int status = type == NULL ? -1 : PyModule_AddType(module, (PyTypeObject *)type);
    Py_XDECREF(type);
    return status;
}
