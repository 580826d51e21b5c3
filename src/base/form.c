/* Reads values by their forms; called where options are checked, and where the settings of a
 * command and the options of a method are filled in. */
#include "base/form.h"

#include "base/error.h"
#include "base/lists.h"
#include "base/number.h"

#include <math.h>
#include <stdalign.h>

_Static_assert(sizeof(mgl_form_kind) == sizeof(unsigned), "words are stored as an enum is");

/* ---- One value --------------------------------------------------------------------------------
 */

static size_t count_words(const mgl_form *form)
{
    size_t n = 0;
    while (form->words != NULL && form->words[n] != NULL)
        n++;
    return n;
}

static size_t find_word(const mgl_form *form, mgl_span text)
{
    size_t n = count_words(form), i = 0;
    while (i < n && !mgl_span_is(text, form->words[i]))
        i++;
    return i;
}

static bool is_within(const mgl_form *form, double value)
{
    return (form->above ? value > form->min : value >= form->min) &&
           (form->max == 0 || value <= form->max);
}

static bool read_word(const mgl_form *form, mgl_span text, void *place)
{
    size_t word = find_word(form, text);
    if (word == count_words(form))
        return false;
    if (form->kind == MGL_FORM_EITHER)
        *(bool *)place = word == 1;
    else
        *(unsigned *)place = (unsigned)word;
    return true;
}

static bool read_whole(const mgl_form *form, mgl_span text, void *place)
{
    uint64_t value;
    if (!mgl_parse_u64(text, &value) || !is_within(form, (double)value) ||
        (form->kind == MGL_FORM_SMALL && value > UINT32_MAX))
        return false;
    if (form->kind == MGL_FORM_SMALL)
        *(uint32_t *)place = (uint32_t)value;
    else
        *(uint64_t *)place = value;
    return true;
}

static bool read_number(const mgl_form *form, mgl_span text, void *place)
{
    double value;
    if (!mgl_parse_double(text, &value) || !is_within(form, value))
        return false;
    *(double *)place = value;
    return true;
}

static bool read_flag(mgl_span text, void *place)
{
    bool yes = mgl_span_is(text, "true");
    if (!yes && !mgl_span_is(text, "false"))
        return false;
    *(bool *)place = yes;
    return true;
}

bool mgl_form_read(const mgl_form *form, mgl_span text, void *place)
{
    switch (form->kind) {
    case MGL_FORM_TEXT:
        *(const char **)place = text.data;
        return true;
    case MGL_FORM_FLAG:
        return read_flag(text, place);
    case MGL_FORM_EITHER:
    case MGL_FORM_WORD:
        return read_word(form, text, place);
    case MGL_FORM_WHOLE:
    case MGL_FORM_SMALL:
        return read_whole(form, text, place);
    case MGL_FORM_NUMBER:
        return read_number(form, text, place);
    default:
        return form->read(text, place);
    }
}

size_t mgl_form_size(const mgl_form *form)
{
    switch (form->kind) {
    case MGL_FORM_TEXT:
        return sizeof(const char *);
    case MGL_FORM_FLAG:
    case MGL_FORM_EITHER:
        return sizeof(bool);
    case MGL_FORM_WORD:
        return sizeof(unsigned);
    case MGL_FORM_WHOLE:
        return sizeof(uint64_t);
    case MGL_FORM_SMALL:
        return sizeof(uint32_t);
    case MGL_FORM_NUMBER:
        return sizeof(double);
    default:
        return form->size;
    }
}

/* ---- What is wrong ----------------------------------------------------------------------------
 */

/* "is not possible; give keep, drop or exempt" */
static void name_words(const mgl_form *form, mgl_buffer *wrong)
{
    size_t n = count_words(form);
    mgl_buffer_text(wrong, "is not possible; give ");
    for (size_t i = 0; i < n; i++)
        mgl_buffer_format(wrong, "%s%s", i == 0 ? "" : i + 1 == n ? " or " : ", ", form->words[i]);
}

bool mgl_form_check(const mgl_form *form, mgl_span text, mgl_buffer *wrong)
{
    alignas(16) char room[MGL_FORM_ROOM] = {0};
    if (form->check != NULL)
        return form->check(text, wrong);
    if (mgl_form_read(form, text, room))
        return true;
    if (form->wrong != NULL)
        mgl_buffer_text(wrong, form->wrong);
    else if (form->kind == MGL_FORM_FLAG)
        mgl_buffer_text(wrong, "is neither true nor false; write one of them");
    else
        name_words(form, wrong);
    return false;
}

void mgl_form_syntax(const mgl_form *form, mgl_buffer *out)
{
    for (size_t i = 0; i < count_words(form); i++)
        mgl_buffer_format(out, "%s%s", i > 0 ? "|" : "", form->words[i]);
}

/* ---- Lists ------------------------------------------------------------------------------------
 */

/* Where the items of a list go: an array, or one field for all of them. */
typedef struct reading {
    const mgl_form *form;
    mgl_arena *arena;
    char *at;
    size_t step; /* 0: one field */
    size_t n;
} reading;

static bool read_item(reading *r, const mgl_buffer *item)
{
    char *copy = mgl_arena_copy(r->arena, item->data != NULL ? item->data : "", item->size);
    return copy != NULL &&
           mgl_form_read(r->form, (mgl_span){copy, item->size}, r->at + r->step * r->n++);
}

static bool read_items(reading *r, const char *text)
{
    mgl_list list = mgl_list_of(mgl_span_of(text));
    mgl_buffer item = {0}, wrong = {0};
    bool fine = true;
    while (fine && mgl_list_next(&list, &item, &wrong))
        fine = read_item(r, &item);
    fine = fine && !wrong.failed && wrong.size == 0;
    mgl_buffer_free(&item);
    mgl_buffer_free(&wrong);
    return fine;
}

mgl_status mgl_form_read_list(const mgl_form *form, const char *text, mgl_arena *arena,
                              mgl_error *err, void *place, size_t *n)
{
    reading r = {.form = form, .arena = arena, .at = place};
    if (n != NULL) {
        r.step = mgl_form_size(form);
        r.at = mgl_arena_alloc(arena, (strlen(text) + 1) * r.step); /* more than enough */
        if (r.at == NULL)
            return mgl_fail_memory(err);
    }
    if (text[0] != '\0' && !read_items(&r, text))
        return mgl_fail_memory(err);
    if (n != NULL) {
        *(void **)place = r.at;
        *n = r.n;
    }
    return MGL_OK;
}
