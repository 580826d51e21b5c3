/* Improving with dual values as the guide: classes with a high reduced cost are taken apart
 * together with classes that they could share a candidate with. */
#include "search/cell/improve/improve.h"
#include "search/cell/improve/neighbourhood.h"
#include "search/cell/place/place.h"

typedef struct mgl_cell_rebuilder mgl_cell_rebuilder;

/* How dual values are made slightly wrong, so that another attempt ends elsewhere. */
typedef struct mgl_dual_change {
    double noise; /* each is off by up to this share of itself */
    /* All go up to so much of the way to what the row costs in the class that was taken apart, or
     * beyond it: candidates for rows that cost much come first then. What is off by chance alone
     * evens out in classes of many tuples. */
    double toward_cost;
} mgl_dual_change;

/* What was made: the cost, and the draft of each tuple, MGL_NOT_FOUND for none. */
typedef struct mgl_cell_drafts {
    uint64_t cost;
    size_t n_tuples, n_drafts;
    const uint32_t *tuples, *draft_of;
    bool impossible; /* a draft reads as the top, where it may be no class */
    uint64_t work;   /* since it was empty */
} mgl_cell_drafts;

/* A candidate, or the box of a class that was taken apart, as far as it lies in the
 * neighbourhood. */
typedef struct mgl_local_candidate {
    uint32_t cost;
    size_t start, n; /* members: positions among the tuples, the highest dual values first */
    double worth;    /* of its best rows, each, when last looked at */
} mgl_local_candidate;

typedef struct mgl_draft {
    uint32_t first; /* place of a member; the others follow in next */
    uint64_t rows;
    uint32_t cost;
    bool lone_known;
} mgl_draft;

typedef struct mgl_dual_place {
    uint32_t dual; /* changed, as a whole number */
    uint32_t place;
} mgl_dual_place;

typedef struct mgl_candidate_sight {
    uint32_t when;   /* a candidate was last seen */
    uint32_t number; /* of its rows, or its own among the locals */
} mgl_candidate_sight;

struct mgl_cell_rebuilder {
    const mgl_cell_candidates *candidates;
    const mgl_box_space *space;
    mgl_box_judge *judge;
    size_t most, n;
    const mgl_box_class *classes[MGL_NEIGHBOURHOOD_CLASSES]; /* that it is made of */
    size_t n_classes;
    uint32_t *tuples; /* [n] */
    double *dual;     /* [n] changed */
    uint32_t *cost;   /* [n] of a row in its class; its dual value if it is in none */
    uint32_t *draft_of, *next;
    mgl_dual_place *order, *other; /* [n] places, the highest dual values first */
    /* Local candidates. */
    mgl_local_candidate *locals;
    size_t n_locals, locals_capacity;
    uint32_t *members;
    size_t n_members, members_capacity;
    mgl_candidate_sight *seen; /* [candidates] */
    uint32_t now;
    uint32_t *heap; /* [n_locals] */
    size_t heap_capacity;
    mgl_draft *drafts; /* [n] */
    size_t n_drafts;
    uint8_t *levels;  /* [n * m] boxes of the drafts */
    uint32_t *lone;   /* [n * m] of each draft */
    uint8_t *scratch; /* [m] */
    uint64_t *mask;   /* [words] */
    uint32_t *chosen; /* [n] places */
    uint32_t *judged; /* [n] tuples */
    uint64_t work;
    bool out_of_memory;
    mgl_owned own;
};

/* Tuples of a neighbourhood, put together anew by candidates: the best candidates first, then what
 * is left joins the draft that grows least, then tuples move where they cost less. */

/* Candidates, the classes whose reduced cost is hardly above zero at given dual values, listed for
 * each tuple. */

static mgl_status index_candidates(mgl_cell_candidates *o, mgl_error *err)
{
    size_t n = o->space->n;
    const mgl_cell_negatives *list = &o->list;
    o->start = mgl_zeroed_array(n + 2, sizeof *o->start);
    o->of = mgl_alloc_array(list->n_members, sizeof *o->of);
    MGL_TRY(mgl_check_memory(o->start != NULL && o->of != NULL, err));
    for (size_t i = 0; i < list->n_members; i++)
        o->start[list->members[i] + 2]++;
    for (size_t t = 1; t <= n; t++)
        o->start[t + 1] += o->start[t];
    for (size_t i = 0; i < list->n; i++)
        for (size_t j = 0; j < list->items[i].n; j++)
            o->of[o->start[list->members[list->items[i].start + j] + 1]++] = (uint32_t)i;
    return MGL_OK;
}

mgl_status mgl_cell_candidates_new(const mgl_cell_closed *closed, const uint32_t *duals,
                                   uint32_t slack, mgl_error *err, mgl_cell_candidates **out)
{
    mgl_status status = MGL_OK;
    mgl_cell_candidates *o;
    MGL_TRY(mgl_new_zeroed(1, sizeof *o, err, &o));
    o->space = closed->space;
    o->duals = duals;
    MGL_GO(mgl_cell_scan(closed, duals, &(mgl_pricing_look){.raise = slack}, err, &o->list));
    MGL_GO(index_candidates(o, err));
    *out = o;
    o = NULL;
done:
    mgl_cell_candidates_free(o);
    return status;
}

