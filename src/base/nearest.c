/* Finds the known name that is nearest to a misspelt one, by the number of edits between them. */
#include "base/nearest.h"

#include "mingle.h"

#include <string.h>

enum { LONGEST = 40 };

static bool same(char a, char b)
{
    return mgl_lower(a) == mgl_lower(b);
}

/* Edits (insert, delete, replace, swap of neighbours) that turn a into b; the case of letters is
 * free. */
static size_t edits(mgl_span a, const char *b)
{
    size_t n = strlen(b);
    size_t rows[3][LONGEST + 1];
    size_t *before = rows[0], *last = rows[1], *now = rows[2];
    for (size_t j = 0; j <= n; j++)
        last[j] = j;
    for (size_t i = 1; i <= a.size; i++) {
        now[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t best = last[j - 1] + !same(a.data[i - 1], b[j - 1]);
            if (last[j] + 1 < best)
                best = last[j] + 1;
            if (now[j - 1] + 1 < best)
                best = now[j - 1] + 1;
            if (i > 1 && j > 1 && same(a.data[i - 1], b[j - 2]) && same(a.data[i - 2], b[j - 1]) &&
                before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            now[j] = best;
        }
        size_t *free_row = before;
        before = last;
        last = now;
        now = free_row;
    }
    return last[n];
}

mgl_nearest mgl_nearest_to(mgl_span wanted)
{
    return (mgl_nearest){.wanted = wanted, .distance = (size_t)-1};
}

/* Is `part` a word of `text`, or its beginning? Words end at what is no letter and no digit. */
static bool has_word(const char *text, size_t size, const char *part, size_t part_size)
{
    for (size_t i = 0; i + part_size <= size; i++) {
        size_t j = 0;
        bool begins = i == 0 || strchr("-_ .", text[i - 1]) != NULL;
        while (begins && j < part_size && same(text[i + j], part[j]))
            j++;
        if (j == part_size)
            return true;
    }
    return false;
}

/* How far the name is from the wanted one; -1: too far to be meant. */
static size_t distance_to(mgl_span wanted, const char *name, size_t size)
{
    enum { SHORTEST_WORD = 4 };
    size_t distance = edits(wanted, name);
    size_t longer = size > wanted.size ? size : wanted.size;
    /* The beginning of a name may be meant as its abbreviation. */
    if (wanted.size >= 2 && size > wanted.size &&
        has_word(name, wanted.size, wanted.data, wanted.size))
        return 1;
    if (distance <= (longer + 2) / 4 && distance < longer)
        return distance;
    /* A word of a name ("suppression" of "local-suppression"), or a name with more behind it. */
    if (wanted.size >= SHORTEST_WORD && has_word(name, size, wanted.data, wanted.size))
        return longer;
    if (size >= SHORTEST_WORD && size < wanted.size && has_word(wanted.data, size, name, size))
        return longer;
    return (size_t)-1;
}

void mgl_nearest_try(mgl_nearest *nearest, const char *name)
{
    size_t size = strlen(name);
    if (nearest->wanted.size > LONGEST || size > LONGEST || nearest->wanted.size == 0)
        return;
    size_t distance = distance_to(nearest->wanted, name, size);
    if (distance < nearest->distance) {
        nearest->best = name;
        nearest->distance = distance;
    }
}

const char *mgl_nearest_name(const char *misspelt, const char *const *known, size_t n)
{
    mgl_nearest nearest = mgl_nearest_to(mgl_span_of(misspelt));
    for (size_t i = 0; i < n; i++)
        mgl_nearest_try(&nearest, known[i]);
    return nearest.best;
}
