/* Applies a saved recoding as a rule: by its levels, or by the first recorded tuple that covers a
 * new one, which an index of intervals finds. Columns of strata keep what they had. */
#include "base/base.h"
#include "command/rule/rule.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A slice that is known is not verified by itself. The leak guard wants to know k. */
static mgl_status take_for_slice(mgl_job *job, const mgl_saved_recoding *saved, const char *k,
                                 mgl_error *err)
{
    if (saved->n_quasi == 0)
        return MGL_OK;
    MGL_TRY(mgl_job_take_value(job, "k-anonymity", NULL, k, err));
    /* makes sure that sensitive columns are read, since they may have been counted */
    for (size_t c = 0; c < saved->n_columns; c++)
        if (saved->roles[c] == MGL_ROLE_SENSITIVE)
            return mgl_job_take_value(job, "alpha", saved->columns[c], "1", err);
    return MGL_OK;
}

/* Does it say what models look at, if it is no model itself? */
static bool reports_models(const char *key)
{
    static const char *const keys[] = {"policy",    "population",        "weight",
                                       "household", "sampling-fraction", "suppress-above"};
    return mgl_names_have(keys, sizeof keys / sizeof keys[0], key);
}

static bool reports_release(const char *key)
{
    static const char *const keys[] = {
        "suppressed", "missing",          "entity",      "rest",   "decimal", "century",   "trim",
        "fold-case",  "suppress",         "entity-view", "linked", "follow",  "km-within", "by",
        "spelling",   "missing-sensitive"};
    return mgl_names_have(keys, sizeof keys / sizeof keys[0], key) || reports_models(key) ||
           mgl_model_type_find(key) != NULL;
}

/* Is it a key of a column that says what models want to know about a sensitive one? Models on a
 * single attribute are such keys as well. */
static bool reports_sensitive(const char *key)
{
    return strcmp(key, "hierarchy") == 0 || strcmp(key, "distance") == 0 ||
           strcmp(key, "protect") == 0 || strcmp(key, "kind") == 0;
}

typedef struct taking {
    mgl_job *job;
    const mgl_saved_recoding *saved;
    bool models; /* the models of the recoding are taken, too */
    char k[24];  /* of the recoding's job; "1": it has none */
} taking;

static bool has_role(const mgl_saved_recoding *saved, const char *column, mgl_role role)
{
    for (size_t c = 0; c < saved->n_columns; c++)
        if (saved->roles[c] == role && strcmp(saved->columns[c], column) == 0)
            return true;
    return false;
}

/* Is it taken over what the recoding's job says of a column? An insensitive one has a hierarchy
 * only if it follows others. */
static bool takes_field(const taking *t, const char *column, const char *key)
{
    bool model = mgl_model_type_find(key) != NULL;
    if (strcmp(key, "treat") == 0 || strcmp(key, "km") == 0)
        return true;
    if (strcmp(key, "hierarchy") == 0 && has_role(t->saved, column, MGL_ROLE_INSENSITIVE))
        return true;
    return t->models && (model || reports_sensitive(key)) &&
           has_role(t->saved, column, MGL_ROLE_SENSITIVE);
}

static mgl_status take_given(void *context, const mgl_job_value *given, mgl_error *err)
{
    taking *t = context;
    const mgl_model_type *type = mgl_model_type_find(given->key);
    bool model = type != NULL;
    if (model && type->k == MGL_K_IS)
        snprintf(t->k, sizeof t->k, "%s", given->value);
    bool judges = model || reports_models(given->key);
    bool taken = given->column == NULL ? reports_release(given->key) && (t->models || !judges)
                                       : takes_field(t, given->column, given->key);
    return taken ? mgl_job_take_value(t->job, given->key, given->column, given->value, err)
                 : MGL_OK;
}

