/* Sessions: a table that is opened once and asked many questions. */
#include "core.h"

typedef struct session_object {
    PyObject_HEAD mgl_session *session; /* NULL: closed */
    unsigned calls;                     /* under way */
} session_object;

typedef struct question {
    mgl_session *session;
    const char *command;
} question;

static mgl_status open_table(void *context, const mgl_job *job, mgl_error *err, mgl_result **out)
{
    (void)out;
    return mgl_session_open(job, NULL, err, context);
}

/* Session(job) */
static PyObject *new_session(PyTypeObject *type, PyObject *arguments, PyObject *named)
{
    (void)named;
    PyObject *job;
    if (!PyArg_ParseTuple(arguments, "O", &job))
        return NULL;
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    session_object *self = (session_object *)allocate(type, 0);
    if (self == NULL)
        return NULL;
    PyObject *opened = core_run(job, open_table, &self->session);
    if (opened == NULL) {
        Py_DECREF(self);
        return NULL;
    }
    Py_DECREF(opened);
    return (PyObject *)self;
}

static void free_session(PyObject *object)
{
    PyTypeObject *own = Py_TYPE(object);
    mgl_session_close(((session_object *)object)->session);
    freefunc let_go = (freefunc)PyType_GetSlot(own, Py_tp_free);
    let_go(object);
    Py_DECREF(own);
}

static mgl_status ask(void *context, const mgl_job *job, mgl_error *err, mgl_result **out)
{
    question *q = context;
    return mgl_session_run(q->session, q->command, job, err, out);
}

/* run(command, job) */
static PyObject *run(PyObject *object, PyObject *arguments)
{
    session_object *self = (session_object *)object;
    PyObject *job;
    question q;
    if (!PyArg_ParseTuple(arguments, "sO", &q.command, &job))
        return NULL;
    q.session = self->session;
    if (q.session == NULL)
        return core_refuse("the session is closed; open another one on the table");
    self->calls++;
    PyObject *result = core_run(job, ask, &q);
    self->calls--;
    return result;
}

static PyObject *close_session(PyObject *object, PyObject *unused)
{
    (void)unused;
    session_object *self = (session_object *)object;
    if (self->calls > 0)
        return core_refuse("a call on the session is under way; cancel it, then close the session");
    mgl_session_close(self->session);
    self->session = NULL;
    Py_RETURN_NONE;
}

/* Columns read, hierarchies made, lists counted. */
static PyObject *work_done(PyObject *object, PyObject *unused)
{
    (void)unused;
    session_object *self = (session_object *)object;
    if (self->session == NULL || self->calls > 0)
        return core_refuse("the session is closed, or a call is under way");
    mgl_session_work work = mgl_session_work_done(self->session);
    return Py_BuildValue("KKK", (unsigned long long)work.columns_read,
                         (unsigned long long)work.hierarchies_made,
                         (unsigned long long)work.lists_counted);
}

static PyMethodDef methods[] = {
    {"run", run, METH_VARARGS, "One question: run(command, job)."},
    {"close", close_session, METH_NOARGS, "Lets the table go."},
    {"work_done", work_done, METH_NOARGS, "Columns read, hierarchies made, lists counted."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, new_session},
    {Py_tp_dealloc, free_session},
    {Py_tp_methods, methods},
    {Py_tp_doc, "Session(job): the table of a job, opened."},
    {0, NULL},
};
static PyType_Spec spec = {
    .name = "mingle._core.Session",
    .basicsize = sizeof(session_object),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = slots,
};

int core_add_session(PyObject *module)
{
    PyObject *type = PyType_FromSpec(&spec);
    int status = type == NULL ? -1 : PyModule_AddType(module, (PyTypeObject *)type);
    Py_XDECREF(type);
    return status;
}
