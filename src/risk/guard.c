/* What the rows of a release give away beside their quasi-identifier: columns that count rows, that
 * are different in each, that look like identifiers, that repeat what was generalized. */
#include "risk/guard.h"
#include "risk/sketch.h"

#include <stdarg.h>
#include <stdio.h>

/* What is counted of one column. */
typedef struct watched {
    mgl_sketch *sketch;
    uint64_t *looks;    /* [kind] values that look so */
    uint64_t rows;      /* seen */
    uint32_t *ground;   /* [n_generalized] of the row at hand */
    uint64_t examined;  /* values looked at */
    uint64_t codes;     /* of these: without spaces and decimal points */
    int64_t last;       /* the number in the row before */
    const char *harbor; /* what Safe Harbor forbids that was found; NULL: nothing */
    bool counts;        /* each is one more than the one before, so far */
    mgl_text_watch text;
} watched;

struct mgl_guard {
    const mgl_guarded_column *columns;
    size_t n_columns, n_kinds;
    const mgl_identifier_kind *kinds;
    const mgl_frequency_list *list;
    const char *const *names; /* of its attributes */
    const mgl_recoding *recoding;
    bool safe_harbor;
    uint32_t *generalized; /* attributes with a cell that is no ground value */
    size_t n_generalized;
    uint64_t *lifted; /* [tuple] bit i: its cell of the i-th of them is no ground value; bit MORE:
                         of one of those from there on */
    mgl_words words;  /* of the ground values that they have */
    watched *watched; /* [n_columns] */
};

enum { MORE = 63 };
enum { FEWEST_ROWS = 20, FEWEST_COUNTED = 5 };

/* ---- Objections -------------------------------------------------------------------------------
 */

void mgl_objections_add(mgl_objections *out, const char *code, const char *column,
                        const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    size_t size = strlen(text) + 1;
    char *copy = mgl_alloc(size);
    if (copy == NULL || !mgl_grow(&out->list, &out->room, out->n + 1, sizeof *out->list)) {
        mgl_free(copy);
        out->out_of_memory = true;
        return;
    }
    memcpy(copy, text, size);
    out->list[out->n++] = (mgl_objection){code, column, copy};
}

void mgl_objections_free(mgl_objections *objections)
{
    for (size_t i = 0; i < objections->n; i++)
        mgl_free(objections->list[i].message);
    mgl_free(objections->list);
    *objections = (mgl_objections){0};
}

/* ---- Watching ---------------------------------------------------------------------------------
 */

/* Attributes that some tuple is not released with as it is. */
static void find_generalized(mgl_guard *g)
{
    for (uint32_t a = 0; a < g->list->n_attributes; a++) {
        const mgl_released_column *column = g->recoding->columns[a];
        bool any = false;
        for (size_t t = 0; !any && t < g->list->n_tuples; t++)
            any = column->values[g->recoding->cells[a][t]].level != 0;
        if (any)
            g->generalized[g->n_generalized++] = a;
    }
}

static bool is_lifted(const mgl_guard *g, size_t i, size_t tuple)
{
    uint32_t a = g->generalized[i];
    return g->recoding->columns[a]->values[g->recoding->cells[a][tuple]].level != 0;
}

/* Rows come in any order: one look into memory for each, not one per attribute. */
static mgl_status find_lifted(mgl_guard *g, mgl_error *err)
{
    g->lifted = mgl_zeroed_array(g->n_columns > 0 ? g->list->n_tuples : 0, sizeof *g->lifted);
    if (g->lifted == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; g->n_columns > 0 && i < g->n_generalized; i++)
        for (size_t t = 0; t < g->list->n_tuples; t++)
            g->lifted[t] |= (uint64_t)is_lifted(g, i, t) << (i < MORE ? i : MORE);
    return MGL_OK;
}