void mgl_cell_candidates_free(mgl_cell_candidates *candidates)
{
    if (candidates == NULL)
        return;
    mgl_cell_negatives_free(&candidates->list);
    mgl_free(candidates->start);
    mgl_free(candidates->of);
    mgl_free(candidates);
}

/* The tuples of a neighbourhood in the order of their dual values: candidates then have their best
 * rows in front. */

enum { BYTES = sizeof(uint32_t), VALUES = 256 };

/* By one byte of the dual values, the highest first; equals stay in order. */
static void sort_by_byte(const mgl_dual_place *from, size_t n, unsigned byte, mgl_dual_place *to)
{
    uint32_t start[VALUES + 1] = {0};
    for (size_t i = 0; i < n; i++)
        start[VALUES - (from[i].dual >> 8 * byte & (VALUES - 1))]++;
    for (size_t v = 1; v <= VALUES; v++)
        start[v] += start[v - 1];
    for (size_t i = 0; i < n; i++)
        to[start[VALUES - 1 - (from[i].dual >> 8 * byte & (VALUES - 1))]++] = from[i];
}

/* Puts the places in the order of their dual values. */
static void order_by_dual(mgl_cell_rebuilder *p)
{
    for (size_t i = 0; i < p->n; i++) {
        double dual = p->dual[i] < UINT32_MAX ? p->dual[i] : UINT32_MAX;
        p->order[i] = (mgl_dual_place){dual > 0 ? (uint32_t)dual : 0, (uint32_t)i};
    }
    for (unsigned byte = 0; byte < BYTES; byte += 2) {
        sort_by_byte(p->order, p->n, byte, p->other);
        sort_by_byte(p->other, p->n, byte + 1, p->order);
    }
    p->work += p->n;
}

/* Drafts, the classes under construction of a neighbourhood: tuples are put into them, join the one
 * that grows least and move where they cost less.. */

/* May the tuples at these places be a class? */
static bool draft_holds(mgl_cell_rebuilder *p, const uint32_t *places, size_t n)
{
    if (!p->space->judged)
        return true;
    for (size_t i = 0; i < n; i++)
        p->judged[i] = p->tuples[places[i]];
    return mgl_box_holds(p->judge, p->judged, n);
}

static uint8_t *levels_of(mgl_cell_rebuilder *p, size_t number)
{
    return p->levels + number * p->space->m;
}

/* One more member: the box grows as it must. */
static void join(mgl_cell_rebuilder *p, uint32_t at, size_t number)
{
    const mgl_box_space *s = p->space;
    mgl_draft *x = &p->drafts[number];
    if (x->first != MGL_NOT_FOUND)
        mgl_box_join(s, levels_of(p, number), p->tuples[x->first], p->tuples[at]);
    p->next[at] = p->drafts[number].first;
    p->drafts[number].first = at;
    p->draft_of[at] = (uint32_t)number;
    x->rows += s->rows[p->tuples[at]];
    x->cost = mgl_box_cost(s, levels_of(p, number), p->tuples[at]);
    x->lone_known = false;
    p->work++;
}

/* A draft of the tuples at these places. */
static void draft_begin(mgl_cell_rebuilder *p, const uint32_t *places, size_t n)
{
    size_t number = p->n_drafts++;
    p->drafts[number] = (mgl_draft){.first = MGL_NOT_FOUND};
    mgl_box_begin(p->space, levels_of(p, number));
    for (size_t i = 0; i < n; i++)
        join(p, places[i], number);
}

/* The places of a draft, and one more if there is one, into chosen. */
static size_t list_draft(mgl_cell_rebuilder *p, size_t number, uint32_t more, uint32_t less)
{
    size_t n = 0;
    for (uint32_t at = p->drafts[number].first; at != MGL_NOT_FOUND; at = p->next[at])
        if (at != less)
            p->chosen[n++] = at;
    if (more != MGL_NOT_FOUND)
        p->chosen[n++] = more;
    return n;
}

/* What the draft would cost more with the tuple; no less than `too_much` if it is at least that. */
static int64_t growth(const mgl_cell_rebuilder *p, size_t number, uint32_t at, uint64_t too_much)
{
    const mgl_box_space *s = p->space;
    const mgl_draft *x = &p->drafts[number];
    uint64_t before = x->cost * x->rows, rows = x->rows + s->rows[p->tuples[at]];
    uint64_t most = (before + too_much) / rows; /* for a row, as long as it pays */
    uint32_t cost =
        mgl_box_cost_with(s, p->levels + number * s->m, p->tuples[x->first], p->tuples[at],
                          most < UINT32_MAX ? (uint32_t)most : UINT32_MAX);
    return (int64_t)(cost * rows) - (int64_t)before;
}

