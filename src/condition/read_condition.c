/* Reads a condition: or, and, not, parentheses and comparisons become steps in the order in which
 * they are taken. The check of the key `where` calls it, and the pipeline before it reads rows. */
#include "condition/tokens.h"

#include "text/text.h"

#include <stdlib.h>

enum { MOST_NESTED = 100, LONGEST = 1 << 20 };

typedef struct reader {
    mgl_tokens tokens;
    mgl_condition *condition;
    mgl_error *err;
    size_t nested, stacked;
    size_t column_room, literal_room, atom_room, step_room;
} reader;

static mgl_status fail(const reader *r, const char *what)
{
    return mgl_tokens_fail(r->err, &r->tokens, what);
}

static mgl_status next(reader *r)
{
    return mgl_tokens_next(&r->tokens, r->err);
}

static bool at_word(const reader *r, const char *word)
{
    return mgl_token_is_word(&r->tokens.token, word);
}

static bool at_sign(const reader *r, const char *sign)
{
    return mgl_token_is_sign(&r->tokens.token, sign);
}

/* ---- Writing it down ---------------------------------------------------------------------- */

static mgl_status add_step(reader *r, mgl_step_kind kind, size_t atom)
{
    mgl_condition *c = r->condition;
    if (!mgl_grow(&c->steps, &r->step_room, c->n_steps + 1, sizeof *c->steps))
        return mgl_fail_memory(r->err);
    c->steps[c->n_steps++] = (mgl_step){kind, atom};
    if (kind == MGL_STEP_ATOM && ++r->stacked > c->deepest)
        c->deepest = r->stacked;
    if (kind == MGL_STEP_AND || kind == MGL_STEP_OR)
        r->stacked--;
    return MGL_OK;
}

/* An atom with the last n literals. */
static mgl_status add_atom(reader *r, mgl_atom_kind kind, size_t column, size_t n)
{
    mgl_condition *c = r->condition;
    if (!mgl_grow(&c->atoms, &r->atom_room, c->n_atoms + 1, sizeof *c->atoms))
        return mgl_fail_memory(r->err);
    c->atoms[c->n_atoms] = (mgl_atom){kind, column, c->n_literals - n, n};
    return add_step(r, MGL_STEP_ATOM, c->n_atoms++);
}

