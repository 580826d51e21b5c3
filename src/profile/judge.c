/* Judges columns by their profiles: is it a number, a date, a weight, a key, an identifier? All
 * thresholds are here and in profile.h. */
#include "profile/profile.h"

#include <math.h>

/* A code that probably means missing is no value. */
static uint64_t rows_with_value(const mgl_profile *p)
{
    uint64_t without = p->missing;
    for (size_t i = 0; i < p->n_codes; i++)
        without += p->codes[i].rows;
    return p->rows > without ? p->rows - without : 0;
}

double mgl_profile_alone_share(const mgl_profile *p)
{
    uint64_t rows = rows_with_value(p);
    return rows == 0 ? 0 : fmin(1, (double)p->alone / (double)rows);
}

bool mgl_profile_is_constant(const mgl_profile *p)
{
    return p->distinct == 0 || (p->distinct == 1 && p->missing == 0);
}

bool mgl_profile_singles_out(const mgl_profile *p)
{
    return rows_with_value(p) >= MGL_FEWEST_JUDGED &&
           mgl_profile_alone_share(p) >= MGL_SINGLES_OUT_SHARE;
}

/* Estimates of a stream are not exact: a hundredth more or less is the same number. */
bool mgl_profile_counts_rows(const mgl_profile *p)
{
    uint64_t rows = rows_with_value(p);
    double run = p->shapes.high - p->shapes.low + 1;
    return p->kind == MGL_VALUE_INTEGER && rows >= MGL_FEWEST_COUNTED &&
           p->shapes.integers == p->shapes.values && mgl_profile_alone_share(p) >= 0.99 &&
           fabs(run - (double)rows) <= 0.01 * (double)rows;
}

/* Names of columns whose numbers are codes. */
static const char nominal_words[] =
    "sex|gender|race|ethnicity|ethnic group|marital|marital status|civil status|hhcivil|"
    "relationship|relat|religion|party|region|state|province|district|county|country|nationality|"
    "citizenship|municipality|urbrur|occupation|profession|job|industry|workclass|department|"
    "diagnosis|type|category|group|code|status|geschlecht|familienstand|konfession|partei|"
    "bundesland|land|kreis|gemeinde|beruf|branche|sexe|pays|commune";

/* As many different values as a person would give codes to, and hardly any hole between them; more
 * where labels, zeros in front or the name of the column indicate codes. */
bool mgl_profile_is_nominal(const mgl_profile *p)
{
    enum { MOST_NOMINAL = 5, WIDEST_NOMINAL = 10 };
    if (p->kind != MGL_VALUE_INTEGER || p->distinct > MGL_FEW_VALUES)
        return false;
    bool few = p->distinct <= MOST_NOMINAL && p->shapes.high - p->shapes.low < WIDEST_NOMINAL;
    bool coded =
        p->labelled || p->shapes.padded > 0 || mgl_column_is_called(p->name, nominal_words);
    return few || coded;
}

bool mgl_profile_is_number(const mgl_profile *p)
{
    return p->kind == MGL_VALUE_DECIMAL || p->kind == MGL_VALUE_COMMA ||
           (p->kind == MGL_VALUE_INTEGER && !mgl_profile_is_nominal(p) && p->shapes.padded == 0);
}

bool mgl_profile_is_date(const mgl_profile *p)
{
    return p->kind == MGL_VALUE_DATE || p->kind == MGL_VALUE_DATE_TIME;
}

bool mgl_profile_is_year(const mgl_profile *p)
{
    return p->kind == MGL_VALUE_INTEGER && p->shapes.low >= 1850 && p->shapes.high <= 2150;
}

bool mgl_profile_is_measured(const mgl_profile *p)
{
    return p->content.times >= MGL_MOST_VALUES || p->content.measures;
}

bool mgl_profile_has_short_years(const mgl_profile *p)
{
    return mgl_profile_is_date(p) && 2 * p->shapes.short_years > p->shapes.values;
}

static bool has_topic(const mgl_profile *p, mgl_topic_id topic)
{
    return p->topic != NULL && p->topic->id == topic;
}