static mgl_status gather_words(mgl_guard *g, mgl_error *err)
{
    size_t n_labels = 0;
    for (size_t i = 0; i < g->n_generalized; i++)
        n_labels += g->recoding->columns[g->generalized[i]]->hierarchy->n_leaves;
    MGL_TRY(mgl_words_init(&g->words, n_labels, err));
    for (size_t i = 0; i < g->n_generalized; i++) {
        const mgl_hierarchy *hierarchy = g->recoding->columns[g->generalized[i]]->hierarchy;
        for (uint32_t leaf = 0; leaf < hierarchy->n_leaves; leaf++)
            if (hierarchy->levels[0].labels[leaf].size >= MGL_SHORTEST_REPEATED)
                mgl_words_add(&g->words, hierarchy->levels[0].labels[leaf]);
    }
    return MGL_OK;
}

mgl_status mgl_guard_new(const mgl_guarded_column *columns, size_t n_columns,
                         const mgl_frequency_list *list, const char *const *names,
                         const mgl_recoding *recoding, bool safe_harbor, mgl_error *err,
                         mgl_guard **out)
{
    mgl_guard *g = mgl_zeroed_array(1, sizeof *g);
    if (g == NULL)
        return mgl_fail_memory(err);
    *g = (mgl_guard){.columns = columns,
                     .n_columns = n_columns,
                     .list = list,
                     .names = names,
                     .recoding = recoding,
                     .safe_harbor = safe_harbor};
    g->kinds = mgl_identifier_kinds(&g->n_kinds);
    g->generalized = mgl_alloc_array(list->n_attributes, sizeof *g->generalized);
    g->watched = mgl_zeroed_array(n_columns, sizeof *g->watched);
    mgl_status status =
        g->generalized == NULL || g->watched == NULL ? mgl_fail_memory(err) : MGL_OK;
    if (status == MGL_OK) {
        find_generalized(g);
        status = find_lifted(g, err);
        if (status == MGL_OK)
            status = gather_words(g, err);
    }
    for (size_t c = 0; status == MGL_OK && c < n_columns; c++) {
        watched *w = &g->watched[c];
        w->counts = true;
        w->looks = mgl_zeroed_array(g->n_kinds, sizeof *w->looks);
        w->ground = mgl_alloc_array(g->n_generalized, sizeof *w->ground);
        status = w->looks == NULL || w->ground == NULL
                     ? mgl_fail_memory(err)
                     : mgl_sketch_new(g->n_generalized, err, &w->sketch);
        if (status == MGL_OK)
            status = mgl_text_watch_init(&w->text, g->n_generalized, err);
    }
    if (status != MGL_OK) {
        mgl_guard_free(g);
        return status;
    }
    *out = g;
    return MGL_OK;
}

void mgl_guard_free(mgl_guard *g)
{
    if (g == NULL)
        return;
    for (size_t c = 0; g->watched != NULL && c < g->n_columns; c++) {
        mgl_sketch_free(g->watched[c].sketch);
        mgl_free(g->watched[c].looks);
        mgl_free(g->watched[c].ground);
        mgl_text_watch_free(&g->watched[c].text);
    }
    mgl_free(g->watched);
    mgl_free(g->generalized);
    mgl_free(g->lifted);
    mgl_words_free(&g->words);
    mgl_free(g);
}

static void watch_counting(watched *w, mgl_span cell, uint64_t row)
{
    int64_t number = 0;
    w->counts = cell.size > 0 && cell.size < 18;
    for (size_t i = 0; w->counts && i < cell.size; i++) {
        w->counts = cell.data[i] >= '0' && cell.data[i] <= '9';
        number = number * 10 + (cell.data[i] - '0');
    }
    w->counts = w->counts && (row == 0 || number == w->last + 1);
    w->last = number;
}

/* A value seen for the first time. */
static void examine(const mgl_guard *g, watched *w, mgl_span cell)
{
    bool code = cell.size > 0;
    for (size_t i = 0; code && i < cell.size; i++)
        code = cell.data[i] != ' ' && cell.data[i] != '.' && cell.data[i] != ',';
    w->examined++;
    w->codes += code;
    for (size_t k = 0; k < g->n_kinds; k++)
        w->looks[k] += g->kinds[k].looks != NULL && cell.size > 0 && g->kinds[k].looks(cell);
}

