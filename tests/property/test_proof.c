/* Random certificates, good and bad, judged by the check and by brute force over all sets of
 * tuples: a box costs no less than the smallest one around its tuples, so that prices hold for all
 * boxes if they hold for every set. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proof/proof.h"

enum { MOST_COLUMNS = 14, MOST_LEAVES = 6, MOST_LEVELS = 10, MOST_TUPLES = 9, CODES = 5 };

static const char *const measures[] = {"precision", "loss", "ncp", "nonuniform_entropy"};

static uint64_t state;

static uint64_t draw(uint64_t below)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (state >> 33) % below;
}

/* ---- A random certificate ---------------------------------------------------------- */

typedef struct sample {
    mgl_proof proof;
    mgl_proof_column columns[MOST_COLUMNS];
    mgl_span labels[MOST_COLUMNS * MOST_LEAVES * MOST_LEVELS];
    char texts[MOST_COLUMNS * MOST_LEAVES * MOST_LEVELS][12];
    uint32_t values[MOST_COLUMNS][MOST_LEVELS][MOST_LEAVES];
    uint32_t *levels[MOST_COLUMNS][MOST_LEVELS];
    mgl_proof_sensitive sensitive;
    mgl_proof_model models[2];
    uint32_t first;
    uint32_t leaves[MOST_TUPLES * MOST_COLUMNS];
    uint64_t counts[MOST_TUPLES];
    int64_t prices[MOST_TUPLES];
    size_t start[MOST_TUPLES + 1];
    uint32_t codes[MOST_TUPLES * CODES];
} sample;

/* Each level joins some neighbours of the one below; a value that joins nothing keeps its number,
 * or gets another one, which reads differently. */
static void make_column(sample *s, size_t a, uint32_t height)
{
    mgl_proof_column *x = &s->columns[a];
    uint32_t n = 1 + (uint32_t)draw(MOST_LEAVES), next = n;
    *x = (mgl_proof_column){.name = "abcdefghijklmn" + a,
                            .weight = 0.25 * (double)(1 + draw(8)),
                            .height = height,
                            .high = height,
                            .n_leaves = n,
                            .value = s->levels[a]};
    for (uint32_t leaf = 0; leaf < n; leaf++)
        s->values[a][0][leaf] = leaf;
    for (uint32_t l = 1; l <= height; l++) {
        const uint32_t *below = s->values[a][l - 1];
        uint32_t *here = s->values[a][l];
        for (uint32_t leaf = 0; leaf < n; leaf++) {
            bool same = leaf > 0 && (below[leaf] == below[leaf - 1] || l == height || draw(4) == 0);
            here[leaf] = same ? here[leaf - 1] : next++;
        }
        bool changed = false;
        for (uint32_t leaf = 1; leaf < n; leaf++)
            changed = changed || (here[leaf] == here[leaf - 1]) != (below[leaf] == below[leaf - 1]);
        if (!changed && draw(2) == 0)
            memcpy(here, below, n * sizeof *here);
    }
    x->n_values = next;
    for (uint32_t l = 0; l <= height; l++)
        s->levels[a][l] = s->values[a][l];
    x->labels = s->labels + a * MOST_LEAVES * MOST_LEVELS;
    for (uint32_t v = 0; v < next; v++) {
        char *text = s->texts[a * MOST_LEAVES * MOST_LEVELS + v];
        snprintf(text, sizeof s->texts[0], "v%u", v);
        s->labels[a * MOST_LEAVES * MOST_LEVELS + v] = mgl_span_of(text);
    }
    if (draw(4) == 0 && height > 1)
        x->low = 1;
    if (draw(4) == 0 && height > 1)
        x->high = height - 1;
}

static int compare_tuples(const void *a, const void *b)
{
    return memcmp(a, b, MOST_COLUMNS); /* bytes: leaves are small */
}

