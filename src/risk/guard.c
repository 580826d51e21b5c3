/* Watches the rows of a release for columns that give something away besides the quasi-identifier:
 * that count rows, differ in each row, look like identifiers, or give back what was generalized. */
#include "risk/recovery.h"

#include <stdio.h>

/* ---- Sketches -------------------------------------------------------------------------------- */

/* Samples the values of a column with their rows, within a limit of memory, for columns of many
 * values. */

enum { SKETCH_VALUES = 1024, SKETCH_RARE = 256 };

/* Is the value with this hash in the sample? */
static inline bool sketch_watches(unsigned level, uint64_t hash)
{
    return level == 0 || hash >> (64 - level) == 0;
}

/* Estimates for all rows from the sample. */
typedef struct sketched {
    double values;      /* about so many different ones */
    double unique_rows; /* about so many have a value that no other has */
} sketched;

/* A value is watched while the first `level` bits of its hash are 0: a random sample of the values,
 * each from its first row on, which is halved whenever there are too many. */
enum { SLOTS = 4 * SKETCH_VALUES };

typedef struct value {
    uint64_t hash;
    uint64_t rows;    /* 0: the slot is free */
    uint32_t *tuples; /* of its rows, if it has at most SKETCH_RARE */
    size_t n, room;
} value;

typedef struct value_sketch {
    value slots[SLOTS];
    size_t n;
    unsigned level;
    bool keep_rows, out_of_memory;
} value_sketch;

/* keep_rows: the tuples of values that have at most SKETCH_RARE rows are wanted. Free with
 * sketch_free. */
static mgl_status sketch_new(bool keep_rows, mgl_error *err, value_sketch **out)
{
    value_sketch *s;
    MGL_TRY(mgl_new_zeroed(1, sizeof *s, err, &s));
    s->keep_rows = keep_rows;
    *out = s;
    return MGL_OK;
}

static unsigned sketch_level(const value_sketch *s)
{
    return s->level;
}

static size_t find_slot(const value_sketch *s, uint64_t hash)
{
    size_t slot = hash % SLOTS;
    while (s->slots[slot].rows > 0 && s->slots[slot].hash != hash)
        slot = (slot + 1) % SLOTS;
    return slot;
}

/* Takes a value out and closes the gap that it leaves in the row of slots. */
static void remove_slot(value_sketch *s, size_t gap)
{
    mgl_free(s->slots[gap].tuples);
    s->slots[gap] = (value){0};
    s->n--;
    for (size_t at = (gap + 1) % SLOTS; s->slots[at].rows > 0; at = (at + 1) % SLOTS) {
        size_t home = s->slots[at].hash % SLOTS;
        bool may_move = gap <= at ? home <= gap || home > at : home <= gap && home > at;
        if (!may_move)
            continue;
        s->slots[gap] = s->slots[at];
        s->slots[at] = (value){0};
        gap = at;
    }
}

/* Stores the tuples of a rare value; of other values only the number of rows is counted. */
static void store_tuple(value_sketch *s, value *v, uint32_t tuple, uint64_t times)
{
    if (v->rows + times > SKETCH_RARE)
        return;
    if (!mgl_grow(&v->tuples, &v->room, v->n + times, sizeof *v->tuples)) {
        s->out_of_memory = true;
        return;
    }
    for (uint64_t i = 0; i < times; i++)
        v->tuples[v->n++] = tuple;
}

/* Adds `times` rows of a sampled value. Returns true if they are its first. */
static bool sketch_add(value_sketch *s, uint64_t hash, uint32_t tuple, uint64_t times)
{
    value *v = &s->slots[find_slot(s, hash)];
    bool first = v->rows == 0;
    if (first)
        *v = (value){.hash = hash};
    if (s->keep_rows)
        store_tuple(s, v, tuple, times);
    v->rows += times;
    if (!first)
        return false;
    s->n++;
    while (s->n > SKETCH_VALUES) {
        s->level++;
        for (size_t slot = 0; slot < SLOTS;)
            if (s->slots[slot].rows > 0 && !sketch_watches(s->level, s->slots[slot].hash))
                remove_slot(s, slot); /* another value may have come here */
            else
                slot++;
    }
    return true;
}

