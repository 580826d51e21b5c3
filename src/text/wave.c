/* Cuts several blocks of a delimited file at once, by several threads. */
#include "text/reader.h"
#include "text/file.h"

enum {
    FEWEST_BLOCKS = 2,
    PER_THREAD = 2,   /* so that a thread that is late does not make all others wait */
    OF_THE_FILE = 16, /* waves it takes to read a file, at least: memory that is used once costs */
    LOOK_BACK = 4096
};

/* Some bytes of the file, and the whole records that end among them. */
typedef struct lot {
    uint64_t from, to; /* bytes of the file */
    uint64_t start;    /* where the first record begins: guessed, then known */
    bool sound;        /* the guess was cut, and nothing is wrong if it was right */
    mgl_block block;
    mgl_field *fields;
    size_t capacity; /* of fields */
} lot;

typedef struct wave {
    lot lots[MGL_WAVE_BLOCKS];
    mgl_wave_block blocks[MGL_WAVE_BLOCKS];
    size_t n;
} wave;

struct mgl_text_wave {
    mgl_text_reader *reader;
    mgl_reader_place place; /* `read` and `record` move on with the waves */
    uint64_t planned;       /* bytes of the file that were given to lots */
    bool fields;
    bool guesses; /* false: too many guesses were wrong */
    size_t most;  /* blocks of a wave */
    wave waves[2];
    unsigned current; /* of the waves; the one that is planned or settled */
};

mgl_status mgl_text_wave_new(mgl_text_reader *reader, unsigned threads, bool fields, mgl_error *err,
                             mgl_text_wave **out)
{
    mgl_text_wave *w = mgl_zeroed_array(1, sizeof *w);
    if (w == NULL)
        return mgl_fail_memory(err);
    size_t most = (size_t)PER_THREAD * threads;
    w->reader = reader;
    w->fields = fields;
    w->guesses = true;
    w->place = mgl_reader_tell(reader);
    uint64_t blocks = mgl_text_size(w->place.file) / OF_THE_FILE / w->place.block_size;
    most = most < blocks ? most : (size_t)blocks;
    most = most < MGL_WAVE_BLOCKS ? most : MGL_WAVE_BLOCKS;
    w->most = most > FEWEST_BLOCKS ? most : FEWEST_BLOCKS;
    w->planned = w->place.read;
    *out = w;
    return MGL_OK;
}

void mgl_text_wave_free(mgl_text_wave *w)
{
    if (w == NULL)
        return;
    for (size_t i = 0; i < 2; i++)
        for (size_t b = 0; b < MGL_WAVE_BLOCKS; b++) {
            mgl_block_free(&w->waves[i].lots[b].block);
            mgl_free(w->waves[i].lots[b].fields);
        }
    mgl_free(w);
}

static lot without_bytes(lot l, uint64_t size)
{
    l.from = l.to = size;
    return l;
}

size_t mgl_text_wave_plan(mgl_text_wave *w)
{
    wave *next = &w->waves[w->current = 1 - w->current];
    uint64_t size = mgl_text_size(w->place.file);
    size_t most = w->guesses ? w->most : 1;
    for (next->n = 0; next->n < most && w->planned < size; next->n++) {
        uint64_t left = size - w->planned, block = w->place.block_size,
                 some = left < block ? left : block;
        lot *l = &next->lots[next->n];
        l->from = w->planned;
        l->to = w->planned += some;
    }
    /* What was read already may have a last record that is not ended. */
    if (next->n == 0 && w->place.record < size)
        next->lots[next->n++] = without_bytes(next->lots[0], size);
    return next->n;
}

/* ---- Cutting a block ------------------------------------------------------------------------- */

static mgl_cuts cuts_of(const mgl_text_wave *w, const lot *l)
{
    return (mgl_cuts){.data = l->block.data,
                      .ends = l->block.places + 1,
                      .n_records = l->block.n_records,
                      .n_fields = w->place.n_fields,
                      .carriage_returns = l->block.carriage_returns};
}

static bool fill_fields(const mgl_text_wave *w, lot *l)
{
    size_t n = l->block.n_records * w->place.n_fields;
    if (!w->fields)
        return true;
    if (!mgl_grow(&l->fields, &l->capacity, n, sizeof *l->fields))
        return false;
    mgl_cuts cuts = cuts_of(w, l);
    mgl_cuts_fields(&cuts, l->fields);
    return true;
}

