/* Finds out which column identifies people with several rows. A household, a hospital and a product
 * repeat as well: what never varies within a person decides. From a table, or from a stream. */
#include "profile/profile.h"

#include <math.h>

/* ---- Columns within ids ---------------------------------------------------------------------- */

/* In place of a value: several different ones were found. */
enum { SEVERAL = 0xFFFFFFFE };

mgl_status mgl_within_find(const mgl_table *table, const mgl_column *id, const mgl_column *column,
                           mgl_error *err, mgl_within *out)
{
    uint32_t n = mgl_dictionary_size(id->dictionary);
    uint32_t no_id = mgl_dictionary_missing(id->dictionary);
    uint32_t *only = mgl_alloc_array(n, sizeof *only); /* [id] its value of the column */
    uint64_t *rows = mgl_zeroed_array(n, sizeof *rows);
    mgl_within w = {0};
    if (only == NULL || rows == NULL) {
        mgl_free(only);
        mgl_free(rows);
        return mgl_fail_memory(err);
    }
    for (size_t row = 0; row < table->n_rows; row++) {
        uint32_t i = mgl_column_code(id, row), value = mgl_column_code(column, row);
        only[i] = rows[i] == 0 || only[i] == value ? value : SEVERAL;
        rows[i] += table->times != NULL ? table->times[row] : 1;
    }
    for (uint32_t i = 0; i < n; i++) {
        w.ids += i != no_id && rows[i] > 0;
        w.repeated += i != no_id && rows[i] > 1;
        w.same += i != no_id && rows[i] > 1 && only[i] != SEVERAL;
    }
    mgl_free(only);
    mgl_free(rows);
    *out = w;
    return MGL_OK;
}

bool mgl_within_holds(const mgl_within *w)
{
    return w->repeated > 0 && (double)w->same >= MGL_NEVER_VARIES_SHARE * (double)w->repeated;
}

/* ---- Values that follow numbers ------------------------------------------------------------ */

typedef struct numbered {
    double number;
    uint32_t value;
} numbered;

static const mgl_sort_key by_number[] = {MGL_ASCENDING(numbered, number),
                                         MGL_ASCENDING(numbered, value), MGL_SORT_END};

/* Each value goes with one run of two numbers or more, but for one in ten, and so many that chance
 * does not put them in order: it does so in values! run! run! ... / n! of all orders. */
static bool are_runs(const numbered *list, size_t n, uint32_t n_values, bool *seen)
{
    const double rarest = 1e-4;
    size_t runs = 0, run = 0, values = 0;
    double chance = 0; /* its logarithm */
    for (size_t i = 0; i < n; i++) {
        bool again = i > 0 && list[i].value == list[i - 1].value;
        bool first = list[i].value < n_values && !seen[list[i].value];
        run = again ? run + 1 : 1;
        runs += !again;
        values += first;
        if (first)
            seen[list[i].value] = true;
        chance += log((double)run) - log((double)(i + 1)) + (first ? log((double)values) : 0);
    }
    return values > 0 && 2 * values <= n && 10 * runs <= 11 * values && chance < log(rarest);
}

mgl_status mgl_within_follows(const mgl_table *table, const mgl_column *id,
                              const mgl_column *column, mgl_error *err, bool *follows)
{
    uint32_t n = mgl_dictionary_size(id->dictionary), n_list = 0;
    uint32_t n_values = mgl_dictionary_size(column->dictionary);
    bool *taken = mgl_zeroed_array(n + 1, sizeof *taken);
    bool *seen = mgl_zeroed_array(n_values + 1, sizeof *seen);
    numbered *list = mgl_alloc_array(n + 1, sizeof *list);
    bool memory = taken != NULL && seen != NULL && list != NULL;
    for (size_t row = 0; memory && row < table->n_rows; row++) {
        uint32_t i = mgl_column_code(id, row);
        double number;
        if (taken[i] || !mgl_parse_double(mgl_dictionary_value(id->dictionary, i), &number))
            continue;
        taken[i] = true;
        list[n_list++] = (numbered){number, mgl_column_code(column, row)};
    }
    if (memory) {
        mgl_sort(list, n_list, sizeof *list, by_number);
        *follows = are_runs(list, n_list, n_values, seen);
    }
    mgl_free(taken);
    mgl_free(seen);
    mgl_free(list);
    return memory ? MGL_OK : mgl_fail_memory(err);
}