static sketched sketch_read(const value_sketch *s)
{
    sketched found = {0};
    double each = (double)(UINT64_C(1) << s->level);
    for (size_t slot = 0; slot < SLOTS; slot++) {
        found.values += s->slots[slot].rows > 0 ? each : 0;
        found.unique_rows += s->slots[slot].rows == 1 ? each : 0;
    }
    return found;
}

/* Adds the rows of rare values to the recovery, with hashes in place of values. Returns false if
 * memory is out, or was. */
static bool sketch_pass_rows(const value_sketch *s, mgl_recovery *recovery)
{
    bool whole = !s->out_of_memory;
    for (size_t slot = 0; whole && slot < SLOTS; slot++) {
        const value *v = &s->slots[slot];
        mgl_span text = {(const char *)&v->hash, sizeof v->hash};
        for (size_t i = 0; whole && v->n == v->rows && i < v->n; i++)
            whole = v->tuples[i] == MGL_NOT_FOUND || /* the row is not released */
                    mgl_recovery_watch(recovery, text, v->tuples[i], 1, MGL_ROW_IS_PERSON);
    }
    return whole;
}

/* ---- The guard ------------------------------------------------------------------------------- */

/* Counts of one column. */
typedef struct watched {
    value_sketch *sketch;   /* NULL: all rows are kept */
    mgl_recovery *sample;   /* its rows, as many as there is room for */
    mgl_recovery *left_out; /* cells of unreleased rows; NULL: absent, or in the sketch */
    mgl_profile profile;    /* of the values looked at, where not all rows are kept */
    size_t bytes;           /* approximate memory of its values */
    uint64_t rows;          /* seen */
    uint64_t missing;       /* of these: without a value */
    const char *harbor;     /* what Safe Harbor forbids that was found; NULL: nothing */
    bool out_of_memory;
} watched;

struct mgl_guard {
    mgl_guard_request order;
    mgl_generalized *generalized; /* NULL: nothing passes through */
    size_t limit;                 /* bytes per column */
    mgl_missing_hashes missing;
    watched *watched; /* [n_columns] */
};

/* The limit for the rows of all columns together, and approximate sizes of a row and a value. */
#define MOST_BYTES ((size_t)512 << 20)
#define LEAST_BYTES ((size_t)1 << 20) /* of a column */
enum { ROW_BYTES = 8, VALUE_BYTES = 48, CONDENSED_BYTES = 16 };

/* ---- Watching ------------------------------------------------------------------------------ */

mgl_missing_hashes mgl_hash_missing(const mgl_span *missing, size_t n)
{
    mgl_missing_hashes hashes = {.list = {mgl_hash("", 0)}, .n = 1};
    for (size_t i = 0; i < n && hashes.n < MGL_MOST_MISSING; i++)
        hashes.list[hashes.n++] = mgl_hash(missing[i].data, missing[i].size);
    return hashes;
}

static mgl_status begin_column(mgl_guard *g, size_t c, mgl_error *err)
{
    watched *w = &g->watched[c];
    mgl_profile_begin(&w->profile, g->order.columns[c].name);
    w->profile.sample = mgl_value_sample_new();
    MGL_TRY(mgl_check_memory(w->profile.sample != NULL, err));
    return mgl_recovery_new(g->generalized, err, &w->sample);
}

mgl_status mgl_guard_new(const mgl_guard_request *request, mgl_error *err, mgl_guard **out)
{
    mgl_guard *g;
    MGL_TRY(mgl_new_zeroed(1, sizeof *g, err, &g));
    g->order = *request;
    size_t bytes = g->order.memory > 0 && g->order.memory / 4 < MOST_BYTES
                       ? (size_t)(g->order.memory / 4)
                       : MOST_BYTES;
    g->limit = bytes / (g->order.n_columns > 0 ? g->order.n_columns : 1);
    g->limit = g->limit > LEAST_BYTES ? g->limit : LEAST_BYTES;
    g->missing = mgl_hash_missing(request->missing, request->n_missing);
    g->watched = mgl_zeroed_array(request->n_columns, sizeof *g->watched);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(g->watched != NULL, err));
    if (request->n_columns > 0)
        MGL_GO(mgl_generalized_new(request->list, request->recoding, request->drop, request->pool,
                                   err, &g->generalized));
    for (size_t c = 0; c < request->n_columns; c++)
        MGL_GO(begin_column(g, c, err));
    *out = g;
    g = NULL;
