/* risk --advise, last step: tells what is proposed, as a document and as a job file. */
#include "command/advise/advised.h"

/* Lines as a list. */
static json_t *hints_json(const mgl_buffer *hints)
{
    json_t *list = json_array();
    const char *at = hints->data, *end = hints->data + hints->size;
    while (at < end) {
        const char *line = memchr(at, '\n', (size_t)(end - at));
        mgl_json_append(list, json_stringn(at, (size_t)(line - at)));
        at = line + 1;
    }
    return list;
}

static json_t *column_json(const mgl_advised *a, const mgl_advised_column *column)
{
    const mgl_profile *p = &column->profile;
    json_t *object = json_object();
    bool builder = column->advice.role == MGL_ROLE_QUASI && !a->amounts;
    mgl_json_set(object, "column", json_string(column->name));
    mgl_json_set(object, "role", json_string(mgl_role_name(column->advice.role)));
    mgl_json_set(object, "reason", json_string(column->advice.reason));
    mgl_json_set(object, "hierarchy", builder ? json_string(column->hierarchy) : json_null());
    bool treated = column->treat != NULL && column->advice.role == MGL_ROLE_SENSITIVE;
    mgl_json_set(object, "treat", treated ? json_string(column->treat) : json_null());
    mgl_json_set(object, "kind", json_string(mgl_value_kind_name(p->kind)));
    mgl_json_set(object, "distinct", mgl_json_count(p->distinct));
    mgl_json_set(object, "alone", mgl_json_count(p->alone));
    mgl_json_set(object, "missing", mgl_json_count(p->missing));
    mgl_json_set(object, "hints", hints_json(&column->hints));
    return object;
}

static json_t *entity_json(const mgl_advised *a)
{
    if (a->entity == SIZE_MAX)
        return json_null();
    json_t *object = json_object();
    mgl_json_set(object, "column", json_string(a->columns[a->entity].name));
    mgl_json_set(object, "persons", mgl_json_count(a->persons.persons));
    return object;
}

static void warn(const mgl_advised *a, mgl_result *result)
{
    bool few_persons = a->entity != SIZE_MAX && a->persons.persons < MGL_ADVISED_K;
    if (a->rows < MGL_ADVISED_K || few_persons)
        mgl_result_warn(result, "too-few-rows",
                        "there are only %llu %s: no release can have k = %d",
                        (unsigned long long)(few_persons ? a->persons.persons : a->rows),
                        few_persons ? "persons" : "rows", MGL_ADVISED_K);
    if (mgl_advised_count(a, MGL_ROLE_QUASI) == 0)
        mgl_result_warn(result, "no-quasi-identifier",
                        "no column seems to be known to others, so that there is nobody to find; "
                        "edit the job: it needs a quasi-identifier");
}

mgl_status mgl_advise_tell(const mgl_advised *a, mgl_error *err, mgl_result *result)
{
    json_t *list = json_array();
    mgl_buffer job = {0};
    for (size_t c = 0; c < a->n; c++)
        mgl_json_append(list, column_json(a, &a->columns[c]));
    mgl_json_set(result->document, "rows", mgl_json_count(a->rows));
    mgl_json_set(result->document, "advice", list);
    mgl_json_set(result->document, "entity", entity_json(a));
    warn(a, result);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_advised_write(a, err, &job));
    mgl_json_set(result->document, "job", json_stringn(job.data, job.size));
    if (a->settings->output != NULL) {
        mgl_json_set(result->document, "output", json_string(a->settings->output));
        MGL_GO(mgl_publish_text(a->settings->output, job.data, job.size, err));
    }
done:
    mgl_buffer_free(&job);
    return status;
}
