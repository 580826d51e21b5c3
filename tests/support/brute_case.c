/* Makes small random tables with their hierarchies. All brute force begins with one. */
#include "brute.h"

#include <stdlib.h>
#include <string.h>

/* ---- Random numbers (splitmix64) ------------------------------------------------------ */

uint64_t brute_next(brute_random *random)
{
    uint64_t z = random->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

int brute_below(brute_random *random, int limit)
{
    return (int)(brute_next(random) % (uint64_t)limit);
}

int brute_between(brute_random *random, int low, int high)
{
    return low + brute_below(random, high - low + 1);
}

bool brute_chance(brute_random *random, int percent)
{
    return brute_below(random, 100) < percent;
}

int brute_cases(int usual)
{
    const char *text = getenv("MGL_TEST_LONG");
    int factor = text != NULL ? atoi(text) : 0;
    int cases = factor == 1 ? usual * 10 : factor > 1 ? usual * factor : usual;
    return (cases + BRUTE_ONE_IN - 1) / BRUTE_ONE_IN;
}

/* ---- Hierarchies ----------------------------------------------------------------------- */

/* Ground values of a file, in its order, which is not that of their texts. */
static const char *const words[BRUTE_LEAVES] = {"m",   "10",       "b",   "Z", "9",
                                                "a a", "\xC3\xA9", "x,y", "q", "c"};

static void number_texts(brute_hierarchy *h)
{
    const char *seen[BRUTE_TEXTS];
    h->n_texts = 0;
    for (int l = 0; l <= h->height; l++)
        for (int i = 0; i < h->n_leaves; i++) {
            int n = 0;
            while (n < h->n_texts && strcmp(seen[n], h->label[l][i]) != 0)
                n++;
            if (n == h->n_texts) {
                seen[h->n_texts++] = h->label[l][i];
                h->lowest[n] = l;
                h->first[n] = i;
                h->leaves[n] = 0;
            }
            h->text[l][i] = n;
            h->leaves[n] += h->lowest[n] == l;
        }
}

static void count_rows(brute_case *c, int a)
{
    brute_hierarchy *h = &c->hierarchies[a];
    for (int text = 0; text < h->n_texts; text++) {
        h->rows[text] = 0;
        for (int r = 0; r < c->n_rows; r++)
            h->rows[text] += h->text[h->lowest[text]][c->leaf[r][a]] == text;
    }
}

/* Do the leaves labelled like leaf i on the two levels coincide? */
static bool same_cover(const brute_hierarchy *h, const int group[][BRUTE_LEAVES], int low, int high,
                       int i)
{
    for (int j = 0; j < h->n_lines; j++)
        if ((group[low][j] == group[low][i]) != (group[high][j] == group[high][i]))
            return false;
    return true;
}

/* Levels of a file: each merges some values of the level below; a value that merges nothing
 * may keep its label, or take up one that it had further below. */
static void make_file_levels(brute_random *random, brute_hierarchy *h, int n_written)
{
    int group[BRUTE_LEVELS][BRUTE_LEAVES];
    bool ends = n_written > 1 && brute_chance(random, 60);
    for (int i = 0; i < h->n_lines; i++) {
        group[0][i] = i;
        snprintf(h->label[0][i], BRUTE_TEXT, "%s", words[i]);
    }
    for (int l = 1; l < n_written; l++) {
        int parents = brute_between(random, 1, h->n_lines), parent_of[BRUTE_LEAVES];
        for (int g = 0; g < h->n_lines; g++)
            parent_of[g] = l + 1 == n_written && ends ? 0 : brute_below(random, parents);
        for (int i = 0; i < h->n_lines; i++)
            group[l][i] = parent_of[group[l - 1][i]];
        for (int i = 0; i < h->n_lines; i++) {
            int first = 0;
            while (group[l][first] != group[l][i])
                first++;
            if (first < i) {
                strcpy(h->label[l][i], h->label[l][first]);
                continue;
            }
            snprintf(h->label[l][i], BRUTE_TEXT, "L%d.%d", l, i);
            int low = brute_below(random, l);
            /* The top also covers the missing value: no label of a lower level means that. */
            bool is_last = l + 1 == n_written;
            if (!(is_last && h->has_missing) && same_cover(h, group, low, l, i) &&
                brute_chance(random, 60))
                strcpy(h->label[l][i], h->label[low][i]);
        }
    }
    h->n_written = n_written;
}

/* A last level that is not a single value, or a single level, gets * on top. */
static void add_top(brute_random *random, brute_hierarchy *h)
{
    int last = h->n_written - 1;
    bool single = h->n_written >= 2;
    for (int i = 1; i < h->n_lines; i++)
        single = single && strcmp(h->label[last][i], h->label[last][0]) == 0;
    h->height = single ? last : h->n_written;
    bool star = single && brute_chance(random, 40);
    for (int l = 0; star && l < last; l++) /* a star only where it is the top alone */
        star = strcmp(h->label[l][0], h->label[last][0]) != 0;
    for (int i = 0; i < h->n_lines; i++)
        if (!single || star)
            strcpy(h->label[h->height][i], "*");
}

static int compare_numbers(const void *a, const void *b)
{
    double x = atof(a), y = atof(b);
    return (x > y) - (x < y);
}

static int compare_bytes(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Without a file the values that occur are the leaves, as numbers or bytewise. */
static void make_plain(brute_random *random, brute_hierarchy *h)
{
    static const char *const numbers[6] = {"10", "9", "-3", "2.5", "100", "0"};
    static const char *const texts[6] = {"m", "Z", "b10", "b9", "\xC3\xA9", "a a"};
    bool numeric = brute_chance(random, 50);
    for (int i = 0; i < h->n_lines; i++)
        strcpy(h->label[0][i], numeric ? numbers[i] : texts[i]);
    qsort(h->label[0], (size_t)h->n_lines, BRUTE_TEXT, numeric ? compare_numbers : compare_bytes);
    for (int i = 0; i < h->n_lines; i++)
        strcpy(h->label[1][i], "*");
    h->height = 1;
}

static void make_hierarchy(brute_random *random, brute_hierarchy *h, int most_height)
{
    h->given = brute_chance(random, 85);
    h->n_lines = brute_between(random, 1, 6);
    h->has_missing = brute_chance(random, 20);
    if (h->given) {
        make_file_levels(random, h, brute_between(random, 1, most_height));
        add_top(random, h);
    } else {
        make_plain(random, h);
    }
    h->n_leaves = h->n_lines;
    if (h->has_missing) {
        int leaf = h->n_leaves++;
        for (int l = 0; l < h->height; l++)
            strcpy(h->label[l][leaf], "");
        strcpy(h->label[h->height][leaf], h->label[h->height][0]);
    }
}

/* ---- Rows and job ------------------------------------------------------------------------ */

static void make_rows(brute_random *random, brute_case *c)
{
    int skew = brute_between(random, 0, 2);
    for (int r = 0; r < c->n_rows; r++) {
        for (int a = 0; a < c->n_attributes; a++) {
            brute_hierarchy *h = &c->hierarchies[a];
            int leaf = brute_below(random, h->n_leaves);
            for (int i = 0; i < skew; i++) { /* some values more often than others */
                int other = brute_below(random, h->n_leaves);
                leaf = other < leaf ? other : leaf;
            }
            c->leaf[r][a] = leaf;
            c->second_token[r][a] = brute_chance(random, 50);
        }
        c->class_label[r] = brute_below(random, BRUTE_LABELS);
    }
}

/* Where only what occurs is a leaf, what does not occur is taken out. */
static void drop_leaf(brute_case *c, int a, int leaf)
{
    brute_hierarchy *h = &c->hierarchies[a];
    for (int l = 0; l <= h->height; l++)
        for (int i = leaf; i + 1 < h->n_leaves; i++)
            strcpy(h->label[l][i], h->label[l][i + 1]);
    if (h->has_missing && leaf == h->n_leaves - 1)
        h->has_missing = false;
    else
        h->n_lines--;
    h->n_leaves--;
    for (int r = 0; r < c->n_rows; r++)
        c->leaf[r][a] -= c->leaf[r][a] > leaf;
}

static void settle_leaves(brute_case *c, int a)
{
    brute_hierarchy *h = &c->hierarchies[a];
    for (int leaf = h->n_leaves; leaf-- > 0;) {
        bool occurs = false;
        for (int r = 0; r < c->n_rows; r++)
            occurs = occurs || c->leaf[r][a] == leaf;
        bool missing = h->has_missing && leaf == h->n_leaves - 1;
        if (!occurs && (missing || !h->given))
            drop_leaf(c, a, leaf);
    }
    number_texts(h);
}

static void make_job(brute_random *random, brute_case *c)
{
    int most_k = c->n_rows < 6 ? c->n_rows : 6;
    c->k = brute_between(random, 1, most_k);
    if (brute_chance(random, 10))
        c->k = brute_between(random, 1, c->n_rows);
    c->limited = brute_chance(random, 75);
    c->limit = !c->limited                ? 0
               : brute_chance(random, 25) ? 0
               : brute_chance(random, 15) ? c->n_rows
                                          : brute_below(random, c->n_rows + 1);
    c->treatment = (brute_treatment)brute_below(random, 3);
    for (int a = 0; a < c->n_attributes; a++) {
        static const double weights[] = {1, 1, 1, 0.5, 2, 3, 0};
        static const double portions[] = {1, 1, 1, 0.5, 0.25, 0};
        int height = c->hierarchies[a].height;
        c->min_level[a] = 0;
        c->max_level[a] = height;
        c->bounded[a] = brute_chance(random, 15);
        if (c->bounded[a]) {
            c->min_level[a] = brute_between(random, 0, height);
            c->max_level[a] = brute_between(random, c->min_level[a], height);
        }
        c->weight[a] = weights[brute_below(random, 7)];
        c->preference[a] = portions[brute_below(random, 6)];
        c->likelihood[a] = brute_chance(random, 70) ? 1 : brute_between(random, 1, 8) / 8.0;
    }
    c->weight[brute_below(random, c->n_attributes)] = 1;
    c->measure = (brute_measure)brute_below(random, BRUTE_DRIVING);
    c->n_prefer = brute_chance(random, 50) ? 0 : brute_between(random, 1, BRUTE_PREFER);
    for (int i = 0; i < c->n_prefer; i++) {
        c->prefer[i] = (brute_criterion)brute_below(random, 5);
        c->prefer_measure[i] = (brute_measure)brute_below(random, BRUTE_CLASSIFICATION);
    }
}

/* Overlapping sets that together hold every attribute. */
static void make_sets(brute_random *random, brute_case *c)
{
    c->n_sets = brute_chance(random, 75) ? 1 : brute_between(random, 2, BRUTE_SETS);
    for (int a = 0; a < c->n_attributes; a++) {
        bool any = false;
        for (int q = 0; q < c->n_sets; q++) {
            c->in_set[q][a] = c->n_sets == 1 || brute_chance(random, 50);
            any = any || c->in_set[q][a];
        }
        if (!any)
            c->in_set[brute_below(random, c->n_sets)][a] = true;
    }
    for (int q = 0; q < c->n_sets; q++) {
        bool any = false;
        for (int a = 0; a < c->n_attributes; a++)
            any = any || c->in_set[q][a];
        if (!any)
            c->in_set[q][brute_below(random, c->n_attributes)] = true;
    }
}

void brute_make(brute_case *c, uint64_t seed)
{
    brute_random random = {seed * 7919 + 17};
    memset(c, 0, sizeof *c);
    c->seed = seed;
    c->n_attributes = brute_between(&random, 2, BRUTE_ATTRIBUTES);
    c->n_rows = brute_chance(&random, 40) ? brute_between(&random, 1, 12)
                                          : brute_between(&random, 8, BRUTE_ROWS);
    /* Lattices of up to a few hundred nodes. */
    static const int most_height[BRUTE_ATTRIBUTES + 1] = {0, 4, 4, 4, 3, 2};
    for (int a = 0; a < c->n_attributes; a++)
        make_hierarchy(&random, &c->hierarchies[a], most_height[c->n_attributes]);
    make_rows(&random, c);
    for (int a = 0; a < c->n_attributes; a++) {
        settle_leaves(c, a);
        count_rows(c, a);
    }
    make_job(&random, c);
    make_sets(&random, c);
}

/* ---- Files ---------------------------------------------------------------------------------- */

void brute_write_hierarchy(const brute_hierarchy *h, FILE *file)
{
    for (int i = 0; i < h->n_lines; i++)
        for (int l = 0; l < h->n_written; l++)
            fprintf(file, "%s%s", h->label[l][i], l + 1 < h->n_written ? ";" : "\n");
}

const char *brute_cell(const brute_case *c, int row, int attribute)
{
    const brute_hierarchy *h = &c->hierarchies[attribute];
    if (h->has_missing && c->leaf[row][attribute] == h->n_leaves - 1)
        return c->second_token[row][attribute] ? "NA" : "";
    return h->label[0][c->leaf[row][attribute]];
}

void brute_write_table(const brute_case *c, FILE *file)
{
    for (int a = 0; a < c->n_attributes; a++)
        fprintf(file, "%c;", 'a' + a);
    fprintf(file, "class\n");
    for (int r = 0; r < c->n_rows; r++) {
        for (int a = 0; a < c->n_attributes; a++)
            fprintf(file, "%s;", brute_cell(c, r, a));
        fprintf(file, "c%d\n", c->class_label[r]);
    }
}

void brute_print(const brute_case *c, FILE *file)
{
    static const char *const treatments[] = {"keep", "drop", "exempt"};
    fprintf(file, "# seed %llu, k %d, %s %d, %s, utility %s\n", (unsigned long long)c->seed, c->k,
            c->limited ? "limit" : "no limit", c->limit, treatments[c->treatment],
            brute_measure_option(c->measure));
    for (int i = 0; i < c->n_prefer; i++)
        fprintf(file, "# prefer %d (%s)\n", c->prefer[i],
                brute_measure_option(c->prefer_measure[i]));
    for (int q = 0; q < c->n_sets; q++) {
        fprintf(file, "# set");
        for (int a = 0; a < c->n_attributes; a++)
            if (c->in_set[q][a])
                fprintf(file, " %c", 'a' + a);
        fprintf(file, ", k %d\n", brute_set_k(c, q));
    }
    for (int a = 0; a < c->n_attributes; a++) {
        const brute_hierarchy *h = &c->hierarchies[a];
        fprintf(file, "# %c: H %d, levels %d..%d, weight %g, preference %g, likelihood %g\n",
                'a' + a, h->height, c->min_level[a], c->max_level[a], c->weight[a],
                c->preference[a], c->likelihood[a]);
        for (int i = 0; i < h->n_leaves; i++) {
            fprintf(file, "#   ");
            for (int l = 0; l <= h->height; l++)
                fprintf(file, "%s%s", h->label[l][i], l < h->height ? ";" : "\n");
        }
    }
    brute_write_table(c, file);
}