/* Different tuples, ascending. */
static void make_tuples(sample *s, size_t m)
{
    uint8_t cells[MOST_TUPLES][MOST_COLUMNS] = {{0}};
    size_t n = 0, wanted = 1 + draw(MOST_TUPLES);
    for (size_t i = 0; i < wanted; i++)
        for (size_t a = 0; a < m; a++)
            cells[i][a] = (uint8_t)draw(s->columns[a].n_leaves);
    qsort(cells, wanted, sizeof cells[0], compare_tuples);
    for (size_t i = 0; i < wanted; i++) {
        if (i > 0 && memcmp(cells[i], cells[i - 1], MOST_COLUMNS) == 0)
            continue;
        for (size_t a = 0; a < m; a++)
            s->leaves[n * m + a] = cells[i][a];
        s->counts[n] = 1 + draw(3);
        s->proof.n_rows += s->counts[n];
        s->start[n + 1] = s->start[n];
        for (uint32_t code = 0; code < CODES; code++)
            if (draw(3) == 0)
                s->codes[s->start[n + 1]++] = code;
        n++;
    }
    s->proof.n_tuples = n;
}

static void make_sample(sample *s, bool wide)
{
    size_t m = wide ? 12 + draw(3) : 1 + draw(3);
    memset(s, 0, sizeof *s);
    s->proof = (mgl_proof){.method = "cell",
                           .measure = measures[draw(4)],
                           .treatment = "keep",
                           .columns = s->columns,
                           .n_columns = m,
                           .sensitive = &s->sensitive,
                           .n_sensitive = 1,
                           .models = s->models,
                           .n_models = 2,
                           .leaves = s->leaves,
                           .counts = s->counts,
                           .prices = s->prices};
    for (size_t a = 0; a < m; a++)
        make_column(s, a, wide ? 7 : 1 + (uint32_t)draw(3));
    s->sensitive = (mgl_proof_sensitive){.attribute = "s", .start = s->start, .codes = s->codes};
    make_tuples(s, m);
    s->models[0] = (mgl_proof_model){"k-anonymity", (double)(1 + draw(4)), NULL, 0};
    s->models[1] = (mgl_proof_model){"l-diversity", (double)(1 + draw(3)), &s->first, 1};
}

/* ---- Brute force ------------------------------------------------------------------- */

static double share_of(const sample *s, size_t a, uint32_t level, uint32_t leaf)
{
    const mgl_proof_column *x = &s->columns[a];
    uint32_t v = x->value[level][leaf], lowest = level;
    double under = 0, rows = 0;
    while (lowest > 0 && x->value[lowest - 1][leaf] == v)
        lowest--;
    for (uint32_t i = 0; i < x->n_leaves; i++) {
        under += x->value[level][i] == v;
        for (size_t t = 0; t < s->proof.n_tuples; t++)
            rows += x->value[level][i] == v && s->leaves[t * s->proof.n_columns + a] == i
                        ? (double)s->counts[t]
                        : 0;
    }
    if (strcmp(s->proof.measure, "precision") == 0)
        return (double)lowest / x->height;
    if (strcmp(s->proof.measure, "nonuniform_entropy") == 0)
        return rows > 0 ? log2(rows) : 0;
    return x->n_leaves > 1 ? (under - 1) / (x->n_leaves - 1) : 0;
}

/* Of a cell of the column in a box around these tuples, as a share of a row at the top. */
static double cell_cost(const sample *s, size_t a, unsigned set)
{
    const mgl_proof *p = &s->proof;
    bool weighted = strcmp(p->measure, "precision") == 0 || strcmp(p->measure, "ncp") == 0;
    double total = 0, least = INFINITY;
    for (size_t b = 0; b < p->n_columns; b++)
        total += weighted ? s->columns[b].weight : 1;
    if (strcmp(p->measure, "nonuniform_entropy") == 0)
        total *= log2((double)p->n_rows);
    for (uint32_t l = s->columns[a].low; l <= s->columns[a].high; l++) {
        uint32_t first = UINT32_MAX;
        bool shared = true;
        for (size_t t = 0; t < p->n_tuples; t++) {
            uint32_t leaf = s->leaves[t * p->n_columns + a];
            if ((set >> t & 1) == 0)
                continue;
            first = first == UINT32_MAX ? leaf : first;
            shared = shared && s->columns[a].value[l][leaf] == s->columns[a].value[l][first];
        }
        double cost = (weighted ? s->columns[a].weight : 1) * share_of(s, a, l, first);
        if (shared && cost < least)
            least = cost;
    }
    return total > 0 ? least / total : least < INFINITY ? 0 : INFINITY;
}

static double box_cost(const sample *s, unsigned set)
{
    double cost = 0;
    for (size_t a = 0; a < s->proof.n_columns; a++)
        cost += cell_cost(s, a, set);
    return cost;
}

