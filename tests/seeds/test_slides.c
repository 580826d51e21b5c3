/* 002, slides on k-anonymity: the lattice, Find_vector (Samarati 2001), distances, and the
 * examples of the measures. */
#include "seed_helpers.h"

#include <math.h>
#include <stdio.h>

#include "search/fulldomain/samarati.h"
#include "search/search.h"

/* ---- The lattice of Race x ZIP ------------------------------------------------------------ */

static const struct {
    const char *node;
    double height, relative, doubling, k;
} nodes[] = {
    {"(0,0)", 0, 0, 0, 1}, {"(0,1)", 1, 0.5, 1, 2}, {"(0,2)", 2, 1, 3, 4},
    {"(1,0)", 1, 1, 1, 3}, {"(1,1)", 2, 1.5, 2, 6}, {"(1,2)", 3, 2, 4, 12},
};
enum { N_NODES = sizeof nodes / sizeof *nodes };

/* Heights 0 to 3; D(<R1,Z1>) = 1.5 and D(<R0,Z2>) = 1; a further step costs twice the last. */
static void lattice_heights_and_distances_of_the_slides(void **state)
{
    (void)state;
    json_t *lattice = seed_result("lattice", "002_race_zip.yaml", "k", "2", NULL);
    seed_expect(lattice, "nodes.total", N_NODES);
    for (size_t i = 0; i < N_NODES; i++) {
        const json_t *row = seed_lattice_row(lattice, nodes[i].node);
        seed_expect(row, "height", nodes[i].height);
        seed_expect(row, "utility.height", nodes[i].height);
        seed_expect(row, "utility.relative_height", nodes[i].relative);
        seed_expect(row, "utility.doubling_height", nodes[i].doubling);
    }
    seed_expect_nodes(lattice, "minimal_nodes", "(0,1) (1,0)");
    json_decref(lattice);
}

/* The largest k of every node. */
static void largest_k_of_each_node(void **state)
{
    (void)state;
    for (int k = 1; k <= 12; k++) {
        char text[16];
        snprintf(text, sizeof text, "%d", k);
        json_t *lattice = seed_result("lattice", "002_race_zip.yaml", "k", text, NULL);
        for (size_t i = 0; i < N_NODES; i++)
            seed_expect(seed_lattice_row(lattice, nodes[i].node), "holds", k <= nodes[i].k);
        json_decref(lattice);
    }
}

