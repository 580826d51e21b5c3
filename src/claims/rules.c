/* Rules between the values of a result: what follows from the file, from what `check` found in it,
 * and from the rest of the result. A rule is a text:
 *
 *   PATH = VALUE        the same, numbers but for rounding; ~ also near it beside 1
 *   PATH <= VALUE       also >= < > !=
 *   PATH due            is there exactly on the condition; needed: at least then, only: at most
 *
 * In front of it can stand what differences name instead of the path, as `NAME: `,
 * and behind it, optional, `if CONDITION`: TEST and TEST or TEST, where a test is VALUE, !VALUE,
 * VALUE due or two values with an operator between them; null, false and what is absent do not
 * hold. A rule whose path is absent says nothing, but for the last three.
 *
 * A value is a number, 'a text', null, false, a path, FUNCTION(VALUE, VALUE), or values with
 * + - * / | or brackets; A | B is B where A is absent. In sums and products what is no number
 * counts as 0; a function of what is absent is absent.
 *
 * A path has keys between points. It begins in the result, or in one of: `job`, the job of the
 * result; `is`, how the audit is done; `file`, what the file has; `found`, what `check` found;
 * `described`, the columns of the file as any result describes them. The key <name> stands for any,
 * and for the same wherever it is in the rule; entries of lists are found by their column or else
 * by their index. <q> is any quasi-identifier. The key * makes a list of all, and (PATH) is the key
 * that stands at another path. Around operators there are spaces. */
#include "claims/claims.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_BOUND = 4, KEY_SIZE = 64 };

typedef struct binding {
    char name[KEY_SIZE];
    const char *key; /* NULL: an entry without a column */
    size_t index;
} binding;

typedef struct evaluation {
    mgl_claims *c;
    const char *at;    /* what is left of the rule */
    const char *label; /* of the rule; NULL: its path is */
    binding bound[MOST_BOUND];
    size_t n_bound;
    bool of_file; /* something of the file was looked at */
    double scale; /* the largest number that was added or subtracted */
} evaluation;

static json_t *read_value(evaluation *e);

/* What was made of values; without memory the audit fails. */
static json_t *made(const evaluation *e, json_t *value)
{
    if (value == NULL)
        e->c->status = mgl_fail_memory(e->c->err);
    return value;
}

/* ---- Words ----------------------------------------------------------------------------------- */

/* Takes a word or operator that comes next; false: another one does. */
static bool take(evaluation *e, const char *word)
{
    size_t size = strlen(word);
    const char *at = e->at + strspn(e->at, " ");
    if (strncmp(at, word, size) != 0 ||
        (isalnum((unsigned char)word[size - 1]) && isalnum((unsigned char)at[size])))
        return false;
    e->at = at + size;
    return true;
}

static const binding *binding_of(const evaluation *e, const char *name)
{
    for (size_t i = 0; i < e->n_bound; i++)
        if (strcmp(e->bound[i].name, name) == 0)
            return &e->bound[i];
    return NULL;
}

/* Copies a key up to one of these characters, which stays. */
static void read_key(evaluation *e, const char *until, char key[KEY_SIZE])
{
    size_t size = strcspn(e->at, until);
    snprintf(key, KEY_SIZE, "%.*s", (int)size, e->at);
    e->at += size;
}

/* ---- Paths ----------------------------------------------------------------------------------- */

static const json_t *entry_of(const json_t *here, const binding *bound)
{
    if (bound == NULL)
        return NULL;
    if (json_is_object(here))
        return bound->key != NULL ? json_object_get(here, bound->key) : NULL;
    return bound->key != NULL ? mgl_claim_entry(here, "column", bound->key)
                              : json_array_get(here, bound->index);
}

static json_t *read_steps(evaluation *e, const json_t *here);

/* What the rest of the path is of each member. */
static json_t *read_all(evaluation *e, const json_t *here)
{
    const char *rest = e->at, *key;
    json_t *list = here != NULL ? made(e, json_array()) : NULL, *one;
    size_t i;
    json_decref(read_steps(e, NULL));
    json_array_foreach((json_t *)here, i, one)
    {
        e->at = rest;
        json_t *value = read_steps(e, one);
        if (value != NULL)
            mgl_json_append(list, value);
    }
    json_object_foreach((json_t *)here, key, one)
    {
        e->at = rest;
        json_t *value = read_steps(e, one);
        if (value != NULL)
            mgl_json_append(list, value);
    }
    return list;
}