static mgl_status load_job(const mgl_saved_recoding *saved, mgl_error *err, json_t **out)
{
    json_error_t error;
    *out = json_loads(saved->job, 0, &error);
    if (*out == NULL && mgl_json_lacks_memory(&error))
        return mgl_fail_memory(err);
    if (*out == NULL)
        return mgl_fail_key(err, MGL_CODE_DAMAGED, "recoding",
                            "the recoding does not name the job that made it; save it again");
    return MGL_OK;
}

mgl_status mgl_job_of_recoding(mgl_job *job, const mgl_saved_recoding *saved, bool models,
                               mgl_error *err)
{
    json_t *given;
    taking taken = {job, saved, models, "1"};
    MGL_TRY(load_job(saved, err, &given));
    mgl_status status = MGL_OK;
    MGL_GO(mgl_job_take_roles(job, saved->columns, saved->roles, saved->n_columns, err));
    /* Columns are released as the texts of the recoding, so no hierarchy is proposed for them. */
    for (size_t a = 0; a < saved->n_quasi; a++)
        MGL_GO(mgl_job_take_value(job, "hierarchy", saved->quasi[a].name, "suppress", err));
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->release != NULL && (*f)->release->take != NULL)
            MGL_GO((*f)->release->take(saved, job, err));
    MGL_GO(mgl_job_document_each(given, take_given, &taken, err));
    if (!models)
        MGL_GO(take_for_slice(job, saved, taken.k, err));
done:
    json_decref(given);
    return status;
}

/* ---- For the record ------------------------------------------------------------------------- */

static void record_column(const taking *t, const json_t *given, size_t c, json_t *attributes)
{
    const char *column = t->saved->columns[c], *key;
    json_t *fields = json_object_get(attributes, column), *value;
    if (fields == NULL) {
        mgl_json_set(attributes, column, json_object());
        fields = json_object_get(attributes, column);
    }
    if (t->saved->roles[c] == MGL_ROLE_QUASI ||
        t->saved->roles[c] == MGL_ROLE_ITEMS) /* a stand-in for that of the recoding */
        (void)json_object_del(fields, "hierarchy");
    if (json_object_get(fields, "role") == NULL && t->saved->roles[c] != MGL_ROLE_NONE)
        mgl_json_set(fields, "role", json_string(mgl_role_name(t->saved->roles[c])));
    json_object_foreach(json_object_get(json_object_get(given, "attributes"), column), key, value)
    {
        if (takes_field(t, column, key) && json_object_get(fields, key) == NULL)
            mgl_json_set(fields, key, json_incref(value));
    }
}

mgl_status mgl_job_record_recoding(const mgl_saved_recoding *saved, mgl_error *err, json_t *job)
{
    const taking t = {.saved = saved, .models = true};
    json_t *given, *value, *attributes = json_object_get(job, "attributes");
    const char *key;
    MGL_TRY(load_job(saved, err, &given));
    for (size_t c = 0; c < saved->n_columns; c++)
        record_column(&t, given, c, attributes);
    json_object_foreach(given, key, value)
    {
        if ((reports_release(key) || strcmp(key, "privacy") == 0) &&
            json_object_get(job, key) == NULL)
            mgl_json_set(job, key, json_incref(value));
    }
    mgl_json_set(job, "method", json_string(saved->method));
    json_decref(given);
    return MGL_OK;
}

/* Tuples in the order of preference. The interval of a cell goes from low to high, both included;
 * one that ends before it begins covers nothing. Everything is borrowed until the index is made. */
typedef struct mgl_cover_tuples {
    size_t n_columns;
    uint32_t n_tuples;
    const uint32_t *const *cells;           /* [column][tuple] */
    const double *const *low, *const *high; /* [column][cell] */
    const uint32_t *n_cells;                /* [column] cells are below this */
} mgl_cover_tuples;

typedef struct mgl_cover_index mgl_cover_index;

typedef struct entry {
    double low, high;
    double range_high;         /* of the range whose middle it is: the largest */
    uint32_t first;            /* tuple below it */
    uint32_t range_first;      /* the same of the range */
    uint32_t below, below_end; /* its entries in the next column */
} entry;