/* ---- Values that lie far apart -------------------------------------------------------------- */

enum { WIDEST_LIFE = 40, WIDEST_AGES = 25, FEWEST_ROWS = 3 };

/* Returns the year or age of a text; false if it has none. */
static bool year_of(const mgl_profile *profile, mgl_span text, double *out)
{
    static const mgl_notation any_century = {.has_century = true};
    unsigned orders;
    mgl_moment moment;
    if (!mgl_profile_is_date(profile))
        return mgl_parse_double(text, out);
    orders = mgl_date_orders(&any_century, text);
    if (orders == 0 ||
        !mgl_moment_parse(&any_century, text, (mgl_date_order)__builtin_ctz(orders), &moment))
        return false;
    *out = (double)moment.date.year;
    return true;
}

typedef struct span_of_years {
    double low, high;
    uint64_t rows;
} span_of_years;

static void take_year(span_of_years *s, double year, uint64_t rows)
{
    s->low = s->rows == 0 || year < s->low ? year : s->low;
    s->high = s->rows == 0 || year > s->high ? year : s->high;
    s->rows += rows;
}

static bool is_called_age(const mgl_profile *p)
{
    return p->topic != NULL && p->topic->id == MGL_TOPIC_AGE;
}

bool mgl_within_can_lie_apart(const mgl_profile *p)
{
    return is_called_age(p) || mgl_profile_is_date(p) || mgl_profile_is_year(p);
}

mgl_status mgl_within_lies_apart(const mgl_table *table, const mgl_column *id,
                                 const mgl_column *column, const mgl_profile *profile,
                                 mgl_error *err, bool *apart)
{
    double widest = is_called_age(profile) ? WIDEST_AGES : WIDEST_LIFE, year;
    uint32_t n = mgl_dictionary_size(id->dictionary),
             no_id = mgl_dictionary_missing(id->dictionary);
    size_t judged = 0, wide = 0;
    *apart = false;
    if (!mgl_within_can_lie_apart(profile))
        return MGL_OK;
    span_of_years *spans;
    MGL_TRY(mgl_new_zeroed((size_t)n + 1, sizeof *spans, err, &spans));
    for (size_t row = 0; row < table->n_rows; row++) {
        uint32_t i = mgl_column_code(id, row), value = mgl_column_code(column, row);
        if (i != no_id && year_of(profile, mgl_dictionary_value(column->dictionary, value), &year))
            take_year(&spans[i], year, table->times != NULL ? table->times[row] : 1);
    }
    for (uint32_t i = 0; i < n; i++) {
        judged += spans[i].rows >= FEWEST_ROWS;
        wide += spans[i].rows >= FEWEST_ROWS && spans[i].high - spans[i].low > widest;
    }
    mgl_free(spans);
    *apart = wide > 0 && 2 * wide >= judged;
    return MGL_OK;
}

/* ---- Columns that can be ids of persons ------------------------------------------------------ */

bool mgl_profile_is_trait(const mgl_profile *p)
{
    return p->topic != NULL && !mgl_profile_is_constant(p) &&
           (p->topic->id == MGL_TOPIC_BODY || p->topic->id == MGL_TOPIC_BIRTH);
}

double mgl_profile_rows_each(const mgl_profile *p)
{
    return p->distinct > 0 ? (double)(p->rows - p->missing) / (double)p->distinct : 0;
}

static bool has_many_rows(const mgl_profile *p)
{
    return mgl_profile_rows_each(p) > MGL_ROWS_OF_PERSON;
}

