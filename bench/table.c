/* Makes the built-in table that is measured where ../shared is not there. Subjects on files call
 * it. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values from the most frequent to the rarest, each taking the same share (in percent) of
 * what the ones before it left, about as in the census table. */
typedef struct domain {
    const char *name;
    unsigned share;
    const char *values[48];
} domain;

static const domain domains[] = {
    {"sex", 68, {"Male", "Female"}},
    {"age", 0, {0}}, /* 17 to 90 */
    {"race", 85, {"White", "Black", "Asian-Pac-Islander", "Amer-Indian-Eskimo", "Other"}},
    {"marital-status",
     47,
     {"Married-civ-spouse", "Never-married", "Divorced", "Separated", "Widowed",
      "Married-spouse-absent", "Married-AF-spouse"}},
    {"education",
     27,
     {"HS-grad", "Some-college", "Bachelors", "Masters", "Assoc-voc", "11th", "Assoc-acdm", "10th",
      "7th-8th", "Prof-school", "9th", "12th", "Doctorate", "5th-6th", "1st-4th", "Preschool"}},
    {"native-country",
     91,
     {"United-States", "Mexico",          "Philippines", "Germany",  "Canada",
      "Puerto-Rico",   "El-Salvador",     "India",       "Cuba",     "England",
      "Jamaica",       "South",           "China",       "Italy",    "Dominican-Republic",
      "Vietnam",       "Guatemala",       "Japan",       "Poland",   "Columbia",
      "Taiwan",        "Haiti",           "Iran",        "Portugal", "Nicaragua",
      "Peru",          "Greece",          "France",      "Ecuador",  "Ireland",
      "Hong",          "Trinadad&Tobago", "Cambodia",    "Laos",     "Thailand",
      "Yugoslavia",    "Outlying-US",     "Hungary",     "Honduras", "Scotland"}},
    {"workclass",
     74,
     {"Private", "Self-emp-not-inc", "Local-gov", "State-gov", "Self-emp-inc", "Federal-gov",
      "Without-pay", "Never-worked"}},
    {"occupation",
     14,
     {"Prof-specialty", "Craft-repair", "Exec-managerial", "Adm-clerical", "Sales", "Other-service",
      "Machine-op-inspct", "Transport-moving", "Handlers-cleaners", "Farming-fishing",
      "Tech-support", "Protective-serv", "Priv-house-serv", "Armed-Forces"}},
    {"salary-class", 75, {"<=50K", ">50K"}},
};
enum { COLUMNS = sizeof domains / sizeof domains[0], PERSONS = 30162, AGES = 74 };

static uint8_t draw_value(const domain *d, uint64_t *state)
{
    if (d->values[0] == NULL) { /* two draws: the middle ages are more frequent */
        return (uint8_t)((bench_draw(state) % AGES + bench_draw(state) % AGES) / 2);
    }
    uint8_t n = 0;
    while (n < 47 && d->values[n + 1] != NULL)
        n++;
    uint8_t value = 0;
    while (value < n && bench_draw(state) % 100 >= d->share)
        value++;
    return value;
}

int bench_make_table(const char *path, size_t rows)
{
    static uint8_t persons[PERSONS][COLUMNS];
    uint64_t state = 42;
    for (size_t p = 0; p < PERSONS; p++)
        for (size_t c = 0; c < COLUMNS; c++)
            persons[p][c] = draw_value(&domains[c], &state);
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return -1;
    for (size_t c = 0; c < COLUMNS; c++)
        fprintf(file, "%s%s", c > 0 ? ";" : "", domains[c].name);
    fputc('\n', file);
    for (size_t r = 0; r < rows; r++) {
        const uint8_t *person = persons[bench_draw(&state) % PERSONS];
        for (size_t c = 0; c < COLUMNS; c++) {
            uint8_t value =
                bench_draw(&state) % 100 < 15 ? draw_value(&domains[c], &state) : person[c];
            if (c > 0)
                fputc(';', file);
            if (domains[c].values[0] != NULL)
                fputs(domains[c].values[value], file);
            else
                fprintf(file, "%d", 17 + value);
        }
        fputc('\n', file);
    }
    bool failed = ferror(file) != 0;
    return fclose(file) != 0 || failed ? -1 : 0;
}
