/* Writes a document as a job file; this is the one place that writes YAML. --save-job and `risk
 * --advise` call it. */
#include "job/job.h"

/* May the text stand there without quotes, for every reader of YAML? Truth values may: for the
 * reader of job files they are texts. */
static bool is_plain(const char *text)
{
    static const char *const words[] = {"null", "Null", "NULL", "y",   "Y",  "n",  "N",
                                        "yes",  "Yes",  "YES",  "no",  "No", "NO", "on",
                                        "On",   "ON",   "off",  "Off", "OFF"};
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char others[] = "0123456789./%+-";
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(text, words[i]) == 0)
            return false;
    bool begins = text[0] != '\0' && strchr("-%+", text[0]) == NULL;
    for (const char *c = text; begins && *c != '\0'; c++)
        begins = strchr(letters, *c) != NULL || strchr(others, *c) != NULL;
    return begins;
}

static void put_text(mgl_buffer *out, const char *text)
{
    if (is_plain(text)) {
        mgl_buffer_text(out, text);
        return;
    }
    mgl_buffer_text(out, "\"");
    for (const char *at = text; *at != '\0'; at++) {
        unsigned char c = (unsigned char)*at;
        if (c == '"' || c == '\\')
            mgl_buffer_format(out, "\\%c", c);
        else if (c < 0x20 || c == 0x7F)
            mgl_buffer_format(out, "\\x%02X", c);
        else
            mgl_buffer_append(out, at, 1);
    }
    mgl_buffer_text(out, "\"");
}

static void put_value(mgl_buffer *out, const json_t *value)
{
    const char *key;
    json_t *member;
    bool first = true;
    if (json_is_object(value)) {
        mgl_buffer_text(out, "{");
        json_object_foreach((json_t *)value, key, member)
        {
            mgl_buffer_text(out, first ? "" : ", ");
            first = false;
            put_text(out, key);
            mgl_buffer_text(out, ": ");
            put_value(out, member);
        }
        mgl_buffer_text(out, "}");
    } else if (json_is_array(value)) {
        mgl_buffer_text(out, "[");
        for (size_t i = 0; i < json_array_size(value); i++) {
            mgl_buffer_text(out, i > 0 ? ", " : "");
            put_value(out, json_array_get(value, i));
        }
        mgl_buffer_text(out, "]");
    } else if (json_is_string(value)) {
        put_text(out, json_string_value(value));
    }
}

static void put_note(mgl_buffer *out, const char *text)
{
    mgl_buffer_text(out, " # ");
    for (; *text != '\0'; text++)
        mgl_buffer_append(out, (unsigned char)*text < 0x20 ? " " : text, 1);
}

static void put_attributes(mgl_buffer *out, const json_t *attributes, const mgl_job_note *notes,
                           size_t n_notes)
{
    const char *column;
    json_t *fields;
    mgl_buffer_text(out, "attributes:\n");
    json_object_foreach((json_t *)attributes, column, fields)
    {
        mgl_buffer_text(out, "  ");
        put_text(out, column);
        mgl_buffer_text(out, ": ");
        put_value(out, fields);
        for (size_t i = 0; i < n_notes; i++)
            if (strcmp(notes[i].column, column) == 0)
                put_note(out, notes[i].text);
        mgl_buffer_text(out, "\n");
    }
}

void mgl_job_put_yaml(const json_t *document, const mgl_job_note *notes, size_t n_notes,
                      mgl_buffer *out)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)document, key, value)
    {
        if (strcmp(key, "attributes") != 0) {
            mgl_buffer_format(out, "%s: ", key);
            put_value(out, value);
            mgl_buffer_text(out, "\n");
        } else if (json_object_size(value) > 0) {
            put_attributes(out, value, notes, n_notes);
        }
    }
}
