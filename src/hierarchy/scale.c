/* Gives leaves that are numbers or dates an order and distances. Clusters, Mondrian, averages,
 * figures and proposals ask for it where a hierarchy is not enough. */
#include "hierarchy/builders.h"

#include <math.h>
#include <stdio.h>

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
        if (!mgl_notation_number(&h->notation, h->levels[0].labels[leaf], &s->of_leaf[leaf]))
            return false;
        s->whole = s->whole && s->of_leaf[leaf] == floor(s->of_leaf[leaf]);
    }
    return true;
}

static bool read_dates(const mgl_hierarchy *h, mgl_date_order order, mgl_scale *s)
{
    s->kind = MGL_SCALE_DATES;
    s->whole = true;
    s->seconds = false;
    for (uint32_t leaf = 0; leaf < h->n_leaves; leaf++) {
        mgl_moment moment;
        if (!counts(h, leaf))
            continue;
        if (!mgl_moment_parse(&h->notation, h->levels[0].labels[leaf], order, &moment))
            return false;
        s->whole = s->whole && !moment.timed;
        s->seconds = s->seconds || fmod(moment.seconds, 60) != 0;
        s->of_leaf[leaf] = mgl_moment_days(&moment);
    }
    return true;
}

/* One of the orders fits and the others do not. */
static bool read_any_dates(const mgl_hierarchy *h, mgl_scale *s)
{
    mgl_date_order found = MGL_DATE_ORDERS;
    for (int order = 0; order < MGL_DATE_ORDERS; order++) {
        if (!read_dates(h, (mgl_date_order)order, s))
            continue;
        if (found != MGL_DATE_ORDERS)
            return false;
        found = (mgl_date_order)order;
    }
    return found != MGL_DATE_ORDERS && read_dates(h, found, s);
}

typedef struct place {
    double number;
    uint32_t leaf;
} place;

static const mgl_sort_key in_order[] = {MGL_ASCENDING(place, number), MGL_ASCENDING(place, leaf),
                                        MGL_SORT_END};

static mgl_status put_in_order(const mgl_hierarchy *h, mgl_scale *s, mgl_error *err)
{
    place *places;
    MGL_TRY(mgl_new_array(h->n_leaves, sizeof *places, err, &places));
    for (uint32_t leaf = 0; leaf < h->n_leaves; leaf++)
        if (counts(h, leaf))
            places[s->n_ordered++] = (place){s->of_leaf[leaf], leaf};
    mgl_sort(places, s->n_ordered, sizeof *places, in_order);
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
    *out = NULL;
    if (h->n_stand_ins > 0) /* a stand-in has no place among numbers */
        return MGL_OK;
    mgl_scale *s;
    MGL_TRY(mgl_new_zeroed(1, sizeof *s, err, &s));
    s->of_leaf = mgl_alloc_array(h->n_leaves, sizeof *s->of_leaf);
    s->ordered = mgl_alloc_array(h->n_leaves, sizeof *s->ordered);
    s->place_of = mgl_alloc_array(h->n_leaves, sizeof *s->place_of);
    s->notation = h->notation;
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

uint32_t mgl_scale_place(const mgl_scale *scale, double number)
{
    uint32_t low = 0, high = scale->n_ordered;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (scale->of_leaf[scale->ordered[middle]] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
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

/* Of dates: how many of the finest unit that is written make a day. */
static double units_of_day(const mgl_scale *scale)
{
    return scale->whole ? 1 : scale->seconds ? 86400 : 1440;
}

double mgl_scale_round(const mgl_scale *scale, double number)
{
    double units = units_of_day(scale);
    return scale->kind == MGL_SCALE_DATES ? floor(number * units + 0.5) / units : number;
}

size_t mgl_scale_write(const mgl_scale *scale, double number, char text[MGL_NUMBER_TEXT])
{
    if (scale->kind == MGL_SCALE_NUMBERS) {
        size_t size = mgl_number_write(number, text);
        mgl_notation_sign(&scale->notation, text, size);
        return size;
    }
    double units = units_of_day(scale);
    double rounded = floor(number * units + 0.5), day = floor(rounded / units);
    unsigned time = (unsigned)((rounded - day * units) * (86400 / units));
    mgl_date date = mgl_date_of_days(day);
    int size =
        snprintf(text, MGL_NUMBER_TEXT, "%04u-%02u-%02u", date.year % 10000, date.month, date.day);
    if (!scale->whole)
        size += snprintf(text + size, MGL_NUMBER_TEXT - (size_t)size, "T%02u:%02u", time / 3600,
                         time / 60 % 60);
    if (!scale->whole && scale->seconds)
        size += snprintf(text + size, MGL_NUMBER_TEXT - (size_t)size, ":%02u", time % 60);
    return (size_t)size;
}