struct mgl_cover_index {
    size_t n_columns;
    uint32_t *order; /* [n_columns] which column is the first, second, ... */
    entry **entries; /* [n_columns] */
    uint32_t n_roots;
};

/* ---- Making --------------------------------------------------------------------------------- */

typedef struct making {
    const mgl_cover_tuples *tuples;
    mgl_cover_index *index;
    uint32_t *sorted;  /* [n_tuples] */
    uint32_t **rank;   /* [column][cell] its place by where the interval begins */
    uint32_t *scratch; /* [n_tuples] */
} making;

typedef struct begin {
    double low;
    uint32_t cell;
} begin;

static void cover_index_free(mgl_cover_index *index);

static const mgl_sort_key by_low[] = {MGL_ASCENDING(begin, low), MGL_ASCENDING(begin, cell),
                                      MGL_SORT_END};

static mgl_status rank_cells(making *m, size_t c, mgl_error *err)
{
    uint32_t n = m->tuples->n_cells[c];
    begin *begins = mgl_alloc_array(n, sizeof *begins);
    m->rank[c] = mgl_alloc_array(n, sizeof **m->rank);
    if (begins == NULL || m->rank[c] == NULL) {
        mgl_free(begins);
        return mgl_fail_memory(err);
    }
    for (uint32_t cell = 0; cell < n; cell++)
        begins[cell] = (begin){m->tuples->low[c][cell], cell};
    if (n > 1)
        mgl_sort(begins, n, sizeof *begins, by_low);
    for (uint32_t i = 0; i < n; i++)
        m->rank[c][begins[i].cell] = i;
    mgl_free(begins);
    return MGL_OK;
}

/* Different cells of the column that tuples have. */
static uint32_t count_different(making *m, size_t c)
{
    uint32_t n = 0, n_cells = m->tuples->n_cells[c];
    uint8_t *seen = mgl_zeroed_array((size_t)n_cells + 1, 1);
    for (uint32_t t = 0; seen != NULL && t < m->tuples->n_tuples; t++) {
        uint32_t cell = m->tuples->cells[c][t];
        n += !seen[cell];
        seen[cell] = 1;
    }
    mgl_free(seen);
    return n;
}

/* The column with most different cells comes first: it distinguishes most tuples. */
static mgl_status order_columns(making *m, mgl_error *err)
{
    size_t n = m->tuples->n_columns;
    uint32_t *different = mgl_alloc_array(n, sizeof *different);
    MGL_TRY(mgl_check_memory(different != NULL, err));
    for (size_t c = 0; c < n; c++) {
        different[c] = count_different(m, c);
        size_t at = c;
        for (; at > 0 && different[m->index->order[at - 1]] < different[c]; at--)
            m->index->order[at] = m->index->order[at - 1];
        m->index->order[at] = (uint32_t)c;
    }
    mgl_free(different);
    return MGL_OK;
}

/* Sorts by the columns in their order, the last one first: a counting sort per column, which keeps
 * the order of equal cells. */
static mgl_status sort_tuples(making *m, mgl_error *err)
{
    uint32_t n = m->tuples->n_tuples;
    for (uint32_t t = 0; t < n; t++)
        m->sorted[t] = t;
    for (size_t i = m->tuples->n_columns; i-- > 0;) {
        size_t c = m->index->order[i];
        uint32_t n_cells = m->tuples->n_cells[c];
        const uint32_t *cells = m->tuples->cells[c], *rank = m->rank[c];
        uint32_t *start = mgl_zeroed_array((size_t)n_cells + 1, sizeof *start);
        MGL_TRY(mgl_check_memory(start != NULL, err));
        for (uint32_t t = 0; t < n; t++)
            start[rank[cells[t]] + 1]++;
        for (uint32_t r = 0; r < n_cells; r++)
            start[r + 1] += start[r];
        for (uint32_t t = 0; t < n; t++)
            m->scratch[start[rank[cells[m->sorted[t]]]]++] = m->sorted[t];
        mgl_free(start);
        uint32_t *sorted = m->sorted;
        m->sorted = m->scratch;
        m->scratch = sorted;
    }
    return MGL_OK;
}