static bool is_reserved(const mgl_token *token)
{
    static const char *const words[] = {"and", "or",   "not",     "in",
                                        "is",  "like", "between", "missing"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (mgl_token_is_word(token, words[i]))
            return true;
    return false;
}

static mgl_status take_column(reader *r, size_t *out)
{
    mgl_condition *c = r->condition;
    const mgl_token *token = &r->tokens.token;
    if (token->kind != MGL_TOKEN_NAME || is_reserved(token) || token->text.size == 0)
        return fail(r, "the name of a column must stand; write for example year >= 2023, and names "
                       "that are words of the language between double quotes");
    for (*out = 0; *out < c->n_columns; ++*out)
        if (mgl_span_is(token->text, c->columns[*out]))
            return next(r);
    char *name = mgl_arena_alloc(c->arena, token->text.size + 1);
    if (name == NULL || !mgl_grow(&c->columns, &r->column_room, *out + 1, sizeof *c->columns))
        return mgl_fail_memory(r->err);
    memcpy(name, token->text.data, token->text.size);
    name[token->text.size] = '\0';
    c->columns[c->n_columns++] = name;
    return next(r);
}

/* The next literal, of the same kind as the `with` ones before it. */
static mgl_status take_literal(reader *r, size_t with)
{
    mgl_condition *c = r->condition;
    const mgl_token *token = &r->tokens.token;
    if (token->kind == MGL_TOKEN_NAME && !is_reserved(token))
        return fail(r, "a value must stand: columns are compared with values only; put texts "
                       "between single quotes");
    if (token->kind != MGL_TOKEN_LITERAL)
        return fail(r, "a value must stand; write a number, a day as 2023-01-31, or a text between "
                       "single quotes");
    if (with > 0 && c->literals[c->n_literals - 1].kind != token->literal.kind)
        return fail(r, "a value is of another kind than the one before it; write all of them as "
                       "numbers, as days, or as texts between single quotes");
    if (!mgl_grow(&c->literals, &r->literal_room, c->n_literals + 1, sizeof *c->literals))
        return mgl_fail_memory(r->err);
    c->literals[c->n_literals++] = token->literal;
    return next(r);
}

/* ---- Comparisons --------------------------------------------------------------------------- */

static int compare_literals(const void *a, const void *b)
{
    const mgl_literal *x = a, *y = b;
    return x->kind == MGL_LITERAL_TEXT ? mgl_span_compare(x->text, y->text)
                                       : (x->number > y->number) - (x->number < y->number);
}

static mgl_status take_list(reader *r, size_t column)
{
    mgl_condition *c = r->condition;
    size_t n = 0;
    if (!at_sign(r, "("))
        return fail(r, "a list must stand; write for example region in (1, 2)");
    do {
        MGL_TRY(next(r));
        MGL_TRY(take_literal(r, n++));
    } while (at_sign(r, ","));
    if (!at_sign(r, ")"))
        return fail(r, "the list is not closed; add ), or a comma before a further value");
    MGL_TRY(next(r));
    qsort(c->literals + c->n_literals - n, n, sizeof *c->literals, compare_literals);
    return add_atom(r, MGL_ATOM_IN, column, n);
}

static mgl_status take_range(reader *r, size_t column)
{
    MGL_TRY(take_literal(r, 0));
    MGL_TRY(add_atom(r, MGL_ATOM_BELOW, column, 1));
    MGL_TRY(add_step(r, MGL_STEP_NOT, 0));
    if (!at_word(r, "and"))
        return fail(r, "the end of the range is missing; write for example between 1 and 5");
    MGL_TRY(next(r));
    MGL_TRY(take_literal(r, 1));
    MGL_TRY(add_atom(r, MGL_ATOM_AT_MOST, column, 1));
    return add_step(r, MGL_STEP_AND, 0);
}

static mgl_status take_pattern(reader *r, size_t column)
{
    const mgl_token *token = &r->tokens.token;
    if (token->kind != MGL_TOKEN_LITERAL || token->literal.kind != MGL_LITERAL_TEXT)
        return fail(r, "a pattern must stand; write for example name like 'Mc%'");
    MGL_TRY(take_literal(r, 0));
    return add_atom(r, MGL_ATOM_LIKE, column, 1);
}

/* is missing, is not missing */
static mgl_status take_missing(reader *r, size_t column)
{
    bool negated = at_word(r, "not");
    if (negated)
        MGL_TRY(next(r));
    if (!at_word(r, "missing"))
        return fail(r, "missing or not missing must stand; other comparisons are written with = or "
                       "<>");
    MGL_TRY(next(r));
    MGL_TRY(add_atom(r, MGL_ATOM_MISSING, column, 0));
    return negated ? add_step(r, MGL_STEP_NOT, 0) : MGL_OK;
}

/* What stands for a sign: an atom, negated or not. */
static const struct {
    const char *sign;
    mgl_atom_kind kind;
    bool negated;
} comparisons[] = {
    {"=", MGL_ATOM_IN, false},    {"<>", MGL_ATOM_IN, true},       {"!=", MGL_ATOM_IN, true},
    {"<", MGL_ATOM_BELOW, false}, {"<=", MGL_ATOM_AT_MOST, false}, {">", MGL_ATOM_AT_MOST, true},
    {">=", MGL_ATOM_BELOW, true},
};

static mgl_status take_sign(reader *r, size_t column)
{
    for (size_t i = 0; i < sizeof comparisons / sizeof comparisons[0]; i++) {
        if (!at_sign(r, comparisons[i].sign))
            continue;
        MGL_TRY(next(r));
        MGL_TRY(take_literal(r, 0));
        MGL_TRY(add_atom(r, comparisons[i].kind, column, 1));
        return comparisons[i].negated ? add_step(r, MGL_STEP_NOT, 0) : MGL_OK;
    }
    return fail(r, "a comparison must stand; write =, <>, <, <=, >, >=, in (...), between ... and "
                   "..., like '...', or is missing");
}

static mgl_status take_comparison(reader *r)
{
    static const struct {
        const char *word;
        mgl_status (*take)(reader *r, size_t column);
    } words[] = {{"in", take_list}, {"between", take_range}, {"like", take_pattern}};
    size_t column = 0;
    MGL_TRY(take_column(r, &column));
    if (at_word(r, "is")) {
        MGL_TRY(next(r));
        return take_missing(r, column);
    }
    bool negated = at_word(r, "not");
    if (negated)
        MGL_TRY(next(r));
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (!at_word(r, words[i].word))
            continue;
        MGL_TRY(next(r));
        MGL_TRY(words[i].take(r, column));
        return negated ? add_step(r, MGL_STEP_NOT, 0) : MGL_OK;
    }
    return negated ? fail(r, "in, between or like must stand") : take_sign(r, column);
}