/* The draft other than its own that would grow least, and by less than *least. */
static size_t find_host(mgl_cell_rebuilder *p, uint32_t at, int64_t *least)
{
    size_t host = SIZE_MAX;
    uint64_t rows = p->space->rows[p->tuples[at]];
    p->work += p->n_drafts;
    for (size_t i = 0; i < p->n_drafts; i++) {
        /* Its rows cost as much as those that are there, at least. */
        if (i == p->draft_of[at] || p->drafts[i].first == MGL_NOT_FOUND ||
            (int64_t)(rows * p->drafts[i].cost) >= *least)
            continue;
        p->work += 2;
        int64_t more = growth(p, i, at, (uint64_t)*least);
        if (more < *least &&
            (!p->space->judged || draft_holds(p, p->chosen, list_draft(p, i, at, MGL_NOT_FOUND)))) {
            *least = more;
            host = i;
        }
    }
    return host;
}

/* Puts the tuples that are in no draft where they cost least. False if one has no place. */
static bool drafts_place_rest(mgl_cell_rebuilder *p)
{
    for (uint32_t at = 0; at < p->n; at++) {
        if (p->draft_of[at] != MGL_NOT_FOUND)
            continue;
        int64_t least = INT64_MAX;
        size_t host = find_host(p, at, &least);
        if (host == SIZE_MAX)
            return false;
        join(p, at, host);
    }
    return true;
}

/* The member without which all others would agree one level below in this column. Of three or more
 * members at most one is like that. MGL_NOT_FOUND: none is. */
static uint32_t find_lone(const mgl_cell_rebuilder *p, const mgl_draft *x, size_t column,
                          uint8_t level)
{
    const mgl_box_space *s = p->space;
    const mgl_box_attribute *attribute = &s->attributes[column];
    if (level <= attribute->low)
        return MGL_NOT_FOUND;
    uint64_t mask = attribute->mask[level - 1];
    const uint64_t *words = s->keys + attribute->word;
    uint64_t value = words[p->tuples[x->first] * s->words] & mask, other = 0;
    size_t n = 1, n_other = 0;
    uint32_t last = MGL_NOT_FOUND;
    for (uint32_t at = p->next[x->first]; at != MGL_NOT_FOUND; at = p->next[at]) {
        uint64_t has = words[p->tuples[at] * s->words] & mask;
        if (has == value)
            n++;
        else if (n_other == 0 || has == other)
            n_other++;
        else
            return MGL_NOT_FOUND; /* three values */
        if (n > 1 && n_other > 1)
            return MGL_NOT_FOUND;
        if (has != value) {
            other = has;
            last = at;
        }
    }
    return n_other == 1 ? last : x->first;
}

static bool is_lone(mgl_cell_rebuilder *p, uint32_t at)
{
    size_t number = p->draft_of[at], m = p->space->m;
    mgl_draft *x = &p->drafts[number];
    uint32_t *lone = p->lone + number * m;
    if (!x->lone_known)
        for (size_t a = 0; a < m; a++)
            lone[a] = find_lone(p, x, a, levels_of(p, number)[a]);
    x->lone_known = true;
    for (size_t a = 0; a < m; a++)
        if (lone[a] == at)
            return true;
    return p->next[p->next[x->first]] == MGL_NOT_FOUND; /* one of two */
}

/* The box of its draft without the tuple, into scratch; what a row costs there. */
static uint32_t cost_without(mgl_cell_rebuilder *p, uint32_t at)
{
    const mgl_box_space *s = p->space;
    size_t number = p->draft_of[at];
    const mgl_draft *x = &p->drafts[number];
    p->work++;
    if (!is_lone(p, at)) {
        memcpy(p->scratch, levels_of(p, number), s->m);
        return x->cost;
    }
    uint32_t left = x->first != at ? x->first : p->next[at];
    mgl_box_begin(s, p->scratch);
    for (uint32_t other = x->first; other != MGL_NOT_FOUND; other = p->next[other]) {
        if (other != at && other != left)
            mgl_box_join(s, p->scratch, p->tuples[left], p->tuples[other]);
        p->work++;
    }
    return mgl_box_cost(s, p->scratch, p->tuples[left]);
}

/* Takes the tuple out of its draft, which then has the box in scratch. */
static void leave(mgl_cell_rebuilder *p, uint32_t at, uint32_t cost)
{
    size_t number = p->draft_of[at];
    mgl_draft *x = &p->drafts[number];
    uint32_t *link = &x->first;
    while (*link != at)
        link = &p->next[*link];
    *link = p->next[at];
    memcpy(levels_of(p, number), p->scratch, p->space->m);
    x->rows -= p->space->rows[p->tuples[at]];
    x->cost = cost;
    x->lone_known = false;
}

static bool may_leave(mgl_cell_rebuilder *p, uint32_t at)
{
    const mgl_draft *x = &p->drafts[p->draft_of[at]];
    if (x->rows < p->space->need + (uint64_t)p->space->rows[p->tuples[at]] ||
        p->next[x->first] == MGL_NOT_FOUND)
        return false;
    return !p->space->judged ||
           draft_holds(p, p->chosen, list_draft(p, p->draft_of[at], MGL_NOT_FOUND, at));
}