static void generalized_tables_are_as_printed(void **state)
{
    (void)state;
    static const struct {
        const char *levels, *file;
        double k, n_classes;
    } cases[] = {
        {"Race=1..1,ZIP=0..0", "002_race_zip_gt_1_0.csv", 3, 4}, /* the slide says 1, 2 */
        {"Race=0..0,ZIP=1..1", "002_race_zip_gt_0_1.csv", 2, 6},
        {"Race=1..1,ZIP=1..1", "002_race_zip_gt_1_1.csv", 6, 2},
        {"Race=1..1,ZIP=2..2", "002_race_zip_gt_1_2.csv", 12, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        seed_expect_release_at("002_race_zip.yaml", cases[i].levels, cases[i].file);
        seed_expect_check(cases[i].file, "Race,ZIP", cases[i].k, cases[i].n_classes);
    }
}

/* ---- Find_vector ---------------------------------------------------------------------------- */

#define FIND_VECTOR                                                                                \
    "002_race_zip.yaml", "k", "2", "suppress", "2", "suppressed", "exempt", "method", "samarati",  \
        "dry-run", "true"

/* k = 2, MaxSup = 2: height 1 is tried and holds, then 0, which does not. */
static void find_vector_tries_height_1_then_0(void **state)
{
    (void)state;
    mgl_solution *solution = seed_solution(FIND_VECTOR, NULL);
    const mgl_samarati_findings *tried = solution->findings;
    assert_int_equal(tried->n_heights, 2);
    assert_int_equal(tried->heights[0], 1);
    assert_int_equal(tried->heights[1], 0);
    assert_int_equal(solution->n_ties, 2); /* both nodes of height 1 hold */
    mgl_solution_free(solution);

    json_t *lattice = seed_result("lattice", "002_race_zip.yaml", "k", "2", "suppress", "2",
                                  "suppressed", "exempt", NULL);
    seed_expect(seed_lattice_row(lattice, "(0,0)"), "holds", 0);
    seed_expect(seed_lattice_row(lattice, "(0,0)"), "suppressed_rows", 12);
    seed_expect(lattice, "nodes.holding", 5);
    seed_expect_nodes(lattice, "minimal_nodes", "(0,1) (1,0)");
    json_decref(lattice);
}

/* Which minimal generalization to pick. The weights make precision choose [1,0], so that a
 * criterion which knows a difference shows, and one which ties leaves the choice to it. */
static void preferences_pick_minimal_generalizations(void **state)
{
    (void)state;
    static const struct {
        const char *prefer, *weights, *node;
    } cases[] = {
        {"relative", "Race=0,ZIP=1", "(0,1)"},          {"distribution", "Race=0,ZIP=1", "(0,1)"},
        {"absolute", "Race=0,ZIP=1", "(1,0)"},          {"absolute", "Race=1,ZIP=0", "(0,1)"},
        {"suppression", "Race=0,ZIP=1", "(1,0)"},       {"suppression", "Race=1,ZIP=0", "(0,1)"},
        {"absolute,relative", "Race=0,ZIP=1", "(0,1)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *json = seed_result("anonymize", FIND_VECTOR, "prefer", cases[i].prefer, "weights",
                                   cases[i].weights, NULL);
        seed_expect_nodes(json, "node", cases[i].node);
        seed_expect_nodes(json, "minimal_nodes", "(0,1) (1,0)");
        json_decref(json);
    }
}

/* ---- Measures ------------------------------------------------------------------------------- */

/* Gender x Race, and the DM slide: as printed, with the two single rows suppressed, and with
 * them left out. */
static void discernibility_and_entropy_are_as_printed(void **state)
{
    (void)state;
    seed_expect_generalization("002_dm.yaml", "002_dm_release.csv");
    seed_expect_generalization("002_dm.yaml", "002_dm_suppressed.csv");
    seed_expect_generalization("002_entropy.yaml", "002_entropy_all.csv");
    seed_expect_generalization("002_entropy.yaml", "002_entropy_gender.csv");
    static const struct {
        const char *job, *release, *path;
        double value;
    } cases[] = {
        {"002_dm.yaml", "002_dm_release.csv", "utility.discernibility", 2 * 2 + 2 * 2 + 1 + 1},
        {"002_dm.yaml", "002_dm_suppressed.csv", "utility.discernibility", 2 * 2 + 2 * 2 + 6 * 2},
        {"002_dm.yaml", "002_dm_dropped.csv", "utility.discernibility", 2 * 2 + 2 * 2 + 6 * 2},
        {"002_dm.yaml", "002_dm_suppressed.csv", "suppressed_rows", 2},
        {"002_dm.yaml", "002_dm_dropped.csv", "suppressed_rows", 2},
        {"002_entropy.yaml", "002_entropy.csv", "utility.entropy_distortion", 0},
        {"002_entropy.yaml", "002_entropy_all.csv", "utility.entropy_distortion", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *json = seed_result("utility", cases[i].job, "release", cases[i].release, NULL);
        seed_expect(json, cases[i].path, cases[i].value);
        json_decref(json);
    }
    json_t *json =
        seed_result("utility", "002_entropy.yaml", "release", "002_entropy_gender.csv", NULL);
    seed_expect(json, "utility.entropy_distortion", 1 / log2(6));
    json_decref(json);
}

/* The same from the lattice instead of the printed tables. */
static void entropy_in_the_lattice_is_as_printed(void **state)
{
    (void)state;
    json_t *lattice = seed_result("lattice", "002_entropy.yaml", "k", "2", NULL);
    seed_expect(seed_lattice_row(lattice, "(1,0)"), "utility.entropy_distortion", 1 / log2(6));
    seed_expect(seed_lattice_row(lattice, "(1,1)"), "utility.entropy_distortion", 1);
    json_decref(lattice);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lattice_heights_and_distances_of_the_slides),
        cmocka_unit_test(largest_k_of_each_node),
        cmocka_unit_test(generalized_tables_are_as_printed),
        cmocka_unit_test(find_vector_tries_height_1_then_0),
        cmocka_unit_test(preferences_pick_minimal_generalizations),
        cmocka_unit_test(discernibility_and_entropy_are_as_printed),
        cmocka_unit_test(entropy_in_the_lattice_is_as_printed),
    };
    return cmocka_run_group_tests(tests, seed_enter, NULL);
}
