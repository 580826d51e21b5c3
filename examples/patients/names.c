#include "names.h"

enum { N_FAMILY_NAMES = 64, N_HERITAGE_FAMILY_NAMES = 24, N_GIVEN_NAMES = 20, N_ERAS = 4 };

static const char *const family_names[N_FAMILY_NAMES] = {
    "Abbott",    "Alden",       "Baker",    "Barros",  "Bellamy",   "Boyd",     "Bradford",
    "Callahan",  "Carver",      "Chandler", "Coffin",  "Cooper",    "Crane",    "D'Angelo",
    "Dalton",    "Doyle",       "Eaton",    "Ellis",   "Fairbank",  "Farrow",   "Fontaine",
    "Foster",    "Gallo",       "Gardner",  "Greene",  "Hall",      "Harlow",   "Hathaway",
    "Holt",      "Ingram",      "Jackson",  "Jordan",  "Keane",     "Kowalski", "Lambert",
    "Lévesque",  "Lowell",      "Marsh",    "McCabe",  "Mercer",    "Moreau",   "Müller",
    "Nickerson", "Novak",       "O'Brien",  "O'Neill", "Osgood",    "Parker",   "Pereira",
    "Pratt",     "Quinn",       "Reed",     "Rossi",   "Saint-Cyr", "Sawyer",   "Sears",
    "Smith",     "Søndergaard", "Thorne",   "Tucker",  "Van Dyke",  "Walker",   "Whitlock",
    "Wright",
};

static const char *const black_family_names[N_HERITAGE_FAMILY_NAMES] = {
    "Adeyemi", "Banks",  "Baptiste", "Booker",  "Brown",   "Carter", "Charles",  "Coleman",
    "Désir",   "Gaines", "Grant",    "Jackson", "Johnson", "Joseph", "Mensah",   "N'Diaye",
    "Okafor",  "Pierre", "Price",    "Simmons", "Tavares", "Thomas", "Williams", "Wright",
};

static const char *const hispanic_family_names[N_HERITAGE_FAMILY_NAMES] = {
    "Alvarado", "Báez",   "Castillo",  "Cruz",  "Delgado",   "Díaz",    "Espinal", "Figueroa",
    "García",   "Guzmán", "Hernández", "López", "Maldonado", "Medina",  "Morales", "Núñez",
    "Ortiz",    "Peña",   "Ramírez",   "Reyes", "Rivera",    "Rosario", "Santana", "Vega",
};

static const char *const asian_family_names[N_HERITAGE_FAMILY_NAMES] = {
    "Ahmed", "Chan",  "Chen", "Choi",   "Das",   "Đặng",   "Gupta", "Huang",
    "Huynh", "Khan",  "Kim",  "Lee",    "Li",    "Lin",    "Mehta", "Nguyễn",
    "Park",  "Patel", "Phan", "Sharma", "Singh", "Tanaka", "Tran",  "Wong",
};

// The years in which an era ends; the last goes on.
static const int last_years[N_ERAS - 1] = {1945, 1970, 1995};

static const char *const womens_names[N_ERAS][N_GIVEN_NAMES] = {
    {"Agnes",    "Alice",  "Barbara",  "Betty", "Doris", "Dorothy", "Edith",
     "Eleanor",  "Evelyn", "Florence", "Helen", "Irene", "Joan",    "Lillian",
     "Margaret", "Marie",  "Mildred",  "Rose",  "Ruth",  "Virginia"},
    {"Ann",   "Brenda",   "Carol", "Catherine", "Cynthia", "Deborah",  "Diane",
     "Donna", "Gail",     "Janet", "Joyce",     "Karen",   "Kathleen", "Linda",
     "Nancy", "Patricia", "Renée", "Sharon",    "Susan",   "Theresa"},
    {"Amanda",   "Amy",     "Ashley", "Christine", "Danielle",  "Erin",   "Heather",
     "Jennifer", "Jessica", "Katie",  "Kelly",     "Kimberly",  "Lauren", "Melissa",
     "Michelle", "Nicole",  "Rachel", "Sarah",     "Stephanie", "Tara"},
    {"Abigail", "Amelia",   "Ava",   "Chloë",  "Ella",    "Emma", "Grace",
     "Hannah",  "Isabella", "Layla", "Lily",   "Madison", "Maya", "Mia",
     "Nora",    "Olivia",   "Sadie", "Sophia", "Violet",  "Zoë"},
};

