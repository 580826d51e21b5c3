// make-patients FILE [ROWS]: writes a hospital discharge table of invented patients.
#include "generator.h"
#include "people.h"

#include <stdlib.h>

enum { SEED = 20020513 };

static const char *const sex_labels[] = {"F", "M"};

static const char *const race_labels[] = {
    "White",           "Black", "Hispanic",    "Asian", "Pacific Islander",
    "American Indian", "Other", "Two or more", ""};

static const char *const marital_labels[] = {"Single",   "Married", "Partner", "Separated",
                                             "Divorced", "Widowed", ""};

// A hospital's table is in the order of admission; the number makes the order complete.
static int compare_admissions(const void *left, const void *right)
{
    const patient *a = left, *b = right;
    if (a->admission != b->admission)
        return a->admission < b->admission ? -1 : 1;
    return (a->ssn > b->ssn) - (a->ssn < b->ssn);
}

static void write_name(FILE *file, const patient *who)
{
    // A comma or a quote inside a cell: the cell is quoted, a quote in it doubled.
    const char *quote = who->is_junior || who->nickname != NULL ? "\"" : "";
    fprintf(file, "%s%s ", quote, who->given);
    if (who->nickname != NULL)
        fprintf(file, "\"\"%s\"\" ", who->nickname);
    if (who->initial != 0)
        fprintf(file, "%c. ", who->initial);
    fprintf(file, "%s%s%s,", who->family, who->is_junior ? ", Jr." : "", quote);
}

static void write_date(FILE *file, int32_t day)
{
    date when = day_date(day);
    fprintf(file, "%04d-%02d-%02d,", when.year, when.month, when.day);
}

static void write_patient(FILE *file, const patient *who)
{
    write_name(file, who);
    fprintf(file, "%03u-%02u-%04u,", who->ssn / 1000000, who->ssn / 10000 % 100, who->ssn % 10000);
    write_date(file, who->birth);
    fprintf(file, "%s,%s,%05u,%s,", sex_labels[who->sex], race_labels[who->race], who->zip,
            marital_labels[who->marital]);
    write_date(file, who->admission);
    fprintf(file, "%s,%u,%u\n", diagnosis_at(who->diagnosis)->code, who->stay, who->charge);
}

static bool write_rows(FILE *file, size_t n_patients)
{
    patient *patients = malloc(n_patients * sizeof *patients);
    if (patients == NULL)
        return false;
    random_source source;
    random_start(&source, SEED);
    people_draw(&source, n_patients, patients);
    qsort(patients, n_patients, sizeof *patients, compare_admissions);
    for (size_t i = 0; i < n_patients && !ferror(file); i++)
        write_patient(file, &patients[i]);
    free(patients);
    return true;
}

int main(int argc, char **argv)
{
    static const generator patients = {
        .name = "make-patients",
        .header = "name,ssn,birth,sex,race,zip,marital,admission,diagnosis,stay,charge",
        .default_rows = 20000,
        .most_rows = MOST_PATIENTS,
        .write_rows = write_rows,
    };
    return generator_run(&patients, argc, argv);
}
