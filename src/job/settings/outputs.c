/* Checks the outputs of a command before anything is written, so that nothing of the user's is
 * lost: each is compared with everything the job reads and with every other output. Their endings
 * have to be those of their formats, and partitions of a release need columns that can name
 * folders. */
#include "job/keys/keys.h"
#include "job/settings/settings.h"
#include "job/store/store.h"
#include "sign/sign.h"

#include <stdio.h>
#include <unistd.h>

/* ---- Endings --------------------------------------------------------------------------------- */

typedef struct form {
    const char *key;
    unsigned commands;
    const char *what;
    const char *endings; /* that it may have, besides those that name no format; NULL: those of
                            tables that can be written */
} form;

/* What each output is, by key and command. */
static const form forms[] = {
    {"output", MGL_ANONYMIZE | MGL_WHAT_IF | MGL_PREVIEW | MGL_APPLY, "a release", NULL},
    {"output", MGL_HIERARCHY, "a hierarchy", ".csv .tsv .txt"},
    {"output", MGL_RISK, "a job file", ".yaml .yml .txt"},
    {"output", MGL_COUNT, "a part", ".part"},
    {"output", MGL_REPORT, "a page", ".html .htm .xhtml"},
    {"output", MGL_SHOW_RECODING | MGL_CODEBOOK, "a table", ".csv .txt"},
    {"output", MGL_STATEMENT, "a statement", ".json .html .htm .xhtml"},
    {"statement", ~0u, "a statement", ".json .html .htm .xhtml"},
    {"save-promise", ~0u, "a promise", ".json"},
    {"rows", ~0u, "a table of rows", ".csv .txt"},
    {"result", ~0u, "a result", ".json .txt"},
    {"report", ~0u, "a report", ".html .htm .xhtml"},
    {"junit", ~0u, "a report of tests", ".xml"},
    {"save-recoding", ~0u, "a recoding", ".rec"},
    {"save-map", ~0u, "a map", ".csv .txt .parquet"},
    {"save-proof", ~0u, "a proof", ".json .proof"},
    {"save-job", ~0u, "a job file", ".yaml .yml"},
};

static const form *form_of(const char *key, mgl_command command)
{
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (strcmp(forms[i].key, key) == 0 && (forms[i].commands & command) != 0)
            return &forms[i];
    return NULL;
}

/* A device or a pipe may be called anything. */
static bool is_special(const char *location)
{
    mgl_file_state state;
    return strcmp(location, "-") == 0 ||
           (mgl_sys_state_of(location, &state) == 0 && !state.regular && !state.folder);
}

/* A job file without its ending would be taken for data. */
static bool lacks_ending(const mgl_entry *output, mgl_span path)
{
    return strcmp(output->field, "save-job") == 0 &&
           !(path.size > 5 && strcmp(path.data + path.size - 5, ".yaml") == 0) &&
           !(path.size > 4 && strcmp(path.data + path.size - 4, ".yml") == 0);
}

mgl_status mgl_output_check_ending(const mgl_entry *output, mgl_command command, mgl_error *err)
{
    const form *form = form_of(output->field, command);
    mgl_location location = mgl_location_of(output->value);
    mgl_span ending = location.ending;
    if (form == NULL || is_special(output->value))
        return MGL_OK;
    if (form->endings == NULL && location.kind != MGL_LOCATION_FILE) {
        const mgl_format *format;
        return mgl_format_to_write(output->value, err, &format);
    }
    bool fits = ending.size == 0 || (form->endings == NULL ? mgl_ending_is_written(ending)
                                                           : mgl_ending_is(ending, form->endings));
    if (fits && !lacks_ending(output, location.path))
        return MGL_OK;
    mgl_buffer list = {0};
    if (form->endings == NULL)
        mgl_endings_written(&list);
    else
        mgl_buffer_text(&list, form->endings);
    mgl_status status =
        list.failed ? mgl_fail_memory(err)
        : ending.size == 0
            ? mgl_origin_fail(&output->place, MGL_CODE_OUTPUT, err,
                              "'%.60s': %s ends in %.*s; add one of them", output->value,
                              form->what, (int)list.size, list.data)
            : mgl_origin_fail(&output->place, MGL_CODE_OUTPUT, err,
                              "'%.60s': %s is not written as %.*s; end its name in %.*s",
                              output->value, form->what, (int)ending.size, ending.data,
                              (int)list.size, list.data);
    mgl_buffer_free(&list);
    return status;
}

