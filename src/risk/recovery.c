/* A column that gives back a generalized one: the ground value that goes with each of its values is
 * put into the released tuples, and the classes are counted again. */
#include "risk/guard.h"

#define ENOUGH 0.95 /* of the rows whose value occurs twice or more */

struct mgl_recovery {
    const char *column;
    const mgl_frequency_list *list;
    const mgl_recoding *recoding;
    mgl_map *values;
    uint32_t *codes, *tuples; /* [row] */
    size_t n_rows, room_codes, room_tuples;
};

mgl_status mgl_recovery_new(const char *column, const mgl_frequency_list *list,
                            const mgl_recoding *recoding, mgl_error *err, mgl_recovery **out)
{
    mgl_recovery *r = mgl_zeroed_array(1, sizeof *r);
    if (r == NULL)
        return mgl_fail_memory(err);
    *r = (mgl_recovery){.column = column, .list = list, .recoding = recoding};
    r->values = mgl_map_new();
    if (r->values == NULL) {
        mgl_recovery_free(r);
        return mgl_fail_memory(err);
    }
    *out = r;
    return MGL_OK;
}

void mgl_recovery_free(mgl_recovery *recovery)
{
    if (recovery == NULL)
        return;
    mgl_map_free(recovery->values);
    mgl_free(recovery->codes);
    mgl_free(recovery->tuples);
    mgl_free(recovery);
}

bool mgl_recovery_watch(mgl_recovery *r, mgl_span cell, uint32_t tuple)
{
    uint32_t code = mgl_map_add(r->values, cell);
    if (code == MGL_NOT_FOUND ||
        !mgl_grow(&r->codes, &r->room_codes, r->n_rows + 1, sizeof *r->codes) ||
        !mgl_grow(&r->tuples, &r->room_tuples, r->n_rows + 1, sizeof *r->tuples))
        return false;
    r->codes[r->n_rows] = code;
    r->tuples[r->n_rows++] = tuple;
    return true;
}

/* What is known about each value of the column, with respect to one attribute. */
typedef struct known {
    uint64_t *rows;   /* [value] */
    uint32_t *ground; /* [value] the leaf it goes with */
    bool *single;     /* [value] with no other */
} known;

static bool gather(const mgl_recovery *r, size_t a, known *k)
{
    size_t n = mgl_map_size(r->values);
    k->rows = mgl_zeroed_array(n, sizeof *k->rows);
    k->ground = mgl_alloc_array(n, sizeof *k->ground);
    k->single = mgl_zeroed_array(n, sizeof *k->single);
    if (k->rows == NULL || k->ground == NULL || k->single == NULL)
        return false;
    for (size_t i = 0; i < r->n_rows; i++) {
        uint32_t code = r->codes[i], leaf = mgl_list_leaf(r->list, r->tuples[i], a);
        if (k->rows[code]++ == 0) {
            k->ground[code] = leaf;
            k->single[code] = true;
        }
        k->single[code] = k->single[code] && k->ground[code] == leaf;
    }
    return true;
}

/* Rows that have a cell of theirs recovered, by tuple. A value that occurs once tells nothing that
 * its row does not. */
static bool count_recovered(const mgl_recovery *r, const known *k, uint64_t *recovered)
{
    uint64_t repeated = 0, told = 0;
    for (size_t i = 0; i < r->n_rows; i++) {
        uint32_t code = r->codes[i];
        if (k->rows[code] < 2)
            continue;
        repeated++;
        told += k->single[code];
        recovered[r->tuples[i]] += k->single[code];
    }
    return repeated > 0 && (double)told >= ENOUGH * (double)repeated;
}

/* Released tuples twice over: as they are, and with the ground value in place of the cell. */
typedef struct recount {
    uint32_t **cells; /* [a][2 n] */
    uint32_t *n_values;
    uint64_t *counts; /* [2 n] */
    mgl_classes classes;
} recount;

static uint64_t rows_below(const mgl_classes *classes, const uint64_t *counts, size_t n, uint64_t k)
{
    uint64_t rows = 0;
    for (size_t t = 0; t < n; t++)
        rows += classes->sizes[classes->of_tuple[t]] < k ? counts[t] : 0;
    return rows;
}

