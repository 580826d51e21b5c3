#include "people.h"

#include "places.h"

enum { N_AGE_GROUPS = 22, MOST_IN_HOUSEHOLD = 4 };

typedef struct {
    place home;
    race_kind race;
    const char *family;
} household;

// Patients by five years of age; the first two groups are 0 and 1-4. Newborns come on top.
static const uint32_t patients_by_age[N_AGE_GROUPS] = {
    120, 150, 90,  100, 220, 400, 550, 600, 460, 360, 370,
    480, 620, 700, 750, 760, 700, 620, 500, 280, 90,  15,
};

static uint32_t draw_age(random_source *source)
{
    uint32_t group = (uint32_t)random_pick(source, patients_by_age, N_AGE_GROUPS);
    if (group == 0)
        return 0;
    if (group == 1)
        return 1 + random_below(source, 4);
    return (group - 1) * 5 + random_below(source, 5);
}

static sex_kind draw_sex(random_source *source, uint32_t age)
{
    // Childbirth fills the wards with women, and women live longer.
    uint32_t women = age < 16 ? 460 : age < 30 ? 720 : age < 46 ? 660 : age < 80 ? 495 : 590;
    return random_chance(source, women) ? SEX_FEMALE : SEX_MALE;
}

static race_kind draw_race(random_source *source, place_kind kind, uint32_t age)
{
    static const uint32_t shares[N_PLACE_KINDS][N_RACES] = {
        [PLACE_CITY] = {450, 225, 190, 92, 2, 4, 17, 20},
        [PLACE_MILL_TOWN] = {610, 70, 240, 50, 1, 3, 11, 15},
        [PLACE_SUBURB] = {795, 40, 50, 90, 1, 2, 7, 15},
        [PLACE_COUNTRY] = {930, 12, 25, 15, 1, 4, 3, 10},
    };
    race_kind race = (race_kind)random_pick(source, shares[kind], N_RACES);
    // The old came when the region was less mixed.
    if (race != RACE_WHITE && age >= 60 && random_chance(source, 400))
        race = RACE_WHITE;
    return race;
}

static marital_kind draw_marital(random_source *source, sex_kind sex, uint32_t age)
{
    enum { N_GROUPS = 8 };
    static const uint32_t last_ages[N_GROUPS - 1] = {17, 24, 34, 44, 54, 64, 79};
    static const uint32_t shares[2][N_GROUPS][N_MARITAL] = {
        [SEX_FEMALE] = {{1000, 0, 0, 0, 0, 0},
                        {800, 110, 80, 6, 4, 0},
                        {350, 480, 110, 25, 33, 2},
                        {190, 600, 60, 35, 107, 8},
                        {140, 600, 35, 33, 170, 22},
                        {100, 590, 20, 25, 195, 70},
                        {60, 500, 10, 12, 158, 260},
                        {50, 200, 3, 5, 72, 670}},
        [SEX_MALE] = {{1000, 0, 0, 0, 0, 0},
                      {860, 70, 62, 5, 3, 0},
                      {450, 410, 95, 20, 24, 1},
                      {240, 580, 60, 30, 87, 3},
                      {180, 610, 40, 28, 134, 8},
                      {130, 640, 22, 22, 162, 24},
                      {70, 700, 12, 13, 115, 90},
                      {45, 590, 5, 7, 53, 300}},
    };
    size_t group = 0;
    while (group < N_GROUPS - 1 && age > last_ages[group])
        group++;
    return (marital_kind)random_pick(source, shares[sex][group], N_MARITAL);
}

static int32_t first_day(void)
{
    return day_number((date){2023, 1, 1});
}

static int32_t last_day(void)
{
    return day_number((date){2024, 12, 31});
}

static int32_t draw_admission(random_source *source)
{
    uint32_t n_days = (uint32_t)(last_day() - first_day() + 1);
    int32_t day = first_day() + (int32_t)random_below(source, n_days);
    // What is planned is not planned for a weekend.
    if (day_is_weekend(day) && random_chance(source, 350))
        day -= day - 2 >= first_day() ? 2 : 0;
    return day;
}

static int32_t draw_birth(random_source *source, int32_t admission, uint32_t age)
{
    // Rounded so that the age at admission is exact whichever years are leap years.
    int32_t whole_years = (int32_t)((age * 1461 + 3) / 4);
    return admission - whole_years - (int32_t)random_below(source, 364);
}

// Stays and charges are skewed: twenty equally likely factors, in percent of the typical value.
static uint32_t draw_skewed(random_source *source)
{
    static const uint32_t percent[] = {28,  40,  48,  55,  62,  68,  75,  82,  88,  95,
                                       102, 110, 118, 128, 140, 154, 172, 198, 245, 380};
    return percent[random_below(source, sizeof percent / sizeof *percent)];
}