/* ---- Partitions ------------------------------------------------------------------------------ */

static const char key[] = "partition-by";

/* Engines write other letters of a column's name as %XX, and read that as the name. */
static bool names_folders(const char *name)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-~.";
    return name[0] != '_' && name[0] != '.' && name[0] != '\0' &&
           strspn(name, letters) == strlen(name);
}

static mgl_status check_columns(const mgl_settings *s, mgl_error *err)
{
    for (size_t i = 0; i < s->partitions.n; i++) {
        if (!names_folders(s->partitions.columns[i]))
            return mgl_fail(err, MGL_CODE_UNSUPPORTED,
                            "column '%.60s' cannot name folders, since not every engine reads its "
                            "name back; divide by columns whose names begin with a letter or digit "
                            "and have letters of ASCII, digits, -, ~, . and _",
                            s->partitions.columns[i]);
        for (size_t j = 0; j < i; j++)
            if (strcmp(s->partitions.columns[i], s->partitions.columns[j]) == 0)
                return mgl_fail(err, MGL_CODE_REPEATED,
                                "column '%.60s' is named twice; name it once",
                                s->partitions.columns[i]);
    }
    return MGL_OK;
}

/* MGL_USAGE if a release cannot be divided by these columns, MGL_DATA if there is a folder that is
 * not to be replaced. */
static mgl_status settings_check_partitions(const mgl_settings *s, mgl_command command,
                                            mgl_error *err)
{
    if (s->partitions.n == 0 || (command & (MGL_ANONYMIZE | MGL_APPLY)) == 0)
        return MGL_OK;
    MGL_TRY(mgl_blame_key(err, check_columns(s, err), key));
    if (s->print_sql != NULL)
        return mgl_fail_key(
            err, MGL_CODE_CONFLICT, key,
            "`print-sql` writes no files, and `partition-by` divides them; leave it out");
    if (s->output == NULL || s->dry_run)
        return MGL_OK;
    mgl_location output = mgl_location_of(s->output);
    if (!output.format->divided || output.kind != MGL_LOCATION_FILE)
        return mgl_fail_key(err, MGL_CODE_CONFLICT, key,
                            "`partition-by` is for releases that are folders of Parquet files; end "
                            "the name of the output in .parquet, or leave it out");
    return mgl_blame_key(err, mgl_partitions_check_target(s->output, s->overwrite, err), "output");
}

/* ---- Outputs --------------------------------------------------------------------------------- */

/* A file that the job names, and what identifies it. */
typedef struct named_file {
    const mgl_origin *place; /* where it is named */
    const char *value;       /* as what */
    bool written;
    size_t beside; /* the output that it is written beside, from 1; 0: none */
    /* Writes whether what is there is of that kind; NULL: by its name. */
    mgl_status (*is_ours)(const char *path, mgl_error *err, bool *out);
    bool apart;  /* its name is not the value */
    bool engine; /* the engine of a database writes and removes it beside that */
    bool there;  /* it exists and is identified by its state; else by its path */
    mgl_file_state state;
    char *path;  /* without links; NULL: its folder cannot be reached, or it is a stream */
    char *table; /* of a database; optional */
} named_file;

typedef struct files {
    const mgl_job *job;
    named_file *list;
    size_t n, capacity;
    mgl_origin job_file;    /* that messages name */
    const mgl_entry *entry; /* whose files are visited */
    size_t main;            /* the output beside which they are, from 1; 0: they are read */
    bool tables;            /* the data is the name of a table elsewhere */
    bool folder;            /* the release is one */
    mgl_error *err;
} files;

static void free_files(files *f)
{
    for (size_t i = 0; i < f->n; i++) {
        mgl_free(f->list[i].path);
        mgl_free(f->list[i].table);
    }
    mgl_free(f->list);
}

/* ---- Gathering ------------------------------------------------------------------------------- */

static mgl_status add(files *f, const mgl_origin *place, const char *value, bool written,
                      named_file **out)
{
    MGL_TRY(mgl_check_memory(mgl_grow(&f->list, &f->capacity, f->n + 1, sizeof *f->list), f->err));
    *out = &f->list[f->n++];
    **out = (named_file){.place = place, .value = value, .written = written};
    return MGL_OK;
}

