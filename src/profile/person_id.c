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

static bool has_form_of_names(const mgl_profile *p)
{
    return p->content.full_names >= MGL_NAMES_SHARE;
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

mgl_person_id mgl_profile_person_id(const mgl_profile *p)
{
    const mgl_identifier_kind *kind = p->looks != NULL ? p->looks : p->named;
    mgl_identity identity = mgl_profile_identity(p);
    bool repeats = p->distinct > 1 && p->distinct + p->missing < p->rows;
    bool numbers = p->kind == MGL_VALUE_INTEGER || p->kind == MGL_VALUE_CODE;
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
        return has_form_of_names(p) ? MGL_PERSON_BY_FORM : MGL_PERSON_BY_KEY;
    bool any = numbers && (has_few_rows(p) || p->distinct > MGL_FEW_VALUES);
    return any && p->topic == NULL ? MGL_PERSON_BY_TRAITS : MGL_PERSON_BY_NOTHING;
}

/* A trait that varies refutes it, two that never do are proof; a name needs one column that never
 * varies, a key two of which neither tells the other. Of few values, as those of wards are, full
 * names need two as well, others three. */
bool mgl_person_is_proved(mgl_person_id id, const mgl_person_evidence *e)
{
    size_t same = e->traits_same + e->others_same;
    bool enough = e->repeated >= MGL_FEWEST_PERSONS;
    bool few = e->repeated >= MGL_FEW_PERSONS && e->apart;
    if (e->repeated == 0 || e->traits_same < e->traits || (e->finer && id <= MGL_PERSON_BY_FORM))
        return false;
    switch (id) {
    case MGL_PERSON_BY_NAME:
        return e->traits > 0 || e->others_same > 0;
    case MGL_PERSON_BY_CONTENT:
        return enough && same >= 1;
    case MGL_PERSON_BY_FORM:
        return (enough && same >= 2 && !e->chained) || (few && same >= 2);
    case MGL_PERSON_BY_KEY:
        return (enough && same >= 2 && !e->chained) || (few && same >= 3);
    case MGL_PERSON_BY_TRAITS:
        return (enough && (e->traits_same >= 2 || e->apart)) || (few && same >= 3);
    default:
        return false;
    }
}
