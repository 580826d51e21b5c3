/* A toy feature, `toy-tally: COLUMN`: the result tells how many different values a released column
 * had, and the verifier counts them again in the release. */
#include "claims/claims.h"
#include "feature/feature.h"
#include "job/keys/key_rows.h"
#include "pipeline/pipeline.h"

/* ---- Its key ------------------------------------------------------------------------------- */

static const mgl_key rows[] = {{.name = "toy-tally",
                                .names = "columns",
                                .value = "COLUMN",
                                .commands = MGL_FOR_RELEASES,
                                .kind = MGL_KEY_VALUE,
                                .help = "toy: counts the values of a column that is released"}};

const mgl_key_rows mgl_keys_of_toys = MGL_KEY_ROWS(rows);

/* ---- Reading ------------------------------------------------------------------------------- */

extern const mgl_feature mgl_toy_tally;

/* What it keeps of a reading. */
typedef struct tally {
    const char *name; /* NULL: the job does not ask for it */
    size_t field;     /* of the source */
    uint64_t values;
} tally;

static mgl_status open_column(mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    tally *t = mgl_feature_state(reading, &mgl_toy_tally);
    const char *name = mgl_job_get(reading->settings->job, "toy-tally");
    if (name == NULL || purpose != MGL_TO_RELEASE)
        return MGL_OK;
    t->field = mgl_source_find(reading->source, name);
    if (t->field == SIZE_MAX)
        return mgl_blame_key(err, mgl_column_unknown(reading->source, name, err), "toy-tally");
    t->name = name;
    return MGL_OK;
}

static size_t request(const mgl_reading *reading, mgl_purpose purpose,
                      mgl_column_request *requested, size_t n)
{
    const tally *t = mgl_feature_state(reading, &mgl_toy_tally);
    (void)purpose;
    return t->name != NULL ? mgl_request(reading, t->field, requested, n) : n;
}

static mgl_status count(mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    tally *t = mgl_feature_state(reading, &mgl_toy_tally);
    (void)purpose;
    (void)err;
    if (t->name != NULL)
        t->values = mgl_dictionary_size(mgl_requested(reading, t->field)->dictionary);
    return MGL_OK;
}

/* ---- The judge: shares nothing with the rest ------------------------------------------------- */

typedef struct promised {
    size_t column; /* of the release */
    uint64_t values;
} promised;

static mgl_status skip(void *context, const mgl_table *stripe, mgl_error *err)
{
    (void)context;
    (void)stripe;
    (void)err;
    return MGL_OK;
}

static mgl_status judge(mgl_source *source, const mgl_promise *promise, void *about, size_t n,
                        mgl_pool *pool, const mgl_progress *progress, mgl_error *err)
{
    const promised *p = about;
    mgl_column_request column = {p->column, MGL_ROLE_INSENSITIVE};
    mgl_row_sink sink = {1 << 16, skip, NULL};
    mgl_stream_request request = {&column, n, &sink, pool, progress};
    mgl_table *table;
    MGL_TRY(mgl_source_stream(source, &request, err, &table));
    bool kept = mgl_dictionary_size(table->columns[0].dictionary) == p->values;
    mgl_table_free(table);
    return kept ? MGL_OK
                : mgl_fail(err, MGL_CODE_INTERNAL, "column '%.60s' lost values",
                           promise->names[p->column]);
}

static const mgl_judge toy_judge = {.release = judge};

/* ---- Releasing ------------------------------------------------------------------------------ */

static mgl_status plan(mgl_release_plan *p, const mgl_task *task, mgl_error *err,
                       mgl_written *written)
{
    const tally *t = mgl_feature_state(task->reading, &mgl_toy_tally);
    promised *about = mgl_feature_made(written, &mgl_toy_tally);
    if (t->name == NULL)
        return MGL_OK;
    *about = (promised){mgl_plan_column(p, t->field), t->values};
    if (about->column == SIZE_MAX)
        return mgl_blame_key(err,
                             mgl_fail(err, MGL_CODE_CONFLICT,
                                      "`toy-tally`: column '%.60s' is not released", t->name),
                             "toy-tally");
    mgl_plan_promise(p, &toy_judge, about, 1);
    return MGL_OK;
}

static void describe(const mgl_reading *reading, const mgl_written *written, mgl_result *result)
{
    const tally *t = mgl_feature_state(reading, &mgl_toy_tally);
    (void)written;
    if (t->name == NULL)
        return;
    json_t *object = json_object();
    mgl_json_set(object, "column", json_string(t->name));
    mgl_json_set(object, "values", mgl_json_count(t->values));
    mgl_json_set(result->document, "toy_tally", object);
}

static const mgl_feature_release release = {
    .size = sizeof(promised), .plan = plan, .describe = describe};

static const mgl_claim sections[] = {
    {"toy_tally", MGL_OF_NONE, "{column:s values:i}", .open = "toy_tally", MGL_CLAIM_INPUT},
    {.key = NULL}};

static const mgl_feature_audit audit = {.sections = sections};

const mgl_feature mgl_toy_tally = {.name = "toy-tally",
                                   .size = sizeof(tally),
                                   .release = &release,
                                   .audit = &audit,
                                   .request = request,
                                   .on = {[MGL_ON_OPEN] = open_column, [MGL_ON_READ] = count}};