static mgl_status add_path(files *f, const mgl_origin *place, const char *value, mgl_span path,
                           bool written)
{
    named_file *file;
    mgl_buffer text = {0};
    char *name;
    mgl_buffer_span(&text, path);
    MGL_TRY(mgl_buffer_take(&text, f->err, &name));
    mgl_status status = add(f, place, value, written, &file);
    if (status == MGL_OK) {
        /* Tables in memory are identified by their names. */
        file->there = mgl_memory_name(name) == NULL && mgl_sys_state_of(name, &file->state) == 0;
        /* A folder that cannot be reached is reported when the file is opened. */
        (void)mgl_sys_resolve(name, NULL, &file->path);
    }
    mgl_free(name);
    return status;
}

/* "-": the file behind a redirection, if it is one. */
static mgl_status add_stream(files *f, const mgl_origin *place, bool written)
{
    named_file *file;
    MGL_TRY(add(f, place, "-", written, &file));
    file->there = mgl_sys_state(written ? STDOUT_FILENO : STDIN_FILENO, &file->state) == 0;
    return MGL_OK;
}

static mgl_status visit(void *context, const char *path, mgl_error *err)
{
    files *f = context;
    (void)err;
    return add_path(f, &f->entry->place, f->entry->value, mgl_span_of(path), false);
}

/* The second file of a release: FILE.rda beside FILE.asc. A link would have it beside its own name
 * for who reads, and beside what it leads to for who writes. */
static mgl_status add_second(files *f, const mgl_entry *entry)
{
    const mgl_format *format = mgl_location_of(entry->value).format;
    const char *second = format->second, *dot = strrchr(entry->value, '.');
    mgl_buffer path = {0};
    if (second == NULL || dot == NULL)
        return MGL_OK;
    if (mgl_sys_is_link(entry->value))
        return mgl_origin_fail(&entry->place, MGL_CODE_OUTPUT, f->err,
                               "'%.200s' is a link, and a file %s is written beside it; name the "
                               "file that the link leads to",
                               entry->value, second);
    mgl_buffer_append(&path, entry->value, (size_t)(dot - entry->value));
    mgl_buffer_text(&path, second);
    size_t main = f->n; /* the release itself was added last */
    mgl_status status = path.failed ? mgl_fail_memory(f->err)
                                    : add_path(f, &entry->place, entry->value,
                                               (mgl_span){path.data, path.size}, true);
    if (status == MGL_OK) {
        f->list[main].beside = main;
        f->list[main].is_ours = format->is_second;
    }
    mgl_buffer_free(&path);
    return status;
}

static mgl_status visit_engine_file(void *context, const char *path, mgl_error *err)
{
    files *f = context;
    (void)err;
    MGL_TRY(add_path(f, &f->entry->place, f->entry->value, mgl_span_of(path), f->main > 0));
    f->list[f->n - 1].engine = true;
    f->list[f->n - 1].beside = f->main;
    return MGL_OK;
}

/* A database and what its engine writes and removes beside it. */
static mgl_status add_engine_files(files *f, const mgl_entry *entry, const char *location,
                                   size_t main)
{
    f->entry = entry;
    f->main = main;
    return mgl_location_engine_files(location, visit_engine_file, f, f->err);
}

static mgl_status add_output(files *f, const mgl_entry *entry)
{
    int stream = mgl_sys_stream_of(entry->value);
    if (stream >= 0 && !mgl_sys_writes(stream))
        return mgl_origin_fail(
            &entry->place, MGL_CODE_OUTPUT, f->err,
            "nothing is open for writing at '%.60s'; redirect it, or name a file", entry->value);
    mgl_span path = mgl_location_of(entry->value).path;
    if (path.size > 0)
        MGL_TRY(add_path(f, &entry->place, entry->value, path, true));
    MGL_TRY(add_engine_files(f, entry, entry->value, f->n));
    return add_second(f, entry);
}

