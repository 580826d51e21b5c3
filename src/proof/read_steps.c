/* Reads the steps of a better bound. read.c calls it for certificates that have them. */
#include "proof/reader.h"

#include <stdlib.h>

#define MOST_PRICE (UINT64_C(1) << 62)

static mgl_status take_prices(const mgl_proof_reader *r, const json_t *list, mgl_proof_step *step)
{
    size_t n = r->proof->n_tuples;
    int64_t *prices = mgl_proof_room(r, n, sizeof *prices);
    if (prices == NULL)
        return mgl_fail_memory(r->err);
    if (!json_is_array(list) || json_array_size(list) != n)
        return mgl_proof_wrong(r, "a step has not one price for each tuple");
    for (size_t t = 0; t < n; t++) {
        const json_t *price = json_array_get(list, t);
        prices[t] = json_integer_value(price);
        if (!json_is_integer(price) || prices[t] == INT64_MIN ||
            (uint64_t)llabs(prices[t]) > MOST_PRICE)
            return mgl_proof_wrong(r, "a price of a step is none");
    }
    step->prices = prices;
    return MGL_OK;
}

/* The price, then the tuples, ascending. */
static mgl_status take_cut(const mgl_proof_reader *r, const json_t *list, mgl_proof_cut *cut)
{
    size_t n;
    uint64_t price;
    MGL_TRY(mgl_proof_take_list(r, list, 2, "a cut is none", &n));
    uint32_t *tuples = mgl_proof_room(r, n, sizeof *tuples);
    if (tuples == NULL)
        return mgl_fail_memory(r->err);
    MGL_TRY(mgl_proof_take_whole(r, json_array_get(list, 0), 0, MOST_PRICE, "a cut has no price",
                                 &price));
    for (size_t i = 1; i < n; i++) {
        MGL_TRY(mgl_proof_take_number(r, json_array_get(list, i), (uint32_t)r->proof->n_tuples,
                                      "a cut has a tuple that is not there", &tuples[i - 1]));
        if (i > 1 && tuples[i - 1] <= tuples[i - 2])
            return mgl_proof_wrong(r, "the tuples of a cut are not ascending");
    }
    *cut = (mgl_proof_cut){(int64_t)price, tuples, n - 1};
    return MGL_OK;
}

static mgl_status take_pair(const mgl_proof_reader *r, const json_t *list, mgl_proof_step *step)
{
    if (json_array_size(list) != 2)
        return mgl_proof_wrong(r, "a pair is none");
    for (size_t i = 0; i < 2; i++)
        MGL_TRY(mgl_proof_take_number(r, json_array_get(list, i), (uint32_t)r->proof->n_tuples,
                                      "a pair has a tuple that is not there", &step->pair[i]));
    return step->pair[0] != step->pair[1] ? MGL_OK : mgl_proof_wrong(r, "a pair is none");
}

static mgl_status take_step(const mgl_proof_reader *r, const json_t *from, mgl_proof_step *step)
{
    static const char *const kinds[] = {
        [MGL_PROOF_TOGETHER] = "together", [MGL_PROOF_APART] = "apart", [MGL_PROOF_END] = "end"};
    const json_t *cuts = json_object_get(from, "cuts");
    uint64_t left;
    *step = (mgl_proof_step){0};
    for (int kind = MGL_PROOF_TOGETHER; kind <= MGL_PROOF_END; kind++)
        if (json_object_get(from, kinds[kind]) != NULL) {
            step->kind = (mgl_proof_kind)kind;
            return take_pair(r, json_object_get(from, kinds[kind]), step);
        }
    MGL_TRY(take_prices(r, json_object_get(from, "prices"), step));
    MGL_TRY(mgl_proof_take_whole(r, json_object_get(from, "left"), 0, MOST_PRICE,
                                 "a step has no price of rows left out", &left));
    MGL_TRY(mgl_proof_take_list(r, cuts, 0, "a step has no list of cuts", &step->n_cuts));
    mgl_proof_cut *room = mgl_proof_room(r, step->n_cuts, sizeof *room);
    if (room == NULL)
        return mgl_fail_memory(r->err);
    for (size_t i = 0; i < step->n_cuts; i++)
        MGL_TRY(take_cut(r, json_array_get(cuts, i), &room[i]));
    step->left = (int64_t)left;
    step->cuts = room;
    return MGL_OK;
}

static mgl_status take_steps(const mgl_proof_reader *r, const json_t *from, mgl_proof_exact *exact)
{
    uint64_t times, step;
    const json_t *list = json_object_get(from, "steps");
    MGL_TRY(mgl_proof_take_whole(r, json_object_get(from, "times"), 1, UINT64_C(1) << 52,
                                 "its steps have no unit", &times));
    MGL_TRY(mgl_proof_take_whole(r, json_object_get(from, "step"), 1, MOST_PRICE,
                                 "its steps do not tell how costs differ", &step));
    MGL_TRY(mgl_proof_take_list(r, list, 1, "it has no steps", &exact->n_steps));
    mgl_proof_step *steps = mgl_proof_room(r, exact->n_steps, sizeof *steps);
    if (steps == NULL)
        return mgl_fail_memory(r->err);
    for (size_t i = 0; i < exact->n_steps; i++)
        MGL_TRY(take_step(r, json_array_get(list, i), &steps[i]));
    if (steps[0].kind != MGL_PROOF_PRICES || steps[0].n_cuts > 0)
        return mgl_proof_wrong(r, "its first step has no prices, or cuts");
    exact->times = (int64_t)times;
    exact->step = (int64_t)step;
    exact->steps = steps;
    return MGL_OK;
}

/* Few tuples need no steps. */
static mgl_status take_sets(const mgl_proof_reader *r, const json_t *method, mgl_proof_exact *exact)
{
    if (!json_is_string(method) || strcmp(json_string_value(method), "sets") != 0)
        return mgl_proof_wrong(r, "its better bound is proved in a way that is not known");
    if (r->proof->n_tuples > MGL_PROOF_FEW)
        return mgl_proof_wrong(r, "it has too many tuples to divide them in all ways");
    exact->sets = true;
    exact->times = exact->step = 1;
    return MGL_OK;
}

mgl_status mgl_proof_read_exact(const mgl_proof_reader *r, const json_t *from)
{
    uint64_t bound;
    const json_t *method = json_object_get(from, "method");
    const json_t *rounded = json_object_get(from, "rounded");
    if (from == NULL)
        return MGL_OK;
    mgl_proof_exact *exact = mgl_proof_room(r, 1, sizeof *exact);
    if (exact == NULL)
        return mgl_fail_memory(r->err);
    if (!json_is_boolean(rounded))
        return mgl_proof_wrong(r, "its steps do not tell whether costs are rounded");
    MGL_TRY(mgl_proof_take_whole(r, json_object_get(from, "bound"), 0, MOST_PRICE,
                                 "its steps have no bound", &bound));
    *exact = (mgl_proof_exact){.rounded = json_is_true(rounded), .bound = (int64_t)bound};
    MGL_TRY(method != NULL ? take_sets(r, method, exact) : take_steps(r, from, exact));
    r->proof->exact = exact;
    return MGL_OK;
}
