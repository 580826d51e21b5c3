/* What commands have in common: how they get their settings, and fill one result about one table.
 * Within the module only. */
#ifndef MGL_COMMAND_RUN_COMMAND_H
#define MGL_COMMAND_RUN_COMMAND_H

#include "pipeline/pipeline.h"
#include "result/result.h"

/* The settings of the job (mgl_job_settings) of a command that reads a table. If the job lacks a
 * key and its table cannot be opened, the error is about the table: a mistyped path comes first. */
mgl_status mgl_command_settings(const mgl_session *session, mgl_job *job, mgl_command command,
                                mgl_error *err, const mgl_settings **out);

/* Sets up, lets fill put what it finds into a fresh result, and finishes that. Free *out with
 * mgl_result_free. */
typedef mgl_status mgl_fill_fn(const mgl_setup *setup, mgl_error *err, mgl_result *result);
mgl_status mgl_command_on_table(mgl_session *session, const char *command,
                                const mgl_settings *settings, mgl_purpose purpose,
                                mgl_fill_fn *fill, mgl_error *err, mgl_result **out);

/* Writes a file of the bytes of the buffer, and frees it. */
mgl_status mgl_publish_buffer(const char *target, mgl_buffer *text, mgl_error *err);

typedef struct mgl_found_encoding {
    const char *name; /* as `encoding` takes it; NULL: none fits */
    char why[320];    /* a sentence for people */
} mgl_found_encoding;

/* Reads a text, unpacked where it is packed, and finds which encoding its bytes look like. That is
 * a guess where they are no UTF-8 and have no mark: it is reported, and the user has to confirm it.
 */
mgl_status mgl_find_encoding(const char *location, uint64_t most_unpacked, mgl_error *err,
                             mgl_found_encoding *out);

/* Puts what is found in the place of `encoding: auto`, with which a table is looked at. */
mgl_status mgl_resolve_encoding(mgl_job *job, mgl_command command, mgl_error *err);

/* MGL_USAGE if a result that holds cells of the table is to be written to a file: there it would be
 * taken for what results are, safe to show. */
mgl_status mgl_refuse_result_files(const mgl_settings *settings, mgl_error *err);

#endif
