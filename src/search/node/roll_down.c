/* Takes the tuples of a list apart by a lower level of one column: one look at each tuple of the
 * problem, whatever the number of columns. refiner.c calls it. */
#include "search/node/roll_down.h"
#include "search/node/roll_keys.h"

/* ---- Columns --------------------------------------------------------------------------- */

static unsigned width_for(uint32_t n_codes)
{
    return n_codes <= UINT8_MAX + 1 ? 1 : n_codes <= UINT16_MAX + 1 ? 2 : 4;
}

/* Numbers the codes of a level among those that become one above it; seen[code above] is how many
 * there are so far. */
static mgl_status place_codes(const mgl_roll_level *level, uint32_t *places, uint32_t *fan,
                              mgl_error *err)
{
    uint32_t *seen = mgl_zeroed_array(level->n_codes, sizeof *seen); /* never more above */
    if (seen == NULL)
        return mgl_fail_memory(err);
    *fan = 1;
    for (uint32_t code = 0; code < level->n_codes; code++) {
        places[code] = seen[level->above != NULL ? level->above[code] : 0]++;
        *fan = places[code] >= *fan ? places[code] + 1 : *fan;
    }
    mgl_free(seen);
    return MGL_OK;
}

static mgl_status make_level(const mgl_roll_column *of, size_t l, mgl_error *err,
                             mgl_down_level *out)
{
    uint32_t n = of->levels[0].n_codes;
    uint32_t *places = mgl_alloc_array(of->levels[l].n_codes, sizeof *places);
    mgl_status status = MGL_OK;
    out->codes = mgl_alloc_array(n, sizeof *out->codes);
    out->places = mgl_alloc_array(n, sizeof *out->places);
    if (places == NULL || out->codes == NULL || out->places == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(place_codes(&of->levels[l], places, &out->fan, err));
    for (uint32_t code = 0; code < n; code++) {
        out->codes[code] = code;
        for (size_t below = 0; below < l; below++)
            out->codes[code] = of->levels[below].above[out->codes[code]];
        out->places[code] = places[out->codes[code]];
    }
done:
    mgl_free(places);
    return status;
}

mgl_status mgl_down_column_make(mgl_down_column *column, const mgl_roll_column *of, size_t n_tuples,
                                mgl_error *err)
{
    *column = (mgl_down_column){.width = width_for(of->levels[0].n_codes)};
    column->of_tuple = mgl_alloc_array(n_tuples, column->width);
    column->levels = mgl_zeroed_array(of->n_levels, sizeof *column->levels);
    if (column->of_tuple == NULL || column->levels == NULL)
        return mgl_fail_memory(err);
    column->n_levels = of->n_levels;
    for (size_t l = 0; l < of->n_levels; l++)
        MGL_TRY(make_level(of, l, err, &column->levels[l]));
    return MGL_OK;
}

void mgl_down_column_free(mgl_down_column *column)
{
    for (size_t l = 0; column->levels != NULL && l < column->n_levels; l++) {
        mgl_free(column->levels[l].codes);
        mgl_free(column->levels[l].places);
    }
    mgl_free(column->levels);
    mgl_free(column->of_tuple);
    *column = (mgl_down_column){0};
}

void mgl_down_column_fill(const mgl_down_column *column, const mgl_roll_maker *maker, size_t c,
                          size_t first, size_t end)
{
    const mgl_frequency_list *list = maker->problem->list;
    const uint32_t *of_leaf = maker->codes.columns[c].of_leaf;
    if (column->width == 1)
        for (size_t t = first; t < end; t++)
            ((uint8_t *)column->of_tuple)[t] = (uint8_t)of_leaf[mgl_list_leaf(list, t, c)];
    else if (column->width == 2)
        for (size_t t = first; t < end; t++)
            ((uint16_t *)column->of_tuple)[t] = (uint16_t)of_leaf[mgl_list_leaf(list, t, c)];
    else
        for (size_t t = first; t < end; t++)
            ((uint32_t *)column->of_tuple)[t] = of_leaf[mgl_list_leaf(list, t, c)];
}

MGL_SPECIALIZE uint32_t code_of(const void *codes, unsigned width, size_t t)
{
    if (width == 1)
        return ((const uint8_t *)codes)[t];
    return width == 2 ? ((const uint16_t *)codes)[t] : ((const uint32_t *)codes)[t];
}

/* ---- Down ------------------------------------------------------------------------------- */

/* The key of a tuple of the list before, with another code of the column. */
MGL_SPECIALIZE void make_key(const mgl_roll_maker *maker, const mgl_down_step *step, uint32_t class,
                             uint32_t code, uint64_t *key)
{
    const mgl_roll_column *column = &maker->codes.columns[step->number];
    size_t words = maker->codes.words;
    for (size_t w = 0; w < words; w++)
        key[w] = step->from->keys[class * words + w];
    key[column->word] &= ~(column->mask << column->shift);
    key[column->word] |= (uint64_t)code << column->shift;
}

/* Every code of every tuple before has a slot of its own. */
MGL_SPECIALIZE bool split_by_place(mgl_roll_maker *maker, const mgl_down_step *step, size_t fan,
                                   const uint32_t *places, unsigned width, bool track,
                                   mgl_rolled *to)
{
    const mgl_frequency_list *list = maker->problem->list;
    const uint32_t *codes = step->column->levels[step->level].codes;
    for (size_t t = 0; t < list->n_tuples; t++) {
        uint32_t class = step->class_of[t], code = code_of(step->column->of_tuple, width, t);
        uint32_t *slot = &maker->slots[class * fan + places[code]];
        if (*slot == 0) {
            if (to->n == step->most)
                return false;
            make_key(maker, step, class, codes[code], to->keys + to->n * maker->codes.words);
            to->counts[to->n++] = 0;
            *slot = (uint32_t)to->n;
        }
        to->counts[*slot - 1] += list->counts[t];
        if (track)
            maker->of_tuple[t] = *slot - 1;
    }
    return true;
}

MGL_SPECIALIZE bool split_of_width(mgl_roll_maker *maker, const mgl_down_step *step, size_t fan,
                                   const uint32_t *places, unsigned width, mgl_rolled *to)
{
    memset(maker->slots, 0, step->from->n * fan * sizeof *maker->slots);
    return step->track ? split_by_place(maker, step, fan, places, width, true, to)
                       : split_by_place(maker, step, fan, places, width, false, to);
}

/* There are too many of these: only those that occur. */
static bool split_by_key(mgl_roll_maker *maker, const mgl_down_step *step, mgl_rolled *to)
{
    const mgl_frequency_list *list = maker->problem->list;
    const mgl_down_column *column = step->column;
    const uint32_t *codes = column->levels[step->level].codes;
    size_t words = maker->codes.words, mask = mgl_roll_clear(maker, list->n_tuples);
    for (size_t t = 0; t < list->n_tuples && to->n <= step->most; t++) {
        uint32_t code = codes[code_of(column->of_tuple, column->width, t)];
        make_key(maker, step, step->class_of[t], code, to->keys + to->n * words);
        mgl_roll_put(maker, to, t, list->counts[t], words, mask);
    }
    return to->n <= step->most;
}

bool mgl_roll_down(mgl_roll_maker *maker, const mgl_down_step *step, mgl_rolled *to)
{
    const mgl_down_column *column = step->column;
    const mgl_down_level *level = &column->levels[step->level];
    size_t fan = level->fan;
    const uint32_t *places = level->places;
    if (step->from_anywhere) {
        fan = maker->codes.columns[step->number].levels[step->level].n_codes;
        places = level->codes;
    }
    memcpy(to->levels, step->from->levels, maker->codes.n_columns * sizeof *to->levels);
    to->levels[step->number] = step->level;
    to->n = 0;
    if (step->from->n > 0 && fan > maker->n_slots / step->from->n)
        return split_by_key(maker, step, to);
    switch (column->width) {
    case 1:
        return split_of_width(maker, step, fan, places, 1, to);
    case 2:
        return split_of_width(maker, step, fan, places, 2, to);
    default:
        return split_of_width(maker, step, fan, places, 4, to);
    }
}