/* The bytes from the last line feed before the block on. */
static bool read_beginning(const mgl_text_wave *w, lot *l)
{
    char before[LOOK_BACK];
    size_t n = l->from < LOOK_BACK ? (size_t)l->from : LOOK_BACK, rest = 0, got;
    if (mgl_text_read_at(w->place.file, l->from - n, before, n, NULL, &got) != MGL_OK || got != n)
        return false;
    while (rest < n && before[n - 1 - rest] != '\n')
        rest++;
    if (rest == n || !mgl_block_reserve(&l->block, rest + (size_t)(l->to - l->from) + 1))
        return false;
    if (rest > 0)
        memcpy(l->block.data, before + n - rest, rest);
    l->block.size = rest;
    l->start = l->from - rest;
    return true;
}

static bool read_rest(const mgl_text_wave *w, lot *l)
{
    size_t bytes = (size_t)(l->to - l->from), got;
    if (mgl_text_read_at(w->place.file, l->from, l->block.data + l->block.size, bytes, NULL,
                         &got) != MGL_OK)
        return false;
    l->block.size += got;
    return got == bytes;
}

/* Whatever goes wrong here is found once more, and reported, when the wave is settled. The end of
 * the file, where lines may be blank or unfinished, is left to that, too. */
void mgl_text_wave_cut(mgl_text_wave *w, size_t block)
{
    lot *l = &w->waves[w->current].lots[block];
    l->sound = w->guesses && l->to < w->place.blank_from && l->to < mgl_text_size(w->place.file) &&
               read_beginning(w, l) && read_rest(w, l) &&
               mgl_block_cut(&l->block, w->place.delimiter, false) && l->block.n_records > 0 &&
               mgl_block_is_sound(&l->block, w->place.n_fields) && fill_fields(w, l);
}

/* ---- Putting the blocks together ------------------------------------------------------------- */

/* Cuts a block of which no more is known than where its first record begins. */
static mgl_status cut_again(mgl_text_wave *w, lot *l, mgl_error *err)
{
    uint64_t size = mgl_text_size(w->place.file);
    /* One byte more at the end: that the file ends there must be seen. */
    size_t bytes = (size_t)(l->to - w->place.record) + (l->to == size);
    l->start = w->place.record;
    MGL_TRY(mgl_reader_cut_at(w->reader, l->start, bytes, &l->block, err));
    if (l->block.n_records == 0)
        l->block.whole = 0;
    return fill_fields(w, l) ? MGL_OK : mgl_fail_memory(err);
}

static void skip(lot *l)
{
    l->block.n_records = l->block.whole = l->block.size = 0;
}

/* What of the block no block before has read. */
static mgl_span fresh_of(const mgl_text_wave *w, const lot *l)
{
    uint64_t end = l->start + l->block.size, size = mgl_text_size(w->place.file);
    end = end < size ? end : size; /* a line feed may have been added */
    if (l->block.size == 0 || end <= w->place.read)
        return (mgl_span){"", 0};
    return (mgl_span){l->block.data + (w->place.read - l->start), (size_t)(end - w->place.read)};
}

static mgl_status settle_lot(mgl_text_wave *w, lot *l, mgl_error *err, mgl_wave_block *out,
                             bool *guessed)
{
    *guessed = l->sound && l->start == w->place.record;
    if (*guessed)
        mgl_reader_passes(w->reader, &l->block);
    else if (w->place.record < l->to)
        MGL_TRY(cut_again(w, l, err));
    else
        skip(l);
    mgl_cuts *cuts = &out->cuts;
    *cuts = cuts_of(w, l);
    cuts->fresh = fresh_of(w, l);
    w->place.read += cuts->fresh.size;
    uint64_t size = mgl_text_size(w->place.file), next = w->place.record + l->block.whole;
    w->place.record = l->to < size && next < size ? next : size;
    cuts->bytes_done = w->place.record;
    out->records = (mgl_records){.fields = l->fields,
                                 .n_records = cuts->n_records,
                                 .n_fields = cuts->n_fields,
                                 .bytes_done = cuts->bytes_done};
    return MGL_OK;
}

mgl_status mgl_text_wave_settle(mgl_text_wave *w, mgl_error *err, const mgl_wave_block **blocks,
                                size_t *n)
{
    wave *now = &w->waves[w->current];
    size_t wrong = 0;
    if (now->n == 0)
        MGL_TRY(mgl_text_unchanged(w->place.file, err));
    for (size_t i = 0; i < now->n; i++) {
        bool guessed;
        MGL_TRY(settle_lot(w, &now->lots[i], err, &now->blocks[i], &guessed));
        wrong += !guessed;
    }
    w->guesses = w->guesses && wrong <= 1 + now->n / 2;
    *blocks = now->blocks;
    *n = now->n;
    return MGL_OK;
}
