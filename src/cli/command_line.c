/* Writes a job as the command line that one would type for it. */
#include "cli.h"

#include "cli/options/options.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

typedef struct line {
    const mgl_job *job;
    json_t *document; /* of the job */
    mgl_cli_keys keys;
    FILE *out;
} line;

static void put_word(FILE *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=.,:/@%";
    fputc(' ', out);
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (const char *c = word; *c != '\0'; c++)
        if (*c == '\'')
            fputs("'\\''", out);
        else
            fputc(*c, out);
    fputc('\'', out);
}

/* A value that begins with a dash would be taken for an option, and one that need not be there for
 * the data: these are tied to their option. */
static void put_option(const line *l, const char *option, const char *value, bool tied)
{
    mgl_cli_made_text made;
    FILE *word = mgl_cli_text_begin(&made);
    tied = (tied || value[0] == '-') && option[1] == '-';
    fprintf(word, "%s%s%s", option, tied ? "=" : "", tied ? value : "");
    char *text = mgl_cli_text_end(&made);
    put_word(l->out, text);
    free(text);
    if (!tied)
        put_word(l->out, value);
}

/* An item of a list, or a column before its value: between quotes if it holds what ends one. */
static void put_item(FILE *out, const char *item)
{
    size_t size = strlen(item);
    bool plain = size > 0 && strpbrk(item, ",=\"") == NULL && item[0] != ' ' &&
                 item[size - 1] != ' ' && item[0] != '\'';
    if (plain) {
        fputs(item, out);
        return;
    }
    fputc('"', out);
    for (const char *c = item; *c != '\0'; c++) {
        if (*c == '"')
            fputc('"', out);
        fputc(*c, out);
    }
    fputc('"', out);
}

/* The text of attributes.COLUMN.FIELD; borrowed from the job. */
static const char *field_text(const line *l, const char *column, const char *field)
{
    mgl_cli_made_text made;
    FILE *path = mgl_cli_text_begin(&made);
    fputs("attributes.\"", path);
    for (const char *c = column; *c != '\0'; c++) {
        if (*c == '"')
            fputc('"', path);
        fputc(*c, path);
    }
    fprintf(path, "\".%s", field);
    char *key = mgl_cli_text_end(&made);
    const char *text = mgl_job_get(l->job, key);
    free(key);
    return text;
}

static void put_columns(const line *l, const char *option, const json_t *names)
{
    mgl_cli_made_text made;
    FILE *text = mgl_cli_text_begin(&made);
    for (size_t i = 0; i < json_array_size(names); i++) {
        fputs(i > 0 ? "," : "", text);
        put_item(text, json_string_value(json_array_get(names, i)));
    }
    char *list = mgl_cli_text_end(&made);
    if (json_array_size(names) > 0)
        put_option(l, option, list, false);
    free(list);
}

/* Columns of a role, in the order of the job. */
static void put_role(const line *l, const char *role)
{
    char phrase[64], option[64];
    json_t *names = json_array(), *fields;
    const char *column;
    const json_t *sets = json_object_get(l->document, "quasi-identifiers");
    bool in_sets = strcmp(role, "quasi") == 0 && json_array_size(sets) > 0;
    snprintf(phrase, sizeof phrase, in_sets ? "quasi-identifiers" : "role: %s", role);
    if (!mgl_cli_option_of_key(phrase, option, sizeof option))
        option[0] = '\0';
    json_object_foreach(json_object_get(l->document, "attributes"), column, fields)
    {
        const char *given = json_string_value(json_object_get(fields, "role"));
        if (given != NULL && strcmp(given, role) == 0)
            (void)json_array_append_new(names, json_string(column));
    }
    if (in_sets)
        for (size_t i = 0; i < json_array_size(sets); i++)
            put_columns(l, option, json_array_get(sets, i));
    else
        put_columns(l, option, names);
    json_decref(names);
}

static void put_pair(FILE *out, const char *column, const char *value)
{
    put_item(out, column);
    fprintf(out, "=%s", value);
}

/* All columns of a key: one option each, or all of them in one where one is enough. */
static void put_by_column(const line *l, const mgl_cli_key *key, const char *field)
{
    bool repeats = mgl_cli_flag(key->catalogue, "keys", key->name, "repeats");
    char option[MGL_CLI_NAME + 2];
    mgl_cli_made_text made;
    FILE *text = mgl_cli_text_begin(&made);
    json_t *fields;
    const char *column;
    size_t n = 0;
    snprintf(option, sizeof option, "--%s", key->name);
    json_object_foreach(json_object_get(l->document, "attributes"), column, fields)
    {
        const char *value =
            json_object_get(fields, field) != NULL ? field_text(l, column, field) : NULL;
        if (value == NULL)
            continue;
        fputs(n++ > 0 && !repeats ? "," : "", text);
        put_pair(text, column, value);
        if (!repeats)
            continue;
        char *one = mgl_cli_text_end(&made);
        put_option(l, option, one, false);
        free(one);
        text = mgl_cli_text_begin(&made);
    }
    char *all = mgl_cli_text_end(&made);
    if (!repeats && n > 0)
        put_option(l, option, all, false);
    free(all);
}