bool mgl_profile_is_weight(const mgl_profile *p)
{
    bool number =
        p->kind == MGL_VALUE_INTEGER || p->kind == MGL_VALUE_DECIMAL || p->kind == MGL_VALUE_COMMA;
    return has_topic(p, MGL_TOPIC_WEIGHT) && number && p->shapes.low > 0;
}

bool mgl_profile_is_household(const mgl_profile *p)
{
    return has_topic(p, MGL_TOPIC_HOUSEHOLD) && p->distinct > 1;
}

/* Whole numbers that lie so near to each other that chance would make many of them equal, or that
 * all have the same five digits or more. */
static bool is_numbered(const mgl_profile *p)
{
    const mgl_shapes *s = &p->shapes;
    bool dense = s->high - s->low < 5 * (double)rows_with_value(p);
    bool equally_long = s->shortest == s->longest && s->longest >= 5;
    return p->kind == MGL_VALUE_INTEGER && (dense || equally_long || s->padded > 0);
}

bool mgl_profile_is_key(const mgl_profile *p)
{
    if (mgl_profile_counts_rows(p))
        return true;
    if (p->content.values > 0) {
        mgl_identity identity = mgl_profile_identity(p);
        return identity == MGL_IDENTITY_KEY || identity == MGL_IDENTITY_REPEATS;
    }
    return rows_with_value(p) >= MGL_FEWEST_JUDGED && mgl_profile_alone_share(p) >= MGL_KEY_SHARE &&
           (p->kind == MGL_VALUE_CODE || is_numbered(p));
}

bool mgl_profile_is_amount(const mgl_profile *p)
{
    return mgl_profile_is_number(p) &&
           (p->distinct > MGL_FEW_VALUES || mgl_profile_singles_out(p)) && !mgl_profile_is_key(p);
}

bool mgl_profile_can_differ(const mgl_profile *p)
{
    /* Missing cells, and codes for them, do not count as values for models that need different
     * ones. */
    double others = (double)(p->rows - p->missing) - (double)p->commonest;
    for (size_t i = 0; i < p->n_codes; i++)
        others -= p->codes[i].rows < p->commonest ? (double)p->codes[i].rows : 0;
    return p->values >= 2 + p->n_codes && others >= MGL_DIFFER_SHARE * (double)p->rows;
}

/* ---- Identity -------------------------------------------------------------------------------- */

static bool is_text(const mgl_profile *p)
{
    return p->kind == MGL_VALUE_CODE || p->kind == MGL_VALUE_CATEGORY ||
           p->kind == MGL_VALUE_NAME || p->kind == MGL_VALUE_TEXT;
}

static bool is_numbers(const mgl_profile *p)
{
    return p->kind == MGL_VALUE_INTEGER || p->kind == MGL_VALUE_DECIMAL ||
           p->kind == MGL_VALUE_COMMA;
}

bool mgl_profile_is_near_unique(const mgl_profile *p)
{
    return rows_with_value(p) >= MGL_FEWEST_COUNTED && mgl_profile_alone_share(p) > MGL_ALONE_SHARE;
}

/* ---- Values that repeat as persons do ------------------------------------------------------ */

/* Each value in a few rows, none in more than so many times the average of all. */
static bool repeats_evenly(const mgl_profile *p, uint64_t more_than, double spread)
{
    double average = (double)rows_with_value(p) / (double)p->distinct;
    return p->distinct > more_than && average <= MGL_ROWS_OF_PERSON &&
           (double)p->most <= spread * (average + 1);
}

enum { MANY_VALUES = 2 * MGL_FEW_VALUES };

/* Many values, each in a few rows, none in far more than others. */
static bool repeats_as_persons(const mgl_profile *p)
{
    return repeats_evenly(p, MGL_FEW_VALUES, MGL_SPREAD_OF_PERSONS);
}

/* Codes of one pattern that are too long to be made by hand for a list of objects: the longer, the
 * fewer of them suffice. */