/* Moves tuples to where they cost less. False if none moved. */
static bool drafts_move_tuples(mgl_cell_rebuilder *p)
{
    bool moved = false;
    for (uint32_t at = 0; at < p->n; at++) {
        if (!may_leave(p, at))
            continue;
        const mgl_draft *x = &p->drafts[p->draft_of[at]];
        uint32_t cost = cost_without(p, at);
        int64_t least = (int64_t)(x->cost * x->rows) -
                        (int64_t)(cost * (x->rows - p->space->rows[p->tuples[at]]));
        size_t host = find_host(p, at, &least);
        if (host == SIZE_MAX)
            continue;
        leave(p, at, cost);
        join(p, at, host);
        moved = true;
    }
    return moved;
}

/* Candidates as far as they lie in a neighbourhood, and taking the best first: the first step of
 * putting it together anew. */

static mgl_local_candidate *new_local(mgl_cell_rebuilder *p, uint32_t cost, size_t n_members)
{
    if (!mgl_grow(&p->locals, &p->locals_capacity, p->n_locals + 1, sizeof *p->locals) ||
        !mgl_grow(&p->members, &p->members_capacity, p->n_members + n_members,
                  sizeof *p->members)) {
        p->out_of_memory = true;
        return NULL;
    }
    mgl_local_candidate *l = &p->locals[p->n_locals++];
    *l = (mgl_local_candidate){.cost = cost, .start = p->n_members};
    p->n_members += n_members;
    return l;
}

/* The boxes of the classes that were taken apart are candidates, too. */
static void add_classes(mgl_cell_rebuilder *p)
{
    for (size_t c = 0; c < p->n_classes; c++) {
        const mgl_box_class *class = p->classes[c];
        mgl_local_candidate *l = new_local(p, class->cost, p->n);
        if (l == NULL)
            return;
        mgl_box_mask(p->space, class->levels, p->mask);
        for (size_t i = 0; i < p->n; i++) {
            uint32_t at = p->order[i].place;
            if (class->cost == p->space->top_cost ||
                mgl_box_covers(p->space, p->mask, class->members[0], p->tuples[at]))
                p->members[l->start + l->n++] = at;
        }
        p->n_members = l->start + l->n;
        p->work += p->n;
    }
}

/* The candidates with enough rows in the neighbourhood, with the places of these. */
static void find_candidates(mgl_cell_rebuilder *p)
{
    const mgl_cell_candidates *o = p->candidates;
    const mgl_box_space *s = p->space;
    uint32_t rows_seen = ++p->now, taken = ++p->now;
    for (size_t i = 0; i < p->n; i++) {
        uint32_t t = p->tuples[i];
        for (size_t j = o->start[t]; j < o->start[t + 1]; j++) {
            mgl_candidate_sight *seen = &p->seen[o->of[j]];
            if (seen->when != rows_seen)
                *seen = (mgl_candidate_sight){.when = rows_seen};
            seen->number += s->rows[t];
        }
        p->work += o->start[t + 1] - o->start[t];
    }
    for (size_t i = 0; i < p->n && !p->out_of_memory; i++) {
        uint32_t at = p->order[i].place, t = p->tuples[at];
        for (size_t j = o->start[t]; j < o->start[t + 1]; j++) {
            mgl_candidate_sight *seen = &p->seen[o->of[j]];
            if (seen->when == rows_seen && seen->number >= s->need) {
                const mgl_cell_negative *b = &o->list.items[o->of[j]];
                *seen = (mgl_candidate_sight){.when = taken, .number = (uint32_t)p->n_locals};
                if (new_local(p, b->cost, b->n < p->n ? b->n : p->n) == NULL)
                    return;
            }
            if (seen->when == taken) {
                mgl_local_candidate *l = &p->locals[seen->number];
                p->members[l->start + l->n++] = at;
            }
        }
    }
}

/* The best rows of the candidate among the places not taken: those whose dual value is above its
 * cost, then those of the others with the highest dual values until there are enough. Tuples stay
 * whole. Returns how many places were chosen, 0 if they are too few; *worth is what a row is worth
 * above its cost. */
static size_t choose_members(mgl_cell_rebuilder *p, const mgl_local_candidate *l, double *worth)
{
    const mgl_box_space *s = p->space;
    uint64_t rows = 0;
    double sum = 0;
    size_t n = 0, i = 0;
    for (; i < l->n; i++) {
        uint32_t at = p->members[l->start + i];
        if (rows >= s->need && p->dual[at] <= l->cost)
            break;
        if (p->draft_of[at] != MGL_NOT_FOUND)
            continue;
        uint32_t w = s->rows[p->tuples[at]];
        sum += w * (p->dual[at] - l->cost);
        rows += w;
        p->chosen[n++] = at;
    }
    p->work += i;
    *worth = rows > 0 ? sum / (double)rows : 0;
    return rows >= s->need ? n : 0;
}

static bool better(const mgl_cell_rebuilder *p, uint32_t x, uint32_t y)
{
    double worth = p->locals[x].worth, other = p->locals[y].worth;
    return worth == other ? x < y : worth > other;
}