/* Goes along the keys; a new reference, NULL if nothing stands there. */
static json_t *read_steps(evaluation *e, const json_t *here)
{
    char key[KEY_SIZE];
    while (*e->at == '.') {
        e->at++;
        if (*e->at == '*') {
            e->at++;
            return read_all(e, here);
        }
        if (*e->at == '<') {
            e->at++;
            read_key(e, ">", key);
            e->at++;
            here = entry_of(here, binding_of(e, key));
        } else if (*e->at == '(') {
            e->at++;
            json_t *name = read_value(e);
            here = entry_of(here, json_is_string(name) ? &(binding){.key = json_string_value(name)}
                                                       : NULL);
            json_decref(name);
            (void)take(e, ")");
        } else {
            read_key(e, ". ,)", key);
            here = isdigit((unsigned char)key[0]) && json_is_array(here)
                       ? json_array_get(here, strtoul(key, NULL, 10))
                       : json_object_get(here, key);
        }
    }
    return json_incref((json_t *)here);
}

static json_t *read_path(evaluation *e)
{
    char root[KEY_SIZE];
    const mgl_claims *c = e->c;
    read_key(e, ". ,)", root);
    bool file = strcmp(root, "file") == 0, found = strcmp(root, "found") == 0,
         described = strcmp(root, "described") == 0;
    e->of_file = e->of_file || file || found;
    if (file || found || described)
        return read_steps(e, file ? c->file : found ? c->found : c->described);
    if (strcmp(root, "job") == 0 || strcmp(root, "is") == 0)
        return read_steps(e, root[0] == 'j' ? c->job : c->is);
    return read_steps(e, json_object_get(c->claimed, root));
}

/* ---- Functions ------------------------------------------------------------------------------- */

/* Whole numbers stay whole. */
static json_t *number(double value)
{
    return value == floor(value) && fabs(value) < 9e15 ? json_integer((json_int_t)value)
                                                       : mgl_json_real(value);
}

static json_t *sum_of(const json_t *list, const json_t *other)
{
    double sum = 0;
    (void)other;
    for (size_t i = 0; i < json_array_size(list); i++)
        sum += json_number_value(json_array_get(list, i));
    return number(sum);
}

static json_t *most_of(const json_t *value, const json_t *other)
{
    double most = fmax(json_number_value(value), json_number_value(other));
    for (size_t i = 0; i < json_array_size(value); i++)
        most = fmax(most, json_number_value(json_array_get(value, i)));
    return number(most);
}

static json_t *count_of(const json_t *value, const json_t *other)
{
    (void)other;
    return mgl_json_count(json_is_object(value) ? json_object_size(value) : json_array_size(value));
}

/* How many entries there are, of equal ones the first. */
static json_t *kinds_of(const json_t *list, const json_t *other)
{
    size_t kinds = 0;
    (void)other;
    for (size_t i = 0; i < json_array_size(list); i++) {
        size_t j = 0;
        while (j < i && !json_equal(json_array_get(list, i), json_array_get(list, j)))
            j++;
        kinds += j == i;
    }
    return mgl_json_count(kinds);
}

static json_t *last_of(const json_t *list, const json_t *other)
{
    size_t n = json_array_size(list);
    (void)other;
    return n > 0 ? json_incref(json_array_get(list, n - 1)) : NULL;
}

static json_t *absolute_of(const json_t *value, const json_t *other)
{
    (void)other;
    return number(fabs(json_number_value(value)));
}

static json_t *rounded(const json_t *value, const json_t *other)
{
    (void)other;
    return number(round(json_number_value(value)));
}

/* How many of a list are true. */
static json_t *true_of(const json_t *list, const json_t *other)
{
    size_t n = 0;
    (void)other;
    for (size_t i = 0; i < json_array_size(list); i++)
        n += json_is_true(json_array_get(list, i));
    return mgl_json_count(n);
}

static json_t *keys_of(const json_t *object, const json_t *other)
{
    json_t *keys = json_is_object(object) ? json_object() : NULL, *value;
    const char *key;
    (void)other;
    json_object_foreach((json_t *)object, key, value) mgl_json_set(keys, key, json_true());
    return keys;
}