static bool may_hold(const sample *s, unsigned set)
{
    uint64_t rows = 0;
    unsigned seen = 0;
    for (size_t t = 0; t < s->proof.n_tuples; t++) {
        if ((set >> t & 1) == 0)
            continue;
        rows += s->counts[t];
        for (size_t i = s->start[t]; i < s->start[t + 1]; i++)
            seen |= 1u << s->codes[i];
    }
    uint64_t need = (uint64_t)fmax(s->models[0].parameter, s->models[1].parameter);
    return rows >= need && __builtin_popcount(seen) >= s->models[1].parameter;
}

/* The most that so many of these rows are priced above a cost. */
static double best_rows(double *gain, size_t n, uint64_t missing)
{
    double sum = 0;
    if (n < missing)
        return -INFINITY;
    for (uint64_t taken = 0; taken < missing; taken++) {
        size_t best = 0;
        for (size_t i = 1; i < n; i++)
            best = gain[i] > gain[best] ? i : best;
        sum += gain[best];
        gain[best] = gain[--n];
    }
    return sum;
}

/* The most that tuples of the set are priced above a cost: those that are, and, if they have too
 * few rows, one other that has what is missing, or rows of smaller ones. */
static double worth(const sample *s, unsigned set, double cost)
{
    int64_t missing = (int64_t)fmax(s->models[0].parameter, s->models[1].parameter);
    double sum = 0, one = -INFINITY, gain[MOST_TUPLES * 3];
    size_t n = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t t = 0; t < s->proof.n_tuples; t++) {
            double more = (double)s->prices[t] / MGL_PROOF_UNIT - cost;
            int64_t rows = (int64_t)s->counts[t];
            if ((set >> t & 1) == 0 || (more > 0) != (pass == 0))
                continue;
            if (pass == 0) {
                sum += (double)rows * more;
                missing -= rows;
            } else if (rows >= missing) {
                one = fmax(one, (double)rows * more);
            }
            for (int64_t i = 0; pass == 1 && rows < missing && i < rows; i++)
                gain[n++] = more;
        }
    return missing <= 0 ? sum : sum + fmax(one, best_rows(gain, n, (uint64_t)missing));
}

static double most_worth(const sample *s)
{
    double most = -INFINITY;
    for (unsigned set = 1; set < 1u << s->proof.n_tuples; set++) {
        double cost = may_hold(s, set) ? box_cost(s, set) : INFINITY;
        double here = cost < INFINITY ? worth(s, set, cost) : -INFINITY;
        most = here > most ? here : most;
    }
    return most;
}

/* Each tuple is priced what it costs in the cheapest set that may hold, more or less. */
static void price(sample *s)
{
    double factor = 1 - 1e-6 + 4e-6 * (double)draw(2);
    for (size_t t = 0; t < s->proof.n_tuples; t++) {
        double least = 1;
        for (unsigned set = 1; set < 1u << s->proof.n_tuples; set++)
            if ((set >> t & 1) != 0 && may_hold(s, set)) {
                double cost = box_cost(s, set);
                least = cost < least ? cost : least;
            }
        s->prices[t] = (int64_t)((least - 1e-7) * factor * MGL_PROOF_UNIT);
    }
    size_t t = draw(s->proof.n_tuples);
    if (draw(2) == 0)
        s->prices[t] += (int64_t)(MGL_PROOF_UNIT / (double)(2 + draw(40)));
}

static double top_cost(const sample *s)
{
    double sum = 0, total = 0;
    const mgl_proof *p = &s->proof;
    bool weighted = strcmp(p->measure, "precision") == 0 || strcmp(p->measure, "ncp") == 0;
    for (size_t a = 0; a < p->n_columns; a++) {
        double weight = weighted ? s->columns[a].weight : 1;
        sum += weight * share_of(s, a, s->columns[a].height, 0);
        total += weight;
    }
    if (strcmp(p->measure, "nonuniform_entropy") == 0)
        total *= log2((double)p->n_rows);
    return total > 0 ? sum / total : 0;
}

/* ---- All divisions ----------------------------------------------------------------- */

/* Are all cells of the set alike on this level? */
static bool reads_alike(const sample *s, size_t a, uint32_t level, unsigned set, uint32_t *value)
{
    *value = UINT32_MAX;
    for (size_t t = 0; t < s->proof.n_tuples; t++) {
        uint32_t v = s->columns[a].value[level][s->leaves[t * s->proof.n_columns + a]];
        if ((set >> t & 1) != 0 && *value != UINT32_MAX && v != *value)
            return false;
        *value = (set >> t & 1) != 0 ? v : *value;
    }
    return true;
}

