#include "diagnoses.h"

#include <string.h>

static const diagnosis diagnoses[] = {
    // Infections
    {"A04.7", SEX_ANY, 0, {0, 2, 2, 3, 5, 10, 16, 20}, 58, 60, 22},          // C. difficile
    {"A08.4", SEX_ANY, 0, {60, 90, 25, 6, 5, 5, 6, 8}, 24, 40, 20},          // viral enteritis
    {"A41.5", SEX_ANY, 0, {4, 4, 3, 4, 8, 28, 38, 44}, 76, 120, 35},         // Gram-negative sepsis
    {"A41.9", SEX_ANY, 0, {20, 18, 12, 14, 38, 130, 180, 210}, 64, 110, 34}, // sepsis
    {"B18.2", SEX_ANY, 25, {0, 0, 0, 1, 5, 9, 3, 0}, 45, 50, 21},            // hepatitis C
    {"B20", SEX_ANY, 16, {0, 0, 0, 3, 9, 10, 2, 0}, 70, 80, 30},             // HIV disease
    {"B34.9", SEX_ANY, 0, {50, 40, 14, 4, 3, 3, 3, 3}, 21, 35, 18},          // viral infection
    // Neoplasms
    {"C18.9", SEX_ANY, 30, {0, 0, 0, 0, 4, 22, 30, 20}, 65, 260, 36},     // colon
    {"C25.9", SEX_ANY, 40, {0, 0, 0, 0, 1, 9, 13, 7}, 70, 230, 38},       // pancreas
    {"C34.9", SEX_ANY, 35, {0, 0, 0, 0, 2, 24, 38, 16}, 62, 220, 37},     // lung
    {"C43.9", SEX_ANY, 20, {0, 0, 0, 1, 2, 4, 5, 3}, 20, 120, 30},        // melanoma
    {"C50.9", SEX_FEMALE, 25, {0, 0, 0, 1, 14, 30, 26, 14}, 22, 190, 40}, // breast
    {"C61", SEX_MALE, 50, {0, 0, 0, 0, 0, 36, 54, 16}, 18, 210, 42},      // prostate
    {"C67.9", SEX_ANY, 40, {0, 0, 0, 0, 1, 6, 13, 12}, 40, 160, 33},      // bladder
    {"C79.5", SEX_ANY, 30, {0, 0, 0, 0, 3, 16, 18, 10}, 72, 170, 33},     // bone metastases
    {"C83.3", SEX_ANY, 16, {0, 0, 1, 2, 3, 8, 11, 6}, 84, 210, 42},       // large B-cell lymphoma
    {"C91.0", SEX_ANY, 1, {0, 32, 22, 4, 2, 2, 2, 1}, 110, 280, 48},      // lymphoid leukaemia
    {"C92.0", SEX_ANY, 1, {0, 5, 5, 3, 3, 7, 9, 4}, 150, 320, 50},        // myeloid leukaemia
    {"D25.9", SEX_FEMALE, 25, {0, 0, 0, 4, 46, 24, 1, 0}, 18, 150, 35},   // leiomyoma of uterus
    // Blood
    {"D50.9", SEX_ANY, 1, {0, 5, 4, 5, 10, 12, 20, 26}, 30, 50, 22}, // iron deficiency
    {"D69.3", SEX_ANY, 1, {0, 12, 10, 6, 5, 5, 7, 7}, 38, 60, 28},   // low platelets
    {"D70", SEX_ANY, 0, {4, 14, 12, 3, 3, 8, 9, 5}, 48, 70, 30},     // neutropenia
    // Endocrine and metabolic
    {"E10.1", SEX_ANY, 2, {0, 12, 60, 52, 30, 14, 4, 1}, 30, 60, 30},  // ketoacidosis
    {"E11.6", SEX_ANY, 25, {0, 0, 0, 2, 24, 54, 40, 26}, 48, 70, 24},  // type 2 diabetes
    {"E66.0", SEX_ANY, 18, {0, 0, 0, 14, 44, 34, 4, 0}, 17, 210, 40},  // obesity
    {"E86.0", SEX_ANY, 0, {50, 56, 16, 7, 8, 14, 30, 48}, 26, 40, 20}, // dehydration
    {"E87.1", SEX_ANY, 16, {0, 0, 0, 2, 5, 15, 24, 32}, 34, 50, 22},   // hyponatraemia
    // Mental
    {"F03", SEX_ANY, 60, {0, 0, 0, 0, 0, 1, 16, 38}, 95, 40, 16},       // dementia
    {"F10.2", SEX_ANY, 16, {0, 0, 0, 24, 70, 74, 18, 2}, 52, 30, 15},   // alcohol
    {"F11.2", SEX_ANY, 16, {0, 0, 0, 46, 58, 20, 2, 0}, 48, 30, 15},    // opioids
    {"F20.9", SEX_ANY, 16, {0, 0, 0, 40, 38, 30, 8, 1}, 110, 20, 14},   // schizophrenia
    {"F25.9", SEX_ANY, 16, {0, 0, 0, 24, 30, 26, 6, 1}, 98, 20, 14},    // schizoaffective
    {"F31.9", SEX_ANY, 12, {0, 0, 22, 50, 44, 30, 8, 2}, 76, 20, 14},   // bipolar
    {"F32.9", SEX_ANY, 10, {0, 0, 80, 74, 44, 32, 8, 4}, 58, 20, 14},   // depression
    {"F50.0", SEX_FEMALE, 12, {0, 0, 18, 12, 3, 0, 0, 0}, 160, 30, 16}, // anorexia nervosa
    // Nervous system
    {"G20", SEX_ANY, 50, {0, 0, 0, 0, 0, 3, 12, 14}, 60, 50, 20},        // Parkinson
    {"G30.9", SEX_ANY, 60, {0, 0, 0, 0, 0, 1, 12, 28}, 88, 40, 16},      // Alzheimer
    {"G35", SEX_ANY, 18, {0, 0, 0, 6, 10, 8, 2, 0}, 46, 70, 25},         // multiple sclerosis
    {"G40.9", SEX_ANY, 0, {28, 54, 44, 26, 22, 20, 14, 12}, 34, 50, 25}, // epilepsy
    {"G45.9", SEX_ANY, 40, {0, 0, 0, 0, 2, 16, 28, 32}, 23, 60, 25},     // transient ischaemia
    // Circulatory system
    {"I10", SEX_ANY, 25, {0, 0, 0, 1, 8, 20, 20, 20}, 22, 40, 22},      // hypertension
    {"I11.0", SEX_ANY, 30, {0, 0, 0, 0, 12, 62, 104, 150}, 52, 70, 26}, // hypertensive failure
    {"I20.0", SEX_ANY, 30, {0, 0, 0, 0, 6, 24, 22, 12}, 22, 110, 34},   // unstable angina
    {"I21.0", SEX_ANY, 30, {0, 0, 0, 1, 10, 40, 32, 22}, 42, 310, 50},  // anterior infarction
    {"I21.4", SEX_ANY, 30, {0, 0, 0, 1, 14, 76, 88, 84}, 44, 240, 44},  // non-ST infarction
    {"I25.1", SEX_ANY, 35, {0, 0, 0, 0, 6, 64, 72, 26}, 50, 340, 48},   // coronary disease
    {"I26.9", SEX_ANY, 16, {0, 0, 0, 7, 14, 26, 28, 22}, 42, 90, 30},   // pulmonary embolism
    {"I35.0", SEX_ANY, 45, {0, 0, 0, 0, 0, 8, 28, 36}, 46, 480, 60},    // aortic stenosis
    {"I48.9", SEX_ANY, 25, {0, 0, 0, 1, 8, 46, 82, 88}, 32, 80, 27},    // atrial fibrillation
    {"I50.9", SEX_ANY, 30, {0, 0, 0, 1, 12, 54, 92, 130}, 54, 70, 26},  // heart failure
    {"I61.9", SEX_ANY, 25, {0, 0, 0, 1, 4, 13, 16, 18}, 90, 170, 46},   // brain haemorrhage
    {"I63.9", SEX_ANY, 25, {0, 0, 0, 2, 12, 62, 88, 102}, 56, 130, 36}, // cerebral infarction
    {"I70.2", SEX_ANY, 45, {0, 0, 0, 0, 0, 16, 24, 16}, 60, 230, 33},   // leg arteries
    {"I80.2", SEX_ANY, 18, {0, 0, 0, 5, 9, 13, 12, 10}, 32, 50, 22},    // deep vein thrombosis
    // Respiratory system
    {"J10.1", SEX_ANY, 0, {50, 44, 20, 5, 7, 16, 22, 34}, 34, 50, 23},     // influenza
    {"J12.1", SEX_ANY, 0, {90, 50, 6, 0, 1, 4, 9, 14}, 36, 50, 25},        // RSV pneumonia
    {"J18.9", SEX_ANY, 0, {60, 100, 42, 14, 20, 56, 84, 116}, 44, 60, 24}, // pneumonia
    {"J20.9", SEX_ANY, 0, {30, 24, 8, 3, 4, 7, 8, 10}, 26, 40, 20},        // bronchitis
    {"J21.9", SEX_ANY, 0, {240, 60, 0, 0, 0, 0, 0, 0}, 28, 40, 24},        // bronchiolitis
    {"J35.3", SEX_ANY, 1, {0, 44, 30, 4, 0, 0, 0, 0}, 10, 70, 25},         // tonsils
    {"J44.1", SEX_ANY, 40, {0, 0, 0, 0, 4, 84, 104, 72}, 42, 50, 23},      // COPD
    {"J45.9", SEX_ANY, 1, {0, 130, 110, 26, 26, 26, 12, 8}, 25, 40, 22},   // asthma
    {"J69.0", SEX_ANY, 0, {4, 5, 3, 4, 6, 15, 26, 46}, 68, 80, 29},        // aspiration
    {"J96.0", SEX_ANY, 0, {24, 20, 10, 6, 12, 42, 56, 56}, 70, 130, 40},   // respiratory failure
    // Digestive system
    {"K21.9", SEX_ANY, 0, {22, 5, 3, 3, 5, 10, 10, 10}, 24, 50, 22},     // reflux
    {"K35.8", SEX_ANY, 3, {0, 20, 150, 66, 44, 30, 12, 6}, 20, 140, 35}, // appendicitis
    {"K40.9", SEX_ANY, 0, {14, 5, 4, 4, 6, 12, 12, 7}, 17, 110, 30},     // inguinal hernia
    {"K50.9", SEX_ANY, 10, {0, 0, 20, 26, 20, 14, 6, 2}, 48, 90, 26},    // Crohn
    {"K56.6", SEX_ANY, 1, {0, 6, 7, 9, 20, 42, 46, 44}, 48, 80, 27},     // obstruction
    {"K57.3", SEX_ANY, 30, {0, 0, 0, 1, 18, 44, 38, 32}, 40, 80, 26},    // diverticular disease
    {"K70.3", SEX_ANY, 28, {0, 0, 0, 1, 20, 38, 12, 2}, 58, 80, 28},     // alcoholic cirrhosis
    {"K80.0", SEX_ANY, 14, {0, 0, 6, 30, 40, 46, 40, 32}, 32, 150, 34},  // gallstones
    {"K85.9", SEX_ANY, 14, {0, 0, 5, 24, 48, 48, 24, 16}, 44, 60, 27},   // pancreatitis
    {"K92.2", SEX_ANY, 20, {0, 0, 0, 5, 12, 38, 56, 68}, 38, 80, 28},    // bleeding
    // Skin
    {"L02.4", SEX_ANY, 0, {10, 18, 10, 16, 18, 15, 5, 3}, 28, 40, 21},   // abscess
    {"L03.1", SEX_ANY, 0, {14, 24, 20, 30, 50, 64, 46, 42}, 36, 40, 21}, // cellulitis
    {"L89.1", SEX_ANY, 40, {0, 0, 0, 0, 2, 8, 10, 14}, 92, 60, 22},      // pressure ulcer
    // Musculoskeletal
    {"M16.1", SEX_ANY, 40, {0, 0, 0, 0, 4, 84, 90, 32}, 19, 290, 42},   // arthrosis of hip
    {"M17.1", SEX_ANY, 40, {0, 0, 0, 0, 4, 118, 140, 34}, 20, 280, 40}, // arthrosis of knee
    {"M41.1", SEX_ANY, 10, {0, 0, 40, 8, 1, 2, 2, 0}, 42, 620, 60},     // scoliosis
    {"M48.0", SEX_ANY, 40, {0, 0, 0, 0, 4, 40, 48, 18}, 30, 330, 44},   // spinal stenosis
    {"M51.2", SEX_ANY, 20, {0, 0, 0, 8, 30, 34, 12, 4}, 21, 260, 42},   // disc displacement
    {"M86.9", SEX_ANY, 2, {0, 8, 12, 5, 8, 16, 10, 5}, 80, 90, 25},     // osteomyelitis
    // Genitourinary system
    {"N10", SEX_FEMALE, 1, {0, 14, 16, 30, 24, 18, 12, 10}, 30, 40, 22}, // pyelonephritis
    {"N17.9", SEX_ANY, 16, {0, 0, 0, 6, 18, 50, 64, 78}, 46, 60, 24},    // acute kidney failure
    {"N18.6", SEX_ANY, 18, {0, 0, 0, 4, 12, 22, 20, 12}, 52, 120, 32},   // kidney disease
    {"N20.1", SEX_ANY, 16, {0, 0, 0, 9, 16, 18, 10, 5}, 19, 80, 27},     // ureteral stone
    {"N39.0", SEX_ANY, 0, {64, 28, 14, 8, 8, 18, 38, 82}, 38, 40, 21},   // urinary infection
    {"N40.1", SEX_MALE, 50, {0, 0, 0, 0, 0, 16, 38, 34}, 21, 90, 27},    // enlarged prostate
    {"N81.4", SEX_FEMALE, 35, {0, 0, 0, 0, 5, 16, 18, 6}, 15, 120, 32},  // uterine prolapse
    // Pregnancy and childbirth
    {"O00.1", SEX_FEMALE, 16, {0, 0, 0, 16, 20, 0, 0, 0}, 17, 110, 30},  // tubal pregnancy
    {"O03.9", SEX_FEMALE, 16, {0, 0, 0, 22, 36, 0, 0, 0}, 13, 50, 24},   // miscarriage
    {"O14.1", SEX_FEMALE, 16, {0, 0, 0, 90, 86, 0, 0, 0}, 46, 90, 28},   // pre-eclampsia
    {"O24.4", SEX_FEMALE, 16, {0, 0, 0, 34, 66, 0, 0, 0}, 30, 70, 24},   // gestational diabetes
    {"O30.0", SEX_FEMALE, 18, {0, 0, 0, 30, 56, 0, 0, 0}, 52, 160, 32},  // twins
    {"O42.0", SEX_FEMALE, 16, {0, 0, 0, 170, 150, 0, 0, 0}, 28, 70, 24}, // rupture of membranes
    {"O47.0", SEX_FEMALE, 16, {0, 0, 0, 50, 32, 0, 0, 0}, 16, 30, 20},   // false labour
    {"O70.1", SEX_FEMALE, 16, {0, 0, 0, 380, 240, 0, 0, 0}, 23, 60, 22}, // perineal laceration
    {"O80", SEX_FEMALE, 16, {0, 0, 0, 520, 370, 0, 0, 0}, 20, 50, 22},   // normal delivery
    {"O82", SEX_FEMALE, 16, {0, 0, 0, 330, 460, 0, 0, 0}, 34, 120, 26},  // caesarean delivery
    // Newborn
    {"P05.1", SEX_ANY, 0, {0, 0, 0, 0, 0, 0, 0, 0}, 56, 60, 26},   // small for dates
    {"P07.1", SEX_ANY, 0, {0, 0, 0, 0, 0, 0, 0, 0}, 260, 200, 44}, // low birth weight
    {"P07.3", SEX_ANY, 0, {0, 0, 0, 0, 0, 0, 0, 0}, 140, 120, 38}, // preterm
    {"P22.0", SEX_ANY, 0, {0, 0, 0, 0, 0, 0, 0, 0}, 180, 180, 46}, // respiratory distress
    {"P59.9", SEX_ANY, 0, {0, 0, 0, 0, 0, 0, 0, 0}, 32, 20, 16},   // jaundice
    // Malformations
    {"Q21.0", SEX_ANY, 0, {26, 12, 3, 1, 1, 0, 0, 0}, 64, 420, 56}, // ventricular septum
    {"Q37.9", SEX_ANY, 0, {16, 9, 2, 0, 0, 0, 0, 0}, 18, 160, 36},  // cleft palate
    {"Q40.0", SEX_ANY, 0, {34, 0, 0, 0, 0, 0, 0, 0}, 22, 110, 30},  // pyloric stenosis
    // Symptoms
    {"R07.4", SEX_ANY, 16, {0, 0, 0, 6, 24, 50, 32, 22}, 14, 50, 24}, // chest pain
    {"R50.9", SEX_ANY, 0, {80, 24, 8, 3, 3, 5, 6, 7}, 24, 40, 20},    // fever
    {"R55", SEX_ANY, 5, {0, 0, 6, 6, 6, 14, 24, 38}, 22, 50, 23},     // syncope
    {"R56.0", SEX_ANY, 0, {30, 66, 1, 0, 0, 0, 0, 0}, 15, 40, 21},    // febrile convulsions
    // Injury and poisoning
    {"S02.1", SEX_ANY, 0, {16, 14, 16, 14, 8, 7, 6, 8}, 40, 90, 33},    // skull fracture
    {"S06.0", SEX_ANY, 1, {0, 22, 48, 24, 10, 8, 7, 8}, 16, 60, 27},    // concussion
    {"S06.5", SEX_ANY, 1, {0, 3, 4, 7, 6, 14, 22, 32}, 70, 160, 42},    // subdural haemorrhage
    {"S27.0", SEX_ANY, 5, {0, 0, 9, 34, 18, 10, 5, 3}, 48, 90, 33},     // pneumothorax
    {"S36.1", SEX_ANY, 3, {0, 4, 16, 22, 9, 4, 1, 1}, 52, 120, 36},     // liver injury
    {"S42.4", SEX_ANY, 1, {0, 72, 84, 12, 10, 12, 10, 9}, 14, 120, 33}, // elbow fracture
    {"S72.0", SEX_ANY, 16, {0, 0, 0, 3, 4, 24, 64, 150}, 56, 220, 32},  // hip fracture
    {"S82.2", SEX_ANY, 3, {0, 12, 56, 76, 46, 34, 14, 8}, 38, 190, 33}, // tibia fracture
    {"T40.2", SEX_ANY, 14, {0, 0, 6, 44, 30, 20, 3, 1}, 28, 60, 27},    // opioid poisoning
    {"T39.1", SEX_ANY, 10, {0, 0, 44, 30, 12, 6, 2, 1}, 22, 50, 24},    // paracetamol poisoning
    {"T81.4", SEX_ANY, 5, {0, 0, 6, 10, 22, 34, 30, 18}, 60, 90, 27},   // wound infection
    {"T84.0", SEX_ANY, 40, {0, 0, 0, 0, 1, 22, 34, 20}, 44, 340, 40},   // failed prosthesis
    // Births and care
    {"Z38.0", SEX_ANY, 0, {0, 0, 0, 0, 0, 0, 0, 0}, 21, 10, 14},       // born in hospital
    {"Z38.3", SEX_ANY, 0, {0, 0, 0, 0, 0, 0, 0, 0}, 42, 20, 16},       // twin, in hospital
    {"Z51.1", SEX_ANY, 1, {0, 60, 44, 10, 14, 34, 26, 8}, 36, 90, 32}, // chemotherapy
};