static mgl_status add_location(files *f, const mgl_entry *entry, const char *location, bool written)
{
    char *table = NULL;
    named_file *server;
    size_t first = f->n;
    f->entry = entry;
    if (strcmp(location, "-") == 0)
        return add_stream(f, &entry->place, written);
    MGL_TRY(written ? add_output(f, entry) : mgl_location_files(location, visit, f, f->err));
    if (!written)
        MGL_TRY(add_engine_files(f, entry, location, 0));
    /* Errors of a location are reported when it is opened. */
    if (mgl_location_table(location, NULL, &table) != MGL_OK || table == NULL)
        return MGL_OK;
    mgl_status status =
        f->n == first ? add(f, &entry->place, entry->value, written, &server) : MGL_OK;
    if (status == MGL_OK)
        f->list[first].table = table;
    else
        mgl_free(table);
    return status;
}

static mgl_status add_list(files *f, const mgl_entry *entry)
{
    mgl_list list = mgl_list_of(mgl_span_of(entry->value));
    mgl_buffer item = {0}, wrong = {0};
    mgl_status status = MGL_OK;
    while (entry->value[0] != '\0' && mgl_list_next(&list, &item, &wrong)) {
        mgl_buffer_append(&item, "", 1);
        MGL_GO(item.failed ? mgl_fail_memory(f->err) : add_location(f, entry, item.data, false));
    }
    MGL_GO(mgl_check_memory(!wrong.failed, f->err));
done:
    mgl_buffer_free(&item);
    mgl_buffer_free(&wrong);
    return status;
}

/* A file within a builder, or that of a policy. */
static mgl_status add_within(files *f, const mgl_entry *entry, const mgl_key *key)
{
    mgl_span path;
    return mgl_path_in(key, entry->value, &path)
               ? add_path(f, &entry->place, entry->value, path, false)
               : MGL_OK;
}

static bool is_there(const char *path)
{
    mgl_file_state state;
    return mgl_sys_state_of(path, &state) == 0;
}

static mgl_status add_inputs(files *f, const mgl_job *job)
{
    for (size_t i = 0; i < job->n_entries; i++) {
        const mgl_entry *entry = &job->entries[i];
        mgl_key key;
        if (f->tables && strcmp(entry->field, "data") == 0)
            continue;
        bool known = entry->subject != NULL ? mgl_key_find_field(mgl_span_of(entry->field), &key)
                                            : mgl_key_find(mgl_span_of(entry->field), &key);
        if (!known || key.kind == MGL_KEY_OUTPUT)
            continue;
        bool secret = strcmp(entry->field, "key") == 0 || strcmp(entry->field, "sign") == 0;
        if (secret && !is_there(entry->value)) /* it may be the key itself, which none repeats */
            continue;
        MGL_TRY(key.kind == MGL_KEY_INPUT    ? add_location(f, entry, entry->value, false)
                : key.kind == MGL_KEY_INPUTS ? add_list(f, entry)
                                             : add_within(f, entry, &key));
    }
    for (size_t i = 0; i < job->n_files; i++)
        MGL_TRY(add_path(f, &f->job_file, job->files[i], mgl_span_of(job->files[i]), false));
    return MGL_OK;
}

/* Does the command write it? A job file serves several. */
static bool is_written(const mgl_job *job, const mgl_settings *settings, mgl_command command,
                       const mgl_entry *entry)
{
    mgl_key key;
    if (entry->subject != NULL || !mgl_key_find(mgl_span_of(entry->field), &key) ||
        key.kind != MGL_KEY_OUTPUT || (key.commands & command) == 0)
        return false;
    if (settings->print_sql != NULL && command == MGL_ANONYMIZE)
        return strcmp(key.name, "result") == 0 || strcmp(key.name, "save-job") == 0;
    /* Outputs that a job file names do not matter to a command that makes no release. */
    if (strcmp(key.name, "result") == 0)
        return settings->saved.result != NULL;
    if (strcmp(key.name, "report") == 0)
        return settings->saved.report != NULL;
    if (strcmp(key.name, "output") != 0)
        return true;
    return (command != MGL_RISK || settings->risk.advise) &&
           (command != MGL_HIERARCHY || job->action == NULL || strcmp(job->action, "build") == 0);
}

/* ---- Comparing ------------------------------------------------------------------------------- */

static bool is_same_file(const named_file *a, const named_file *b)
{
    if (a->there && b->there)
        return a->state.regular && a->state.device == b->state.device &&
               a->state.inode == b->state.inode;
    return !a->there && !b->there && a->path != NULL && b->path != NULL &&
           strcmp(a->path, b->path) == 0;
}

