/* Reads a condition (docs/rows.md): tokens, then a recursive descent over or, and, not, parentheses
 * and comparisons, which become steps in the order in which they are evaluated. */
#include "condition/condition.h"
#include "notation/notation.h"
#include "text/text.h"

#include <strings.h>

typedef enum token_kind {
    MGL_TOKEN_END,
    MGL_TOKEN_NAME,    /* a column, or a word of the language if it stands without quotes */
    MGL_TOKEN_LITERAL, /* a value */
    MGL_TOKEN_SIGN     /* = <> ( and so on */
} token_kind;

typedef struct condition_token {
    token_kind kind;
    mgl_span raw;  /* as it stands in the condition */
    mgl_span text; /* name or sign, without quotes */
    bool quoted;
    mgl_literal literal;
} condition_token;

typedef struct tokenizer {
    mgl_span all;
    size_t at; /* behind the current token */
    condition_token token;
    mgl_arena *arena; /* of texts with quotes in them */
} tokenizer;

/* ---- Tokens ---------------------------------------------------------------------------------- */

enum { EXCERPT = 24 }; /* bytes of the condition that a message quotes */

/* Characters, not bytes, are counted by persons. */
static size_t position(const tokenizer *tokens, size_t at)
{
    size_t n = 1;
    for (size_t i = 0; i < at; i++)
        n += ((unsigned char)tokens->all.data[i] & 0xc0) != 0x80;
    return n;
}

/* Fails at the current token. */
static mgl_status tokens_fail(mgl_error *err, const tokenizer *tokens, const char *what)
{
    size_t at = (size_t)(tokens->token.raw.data - tokens->all.data);
    size_t left = tokens->all.size - at, shown = left < EXCERPT ? left : EXCERPT;
    while (shown < left && ((unsigned char)tokens->all.data[at + shown] & 0xc0) == 0x80)
        shown--;
    if (left == 0)
        return mgl_fail(err, MGL_CODE_BAD_VALUE, "is no condition: at its end %s", what);
    return mgl_fail(
        err, MGL_CODE_BAD_VALUE, "is no condition: at character %zu, before \"%.*s%s\", %s",
        position(tokens, at), (int)shown, tokens->all.data + at, shown < left ? "..." : "", what);
}

static bool is_letter(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' ||
           (unsigned char)byte >= 0x80;
}

/* Within a name, a number or a day. */
static bool goes_on(char byte)
{
    return is_letter(byte) || mgl_is_digit(byte) || byte == '.' || byte == '-' || byte == '+';
}