enum { N_DIAGNOSES = sizeof diagnoses / sizeof *diagnoses };

const diagnosis *diagnosis_at(size_t index)
{
    return &diagnoses[index];
}

static bool is_chapter(const diagnosis *which, char letter)
{
    return which->code[0] == letter;
}

static bool is_code(const diagnosis *which, const char *code)
{
    return strcmp(which->code, code) == 0;
}

static size_t age_band(uint32_t age)
{
    static const uint32_t last_ages[N_AGE_BANDS - 1] = {0, 4, 15, 29, 45, 64, 79};
    size_t band = 0;
    while (band < N_AGE_BANDS - 1 && age > last_ages[band])
        band++;
    return band;
}

// How likely a pregnancy is at an age, in percent of the highest.
static uint32_t fertility(uint32_t age)
{
    static const uint32_t percent[] = {8,   14, 26, 40, 52, 60, 68, 74, 80, 85, 90, 94, 97, 99, 100,
                                       100, 99, 96, 90, 81, 70, 58, 46, 35, 25, 17, 11, 6,  3,  2};
    return age < 16 || age > 45 ? 0 : percent[age - 16];
}

static bool is_winter_illness(const diagnosis *which)
{
    return is_code(which, "J12.1") || is_code(which, "J18.9") || is_code(which, "J20.9") ||
           is_code(which, "J21.9");
}