/* Two tables of one database are as different as two files. */
static bool is_same(const named_file *a, const named_file *b)
{
    bool servers = a->table != NULL && b->table != NULL && a->path == NULL && b->path == NULL;
    if (a->table != NULL && b->table != NULL && strcmp(a->table, b->table) != 0)
        return false;
    return servers || is_same_file(a, b);
}

static bool lies_below(const char *path, const char *folder)
{
    size_t size = strlen(folder);
    return size > 0 && strncmp(path, folder, size) == 0 && path[size] == '/';
}

/* Does the output lie in a folder that is read as a table? */
static bool is_within(const named_file *output, const named_file *other)
{
    return !other->written && other->there && other->state.folder && output->path != NULL &&
           other->path != NULL && lies_below(output->path, other->path);
}

/* Would what is read or written lie in a folder that is written, and replaced, as a whole? */
static bool is_swept_away(const files *f, const named_file *output, const named_file *other)
{
    return f->folder && strcmp(output->place->name, "output") == 0 && output->path != NULL &&
           other->path != NULL &&
           (lies_below(other->path, output->path) || strcmp(other->path, output->path) == 0);
}

static mgl_status compare(const files *f, const named_file *output, const named_file *other)
{
    /* A release and its second file. */
    bool one = output->place == other->place && other->written;
    bool beside = output->beside > 0 || other->beside > 0 || other->engine || other->apart;
    char origin[MGL_ORIGIN_TEXT];
    bool streams = strcmp(output->value, "-") == 0 && strcmp(other->value, "-") == 0;
    if (one || (output->engine && other->engine)) /* two tables of one database */
        return MGL_OK;
    if (streams && other->written)
        return mgl_origin_fail(output->place, MGL_CODE_OUTPUT, f->err,
                               "standard output is to hold what %s says as well; give each output "
                               "its own",
                               mgl_origin_text(other->place, origin));
    if (is_within(output, other))
        return mgl_origin_fail(
            output->place, MGL_CODE_OUTPUT, f->err,
            "'%.200s' lies in the folder '%.200s', which is read as a table: the "
            "next job would read it, too; name a file elsewhere",
            output->value, other->value);
    if (is_swept_away(f, output, other) || (other->written && is_swept_away(f, other, output)))
        return mgl_origin_fail(output->place, MGL_CODE_OUTPUT, f->err,
                               "'%.200s' and %s '%.200s': one lies in the other, and the release "
                               "is to be a folder of its own (`partition-by`); name another place",
                               output->value, mgl_origin_text(other->place, origin), other->value);
    if (!is_same(output, other))
        return MGL_OK;
    if (beside && strcmp(output->value, other->value) != 0)
        return mgl_origin_fail(output->place, MGL_CODE_OUTPUT, f->err,
                               "'%.200s' and %s '%.200s' use the same file '%.200s', which is one "
                               "of them or belongs beside it; name another one",
                               output->value, mgl_origin_text(other->place, origin), other->value,
                               output->path != NULL ? output->path : output->value);
    if (other->written)
        return mgl_origin_fail(output->place, MGL_CODE_OUTPUT, f->err,
                               "'%.200s' is the same file as %s '%.200s'; give each output its own",
                               output->value, mgl_origin_text(other->place, origin), other->value);
    return mgl_origin_fail(
        output->place, MGL_CODE_OUTPUT, f->err,
        "'%.200s' is the same %s as %s '%.200s', which is read; name another one", output->value,
        output->table != NULL ? "table" : "file", mgl_origin_text(other->place, origin),
        other->value);
}

/* Has what is there been written beside an earlier output? Then the output is there, too. */
static mgl_status belongs(const files *f, const named_file *file, bool *out)
{
    *out = f->list[file->beside - 1].there;
    if (!*out || file->is_ours == NULL || file->path == NULL)
        return MGL_OK;
    return file->is_ours(file->path, f->err, out);
}

/* A file that is written beside an output replaces none that has nothing to do with it. */
static mgl_status check_beside(const files *f, bool overwrite)
{
    for (size_t i = 0; i < f->n && !overwrite; i++) {
        const named_file *file = &f->list[i];
        bool ours = true;
        if (file->beside > 0 && file->there && file->state.regular)
            MGL_TRY(belongs(f, file, &ours));
        if (!ours)
            return mgl_origin_fail(
                file->place, MGL_CODE_OUTPUT, f->err,
                "beside '%.200s' the file '%.200s' is written, too, and there is "
                "one already that does not belong to it; name another output, or "
                "let it be replaced (`overwrite`)",
                f->list[file->beside - 1].value, file->path != NULL ? file->path : file->value);
    }
    return MGL_OK;
}