done:
    mgl_guard_free(g);
    return status;
}

void mgl_guard_free(mgl_guard *g)
{
    if (g == NULL)
        return;
    for (size_t c = 0; g->watched != NULL && c < g->order.n_columns; c++) {
        mgl_value_sample_free(g->watched[c].profile.sample);
        value_sketch *sketch = g->watched[c].sketch;
        for (size_t slot = 0; sketch != NULL && slot < SLOTS; slot++)
            mgl_free(sketch->slots[slot].tuples);
        mgl_free(sketch);
        mgl_recovery_free(g->watched[c].sample);
        mgl_recovery_free(g->watched[c].left_out);
    }
    mgl_free(g->watched);
    mgl_generalized_free(g->generalized);
    mgl_free(g);
}

static bool is_missing(const mgl_missing_hashes *missing, uint64_t hash)
{
    for (size_t i = 0; i < missing->n; i++)
        if (hash == missing->list[i])
            return true;
    return false;
}

/* Shapes are taken from the first thousand values and an eighth of the later ones. */
static bool is_looked_at(unsigned level, uint64_t hash)
{
    return level == 0 || hash % 8 == 0;
}

static void sketch(mgl_guard *g, watched *w, mgl_span cell, uint32_t tuple)
{
    uint64_t hash = mgl_hash(cell.data, cell.size);
    bool missing = is_missing(&g->missing, hash);
    w->missing += missing;
    unsigned level = sketch_level(w->sketch);
    if (!missing && sketch_watches(level, hash) && sketch_add(w->sketch, hash, tuple, 1) &&
        is_looked_at(level, hash))
        mgl_profile_look(&w->profile, cell);
}

static size_t bytes_of(const watched *w)
{
    size_t row = w->sample->condensed ? CONDENSED_BYTES : ROW_BYTES;
    return w->sample->n_rows * row + w->bytes;
}

/* Beyond the limit of memory: from here on equal rows are counted, and if these are too many,
 * sampled. A quarter of the memory is left for later rows. */
static bool make_room(mgl_guard *g, watched *w)
{
    size_t rows = w->sample->n_rows;
    size_t values = mgl_map_size(w->sample->values), bytes = w->bytes;
    if (w->sketch == NULL && sketch_new(true, NULL, &w->sketch) != MGL_OK)
        return false;
    if (!w->sample->condensed)
        for (size_t row = 0; row < rows; row++)
            sketch(g, w, mgl_map_text(w->sample->values, w->sample->codes[row]),
                   w->sample->tuples[row]);
    for (size_t most = rows; bytes_of(w) > g->limit / 4 * 3; most = w->sample->n_rows / 2) {
        if (!mgl_recovery_condense(w->sample, most))
            return false;
        double left = (double)mgl_map_size(w->sample->values) / (double)values;
        w->bytes = (size_t)((double)bytes * left);
    }
    return true;
}

/* Cells of unreleased rows count for the profile, and recover nothing. */
static void sketch_left_out(mgl_guard *g, watched *w)
{
    size_t n = w->left_out != NULL ? w->left_out->n_rows : 0;
    for (size_t row = 0; row < n; row++)
        sketch(g, w, mgl_map_text(w->left_out->values, w->left_out->codes[row]), MGL_NOT_FOUND);
    mgl_recovery_free(w->left_out);
    w->left_out = NULL;
}

static void watch_some(mgl_guard *g, watched *w, const mgl_span *cells, const uint32_t *tuples,
                       const uint32_t *persons, size_t n)
{
    bool whole = true;
    for (size_t r = 0; whole && r < n; r++) {
        uint32_t before = mgl_map_size(w->sample->values);
        whole = mgl_recovery_watch(w->sample, cells[r], tuples[r], 1,
                                   persons != NULL ? persons[r] : MGL_ROW_IS_PERSON);
        if (mgl_map_size(w->sample->values) > before)
            w->bytes += VALUE_BYTES + cells[r].size;
        if (w->sketch != NULL)
            sketch(g, w, cells[r], tuples[r]);
    }
    if (whole && persons == NULL && bytes_of(w) > g->limit) { /* persons are in memory anyway */
        whole = make_room(g, w);
        sketch_left_out(g, w);
    }
    w->out_of_memory = !whole || w->out_of_memory;
    w->rows += n;
}

