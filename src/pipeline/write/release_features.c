/* Runs what features do when a release is made, and keeps what they have made for it. */
#include "pipeline/guard/guard.h"
#include "pipeline/write/write.h"

/* What features make lies side by side, each at a multiple of ALIGNMENT. */
enum { ALIGNMENT = 16 };

static size_t room_of(const mgl_feature *feature)
{
    size_t size = feature->release != NULL ? feature->release->size : 0;
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static mgl_status begin(mgl_written *written, mgl_error *err)
{
    size_t room = 0;
    if (written->features != NULL)
        return MGL_OK;
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        room += room_of(*f);
    written->features = mgl_zeroed_array(room, 1);
    return written->features == NULL ? mgl_fail_memory(err) : MGL_OK;
}

void *mgl_feature_made(const mgl_written *written, const mgl_feature *feature)
{
    char *at = written->features;
    for (const mgl_feature *const *f = mgl_features; *f != feature; f++)
        at += room_of(*f);
    return at;
}

void mgl_written_free(mgl_written *written)
{
    mgl_objections_free(&written->objections);
    mgl_buffer_free(&written->warnings);
    for (const mgl_feature *const *f = mgl_features; written->features != NULL && *f != NULL; f++)
        if ((*f)->release != NULL && (*f)->release->free != NULL)
            (*f)->release->free(written);
    mgl_free(written->features);
}

mgl_status mgl_features_make(const mgl_task *task, const mgl_solution *solution, bool write,
                             mgl_error *err, mgl_written *written)
{
    MGL_TRY(begin(written, err));
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->release != NULL && (*f)->release->make != NULL &&
            (write || (*f)->searches != NULL))
            MGL_TRY((*f)->release->make(task, solution, err, written));
    return MGL_OK;
}

mgl_status mgl_features_plan(mgl_release_plan *plan, const mgl_task *task, mgl_error *err,
                             mgl_written *written)
{
    MGL_TRY(begin(written, err));
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->release != NULL && (*f)->release->plan != NULL)
            MGL_TRY((*f)->release->plan(plan, task, err, written));
    return MGL_OK;
}

mgl_status mgl_features_carry(mgl_release_plan *plan, const mgl_reading *reading, mgl_error *err)
{
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->release != NULL && (*f)->release->carry != NULL)
            MGL_TRY((*f)->release->carry(plan, reading, err));
    return MGL_OK;
}

bool mgl_features_obey(const mgl_settings *settings, mgl_written *written)
{
    bool any = false;
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->release != NULL && (*f)->release->obey != NULL)
            any |= (*f)->release->obey(settings, written);
    return any;
}

mgl_status mgl_features_object(const mgl_task *task, const mgl_solution *solution, mgl_error *err,
                               mgl_objections *objections)
{
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->release != NULL && (*f)->release->object != NULL)
            MGL_TRY((*f)->release->object(task, solution, err, objections));
    MGL_TRY(objections->out_of_memory ? mgl_fail_memory(err) : MGL_OK);
    MGL_TRY(mgl_features_remedy(task->reading, objections, err));
    return mgl_settle_objections(task->reading->settings, objections, err);
}

bool mgl_features_change(const mgl_reading *reading, const mgl_written *written, size_t field)
{
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->release != NULL && (*f)->release->changes != NULL &&
            (*f)->release->changes(reading, written, field))
            return true;
    return mgl_reading_replaced(reading, field) != NULL;
}
