/* Counts keys within a limit of memory: sorted runs are spilled to a private file and merged at the
 * end. list.c calls it where the job has a --memory limit. */
#include "classes/tally.h"

enum {
    FEWEST_KEYS = 4096,
    BYTES_PER_KEY = 6, /* words of a slot times the slots that a key has while the table grows */
    AT_ONCE = 1024     /* entries that are read or written together */
};

mgl_status mgl_tally_init(mgl_tally *tally, size_t n_words, unsigned zeros, uint64_t memory,
                          mgl_error *err)
{
    *tally = (mgl_tally){.zeros = zeros, .most = SIZE_MAX, .fd = -1};
    if (memory > 0) {
        tally->most = (size_t)(memory / (BYTES_PER_KEY * (n_words + 1) * sizeof(uint64_t)));
        tally->most = tally->most < FEWEST_KEYS ? FEWEST_KEYS : tally->most;
    }
    return mgl_counter_init(&tally->counter, n_words, zeros, err);
}

void mgl_tally_free(mgl_tally *tally)
{
    mgl_counter_free(&tally->counter);
    mgl_sys_close(tally->fd);
    mgl_free(tally->ends);
    *tally = (mgl_tally){.fd = -1};
}

/* ---- Runs ---------------------------------------------------------------------------------- */

/* An entry is a key and its count. */
static mgl_status write_run(mgl_tally *tally, const uint64_t *keys, const uint64_t *counts,
                            size_t n, size_t words, mgl_error *err)
{
    size_t width = words + 1;
    uint64_t *block = mgl_alloc_array(AT_ONCE, width * sizeof *block);
    mgl_status status = block == NULL ? mgl_fail_memory(err) : MGL_OK;
    for (size_t done = 0; status == MGL_OK && done < n;) {
        size_t some = n - done < AT_ONCE ? n - done : AT_ONCE;
        for (size_t i = 0; i < some; i++) {
            memcpy(block + i * width, keys + (done + i) * words, words * sizeof *block);
            block[i * width + words] = counts[done + i];
        }
        size_t bytes = some * width * sizeof *block;
        if (mgl_sys_pwrite(tally->fd, block, bytes, tally->size) != 0)
            status = mgl_fail_temporary(err, "write");
        tally->size += bytes;
        done += some;
    }
    mgl_free(block);
    return status;
}

/* What was counted so far becomes a run. */
static mgl_status spill(mgl_tally *tally, mgl_error *err)
{
    uint64_t *keys, *counts;
    size_t n, words = tally->counter.n_words;
    if (tally->fd < 0)
        tally->fd = mgl_sys_spool();
    if (tally->fd < 0)
        return mgl_fail_temporary(err, "create");
    if (!mgl_grow(&tally->ends, &tally->capacity, tally->n_runs + 1, sizeof *tally->ends))
        return mgl_fail_memory(err);
    MGL_TRY(mgl_counter_take(&tally->counter, err, &keys, &counts, &n));
    mgl_status status = write_run(tally, keys, counts, n, words, err);
    mgl_free(keys);
    mgl_free(counts);
    if (status == MGL_OK) {
        tally->ends[tally->n_runs++] = tally->size / ((words + 1) * sizeof(uint64_t));
        status = mgl_counter_init(&tally->counter, words, tally->zeros, err);
    }
    return status;
}

mgl_status mgl_tally_add(mgl_tally *tally, const uint64_t *keys, const uint64_t *amounts, size_t n,
                         mgl_error *err)
{
    if (tally->counter.n_keys + n > tally->most && tally->counter.n_keys > 0)
        MGL_TRY(spill(tally, err));
    return mgl_counter_add(&tally->counter, keys, amounts, n, err);
}

/* ---- Merging ------------------------------------------------------------------------------- */

/* A run, read block by block. */
typedef struct reader {
    uint64_t next, end; /* entries of the file that are not read yet */
    uint64_t *block;
    size_t at, n; /* in the block */
} reader;

typedef struct merger {
    const mgl_tally *tally;
    reader *readers;
    size_t *heap; /* readers that are not at their end, the one with the smallest key first */
    size_t n_heap;
    size_t words;
} merger;

static const uint64_t *key_of(const merger *m, size_t r)
{
    return m->readers[r].block + m->readers[r].at * (m->words + 1);
}

static bool comes_first(const merger *m, size_t a, size_t b)
{
    const uint64_t *x = key_of(m, a), *y = key_of(m, b);
    for (size_t w = 0; w < m->words; w++)
        if (x[w] != y[w])
            return x[w] < y[w];
    return a < b;
}

