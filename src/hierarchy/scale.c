/* Leaves that are numbers or dates have an order and distances. */
#include "hierarchy/dates.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static bool counts(const mgl_hierarchy *h, uint32_t leaf)
{
    return leaf != h->missing_leaf && leaf != h->star_leaf;
}

static bool read_numbers(const mgl_hierarchy *h, mgl_scale *s)
{
    s->kind = MGL_SCALE_NUMBERS;
    s->whole = true;
    for (uint32_t leaf = 0; leaf < h->n_leaves; leaf++) {
        if (!counts(h, leaf))
            continue;
        if (!mgl_parse_double(h->levels[0].labels[leaf], &s->of_leaf[leaf]))
            return false;
        s->whole = s->whole && s->of_leaf[leaf] == floor(s->of_leaf[leaf]);
    }
    return true;
}

static bool read_dates(const mgl_hierarchy *h, mgl_date_order order, mgl_scale *s)
{
    s->kind = MGL_SCALE_DATES;
    s->whole = true;
    for (uint32_t leaf = 0; leaf < h->n_leaves; leaf++) {
        mgl_date date;
        if (!counts(h, leaf))
            continue;
        if (!mgl_date_parse(h->levels[0].labels[leaf], order, &date))
            return false;
        s->of_leaf[leaf] = mgl_date_days(date);
    }
    return true;
}

/* Years come first, or one of the other orders fits and the other does not. */
static bool read_any_dates(const mgl_hierarchy *h, mgl_scale *s)
{
    if (read_dates(h, MGL_YMD, s))
        return true;
    bool month_first = read_dates(h, MGL_MDY, s), day_first = read_dates(h, MGL_DMY, s);
    if (month_first && !day_first)
        read_dates(h, MGL_MDY, s);
    return month_first != day_first;
}

typedef struct place {
    double number;
    uint32_t leaf;
} place;

static int compare_places(const void *p, const void *q)
{
    const place *x = p, *y = q;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return (x->leaf > y->leaf) - (x->leaf < y->leaf);
}

static mgl_status put_in_order(const mgl_hierarchy *h, mgl_scale *s, mgl_error *err)
{
    place *places = mgl_alloc_array(h->n_leaves, sizeof *places);
    if (places == NULL)
        return mgl_fail_memory(err);
    for (uint32_t leaf = 0; leaf < h->n_leaves; leaf++)
        if (counts(h, leaf))
            places[s->n_ordered++] = (place){s->of_leaf[leaf], leaf};
    if (s->n_ordered > 0)
        qsort(places, s->n_ordered, sizeof *places, compare_places);
    memset(s->place_of, 0xFF, h->n_leaves * sizeof *s->place_of);
    for (uint32_t i = 0; i < s->n_ordered; i++) {
        s->ordered[i] = places[i].leaf;
        s->place_of[places[i].leaf] = i;
    }
    mgl_free(places);
    return MGL_OK;
}

mgl_status mgl_scale_new(const mgl_hierarchy *h, mgl_error *err, mgl_scale **out)
{
    mgl_scale *s = mgl_zeroed_array(1, sizeof *s);
    *out = NULL;
    if (s == NULL)
        return mgl_fail_memory(err);
    s->of_leaf = mgl_alloc_array(h->n_leaves, sizeof *s->of_leaf);
    s->ordered = mgl_alloc_array(h->n_leaves, sizeof *s->ordered);
    s->place_of = mgl_alloc_array(h->n_leaves, sizeof *s->place_of);
    mgl_status status = s->of_leaf == NULL || s->ordered == NULL || s->place_of == NULL
                            ? mgl_fail_memory(err)
                            : MGL_OK;
    bool scaled = false;
    if (status == MGL_OK) {
        for (uint32_t leaf = 0; leaf < h->n_leaves; leaf++)
            s->of_leaf[leaf] = NAN;
        scaled = read_numbers(h, s) || read_any_dates(h, s);
    }
    if (scaled)
        status = put_in_order(h, s, err);
    if (status != MGL_OK || !scaled || s->n_ordered == 0) {
        mgl_scale_free(s);
        return status;
    }
    *out = s;
    return MGL_OK;
}

void mgl_scale_free(mgl_scale *scale)
{
    if (scale == NULL)
        return;
    mgl_free(scale->of_leaf);
    mgl_free(scale->ordered);
    mgl_free(scale->place_of);
    mgl_free(scale);
}

size_t mgl_scale_write(const mgl_scale *scale, double number, char text[MGL_NUMBER_TEXT])
{
    if (scale->kind == MGL_SCALE_NUMBERS)
        return mgl_number_write(number, text);
    mgl_date date = mgl_date_of_days(floor(number + 0.5));
    return (size_t)snprintf(text, MGL_NUMBER_TEXT, "%04u-%02u-%02u", date.year, date.month,
                            date.day);
}