static bool is_code_of_persons(const mgl_profile *p)
{
    enum { SHORTEST_CODE = 6, LONG_CODE = 9 };
    const mgl_shapes *s = &p->shapes;
    bool alike = p->content.one_pattern >= MGL_MOST_VALUES || s->shortest == s->longest;
    return alike && ((s->shortest >= SHORTEST_CODE && p->distinct > MANY_VALUES) ||
                     s->shortest >= LONG_CODE);
}

/* Short codes are those of diagnoses and objects. */
static bool is_text_of_persons(const mgl_profile *p)
{
    bool codes = (double)p->shapes.codes >= MGL_MOST_VALUES * (double)p->shapes.values;
    return codes && is_code_of_persons(p) &&
           repeats_evenly(p, MGL_FEWEST_PERSONS, MGL_SPREAD_OF_PERSONS);
}

/* Numbers of 6 digits or more, or with zeros in front; if there are few of them, as long as no
 * classification has them. */
static bool is_number_of_persons(const mgl_profile *p)
{
    enum { SHORTEST_REPEATED = 6, LONG_NUMBER = 7, SHORTEST_PADDED = 4 };
    const mgl_shapes *s = &p->shapes;
    bool padded = s->padded > 0 && s->shortest >= SHORTEST_PADDED;
    return ((s->shortest >= SHORTEST_REPEATED || padded) && repeats_as_persons(p)) ||
           (s->shortest >= LONG_NUMBER &&
            repeats_evenly(p, MGL_FEWEST_PERSONS, MGL_SPREAD_OF_PERSONS));
}

/* Numbers from 0 or 1 on without a gap, each in a few rows: numbered persons. From 0 to 100 they
 * are marks or shares. */
static bool counts_persons(const mgl_profile *p)
{
    const mgl_shapes *s = &p->shapes;
    bool hundredths = s->low >= 0 && s->low < 1 && s->high > 99 && s->high < 101;
    return !hundredths && p->kind == MGL_VALUE_INTEGER && s->low >= 0 && s->low <= 1 &&
           s->high - s->low + 1 <= (double)p->distinct &&
           repeats_evenly(p, MANY_VALUES, MGL_SPREAD_OF_PERSONS);
}

/* ---- Names --------------------------------------------------------------------------------- */

/* Names of persons are put together from two lists: words of one of them come again with others. In
 * a large list of texts hardly one may. */
static bool is_recombined(const mgl_profile *p)
{
    enum { FEWEST_WORDS = 8 };
    const mgl_content *c = &p->content;
    double names = (double)c->names;
    bool first = (double)c->first_words <= MGL_NAMES_SHARE * names;
    bool last = (double)c->last_words <= MGL_NAMES_SHARE * names;
    bool large = p->distinct > MANY_VALUES;
    return (first || last || large) && c->first_words >= FEWEST_WORDS &&
           c->last_words >= FEWEST_WORDS;
}

/* Few words, and most of their pairs occur: goods in their colours. */
static bool is_grid(const mgl_profile *p)
{
    enum { MOST_OF_GRID = 80 };
    const mgl_content *c = &p->content;
    return p->distinct <= MOST_OF_GRID && 4 * c->names >= 3 * c->first_words * c->last_words;
}

/* Two lists of words, each of which comes again with others: hardly anything but names is made so,
 * and of persons some have far more rows than others. A few such values, written with capitals or
 * with words of both lists that come again, can be persons, too; scripts without capitals leave
 * only the words. How many pairs there are for each value separates names from titles of work
 * little: below three most of the latter would be names. */
static bool repeat_as_names(const mgl_profile *p)
{
    enum { WIDEST_SPREAD = 10, FEWEST_PAIRS = 3, FEWEST_OF_BOTH = 12 };
    const mgl_content *c = &p->content;
    double names = (double)c->names, first = (double)c->first_words, last = (double)c->last_words;
    bool capitals = c->capitals >= MGL_NAMES_SHARE;
    bool both = first <= MGL_NAMES_SHARE * names && last <= MGL_NAMES_SHARE * names;
    if (p->distinct > MGL_FEW_VALUES)
        return repeats_evenly(p, MGL_FEW_VALUES,
                              capitals && both ? WIDEST_SPREAD : MGL_SPREAD_OF_PERSONS);
    return (capitals || both) && first * last >= FEWEST_PAIRS * names &&
           repeats_evenly(p, both ? FEWEST_OF_BOTH - 1 : MGL_FEWEST_PERSONS, MGL_SPREAD_OF_PERSONS);
}

