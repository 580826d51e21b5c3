/* What the rows of a release give away beside their quasi-identifier: columns that count rows, that
 * are different in each, that look like identifiers, that repeat what was generalized. */
#include "risk/guard.h"
#include "risk/sketch.h"

/* What is counted of one column. */
typedef struct watched {
    mgl_sketch *sketch;
    uint64_t rows;       /* seen */
    uint32_t *ground;    /* [n_generalized] of the row at hand */
    mgl_profile profile; /* of the values looked at */
    uint64_t missing;    /* rows without a value */
    int64_t last;        /* the number in the row before */
    const char *harbor;  /* what Safe Harbor forbids that was found; NULL: nothing */
    bool counts;         /* each is one more than the one before, so far */
    mgl_text_watch text;
} watched;

struct mgl_guard {
    const mgl_guarded_column *columns;
    size_t n_columns;
    const mgl_frequency_list *list;
    const char *const *names; /* of its attributes */
    const mgl_recoding *recoding;
    unsigned safe_harbor;  /* the year ages are reckoned from; 0: nobody asked */
    uint32_t *generalized; /* attributes with a cell that is no ground value */
    size_t n_generalized;
    uint64_t *lifted; /* [tuple] bit i: its cell of the i-th of them is no ground value; bit MORE:
                         of one of those from there on */
    mgl_words words;  /* of the ground values that they have */
    watched *watched; /* [n_columns] */
};

enum { MORE = 63 };

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
                         const mgl_recoding *recoding, unsigned safe_harbor, mgl_error *err,
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
        mgl_profile_begin(&w->profile, columns[c].name);
        w->ground = mgl_alloc_array(g->n_generalized, sizeof *w->ground);
        status = w->ground == NULL ? mgl_fail_memory(err)
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
        w->missing += cells[r].size == 0;
        bool watches = mgl_sketch_watches(w->sketch, hashes[r]);
        if (watches && mgl_sketch_settled(w->sketch, hashes[r]))
            continue;
        bool speaks = mgl_looks_like_text(cells[r]) && mgl_words_may_hold(&g->words, cells[r]);
        if (!watches && !speaks)
            continue;
        for (size_t i = 0; i < g->n_generalized; i++)
            w->ground[i] = mgl_list_leaf(g->list, tuples[r], g->generalized[i]);
        if (watches && mgl_sketch_add(w->sketch, hashes[r], w->ground, speaks))
            mgl_profile_look(&w->profile, cells[r]);
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
        w->harbor = mgl_safe_harbor_finds(g->columns[c].name, cells[r], g->safe_harbor);
    w->rows += n;
    for (size_t r = 0; r < n; r += MGL_GUARDED_AT_ONCE)
        watch_some(g, w, cells + r, tuples + r,
                   n - r < MGL_GUARDED_AT_ONCE ? n - r : MGL_GUARDED_AT_ONCE);
}

/* ---- Judging ----------------------------------------------------------------------------------
 */

static const char withhold[] = "make it an identifier, which is not released";
static const char withhold_or_quasi[] =
    "make it an identifier (not released) or a quasi-identifier";

static void judge_name(const mgl_guarded_column *column, const mgl_profile *p, mgl_objections *out)
{
    if (column->open && p->named != NULL)
        mgl_objections_add(out,
                           &(mgl_objection){.code = "identifier-name",
                                            .column = column->name,
                                            .remedy = withhold_or_quasi},
                           "is called like %s and would be released as it is", p->named->name);
}

static void judge_looks(const mgl_guarded_column *column, const mgl_profile *p, mgl_objections *out)
{
    size_t n;
    const mgl_identifier_kind *kinds = mgl_identifier_kinds(&n);
    if (p->looks == NULL)
        return;
    uint64_t values = p->shapes.identifiers[p->looks - kinds];
    mgl_objections_add(
        out,
        &(mgl_objection){.code = "identifier-shape", .column = column->name, .remedy = withhold},
        "has values of which %.0f %% look like %s",
        100.0 * (double)values / (double)p->shapes.values, p->looks->name);
}

/* A sensitive column may single rows out, as amounts do: what it tells is what must not be learnt
 * anyway. */