/* The first place in the order of columns in which two neighbours differ. */
static size_t first_difference(const making *m, uint32_t at)
{
    size_t i = 0;
    for (; at > 0 && i < m->tuples->n_columns; i++) {
        const uint32_t *cells = m->tuples->cells[m->index->order[i]];
        if (cells[m->sorted[at]] != cells[m->sorted[at - 1]])
            break;
    }
    return i;
}

static mgl_status make_room(making *m, uint32_t *n_entries, mgl_error *err)
{
    size_t n = m->tuples->n_columns;
    for (uint32_t at = 0; at < m->tuples->n_tuples; at++)
        for (size_t i = first_difference(m, at); i < n; i++)
            n_entries[i]++;
    for (size_t i = 0; i < n; i++) {
        MGL_TRY(
            mgl_new_array(n_entries[i], sizeof **m->index->entries, err, &m->index->entries[i]));
    }
    m->index->n_roots = n_entries[0];
    return MGL_OK;
}

static void fill_entries(making *m, uint32_t *n_entries)
{
    size_t n = m->tuples->n_columns;
    memset(n_entries, 0, n * sizeof *n_entries);
    for (uint32_t at = 0; at < m->tuples->n_tuples; at++) {
        uint32_t t = m->sorted[at];
        size_t from = first_difference(m, at);
        for (size_t i = from; i < n; i++) {
            size_t c = m->index->order[i];
            uint32_t cell = m->tuples->cells[c][t];
            m->index->entries[i][n_entries[i]++] =
                (entry){.low = m->tuples->low[c][cell],
                        .high = m->tuples->high[c][cell],
                        .first = t,
                        .below = i + 1 < n ? n_entries[i + 1] : 0};
        }
        for (size_t i = 0; i < n; i++) {
            entry *e = &m->index->entries[i][n_entries[i] - 1];
            e->first = t < e->first ? t : e->first;
            e->below_end = i + 1 < n ? n_entries[i + 1] : 0;
        }
    }
}

/* Gives the middles what their ranges hold. */
static void fill_range(entry *entries, uint32_t from, uint32_t end)
{
    if (from >= end)
        return;
    uint32_t middle = from + (end - from) / 2;
    entry *e = &entries[middle];
    e->range_high = e->high;
    e->range_first = e->first;
    const uint32_t halves[2][2] = {{from, middle}, {middle + 1, end}};
    for (int h = 0; h < 2; h++) {
        if (halves[h][0] >= halves[h][1])
            continue;
        fill_range(entries, halves[h][0], halves[h][1]);
        const entry *other = &entries[halves[h][0] + (halves[h][1] - halves[h][0]) / 2];
        e->range_high = other->range_high > e->range_high ? other->range_high : e->range_high;
        e->range_first = other->range_first < e->range_first ? other->range_first : e->range_first;
    }
}

static mgl_status make(making *m, mgl_error *err)
{
    size_t n = m->tuples->n_columns;
    mgl_cover_index *index = m->index;
    index->n_columns = n;
    index->order = mgl_alloc_array(n, sizeof *index->order);
    index->entries = mgl_zeroed_array(n, sizeof *index->entries);
    m->rank = mgl_zeroed_array(n, sizeof *m->rank);
    m->sorted = mgl_alloc_array(m->tuples->n_tuples, sizeof *m->sorted);
    m->scratch = mgl_alloc_array(m->tuples->n_tuples, sizeof *m->scratch);
    uint32_t *n_entries = mgl_zeroed_array(n, sizeof *n_entries);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(index->order != NULL && index->entries != NULL && m->rank != NULL &&
                                m->sorted != NULL && m->scratch != NULL && n_entries != NULL,
                            err));
    for (size_t c = 0; c < n; c++)
        MGL_GO(rank_cells(m, c, err));
    MGL_GO(order_columns(m, err));
    MGL_GO(sort_tuples(m, err));
    MGL_GO(make_room(m, n_entries, err));
    fill_entries(m, n_entries);
    fill_range(index->entries[0], 0, index->n_roots);
    for (size_t i = 0; i + 1 < index->n_columns; i++)
        for (uint32_t e = 0; e < n_entries[i]; e++)
            fill_range(index->entries[i + 1], index->entries[i][e].below,
                       index->entries[i][e].below_end);
