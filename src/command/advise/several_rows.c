/* risk --advise: finds the column that tells persons with several rows apart. judge_columns.c calls
 * it. */
#include "command/advise/advised.h"

#include <stdio.h>

/* Two columns of a table whose rows tell how their values go together. */
typedef struct pair {
    mgl_table *own; /* NULL: the table is the caller's */
    const mgl_table *table;
    const mgl_column *id, *other;
} pair;

static mgl_status get_pair(const mgl_advised *a, const mgl_table *table, size_t id, size_t other,
                           mgl_error *err, pair *out)
{
    *out = (pair){.table = table};
    if (table == NULL) {
        MGL_TRY(mgl_read_columns(a->settings, a->source, (size_t[]){id, other}, 2, err, &out->own));
        out->table = out->own;
    }
    out->id = &out->table->columns[table == NULL ? 0 : id];
    out->other = &out->table->columns[table == NULL ? 1 : other];
    return MGL_OK;
}

static mgl_status look_within(const mgl_advised *a, const mgl_table *table, size_t id, size_t other,
                              mgl_error *err, mgl_within *out)
{
    pair p;
    MGL_TRY(get_pair(a, table, id, other, err, &p));
    mgl_status status = mgl_within_find(p.table, p.id, p.other, err, out);
    mgl_table_free(p.own);
    return status;
}

/* A column that is nearly constant is constant within anything, and proves nothing. */
static bool tells_something(const mgl_profile *p)
{
    return !mgl_profile_is_constant(p) && (double)p->most < MGL_MOST_VALUES * (double)p->rows;
}

/* Columns that never vary within an id. */
enum { MOST_SAME = 8 };
typedef struct same_columns {
    size_t columns[MOST_SAME];
    size_t n;
} same_columns;

/* Does one tell the other, as a town tells its country? What is nearly an id itself tells
 * everything and proves nothing here. */
static mgl_status look_at_chain(const mgl_advised *a, const mgl_table *table, uint64_t ids,
                                const size_t pair_of[2], mgl_error *err, bool *tells)
{
    mgl_within within;
    *tells = false;
    if (2 * a->columns[pair_of[0]].profile.distinct > ids)
        return MGL_OK;
    MGL_TRY(look_within(a, table, pair_of[0], pair_of[1], err, &within));
    *tells = mgl_within_holds(&within);
    return MGL_OK;
}

/* Those that tell most of persons stand first, and of these those with more values. */
static void add_same(const mgl_advised *a, size_t column, same_columns *same)
{
    const mgl_profile *p = &a->columns[column].profile;
    size_t at = same->n < MOST_SAME ? same->n++ : MOST_SAME;
    for (; at > 0; at--) {
        const mgl_profile *before = &a->columns[same->columns[at - 1]].profile;
        unsigned points = mgl_profile_points(p), theirs = mgl_profile_points(before);
        if (theirs > points || (theirs == points && before->distinct >= p->distinct))
            break;
        if (at < MOST_SAME)
            same->columns[at] = same->columns[at - 1];
    }
    if (at < MOST_SAME)
        same->columns[at] = column;
}

/* Of ids with many rows each, as wards have them, more is asked. */
static bool has_many_rows(const mgl_profile *p)
{
    enum { MANY_ROWS = 15 };
    return p->rows - p->missing > MANY_ROWS * p->distinct;
}

/* What another one tells counts once. */
static mgl_status count_points(const mgl_advised *a, const mgl_table *table, uint64_t ids,
                               const same_columns *same, mgl_error *err, mgl_person_evidence *out)
{
    for (size_t i = 0; i < same->n; i++) {
        const mgl_profile *p = &a->columns[same->columns[i]].profile;
        bool told = false;
        for (size_t j = 0; j < i && !told; j++)
            MGL_TRY(look_at_chain(a, table, ids, (size_t[]){same->columns[j], same->columns[i]},
                                  err, &told));
        out->points += told ? 0 : mgl_profile_points(p);
        out->amounts += mgl_profile_points(p) == MGL_POINTS_OF_THINGS;
        out->personal = out->personal || mgl_profile_is_personal(p);
    }
    return MGL_OK;
}

/* Another name of the id, as a code is of a town: each tells the other. Days and years are none. */
static mgl_status look_at_alias(const mgl_advised *a, const mgl_table *table, size_t id,
                                size_t other, mgl_error *err, bool *alias)
{
    const mgl_profile *p = &a->columns[other].profile;
    mgl_within back;
    *alias = false;
    if (mgl_profile_is_year(p) || mgl_profile_is_date(p) ||
        (double)p->distinct < MGL_MOST_VALUES * (double)a->columns[id].profile.distinct)
        return MGL_OK;
    MGL_TRY(look_within(a, table, other, id, err, &back));
    *alias = mgl_within_holds(&back);
    return MGL_OK;
}

/* Groups of ages never vary within an age, and make no person of it. */
static mgl_status look_at_order(const mgl_advised *a, const mgl_table *table, size_t id,
                                size_t other, mgl_error *err, bool *follows)
{
    pair p;
    *follows = false;
    if (a->columns[id].profile.kind != MGL_VALUE_INTEGER)
        return MGL_OK;
    MGL_TRY(get_pair(a, table, id, other, err, &p));
    mgl_status status = mgl_within_follows(p.table, p.id, p.other, err, follows);
    mgl_table_free(p.own);
    return status;
}