/* Names of files, or a name, without their folders. */
static json_t *file_names(const json_t *value, const json_t *other)
{
    const char *path = json_string_value(value);
    if (!json_is_array(value))
        return path != NULL ? json_string(mgl_file_name(path)) : json_incref((json_t *)value);
    json_t *list = json_array();
    for (size_t i = 0; i < json_array_size(value); i++)
        mgl_json_append(list, file_names(json_array_get(value, i), other));
    return list;
}

/* Numbers as texts, as jobs have them; texts as numbers, and as whole ones. */
static json_t *texts_of(const json_t *list, const json_t *other)
{
    json_t *texts = json_array();
    (void)other;
    for (size_t i = 0; i < json_array_size(list); i++) {
        char text[32];
        snprintf(text, sizeof text, "%lld", (long long)json_integer_value(json_array_get(list, i)));
        mgl_json_append(texts, json_string(text));
    }
    return texts;
}

static json_t *number_of(const json_t *text, const json_t *other)
{
    double value;
    (void)other;
    return json_is_string(text) && mgl_parse_double(mgl_span_of(json_string_value(text)), &value)
               ? number(value)
               : NULL;
}

static json_t *whole_of(const json_t *text, const json_t *other)
{
    uint64_t value;
    (void)other;
    return json_is_string(text) && mgl_parse_u64(mgl_span_of(json_string_value(text)), &value)
               ? mgl_json_count(value)
               : NULL;
}

static json_t *call(evaluation *e, const char *name)
{
    static const struct {
        const char *name;
        json_t *(*run)(const json_t *, const json_t *);
    } functions[] = {
        {"sum", sum_of},    {"max", most_of},           {"count", count_of}, {"kinds", kinds_of},
        {"last", last_of},  {"abs", absolute_of},       {"round", rounded},  {"true", true_of},
        {"keys", keys_of},  {"file_names", file_names}, {"texts", texts_of}, {"number", number_of},
        {"whole", whole_of}};
    json_t *one = read_value(e), *other = take(e, ",") ? read_value(e) : NULL, *out = NULL;
    (void)take(e, ")");
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (one != NULL && strcmp(functions[i].name, name) == 0)
            out = functions[i].run(one, other);
    if (out != NULL && !mgl_json_complete(out))
        e->c->status = mgl_fail_memory(e->c->err);
    json_decref(one);
    json_decref(other);
    return out;
}

/* ---- Values ---------------------------------------------------------------------------------- */

static json_t *read_one(evaluation *e)
{
    char word[KEY_SIZE];
    e->at += strspn(e->at, " ");
    if (*e->at == '\'') {
        e->at++;
        read_key(e, "'", word);
        e->at++;
        return made(e, json_string(word));
    }
    if (isdigit((unsigned char)*e->at)) {
        char *end;
        double value = strtod(e->at, &end);
        e->at = end;
        return made(e, number(value));
    }
    if (take(e, "(")) {
        json_t *value = read_value(e);
        (void)take(e, ")");
        return value;
    }
    if (take(e, "null"))
        return json_null();
    if (take(e, "false"))
        return json_false();
    size_t size = strcspn(e->at, "( .,)<");
    if (e->at[size] != '(')
        return read_path(e);
    read_key(e, "(", word);
    e->at++;
    return call(e, word);
}

static json_t *compute(evaluation *e, char operator, json_t * a, json_t *b)
{
    double x = json_number_value(a), y = json_number_value(b);
    if (operator== '+' || operator== '-')
        e->scale = fmax(e->scale, fmax(fabs(x), fabs(y)));
    json_decref(a);
    json_decref(b);
    return made(e, number(operator== '+' ? x + y :
                          operator== '-' ? x - y
                          :
                          operator== '*' ? x * y
                                         : x / y));
}

/* Products before sums. */
static json_t *read_product(evaluation *e)
{
    json_t *value = read_one(e);
    for (;;) {
        char operator= take(e, "* ") ? '*' : take(e, "/ ") ? '/' : '\0';
        if (operator== '\0')
            return value;
        value = compute(e, operator, value, read_one(e));
    }
}