static bool has_names(const mgl_profile *p)
{
    const mgl_content *c = &p->content;
    double alone = mgl_profile_alone_share(p);
    if (c->full_names < MGL_NAMES_SHARE)
        return false;
    if (alone >= MGL_SINGLES_OUT_SHARE)
        return p->distinct >= 3;
    return is_recombined(p) && !is_grid(p) &&
           ((alone > MGL_ALONE_SHARE && p->distinct > MGL_FEW_VALUES) || repeat_as_names(p));
}

/* Titles of a few texts suffice; where texts are categories, many must have one. */
static bool has_titles(const mgl_profile *p)
{
    const mgl_content *c = &p->content;
    bool category = p->distinct <= MGL_FEW_VALUES && mgl_profile_alone_share(p) <= MGL_ALONE_SHARE;
    double least = category ? 2 * MGL_MENTIONS_SHARE : MGL_MENTIONS_SHARE;
    return p->distinct >= 3 && c->titles * (double)c->values >= 2 &&
           (c->titles >= least || c->maybe_titles + c->initials >= MGL_NAMES_SHARE);
}

/* Names without a title in longer texts: hardly any comes again, nor does the text that has it.
 * Proper nouns that categories have (a university) come again. */
static bool has_mentions(const mgl_profile *p)
{
    enum { FEWEST_MENTIONS = 3 };
    const mgl_content *c = &p->content;
    double mentions = c->mentions * (double)c->values;
    double texts = c->mentions * (double)p->distinct;
    return mentions >= FEWEST_MENTIONS && c->mentions >= 2 * MGL_MENTIONS_SHARE &&
           (double)p->alone >= MGL_NAMES_SHARE * texts &&
           2 * (double)c->mentioned_names >= mentions;
}

/* Addresses of the net and telephones within texts are those of persons. */
static bool has_contacts(const mgl_profile *p)
{
    enum { FEWEST_CONTACTS = 3 };
    const mgl_content *c = &p->content;
    return c->contacts >= MGL_MENTIONS_SHARE && c->contacts * (double)c->values >= FEWEST_CONTACTS;
}

static bool has_initials(const mgl_profile *p)
{
    return p->distinct >= 3 && p->content.initials >= MGL_LOOKS_SHARE;
}

/* Streets are many, wards and types of objects are few. */
static bool has_addresses(const mgl_profile *p)
{
    enum { FEWEST_STREETS = 20 };
    const mgl_content *c = &p->content;
    return c->numbered >= MGL_LOOKS_SHARE && p->distinct > MGL_FEW_VALUES &&
           c->first_words >= FEWEST_STREETS && c->last_words >= FEWEST_STREETS;
}

/* ---- Keys and texts ------------------------------------------------------------------------ */

/* Postal codes are codes, too; they are short, and masks generalize them. */
static bool can_be_postcode(const mgl_profile *p)
{
    size_t longest = p->kind == MGL_VALUE_INTEGER ? 6 : 10;
    return p->topic != NULL && p->topic->id == MGL_TOPIC_POSTCODE && p->shapes.longest <= longest &&
           (p->kind == MGL_VALUE_INTEGER || p->kind == MGL_VALUE_CODE || p->content.numbered > 0 ||
            p->content.single_words + p->content.full_names < MGL_LOOKS_SHARE);
}

/* Does the name mean a measured quantity, and not its number? It decides where the values are
 * ambiguous. */