static uint32_t frequency_of(const diagnosis *which, sex_kind sex, uint32_t age, int month)
{
    if ((which->sex != SEX_ANY && which->sex != sex) || age < which->least_age)
        return 0;
    uint32_t percent = 100;
    if (is_chapter(which, 'O'))
        percent = 2 * fertility(age);
    else if (is_chapter(which, 'S') && sex == SEX_MALE && age < 65)
        percent = 190;
    else if (is_code(which, "J10.1"))
        percent = month <= 3 || month == 12 ? 260 : 10;
    else if (is_winter_illness(which))
        percent = month <= 3 || month >= 11 ? 180 : 50;
    return which->frequency[age_band(age)] * percent;
}

size_t diagnosis_draw(random_source *source, sex_kind sex, uint32_t age, int month)
{
    uint32_t weights[N_DIAGNOSES];
    for (size_t i = 0; i < N_DIAGNOSES; i++)
        weights[i] = frequency_of(&diagnoses[i], sex, age, month);
    return random_pick(source, weights, N_DIAGNOSES);
}

static size_t index_of(const char *code)
{
    size_t index = 0;
    while (!is_code(&diagnoses[index], code))
        index++;
    return index;
}

size_t diagnosis_draw_newborn(random_source *source, bool is_twin)
{
    static const char *const codes[] = {"Z38.0", "P59.9", "P05.1", "P07.3", "P07.1", "P22.0"};
    static const uint32_t single_weights[] = {830, 70, 20, 40, 20, 20};
    static const uint32_t twin_weights[] = {520, 60, 90, 200, 80, 50};
    size_t picked =
        random_pick(source, is_twin ? twin_weights : single_weights, sizeof codes / sizeof *codes);
    return index_of(is_twin && picked == 0 ? "Z38.3" : codes[picked]);
}

uint32_t diagnosis_children(size_t index)
{
    static const char *const deliveries[] = {"O14.1", "O24.4", "O42.0", "O70.1", "O80", "O82"};
    if (is_code(&diagnoses[index], "O30.0"))
        return 2;
    for (size_t i = 0; i < sizeof deliveries / sizeof *deliveries; i++)
        if (is_code(&diagnoses[index], deliveries[i]))
            return 1;
    return 0;
}