static json_t *read_value(evaluation *e)
{
    json_t *value = read_product(e);
    for (;;) {
        char operator= take(e, "+ ") ? '+' : take(e, "- ") ? '-' : take(e, "| ") ? '|' : '\0';
        if (operator== '\0')
            return value;
        json_t *other = read_product(e);
        if (operator!= '|')
            value = compute(e, operator, value, other);
        else if (value != NULL)
            json_decref(other);
        else
            value = other;
    }
}

/* ---- Comparing ------------------------------------------------------------------------------- */

typedef enum relation {
    SAME,
    NEAR,
    AT_MOST,
    AT_LEAST,
    BELOW,
    ABOVE,
    OTHER,
    DUE,
    NEEDED,
    ONLY,
    NO_RELATION
} relation;

static relation read_relation(evaluation *e)
{
    static const char *const words[] = {"= ", "~ ",  "<= ", ">= ",    "< ",
                                        "> ", "!= ", "due", "needed", "only"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (take(e, words[i]))
            return (relation)i;
    return NO_RELATION;
}

/* Whole numbers are compared as they are; others but for rounding. */
static bool holds(relation is, const json_t *a, const json_t *b, double scale)
{
    double x = json_number_value(a), y = json_number_value(b);
    bool whole = json_is_integer(a) && json_is_integer(b);
    double size = fmax(fmax(fabs(x), fabs(y)), is == SAME || is == OTHER ? scale : 1);
    double slack = whole ? 0 : fmax(1e-9 * size, 1e-15);
    bool numbers = json_is_number(a) && json_is_number(b), same = numbers ? fabs(x - y) <= slack
                                                                  : a == NULL || b == NULL
                                                                      ? a == b
                                                                      : json_equal(a, b);
    switch (is) {
    case SAME:
    case NEAR:
        return same;
    case OTHER:
        return !same;
    case AT_MOST:
        return x <= y + slack;
    case AT_LEAST:
        return x >= y - slack;
    case BELOW:
        return x < y;
    case ABOVE:
        return x > y;
    default:
        return a != NULL;
    }
}

static bool read_test(evaluation *e)
{
    bool not = take(e, "!");
    json_t *value = read_value(e), *other = NULL;
    relation is = read_relation(e);
    bool good = value != NULL && !json_is_null(value) && !json_is_false(value);
    if (is != NO_RELATION) {
        e->scale = 0;
        other = is == DUE ? NULL : read_value(e);
        good = holds(is, value, other, e->scale);
    }
    json_decref(value);
    json_decref(other);
    return good != not ;
}

static bool read_condition(evaluation *e)
{
    bool any = false, all;
    do {
        all = read_test(e);
        while (take(e, "and"))
            all = read_test(e) && all;
        any = any || all;
    } while (take(e, "or"));
    return any;
}

bool mgl_claims_condition(mgl_claims *c, const char *condition)
{
    evaluation e = {.c = c, .at = condition};
    return read_condition(&e);
}

/* ---- Rules ----------------------------------------------------------------------------------- */

/* Writes the label of the rule, or its path without a function around it, with the names that are
 * bound. */
static void name_path(const evaluation *e, const char *rule, char out[MGL_CLAIM_NAME])
{
    size_t size = strcspn(rule, " ("), n = 0;
    bool function = rule[size] == '(' && size > 0 && rule[size - 1] != '.';
    const char *at = e->label != NULL ? e->label : function ? rule + size + 1 : rule;
    const char *end = e->label != NULL ? rule - 2 : at + strcspn(at, function ? ")" : " ");
    evaluation names = *e;
    out[0] = '\0';
    while (at < end && n + 1 < MGL_CLAIM_NAME) {
        char key[KEY_SIZE];
        const binding *bound = NULL;
        if (at[0] == '.' && at[1] == '<') {
            names.at = at + 2;
            read_key(&names, ">", key);
            at = names.at + 1;
            bound = binding_of(e, key);
        }
        if (bound == NULL)
            n += (size_t)snprintf(out + n, MGL_CLAIM_NAME - n, "%c", *at++);
        else if (bound->key != NULL)
            n += (size_t)snprintf(out + n, MGL_CLAIM_NAME - n, ".%.60s", bound->key);
        else
            n += (size_t)snprintf(out + n, MGL_CLAIM_NAME - n, "[%zu]", bound->index);
    }
}

/* Is it there if it must be, and absent if it may not be? */
static void judge_presence(evaluation *e, const char *rule, relation is, const json_t *claimed)
{
    char what[MGL_CLAIM_NAME];
    bool due = !take(e, "if") || read_condition(e);
    name_path(e, rule, what);
    if (claimed == NULL && due && is != ONLY)
        mgl_claims_missing(e->c, what);
    else if (claimed != NULL && !due && is != NEEDED)
        mgl_claims_differ(e->c, what, "result", claimed, NULL);
}

static void judge_value(evaluation *e, const char *rule, relation is, const json_t *claimed)
{
    char what[MGL_CLAIM_NAME];
    e->scale = 0;
    json_t *other = read_value(e);
    double scale = e->scale;
    bool of_file = e->of_file, due = claimed != NULL && (!take(e, "if") || read_condition(e));
    name_path(e, rule, what);
    if (due && is == SAME && json_is_object(claimed) && json_is_object(other)) {
        mgl_claims_no_others(e->c, what, claimed, other);
        if (of_file)
            mgl_claims_compare(e->c, what, claimed, json_incref(other));
        else
            mgl_claims_agree(e->c, what, claimed, json_incref(other));
    } else if (due && !holds(is, claimed, other, scale)) {
        mgl_claims_differ(e->c, what, of_file ? "file" : "result", claimed,
                          of_file || is == SAME ? other : NULL);
    }
    json_decref(other);
}

/* All names of the rule are bound. */
static void judge(evaluation *e, const char *rule)
{
    e->at = rule;
    e->of_file = false;
    json_t *claimed = read_value(e);
    relation is = read_relation(e);
    if (is == DUE || is == NEEDED || is == ONLY)
        judge_presence(e, rule, is, claimed);
    else
        judge_value(e, rule, is, claimed);
    json_decref(claimed);
}

static void judge_all(evaluation *e, const char *rule);

static void judge_bound(evaluation *e, const char *rule, const char *key, size_t index)
{
    e->bound[e->n_bound - 1].key = key;
    e->bound[e->n_bound - 1].index = index;
    judge_all(e, rule);
}

/* The first name that nothing is bound to; NULL: there is none. */
static const char *find_unbound(evaluation *e, const char *rule, char name[KEY_SIZE])
{
    for (const char *at = strchr(rule, '<'); at != NULL; at = strchr(at + 1, '<')) {
        e->at = at + 1;
        if (!isalpha((unsigned char)at[1]))
            continue;
        read_key(e, ">", name);
        if (binding_of(e, name) == NULL)
            return at;
    }
    return NULL;
}

/* The object or list whose members a name stands for: what its path leads to before it. */
static json_t *container_of(evaluation *e, const char *rule, const char *name)
{
    char path[MGL_CLAIM_NAME];
    const char *from = name;
    while (from > rule && strchr(" (", from[-1]) == NULL)
        from--;
    snprintf(path, sizeof path, "%.*s", (int)(name - from - 1), from);
    e->at = path;
    return read_path(e);
}

/* Judges the rule for all that the first name without a value can stand for. */
static void judge_all(evaluation *e, const char *rule)
{
    char name[KEY_SIZE];
    const char *at = find_unbound(e, rule, name), *key;
    if (at == NULL || e->n_bound == MOST_BOUND) {
        judge(e, rule);
        return;
    }
    bool quasi = strcmp(name, "q") == 0;
    json_t *all = quasi ? NULL : container_of(e, rule, at), *one;
    size_t i;
    snprintf(e->bound[e->n_bound++].name, KEY_SIZE, "%s", name);
    for (size_t a = 0; quasi && a < e->c->reading->n_quasi; a++)
        judge_bound(e, rule, mgl_claim_quasi(e->c, a), a);
    json_array_foreach(all, i, one) judge_bound(e, rule, mgl_json_text(one, "column"), i);
    json_object_foreach(all, key, one) judge_bound(e, rule, key, 0);
    json_decref(all);
    e->n_bound--;
}

void mgl_claims_rules(mgl_claims *c, const char *const *rules)
{
    for (; rules != NULL && *rules != NULL && c->status == MGL_OK; rules++) {
        const char *label = strstr(*rules, ": ");
        evaluation e = {.c = c, .label = label != NULL ? *rules : NULL};
        judge_all(&e, label != NULL ? strrchr(*rules, ':') + 2 : *rules);
    }
}