done:
    for (size_t c = 0; m->rank != NULL && c < n; c++)
        mgl_free(m->rank[c]);
    mgl_free(m->rank);
    mgl_free(m->sorted);
    mgl_free(m->scratch);
    mgl_free(n_entries);
    return status;
}

/* Free with cover_index_free. */
static mgl_status cover_index_new(const mgl_cover_tuples *tuples, mgl_error *err,
                                  mgl_cover_index **out)
{
    making m = {.tuples = tuples, .index = mgl_zeroed_array(1, sizeof *m.index)};
    MGL_TRY(mgl_check_memory(m.index != NULL, err));
    mgl_status status = make(&m, err);
    if (status != MGL_OK) {
        cover_index_free(m.index);
        return status;
    }
    *out = m.index;
    return MGL_OK;
}

static void cover_index_free(mgl_cover_index *index)
{
    if (index == NULL)
        return;
    for (size_t i = 0; index->entries != NULL && i < index->n_columns; i++)
        mgl_free(index->entries[i]);
    mgl_free(index->entries);
    mgl_free(index->order);
    mgl_free(index);
}

/* ---- Finding --------------------------------------------------------------------------------- */

typedef struct finding {
    const mgl_cover_index *index;
    const double *point;
    uint32_t best;
} finding;

static void follow(finding *f, size_t i, uint32_t from, uint32_t end);

static void follow_entry(finding *f, size_t i, const entry *e, double x)
{
    if (e->low > x || e->high < x || e->first >= f->best)
        return;
    if (i + 1 == f->index->n_columns)
        f->best = e->first;
    else
        follow(f, i + 1, e->below, e->below_end);
}

static void follow(finding *f, size_t i, uint32_t from, uint32_t end)
{
    const entry *entries = f->index->entries[i];
    double x = f->point[f->index->order[i]];
    while (from < end) {
        uint32_t middle = from + (end - from) / 2;
        const entry *e = &entries[middle];
        if (e->range_high < x || e->range_first >= f->best)
            return;
        follow(f, i, from, middle);
        follow_entry(f, i, e, x);
        if (e->low > x) /* all behind it begin later */
            return;
        from = middle + 1;
    }
}

/* The first tuple whose intervals hold point[column] in every column; MGL_NOT_FOUND: none does. Any
 * number of threads may ask at once. */
static uint32_t cover_find(const mgl_cover_index *index, const double *point)
{
    finding f = {index, point, MGL_NOT_FOUND};
    follow(&f, 0, 0, index->n_roots);
    return f.best;
}

static mgl_status refuse_unruled(const mgl_task *task, size_t t, mgl_error *err)
{
    mgl_buffer name = {0};
    mgl_held_name(&task->problem, mgl_settings_held(task->reading->settings), t, &name);
    mgl_status status =
        name.failed ? mgl_fail_memory(err)
                    : mgl_fail(err, MGL_CODE_NOT_COVERED,
                               "the recoding has no rule for the stratum %.*s, which was not in "
                               "the table it was made for; leave its rows out with `where`, or "
                               "anonymize the table by itself",
                               (int)name.size, name.data);
    mgl_buffer_free(&name);
    return mgl_blame_key(err, status, "recoding");
}