static void sift_down(mgl_cell_rebuilder *p, size_t at, size_t n)
{
    uint32_t moved = p->heap[at];
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && better(p, p->heap[child + 1], p->heap[child]))
            child++;
        if (!better(p, p->heap[child], moved))
            break;
        p->heap[at] = p->heap[child];
    }
    p->heap[at] = moved;
}

/* Makes drafts of candidates, the best first. What a candidate is worth mostly falls as tuples are
 * taken: it is worked out anew when it comes to the front. */
static void take_candidates(mgl_cell_rebuilder *p)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n_locals; i++)
        if (choose_members(p, &p->locals[i], &p->locals[i].worth) > 0)
            p->heap[n++] = (uint32_t)i;
    for (size_t i = n / 2; i-- > 0;)
        sift_down(p, i, n);
    while (n > 0) {
        mgl_local_candidate *l = &p->locals[p->heap[0]];
        double worth;
        size_t n_chosen = choose_members(p, l, &worth);
        if (n_chosen > 0 && worth < l->worth)
            l->worth = worth;
        else if (n_chosen > 0 && draft_holds(p, p->chosen, n_chosen))
            draft_begin(p, p->chosen, n_chosen);
        else
            p->heap[0] = p->heap[--n];
        if (n > 0)
            sift_down(p, 0, n);
    }
}

enum { MOVES = 3 }; /* rounds of moving tuples */

static void cell_rebuilder_free(mgl_cell_rebuilder *p)
{
    if (p == NULL)
        return;
    mgl_box_judge_free(p->judge);
    mgl_free(p->locals);
    mgl_free(p->members);
    mgl_free(p->heap);
    mgl_owned_free(&p->own);
    mgl_free(p);
}

/* Room for neighbourhoods of up to `most` tuples. Free with cell_rebuilder_free. One per thread. */
static mgl_status cell_rebuilder_new(const mgl_cell_candidates *candidates, size_t most,
                                     mgl_error *err, mgl_cell_rebuilder **out)
{
    const mgl_box_space *s = candidates->space;
    mgl_cell_rebuilder *p;
    MGL_TRY(mgl_new_zeroed(1, sizeof *p, err, &p));
    p->candidates = candidates;
    p->space = s;
    p->most = most;
    p->tuples = mgl_own_array(&p->own, most, sizeof *p->tuples);
    p->dual = mgl_own_array(&p->own, most, sizeof *p->dual);
    p->cost = mgl_own_array(&p->own, most, sizeof *p->cost);
    p->draft_of = mgl_own_array(&p->own, most, sizeof *p->draft_of);
    p->next = mgl_own_array(&p->own, most, sizeof *p->next);
    p->seen = mgl_own_zeroed(&p->own, candidates->list.n + 1, sizeof *p->seen);
    p->drafts = mgl_own_array(&p->own, most, sizeof *p->drafts);
    p->levels = mgl_own_array(&p->own, most, s->m);
    p->lone = mgl_own_array(&p->own, most, s->m * sizeof *p->lone);
    p->order = mgl_own_array(&p->own, most, sizeof *p->order);
    p->other = mgl_own_array(&p->own, most, sizeof *p->other);
    p->scratch = mgl_own_array(&p->own, s->m, 1);
    p->mask = mgl_own_array(&p->own, s->words, sizeof *p->mask);
    p->chosen = mgl_own_array(&p->own, most, sizeof *p->chosen);
    p->judged = mgl_own_array(&p->own, most, sizeof *p->judged);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_owned_check(&p->own, err));
    MGL_GO(mgl_box_judge_new(s, err, &p->judge));
    *out = p;
    p = NULL;
done:
    cell_rebuilder_free(p);
    return status;
}

/* Takes in tuples that are in no class yet. */
static bool cell_rebuilder_add(mgl_cell_rebuilder *p, const uint32_t *tuples, size_t n)
{
    if (n > p->most - p->n)
        return false;
    memcpy(p->tuples + p->n, tuples, n * sizeof *tuples);
    for (size_t i = 0; i < n; i++)
        p->cost[p->n + i] = p->candidates->duals[tuples[i]];
    p->n += n;
    return true;
}

/* Takes in the members of a class. False if there is no room. */
static bool cell_rebuilder_add_class(mgl_cell_rebuilder *p, const mgl_box_class *class)
{
    if (p->n_classes == MGL_NEIGHBOURHOOD_CLASSES ||
        !cell_rebuilder_add(p, class->members, class->n))
        return false;
    for (size_t i = p->n - class->n; i < p->n; i++)
        p->cost[i] = class->cost;
    p->classes[p->n_classes++] = class;
    return true;
}

/* Puts the tuples together anew by candidates; `change` is optional. False if it
 * cannot be done. If not all is wanted, tuples that no candidate takes stay in no class. */