/* A few rows of each value, at least two on average of those that repeat. */
static bool has_few_rows(const mgl_profile *p)
{
    return !has_many_rows(p) && p->distinct >= MGL_FEW_PERSONS;
}

/* Numbers or codes that are all equally long, as keys are and amounts are not; or texts. */
static bool is_key_like(const mgl_profile *p)
{
    enum { SHORTEST_KEY = 4 };
    const mgl_shapes *s = &p->shapes;
    bool numbers = p->kind == MGL_VALUE_INTEGER || p->kind == MGL_VALUE_CODE;
    bool texts =
        p->kind == MGL_VALUE_NAME || p->kind == MGL_VALUE_CATEGORY || p->kind == MGL_VALUE_TEXT;
    return texts || (numbers && s->shortest == s->longest && s->longest >= SHORTEST_KEY);
}

/* Characters of a script without blanks are a name if surnames recur. */
static bool has_form_of_names(const mgl_profile *p)
{
    const mgl_content *c = &p->content;
    bool joined = c->single_words >= MGL_LOOKS_SHARE;
    bool again = (double)c->first_words <= MGL_NAMES_SHARE * (double)c->names;
    return c->full_names >= MGL_NAMES_SHARE && (!joined || again);
}

/* Codes that are not made up for a list of objects: long, and of different patterns. */
static bool has_form_of_keys(const mgl_profile *p)
{
    enum { SHORTEST_DRAWN = 6 };
    const mgl_shapes *s = &p->shapes;
    return (double)s->codes >= MGL_NAMES_SHARE * (double)s->values &&
           s->shortest >= SHORTEST_DRAWN && p->content.one_pattern < MGL_LOOKS_SHARE;
}

/* Codes of one pattern that are longer than those of a classification. */
static bool is_long_code(const mgl_profile *p)
{
    enum { LONG_CODE = 9 };
    return p->kind != MGL_VALUE_INTEGER && p->shapes.shortest >= LONG_CODE &&
           (double)p->shapes.codes >= MGL_MOST_VALUES * (double)p->shapes.values &&
           p->content.one_pattern >= MGL_MOST_VALUES;
}

/* A column named after something else can contain ids, but not one of days, ages or postal codes:
 * those never vary within persons either. */
static bool can_be_miscalled(const mgl_profile *p)
{
    if (p->topic == NULL)
        return true;
    switch (p->topic->id) {
    case MGL_TOPIC_HEALTH:
    case MGL_TOPIC_MONEY:
    case MGL_TOPIC_PRIVATE:
    case MGL_TOPIC_PLACE:
    case MGL_TOPIC_WORK:
        return true;
    default:
        return false;
    }
}

bool mgl_profile_names_persons(const mgl_profile *p)
{
    mgl_identity identity = mgl_profile_identity(p);
    return (p->topic != NULL && p->topic->id == MGL_TOPIC_PERSON) ||
           identity == MGL_IDENTITY_CONTACT ||
           (identity == MGL_IDENTITY_PERSON && has_form_of_names(p));
}

/* Whole numbers and codes; also 4711123.0, which is no amount. */
static bool is_whole_or_code(const mgl_profile *p)
{
    const double least = 100000;
    const mgl_shapes *s = &p->shapes;
    bool round = p->kind == MGL_VALUE_DECIMAL && s->round == s->points && s->low >= least;
    return p->kind == MGL_VALUE_INTEGER || p->kind == MGL_VALUE_CODE || round;
}

/* The name of the column means nothing that is known, or what diagnoses, debts and parties are:
 * categories or amounts. */
static bool speaks_of_nothing_else(const mgl_profile *p)
{
    return p->topic == NULL || p->topic->id == MGL_TOPIC_HEALTH ||
           p->topic->id == MGL_TOPIC_MONEY || p->topic->id == MGL_TOPIC_PRIVATE;
}

