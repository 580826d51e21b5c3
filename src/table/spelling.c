/* Makes values alike that differ in spelling only: blanks around them, the case of their letters
 * (--trim, --fold-case). */
#include "table/table.h"

#include <utf8proc.h>

/* The mark of a byte order and the blank without width. */
static bool is_empty(utf8proc_int32_t point)
{
    return point == 0xFEFF || point == 0x200B;
}

/* Blanks of all kinds; returns the size of the one in front. *empty: it has no width. */
static size_t blank_at(const char *text, size_t size, bool *empty)
{
    utf8proc_int32_t point;
    *empty = false;
    if (*text > ' ' && *text <= '~') /* nearly always */
        return 0;
    utf8proc_ssize_t n =
        utf8proc_iterate((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)size, &point);
    if (n <= 0)
        return 0;
    utf8proc_category_t category = utf8proc_category(point);
    bool blank = (point >= '\t' && point <= '\r') || point == 0x85 || is_empty(point) ||
                 category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_ZL ||
                 category == UTF8PROC_CATEGORY_ZP;
    *empty = is_empty(point);
    return blank ? (size_t)n : 0;
}

static mgl_span spelling_trim(mgl_span text)
{
    size_t blank;
    bool empty;
    while (text.size > 0 && (blank = blank_at(text.data, text.size, &empty)) > 0) {
        text.data += blank;
        text.size -= blank;
    }
    while (text.size > 0) {
        size_t last = text.size - 1;
        while (last > 0 && ((unsigned char)text.data[last] & 0xC0) == 0x80)
            last--;
        if (blank_at(text.data + last, text.size - last, &empty) != text.size - last)
            break;
        text.size = last;
    }
    return text;
}

static bool is_ascii(mgl_span text)
{
    unsigned char all = 0;
    for (size_t i = 0; i < text.size; i++)
        all |= (unsigned char)text.data[i];
    return all < 0x80;
}

static void lower(mgl_buffer *text, size_t at)
{
    for (; at < text->size; at++)
        if (text->data[at] >= 'A' && text->data[at] <= 'Z')
            text->data[at] = (char)(text->data[at] + ('a' - 'A'));
}

static bool fold_ascii(mgl_span text, mgl_buffer *out)
{
    size_t at = out->size;
    mgl_buffer_span(out, text);
    if (out->failed)
        return false;
    lower(out, at);
    return true;
}

/* Appends the text in the normal form NFC, with these options besides. What is no UTF-8 stays. */
static bool compose(mgl_span text, utf8proc_option_t more, mgl_buffer *out)
{
    const utf8proc_option_t options = more | UTF8PROC_COMPOSE | UTF8PROC_STABLE;
    const utf8proc_uint8_t *bytes = (const utf8proc_uint8_t *)text.data;
    utf8proc_ssize_t size = (utf8proc_ssize_t)text.size;
    utf8proc_ssize_t n = utf8proc_decompose(bytes, size, NULL, 0, options);
    if (n < 0) {
        mgl_buffer_span(out, text);
        return !out->failed;
    }
    utf8proc_int32_t *points = mgl_alloc_array((size_t)n + 1, sizeof *points);
    if (points == NULL)
        return false;
    utf8proc_decompose(bytes, size, points, n, options);
    n = utf8proc_reencode(points, n, options); /* in place: bytes from here on */
    if (n > 0)
        mgl_buffer_append(out, (const char *)points, (size_t)n);
    mgl_free(points);
    return !out->failed;
}

/* Letters that are put together differently are alike as well: e and an accent, é. They are put
 * together first, since folding them one by one can part an accent from its letter. */
static bool fold(mgl_span text, mgl_buffer *out)
{
    mgl_buffer composed = {0};
    if (is_ascii(text))
        return fold_ascii(text, out);
    bool fine = compose(text, 0, &composed) &&
                compose((mgl_span){composed.data, composed.size}, UTF8PROC_CASEFOLD, out);
    mgl_buffer_free(&composed);
    return fine;
}

/* Appends the text with one blank for each run of blanks. */
static bool collapse(mgl_span text, mgl_buffer *out)
{
    bool within = false, empty;
    for (size_t i = 0, size; i < text.size; i += size) {
        size_t blank = blank_at(text.data + i, text.size - i, &empty);
        size = blank > 0 ? blank : 1;
        if (blank == 0)
            mgl_buffer_append(out, text.data + i, 1);
        else if (!empty && !within)
            mgl_buffer_append(out, " ", 1);
        within = blank > 0 && (within || !empty);
    }
    return !out->failed;
}

static bool fold_collapsed(mgl_span text, mgl_buffer *key)
{
    mgl_buffer collapsed = {0};
    if (!collapse(text, key))
        return false;
    if (is_ascii((mgl_span){key->data, key->size})) {
        lower(key, 0);
        return true;
    }
    collapsed = *key;
    *key = (mgl_buffer){0};
    bool fine = fold((mgl_span){collapsed.data, collapsed.size}, key);
    mgl_buffer_free(&collapsed);
    return fine;
}

