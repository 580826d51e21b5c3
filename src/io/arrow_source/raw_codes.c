/* A table from the bytes of values to their codes. The coder of Arrow columns uses it for numbers
 * and short texts. */
#include "io/arrow_source/raw_codes.h"

enum { FIRST_PLACES = 256, MOST_PLACES = 1 << 21 };

void mgl_raw_codes_free(mgl_raw_codes *codes)
{
    mgl_free(codes->places);
}

static void put(mgl_raw_codes *codes, mgl_raw_key key, uint32_t code)
{
    size_t i = mgl_raw_place_of(codes, key);
    while (codes->places[i].code != MGL_NOT_FOUND)
        i = (i + 1) & (codes->n_places - 1);
    codes->places[i] = (mgl_raw_place){key, code};
    codes->n++;
}

static bool grow(mgl_raw_codes *codes)
{
    size_t n_places = codes->n_places > 0 ? codes->n_places * 4 : FIRST_PLACES;
    mgl_raw_codes larger = {.n_places = n_places,
                            .shift = 64 - (unsigned)__builtin_ctzll(n_places)};
    larger.places = mgl_alloc_array(n_places, sizeof *larger.places);
    if (larger.places == NULL)
        return false;
    for (size_t i = 0; i < n_places; i++)
        larger.places[i].code = MGL_NOT_FOUND;
    for (size_t i = 0; i < codes->n_places; i++)
        if (codes->places[i].code != MGL_NOT_FOUND)
            put(&larger, codes->places[i].key, codes->places[i].code);
    mgl_free(codes->places);
    *codes = larger;
    return true;
}

bool mgl_raw_codes_put(mgl_raw_codes *codes, mgl_raw_key key, uint32_t code)
{
    if (codes->n * 2 >= codes->n_places) {
        if (codes->n_places >= MOST_PLACES)
            return true;
        if (!grow(codes))
            return false;
    }
    put(codes, key, code);
    return true;
}