/* Texts of which many are alone, but no free text: so are names of persons of whom few have several
 * rows. */
static bool is_alone_as_names_are(const mgl_profile *p)
{
    return mgl_profile_identity(p) == MGL_IDENTITY_TEXT && p->kind != MGL_VALUE_TEXT;
}

mgl_person_id mgl_profile_person_id(const mgl_profile *p)
{
    const mgl_identifier_kind *kind = p->looks != NULL ? p->looks : p->named;
    mgl_identity identity = mgl_profile_identity(p);
    bool repeats = p->distinct > 1 && p->distinct + p->missing < p->rows;
    bool person = identity == MGL_IDENTITY_PERSON;
    bool shared =
        identity == MGL_IDENTITY_ADDRESS || (identity == MGL_IDENTITY_CONTACT && !p->looks->of_one);
    if (!repeats)
        return MGL_PERSON_BY_NOTHING;
    if (shared)
        return has_few_rows(p) ? MGL_PERSON_BY_FORM : MGL_PERSON_BY_NOTHING;
    if (kind != NULL && !kind->of_one && !person)
        return MGL_PERSON_BY_NOTHING;
    if (p->topic != NULL && p->topic->id == MGL_TOPIC_PERSON)
        return MGL_PERSON_BY_NAME;
    if (p->topic == NULL && kind != NULL && kind->of_one)
        return MGL_PERSON_BY_NAME;
    if (person || identity == MGL_IDENTITY_KEY || identity == MGL_IDENTITY_REPEATS)
        return MGL_PERSON_BY_CONTENT;
    bool none = identity == MGL_IDENTITY_NONE || is_alone_as_names_are(p);
    if (!none || !can_be_miscalled(p) || mgl_profile_is_year(p))
        return MGL_PERSON_BY_NOTHING;
    if (has_few_rows(p) && (is_key_like(p) || has_form_of_keys(p)))
        return has_form_of_names(p) || has_form_of_keys(p) ? MGL_PERSON_BY_FORM : MGL_PERSON_BY_KEY;
    bool any = is_whole_or_code(p) && p->topic == NULL;
    bool many = has_many_rows(p) && (any || is_key_like(p)) && speaks_of_nothing_else(p);
    return (any || many) && p->distinct >= MGL_FEW_PERSONS ? MGL_PERSON_BY_TRAITS
                                                           : MGL_PERSON_BY_NOTHING;
}

bool mgl_profile_may_be_persons(const mgl_profile *p)
{
    return speaks_of_nothing_else(p) && p->distinct >= MGL_FEW_PERSONS &&
           mgl_profile_rows_each(p) <= MGL_ROWS_IN_DOUBT;
}

bool mgl_profile_is_miscalled(const mgl_profile *p)
{
    mgl_identity identity = mgl_profile_identity(p);
    if (p->topic == NULL)
        return false;
    bool named = p->kind == MGL_VALUE_NAME || p->kind == MGL_VALUE_CATEGORY;
    bool no_amount = p->topic->id == MGL_TOPIC_MONEY && named && has_form_of_names(p);
    return identity != MGL_IDENTITY_CONTACT && identity != MGL_IDENTITY_ADDRESS && !no_amount &&
           !has_form_of_keys(p) && !is_long_code(p);
}

/* ---- What never varies within an id ---------------------------------------------------------- */

static bool has_gaps(const mgl_profile *p)
{
    return 2 * (p->shapes.high - p->shapes.low + 1) > 3 * (double)p->distinct;
}

/* Whole numbers as ages and heights are. Of few persons some are equal, and they have gaps. */
static bool is_like_ages(const mgl_profile *p)
{
    enum { MOST_AGE = 120, LEAST_HEIGHT = 100, MOST_HEIGHT = 220, FEWEST_AGES = 8, FEW_AGES = 6 };
    const mgl_shapes *s = &p->shapes;
    bool ages = s->low >= 0 && s->high <= MOST_AGE;
    bool heights = s->low >= LEAST_HEIGHT && s->high <= MOST_HEIGHT;
    return p->kind == MGL_VALUE_INTEGER && !mgl_profile_is_nominal(p) && s->padded == 0 &&
           (ages || heights) && p->distinct >= (has_gaps(p) ? FEW_AGES : FEWEST_AGES);
}

