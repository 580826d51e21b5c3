/* Finds the cell of a grid that a place lies in. build_grid.c calls it.
 *
 * Degrees: cells begin at multiples of their size, computed exactly, and end at the poles and at
 * 180 degrees. Kilometres, on a sphere of the mean radius of the earth: bands of that height from
 * the equator to the poles; in each band as many equal cells as are at least that wide at its end
 * nearer to the pole, and for nested sizes a whole number of cells in each larger one. So no cell
 * is narrower than its size. The last band before a pole is cut off there. */
#include "hierarchy/grid.h"

#include <math.h>

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

double mgl_grid_degrees(const mgl_grid *g, size_t level)
{
    double size = number_of(g->sizes[level]);
    return g->km ? size / km_per_degree() : size;
}

/* ---- Degrees -------------------------------------------------------------------------------- */

static __int128 floor_of(__int128 a, __int128 b)
{
    return a / b - (a % b < 0);
}

bool mgl_grid_reaches(const mgl_grid *g, const mgl_grid_point *point)
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
    double height = mgl_grid_degrees(g, 0);
    int64_t band = (int64_t)floor(latitude / height);
    if ((double)band * height >= 90)
        band--;
    for (size_t l = 1; l <= level; l++)
        band = (int64_t)floor_of(band, g->times[l]);
    return band;
}

/* The length in degrees of the equator of the circle where the band is narrowest. */
static double narrowest(double south, double north)
{
    double edge = fmax(fabs(south), fabs(north));
    return edge >= 90 ? 0 : 360 * cos(edge * pi / 180);
}

static double circle_of(const mgl_grid *g, double latitude, size_t level)
{
    if (g->has_at)
        return 360 * cos(g->at * pi / 180);
    double height = mgl_grid_degrees(g, level);
    int64_t band = band_of(g, latitude, level);
    return narrowest((double)band * height, (double)(band + 1) * height);
}

/* How many cells lie around the earth where the point is: on each level a
 * whole number in each cell of the next one. */
static double cells_around(const mgl_grid *g, double latitude, size_t level)
{
    double cells = 1;
    for (size_t l = g->n; l-- > level;) {
        double more = floor(circle_of(g, latitude, l) / mgl_grid_degrees(g, l) / cells);
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
                 mgl_grid_degrees(g, level), out);
}

static void write_latitudes(const mgl_grid *g, const mgl_grid_point *point, size_t level,
                            const mgl_notation *notation, mgl_buffer *out)
{
    double height = mgl_grid_degrees(g, level);
    double south = (double)band_of(g, number_of(point->latitude), level) * height;
    write_bounds(notation, fmax(south, -90), fmin(south + height, 90), height, out);
}

/* ---- Labels --------------------------------------------------------------------------------- */

void mgl_grid_label(const mgl_grid *g, const mgl_grid_point *point, size_t level,
                    const mgl_notation *notation, mgl_buffer *out)
{
    const mgl_notation *written = g->axis == MGL_GRID_POINT ? NULL : notation;
    if (g->axis != MGL_GRID_LONGITUDE) {
        if (g->km)
            write_latitudes(g, point, level, written, out);
        else
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