/* Text that repeats what was generalized in its row. */
static void watch_text(mgl_guard *g, watched *w, mgl_span cell, uint32_t tuple)
{
    uint64_t lifted = g->lifted[tuple];
    for (size_t i = 0; i < g->n_generalized; i++) {
        if ((lifted >> (i < MORE ? i : MORE) & 1) == 0 || (i >= MORE && !is_lifted(g, i, tuple)))
            continue;
        const mgl_released_column *column = g->recoding->columns[g->generalized[i]];
        const mgl_span *labels = column->hierarchy->levels[0].labels;
        mgl_text_watch_add(&w->text, i, cell, labels[w->ground[i]], w->ground[i], labels);
    }
}

/* Most cells say nothing new: values that were seen often enough, or that are not in the sample. */
static void watch_some(mgl_guard *g, watched *w, const mgl_span *cells, const uint32_t *tuples,
                       size_t n)
{
    uint64_t hashes[MGL_GUARDED_AT_ONCE];
    for (size_t r = 0; r < n; r++)
        hashes[r] = mgl_hash(cells[r].data, cells[r].size);
    for (size_t r = 0; r < n; r++) {
        bool watches = mgl_sketch_watches(w->sketch, hashes[r]);
        if (watches && mgl_sketch_settled(w->sketch, hashes[r]))
            continue;
        bool speaks = mgl_looks_like_text(cells[r]) && mgl_words_may_hold(&g->words, cells[r]);
        if (!watches && !speaks)
            continue;
        for (size_t i = 0; i < g->n_generalized; i++)
            w->ground[i] = mgl_list_leaf(g->list, tuples[r], g->generalized[i]);
        if (watches && mgl_sketch_add(w->sketch, hashes[r], w->ground, speaks))
            examine(g, w, cells[r]);
        if (speaks)
            watch_text(g, w, cells[r], tuples[r]);
    }
}

void mgl_guard_watch(mgl_guard *g, size_t c, const mgl_span *cells, const uint32_t *tuples,
                     size_t n)
{
    watched *w = &g->watched[c];
    for (size_t r = 0; w->counts && r < n; r++)
        watch_counting(w, cells[r], w->rows + r);
    for (size_t r = 0; g->safe_harbor && w->harbor == NULL && r < n; r++)
        w->harbor = mgl_safe_harbor_finds(g->columns[c].name, cells[r]);
    w->rows += n;
    for (size_t r = 0; r < n; r += MGL_GUARDED_AT_ONCE)
        watch_some(g, w, cells + r, tuples + r,
                   n - r < MGL_GUARDED_AT_ONCE ? n - r : MGL_GUARDED_AT_ONCE);
}

/* ---- Judging ----------------------------------------------------------------------------------
 */

static void judge_name(const mgl_guarded_column *guarded, mgl_objections *out)
{
    size_t n_kinds;
    const mgl_identifier_kind *kinds = mgl_identifier_kinds(&n_kinds);
    const char *column = guarded->name;
    for (size_t k = 0; guarded->open && k < n_kinds; k++)
        if (mgl_kind_is_named(&kinds[k], column)) {
            mgl_objections_add(
                out, "identifier-name", column,
                "column \"%.60s\" is called like %s and would be released as it is; make it "
                "an identifier (not released) or a quasi-identifier",
                column, kinds[k].name);
            return;
        }
}

/* The kind that most values look like: some look like several. */
static void judge_looks(const mgl_guard *g, size_t c, mgl_objections *out)
{
    const watched *w = &g->watched[c];
    size_t best = 0;
    for (size_t k = 1; k < g->n_kinds; k++)
        best = w->looks[k] > w->looks[best] ? k : best;
    if (w->looks[best] < 2 || 2 * w->looks[best] < w->examined)
        return;
    mgl_objections_add(
        out, "identifier-shape", g->columns[c].name,
        "column \"%.60s\": %.0f %% of its values look like %s; make it an identifier, which "
        "is not released",
        g->columns[c].name, 100.0 * (double)w->looks[best] / (double)w->examined,
        g->kinds[best].name);
}

