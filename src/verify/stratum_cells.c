/* Reads the columns of strata of a written release back and compares them, row by row, with what
 * these rows had in the input. */
#include "verify/verify.h"

enum { ROWS_AT_ONCE = 1 << 16 };

/* One column: which value of the input stands for which of the release. */
typedef struct compared {
    const mgl_column *wanted;       /* in the order of the release */
    uint32_t *of_wanted, *of_found; /* [code] its partner; MGL_NOT_FOUND: none yet */
    size_t n_wanted, n_found, room;
} compared;

typedef struct comparing {
    const mgl_promise *promise;
    const mgl_promised_strata *strata;
    compared *columns; /* [promise->n_by] */
    size_t n_rows;     /* that were compared */
    size_t broken;     /* the column that differs; SIZE_MAX: none does */
} comparing;

/* Another format may write a value in its own way, but different ones stay different. */
static bool reads_alike(const comparing *x, mgl_span wanted, mgl_span found)
{
    if (x->promise->neutralized)
        found = mgl_text_without_apostrophe(found);
    return !x->strata->as_texts || mgl_span_equal(wanted, found);
}

/* Pairs two values; false if either has another partner already, or they do not read alike. */
static bool pair(comparing *x, compared *c, const mgl_column *released, uint32_t wanted,
                 uint32_t found)
{
    if (c->of_wanted[wanted] == found && c->of_found[found] == wanted)
        return true;
    if (c->of_wanted[wanted] != MGL_NOT_FOUND || c->of_found[found] != MGL_NOT_FOUND)
        return false;
    c->of_wanted[wanted] = found;
    c->of_found[found] = wanted;
    return reads_alike(x, mgl_dictionary_value(c->wanted->dictionary, wanted),
                       mgl_dictionary_value(released->dictionary, found));
}

static mgl_status compare_rows(void *context, const mgl_table *stripe, mgl_error *err)
{
    comparing *x = context;
    for (size_t i = 0; i < x->promise->n_by; i++) {
        compared *c = &x->columns[i];
        const mgl_column *released = &stripe->columns[i];
        size_t n = mgl_dictionary_size(released->dictionary);
        MGL_TRY(
            mgl_check_memory(mgl_grow(&c->of_found, &c->room, n + 1, sizeof *c->of_found), err));
        for (; c->n_found < n; c->n_found++)
            c->of_found[c->n_found] = MGL_NOT_FOUND;
        for (size_t row = 0; row < stripe->n_rows && x->n_rows + row < x->promise->n_rows; row++)
            if (!pair(x, c, released, mgl_column_code(c->wanted, x->n_rows + row),
                      mgl_column_code(released, row)))
                x->broken = i;
    }
    x->n_rows += stripe->n_rows;
    return MGL_OK;
}

static mgl_status begin(comparing *x, mgl_column_request *requested, mgl_error *err)
{
    for (size_t i = 0; i < x->promise->n_by; i++) {
        compared *c = &x->columns[i];
        c->wanted = x->strata->columns[i];
        c->n_wanted = mgl_dictionary_size(c->wanted->dictionary);
        MGL_TRY(mgl_new_array(c->n_wanted, sizeof *c->of_wanted, err, &c->of_wanted));
        for (size_t v = 0; v < c->n_wanted; v++)
            c->of_wanted[v] = MGL_NOT_FOUND;
        requested[i] = (mgl_column_request){x->promise->top_columns[i], MGL_ROLE_INSENSITIVE};
    }
    return MGL_OK;
}

static mgl_status judge_release(mgl_source *source, const mgl_promise *promise, void *promised,
                                size_t n, mgl_pool *pool, const mgl_progress *progress,
                                mgl_error *err)
{
    const mgl_promised_strata *strata = promised;
    n *= promise->n_by; /* there is one promise */
    if (strata->columns[0]->codes == NULL)
        return MGL_OK;
    mgl_column_request *requested = mgl_alloc_array(n, sizeof *requested);
    comparing x = {.promise = promise,
                   .strata = strata,
                   .columns = mgl_zeroed_array(n, sizeof *x.columns),
                   .broken = SIZE_MAX};
    mgl_table *table = NULL;
    mgl_row_sink sink = {ROWS_AT_ONCE, compare_rows, &x};
    mgl_stream_request request = {requested, n, &sink, pool, progress};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(requested != NULL && x.columns != NULL, err));
    MGL_GO(begin(&x, requested, err));
    MGL_GO(mgl_source_stream(source, &request, err, &table));
    if (x.broken != SIZE_MAX)
        MGL_GO(mgl_fail_at(err, MGL_CODE_INTERNAL, mgl_source_name(source), 0,
                           "column '%.60s' of the written release tells strata apart and is not "
                           "what it was in every row; please report this",
                           promise->names[promise->top_columns[x.broken]]));
done:
    for (size_t i = 0; x.columns != NULL && i < n; i++) {
        mgl_free(x.columns[i].of_wanted);
        mgl_free(x.columns[i].of_found);
    }
    mgl_table_free(table);
    mgl_free(x.columns);
    mgl_free(requested);
    return status;
}

const mgl_judge mgl_strata_judge = {.release = judge_release};
