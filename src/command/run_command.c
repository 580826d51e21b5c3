/* The commands by name, on a session of their own or on a shared one, and what commands that read a
 * table begin with: their settings, the encoding of a text, a result about one table. */
#include "command/command.h"
#include "command/run_command.h"
#include "findings/findings.h"

#include <stdio.h>
#include <string.h>

/* Only what can be opened twice: not what comes by a pipe, and no table that is named for a script
 * of SQL, which is elsewhere. */
static mgl_status try_table(mgl_job *job, mgl_command command, mgl_error *err)
{
    const mgl_settings *settings;
    mgl_source *source;
    if (mgl_job_get(job, "print-sql") != NULL ||
        mgl_job_settings(job, MGL_OPEN, NULL, &settings) != MGL_OK ||
        strcmp(settings->data, "-") == 0)
        return MGL_OK;
    mgl_source_options options = settings->source;
    options.may_be_empty = command == MGL_COUNT; /* a slice may have no rows */
    MGL_TRY(mgl_blame_key(err, mgl_source_open(settings->data, &options, err, &source), "data"));
    mgl_source_close(source);
    return MGL_OK;
}

mgl_status mgl_command_settings(const mgl_session *session, mgl_job *job, mgl_command command,
                                mgl_error *err, const mgl_settings **out)
{
    mgl_error lacking = {.code = MGL_CODE_NONE};
    mgl_status status = mgl_job_settings(job, command, &lacking, out);
    if (lacking.code == MGL_CODE_MISSING_KEY && session->data == NULL)
        MGL_TRY(try_table(job, command, err));
    if (status != MGL_OK && err != NULL)
        *err = lacking;
    return status;
}

mgl_status mgl_command_on_table(mgl_session *session, const char *command,
                                const mgl_settings *settings, mgl_purpose purpose,
                                mgl_fill_fn *fill, mgl_error *err, mgl_result **out)
{
    mgl_setup setup;
    mgl_result *result = NULL;
    mgl_progress_plan("read measure");
    MGL_TRY(mgl_setup_begin(session, settings, purpose, err, &setup));
    mgl_status status = MGL_OK;
    MGL_GO(mgl_result_new(command, err, &result));
    MGL_GO(mgl_progress_report(&settings->progress, "measure", 0, 0, err));
    MGL_GO(fill(&setup, err, result));
    result->resolved = json_incref(setup.reading->resolved);
    mgl_result_add_left_out(setup.reading, result->document);
    mgl_result_add_columns(result, setup.reading);
    mgl_result_take_warnings(result, &setup.reading->warnings);
    MGL_GO(mgl_result_finish(result, settings, err));
    *out = result;
    result = NULL;
done:
    mgl_setup_end(&setup);
    mgl_result_free(result);
    return status;
}

mgl_status mgl_publish_buffer(const char *target, mgl_buffer *text, mgl_error *err)
{
    mgl_status status =
        text->failed ? mgl_fail_memory(err) : mgl_publish_text(target, text->data, text->size, err);
    mgl_buffer_free(text);
    return status;
}

static const char automatic[] = "auto";

typedef struct clues {
    uint64_t line; /* of the first byte that is no UTF-8; 0: all are */
    unsigned char byte;
    uint64_t high, pairs;   /* bytes above 0x7f; of these, such that follow another */
    uint64_t dos;           /* such as only code page 850 has between letters */
    uint64_t first_size;    /* of the first line */
    uint64_t even, odd;     /* its NULs, by their places */
    bool nul, marked_utf16; /* there are NULs; the mark of UTF-16 stands in front */
} clues;

/* A letter of code page 850 that in windows-1252 is a sign: it has no business within a word.
 * Apostrophes and dashes (0x91 to 0x97) have, and the letters that windows-1252 has there. */
static bool is_dos_letter(unsigned char byte)
{
    static const char western[] = "\x8a\x8c\x8e\x91\x92\x95\x96\x97\x9a\x9c\x9e\x9f\xa0";
    return byte >= 0x80 && byte <= 0xa5 && strchr(western, (char)byte) == NULL;
}