/* Has the column nothing as cheap for these tuples as its top? */
static bool is_at_top(const sample *s, size_t a, unsigned set)
{
    const mgl_proof_column *x = &s->columns[a];
    double least = INFINITY, other = INFINITY;
    for (uint32_t l = x->low; l <= x->high; l++) {
        uint32_t v;
        if (!reads_alike(s, a, l, set, &v))
            continue;
        for (uint32_t leaf = 0; leaf < x->n_leaves; leaf++) {
            if (x->value[l][leaf] != v)
                continue;
            double cost = share_of(s, a, l, leaf);
            least = fmin(least, cost);
            other = v != x->value[x->height][0] ? fmin(other, cost) : other;
        }
    }
    return other > least + 1e-12;
}

/* What a row costs in a class of these tuples; infinite: they are none. */
static double class_cost(const sample *s, unsigned set)
{
    double cost = may_hold(s, set) ? box_cost(s, set) : INFINITY;
    bool exempt = strcmp(s->proof.treatment, "exempt") == 0, top = true;
    if (strcmp(s->proof.treatment, "keep") == 0 && s->proof.limit > 0 && may_hold(s, set))
        cost = fmin(cost, top_cost(s));
    for (size_t a = 0; exempt && cost < INFINITY && a < s->proof.n_columns; a++)
        top = top && is_at_top(s, a, set);
    return exempt && top ? INFINITY : cost;
}

static uint64_t rows_of(const sample *s, unsigned set)
{
    uint64_t rows = 0;
    for (size_t t = 0; t < s->proof.n_tuples; t++)
        rows += (set >> t & 1) != 0 ? s->counts[t] : 0;
    return rows;
}

/* The cheapest of all divisions of these tuples, one after another, with so many rows to leave out.
 */
static double best_division(const sample *s, const double *cost, unsigned set, uint64_t left)
{
    if (set == 0)
        return 0;
    unsigned first = set & -set, others = set ^ first;
    double best = INFINITY;
    if (rows_of(s, first) <= left)
        best = (double)rows_of(s, first) * top_cost(s) +
               best_division(s, cost, others, left - rows_of(s, first));
    for (unsigned some = others;; some = (some - 1) & others) {
        if (cost[first | some] < INFINITY)
            best = fmin(best, cost[first | some] * (double)rows_of(s, first | some) +
                                  best_division(s, cost, others ^ some, left));
        if (some == 0)
            return best;
    }
}

static double least_cost(const sample *s)
{
    static double cost[1 << MOST_TUPLES];
    const mgl_proof *p = &s->proof;
    unsigned all = (1u << p->n_tuples) - 1;
    uint64_t left = strcmp(p->treatment, "keep") == 0 ? 0
                    : p->limit < p->n_rows            ? p->limit
                                                      : p->n_rows - 1;
    for (unsigned set = 1; set <= all; set++)
        cost[set] = class_cost(s, set);
    return fmin(best_division(s, cost, all, left), (double)p->n_rows * top_cost(s));
}

/* ---- Tests ------------------------------------------------------------------------- */

static mgl_proof_verdict verify(const mgl_proof *proof)
{
    mgl_proof_verdict verdict;
    mgl_error err;
    if (mgl_proof_verify(proof, NULL, &err, &verdict) != MGL_OK)
        fail_msg("%s", err.message);
    mgl_buffer_free(&verdict.example);
    return verdict;
}

/* What is written is read again as the same. */
static void check_file(const mgl_proof *proof, const mgl_proof_verdict *expected)
{
    char path[] = "/tmp/mingle-proof-XXXXXX";
    int fd = mkstemp(path);
    mgl_buffer file = {0};
    mgl_proof *again;
    mgl_error err;
    assert_true(fd >= 0);
    assert_int_equal(mgl_proof_write(proof, &err, &file), MGL_OK);
    assert_int_equal(write(fd, file.data, file.size), file.size);
    close(fd);
    if (mgl_proof_read(path, &err, &again) != MGL_OK)
        fail_msg("%s", err.message);
    mgl_proof_verdict verdict = verify(again);
    assert_int_equal(verdict.holds, expected->holds);
    assert_int_equal(verdict.boxes, expected->boxes);
    assert_int_equal(verdict.bargains, expected->bargains);
    assert_true(verdict.proved == expected->proved);
    mgl_proof_free(again);
    mgl_buffer_free(&file);
    unlink(path);
}