/* Which label each leaf of the recoding has in a column of strata. Caller frees with mgl_free. */
static mgl_status find_labels(const mgl_saved_recoding *saved, size_t a, mgl_error *err,
                              uint32_t **out)
{
    size_t n = saved->quasi[a].n_leaves;
    uint32_t *label = mgl_alloc_array(n, sizeof *label);
    MGL_TRY(mgl_check_memory(label != NULL, err));
    for (size_t leaf = 0; leaf < n; leaf++)
        label[leaf] = MGL_NOT_FOUND;
    for (size_t t = 0; t < saved->n_tuples; t++)
        label[saved->leaves[a][t]] = saved->released[a][t];
    *out = label;
    return MGL_OK;
}

mgl_status mgl_rule_hold(const mgl_saved_recoding *saved, const mgl_task *task,
                         const size_t *of_saved, uint32_t *const *saved_leaf, mgl_error *err,
                         mgl_recoding *recoding)
{
    const mgl_frequency_list *list = task->problem.list;
    for (size_t a = 0; a < saved->n_quasi; a++) {
        size_t b = of_saved[a];
        uint32_t *label = NULL;
        mgl_status status = MGL_OK;
        if (!task->reading->quasi[b].settings->by)
            continue;
        MGL_TRY(find_labels(saved, a, err, &label));
        for (size_t t = 0; status == MGL_OK && t < list->n_tuples; t++) {
            uint32_t leaf = saved_leaf[b][mgl_list_leaf(list, t, b)];
            uint32_t cell = leaf != MGL_NOT_FOUND ? label[leaf] : MGL_NOT_FOUND;
            recoding->cells[b][t] = cell;
            if (cell == MGL_NOT_FOUND)
                status = refuse_unruled(task, t, err);
        }
        mgl_free(label);
        MGL_TRY(status);
    }
    return MGL_OK;
}

/* ---- Levels ---------------------------------------------------------------------------------- */

bool mgl_rule_has_levels(const mgl_saved_recoding *saved)
{
    for (size_t a = 0; a < saved->n_quasi; a++)
        if (saved->quasi[a].tree == NULL || saved->quasi[a].tree->level == MGL_NOT_FOUND)
            return false;
    return saved->n_quasi > 0;
}

/* What a leaf is at the level of its column; MGL_NOT_FOUND: it has no place, and needs one. */
static uint32_t text_at_level(const mgl_rule_request *o, size_t a, uint32_t leaf)
{
    const mgl_saved_tree *tree = o->saved->quasi[a].tree;
    const uint32_t *path = o->placed[a].path + (size_t)leaf * (tree->height + 1);
    if (tree->level == tree->height)
        return o->saved->quasi[a].top;
    return path[0] == MGL_NOT_FOUND ? MGL_NOT_FOUND : path[tree->height - tree->level];
}

mgl_status mgl_rule_by_levels(const mgl_rule_request *o, mgl_recoding *recoding, mgl_ruled *out)
{
    for (size_t t = 0; t < o->list->n_tuples; t++) {
        bool placed = true;
        for (size_t a = 0; placed && a < o->saved->n_quasi; a++) {
            size_t b = o->of_saved[a];
            recoding->cells[b][t] = text_at_level(o, a, mgl_list_leaf(o->list, t, b));
            placed = recoding->cells[b][t] != MGL_NOT_FOUND;
        }
        if (!placed)
            mgl_recoding_suppress(recoding, t);
        *(o->known[t] != MGL_NOT_FOUND ? &out->recorded_rows
          : placed                     ? &out->new_rows
                                       : &out->unplaced_rows) += o->list->counts[t];
    }
    return MGL_OK;
}

/* ---- Recorded released tuples ---------------------------------------------------------------- */

/* A released tuple of the recoding that is not all at the top. */
typedef struct candidate {
    const mgl_saved_recoding *saved;
    uint32_t tuple; /* the first of the recoding that is released so */
    int64_t cost;   /* rounded, so that sums which differ by rounding alone are equal */
    uint64_t rows;
} candidate;

static const mgl_saved_label *reported(const candidate *c, size_t a)
{
    return &c->saved->quasi[a].tree->saved_labels[c->saved->released[a][c->tuple]];
}

/* Least cost, then the larger class, then by first leaf in the order of the columns; of equal first
 * leaves the one with fewer leaves. */