static const char *const mens_names[N_ERAS][N_GIVEN_NAMES] = {
    {"Albert", "Arthur", "Carl",    "Charles", "Chester", "Clarence", "Donald",
     "Earl",   "Ernest", "Francis", "Frank",   "George",  "Harold",   "Henry",
     "Joseph", "Leo",    "Norman",  "Ralph",   "Stanley", "Walter"},
    {"Alan",  "Bruce",   "Daniel", "David",   "Dennis",  "Douglas", "Edward",
     "Gary",  "Gerald",  "James",  "John",    "Kenneth", "Mark",    "Paul",
     "Peter", "Richard", "Robert", "Stephen", "Thomas",  "William"},
    {"Adam",    "Andrew",  "Brian",   "Chad",   "Christopher", "Derek",  "Eric",
     "Ian",     "Jason",   "Jeffrey", "Justin", "Keith",       "Kevin",  "Matthew",
     "Michael", "Patrick", "Ryan",    "Scott",  "Sean",        "Timothy"},
    {"Aiden", "Alexander", "Benjamin", "Caleb",  "Dylan", "Elijah", "Ethan",
     "Gavin", "Isaac",     "Jacob",    "Jayden", "Liam",  "Logan",  "Lucas",
     "Mason", "Nathan",    "Noah",     "Oliver", "Owen",  "Theo"},
};

static const char *const hispanic_womens_names[N_GIVEN_NAMES] = {
    "Alicia",   "Ana",      "Beatriz",  "Carmen", "Concepción", "Elena",   "Esperanza",
    "Gabriela", "Inés",     "Isabel",   "Josefa", "Luisa",      "Luz",     "Marisol",
    "María",    "Mercedes", "Milagros", "Rosa",   "Sofía",      "Yolanda",
};

static const char *const hispanic_mens_names[N_GIVEN_NAMES] = {
    "Alejandro", "Andrés", "Ángel",  "Antonio", "Carlos", "Diego",  "Eduardo",
    "Felipe",    "Héctor", "Javier", "Jesús",   "Jorge",  "José",   "Juan",
    "Luis",      "Manuel", "Miguel", "Rafael",  "Ramón",  "Víctor",
};

const char *name_draw_family(random_source *source, race_kind race)
{
    const char *const *heritage = NULL;
    if (race == RACE_BLACK)
        heritage = black_family_names;
    else if (race == RACE_HISPANIC)
        heritage = hispanic_family_names;
    else if (race == RACE_ASIAN)
        heritage = asian_family_names;
    if (heritage != NULL && random_chance(source, 850))
        return heritage[random_below(source, N_HERITAGE_FAMILY_NAMES)];
    return family_names[random_below(source, N_FAMILY_NAMES)];
}

const char *name_draw_given(random_source *source, race_kind race, sex_kind sex, int birth_year)
{
    uint32_t name = random_below(source, N_GIVEN_NAMES);
    if (race == RACE_HISPANIC && random_chance(source, 700))
        return sex == SEX_FEMALE ? hispanic_womens_names[name] : hispanic_mens_names[name];
    size_t era = 0;
    while (era < N_ERAS - 1 && birth_year > last_years[era])
        era++;
    return sex == SEX_FEMALE ? womens_names[era][name] : mens_names[era][name];
}

const char *name_draw_nickname(random_source *source)
{
    static const char *const nicknames[] = {"Ace",   "Bunny", "Dot",  "Kit",
                                            "Lucky", "Red",   "Skip", "Sonny"};
    return nicknames[random_below(source, sizeof nicknames / sizeof *nicknames)];
}
