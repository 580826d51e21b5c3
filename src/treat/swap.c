/* swap(rank P %): rows exchange their values in pairs whose ranks lie near each other. A row of the
 * table in treat_types.c. */
#include "treat/perturbing.h"

enum { TRIES = 64 }; /* draws before all candidates are listed */

/* "rank 5 %", and "within a, b" behind it. */
static bool read(mgl_treat_step *step, mgl_arena *arena, mgl_buffer *wrong)
{
    static const char word[] = "rank ";
    mgl_span rest = step->arguments, first;
    if (mgl_treat_next(&rest, &first) && first.size > sizeof word - 1 &&
        memcmp(first.data, word, sizeof word - 1) == 0 &&
        mgl_treat_read_share(
            mgl_span_trim((mgl_span){first.data + sizeof word - 1, first.size - (sizeof word - 1)}),
            1, &step->share) &&
        mgl_treat_read_columns(step, rest, "within", arena, wrong))
        return true;
    mgl_buffer_text(wrong, "is no treatment: it says how far apart the ranks of two rows may be, "
                           "as a share of the rows up to 100 %; write for example swap(rank 5 %) "
                           "or swap(rank 5 %, within COLUMN)");
    return false;
}

/* Rows of one group in the order of their values, and whether each is in a pair already. */
typedef struct pairing {
    mgl_treat_place *list;
    uint8_t *paired;
    size_t n, window;
    size_t *candidates; /* [n] */
    mgl_random *stream;
} pairing;

/* One of the rows behind this one that are not paired yet and no more than the window away, each as
 * likely; SIZE_MAX: there is none. */
static size_t choose_partner(const pairing *p, size_t at)
{
    size_t most = p->n - 1 - at, n = 0;
    size_t reach = p->window < most ? p->window : most;
    for (int i = 0; reach > 0 && i < TRIES; i++) {
        size_t partner = at + 1 + (size_t)mgl_random_below(p->stream, reach);
        if (!p->paired[partner])
            return partner;
    }
    for (size_t partner = at + 1; partner <= at + reach; partner++)
        if (!p->paired[partner])
            p->candidates[n++] = partner;
    return n > 0 ? p->candidates[mgl_random_below(p->stream, n)] : SIZE_MAX;
}

static void swap_group(const pairing *p, mgl_treat_rows *rows, const mgl_span *texts)
{
    for (size_t at = 0; at < p->n; at++) {
        size_t partner = p->paired[at] ? SIZE_MAX : choose_partner(p, at);
        if (partner == SIZE_MAX)
            continue;
        p->paired[at] = p->paired[partner] = 1;
        rows->texts[p->list[at].row] = texts[partner];
        rows->texts[p->list[partner].row] = texts[at];
    }
}

static mgl_status perturb(const mgl_treat_step *step, mgl_treat_rows *rows, mgl_error *err,
                          mgl_buffer *resolved)
{
    mgl_treat_places places;
    mgl_random stream;
    bool any = false;
    MGL_TRY(mgl_treat_stream(rows, "swap:", mgl_span_of(rows->name), err, &stream));
    MGL_TRY(mgl_treat_places_of(step, rows, true, true, &stream, err, &places));
    mgl_span *texts = mgl_treat_texts(rows, &places);
    uint8_t *paired = mgl_arena_alloc(rows->arena, places.n + 1);
    size_t *candidates = mgl_arena_alloc(rows->arena, (places.n + 1) * sizeof *candidates);
    MGL_TRY(mgl_check_memory(texts != NULL && paired != NULL && candidates != NULL, err));
    memset(paired, 0, places.n + 1);
    for (size_t from = 0, end; from < places.n; from = end) {
        end = mgl_treat_group_end(&places, from);
        pairing p = {places.list + from, paired + from, end - from, 0, candidates, &stream};
        p.window = (size_t)(step->share * (double)p.n + 1e-9);
        any = any || (p.window > 0 && p.n > 1);
        swap_group(&p, rows, texts + from);
    }
    if (!any && rows->bad == SIZE_MAX)
        return mgl_fail(err, MGL_CODE_CONFLICT,
                        "column '%.60s', %.*s: that share of the rows%s is less than one rank, so "
                        "that no row would be swapped; give a larger one",
                        rows->name, mgl_span_width(step->text), step->text.data,
                        step->n_columns > 0 ? " of every group" : "");
    mgl_buffer_span(resolved, step->text);
    return MGL_OK;
}

const mgl_treat_type mgl_treat_swap = {
    .name = "swap",
    .syntax = "swap(rank P %[, within COLUMN...])",
    .help = "not truthful: rows exchange their values in pairs whose ranks lie at most P % of the "
            "rows apart; each value stays as often as it is",
    .example = "swap(rank 5 %): 37 and 39 -> 39 and 37",
    .promise = "a value of the column",
    .exchanges = true,
    .read = read,
    .perturb = perturb,
};
