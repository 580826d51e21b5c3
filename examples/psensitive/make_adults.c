// make-adults FILE [ROWS]: writes a census-like table of invented adults, with the columns of
// Campan and Truta's experiment.
#include "../patients/generator.h"
#include "../patients/random.h"

enum { SEED = 20060920 };

// ---- Quasi-identifiers: shares like those of the census of 1994 -------------------------------

enum { N_AGE_GROUPS = 8, N_MARITAL = 7, N_RACES = 5 };

typedef struct {
    uint32_t first, last; // years of age
    uint32_t share;       // of 1000 adults
    uint32_t marital[N_MARITAL];
} age_group;

static const char *const marital_labels[N_MARITAL] = {
    "Never-married", "Married-civ-spouse",    "Divorced",         "Separated",
    "Widowed",       "Married-spouse-absent", "Married-AF-spouse"};

static const age_group age_groups[N_AGE_GROUPS] = {
    {17, 20, 75, {960, 25, 5, 5, 0, 5, 0}},       {21, 30, 250, {560, 330, 65, 25, 2, 15, 3}},
    {31, 40, 265, {220, 555, 165, 40, 5, 14, 1}}, {41, 50, 205, {95, 605, 225, 40, 20, 14, 1}},
    {51, 60, 120, {60, 650, 180, 30, 65, 14, 1}}, {61, 70, 60, {55, 630, 120, 20, 160, 14, 1}},
    {71, 80, 20, {70, 550, 75, 10, 280, 15, 0}},  {81, 90, 5, {85, 450, 50, 5, 400, 10, 0}},
};

static const char *const race_labels[N_RACES] = {"White", "Black", "Asian-Pac-Islander",
                                                 "Amer-Indian-Eskimo", "Other"};
static const uint32_t race_shares[N_RACES] = {854, 96, 31, 10, 9};

static const age_group *draw_age_group(random_source *source)
{
    uint32_t shares[N_AGE_GROUPS];
    for (size_t i = 0; i < N_AGE_GROUPS; i++)
        shares[i] = age_groups[i].share;
    return &age_groups[random_pick(source, shares, N_AGE_GROUPS)];
}

// One call a statement: C leaves the order of calls in an argument list open.
static void write_key(random_source *source, FILE *file)
{
    const age_group *group = draw_age_group(source);
    uint32_t age = group->first + random_below(source, group->last - group->first + 1);
    size_t marital = random_pick(source, group->marital, N_MARITAL);
    size_t race = random_pick(source, race_shares, N_RACES);
    bool is_woman = random_chance(source, 331);
    fprintf(file, "%u,%s,%s,%s", age, marital_labels[marital], race_labels[race],
            is_woman ? "Female" : "Male");
}

// ---- Confidential attributes: Pay as in the census, the amounts all alike ----------------------

static void write_confidential(random_source *source, FILE *file)
{
    bool is_high = random_chance(source, 241);
    uint32_t gain = 1000 * (1 + random_below(source, 3));
    uint32_t loss = 1000 * (1 + random_below(source, 4));
    uint32_t tax = 100 * (1 + random_below(source, 10));
    fprintf(file, ",%s,%u,%u,%u\n", is_high ? ">50K" : "<=50K", gain, loss, tax);
}

// ---- The table --------------------------------------------------------------------------------

static bool write_rows(FILE *file, size_t n_rows)
{
    random_source source;
    random_start(&source, SEED);
    for (size_t row = 0; row < n_rows && !ferror(file); row++) {
        write_key(&source, file);
        write_confidential(&source, file);
    }
    return true;
}

int main(int argc, char **argv)
{
    static const generator adults = {
        .name = "make-adults",
        .header = "Age,Marital_Status,Race,Sex,Pay,Capital_Gain,Capital_Loss,Tax_Amount",
        .default_rows = 400,
        .most_rows = 10000000,
        .write_rows = write_rows,
    };
    return generator_run(&adults, argc, argv);
}