/* Windows-1252 has no character for it. */
static bool is_no_western(unsigned char byte)
{
    return byte == 0x81 || byte == 0x8d || byte == 0x8f || byte == 0x90 || byte == 0x9d;
}

static void look_at_bytes(clues *c, mgl_span line)
{
    for (size_t i = 0; i < line.size; i++) {
        unsigned char byte = (unsigned char)line.data[i];
        c->nul |= byte == 0;
        if (byte < 0x80)
            continue;
        bool before = i > 0 && mgl_is_letter(line.data[i - 1]);
        bool after = i + 1 < line.size && mgl_is_letter(line.data[i + 1]);
        c->high++;
        c->pairs += i > 0 && (unsigned char)line.data[i - 1] >= 0x80;
        c->dos += is_no_western(byte) || (before && after && is_dos_letter(byte));
    }
}

static void look_at_line(clues *c, mgl_span line, uint64_t number)
{
    size_t valid = mgl_utf8_valid(line.data, line.size);
    if (valid < line.size && c->line == 0) {
        c->line = number;
        c->byte = (unsigned char)line.data[valid];
    }
    if (number == 1) {
        c->first_size = line.size;
        c->marked_utf16 = line.size >= 2 && (memcmp(line.data, "\xff\xfe", 2) == 0 ||
                                             memcmp(line.data, "\xfe\xff", 2) == 0);
        for (size_t i = 0; i < line.size; i++)
            if (line.data[i] == '\0')
                (i % 2 == 0 ? &c->even : &c->odd)[0]++;
    }
    look_at_bytes(c, line);
}

static mgl_status gather(const mgl_text_file *file, mgl_error *err, clues *c)
{
    mgl_raw_lines *lines;
    mgl_span line;
    bool there = true;
    MGL_TRY(mgl_raw_lines_new(file, err, &lines));
    mgl_status status = MGL_OK;
    while (there) {
        MGL_GO(mgl_raw_lines_next(lines, err, &line, &there));
        if (there)
            look_at_line(c, line, mgl_raw_lines_number(lines));
    }
done:
    mgl_raw_lines_free(lines);
    return status;
}

static void tell(mgl_found_encoding *out, const char *name, const char *why)
{
    out->name = name;
    snprintf(out->why, sizeof out->why, "%s", why);
}

/* By its first line: in UTF-16 every other byte of what one mostly writes is 0. */
static void judge_nuls(const clues *c, mgl_found_encoding *out)
{
    bool little = c->even == 0 && c->odd * 4 >= c->first_size;
    bool big = c->odd == 0 && c->even * 4 >= c->first_size;
    if (little || big)
        tell(out, little ? "UTF-16LE" : "UTF-16BE",
             "every other byte of the first line is 0, as in UTF-16 without a mark");
    else
        tell(out, NULL,
             "there are NUL bytes, so that this is no text in one of the usual encodings");
}

static void judge_bytes(const clues *c, mgl_found_encoding *out)
{
    unsigned long long line = c->line;
    if (c->pairs * 2 > c->high) {
        out->name = NULL;
        snprintf(out->why, sizeof out->why,
                 "byte 0x%02x on line %llu is no UTF-8, and most bytes above 0x7f stand side by "
                 "side, as letters of another script do (windows-1251, Shift_JIS, GB18030, ...)",
                 c->byte, line);
    } else if (c->dos * 4 >= c->high) {
        out->name = "CP850";
        snprintf(out->why, sizeof out->why,
                 "byte 0x%02x on line %llu is no UTF-8, and some bytes within words are letters "
                 "in code page 850 of DOS alone",
                 c->byte, line);
    } else {
        out->name = "windows-1252";
        snprintf(out->why, sizeof out->why,
                 "byte 0x%02x on line %llu is no UTF-8; Western European systems write "
                 "windows-1252, which other encodings of one byte cannot be told from: see "
                 "whether letters with accents are right",
                 c->byte, line);
    }
}

