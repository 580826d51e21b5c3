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
           p->distinct >= MGL_FEWEST_PERSONS;
}

/* Numbers or codes that are all equally long, as keys are and amounts are not; or words. */
static bool is_key_like(const mgl_profile *p)
{
    enum { SHORTEST_KEY = 4 };
    const mgl_shapes *s = &p->shapes;
    bool numbers = p->kind == MGL_VALUE_INTEGER || p->kind == MGL_VALUE_CODE;
    bool texts = p->kind == MGL_VALUE_NAME || p->kind == MGL_VALUE_CATEGORY;
    return texts || (numbers && s->shortest == s->longest && s->longest >= SHORTEST_KEY);
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
    if (identity != MGL_IDENTITY_NONE || !can_be_miscalled(p))
        return MGL_PERSON_BY_NOTHING;
    if (has_few_rows(p) && is_key_like(p))
        return MGL_PERSON_BY_KEY;
    if (p->topic != NULL)
        return MGL_PERSON_BY_NOTHING;
    return numbers && p->distinct > MGL_FEW_VALUES ? MGL_PERSON_BY_TRAITS : MGL_PERSON_BY_NOTHING;
}

/* A trait that varies refutes it, two that never do are proof; a name needs one column that never
 * varies, a key two of which neither tells the other. */
bool mgl_person_is_proved(mgl_person_id id, const mgl_person_evidence *e)
{
    bool enough = e->repeated >= MGL_FEWEST_PERSONS;
    if (e->repeated == 0 || e->traits_same < e->traits)
        return false;
    switch (id) {
    case MGL_PERSON_BY_NAME:
        return e->traits > 0 || e->others_same > 0;
    case MGL_PERSON_BY_CONTENT:
        return enough && e->traits_same + e->others_same >= 1;
    case MGL_PERSON_BY_KEY:
        return enough && e->traits_same + e->others_same >= 2 && !e->chained;
    case MGL_PERSON_BY_TRAITS:
        return enough && e->traits_same >= 2;
    default:
        return false;
    }
}
