/* Reads the treated columns of a release back and asks of every different value whether it is one
 * that the treatments promise. The audit asks it of a release and the result
 * that reports it as well. */
#include "verify/shifted.h"

enum { ROWS_AT_ONCE = 1 << 16 };

/* The values stay in the dictionaries; rows are of no use here. */
static mgl_status take_nothing(void *context, const mgl_table *stripe, mgl_error *err)
{
    (void)context, (void)stripe, (void)err;
    return MGL_OK;
}

static bool is_missing(const mgl_treated_reading *how, const mgl_dictionary *dictionary,
                       uint32_t code)
{
    mgl_span value = mgl_dictionary_value(dictionary, code);
    if (code == mgl_dictionary_missing(dictionary) || mgl_span_equal(value, how->no_value))
        return true;
    for (size_t i = 0; i < how->n_missing; i++)
        if (mgl_span_equal(value, how->missing[i]))
            return true;
    return false;
}

/* Who has only the file cannot always tell how its numbers are written: one way must do. */
static const mgl_treat_step *broken_in_all(const mgl_treat *treat, mgl_span value)
{
    const mgl_treat_step *broken = NULL;
    for (int n = 0; n < MGL_NUMBER_NOTATIONS; n++) {
        mgl_notation notation = {.numbers = (mgl_number_notation)n};
        if ((broken = mgl_treat_broken(treat, &notation, value)) == NULL)
            break;
    }
    return broken;
}

/* Some treatments leave no value of the table. */
static const mgl_treat_step *shows_raw(const mgl_promised_treat *promised, mgl_span value)
{
    const mgl_treat *treat = promised->treat;
    if (promised->raw == NULL || !mgl_treat_is_one_to_one(treat) ||
        mgl_dictionary_find(promised->raw->dictionary, value) == MGL_NOT_FOUND)
        return NULL;
    return &treat->steps[treat->n_steps - 1];
}

static void judge(const mgl_treated_reading *how, const mgl_dictionary *dictionary,
                  mgl_promised_treat *promised)
{
    promised->values = 0;
    promised->broken = NULL;
    for (uint32_t code = 0; code < mgl_dictionary_size(dictionary); code++) {
        mgl_span value = mgl_dictionary_value(dictionary, code);
        if (is_missing(how, dictionary, code))
            continue;
        if (how->neutralized)
            value = mgl_text_without_apostrophe(value);
        promised->values++;
        if (promised->broken == NULL)
            promised->broken = promised->notation != NULL
                                   ? mgl_treat_broken(promised->treat, promised->notation, value)
                                   : broken_in_all(promised->treat, value);
        if (promised->broken == NULL)
            promised->broken = shows_raw(promised, value);
    }
}

mgl_status mgl_verify_treated(mgl_source *source, const mgl_treated_reading *how,
                              mgl_promised_treat *promised, size_t n, mgl_error *err)
{
    mgl_column_wish *wishes = mgl_alloc_array(n, sizeof *wishes);
    mgl_table *table = NULL;
    mgl_row_sink sink = {ROWS_AT_ONCE, take_nothing, NULL};
    mgl_stream_order order = {wishes, n, &sink, how->pool, how->progress};
    mgl_status status = MGL_OK;
    if (wishes == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t i = 0; i < n; i++)
        wishes[i] = (mgl_column_wish){promised[i].column, MGL_ROLE_INSENSITIVE};
    MGL_GO(mgl_source_stream(source, &order, err, &table));
    for (size_t i = 0; i < n; i++)
        judge(how, table->columns[i].dictionary, &promised[i]);
done:
    mgl_table_free(table);
    mgl_free(wishes);
    return status;
}

static mgl_status judge_release(mgl_source *source, const mgl_promise *promise, void *promised,
                                size_t n, mgl_pool *pool, const mgl_progress *progress,
                                mgl_error *err)
{
    mgl_treated_reading how = {.missing = promise->source.missing,
                               .n_missing = promise->source.n_missing,
                               .no_value = promise->source.no_value,
                               .neutralized = promise->neutralized,
                               .pool = pool,
                               .progress = progress};
    MGL_TRY(mgl_verify_treated(source, &how, promised, n, err));
    for (size_t i = 0; i < n; i++) {
        const mgl_promised_treat *treated = (const mgl_promised_treat *)promised + i;
        const mgl_treat_step *broken = treated->broken;
        if (treated->values > treated->most_values ||
            (treated->all_values && treated->values < treated->most_values))
            return mgl_fail_at(err, MGL_CODE_INTERNAL, mgl_source_name(source), 0,
                               "column '%.60s' of the written release has %llu different values "
                               "where %llu were written; please report this",
                               promise->names[treated->column], (unsigned long long)treated->values,
                               (unsigned long long)treated->most_values);
        if (broken != NULL)
            return mgl_fail_at(err, MGL_CODE_INTERNAL, mgl_source_name(source), 0,
                               "column '%.60s' of the written release has a value that is not %s, "
                               "as %.*s promises; please report this",
                               promise->names[treated->column], broken->type->promise,
                               mgl_span_width(broken->said), broken->said.data);
    }
    return mgl_verify_shifts(source, promise, promised, n, pool, progress, err);
}

const mgl_judge mgl_treat_judge = {.release = judge_release};
