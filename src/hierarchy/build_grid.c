/* The builder grid: places in cells of a grid on the globe, one level per cell size. */
#include "hierarchy/decimal.h"

#include <math.h>

typedef enum mgl_grid_axis { MGL_GRID_POINT, MGL_GRID_LATITUDE, MGL_GRID_LONGITUDE } mgl_grid_axis;

#define MGL_GRID_FINEST 0.000000899 /* degrees: a decimetre */
enum { MGL_GRID_MOST_TIMES = 1000000000 };

typedef struct mgl_grid {
    mgl_grid_axis axis;
    bool km, has_at;
    double at; /* the latitude at which a kilometre of longitude is measured */
    size_t n;
    mgl_decimal sizes[MGL_MOST_LEVELS]; /* [n] of one scale, in degrees or kilometres */
    int64_t times[MGL_MOST_LEVELS];     /* [n] how often the size before goes into this one */
} mgl_grid;

typedef struct mgl_grid_point {
    mgl_decimal latitude, longitude; /* degrees */
} mgl_grid_point;

static const double pi = 3.14159265358979323846;
static const double radius = 6371.0088; /* km: the mean radius of IUGG */

static double km_per_degree(void)
{
    return pi * radius / 180;
}

static double number_of(mgl_decimal decimal)
{
    double number = (double)decimal.digits;
    for (uint32_t i = 0; i < decimal.scale; i++)
        number /= 10;
    return number;
}

/* The height of a cell. */
static double grid_degrees(const mgl_grid *g, size_t level)
{
    double size = number_of(g->sizes[level]);
    return g->km ? size / km_per_degree() : size;
}

/* ---- Degrees -------------------------------------------------------------------------------- */

static __int128 floor_of(__int128 a, __int128 b)
{
    return a / b - (a % b < 0);
}

/* False if the coordinates have more digits than can be computed with. */
static bool grid_reaches(const mgl_grid *g, const mgl_grid_point *point)
{
    mgl_decimal parts[] = {point->latitude, point->longitude, g->sizes[g->n - 1]};
    uint32_t scale = 0;
    for (size_t i = 0; i < 3; i++)
        scale = parts[i].scale > scale ? parts[i].scale : scale;
    for (size_t i = 0; i < 3; i++)
        if (!mgl_decimal_rescale(&parts[i], scale))
            return false;
    return true;
}

/* LOW..HIGH of the multiples of the size around the number, within -most..most. The end `most`
 * belongs to the last one. */
static void write_multiples(const mgl_notation *notation, mgl_decimal number, mgl_decimal size,
                            int most, mgl_buffer *out)
{
    mgl_decimal bound = {most, 0}, fine = size;
    uint32_t scale = number.scale > size.scale ? number.scale : size.scale;
    char text[MGL_DECIMAL_TEXT];
    (void)mgl_decimal_rescale(&number, scale);
    (void)mgl_decimal_rescale(&fine, scale);
    (void)mgl_decimal_rescale(&bound, size.scale);
    __int128 low = floor_of(number.digits, fine.digits) * size.digits;
    if (low >= bound.digits)
        low -= size.digits;
    __int128 high = low + size.digits;
    low = low > -bound.digits ? low : -bound.digits;
    high = high < bound.digits ? high : bound.digits;
    mgl_decimal_write(notation, low, size.scale, text);
    mgl_buffer_format(out, "%s..", text);
    mgl_decimal_write(notation, high, size.scale, text);
    mgl_buffer_text(out, text);
}

/* The two ends of the range of longitudes are one meridian. */
static mgl_decimal around(mgl_decimal longitude)
{
    mgl_decimal end = {180, 0};
    (void)mgl_decimal_rescale(&end, longitude.scale);
    if (longitude.digits == end.digits)
        longitude.digits = -end.digits;
    return longitude;
}

/* ---- Kilometres ----------------------------------------------------------------------------- */