static bool cell_rebuild(mgl_cell_rebuilder *p, const mgl_dual_change *change,
                         mgl_quick_random *random, bool all)
{
    for (size_t i = 0; i < p->n; i++)
        p->dual[i] = p->candidates->duals[p->tuples[i]];
    if (change != NULL) {
        double way =
            change->toward_cost > 0 ? change->toward_cost * mgl_quick_random_unit(random) : 0;
        for (size_t i = 0; i < p->n; i++) {
            double dual = p->dual[i];
            double off =
                change->noise > 0 ? change->noise * (mgl_quick_random_unit(random) - 0.5) : 0;
            p->dual[i] = (dual + way * (p->cost[i] - dual)) * (1 + off);
        }
    }
    order_by_dual(p);
    p->n_locals = p->n_members = 0;
    add_classes(p);
    find_candidates(p);
    if (p->out_of_memory || !mgl_grow(&p->heap, &p->heap_capacity, p->n_locals, sizeof *p->heap)) {
        p->out_of_memory = true;
        return false;
    }
    p->n_drafts = 0;
    for (size_t i = 0; i < p->n; i++)
        p->draft_of[i] = MGL_NOT_FOUND;
    take_candidates(p);
    if (!all)
        return true;
    if (p->n_drafts == 0 || !drafts_place_rest(p))
        return false;
    for (int i = 0; i < MOVES && drafts_move_tuples(p); i++)
        ;
    return true;
}

static mgl_cell_drafts cell_rebuilder_drafts(const mgl_cell_rebuilder *p)
{
    mgl_cell_drafts drafts = {.n_tuples = p->n,
                              .n_drafts = p->n_drafts,
                              .tuples = p->tuples,
                              .draft_of = p->draft_of,
                              .work = p->work};
    for (size_t i = 0; i < p->n_drafts; i++) {
        const mgl_draft *x = &p->drafts[i];
        drafts.cost += x->cost * x->rows;
        bool is_top = x->cost >= p->space->top_cost && x->first != MGL_NOT_FOUND;
        if (is_top &&
            !mgl_box_may_be_class(p->space, p->levels + i * p->space->m, p->tuples[x->first]))
            drafts.impossible = true;
    }
    return drafts;
}

enum {
    AT_ONCE = 32,      /* neighbourhoods between two looks at the result */
    LEAST_CLASSES = 2, /* of a neighbourhood */
    MOST_CLASSES = MGL_NEIGHBOURHOOD_CLASSES,
    MOST_LARGE = 9,     /* where they have many tuples: */
    MANY = 30,          /* so many on average */
    DEAD_ENDS = 6,      /* steps per class that may lead nowhere */
    MOST_TUPLES = 4000, /* more than this are too many for a neighbourhood */
    STEP_WORK = 20      /* that a step from class to class is, in choosing one */
};

#define NOISE 0.5 /* of dual values */

/* Where classes have many tuples: dual values go up to so much of the way to what rows cost now. */
#define TOWARD_COST 1.5

/* Nodes where a row costs more than this, as a part of the top, are not for what candidates
 * left. */
#define COARSE 0.3

/* Small tables are tried thoroughly. In others a change that makes it a little worse often leads
 * on, the more so the longer the search is and the smaller classes are. */
enum { FEW_TUPLES = 2000, LONG_WORK = 100000 /* for each tuple */ };
typedef struct pace {
    size_t tries;  /* to put a neighbourhood together */
    int contest;   /* classes of which the one that costs most above its dual value begins one */
    double leeway; /* what it may cost more at first */
    double leeway_of_large; /* the same, where classes have many tuples */
} pace;
static const pace thorough = {3, 4, 0, 0}, brisk = {1, 8, 0.005, 0.005},
                  patient = {1, 8, 0.02, 0.01};

static const pace *choose_pace(size_t n_tuples, uint64_t work)
{
    if (n_tuples <= FEW_TUPLES)
        return &thorough;
    return work / n_tuples < LONG_WORK ? &brisk : &patient;
}

typedef struct search {
    mgl_neighbourhoods around; /* comes first: see mgl_neighbourhood_take */
    const mgl_cell_candidates *candidates;
    const mgl_box_space *space;
    mgl_box_release *release;
    mgl_cell_rebuilder **rebuilders; /* [workers] */
    unsigned n_workers;
    const pace *pace;
    double *excess; /* [class] what it costs above the dual values of its rows */
    size_t excess_capacity;
} search;

static void weigh_class(search *x, uint32_t class)
{
    const mgl_box_class *c = &x->release->classes[class];
    x->excess[class] = 0;
    for (size_t i = 0; i < c->n; i++) {
        uint32_t t = c->members[i];
        x->excess[class] += x->space->rows[t] * ((double)c->cost - x->candidates->duals[t]);
    }
}

static bool has_large_classes(const search *x)
{
    return x->space->n > MANY * x->release->n_classes;
}

/* A class with a high reduced cost; 0 if none was found. */
static uint32_t choose_first(search *x, const mgl_improver_item *item)
{
    uint32_t best = 0;
    for (int i = 0; i < x->pace->contest; i++) {
        uint32_t c = mgl_quick_random_below(item->random, x->release->n_classes);
        if (mgl_neighbourhood_may_have(&x->around, item, c) &&
            (best == 0 || x->excess[c] > x->excess[best]))
            best = c;
    }
    return best;
}