static void draw_stay_and_charge(random_source *source, uint32_t age, patient *who)
{
    const diagnosis *why = diagnosis_at(who->diagnosis);
    uint32_t frailty = age >= 80 ? 125 : age >= 65 ? 110 : 100;
    who->stay = (why->stay * draw_skewed(source) * frailty / 10000 + 5) / 10;
    if (who->stay == 0 && random_chance(source, 700))
        who->stay = 1;
    uint32_t percent = 70 + random_below(source, 61);
    percent += random_below(source, 31); // apart: C leaves the order of calls in a sum open
    uint32_t hundreds = ((why->price + why->daily_price * who->stay) * percent + 50) / 100;
    who->charge = hundreds * 100;
}

static void draw_name(random_source *source, patient *who)
{
    who->given = name_draw_given(source, who->race, who->sex, day_date(who->birth).year);
    if (random_chance(source, 400))
        who->initial = (char)('A' + random_below(source, 23));
    who->is_junior = who->sex == SEX_MALE && random_chance(source, 15);
    if (random_chance(source, 6))
        who->nickname = name_draw_nickname(source);
}

// What hospital clerks forget to ask.
static void lose_cells(random_source *source, patient *who)
{
    if (random_chance(source, 18))
        who->race = RACE_MISSING;
    if (random_chance(source, 14))
        who->marital = MARITAL_MISSING;
}

// Fills in what follows from home, family, race, sex, age, admission, birth and diagnosis.
static patient finish(random_source *source, const household *house, uint32_t age, patient who)
{
    who.family = house->family;
    who.zip = house->home.zip;
    draw_name(source, &who);
    draw_stay_and_charge(source, age, &who);
    lose_cells(source, &who);
    return who;
}

static patient draw_member(random_source *source, const household *house, sex_kind sex,
                           uint32_t age, marital_kind marital)
{
    patient who = {.sex = sex, .race = house->race, .marital = marital};
    who.admission = draw_admission(source);
    who.birth = draw_birth(source, who.admission, age);
    who.diagnosis = diagnosis_draw(source, sex, age, day_date(who.admission).month);
    return finish(source, house, age, who);
}

static patient draw_newborn(random_source *source, const household *house, int32_t birth,
                            bool is_twin)
{
    patient who = {.race = house->race, .marital = MARITAL_SINGLE};
    who.sex = random_chance(source, 488) ? SEX_FEMALE : SEX_MALE;
    who.admission = who.birth = birth;
    who.diagnosis = diagnosis_draw_newborn(source, is_twin);
    return finish(source, house, 0, who);
}

static uint32_t draw_age_of_spouse(random_source *source, sex_kind sex, uint32_t age)
{
    uint32_t older = sex == SEX_MALE ? 5 : 1; // a husband's wife is mostly younger
    uint32_t spouse = age + 6 - older - random_below(source, 5);
    return spouse < 20 ? 20 : spouse > 100 ? 100 : spouse;
}

static size_t draw_household(random_source *source, patient out[MOST_IN_HOUSEHOLD])
{
    uint32_t age = draw_age(source);
    household house = {.home = place_draw(source)};
    // The young leave the country.
    while (house.home.kind == PLACE_COUNTRY && age >= 18 && age < 40 && random_chance(source, 400))
        house.home = place_draw(source);
    house.race = draw_race(source, house.home.kind, age);
    house.family = name_draw_family(source, house.race);

    size_t n = 0;
    sex_kind sex = draw_sex(source, age);
    marital_kind marital = draw_marital(source, sex, age);
    out[n++] = draw_member(source, &house, sex, age, marital);

    uint32_t n_children = diagnosis_children(out[0].diagnosis);
    int32_t birth = out[0].admission + (int32_t)random_below(source, 2);
    if (birth > last_day())
        birth = last_day();
    for (uint32_t i = 0; i < n_children; i++)
        out[n++] = draw_newborn(source, &house, birth, n_children > 1);

    if (marital == MARITAL_MARRIED && random_chance(source, 110)) {
        sex_kind other = sex == SEX_FEMALE ? SEX_MALE : SEX_FEMALE;
        age = draw_age_of_spouse(source, sex, age);
        out[n++] = draw_member(source, &house, other, age, MARITAL_MARRIED);
    } else if (age < 16 && random_chance(source, 80)) { // brother or sister
        age = random_below(source, 16);
        out[n++] = draw_member(source, &house, draw_sex(source, age), age, MARITAL_SINGLE);
    }
    return n;
}

// Numbers that were never given out: area 9xx, and a group below 50 (above are tax numbers).
static uint32_t invalid_ssn(size_t serial)
{
    enum { N_NUMBERS = 100 * 50 * 10000 };
    // The factor has no divisor in common with N_NUMBERS, so no number comes twice.
    uint32_t number = (uint32_t)((serial + 1) * UINT64_C(30901699) % N_NUMBERS);
    uint32_t area = 900 + number / (50 * 10000), rest = number % (50 * 10000);
    return area * 1000000 + rest;
}

void people_draw(random_source *source, size_t n_patients, patient *out)
{
    size_t n = 0;
    while (n < n_patients) {
        patient members[MOST_IN_HOUSEHOLD];
        size_t n_members = draw_household(source, members);
        for (size_t i = 0; i < n_members && n < n_patients; i++) {
            out[n] = members[i];
            out[n].ssn = invalid_ssn(n);
            n++;
        }
    }
}
