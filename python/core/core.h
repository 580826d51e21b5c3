/* The extension module: the library's handles as Python objects, and Arrow tables as capsules.
 * Everything that a person calls is written in Python on top of it.
 *
 * It keeps to the limited API of CPython 3.11, so that one build serves all later versions. It does
 * not say that it goes without the lock of the interpreter: a build that has none takes it again
 * when the module is imported. */
#ifndef MINGLE_PYTHON_CORE_H
#define MINGLE_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#ifndef MINGLE_WHOLE_API /* a build without the lock, which has no limited API */
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>

#include <mingle.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Raises the exception that fits what the library says; returns NULL. */
PyObject *core_raise(const mgl_error *err);
/* The same with what is known of a release that is refused, which is freed; NULL: nothing is. */
PyObject *core_raise_refusal(const mgl_error *err, mgl_result *refusal);
/* Raises what a call at a wrong time is: a wrong use. */
PyObject *core_refuse(const char *message);
/* A text of the library, which is freed. */
PyObject *core_take_text(char *text);

/* ---- Types: each file makes its own and adds it to the module; -1: an exception is set ------- */

int core_add_result(PyObject *module);
int core_add_job(PyObject *module);
int core_add_session(PyObject *module);
int core_add_column(PyObject *module);
int core_add_chunk(PyObject *module);

/* ---- Results --------------------------------------------------------------------------------- */

/* Takes the result over, also on failure. */
PyObject *core_result_new(mgl_result *result);

/* ---- Jobs ------------------------------------------------------------------------------------ */

typedef mgl_status core_call(void *context, const mgl_job *job, mgl_error *err, mgl_result **out);

/* Calls the library with the job of a Job object, without the lock of the interpreter. The
 * listener of the job is told how far it is; an exception there, or a signal such as Ctrl-C, ends
 * the call. */
PyObject *core_run(PyObject *job, core_call *call, void *context);
/* The handle of a Job object that no call uses at the moment; NULL: an exception is set. */
mgl_job *core_job_of(PyObject *job);

/* ---- Arrow ----------------------------------------------------------------------------------- */

extern const char core_stream_name[], core_schema_name[], core_array_name[];

/* A capsule that owns the stream, which is moved into it; on failure it is released. */
PyObject *core_stream_capsule(struct ArrowArrayStream *stream);
/* The stream in a capsule; NULL: an exception is set. */
struct ArrowArrayStream *core_stream_of(PyObject *capsule);

/* Bits of a value of a fixed width in an Arrow format; 0: it has none. */
unsigned core_format_bits(const char *format);
/* Bytes of an offset of a text; 0: the format is no text with offsets. */
unsigned core_format_offsets(const char *format);
/* Where the texts of n cells end, by their offsets. */
size_t core_last_offset(const char *format, const void *offsets, size_t n);
/* Buffers that an array of the format has; -1: it is none of those known here. */
int core_format_buffers(const char *format);

#endif