bool mgl_profile_is_scattered(const mgl_profile *p)
{
    return is_like_ages(p) && has_gaps(p);
}

/* Two answers, of which neither is rare: of ten persons one can be the only man. */
static bool is_like_sexes(const mgl_profile *p)
{
    const double rarest = 0.1;
    double rows = (double)(p->rows - p->missing);
    return p->distinct == 2 && (double)p->most <= (1 - rarest) * rows;
}

bool mgl_profile_is_personal(const mgl_profile *p)
{
    bool days = mgl_profile_is_date(p) || p->content.numbers == MGL_NUMBERS_DATE;
    return mgl_profile_is_trait(p) || days || mgl_profile_is_year(p) || is_like_ages(p);
}

unsigned mgl_profile_points(const mgl_profile *p)
{
    if (mgl_profile_is_trait(p) || mgl_profile_is_date(p))
        return MGL_POINTS_OF_TRAITS;
    if (mgl_profile_is_personal(p) || is_like_sexes(p))
        return MGL_POINTS_OF_PERSONS;
    return mgl_profile_is_number(p) || mgl_profile_is_measured(p) ? MGL_POINTS_OF_OBJECTS
                                                                  : MGL_POINTS_OF_CATEGORIES;
}

/* ---- Proof ---------------------------------------------------------------------------------- */

/* Ids that repeat as persons do are taken for persons if anything but an amount belongs to each of
 * them; of few ids more, as chance can make two rows equal. Where the name of the column speaks of
 * something else, it takes one more. Goods have prices. */
static bool is_proved_in_doubt(const mgl_person_evidence *e)
{
    unsigned least = (e->repeated >= MGL_FEW_PERSONS ? 1 : 3) + e->miscalled;
    return e->in_doubt && e->amounts == 0 && e->points >= least;
}

/* Two rows of a few ids can be equal by chance; of many rows they are not. */
static unsigned points_for_chance(const mgl_person_evidence *e)
{
    if (e->repeated >= MGL_FEWEST_PERSONS || e->rows > MGL_ROWS_IN_DOUBT)
        return 0;
    return e->repeated >= MGL_FEW_PERSONS ? 1 : 2;
}

/* A trait that varies refutes it. A name needs one column that never varies, and so do names and
 * keys by content; others need what is as traits of persons are, more of it where ids are few. */
bool mgl_person_is_proved(mgl_person_id id, const mgl_person_evidence *e)
{
    enum { FEWEST_OF_NAMES = 2, FEWEST_OF_KEYS = 3, FEWEST_IMPERSONAL = 5, FEWEST_REPEATED = 4 };
    bool enough = e->repeated >= MGL_FEWEST_PERSONS;
    unsigned more = points_for_chance(e);
    if (e->repeated == 0 || e->traits_same < e->traits || (e->many && id <= MGL_PERSON_BY_FORM) ||
        (id <= MGL_PERSON_BY_FORM && e->repeated < FEWEST_REPEATED))
        return false;
    if (id != MGL_PERSON_BY_NOTHING && is_proved_in_doubt(e))
        return true;
    switch (id) {
    case MGL_PERSON_BY_NAME:
        return e->traits > 0 || e->others_same > 0;
    case MGL_PERSON_BY_CONTENT:
        return (enough && e->traits_same + e->others_same >= 1) ||
               (!e->many && e->repeated >= FEWEST_REPEATED && e->points >= FEWEST_OF_NAMES + more);
    case MGL_PERSON_BY_FORM:
        return e->points >= FEWEST_OF_NAMES + more;
    case MGL_PERSON_BY_KEY:
    case MGL_PERSON_BY_TRAITS:
        return e->points >= (e->personal ? FEWEST_OF_KEYS : FEWEST_IMPERSONAL) + more;
    default:
        return false;
    }
}

