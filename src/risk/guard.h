/* Parts of the leak guard. Inside the room only. */
#ifndef MGL_RISK_GUARD_H
#define MGL_RISK_GUARD_H

#include "risk/risk.h"

/* ---- Words ----------------------------------------------------------------------------------- */

/* One word of each label, its longest: the rarest. A label that stands in a text as words of its
 * own has each of them there. */
typedef struct mgl_words {
    uint64_t *bits; /* by the word's hash: a few other words may share them */
    size_t n_bits;  /* a power of 2 */
    bool any;       /* some label has no word: it may stand anywhere */
    uint8_t letters[256];
} mgl_words;

/* Free with mgl_words_free. */
mgl_status mgl_words_init(mgl_words *words, size_t n_labels, mgl_error *err);
void mgl_words_free(mgl_words *words);
void mgl_words_add(mgl_words *words, mgl_span label);

/* False: no label stands in the text. */
bool mgl_words_may_hold(const mgl_words *words, mgl_span text);

bool mgl_is_word_char(char c);

/* ---- Free text ------------------------------------------------------------------------------- */

/* Does text repeat the ground values of the row it stands in more often than those of the row
 * before that was looked at, which it would only do by chance? */
typedef struct mgl_text_watch {
    uint64_t *own, *other; /* [generalized attribute] rows */
    uint32_t *last;        /* its leaf in the row before; MGL_NOT_FOUND: none */
    size_t n;
} mgl_text_watch;

mgl_status mgl_text_watch_init(mgl_text_watch *watch, size_t n, mgl_error *err);
void mgl_text_watch_free(mgl_text_watch *watch);

/* A letter means nothing in a text. */
enum { MGL_SHORTEST_REPEATED = 2 };

/* Several words? */
bool mgl_looks_like_text(mgl_span cell);

/* leaf: the ground value of attribute i in this row, `own` its label. */
void mgl_text_watch_add(mgl_text_watch *watch, size_t i, mgl_span text, mgl_span own, uint32_t leaf,
                        const mgl_span *labels);

/* In how many rows the text repeats attribute i; 0 if that may be chance. */
uint64_t mgl_text_watch_found(const mgl_text_watch *watch, size_t i);

#endif