static mgl_status is_signature(const char *path, mgl_error *err, bool *out)
{
    mgl_file_state state;
    (void)err;
    *out = mgl_sys_state_of(path, &state) == 0 && state.size == MGL_SIGNATURE;
    return MGL_OK;
}

/* What --sign writes beside result and statement. */
static mgl_status add_signature(files *f, const char *path)
{
    const mgl_entry *sign = mgl_store_find(f->job, "sign", NULL);
    size_t main = 0;
    if (sign == NULL || path == NULL)
        return MGL_OK;
    /* FILE.sig stands beside FILE, which was added before. */
    while (main < f->n &&
           (!f->list[main].written || strlen(f->list[main].value) + 4 != strlen(path) ||
            strncmp(f->list[main].value, path, strlen(path) - 4) != 0))
        main++;
    bool found = main < f->n;
    MGL_TRY(add_path(f, &sign->place, path, mgl_span_of(path), true));
    f->list[f->n - 1].beside = found ? main + 1 : 0;
    f->list[f->n - 1].is_ours = is_signature;
    return MGL_OK;
}

/* What `verify-key` reads beside the result or statement. */
static mgl_status add_checked_signature(files *f)
{
    const mgl_entry *verify = mgl_store_find(f->job, "verify-key", NULL),
                    *against = mgl_store_find(f->job, "against", NULL);
    mgl_buffer path = {0};
    if (verify == NULL || against == NULL)
        return MGL_OK;
    mgl_buffer_text(&path, against->value);
    mgl_buffer_text(&path, ".sig");
    mgl_status status = path.failed ? mgl_fail_memory(f->err)
                                    : add_path(f, &verify->place, verify->value,
                                               (mgl_span){path.data, path.size}, false);
    if (status == MGL_OK)
        f->list[f->n - 1].apart = true;
    mgl_buffer_free(&path);
    return status;
}

static mgl_status add_signatures(files *f, const mgl_settings *settings, mgl_command command)
{
    if ((command & (MGL_ANONYMIZE | MGL_APPLY | MGL_STATEMENT)) == 0)
        return MGL_OK;
    MGL_TRY(add_signature(f, settings->signing.of_result));
    return add_signature(f, settings->signing.of_statement);
}

static mgl_status gather(files *f, const mgl_settings *settings, mgl_command command)
{
    const mgl_job *job = f->job;
    for (size_t i = 0; i < job->n_entries; i++) {
        const mgl_entry *entry = &job->entries[i];
        if (!is_written(job, settings, command, entry))
            continue;
        MGL_TRY(add_location(f, entry, entry->value, true));
    }
    if (f->n == 0)
        return MGL_OK;
    MGL_TRY(add_signatures(f, settings, command));
    MGL_TRY(add_inputs(f, job));
    MGL_TRY(add_checked_signature(f));
    /* A copy lacks the recoding that is applied. */
    return job->original != NULL ? add_inputs(f, job->original) : MGL_OK;
}

mgl_status mgl_outputs_check(const mgl_job *job, const mgl_settings *settings, mgl_command command,
                             mgl_error *err)
{
    files f = {.job = job, .job_file = {.name = "the job file", .load = 1}, .err = err};
    f.tables = settings->print_sql != NULL && command == MGL_ANONYMIZE;
    f.folder = settings->partitions.n > 0;
    mgl_status status = MGL_OK;
    MGL_GO(gather(&f, settings, command));
    for (size_t i = 0; i < f.n; i++)
        for (size_t j = 0; f.list[i].written && j < f.n; j++)
            if (!f.list[j].written || j < i)
                MGL_GO(compare(&f, &f.list[i], &f.list[j]));
    MGL_GO(check_beside(&f, settings->overwrite));
    for (size_t i = 0; i < job->n_entries; i++)
        if (is_written(job, settings, command, &job->entries[i]))
            MGL_GO(mgl_output_check_ending(&job->entries[i], command, err));
    MGL_GO(settings_check_partitions(settings, command, err));
done:
    free_files(&f);
    return status;
}