/* ---- Ids in a stream ------------------------------------------------------------------------- */

/* Keeps a sample of the values of a column, at most MOST_VALUES, and with which ground value each
 * of them goes: a value is sampled while the first `level` bits of its hash are 0. */
enum { MOST_VALUES = 1024, FEWEST_SLOTS = 64, MOST_SLOTS = 4 * MOST_VALUES };

typedef struct value {
    uint64_t hash;
    uint64_t rows; /* 0: the slot is free */
} value;

struct mgl_repeats {
    mgl_profile profile;
    const bool *traits; /* [n_ground] */
    size_t n_ground;
    value *slots;     /* [n_slots], a quarter of them taken at most */
    uint32_t *ground; /* [slot * n_ground + i]: the ground value of all its rows, or SEVERAL */
    size_t n_slots;   /* few at first: a table can have very many columns */
    size_t n_values;
    unsigned level;
};

mgl_status mgl_repeats_new(const char *name, const bool *traits, size_t n_ground, mgl_error *err,
                           mgl_repeats **out)
{
    mgl_repeats *r;
    MGL_TRY(mgl_new_zeroed(1, sizeof *r, err, &r));
    mgl_profile_begin(&r->profile, name);
    r->profile.sample = mgl_value_sample_new();
    r->traits = traits;
    r->n_ground = n_ground;
    r->n_slots = FEWEST_SLOTS;
    r->slots = mgl_zeroed_array(r->n_slots, sizeof *r->slots);
    r->ground = mgl_alloc_array(r->n_slots, (n_ground + 1) * sizeof *r->ground);
    if (r->slots == NULL || r->ground == NULL || r->profile.sample == NULL) {
        mgl_repeats_free(r);
        return mgl_fail_memory(err);
    }
    *out = r;
    return MGL_OK;
}

void mgl_repeats_free(mgl_repeats *r)
{
    if (r == NULL)
        return;
    mgl_value_sample_free(r->profile.sample);
    mgl_free(r->slots);
    mgl_free(r->ground);
    mgl_free(r);
}

static bool is_sampled(const mgl_repeats *r, uint64_t hash)
{
    return r->level == 0 || hash >> (64 - r->level) == 0;
}

static size_t find_slot(const mgl_repeats *r, uint64_t hash)
{
    size_t slot = hash % r->n_slots;
    while (r->slots[slot].rows > 0 && r->slots[slot].hash != hash)
        slot = (slot + 1) % r->n_slots;
    return slot;
}

/* Keeps every other value. Slots are visited in a circle that begins behind a free one, so that a
 * value never moves to a slot that is still to be visited. */
static void halve(mgl_repeats *r)
{
    size_t first = 0;
    while (r->slots[first].rows > 0)
        first++;
    r->level++;
    r->n_values = 0;
    for (size_t i = 1; i <= r->n_slots; i++) {
        size_t from = (first + i) % r->n_slots;
        value kept = r->slots[from];
        r->slots[from].rows = 0;
        if (kept.rows == 0 || !is_sampled(r, kept.hash))
            continue;
        size_t to = find_slot(r, kept.hash);
        r->slots[to] = kept;
        r->n_values++;
        if (to != from && r->n_ground > 0)
            memcpy(r->ground + to * r->n_ground, r->ground + from * r->n_ground,
                   r->n_ground * sizeof *r->ground);
    }
}

