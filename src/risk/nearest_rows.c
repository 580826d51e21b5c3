/* How many rows are found by distance: by someone who has numbers as they were, and takes the
 * original row that lies nearest to a released one. */
#include "risk/risk.h"

#include <math.h>

/* Steps of a search, so that a large table does not take long: what is left is not tried. */
enum { MOST_STEPS = 50000000 };

typedef struct row {
    double first;
    uint32_t number;
} row;

static const mgl_sort_key by_first[] = {MGL_ASCENDING(row, first), MGL_ASCENDING(row, number),
                                        MGL_SORT_END};

typedef struct finding {
    const mgl_distance_request *request;
    row *rows; /* [n] by the first number */
    size_t n;
    double scale[MGL_MOST_DISTANCE_COLUMNS]; /* the unit of distances */
    uint64_t steps;
} finding;

static bool is_complete(const mgl_distance_request *r, size_t at)
{
    bool complete = true;
    for (size_t c = 0; c < r->n_columns; c++)
        complete = complete && !isnan(r->before[c][at]) && !isnan(r->after[c][at]);
    return complete;
}

/* The standard deviation of a column before, or 1 if that is 0. */
static double deviation_of(const finding *f, size_t c)
{
    double mean = 0, squares = 0;
    for (size_t i = 0; i < f->n; i++) {
        double x = f->request->before[c][f->rows[i].number], off = x - mean;
        mean += off / (double)(i + 1);
        squares += off * (x - mean);
    }
    return squares > 0 ? sqrt(squares / (double)f->n) : 1;
}

static double distance(const finding *f, size_t released, size_t original)
{
    double sum = 0;
    for (size_t c = 0; c < f->request->n_columns; c++) {
        double off =
            (f->request->after[c][released] - f->request->before[c][original]) / f->scale[c];
        sum += off * off;
    }
    return sum;
}

/* The chance that the nearest original row is the row's own: rows that lie as near are as likely.
 */
static double chance_of(finding *f, size_t released)
{
    double number = f->request->after[0][released], best = INFINITY;
    double own = distance(f, released, released);
    size_t up = 0, end = f->n, nearest = 0;
    MGL_BISECT(up, end, i, f->rows[i].first < number)
    size_t down = up;
    bool more = true;
    while (more) {
        double above = up < f->n ? (f->rows[up].first - number) / f->scale[0] : INFINITY;
        double below = down > 0 ? (number - f->rows[down - 1].first) / f->scale[0] : INFINITY;
        double step = above < below ? above : below;
        more = (up < f->n || down > 0) && step * step <= best;
        if (!more)
            break;
        size_t at = above <= below ? up++ : --down;
        double d = distance(f, released, f->rows[at].number);
        nearest = d < best ? 1 : nearest + (d == best);
        best = d < best ? d : best;
        f->steps++;
    }
    return own <= best && nearest > 0 ? 1 / (double)nearest : 0;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b > 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

mgl_status mgl_rows_found_by_distance(const mgl_distance_request *request, mgl_error *err,
                                      mgl_distance_found *out)
{
    finding f = {.request = request};
    *out = (mgl_distance_found){.rows = 0};
    MGL_TRY(mgl_new_array(request->n_rows, sizeof *f.rows, err, &f.rows));
    for (size_t at = 0; at < request->n_rows; at++)
        if (is_complete(request, at))
            f.rows[f.n++] = (row){request->before[0][at], (uint32_t)at};
    for (size_t c = 0; c < request->n_columns; c++)
        f.scale[c] = deviation_of(&f, c);
    mgl_sort(f.rows, f.n, sizeof *f.rows, by_first);
    /* Far apart one after the other, so that those that are tried lie all over the table. */
    size_t jump = (size_t)(0.6180339887498949 * (double)f.n) + 1;
    while (f.n > 0 && common_divisor(jump, f.n) != 1)
        jump++;
    for (size_t i = 0, at = 0; i < f.n && f.steps < MOST_STEPS; i++, at = (at + jump) % f.n) {
        out->found += chance_of(&f, f.rows[at].number);
        out->rows++;
    }
    mgl_free(f.rows);
    return MGL_OK;
}