static void judge(const clues *c, mgl_found_encoding *out)
{
    if (c->marked_utf16)
        tell(out, "UTF-16", "it begins with the byte order mark of UTF-16");
    else if (c->nul)
        judge_nuls(c, out);
    else if (c->line == 0)
        tell(out, "UTF-8", c->high > 0 ? "all bytes are UTF-8" : "all bytes are ASCII");
    else
        judge_bytes(c, out);
}

mgl_status mgl_find_encoding(const char *location, uint64_t most_unpacked, mgl_error *err,
                             mgl_found_encoding *out)
{
    mgl_text_file *file;
    clues c = {0};
    MGL_TRY(mgl_text_open_within(location, NULL, most_unpacked, err, &file));
    mgl_status status = gather(file, err, &c);
    mgl_text_close(file);
    if (status == MGL_OK)
        judge(&c, out);
    return status;
}

mgl_status mgl_resolve_encoding(mgl_job *job, mgl_command command, mgl_error *err)
{
    const mgl_settings *settings;
    mgl_found_encoding found;
    MGL_TRY(mgl_job_settings(job, command, err, &settings));
    const char *given = settings->source.encoding, *data = settings->data;
    if (given == NULL || strcmp(given, automatic) != 0)
        return MGL_OK;
    bool again = strcmp(data, "-") != 0;
    if (again)
        MGL_TRY(mgl_find_encoding(data, settings->source.most_unpacked, err, &found));
    if (!again || found.name == NULL)
        return mgl_fail_key_at(err, MGL_CODE_ENCODING, data, "encoding",
                               "the encoding is not found: %s; name it with `encoding`",
                               again ? found.why : "what comes by a pipe is read once");
    return mgl_job_set(job, "encoding", found.name, err);
}

/* In a file they would be taken for what results are: safe to show. */
mgl_status mgl_refuse_result_files(const mgl_settings *settings, mgl_error *err)
{
    const char *key = settings->saved.result != NULL   ? "result"
                      : settings->saved.report != NULL ? "report"
                                                       : NULL;
    if (key == NULL)
        return MGL_OK;
    return mgl_fail_key(
        err, MGL_CODE_CONFLICT, key,
        "`%s`: what is shown holds cells of the table and is written to no file; leave it out",
        key);
}

/* ---- Opening --------------------------------------------------------------------------------- */

static mgl_status take_threads(mgl_job *job, const mgl_session_options *options, mgl_error *err)
{
    char text[16];
    if (options == NULL || options->threads == 0)
        return MGL_OK;
    snprintf(text, sizeof text, "%u", options->threads);
    return mgl_job_set(job, "threads", text, err);
}

mgl_status mgl_command_open(mgl_session *session, const mgl_job *job,
                            const mgl_session_options *options, mgl_error *err)
{
    MGL_TRY(mgl_job_on_session(job, NULL, err, &session->job));
    mgl_job_on_progress(session->job, NULL, NULL); /* who listened may be gone later */
    mgl_job_on_refusal(session->job, NULL, NULL);
    MGL_TRY(take_threads(session->job, options, err));
    MGL_TRY(mgl_parts_prepare(session, session->job, err));
    MGL_TRY(mgl_resolve_encoding(session->job, MGL_OPEN, err));
    MGL_TRY(mgl_job_settings(session->job, MGL_OPEN, err, &session->settings));
    MGL_TRY(mgl_session_attach(session, session->settings, err));
    mgl_session_detach(session);
    return MGL_OK;
}

/* ---- Running --------------------------------------------------------------------------------- */

typedef struct command_row {
    const char *name;
    mgl_command_fn *run;
    const char *action;  /* of `hierarchy`; else NULL */
    bool reads_no_table; /* works on a file that another command made, so a session is no use to it
                          */
} command_row;

