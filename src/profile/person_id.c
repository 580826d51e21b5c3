/* Finds out which column tells persons apart who have several rows. A household, a hospital and a
 * product repeat as well: what never varies within a person decides. `risk --advise` and the
 * warning about persons call it. */
#include "profile/profile.h"

bool mgl_profile_is_trait(const mgl_profile *p)
{
    return p->topic != NULL && !mgl_profile_is_constant(p) &&
           (p->topic->id == MGL_TOPIC_BODY || p->topic->id == MGL_TOPIC_BIRTH);
}

/* Numbers or codes that are all equally long, as keys are and amounts are not. */
static bool is_key_like(const mgl_shapes *s)
{
    return s->shortest == s->longest && s->longest >= 5 && s->points + s->commas == 0;
}

mgl_person_id mgl_profile_person_id(const mgl_profile *p)
{
    const mgl_identifier_kind *kind = p->looks != NULL ? p->looks : p->named;
    bool repeats = p->distinct > 1 && p->distinct + p->missing < p->rows;
    bool numbers = p->kind == MGL_VALUE_INTEGER || p->kind == MGL_VALUE_CODE;
    if (!repeats || (kind != NULL && !kind->of_one))
        return MGL_PERSON_BY_NOTHING;
    if (p->topic != NULL)
        return p->topic->id == MGL_TOPIC_PERSON ? MGL_PERSON_BY_NAME : MGL_PERSON_BY_NOTHING;
    if (kind != NULL)
        return MGL_PERSON_BY_NAME;
    bool few_rows = p->rows - p->missing <= MGL_ROWS_OF_PERSON * p->distinct;
    if (numbers && few_rows && is_key_like(&p->shapes))
        return MGL_PERSON_BY_KEY;
    return numbers && p->distinct > MGL_FEW_VALUES ? MGL_PERSON_BY_TRAITS : MGL_PERSON_BY_NOTHING;
}

/* A trait that varies refutes it, two that never do are proof; a name needs one column that never
 * varies, a key two. */
bool mgl_person_is_proved(mgl_person_id id, const mgl_person_evidence *e)
{
    bool enough = e->repeated >= MGL_FEWEST_PERSONS;
    if (e->repeated == 0 || e->traits_same < e->traits)
        return false;
    switch (id) {
    case MGL_PERSON_BY_NAME:
        return e->traits > 0 || e->others_same > 0;
    case MGL_PERSON_BY_KEY:
        return enough && e->traits_same + e->others_same >= 2;
    case MGL_PERSON_BY_TRAITS:
        return enough && e->traits_same >= 2;
    default:
        return false;
    }
}
