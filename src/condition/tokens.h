/* Words, values and signs of a condition. Inside the room only. */
#ifndef MGL_CONDITION_TOKENS_H
#define MGL_CONDITION_TOKENS_H

#include "condition/condition.h"

typedef enum mgl_token_kind {
    MGL_TOKEN_END,
    MGL_TOKEN_NAME,    /* a column, or a word of the language if it stands without quotes */
    MGL_TOKEN_LITERAL, /* a value */
    MGL_TOKEN_SIGN     /* = <> ( and so on */
} mgl_token_kind;

typedef struct mgl_token {
    mgl_token_kind kind;
    mgl_span said; /* as it stands in the condition */
    mgl_span text; /* name or sign, without quotes */
    bool quoted;
    mgl_literal literal;
} mgl_token;

typedef struct mgl_tokens {
    mgl_span all;
    size_t at; /* behind the token at hand */
    mgl_token token;
    mgl_arena *arena; /* of texts with quotes in them */
} mgl_tokens;

/* Says what is wrong where the token at hand stands. */
mgl_status mgl_tokens_fail(mgl_error *err, const mgl_tokens *tokens, const char *what);

/* Goes on to the next token. */
mgl_status mgl_tokens_next(mgl_tokens *tokens, mgl_error *err);

/* Is it this word, without quotes and in any case of its letters? */
bool mgl_token_is_word(const mgl_token *token, const char *word);
bool mgl_token_is_sign(const mgl_token *token, const char *sign);

#endif