static void judge_uniqueness(const mgl_guarded_column *column, const mgl_profile *p, bool counts,
                             mgl_objections *out)
{
    if (counts && column->open && p->rows >= MGL_FEWEST_COUNTED)
        mgl_objections_add(
            out,
            &(mgl_objection){
                .code = "row-number", .column = column->name, .remedy = withhold, .rows = p->rows},
            "counts the rows and leads back to the input");
    else if (mgl_profile_singles_out(p))
        mgl_objections_add(out,
                           &(mgl_objection){.code = "near-unique-column",
                                            .column = column->name,
                                            .remedy = column->open ? withhold_or_quasi
                                                                   : "release it in classes if the "
                                                                     "exact values are not needed",
                                            .rows = p->alone,
                                            .warning = !column->open},
                           "has a value that no other row has in about %.0f %% of the rows, so "
                           "that whoever knows it knows the row",
                           100 * mgl_profile_alone_share(p));
}

void mgl_guard_judge_profile(const mgl_guarded_column *column, const mgl_profile *profile,
                             bool counts, mgl_objections *out)
{
    judge_name(column, profile, out);
    judge_looks(column, profile, out);
    judge_uniqueness(column, profile, counts, out);
}

static void judge_text(const mgl_guard *g, size_t c, mgl_objections *out)
{
    for (size_t i = 0; i < g->n_generalized; i++) {
        uint64_t rows = mgl_text_watch_found(&g->watched[c].text, i);
        if (rows == 0)
            continue;
        mgl_objections_add(out,
                           &(mgl_objection){.code = "text-repeats-column",
                                            .column = g->columns[c].name,
                                            .remedy = "take it out of the text, or make the column "
                                                      "an identifier, which is not released",
                                            .rows = rows},
                           "repeats in %llu rows the value of \"%.60s\", which was generalized",
                           (unsigned long long)rows, g->names[g->generalized[i]]);
    }
}

/* Safe Harbor on what passed through, and on what tuples are released as. */
static void judge_harbor(const mgl_guard *g, mgl_objections *out)
{
    for (size_t c = 0; c < g->n_columns; c++)
        if (g->watched[c].harbor != NULL)
            mgl_objections_add(out,
                               &(mgl_objection){.code = "safe-harbor",
                                                .column = g->columns[c].name,
                                                .remedy = "make it an identifier, or a "
                                                          "quasi-identifier with a hierarchy"},
                               "tells %s, which HIPAA's Safe Harbor does not release",
                               g->watched[c].harbor);
    for (size_t a = 0; a < g->list->n_attributes; a++) {
        const mgl_released_column *column = g->recoding->columns[a];
        const char *found = NULL;
        for (size_t t = 0; found == NULL && t < g->list->n_tuples; t++)
            found = mgl_safe_harbor_finds(
                g->names[a], column->values[g->recoding->cells[a][t]].label, g->safe_harbor);
        if (found != NULL)
            mgl_objections_add(out,
                               &(mgl_objection){.code = "safe-harbor",
                                                .column = g->names[a],
                                                .remedy = "give it a hierarchy with a level that "
                                                          "does not"},
                               "tells %s, which HIPAA's Safe Harbor does not release", found);
    }
}

/* What the sample says about the column. */
static mgl_profile profile_of(const mgl_guard *g, size_t c)
{
    const watched *w = &g->watched[c];
    mgl_profile p = w->profile;
    mgl_sketched found = mgl_sketch_read(w->sketch);
    p.rows = w->rows;
    p.missing = w->missing;
    p.alone = (uint64_t)found.unique_rows;
    p.distinct = (uint64_t)found.values;
    mgl_profile_end(&p);
    return p;
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
        mgl_profile profile = profile_of(g, c);
        mgl_guard_judge_profile(&g->columns[c], &profile, g->watched[c].counts, out);
        judge_text(g, c, out);
        for (size_t i = 0; i < g->n_generalized; i++)
            suspects[c * m + g->generalized[i]] =
                mgl_sketch_tells(g->watched[c].sketch, i) >= MGL_SUSPECT_SHARE;
    }
}
