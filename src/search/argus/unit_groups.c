/* Groups units by some of their columns and counts rows or persons. outliers.c and choose_cells.c
 * call it for each combination of columns. */
#include "search/argus/units.h"

/* A slot is taken if its group is above the numbers of earlier calls, so that nothing has to be
 * cleared between calls. */
struct mgl_argus_slot {
    uint64_t key;
    uint32_t before; /* group by the words before this one */
    uint32_t group;
};

mgl_argus_people mgl_argus_people_of(const mgl_frequency_list *list)
{
    mgl_argus_people people = {.n = list->n_tuples, .rows = list->counts};
    if (list->persons == NULL)
        return people;
    people.rows = list->persons->local;
    people.start = list->persons->spread.start;
    people.ids = list->persons->spread.ids;
    people.n_ids = list->persons->spread.n_ids;
    return people;
}

mgl_status mgl_argus_groups_init(mgl_argus_groups *groups, const mgl_argus_people *people,
                                 size_t most_groups, mgl_error *err)
{
    *groups = (mgl_argus_groups){.n_slots = 64};
    while (groups->n_slots < people->n * 2)
        groups->n_slots *= 2;
    groups->of = mgl_alloc_array(people->n, sizeof *groups->of);
    groups->sizes = mgl_alloc_array(most_groups, sizeof *groups->sizes);
    groups->slots = mgl_zeroed_array(groups->n_slots, sizeof *groups->slots);
    bool whole = groups->of != NULL && groups->sizes != NULL && groups->slots != NULL;
    if (whole && people->start != NULL) {
        groups->start = mgl_alloc_array(most_groups + 1, sizeof *groups->start);
        groups->members = mgl_alloc_array(people->n, sizeof *groups->members);
        groups->seen = mgl_zeroed_array(people->n_ids, sizeof *groups->seen);
        whole = groups->start != NULL && groups->members != NULL && groups->seen != NULL;
    }
    return whole ? MGL_OK : mgl_fail_memory(err);
}

void mgl_argus_groups_free(mgl_argus_groups *groups)
{
    mgl_free(groups->of);
    mgl_free(groups->sizes);
    mgl_free(groups->slots);
    mgl_free(groups->start);
    mgl_free(groups->members);
    mgl_free(groups->seen);
    *groups = (mgl_argus_groups){0};
}

/* ---- Counting ------------------------------------------------------------------------- */

/* Puts the listed members in order of their groups. */
static void sort_members(mgl_argus_groups *g, const uint32_t *list, size_t n)
{
    memset(g->start, 0, (g->n + 1) * sizeof *g->start);
    for (size_t i = 0; i < n; i++)
        g->start[g->of[i]]++;
    size_t end = 0;
    for (size_t c = 0; c <= g->n; c++) {
        end += c < g->n ? g->start[c] : 0;
        g->start[c] = end; /* filling backwards turns the end into the start */
    }
    for (size_t i = n; i-- > 0;)
        g->members[--g->start[g->of[i]]] = list[i];
}

/* Persons that are in several members count once in a group. */
static void count_spread(mgl_argus_groups *g, const mgl_argus_people *people)
{
    for (size_t c = 0; c < g->n; c++) {
        g->now++;
        for (size_t i = g->start[c]; i < g->start[c + 1]; i++) {
            uint32_t member = g->members[i];
            for (size_t j = people->start[member]; j < people->start[member + 1]; j++) {
                g->sizes[c] += g->seen[people->ids[j]] != g->now;
                g->seen[people->ids[j]] = g->now;
            }
        }
    }
}

void mgl_argus_count(mgl_argus_groups *g, const mgl_argus_people *people, const uint32_t *list,
                     size_t n)
{
    memset(g->sizes, 0, g->n * sizeof *g->sizes);
    for (size_t i = 0; i < n; i++)
        g->sizes[g->of[i]] += people->rows[list[i]];
    if (people->start != NULL) {
        sort_members(g, list, n);
        count_spread(g, people);
    }
}

/* ---- Grouping -------------------------------------------------------------------------- */

static inline size_t hash(uint64_t key, uint32_t before)
{
    uint64_t h = key ^ (uint64_t)before * UINT64_C(0xD6E8FEB86659FD93);
    h = (h ^ h >> 32) * UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(h ^ h >> 32);
}

/* Divides the groups by one word of the keys. first: there is one group as yet. */
static void divide(mgl_argus_groups *g, const uint64_t *keys, size_t n_words, uint64_t mask,
                   bool first, const uint32_t *list, size_t n)
{
    size_t last = 63;
    while (last + 1 < n * 2)
        last = last * 2 + 1;
    if (g->used > UINT32_MAX - n - 1) {
        memset(g->slots, 0, g->n_slots * sizeof *g->slots);
        g->used = 0;
    }
    uint32_t used = g->used, next = used;
    for (size_t i = 0; i < n; i++) {
        uint64_t key = keys[list[i] * n_words] & mask;
        uint32_t before = first ? 0 : g->of[i];
        size_t at = hash(key, before) & last;
        while (g->slots[at].group > used &&
               (g->slots[at].key != key || g->slots[at].before != before))
            at = (at + 1) & last;
        if (g->slots[at].group <= used)
            g->slots[at] = (struct mgl_argus_slot){key, before, ++next};
        g->of[i] = g->slots[at].group - used - 1;
    }
    g->n = next - used;
    g->used = next;
}

void mgl_argus_group(mgl_argus_groups *g, const mgl_argus_units *units, uint64_t columns,
                     const uint32_t *list, size_t n)
{
    const mgl_packing *packing = &units->packing;
    bool first = true;
    for (size_t w = 0; w < packing->n_words; w++) {
        uint64_t mask = 0;
        for (size_t a = 0; a < units->m; a++)
            if (packing->fields[a].word == w && (columns >> a & 1) != 0)
                mask |= ((UINT64_C(1) << packing->fields[a].bits) - 1) << packing->fields[a].shift;
        if (mask != 0 || (first && w + 1 == packing->n_words)) {
            divide(g, units->keys + w, packing->n_words, mask, first, list, n);
            first = false;
        }
    }
    mgl_argus_count(g, &units->people, list, n);
}