/* Doubles the slots; false if there are enough of them, or no memory. */
static bool grow(mgl_repeats *r)
{
    mgl_repeats old = *r;
    if (old.n_slots == MOST_SLOTS)
        return false;
    value *slots = mgl_zeroed_array(2 * old.n_slots, sizeof *slots);
    uint32_t *ground = mgl_alloc_array(2 * old.n_slots, (old.n_ground + 1) * sizeof *ground);
    if (slots == NULL || ground == NULL) {
        mgl_free(slots);
        mgl_free(ground);
        return false;
    }
    r->n_slots = 2 * old.n_slots;
    r->slots = slots;
    r->ground = ground;
    for (size_t from = 0; from < old.n_slots; from++) {
        if (old.slots[from].rows == 0)
            continue;
        size_t to = find_slot(r, old.slots[from].hash);
        slots[to] = old.slots[from];
        if (r->n_ground > 0)
            memcpy(ground + to * r->n_ground, old.ground + from * r->n_ground,
                   r->n_ground * sizeof *ground);
    }
    mgl_free(old.slots);
    mgl_free(old.ground);
    return true;
}

void mgl_repeats_watch(mgl_repeats *r, mgl_span cell, const uint32_t *ground)
{
    uint64_t hash = mgl_hash(cell.data, cell.size);
    r->profile.rows++;
    r->profile.missing += cell.size == 0;
    if (cell.size == 0 || !is_sampled(r, hash))
        return;
    size_t slot = find_slot(r, hash);
    uint32_t *known = r->ground + slot * r->n_ground;
    bool first = r->slots[slot].rows++ == 0;
    for (size_t i = 0; i < r->n_ground; i++)
        known[i] = first || known[i] == ground[i] ? ground[i] : SEVERAL;
    if (!first)
        return;
    r->slots[slot].hash = hash;
    mgl_profile_look(&r->profile, cell);
    r->n_values++;
    while (4 * r->n_values > r->n_slots && !grow(r)) /* without memory the sample stays small */
        halve(r);
}

uint64_t mgl_repeats_rows(const mgl_repeats *r)
{
    return r->profile.rows;
}

/* How many repeated values go with a single ground value. */
static mgl_within within(const mgl_repeats *r, size_t i)
{
    mgl_within w = {.ids = r->n_values};
    for (size_t slot = 0; slot < r->n_slots; slot++) {
        bool repeated = r->slots[slot].rows > 1;
        w.repeated += repeated;
        w.same += repeated && r->ground[slot * r->n_ground + i] != SEVERAL;
    }
    return w;
}

/* Most names occur once, and one column alone never varies within the others: namesakes have their
 * sex in common. */
static bool can_be_namesakes(const mgl_profile *p, const mgl_person_evidence *e)
{
    bool rare = 2 * (p->rows - p->missing) < 3 * p->distinct;
    return rare && p->content.full_names >= MGL_NAMES_SHARE && e->traits_same + e->others_same < 2;
}

bool mgl_repeats_are_persons(mgl_repeats *r, uint64_t *persons)
{
    mgl_profile *p = &r->profile;
    mgl_person_evidence e = {0};
    uint64_t alone = 0;
    for (size_t slot = 0; slot < r->n_slots; slot++) {
        alone += r->slots[slot].rows == 1;
        e.repeated += r->slots[slot].rows > 1;
    }
    p->distinct = (uint64_t)r->n_values << r->level;
    p->alone = alone << r->level;
    mgl_profile_end(p);
    for (size_t i = 0; i < r->n_ground; i++) {
        mgl_within w = within(r, i);
        bool same = mgl_within_holds(&w);
        e.traits += r->traits[i];
        e.traits_same += r->traits[i] && same;
        e.others_same += !r->traits[i] && same;
    }
    e.points = MGL_POINTS_OF_TRAITS * (unsigned)e.traits_same +
               MGL_POINTS_OF_PERSONS * (unsigned)e.others_same;
    e.personal = true;
    e.persons = p->distinct;
    e.rows = mgl_profile_rows_each(p);
    *persons = p->distinct;
    mgl_person_id id = mgl_profile_person_id(p);
    return (id != MGL_PERSON_BY_TRAITS || e.traits_same >= 2) && !can_be_namesakes(p, &e) &&
           mgl_person_is_proved(id, &e);
}