void mgl_guard_watch(mgl_guard *g, size_t c, const mgl_span *cells, const uint32_t *tuples,
                     const uint32_t *persons, size_t n)
{
    watched *w = &g->watched[c];
    for (size_t r = 0; g->order.safe_harbor != 0 && w->harbor == NULL && r < n; r++)
        w->harbor = mgl_safe_harbor_finds(g->order.columns[c].name, cells[r], g->order.safe_harbor);
    for (size_t r = 0; r < n; r += MGL_GUARDED_AT_ONCE)
        watch_some(g, w, cells + r, tuples + r, persons != NULL ? persons + r : NULL,
                   n - r < MGL_GUARDED_AT_ONCE ? n - r : MGL_GUARDED_AT_ONCE);
}

void mgl_guard_add_unreleased(mgl_guard *g, size_t c, mgl_span cell)
{
    watched *w = &g->watched[c];
    w->rows++;
    if (w->sketch != NULL) {
        sketch(g, w, cell, MGL_NOT_FOUND);
        return;
    }
    if (w->left_out == NULL && mgl_recovery_new(g->generalized, NULL, &w->left_out) != MGL_OK) {
        w->out_of_memory = true;
        return;
    }
    uint32_t before = mgl_map_size(w->left_out->values);
    if (!mgl_recovery_watch(w->left_out, cell, 0, 1, MGL_ROW_IS_PERSON))
        w->out_of_memory = true;
    w->bytes += ROW_BYTES;
    if (mgl_map_size(w->left_out->values) > before)
        w->bytes += VALUE_BYTES + cell.size;
}

/* ---- Judging ------------------------------------------------------------------------------- */

static const char withhold[] = "make it an identifier, which is not released";
static const char withhold_or_quasi[] =
    "make it an identifier (not released) or a quasi-identifier";