static bool is_called_amount(const mgl_profile *p)
{
    static const char key_words[] =
        "number|numbers|no|nr|num|id|ids|key|code|nummer|numero|num\xC3\xA9ro|n\xC3\xBAmero|ref|"
        "reference|serial|index";
    static const char amount_words[] =
        "amount|assets|balance|bonus|budget|cost|costs|deposit|expenses|fee|loan|pay|price|profit|"
        "rent|revenue|sales|sum|total|turnover|value|volume|area|distance|length|weight|population|"
        "betrag|preis|kosten|miete|umsatz|gewinn|summe|wert|montant|prix|loyer|importe|precio|"
        "ingreso|ingresos|salario|prezzo|reddito|valor|bedrag|prijs";
    bool measured =
        p->topic != NULL && (p->topic->id == MGL_TOPIC_MONEY || p->topic->id == MGL_TOPIC_NOTICED);
    return (measured || mgl_column_is_called(p->name, amount_words)) &&
           !mgl_column_is_called(p->name, key_words);
}

static bool is_number_key(const mgl_profile *p)
{
    enum { SHORTEST_DOUBTFUL = 4 };
    mgl_number_form form = p->content.numbers;
    if (p->content.values == 0) /* a stream without a sample */
        return mgl_profile_is_key(p);
    if (form == MGL_NUMBERS_AMOUNT || form == MGL_NUMBERS_DATE)
        return false;
    return form == MGL_NUMBERS_KEY ||
           (!is_called_amount(p) && p->shapes.longest >= SHORTEST_DOUBTFUL);
}

static mgl_identity judge_numbers(const mgl_profile *p)
{
    bool judged = rows_with_value(p) >= MGL_FEWEST_JUDGED;
    if (mgl_profile_is_weight(p) || can_be_postcode(p))
        return MGL_IDENTITY_NONE;
    if (judged && mgl_profile_singles_out(p))
        return is_number_key(p) ? MGL_IDENTITY_KEY : MGL_IDENTITY_NONE;
    bool whole = p->kind != MGL_VALUE_COMMA && p->content.values > 0 && is_number_key(p);
    return counts_persons(p) || (whole && is_number_of_persons(p)) ? MGL_IDENTITY_REPEATS
                                                                   : MGL_IDENTITY_NONE;
}

/* Many values, of which none is that of many rows: surnames, not towns, of which some are large. */
static bool hardly_repeats(const mgl_profile *p)
{
    double rows = (double)rows_with_value(p), most = (double)p->most;
    bool even = most <= MGL_SPREAD_OF_PERSONS * (rows / (double)p->distinct + 1);
    bool many = (double)p->distinct >= 0.3 * rows && most <= 0.05 * rows;
    return p->distinct > MGL_FEW_VALUES && (even || many);
}

static mgl_identity judge_texts(const mgl_profile *p)
{
    double alone = mgl_profile_alone_share(p);
    bool judged = rows_with_value(p) >= MGL_FEWEST_JUDGED;
    if (has_titles(p) || has_mentions(p) || has_initials(p))
        return MGL_IDENTITY_PERSON;
    if (has_contacts(p))
        return MGL_IDENTITY_TEXT;
    if (can_be_postcode(p) || mgl_profile_is_measured(p))
        return MGL_IDENTITY_NONE;
    if (has_names(p))
        return MGL_IDENTITY_PERSON;
    if (has_addresses(p))
        return MGL_IDENTITY_ADDRESS;
    if (judged && alone >= MGL_SINGLES_OUT_SHARE)
        return p->kind == MGL_VALUE_CODE ? MGL_IDENTITY_KEY : MGL_IDENTITY_TEXT;
    if (alone > MGL_ALONE_SHARE && (p->kind == MGL_VALUE_TEXT || hardly_repeats(p)))
        return MGL_IDENTITY_TEXT;
    return is_text_of_persons(p) ? MGL_IDENTITY_REPEATS : MGL_IDENTITY_NONE;
}

mgl_identity mgl_profile_identity(const mgl_profile *p)
{
    if (p->looks != NULL)
        return MGL_IDENTITY_CONTACT;
    if (mgl_profile_is_constant(p))
        return MGL_IDENTITY_NONE;
    if (is_text(p))
        return judge_texts(p);
    return is_numbers(p) ? judge_numbers(p) : MGL_IDENTITY_NONE;
}