static bool is_space(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/* Where the closing quote stands; one within is written twice. The size of the condition: nowhere.
 */
static size_t closing_quote(mgl_span all, size_t open)
{
    size_t end = open + 1;
    while (end < all.size) {
        if (all.data[end] == all.data[open]) {
            if (end + 1 == all.size || all.data[end + 1] != all.data[open])
                return end;
            end++;
        }
        end++;
    }
    return all.size;
}

/* What stands between quotes. */
static mgl_status take_quoted(tokenizer *tokens, mgl_error *err, mgl_span *out)
{
    mgl_span all = tokens->all;
    char quote = all.data[tokens->at];
    size_t end = closing_quote(all, tokens->at), size = 0;
    if (end == all.size)
        return tokens_fail(err, tokens,
                           quote == '"' ? "a name begins with a quote and does not end; add \""
                                        : "a text begins with a quote and does not end; add '");
    char *text = mgl_arena_alloc(tokens->arena, end - tokens->at);
    MGL_TRY(mgl_check_memory(text != NULL, err));
    for (size_t i = tokens->at + 1; i < end; i++) {
        text[size++] = all.data[i];
        i += all.data[i] == quote;
    }
    *out = (mgl_span){text, size};
    tokens->token.quoted = true;
    tokens->at = end + 1;
    return MGL_OK;
}

static bool is_day(mgl_span text, double *day)
{
    mgl_moment moment;
    static const char form[] = "9999-99-99";
    if (text.size != sizeof form - 1)
        return false;
    for (size_t i = 0; i < text.size; i++)
        if (form[i] == '9' ? !mgl_is_digit(text.data[i]) : text.data[i] != form[i])
            return false;
    if (!mgl_moment_parse(NULL, text, MGL_YMD, &moment))
        return false;
    *day = mgl_date_days(moment.date);
    return true;
}

static mgl_status take_number(tokenizer *tokens, mgl_error *err)
{
    size_t start = tokens->at;
    mgl_literal *literal = &tokens->token.literal;
    do
        tokens->at++;
    while (tokens->at < tokens->all.size && goes_on(tokens->all.data[tokens->at]));
    literal->text = (mgl_span){tokens->all.data + start, tokens->at - start};
    if (is_day(literal->text, &literal->number))
        literal->kind = MGL_LITERAL_DAY;
    else if (mgl_notation_number(NULL, literal->text, &literal->number))
        literal->kind = MGL_LITERAL_NUMBER;
    else
        return tokens_fail(err, tokens,
                           "there is neither a number nor a day; write 2023, 1.5, 2023-01-31, "
                           "or a text between single quotes");
    tokens->token.kind = MGL_TOKEN_LITERAL;
    return MGL_OK;
}

static mgl_status cut_sign(tokenizer *tokens, mgl_error *err)
{
    static const char *const signs[] = {"<=", ">=", "<>", "!=", "=", "<", ">", "(", ")", ","};
    mgl_span rest = {tokens->all.data + tokens->at, tokens->all.size - tokens->at};
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        if (strlen(signs[i]) <= rest.size && memcmp(signs[i], rest.data, strlen(signs[i])) == 0) {
            tokens->token.kind = MGL_TOKEN_SIGN;
            tokens->token.text = mgl_span_of(signs[i]);
            tokens->at += strlen(signs[i]);
            return MGL_OK;
        }
    return tokens_fail(err, tokens,
                       "there is a sign that conditions do not have; put names with such "
                       "signs between double quotes, texts between single ones");
}

static mgl_status take_name(tokenizer *tokens)
{
    size_t start = tokens->at;
    while (tokens->at < tokens->all.size && goes_on(tokens->all.data[tokens->at]))
        tokens->at++;
    tokens->token.kind = MGL_TOKEN_NAME;
    tokens->token.text = (mgl_span){tokens->all.data + start, tokens->at - start};
    return MGL_OK;
}

static mgl_status take_token(tokenizer *tokens, mgl_error *err)
{
    condition_token *token = &tokens->token;
    char byte = tokens->all.data[tokens->at];
    if (byte == '"') {
        token->kind = MGL_TOKEN_NAME;
        return take_quoted(tokens, err, &token->text);
    }
    if (byte == '\'') {
        token->kind = MGL_TOKEN_LITERAL;
        token->literal.kind = MGL_LITERAL_TEXT;
        return take_quoted(tokens, err, &token->literal.text);
    }
    if (is_letter(byte))
        return take_name(tokens);
    return mgl_is_digit(byte) || byte == '-' || byte == '+' || byte == '.'
               ? take_number(tokens, err)
               : cut_sign(tokens, err);
}

/* Goes on to the next token. */
static mgl_status tokens_next(tokenizer *tokens, mgl_error *err)
{
    while (tokens->at < tokens->all.size && is_space(tokens->all.data[tokens->at]))
        tokens->at++;
    const char *start = tokens->all.data + tokens->at;
    tokens->token = (condition_token){.kind = MGL_TOKEN_END, .raw = {start, 0}};
    if (tokens->at == tokens->all.size)
        return MGL_OK;
    MGL_TRY(take_token(tokens, err));
    tokens->token.raw.size = (size_t)(tokens->all.data + tokens->at - start);
    return MGL_OK;
}

/* Is it this word, without quotes and in any case of its letters? */
static bool token_is_word(const condition_token *token, const char *word)
{
    return token->kind == MGL_TOKEN_NAME && !token->quoted && token->text.size == strlen(word) &&
           strncasecmp(token->text.data, word, token->text.size) == 0;
}

/* ---- Grammar --------------------------------------------------------------------------------- */

enum { MOST_NESTED = 100, LONGEST = 1 << 20 };

typedef struct reader {
    tokenizer tokens;
    mgl_condition *condition;
    mgl_error *err;
    size_t nested, stacked;
    size_t column_room, literal_room, atom_room, step_room;
} reader;

static mgl_status fail(const reader *r, const char *what)
{
    return tokens_fail(r->err, &r->tokens, what);
}

static mgl_status next(reader *r)
{
    return tokens_next(&r->tokens, r->err);
}

static bool at_word(const reader *r, const char *word)
{
    return token_is_word(&r->tokens.token, word);
}

static bool at_sign(const reader *r, const char *sign)
{
    return r->tokens.token.kind == MGL_TOKEN_SIGN && mgl_span_is(r->tokens.token.text, sign);
}

/* ---- Writing it down ---------------------------------------------------------------------- */

static mgl_status add_step(reader *r, mgl_step_kind kind, size_t atom)
{
    mgl_condition *c = r->condition;
    MGL_TRY(mgl_check_memory(mgl_grow(&c->steps, &r->step_room, c->n_steps + 1, sizeof *c->steps),
                             r->err));
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
    MGL_TRY(mgl_check_memory(mgl_grow(&c->atoms, &r->atom_room, c->n_atoms + 1, sizeof *c->atoms),
                             r->err));
    c->atoms[c->n_atoms] = (mgl_atom){kind, column, c->n_literals - n, n};
    return add_step(r, MGL_STEP_ATOM, c->n_atoms++);
}

static bool is_reserved(const condition_token *token)
{
    static const char *const words[] = {"and", "or",   "not",     "in",
                                        "is",  "like", "between", "missing"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (token_is_word(token, words[i]))
            return true;
    return false;
}

static mgl_status take_column(reader *r, size_t *out)
{
    mgl_condition *c = r->condition;
    const condition_token *token = &r->tokens.token;
    if (token->kind != MGL_TOKEN_NAME || is_reserved(token) || token->text.size == 0)
        return fail(r, "the name of a column must stand; write for example year >= 2023, and names "
                       "that are words of the language between double quotes");
    for (*out = 0; *out < c->n_columns; ++*out)
        if (mgl_span_is(token->text, c->columns[*out]))
            return next(r);
    char *name = mgl_arena_alloc(c->arena, token->text.size + 1);
    MGL_TRY(mgl_check_memory(
        name != NULL && mgl_grow(&c->columns, &r->column_room, *out + 1, sizeof *c->columns),
        r->err));
    memcpy(name, token->text.data, token->text.size);
    name[token->text.size] = '\0';
    c->columns[c->n_columns++] = name;
    return next(r);
}

/* The next literal, of the same kind as the `with` ones before it. */
static mgl_status take_literal(reader *r, size_t with)
{
    mgl_condition *c = r->condition;
    const condition_token *token = &r->tokens.token;
    if (token->kind == MGL_TOKEN_NAME && !is_reserved(token))
        return fail(r, "a value must stand: columns are compared with values only; put texts "
                       "between single quotes");
    if (token->text.size > 0 && token->text.data[0] == '=')
        return fail(r, "a value must stand; write a single =");
    if (token->kind != MGL_TOKEN_LITERAL)
        return fail(r, "a value must stand; write a number, a day as 2023-01-31, or a text between "
                       "single quotes");
    if (with > 0 && c->literals[c->n_literals - 1].kind != token->literal.kind)
        return fail(r, "a value is of another kind than the one before it; write all of them as "
                       "numbers, as days, or as texts between single quotes");
    MGL_TRY(mgl_check_memory(
        mgl_grow(&c->literals, &r->literal_room, c->n_literals + 1, sizeof *c->literals), r->err));
    c->literals[c->n_literals++] = token->literal;
    return next(r);
}

/* ---- Comparisons --------------------------------------------------------------------------- */

static const mgl_sort_key by_text[] = {MGL_ASCENDING(mgl_literal, text), MGL_SORT_END};
static const mgl_sort_key by_number[] = {MGL_ASCENDING(mgl_literal, number), MGL_SORT_END};

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
    mgl_literal *list = c->literals + c->n_literals - n;
    mgl_sort(list, n, sizeof *list, list->kind == MGL_LITERAL_TEXT ? by_text : by_number);
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
    const condition_token *token = &r->tokens.token;
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
    MGL_TRY(mgl_check_memory(c->arena != NULL, r->err));
    char *copy = mgl_arena_alloc(c->arena, text.size + 1); /* values stay where they are */
    MGL_TRY(mgl_check_memory(copy != NULL, r->err));
    if (text.size > 0)
        memcpy(copy, text.data, text.size);
    r->tokens = (tokenizer){.all = {copy, text.size}, .arena = c->arena};
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
    MGL_TRY(mgl_check_memory(r.condition != NULL, err));
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