static void judge_name(const mgl_guarded_column *column, const mgl_profile *p, mgl_objections *out)
{
    if (column->open && p->named != NULL)
        mgl_objections_add(
            out,
            &(mgl_objection){
                .code = "identifier-name", .column = column->name, .remedy = withhold_or_quasi},
            column->changed ? "is called like %s and would be released, though treated"
                            : "is called like %s and would be released as it is",
            p->named->name);
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

/* A sensitive column may single rows out, as amounts do: from a fifth of the rows on that is a
 * warning. */
static void judge_uniqueness(const mgl_guarded_column *column, const mgl_profile *p,
                             mgl_objections *out)
{
    if (column->open && mgl_profile_counts_rows(p))
        mgl_objections_add(
            out,
            &(mgl_objection){
                .code = "row-number", .column = column->name, .remedy = withhold, .rows = p->rows},
            "counts the rows and leads back to the input");
    else if (column->open
                 ? mgl_profile_singles_out(p)
                 : p->rows >= MGL_FEWEST_JUDGED && mgl_profile_alone_share(p) >= MGL_ALONE_SHARE)
        mgl_objections_add(out,
                           &(mgl_objection){.code = MGL_GUARD_NEAR_UNIQUE,
                                            .column = column->name,
                                            .remedy = column->open ? withhold_or_quasi
                                                                   : "release it in classes "
                                                                     "(`treat`) if the exact "
                                                                     "values are not needed",
                                            .rows = p->alone,
                                            .warning = !column->open},
                           "has a value that no other row has in about %.0f %% of the rows, so "
                           "that anyone who knows it knows the row",
                           100 * mgl_profile_alone_share(p));
}

/* A column that advice classes as an identifier or a quasi-identifier is released as it is only if
 * the job names it. Where advice is doubtful, it passes. A sensitive column is warned about only if
 * its values themselves are identifiers: names, keys, addresses. */
static void judge_role(const mgl_guarded_column *column, const mgl_profile *p, mgl_objections *out)
{
    mgl_advice advice = mgl_advise(p);
    bool identifier = advice.role == MGL_ROLE_IDENTIFIER;
    bool known = advice.role == MGL_ROLE_QUASI && !advice.doubtful;
    if (!identifier && !known && !mgl_profile_is_near_unique(p))
        return;
    if (!column->open && mgl_profile_identity(p) == MGL_IDENTITY_NONE)
        return;
    char alone[80] = "";
    if (mgl_profile_is_near_unique(p))
        snprintf(alone, sizeof alone, "; %.0f %% of the rows are alone with their value",
                 100 * mgl_profile_alone_share(p));
    mgl_objections_add(
        out,
        &(mgl_objection){.code = MGL_GUARD_PASSED,
                         .column = column->name,
                         .remedy = column->unnamed ? "give it a role, or accept it by its name "
                                                     "(`role: insensitive`)"
                                   : identifier
                                       ? withhold
                                       : "make it a quasi-identifier if others may know it",
                         .warning = !column->unnamed,
                         .unnamed = column->unnamed},
        "would be released%s looks like %s (%s%s)",
        column->changed ? ", though treated, and" : " as it is and",
        identifier ? "an identifier" : "a quasi-identifier", advice.reason, alone);
}

void mgl_guard_judge_profile(const mgl_guarded_column *column, const mgl_profile *profile,
                             mgl_objections *out)
{
    size_t before = out->n;
    judge_looks(column, profile, out);
    if (column->made_up) /* neither its name nor its counts identify anyone */
        return;
    judge_name(column, profile, out);
    judge_uniqueness(column, profile, out);
    if (!column->follows && out->n == before)
        judge_role(column, profile, out);
}

/* Applies Safe Harbor to columns that pass through and to released quasi-identifiers. */
static void judge_harbor(const mgl_guard *g, mgl_objections *out)
{
    for (size_t c = 0; c < g->order.n_columns; c++)
        if (g->watched[c].harbor != NULL)
            mgl_objections_add(out,
                               &(mgl_objection){.code = "safe-harbor",
                                                .column = g->order.columns[c].name,
                                                .remedy = "make it an identifier, or a "
                                                          "quasi-identifier with a hierarchy"},
                               "shows %s, which HIPAA's Safe Harbor does not release",
                               g->watched[c].harbor);
    for (size_t a = 0; a < g->order.list->n_attributes; a++) {
        const mgl_released_column *column = g->order.recoding->columns[a];
        const char *found = NULL;
        for (size_t t = 0; found == NULL && t < g->order.list->n_tuples; t++)
            found = mgl_safe_harbor_finds(g->order.names[a],
                                          column->values[g->order.recoding->cells[a][t]].label,
                                          g->order.safe_harbor);
        if (found != NULL)
            mgl_objections_add(out,
                               &(mgl_objection){.code = "safe-harbor",
                                                .column = g->order.names[a],
                                                .remedy = "give it a hierarchy with a level that "
                                                          "does not"},
                               "shows %s, which HIPAA's Safe Harbor does not release", found);
    }
}

/* Estimates the profile of the column from the sample. */
static mgl_profile profile_of_sketch(const watched *w)
{
    mgl_profile p = w->profile;
    sketched found = sketch_read(w->sketch);
    uint64_t valued = w->rows - w->missing;
    p.rows = w->rows;
    p.missing = w->missing;
    p.alone = found.unique_rows < (double)valued ? (uint64_t)found.unique_rows : valued;
    p.distinct = (uint64_t)found.values;
    mgl_profile_end(&p);
    return p;
}

/* Adds a value with its rows to a profile. */
static void take_value(mgl_profile *out, mgl_span value, uint64_t rows,
                       const mgl_missing_hashes *missing, bool many)
{
    uint64_t hash = mgl_hash(value.data, value.size);
    bool absent = is_missing(missing, hash);
    out->rows += rows;
    out->missing += absent ? rows : 0;
    if (absent || rows == 0)
        return;
    out->distinct++;
    out->alone += rows == 1;
    out->most = rows > out->most ? rows : out->most;
    if (is_looked_at(many, hash))
        mgl_profile_look(out, value);
}

/* Counts the rows of each value, including those that are not released. Free with mgl_free. */
static uint64_t *count_with(const mgl_recovery *recovery, const mgl_recovery *left_out,
                            uint64_t *others)
{
    uint64_t *rows = mgl_recovery_count_values(recovery);
    uint32_t n = left_out != NULL ? mgl_map_size(left_out->values) : 0;
    for (uint32_t v = 0; rows != NULL && v < n; v++) {
        uint32_t known = mgl_map_find(recovery->values, mgl_map_text(left_out->values, v));
        if (known == MGL_NOT_FOUND)
            continue;
        rows[known] += others[v];
        others[v] = 0;
    }
    return rows;
}

mgl_status mgl_recovery_profile(const mgl_recovery *recovery, const mgl_recovery *left_out,
                                const char *name, const mgl_missing_hashes *missing, mgl_error *err,
                                mgl_profile *out)
{
    uint32_t n = mgl_map_size(recovery->values);
    uint32_t n_others = left_out != NULL ? mgl_map_size(left_out->values) : 0;
    uint64_t *others = n_others > 0 ? mgl_recovery_count_values(left_out) : NULL, *rows = NULL;
    mgl_value_sample *sample = mgl_value_sample_new();
    bool many = n > SKETCH_VALUES || n_others > SKETCH_VALUES;
    mgl_status status = MGL_OK;
    if (sample == NULL || (n_others > 0 && others == NULL))
        MGL_GO(mgl_fail_memory(err));
    rows = count_with(recovery, left_out, others);
    MGL_GO(rows == NULL ? mgl_fail_memory(err) : MGL_OK);
    mgl_profile_begin(out, name);
    out->sample = sample;
    for (uint32_t v = 0; v < n; v++)
        take_value(out, mgl_map_text(recovery->values, v), rows[v], missing, many);
    for (uint32_t v = 0; v < n_others; v++)
        take_value(out, mgl_map_text(left_out->values, v), others[v], missing, many);
    mgl_profile_end(out);
    out->sample = NULL;
    MGL_GO(out->out_of_memory ? mgl_fail_memory(err) : MGL_OK);
done:
    mgl_value_sample_free(sample);
    mgl_free(rows);
    mgl_free(others);
    return status;
}

mgl_status mgl_guard_judge(const mgl_guard *g, mgl_error *err, mgl_objections *out)
{
    if (g->order.safe_harbor != 0)
        judge_harbor(g, out);
    for (size_t c = 0; c < g->order.n_columns; c++) {
        const watched *w = &g->watched[c];
        if (w->out_of_memory)
            return mgl_fail_memory(err);
        if (w->rows == 0)
            continue;
        mgl_profile profile;
        if (w->sketch != NULL)
            profile = profile_of_sketch(w);
        else
            MGL_TRY(mgl_recovery_profile(w->sample, w->left_out, g->order.columns[c].name,
                                         &g->missing, err, &profile));
        if (profile.out_of_memory)
            return mgl_fail_memory(err);
        mgl_guard_judge_profile(&g->order.columns[c], &profile, out);
    }
    return MGL_OK;
}

/* ---- Rows that give something back --------------------------------------------------------- */

const mgl_generalized *mgl_guard_generalized(const mgl_guard *g)
{
    return g->generalized;
}

mgl_recovery *mgl_guard_sample(const mgl_guard *g, size_t c)
{
    return g->watched[c].sample;
}

static mgl_status judge_rare(const mgl_guard *g, size_t c, mgl_error *err, bool *suspect)
{
    mgl_recovery *rare;
    MGL_TRY(mgl_recovery_new_of_values(g->generalized, err, &rare));
    mgl_status status = MGL_OK;
    MGL_GO(sketch_pass_rows(g->watched[c].sketch, rare) ? MGL_OK : mgl_fail_memory(err));
    MGL_GO(mgl_recovery_judge(rare, &mgl_rule_of_samples, err));
    *suspect = mgl_recovery_any_real(rare);
done:
    mgl_recovery_free(rare);
    return status;
}

mgl_status mgl_guard_suspect(const mgl_guard *g, size_t c, const mgl_recovery_rule *rule,
                             mgl_error *err, bool *suspect)
{
    mgl_recovery *sample = g->watched[c].sample;
    bool all = sample->level == 0;
    MGL_TRY(mgl_recovery_judge(sample, all ? rule : &mgl_rule_of_samples, err));
    *suspect = mgl_recovery_any_real(sample);
    return *suspect || all ? MGL_OK : judge_rare(g, c, err, suspect);
}
