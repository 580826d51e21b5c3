/* Builds grid(0.1,1,10): coordinates in cells of degrees, grid(1km,10km): in cells of kilometres.
 * A column holds latitude and longitude in one text, or one of both. grid_cells.c finds the cells.
 * A row of the table in builders.c. */
#include "hierarchy/grid.h"

/* ---- Arguments ------------------------------------------------------------------------------ */

static mgl_status fail_axis(mgl_build *build, mgl_span text, mgl_error *err)
{
    return mgl_draft_fail(build->draft, 0, err,
                          "'%.*s' is not known here; write grid(SIZE,...) for a column of "
                          "'latitude,longitude', grid(lat; SIZE,...), grid(lon; SIZE,...), or "
                          "grid(lon at LATITUDE; SIZEkm,...)",
                          mgl_span_width(text), text.data);
}

/* "lat", "lon" or "lon at 52.5" in front of a semicolon. */
static mgl_status take_axis(mgl_build *build, mgl_span text, mgl_error *err, mgl_grid *g)
{
    static const char at[] = "lon at ";
    mgl_decimal latitude;
    double degrees;
    text = mgl_span_trim(text);
    g->axis = mgl_span_is(text, "lat") ? MGL_GRID_LATITUDE : MGL_GRID_LONGITUDE;
    if (mgl_span_is(text, "lat") || mgl_span_is(text, "lon"))
        return MGL_OK;
    if (text.size < sizeof at || memcmp(text.data, at, sizeof at - 1) != 0)
        return fail_axis(build, text, err);
    mgl_span number =
        mgl_span_trim((mgl_span){text.data + sizeof at - 1, text.size - sizeof at + 1});
    MGL_TRY(mgl_decimal_parameter(build, number, err, &latitude));
    if (!mgl_parse_double(number, &degrees) || degrees <= -90 || degrees >= 90)
        return mgl_draft_fail(build->draft, 0, err,
                              "'%.*s' is no latitude between -90 and 90; write grid(lon at 52.5; "
                              "10km)",
                              mgl_span_width(number), number.data);
    g->at = degrees;
    g->has_at = true;
    return MGL_OK;
}

static bool take_unit(mgl_span *text)
{
    bool km = text->size > 2 && memcmp(text->data + text->size - 2, "km", 2) == 0;
    if (km)
        *text = mgl_span_trim((mgl_span){text->data, text->size - 2});
    return km;
}

static mgl_status take_size(mgl_build *build, mgl_span text, mgl_error *err, mgl_grid *g)
{
    mgl_span number = text;
    bool km = take_unit(&number);
    mgl_decimal size;
    MGL_TRY(mgl_decimal_parameter(build, number, err, &size));
    if (g->n > 0 && km != g->km)
        return mgl_draft_fail(build->draft, 0, err,
                              "'%.*s' is in another unit than the sizes before it: degrees and "
                              "kilometres do not nest; write all of them with km, or none",
                              mgl_span_width(text), text.data);
    if (g->n + 2 > MGL_MOST_LEVELS)
        return mgl_draft_fail(build->draft, 0, err, "there are more than %d levels; leave some out",
                              MGL_MOST_LEVELS);
    g->km = km;
    g->sizes[g->n++] = size;
    return MGL_OK;
}

/* Brings the sizes to one scale and finds how often each goes into the next. */
static mgl_status check_sizes(mgl_build *build, mgl_error *err, mgl_grid *g)
{
    uint32_t scale = 0;
    bool good = true;
    for (size_t i = 0; i < g->n; i++)
        scale = g->sizes[i].scale > scale ? g->sizes[i].scale : scale;
    for (size_t i = 0; i < g->n && good; i++) {
        good = mgl_decimal_rescale(&g->sizes[i], scale) && g->sizes[i].digits > 0;
        if (!good || i == 0)
            continue;
        __int128 before = g->sizes[i - 1].digits, here = g->sizes[i].digits;
        good = here > before && here % before == 0 && here / before <= MGL_GRID_MOST_TIMES;
        g->times[i] = good ? (int64_t)(here / before) : 0;
    }
    double finest = mgl_grid_degrees(g, 0);
    if (!good || finest < MGL_GRID_FINEST || finest > 360)
        return mgl_draft_fail(
            build->draft, 0, err,
            "the sizes of the cells are no numbers that go: from 0.000001 degrees "
            "on (0.0001km), each a larger multiple of the one before; write "
            "grid(0.1,1,10) or grid(1km,10km)");
    return MGL_OK;
}