/* Bounds of cells are no round numbers: they are written to a thousandth of the height. */
static void write_bounds(const mgl_notation *notation, double low, double high, double height,
                         mgl_buffer *out)
{
    char text[MGL_DECIMAL_TEXT];
    uint32_t digits = 0;
    double unit = 1;
    for (; unit * height < 1000; unit *= 10)
        digits++;
    mgl_decimal_write(notation, (__int128)llround(low * unit), digits, text);
    mgl_buffer_format(out, "%s..", text);
    mgl_decimal_write(notation, (__int128)llround(high * unit), digits, text);
    mgl_buffer_text(out, text);
}

/* The number of the band, from the equator, on this level. Counted on the finest one, so that bands
 * nest. */
static int64_t band_of(const mgl_grid *g, double latitude, size_t level)
{
    double height = grid_degrees(g, 0);
    int64_t band = (int64_t)floor(latitude / height);
    if ((double)band * height >= 90)
        band--;
    for (size_t l = 1; l <= level; l++)
        band = (int64_t)floor_of(band, g->times[l]);
    return band;
}

static double circle_of(const mgl_grid *g, double latitude, size_t level)
{
    if (g->has_at)
        return 360 * cos(g->at * pi / 180);
    double height = grid_degrees(g, level);
    int64_t band = band_of(g, latitude, level);
    /* The length in degrees of the equator of the circle where the band is narrowest. */
    double edge = fmax(fabs((double)band * height), fabs((double)(band + 1) * height));
    return edge >= 90 ? 0 : 360 * cos(edge * pi / 180);
}

/* How many cells lie around the earth where the point is: on each level a
 * whole number in each cell of the next one. */
static double cells_around(const mgl_grid *g, double latitude, size_t level)
{
    double cells = 1;
    for (size_t l = g->n; l-- > level;) {
        double more = floor(circle_of(g, latitude, l) / grid_degrees(g, l) / cells);
        cells *= fmax(1, more);
    }
    return cells;
}

static void write_longitudes(const mgl_grid *g, const mgl_grid_point *point, size_t level,
                             const mgl_notation *notation, mgl_buffer *out)
{
    double latitude = number_of(point->latitude);
    double finest = cells_around(g, latitude, 0), cells = cells_around(g, latitude, level);
    double turn = (number_of(around(point->longitude)) + 180) / 360;
    double cell = fmin(floor(turn * finest), finest - 1);
    cell = floor(cell / (finest / cells));
    write_bounds(notation, cell * 360 / cells - 180, (cell + 1) * 360 / cells - 180,
                 grid_degrees(g, level), out);
}

/* ---- Labels --------------------------------------------------------------------------------- */

/* Appends the cell that the point lies in: SOUTH..NORTH WEST..EAST, or one of the two. */
static void grid_label(const mgl_grid *g, const mgl_grid_point *point, size_t level,
                       const mgl_notation *notation, mgl_buffer *out)
{
    const mgl_notation *written = g->axis == MGL_GRID_POINT ? NULL : notation;
    if (g->axis != MGL_GRID_LONGITUDE) {
        if (g->km) {
            double height = grid_degrees(g, level);
            double south = (double)band_of(g, number_of(point->latitude), level) * height;
            write_bounds(written, fmax(south, -90), fmin(south + height, 90), height, out);
        } else
            write_multiples(written, point->latitude, g->sizes[level], 90, out);
    }
    if (g->axis == MGL_GRID_POINT)
        mgl_buffer_text(out, " ");
    if (g->axis != MGL_GRID_LATITUDE) {
        if (g->km)
            write_longitudes(g, point, level, written, out);
        else
            write_multiples(written, around(point->longitude), g->sizes[level], 180, out);
    }
}

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
    double finest = grid_degrees(g, 0);
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
                              "it is, and this column does not show where; give a latitude that "
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
    if (!read_point(g, build->ground, text, &point) || !grid_reaches(g, &point))
        return fail_value(build, g, text, err);
    MGL_TRY(mgl_build_row(build, &build->ground->values[i], err));
    for (size_t level = 0; level < g->n; level++) {
        label->size = 0;
        grid_label(g, &point, level, build->ground->notation, label);
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