/* A class that shares a candidate with one of the neighbourhood; 0: a dead end. */
static uint32_t choose_next(search *x, const mgl_improver_item *item, const mgl_neighbourhood *one)
{
    const mgl_cell_candidates *o = x->candidates;
    uint32_t from = one->classes[mgl_quick_random_below(item->random, one->n_classes)];
    const mgl_box_class *c = &x->release->classes[from];
    uint32_t t = c->members[mgl_quick_random_below(item->random, c->n)];
    size_t n = o->start[t + 1] - o->start[t];
    if (n == 0)
        return 0;
    const mgl_cell_negative *b =
        &o->list.items[o->of[o->start[t] + mgl_quick_random_below(item->random, n)]];
    uint32_t to =
        x->release
            ->class_of[o->list.members[b->start + mgl_quick_random_below(item->random, b->n)]];
    return mgl_neighbourhood_may_have(&x->around, item, to) ? to : 0;
}

static mgl_improver_choice choose(void *context, const mgl_improver_item *item)
{
    search *x = context;
    mgl_neighbourhood *one = mgl_neighbourhood_begin(&x->around, item);
    uint32_t first = choose_first(x, item);
    x->around.work += STEP_WORK;
    if (first == 0)
        return MGL_DEAD_END;
    mgl_neighbourhood_add(&x->around, item, first);
    size_t most = has_large_classes(x) ? MOST_LARGE : MOST_CLASSES;
    size_t wanted = LEAST_CLASSES + mgl_quick_random_below(item->random, most - LEAST_CLASSES);
    for (size_t i = 0; one->n_classes < wanted && i < wanted * DEAD_ENDS; i++) {
        uint32_t next = choose_next(x, item, one);
        x->around.work += STEP_WORK;
        if (next != 0 && mgl_neighbourhood_has_room(&x->around, one, next))
            mgl_neighbourhood_add(&x->around, item, next);
    }
    return one->n_classes > 1 && one->n_tuples <= x->around.room ? MGL_CHOSEN : MGL_DEAD_END;
}

static bool open(void *context, const mgl_improver_item *item, uint64_t *before)
{
    search *x = context;
    const mgl_neighbourhood *one = &x->around.items[item->number];
    mgl_cell_rebuilder *rebuilder = x->rebuilders[item->worker];
    *before = mgl_neighbourhood_cost(&x->around, one);
    rebuilder->n = rebuilder->n_classes = rebuilder->n_drafts = 0;
    rebuilder->work = 0;
    for (size_t i = 0; i < one->n_classes; i++)
        if (!cell_rebuilder_add_class(rebuilder, &x->release->classes[one->classes[i]]))
            return false;
    return true;
}

static bool rebuild(void *context, const mgl_improver_item *item, size_t attempt, uint64_t *cost)
{
    search *x = context;
    mgl_cell_rebuilder *rebuilder = x->rebuilders[item->worker];
    mgl_dual_change change = {.noise = attempt == 0 ? NOISE / 3 : NOISE,
                              .toward_cost = has_large_classes(x) ? TOWARD_COST : 0};
    bool made = cell_rebuild(rebuilder, &change, item->random, true);
    mgl_cell_drafts drafts = cell_rebuilder_drafts(rebuilder);
    x->around.items[item->number].work = drafts.work;
    *cost = drafts.cost;
    return made && !drafts.impossible;
}

static bool keep(void *context, const mgl_improver_item *item)
{
    search *x = context;
    mgl_neighbourhood *one = &x->around.items[item->number];
    mgl_cell_drafts drafts = cell_rebuilder_drafts(x->rebuilders[item->worker]);
    memcpy(one->draft_of, drafts.draft_of, drafts.n_tuples * sizeof *one->draft_of);
    one->n_drafts = drafts.n_drafts;
    return true;
}

static mgl_status take(void *context, size_t number, mgl_error *err)
{
    search *x = context;
    MGL_TRY(mgl_neighbourhood_take(&x->around, number, err));
    MGL_TRY(mgl_check_memory(
        mgl_grow(&x->excess, &x->excess_capacity, x->release->n_classes, sizeof *x->excess), err));
    for (size_t i = 0; i < x->around.n_made; i++)
        weigh_class(x, x->around.made[i]);
    return MGL_OK;
}

static const mgl_improver by_duals = {.at_once = AT_ONCE,
                                      .look_every = 1,
                                      .choose = choose,
                                      .open = open,
                                      .rebuild = rebuild,
                                      .keep = keep,
                                      .take = take,
                                      .leave = mgl_neighbourhood_leave};

/* The drafts of all tuples become classes, in one go: members by draft. */
static mgl_status add_drafts(const mgl_cell_drafts *drafts, mgl_box_release *release,
                             mgl_error *err)
{
    uint32_t *members = mgl_alloc_array(drafts->n_tuples, sizeof *members);
    size_t *start = mgl_zeroed_array(drafts->n_drafts + 2, sizeof *start);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(members != NULL && start != NULL, err));
    for (size_t i = 0; i < drafts->n_tuples; i++)
        if (drafts->draft_of[i] != MGL_NOT_FOUND)
            start[drafts->draft_of[i] + 2]++;
    for (size_t i = 1; i <= drafts->n_drafts; i++)
        start[i + 1] += start[i];
    for (size_t i = 0; i < drafts->n_tuples; i++)
        if (drafts->draft_of[i] != MGL_NOT_FOUND)
            members[start[drafts->draft_of[i] + 1]++] = drafts->tuples[i];
    for (size_t i = 0; i < drafts->n_drafts; i++)
        mgl_box_release_add(release, members + start[i], start[i + 1] - start[i]);
    if (release->out_of_memory)
        MGL_GO(mgl_fail_memory(err));