static int compare_candidates(const void *p, const void *q)
{
    const candidate *x = p, *y = q;
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    if (x->rows != y->rows)
        return x->rows > y->rows ? -1 : 1;
    for (size_t a = 0; a < x->saved->n_quasi; a++) {
        const mgl_saved_label *i = reported(x, a), *j = reported(y, a);
        if (i->first_leaf != j->first_leaf)
            return i->first_leaf < j->first_leaf ? -1 : 1;
        if (i->leaves != j->leaves)
            return i->leaves < j->leaves ? -1 : 1;
    }
    return (x->tuple > y->tuple) - (x->tuple < y->tuple);
}

static bool is_top(const mgl_saved_recoding *saved, size_t t)
{
    for (size_t a = 0; a < saved->n_quasi; a++)
        if (saved->released[a][t] != saved->quasi[a].top)
            return false;
    return true;
}

/* Costs as whole numbers, where that of the top is about a million million. */
static int64_t cost_of(const mgl_saved_recoding *saved, size_t t)
{
    double cost = 0, most = 0;
    for (size_t a = 0; a < saved->n_quasi; a++) {
        const mgl_saved_quasi *quasi = &saved->quasi[a];
        cost += quasi->tree->saved_labels[saved->released[a][t]].cost;
        most += quasi->tree->saved_labels[quasi->top].cost;
    }
    double share = most > 0 ? cost / most : 0;
    return share < 1e6 ? llround(share * 1e12) : INT64_MAX;
}

typedef struct candidates {
    candidate *all;
    uint32_t n;
    uint32_t **cells; /* [a][candidate] */
    const double **low, **high;
    uint32_t *n_cells;
    mgl_cover_index *index; /* NULL: there is nothing to choose from */
} candidates;

static mgl_status list_candidates(const mgl_saved_recoding *saved, mgl_error *err, candidates *out)
{
    size_t m = saved->n_quasi;
    mgl_map *seen = mgl_map_new();
    uint32_t *key = mgl_alloc_array(m, sizeof *key);
    out->all = mgl_alloc_array(saved->n_tuples, sizeof *out->all);
    bool failed = seen == NULL || key == NULL || out->all == NULL;
    for (size_t t = 0; !failed && t < saved->n_tuples; t++) {
        if (is_top(saved, t) || saved->suppressed[t])
            continue;
        for (size_t a = 0; a < m; a++)
            key[a] = saved->released[a][t];
        uint32_t number = mgl_map_add(seen, (mgl_span){(const char *)key, m * sizeof *key});
        failed = number == MGL_NOT_FOUND;
        if (!failed && number == out->n)
            out->all[out->n++] = (candidate){saved, (uint32_t)t, cost_of(saved, t), 0};
        if (!failed)
            out->all[number].rows += saved->counts[t];
    }
    mgl_map_free(seen);
    mgl_free(key);
    if (failed)
        return mgl_fail_memory(err);
    if (out->n > 1)
        qsort(out->all, out->n, sizeof *out->all, compare_candidates);
    return MGL_OK;
}

static mgl_status index_candidates(const mgl_rule_request *o, mgl_error *err, candidates *out)
{
    size_t m = o->saved->n_quasi;
    MGL_TRY(list_candidates(o->saved, err, out));
    if (out->n == 0)
        return MGL_OK;
    out->cells = mgl_zeroed_array(m, sizeof *out->cells);
    out->low = mgl_alloc_array(m, sizeof *out->low);
    out->high = mgl_alloc_array(m, sizeof *out->high);
    out->n_cells = mgl_alloc_array(m, sizeof *out->n_cells);
    MGL_TRY(mgl_check_memory(
        out->cells != NULL && out->low != NULL && out->high != NULL && out->n_cells != NULL, err));
    for (size_t a = 0; a < m; a++) {
        out->low[a] = o->placed[a].low;
        out->high[a] = o->placed[a].high;
        out->n_cells[a] = o->saved->quasi[a].n_labels;
        MGL_TRY(mgl_new_array(out->n, sizeof **out->cells, err, &out->cells[a]));
        for (uint32_t i = 0; i < out->n; i++)
            out->cells[a][i] = o->saved->released[a][out->all[i].tuple];
    }
    const mgl_cover_tuples tuples = {m,        out->n,    (const uint32_t *const *)out->cells,
                                     out->low, out->high, out->n_cells};
    return cover_index_new(&tuples, err, &out->index);
}

