/* Finds out which column tells persons apart who have several rows. A household, a hospital and a
 * product repeat as well: what never varies within a person decides. `risk --advise` and the
 * warning about persons call it. */
#include "profile/profile.h"

bool mgl_profile_is_trait(const mgl_profile *p)
{
    return p->topic != NULL && !mgl_profile_is_constant(p) &&
           (p->topic->id == MGL_TOPIC_BODY || p->topic->id == MGL_TOPIC_BIRTH);
}

/* A few rows of each value, at least two on average of those that repeat. */
static bool has_few_rows(const mgl_profile *p)
{
    return p->rows - p->missing <= MGL_ROWS_OF_PERSON * p->distinct &&
           p->distinct >= MGL_FEW_PERSONS;
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

/* Signs of a script without blanks are a name if surnames come again. */
static bool has_form_of_names(const mgl_profile *p)
{
    const mgl_content *c = &p->content;
    bool joined = c->single_words >= MGL_LOOKS_SHARE;
    bool again = (double)c->first_words <= MGL_NAMES_SHARE * (double)c->names;
    return c->full_names >= MGL_NAMES_SHARE && (!joined || again);
}

/* Codes that nobody has made up for a list of things: long, and of no one pattern. */
static bool has_form_of_keys(const mgl_profile *p)
{
    enum { SHORTEST_DRAWN = 6 };
    const mgl_shapes *s = &p->shapes;
    return (double)s->codes >= MGL_NAMES_SHARE * (double)s->values &&
           s->shortest >= SHORTEST_DRAWN && p->content.one_pattern < MGL_LOOKS_SHARE;
}

/* Under a name that speaks of something else there can be ids, but no days, ages or postal codes
 * are: those never vary within persons either. */
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

mgl_person_id mgl_profile_person_id(const mgl_profile *p)
{
    const mgl_identifier_kind *kind = p->looks != NULL ? p->looks : p->named;
    mgl_identity identity = mgl_profile_identity(p);
    bool repeats = p->distinct > 1 && p->distinct + p->missing < p->rows;
    bool person = identity == MGL_IDENTITY_PERSON;
    if (!repeats || (kind != NULL && !kind->of_one && !person))
        return MGL_PERSON_BY_NOTHING;
    if (p->topic != NULL && p->topic->id == MGL_TOPIC_PERSON)
        return MGL_PERSON_BY_NAME;
    if (p->topic == NULL && kind != NULL && kind->of_one)
        return MGL_PERSON_BY_NAME;
    if (person || identity == MGL_IDENTITY_KEY || identity == MGL_IDENTITY_REPEATS)
        return MGL_PERSON_BY_CONTENT;
    if (identity != MGL_IDENTITY_NONE || !can_be_miscalled(p) || mgl_profile_is_year(p))
        return MGL_PERSON_BY_NOTHING;
    if (has_few_rows(p) && is_key_like(p))
        return has_form_of_names(p) || has_form_of_keys(p) ? MGL_PERSON_BY_FORM : MGL_PERSON_BY_KEY;
    bool any = is_whole_or_code(p) && (has_few_rows(p) || p->distinct > MGL_FEW_VALUES);
    return any && p->topic == NULL ? MGL_PERSON_BY_TRAITS : MGL_PERSON_BY_NOTHING;
}

bool mgl_profile_may_be_persons(const mgl_profile *p)
{
    enum { MOST_ROWS = 15 };
    double average = (double)(p->rows - p->missing) / (double)p->distinct;
    return p->topic == NULL && p->distinct >= MGL_FEW_PERSONS && average <= MOST_ROWS &&
           (double)p->most <= MGL_SPREAD_OF_PERSONS * (average + 1);
}

/* ---- What never varies within an id ---------------------------------------------------------- */

/* Whole numbers as ages and heights are. */
static bool is_like_ages(const mgl_profile *p)
{
    enum { MOST_AGE = 120, LEAST_HEIGHT = 100, MOST_HEIGHT = 220, FEWEST_AGES = 8 };
    const mgl_shapes *s = &p->shapes;
    bool ages = s->low >= 0 && s->high <= MOST_AGE;
    bool heights = s->low >= LEAST_HEIGHT && s->high <= MOST_HEIGHT;
    return p->kind == MGL_VALUE_INTEGER && !mgl_profile_is_nominal(p) && s->padded == 0 &&
           (ages || heights) && p->distinct >= FEWEST_AGES;
}

/* Two answers, of which neither is rare. */
static bool is_like_sexes(const mgl_profile *p)
{
    const double rarest = 0.2;
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
    return mgl_profile_is_number(p) || mgl_profile_is_measured(p) ? MGL_POINTS_OF_THINGS
                                                                  : MGL_POINTS_OF_CATEGORIES;
}

/* ---- Proof ---------------------------------------------------------------------------------- */

/* Ids that repeat as persons do are taken for persons if anything but an amount belongs to each of
 * them; of few ids, two things or two answers. Goods have prices. */
static bool is_proved_in_doubt(const mgl_person_evidence *e)
{
    unsigned least = e->repeated >= MGL_FEWEST_PERSONS ? 1 : 2;
    return e->in_doubt && e->repeated >= MGL_FEW_PERSONS && e->amounts == 0 && e->points >= least;
}

/* A trait that varies refutes it. A name needs one column that never varies, and so do names and
 * keys by content; others need what is as traits of persons are, more of it where ids are few. */
bool mgl_person_is_proved(mgl_person_id id, const mgl_person_evidence *e)
{
    enum { FEWEST_OF_NAMES = 2, FEWEST_OF_KEYS = 3, FEWEST_IMPERSONAL = 5, FEWEST_REPEATED = 4 };
    bool enough = e->repeated >= MGL_FEWEST_PERSONS;
    unsigned more = enough ? 0 : e->repeated >= MGL_FEW_PERSONS ? 1 : 2;
    if (e->repeated == 0 || e->traits_same < e->traits || (e->many && id <= MGL_PERSON_BY_FORM) ||
        (id <= MGL_PERSON_BY_FORM && e->repeated < FEWEST_REPEATED))
        return false;
    if (id != MGL_PERSON_BY_NOTHING && is_proved_in_doubt(e))
        return true;
    switch (id) {
    case MGL_PERSON_BY_NAME:
        return e->traits > 0 || e->others_same > 0;
    case MGL_PERSON_BY_CONTENT:
        return enough && e->traits_same + e->others_same >= 1;
    case MGL_PERSON_BY_FORM:
        return e->points >= FEWEST_OF_NAMES + more;
    case MGL_PERSON_BY_KEY:
    case MGL_PERSON_BY_TRAITS:
        return e->points >= (e->personal ? FEWEST_OF_KEYS : FEWEST_IMPERSONAL) + more;
    default:
        return false;
    }
}