static void sift(merger *m, size_t at)
{
    for (size_t child; (child = 2 * at + 1) < m->n_heap; at = child) {
        child += child + 1 < m->n_heap && comes_first(m, m->heap[child + 1], m->heap[child]);
        if (!comes_first(m, m->heap[child], m->heap[at]))
            return;
        size_t swap = m->heap[at];
        m->heap[at] = m->heap[child];
        m->heap[child] = swap;
    }
}

static mgl_status fill(const merger *m, reader *r, mgl_error *err)
{
    size_t width = (m->words + 1) * sizeof(uint64_t);
    uint64_t left = r->end - r->next;
    r->n = left < AT_ONCE ? (size_t)left : AT_ONCE;
    r->at = 0;
    ssize_t got = mgl_sys_pread(m->tally->fd, r->block, r->n * width, r->next * width);
    if (got < 0 || (size_t)got != r->n * width)
        return mgl_fail_temporary(err, "read");
    r->next += r->n;
    return MGL_OK;
}

static mgl_status begin(merger *m, mgl_error *err)
{
    const mgl_tally *tally = m->tally;
    size_t width = (m->words + 1) * sizeof(uint64_t);
    m->n_heap = 0;
    for (size_t r = 0; r < tally->n_runs; r++) {
        reader *x = &m->readers[r];
        x->next = r > 0 ? tally->ends[r - 1] : 0;
        x->end = tally->ends[r];
        if (x->block == NULL)
            x->block = mgl_alloc_array(AT_ONCE, width);
        if (x->block == NULL)
            return mgl_fail_memory(err);
        MGL_TRY(fill(m, x, err));
        if (x->n > 0)
            m->heap[m->n_heap++] = r;
    }
    for (size_t i = m->n_heap / 2; i-- > 0;)
        sift(m, i);
    return MGL_OK;
}

/* Goes once through all entries in order; keys and counts get what is different, if they are not
 * NULL. *n: how many keys there are. */
static mgl_status go_through(merger *m, mgl_error *err, uint64_t *keys, uint64_t *counts, size_t *n)
{
    uint64_t *last = mgl_alloc_array(m->words, sizeof *last);
    mgl_status status = MGL_OK;
    *n = 0;
    if (last == NULL)
        return mgl_fail_memory(err);
    MGL_GO(begin(m, err));
    while (m->n_heap > 0) {
        reader *r = &m->readers[m->heap[0]];
        const uint64_t *key = key_of(m, m->heap[0]);
        if (*n == 0 || !mgl_key_equal(last, key, m->words)) {
            memcpy(last, key, m->words * sizeof *last);
            if (keys != NULL) {
                memcpy(keys + *n * m->words, key, m->words * sizeof *keys);
                counts[*n] = 0;
            }
            ++*n;
        }
        if (counts != NULL)
            counts[*n - 1] += key[m->words];
        if (++r->at == r->n) {
            MGL_GO(fill(m, r, err));
            if (r->n == 0)
                m->heap[0] = m->heap[--m->n_heap];
        }
        sift(m, 0);
    }
done:
    mgl_free(last);
    return status;
}

/* Twice: memory is taken for just what there is. */
static mgl_status merge_runs(merger *m, mgl_error *err, uint64_t **keys, uint64_t **counts,
                             size_t *n)
{
    MGL_TRY(go_through(m, err, NULL, NULL, n));
    uint64_t *all = mgl_alloc_array(*n, m->words * sizeof *all);
    uint64_t *amounts = mgl_alloc_array(*n, sizeof *amounts);
    mgl_status status =
        all == NULL || amounts == NULL ? mgl_fail_memory(err) : go_through(m, err, all, amounts, n);
    if (status != MGL_OK) {
        mgl_free(all);
        mgl_free(amounts);
        return status;
    }
    *keys = all;
    *counts = amounts;
    return MGL_OK;
}

mgl_status mgl_tally_take(mgl_tally *tally, mgl_error *err, uint64_t **keys, uint64_t **counts,
                          size_t *n)
{
    if (tally->n_runs == 0)
        return mgl_counter_take(&tally->counter, err, keys, counts, n);
    merger m = {.tally = tally, .words = tally->counter.n_words};
    MGL_TRY(spill(tally, err));
    mgl_counter_free(&tally->counter);
    m.readers = mgl_zeroed_array(tally->n_runs, sizeof *m.readers);
    m.heap = mgl_alloc_array(tally->n_runs, sizeof *m.heap);
    mgl_status status = m.readers == NULL || m.heap == NULL ? mgl_fail_memory(err)
                                                            : merge_runs(&m, err, keys, counts, n);
    for (size_t r = 0; m.readers != NULL && r < tally->n_runs; r++)
        mgl_free(m.readers[r].block);
    mgl_free(m.readers);
    mgl_free(m.heap);
    return status;
}