/* ---- Tuples ---------------------------------------------------------------------------------- */

typedef struct recoder {
    const mgl_rule_request *order;
    const candidates *candidates;
    mgl_recoding *recoding;
    double *points; /* [MGL_RANGES * n_quasi] */
    mgl_ruled ruled[MGL_RANGES];
} recoder;

static void take_recorded(const recoder *r, size_t t, uint32_t recorded)
{
    const mgl_saved_recoding *saved = r->order->saved;
    for (size_t a = 0; a < saved->n_quasi; a++)
        r->recoding->cells[r->order->of_saved[a]][t] = saved->released[a][recorded];
    if (is_top(saved, recorded) || saved->suppressed[recorded])
        mgl_recoding_suppress(r->recoding, t);
}

static void recode_tuple(recoder *r, size_t t, double *point, mgl_ruled *out)
{
    const mgl_rule_request *o = r->order;
    uint64_t rows = o->list->counts[t];
    bool placed = true;
    if (o->known[t] != MGL_NOT_FOUND) {
        take_recorded(r, t, o->known[t]);
        out->recorded_rows += rows;
        return;
    }
    for (size_t a = 0; a < o->saved->n_quasi; a++) {
        point[a] = o->placed[a].point[mgl_list_leaf(o->list, t, o->of_saved[a])];
        placed = placed && !isnan(point[a]);
    }
    uint32_t found = MGL_NOT_FOUND;
    if (placed && r->candidates->index != NULL)
        found = cover_find(r->candidates->index, point);
    if (found != MGL_NOT_FOUND)
        take_recorded(r, t, r->candidates->all[found].tuple);
    else
        mgl_recoding_suppress(r->recoding, t);
    *(!placed                  ? &out->unplaced_rows
      : found != MGL_NOT_FOUND ? &out->new_rows
                               : &out->uncovered_rows) += rows;
}

static void recode_range(void *context, mgl_range range)
{
    recoder *r = context;
    double *point = &r->points[range.number * r->order->saved->n_quasi];
    for (size_t t = range.first; t < range.end; t++)
        recode_tuple(r, t, point, &r->ruled[range.number]);
}

mgl_status mgl_rule_by_tuples(const mgl_rule_request *request, mgl_error *err,
                              mgl_recoding *recoding, mgl_ruled *out)
{
    size_t m = request->saved->n_quasi;
    candidates c = {0};
    recoder r = {.order = request, .candidates = &c, .recoding = recoding};
    mgl_status status = MGL_OK;
    MGL_GO(index_candidates(request, err, &c));
    r.points = mgl_alloc_array(MGL_RANGES * m, sizeof *r.points);
    MGL_GO(mgl_check_memory(r.points != NULL, err));
    mgl_pool_run_ranges(request->pool, request->list->n_tuples, recode_range, &r);
    for (size_t i = 0; i < MGL_RANGES; i++) {
        out->recorded_rows += r.ruled[i].recorded_rows;
        out->new_rows += r.ruled[i].new_rows;
        out->uncovered_rows += r.ruled[i].uncovered_rows;
        out->unplaced_rows += r.ruled[i].unplaced_rows;
    }
done:
    mgl_free(r.points);
    for (size_t a = 0; c.cells != NULL && a < m; a++)
        mgl_free(c.cells[a]);
    mgl_free(c.cells);
    mgl_free(c.low);
    mgl_free(c.high);
    mgl_free(c.n_cells);
    mgl_free(c.all);
    cover_index_free(c.index);
    return status;
}
