/* How claims are compared: notes of what differs, is missing or cannot be recomputed, and the keys
 * and types that an object must have. All claimed_*.c compare by these. */
#include "command/audit/claims.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Saying what is wrong ------------------------------------------------------------------ */

bool mgl_claims_same(const json_t *a, const json_t *b)
{
    if (json_is_number(a) && json_is_number(b)) {
        double x = json_number_value(a), y = json_number_value(b);
        return x == y || fabs(x - y) <= 1e-9 * fmax(fabs(x), fabs(y)) || fabs(x - y) <= 1e-15;
    }
    return json_equal(a, b);
}

void mgl_claims_differ(mgl_claims *c, const char *what, const char *kind, const json_t *claimed,
                       const json_t *found)
{
    json_t *difference = json_object();
    mgl_json_set(difference, "what", json_string(what));
    mgl_json_set(difference, "kind", json_string(kind));
    mgl_json_set(difference, "claimed",
                 claimed != NULL ? json_incref((json_t *)claimed) : json_null());
    mgl_json_set(difference, "found", found != NULL ? json_incref((json_t *)found) : json_null());
    mgl_json_append(c->differences, difference);
}

void mgl_claims_missing(mgl_claims *c, const char *what)
{
    mgl_claims_differ(c, what, "missing", NULL, NULL);
}

void mgl_claims_unknown(mgl_claims *c, const char *what, const json_t *claimed)
{
    mgl_claims_differ(c, what, "unknown", claimed, NULL);
}

void mgl_claims_compare(mgl_claims *c, const char *what, const json_t *claimed, const json_t *found)
{
    if (claimed == NULL && found == NULL)
        return;
    if (claimed == NULL)
        mgl_claims_missing(c, what);
    else if (found == NULL || !mgl_claims_same(claimed, found))
        mgl_claims_differ(c, what, "file", claimed, found);
}

void mgl_claims_compare_new(mgl_claims *c, const char *what, const json_t *claimed, json_t *found)
{
    mgl_claims_compare(c, what, claimed, found);
    json_decref(found);
}

void mgl_claims_agree(mgl_claims *c, const char *what, const json_t *claimed, const json_t *other)
{
    if (claimed == NULL && other == NULL)
        return;
    if (claimed == NULL)
        mgl_claims_missing(c, what);
    else if (other == NULL || !mgl_claims_same(claimed, other))
        mgl_claims_differ(c, what, "result", claimed, other);
}

void mgl_claims_agree_new(mgl_claims *c, const char *what, const json_t *claimed, json_t *other)
{
    mgl_claims_agree(c, what, claimed, other);
    json_decref(other);
}

void mgl_claims_contradict(mgl_claims *c, const char *what, const json_t *claimed)
{
    mgl_claims_differ(c, what, "result", claimed, NULL);
}

void mgl_claims_skip(mgl_claims *c, const char *what, const char *why)
{
    mgl_buffer text = {0};
    mgl_buffer_format(&text, "%s: %s", what, why);
    for (size_t i = 0; !text.failed && i < json_array_size(c->not_compared); i++)
        if (mgl_span_is((mgl_span){text.data, text.size},
                        json_string_value(json_array_get(c->not_compared, i)))) {
            mgl_buffer_free(&text); /* it is said of another one already */
            return;
        }
    mgl_json_append(c->not_compared, text.failed ? NULL : json_stringn(text.data, text.size));
    mgl_buffer_free(&text);
}

const char *mgl_claim_name(char text[MGL_CLAIM_NAME], const char *object, const char *key)
{
    snprintf(text, MGL_CLAIM_NAME, "%.90s.%.90s", object, key);
    return text;
}

/* ---- Keys ---------------------------------------------------------------------------------- */

static bool is_among(const char *key, const char *const *keys, size_t n_keys)
{
    for (size_t i = 0; i < n_keys; i++)
        if (strcmp(key, keys[i]) == 0)
            return true;
    return false;
}

