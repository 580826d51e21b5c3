/* Cuts a condition into words, values and signs. read_condition.c asks for one after the other. */
#include "condition/tokens.h"

#include "notation/notation.h"

#include <strings.h>

enum { EXCERPT = 24 }; /* bytes of the condition that a message quotes */

/* Characters, not bytes, are counted by persons. */
static size_t position(const mgl_tokens *tokens, size_t at)
{
    size_t n = 1;
    for (size_t i = 0; i < at; i++)
        n += ((unsigned char)tokens->all.data[i] & 0xc0) != 0x80;
    return n;
}

mgl_status mgl_tokens_fail(mgl_error *err, const mgl_tokens *tokens, const char *what)
{
    size_t at = (size_t)(tokens->token.said.data - tokens->all.data);
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

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

/* Within a name, a number or a day. */
static bool goes_on(char byte)
{
    return is_letter(byte) || is_digit(byte) || byte == '.' || byte == '-' || byte == '+';
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
static mgl_status take_quoted(mgl_tokens *tokens, mgl_error *err, mgl_span *out)
{
    mgl_span all = tokens->all;
    char quote = all.data[tokens->at];
    size_t end = closing_quote(all, tokens->at), size = 0;
    if (end == all.size)
        return mgl_tokens_fail(err, tokens,
                               quote == '"' ? "a name begins with a quote and does not end; add \""
                                            : "a text begins with a quote and does not end; add '");
    char *text = mgl_arena_alloc(tokens->arena, end - tokens->at);
    if (text == NULL)
        return mgl_fail_memory(err);
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
        if (form[i] == '9' ? !is_digit(text.data[i]) : text.data[i] != form[i])
            return false;
    if (!mgl_moment_parse(NULL, text, MGL_YMD, &moment))
        return false;
    *day = mgl_date_days(moment.date);
    return true;
}

static mgl_status take_number(mgl_tokens *tokens, mgl_error *err)
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
        return mgl_tokens_fail(err, tokens,
                               "there is neither a number nor a day; write 2023, 1.5, 2023-01-31, "
                               "or a text between single quotes");
    tokens->token.kind = MGL_TOKEN_LITERAL;
    return MGL_OK;
}

static mgl_status take_sign(mgl_tokens *tokens, mgl_error *err)
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
    return mgl_tokens_fail(err, tokens,
                           "there is a sign that conditions do not have; put names with such "
                           "signs between double quotes, texts between single ones");
}

static mgl_status take_name(mgl_tokens *tokens)
{
    size_t start = tokens->at;
    while (tokens->at < tokens->all.size && goes_on(tokens->all.data[tokens->at]))
        tokens->at++;
    tokens->token.kind = MGL_TOKEN_NAME;
    tokens->token.text = (mgl_span){tokens->all.data + start, tokens->at - start};
    return MGL_OK;
}

static mgl_status take_token(mgl_tokens *tokens, mgl_error *err)
{
    mgl_token *token = &tokens->token;
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
    return is_digit(byte) || byte == '-' || byte == '+' || byte == '.' ? take_number(tokens, err)
                                                                       : take_sign(tokens, err);
}

mgl_status mgl_tokens_next(mgl_tokens *tokens, mgl_error *err)
{
    while (tokens->at < tokens->all.size && is_space(tokens->all.data[tokens->at]))
        tokens->at++;
    const char *start = tokens->all.data + tokens->at;
    tokens->token = (mgl_token){.kind = MGL_TOKEN_END, .said = {start, 0}};
    if (tokens->at == tokens->all.size)
        return MGL_OK;
    MGL_TRY(take_token(tokens, err));
    tokens->token.said.size = (size_t)(tokens->all.data + tokens->at - start);
    return MGL_OK;
}

bool mgl_token_is_word(const mgl_token *token, const char *word)
{
    return token->kind == MGL_TOKEN_NAME && !token->quoted && token->text.size == strlen(word) &&
           strncasecmp(token->text.data, word, token->text.size) == 0;
}

bool mgl_token_is_sign(const mgl_token *token, const char *sign)
{
    return token->kind == MGL_TOKEN_SIGN && mgl_span_is(token->text, sign);
}