bool mgl_spelling_key(mgl_spelling spelling, mgl_span text, mgl_buffer *key)
{
    key->size = 0;
    if (spelling.trim)
        text = spelling_trim(text);
    if (spelling.collapse)
        return fold_collapsed(text, key);
    if (spelling.fold_case && text.size > 0)
        return fold(text, key);
    mgl_buffer_span(key, text);
    return !key->failed;
}

typedef struct speller {
    mgl_spelling spelling;
    const mgl_span *missing;
    size_t n_missing;
    mgl_buffer key;
    mgl_map *keys;       /* of the values */
    uint64_t *rows;      /* [code] how many have it */
    uint32_t *key_of;    /* [code] number of its key; MGL_NOT_FOUND: it means missing */
    uint32_t *chosen;    /* [key] the code whose spelling stands for all */
    uint32_t *new_codes; /* [code] */
} speller;

static mgl_span key_span(const speller *s)
{
    return (mgl_span){s->key.size > 0 ? s->key.data : "", s->key.size};
}

static bool is_missing(speller *s, mgl_span value, bool *out)
{
    mgl_buffer other = {0};
    *out = false;
    if (!mgl_spelling_key(s->spelling, value, &s->key))
        return false;
    for (size_t i = 0; i < s->n_missing && !*out; i++) {
        if (!mgl_spelling_key(s->spelling, s->missing[i], &other))
            break;
        *out =
            mgl_span_equal(key_span(s), (mgl_span){other.size > 0 ? other.data : "", other.size});
    }
    bool fine = !other.failed;
    mgl_buffer_free(&other);
    return fine;
}

static mgl_span spelled(const speller *s, const mgl_dictionary *dictionary, uint32_t code)
{
    mgl_span text = mgl_dictionary_value(dictionary, code);
    return s->spelling.trim ? spelling_trim(text) : text;
}

/* Numbers the keys and finds the most frequent spelling of each, among equals the bytewise least.
 */
static bool choose(speller *s, const mgl_dictionary *dictionary)
{
    uint32_t missing = mgl_dictionary_missing(dictionary);
    for (uint32_t code = 0; code < mgl_dictionary_size(dictionary); code++) {
        mgl_span text = spelled(s, dictionary, code);
        bool means_missing = code == missing;
        if (!means_missing && !is_missing(s, text, &means_missing))
            return false;
        s->key_of[code] = MGL_NOT_FOUND;
        if (means_missing)
            continue;
        uint32_t n_keys = mgl_map_size(s->keys), key = mgl_map_add(s->keys, key_span(s));
        if (key == MGL_NOT_FOUND)
            return false;
        s->key_of[code] = key;
        uint32_t best = key < n_keys ? s->chosen[key] : code;
        bool better = s->rows[code] > s->rows[best] ||
                      (s->rows[code] == s->rows[best] &&
                       mgl_span_compare(text, spelled(s, dictionary, best)) < 0);
        s->chosen[key] = better ? code : best;
    }
    return true;
}

/* The new dictionary, and what codes become in it; keeps the order in which values came. */
static bool make_dictionary(speller *s, const mgl_dictionary *from, mgl_dictionary *to)
{
    for (uint32_t code = 0; code < mgl_dictionary_size(from); code++) {
        uint32_t key = s->key_of[code];
        s->new_codes[code] =
            key == MGL_NOT_FOUND
                ? mgl_dictionary_add_missing(
                      to, s->n_missing > 0 ? s->missing[0] : mgl_dictionary_value(from, code))
                : mgl_dictionary_add(to, spelled(s, from, s->chosen[key]));
        if (s->new_codes[code] == MGL_NOT_FOUND)
            return false;
    }
    return true;
}

static bool respell(speller *s, const mgl_table *table, mgl_column *column)
{
    mgl_dictionary *from = column->dictionary, *to = mgl_dictionary_new();
    uint32_t n = mgl_dictionary_size(from);
    s->rows = mgl_zeroed_array(n, sizeof *s->rows);
    s->key_of = mgl_alloc_array(n, sizeof *s->key_of);
    s->chosen = mgl_alloc_array(n, sizeof *s->chosen);
    s->new_codes = mgl_alloc_array(n, sizeof *s->new_codes);
    s->keys = mgl_map_new();
    if (to == NULL || s->rows == NULL || s->key_of == NULL || s->chosen == NULL ||
        s->new_codes == NULL || s->keys == NULL) {
        mgl_dictionary_free(to);
        return false;
    }
    for (size_t row = 0; row < table->n_rows; row++)
        s->rows[mgl_column_code(column, row)] += table->times != NULL ? table->times[row] : 1;
    if (!choose(s, from) || !make_dictionary(s, from, to)) {
        mgl_dictionary_free(to);
        return false;
    }
    for (size_t row = 0; row < table->n_rows; row++)
        mgl_column_set(column, row, s->new_codes[mgl_column_code(column, row)]);
    mgl_dictionary_set_labels(to, mgl_dictionary_labels(from));
    mgl_dictionary_free(from);
    column->dictionary = to;
    return true;
}