/* Does the column never vary within the id, and tell that its rows belong together? */
static mgl_status look_at_same(const mgl_advised *a, const mgl_table *table, size_t id,
                               size_t other, mgl_error *err, mgl_within *within, bool *same)
{
    bool no_proof = false;
    MGL_TRY(look_within(a, table, id, other, err, within));
    *same = mgl_within_holds(within);
    if (*same && !mgl_profile_is_trait(&a->columns[other].profile)) {
        MGL_TRY(look_at_alias(a, table, id, other, err, &no_proof));
        if (!no_proof)
            MGL_TRY(look_at_order(a, table, id, other, err, &no_proof));
        *same = !no_proof;
    }
    return MGL_OK;
}

/* Within it are names or ids of more persons, or births that lie far apart. */
static mgl_status look_at_many(const mgl_advised *a, const mgl_table *table, size_t id,
                               size_t other, uint64_t ids, mgl_error *err, bool *many)
{
    const mgl_profile *p = &a->columns[other].profile;
    pair both;
    *many = p->distinct >= 2 * ids && mgl_profile_names_persons(p);
    if (*many)
        return MGL_OK;
    MGL_TRY(get_pair(a, table, id, other, err, &both));
    mgl_status status = mgl_within_lies_apart(both.table, both.id, both.other, p, err, many);
    mgl_table_free(both.own);
    return status;
}

static mgl_status gather(const mgl_advised *a, const mgl_table *table, size_t id, mgl_error *err,
                         mgl_person_evidence *out)
{
    enum { ENOUGH = 5 };
    same_columns all_same = {.n = 0};
    *out = (mgl_person_evidence){.in_doubt = mgl_profile_may_be_persons(&a->columns[id].profile)};
    for (size_t c = 0; c < a->n; c++) {
        const mgl_profile *profile = &a->columns[c].profile;
        bool trait = mgl_profile_is_trait(profile), same;
        /* An engine is asked about traits; about other columns only while it is open who is a
         * person. */
        if (c == id || (!trait && (!tells_something(profile) ||
                                   (table == NULL && out->traits + out->others_same >= ENOUGH))))
            continue;
        mgl_within within;
        MGL_TRY(look_at_same(a, table, id, c, err, &within, &same));
        out->persons = within.ids;
        out->repeated = within.repeated;
        out->traits += trait;
        out->traits_same += trait && same;
        out->others_same += !trait && same;
        if (!mgl_within_holds(&within) && !out->many)
            MGL_TRY(look_at_many(a, table, id, c, within.ids, err, &out->many));
        if (same)
            add_same(a, c, &all_same);
    }
    MGL_TRY(count_points(a, table, out->persons, &all_same, err, out));
    if (has_many_rows(&a->columns[id].profile) && out->points > 0)
        out->points--;
    return MGL_OK;
}

/* How much each tells: of texts and numbers those that tell more persons apart. */
static int rank_of(mgl_person_id id)
{
    return id == MGL_PERSON_BY_TRAITS || id == MGL_PERSON_BY_FORM ? MGL_PERSON_BY_KEY : (int)id;
}

/* A login beside the number that is the entity: it tells the same persons apart. */
static mgl_status take_other_ids(mgl_advised *a, const mgl_table *table, mgl_error *err)
{
    for (size_t c = 0; c < a->n; c++) {
        const mgl_profile *p = &a->columns[c].profile;
        mgl_advice *advice = &a->columns[c].advice;
        mgl_person_id id = mgl_profile_person_id(p);
        bool any_number = id == MGL_PERSON_BY_TRAITS && p->kind == MGL_VALUE_INTEGER;
        mgl_within there;
        bool back;
        if (c == a->entity || a->columns[c].said || advice->role == MGL_ROLE_IDENTIFIER ||
            id == MGL_PERSON_BY_NOTHING || any_number)
            continue;
        MGL_TRY(look_at_alias(a, table, a->entity, c, err, &back));
        if (!back)
            continue;
        MGL_TRY(look_within(a, table, a->entity, c, err, &there));
        if (!mgl_within_holds(&there))
            continue;
        advice->role = MGL_ROLE_IDENTIFIER;
        snprintf(advice->reason, sizeof advice->reason,
                 "it tells the same persons apart as `%.60s`", a->columns[a->entity].name);
    }
    return MGL_OK;
}

mgl_status mgl_advise_persons(mgl_advised *a, const mgl_table *table, mgl_error *err)
{
    int best = MGL_PERSON_BY_NOTHING;
    a->entity = SIZE_MAX;
    for (size_t c = 0; c < a->n; c++) {
        mgl_person_id id = mgl_profile_person_id(&a->columns[c].profile);
        mgl_person_evidence evidence;
        if (id == MGL_PERSON_BY_NOTHING || rank_of(id) < best)
            continue;
        MGL_TRY(gather(a, table, c, err, &evidence));
        bool more = rank_of(id) > best || evidence.persons > a->persons.persons;
        if (!mgl_person_is_proved(id, &evidence) || !more)
            continue;
        best = rank_of(id);
        a->entity = c;
        a->persons = evidence;
    }
    return a->entity != SIZE_MAX ? take_other_ids(a, table, err) : MGL_OK;
}
