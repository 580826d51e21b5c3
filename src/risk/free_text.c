#include "risk/guard.h"

mgl_status mgl_text_watch_init(mgl_text_watch *watch, size_t n, mgl_error *err)
{
    *watch = (mgl_text_watch){.n = n};
    watch->own = mgl_zeroed_array(n, sizeof *watch->own);
    watch->other = mgl_zeroed_array(n, sizeof *watch->other);
    watch->last = mgl_alloc_array(n, sizeof *watch->last);
    if (watch->own == NULL || watch->other == NULL || watch->last == NULL) {
        mgl_text_watch_free(watch);
        return mgl_fail_memory(err);
    }
    if (n > 0)
        memset(watch->last, 0xFF, n * sizeof *watch->last);
    return MGL_OK;
}

void mgl_text_watch_free(mgl_text_watch *watch)
{
    mgl_free(watch->own);
    mgl_free(watch->other);
    mgl_free(watch->last);
    *watch = (mgl_text_watch){0};
}

bool mgl_looks_like_text(mgl_span cell)
{
    return cell.size >= 8 && memchr(cell.data, ' ', cell.size) != NULL;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool begins_with(mgl_span text, size_t at, mgl_span word)
{
    if (at + word.size > text.size)
        return false;
    for (size_t i = 0; i < word.size; i++)
        if (lower(text.data[at + i]) != lower(word.data[i]))
            return false;
    return true;
}

/* As a word of its own, large and small letters alike. */
static bool holds_word(mgl_span text, mgl_span word)
{
    for (size_t at = 0; at + word.size <= text.size; at++) {
        bool begins = at == 0 || !mgl_is_word_char(text.data[at - 1]);
        bool ends = at + word.size == text.size || !mgl_is_word_char(text.data[at + word.size]);
        if (begins && ends && begins_with(text, at, word))
            return true;
    }
    return false;
}

void mgl_text_watch_add(mgl_text_watch *watch, size_t i, mgl_span text, mgl_span own, uint32_t leaf,
                        const mgl_span *labels)
{
    uint32_t last = watch->last[i];
    watch->last[i] = leaf;
    if (own.size < MGL_SHORTEST_REPEATED)
        return;
    watch->own[i] += holds_word(text, own);
    if (last != MGL_NOT_FOUND && last != leaf && labels[last].size >= MGL_SHORTEST_REPEATED)
        watch->other[i] += holds_word(text, labels[last]);
}

uint64_t mgl_text_watch_found(const mgl_text_watch *watch, size_t i)
{
    return watch->own[i] >= 2 && watch->own[i] >= 3 * watch->other[i] ? watch->own[i] : 0;
}