static mgl_status respell_all(mgl_table *table, mgl_spelling spelling, const mgl_span *missing,
                              size_t n_missing, size_t n_labels, mgl_error *err)
{
    for (size_t c = 0; c < table->n_columns; c++) {
        size_t n = n_missing - (table->columns[c].role == MGL_ROLE_QUASI ? n_labels : 0);
        speller s = {.spelling = spelling, .missing = missing, .n_missing = n};
        bool fine = respell(&s, table, &table->columns[c]);
        mgl_map_free(s.keys);
        mgl_free(s.rows);
        mgl_free(s.key_of);
        mgl_free(s.chosen);
        mgl_free(s.new_codes);
        mgl_buffer_free(&s.key);
        MGL_TRY(mgl_check_memory(fine, err));
    }
    return MGL_OK;
}

/* First without the blanks: texts that differ in blanks alone count as one spelling. */
mgl_status mgl_table_respell(mgl_table *table, mgl_spelling spelling, const mgl_span *missing,
                             size_t n_missing, size_t n_labels, mgl_error *err)
{
    mgl_spelling trim = {.trim = true};
    if (spelling.trim)
        MGL_TRY(respell_all(table, trim, missing, n_missing, n_labels, err));
    return spelling.fold_case ? respell_all(table, spelling, missing, n_missing, n_labels, err)
                              : MGL_OK;
}

mgl_status mgl_spelling_index(const mgl_dictionary *dictionary, mgl_spelling spelling,
                              mgl_error *err, mgl_spelling_finder *out)
{
    mgl_spelling_finder finder = {.spelling = spelling, .keys = mgl_map_new()};
    uint32_t n = mgl_dictionary_size(dictionary), missing = mgl_dictionary_missing(dictionary);
    finder.codes = mgl_alloc_array(n, sizeof *finder.codes);
    bool fine = finder.keys != NULL && finder.codes != NULL;
    for (uint32_t code = 0; fine && code < n; code++) {
        if (code == missing)
            continue;
        fine = mgl_spelling_key(spelling, mgl_dictionary_value(dictionary, code), &finder.key);
        uint32_t known = fine ? mgl_map_size(finder.keys) : 0;
        uint32_t key =
            fine ? mgl_map_add(finder.keys, (mgl_span){finder.key.size > 0 ? finder.key.data : "",
                                                       finder.key.size})
                 : MGL_NOT_FOUND;
        fine = key != MGL_NOT_FOUND;
        if (fine && key == known)
            finder.codes[key] = code;
    }
    if (!fine) {
        mgl_spelling_finder_free(&finder);
        return mgl_fail_memory(err);
    }
    *out = finder;
    return MGL_OK;
}

void mgl_spelling_finder_free(mgl_spelling_finder *finder)
{
    mgl_map_free(finder->keys);
    mgl_free(finder->codes);
    mgl_buffer_free(&finder->key);
    *finder = (mgl_spelling_finder){0};
}

uint32_t mgl_spelling_find(mgl_spelling_finder *finder, mgl_span value)
{
    if (!mgl_spelling_key(finder->spelling, value, &finder->key))
        return MGL_NOT_FOUND;
    uint32_t key = mgl_map_find(
        finder->keys, (mgl_span){finder->key.size > 0 ? finder->key.data : "", finder->key.size});
    return key != MGL_NOT_FOUND ? finder->codes[key] : MGL_NOT_FOUND;
}

/* Keys are different within a dictionary, so that no two values become one. */
mgl_status mgl_column_adopt(mgl_column *column, const mgl_dictionary *from, mgl_spelling spelling,
                            mgl_error *err)
{
    mgl_dictionary *to = mgl_dictionary_new();
    mgl_spelling_finder finder = {0};
    mgl_status status =
        to == NULL ? mgl_fail_memory(err) : mgl_spelling_index(from, spelling, err, &finder);
    uint32_t missing = mgl_dictionary_missing(column->dictionary);
    for (uint32_t code = 0; status == MGL_OK && code < mgl_dictionary_size(column->dictionary);
         code++) {
        mgl_span text = mgl_dictionary_value(column->dictionary, code);
        uint32_t known = mgl_spelling_find(&finder, text);
        uint32_t added =
            code == missing
                ? mgl_dictionary_add_missing(to, text)
                : mgl_dictionary_add(to, known != MGL_NOT_FOUND ? mgl_dictionary_value(from, known)
                                                                : text);
        if (added != code)
            status = mgl_fail_memory(err);
    }
    mgl_spelling_finder_free(&finder);
    if (status != MGL_OK) {
        mgl_dictionary_free(to);
        return status;
    }
    mgl_dictionary_set_labels(to, mgl_dictionary_labels(column->dictionary));
    mgl_dictionary_set_notation(to, mgl_dictionary_notation(column->dictionary));
    mgl_dictionary_free(column->dictionary);
    column->dictionary = to;
    return MGL_OK;
}