/* share: of the rows, that have a value of their own; codes: most values are such. */
static void judge_share(const char *column, uint64_t n_rows, double share, bool codes,
                        mgl_objections *out)
{
    if (n_rows >= FEWEST_ROWS && share >= 0.95 && codes)
        mgl_objections_add(
            out, "near-unique-column", column,
            "column \"%.60s\": about %.0f %% of the rows have a value that no other row "
            "has, so that whoever knows it knows the row; make it an identifier or a "
            "quasi-identifier",
            column, 100 * (share > 1 ? 1 : share));
}

static void judge_uniqueness(const mgl_guard *g, size_t c, mgl_objections *out)
{
    const watched *w = &g->watched[c];
    const char *column = g->columns[c].name;
    double unique = mgl_sketch_read(w->sketch).unique_rows / (double)w->rows;
    if (!g->columns[c].open)
        return;
    if (w->counts && w->rows >= FEWEST_COUNTED)
        mgl_objections_add(
            out, "row-number", column,
            "column \"%.60s\" counts the rows and leads back to the input; make it an "
            "identifier, which is not released",
            column);
    else
        judge_share(column, w->rows, unique, 2 * w->codes > w->examined, out);
}

void mgl_guard_judge_counts(const mgl_guarded_column *column, const mgl_counted_values *values,
                            mgl_objections *out)
{
    judge_name(column, out);
    if (column->open && values->rows > 0)
        judge_share(column->name, values->rows, (double)values->unique / (double)values->rows,
                    2 * values->codes > values->distinct, out);
}

static void judge_text(const mgl_guard *g, size_t c, mgl_objections *out)
{
    for (size_t i = 0; i < g->n_generalized; i++) {
        uint64_t rows = mgl_text_watch_found(&g->watched[c].text, i);
        if (rows == 0)
            continue;
        const char *column = g->columns[c].name;
        mgl_objections_add(
            out, "text-repeats-column", column,
            "column \"%.60s\" repeats in %llu rows the value of \"%.60s\", which was "
            "generalized; take it out of the text, or make the column an identifier, which "
            "is not released",
            column, (unsigned long long)rows, g->names[g->generalized[i]]);
    }
}

/* Safe Harbor on what passed through, and on what tuples are released as. */
static void judge_harbor(const mgl_guard *g, mgl_objections *out)
{
    for (size_t c = 0; c < g->n_columns; c++)
        if (g->watched[c].harbor != NULL)
            mgl_objections_add(
                out, "safe-harbor", g->columns[c].name,
                "column \"%.60s\" tells %s, which HIPAA's Safe Harbor does not release; make "
                "it an identifier, or a quasi-identifier with a hierarchy",
                g->columns[c].name, g->watched[c].harbor);
    for (size_t a = 0; a < g->list->n_attributes; a++) {
        const mgl_released_column *column = g->recoding->columns[a];
        const char *found = NULL;
        for (size_t t = 0; found == NULL && t < g->list->n_tuples; t++)
            found =
                mgl_safe_harbor_finds(g->names[a], column->values[g->recoding->cells[a][t]].label);
        if (found != NULL)
            mgl_objections_add(
                out, "safe-harbor", g->names[a],
                "column \"%.60s\" tells %s, which HIPAA's Safe Harbor does not release; give "
                "it a hierarchy with a level that does not",
                g->names[a], found);
    }
}

void mgl_guard_judge(const mgl_guard *g, mgl_objections *out, bool *suspects)
{
    size_t m = g->list->n_attributes;
    memset(suspects, 0, g->n_columns * m * sizeof *suspects);
    if (g->safe_harbor)
        judge_harbor(g, out);
    for (size_t c = 0; c < g->n_columns; c++) {
        if (g->watched[c].rows == 0)
            continue;
        judge_name(&g->columns[c], out);
        judge_looks(g, c, out);
        judge_uniqueness(g, c, out);
        judge_text(g, c, out);
        for (size_t i = 0; i < g->n_generalized; i++)
            suspects[c * m + g->generalized[i]] =
                mgl_sketch_tells(g->watched[c].sketch, i) >= MGL_SUSPECT_SHARE;
    }
}