static mgl_status begin_recount(recount *x, const mgl_recovery *r, mgl_error *err)
{
    size_t m = r->list->n_attributes, n = r->list->n_tuples;
    x->cells = mgl_zeroed_array(m, sizeof *x->cells);
    x->n_values = mgl_alloc_array(m, sizeof *x->n_values);
    x->counts = mgl_zeroed_array(2 * n, sizeof *x->counts);
    bool whole = x->cells != NULL && x->n_values != NULL && x->counts != NULL;
    for (size_t i = 0; whole && i < m; i++) {
        x->cells[i] = mgl_alloc_array(2 * n, sizeof **x->cells);
        whole = x->cells[i] != NULL;
        if (!whole)
            break;
        memcpy(x->cells[i], r->recoding->cells[i], n * sizeof **x->cells);
        memcpy(x->cells[i] + n, r->recoding->cells[i], n * sizeof **x->cells);
        x->n_values[i] = r->recoding->columns[i]->n_values + r->list->hierarchies[i]->n_leaves;
    }
    return whole ? mgl_classes_init(&x->classes, 2 * n, m, err) : mgl_fail_memory(err);
}

static void end_recount(recount *x, size_t m)
{
    for (size_t i = 0; x->cells != NULL && i < m; i++)
        mgl_free(x->cells[i]);
    mgl_free(x->cells);
    mgl_free(x->n_values);
    mgl_free(x->counts);
    mgl_classes_free(&x->classes);
}

/* Rows in classes below k, before and with the recovered cells. */
static mgl_status count_again(const mgl_recovery *r, size_t a, const uint64_t *recovered,
                              uint64_t k, mgl_error *err, uint64_t *before, uint64_t *after)
{
    size_t m = r->list->n_attributes, n = r->list->n_tuples;
    recount x = {0};
    mgl_status status = begin_recount(&x, r, err);
    if (status == MGL_OK) {
        for (size_t i = 0; i < r->n_rows; i++)
            x.counts[r->tuples[i]]++;
        mgl_classes_group(&x.classes, x.cells, x.n_values, NULL, m, x.counts);
        *before = rows_below(&x.classes, x.counts, 2 * n, k);
        for (size_t t = 0; t < n; t++) {
            x.cells[a][n + t] = r->recoding->columns[a]->n_values + mgl_list_leaf(r->list, t, a);
            x.counts[n + t] = recovered[t];
            x.counts[t] -= recovered[t];
        }
        mgl_classes_group(&x.classes, x.cells, x.n_values, NULL, m, x.counts);
        *after = rows_below(&x.classes, x.counts, 2 * n, k);
    }
    end_recount(&x, m);
    return status;
}

mgl_status mgl_recovery_judge(const mgl_recovery *r, size_t a, const char *name, uint64_t k,
                              mgl_error *err, mgl_objections *out)
{
    known know = {0};
    uint64_t *recovered = mgl_zeroed_array(r->list->n_tuples, sizeof *recovered);
    uint64_t before = 0, after = 0, rows = 0;
    mgl_status status = recovered == NULL || !gather(r, a, &know) ? mgl_fail_memory(err) : MGL_OK;
    if (status == MGL_OK && count_recovered(r, &know, recovered))
        status = count_again(r, a, recovered, k, err, &before, &after);
    for (size_t t = 0; status == MGL_OK && t < r->list->n_tuples; t++)
        rows += recovered[t];
    if (status == MGL_OK && after > before)
        mgl_objections_add(out,
                           &(mgl_objection){.code = "recovers-column",
                                            .column = r->column,
                                            .remedy = "make it a quasi-identifier, or an "
                                                      "identifier, which is not released",
                                            .rows = after - before},
                           "gives back the value of \"%.60s\" in %llu rows; with it %llu rows are "
                           "alike to fewer than %llu",
                           name, (unsigned long long)rows, (unsigned long long)(after - before),
                           (unsigned long long)k);
    mgl_free(recovered);
    mgl_free(know.rows);
    mgl_free(know.ground);
    mgl_free(know.single);
    return status;
}
