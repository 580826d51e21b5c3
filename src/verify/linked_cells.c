/* Reads the linked columns of a release back and compares, among rows that are equal in the
 * quasi-identifiers that a column follows, its cells. */
#include "verify/verify.h"

enum { ROWS_AT_ONCE = 1 << 16 };

/* Cells that were seen together: a number for each combination. */
typedef struct seen {
    mgl_map *combinations; /* codes of the leads as bytes */
    uint32_t *code;        /* [combination] of the column that follows */
    size_t room;
    size_t first; /* column of the table; the leads come behind it */
    mgl_promised_link *link;
} seen;

typedef struct looking {
    seen *links;
    size_t n;
} looking;

static mgl_status see_row(seen *s, const mgl_table *stripe, size_t row, mgl_buffer *key,
                          mgl_error *err)
{
    uint32_t code = mgl_column_code(&stripe->columns[s->first], row);
    key->size = 0;
    for (size_t i = 0; i < s->link->n_leads; i++) {
        uint32_t lead = mgl_column_code(&stripe->columns[s->first + 1 + i], row);
        mgl_buffer_append(key, (const char *)&lead, sizeof lead);
    }
    if (key->failed)
        return mgl_fail_memory(err);
    uint32_t before = mgl_map_size(s->combinations);
    uint32_t number = mgl_map_add(s->combinations, (mgl_span){key->data, key->size});
    if (number == MGL_NOT_FOUND || !mgl_grow(&s->code, &s->room, number + 1, sizeof *s->code))
        return mgl_fail_memory(err);
    if (number == before)
        s->code[number] = code;
    s->link->broken = s->link->broken || s->code[number] != code;
    return MGL_OK;
}

static mgl_status see_rows(void *context, const mgl_table *stripe, mgl_error *err)
{
    looking *l = context;
    mgl_buffer key = {0};
    mgl_status status = MGL_OK;
    for (size_t i = 0; i < l->n; i++)
        for (size_t row = 0; row < stripe->n_rows; row++)
            MGL_GO(see_row(&l->links[i], stripe, row, &key, err));
done:
    mgl_buffer_free(&key);
    return status;
}

static size_t request_all(const mgl_promised_link *links, size_t n, mgl_column_request *requested)
{
    size_t n_requested = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t lead = 0; requested != NULL && lead <= links[i].n_leads; lead++)
            requested[n_requested + lead] = (mgl_column_request){
                lead == 0 ? links[i].column : links[i].leads[lead - 1], MGL_ROLE_INSENSITIVE};
        n_requested += 1 + links[i].n_leads;
    }
    return n_requested;
}

mgl_status mgl_verify_links(mgl_source *source, mgl_promised_link *links, size_t n, mgl_pool *pool,
                            const mgl_progress *progress, mgl_error *err)
{
    size_t n_requested = request_all(links, n, NULL);
    mgl_column_request *requested = mgl_alloc_array(n_requested, sizeof *requested);
    looking l = {mgl_zeroed_array(n, sizeof *l.links), n};
    mgl_table *table = NULL;
    mgl_row_sink sink = {ROWS_AT_ONCE, see_rows, &l};
    mgl_stream_request request = {requested, n_requested, &sink, pool, progress};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(requested != NULL && l.links != NULL, err));
    request_all(links, n, requested);
    for (size_t i = 0, first = 0; i < l.n; i++) {
        links[i].broken = false;
        l.links[i] = (seen){.combinations = mgl_map_new(), .first = first, .link = &links[i]};
        first += 1 + links[i].n_leads;
        MGL_GO(mgl_check_memory(l.links[i].combinations != NULL, err));
    }
    MGL_GO(mgl_source_stream(source, &request, err, &table));
    for (size_t i = 0; i < n; i++)
        links[i].values = mgl_dictionary_size(table->columns[l.links[i].first].dictionary);
done:
    for (size_t i = 0; l.links != NULL && i < n; i++) {
        mgl_map_free(l.links[i].combinations);
        mgl_free(l.links[i].code);
    }
    mgl_table_free(table);
    mgl_free(l.links);
    mgl_free(requested);
    return status;
}

static mgl_status judge_release(mgl_source *source, const mgl_promise *promise, void *promised,
                                size_t n, mgl_pool *pool, const mgl_progress *progress,
                                mgl_error *err)
{
    mgl_promised_link *links = promised;
    MGL_TRY(mgl_verify_links(source, links, n, pool, progress, err));
    for (size_t i = 0; i < n; i++)
        if (links[i].broken)
            return mgl_fail_at(err, MGL_CODE_INTERNAL, mgl_source_name(source), 0,
                               "column '%.60s' of the written release differs in rows that are "
                               "equal in the columns it follows; please report this",
                               promise->names[links[i].column]);
    return MGL_OK;
}

const mgl_judge mgl_linked_judge = {.release = judge_release};
