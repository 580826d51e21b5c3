/* risk --advise: proposes a role and a hierarchy for every column, and a job that says so.
 * command/risk.c hands over to it. */
#include "command/advise/advise.h"
#include "command/advise/advised.h"

/* Standard input is gone when it has been read. */
static bool can_be_tried(const mgl_advised *a)
{
    return !a->settings->risk.no_trial && strcmp(a->settings->data, "-") != 0 &&
           a->rows >= MGL_ADVISED_K && mgl_advised_count(a, MGL_ROLE_QUASI) > 0 &&
           (a->entity == SIZE_MAX || a->persons.persons >= MGL_ADVISED_K);
}

static mgl_status fill(mgl_advised *a, mgl_error *err, mgl_result *result)
{
    MGL_TRY(mgl_advise_look(a, err));
    if (can_be_tried(a))
        MGL_TRY(mgl_advise_try(a, err, result));
    MGL_TRY(mgl_advise_tell(a, err, result));
    return mgl_result_finish(result, a->settings, err);
}

mgl_status mgl_advise_table(mgl_session *session, const mgl_settings *settings, mgl_error *err,
                            mgl_result **out)
{
    mgl_result *result;
    mgl_advised advised = {.session = session, .settings = settings, .entity = SIZE_MAX};
    MGL_TRY(mgl_result_new("risk", err, &result));
    result->holds = true;
    mgl_status status = fill(&advised, err, result);
    mgl_advised_free(&advised);
    if (status != MGL_OK) {
        mgl_result_free(result);
        return status;
    }
    *out = result;
    return MGL_OK;
}