static const command_row rows[] = {
    {"anonymize", mgl_command_anonymize, NULL, false},
    {"what-if", mgl_command_what_if, NULL, false},
    {"preview", mgl_command_preview, NULL, false},
    {"look", mgl_command_look, NULL, false},
    {"compare", mgl_command_compare, NULL, false},
    {"check", mgl_command_check, NULL, false},
    {"gate", mgl_command_gate, NULL, false},
    {"risk", mgl_command_risk, NULL, false},
    {"attack", mgl_command_attack, NULL, false},
    {"count", mgl_command_count, NULL, false},
    {"apply", mgl_command_apply, NULL, false},
    {"utility", mgl_command_utility, NULL, false},
    {"lattice", mgl_command_lattice, NULL, false},
    {"hierarchy build", mgl_command_hierarchy, "build", false},
    {"hierarchy check", mgl_command_hierarchy, "check", false},
    {"hierarchy show", mgl_command_hierarchy, "show", false},
    {"hierarchy suggest", mgl_command_hierarchy, "suggest", false},
    {"hierarchy tree", mgl_command_hierarchy, "tree", false},
    {"report", mgl_command_report, NULL, true},
    {"recoding show", mgl_command_show_recoding, NULL, true},
    {"recoding", mgl_command_show_recoding, NULL, true}, /* the same */
    {"codebook", mgl_command_codebook, NULL, true},
    {"statement", mgl_command_statement, NULL, true},
};
enum { N_ROWS = sizeof rows / sizeof rows[0] };

static mgl_status unknown_command(const char *name, mgl_error *err)
{
    const char *known[N_ROWS];
    for (size_t i = 0; i < N_ROWS; i++)
        known[i] = rows[i].name;
    const char *nearest = mgl_nearest_name(name, known, N_ROWS);
    if (nearest != NULL)
        return mgl_fail(err, MGL_CODE_UNKNOWN_NAME,
                        "there is no command '%.60s'; did you mean '%s'?", name, nearest);
    return mgl_fail(
        err, MGL_CODE_UNKNOWN_NAME,
        "there is no command '%.60s'; the catalogue lists those there are (\"commands\")", name);
}

static mgl_status find_row(const char *name, mgl_error *err, const command_row **out)
{
    for (size_t i = 0; i < N_ROWS; i++)
        if (strcmp(rows[i].name, name) == 0) {
            *out = &rows[i];
            return MGL_OK;
        }
    return unknown_command(name, err);
}

/* Runs and frees the job. */
static mgl_status run_own(mgl_session *session, const command_row *row, mgl_job *job,
                          mgl_error *err, mgl_result **out)
{
    mgl_job_action(job, row->action);
    mgl_status status = row->run(session, job, err, out);
    mgl_job_free(job);
    return status;
}

mgl_status mgl_command_by_name(mgl_session *session, const char *command, const mgl_job *job,
                               mgl_error *err, mgl_result **out)
{
    const command_row *row;
    mgl_job *copy;
    MGL_TRY(find_row(command, err, &row));
    MGL_TRY(mgl_job_for_run(job, err, &copy));
    return run_own(session, row, copy, err, out);
}

static mgl_status run_in_turn(mgl_session *session, const command_row *row, const mgl_job *job,
                              mgl_error *err, mgl_result **out)
{
    mgl_job *copy;
    MGL_TRY(mgl_job_on_session(job, session->job, err, &copy));
    return run_own(session, row, copy, err, out);
}

mgl_status mgl_command_on_session(mgl_session *session, const char *command, const mgl_job *job,
                                  mgl_error *err, mgl_result **out)
{
    const command_row *row;
    MGL_TRY(find_row(command, err, &row));
    if (row->reads_no_table)
        return mgl_fail(err, MGL_CODE_CONFLICT,
                        "`%s` does not read the table of a session; run it without one", command);
    MGL_TRY(mgl_session_enter(session, mgl_job_progress(job), err));
    mgl_status status = run_in_turn(session, row, job, err, out);
    mgl_session_leave(session);
    return status;
}