/* The value of privacy.MODEL or privacy.MODEL."COLUMN", behind the column if there is one. */
static void put_model(const line *l, const char *model, const json_t *given)
{
    char option[64];
    const char *column = json_string_value(json_object_get(given, "attribute"));
    mgl_cli_made_text made;
    FILE *path = mgl_cli_text_begin(&made);
    fprintf(path, "privacy.%s", model);
    if (column != NULL) {
        fputs(".\"", path);
        for (const char *c = column; *c != '\0'; c++) {
            if (*c == '"')
                fputc('"', path);
            fputc(*c, path);
        }
        fputs("\"", path);
    }
    char *key = mgl_cli_text_end(&made);
    const char *value = mgl_job_get(l->job, key);
    free(key);
    if (value == NULL || !mgl_cli_option_of_key(model, option, sizeof option))
        return;
    FILE *text = mgl_cli_text_begin(&made);
    if (column != NULL)
        put_pair(text, column, value);
    else
        fputs(value, text);
    char *whole = mgl_cli_text_end(&made);
    put_option(l, option, whole, false);
    free(whole);
}

static void put_models(const line *l)
{
    const json_t *list = json_object_get(l->document, "privacy");
    const char *model;
    json_t *given;
    for (size_t i = 0; i < json_array_size(list); i++)
        json_object_foreach(json_array_get(list, i), model, given) put_model(l, model, given);
}

static void put_key(const line *l, const mgl_cli_key *key)
{
    char option[MGL_CLI_NAME + 2];
    const char *value = mgl_job_get(l->job, key->name);
    int takes_value = mgl_cli_key_takes_value(key);
    bool is_flag = takes_value != 1;
    if (value == NULL || strcmp(key->name, "data") == 0 ||
        json_object_get(l->document, key->name) == NULL)
        return;
    if (is_flag && strcmp(value, "false") == 0)
        return;
    snprintf(option, sizeof option, "%s%s", key->name[1] == '\0' ? "-" : "--", key->name);
    if (is_flag && strcmp(value, "true") == 0)
        put_word(l->out, option);
    else
        put_option(l, option, value, takes_value == 2);
}

/* Some fields have two keys, which mean the same. */
static bool is_first_of_field(const line *l, size_t key, const char *field)
{
    for (size_t i = 0; i < key; i++) {
        const mgl_cli_key *other = &l->keys.rows[i];
        const char *filled = other->catalogue != NULL
                                 ? mgl_cli_text(other->catalogue, "keys", other->name, "field")
                                 : NULL;
        if (filled != NULL && strcmp(filled, field) == 0)
            return false;
    }
    return true;
}

/* In the order of help: the data first, then roles, keys of columns, models and the rest. */
static void put_all(const line *l, const char *command)
{
    static const char *const roles[] = {"quasi", "sensitive", "identifier", "insensitive"};
    const char *data = mgl_job_get(l->job, "data");
    fprintf(l->out, "mingle %s", command);
    if (data != NULL && data[0] == '-')
        put_option(l, "--data", data, true);
    else if (data != NULL)
        put_word(l->out, data);
    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++)
        put_role(l, roles[i]);
    for (size_t i = 0; i < l->keys.n; i++) {
        const mgl_cli_key *key = &l->keys.rows[i];
        const char *field = key->catalogue != NULL && strcmp(key->where, "column") == 0
                                ? mgl_cli_text(key->catalogue, "keys", key->name, "field")
                                : NULL;
        if (field != NULL && is_first_of_field(l, i, field))
            put_by_column(l, key, field);
    }
    put_models(l);
    for (size_t i = 0; i < l->keys.n; i++)
        if (strcmp(l->keys.rows[i].where, "job") == 0)
            put_key(l, &l->keys.rows[i]);
}

mgl_status mgl_cli_command_line(const mgl_job *job, const char *command, mgl_error *err, char **out)
{
    line l = {.job = job};
    mgl_cli_made_text made;
    char *text;
    mgl_status status = mgl_job_json(job, err, &text);
    if (status != MGL_OK)
        return status;
    l.document = json_loads(text, 0, NULL);
    mgl_text_free(text);
    status = mgl_cli_keys_load("keys", err, &l.keys);
    if (status == MGL_OK) {
        l.out = mgl_cli_text_begin(&made);
        put_all(&l, command);
        *out = mgl_cli_text_end(&made);
        mgl_cli_keys_free(&l.keys);
    }
    json_decref(l.document);
    return status;
}