done:
    mgl_free(members);
    mgl_free(start);
    return status;
}

/* By candidates, as far as they go; then the greedy, at nodes that are not too coarse. */
static mgl_status release_candidates(search *x, const mgl_box_nodes *nodes, const uint32_t *bounds,
                                     mgl_error *err, bool *met)
{
    size_t n = x->space->n;
    /* By dual values that are proved no class pays more than it costs: there is nothing to
     * borrow. */
    mgl_greedy_options how = {.bounds = bounds, .coarse = COARSE};
    mgl_cell_rebuilder *rebuilder = NULL;
    uint32_t *all = mgl_alloc_array(n, sizeof *all);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(all != NULL, err));
    MGL_GO(cell_rebuilder_new(x->candidates, n, err, &rebuilder));
    for (size_t t = 0; t < n; t++)
        all[t] = (uint32_t)t;
    if (!cell_rebuilder_add(rebuilder, all, n) || !cell_rebuild(rebuilder, NULL, NULL, false))
        MGL_GO(mgl_fail_memory(err));
    mgl_cell_drafts drafts = cell_rebuilder_drafts(rebuilder);
    MGL_GO(add_drafts(&drafts, x->release, err));
    MGL_GO(mgl_cell_greedy(x->space, nodes, &how, err, x->release, met));
done:
    cell_rebuilder_free(rebuilder);
    mgl_free(all);
    return status;
}

static void end(search *x)
{
    for (unsigned w = 0; x->rebuilders != NULL && w < x->n_workers; w++)
        cell_rebuilder_free(x->rebuilders[w]);
    mgl_neighbourhoods_end(&x->around);
    mgl_box_release_free(x->release);
    mgl_free(x->rebuilders);
    mgl_free(x->excess);
}

static mgl_status improve(search *x, uint64_t work, mgl_error *err, bool *timed_out)
{
    size_t room = x->space->n < MOST_TUPLES ? x->space->n : MOST_TUPLES;
    mgl_quick_random random = {0};
    mgl_improver_limits limits = {.problem = x->space->problem,
                                  .work = &x->around.work,
                                  .most_work = work,
                                  .timed_out = *timed_out};
    MGL_TRY(mgl_neighbourhoods_begin(&x->around, x->release, AT_ONCE, room, err));
    MGL_TRY(mgl_check_memory(
        mgl_grow(&x->excess, &x->excess_capacity, x->release->n_classes, sizeof *x->excess), err));
    for (uint32_t c = 0; c < x->release->n_classes; c++)
        weigh_class(x, c);
    mgl_improver how = by_duals;
    how.tries = x->pace->tries;
    how.leeway = has_large_classes(x) ? x->pace->leeway_of_large : x->pace->leeway;
    mgl_status status = mgl_improve(&how, x, &random, &limits, err);
    *timed_out = limits.timed_out;
    return status;
}

mgl_status mgl_cell_improve(const mgl_cell_candidates *candidates, const mgl_box_nodes *nodes,
                            const uint32_t *bounds, uint64_t work, mgl_box_release *release,
                            mgl_error *err, bool *timed_out)
{
    search x = {.pace = choose_pace(candidates->space->n, work)};
    bool met = false;
    mgl_status status = MGL_OK;
    const mgl_box_space *s = candidates->space;
    x.candidates = candidates;
    x.space = s;
    x.n_workers = mgl_pool_threads(s->problem->pool);
    MGL_GO(mgl_new_zeroed(x.n_workers, sizeof *x.rebuilders, err, &x.rebuilders));
    for (unsigned w = 0; w < x.n_workers; w++)
        MGL_GO(cell_rebuilder_new(candidates, MOST_TUPLES, err, &x.rebuilders[w]));
    MGL_GO(mgl_box_release_new(s, err, &x.release));
    if (x.space->n <= MGL_CELL_MANY)
        MGL_GO(release_candidates(&x, nodes, bounds, err, &met));
    /* In a large lattice candidates are few, and what they leave in a large table is much: the
     * release may be the better start. */
    if (!met || (!nodes->all && mgl_box_release_cost(release) < mgl_box_release_cost(x.release)))
        mgl_box_release_copy(x.release, release);
    MGL_GO(improve(&x, work, err, timed_out));
    if (mgl_box_release_cost(x.release) < mgl_box_release_cost(release))
        mgl_box_release_copy(release, x.release);
    if (release->out_of_memory || x.release->out_of_memory)
        MGL_GO(mgl_fail_memory(err));
done:
    end(&x);
    return status;
}