bool mgl_claims_keys(mgl_claims *c, const char *object, const json_t *claimed,
                     const char *const *keys, size_t n_keys)
{
    char name[MGL_CLAIM_NAME];
    const char *key;
    json_t *value;
    size_t before = json_array_size(c->differences);
    if (!json_is_object(claimed)) {
        mgl_claims_contradict(c, object, claimed);
        return false;
    }
    for (size_t i = 0; i < n_keys; i++)
        if (json_object_get(claimed, keys[i]) == NULL)
            mgl_claims_missing(c, mgl_claim_name(name, object, keys[i]));
    json_object_foreach((json_t *)claimed, key, value)
    {
        if (!is_among(key, keys, n_keys))
            mgl_claims_unknown(c, mgl_claim_name(name, object, key), value);
    }
    return json_array_size(c->differences) == before;
}

static bool is_of_type(const json_t *value, char type)
{
    bool nullable = type >= 'A' && type <= 'Z';
    if (nullable && json_is_null(value))
        return true;
    switch (nullable ? type - 'A' + 'a' : type) {
    case 'i':
        return json_is_integer(value) && json_integer_value(value) >= 0;
    case 'n':
        return json_is_number(value);
    case 's':
        return json_is_string(value);
    case 'b':
        return json_is_boolean(value);
    case 'a':
        return json_is_array(value);
    case 'o':
        return json_is_object(value);
    default:
        return true;
    }
}

bool mgl_claims_shape(mgl_claims *c, const char *object, const json_t *claimed, const char *shape)
{
    size_t before = json_array_size(c->differences);
    json_t *others = json_is_object(claimed) ? json_copy((json_t *)claimed) : NULL;
    char key[40], name[MGL_CLAIM_NAME];
    for (const char *at = shape; *at != '\0'; at += strspn(at, " ")) {
        bool optional = *at == '?';
        size_t size = strcspn(at += optional, ":");
        snprintf(key, sizeof key, "%.*s", (int)size, at);
        const json_t *value = json_object_get(claimed, key);
        if (value == NULL && !optional)
            mgl_claims_missing(c, mgl_claim_name(name, object, key));
        else if (value != NULL && !is_of_type(value, at[size + 1]))
            mgl_claims_contradict(c, mgl_claim_name(name, object, key), value);
        (void)json_object_del(others, key);
        at += size + 2;
    }
    bool whole = mgl_claims_keys(c, object, others, NULL, 0);
    json_decref(others);
    return whole && json_array_size(c->differences) == before;
}

void mgl_claims_digest(mgl_claims *c, const char *what, const json_t *claimed)
{
    const char *text = json_string_value(claimed);
    if (text == NULL || strlen(text) != MGL_SHA256_TEXT - 1 ||
        strspn(text, "0123456789abcdef") != MGL_SHA256_TEXT - 1)
        mgl_claims_contradict(c, what, claimed);
}

bool mgl_claims_file_shape(mgl_claims *c, const char *object, const json_t *claimed)
{
    char name[MGL_CLAIM_NAME];
    if (!mgl_claims_shape(c, object, claimed, "name:s bytes:i sha256:s"))
        return false;
    mgl_claims_digest(c, mgl_claim_name(name, object, "sha256"),
                      json_object_get(claimed, "sha256"));
    return true;
}

bool mgl_claims_keys_but(mgl_claims *c, const char *object, const json_t *claimed,
                         const char *const *keys, size_t n_keys, const char *optional)
{
    json_t *others = json_copy((json_t *)claimed);
    (void)json_object_del(others, optional);
    bool whole = mgl_claims_keys(c, object, others, keys, n_keys);
    json_decref(others);
    return whole;
}

bool mgl_claims_columns(mgl_claims *c, const char *object, const json_t *claimed)
{
    size_t n = c->reading->n_quasi;
    const char **names = mgl_alloc_array(n, sizeof *names);
    if (names == NULL) {
        mgl_json_append(c->differences, NULL); /* memory is out: the document will say so */
        return false;
    }
    for (size_t a = 0; a < n; a++)
        names[a] = c->reading->quasi[a].settings->name;
    bool same = mgl_claims_keys(c, object, claimed, names, n);
    mgl_free(names);
    return same;
}