/* ---- And, or, not ---------------------------------------------------------------------------- */

static mgl_status take_any(reader *r);

static mgl_status take_part(reader *r)
{
    if (at_word(r, "not")) {
        MGL_TRY(next(r));
        if (++r->nested > MOST_NESTED)
            return fail(r, "there is too much in one another; write it with fewer parentheses");
        MGL_TRY(take_part(r));
        r->nested--;
        return add_step(r, MGL_STEP_NOT, 0);
    }
    if (!at_sign(r, "("))
        return take_comparison(r);
    MGL_TRY(next(r));
    if (++r->nested > MOST_NESTED)
        return fail(r, "there is too much in one another; write it with fewer parentheses");
    MGL_TRY(take_any(r));
    r->nested--;
    if (!at_sign(r, ")"))
        return fail(r, "and, or, or ) must stand");
    return next(r);
}

static mgl_status take_all(reader *r)
{
    MGL_TRY(take_part(r));
    while (at_word(r, "and")) {
        MGL_TRY(next(r));
        MGL_TRY(take_part(r));
        MGL_TRY(add_step(r, MGL_STEP_AND, 0));
    }
    return MGL_OK;
}

static mgl_status take_any(reader *r)
{
    MGL_TRY(take_all(r));
    while (at_word(r, "or")) {
        MGL_TRY(next(r));
        MGL_TRY(take_all(r));
        MGL_TRY(add_step(r, MGL_STEP_OR, 0));
    }
    return MGL_OK;
}

static mgl_status read_all(reader *r, mgl_span text)
{
    mgl_condition *c = r->condition;
    c->arena = mgl_arena_new();
    if (c->arena == NULL)
        return mgl_fail_memory(r->err);
    char *copy = mgl_arena_alloc(c->arena, text.size + 1); /* values stay where they are */
    if (copy == NULL)
        return mgl_fail_memory(r->err);
    if (text.size > 0)
        memcpy(copy, text.data, text.size);
    r->tokens = (mgl_tokens){.all = {copy, text.size}, .arena = c->arena};
    MGL_TRY(next(r));
    MGL_TRY(take_any(r));
    if (r->tokens.token.kind != MGL_TOKEN_END)
        return fail(r, "and, or, or the end must stand");
    return MGL_OK;
}

mgl_status mgl_condition_read(mgl_span text, mgl_error *err, mgl_condition **out)
{
    if (text.size > LONGEST || mgl_utf8_valid(text.data, text.size) != text.size ||
        memchr(text.data, '\0', text.size) != NULL)
        return mgl_fail(err, MGL_CODE_BAD_VALUE,
                        "is no condition: it is longer than 1 MB or no text in UTF-8; write for "
                        "example year >= 2023");
    reader r = {.condition = mgl_zeroed_array(1, sizeof *r.condition), .err = err};
    if (r.condition == NULL)
        return mgl_fail_memory(err);
    mgl_status status = read_all(&r, text);
    if (status != MGL_OK) {
        mgl_condition_free(r.condition);
        return status;
    }
    *out = r.condition;
    return MGL_OK;
}

void mgl_condition_free(mgl_condition *condition)
{
    if (condition == NULL)
        return;
    mgl_free(condition->columns);
    mgl_free(condition->literals);
    mgl_free(condition->atoms);
    mgl_free(condition->steps);
    mgl_arena_free(condition->arena);
    mgl_free(condition);
}