static mgl_status parse(mgl_build *build, mgl_error *err, mgl_grid *g)
{
    mgl_span rest = build->arguments, text;
    const char *semicolon = memchr(rest.data, ';', rest.size);
    if (semicolon != NULL) {
        size_t size = (size_t)(semicolon - rest.data);
        MGL_TRY(take_axis(build, (mgl_span){rest.data, size}, err, g));
        rest = (mgl_span){semicolon + 1, rest.size - size - 1};
    }
    while (mgl_next_argument(&rest, &text))
        MGL_TRY(take_size(build, text, err, g));
    MGL_TRY(check_sizes(build, err, g));
    if (g->km && g->axis == MGL_GRID_LONGITUDE && !g->has_at)
        return mgl_draft_fail(build->draft, 0, err,
                              "a kilometre is more degrees of longitude the farther north or south "
                              "it is, and this column does not tell where; give a latitude that "
                              "stands for all: grid(lon at 52.5; 10km), or sizes in degrees");
    if (!g->km && g->has_at)
        return mgl_draft_fail(build->draft, 0, err,
                              "a latitude is for sizes in kilometres; write grid(lon; 0.1,1)");
    return MGL_OK;
}

/* ---- Values --------------------------------------------------------------------------------- */

/* Without the brackets around it: (52.5, 13.4). */
static mgl_span without_brackets(mgl_span text)
{
    text = mgl_span_trim(text);
    if (text.size < 2)
        return text;
    char first = text.data[0], last = text.data[text.size - 1];
    bool bracketed = (first == '(' && last == ')') || (first == '[' && last == ']');
    return bracketed ? mgl_span_trim((mgl_span){text.data + 1, text.size - 2}) : text;
}

/* Where latitude ends: at a semicolon, at the only comma, at the first blank; 0: nowhere. Two
 * commas are decimal ones. */
static size_t find_between(mgl_span text)
{
    size_t commas = 0, comma = 0, blank = 0;
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        if (c == ';')
            return i;
        if (c == ',' && commas++ == 0)
            comma = i;
        if ((c == ' ' || c == '\t') && blank == 0)
            blank = i;
    }
    return commas == 1 ? comma : blank;
}

static bool read_degrees(mgl_span text, const mgl_notation *notation, int most, mgl_decimal *out)
{
    static const mgl_notation comma = {.numbers = MGL_NUMBERS_COMMA};
    mgl_decimal bound = {most, 0};
    text = mgl_span_trim(text);
    if (memchr(text.data, ',', text.size) != NULL)
        notation = &comma;
    if (!mgl_decimal_parse(notation, text, out) || !mgl_decimal_rescale(&bound, out->scale))
        return false;
    return out->digits >= -bound.digits && out->digits <= bound.digits;
}

static bool read_point(const mgl_grid *g, const mgl_ground *ground, mgl_span text,
                       mgl_grid_point *out)
{
    *out = (mgl_grid_point){0};
    if (g->axis == MGL_GRID_LATITUDE)
        return read_degrees(text, ground->notation, 90, &out->latitude);
    if (g->axis == MGL_GRID_LONGITUDE)
        return read_degrees(text, ground->notation, 180, &out->longitude);
    text = without_brackets(text);
    size_t at = find_between(text);
    return at > 0 && read_degrees((mgl_span){text.data, at}, NULL, 90, &out->latitude) &&
           read_degrees((mgl_span){text.data + at + 1, text.size - at - 1}, NULL, 180,
                        &out->longitude);
}

static mgl_status fail_value(mgl_build *build, const mgl_grid *g, mgl_span value, mgl_error *err)
{
    static const char *const needs[] = {
        [MGL_GRID_POINT] =
            ("is no place: latitude from -90 to 90, then longitude from -180 to 180, "
             "such as '52.52,13.405' or '52.52 13.405'"),
        [MGL_GRID_LATITUDE] = "is no latitude from -90 to 90",
        [MGL_GRID_LONGITUDE] = "is no longitude from -180 to 180"};
    char shown[MGL_SHOWN];
    return mgl_build_blame(
        build, value, err,
        "the value '%s' %s; correct it, or name it by `missing` if it means missing",
        mgl_shown(value, shown), needs[g->axis]);
}

static mgl_status add_value(mgl_build *build, const mgl_grid *g, size_t i, mgl_buffer *label,
                            mgl_error *err)
{
    mgl_grid_point point;
    mgl_span text = build->ground->values[i].text;
    if (!read_point(g, build->ground, text, &point) || !mgl_grid_reaches(g, &point))
        return fail_value(build, g, text, err);
    MGL_TRY(mgl_build_row(build, &build->ground->values[i], err));
    for (size_t level = 0; level < g->n; level++) {
        label->size = 0;
        mgl_grid_label(g, &point, level, build->ground->notation, label);
        if (label->failed)
            return mgl_fail_memory(err);
        MGL_TRY(mgl_draft_put(build->draft, (uint32_t)level + 1,
                              (mgl_span){label->data, label->size}, err));
    }
    return MGL_OK;
}

mgl_status mgl_build_grid(mgl_build *build, mgl_error *err)
{
    mgl_grid *g = mgl_zeroed_array(1, sizeof *g);
    mgl_buffer label = {0};
    mgl_status status = MGL_OK;
    MGL_GO(g == NULL ? mgl_fail_memory(err) : parse(build, err, g));
    build->draft->n_levels = (uint32_t)g->n + 1;
    for (size_t i = 0; i < build->ground->n; i++)
        MGL_GO(add_value(build, g, i, &label, err));
done:
    mgl_buffer_free(&label);
    mgl_free(g);
    return status;
}