static void compare_with_brute_force(bool wide, int times)
{
    static sample s;
    int held = 0, failed = 0;
    for (int time = 0; time < times; time++) {
        state = (uint64_t)time * 1000003 + wide;
        make_sample(&s, wide);
        price(&s);
        double most = most_worth(&s), dearest = -INFINITY;
        for (size_t t = 0; t < s.proof.n_tuples; t++)
            dearest = fmax(dearest, (double)s.prices[t] / MGL_PROOF_UNIT - top_cost(&s));
        most = fmax(most, dearest);
        mgl_proof_verdict verdict = verify(&s.proof);
        if (most > 1e-9 && verdict.holds)
            fail_msg("time %d: a set is worth %g more than it costs, and the check holds", time,
                     most);
        if (most < -1e-12 && !verdict.holds)
            fail_msg("time %d: no set is worth more than it costs, and the check fails", time);
        held += most < -1e-12;
        failed += most > 1e-9;
        if (time % 8 == 0)
            check_file(&s.proof, &verdict);
    }
    assert_true(held > times / 8 && failed > times / 8);
}

static void small_lattices_agree_with_brute_force(void **unused)
{
    (void)unused;
    compare_with_brute_force(false, 2400);
}

/* Where there are too many nodes, boxes are gone through from each tuple. */
static void large_lattices_agree_with_brute_force(void **unused)
{
    (void)unused;
    compare_with_brute_force(true, 160);
}

/* What all rows cost, as rows at the top, if the measure has this value. */
static double cost_of_value(const mgl_proof *p, double value)
{
    double bits = 0;
    if (strcmp(p->measure, "nonuniform_entropy") != 0)
        return (strcmp(p->measure, "precision") == 0 ? 1 - value : value) * (double)p->n_rows;
    for (size_t a = 0; a < p->n_columns; a++)
        for (size_t t = 0; t < p->n_tuples; t++) {
            double rows = (double)p->counts[t];
            for (size_t u = 0; u < p->n_tuples; u++)
                if (u != t && p->leaves[u * p->n_columns + a] == p->leaves[t * p->n_columns + a])
                    rows += (double)p->counts[u];
            bits += (double)p->counts[t] * log2(rows);
        }
    return (value + bits) / ((double)p->n_columns * log2((double)p->n_rows));
}

/* The bound that a division in all ways finds is the best one, and no higher one is proved. */
static void divisions_agree_with_brute_force(void **unused)
{
    static const char *const treatments[] = {"keep", "drop", "exempt"};
    static sample s;
    int looked = 0, dear = 0;
    (void)unused;
    for (int time = 0; time < 700; time++) {
        mgl_proof_exact exact;
        mgl_error err;
        bool found;
        state = (uint64_t)time * 1000033 + 7;
        make_sample(&s, false);
        s.proof.treatment = treatments[draw(3)];
        s.proof.limit = draw(5);
        double least = least_cost(&s), worst = strcmp(s.proof.measure, "precision") == 0 ? -1 : 1e5;
        assert_int_equal(mgl_proof_divide(&s.proof, worst, NULL, &err, &found, &exact), MGL_OK);
        if (least < 1e-6)
            continue;
        assert_true(found);
        s.proof.exact = &exact;
        mgl_proof_verdict verdict = verify(&s.proof);
        assert_true(verdict.holds);
        if (fabs(cost_of_value(&s.proof, verdict.proved) - least) > 1e-6)
            fail_msg("time %d: at least %g was proved, the best costs %g", time,
                     cost_of_value(&s.proof, verdict.proved), least);
        if (time % 8 == 0)
            check_file(&s.proof, &verdict);
        exact.bound++;
        assert_false(verify(&s.proof).holds);
        looked++;
        dear += least < (double)s.proof.n_rows * top_cost(&s) - 1e-6;
    }
    assert_true(looked > 300 && dear > 150);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_lattices_agree_with_brute_force),
        cmocka_unit_test(large_lattices_agree_with_brute_force),
        cmocka_unit_test(divisions_agree_with_brute_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
