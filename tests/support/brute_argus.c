/* mu-Argus row by row, as docs/definitions.md#mu-argus says. test_argus.c compares the method with
 * it. */
#include "brute_argus.h"

#include <string.h>

uint64_t brute_argus_count(const brute_argus *x, int r, uint64_t columns)
{
    uint64_t count = 0;
    bool seen[BRUTE_ARGUS_ROWS] = {false};
    for (int s = 0; s < x->n; s++) {
        bool alike = true;
        for (int a = 0; alike && a < x->m; a++)
            alike = (columns >> a & 1) == 0 || x->cell[r][a] == x->cell[s][a];
        if (!alike || (x->has_persons && seen[x->person[s]]))
            continue;
        if (x->has_persons)
            seen[x->person[s]] = true;
        count += x->weight[s];
    }
    return count;
}

/* Figure 12, as it is written: I identifying, O more, T most identifying. */
static bool is_published(const brute_argus *x, uint64_t columns)
{
    static const char *const always[] = {"IOT", "ITT", "TTT", "IO", "IT", "OT", "TT"};
    static const char *const with_two[] = {"OOT", "OTT", "OO"};
    char word[BRUTE_ARGUS_COLUMNS + 1] = "", letters[] = "?TOI";
    int size = 0, identifying = 0;
    for (int level = 3; level >= 1; level--)
        for (int a = 0; a < x->m; a++)
            if (x->identification[a] == level) {
                identifying += level == 3;
                if ((columns >> a & 1) != 0)
                    word[size++] = letters[level];
            }
    word[size] = '\0';
    for (int i = 0; i < 7; i++)
        if (strcmp(word, always[i]) == 0)
            return true;
    for (int i = 0; identifying > 1 && i < 3; i++)
        if (strcmp(word, with_two[i]) == 0)
            return true;
    return false;
}

bool brute_argus_looks_at(const brute_argus *x, uint64_t columns)
{
    int size = 0;
    for (int a = 0; a < x->m; a++)
        size += (int)(columns >> a & 1);
    return size > 0 &&
           (x->all || (x->sizes >> size & 1) != 0 || (x->published && is_published(x, columns)));
}

/* ---- Cells ---------------------------------------------------------------------------------- */

static bool is_live(const brute_argus *x, int r, int a)
{
    return !x->lost[r][a] && x->cell[r][a] != x->top[a];
}

/* The live cell in most combinations; -1: none is in any. */
static int choose(const brute_argus *x, int r, const uint64_t *count)
{
    int chosen = -1;
    for (int a = 0; a < x->m; a++) {
        if (!is_live(x, r, a) || count[a] == 0)
            continue;
        if (chosen < 0 || count[a] > count[chosen] ||
            (count[a] == count[chosen] && x->identification[a] < x->identification[chosen]))
            chosen = a;
    }
    return chosen;
}

/* The next larger number with as many bits. */
static uint64_t next(uint64_t set)
{
    uint64_t low = set & (0 - set), ripple = set + low;
    return ripple | ((set ^ ripple) >> 2) / low;
}

int brute_argus_outliers(const brute_argus *x, int r, uint64_t *sets)
{
    int n = 0;
    for (int size = 1; size <= x->m; size++) {
        if (!x->all && (x->sizes >> size & 1) == 0 && (!x->published || size > 3))
            continue;
        for (uint64_t set = (UINT64_C(1) << size) - 1; set < UINT64_C(1) << x->m; set = next(set))
            if (brute_argus_looks_at(x, set) && brute_argus_count(x, r, set) < x->k)
                sets[n++] = set;
    }
    return n;
}

/* For each column the outliers with it that have no suppressed cell. */
static void count_remaining(const brute_argus *x, int r, const uint64_t *sets, int n,
                            uint64_t *count)
{
    memset(count, 0, BRUTE_ARGUS_COLUMNS * sizeof *count);
    for (int i = 0; i < n; i++) {
        bool whole = true;
        for (int a = 0; whole && a < x->m; a++)
            whole = (sets[i] >> a & 1) == 0 || !x->lost[r][a];
        for (int a = 0; whole && a < x->m; a++)
            count[a] += sets[i] >> a & 1;
    }
}

bool brute_argus_is_suppressed(const brute_argus *x, int r)
{
    bool any = false;
    for (int a = 0; a < x->m; a++) {
        if (x->cell[r][a] != x->top[a])
            return false;
        any = any || x->lost[r][a];
    }
    return any;
}

static uint64_t first_counts[BRUTE_ARGUS_ROWS][BRUTE_ARGUS_COLUMNS];

/* In rounds: rows of classes below k lose a cell, all at once. */
static bool go_round(brute_argus *x)
{
    bool small[BRUTE_ARGUS_ROWS], any = false;
    for (int r = 0; r < x->n; r++)
        small[r] = brute_argus_count(x, r, UINT64_MAX) < x->k;
    for (int r = 0; r < x->n; r++) {
        int a = small[r] ? choose(x, r, first_counts[r]) : -1;
        if (a < 0)
            continue;
        x->lost[r][a] = true;
        x->cell[r][a] = x->top[a];
        any = true;
    }
    return any;
}

void brute_argus_run(brute_argus *x)
{
    static uint64_t sets[BRUTE_ARGUS_SETS];
    memset(x->lost, 0, sizeof x->lost);
    for (int r = 0; r < x->n; r++) {
        int a, n = brute_argus_outliers(x, r, sets);
        uint64_t count[BRUTE_ARGUS_COLUMNS];
        count_remaining(x, r, sets, n, count);
        memcpy(first_counts[r], count, sizeof count);
        while ((a = choose(x, r, count)) >= 0) {
            x->lost[r][a] = true;
            count_remaining(x, r, sets, n, count);
        }
    }
    for (int r = 0; r < x->n; r++)
        for (int a = 0; a < x->m; a++)
            if (x->lost[r][a])
                x->cell[r][a] = x->top[a];
    while (x->all && go_round(x))
        ;
}
